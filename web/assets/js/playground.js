// The playground: windows run side by side, and what the models say is shown while it comes. Whatever comes is
// put there as text; only the part at the end is a page of the server's own.
const windows = () => document.querySelector("[data-play-windows]");
const all = () => [...document.querySelectorAll("[data-play-window]")];
const running = new Map();

// What is sent: the window, with what is filled in for all.
function body(form) {
  const sent = new URLSearchParams();
  for (const one of [form, ...document.querySelectorAll("[data-play-shared]")]) {
    for (const [name, value] of new FormData(one)) sent.append(name, value);
  }
  return sent;
}

function parts(form) {
  const find = (name) => form.querySelector(`[data-play-${name}]`);
  return {
    answer: find("answer"),
    state: find("state"),
    error: find("error"),
    reasoning: find("reasoning"),
    text: find("text"),
    calls: find("calls"),
    outcome: find("outcome"),
  };
}

function state(form, words, isRunning) {
  parts(form).state.textContent = words;
  form.querySelector('[data-play-do="run"]')?.toggleAttribute("disabled", isRunning);
  form.querySelector('[data-play-do="stop"]')?.toggleAttribute("disabled", !isRunning);
  document.getElementById("stop-all")?.toggleAttribute("disabled", running.size === 0);
  form.toggleAttribute("data-is-running", isRunning);
}

function fail(form, words) {
  const { error } = parts(form);
  error.hidden = false;
  error.querySelector("bdi").textContent = words;
}

function clear(form) {
  const { answer, error, reasoning, text, calls, outcome } = parts(form);
  answer.hidden = false;
  error.hidden = reasoning.hidden = text.hidden = true;
  text.textContent = reasoning.querySelector("div").textContent = "";
  calls.replaceChildren();
  outcome.replaceChildren();
  form.elements.answer.value = "";
}

const does = {
  text(form, words) {
    const { text } = parts(form);
    text.hidden = false;
    text.append(words);
  },
  reasoning(form, words) {
    const { reasoning } = parts(form);
    reasoning.hidden = false;
    reasoning.querySelector("div").append(words);
  },
  call(form, call) {
    const { calls } = parts(form);
    if (call.name || !calls.lastElementChild) {
      const code = document.createElement("div");
      code.className = "code wrap";
      const name = document.createElement("b");
      name.textContent = call.name;
      code.append(name, " ");
      calls.append(code);
    }
    calls.lastElementChild.append(call.arguments);
  },
  failed: fail,
  done(form, { html, answer }) {
    form.elements.answer.value = answer;
    parts(form).outcome.innerHTML = html;
  },
};

// Events are told apart by an empty line, and each has one line of data.
async function listen(form, answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (rest + value).split("\n\n");
    rest = events.pop();
    for (const event of events) {
      const name = /^event: ?(.*)$/m.exec(event)?.[1];
      const data = /^data: ?(.*)$/m.exec(event)?.[1];
      if (name && data) does[name]?.(form, JSON.parse(data));
    }
  }
}

async function run(form) {
  if (running.has(form)) return;
  const { run: url, running: words, stopped, broken } = windows().dataset;
  const abort = new AbortController();
  running.set(form, abort);
  clear(form);
  state(form, words, true);
  const headers = { "X-CSRF-Token": form.elements._csrf.value, "HX-Request": "true" };
  let end = "";
  try {
    const answer = await fetch(url, { method: "POST", body: body(form), headers, signal: abort.signal });
    if (answer.ok) await listen(form, answer);
    else fail(form, (await answer.text()) || `HTTP ${answer.status}`);
  } catch {
    if (abort.signal.aborted) end = stopped;
    else fail(form, broken);
  } finally {
    running.delete(form);
    state(form, end, false);
  }
}

function numbered() {
  all().forEach((form, at) => {
    const number = at + 1;
    const name = `${form.dataset.name} ${number}`;
    form.setAttribute("aria-label", name);
    form.querySelector("[data-play-number]").textContent = name;
    for (const label of form.querySelectorAll("label[for]")) label.htmlFor = label.htmlFor.replace(/^w\d+/, `w${number}`);
    for (const field of form.querySelectorAll("[id]")) field.id = field.id.replace(/^w\d+/, `w${number}`);
  });
  document.getElementById("add-window")?.toggleAttribute("disabled", all().length >= Number(windows().dataset.most));
}

