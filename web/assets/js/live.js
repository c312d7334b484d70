// New traces appear by themselves while the list is read at its top; further down it holds still.
import { choose, chosenIds } from "./select.js";

let source = null;
let missed = false;
let counting = false;
// One page of the list: of more it is only known that they are more.
const MOST = 50;

const results = () => document.getElementById("results");
const atTop = () => (results()?.querySelector("[data-scroll]")?.scrollTop ?? 0) < 8;

function refresh() {
  const shown = results();
  if (!shown) return;
  if (!atTop() || document.hidden || document.querySelector("dialog[open]")) {
    missed = true;
    if (!document.hidden) countWaiting();
    return;
  }
  missed = false;
  htmx.ajax("GET", shown.dataset.here, { target: "#results", swap: "outerHTML" });
}

// How many traces of the newest page are not on this one: looked at without showing it.
async function countWaiting() {
  const shown = results();
  const words = document.querySelector("[data-paused-note]");
  if (counting || !shown || !words) return;
  counting = true;
  try {
    const headers = { "HX-Request": "true", "HX-Target": "results" };
    const answer = await fetch(shown.dataset.here, { headers });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const known = new Set([...document.querySelectorAll("tr[data-id]")].map((row) => row.dataset.id));
    const fresh = [...page.querySelectorAll("tr[data-id]")].filter((row) => !known.has(row.dataset.id));
    const count = fresh.length < MOST ? fresh.length : `${MOST}+`;
    if (count) words.textContent = words.dataset.words.replace("{}", count);
  } catch {
    // The next event counts anew.
  } finally {
    counting = false;
  }
}

function watch() {
  const url = results()?.dataset.live;
  if (!url || source) return;
  source = new EventSource(url);
  source.addEventListener("traces", refresh);
}

function note() {
  const paused = !atTop();
  document.querySelector("[data-live-note]")?.toggleAttribute("hidden", paused);
  document.querySelector("[data-paused-note]")?.toggleAttribute("hidden", !paused);
  if (!paused && missed) refresh();
}

// What the reader had: known rows, chosen ones, the cursor.
let before = null;

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id !== "results") return;
  const known = [...document.querySelectorAll("tr[data-id]")].map((row) => row.dataset.id);
  const cursor = document.querySelector("tr[data-cursor]")?.dataset.id;
  before = { known, cursor, chosen: chosenIds() };
});

document.addEventListener("htmx:afterSettle", () => {
  if (!before) return;
  const { known, cursor, chosen } = before;
  before = null;
  for (const row of document.querySelectorAll("tr[data-id]")) {
    if (!known.includes(row.dataset.id)) row.classList.add("new");
    if (row.dataset.id === cursor) row.dataset.cursor = "";
  }
  choose(chosen);
  const summary = document.querySelector("[data-summary]");
  if (summary && results()) summary.textContent = results().dataset.now;
});

document.addEventListener("scroll", note, true);
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-paused-note]")) results()?.querySelector("[data-scroll]")?.scrollTo(0, 0);
});
document.addEventListener("visibilitychange", note);
addEventListener("pagehide", () => source?.close());

// The page of an empty project moves on with its first trace.
const first = document.querySelector("[data-first]");
if (first) {
  source = new EventSource(first.dataset.first);
  source.addEventListener("traces", () => location.assign(first.dataset.then));
}
watch();
