// Sending and receiving: what this phone wrote goes to the server in its order, and the lists of the event come back.

import { $, door, element, event, root, runBusy, translate } from "./table_page.js";
import { deckOfRows, findPlayer, setLists, state } from "./table_cards.js";
import { showDesk } from "./table_desk.js";
import { showAnswer, showCheck, showConflict, showOtherChecks, showSaved } from "./table_check.js";
import { ask, forget, newId } from "./outbox.js";

const STALE = 120_000; // milliseconds after which the lists are asked for again
let refreshed = 0; // when the lists last came

// The connection

export function showConnection() {
  const count = state.entries.length;
  const connected = count ? "unsent" : "online";
  const status = state.isSignedOut ? "keyless" : state.isOnline ? connected : "offline";
  const line = $("line");
  const text = translate(status === "offline" && count === 1 ? "offline_one" : status, { count });
  line.hidden = state.isOnline === null;
  line.className = `line ${status}`;
  if (line.textContent === text) return;
  line.textContent = text;
  if (state.isSignedOut) line.append(" ", element("a", translate("enter"), { href: door }));
}

export function setOnline(isOnline) {
  state.isOnline = isOnline;
  showConnection();
  return isOnline;
}

// The key opens nothing any more. If it was revoked, this phone keeps nothing of the event.
async function signOut(answer) {
  if (answer?.revoked) {
    await forget(event);
    location.replace(door);
  }
  state.isSignedOut = true;
  showConnection();
}

// Fetch the lists of the event. Returns true if they came.
export async function refresh() {
  let answer;
  try {
    answer = await ask(`${root}/lists?lang=${document.documentElement.lang}`);
  } catch {
    return setOnline(false);
  }
  refreshed = Date.now();
  if (answer.status === 404) await signOut(answer.json);
  if (answer.status !== 200) return false;
  state.isSignedOut = false;
  setLists({ ...answer.json, skew: Date.parse(answer.json.now) - Date.now() });
  await state.outbox.saveLists(state.lists);
  setOnline(true);
  showDesk();
  showOtherChecks();
  showConflict();
  return true;
}

// Send what waits, and fetch the lists again if they are old or the phone was offline.
export async function synchronise() {
  if (Date.now() - refreshed > STALE || !state.isOnline || state.isSignedOut) await refresh();
  if (state.isOnline && !state.isSignedOut) await send();
}

// Sending

let sending = null;
let isSendWanted = false; // perhaps for an entry that was added while the last ones are being sent

export function send() {
  isSendWanted = true;
  sending ??= sendAll();
  return sending;
}

async function sendAll() {
  try {
    while (isSendWanted) {
      isSendWanted = false;
      await sendEntries();
    }
  } finally {
    sending = null;
  }
}

async function sendEntries() {
  const { outbox } = state;
  let isRenewed = false;
  for (let entry = await outbox.nextEntry(); entry && !state.isSignedOut; entry = await outbox.nextEntry()) {
    const result = await sendEntry(entry);
    if (result === "stale" && !isRenewed) isRenewed = await refresh();
    else if (result !== "sent") break;
  }
  await reloadOutbox();
}

// Send an entry. Returns "sent" if its answer is final, "stale" if the token of the lists is too old, "" to try later.
async function sendEntry(entry) {
  const { outbox, lists } = state;
  const check = state.ownChecks.get(entry.check);
  if (entry.check && !check) {
    await outbox.complete(entry); // of a check that was discarded
    return "sent";
  }
  const fields = [...entry.fields, ["once", entry.id], ["csrf_token", lists.token]];
  if (entry.kind === "record") fields.push(["version", check.version]);
  let answer;
  try {
    answer = await ask(`${root}/checks${entry.kind === "record" ? `/${check.cid}` : ""}`, fields);
  } catch {
    setOnline(false);
    return "";
  }
  setOnline(true);
  const { status, json } = answer;
  if (!json) return "stale";
  if (status === 429 || status >= 500) return "";
  if (status === 404 && "revoked" in json) {
    await signOut(json);
    return "";
  }
  if (status >= 400) {
    await outbox.save(null, { ...entry, problem: { status, detail: json.detail } });
    if (status === 412) await refresh();
    return "sent";
  }
  if (entry.kind === "draw") await applyDraw(entry, json);
  else await applyCheck(entry, check, json);
  return "sent";
}

async function applyDraw(entry, json) {
  $("drawn").textContent = json.draw.sentence;
  await state.outbox.complete(entry);
  await refresh();
}

async function applyCheck(entry, check, json) {
  const shown = entry.kind === "begin" ? json.checks[0] : json;
  Object.assign(check, { cid: shown.id, version: shown.version, answer: entry.kind === "begin" ? null : shown });
  const isListRead = check.decklist && !check.dirty && entry.fields.some(([name]) => name === "decklist");
  if (isListRead) replaceCounts(check, shown);
  await state.outbox.complete(entry, check);
  const { checks } = state.lists;
  const place = checks.findIndex((one) => one.id === shown.id);
  const { box: rows, cards: _, ...plain } = shown;
  checks.splice(place < 0 ? checks.length : place, 1, { ...plain, counts: rows ?? null });
  await state.outbox.saveLists(state.lists);
  if (check === state.check) (isListRead ? showCheck : showAnswer)();
}

// The server has read a pasted list: its cards are what was counted.
function replaceCounts(check, shown) {
  const sections = Object.keys(findPlayer(check.registration)?.cards ?? {});
  check.counts = new Map([...sections.map((one) => [one, new Map()]), ...deckOfRows(shown.box ?? [])]);
  check.decklist = "";
}

// Read what this phone keeps, which another tab may have changed, and show it.
export async function reloadOutbox() {
  state.entries = await state.outbox.entries();
  for (const kept of await state.outbox.checks()) {
    const own = state.ownChecks.get(kept.id);
    if (!own) state.ownChecks.set(kept.id, kept);
    else if (kept.version > own.version) Object.assign(own, { version: kept.version, cid: kept.cid });
  }
  showConnection();
  showProblems();
  showDesk();
  showConflict();
  showSaved();
}

// Entries that the server refused

function showProblems() {
  const refused = state.entries.filter((one) => one.problem && one.problem.status !== 412);
  $("problems").replaceChildren(...refused.map(problemNotice));
}

function problemNotice(entry) {
  const check = state.ownChecks.get(entry.check);
  const notice = element("div", "", { className: "notice bad" });
  const who = check ? (findPlayer(check.registration)?.player ?? "") : translate("draw");
  const detail = entry.problem.detail ?? entry.problem.status;
  const button = (text, action) => element("button", text, { type: "button", onclick: () => runBusy(action) });
  const actions = element("p", "", { className: "actions" });
  actions.append(button(translate("again"), () => retry(entry)));
  actions.append(button(translate("drop"), () => discard(entry, check)));
  notice.append(element("p", translate("refused", { who, detail })), actions);
  return notice;
}

async function retry(entry) {
  await state.outbox.save(null, { ...entry, id: newId(), problem: null });
  await send();
}

async function discard(entry, check) {
  if (entry.kind === "begin") {
    await state.outbox.discard(check);
    state.ownChecks.delete(check.id);
    if (check === state.check) location.hash = "";
  } else {
    await state.outbox.complete(entry, check);
  }
  await send();
}
