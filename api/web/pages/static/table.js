// The judge's table: whom to check, and the check by tapping, online or offline. What is kept and sent is in
// outbox.js. Whatever players wrote enters the page as text alone.

import { Outbox, ask, forget, forgetOld, newId } from "./outbox.js";

const $ = (id) => document.getElementById(id);
const { event, root, door } = $("judge-table").dataset;
const SWAPPED = ["main", "side", "z"]; // among which cards change places between games
const NOTED = ["table", "round", "outcome", "infraction", "penalty", "reason", "note"];
const MOST = 255; // copies of a card
const FEW = 6; // cards that are named as not counted while the counting goes on
const LONG = 550; // milliseconds of a press that takes one off
const AGAIN = 10_000; // milliseconds until what failed is tried again
const AFRESH = 120_000; // milliseconds after which what others did is asked for

const words = Object.fromEntries(Array.from($("words").content.children, (one) => [one.dataset.word, one.textContent]));
const say = (word, values = {}) => words[word].replace(/{(\w+)}/g, (_, name) => values[name]);

let box; // what this telephone keeps
let lists; // of the event, as the server last gave them
let local = new Map(); // the checks of this telephone, by their ids
let entries = []; // that are not sent yet
let open = null; // the check that is shown
let online = null;
let keyless = false;
let names = null; // of the cards of the lists, by what they are called by
let asked = 0;

const now = () => new Date(Date.now() + (lists.skew ?? 0));
const stamp = () => `${now().toISOString().slice(0, 19)}Z`;
const clean = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const key = (place) => lists.cards[place][0] || lists.cards[place][1];
const sum = (cards) => Array.from(cards?.values() ?? []).reduce((all, one) => all + one, 0);
const playerOf = (id) => lists.players.find((one) => one.id === id);

// Cards

function unpacked(held) {
  const counts = new Map();
  for (const [section, cards] of Object.entries(held ?? {})) {
    const counted = new Map();
    for (const [place, count] of cards) counted.set(key(place), (counted.get(key(place)) ?? 0) + count);
    counts.set(section, counted);
  }
  return counts;
}

function nameOf(card) {
  names ??= new Map(lists.cards.map(([number, name]) => [number || name, name]));
  return names.get(card) ?? card;
}

const partsOf = (text) => clean(text).match(/[\p{L}\p{N}]+/gu) ?? [];

// The only card of the event's lists whose name has all these parts, if there is just one.
function onlyCardOf(parts) {
  const found = lists.cards.filter(([, name]) => parts.every((part) => partsOf(name).includes(part)));
  return parts.length && found.length === 1 ? found[0] : undefined;
}

// What somebody typed as a card of the event's lists, if it is one; numbers are written in capitals.
function meant(typed) {
  const plain = clean(typed.trim());
  const exact = lists.cards.find(([number, name]) => clean(number) === plain || clean(name) === plain);
  const found = exact ?? onlyCardOf(partsOf(plain));
  if (found) return found[0] || found[1];
  return /^[a-z]+\d*-\w+$/.test(plain) ? plain.toUpperCase() : typed.trim();
}

const labelled = (card) => (nameOf(card) === card ? card : `${card} ${nameOf(card)}`);
const listed = (cards) => cards.map(([card, count]) => `${count} × ${labelled(card)}`).join(", ");

function pooled(decks, sections) {
  const pool = new Map();
  for (const one of sections) for (const [card, n] of decks.get(one) ?? []) pool.set(card, (pool.get(card) ?? 0) + n);
  return pool;
}

function more(one, other) {
  return Array.from(one, ([card, count]) => [card, count - (other.get(card) ?? 0)]).filter(([, count]) => count > 0);
}

// What differs in the sections that were looked at; between games several are one.
function differences(check) {
  const registered = unpacked(playerOf(check.registration)?.cards);
  const looked = [...check.counts.keys()];
  const pool = check.swap ? looked.filter((one) => SWAPPED.includes(one)) : [];
  const groups = [...(pool.length ? [pool] : []), ...looked.filter((one) => !pool.includes(one)).map((one) => [one])];
  return groups.map((sections) => {
    const [listed, found] = [pooled(registered, sections), pooled(check.counts, sections)];
    return { sections, missing: more(listed, found), extra: more(found, listed), all: sum(listed), counted: sum(found) };
  });
}

// The line

function tell() {
  const count = entries.length;
  const state = keyless ? "keyless" : online ? (count ? "unsent" : "online") : "offline";
  const line = $("line");
  const text = say(state === "offline" && count === 1 ? "offline_one" : state, { count });
  line.hidden = online === null;
  line.className = `line ${state}`;
  if (line.textContent === text) return;
  line.textContent = text;
  if (keyless) line.append(" ", made("a", say("enter"), { href: door }));
}

