// Loads what makes pages live. Every module works on whatever is on the page, by data attributes,
// and listens on the document, so that parts that htmx brings later need no set-up.
import "./theme.js";
import "./menus.js";
import "./dialogs.js";
import "./copy.js";
import "./print.js";
import "./replay.js";
import "./prompt_editor.js";
import "./playground.js";
import "./select.js";
import "./brush.js";
import "./plot.js";
import "./board.js";
import "./correlation.js";
import "./tree.js";
import "./live.js";
import "./facets.js";
import "./mentions.js";
import "./annotate.js";
import "./keyboard.js";
import "./palette.js";
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

// Newer and older are those of that list, where the trace is one of it.
const links = [...document.querySelectorAll("[data-list] tbody tr a[href*='/traces/']")];
if (list) sessionStorage.setItem("listed", JSON.stringify([...new Set(links.map((link) => link.pathname))]));
const listed = JSON.parse(sessionStorage.getItem("listed") ?? "[]");
const place = listed.indexOf(location.pathname);
if (place >= 0) {
  for (const [key, other] of [["[", listed[place - 1]], ["]", listed[place + 1]]]) {
    const link = document.querySelector(`a[data-key="${key}"]`);
    if (link && other) link.setAttribute("href", other);
  }
  const word = document.querySelector("[data-of-list]");
  if (word) word.textContent = word.dataset.ofList.replace("{}", place + 1).replace("{}", listed.length);
}

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
