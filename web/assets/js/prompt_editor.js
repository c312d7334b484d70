// The editor of a chat: messages are added, removed and moved. Without it there is one empty message at the end.
const editor = (element) => element.closest("[data-messages]");

function numbered(list) {
  list.querySelectorAll("[data-message]").forEach((message, at) => {
    message.querySelectorAll("[id]").forEach((field) => {
      const id = field.id.replace(/\d+$/, String(at));
      message.querySelector(`label[for="${CSS.escape(field.id)}"]`)?.setAttribute("for", id);
      field.id = id;
    });
  });
}

const does = {
  add(list) {
    const last = list.querySelector("[data-message]:last-of-type");
    const added = last.cloneNode(true);
    for (const field of added.querySelectorAll("textarea")) field.value = "";
    for (const form of added.querySelectorAll('[name="form"]')) form.value = "text";
    last.after(added);
    numbered(list);
    added.querySelector("select, textarea")?.focus();
  },
  remove(list, message) {
    if (list.querySelectorAll("[data-message]").length > 1) message.remove();
    else for (const field of message.querySelectorAll("textarea")) field.value = "";
    numbered(list);
  },
  up(list, message) {
    const before = message.previousElementSibling;
    if (before?.matches("[data-message]")) before.before(message);
    numbered(list);
  },
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-message-do]");
  const list = button && editor(button);
  if (list) does[button.dataset.messageDo]?.(list, button.closest("[data-message]"));
});
