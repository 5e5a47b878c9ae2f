"""What a rule is: a name, a sentence, a citation, and one short check."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from validator.cards import Card
from validator.deck import DeckFacts
from validator.findings import Citation
from validator.findings import Finding


@dataclass(frozen=True)
class Policy:
    """What an organiser may decide: tournament policy, not rule manual.

    None leaves what the ruleset says. `release_delay_days` is added to every release; `limits` False
    leaves the official limits lists out.
    """

    side_max: int | None = None
    copies_across_side: bool | None = None
    release_delay_days: int = 0
    limits: bool = True


@dataclass(frozen=True)
class Rule:
    """One statement of a manual or a list, ready to be checked.

    A deck is asked of a rule only where the rule may have something to say: `by_shape` rules look at
    the sections' sizes alone and are asked once for each shape; the others when a card of the deck
    `concerns` them or a section that they are `asked_by` is used (and the rule on copies when a card
    has more copies than its limit).
    """

    name: str
    says: str
    cite: Citation

    by_shape: ClassVar[bool] = False

    @property
    def asked_by(self) -> frozenset[str]:
        """The sections whose use alone makes this rule worth asking."""
        return frozenset()

    def concerns(self, card: Card, section: str, leader: Card | None) -> bool:
        """Tell whether this card in this section, under this Leader, may make the rule speak."""
        return False

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield what is wrong with the deck by this rule."""
        raise NotImplementedError

    def under(self, policy: Policy) -> Rule:
        """Return the rule as an organiser's policy makes it."""
        return self

    def parameters(self) -> Mapping[str, object]:
        """Return the rule's own values, for people who ask what is checked."""
        own = self.__dict__.items()
        return {key: value for key, value in own if key not in ("name", "says", "cite")}