function made(tag, text, values = {}) {
  return Object.assign(document.createElement(tag), { textContent: text, ...values });
}

let underWay = 0; // how much is done of what was pressed, or came up, and is not finished yet

// Do something that ends with an answer; until it is over, the line is not what it will say.
async function busily(act) {
  underWay += 1;
  $("line").ariaBusy = "true";
  try {
    await act();
  } catch (error) {
    failed(error);
  } finally {
    underWay -= 1;
    if (!underWay) $("line").ariaBusy = "false";
  }
}

function reached(there) {
  online = there;
  tell();
  return there;
}

async function locked(answer) {
  if (answer?.revoked) {
    await forget(event);
    location.replace(door);
  }
  keyless = true;
  tell();
}

async function refresh() {
  let answer;
  try {
    answer = await ask(`${root}/lists?lang=${document.documentElement.lang}`);
  } catch {
    return reached(false);
  }
  asked = Date.now();
  if (answer.status === 404) await locked(answer.json);
  if (answer.status !== 200) return false;
  keyless = false;
  lists = { ...answer.json, skew: Date.parse(answer.json.now) - Date.now() };
  names = null;
  await box.keepLists(lists);
  reached(true);
  showDesk();
  showMates();
  showTheirs();
  return true;
}

let sending = null;
let isAsked = false; // to send, by now perhaps while the last of the entries before are being sent
function send() {
  isAsked = true;
  sending ??= sendAll();
  return sending;
}

async function sendAll() {
  try {
    while (isAsked) {
      isAsked = false;
      await sendKept();
    }
  } finally {
    sending = null;
  }
}

async function sendKept() {
  let renewed = false;
  for (let one = await box.next(); one && !keyless; one = await box.next()) {
    const came = await sent(one);
    if (came === "stale" && !renewed) renewed = await refresh();
    else if (came !== "sent") break;
  }
  await recount();
}

// Send an entry: "sent" is one that was answered for good, "stale" one whose token is.
async function sent(entry) {
  const check = local.get(entry.check);
  if (entry.check && !check) {
    await box.settle(entry); // of a check that was thrown away
    return "sent";
  }
  const fields = [...entry.fields, ["once", entry.id], ["csrf_token", lists.token]];
  if (entry.kind === "record") fields.push(["version", check.version]);
  let answer;
  try {
    answer = await ask(`${root}/checks${entry.kind === "record" ? `/${check.cid}` : ""}`, fields);
  } catch {
    reached(false);
    return "";
  }
  reached(true);
  const { status, json } = answer;
  if (!json) return "stale";
  if (status === 429 || status >= 500) return "";
  if (status === 404 && "revoked" in json) {
    await locked(json);
    return "";
  }
  if (status >= 400) {
    await box.keep(null, { ...entry, problem: { status, detail: json.detail } });
    if (status === 412) await refresh();
    return "sent";
  }
  await settled(entry, check, json);
  return "sent";
}

async function settled(entry, check, json) {
  if (entry.kind === "draw") {
    $("drawn").textContent = json.draw.sentence;
    await box.settle(entry);
    await refresh();
    return;
  }
  const shown = entry.kind === "begin" ? json.checks[0] : json;
  Object.assign(check, { cid: shown.id, version: shown.version, answer: entry.kind === "begin" ? null : shown });
  const isRead = check.decklist && !check.dirty && entry.fields.some(([name]) => name === "decklist");
  if (isRead) readBack(check, shown);
  await box.settle(entry, check);
  const place = lists.checks.findIndex((one) => one.id === shown.id);
  const { box: rows, cards: _, ...plain } = shown;
  const known = { ...plain, counts: rows ?? null };
  if (place < 0) lists.checks.push(known);
  else lists.checks[place] = known;
  await box.keepLists(lists);
  if (check === open) (isRead ? showCheck : showAnswer)();
}

// A list that was pasted has been read: what it has is what was counted.
function readBack(check, shown) {
  const sections = Object.keys(playerOf(check.registration)?.cards ?? {});
  check.counts = new Map([...sections.map((one) => [one, new Map()]), ...ofRows(shown.box ?? [])]);
  check.decklist = "";
}

async function recount() {
  entries = await box.entries();
  for (const kept of await box.checks()) {
    const mine = local.get(kept.id);
    if (!mine) local.set(kept.id, kept);
    else if (kept.version > mine.version) Object.assign(mine, { version: kept.version, cid: kept.cid }); // another tab
  }
  tell();
  showProblems();
  showDesk();
  showTheirs();
  showWritten();
}

