// The check of one deck: the registered list with its verdict, the counted cards, the result and the clock.

import { $, element, optionLabel, showText, translate } from "./table_page.js";
import { SWAPPED, cardLabel, cardName, describeCards, differences, findPlayer, now } from "./table_cards.js";
import { registeredDeck, state, sumCopies } from "./table_cards.js";
import {
  NOTES, allChecks, countedDeck, earlierPenalties, isSameCheck, playerTable, suggestPenalty,
} from "./table_checks.js";
import { checkRow, describeCheck, describePlayer } from "./table_desk.js";

const FEW = 6; // different cards that are named as missing while the counting goes on

export function showCheck() {
  const { check, lists } = state;
  const player = findPlayer(check.registration);
  $("who").textContent = player?.player ?? "";
  $("about").textContent = player ? describePlayer(player) : "";
  check.table ||= playerTable(check);
  for (const name of [...NOTES, "decklist"]) $(name).value = check[name] ?? "";
  showVerdict(player);
  $("between_games").checked = check.swap;
  $("swaps").hidden = !lists.event.swaps;
  $("unread").hidden = !player?.unread.length;
  $("unread").textContent = player ? translate("unread", { lines: player.unread.join("; ") }) : "";
  const earlier = earlierPenalties(check);
  $("earlier-box").hidden = !earlier.length;
  $("earlier").replaceChildren(...earlier.map((one) => element("li", one.log, { dir: "auto" })));
  showOtherChecks();
  $("begin-box").hidden = Boolean(check.started) || !player?.received;
  $("counting").hidden = $("bar").hidden = !check.started;
  $("paste").open = Boolean(check.decklist);
  showSections();
  showAnswer();
  showConflict();
  showClock();
}

// The registered list

function showVerdict(player) {
  const isKnown = typeof player?.legal === "boolean";
  $("verdict").hidden = !isKnown;
  if (!isKnown) return;
  const mark = element("span", player.legal ? "✓ " : "✗ ", { ariaHidden: "true" });
  const text = translate(player.legal ? "legal" : "illegal");
  const head = element("b", text, { className: player.legal ? "good" : "bad" });
  head.prepend(mark);
  const list = element("ul", "", { className: "findings" });
  list.append(...player.findings.map(findingRow));
  const hasNoGuide = !player.legal && !state.lists.event.has_guide;
  const note = element("p", translate("guideless"), { className: "soft" });
  $("verdict").replaceChildren(head, ...(player.findings.length ? [list] : []), ...(hasNoGuide ? [note] : []));
}

function findingRow({ severity, message, rule, infraction }) {
  const item = element("li", "", { className: `finding ${severity}` });
  const text = severity === "warning" ? `${translate("warned")}: ${message}` : message;
  item.append(element("p", text, { className: "says", dir: "auto" }));
  item.append(element("p", `${rule.document}, ${rule.section}`, { className: "rule", lang: rule.lang }));
  if (infraction) {
    const { title, suggested_penalty: penalty, source } = infraction;
    const parts = source ? [translate("guided", { penalty }), `${source.document}, ${source.section}`] : [];
    item.append(element("p", [translate("infraction", { title }), ...parts].join(" · "), { className: "soft" }));
  }
  return item;
}

// Other checks of this deck: two judges may have begun one each while they were offline, and both are kept.
export function showOtherChecks() {
  const { check } = state;
  const checks = check ? allChecks().filter((one) => one.registration === check.registration) : [];
  const others = checks.filter((one) => !isSameCheck(one, check));
  $("others").hidden = !others.length;
  $("mates").replaceChildren(...others.map(checkRow));
}

// The counted cards

let sections = new Map(); // what the page shows of each section: its element, its rows by card, its registered size

function shownSections(registered) {
  const { check, lists } = state;
  const names = new Set([...lists.event.sections, ...registered.keys(), ...check.counts.keys()]);
  return Array.from(names).filter((one) => registered.has(one) || check.counts.has(one));
}

// The cards of a section: those registered in it or, between games, in a section that it swaps with, and those counted.
function shownCards(section, registered) {
  const { check } = state;
  const others = check.swap && SWAPPED.includes(section) ? SWAPPED.filter((one) => one !== section) : [];
  const cards = [section, ...others].flatMap((one) => [...(registered.get(one)?.keys() ?? [])]);
  return new Set([...cards, ...(check.counts.get(section)?.keys() ?? [])]);
}

export function showSections() {
  const registered = registeredDeck(state.check.registration);
  sections = new Map();
  for (const section of shownSections(registered)) {
    sections.set(section, sectionPart(section, registered));
  }
  $("sections").replaceChildren(...Array.from(sections.values(), ({ part }) => part));
  for (const [section, { rows }] of sections) for (const card of rows.keys()) showRow(section, card);
  showTallies();
}

function sectionPart(section, registered) {
  const part = $("section").content.cloneNode(true).firstChild;
  const title = translate(`section_${section}`);
  part.dataset.section = section;
  part.querySelector("h2 span").textContent = title;
  for (const button of part.querySelectorAll("[data-all], [data-none]")) {
    button.setAttribute("aria-label", `${button.textContent}: ${title}`);
  }
  const rows = new Map();
  for (const card of shownCards(section, registered)) {
    const row = cardRow(section, card, registered.get(section)?.get(card) ?? 0);
    part.querySelector("ul").append(row);
    rows.set(card, row);
  }
  return { part, rows, registered: sumCopies(registered.get(section)) };
}

