// Widgets of a dashboard are dragged by their grip and sized by their corner, both on the grid; arrow keys do the same on
// the grip, with Shift they size. The server says where all stand afterwards.
import { toast } from "./toast.js";

const COLUMNS = 12;
const NAMES = ["x", "y", "w", "h"];
let saving = Promise.resolve();

const placeOf = (widget) => Object.fromEntries(NAMES.map((name) => [name, Number(widget.dataset[name])]));

function put(widget, place) {
  for (const name of NAMES) {
    widget.classList.remove(`g${name}-${widget.dataset[name]}`);
    widget.dataset[name] = place[name];
    widget.classList.add(`g${name}-${place[name]}`);
  }
}

function within(place) {
  const w = Math.min(Math.max(place.w, 2), COLUMNS);
  return {
    x: Math.min(Math.max(place.x, 0), COLUMNS - w),
    y: Math.min(Math.max(place.y, 0), 359),
    w,
    h: Math.min(Math.max(place.h, 2), 12),
  };
}

async function save(board, widget) {
  const body = new URLSearchParams({ widget: widget.dataset.widget, ...placeOf(widget) });
  const headers = { "X-CSRF-Token": document.querySelector('meta[name="csrf"]').content };
  const answer = await fetch(board.dataset.board, { method: "POST", body, headers });
  if (!answer.ok) {
    toast((await answer.text()).slice(0, 300), true);
    return;
  }
  for (const place of await answer.json()) {
    const other = board.querySelector(`[data-widget="${place.id}"]`);
    if (other) put(other, place);
  }
  board.dataset.saved = Number(board.dataset.saved ?? 0) + 1;
}

// One after the other: each is about where the one before left off.
function later(board, widget) {
  saving = saving.then(() => save(board, widget)).catch(() => toast("The server cannot be reached", true));
}

// Pixels of a column and of a row, gaps included.
function cell(board) {
  const style = getComputedStyle(board);
  const gap = parseFloat(style.columnGap) || 0;
  return {
    width: (board.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) + gap) / COLUMNS,
    height: parseFloat(style.gridAutoRows) + (parseFloat(style.rowGap) || 0),
  };
}

document.addEventListener("pointerdown", (event) => {
  const grip = event.target instanceof Element ? event.target.closest("[data-move], [data-resize]") : null;
  const board = grip?.closest("[data-board]");
  if (!board || event.button !== 0) return;
  event.preventDefault();
  const widget = grip.closest("[data-widget]");
  const start = placeOf(widget);
  const size = cell(board);
  const scroll = board.parentElement;
  const top = scroll.scrollTop;
  const sizes = "resize" in grip.dataset;
  if (!sizes) grip.focus();
  widget.classList.add("moving");
  const move = (pointer) => {
    const columns = Math.round((pointer.clientX - event.clientX) / size.width);
    const rows = Math.round((pointer.clientY - event.clientY + scroll.scrollTop - top) / size.height);
    const place = sizes
      ? { ...start, w: Math.min(start.w + columns, COLUMNS - start.x), h: start.h + rows }
      : { ...start, x: start.x + columns, y: start.y + rows };
    put(widget, within(place));
  };
  const end = () => {
    removeEventListener("pointermove", move);
    removeEventListener("pointercancel", end);
    removeEventListener("pointerup", end);
    widget.classList.remove("moving");
    const now = placeOf(widget);
    if (NAMES.some((name) => now[name] !== start[name])) later(board, widget);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
});

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

document.addEventListener("keydown", (event) => {
  const grip = event.target instanceof Element ? event.target.closest("[data-move]") : null;
  const board = grip?.closest("[data-board]");
  const arrow = ARROWS[event.key];
  if (!board || !arrow || event.metaKey || event.ctrlKey || event.altKey) return;
  event.preventDefault();
  const widget = grip.closest("[data-widget]");
  const place = placeOf(widget);
  const [columns, rows] = arrow;
  const next = event.shiftKey
    ? { ...place, w: Math.min(place.w + columns, COLUMNS - place.x), h: place.h + rows }
    : { ...place, x: place.x + columns, y: place.y + rows };
  put(widget, within(next));
  later(board, widget);
  widget.scrollIntoView({ block: "nearest" });
});
