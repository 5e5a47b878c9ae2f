"""Legalities: in which regions and formats of its game a deck is legal on a day, and what is wrong where it is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from typing import Any, NamedTuple

from validator import limits
from validator.calendar import Calendar
from validator.deck import Deck
from validator.judge import Judge
from validator.rules import Policy
from validator.rulesets import Ruleset, of_game
from validator.timeline import timeline


class Legality(NamedTuple):
    """Whether a deck is legal in one region and format on a day; `codes` of what is said of it, each once.

    `note` says what is not known of the region's official list.
    """

    region: str
    format: str
    ruleset: Ruleset
    legal: bool
    codes: list[str]
    note: str | None

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {
            "region": self.region,
            "format": self.format,
            "ruleset": {"id": self.ruleset.id, "title": self.ruleset.title},
            "legal": self.legal,
            "codes": self.codes,
            "note": self.note,
        }


def calendars(game: str, on: date, policy: Policy | None = None, best_of: int | None = None) -> Iterator[Calendar]:
    """Yield the calendars of every region and format that a game has on a day."""
    for region in limits.load(game).regions:
        for format in of_game(game, on).formats:
            yield Calendar(game, region, format, policy or Policy(), best_of=best_of)


def legalities(
    deck: Deck,
    game: str,
    on: date,
    judge_on: Callable[[Calendar, date], Judge],
    policy: Policy | None = None,
    best_of: int | None = None,
) -> list[Legality]:
    """Return whether a deck is legal, for every region and format; `judge_on` is asked as `timeline` does."""
    found = []
    for calendar in calendars(game, on, policy, best_of):
        (interval,) = timeline(deck, calendar, partial(judge_on, calendar), on, on).intervals
        terms = calendar.terms(on)
        note = terms.in_force.note if terms.in_force else ""
        legality = Legality(
            calendar.region, calendar.format, terms.ruleset, interval.legal, interval.codes, note or None
        )
        found.append(legality)
    return found
