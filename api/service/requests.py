"""Requests about decks as plain values, without the rules of a game."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from validator.deck import Deck
from validator.language import phrase
from validator.rules import Policy
from validator.team import TeamRule

if TYPE_CHECKING:
    from validator.odds import Wish

EARLIEST = date(1990, 1, 1)
LATEST = date(2999, 12, 31)

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class RequestedTerms(NamedTuple):
    """The terms of a request (ruleset, game, day, …). None is a term that the request leaves open.

    `on` is the day of the verdict. `timezone` is the name of the zone in which the current day counts if `on` is None.
    `Judges.with_day` fills in both then. `best_of` is the most games of a match. `limits_list` is the text (TOML) of an
    organiser's own limits list, which is added to the official one. With `is_stored_list` it was accepted earlier:
    entries that do not fit the official list any more are left out.
    """

    ruleset: str | None = None
    game: str | None = None
    on: date | None = None
    region: str | None = None
    format: str | None = None
    policy: Policy | None = None
    best_of: int | None = None
    timezone: str | None = None
    limits_list: str | None = None
    is_stored_list: bool = False


class Validation(NamedTuple):
    """A validate request: its terms `asked`, and either a deck or a decklist as text (the other is None).

    `decklist` may be the bytes of a text file. If both are given, `deck` counts. `explain`: the answer has every rule
    that was checked. `summary`: the answer has a short text for a chat.
    """

    asked: RequestedTerms
    deck: Deck | None
    decklist: str | bytes | None
    explain: bool
    summary: bool = False


class RepairRequest(NamedTuple):
    """A repair request: the deck with its terms (`validation`), and the numbers or names of cards that must stay.

    `explain` and `summary` of `validation` have no effect.
    """

    validation: Validation
    pinned: tuple[str, ...]


class SwapRequest(NamedTuple):
    """A swap request: its terms `asked`, and the deck before and after cards were swapped with the side deck.

    A text instead of a deck is a decklist. `explain`: the answer has every checked rule. `summary`: it has a chat text.
    """

    asked: RequestedTerms
    before: Deck | str
    after: Deck | str
    explain: bool
    summary: bool = False


class TeamDeckRequest(NamedTuple):
    """A deck of a team: its name, such as that of the player, and either the deck or a decklist as text.

    The other one is None. Each deck of a request has another name.
    """

    name: str
    deck: Deck | None
    decklist: str | bytes | None


class TeamRequest(NamedTuple):
    """A team request: its terms `asked`, the decks, and the rule about cards that several decks share.

    `explain`: the answer has every checked rule.
    """

    asked: RequestedTerms
    decks: tuple[TeamDeckRequest, ...]
    rule: TeamRule
    explain: bool = False


class TimelineRequest(NamedTuple):
    """A request for the legality of a deck over time: its terms, a deck or a decklist as text, and a range of days.

    `first` and `last` are the days of the range, both included. None is the default of the timeline.
    """

    asked: RequestedTerms
    deck: Deck | None = None
    decklist: str | None = None
    first: date | None = None
    last: date | None = None


class OddsRequest(NamedTuple):
    """A request for odds of drawing cards: its terms, a deck or a decklist as text, and the wishes.

    None is an omitted option. `wishes` are groups of cards of which the player wants to have seen some, of all groups,
    by the player's own `turn`. `look` is the number of cards on top of the deck that a search looks at. `targets` are
    its target cards or their number. `searcher` is the number or name of the card that searches. `life` is the number
    of Life cards.
    """

    asked: RequestedTerms
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
    """Return the day of a date written as 2026-01-15. Results are cached.

    Raises ValueError, with a hint for the user, for another form, a day that does not exist, and a day before EARLIEST
    (1990-01-01) or after LATEST (2999-12-31). Raises TypeError if it is no text.
    """
    if not _DAY.fullmatch(text):
        raise ValueError(phrase("Write a date as 2026-01-15."))
    try:
        calendar_day = date.fromisoformat(text)
    except ValueError:
        raise ValueError(phrase("{day} is no day of the calendar.", day=text)) from None
    if not EARLIEST <= calendar_day <= LATEST:
        raise ValueError(
            phrase("Write a date from {first} to {last}.", first=EARLIEST.isoformat(), last=LATEST.isoformat())
        )
    return calendar_day
