// One crosshair through all lanes: it reads the table of values, which is there without scripts, too.
// Arrow keys move it, b begins and ends a window, Enter goes to the traces of its step.
const lanes = document.querySelector("[data-lanes]");
const rows = lanes ? [...document.querySelectorAll("[data-values] tbody tr")] : [];
const SHORTEST_PIXELS = 6;
let step = Number(lanes?.dataset.step ?? 0);
let begun = null;

function set(next) {
  if (!rows.length) return;
  step = Math.min(Math.max(next, 0), rows.length - 1);
  const row = rows[step];
  const x = `${row.dataset.x}%`;
  const time = row.cells[0].textContent;
  for (const line of lanes.querySelectorAll("[data-cross]")) {
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
  }
  for (const dot of lanes.querySelectorAll("[data-dot]")) {
    const y = row.cells[Number(dot.dataset.dot) + 1]?.dataset.y;
    dot.setAttribute("visibility", y === undefined ? "hidden" : "visible");
    const [left, top] = dot.tagName === "circle" ? ["cx", "cy"] : ["x", "y"];
    dot.setAttribute(left, x);
    if (y !== undefined) dot.setAttribute(top, `${y}%`);
  }
  for (const place of lanes.querySelectorAll("[data-at]")) {
    place.textContent = row.cells[Number(place.dataset.at) + 1]?.textContent || "·";
  }
  lanes.querySelector("[data-clock]").textContent = time;
  const label = lanes.querySelector("[data-cross-time]");
  label.setAttribute("x", x);
  label.textContent = time;
  const width = lanes.querySelector("[data-grip]").getBoundingClientRect().width;
  for (const tick of lanes.querySelectorAll("[data-tick]")) {
    const apart = Math.abs(Number(tick.dataset.tick) - Number(row.dataset.x));
    const near = (apart / 100) * width < 46;
    tick.setAttribute("visibility", near ? "hidden" : "visible");
  }
  const grip = lanes.querySelector("[data-grip]");
  grip.setAttribute("aria-valuenow", step);
  grip.setAttribute("aria-valuetext", time);
  if (begun !== null) draw(Number(rows[begun].dataset.x), Number(row.dataset.x));
}

// The window while it is being chosen, in percent.
function draw(from, to) {
  for (const plot of lanes.querySelectorAll("[data-lane] > .plot")) {
    let mark = plot.querySelector("[data-new-window]");
    if (!mark) {
      mark = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      mark.setAttribute("class", "brush");
      mark.setAttribute("height", "100%");
      mark.dataset.newWindow = "";
      plot.append(mark);
    }
    mark.setAttribute("x", `${Math.min(from, to)}%`);
    mark.setAttribute("width", `${Math.abs(to - from)}%`);
  }
}

function undraw() {
  begun = null;
  for (const mark of lanes.querySelectorAll("[data-new-window]")) mark.remove();
}

// Percent of the range as instants: the page is shown with that window.
function ask(from, to) {
  const begin = Date.parse(lanes.dataset.from);
  const length = Date.parse(lanes.dataset.to) - begin;
  const instant = (percent) => new Date(begin + (length * percent) / 100).toISOString();
  const url = new URL(location.href);
  for (const name of ["explain", "cursor"]) url.searchParams.delete(name);
  url.searchParams.set("wf", instant(Math.min(from, to)));
  url.searchParams.set("wt", instant(Math.max(from, to)));
  location.href = url;
}

function edge() {
  const half = 50 / rows.length;
  if (begun === null) {
    begun = step;
    draw(Number(rows[step].dataset.x), Number(rows[step].dataset.x));
    return;
  }
  const [first, last] = [begun, step].sort((a, b) => a - b);
  ask(Number(rows[first].dataset.x) - half, Number(rows[last].dataset.x) + half);
}

const share = (plot, pointer) => {
  const box = plot.getBoundingClientRect();
  return Math.min(Math.max((pointer.clientX - box.left) / box.width, 0), 1);
};

const keys = {
  ArrowLeft: (big) => set(step - (big ? 10 : 1)),
  ArrowRight: (big) => set(step + (big ? 10 : 1)),
  Home: () => set(0),
  End: () => set(rows.length - 1),
  b: edge,
  Enter: () => rows[step]?.querySelector("a")?.click(),
};

if (lanes && rows.length) {
  lanes.addEventListener("pointermove", (event) => {
    const lane = event.target.closest("[data-lane]");
    if (lane) set(Math.min(Math.floor(share(lane, event) * rows.length), rows.length - 1));
  });

  lanes.addEventListener("pointerdown", (event) => {
    const lane = event.target.closest("[data-lane]");
    if (!lane || event.button !== 0 || event.pointerType === "touch") return;
    event.preventDefault();
    lanes.querySelector("[data-grip]").focus({ preventScroll: true });
    const start = share(lane, event) * 100;
    const move = (pointer) => draw(start, share(lane, pointer) * 100);
    const up = (pointer) => {
      removeEventListener("pointermove", move);
      const end = share(lane, pointer) * 100;
      const pixels = (Math.abs(end - start) / 100) * lane.getBoundingClientRect().width;
      if (pixels < SHORTEST_PIXELS) undraw();
      else ask(start, end);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up, { once: true });
  });

  // On the grip, and where nothing in particular has the focus.
  document.addEventListener("keydown", (event) => {
    const at = event.target;
    const mine = at.matches("[data-grip]") || at === document.body || at.id === "main";
    if (!mine || event.metaKey || event.ctrlKey || event.altKey) return;
    if (document.querySelector("dialog[open], details.pop[open]")) return;
    if (event.key === "Escape" && begun !== null) return undraw();
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action(event.shiftKey);
  });
  set(step);
}

// Forms that are sent by choosing.
for (const form of document.querySelectorAll("form[data-auto]")) {
  form.querySelector("[data-auto-hides]")?.setAttribute("hidden", "");
  form.addEventListener("change", () => form.requestSubmit());
}