// Once awake, a telephone does what it could not: it sends, and asks what others did.
async function wake() {
  if (Date.now() - asked > AFRESH || !online || keyless) await refresh();
  if (online && !keyless) await send();
}

// Whom to check

function shownChecks() {
  const known = new Set(lists.checks.map((one) => one.id));
  const own = Array.from(local.values()).filter((one) => isUnsent(one) || !known.has(one.cid));
  const mine = new Map(own.map((one) => [one.cid || one.id, one]));
  const told = lists.checks.map((one) => ({ ...one, ...noted(mine.get(one.id)) }));
  return [...told, ...Array.from(mine.values()).filter((one) => !known.has(one.cid)).map(noted)];
}

function noted(check) {
  if (!check) return {};
  const { id, registration, started, ended } = check;
  const said = Object.fromEntries(NOTED.map((name) => [name, check[name]]));
  return { id, registration, started, ended, ...said, unsent: isUnsent(check) };
}

const isUnsent = (check) => check.dirty || entries.some((one) => one.check === check.id);

function person(registration, address, ...said) {
  const one = $("person").content.cloneNode(true);
  const player = playerOf(registration);
  one.querySelector("a").href = address;
  one.querySelector("bdi").textContent = player?.player ?? registration;
  one.querySelector("small").textContent = said.filter(Boolean).join(" · ");
  return one;
}

const seat = (table) => table && say("at_table", { table });

function aboutPlayer(player) {
  return [seat(player.table), player.player_id, player.team, player.received ? "" : say("no_list")];
}

function aboutCheck(check) {
  const state = check.ended ? label("outcome", check.outcome) : check.started ? say("going") : say("drawn");
  return [state, seat(check.table || seatOf(check)), label("penalty", check.penalty), check.judge, check.unsent && say("to_send")];
}

// The table of the player, as long as the check has not begun.
const seatOf = (check) => (check.started ? "" : (playerOf(check.registration)?.table ?? "").slice(0, 20));

// What a choice calls one of its values.
function label(name, value) {
  return value ? (Array.from($(name).options).find((one) => one.value === value)?.text ?? value) : "";
}

function fill(id, nodes, none) {
  $(id).replaceChildren(...nodes);
  if (none) $(none).hidden = nodes.length > 0;
}

const linked = (check) => person(check.registration, `#c=${check.id}`, ...aboutCheck(check));
const toPlayer = (player) => person(player.id, `#r=${player.id}`, ...aboutPlayer(player));

function showDesk() {
  const checks = shownChecks();
  const having = lists.order.map((place) => lists.players[place]); // of a player with duplicates, only the one that counts
  const taken = new Set(checks.map((one) => one.registration));
  const begun = new Set(checks.filter((one) => one.started).map((one) => one.registration));
  const next = having.filter((one) => !taken.has(one.id));
  const checked = having.filter((one) => begun.has(one.id)).length;
  $("owed").textContent = say("owed", { count: Math.max(0, Math.ceil(having.length / 10) - checked) });
  $("by").textContent = say("by", { seed: lists.seed });
  fill("next", next.slice(0, 5).map(toPlayer));
  fill("going", checks.filter((one) => !one.ended).map(linked), "none-going");
  fill("done", checks.filter((one) => one.ended).reverse().map(linked), "none-done");
  search();
}

function search() {
  const typed = $("q").value.trim();
  const found = typed ? foundBy(typed).slice(0, 20) : [];
  fill("found", found.map(toPlayer));
  $("nobody").hidden = !typed || found.length > 0;
  return found;
}

// By the id in a link, the hash in a sheet's code, or words of the name, the id, the team.
function foundBy(typed) {
  const ids = typed.match(/[0-9a-f]{30,}/g) ?? [];
  const by = lists.players.filter((one) => ids.includes(one.id) || (one.hash && ids.includes(one.hash)));
  if (by.length) return by;
  const parts = clean(typed).split(/\s+/);
  return lists.players.filter((one) => {
    const text = clean(`${one.player} ${one.player_id} ${one.team}`);
    return parts.every((part) => text.includes(part));
  });
}

function showProblems() {
  const refused = entries.filter((one) => one.problem && one.problem.status !== 412);
  const shown = refused.map((entry) => {
    const check = local.get(entry.check);
    const notice = made("div", "", { className: "notice bad" });
    const who = check ? (playerOf(check.registration)?.player ?? "") : say("draw");
    notice.append(made("p", say("refused", { who, detail: entry.problem.detail ?? entry.problem.status })));
    const again = made("button", say("again"), { type: "button", onclick: () => busily(() => retry(entry)) });
    const drop = made("button", say("drop"), { type: "button", onclick: () => busily(() => dropped(entry, check)) });
    const actions = made("p", "", { className: "actions" });
    actions.append(again, drop);
    notice.append(actions);
    return notice;
  });
  $("problems").replaceChildren(...shown);
}

