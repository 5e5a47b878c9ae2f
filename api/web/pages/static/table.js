// The judge's table: whom to check, and the check by tapping, online or offline. This script has what a judge does, the
// other table_*.js what is known, shown and sent. Texts of players enter the page as text only.

import { $, door, element, event, root, runBusy, showFailure, translate } from "./table_page.js";
import { findPlayer, parseCard, registeredDeck, setLists, state, timestamp } from "./table_cards.js";
import { adoptCheck, findCheck, formFields, newCheck } from "./table_checks.js";
import { search, showDesk } from "./table_desk.js";
import {
  hasRow, sectionElement, showCheck, showClock, showRow, showSaved, showSections, showTallies,
} from "./table_check.js";
import { refresh, reloadOutbox, send, setOnline, showConnection, synchronise } from "./table_sync.js";
import { Outbox, forget, forgetOld, newId } from "./outbox.js";

const MOST_COPIES = 255; // of a card
const MOST_OFFERED = 3_000; // cards that are offered while one is typed
const LONG_PRESS = 550; // milliseconds of a press that takes a card off
const RETRY = 10_000; // milliseconds until what failed is tried again

// Show the check or the player in the address after its "#", else the list of players.
function showAddress() {
  const [kind, id] = location.hash.slice(1).split("=");
  state.check = kind === "c" ? findCheck(id) : kind === "r" && findPlayer(id) ? newCheck(id) : null;
  $("desk").hidden = state.check !== null;
  $("check").hidden = $("bar").hidden = state.check === null;
  if (state.check) showCheck();
  else showDesk();
  scrollTo(0, 0);
  if (state.check) $("who").focus({ preventScroll: true });
}

// Counting

function addCopies(section, card, copies) {
  const { counts } = state.check;
  if (!counts.has(section)) counts.set(section, new Map());
  const count = (counts.get(section).get(card) ?? 0) + copies;
  counts.get(section).set(card, Math.min(MOST_COPIES, Math.max(0, count)));
  showRow(section, card);
  saveEntered();
}

function countSection(section, isThere) {
  const registered = isThere ? registeredDeck(state.check.registration).get(section) : null;
  state.check.counts.set(section, new Map(registered ?? []));
  showSections();
  saveEntered();
}

function addCard() {
  const card = parseCard($("extra-card").value);
  if (!card) {
    $("extra-card").focus();
    return;
  }
  const section = $("extra-section").value;
  if (!hasRow(section, card)) {
    const { counts } = state.check;
    if (!counts.has(section)) counts.set(section, new Map());
    counts.get(section).set(card, 0);
    showSections();
  }
  addCopies(section, card, 1);
  $("extra-card").value = "";
}

function readField(field) {
  const { check } = state;
  if (field.name === "between_games") check.swap = field.checked;
  else if (field.name in check) check[field.name] = field.value;
  else return;
  if (field.name === "between_games" && check.started) showSections();
  saveEntered();
}

// Whatever a judge enters is stored on this phone at once.
function saveEntered() {
  const { check, outbox } = state;
  if (!check.started) return;
  check.dirty = true;
  state.ownChecks.set(check.id, check);
  outbox.save(check).catch(showFailure);
  showTallies();
  showSaved();
}

// Saving

async function saveCheck(changes = {}) {
  const check = Object.assign(state.check, changes, { dirty: false });
  state.ownChecks.set(check.id, check);
  const refused = state.entries.filter((one) => one.check === check.id && one.problem && one.kind === "record");
  for (const entry of refused) if (entry.problem.status !== 412) await state.outbox.complete(entry);
  await state.outbox.save(check, { check: check.id, kind: "record", fields: formFields(check) });
  await sendSaved();
}

async function sendSaved() {
  await reloadOutbox();
  if (state.check) showClock();
  await send();
}

async function beginCheck() {
  const { check } = state;
  check.started = timestamp();
  state.ownChecks.set(check.id, check);
  if (check.cid) {
    showCheck(); // of a deck that was drawn
    return saveCheck();
  }
  const fields = ["registration", "started", "table", "round"].map((name) => [name, check[name]]);
  await state.outbox.save(check, { check: check.id, kind: "begin", fields });
  history.replaceState(null, "", `#c=${check.id}`);
  showCheck();
  return sendSaved();
}

// End a conflict: keep this phone's check, or the one that another judge wrote.
async function resolveConflict(keepsOwn) {
  const { check, outbox } = state;
  const theirs = state.lists.checks.find((one) => one.id === check.cid);
  for (const entry of await outbox.entries()) if (entry.check === check.id) await outbox.complete(entry);
  if (keepsOwn) {
    check.version = theirs.version;
    return saveCheck();
  }
  await outbox.discard(check);
  state.ownChecks.delete(check.id);
  state.entries = await outbox.entries();
  state.check = adoptCheck(theirs);
  history.replaceState(null, "", `#c=${state.check.id}`);
  showCheck();
  return sendSaved();
}

async function drawChecks(form) {
  const fields = [...new FormData(form)].filter(([name]) => !["csrf_token", "once"].includes(name));
  await state.outbox.save(null, { check: "", kind: "draw", fields });
  $("drawn").textContent = translate("draws");
  await sendSaved();
}

// Buttons and keys

let pressTimer = 0; // a long press takes a card off
let wasLongPress = false;

function endPress() {
  clearTimeout(pressTimer);
}

$("sections").addEventListener("pointerdown", ({ target }) => {
  const button = target.closest(".card");
  endPress();
  wasLongPress = false;
  if (!button) return;
  const { section, card } = button.closest("li").dataset;
  pressTimer = setTimeout(() => {
    wasLongPress = true;
    navigator.vibrate?.(30);
    addCopies(section, card, -1);
  }, LONG_PRESS);
});
for (const kind of ["pointerup", "pointercancel", "pointerleave"]) $("sections").addEventListener(kind, endPress);
addEventListener("scroll", endPress, { passive: true });
$("sections").addEventListener("contextmenu", (event) => event.preventDefault());

