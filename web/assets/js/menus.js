// Menus are <details>; one is open at a time, and a click elsewhere closes it.
const open = () => document.querySelectorAll("details.pop[open]");

export function closeMenus() {
  const menus = [...open()];
  for (const menu of menus) {
    menu.open = false;
    if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
  }
  return menus.length > 0;
}

document.addEventListener("click", (event) => {
  for (const menu of open()) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener(
  "toggle",
  (event) => {
    const menu = event.target;
    if (!(menu instanceof HTMLDetailsElement) || !menu.matches(".pop") || !menu.open) return;
    for (const other of open()) if (other !== menu) other.open = false;
    menu.querySelector("select, input:not([type=hidden])")?.focus();
  },
  true,
);

// A choice that is sent as soon as it is made.
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
});
