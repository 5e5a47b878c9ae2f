"""Sheet codes: what a telephone reads from a registration sheet, and whose sheet it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from api.events.players.entrant import Entrant
from api.events.storage.event_keys import is_id
from api.service.errors import Invalid, Wrong
from validator.deck import DeckFacts
from validator.judge import Judge

_PARTS = re.compile(r"[^0-9a-z]+")


def address(root: str, event_id: str, registration_id: str) -> str:
    """Return where the deck of a sheet is checked, at a server; "" where that has no address."""
    return f"{root.rstrip('/')}/events/{event_id}/table#r={registration_id}" if root else ""


def registration(code: str, event_id: str, by_hash: Callable[[], Mapping[str, list[str]]]) -> str:
    """Return the registration that a code is of: an address with its id, else the hash of a deck that is its alone."""
    ids = [part for part in _PARTS.split(code) if is_id(part)]
    if event_id in ids[:1] and len(ids) > 1:
        return ids[1]
    if ids:
        raise _wrong("This is no sheet of a player of this event.")
    found = by_hash().get(code.strip().lower(), [])
    if len(found) == 1:
        return found[0]
    if found:
        raise _wrong(f"{len(found)} players have registered this very list; choose one by name.")
    raise _wrong("No list of this event has this code; the sheet may be of an earlier list.")


def hashes(entrants: Iterable[Entrant], judge: Judge) -> Mapping[str, list[str]]:
    """Return who has registered the deck of each hash."""
    found: dict[str, list[str]] = {}
    for one in entrants:
        if deck := one.revision.deck:
            found.setdefault(DeckFacts(deck, judge.catalogue, judge.terms.ruleset.types).hash, []).append(one.id)
    return found


def _wrong(says: str) -> Invalid:
    return Invalid([Wrong("/code", says)])
