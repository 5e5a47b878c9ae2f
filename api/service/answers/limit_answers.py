"""What is to be known of an official list: what is in force on a day, every change, and what two days have other."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from api.service.errors import Invalid, Wrong
from validator import limits
from validator.calendar import LAST_DAY
from validator.language import phrase
from validator.limits import InForce, LimitsList, ListChange, Ruling
from validator.limits.comparison import ListDifference, compared

IN_FORCE, PERHAPS, ANNOUNCED, LATER = STATES = ("in force", "perhaps", "announced", "later")


class RuledChange(NamedTuple):
    """One change of a list with what it made of each card, and which of STATES it is in on the day that counts."""

    change: ListChange
    rulings: list[Ruling]
    state: str

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {"state": self.state, **self.change.as_dict(), "rulings": [one.as_dict() for one in self.rulings]}


class BlocksOnDay(NamedTuple):
    """The blocks that the rotating format takes on a day, where that is announced, and when that changes next."""

    title: str
    blocks: list[str]
    source: str
    next_day: date | None


class ListComparison(NamedTuple):
    """What a list says otherwise on the day `last` than on the day `first`."""

    first: date
    last: date
    differences: list[ListDifference]


class ListAnswer(NamedTuple):
    """An official list in one region: what is in force on a day, and all its changes, the newest first."""

    listed: LimitsList
    in_force: InForce
    changes: list[RuledChange]
    rotation: BlocksOnDay | None
    comparison: ListComparison | None


def known_of_list(
    game: str, on: date, region: str = "en", first: date | None = None, last: date | None = None
) -> ListAnswer:
    """Return what is to be known of a game's list on a day, and where two other days are given, how they differ.

    Of these the one that is left out is the day that counts. Invalid names the known regions.
    """
    listed = limits.load(game)
    if region not in listed.regions:
        places = "; ".join(f"{code}: {places}" for code, places in listed.regions.items())
        told = phrase("There is no such region; there are {regions}.", regions=places)
        raise Invalid([Wrong("/region", told)])
    comparison = None
    if first or last:
        before, after = listed.on(first or on, region), listed.on(last or on, region)
        comparison = ListComparison(before.day, after.day, compared(before, after))
    return ListAnswer(listed, listed.on(on, region), _changes(listed, region, on), _blocks(game, on), comparison)


def _changes(listed: LimitsList, region: str, on: date) -> list[RuledChange]:
    by_change: dict[ListChange, list[Ruling]] = {}
    for ruling in listed.rulings(region):
        by_change.setdefault(ruling.change, []).append(ruling)
    return [RuledChange(change, rulings, _state(change, on)) for change, rulings in reversed(by_change.items())]


def _state(change: ListChange, on: date) -> str:
    if change.possible <= on:
        return IN_FORCE if change.day <= on else PERHAPS
    return ANNOUNCED if change.announced and change.announced <= on else LATER


def _blocks(game: str, on: date) -> BlocksOnDay | None:
    rotation = limits.rotation(game)
    allowed = rotation.allowed(rotation.rotates, on) if rotation else None
    if rotation is None or allowed is None:
        return None
    coming = (day for day in rotation.dates(LAST_DAY) if day > on)
    return BlocksOnDay(rotation.formats[rotation.rotates], sorted(allowed), rotation.source, next(coming, None))
