// The deck checks of an event: those of the server and those of this phone, which may not be sent yet.

import { event } from "./table_page.js";
import { deckOfRows, findPlayer, state, unpackDeck } from "./table_cards.js";
import { newId } from "./outbox.js";

export const NOTES = ["table", "round", "outcome", "infraction", "penalty", "reason", "note"];

const pickNotes = (check) => Object.fromEntries(NOTES.map((name) => [name, check[name] ?? ""]));

// A check of this phone. Phones keep these fields, under these names.
export function newCheck(registration, fields = {}) {
  const identity = { id: newId(), event, registration, cid: "", version: 0 };
  const content = { counts: new Map(), started: null, ended: null, grace: 3, swap: false, decklist: "" };
  return { ...identity, ...content, ...pickNotes({}), dirty: false, answer: null, ...fields };
}

// A check of the server, to go on with on this phone.
export function adoptCheck(shown) {
  const { id, registration, version, started, ended, grace } = shown;
  const fields = { id, cid: id, version, counts: countedDeck(shown), started, ended, grace, swap: shown.between_games };
  return newCheck(registration, { ...fields, ...pickNotes(shown) });
}

// The deck that was counted in a check of the server.
export const countedDeck = (shown) => (shown.counts ? deckOfRows(shown.counts) : unpackDeck(shown.box));

export const isUnsent = (check) => check.dirty || state.entries.some((one) => one.check === check.id);
export const isSameCheck = (one, check) => one.id === check.id || one.id === check.cid;

// The check with an id of the server or of this phone, null if there is none.
export function findCheck(id) {
  const own = state.ownChecks.get(id) ?? Array.from(state.ownChecks.values()).find((one) => one.cid === id);
  const shown = state.lists.checks.find((one) => one.id === (own?.cid || id));
  if (own && (isUnsent(own) || !shown || shown.version <= own.version)) return own;
  return shown ? { ...adoptCheck(shown), id: own?.id ?? shown.id } : null;
}

function summarise(check) {
  const { id, registration, started, ended } = check;
  return { id, registration, started, ended, ...pickNotes(check), unsent: isUnsent(check) };
}

// All checks as they are listed: those of the server with what this phone changed, then those that only it has.
export function allChecks() {
  const known = new Set(state.lists.checks.map((one) => one.id));
  const own = Array.from(state.ownChecks.values()).filter((one) => isUnsent(one) || !known.has(one.cid));
  const ownById = new Map(own.map((one) => [one.cid || one.id, one]));
  const changed = state.lists.checks.map((one) => {
    const check = ownById.get(one.id);
    return check ? { ...one, ...summarise(check) } : one;
  });
  const unknown = Array.from(ownById.values()).filter((one) => !known.has(one.cid));
  return [...changed, ...unknown.map(summarise)];
}

// The player's table, "" once the check has begun: then the check has a table of its own.
export const playerTable = (check) => (check.started ? "" : (findPlayer(check.registration)?.table ?? "").slice(0, 20));

// The checks of the player that have a penalty, other than this one.
export function earlierPenalties(check) {
  const ofPlayer = state.lists.checks.filter((one) => one.registration === check.registration);
  return ofPlayer.filter((one) => one.log && !isSameCheck(one, check));
}

// The policy's penalty, as api/events/judging/penalties.py has it: a repeat is a step higher, up to a disqualification.
export function suggestPenalty(infraction, check) {
  const { ladder, infractions } = state.lists;
  const kind = infractions.find((one) => one.key === infraction);
  const before = earlierPenalties(check).filter((one) => one.infraction === infraction);
  const highest = Math.max(...before.map((one) => ladder.indexOf(one.penalty)));
  const first = ladder.indexOf(kind.penalty);
  const step = before.length ? Math.max(first, Math.min(highest + 1, ladder.indexOf("Disqualification"))) : first;
  return { penalty: ladder[step], most: ladder[Math.max(step, ladder.indexOf(kind.most))] };
}

// The fields of a check, as the form of a page without a script sends them.
export function formFields(check) {
  const notes = NOTES.map((name) => [name, check[name]]);
  const fields = [...notes, ["started", check.started], ["ended", check.ended ?? ""], ["grace", check.grace]];
  if (check.swap) fields.push(["between_games", "true"]);
  if (check.decklist.trim()) return [...fields, ["decklist", check.decklist]];
  for (const [section, cards] of check.counts) {
    fields.push([`looked.${section}`, "true"]);
    for (const [card, count] of cards) fields.push([`count.${section}.${card}`, count]);
  }
  return fields;
}
