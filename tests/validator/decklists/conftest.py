"""Small catalogues over the real cards: numbers, names and types are all that reading a list asks for."""

import csv
import json
from collections.abc import Iterable

import pytest

from tests.shared import shared_path
from validator.cards import Card
from validator.matching import fold_text
from validator.numbers import normal


class Shelf:
    """The cards of one game, looked up the way `validator.cards.Catalogue` promises."""

    snapshot = "tests"
    as_of = None

    def __init__(self, game: str, cards: Iterable[Card]) -> None:
        self.game = game
        self.index = {card.number: card for card in cards}
        self._named: dict[str, list[Card]] = {}
        for card in self.index.values():
            for name in {fold_text(name) for name in (card.name, card.back_name) if name}:
                self._named.setdefault(name, []).append(card)

    def __len__(self):
        return len(self.index)

    def __iter__(self):
        return iter(self.index.values())

    def by_number(self, number):
        return self.index.get(normal(number, self.game)[0])

    def by_name(self, name):
        return self._named.get(fold_text(name), ())

    def similar(self, text):
        return ()

    def suggest(self, text, most=5):
        return ()


@pytest.fixture(scope="session")
def optcg() -> Shelf:
    cards = json.loads(shared_path("data/optcg/cards_en_printings.json").read_text(encoding="utf-8"))
    return Shelf("optcg", (Card("optcg", card["number"], card["name"], card["category"].title()) for card in cards))


@pytest.fixture(scope="session")
def dbs() -> Shelf:
    with shared_path("data/dbs/catalogue.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return Shelf(
        "dbs", (Card("dbs", row["number"], row["name"], row["type"], row["back_name"] or None) for row in rows)
    )


@pytest.fixture
def few() -> Shelf:
    """A handful of cards with the names that are hardest to read."""
    return Shelf(
        "dbs",
        (
            Card("dbs", number, name, kind, back)
            for number, name, kind, back in (
                ("BT1-001", "Krillin", "Leader", "Krillin, Grown-Up Support"),
                ("BT1-002", "10x Kamehameha", "Extra", None),
                ("BT1-003", "3-Man Kamehameha", "Extra", None),
                ("BT1-004", "7 Shadow Dragons Assembled", "Extra", None),
                ("BT1-005", "Android 13", "Battle", None),
                ("BT1-006", "Planet M-2", "Extra", None),
                ("BT1-007", "Battle Pod XJ1-09", "Battle", None),
                ("BT1-008", "Zephyr (Special)", "Battle", None),
                ("BT1-009", "Final Form", "Z-Battle", None),
                ("BT1-010", "x20 Kaio-ken Kamehameha, Mighty Blast", "Extra", None),
                ("BT1-012", "X Calibur", "Extra", None),
                ("BT1-011", "Deck", "Extra", None),
                ("SP.9", "Odd One", "Battle", None),
            )
        ),
    )
