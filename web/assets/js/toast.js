// A short word at the edge of the page. Its text is text, never markup.
export function toast(words, failed = false) {
  const shelf = document.getElementById("toasts");
  if (!shelf) return;
  const note = document.createElement("div");
  note.className = failed ? "toast error" : "toast";
  note.textContent = words;
  shelf.append(note);
  setTimeout(() => note.remove(), failed ? 8000 : 3000);
}
