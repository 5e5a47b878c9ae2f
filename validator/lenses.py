"""Lenses: which rules each card concerns in a section under a Leader, as bits, found once for each card.

A Judge gives each of its rules a bit. A card of no bits is one of which no rule has anything to say there, but the one
on copies where there are more than its limit. Whoever counts a deck finds its cards and their bits in one look. In bulk
it is `Judge.lets_in` that tells such cards, and `Judge.alike` the Leaders under whom they are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from validator.cards import Card

MOST_LEARNT = 100_000  # cards over all lenses of a Judge, some 15 MB at most; more are forgotten and found again


class Lens(dict[Card, int]):
    """The rules that each card concerns in one section under one Leader, as bits.

    `at_hand` has the cards that were met, with their bits, by their numbers as the catalogue spells them.
    """

    def __init__(self, asks: Callable[[Card], int]) -> None:
        super().__init__()
        self.at_hand: dict[str | None, tuple[Card, int]] = {}
        self._asks = asks

    def __missing__(self, card: Card) -> int:
        bits = self[card] = self._asks(card)
        return bits


@dataclass(frozen=True, slots=True)
class View:
    """How decks of one Leader look: the rules that each of them is asked of, as bits, and a lens for each section."""

    asked: int
    lenses: Mapping[str, Lens]


def _nothing(*_: object) -> int:
    return 0


class Views(dict[Card | None, View]):
    """How decks look under each Leader, and without one.

    `asks` tells the bits of a card in a section under a Leader; `alike` what Leaders have in common under whom no
    card looks different; `always` are the rules that every deck is asked of. Without these there are no rules.
    `at_hand` has the Leaders that were met, by their numbers as the catalogue spells them.
    """

    def __init__(
        self,
        sections: Iterable[str],
        asks: Callable[[Card, str, Card | None], int] = _nothing,
        alike: Callable[[Card | None], object] = _nothing,
        always: int = 0,
        most_learnt: int = MOST_LEARNT,
    ) -> None:
        super().__init__()
        self._sections = tuple(sections)
        self._asks, self._alike, self._always = asks, alike, always
        self._lenses: dict[object, Mapping[str, Lens]] = {}
        self.at_hand: dict[str | None, tuple[Card, View]] = {}
        self._learnt, self._most_learnt = 0, most_learnt

    def __missing__(self, leader: Card | None) -> View:
        alike = self._alike(leader)
        if alike not in self._lenses:
            self._lenses[alike] = {one: Lens(partial(self._learn, one, leader)) for one in self._sections}
        lenses = self._lenses[alike]
        view = self[leader] = View(self._always | (lenses["leader"][leader] if leader else 0), lenses)
        return view

    def _learn(self, section: str, leader: Card | None, card: Card) -> int:
        self._learnt += 1
        if self._learnt > self._most_learnt:
            self._learnt = 0
            self.clear()
            self.at_hand.clear()
            self._lenses.clear()
        return self._asks(card, section, leader)
