"""How many cards a section holds, and which sections there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import replace
from typing import ClassVar

from validator.deck import DeckFacts
from validator.findings import Citation
from validator.findings import Finding
from validator.rules.base import Policy
from validator.rules.base import Rule


@dataclass(frozen=True)
class Sections(Rule):
    """Only these sections exist in the game."""

    sections: tuple[str, ...]

    by_shape: ClassVar[bool] = True

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one finding for each section that is used and does not exist."""
        for section, size in facts.sizes.items():
            if size and section not in self.sections:
                yield Finding("section.not_allowed", self.cite, section, count=size, limit=0)


@dataclass(frozen=True)
class LeaderCount(Rule):
    """The leader section holds exactly so many cards, known or not."""

    count: int

    by_shape: ClassVar[bool] = True

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield a finding when there are more or fewer."""
        if facts.sizes["leader"] != self.count:
            yield Finding(
                "leader.count",
                self.cite,
                "leader",
                count=facts.sizes["leader"],
                limit=self.count,
                minimum=self.count,
            )


@dataclass(frozen=True)
class Size(Rule):
    """A section holds from `minimum` to `maximum` cards, known or not."""

    section: str
    minimum: int
    maximum: int

    by_shape: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0 <= self.minimum <= self.maximum:
            raise ValueError(f"the minimum {self.minimum} is over the maximum {self.maximum}: swap or mend them")

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield a finding when there are more or fewer."""
        size = facts.sizes[self.section]
        if not self.minimum <= size <= self.maximum:
            yield Finding("size", self.cite, self.section, count=size, limit=self.maximum, minimum=self.minimum)

    def under(self, policy: Policy) -> Rule:
        """Let the organiser set the side deck's size."""
        if self.section != "side" or policy.side_max in (None, self.maximum):
            return self
        cite = Citation("Tournament policy of this event", "side_max")
        return replace(self, maximum=policy.side_max, minimum=min(self.minimum, policy.side_max or 0), cite=cite)


@dataclass(frozen=True)
class DonDeck(Rule):
    """The DON!! deck, where it is written out, has the size the rules or the Leader's text ask for."""

    size: int

    @property
    def asked_by(self) -> frozenset[str]:
        """Only a deck that writes its DON!! cards out is asked."""
        return frozenset({"don"})

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield a finding when the size is another; without a Leader there is no telling."""
        if not facts.sizes["don"] or facts.leader is None:
            return
        size, cite = self.size, self.cite
        for clause in facts.leader.construction:
            if clause.kind == "don_size" and clause.size is not None:
                size, cite = clause.size, Citation(facts.leader.label, clause.text)
        if facts.sizes["don"] != size:
            yield Finding("size", cite, "don", count=facts.sizes["don"], limit=size, minimum=size)
