// Moves along a conversation: play, step, jump to what was wrong. Turns that are not on the page yet are
// fetched with those around them; the address always names the chosen one.
import { closeMenus } from "./menus.js";

const STEP_MS = 1500;
const TICK_MS = 100;
const ASIDE_AFTER_MS = 120;

const root = () => document.getElementById("replay");
const lists = new WeakMap();
let playing = null;
let speed = 4;
let position = 0;
let asideTimer = 0;
let afterG = -Infinity;

// The numbers of an attribute, read once for each page.
function numbers(name) {
  const known = lists.get(root()) ?? {};
  known[name] ??= (root().dataset[name] ?? "").split(",").filter(Boolean).map(Number);
  lists.set(root(), known);
  return known[name];
}

const chosen = () => Number(root().dataset.turn);
const count = () => Number(root().dataset.turns);
const length = () => Math.max(Number(root().dataset.length), 1);

// The turn under way at an instant of the line.
function turnAt(millis) {
  const starts = numbers("starts");
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= millis) low = middle + 1;
    else high = middle;
  }
  return Math.max(low, 1);
}

function showPosition(millis) {
  const share = `${Math.min((millis / length()) * 100, 100)}%`;
  root().querySelector("[data-thumb]")?.setAttribute("cx", share);
  root().querySelector("[data-done]")?.setAttribute("x2", share);
}

function mark(number) {
  const page = root();
  page.dataset.turn = number;
  for (const one of page.querySelectorAll(".turn[aria-current], .turns [aria-current]")) one.removeAttribute("aria-current");
  for (const article of page.querySelectorAll("article.turn")) article.classList.toggle("later", Number(article.dataset.number) > number);
  for (const block of page.querySelectorAll("[data-block]")) block.classList.toggle("past", Number(block.dataset.block) <= number);
  const article = document.getElementById(`turn-${number}`);
  article?.setAttribute("aria-current", "true");
  article?.scrollIntoView({ block: "nearest" });
  const line = page.querySelector(`.turns [data-turn="${number}"]`);
  line?.setAttribute("aria-current", "true");
  line?.scrollIntoView({ block: "nearest" });
  const slider = page.querySelector("[data-scrub]");
  slider?.setAttribute("aria-valuenow", number);
  slider?.setAttribute("aria-valuetext", `${number} / ${count()}`);
  page.querySelector("[data-number-shown]").textContent = number;
  if (article) page.querySelector("[data-clock]").textContent = article.dataset.time;
}

async function choose(number, millis) {
  const wanted = Math.min(Math.max(number, 1), count());
  position = millis ?? numbers("starts")[wanted - 1] ?? 0;
  showPosition(position);
  if (wanted === chosen()) return;
  const url = `${root().dataset.url}?turn=${wanted}`;
  history.replaceState(history.state, "", url);
  if (!document.getElementById(`turn-${wanted}`)) {
    root().dataset.turn = wanted;
    await htmx.ajax("GET", url, { target: "#replay", swap: "outerHTML" });
    return;
  }
  mark(wanted);
  clearTimeout(asideTimer);
  asideTimer = setTimeout(() => htmx.ajax("GET", url, { target: "#turn-aside", swap: "innerHTML" }), ASIDE_AFTER_MS);
}

const step = (by) => choose(chosen() + by);

function nextBad() {
  const bad = numbers("bad");
  const next = bad.find((number) => number > chosen()) ?? bad[0];
  if (next) choose(next);
}

function firstBad() {
  const [first] = numbers("bad");
  if (first) choose(first);
}

function showPlaying() {
  root()?.querySelector("[data-play]")?.setAttribute("aria-pressed", String(playing !== null));
}

function stop() {
  clearInterval(playing);
  playing = null;
  showPlaying();
}

function play() {
  if (playing !== null) return stop();
  if (chosen() === count()) choose(1);
  position = numbers("starts")[chosen() - 1] ?? 0;
  let last = performance.now();
  let waited = 0;
  playing = setInterval(() => {
    if (!root()) return stop();
    const now = performance.now();
    const passed = now - last;
    last = now;
    if (speed === 0) {
      waited += passed;
      if (waited < STEP_MS) return;
      waited = 0;
      if (chosen() === count()) return stop();
      step(1);
      return;
    }
    position += passed * speed;
    showPosition(position);
    const number = turnAt(position);
    if (number !== chosen()) choose(number, position);
    if (position >= length()) stop();
  }, TICK_MS);
  showPlaying();
}

function setSpeed(button) {
  speed = Number(button.dataset.speed);
  showSpeed();
}

function showSpeed() {
  for (const one of root()?.querySelectorAll("[data-speed]") ?? []) one.setAttribute("aria-pressed", String(Number(one.dataset.speed) === speed));
}

function scrub(slider, event) {
  const box = slider.getBoundingClientRect();
  const share = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
  const millis = share * length();
  choose(turnAt(millis), millis);
}

document.addEventListener("pointerdown", (event) => {
  const slider = event.target.closest?.("[data-scrub]");
  if (!slider || event.button !== 0) return;
  event.preventDefault();
  slider.focus();
  scrub(slider, event);
  const move = (moved) => scrub(document.querySelector("[data-scrub]") ?? slider, moved);
  addEventListener("pointermove", move);
  addEventListener("pointerup", () => removeEventListener("pointermove", move), { once: true });
});

document.addEventListener("click", (event) => {
  if (!root() || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const at = event.target.closest("[data-play], [data-speed], [data-step], .turns [data-turn], [data-first-bad]");
  if (!at) return;
  if ("speed" in at.dataset) return setSpeed(at);
  if ("play" in at.dataset) return play();
  event.preventDefault();
  if ("step" in at.dataset) step(Number(at.dataset.step));
  else if ("firstBad" in at.dataset) firstBad();
  else choose(Number(at.dataset.turn));
});

const keys = {
  " ": play,
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  k: () => step(-1),
  j: () => step(1),
  Home: () => choose(1),
  End: () => choose(count()),
  n: nextBad,
  "!": firstBad,
};

document.addEventListener("keydown", (event) => {
  if (!root() || event.metaKey || event.ctrlKey || event.altKey) return;
  const at = event.target instanceof Element ? event.target : document.body;
  if (at.matches("input, select, textarea") || document.querySelector("dialog[open], details.pop[open]")) return;
  if (event.key === " " && at.matches("a, button, summary")) return;
  // The letter after g leads to another page.
  const leads = performance.now() - afterG < 1200;
  afterG = event.key === "g" ? performance.now() : -Infinity;
  const action = leads ? null : keys[event.key];
  if (!action) return;
  event.preventDefault();
  closeMenus();
  action();
});

document.addEventListener("htmx:afterSettle", () => {
  if (!root()) return;
  showPlaying();
  showSpeed();
});

// Sessions of the list that the reader came from, to go on to the next.
const links = [...document.querySelectorAll("[data-sessions] a[data-session]")];
if (links.length) sessionStorage.setItem("sessions", JSON.stringify(links.map((link) => link.getAttribute("href"))));
const known = root() ? JSON.parse(sessionStorage.getItem("sessions") ?? "[]") : [];
const here = known.indexOf(root()?.dataset.url);
for (const link of document.querySelectorAll("[data-neighbour]")) {
  const url = here < 0 ? undefined : known[here + Number(link.dataset.neighbour)];
  if (!url) continue;
  link.setAttribute("href", url);
  link.hidden = false;
}
if (root()) document.querySelector('.turn[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
