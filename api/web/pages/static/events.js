"use strict";

// The pages of events: a key from behind the "#", how much time is left, links to copy, and the reader's time zone.

// A key goes by POST, for a cookie; no address and no history keeps it.
function enter() {
  const door = document.querySelector("form[data-key]");
  const carried = location.hash.match(/^#key=([!-~]{1,200})$/);
  if (!carried) return;
  history.replaceState(null, "", location.pathname + location.search);
  if (!door) return;
  door.elements.key.value = carried[1];
  const under = location.pathname.match(/\/events\/[0-9a-f]+(\/[a-z0-9/]+)?$/);
  door.elements.to.value = under?.[1] ?? "";
  door.submit();
}
enter();
addEventListener("hashchange", enter); // a link opened on this very page

// By the server's clock, not the reader's.
const opened = performance.now();
const language = document.documentElement.lang;
const two = (number) => String(number).padStart(2, "0");

function shown(seconds) {
  const days = Math.floor(seconds / 86400);
  const clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map((one) => two(Math.floor(one))).join(":");
  if (!days) return clock;
  return `${new Intl.NumberFormat(language, { style: "unit", unit: "day", unitDisplay: "long" }).format(days)} ${clock}`;
}

function count() {
  for (const one of document.querySelectorAll("[data-left]")) {
    one.textContent = shown(Math.max(0, Number(one.dataset.left) - Math.floor((performance.now() - opened) / 1000)));
    one.hidden = false;
  }
}
if (document.querySelector("[data-left]")) {
  count();
  setInterval(count, 1000);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const link = document.getElementById(button.dataset.copy);
  link.select();
  try {
    await navigator.clipboard.writeText(link.value);
    button.dataset.done = "";
  } catch {
    // it is selected, to be copied by hand
  }
});
for (const one of document.querySelectorAll("[data-copy]")) one.hidden = false;

// The device's own menu, on devices that have one and at addresses that they trust.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-share]");
  if (!button) return;
  const url = document.getElementById(button.dataset.share).value;
  await navigator.share({ title: button.dataset.title, url }).catch(() => {}); // closed without sharing
});
if (navigator.share) for (const one of document.querySelectorAll("[data-share]")) one.hidden = false;

const zone = document.querySelector("[data-zone]");
if (zone && !zone.value) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;

// Leaving an event deletes what the judge's table stores on this device. If some is not sent yet, the table opens.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  const [, path, id] = new URL(form.action).pathname.match(/^(.*\/events\/([^/]+))\/leave$/) ?? [];
  if (!id || !window.indexedDB) return;
  event.preventDefault();
  const { forgetIfSent } = await import("./outbox.js");
  if (await forgetIfSent(id).catch(() => true)) form.submit();
  else location.assign(`${path}/table`);
});
