// The list of players: whom to check next, the checks that are going on, and the search.

import { $, optionLabel, translate } from "./table_page.js";
import { findPlayer, normalise, state } from "./table_cards.js";
import { allChecks, playerTable } from "./table_checks.js";

const MOST_FOUND = 20;
const MOST_NEXT = 5;
const SHARE = 10; // one of ten decks is checked

function personRow(registration, address, details) {
  const row = $("person").content.cloneNode(true);
  row.querySelector("a").href = address;
  row.querySelector("bdi").textContent = findPlayer(registration)?.player ?? registration;
  row.querySelector("small").textContent = details;
  return row;
}

const joinDetails = (...details) => details.filter(Boolean).join(" · ");
const describeTable = (table) => table && translate("at_table", { table });

export function describePlayer(player) {
  const missing = player.received ? "" : translate("no_list");
  return joinDetails(describeTable(player.table), player.player_id, player.team, missing);
}

export function describeCheck(check, ...more) {
  const running = translate(check.started ? "going" : "drawn");
  const progress = check.ended ? optionLabel("outcome", check.outcome) : running;
  const table = describeTable(check.table || playerTable(check));
  const penalty = optionLabel("penalty", check.penalty);
  return joinDetails(progress, table, penalty, check.judge, check.unsent && translate("to_send"), ...more);
}

const playerRow = (player) => personRow(player.id, `#r=${player.id}`, describePlayer(player));
export const checkRow = (check) => personRow(check.registration, `#c=${check.id}`, describeCheck(check));

function fillList(id, rows, emptyNote) {
  $(id).replaceChildren(...rows);
  if (emptyNote) $(emptyNote).hidden = rows.length > 0;
}

export function showDesk() {
  const { lists } = state;
  const checks = allChecks();
  const withList = lists.order.map((place) => lists.players[place]); // of a player with duplicates, the one that counts
  const listed = new Set(checks.map((one) => one.registration));
  const begun = new Set(checks.filter((one) => one.started).map((one) => one.registration));
  const next = withList.filter((one) => !listed.has(one.id));
  const checked = withList.filter((one) => begun.has(one.id)).length;
  $("owed").textContent = translate("owed", { count: Math.max(0, Math.ceil(withList.length / SHARE) - checked) });
  $("by").textContent = translate("by", { seed: lists.seed });
  fillList("next", next.slice(0, MOST_NEXT).map(playerRow));
  fillList("going", checks.filter((one) => !one.ended).map(checkRow), "none-going");
  fillList("done", checks.filter((one) => one.ended).reverse().map(checkRow), "none-done");
  search();
}

// Show the players that the search finds, and return them.
export function search() {
  const typed = $("q").value.trim();
  const found = typed ? findPlayers(typed).slice(0, MOST_FOUND) : [];
  fillList("found", found.map(playerRow));
  $("nobody").hidden = !typed || found.length > 0;
  return found;
}

// Players by the id in a link, by the hash in the code of a sheet, or by words of the name, the id and the team.
function findPlayers(typed) {
  const { players } = state.lists;
  const ids = typed.match(/[0-9a-f]{30,}/g) ?? [];
  const found = players.filter((one) => ids.includes(one.id) || (one.hash && ids.includes(one.hash)));
  if (found.length) return found;
  const words = normalise(typed).split(/\s+/);
  return players.filter((one) => {
    const text = normalise(`${one.player} ${one.player_id} ${one.team}`);
    return words.every((word) => text.includes(word));
  });
}
