// Dragging over a chart narrows the time range.
const SVG = "http://www.w3.org/2000/svg";
const SHORTEST_PIXELS = 6;

document.addEventListener("pointerdown", (event) => {
  const chart = event.target.closest("[data-brush]");
  if (!chart || event.button !== 0) return;
  event.preventDefault();
  const box = chart.getBoundingClientRect();
  const at = (pointer) => Math.min(Math.max(pointer.clientX - box.left, 0), box.width);
  const start = at(event);
  const mark = document.createElementNS(SVG, "rect");
  mark.setAttribute("class", "brush");
  mark.setAttribute("height", "100%");
  chart.append(mark);
  const bounds = (pointer) => [start, at(pointer)].sort((a, b) => a - b);
  const move = (pointer) => {
    const [left, right] = bounds(pointer);
    mark.setAttribute("x", left);
    mark.setAttribute("width", right - left);
  };
  const end = (pointer) => {
    removeEventListener("pointermove", move);
    mark.remove();
    const [left, right] = bounds(pointer);
    if (right - left < SHORTEST_PIXELS) return;
    // What was dragged over may be a link: the end of a drag is no click on it.
    const stop = (click) => {
      click.preventDefault();
      click.stopImmediatePropagation();
    };
    addEventListener("click", stop, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", stop, { capture: true }));
    if (chart.dataset.lengthMs) {
      stretchOfTrace(Number(chart.dataset.lengthMs) / box.width, left, right);
      return;
    }
    const from = Date.parse(chart.dataset.from);
    const length = Date.parse(chart.dataset.to) - from;
    const instant = (pixels) => new Date(from + (length * pixels) / box.width).toISOString();
    const url = new URL(location.href);
    for (const name of ["range", "live", "cursor"]) url.searchParams.delete(name);
    url.searchParams.set("from", instant(left));
    url.searchParams.set("to", instant(right));
    location.href = url;
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end, { once: true });
});

// A trace may be shorter than a date can tell: its times count from its start.
function stretchOfTrace(perPixel, left, right) {
  const url = new URL(location.href);
  url.searchParams.set("from_ms", String(+(left * perPixel).toPrecision(6)));
  url.searchParams.set("to_ms", String(+(right * perPixel).toPrecision(6)));
  location.href = url;
}
