// Facets that are open stay so: the address names them, and every link of the panel carries them on.
const openNow = () =>
  [...document.querySelectorAll("details[data-facet][open]")].map((facet) => facet.dataset.facet);

function withOpen(address) {
  const url = new URL(address, location.href);
  url.searchParams.set("facets", openNow().join(","));
  return url.pathname + url.search;
}

document.addEventListener(
  "toggle",
  (event) => {
    if (event.target instanceof HTMLElement && event.target.matches("details[data-facet]")) {
      history.replaceState(history.state, "", withOpen(location.href));
    }
  },
  true,
);

document.addEventListener(
  "click",
  (event) => {
    const link = event.target.closest?.(".facet-value a");
    if (link) link.href = withOpen(link.href);
  },
  true,
);
