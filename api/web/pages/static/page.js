"use strict";

// Where a reader is on, the part of the address after its "#" included, is nobody's business: htmx would send it along.
document.addEventListener("htmx:config:request", (event) => {
  delete event.detail.ctx.request.headers["HX-Current-URL"];
});

// What was swapped in is read from its heading on.
document.addEventListener("htmx:after:swap", () => {
  const heading = document.querySelector("[data-focus]:not([data-seen])");
  if (!heading) return;
  heading.dataset.seen = "";
  heading.focus({ preventScroll: true });
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  heading.scrollIntoView({ behavior: calm ? "auto" : "smooth", block: "start" });
});

// htmx sends forms; a button that leads to another page or language leaves that to the browser.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-leaves], [data-leaves] button");
  if (!button?.form) return;
  event.preventDefault();
  const { form } = button;
  const { action } = form;
  form.action = button.formAction;
  form.submit();
  form.action = action;
});
