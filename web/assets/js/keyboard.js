// Keys. Everything that they do can also be done with the pointer or with Tab.
import { copyFrom } from "./copy.js";
import { openDialog } from "./dialogs.js";
import { closeMenus } from "./menus.js";
import { clear, update } from "./select.js";
import * as tree from "./tree.js";

let after_g = false;

const typing = (element) => element.matches("input:not([type=checkbox]), select, textarea");

function tableRows() {
  return [...document.querySelectorAll("[data-list] tbody tr")];
}

function moveInTable(step) {
  const all = tableRows();
  if (!all.length) return;
  const now = all.findIndex((row) => "cursor" in row.dataset);
  const next = Math.min(Math.max(now + step, 0), all.length - 1);
  if (now >= 0) delete all[now].dataset.cursor;
  all[next].dataset.cursor = "";
  all[next].scrollIntoView({ block: "nearest" });
}

function moveInTree(step) {
  const all = tree.visibleRows();
  const now = all.indexOf(tree.selected());
  const next = all[Math.min(Math.max(now + step, 0), all.length - 1)];
  if (next && next !== all[now]) tree.choose(next);
}

// Versions of a prompt: the one above or below is opened.
function moveInVersions(step) {
  const all = [...document.querySelectorAll("[data-versions] a")];
  const now = all.findIndex((link) => link.hasAttribute("aria-current"));
  all[Math.min(Math.max(now + step, 0), all.length - 1)]?.click();
}

const inTree = () => document.querySelector("[data-tree]");
const cursorRow = () => document.querySelector("[data-list] tr[data-cursor]");
const inVersions = () => document.querySelector("[data-versions]") && !document.querySelector("[data-list]");
const move = (step) =>
  inTree() ? moveInTree(step) : inVersions() ? moveInVersions(step) : moveInTable(step);

function left() {
  const row = tree.selected();
  if (row && !tree.fold(row)) tree.chooseParent(row);
}

function escape() {
  if (closeMenus()) return;
  if (document.activeElement instanceof HTMLElement && typing(document.activeElement)) {
    document.activeElement.blur();
    return;
  }
  if (clear()) return;
  document.querySelector("[data-list-link]")?.click();
}

function filterMenu() {
  const menu = document.querySelector('details[data-key="f"]');
  if (menu) menu.open = true;
}

// The next change of a diff, at the top of what scrolls.
function nextChange() {
  const all = [...document.querySelectorAll("[data-change]")];
  const now = all.findIndex((row) => "cursor" in row.dataset);
  if (!all.length) return;
  if (now >= 0) delete all[now].dataset.cursor;
  const next = all[(now + 1) % all.length];
  next.dataset.cursor = "";
  next.scrollIntoView({ block: "center" });
}

const keys = {
  n: nextChange,
  j: () => move(1),
  k: () => move(-1),
  ArrowDown: () => inTree() && moveInTree(1),
  ArrowUp: () => inTree() && moveInTree(-1),
  h: () => inTree() && left(),
  ArrowLeft: () => inTree() && left(),
  l: () => tree.selected() && tree.unfold(tree.selected()),
  ArrowRight: () => inTree() && tree.selected() && tree.unfold(tree.selected()),
  Enter: () => cursorRow()?.querySelector("a")?.click(),
  x: () => {
    const box = cursorRow()?.querySelector("input[type=checkbox]");
    if (box) box.checked = !box.checked;
    update();
  },
  f: filterMenu,
  y: () => {
    const button = document.querySelector("[data-copy]:has(kbd)") ?? document.querySelector("[data-copy]");
    if (button) copyFrom(button);
  },
  "/": () => document.querySelector(".filters input[type=search], .bar input[type=search]")?.focus(),
  "?": () => openDialog("keys"),
  c: () => document.querySelector('a[data-key="c"]')?.click(),
  "[": () => document.querySelector('a[data-key="["]')?.click(),
  "]": () => document.querySelector('a[data-key="]"]')?.click(),
};

// Keys that a focused link, button or box already answers.
const own = (element, key) =>
  (key === "Enter" || key === " ") && element.matches("a, button, summary, input, select");
const arrows = (key) => key.startsWith("Arrow");

document.addEventListener("keydown", (event) => {
  const at = event.target instanceof Element ? event.target : document.body;
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
    escape();
    return;
  }
  if (event.metaKey || event.ctrlKey || event.altKey || typing(at)) return;
  if (document.querySelector("dialog[open]") || own(at, event.key)) return;
  if (after_g) {
    after_g = false;
    const link = document.querySelector(`[data-key="g ${CSS.escape(event.key)}"]`);
    if (link) link.click();
    return;
  }
  if (event.key === "g") {
    after_g = true;
    setTimeout(() => (after_g = false), 1200);
    return;
  }
  if (arrows(event.key) && !at.closest("[data-tree]")) return;
  const action = keys[event.key];
  if (!action || document.querySelector("details.pop[open]")) return;
  event.preventDefault();
  action();
});
