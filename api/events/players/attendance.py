"""Attendance: whose list is there, who of an expected list of players is missing, and what to remind them of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from api.events.event_json import NamedPlayerJSON
from api.events.player_json import (
    AwaitedPlayerJSON,
    ComparedJSON,
    ExpectedJSON,
    ExpectedPlayerJSON,
    ListCountsJSON,
    MissingJSON,
    RosteredJSON,
    RosterJSON,
)
from api.events.players.duplicates import Duplicates
from api.events.players.entrant import Entrant, ExpectedPlayer, RegisteredPlayers, find_absent, name_key
from api.events.storage.event_keys import Caller
from api.events.tournament import Tournament
from validator.judge import Verdict
from validator.language import ENGLISH, Language

# Whether a row of the roster has a state. Only staff get rows with `legal`.
_STATES: Mapping[str, Callable[[RosteredJSON], bool]] = {
    "all": lambda row: True,
    "received": lambda row: bool(row["received"]),
    "missing": lambda row: not row["received"],
    "legal": lambda row: row.get("legal") is True,
    "illegal": lambda row: row.get("legal") is False,
}
# Sort keys: a row without a value comes last, also if the order is descending.
_VALUES: Mapping[str, Callable[[RosteredJSON], Any]] = {
    "player": lambda row: name_key(row["player"]),
    "team": lambda row: row["team"].casefold(),
    "received": lambda row: row["at"],
    "legal": lambda row: row.get("legal"),
    "table": lambda row: _table_key(row.get("table", "")),
}
STATES = tuple(_STATES)
COLUMNS = tuple(_VALUES)
SORTS = (*COLUMNS, *(f"-{column}" for column in COLUMNS))  # "-" is descending


class RosterOrder(NamedTuple):
    """The order and the selection of the roster's rows.

    `sort` is one of SORTS, such as "received" or "-received" (descending), "" for the given order, which is by name.
    `state` is one of STATES: only rows in this state are kept.
    """

    sort: str = ""
    state: str = "all"

    def arrange(self, rows: Sequence[RosteredJSON]) -> list[RosteredJSON]:
        """Return the rows that have the state, sorted. Rows without a value in the sorted column come last.

        Rows without a verdict are neither "legal" nor "illegal". The column "received" sorts by time.
        """
        kept = [row for row in rows if _STATES[self.state](row)]
        if not self.sort:
            return kept
        value = _VALUES[self.sort.removeprefix("-")]
        filled = [row for row in kept if value(row) not in (None, "")]
        filled.sort(key=value, reverse=self.sort.startswith("-"))
        return filled + [row for row in kept if value(row) in (None, "")]


BY_NAME = RosterOrder()


def _table_key(table: str) -> Any:
    """Return the sort key of a table: tables with a number come first, by the number. "" if `table` is ""."""
    if not table:
        return ""
    is_number = table.isascii() and table.isdigit()
    return (not is_number, int(table) if is_number else 0, table.casefold())


def format_time(event: Tournament, moment: datetime, translate: Language = ENGLISH) -> str:
    """Return a moment as people read it, in the time zone of the event.

    An example is `2026-11-21 22:00 (Europe/Berlin, UTC+0100)`. The day is written as in the language. Seconds are only
    written if they are not 0.
    """
    wall = event.local(moment)
    clock = f"{wall:%H:%M:%S}" if wall.second else f"{wall:%H:%M}"
    zone = event.timezone if event.timezone == "UTC" else f"{event.timezone}, UTC{wall:%z}"
    return f"{translate.day(wall.date())} {clock} ({zone})"


def roster(
    event: Tournament,
    rows: Iterable[tuple[Entrant, Verdict | None]],
    duplicates: Duplicates,
    caller: Caller,
    order: RosterOrder,
) -> RosterJSON:
    """Return the registrations without their lists as JSON.

    `order` selects and sorts the rows, but does not change the counts. `rows` are all registrations, each with the
    verdict on its list, None if there is none or the caller may not see it. The counts have each player once, the rows
    have all registrations. Only staff get `duplicates` and `not_legal`, which is None if they may not see all lists
    yet.
    """
    rows = list(rows)
    players = [_roster_row(event, one, verdict, duplicates, caller) for one, verdict in rows]
    sums = count_lists(duplicates, {one.id: verdict for one, verdict in rows})
    shown: RosterJSON = {
        "event": event.id,
        "name": event.name,
        "registered": sums["registered"],
        "received": sums["received"],
        "missing": sums["missing"],
        "players": order.arrange(players),
    }
    if caller.is_staff:
        shown["duplicates"] = sums["duplicates"]
        shown["not_legal"] = sums["not_legal"]
    return shown


def count_lists(duplicates: Duplicates, verdicts: Mapping[str, Verdict | None]) -> ListCountsJSON:
    """Return the numbers of the registered players and of their lists. A player with duplicates is counted once.

    `duplicates` in the result is the number of registrations that do not count. `verdicts` are by the id of a
    registration. `not_legal` is the number of lists that are not legal. It is None if a list has no verdict, because it
    may not be seen yet.
    """
    counted = duplicates.counted_registrations
    judged = [verdicts.get(one.id) for one in counted if one.has_list]
    illegal = [verdict is not None and not verdict.legal for verdict in judged]
    return {
        "registered": len(counted),
        "received": len(judged),
        "missing": len(counted) - len(judged),
        "duplicates": len(duplicates.left_out),
        "not_legal": None if None in judged else sum(illegal),
    }


def _roster_row(
    event: Tournament, entrant: Entrant, verdict: Verdict | None, duplicates: Duplicates, caller: Caller
) -> RosteredJSON:
    """Return the row of a registration in the roster.

    Only staff get ids, revisions, own deadlines, the top cut, tables, verdicts and duplicates. `at` is the local time
    of the newest revision, None without a list.
    """
    at = event.local(entrant.revision.at).isoformat() if entrant.has_list else None
    shown: RosteredJSON = {
        "player": entrant.player,
        "team": entrant.revision.written.team,
        "received": entrant.has_list,
        "at": at,
    }
    if caller.is_staff:
        shown["id"] = entrant.id
        shown["revision"] = entrant.revision.number
        shown["until"] = entrant.until.isoformat() if entrant.until else None
        shown["cut"] = entrant.cut
        shown["table"] = entrant.where.table
        shown["legal"] = verdict.legal if verdict else None
        shown["duplicates"] = [other.entrant.id for other in duplicates.find(entrant)]
    return shown


def find_missing(
    event: Tournament,
    duplicates: Duplicates,
    expected: Iterable[ExpectedPlayer],
    moment: datetime,
    translate: Language = ENGLISH,
    address: str = "",
) -> MissingJSON:
    """Return the players without a list, the expected players who have not registered, and a reminder to both.

    `address` is that of the event's page, which the reminder contains, "" for none. A player with several registrations
    is missing only if the one that counts has no list. `not_registered` has names in the order of `expected`. The
    reminder, as of `moment`, has all names by last name, and is "" if nobody is missing. `left_out` has the ids of the
    registrations that do not count.
    """
    entrants = duplicates.counted_registrations
    late = [one for one in entrants if not one.has_list]
    away = [one.player for one in find_absent(expected, entrants)]
    missing = sorted([*(one.player for one in late), *away], key=name_key)
    return {
        "missing": list(map(_player_json, late)),
        "not_registered": away,
        "left_out": list(duplicates.left_out),
        "reminder": reminder(event, missing, moment, translate, address),
    }


def expected_json(expected: Iterable[ExpectedPlayer], entrants: Iterable[Entrant]) -> ExpectedJSON:
    """Return the expected players as JSON. `registered` is True if a registration of `entrants` is the player's."""
    here = RegisteredPlayers(entrants)
    players: list[ExpectedPlayerJSON] = [
        {**awaited_json(one), "registered": here.is_registered(one)} for one in expected
    ]
    return {"expected": len(players), "players": players}


