// Changes the theme in place, and keeps it in the cookie that the server reads.
const themes = ["system", "light", "dark"];

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-theme-switch]");
  if (!link || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  const root = document.documentElement;
  const next = themes[(themes.indexOf(root.dataset.theme) + 1) % themes.length];
  root.dataset.theme = next;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `theme=${next}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
});

// Offers the browser's own time zone.
for (const link of document.querySelectorAll("[data-browser-zone]")) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone) continue;
  const url = new URL(link.href);
  url.searchParams.set("tz", zone);
  link.href = url;
  link.title = zone;
  link.hidden = false;
}
