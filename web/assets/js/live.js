// New traces appear by themselves while the list is read at its top; further down it holds still.
import { choose, chosenIds } from "./select.js";

let source = null;
let missed = false;

const results = () => document.getElementById("results");
const atTop = () => (results()?.querySelector("[data-scroll]")?.scrollTop ?? 0) < 8;

function refresh() {
  const shown = results();
  if (!shown) return;
  if (!atTop() || document.hidden || document.querySelector("dialog[open]")) {
    missed = true;
    return;
  }
  missed = false;
  htmx.ajax("GET", shown.dataset.here, { target: "#results", swap: "outerHTML" });
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
document.addEventListener("visibilitychange", note);
addEventListener("pagehide", () => source?.close());

// The page of an empty project moves on with its first trace.
const first = document.querySelector("[data-first]");
if (first) {
  source = new EventSource(first.dataset.first);
  source.addEventListener("traces", () => location.assign(first.dataset.then));
}
watch();