$("sections").addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  const { section } = button.closest("[data-section]").dataset;
  if ("all" in button.dataset || "none" in button.dataset) {
    const isThere = "all" in button.dataset;
    countSection(section, isThere);
    sectionElement(section).querySelector(isThere ? "[data-all]" : "[data-none]").focus();
    return;
  }
  const { card, registered } = button.closest("li").dataset;
  const count = state.check.counts.get(section)?.get(card) ?? 0;
  if (button.matches(".less")) addCopies(section, card, -1);
  else if (button.matches(".whole")) addCopies(section, card, registered - count);
  else if (!wasLongPress) addCopies(section, card, 1);
  wasLongPress = false;
});

// On a keyboard, "-" and "a" are the other two buttons of a row.
$("sections").addEventListener("keydown", (event) => {
  const row = event.target.closest("li");
  const button = { "-": ".less", a: ".whole" }[event.key];
  if (row && button && !event.ctrlKey && !event.metaKey && !event.altKey) row.querySelector(button).click();
});

const ACTIONS = {
  back: () => (location.hash = ""),
  begin: beginCheck,
  add: addCard,
  write: () => saveCheck(),
  "bar-write": () => saveCheck(),
  end: () => saveCheck({ ended: timestamp() }),
  resume: () => saveCheck({ ended: null }),
  mine: () => resolveConflict(true),
  other: () => resolveConflict(false),
};
for (const [id, action] of Object.entries(ACTIONS)) $(id).addEventListener("click", () => runBusy(action));

$("notes").addEventListener("submit", (event) => event.preventDefault());
$("notes").addEventListener("input", ({ target }) => readField(target));
$("extra-card").addEventListener("keydown", (event) => event.key === "Enter" && addCard());

$("q").addEventListener("input", search);
$("search").addEventListener("submit", (event) => {
  event.preventDefault();
  const found = search();
  if (found.length === 1) location.hash = `r=${found[0].id}`;
});

$("draw").addEventListener("submit", (event) => {
  event.preventDefault();
  runBusy(() => drawChecks(event.target));
});

// The page may be a copy with an old token.
function renewForm(form) {
  form.elements.csrf_token.value = state.lists.token;
  form.elements.once.value = newId();
}

$("seeding").addEventListener("submit", (event) => {
  if (!state.isOnline || state.isSignedOut) {
    event.preventDefault();
    $("seeded").textContent = translate("seeds");
    return;
  }
  renewForm(event.target);
});

// The page that shows a new link needs the server.
$("new-link").addEventListener("submit", (event) => {
  if (!state.isOnline || state.isSignedOut) {
    event.preventDefault();
    return;
  }
  const page = new URL(door, location.href);
  page.pathname += `/registrations/${state.check.registration}/key`;
  event.target.action = page.href;
  renewForm(event.target);
});

let isLeavingConfirmed = false;
$("leave").addEventListener("submit", async (event) => {
  event.preventDefault();
  const isAllSent = !state.entries.length && !Array.from(state.ownChecks.values()).some((one) => one.dirty);
  if (!isAllSent && !isLeavingConfirmed) {
    isLeavingConfirmed = true;
    $("unsent").hidden = false;
    return;
  }
  event.target.elements.csrf_token.value = state.lists.token;
  await forget(state.outbox.event);
  event.target.submit();
});

// Start

// Store the page, so that this phone can open it again offline. Browsers allow that over HTTPS only.
async function storePage() {
  $("open-note").hidden = isSecureContext;
  if (!isSecureContext || !("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(`${root}/worker.js`, { scope: root });
  const cache = await caches.open(`deckproof-table ${event}`);
  const links = "link[rel=stylesheet], link[rel=icon], link[rel=modulepreload], script[src]";
  const addresses = Array.from(document.querySelectorAll(links), (one) => one.href ?? one.src);
  await cache.addAll([...new Set([location.pathname, ...addresses])]);
}

function offerCards() {
  const { cards, event } = state.lists;
  const sections = event.sections.map((one) => element("option", translate(`section_${one}`), { value: one }));
  $("extra-section").replaceChildren(...sections);
  if (event.sections.includes("main")) $("extra-section").value = "main";
  const options = cards.slice(0, MOST_OFFERED).map(([number, name]) => {
    return element("option", number ? name : "", { value: number || name });
  });
  $("known").replaceChildren(...options);
}

async function start() {
  try {
    state.outbox = await Outbox.open(event);
    await forgetOld(state.outbox);
  } catch {
    $("unkept").hidden = false; // the forms of the page work without storage
    return;
  }
  setLists(await state.outbox.lists());
  for (const check of await state.outbox.checks()) state.ownChecks.set(check.id, check);
  state.entries = await state.outbox.entries();
  const isRefreshed = await refresh();
  if (!state.lists) return; // this phone was never online
  showConnection();
  await reloadOutbox();
  offerCards();
  addEventListener("hashchange", showAddress);
  if (location.hash || !$("q").value) showAddress();
  else if (search().length === 1) location.replace(`#r=${search()[0].id}`);
  if (isRefreshed) storePage().catch(() => ($("open-note").hidden = false));
  addEventListener("online", () => runBusy(synchronise));
  addEventListener("offline", () => setOnline(false));
  document.addEventListener("visibilitychange", () => document.hidden || runBusy(synchronise));
  setInterval(showClock, 1000);
  setInterval(() => document.hidden || runBusy(synchronise), RETRY);
  await send();
}

runBusy(start);
