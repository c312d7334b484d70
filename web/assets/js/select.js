// Selected rows of a list, and the bar that acts on them.
const boxes = () => [...document.querySelectorAll('[data-list] input[name="id"]')];

export function update() {
  const all = boxes();
  const chosen = all.filter((box) => box.checked);
  for (const box of all) {
    const row = box.closest("tr");
    if (box.checked) row.setAttribute("aria-selected", "true");
    else row.removeAttribute("aria-selected");
  }
  const bar = document.querySelector("[data-selection]");
  if (bar) bar.hidden = chosen.length === 0;
  for (const count of document.querySelectorAll("[data-count]")) count.textContent = chosen.length;
  const whole = document.querySelector("[data-all]");
  if (whole) {
    whole.checked = all.length > 0 && chosen.length === all.length;
    whole.indeterminate = chosen.length > 0 && !whole.checked;
  }
}

export function clear() {
  const chosen = boxes().filter((box) => box.checked);
  for (const box of chosen) box.checked = false;
  update();
  return chosen.length > 0;
}

export const chosenIds = () => boxes().filter((box) => box.checked).map((box) => box.value);

export function choose(ids) {
  for (const box of boxes()) box.checked = ids.includes(box.value);
  update();
}

let last = null;

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-clear]")) clear();
  const box = event.target.closest('[data-list] input[name="id"]');
  if (!box) return;
  if (event.shiftKey && last?.isConnected) {
    const all = boxes();
    const [from, to] = [all.indexOf(last), all.indexOf(box)].sort((a, b) => a - b);
    for (const between of all.slice(from, to + 1)) between.checked = box.checked;
  }
  last = box;
});

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-all]")) {
    for (const box of boxes()) box.checked = event.target.checked;
  }
  if (event.target.matches("[data-list] input")) update();
});

// The browser may have kept boxes from before a reload.
update();
