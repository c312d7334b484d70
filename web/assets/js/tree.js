// The tree of a trace: choosing, folding, loading what was folded away. Rows that are not loaded
// yet come from the server, which is told what is folded.
const tree = () => document.querySelector("[data-tree]");
const rows = () => [...tree().querySelectorAll("a[data-span]")];
const level = (row) => Number(row.getAttribute("aria-level"));
const folded = (row) => row.getAttribute("aria-expanded") === "false";

export const visibleRows = () => rows().filter((row) => !row.hidden);

// Rows below one, as far as they are loaded.
function below(row) {
  const under = [];
  for (let next = row.nextElementSibling; next; next = next.nextElementSibling) {
    if (next.matches("[data-more]")) continue;
    if (level(next) <= level(row)) break;
    under.push(next);
  }
  return under;
}

export function choose(row) {
  const url = new URL(row.href);
  const search = new URL(location.href).searchParams;
  for (const name of ["in", "tz", "tab"]) {
    const value = search.get(name);
    if (value) url.searchParams.set(name, value);
  }
  mark(row);
  history.pushState({ htmx: true }, "", url);
  htmx.ajax("GET", url.pathname + url.search, { target: "#panel", swap: "outerHTML" });
}

function mark(row) {
  for (const other of rows()) other.setAttribute("aria-selected", other === row);
  row.scrollIntoView({ block: "nearest" });
}

export function fold(row) {
  if (row.getAttribute("aria-expanded") !== "true") return false;
  row.setAttribute("aria-expanded", "false");
  for (const under of below(row)) under.hidden = true;
  return true;
}

export function unfold(row) {
  if (!folded(row)) return false;
  row.setAttribute("aria-expanded", "true");
  const under = below(row);
  let hiddenBelow = Infinity;
  for (const next of under) {
    if (level(next) > hiddenBelow) continue;
    hiddenBelow = folded(next) ? level(next) : Infinity;
    next.hidden = false;
  }
  const following = row.nextElementSibling;
  if (under.length === 0 && !following?.matches("[data-more]")) {
    const url = `${location.pathname}/rows?under=${encodeURIComponent(row.dataset.span)}`;
    htmx.ajax("GET", url, { target: row, swap: "afterend" });
  }
  return true;
}

export function parentOf(row) {
  let before = row.previousElementSibling;
  while (before && (!before.dataset.span || level(before) >= level(row))) {
    before = before.previousElementSibling;
  }
  return before;
}

export const selected = () => tree()?.querySelector('[aria-selected="true"]');

document.addEventListener("click", (event) => {
  const row = event.target.closest("[data-tree] a[data-span]");
  if (event.target.closest("[data-fold-all]")) {
    const parents = rows().filter((candidate) => candidate.hasAttribute("aria-expanded"));
    const foldable = parents.filter((candidate) => !folded(candidate) && level(candidate) > 1);
    for (const candidate of foldable.length ? foldable : parents) {
      if (foldable.length) fold(candidate);
      else unfold(candidate);
    }
  }
  if (!row || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  if (event.target.closest(".twist") && row.hasAttribute("aria-expanded")) {
    if (!fold(row)) unfold(row);
  } else {
    choose(row);
  }
});

// The server leaves out what is below a folded row.
document.addEventListener("htmx:configRequest", (event) => {
  if (!event.detail.path.includes("/rows") || !tree()) return;
  const closed = rows().filter(folded);
  if (closed.length) event.detail.parameters.fold = closed.map((row) => row.dataset.span);
});

// Back and forward choose the span of the address again.
addEventListener("popstate", () => {
  if (tree()) location.reload();
});

const first = tree() && selected();
if (first) first.scrollIntoView({ block: "nearest" });
