// Judging with the keyboard alone. Numbers choose among the values of the current question, j and k move between
// questions, i and Tab write where words are asked for, Enter is done, s skips, u takes back, c opens what came before.
// Everything is a form without this.
const page = () => document.querySelector("[data-annotate]");
const questions = () => [...document.querySelectorAll("[data-annotate] [data-question]")];
const now = () => document.querySelector("[data-annotate] [data-question].now");

function go(question) {
  if (!question) return;
  now()?.classList.remove("now");
  question.classList.add("now");
  question.scrollIntoView({ block: "nearest" });
}

function move(step) {
  const all = questions();
  const at = all.indexOf(now());
  go(all[Math.min(Math.max(at + step, 0), all.length - 1)]);
}

const answered = (question) =>
  question.querySelector("input[type=radio]:checked") ||
  question.querySelector("[data-number], [data-words]")?.value;

// Nothing is missing any more where it was answered.
function settle(question) {
  const line = question.querySelector("[data-missing]");
  if (line && answered(question)) line.hidden = true;
}

// The next question that is open, from the current one on.
function advance() {
  const all = questions();
  const after = all.slice(all.indexOf(now()) + 1);
  go(after.find((question) => !answered(question)) ?? after[0]);
}

function choose(key) {
  const question = now();
  if (!question) return false;
  const field = question.querySelector("[data-number]");
  if (field) {
    field.focus();
    field.value = key;
    return true;
  }
  const box = question.querySelector(`[data-choose="${CSS.escape(key)}"]`);
  if (!box) return false;
  box.checked = true;
  settle(question);
  advance();
  return true;
}

function write() {
  const question = now();
  const field = question?.querySelector("[data-words], [data-number]") ?? document.getElementById("judge-comment");
  field?.focus();
  return Boolean(field);
}

// What must be answered and is not is told where it stands; the page stays as it is.
function tellsMissing() {
  const isMissing = (question) => question.hasAttribute("data-required") && !answered(question);
  for (const question of questions()) {
    question.querySelector("[data-wrong]")?.remove();
    const line = question.querySelector("[data-missing]");
    if (line) line.hidden = !isMissing(question);
  }
  const first = questions().find(isMissing);
  go(first);
  return Boolean(first);
}

function click(selector) {
  const button = document.querySelector(selector);
  button?.click();
  return Boolean(button);
}

function skip() {
  const menu = document.querySelector("[data-skip]");
  if (!menu) return false;
  menu.open = true;
  menu.querySelector("input[name=reason]").focus();
  return true;
}

function context() {
  const all = document.querySelectorAll("[data-context]");
  for (const one of all) one.open = !one.open;
  return all.length > 0;
}

const keys = {
  j: () => (move(1), true),
  k: () => (move(-1), true),
  ArrowDown: () => (move(1), true),
  ArrowUp: () => (move(-1), true),
  Enter: () => click("#judge-done") || click("[data-primary]"),
  s: skip,
  u: () => click("[data-undo]"),
  c: context,
  i: write,
};

const typing = (element) => element.matches("textarea, select, input:not([type=radio]):not([type=checkbox])");
let after_g = false;

// Before the keys of every page, which mean other things there.
document.addEventListener(
  "keydown",
  (event) => {
    if (!page() || event.metaKey || event.ctrlKey || event.altKey) return;
    const at = event.target instanceof Element ? event.target : document.body;
    if (typing(at)) {
      if (event.key === "Enter" && at.matches("[data-number]")) {
        event.preventDefault();
        at.blur();
        advance();
      }
      return;
    }
    if (document.querySelector("dialog[open], details.pop[open]")) return;
    // Two keys that lead elsewhere belong together.
    if (after_g || event.key === "g") {
      after_g = event.key === "g";
      return;
    }
    if (event.key === "Enter" && at.matches("a, button, summary")) return;
    if (event.key === "Tab" && at === document.body && !event.shiftKey) {
      const words = now()?.querySelector("[data-words]") ?? document.getElementById("judge-comment");
      if (!words) return;
      event.preventDefault();
      words.focus();
      return;
    }
    const done = /^[0-9]$/.test(event.key) ? choose(event.key) : keys[event.key]?.();
    if (!done) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

document.addEventListener("submit", (event) => {
  if (event.submitter?.id === "judge-done" && tellsMissing()) event.preventDefault();
});

// Whoever chooses with the pointer goes on with the keys from there.
document.addEventListener("change", (event) => {
  const question = event.target.closest?.("[data-annotate] [data-question]");
  if (!question) return;
  go(question);
  settle(question);
});

const all = questions();
go(all.find((question) => !answered(question)) ?? all[0]);
