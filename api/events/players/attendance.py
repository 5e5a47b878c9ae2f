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
from api.events.players.entrant import Attending, Entrant, ExpectedPlayer, absent, name_key
from api.events.storage.event_keys import Caller
from api.events.tournament import Tournament
from validator.judge import Verdict
from validator.language import ENGLISH, Language

_Row = Mapping[str, Any]

# Whether a row of the roster has a state. Only staff get rows with `legal`.
_STATES: Mapping[str, Callable[[_Row], bool]] = {
    "all": lambda row: True,
    "received": lambda row: bool(row["received"]),
    "missing": lambda row: not row["received"],
    "legal": lambda row: row.get("legal") is True,
    "illegal": lambda row: row.get("legal") is False,
}
# Sort keys: a row without a value comes last, also if the order is descending.
_VALUES: Mapping[str, Callable[[_Row], Any]] = {
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
    """A sort of SORTS, "" for the order of registration names, and a state of STATES."""

    sort: str = ""
    state: str = "all"

    def arrange(self, rows: Sequence[RosteredJSON]) -> list[RosteredJSON]:
        """Return the rows that have the state, sorted."""
        kept = [row for row in rows if _STATES[self.state](row)]
        if not self.sort:
            return kept
        value = _VALUES[self.sort.removeprefix("-")]
        filled = [row for row in kept if value(row) not in (None, "")]
        filled.sort(key=value, reverse=self.sort.startswith("-"))
        return filled + [row for row in kept if value(row) in (None, "")]


BY_NAME = RosterOrder()


def _table_key(table: str) -> Any:
    """Return the sort key of a table: tables with a number first, by the number. "" for no table."""
    if not table:
        return ""
    is_number = table.isascii() and table.isdigit()
    return (not is_number, int(table) if is_number else 0, table.casefold())


def said_time(of: Tournament, at: datetime) -> str:
    """Return a moment as people read it, with the event's zone."""
    wall = of.local(at)
    clock = f"{wall:%H:%M:%S}" if wall.second else f"{wall:%H:%M}"
    zone = of.timezone if of.timezone == "UTC" else f"{of.timezone}, UTC{wall:%z}"
    return f"{wall:%Y-%m-%d} {clock} ({zone})"


def roster(
    of: Tournament,
    rows: Iterable[tuple[Entrant, Verdict | None]],
    duplicates: Duplicates,
    caller: Caller,
    order: RosterOrder,
) -> RosterJSON:
    """Return the registered players without their lists. The counts are of all players, whichever `order` lists.

    The counts have a player with several registrations once. The rows have all registrations. Only staff get
    `duplicates` and `not_legal`, which is None if they may not see the lists yet.
    """
    rows = list(rows)
    players = [_rostered(of, one, verdict, duplicates, caller) for one, verdict in rows]
    sums = count_lists(duplicates, {one.id: verdict for one, verdict in rows})
    shown: RosterJSON = {
        "event": of.id,
        "name": of.name,
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

    `verdicts` are by registration. `not_legal` is None if a list has none, because it may not be seen yet.
    """
    counted = duplicates.counted
    judged = [verdicts.get(one.id) for one in counted if one.received]
    illegal = [verdict is not None and not verdict.legal for verdict in judged]
    return {
        "registered": len(counted),
        "received": len(judged),
        "missing": len(counted) - len(judged),
        "duplicates": len(duplicates.left_out),
        "not_legal": None if None in judged else sum(illegal),
    }


def _rostered(
    of: Tournament, one: Entrant, verdict: Verdict | None, duplicates: Duplicates, caller: Caller
) -> RosteredJSON:
    at = of.local(one.revision.at).isoformat() if one.received else None
    shown: RosteredJSON = {
        "player": one.player,
        "team": one.revision.written.team,
        "received": one.received,
        "at": at,
    }
    if caller.is_staff:
        shown["id"] = one.id
        shown["revision"] = one.revision.number
        shown["until"] = one.until.isoformat() if one.until else None
        shown["cut"] = one.cut
        shown["table"] = one.where.table
        shown["legal"] = verdict.legal if verdict else None
        shown["duplicates"] = [other.entrant.id for other in duplicates.find(one)]
    return shown


def without_list(
    of: Tournament,
    duplicates: Duplicates,
    expected: Iterable[ExpectedPlayer],
    now: datetime,
    say: Language = ENGLISH,
    address: str = "",
) -> MissingJSON:
    """Return the players without a list, the expected players who have not registered, and a reminder to both.

    `address` is that of the event's page, which the reminder contains. A player with several registrations is missing
    only if none of them has a list, and is named once. `left_out` has the ids of the other registrations.
    """
    entrants = duplicates.counted
    late = [one for one in entrants if not one.received]
    away = [one.player for one in absent(expected, entrants)]
    missing = sorted([*(one.player for one in late), *away], key=name_key)
    return {
        "missing": list(map(_named, late)),
        "not_registered": away,
        "left_out": list(duplicates.left_out),
        "reminder": reminder(of, missing, now, say, address),
    }


def listed(expected: Iterable[ExpectedPlayer], entrants: Iterable[Entrant]) -> ExpectedJSON:
    """Return the players who are expected, and whether they have registered."""
    here = Attending(entrants)
    players: list[ExpectedPlayerJSON] = [{**awaited_json(one), "registered": here.has(one)} for one in expected]
    return {"expected": len(players), "players": players}


def compared(
    of: Tournament,
    entrants: Iterable[Entrant],
    expected: Iterable[str],
    now: datetime,
    say: Language = ENGLISH,
    address: str = "",
) -> ComparedJSON:
    """Compare the registered players with those who are expected, by their names in any order and spelling."""
    known: dict[str, list[Entrant]] = {}
    for one in entrants:
        known.setdefault(one.filed, []).append(one)
    names = {name_key(name): name for name in expected}
    registered = [one for key in names for one in known.get(key, ())]
    absent = [name for key, name in names.items() if key not in known]
    sent: dict[bool, list[Entrant]] = {True: [], False: []}
    for one in registered:
        sent[one.received].append(one)
    missing = sorted([*(one.player for one in sent[False]), *absent], key=name_key)
    return {
        "expected": len(names),
        "received": list(map(_named, sent[True])),
        "without_list": list(map(_named, sent[False])),
        "not_registered": absent,
        "missing": missing,
        "not_expected": [_named(one) for key, found in known.items() if key not in names for one in found],
        "reminder": reminder(of, missing, now, say, address),
    }


def awaited_json(player: ExpectedPlayer) -> AwaitedPlayerJSON:
    """Return an expected player as JSON."""
    return {"player": player.player, "player_id": player.player_id, "email": player.email}


def _named(one: Entrant) -> NamedPlayerJSON:
    return {"id": one.id, "player": one.player}


def reminder(of: Tournament, players: list[str], now: datetime, say: Language = ENGLISH, address: str = "") -> str:
    """Return the text of a message to the missing players; "" if there are none."""
    if not players:
        return ""
    said = {"event": of.name, "day": of.on.isoformat(), "players": "; ".join(players)}
    text = say("{event}, {day}: no deck list has been received from {players}.", **said)
    return f"{text} {what_to_do(of, now, say, page_line(of, address, say))}"


def letter(of: Tournament, now: datetime, say: Language = ENGLISH, address: str = "") -> tuple[str, str]:
    """Return the subject and the text of a letter to a missing player."""
    said = {"event": of.name, "day": of.on.isoformat()}
    text = say("We have received no deck list from you for {event}, {day}.", **said)
    task = what_to_do(of, now, say, page_line(of, address, say))
    return say("Your deck list for {event}, {day}", **said), f"{text} {task}"


def link_letter(of: Tournament, link: str, now: datetime, say: Language = ENGLISH) -> tuple[str, str]:
    """Return the subject and the text of a letter that brings a player the personal link."""
    said = {"event": of.name, "day": of.on.isoformat()}
    text = say("You are registered for {event}, {day}.", **said)
    line = say("Your personal link: {link}", link=link)
    keep = say("Keep the link: anyone with it can change your list.")
    return say("Your link for {event}, {day}", **said), f"{text} {what_to_do(of, now, say, line)} {keep}"


def page_line(of: Tournament, address: str, say: Language) -> str:
    """Return the sentence on where to send a list, "" without an address."""
    if not address:
        return ""
    said = {"address": address, "code": of.code}
    return say("Open your personal link, or register at {address} (event code {code}).", **said)


def what_to_do(of: Tournament, now: datetime, say: Language, line: str = "") -> str:
    """Return the advice to a missing player. `line` is the sentence on where to send the list."""
    if not of.is_open(now):
        return say("Registration is closed; please see a judge.")
    if of.closes is None:
        task = say("Please send your list. You can change it later; the last one counts.")
    else:
        until = said_time(of, of.closes)
        task = say("Please send your list by {until}. You can change it until then; the last one counts.", until=until)
    return f"{task} {line}".strip()
