"""Limits lists as JSON and as values: the list in force on a day, all changes, and a comparison of two days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated, NamedTuple, NotRequired, TypedDict

from api.service.errors import Invalid, Wrong
from validator.calendar import LAST_DAY
from validator.documents import PROVISIONAL, ProvisionalJSON
from validator.field_docs import doc
from validator.findings import NamedJSON, SourcedEntryJSON
from validator.judge import ON_IN_TIMEZONE
from validator.language import phrase
from validator.limits import Binding, GameLists, InForce, LimitsList, ListChange, Rotation, Ruling
from validator.limits.lists import ListChangeJSON, ListDifference, RulingJSON, compare_lists

IN_FORCE, PERHAPS, ANNOUNCED, LATER = STATES = ("in force", "perhaps", "announced", "later")


class BindingJSON(SourcedEntryJSON):
    """The source, days, certainty and notes of an entry (a single card or a pair) of a limits list, as JSON.

    `note` is a text for people on the certainty of the source. It and `bounds` are "" for none.
    """

    note: str
    severity: Annotated[str, doc("`warning` while it is not certain that the entry was in force yet.")]
    bounds: Annotated[str, doc("Why the first day, if not known, lies between those two.")]


class ListedJSON(NamedJSON, BindingJSON):
    """A single card on a limits list, with the most copies of it, as JSON."""

    limit: Annotated[int, doc("The most copies. 0 is banned.")]


class ListedPairJSON(BindingJSON):
    """A banned pair of a limits list as JSON: two cards that a deck may not have together."""

    cards: list[NamedJSON]
    group: Annotated[str | None, doc("The group of both cards, if any two cards of it are a pair.")]


class RotationJSON(TypedDict):
    """The blocks that the rotating format takes on a day, sorted, as JSON.

    `format` is the format's name (a key). `source` is the address of the announcement.
    """

    format: str
    blocks: Annotated[list[str], doc("The blocks that the format takes.")]
    source: str


class LimitsJSON(TypedDict):
    """The official list of a game in force on a day, as JSON. Entries that are only perhaps in force are included.

    `timezone` is missing if the request names the day. `effective_from` is the day of the newest change whose first day
    is known, null before the first one. `sources` are the addresses of the entries, the oldest first. `rotation` is
    null if no format rotates its blocks on that day.
    """

    game: str
    region: str
    on: date
    timezone: NotRequired[Annotated[str, ON_IN_TIMEZONE]]
    title: str
    effective_from: date | None
    known_to: Annotated[date | None, doc("The last day whose announcements are known.")]
    note: Annotated[str | None, doc("The gaps in the list of the region. null if nothing is missing.")]
    provisional: NotRequired[Annotated[ProvisionalJSON, PROVISIONAL]]
    cards: list[ListedJSON]
    pairs: list[ListedPairJSON]
    sources: Sequence[str]
    rotation: RotationJSON | None


class RuledChangeJSON(ListChangeJSON):
    """A change of a list with its effects on cards, as JSON."""

    state: Annotated[
        str, doc("The state on the day. `perhaps`: it is not certain if the change is in force yet.", enum=STATES)
    ]
    rulings: list[RulingJSON]


class ListChangesJSON(TypedDict):
    """All changes of the official list of a game in a region, as JSON. `on` is the day for `state`.

    `timezone` is missing if the request names the day.
    """

    game: str
    region: str
    on: date
    timezone: NotRequired[Annotated[str, ON_IN_TIMEZONE]]
    known_to: Annotated[date | None, doc("The last day whose announcements are known.")]
    changes: Annotated[list[RuledChangeJSON], doc("The newest first.")]


class RuledChange(NamedTuple):
    """One change of a list, its effects on cards and pairs (`rulings`, by number), and its `state` on a day.

    `state` is one of STATES: in force, perhaps in force, announced by that day, or later.
    """

    change: ListChange
    rulings: list[Ruling]
    state: str

    def as_json(self) -> RuledChangeJSON:
        """Return the change as JSON, with its state and its rulings."""
        rulings = [ruling.as_dict() for ruling in self.rulings]
        return {**self.change.as_dict(), "state": self.state, "rulings": rulings}


class BlocksOnDay(NamedTuple):
    """The blocks that the rotating format takes on a day, sorted as texts. `title` is that of the format, for people.

    `source` is the address of the rotation's announcement. `next_day` is the day of the next known rotation, None if
    there is none up to LAST_DAY.
    """

    title: str
    blocks: list[str]
    source: str
    next_day: date | None


class ListComparison(NamedTuple):
    """The changes from the list in force on the day `first` to the list in force on the day `last`.

    `first` may be the later day.
    """

    first: date
    last: date
    differences: list[ListDifference]


class ListAnswer(NamedTuple):
    """An official list in one region: the entries in force on a day (or perhaps in force), and all its changes.

    `listed` is the whole list, of all regions. `changes` are those of the region, past and future, the newest first.
    Changes without an effect on a card are left out. `rotation` has the blocks of that day, None if no format rotates
    its blocks by then. `comparison` is None if no comparison is requested.
    """

    listed: LimitsList
    in_force: InForce
    changes: list[RuledChange]
    rotation: BlocksOnDay | None
    comparison: ListComparison | None


def describe_list(
    lists: GameLists, day: date, region: str = "en", first: date | None = None, last: date | None = None
) -> ListAnswer:
    """Return the official list of a game on a day in a region, and the comparison of the days `first` and `last`.

    If only one of the two days is given, the other is `day`. Without both there is no comparison. The days are not
    swapped if `first` is later. Raises Invalid at "/region", with the known regions, if `region` is unknown.
    """
    listed = lists.listed
    if region not in listed.regions:
        places = "; ".join(f"{code}: {places}" for code, places in listed.regions.items())
        message = phrase("There is no such region; there are {regions}.", regions=places)
        raise Invalid([Wrong("/region", message)])
    compared_days = None
    if first or last:
        before, after = listed.in_force_on(first or day, region), listed.in_force_on(last or day, region)
        compared_days = ListComparison(before.day, after.day, compare_lists(before, after))
    return ListAnswer(
        listed,
        listed.in_force_on(day, region),
        _changes_newest_first(listed, region, day),
        _blocks_on_day(lists.rotation, day),
        compared_days,
    )


def _changes_newest_first(limits_list: LimitsList, region: str, day: date) -> list[RuledChange]:
    """Return the changes of a list in a region, the newest first, each with its effects and its state on a day.

    A change without any effect on a card is left out. Raises ValueError for an unknown region.
    """
    by_change: dict[ListChange, list[Ruling]] = {}
    for ruling in limits_list.rulings(region):
        by_change.setdefault(ruling.change, []).append(ruling)
    return [RuledChange(change, rulings, _change_state(change, day)) for change, rulings in reversed(by_change.items())]


def _change_state(change: ListChange, day: date) -> str:
    """Return the state of a change on a day: one of STATES.

    IN_FORCE: it is certainly in force. PERHAPS: it may be in force. Else it comes later: ANNOUNCED if it was announced
    by that day, LATER if not or if the day of the announcement is not known.
    """
    if change.possible <= day:
        return IN_FORCE if change.day <= day else PERHAPS
    return ANNOUNCED if change.announced and change.announced <= day else LATER


def _blocks_on_day(rotation: Rotation | None, day: date) -> BlocksOnDay | None:
    """Return the sorted blocks that the rotating format takes on a day, and the day of the next rotation.

    None if blocks of the game do not rotate (`rotation` is None), or if the first rotation is after that day.
    """
    allowed = rotation.legal_blocks(rotation.rotates, day) if rotation else None
    if rotation is None or allowed is None:
        return None
    coming = (change_day for change_day in rotation.dates(LAST_DAY) if change_day > day)
    return BlocksOnDay(rotation.formats[rotation.rotates], sorted(allowed), rotation.source, next(coming, None))


def limits_json(lists: GameLists, day: date, region: str, best_of: int | None = None) -> LimitsJSON:
    """Return the list in force on a day in a region as JSON, for matches of `best_of` games (None: any length).

    An entry that may not be in force yet is included with the severity `warning`. `timezone` is left out. Raises
    ValueError with the known regions if `region` is unknown.
    """
    listed = lists.listed.in_force_on(day, region, best_of)
    found: LimitsJSON = {
        "game": lists.game,
        "region": region,
        "on": day,
        "title": listed.title,
        "effective_from": listed.effective_from,
        "known_to": lists.listed.known_to,
        "note": listed.note or None,
        "cards": [_limit_json(limit) for limit in listed.singles.values()],
        "pairs": [_pair_json(pair) for pair in listed.pairs],
        "sources": listed.sources,
        "rotation": _rotation_json(lists.rotation, day),
    }
    if listed.provisional:
        found["provisional"] = listed.provisional.as_dict()
    return found


def _limit_json(limit: Binding) -> ListedJSON:
    """Return the limit of a single card as JSON: number, name, limit, source, days, severity and notes."""
    return {"number": limit.numbers[0], "name": limit.names[0], "limit": limit.limit, **_binding_json(limit)}


def _pair_json(pair: Binding) -> ListedPairJSON:
    """Return a banned pair as JSON: cards, group (None without one), source, days, severity and notes."""
    cards: list[NamedJSON] = [
        {"number": number, "name": name} for number, name in zip(pair.numbers, pair.names, strict=True)
    ]
    return {"cards": cards, "group": pair.group or None, **_binding_json(pair)}


def _binding_json(binding: Binding) -> BindingJSON:
    """Return the JSON fields that a single card and a pair on a list share: source, days, severity and notes."""
    entry = binding.entry
    return {
        "source": entry.source,
        "announced": entry.announced,
        "effective_from": entry.effective_from,
        "effective_to": entry.effective_to,
        "not_before": entry.not_before,
        "no_later_than": entry.no_later_than,
        "severity": binding.severity,
        "note": binding.change.note,
        "bounds": binding.change.bounds,
        "confidence": binding.change.confidence,
    }


def _rotation_json(rotation: Rotation | None, day: date) -> RotationJSON | None:
    """Return the rotating format's name, the sorted blocks that it takes on a day, and the rotation's source, as JSON.

    None if blocks of the game do not rotate (`rotation` is None), or if the first rotation is after that day.
    """
    blocks = None if rotation is None else rotation.legal_blocks(rotation.rotates, day)
    if rotation is None or blocks is None:
        return None
    return {"format": rotation.rotates, "blocks": sorted(blocks), "source": rotation.source}
