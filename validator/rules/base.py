"""What a rule is: a name, a sentence, a citation, the kinds of finding it makes, and one short check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from validator.cards import Card
from validator.deck import DeckFacts
from validator.findings import Citation, Code, Finding

# What a rule that an organiser has changed is cited from.
POLICY_DOCUMENT = "Tournament policy of this event"


@dataclass(frozen=True)
class Policy:
    """What an organiser may decide: tournament policy, not rule manual.

    None leaves what the ruleset says. `main_min` and `main_max` are the sizes of the main deck of a limited event;
    `copies` False frees the number of copies of a card, as in sealed and draft. `release_delay_days` is added to
    every release; `release` False lets cards be played before it; `limits` False leaves the official limits lists
    out; `swap_one_for_one` keeps the side deck's size from game to game.
    """

    side_max: int | None = None
    main_min: int | None = None
    main_max: int | None = None
    copies: bool = True
    copies_across_side: bool | None = None
    release_delay_days: int = 0
    release: bool = True
    limits: bool = True
    swap_one_for_one: bool = False


@dataclass(frozen=True)
class Rule:
    """One statement of a manual or a list, ready to be checked.

    Every deck is asked of a rule, unless the rule takes a shortcut: `by_shape` rules look at the sections'
    sizes alone and are asked once for each shape; rules with `asked_by` only where one of these sections
    is used or a card of the deck `concerns` them (and the rule on copies where a card has more copies
    than its limit). `by_kind` rules are asked of every deck, and have anything to say of two or of neither if the
    same kinds of cards are in both, however many.
    """

    name: str
    says: str
    cite: Citation

    codes: ClassVar[tuple[Code, ...]] = ()
    by_shape: ClassVar[bool] = False
    by_kind: ClassVar[bool] = False
    asked_by: ClassVar[frozenset[str] | None] = None

    def concerns(self, card: Card, section: str, leader: Card | None) -> bool:
        """Tell whether this card in this section, under this Leader, may make the rule speak."""
        return self.asked_by is None

    def lets_be(self, card: Card) -> int:
        """Return how many copies, of all cards of which it says this number, leave the rule silent in any deck."""
        return 0

    def kind(self, card: Card, section: str) -> object:
        """Return what a rule `by_kind` goes by of a card that may stand in a section, None where it does not look."""
        return None

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield what is wrong with the deck by this rule."""
        raise NotImplementedError

    def always(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield what the rule asks of every deck, wrong with this one or not, as it would find it wrong."""
        return iter(())

    def fitting(self, section: str, leader: Card | None) -> Mapping[str, tuple[str, ...]]:
        """Return what the rule wants a card of a section to be under a Leader, by "types", "colors" or "blocks"."""
        return {}

    def by_number(self, cards: Iterable[Card]) -> Mapping[str, object] | None:
        """Return what decides of each number that the rule speaks of, None where it does not go by single numbers."""
        return None

    def under(self, policy: Policy) -> Rule:
        """Return the rule as an organiser's policy makes it."""
        return self

    def parameters(self) -> Mapping[str, object]:
        """Return the rule's own values, for people who ask what is checked."""
        own = self.__dict__.items()
        return {key: value for key, value in own if key not in ("name", "says", "cite")}
