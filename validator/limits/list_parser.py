"""Limits files: the parsed TOML of an official list as a LimitsList.

`validator.limits` and `proposals` call this module. A wrong file raises DocumentError with the correction to make.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from validator.documents import (
    CONFIDENCES,
    HEAD,
    Document,
    Table,
    check_keys,
    check_kind,
    check_number,
    check_source,
    check_texts,
    check_titles,
    check_word,
    inner_place,
    parse_provisional,
)
from validator.errors import DocumentError, error_text
from validator.language import join_phrases, phrase
from validator.limits.lists import Gap, LimitsList, ListChange, PoolStep, Span, Step

_HEAD = {
    "game": str,
    "title": str,
    "formats": list,
    "known_to": date,
    "notes": list,
    "regions": dict,
    "sections": dict,
    "change": list,
}
_SECTIONS = {"ban": str, "restrict": str}
_MORE_HEAD = {"groups": dict, "spared": dict, "partial": list, "follows": dict, "timezones": dict, "provisional": dict}
_MORE_SECTIONS = {"ban_pairs": str, "best_of_1": str}
_PARTIAL = {"region": str, "note": str}
_MORE_PARTIAL = {"until": date, "best_of": int}
_WORDS = {
    "ban": dict,
    "restrict": dict,
    "ban_pairs": list,
    "ban_among": dict,
    "lift": dict,
    "lift_pairs": list,
    "lift_among": dict,
}
_POOL_WORDS = {"allowed_sets": list, "allowed_cards": dict}
_SET = re.compile(r"[A-Z]{1,4}[0-9]{0,2}")
ENTRY_WORDS = (*_WORDS, *_POOL_WORDS)
_LIFTS = ("lift", "lift_pairs", "lift_among")
_NEEDED = {"region": str, "source": str}
_OPTIONAL = {
    "effective_from": date,
    "not_before": date,
    "no_later_than": date,
    "bounds": str,
    "announced": date,
    "stated": str,
    "confidence": str,
    "note": str,
    "best_of": int,
    "document": str,
    **_WORDS,
    **_POOL_WORDS,
}
_BOUNDED = ("not_before", "no_later_than", "bounds")
# The rules allow 4 copies anyway, and 0 is a ban.
_RESTRICTIONS = (1, 2, 3)
# The lengths of a match for which a list may have its own entries.
_BEST_OF = (1,)


@contextmanager
def leave_out(left_out: list[str] | None) -> Iterator[None]:
    """Catch a DocumentError of the block and add its message to `left_out`.

    If `left_out` is None, the error is raised.
    """
    try:
        yield
    except DocumentError as error:
        if left_out is None:
            raise
        left_out.append(error_text(error))


def parse(document: Document, left_out: list[str] | None = None) -> LimitsList:
    """Return the limits list of a parsed file. Raises DocumentError with the place of a mistake and its correction.

    With a list `left_out`, invalid changes, cards that do not fit their group, and entries without effect are left out.
    Their error messages are added to `left_out`. An invalid head, unsorted changes and two card pools of a region on
    one day are always errors. Values of a wrong kind within a table may also raise AttributeError, KeyError, TypeError
    or ValueError.
    """
    check_keys(document, HEAD, _HEAD, _MORE_HEAD)
    groups, spared = document.get("groups", {}), document.get("spared", {})
    for where, table in (("groups", groups), ("spared", spared)):
        check_texts(list(table.values()), where)
    check_titles(document["regions"], "regions")
    for region, followed in document.get("follows", {}).items():
        for code in (region, followed):
            check_word(code, "follows", document["regions"])
    timezones = document.get("timezones", {})
    check_texts(list(timezones.values()), "timezones")
    for region in timezones:
        check_word(region, "timezones", document["regions"])
    check_keys(document["sections"], "sections", _SECTIONS, _MORE_SECTIONS)
    members = _Groups(groups, left_out)
    changes: list[tuple[ListChange, tuple[Step, ...]]] = []
    pools: list[PoolStep] = []
    for index, table in enumerate(document["change"], start=1):
        with leave_out(left_out):
            change, steps, pool = _parse_change(table, phrase("change {index}", index=index), document, members)
            changes.append((change, steps))
            pools += [pool] if pool else []
    for (before, _), (after, _) in pairwise(changes):
        if after.day < before.day:
            raise DocumentError(
                phrase("{place} comes after {other}; sort the changes by day", place=after.place, other=before.place)
            )
    return LimitsList(
        game=document["game"],
        title=document["title"],
        formats=check_texts(document["formats"], "formats"),
        known_to=document["known_to"],
        notes=check_texts(document["notes"], "notes"),
        regions=MappingProxyType(document["regions"]),
        sections=MappingProxyType(document["sections"]),
        changes=tuple(change for change, _ in changes),
        spared=MappingProxyType(spared),
        partial=tuple(_parse_gaps(document)),
        follows=MappingProxyType(document.get("follows", {})),
        timezones=MappingProxyType(timezones),
        provisional=parse_provisional(document, HEAD),
        pools=tuple(_check_pools(pools)),
        _spans=tuple(_spans(changes, left_out)),
    )


def _parse_gaps(document: Document) -> Iterator[Gap]:
    """Yield the unknown parts of the list in a document, as written under `partial`.

    Raises DocumentError if one is invalid.
    """
    for index, table in enumerate(document.get("partial", []), start=1):
        where = phrase("partial {index}", index=index)
        check_keys(table, where, _PARTIAL, _MORE_PARTIAL)
        check_word(table["region"], where, document["regions"], "region")
        _check_best_of(table, where)
        yield Gap(**table)


def _check_best_of(table: Table, place: str) -> None:
    """Raise DocumentError if `best_of` of a table is not 1. It may be missing. `place` begins the message."""
    if table.get("best_of", _BEST_OF[0]) not in _BEST_OF:
        raise DocumentError(
            phrase(
                "{place}: best_of {value} should be 1; leave it out for all matches",
                place=place,
                value=table["best_of"],
            )
        )


class _Groups:
    """The current members of groups of cards, of which only one may be in a deck. Members are kept by region and group.

    A group is stored as the bans of all pairs of its members.
    """

    def __init__(self, groups: Mapping[str, str], left_out: list[str] | None) -> None:
        """Store the titles of the groups by key.

        `left_out` is that of `parse`: None, or the list for error messages.
        """
        self._groups = groups
        self._left_out = left_out
        self._members: dict[tuple[str, str], dict[str, str]] = {}

    def steps(self, table: Table, place: str) -> Iterator[Step]:
        """Yield the steps of `lift_among` and `ban_among` in the table of a change, and update the groups.

        A card that leaves a group lifts its pairs with the other members. A card that joins bans them. Raises
        DocumentError for an unknown group. A card that joins twice, leaves without being a member, or has an invalid
        number or name in a pair raises it too, unless there is a list `left_out`, which gets the message.
        """
        for word, move in (("lift_among", self._leave_group), ("ban_among", self._join_group)):
            for group, cards in table.get(word, {}).items():
                check_word(group, place, self._groups, word)
                check_kind(cards, place, dict, f"{word} {group}")
                members = self._members.setdefault((table["region"], group), {})
                where = inner_place(place, f"{word} {group}")
                for number, name in cards.items():
                    pairs: list[Step] = []
                    with leave_out(self._left_out):
                        pairs += move(members, number, name, where)
                    yield from (pair._replace(group=self._groups[group]) for pair in pairs)

    def _join_group(self, members: dict[str, str], number: str, name: str, place: str) -> Iterator[Step]:
        """Yield the ban of the card's pair with each member, then add the card to `members`, which has names by number.

        Raises DocumentError if the card is a member already.
        """
        if number in members:
            raise DocumentError(
                phrase("{place}: {number} is in the group already; take it out", place=place, number=number)
            )
        yield from (
            _make_pair_step({number: name, other: other_name}, 0, place) for other, other_name in members.items()
        )
        members[number] = name

    def _leave_group(self, members: dict[str, str], number: str, name: str, place: str) -> Iterator[Step]:
        """Remove a card from `members`, which has names by number, and yield the lifts of its pairs with the others.

        Raises DocumentError if the card is no member.
        """
        if number not in members:
            raise DocumentError(
                phrase("{place}: {number} is not in the group; take it out", place=place, number=number)
            )
        del members[number]
        yield from (
            _make_pair_step({number: name, other: other_name}, None, place) for other, other_name in members.items()
        )


def _parse_change(
    table: Any, place: str, document: Document, members: _Groups
) -> tuple[ListChange, tuple[Step, ...], PoolStep | None]:
    """Return a change, its steps, and its card pool or None, from a table of a document. Updates the members of groups.

    Raises DocumentError if the table is invalid, has no entry and no card pool, or if `sections` lacks the heading for
    its pairs or its `best_of`.
    """
    check_change(table, place, document)
    change = ListChange(**{key: value for key, value in table.items() if key not in ENTRY_WORDS})
    pool = _parse_pool(change, table) if any(word in table for word in _POOL_WORDS) else None
    steps = (*_parse_steps(table, change.place), *members.steps(table, change.place))
    if ("ban_pairs" in table or "ban_among" in table) and "ban_pairs" not in document["sections"]:
        raise DocumentError(
            phrase('{place} bans pairs; write ban_pairs = "…", their heading, in [sections]', place=change.place)
        )
    if change.best_of and "best_of_1" not in document["sections"]:
        raise DocumentError(
            phrase('{place} is for best of one; write best_of_1 = "…", its heading, in [sections]', place=change.place)
        )
    if not steps and pool is None:
        raise DocumentError(
            phrase(
                "{place} names no card; write one of {keys}, or take it out",
                place=change.place,
                keys=", ".join(ENTRY_WORDS),
            )
        )
    return change, steps, pool


def _parse_pool(change: ListChange, table: Table) -> PoolStep:
    """Return the only cards that are allowed from a change on: `allowed_sets` and `allowed_cards` of its table.

    Raises DocumentError if they are invalid or empty, if the first day is not known, or if the change has `best_of`.
    """
    sets = check_texts(table.get("allowed_sets", []), change.place, "allowed_sets")
    cards = table.get("allowed_cards", {})
    for code in sets:
        if not _SET.fullmatch(code):
            raise DocumentError(
                phrase(
                    "{place}, allowed_sets: {code!r} is no code of a set; write it as card numbers begin, such as AB01",
                    place=change.place,
                    code=code,
                )
            )
    for number, name in cards.items():
        check_number(number, change.place, "allowed_cards")
        check_kind(name, change.place, str, f"allowed_cards {number}")
    if not sets and not cards:
        raise DocumentError(
            phrase(
                "{place} allows no card; write a set in allowed_sets, or a card in allowed_cards", place=change.place
            )
        )
    if change.effective_from is None or change.best_of is not None:
        raise DocumentError(
            phrase(
                "{place}: allowed_sets and allowed_cards need effective_from, and are for all "
                "matches; write effective_from, and leave out best_of",
                place=change.place,
            )
        )
    return PoolStep(change, tuple(dict.fromkeys(sets)), MappingProxyType(dict(cards)))


def _check_pools(pools: list[PoolStep]) -> list[PoolStep]:
    """Return the card pools unchanged. Raises DocumentError if two of one region begin on the same day."""
    for before, after in pairwise(sorted(pools, key=lambda pool: (pool.change.region, pool.change.day))):
        if (before.change.region, before.change.day) == (after.change.region, after.change.day):
            raise DocumentError(phrase("{place} has a card pool twice; join the two", place=after.change.place))
    return pools


def check_change(table: Any, place: str, document: Document) -> None:
    """Raise DocumentError unless a change's keys, days, region, source, `best_of` and `confidence` are valid.

    Its cards are not checked. `document` is the list, which has the known regions. The message begins with `place`. A
    region that follows another region may have no changes.
    """
    check_keys(table, place, _NEEDED, _OPTIONAL)
    check_word(table["region"], place, document["regions"], "region")
    if followed := document.get("follows", {}).get(table["region"]):
        raise DocumentError(
            phrase(
                "{place}: {region} follows {followed}; write the change there, or drop follows",
                place=place,
                region=table["region"],
                followed=followed,
            )
        )
    _check_best_of(table, place)
    check_source(table["source"], place)
    check_word(table.get("confidence", "high"), place, CONFIDENCES, "confidence")
    _check_days(table, place)


def _check_days(table: Table, place: str) -> None:
    """Raise DocumentError unless a change has only `effective_from`, or only all three keys for an unknown day.

    These are `not_before`, `no_later_than` and `bounds`. DocumentError is also raised if they are wrong
    (`_check_bounds`), or if the change was announced after its first possible day.
    """
    bounded = tuple(key for key in _BOUNDED if key in table)
    if bounded != (() if "effective_from" in table else _BOUNDED):
        raise DocumentError(
            phrase(
                "{place}: write effective_from where the first day is known, else not_before and "
                "no_later_than, the two days it lies between, and bounds, where these are from",
                place=place,
            )
        )
    if bounded:
        _check_bounds(table, place)
    first = table.get("effective_from") or table["not_before"]
    if table.get("announced", first) > first:
        raise DocumentError(
            phrase(
                "{place}: announced {day}, but in effect from {first}; correct one of them",
                place=place,
                day=table["announced"],
                first=first,
            )
        )


def _check_bounds(table: Table, place: str) -> None:
    """Raise DocumentError if `not_before` is after `no_later_than`, or if a change with these two lifts entries."""
    if any(word in table for word in _LIFTS):
        raise DocumentError(
            phrase("{place}: the end of an entry needs a day; give the lift its effective_from", place=place)
        )
    first, last = table["not_before"], table["no_later_than"]
    if first > last:
        raise DocumentError(
            phrase(
                "{place}: not_before {first} is after no_later_than {last}; correct one",
                place=place,
                first=first,
                last=last,
            )
        )


def _parse_steps(table: Table, place: str) -> Iterator[Step]:
    """Yield a step for each single card and each written pair of a change. Groups are left to `_Groups`.

    Raises DocumentError if an entry is invalid.
    """
    for number, name in table.get("ban", {}).items():
        yield _make_step({number: name}, 0, place, "ban")
    for number, restriction in table.get("restrict", {}).items():
        check_keys(restriction, inner_place(place, f"restrict {number}"), {"limit": int, "name": str})
        if restriction["limit"] not in _RESTRICTIONS:
            raise DocumentError(
                phrase(
                    "{place}, restrict {number}: limit {limit} should be 1, 2 or 3; 0 is a ban, 4 a lift",
                    place=place,
                    number=number,
                    limit=restriction["limit"],
                )
            )
        yield _make_step({number: restriction["name"]}, restriction["limit"], place, "restrict")
    for pair in table.get("ban_pairs", []):
        yield _make_pair_step(pair, 0, place, "ban_pairs")
    for number, name in table.get("lift", {}).items():
        yield _make_step({number: name}, None, place, "lift")
    for pair in table.get("lift_pairs", []):
        yield _make_pair_step(pair, None, place, "lift_pairs")


def _make_pair_step(pair: Any, limit: int | None, place: str, *keys: str) -> Step:
    """Return the step of a pair, a table of two names by number. A `limit` of None lifts.

    Raises DocumentError if it is no table of two cards, or if a number or name is invalid.
    """
    check_kind(pair, place, dict, *keys)
    if len(pair) != 2:
        raise DocumentError(
            phrase(
                "{place}: a pair is two different cards, {{AB01-001 = ..., AB01-002 = ...}}",
                place=inner_place(place, *keys),
            )
        )
    return _make_step(pair, limit, place, *keys)


def _make_step(cards: Table, limit: int | None, place: str, *keys: str) -> Step:
    """Return the step of one card or a pair, sorted by number.

    `cards` has names by number, and a `limit` of None lifts. Raises DocumentError for an invalid number or name.
    """
    for number, name in cards.items():
        check_number(number, place, *keys)
        if not isinstance(name, str):
            check_kind(name, join_phrases((inner_place(place, *keys), number), " "), str)
    numbers, names = zip(*sorted(cards.items()), strict=True)
    return Step(numbers, names, limit)


def _spans(changes: Iterable[tuple[ListChange, tuple[Step, ...]]], left_out: list[str] | None) -> Iterator[Span]:
    """Yield each entry of the list with the change that began it and the change that ended it.

    Ended entries come first. `changes` are changes with their steps, sorted by day. Raises DocumentError for a step
    that does not fit the earlier ones. With a list `left_out`, a step that changes no limit is left out and its message
    added. Any other step is then accepted without a message.
    """
    current: dict[tuple[object, ...], Span] = {}
    last_days: dict[tuple[object, ...], date] = {}
    for change, steps in changes:
        for step in steps:
            card = change.region, change.best_of, step.numbers
            before = current.get(card)
            if misfit := _describe_misfit(step, change, before, last_days.get(card, date.min)):
                if left_out is None:
                    raise DocumentError(misfit)
                if step.limit == (before.step.limit if before else None):
                    left_out.append(misfit)
                    continue
            current.pop(card, None)
            if before:
                yield replace(before, end=change)
            if step.limit is not None:
                current[card] = Span(change, step)
            last_days[card] = change.day
    yield from current.values()


def _describe_misfit(step: Step, change: ListChange, before: Span | None, last: date) -> str:
    """Return the error message about a step that does not fit the earlier changes of its cards. "" if it fits.

    `before` is the entry that the step replaces, None without one. `last` is the day of the last change of its cards,
    date.min without one. Misfits are two changes on one day, a possible first day before `last`, a lift without an
    entry, the same limit again, and another name.
    """
    if last == change.day:
        return phrase(
            "{place} names {card} again; leave one of the two entries",
            place=change.place,
            card=_join_with_and(step.numbers),
        )
    if last > change.possible:
        return phrase(
            "{place} may begin before the last change of {card}; write not_before = {day}",
            place=change.place,
            card=_join_with_and(step.numbers),
            day=str(last),
        )
    if before is None and step.limit is None:
        return phrase(
            "{place} lifts {card}, which is not on the list; take the lift out",
            place=change.place,
            card=_join_with_and(step.numbers),
        )
    if before and before.step.limit == step.limit:
        return phrase(
            "{place} repeats the entry of {card} in {other}; remove one of them, or lift the limit between them",
            place=change.place,
            card=_join_with_and(step.numbers),
            other=before.change.place,
        )
    if before and before.step.names != step.names:
        return phrase(
            "{place} calls {card} {name}, {other} {other_name}; correct the number or the name",
            place=change.place,
            card=_join_with_and(step.numbers),
            name=_join_with_and(step.names),
            other=before.change.place,
            other_name=_join_with_and(before.step.names),
        )
    return ""


def _join_with_and(texts: tuple[str, ...]) -> str:
    """Return one text, or two joined with "and", for messages."""
    return phrase("{first} and {last}", first=texts[0], last=texts[1]) if len(texts) == 2 else texts[0]
