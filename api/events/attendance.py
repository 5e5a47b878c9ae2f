"""Attendance: whose list is there, who of an expected list of players is missing, and what to remind them of."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from api.events.entrant import Entrant, name_key
from api.events.event_keys import Caller
from api.events.tournament import Tournament
from validator.judge import Verdict


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
        shown["legal"] = verdict.legal if verdict else None
    return shown


def without_list(of: Tournament, entrants: Iterable[Entrant], now: datetime) -> dict[str, Any]:
    """Return who registered and has sent no list, and what to remind them of."""
    late = [one for one in entrants if not one.received]
    players = [{"id": one.id, "player": one.player} for one in late]
    return {"missing": players, "reminder": reminder(of, [one.player for one in late], now)}


def compared(of: Tournament, entrants: Iterable[Entrant], expected: Iterable[str], now: datetime) -> dict[str, Any]:
    """Compare who registered with the players who are expected, by name however it is written."""
    known: dict[str, list[Entrant]] = {}
    for one in entrants:
        known.setdefault(one.filed, []).append(one)
    names = {name_key(name): name for name in expected}
    registered = [one for key in names for one in known.get(key, ())]
    absent = [name for key, name in names.items() if key not in known]
    listed = [one for one in registered if one.received]
    listless = [one for one in registered if not one.received]
    missing = sorted([*(one.player for one in listless), *absent], key=name_key)
    return {
        "expected": len(names),
        "received": list(map(_named, listed)),
        "without_list": list(map(_named, listless)),
        "not_registered": absent,
        "missing": missing,
        "not_expected": [_named(one) for key, found in known.items() if key not in names for one in found],
        "reminder": reminder(of, missing, now),
    }


def _named(one: Entrant) -> dict[str, Any]:
    return {"id": one.id, "player": one.player}


def reminder(of: Tournament, players: list[str], now: datetime) -> str:
    """Return the text of a message to those who are missing; "" where nobody is."""
    if not players:
        return ""
    named = "; ".join(players)
    start = f"{of.name}, {of.on.isoformat()}: no deck list has been received from {named}."
    if not of.is_open(now):
        return f"{start} Registration is closed; please see a judge."
    end = f" until {said_time(of, of.closes)}" if of.closes else ""
    return f"{start} Please send it{end}; it may be changed until then, and the last one counts."
