// Commands and pages by name: Ctrl K or ⌘ K. The pages are those of the navigation, the rest stands in
// the dialog; what was read lately is remembered by the browser.
import { openDialog } from "./dialogs.js";

const KEPT = 8;
const dialog = () => document.getElementById("palette");
const input = () => document.getElementById("palette-input");
const list = () => document.getElementById("palette-list");
const project = () => location.pathname.split("/").slice(0, 3).join("/");

function recent() {
  try {
    return JSON.parse(localStorage.getItem(`recent ${project()}`)) ?? [];
  } catch {
    return [];
  }
}

function remember() {
  if (!dialog()) return;
  const here = { label: document.title.replace(/ · Triaxis$/, ""), href: location.pathname + location.search };
  // One state of each page: the last.
  const others = recent().filter((page) => page.href.split("?")[0] !== location.pathname);
  localStorage.setItem(`recent ${project()}`, JSON.stringify([here, ...others].slice(0, KEPT)));
}

// Everything that can be chosen, in the order in which it is offered.
function commands() {
  const words = dialog().dataset;
  const pages = [...document.querySelectorAll(".nav li a")].map((link) => ({
    label: link.querySelector(".label")?.textContent ?? link.title,
    href: link.getAttribute("href"),
    group: words.pages,
    icon: link.querySelector("use")?.getAttribute("href"),
  }));
  const once = pages.filter((page, at) => pages.findIndex((other) => other.href === page.href) === at);
  const rest = [...dialog().querySelectorAll("template[data-command]")].map(({ dataset }) => ({
    label: dataset.command,
    href: dataset.href,
    opens: dataset.opens,
    group: dataset.group,
    icon: dataset.icon,
  }));
  const here = location.pathname + location.search;
  const lately = recent()
    .filter((page) => page.href !== here && page.href.startsWith("/"))
    .map((page) => ({ ...page, group: words.recent, icon: "#i-clock" }));
  return [...once, ...rest, ...lately];
}

// Every word of what was typed must be in a command's label or group; those in the label go first.
function matching(typed) {
  const needles = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text) => needles.every((needle) => text.toLowerCase().includes(needle));
  const all = commands();
  const byLabel = all.filter(({ label }) => has(label));
  const byGroup = all.filter(({ label, group }) => !has(label) && has(`${label} ${group}`));
  const found = [...byLabel, ...byGroup];
  if (typed.trim()) {
    const { find, search } = dialog().dataset;
    const href = `${search}?q=${encodeURIComponent(typed.trim())}`;
    found.push({ label: typed.trim(), href, group: find, icon: "#i-search" });
  }
  return found;
}

const SVG = "http://www.w3.org/2000/svg";

function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "i");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", name ?? "#i-right");
  svg.append(use);
  return svg;
}

function option(command, at) {
  const row = document.createElement("li");
  row.id = `command-${at}`;
  row.setAttribute("role", "option");
  row.className = "menu-item";
  const label = document.createElement("span");
  label.className = "cut";
  label.textContent = command.label;
  const group = document.createElement("span");
  group.className = "push";
  group.textContent = command.group;
  row.append(icon(command.icon), label, group);
  row.addEventListener("click", () => run(command));
  return row;
}

let shown = [];
let chosen = 0;

function choose(at) {
  chosen = Math.min(Math.max(at, 0), shown.length - 1);
  for (const [index, row] of [...list().children].entries()) {
    const isChosen = index === chosen;
    row.setAttribute("aria-selected", isChosen);
    row.toggleAttribute("data-cursor", isChosen);
    if (isChosen) row.scrollIntoView({ block: "nearest" });
  }
  if (shown.length) input().setAttribute("aria-activedescendant", `command-${chosen}`);
  else input().removeAttribute("aria-activedescendant");
}

function draw() {
  shown = matching(input().value);
  list().replaceChildren(...shown.map(option));
  choose(0);
}

function run(command) {
  if (!command) return;
  dialog().close();
  if (command.opens) openDialog(command.opens);
  else location.assign(command.href);
}

export function openPalette() {
  if (!dialog() || document.querySelector("dialog[open]")) return;
  input().value = "";
  openDialog("palette");
  draw();
  input().focus();
}

document.addEventListener("keydown", (event) => {
  if ((event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === "k") {
    event.preventDefault();
    openPalette();
    return;
  }
  if (event.target.id !== "palette-input") return;
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (event.key in steps) choose(chosen + steps[event.key]);
  else if (event.key === "Enter" && !event.isComposing) run(shown[chosen]);
  else return;
  event.preventDefault();
});

document.addEventListener("input", (event) => {
  if (event.target.id === "palette-input") draw();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-palette]")) openPalette();
});

remember();