async function retry(entry) {
  await box.keep(null, { ...entry, id: newId(), problem: null });
  await send();
}

async function dropped(entry, check) {
  if (entry.kind === "begin") {
    await box.drop(check);
    local.delete(check.id);
    if (check === open) location.hash = "";
  } else {
    await box.settle(entry, check);
  }
  await send();
}

// A check

function started(registration, more = {}) {
  const plain = { id: newId(), event, registration, cid: "", version: 0, counts: new Map(), started: null, ended: null };
  const said = Object.fromEntries(NOTED.map((name) => [name, ""]));
  return { ...plain, ...said, grace: 3, swap: false, decklist: "", dirty: false, answer: null, ...more };
}

// A check as the server has it, to go on with.
function taken(shown) {
  const said = Object.fromEntries(NOTED.map((name) => [name, shown[name] ?? ""]));
  const counts = shown.counts ? ofRows(shown.counts) : unpacked(shown.box);
  const { id, registration, version, started: since, ended, grace } = shown;
  const more = { id, cid: id, version, counts, started: since, ended, grace, swap: shown.between_games, ...said };
  return started(registration, more);
}

function ofRows(rows) {
  const counts = new Map();
  for (const { section, number, name, count } of rows) {
    if (!counts.has(section)) counts.set(section, new Map());
    counts.get(section).set(number || name, count);
  }
  return counts;
}

function checkCalled(id) {
  const mine = local.get(id) ?? Array.from(local.values()).find((one) => one.cid === id);
  const shown = lists.checks.find((one) => one.id === (mine?.cid || id));
  if (mine && (isUnsent(mine) || !shown || shown.version <= mine.version)) return mine;
  return shown ? { ...taken(shown), id: mine?.id ?? shown.id } : null;
}

function route() {
  const [what, id] = location.hash.slice(1).split("=");
  open = what === "c" ? checkCalled(id) : what === "r" && playerOf(id) ? started(id) : null;
  $("desk").hidden = open !== null;
  $("check").hidden = $("bar").hidden = open === null;
  if (!open) {
    showDesk();
    scrollTo(0, 0);
    return;
  }
  showCheck();
  scrollTo(0, 0);
  $("who").focus({ preventScroll: true });
}

function showCheck() {
  const player = playerOf(open.registration);
  $("who").textContent = player?.player ?? "";
  $("about").textContent = player ? aboutPlayer(player).filter(Boolean).join(" · ") : "";
  open.table ||= seatOf(open);
  for (const name of [...NOTED, "decklist"]) $(name).value = open[name] ?? "";
  showVerdict(player);
  $("between_games").checked = open.swap;
  $("swaps").hidden = !lists.event.swaps;
  $("unread").hidden = !player?.unread.length;
  $("unread").textContent = player ? say("unread", { lines: player.unread.join("; ") }) : "";
  const earlier = earlierOf(open);
  $("earlier-box").hidden = !earlier.length;
  $("earlier").replaceChildren(...earlier.map((one) => made("li", one.log, { dir: "auto" })));
  showMates();
  $("begin-box").hidden = Boolean(open.started) || !player?.received;
  $("counting").hidden = $("bar").hidden = !open.started;
  $("paste").open = Boolean(open.decklist);
  showSections();
  showAnswer();
  showTheirs();
  tick();
}

// Whether the registered list is legal, and why not: sentences, where each rule is written, and the infraction.
function showVerdict(player) {
  const isKnown = typeof player?.legal === "boolean";
  $("verdict").hidden = !isKnown;
  if (!isKnown) return;
  const mark = made("span", player.legal ? "✓ " : "✗ ", { ariaHidden: "true" });
  const head = made("b", say(player.legal ? "legal" : "illegal"), { className: player.legal ? "good" : "bad" });
  head.prepend(mark);
  const list = made("ul", "", { className: "findings" });
  list.append(...player.findings.map(shownFinding));
  const isUnguided = !player.legal && !lists.event.has_guide;
  const note = made("p", say("guideless"), { className: "soft" });
  $("verdict").replaceChildren(head, ...(player.findings.length ? [list] : []), ...(isUnguided ? [note] : []));
}

