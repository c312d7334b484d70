// Copies the text of an element.
import { toast } from "./toast.js";

export async function copyFrom(button) {
  const source = document.querySelector(button.dataset.copy);
  if (!source) return;
  await copy(source.textContent, source);
}

async function copy(text, source) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without TLS there is no clipboard; a selection can still be copied by hand.
    const range = document.createRange();
    range.selectNodeContents(source);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    if (!document.execCommand("copy")) return;
  }
  toast(document.documentElement.lang === "zh" ? "已复制" : "Copied");
}

// What is not on the page is fetched; a link that cannot be copied is still a file to save.
async function copyOf(link) {
  const answer = await fetch(link.dataset.copyOf);
  if (!answer.ok) return;
  const text = await answer.text();
  const source = document.createElement("pre");
  source.className = "visually-hidden";
  source.textContent = text;
  document.body.append(source);
  await copy(text, source);
  source.remove();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copyFrom(button);
  const link = event.target.closest("[data-copy-of]");
  if (link) {
    event.preventDefault();
    copyOf(link);
    link.closest("details")?.removeAttribute("open");
  }
});