const acts = {
  run: (form) => run(form),
  stop: (form) => running.get(form)?.abort(),
  "run-all": () => all().forEach(run),
  "stop-all": () => running.forEach((abort) => abort.abort()),
  add() {
    const last = all().at(-1);
    if (!last || all().length >= Number(windows().dataset.most)) return;
    const added = last.cloneNode(true);
    // A clone has what its fields began with, not what was entered since.
    last.querySelectorAll("select, textarea, input").forEach((field, at) => {
      added.querySelectorAll("select, textarea, input")[at].value = field.value;
    });
    last.after(added);
    clear(added);
    parts(added).answer.hidden = true;
    state(added, "", false);
    numbered();
    added.querySelector("[data-play-connection]").focus();
  },
  remove(form) {
    if (all().length < 2) return;
    running.get(form)?.abort();
    form.remove();
    numbered();
    values();
  },
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-play-do]");
  if (button) acts[button.dataset.playDo]?.(button.closest("[data-play-window]"));
});

// Models are those of the connection.
document.addEventListener("change", (event) => {
  const connection = event.target.closest("[data-play-connection]");
  if (!connection) return;
  const { model } = connection.form.elements;
  const list = document.getElementById(`models-${connection.value}`);
  model.setAttribute("list", list?.id ?? "");
  const names = [...(list?.options ?? [])].map((option) => option.value);
  if (names.length && !names.includes(model.value)) model.value = names[0];
});

// A form that becomes an item takes along what is filled in for all.
document.addEventListener("submit", (event) => {
  // Enter in a field runs.
  if (event.submitter?.matches("[data-play-default]")) {
    event.preventDefault();
    run(event.target);
    return;
  }
  if (!event.submitter?.matches("[data-play-with-values]")) return;
  for (const old of event.target.querySelectorAll("[data-play-copied]")) old.remove();
  for (const [name, value] of new FormData(document.querySelector("[data-play-values]"))) {
    const copy = document.createElement("input");
    copy.type = "hidden";
    copy.dataset.playCopied = "";
    [copy.name, copy.value] = [name, value];
    event.target.append(copy);
  }
});

// Fields of variables come and go with the names in the windows; what was entered stays as long as the page does.
const entered = new Map();

function wanted() {
  const found = new Set();
  for (const message of document.querySelectorAll("[data-play-window] [data-message]")) {
    const field = (name) => message.querySelector(`[name="${name}"]`).value;
    if (field("form") === "parts") continue;
    if (field("role") === "placeholder") {
      if (field("content").trim()) found.add(`slot.${field("content").trim()}`);
      continue;
    }
    for (const [, name] of field("content").matchAll(/\{\{\s*([\p{Alphabetic}_][\p{Alphabetic}\p{N}_]*)\s*\}\}/gu)) {
      found.add(`var.${name}`);
    }
  }
  return found;
}

function values() {
  const form = document.querySelector("[data-play-values]");
  if (!form) return;
  const names = wanted();
  for (const field of form.querySelectorAll("[data-value]")) {
    if (names.delete(field.dataset.value)) continue;
    entered.set(field.dataset.value, field.querySelector("textarea").value);
    field.remove();
  }
  for (const name of names) {
    const [kind] = name.split(".", 1);
    const shape = document.querySelector(`[data-value-shape="${kind}"]`);
    const field = shape.content.firstElementChild.cloneNode(true);
    const area = field.querySelector("textarea");
    field.dataset.value = area.name = area.id = name;
    area.value = entered.get(name) ?? "";
    area.removeAttribute("aria-label");
    field.querySelector("label").htmlFor = name;
    const bare = name.slice(kind.length + 1);
    field.querySelector("code").textContent = kind === "var" ? `{{${bare}}}` : bare;
    form.append(field);
  }
  document.getElementById("values").hidden = !form.querySelector("[data-value]");
}

document.addEventListener("input", (event) => {
  if (event.target.closest("[data-play-window] [data-message]")) values();
});
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-play-window] [data-message-do]")) values();
});
// What a browser put back into the fields after a way back has its variables, too.
if (windows()) addEventListener("pageshow", values);
