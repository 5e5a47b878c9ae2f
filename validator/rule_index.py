"""The rules that each card can violate, as bits, found once for each card.

A Judge gives each of its rules a bit and keeps a RuleIndex. DeckFacts reads from it a card and its bits in one look-up.
A card without bits can only violate the rules that the Judge checks in every deck, such as the rule on copies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from validator.bounds import MOST_LEARNT_CARDS
from validator.cards import Card


class CardRuleIndex(dict[Card, int]):
    """The rules that each card can violate in one section under one Leader, as bits. A missing card is found and added.

    `by_number` has the cards that were met, with their bits, by their numbers as the catalogue spells them.
    """

    def __init__(self, find_rules: Callable[[Card], int]) -> None:
        """Make an empty index. `find_rules` returns the rules that a new card can violate, as bits."""
        super().__init__()
        self.by_number: dict[str | None, tuple[Card, int]] = {}
        self._find_rules = find_rules

    def __missing__(self, card: Card) -> int:
        """Find the rules that a new card can violate, and cache them."""
        bits = self[card] = self._find_rules(card)
        return bits


@dataclass(frozen=True, slots=True)
class LeaderIndex:
    """The rules that a Leader's own card can violate, as bits.

    `sections` has the index of each section of its decks.
    """

    rules: int
    sections: Mapping[str, CardRuleIndex]


def _find_no_rules(*_: object) -> int:
    """Return 0, the bits of no rule. The arguments are ignored."""
    return 0


class RuleIndex(dict[Card | None, LeaderIndex]):
    """The index of each Leader, and of decks without one (None). A missing Leader's index is made and added.

    `find_rules` returns the bits of a card in a section under a Leader. Leaders of an equal `group_key` share their
    indexes. Without these arguments there are no rules. `by_number` has the Leaders that were met, by their numbers as
    the catalogue spells them.
    """

    def __init__(
        self,
        sections: Iterable[str],
        find_rules: Callable[[Card, str, Card | None], int] = _find_no_rules,
        group_key: Callable[[Card | None], object] = _find_no_rules,
        most_learnt: int = MOST_LEARNT_CARDS,
    ) -> None:
        """Make an empty index for these sections. It is cleared after `most_learnt` cards."""
        super().__init__()
        self._sections = tuple(sections)
        self._find_rules, self._group_key = find_rules, group_key
        self._groups: dict[object, Mapping[str, CardRuleIndex]] = {}
        self.by_number: dict[str | None, tuple[Card, LeaderIndex]] = {}
        self._learnt, self._most_learnt = 0, most_learnt

    def __missing__(self, leader: Card | None) -> LeaderIndex:
        """Build the index of a new Leader, and cache it. Leaders with the same group key share the indexes of cards."""
        key = self._group_key(leader)
        if key not in self._groups:
            self._groups[key] = {
                section: CardRuleIndex(partial(self._find_counted, section, leader)) for section in self._sections
            }
        group = self._groups[key]
        index = self[leader] = LeaderIndex(group["leader"][leader] if leader else 0, group)
        return index

    def _find_counted(self, section: str, leader: Card | None, card: Card) -> int:
        """Return the rules that a card can violate, as bits, and count the card.

        If more cards than `most_learnt` were counted, the whole index is cleared first, and the count begins at 0
        again.
        """
        self._learnt += 1
        if self._learnt > self._most_learnt:
            self._learnt = 0
            self.clear()
            self.by_number.clear()
            self._groups.clear()
        return self._find_rules(card, section, leader)
