// Buttons that open a dialog by its id. The browser keeps the focus inside and gives it back.
export function openDialog(id) {
  const dialog = document.getElementById(id);
  if (dialog && !dialog.open) dialog.showModal();
}

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-dialog]");
  if (opener) openDialog(opener.dataset.dialog);
  // A click on the backdrop hits the dialog itself.
  if (event.target instanceof HTMLDialogElement) event.target.close();
});
