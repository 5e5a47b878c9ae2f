"""Requests: what may be asked of a deck, as values; nothing here knows the rules of a game."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from validator.deck import Deck
from validator.rules import Policy
from validator.team import TeamRule

if TYPE_CHECKING:
    from validator.odds import Wish

EARLIEST = date(1990, 1, 1)
LATEST = date(2999, 12, 31)

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Asked(NamedTuple):
    """The terms as a request asks for them; None is what it leaves open.

    `timezone` is the name of the zone in which the current day counts if `on` is None. `Judges.dated` fills in both.
    """

    ruleset: str | None = None
    game: str | None = None
    on: date | None = None
    region: str | None = None
    format: str | None = None
    policy: Policy | None = None
    best_of: int | None = None
    timezone: str | None = None


class Validation(NamedTuple):
    """A validate request: the terms asked for, and a deck or a text that is one, in bytes where it came as a file."""

    asked: Asked
    deck: Deck | None
    decklist: str | bytes | None
    explain: bool
    summary: bool = False


class RepairRequest(NamedTuple):
    """A repair request: what to judge, and the cards that stay as they are."""

    validation: Validation
    pinned: tuple[str, ...]


class SwapRequest(NamedTuple):
    """A swap request: the terms asked for, and the deck before and after, each a deck or a text that is one."""

    asked: Asked
    before: Deck | str
    after: Deck | str
    explain: bool
    summary: bool = False


class TeamDeckRequest(NamedTuple):
    """A deck of a team: what it is called, and a deck or a text that is one."""

    name: str
    deck: Deck | None
    decklist: str | bytes | None


class TeamRequest(NamedTuple):
    """A team request: the terms asked for, the decks, and what they may not share."""

    asked: Asked
    decks: tuple[TeamDeckRequest, ...]
    rule: TeamRule
    explain: bool = False


class TimelineRequest(NamedTuple):
    """A timeline request: the terms asked for, whose day is the one that counts, a deck, and a range of days."""

    asked: Asked
    deck: Deck | None = None
    decklist: str | None = None
    first: date | None = None
    last: date | None = None


class OddsRequest(NamedTuple):
    """An odds request: the terms asked for, a deck, and what is to be known of it; None is not asked.

    `look` is how many cards a search looks at, `targets` what it looks for or how many of that there are,
    `searcher` the card that searches.
    """

    asked: Asked
    deck: Deck | None = None
    decklist: str | None = None
    wishes: tuple[Wish, ...] = ()
    turn: int = 5
    look: int | None = None
    targets: Wish | int | None = None
    searcher: str | None = None
    life: int | None = None


@lru_cache(maxsize=1024)
def day(written: str) -> date:
    """Return the day that an ISO date means; a ValueError says what to write."""
    if not _DAY.fullmatch(written):
        raise ValueError("Write a date as 2026-01-15.")
    try:
        calendar_day = date.fromisoformat(written)
    except ValueError:
        raise ValueError(f"{written} is no day of the calendar.") from None
    if not EARLIEST <= calendar_day <= LATEST:
        raise ValueError(f"Write a date from {EARLIEST} to {LATEST}.")
    return calendar_day
