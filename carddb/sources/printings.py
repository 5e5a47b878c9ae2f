"""Printings: merges the printings of each card into one card."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields, replace
from typing import NamedTuple

from carddb.data_day import DataDay
from carddb.errors import source_problems_error
from validator.cards import Card
from validator.games import GAMES
from validator.language import phrase
from validator.matching import fold_text


class PrintedCard(NamedTuple):
    """A card in one row or on one page. `printing` is its number as written there, with the suffix of the printing.

    `printing` is "" in a table without a number. `is_base` is True for the ordinary printing of the card. `where` is
    its place in the source, for messages.
    """

    card: Card
    printing: str
    is_base: bool
    where: str


class CardList(NamedTuple):
    """The cards of a source, each once, with the name of the source and notices about parsing it, for people.

    `days` are the days in the names and pages of the source, on which its cards may have been collected. () if there
    are none. Impossible days may be among them.
    """

    cards: Sequence[Card]
    source: str
    notices: tuple[str, ...] = ()
    days: tuple[DataDay, ...] = ()


def drop_repeated_printings(printings: Iterable[PrintedCard]) -> tuple[list[PrintedCard], list[str]]:
    """Return `(printings, differences)`: the first of equal printing numbers, and sentences on later ones that differ.

    The kept printing gets the earliest release day of all with its number. A different release day has no sentence.
    """
    once: dict[str, PrintedCard] = {}
    differences: list[str] = []
    for printing in printings:
        first = once.setdefault(printing.printing, printing)
        if first is printing:
            continue
        days = [card.released for card in (first.card, printing.card) if card.released]
        once[printing.printing] = first._replace(card=replace(first.card, released=min(days, default=None)))
        if names := _differing_fields(once[printing.printing].card, printing.card, {"released"}):
            difference = phrase(
                "{first} and {second} differ in {fields}; the first counts.",
                first=first.where,
                second=printing.where,
                fields=", ".join(names),
            )
            differences.append(difference)
    return list(once.values()), differences


def merge_by_card(game: str, printings: Iterable[PrintedCard]) -> list[Card]:
    """Merge printings into cards. Return each card once, in the order of its first printing.

    Cards are matched by number, or by name in games that require that. If printings differ, the facts of the first base
    printing count. The release day is the earliest of all. Raises CardDataError if two base printings of a card differ.
    In games that match cards by name, raises it also if a number belongs to two names.
    """
    groups: dict[str, list[PrintedCard]] = {}
    for printing in printings:
        groups.setdefault(card_key(printing.card), []).append(printing)
    clashes = [clash for group in groups.values() for clash in _find_clashes(game, group)]
    if GAMES[game].told_by_name:
        clashes += _find_double_names(groups.values())
    if clashes:
        raise source_problems_error(phrase("The cards"), clashes)
    return [_merge_printings(group) for group in groups.values()]


def card_key(card: Card) -> str:
    """Return the key of a card within its game: its number, or its folded name if the game matches cards by name."""
    return fold_text(card.name) if GAMES[card.game].told_by_name else card.number


def _base_printings(group: Sequence[PrintedCard]) -> Sequence[PrintedCard]:
    """Return the base printings of a card. If there is none, return only its first printing."""
    return [printing for printing in group if printing.is_base] or group[:1]


def _merge_printings(group: Sequence[PrintedCard]) -> Card:
    """Return one card for the printings of a card, with the facts of the first base printing.

    Its `printings` are the numbers of all of them, that of the base printing first, and those that the cards list. Its
    release day is the earliest. If it has no number, it gets the first number of another printing.
    """
    base = _base_printings(group)[0]
    number = base.card.number or next((printing.card.number for printing in group if printing.card.number), "")
    printings = dict.fromkeys((base.printing, *(printing.printing for printing in group)))
    printings.update(dict.fromkeys(known for printing in group for known in printing.card.printings))
    released = min((printing.card.released for printing in group if printing.card.released), default=None)
    return replace(base.card, number=number, printings=tuple(filter(None, printings)), released=released)


# Fields in which the printings of a card may differ. If cards are matched by name, each set has its own numbers and
# texts.
_VARYING = frozenset({"printings"})
_VARYING_BY_SET = _VARYING | {"number", "name", "rarity", "set", "released", "text", "back_text"}


def _find_clashes(game: str, group: Sequence[PrintedCard]) -> Iterable[str]:
    """Yield a sentence for each base printing of a card that differs from the first one.

    In games that match cards by name, texts, numbers and other facts of a set may differ.
    """
    first, *others = _base_printings(group)
    varies = _VARYING_BY_SET if GAMES[game].told_by_name else _VARYING
    for other in others:
        if differing := _differing_fields(first.card, other.card, varies):
            name = first.card.number or first.card.name
            yield phrase(
                "{first} and {second}: both are {card}, but differ in {fields}",
                first=first.where,
                second=other.where,
                card=name,
                fields=", ".join(differing),
            )


def _differing_fields(card: Card, other: Card, varies: Collection[str]) -> list[str]:
    """Return the names of the fields in which two cards differ, without the fields in `varies`."""
    names = (field.name for field in fields(Card) if field.name not in varies)
    return [name for name in names if getattr(card, name) != getattr(other, name)]


def _find_double_names(groups: Iterable[Sequence[PrintedCard]]) -> Iterable[str]:
    """Yield a sentence for each printing whose number an earlier printing has with another name. Case is ignored."""
    first: dict[str, PrintedCard] = {}
    for printing in (printing for group in groups for printing in group if printing.card.number):
        known = first.setdefault(printing.card.number, printing)
        if fold_text(known.card.name) != fold_text(printing.card.name):
            yield phrase(
                "{first} and {second}: both are {card}, but have two names",
                first=known.where,
                second=printing.where,
                card=printing.card.number,
            )