def compare_names(
    event: Tournament,
    entrants: Iterable[Entrant],
    expected: Iterable[str],
    moment: datetime,
    translate: Language = ENGLISH,
    address: str = "",
) -> ComparedJSON:
    """Compare the registered players with expected names, in any order and spelling of first and last name.

    Names that are equal in this way count once. `received` are the expected registrations with a list, `without_list`
    those without. `missing` has the names of the latter and the unregistered names, sorted by name. `not_expected` are
    the registrations with another name. `address` is that of the event's page for the reminder, "" for none.
    """
    known: dict[str, list[Entrant]] = {}
    for one in entrants:
        known.setdefault(one.sort_key, []).append(one)
    names = {name_key(name): name for name in expected}
    registered = [one for key in names for one in known.get(key, ())]
    absent = [name for key, name in names.items() if key not in known]
    sent: dict[bool, list[Entrant]] = {True: [], False: []}
    for one in registered:
        sent[one.has_list].append(one)
    missing = sorted([*(one.player for one in sent[False]), *absent], key=name_key)
    return {
        "expected": len(names),
        "received": list(map(_player_json, sent[True])),
        "without_list": list(map(_player_json, sent[False])),
        "not_registered": absent,
        "missing": missing,
        "not_expected": [_player_json(one) for key, found in known.items() if key not in names for one in found],
        "reminder": reminder(event, missing, moment, translate, address),
    }


