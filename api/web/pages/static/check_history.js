"use strict";

// The history of the check page: earlier checks as links, kept on this device only, and only if the visitor wants it.

import { packed } from "./deck.js";

const KEY = "deckproof-checks";
const MOST = 50;
const panel = document.getElementById("history");
const wanted = document.getElementById("history-wanted");
const shown = document.getElementById("history-list");

// Returns the stored checks, the newest first, or null if nothing is to be stored.
function load() {
  try {
    const checks = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(checks) ? checks : null;
  } catch {
    return null;
  }
}

// Stores checks; null deletes them and ends the history. Returns false if this browser stores nothing.
function store(checks) {
  try {
    if (checks) localStorage.setItem(KEY, JSON.stringify(checks.slice(0, MOST)));
    else localStorage.removeItem(KEY);
    return true;
  } catch {
    return false;
  }
}

function show(checks) {
  wanted.checked = checks !== null;
  shown.replaceChildren(
    ...(checks ?? []).map(({ at, verdict, deck, link }) => {
      const item = document.createElement("li");
      const anchor = document.createElement("a");
      anchor.href = `#d=${link}`;
      anchor.textContent = `${verdict} · ${deck} · ${new Date(at).toLocaleString(document.documentElement.lang)}`;
      item.append(anchor);
      return item;
    }),
  );
}

// Adds the verdict on the page, once. A deck that is checked again with the same terms replaces its earlier check.
async function add() {
  const verdict = document.querySelector("#verdict:not([data-stored])");
  const checks = load();
  if (!verdict || !checks || !document.getElementById("decklist").value) return;
  verdict.dataset.stored = "";
  const check = { at: Date.now(), verdict: verdict.textContent.trim(), deck: verdict.dataset.deck, link: await packed() };
  const all = [check, ...checks.filter(({ link }) => link !== check.link)];
  if (store(all)) show(all.slice(0, MOST));
}

wanted.addEventListener("change", () => {
  const checks = wanted.checked ? [] : null;
  show(store(checks) ? checks : null);
  add();
});
document.addEventListener("htmx:after:swap", add);
panel.hidden = false;
show(load());
add();