function shownFinding({ severity, message, rule, infraction }) {
  const item = made("li", "", { className: `finding ${severity}` });
  const text = severity === "warning" ? `${say("warned")}: ${message}` : message;
  item.append(made("p", text, { className: "says", dir: "auto" }));
  item.append(made("p", `${rule.document}, ${rule.section}`, { className: "rule", lang: "en" }));
  if (infraction) {
    const { title, suggested_penalty: penalty, source } = infraction;
    const parts = source ? [say("guided", { penalty }), `${source.document}, ${source.section}`] : [];
    item.append(made("p", [say("infraction", { title }), ...parts].join(" · "), { className: "soft" }));
  }
  return item;
}

// Other checks of this deck: two judges may have begun one each while they were offline, and both are kept.
function showMates() {
  const mates = open ? shownChecks().filter((one) => one.registration === open.registration && !isSame(one, open)) : [];
  $("others").hidden = !mates.length;
  $("mates").replaceChildren(...mates.map(linked));
}

const isSame = (one, check) => one.id === check.id || one.id === check.cid;

function earlierOf(check) {
  const own = lists.checks.filter((one) => one.registration === check.registration && one.log && !isSame(one, check));
  return own;
}

function sectionsShown() {
  const registered = unpacked(playerOf(open.registration)?.cards);
  const all = new Set([...lists.event.sections, ...registered.keys(), ...open.counts.keys()]);
  return Array.from(all).filter((one) => registered.has(one) || open.counts.has(one));
}

function cardsShown(section) {
  const registered = unpacked(playerOf(open.registration)?.cards);
  const others = open.swap && SWAPPED.includes(section) ? SWAPPED : [];
  const places = [section, ...others.filter((one) => one !== section)];
  const cards = places.flatMap((one) => [...(registered.get(one)?.keys() ?? [])]);
  return Array.from(new Set([...cards, ...(open.counts.get(section)?.keys() ?? [])]));
}

let drawnRows = new Map(); // what shows each section and each row of it

function showSections() {
  const registered = unpacked(playerOf(open.registration)?.cards);
  drawnRows = new Map();
  const shown = sectionsShown().map((section) => {
    const part = $("section").content.cloneNode(true).firstChild;
    const title = say(`section_${section}`);
    part.dataset.section = section;
    part.querySelector("h2 span").textContent = title;
    const whole = part.querySelector("[data-all]");
    whole.setAttribute("aria-label", `${whole.textContent}: ${title}`);
    const none = part.querySelector("[data-none]");
    none.setAttribute("aria-label", `${none.textContent}: ${title}`);
    const rows = new Map();
    for (const card of cardsShown(section)) {
      const row = $("row").content.cloneNode(true).firstChild;
      const wanted = registered.get(section)?.get(card) ?? 0;
      Object.assign(row.dataset, { section, card, wanted });
      row.querySelector("bdi").textContent = nameOf(card);
      row.querySelector("small").textContent = nameOf(card) === card ? "" : card;
      row.querySelector(".less").setAttribute("aria-label", say("less", { card: labelled(card) }));
      row.querySelector(".whole").setAttribute("aria-label", say("whole", { card: labelled(card), count: wanted }));
      part.querySelector("ul").append(row);
      rows.set(card, row);
    }
    drawnRows.set(section, { part, rows, wanted: sum(registered.get(section)) });
    return part;
  });
  $("sections").replaceChildren(...shown);
  for (const section of drawnRows.keys()) for (const card of drawnRows.get(section).rows.keys()) showRow(section, card);
  showTallies();
}

function showRow(section, card) {
  const row = drawnRows.get(section).rows.get(card);
  const count = open.counts.get(section)?.get(card) ?? 0;
  const all = Number(row.dataset.wanted);
  const button = row.querySelector(".card");
  button.querySelector("b").textContent = `${count}/${all}`;
  button.setAttribute("aria-label", say("row", { card: labelled(card), count, all }));
  row.className = count === all ? "same" : count > all ? "over" : "";
}

function showTallies() {
  const found = differences(open);
  for (const [section, { part, wanted }] of drawnRows) {
    const counted = sum(open.counts.get(section));
    part.querySelector("h2 small").textContent = say("tally", { count: counted, all: wanted });
    const differing = found.find((one) => one.sections[0] === section);
    const text = differing ? differs(differing) : [];
    const shown = part.querySelector(".differs");
    if (shown.innerText.trim() !== text.join("\n").trim()) shown.replaceChildren(...text.map((one) => made("p", one)));
  }
  const rule = open.swap && lists.event.one_for_one;
  $("swap-rule").hidden = !rule;
  $("total").textContent = say("tally", {
    count: sum(new Map(Array.from(open.counts, ([section, cards]) => [section, sum(cards)]))),
    all: sum(new Map(Array.from(drawnRows, ([section, one]) => [section, one.wanted]))),
  });
  showSuggested(found);
}