def awaited_json(player: ExpectedPlayer) -> AwaitedPlayerJSON:
    """Return the name, player ID and e-mail address of an expected player as JSON."""
    return {"player": player.player, "player_id": player.player_id, "email": player.email}


def _player_json(entrant: Entrant) -> NamedPlayerJSON:
    """Return the id of a registration and the name of its player as JSON."""
    return {"id": entrant.id, "player": entrant.player}


def reminder(
    event: Tournament, players: list[str], moment: datetime, translate: Language = ENGLISH, address: str = ""
) -> str:
    """Return one message to all missing players by name, with the event and what to do. "" if `players` is empty.

    `address` is that of the event's page, "" for none.
    """
    if not players:
        return ""
    values = {"event": event.name, "day": event.on.isoformat(), "players": "; ".join(players)}
    text = translate("{event}, {day}: no deck list has been received from {players}.", **values)
    return f"{text} {what_to_do(event, moment, translate, page_line(event, address, translate))}"


def letter(event: Tournament, moment: datetime, translate: Language = ENGLISH, address: str = "") -> tuple[str, str]:
    """Return (subject, text) of a letter to a player without a list. It does not name the player.

    `address` is that of the event's page, "" for none.
    """
    values = {"event": event.name, "day": event.on.isoformat()}
    text = translate("We have received no deck list from you for {event}, {day}.", **values)
    task = what_to_do(event, moment, translate, page_line(event, address, translate))
    return translate("Your deck list for {event}, {day}", **values), f"{text} {task}"


def link_letter(event: Tournament, link: str, moment: datetime, translate: Language = ENGLISH) -> tuple[str, str]:
    """Return (subject, text) of a letter with the personal link of a registered player. It does not name the player."""
    values = {"event": event.name, "day": event.on.isoformat()}
    text = translate("You are registered for {event}, {day}.", **values)
    line = translate("Your personal link: {link}", link=link)
    keep = translate("Keep the link: anyone with it can change your list.")
    subject = translate("Your link for {event}, {day}", **values)
    return subject, f"{text} {what_to_do(event, moment, translate, line)} {keep}"


def page_line(event: Tournament, address: str, translate: Language) -> str:
    """Return the sentence on where to send a list: by the personal link, or on the event's page with its join code.

    "" if `address`, that of the page, is "".
    """
    if not address:
        return ""
    values = {"address": address, "code": event.code}
    return translate("Open your personal link, or register at {address} (event code {code}).", **values)


def what_to_do(event: Tournament, moment: datetime, translate: Language, line: str = "") -> str:
    """Return the advice to a missing player: to send the list by the deadline, or to see a judge after it.

    `line` is a sentence with the address to send the list to, which is appended while registration is open.
    """
    if not event.is_open(moment):
        return translate("Registration is closed. Please see a judge.")
    if event.closes is None:
        task = translate("Please send your list. You can change the list later. The last list counts.")
    else:
        until = format_time(event, event.closes, translate)
        task = translate(
            "Please send your list by {until}. You can change the list until then. The last list counts.", until=until
        )
    return f"{task} {line}".strip()
