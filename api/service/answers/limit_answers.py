"""Limits lists as JSON and as values: what is in force on a day, every change, and how two days differ."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated, NamedTuple, NotRequired, TypedDict, cast

from api.service.answers.json_schema import ON_IN_TIMEZONE, DayText, doc
from api.service.answers.verdict_answers import NamedJSON, SourcedEntryJSON
from api.service.errors import Invalid, Wrong
from validator import limits
from validator.calendar import LAST_DAY
from validator.language import phrase
from validator.limits import InForce, Limit, LimitsList, ListChange, PairBan, Rotation, Ruling
from validator.limits.comparison import ListDifference, compare_lists

IN_FORCE, PERHAPS, ANNOUNCED, LATER = STATES = ("in force", "perhaps", "announced", "later")


class BindingJSON(SourcedEntryJSON):
    note: str
    severity: Annotated[str, doc("`warning` while it is not certain that the entry was in force yet.")]
    bounds: Annotated[str, doc("Why the first day, if not known, lies between those two.")]


class ListedJSON(NamedJSON, BindingJSON):
    limit: Annotated[int, doc("The most copies; 0: banned.")]


class ListedPairJSON(BindingJSON):
    cards: list[NamedJSON]
    group: Annotated[str | None, doc("What both cards are, where any two cards that are so make a pair.")]


class RotationJSON(TypedDict):
    format: str
    blocks: Annotated[list[str], doc("The blocks that the format takes.")]
    source: str


class LimitsJSON(TypedDict):
    game: str
    region: str
    on: date
    timezone: NotRequired[Annotated[str, ON_IN_TIMEZONE]]
    title: str
    effective_from: date | None
    known_to: Annotated[date | None, doc("The last day whose announcements are known.")]
    note: Annotated[str | None, doc("What is not known of the region's list; null where nothing is missing.")]
    cards: list[ListedJSON]
    pairs: list[ListedPairJSON]
    sources: Sequence[str]
    rotation: RotationJSON | None


class RulingJSON(TypedDict):
    cards: Annotated[list[NamedJSON], doc("The card, or the pair.")]
    before: Annotated[int | None, doc("The most copies before the change; null where the list said nothing of it.")]
    limit: Annotated[int | None, doc("The most copies from then on; null where it is free again.")]
    group: Annotated[str | None, doc("What both cards of the pair are, where any two that are so make one.")]


class ListChangeJSON(TypedDict):
    region: str
    source: Annotated[str, doc("Where the list says it.")]
    announced: DayText | None
    effective_from: Annotated[DayText | None, doc("The first day, where it is known.")]
    not_before: Annotated[DayText | None, doc("Where the first day is not known: it is this one or later.")]
    no_later_than: Annotated[DayText | None, doc("Where the first day is not known: it is this one or earlier.")]
    stated: Annotated[str, doc("The first day in the list's own words.")]
    bounds: Annotated[str, doc("Why the first day, if not known, lies between those two.")]
    confidence: str
    note: str
    best_of: Annotated[int | None, doc("1 if it binds in best-of-one matches only.")]


class RuledChangeJSON(ListChangeJSON):
    state: Annotated[
        str, doc("What it is on the day: `perhaps` while it is not certain that it is in force yet.", enum=STATES)
    ]
    rulings: list[RulingJSON]


class ListChangesJSON(TypedDict):
    game: str
    region: str
    on: date
    timezone: NotRequired[Annotated[str, ON_IN_TIMEZONE]]
    known_to: Annotated[date | None, doc("The last day whose announcements are known.")]
    changes: Annotated[list[RuledChangeJSON], doc("The newest first.")]


class RuledChange(NamedTuple):
    """One change of a list with what it made of each card, and which of STATES it is in on the day that counts."""

    change: ListChange
    rulings: list[Ruling]
    state: str

    def as_json(self) -> RuledChangeJSON:
        """Return the change as JSON."""
        change = cast("ListChangeJSON", self.change.as_dict())
        return {**change, "state": self.state, "rulings": [ruling_json(one) for one in self.rulings]}


def ruling_json(ruling: Ruling) -> RulingJSON:
    """Return a ruling as JSON."""
    return cast("RulingJSON", ruling.as_dict())


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
        comparison = ListComparison(before.day, after.day, compare_lists(before, after))
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


def limits_json(game: str, on: date, region: str, best_of: int | None = None) -> LimitsJSON:
    """Return the list in force on a day as JSON, for matches of `best_of` games.

    Raises ValueError, which names the regions of the game, if there is no such region.
    """
    whole = limits.load(game)
    listed = whole.on(on, region, best_of)
    return {
        "game": game,
        "region": region,
        "on": on,
        "title": listed.title,
        "effective_from": listed.effective_from,
        "known_to": whole.known_to,
        "note": listed.note or None,
        "cards": [_limit_json(limit) for limit in listed.singles.values()],
        "pairs": [_pair_json(pair) for pair in listed.pairs],
        "sources": listed.sources,
        "rotation": _rotation_json(limits.rotation(game), on),
    }


def _limit_json(limit: Limit) -> ListedJSON:
    return {"number": limit.number, "name": limit.name, "limit": limit.limit, **_binding_json(limit)}


def _pair_json(pair: PairBan) -> ListedPairJSON:
    cards: list[NamedJSON] = [
        {"number": number, "name": name} for number, name in zip(pair.numbers, pair.names, strict=True)
    ]
    return {"cards": cards, "group": pair.group or None, **_binding_json(pair)}


def _binding_json(binding: Limit | PairBan) -> BindingJSON:
    """Return the entries that a single card and a pair on the list have in common."""
    entry = binding.entry
    return {
        "source": entry.source,
        "announced": entry.announced,
        "effective_from": entry.effective_from,
        "effective_to": entry.effective_to,
        "not_before": entry.not_before,
        "no_later_than": entry.no_later_than,
        "severity": binding.severity,
        "note": binding.note,
        "bounds": binding.bounds,
        "confidence": binding.confidence,
    }


def _rotation_json(rotation: Rotation | None, on: date) -> RotationJSON | None:
    blocks = None if rotation is None else rotation.allowed(rotation.rotates, on)
    if rotation is None or blocks is None:
        return None
    return {"format": rotation.rotates, "blocks": sorted(blocks), "source": rotation.source}
