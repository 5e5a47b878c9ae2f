"""Attendance: whose list is there, who of an expected list of players is missing, and what to remind them of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from api.events.entrant import Entrant, name_key
from api.events.expected_players import Attending, ExpectedPlayer, absent
from api.events.storage.event_keys import Caller
from api.events.tournament import Tournament
from validator.judge import Verdict
from validator.language import ENGLISH, Language


def said_time(of: Tournament, at: datetime) -> str:
    """Return a moment as people read it, with the event's zone."""
    wall = of.local(at)
    clock = f"{wall:%H:%M:%S}" if wall.second else f"{wall:%H:%M}"
    return f"{wall:%Y-%m-%d} {clock} ({of.timezone}, UTC{wall:%z})"


def roster(of: Tournament, rows: Iterable[tuple[Entrant, Verdict | None]], caller: Caller) -> dict[str, Any]:
    """Return who registered and whose list is there, without the lists; those who run the event see more."""
    players = [_rostered(of, one, verdict, caller) for one, verdict in rows]
    received = sum(player["received"] for player in players)
    sums = {"registered": len(players), "received": received, "missing": len(players) - received}
    return {"event": of.id, "name": of.name, **sums, "players": players}


def _rostered(of: Tournament, one: Entrant, verdict: Verdict | None, caller: Caller) -> dict[str, Any]:
    at = of.local(one.revision.at).isoformat() if one.received else None
    shown = {"player": one.player, "team": one.revision.written.team, "received": one.received, "at": at}
    if caller.is_staff:
        own = one.until.isoformat() if one.until else None
        shown |= {"id": one.id, "revision": one.revision.number, "until": own, "cut": one.cut}
        shown["table"] = one.where.table
        shown["legal"] = verdict.legal if verdict else None
    return shown


def without_list(
    of: Tournament,
    entrants: Sequence[Entrant],
    expected: Iterable[ExpectedPlayer],
    now: datetime,
    say: Language = ENGLISH,
) -> dict[str, Any]:
    """Return who registered and has sent no list, who is expected and has not registered, and a reminder to both."""
    late = [one for one in entrants if not one.received]
    away = [one.player for one in absent(expected, entrants)]
    missing = sorted([*(one.player for one in late), *away], key=name_key)
    return {"missing": list(map(_named, late)), "not_registered": away, "reminder": reminder(of, missing, now, say)}


def listed(expected: Iterable[ExpectedPlayer], entrants: Iterable[Entrant]) -> dict[str, Any]:
    """Return the players who are expected, and whether they have registered."""
    here = Attending(entrants)
    players = [one._asdict() | {"registered": here.has(one)} for one in expected]
    return {"expected": len(players), "players": players}


def compared(
    of: Tournament, entrants: Iterable[Entrant], expected: Iterable[str], now: datetime, say: Language = ENGLISH
) -> dict[str, Any]:
    """Compare who registered with the players who are expected, by name however it is written."""
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
        "reminder": reminder(of, missing, now, say),
    }


def _named(one: Entrant) -> dict[str, Any]:
    return {"id": one.id, "player": one.player}


def reminder(of: Tournament, players: list[str], now: datetime, say: Language = ENGLISH) -> str:
    """Return the text of a message to those who are missing; "" where nobody is."""
    if not players:
        return ""
    said = {"event": of.name, "day": of.on.isoformat(), "players": "; ".join(players)}
    return f"{say('{event}, {day}: no deck list has been received from {players}.', **said)} {what_to_do(of, now, say)}"


def letter(of: Tournament, now: datetime, say: Language = ENGLISH) -> tuple[str, str]:
    """Return the subject and the text of a letter to one who is missing."""
    said = {"event": of.name, "day": of.on.isoformat()}
    text = say("We have received no deck list from you for {event}, {day}.", **said)
    return say("Your deck list for {event}, {day}", **said), f"{text} {what_to_do(of, now, say)}"


def what_to_do(of: Tournament, now: datetime, say: Language) -> str:
    """Return what one who is missing does now."""
    if not of.is_open(now):
        return say("Registration is closed; please see a judge.")
    if of.closes is None:
        return say("Please send it; it may be changed later, and the last one counts.")
    until = said_time(of, of.closes)
    return say("Please send it until {until}; it may be changed until then, and the last one counts.", until=until)