// While the counting goes on, what is missing is said once it is little.
function differs({ missing, extra, all, counted }) {
  const said = [];
  if (!missing.length && !extra.length) return [say("agree")];
  if (extra.length) said.push(say("extra", { cards: listed(extra) }));
  if (missing.length && (counted >= all || missing.length <= FEW)) said.push(say("missing", { cards: listed(missing) }));
  return said;
}

function count(section, card, change) {
  if (!open.counts.has(section)) open.counts.set(section, new Map());
  const cards = open.counts.get(section);
  cards.set(card, Math.min(MOST, Math.max(0, (cards.get(card) ?? 0) + change)));
  showRow(section, card);
  changed();
}

function countAll(section, isThere) {
  const registered = isThere ? unpacked(playerOf(open.registration)?.cards).get(section) : null;
  open.counts.set(section, new Map(registered ?? []));
  showSections();
  changed();
}

// Whatever was entered is kept at once.
function changed() {
  if (!open.started) return;
  open.dirty = true;
  local.set(open.id, open);
  box.keep(open).catch(failed);
  showTallies();
  showWritten();
}

function failed(error) {
  $("problems").replaceChildren(made("div", say("unkept", { why: String(error) }), { className: "notice bad" }));
}

// What the policy says, as api/events/penalties.py has it: a repeat goes up one step, up to a disqualification.
function suggested(infraction, check) {
  const { ladder, infractions } = lists;
  const kind = infractions.find((one) => one.key === infraction);
  const before = earlierOf(check).filter((one) => one.infraction === infraction);
  const highest = Math.max(...before.map((one) => ladder.indexOf(one.penalty)));
  const own = ladder.indexOf(kind.penalty);
  const step = before.length ? Math.max(own, Math.min(highest + 1, ladder.indexOf("Disqualification"))) : own;
  return { penalty: ladder[step], most: ladder[Math.max(step, ladder.indexOf(kind.most))], fix: kind.fix };
}

function showSuggested(found) {
  const isDifferent = found.some((one) => one.missing.length || one.extra.length);
  const infraction = open.infraction || (isDifferent && open.outcome && open.outcome !== "ok" ? "list-mismatch" : "");
  $("suggested").hidden = !infraction;
  $("guideless").hidden = lists.event.has_guide !== false;
  if (infraction) {
    const { penalty, most } = suggested(infraction, open);
    const values = { infraction: label("infraction", infraction), penalty: label("penalty", penalty) };
    const text = say("suggested", values) + (most === penalty ? "" : ` ${say("up_to", { most: label("penalty", most) })}`);
    const shown = $("suggested").firstChild;
    if (shown.textContent !== text) shown.textContent = text;
  }
  showLog();
}

// Bandai's order: player, infraction, penalty, reason, judge.
function showLog() {
  const kind = lists.infractions.find((one) => one.key === open.infraction);
  const log = $("log");
  log.hidden = !(kind && open.penalty);
  const judge = lists.checks.find((one) => isSame(one, open))?.judge ?? lists.judge;
  if (kind) log.textContent = [playerOf(open.registration)?.player, kind.title, open.penalty, open.reason, judge].join(" · ");
}

// What of a list that was pasted could not be read, and was not compared.
function showAnswer() {
  const unread = open.answer?.unread ?? [];
  $("answered").hidden = !unread.length;
  $("answered").replaceChildren(...unread.map((line) => made("p", say("uncompared", { line }))));
}

// Somebody else wrote it meanwhile: what each has is shown, and the judge decides.
function showTheirs() {
  const shown = open && lists.checks.find((one) => one.id === open.cid);
  const isRefused = open && entries.some((one) => one.check === open.id && one.problem?.status === 412);
  const differ = Boolean(shown && shown.version > open.version && (open.dirty || isRefused));
  $("theirs").hidden = !differ;
  if (!differ) return;
  const parts = Array.from(shown.counts ? ofRows(shown.counts) : unpacked(shown.box), ([section, cards]) => {
    return `${say(`section_${section}`)}: ${sum(cards)} / ${sum(open.counts.get(section))}`;
  });
  const said = [...aboutCheck({ ...shown, unsent: false }), shown.reason, shown.note].filter(Boolean).join(" · ");
  $("theirs-say").textContent = `${said}. ${parts.length ? say("theirs", { parts: parts.join(", ") }) : ""}`;
}

