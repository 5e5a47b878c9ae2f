"""The answer: how a deck becomes legal by the fewest changes, how sure that is, or why it does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validator import words
from validator.cards import Card
from validator.findings import Finding, NamedCard
from validator.judge import Verdict
from validator.language import ENGLISH, Language, Phrase, phrase
from validator.repair.edits import Changes
from validator.repair.search import Found, Search


@dataclass(frozen=True, slots=True)
class LeastChanges:
    """What one finding alone asks for: at least so many changes, whatever else is done."""

    finding: Finding
    least: int

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        cards = [card.as_dict() for card in self.finding.cards]
        place = {"section": self.finding.section, "cards": cards, "rule": self.finding.rule.as_dict()}
        return {"because": self.finding.code, "least": self.least, **place}


@dataclass(frozen=True, slots=True)
class OtherLeader:
    """A second kind of answer: the deck under another Leader, any of `leaders`, by fewer changes."""

    leaders: tuple[Card, ...]
    changes: int
    minimal: bool
    repair: Changes

    def as_dict(self, say: Language = ENGLISH) -> dict[str, Any]:
        """Return the public form."""
        leaders = [{"number": card.number, "name": card.name} for card in self.leaders]
        return {"leaders": leaders, "changes": self.changes, "minimal": self.minimal, **self.repair.as_dict(say)}


@dataclass(frozen=True, slots=True)
class Repair:
    """How a deck becomes legal by the fewest changes.

    `possible` is false where no way was found, and `why` says why; else it says why there are not fewer `changes`
    (None where there is no way), or why that is not sure, as `minimal` tells. `bound` is how many it is proved that
    there are at least, and `bounds` what each finding alone asks for. The deck's Leader stays unless it cannot;
    `leaders` are other Leaders under which half the changes do. `repairs` are some of those with so many.
    """

    verdict: Verdict
    possible: bool
    changes: int | None
    minimal: bool
    why: str
    repairs: tuple[Changes, ...] = ()
    bound: int | None = None
    bounds: tuple[LeastChanges, ...] = ()
    leaders: tuple[OtherLeader, ...] = ()
    pinned: tuple[NamedCard, ...] = ()

    @property
    def fewest(self) -> int | None:
        """The fewest changes under the deck's Leader or another one; None if no way was found."""
        return None if self.changes is None else min([self.changes, *(leader.changes for leader in self.leaders)])

    def as_dict(self, say: Language = ENGLISH) -> dict[str, Any]:
        """Return the public form (CONTRACT `POST /v1/repair`)."""
        return {
            "legal": self.verdict.legal,
            "possible": self.possible,
            "changes": self.changes,
            "fewest": self.fewest,
            "minimal": self.minimal,
            "why": say.of(self.why),
            "repairs": [repair.as_dict(say) for repair in self.repairs],
            "bound": self.bound,
            "bounds": [bound.as_dict() for bound in self.bounds],
            "leaders": [leader.as_dict(say) for leader in self.leaders],
            "pinned": [{"number": card.number, "name": card.name} for card in self.pinned],
        }


def bounds(found: Found) -> tuple[LeastChanges, ...]:
    """Return what each finding alone asks for, in changes."""
    plan, demands = found.plan, found.demands
    counts = plan.stock.counts
    over = [
        LeastChanges(cap.finding, sum(counts.get(cell, 0) for cell in cap.cells) - cap.limit)
        for cap in demands.caps.values()
        if cap.finding
    ]
    for size in demands.sizes.values():
        held = plan.stock.facts.sizes[size.section]
        over.append(
            LeastChanges(size.finding, max(size.minimum - held, held - size.maximum, plan.open.get(size.section, 0)))
        )
    return tuple(bound for bound in over if bound.least > 0)


def why_not(search: Search, pinned: Sequence[NamedCard]) -> Phrase:
    """Return the sentence that says why no repair was found."""
    if search.unfilled is not None:
        return Phrase(_unfilled, search.unfilled.open, search.judge.catalogue.snapshot, len(search.judge.catalogue))
    if search.conflict:
        return Phrase(_conflict, search.conflict, tuple(pinned[:5]))
    return phrase("The catalogue has no Leader under which this deck can be made legal.")


def _unfilled(missing: Mapping[str, int], catalogue: str, size: int, say: Language) -> str:
    wanted = [
        say("{cards} for the {section}", cards=words.cards(count, say), section=words.section_name(section, say))
        for section, count in missing.items()
    ]
    return say(
        "{wanted} would have to be added, and the catalogue {catalogue} ({size:,} cards) has not so many that fit.",
        wanted=words.joined(wanted, say),
        catalogue=catalogue,
        size=size,
    )


def _conflict(asks: Finding, pinned: Sequence[NamedCard], say: Language) -> str:
    asked = asks.kind.message(asks, say)
    if pinned:
        named = words.joined([card.label for card in pinned], say)
        return say.plural(
            "{cards} stays as it is, and this is asked: {finding}",
            "{cards} stay as they are, and this is asked: {finding}",
            len(pinned),
            cards=named,
            finding=asked,
        )
    return say("Nothing was found that mends this: {finding}", finding=asked)
