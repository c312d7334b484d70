// Names after an @ in a comment: those that begin with what is typed are offered.
const list = (field) => field.form.querySelector("[data-people]");
const offered = (field) => [...list(field).querySelectorAll("[data-handle]")].filter((item) => !item.parentElement.hidden);

// What is typed of a name before the caret; nothing where no @ leads to it.
function typed(field) {
  return field.value.slice(0, field.selectionStart).match(/(?:^|[^\p{L}\p{N}._+-])@([\p{L}\p{N}._+-]*)$/u)?.[1];
}

function offer(field) {
  const head = typed(field)?.toLowerCase();
  for (const item of list(field).querySelectorAll("[data-handle]")) {
    const says = item.textContent.toLowerCase();
    const fits = says.startsWith(`@${head}`) || says.includes(` ${head}`);
    item.parentElement.hidden = head === undefined || !fits;
    delete item.dataset.cursor;
  }
  const [first] = offered(field);
  list(field).hidden = !first;
  if (first) first.dataset.cursor = "";
}

function take(field, item) {
  const caret = field.selectionStart;
  const start = caret - typed(field).length;
  field.setRangeText(`${item.dataset.handle} `, start, caret, "end");
  list(field).hidden = true;
  field.focus();
}

function step(field, by) {
  const all = offered(field);
  const now = all.findIndex((item) => "cursor" in item.dataset);
  const next = all[(now + by + all.length) % all.length];
  for (const item of all) delete item.dataset.cursor;
  next.dataset.cursor = "";
  next.scrollIntoView({ block: "nearest" });
}

document.addEventListener("input", (event) => {
  if (event.target.matches("[data-mentions]")) offer(event.target);
});

document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (!(field instanceof Element) || !field.matches("[data-mentions]")) return;
  if ((event.metaKey || event.ctrlKey) && event.key === "Enter") {
    field.form.requestSubmit();
    return;
  }
  if (list(field).hidden) return;
  const actions = {
    ArrowDown: () => step(field, 1),
    ArrowUp: () => step(field, -1),
    Enter: () => take(field, list(field).querySelector("[data-cursor]")),
    Tab: () => take(field, list(field).querySelector("[data-cursor]")),
    Escape: () => (list(field).hidden = true),
  };
  if (!actions[event.key]) return;
  event.preventDefault();
  event.stopPropagation();
  actions[event.key]();
}, true);

document.addEventListener("click", (event) => {
  const item = event.target.closest("[data-people] [data-handle]");
  if (item) take(item.closest("form").querySelector("[data-mentions]"), item);
});