function showWritten() {
  if (!open?.started) return;
  const waits = entries.some((one) => one.check === open.id);
  const text = say(open.dirty ? "unwritten" : waits ? "kept" : "written");
  if ($("written").textContent !== text) $("written").textContent = text;
}

function tick() {
  if (!open?.started) return;
  const until = open.ended ? new Date(open.ended) : now();
  const seconds = Math.max(0, Math.floor((until - new Date(open.started)) / 1000));
  $("clock").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const isLost = lists.ladder.indexOf(open.penalty) >= lists.ladder.indexOf("Game Loss");
  $("extension").hidden = !open.ended;
  $("extension").textContent = say("extension", { count: isLost ? 0 : Math.ceil(seconds / 60) + open.grace });
  $("end").hidden = Boolean(open.ended);
  $("resume").hidden = !open.ended;
}

// What is written down

function fieldsOf(check) {
  const said = NOTED.map((name) => [name, check[name]]);
  const fields = [...said, ["started", check.started], ["ended", check.ended ?? ""], ["grace", check.grace]];
  if (check.swap) fields.push(["between_games", "true"]);
  if (check.decklist.trim()) return [...fields, ["decklist", check.decklist]];
  for (const [section, cards] of check.counts) {
    fields.push([`looked.${section}`, "true"]);
    for (const [card, count] of cards) fields.push([`count.${section}.${card}`, count]);
  }
  return fields;
}

async function write(more = {}) {
  const check = Object.assign(open, more, { dirty: false });
  local.set(check.id, check);
  for (const one of entries) {
    if (one.check === check.id && one.problem && one.kind === "record" && one.problem.status !== 412) await box.settle(one);
  }
  await box.keep(check, { check: check.id, kind: "record", fields: fieldsOf(check) });
  await after();
}

async function after() {
  await recount();
  if (open) tick();
  await send();
}

async function begin() {
  open.started = stamp();
  local.set(open.id, open);
  if (open.cid) {
    showCheck(); // of a deck that was drawn
    return write();
  }
  const said = ["registration", "started", "table", "round"].map((name) => [name, open[name]]);
  await box.keep(open, { check: open.id, kind: "begin", fields: said });
  history.replaceState(null, "", `#c=${open.id}`);
  showCheck();
  return after();
}

async function decide(isMine) {
  const check = open;
  const shown = lists.checks.find((one) => one.id === check.cid);
  for (const one of await box.entries()) if (one.check === check.id) await box.settle(one);
  if (isMine) {
    check.version = shown.version;
    return write();
  }
  await box.drop(check);
  local.delete(check.id);
  entries = await box.entries();
  open = taken(shown);
  history.replaceState(null, "", `#c=${open.id}`);
  showCheck();
  return after();
}

function add() {
  const card = meant($("extra-card").value);
  if (!card) return $("extra-card").focus();
  const section = $("extra-section").value;
  if (!drawnRows.get(section)?.rows.has(card)) {
    if (!open.counts.has(section)) open.counts.set(section, new Map());
    open.counts.get(section).set(card, 0);
    showSections();
  }
  count(section, card, 1);
  $("extra-card").value = "";
}

async function draw(form) {
  const fields = [...new FormData(form)].filter(([name]) => !["csrf_token", "once"].includes(name));
  await box.keep(null, { check: "", kind: "draw", fields });
  $("drawn").textContent = say("draws");
  await after();
}

function noticed(field) {
  if (field.name === "between_games") open.swap = field.checked;
  else if (field.name in open) open[field.name] = field.value;
  else return;
  if (field.name === "between_games" && open.started) showSections();
  changed();
}

// What is pressed

let pressed = 0; // the timer of a press, which takes a card off when it is long
let wasLong = false;

function release() {
  clearTimeout(pressed);
}

$("sections").addEventListener("pointerdown", ({ target }) => {
  const button = target.closest(".card");
  release();
  wasLong = false;
  if (!button) return;
  const { section, card } = button.closest("li").dataset;
  pressed = setTimeout(() => {
    wasLong = true;
    navigator.vibrate?.(30);
    count(section, card, -1);
  }, LONG);
});
for (const kind of ["pointerup", "pointercancel", "pointerleave"]) $("sections").addEventListener(kind, release);
addEventListener("scroll", release, { passive: true });
$("sections").addEventListener("contextmenu", (event) => event.preventDefault());

$("sections").addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  const { section } = button.closest("[data-section]").dataset;
  if ("all" in button.dataset || "none" in button.dataset) {
    countAll(section, "all" in button.dataset);
    drawnRows.get(section).part.querySelector("all" in button.dataset ? "[data-all]" : "[data-none]").focus();
    return;
  }
  const { card, wanted } = button.closest("li").dataset;
  const there = open.counts.get(section)?.get(card) ?? 0;
  if (button.matches(".less")) count(section, card, -1);
  else if (button.matches(".whole")) count(section, card, wanted - there);
  else if (!wasLong) count(section, card, 1);
  wasLong = false;
});

