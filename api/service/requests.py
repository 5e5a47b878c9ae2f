"""Requests about decks as plain values, without the rules of a game."""

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
    """The terms of a request. None is a term that the request leaves open.

    `timezone` is the name of the zone in which the current day counts if `on` is None. `Judges.with_day` fills in both.
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
    """A validate request: its terms, and either a deck or a decklist as text. A file is bytes."""

    asked: Asked
    deck: Deck | None
    decklist: str | bytes | None
    explain: bool
    summary: bool = False


class RepairRequest(NamedTuple):
    """A repair request: the deck with its terms, and the cards that must stay."""

    validation: Validation
    pinned: tuple[str, ...]


class SwapRequest(NamedTuple):
    """A swap request: its terms, and the deck before and after the swap, each as a deck or as text."""

    asked: Asked
    before: Deck | str
    after: Deck | str
    explain: bool
    summary: bool = False


class TeamDeckRequest(NamedTuple):
    """A deck of a team: its name, and either the deck or a decklist as text."""

    name: str
    deck: Deck | None
    decklist: str | bytes | None


class TeamRequest(NamedTuple):
    """A team request: its terms, the decks, and the rule about shared cards."""

    asked: Asked
    decks: tuple[TeamDeckRequest, ...]
    rule: TeamRule
    explain: bool = False


class TimelineRequest(NamedTuple):
    """A timeline request: its terms, a deck or a decklist, and the first and last day of the timeline."""

    asked: Asked
    deck: Deck | None = None
    decklist: str | None = None
    first: date | None = None
    last: date | None = None


class OddsRequest(NamedTuple):
    """An odds request: its terms, a deck or a decklist, and the wanted odds. None is an omitted option.

    `look` is the number of cards that a search looks at, `targets` its target cards or their number, `searcher` the
    card that searches.
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
def day(text: str) -> date:
    """Return the day of an ISO 8601 date. Raises ValueError with a hint."""
    if not _DAY.fullmatch(text):
        raise ValueError("Write a date as 2026-01-15.")
    try:
        calendar_day = date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text} is no day of the calendar.") from None
    if not EARLIEST <= calendar_day <= LATEST:
        raise ValueError(f"Write a date from {EARLIEST} to {LATEST}.")
    return calendar_day
