// The tree of a trace: choosing, folding, scrolling. The server draws a window onto it, with empty space of the
// height of what is above and below; what is folded is told to it, and it draws the window anew.
const tree = () => document.querySelector("[data-tree]");
const rows = () => [...tree().querySelectorAll("a[data-span], a[data-run]")];
const level = (row) => Number(row.getAttribute("aria-level"));
const isParent = (row) => row.hasAttribute("aria-expanded");
const isFolded = (row) => row.getAttribute("aria-expanded") === "false";
const scroller = () => document.querySelector(".tree-scroll");
const here = () => new URL(location.href).searchParams;
// Names of the address that are of the tree and the panel, not of the chosen span.
const KEPT = ["in", "heat", "path", "from_ms", "to_ms", "tz", "tab"];
const ROW_PIXELS = 24;
// Rows above those that are seen, in a new window.
const ABOVE = 150;
const RETRY_AFTER_MS = 2000;

// What is folded: everything below the top or nothing, but for these; and runs of spans that do the same.
let foldAll = false;
const flipped = new Set();
const opened = new Set();
const shut = new Set();
for (const [name, set] of [["flip", flipped], ["open", opened], ["shut", shut]]) {
  for (const id of here().getAll(name)) set.add(id);
}

export const visibleRows = rows;
export const selected = () => tree()?.querySelector('[aria-selected="true"]');

function mark(row) {
  for (const other of rows()) other.setAttribute("aria-selected", other === row);
  row.scrollIntoView({ block: "nearest" });
}

export function choose(row) {
  mark(row);
  // A run is no span: there is nothing to show beside it.
  if (!row.dataset.span) return;
  const url = new URL(row.href);
  for (const name of KEPT) {
    const value = here().get(name);
    if (value) url.searchParams.set(name, value);
  }
  // No state of htmx's: it would restore the page as well while "back" loads it anew.
  history.pushState(null, "", url);
  show(url);
}

// One request at a time, and of those that wait the last: a response that is swapped in takes the place
// away that another request was meant for.
let wanted;
let shown = Promise.resolve();

function show(url) {
  wanted = url;
  const place = { source: tree(), target: "#panel", swap: "outerHTML" };
  const load = () => url === wanted && htmx.ajax("GET", url.pathname + url.search, place);
  shown = shown.then(load).catch(() => {});
}

export async function chooseParent(row) {
  let before = row.previousElementSibling;
  while (before && !(before.matches("a") && level(before) < level(row))) before = before.previousElementSibling;
  if (before) {
    choose(before);
    return;
  }
  const id = row.dataset.span ?? row.dataset.run;
  if (level(row) === 1 || !(await draw(() => ({ up: id })))) return;
  const reached = tree().querySelector("[data-window]").dataset.reached;
  const parent = reached && tree().querySelector(`a[data-span="${CSS.escape(reached)}"]`);
  if (parent) choose(parent);
}

export function fold(row) {
  return isParent(row) && !isFolded(row) && set(row, false);
}

export function unfold(row) {
  return isFolded(row) && set(row, true);
}

function set(row, open) {
  row.setAttribute("aria-expanded", open);
  const run = row.dataset.run;
  if (run) {
    (open ? opened : shut).add(run);
    (open ? shut : opened).delete(run);
  } else if (!flipped.delete(row.dataset.span)) {
    flipped.add(row.dataset.span);
  }
  drawWhereItIs();
  return true;
}

function setAll(open) {
  foldAll = !open;
  flipped.clear();
  drawWhereItIs();
}

// One window after another: each is drawn where the one before it has left the reader.
let drawn = Promise.resolve();
const draw = (where) => (drawn = drawn.then(() => drawNow(where())).catch(() => false));

// Draws a window, and marks in it what was marked; whether it could be had.
async function drawNow(where) {
  const marked = selected();
  const run = marked?.dataset.run;
  const span = here().get("span") ?? marked?.dataset.span;
  const url = new URL(tree().dataset.rows, location.href);
  const search = url.searchParams;
  for (const [name, value] of Object.entries(where)) search.set(name, value);
  if (span) search.set("span", span);
  if (here().get("span") && !where.up) search.set("reach", span);
  if (foldAll) search.set("fold_all", "1");
  for (const [name, ids] of [["flip", flipped], ["open", opened], ["shut", shut]]) {
    for (const id of ids) search.append(name, id);
  }
  const before = scroller().scrollTop;
  const old = tree().querySelector("[data-window]");
  // A source of its own: behind the panel's request htmx would say at once that a second one of the tree is over.
  await htmx.ajax("GET", url.pathname + url.search, { source: "#rows", target: "#rows", swap: "innerHTML" });
  if (old.isConnected) return false;
  scroller().scrollTop = before;
  const again = run && tree().querySelector(`a[data-run="${CSS.escape(run)}"]`);
  if (again) mark(again);
  // Another may have been chosen since the window was asked for.
  const chosen = here().get("span");
  if (!run && chosen && chosen !== span) {
    for (const row of rows()) row.setAttribute("aria-selected", row.dataset.span === chosen);
  }
  watch();
  return true;
}

// The place of the first row that is seen.
function seen() {
  const top = Math.max(scroller().getBoundingClientRect().top, 0);
  const above = top - document.getElementById("rows").getBoundingClientRect().top;
  return Math.max(Math.floor(above / ROW_PIXELS), 0);
}

const drawWhereItIs = () => draw(() => ({ from: Math.max(seen() - ABOVE, 0) }));

// Empty space that comes near is filled before it is seen.
let near;
let busy = false;

function watch() {
  near?.disconnect();
  const scrolls = getComputedStyle(scroller()).overflowY !== "visible";
  near = new IntersectionObserver(fill, { root: scrolls ? scroller() : null, rootMargin: "1500px 0px" });
  for (const space of tree().querySelectorAll(".unseen")) {
    if (space.getBoundingClientRect().height > 0) near.observe(space);
  }
}

async function fill(entries) {
  if (busy || !entries.some((entry) => entry.isIntersecting)) return;
  busy = true;
  const could = await drawWhereItIs().catch(() => false);
  busy = false;
  if (!could) setTimeout(watch, RETRY_AFTER_MS);
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-fold-all]")) {
    const anyOpen = rows().some((row) => row.dataset.span && isParent(row) && !isFolded(row) && level(row) > 1);
    setAll(!anyOpen);
  }
  const row = event.target.closest("[data-tree] a[data-span], [data-tree] a[data-run]");
  if (!row || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  if (row.dataset.run || (event.target.closest(".twist") && isParent(row))) {
    if (row.dataset.run) mark(row);
    if (!fold(row)) unfold(row);
  } else {
    choose(row);
  }
});

// Spans that are drawn can be chosen to compare with.
document.addEventListener("focusin", (event) => {
  const list = event.target.matches?.("[data-spans]") && event.target.list;
  if (!list || !tree()) return;
  list.replaceChildren(...[...tree().querySelectorAll("a[data-span]")].map(option));
});

function option(row) {
  const option = document.createElement("option");
  option.value = row.dataset.span;
  option.textContent = row.querySelector(".name").textContent;
  return option;
}

// Back and forward choose the span of the address again.
addEventListener("popstate", () => {
  if (tree()) location.reload();
});

if (tree()) {
  if (here().get("span")) selected()?.scrollIntoView({ block: "nearest" });
  watch();
}