function cardRow(section, card, registered) {
  const row = $("row").content.cloneNode(true).firstChild;
  Object.assign(row.dataset, { section, card, registered });
  row.querySelector("bdi").textContent = cardName(card);
  row.querySelector("small").textContent = cardName(card) === card ? "" : card;
  const label = cardLabel(card);
  row.querySelector(".less").setAttribute("aria-label", translate("less", { card: label }));
  row.querySelector(".whole").setAttribute("aria-label", translate("whole", { card: label, count: registered }));
  return row;
}

export const hasRow = (section, card) => Boolean(sections.get(section)?.rows.has(card));
export const sectionElement = (section) => sections.get(section).part;

export function showRow(section, card) {
  const row = sections.get(section).rows.get(card);
  const count = state.check.counts.get(section)?.get(card) ?? 0;
  const all = Number(row.dataset.registered);
  const button = row.querySelector(".card");
  button.querySelector("b").textContent = `${count}/${all}`;
  button.setAttribute("aria-label", translate("row", { card: cardLabel(card), count, all }));
  row.className = count === all ? "same" : count > all ? "over" : "";
}

export function showTallies() {
  const { check, lists } = state;
  const found = differences(check);
  let all = 0;
  for (const [section, { part, registered }] of sections) {
    all += registered;
    const counted = sumCopies(check.counts.get(section));
    part.querySelector("h2 small").textContent = translate("tally", { count: counted, all: registered });
    const difference = found.find((one) => one.sections[0] === section);
    const lines = difference ? describeDifference(difference) : [];
    const shown = part.querySelector(".differs");
    const isShown = shown.innerText.trim() === lines.join("\n").trim();
    if (!isShown) shown.replaceChildren(...lines.map((line) => element("p", line)));
  }
  $("swap-rule").hidden = !(check.swap && lists.event.one_for_one);
  const count = Array.from(check.counts.values()).reduce((total, cards) => total + sumCopies(cards), 0);
  $("total").textContent = translate("tally", { count, all });
  showSuggestion(found);
}

// While the counting goes on, missing cards are named only if they are few.
function describeDifference({ missing, extra, all, counted }) {
  if (!missing.length && !extra.length) return [translate("agree")];
  const isNamed = missing.length > 0 && (counted >= all || missing.length <= FEW);
  const lines = extra.length ? [translate("extra", { cards: describeCards(extra) })] : [];
  return isNamed ? [...lines, translate("missing", { cards: describeCards(missing) })] : lines;
}

// The result

function showSuggestion(found) {
  const { check, lists } = state;
  const differs = found.some((one) => one.missing.length || one.extra.length);
  const infraction = check.infraction || (differs && check.outcome && check.outcome !== "ok" ? "list-mismatch" : "");
  $("suggested").hidden = !infraction;
  $("guideless").hidden = lists.event.has_guide !== false;
  if (infraction) {
    const { penalty, most } = suggestPenalty(infraction, check);
    const values = { infraction: optionLabel("infraction", infraction), penalty: optionLabel("penalty", penalty) };
    const limit = most === penalty ? "" : ` ${translate("up_to", { most: optionLabel("penalty", most) })}`;
    showText($("suggested").firstChild, translate("suggested", values) + limit);
  }
  showLog();
}

// Bandai's order: player, infraction, penalty, reason, judge.
function showLog() {
  const { check, lists } = state;
  const kind = lists.infractions.find((one) => one.key === check.infraction);
  const log = $("log");
  log.hidden = !(kind && check.penalty);
  const judge = lists.checks.find((one) => isSameCheck(one, check))?.judge ?? lists.judge;
  const player = findPlayer(check.registration)?.player;
  if (kind) log.textContent = [player, kind.title, check.penalty, check.reason, judge].join(" · ");
}

// The lines of a pasted list that could not be read, and were not compared.
export function showAnswer() {
  const unread = state.check.answer?.unread ?? [];
  $("answered").hidden = !unread.length;
  $("answered").replaceChildren(...unread.map((line) => element("p", translate("uncompared", { line }))));
}

// Another judge wrote this check meanwhile: the page shows both, and the judge decides.
export function showConflict() {
  const { check } = state;
  const theirs = check && state.lists.checks.find((one) => one.id === check.cid);
  const isRefused = check && state.entries.some((one) => one.check === check.id && one.problem?.status === 412);
  const isConflict = Boolean(theirs && theirs.version > check.version && (check.dirty || isRefused));
  $("theirs").hidden = !isConflict;
  if (!isConflict) return;
  const parts = Array.from(countedDeck(theirs), ([section, cards]) => {
    return `${translate(`section_${section}`)}: ${sumCopies(cards)} / ${sumCopies(check.counts.get(section))}`;
  });
  const description = describeCheck({ ...theirs, unsent: false }, theirs.reason, theirs.note);
  const counts = parts.length ? translate("theirs", { parts: parts.join(", ") }) : "";
  $("theirs-say").textContent = `${description}. ${counts}`;
}

export function showSaved() {
  const { check, entries } = state;
  if (!check?.started) return;
  const isWaiting = entries.some((one) => one.check === check.id);
  showText($("written"), translate(check.dirty ? "unwritten" : isWaiting ? "kept" : "written"));
}

export function showClock() {
  const { check, lists } = state;
  if (!check?.started) return;
  const until = check.ended ? new Date(check.ended) : now();
  const seconds = Math.max(0, Math.floor((until - new Date(check.started)) / 1000));
  $("clock").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const losesGame = lists.ladder.indexOf(check.penalty) >= lists.ladder.indexOf("Game Loss");
  $("extension").hidden = !check.ended;
  const minutes = losesGame ? 0 : Math.ceil(seconds / 60) + check.grace;
  $("extension").textContent = translate("extension", { count: minutes });
  $("end").hidden = Boolean(check.ended);
  $("resume").hidden = !check.ended;
}
