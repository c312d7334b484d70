// Copies the text of an element.
import { toast } from "./toast.js";

export async function copyFrom(button) {
  const source = document.querySelector(button.dataset.copy);
  if (!source) return;
  const text = source.textContent;
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

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copyFrom(button);
});
