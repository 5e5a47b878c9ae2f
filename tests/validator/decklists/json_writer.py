"""Lists as JSON, in the many keys and nestings of programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from random import Random
from typing import Any

from tests.validator.decklists.drawn_decks import Entry, draw_deck
from tests.validator.decklists.written_lists import Copies, WrittenList

NUMBERS = ("number", "cardNumber", "card_number", "cardId", "card_id", "id", "code", "cardnum", "card_code", "no")
NAMES = ("name", "cardName", "card_name", "title")
COUNTS = ("count", "qty", "quantity", "amount", "copies", "n", "num", "Qty", "cardCount")
SECTION_KEYS = ("section", "zone", "board")
CONTAINERS = {
    "leader": ("leader", "leaders", "Leader", "leaderCard"),
    "main": ("main", "mainDeck", "main_deck", "maindeck", "deck", "cards", "mainboard"),
    "side": ("side", "sideDeck", "side_deck", "sideboard", "Sideboard"),
    "z": ("z", "zDeck", "z_deck", "zdeck"),
    "don": ("don", "donDeck", "don_deck"),
}


class Entries:
    """One way of writing an entry as JSON: the same for all entries of a list, unless `is_mixed`."""

    def __init__(self, chance: Random, game: str, is_mixed: bool = False) -> None:
        """Choose the keys."""
        self._chance = chance
        self._is_mixed = is_mixed
        self._has_name = game == "bos" or chance.random() < 0.5
        self._is_nested = chance.random() < 0.1
        self._is_text = chance.random() < 0.15
        self._choose()

    def _choose(self) -> None:
        self._number, self._name = self._chance.choice(NUMBERS), self._chance.choice(NAMES)
        self._count = self._chance.choice([key for key in COUNTS if key != self._number])

    def write(self, entry: Entry) -> dict[str, Any]:
        """Return an entry as an object."""
        if self._is_mixed:
            self._choose()
        card: dict[str, Any] = {self._number: entry.number} if entry.number else {}
        if self._has_name or not entry.number:
            card[self._name] = entry.name
        count = {self._count: str(entry.count) if self._is_text else entry.count}
        return {"card": card} | count if self._is_nested else card | count


def _finish(chance: Random, value: object, deck: Sequence[Copies], shape: str, game: str) -> WrittenList:
    indent = chance.choice((None, None, 1, 2, 4))
    text = json.dumps(value, indent=indent, ensure_ascii=chance.random() < 0.5)
    return WrittenList(shape, game, text, list(deck))


def _copies(deck: Sequence[Entry], at: int = 0) -> list[Copies]:
    return [Copies(section, number, name, count, deck=at) for section, number, name, _, count in deck]


def _sectioned(chance: Random, deck: Sequence[Entry], game: str, is_mixed: bool = False) -> dict[str, Any]:
    """Return an object with a key for each section."""
    entries = Entries(chance, game, is_mixed)
    is_map = game != "bos" and not is_mixed and chance.random() < 0.2
    is_text = game != "bos" and not is_mixed and chance.random() < 0.15
    value: dict[str, Any] = {}
    for section, group in groupby(deck, lambda entry: entry.section):
        listed = list(group)
        key = chance.choice(CONTAINERS[section])
        if section == "don":
            value[key] = [entries.write(entry) for entry in listed]
        elif section == "leader" and chance.random() < 0.4 and not is_mixed:
            value[key] = listed[0].number or entries.write(listed[0])
        elif is_map:
            value[key] = {entry.number: entry.count for entry in listed}
        elif is_text:
            value[key] = [f"{entry.count}x {entry.number}" for entry in listed]
        else:
            value[key] = [entries.write(entry) for entry in listed]
    return value


def write_json_sections(chance: Random, game: str) -> WrittenList:
    """Return an object with the sections of a deck, perhaps within another object and with facts beside them."""
    deck = draw_deck(chance, game)
    value = _sectioned(chance, deck, game)
    if chance.random() < 0.3:
        value = {chance.choice(("deck", "decklist", "data")): value}
    if chance.random() < 0.4:
        value = {"name": "My deck", "author": "Max", "format": "standard", "created": "2026-11-22"} | value
    return _finish(chance, value, _copies(deck), "json-sections", game)


def write_json_list(chance: Random, game: str) -> WrittenList:
    """Return a list of entries, each with its section, or without sections; some lists mix the keys of programs."""
    is_sectioned = chance.random() < 0.5
    deck = draw_deck(chance, game, is_sectioned=is_sectioned, only_own_names=game == "bos" and not is_sectioned)
    entries = Entries(chance, game, is_mixed=chance.random() < 0.3)
    value: Any = [entries.write(entry) for entry in deck]
    if is_sectioned:
        key = chance.choice(SECTION_KEYS)
        value = [one | {key: entry.section} for one, entry in zip(value, deck, strict=True)]
    if chance.random() < 0.3:
        value = {chance.choice(("cards", "deck", "decklist", "list", "entries")): value}
    return _finish(chance, value, _copies(deck), "json-list", game)


def write_json_plain(chance: Random, game: str) -> WrittenList:
    """Return a map of numbers to counts, a list of lines, or a list with one number for each copy."""
    deck = draw_deck(chance, game, is_sectioned=False, only_own_names=game == "bos")
    sign = "name" if game == "bos" else "number"
    form = chance.choice(("map", "lines", "copies"))
    value: Any
    if form == "map":
        value = {getattr(entry, sign): entry.count for entry in deck}
    elif form == "lines":
        line = chance.choice(("{n}x{c}", "{n} {c}", "{n}x {c}", "{c} x{n}")) if game != "bos" else "{n}x {c}"
        value = [line.format(n=entry.count, c=getattr(entry, sign)) for entry in deck]
    else:
        value = [getattr(entry, sign) for entry in deck for _ in range(entry.count)]
    return _finish(chance, value, _copies(deck), "json-plain", game)


def write_json_counts(chance: Random, game: str) -> WrittenList:
    """Return a list of entries with the copies in each section: {"number": …, "main": 4, "side": 0}."""
    deck = draw_deck(chance, game)
    used = list(dict.fromkeys(entry.section for entry in deck))
    keys = {section: chance.choice(CONTAINERS[section]) for section in used}
    keys = {section: key if key != "cards" else "main" for section, key in keys.items()}
    number, name = chance.choice(NUMBERS), chance.choice(NAMES)
    has_zeros = chance.random() < 0.5
    by_card: dict[tuple[str, str], dict[str, int]] = {}
    for entry in deck:
        counts = by_card.setdefault((entry.number, entry.name), dict.fromkeys(used, 0))
        counts[entry.section] += entry.count
    value = []
    for (card_number, card_name), counts in by_card.items():
        card: dict[str, Any] = {number: card_number} if card_number else {name: card_name}
        card |= {keys[section]: count for section, count in counts.items() if count or has_zeros}
        value.append(card)
    return _finish(chance, value, _copies(deck), "json-counts", game)


def write_json_several(chance: Random, game: str) -> WrittenList:
    """Return several decks in one list, or under one key."""
    decks = [draw_deck(chance, game) for _ in range(chance.choice((2, 2, 3)))]
    value: Any = [
        ({"name": f"Deck {at}"} if chance.random() < 0.7 else {}) | _sectioned(chance, deck, game)
        for at, deck in enumerate(decks, 1)
    ]
    if chance.random() < 0.5:
        value = {"decks": value}
    copies = [one for at, deck in enumerate(decks) for one in _copies(deck, at)]
    return _finish(chance, value, copies, "json-several", game)
