// Loads what makes pages live. Every module works on whatever is on the page, by data attributes,
// and listens on the document, so that parts that htmx brings later need no set-up.
import "./theme.js";
import "./menus.js";
import "./dialogs.js";
import "./copy.js";
import "./print.js";
import "./prompt_editor.js";
import "./select.js";
import "./brush.js";
import "./correlation.js";
import "./tree.js";
import "./live.js";
import "./keyboard.js";
import { toast } from "./toast.js";

document.addEventListener("htmx:configRequest", (event) => {
  const token = document.querySelector('meta[name="csrf"]')?.content;
  if (token) event.detail.headers["X-CSRF-Token"] = token;
});

document.addEventListener("htmx:responseError", (event) => {
  const words = event.detail.xhr.responseText;
  toast(words && words.length < 300 ? words : `HTTP ${event.detail.xhr.status}`, true);
});

document.addEventListener("htmx:sendError", () => toast("The server cannot be reached", true));

// The list that a trace was opened from, to go back to it as it was.
const list = document.querySelector("[data-here]");
if (list) sessionStorage.setItem("list", list.dataset.here);
const back = document.querySelector("[data-list-link]");
const kept = sessionStorage.getItem("list");
if (back && kept?.startsWith(back.getAttribute("href"))) back.setAttribute("href", kept);

// The page of the list before this one, where the reader came from it.
document.addEventListener("click", (event) => {
  const next = event.target.closest("[data-next]");
  const here = document.getElementById("results")?.dataset.here;
  if (next && here) sessionStorage.setItem(`before ${next.getAttribute("href")}`, here);
});
const previous = document.querySelector("[data-previous]");
const before = list && sessionStorage.getItem(`before ${list.dataset.here}`);
if (previous && before) {
  previous.href = before;
  previous.hidden = false;
}
