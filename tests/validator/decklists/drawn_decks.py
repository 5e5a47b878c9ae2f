"""Decks drawn from the cards that ship, legal or not: what the writers of `deck_writer` write down."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import NamedTuple

from carddb import facts
from carddb.catalogue import Catalogue
from validator.cards import Card

GAMES = ("optcg", "dbs", "gundam", "bos")
_SIDED = ("dbs", "gundam", "bos")
_NUMBERED = re.compile(r"[A-Z]+[0-9]*-[0-9]+")


class Entry(NamedTuple):
    """Copies of one card in one section. `number` is "" if players of the game write names only."""

    section: str
    number: str
    name: str
    type: str
    count: int


@dataclass(frozen=True, slots=True)
class Pool:
    """The cards of a game by the section that their type belongs to."""

    game: str
    sections: Mapping[str, Sequence[Card]]


@cache
def catalogue(game: str) -> Catalogue:
    """Return the cards of a game that ship."""
    return facts.catalogue(game)


@cache
def _pool(game: str) -> Pool:
    sections: dict[str, list[Card]] = {"leader": [], "z": [], "main": []}
    for card in catalogue(game):
        if card.type.startswith("EX ") or "Token" in card.type or card.type == "Resource":
            continue  # they lie beside the deck
        if _NUMBERED.search(card.name):
            continue  # a number in place of a name that is not known
        own = "leader" if card.type == "Leader" else "z" if card.type.startswith("Z-") else "main"
        sections[own].append(card)
    return Pool(game, sections)


def has_own_name(card: Card, game: str) -> bool:
    """Return True if the name alone names this card."""
    return len(catalogue(game).by_name(card.name)) == 1


def draw_deck(chance: Random, game: str, is_sectioned: bool = True, only_own_names: bool = False) -> list[Entry]:
    """Return the entries of a deck, in the order of its sections.

    Only a sectioned deck has a side deck and DON!!: no list without headings can say that a card is of those.
    """
    pool = _pool(game)
    sizes = {"leader": 1 if pool.sections["leader"] else 0, "main": chance.choice((3, 8, 14, 14, 20, 40))}
    if game == "dbs" and chance.random() < 0.3:
        sizes["z"] = chance.randint(1, 4)
    entries = []
    for section, size in sizes.items():
        entries += _draw(chance, game, section, section, size, only_own_names)
    if is_sectioned and game in _SIDED and chance.random() < 0.6:
        side = _draw(chance, game, "side", "main", chance.randint(1, 6), only_own_names)
        shared = [entry for entry in entries if entry.section == "main"]
        known = {entry.name for entry in side}
        side += [
            entry._replace(section="side", count=chance.randint(1, 3))
            for entry in chance.sample(shared, min(2, len(shared)))
            if entry.name not in known
        ]
        entries += side
    if is_sectioned and game == "optcg" and chance.random() < 0.2:
        entries.append(Entry("don", "", "DON!!", "DON!!", chance.choice((6, 10))))
    return entries


def _draw(chance: Random, game: str, section: str, source: str, size: int, only_own_names: bool) -> list[Entry]:
    cards = _pool(game).sections[source]
    cards = chance.sample(cards, min(len(cards), 3 * size + 3 if only_own_names else size))
    if only_own_names:
        cards = [card for card in cards if has_own_name(card, game)]
    counts = (1,) if section == "leader" else (1, 2, 3, 4, 4, 4, chance.choice((1, 5, 7, 12)))
    number = (lambda card: "") if game == "bos" else (lambda card: card.number)
    return [Entry(section, number(card), card.name, card.type, chance.choice(counts)) for card in cards[:size]]
