// The tree of a trace: choosing, folding, loading. A trace of many spans comes in blocks: what is
// folded is told to the server, which then draws the rows anew. A smaller one is all here.
const tree = () => document.querySelector("[data-tree]");
const rows = () => [...tree().querySelectorAll("a[data-span]")];
// Between rows may stand a word about those that are left out.
const isRow = (element) => Boolean(element.dataset.span);
const level = (row) => Number(row.getAttribute("aria-level"));
const isParent = (row) => row.hasAttribute("aria-expanded");
const isFolded = (row) => row.getAttribute("aria-expanded") === "false";
const comesInBlocks = () => Boolean(tree()?.dataset.rows);
const RETRY_AFTER_MS = 2000;

// What is folded, for the server: everything below the top or nothing, but for these.
let foldAll = false;
const flipped = new Set();

export const visibleRows = () => rows().filter((row) => !row.hidden);
export const selected = () => tree()?.querySelector('[aria-selected="true"]');

export function choose(row) {
  const url = new URL(row.href);
  const search = new URL(location.href).searchParams;
  for (const name of ["in", "tz", "tab"]) {
    const value = search.get(name);
    if (value) url.searchParams.set(name, value);
  }
  for (const other of rows()) other.setAttribute("aria-selected", other === row);
  row.scrollIntoView({ block: "nearest" });
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

export function parentOf(row) {
  let before = row.previousElementSibling;
  while (before && !(isRow(before) && level(before) < level(row))) before = before.previousElementSibling;
  return before;
}

export function fold(row) {
  return isParent(row) && !isFolded(row) && set(row, false);
}

export function unfold(row) {
  return isFolded(row) && set(row, true);
}

function set(row, open) {
  row.setAttribute("aria-expanded", open);
  if (comesInBlocks()) {
    const id = row.dataset.span;
    if (!flipped.delete(id)) flipped.add(id);
    drawAnew(id);
  } else {
    hideFolded();
  }
  return true;
}

function setAll(open) {
  if (comesInBlocks()) {
    foldAll = !open;
    flipped.clear();
    drawAnew(selected()?.dataset.span);
    return;
  }
  for (const row of rows()) {
    if (isParent(row) && level(row) > 1) row.setAttribute("aria-expanded", open);
  }
  hideFolded();
}

// One pass from top to bottom: a row is hidden below the nearest folded one.
function hideFolded() {
  let hiddenBelow = Infinity;
  for (const row of rows()) {
    if (level(row) > hiddenBelow) {
      row.hidden = true;
      continue;
    }
    row.hidden = false;
    hiddenBelow = isFolded(row) ? level(row) : Infinity;
  }
}

async function drawAnew(reach) {
  const scroller = document.querySelector(".tree-scroll");
  const before = scroller.scrollTop;
  const search = new URL(location.href).searchParams;
  const values = { reach, span: selected()?.dataset.span, in: search.get("in") };
  for (const name of Object.keys(values)) if (!values[name]) delete values[name];
  await htmx.ajax("GET", tree().dataset.rows, { target: "#rows", swap: "innerHTML", values });
  scroller.scrollTop = before;
}

document.addEventListener("htmx:configRequest", (event) => {
  if (!tree() || !event.detail.path.includes("/rows")) return;
  if (foldAll) event.detail.parameters.fold_all = "1";
  if (flipped.size) event.detail.parameters.flip = [...flipped];
});

// A block that could not be had is asked for again.
for (const failure of ["htmx:responseError", "htmx:sendError"]) {
  document.addEventListener(failure, (event) => {
    const more = event.detail.elt;
    if (more?.matches?.("[data-more]")) {
      setTimeout(() => more.isConnected && htmx.trigger(more, "retry"), RETRY_AFTER_MS);
    }
  });
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-fold-all]")) {
    const anyOpen = rows().some((row) => isParent(row) && !isFolded(row) && level(row) > 1);
    setAll(!anyOpen);
  }
  const row = event.target.closest("[data-tree] a[data-span]");
  if (!row || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  if (event.target.closest(".twist") && isParent(row)) {
    if (!fold(row)) unfold(row);
  } else {
    choose(row);
  }
});

// Back and forward choose the span of the address again.
addEventListener("popstate", () => {
  if (tree()) location.reload();
});

if (tree()) selected()?.scrollIntoView({ block: "nearest" });
