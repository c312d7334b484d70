// Charts over pieces of time: what a piece says under the pointer, arrow keys to go through the pieces, and a click or
// Enter for the traces of one. All words and instants come with the page, so that they are those of its tables.
const SVG = "http://www.w3.org/2000/svg";

const boardOf = (plot) => plot.closest("[data-edges]");
const read = (text) => JSON.parse(text || "[]");
let tip = null;
let shown = null;

function pieces(plot) {
  return read(boardOf(plot)?.dataset.times).length;
}

function pieceAt(plot, clientX) {
  const box = plot.querySelector("svg.plot").getBoundingClientRect();
  const share = (clientX - box.left) / box.width;
  const count = pieces(plot);
  return Math.min(Math.max(Math.floor(share * count), 0), count - 1);
}

function mark(plot, piece) {
  const chart = plot.querySelector("svg.plot");
  const count = pieces(plot);
  let rect = chart.querySelector(".at-piece");
  if (!rect) {
    rect = document.createElementNS(SVG, "rect");
    rect.setAttribute("class", "at-piece");
    rect.setAttribute("height", "100%");
    chart.append(rect);
  }
  rect.setAttribute("x", `${(piece / count) * 100}%`);
  rect.setAttribute("width", `${100 / count}%`);
}

function row(label, value) {
  const line = document.createElement("span");
  const name = document.createElement("em");
  name.textContent = label;
  line.append(name, value || "·");
  return line;
}

function show(plot, piece) {
  hide(plot);
  shown = plot;
  plot.dataset.piece = piece;
  mark(plot, piece);
  tip = document.createElement("div");
  tip.className = "tip plot-tip";
  tip.setAttribute("role", "status");
  const time = document.createElement("b");
  time.textContent = read(boardOf(plot).dataset.times)[piece] ?? "";
  tip.append(time);
  for (const [label, values] of read(plot.dataset.told)) {
    // Of many series those that say something.
    if (values[piece] || read(plot.dataset.told).length < 4) tip.append(row(label, values[piece]));
  }
  document.body.append(tip);
  const box = plot.querySelector("svg.plot").getBoundingClientRect();
  const x = box.left + (box.width * (piece + 0.5)) / pieces(plot);
  const left = x + 12 + tip.offsetWidth > innerWidth ? x - 12 - tip.offsetWidth : x + 12;
  tip.style.left = `${Math.max(left, 4)}px`;
  tip.style.top = `${Math.max(Math.min(box.top, innerHeight - tip.offsetHeight - 4), 4)}px`;
}

function hide(but) {
  tip?.remove();
  tip = null;
  if (!shown) return;
  shown.querySelector(".at-piece")?.remove();
  if (shown !== but) delete shown.dataset.piece;
  shown = null;
}

// The same list of traces, of one piece alone.
function tracesOf(plot, piece) {
  const edges = read(boardOf(plot).dataset.edges);
  const url = new URL(plot.href);
  for (const name of ["range", "live", "cursor"]) url.searchParams.delete(name);
  url.searchParams.set("from", edges[piece]);
  url.searchParams.set("to", edges[piece + 1]);
  return url;
}

const plotOf = (event) => (event.target instanceof Element ? event.target.closest("[data-plot]") : null);

document.addEventListener("pointermove", (event) => {
  const plot = plotOf(event);
  if (!plot || event.buttons) return hide();
  const piece = pieceAt(plot, event.clientX);
  if (shown !== plot || Number(plot.dataset.piece) !== piece) show(plot, piece);
});
document.addEventListener("pointerleave", () => hide());
document.addEventListener("scroll", () => hide(), true);
document.addEventListener("focusout", (event) => plotOf(event) && hide());

document.addEventListener("keydown", (event) => {
  const plot = plotOf(event);
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (event.key === "Escape") hide();
  if (!plot || !step || event.metaKey || event.ctrlKey || event.altKey) return;
  event.preventDefault();
  const last = pieces(plot) - 1;
  const now = plot.dataset.piece === undefined ? (step > 0 ? -1 : last + 1) : Number(plot.dataset.piece);
  show(plot, Math.min(Math.max(now + step, 0), last));
});

document.addEventListener("click", (event) => {
  const plot = plotOf(event);
  if (!plot?.href || event.defaultPrevented || event.button !== 0) return;
  // Enter clicks, too: then it is the piece that arrow keys chose, if any.
  const piece = event.detail === 0 ? plot.dataset.piece : pieceAt(plot, event.clientX);
  if (piece === undefined || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  location.href = tracesOf(plot, Number(piece));
});
