"""Requests: what may be asked of a deck, as values; nothing here knows the rules of a game."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from validator.deck import Deck
from validator.rules import Policy

EARLIEST = date(1990, 1, 1)
LATEST = date(2999, 12, 31)

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Asked(NamedTuple):
    """The terms as a request asks for them; None is what it leaves open."""

    ruleset: str | None = None
    game: str | None = None
    on: date | None = None
    region: str | None = None
    format: str | None = None
    policy: Policy | None = None


class Validation(NamedTuple):
    """A validate request: the terms asked for, and a deck or a text that is one."""

    asked: Asked
    deck: Deck | None
    decklist: str | None
    explain: bool


class Swap(NamedTuple):
    """A swap request: the terms asked for, and the deck before and after, each a deck or a text that is one."""

    asked: Asked
    before: Deck | str
    after: Deck | str
    explain: bool


@lru_cache(maxsize=1024)
def day(written: str) -> date:
    """Return the day that an ISO date means; a ValueError says what to write."""
    if not _DAY.fullmatch(written):
        raise ValueError("Write a date as 2026-01-15.")
    try:
        found = date.fromisoformat(written)
    except ValueError:
        raise ValueError(f"{written} is no day of the calendar.") from None
    if not EARLIEST <= found <= LATEST:
        raise ValueError(f"Write a date from {EARLIEST} to {LATEST}.")
    return found