// With a keyboard a row takes "-" and "a", too.
$("sections").addEventListener("keydown", (event) => {
  const row = event.target.closest("li");
  const word = { "-": ".less", a: ".whole" }[event.key];
  if (row && word && !event.ctrlKey && !event.metaKey && !event.altKey) row.querySelector(word).click();
});

const done = {
  back: () => (location.hash = ""),
  begin,
  add,
  write: () => write(),
  "bar-write": () => write(),
  end: () => write({ ended: stamp() }),
  resume: () => write({ ended: null }),
  mine: () => decide(true),
  other: () => decide(false),
};
for (const [id, act] of Object.entries(done)) $(id).addEventListener("click", () => busily(act));

$("notes").addEventListener("submit", (event) => event.preventDefault());
$("notes").addEventListener("input", ({ target }) => noticed(target));
$("extra-card").addEventListener("keydown", (event) => event.key === "Enter" && add());

$("q").addEventListener("input", search);
$("search").addEventListener("submit", (event) => {
  event.preventDefault();
  const found = search();
  if (found.length === 1) location.hash = `r=${found[0].id}`;
});

$("draw").addEventListener("submit", (event) => {
  event.preventDefault();
  busily(() => draw(event.target));
});

// Sent as a form is; the page may be a copy whose token is old.
$("seeding").addEventListener("submit", (event) => {
  if (!online || keyless) {
    event.preventDefault();
    $("seeded").textContent = say("seeds");
    return;
  }
  event.target.elements.csrf_token.value = lists.token;
  event.target.elements.once.value = newId();
});

// The page that shows a new link needs the server.
$("new-link").addEventListener("submit", (event) => {
  if (!online || keyless) return event.preventDefault();
  const page = new URL(door, location.href);
  page.pathname += `/registrations/${open.registration}/key`;
  event.target.action = page.href;
  event.target.elements.csrf_token.value = lists.token;
  event.target.elements.once.value = newId();
});

let mayLeave = false;
$("leave").addEventListener("submit", async (event) => {
  event.preventDefault();
  const isAllSent = !entries.length && !Array.from(local.values()).some((one) => one.dirty);
  if (!isAllSent && !mayLeave) {
    mayLeave = true;
    $("unsent").hidden = false;
    return;
  }
  event.target.elements.csrf_token.value = lists.token;
  await forget(box.event);
  event.target.submit();
});

// The page as it is, to be opened again where there is no line; there is no way to but by HTTPS.
async function keepPage() {
  $("open-note").hidden = isSecureContext;
  if (!isSecureContext || !("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(`${root}/worker.js`, { scope: root });
  const cache = await caches.open(`deckproof-table ${event}`);
  const parts = [...document.querySelectorAll("link[rel=stylesheet], link[rel=icon], script[src]")];
  const addresses = [location.pathname, new URL("./outbox.js", import.meta.url).href];
  await cache.addAll([...new Set([...addresses, ...parts.map((one) => one.href ?? one.src)])]);
}

function offer() {
  const sections = lists.event.sections.map((one) => made("option", say(`section_${one}`), { value: one }));
  $("extra-section").replaceChildren(...sections);
  if (lists.event.sections.includes("main")) $("extra-section").value = "main";
  const known = lists.cards.map(([number, name]) => made("option", number ? name : "", { value: number || name }));
  $("known").replaceChildren(...known.slice(0, 3000));
}

async function start() {
  try {
    box = await Outbox.of(event);
    await forgetOld(box);
  } catch {
    $("unkept").hidden = false; // the forms of the page go on
    return;
  }
  lists = await box.lists();
  for (const one of await box.checks()) local.set(one.id, one);
  entries = await box.entries();
  const isThere = await refresh();
  if (!lists) return; // there has never been a line
  tell();
  await recount();
  offer();
  addEventListener("hashchange", route);
  if (location.hash || !$("q").value) route();
  else if (search().length === 1) location.replace(`#r=${search()[0].id}`);
  if (isThere) keepPage().catch(() => ($("open-note").hidden = false));
  addEventListener("online", () => busily(wake));
  addEventListener("offline", () => reached(false));
  document.addEventListener("visibilitychange", () => document.hidden || busily(wake));
  setInterval(tick, 1000);
  setInterval(() => document.hidden || busily(wake), AGAIN);
  await send();
}

busily(start);
