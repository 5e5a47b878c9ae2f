"""Printings: many rows or printings of one card, made one card."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields, replace
from typing import NamedTuple

from carddb.data_day import DataDay
from carddb.errors import problems_in
from validator.cards import Card
from validator.games import GAMES
from validator.matching import folded


class PrintedCard(NamedTuple):
    """A card as one row or page has it: the printing's number as spelled there, and where that is."""

    card: Card
    printing: str
    is_base: bool
    where: str


class CardList(NamedTuple):
    """The cards of a source, each once; what the source is; and what should be said of its reading.

    `days` are the days that its names and its pages have.
    """

    cards: Sequence[Card]
    source: str
    notices: tuple[str, ...] = ()
    days: tuple[DataDay, ...] = ()


def each_printing_once(printings: Iterable[PrintedCard]) -> tuple[list[PrintedCard], list[str]]:
    """Return printings each once, the first where there are several, and sentences on what differs between them.

    The release is the earliest of any, and no difference.
    """
    once: dict[str, PrintedCard] = {}
    differences: list[str] = []
    for each in printings:
        first = once.setdefault(each.printing, each)
        if first is each:
            continue
        days = [card.released for card in (first.card, each.card) if card.released]
        once[each.printing] = first._replace(card=replace(first.card, released=min(days, default=None)))
        if names := _differing(once[each.printing].card, each.card, {"released"}):
            differences.append(f"{first.where} and {each.where} differ in {', '.join(names)}; the first counts.")
    return list(once.values()), differences


def one_each(game: str, printings: Iterable[PrintedCard]) -> list[Card]:
    """Return each card once, in the order of its first appearance, with all its printings.

    Cards are told apart by base number, or by name where the game does.
    Where printings differ the base printing wins; the release is the earliest of any. Two base rows
    that differ are a CardDataError that says where they are.
    """
    groups: dict[str, list[PrintedCard]] = {}
    for each in printings:
        groups.setdefault(identity(each.card), []).append(each)
    clashes = [clash for group in groups.values() for clash in _clashes(game, group)]
    if GAMES[game].told_by_name:
        clashes += _two_names(groups.values())
    if clashes:
        raise problems_in("The cards", clashes)
    return [_one(group) for group in groups.values()]


def identity(card: Card) -> str:
    """Return what tells a card from others of its game: its base number, or its name folded."""
    return folded(card.name) if GAMES[card.game].told_by_name else card.number


def _bases(group: Sequence[PrintedCard]) -> Sequence[PrintedCard]:
    return [each for each in group if each.is_base] or group[:1]


def _one(group: Sequence[PrintedCard]) -> Card:
    base = _bases(group)[0]
    number = base.card.number or next((each.card.number for each in group if each.card.number), "")
    printings = dict.fromkeys((base.printing, *(each.printing for each in group)))
    printings.update(dict.fromkeys(known for each in group for known in each.card.printings))
    released = min((each.card.released for each in group if each.card.released), default=None)
    return replace(base.card, number=number, printings=tuple(filter(None, printings)), released=released)


# What the rows of one card may differ in. Where a card is a name, every set numbers and words it anew.
_PRINTED = frozenset({"printings"})
_SET_ANEW = _PRINTED | {"number", "name", "rarity", "set", "released", "text", "back_text"}


def _clashes(game: str, group: Sequence[PrintedCard]) -> Iterable[str]:
    first, *others = _bases(group)
    varies = _SET_ANEW if GAMES[game].told_by_name else _PRINTED
    for other in others:
        if differing := _differing(first.card, other.card, varies):
            name = first.card.number or first.card.name
            yield f"{first.where} and {other.where}: both are {name}, but differ in {', '.join(differing)}"


def _differing(one: Card, other: Card, varies: Collection[str]) -> list[str]:
    names = (field.name for field in fields(Card) if field.name not in varies)
    return [name for name in names if getattr(one, name) != getattr(other, name)]


def _two_names(groups: Iterable[Sequence[PrintedCard]]) -> Iterable[str]:
    first: dict[str, PrintedCard] = {}
    for each in (each for group in groups for each in group if each.card.number):
        known = first.setdefault(each.card.number, each)
        if folded(known.card.name) != folded(each.card.name):
            yield f"{known.where} and {each.where}: both are {each.card.number}, but have two names"
