"""The answer: how a deck becomes legal by the fewest changes, how sure that is, or why it does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validator import words
from validator.bounds import MOST_SINGLE
from validator.cards import Card
from validator.deck import Deck, Unread
from validator.findings import Finding, NamedCard
from validator.judge import Verdict
from validator.language import ENGLISH, Language, Phrase, Sayable, phrase
from validator.repair.search import Found, Search

Fit = Mapping[str, tuple[str, ...]]  # what a card must be to fit somewhere: "types", "colors", "blocks"


def _because(finding: Finding | None) -> dict[str, Any]:
    if finding is None:
        return {"because": None, "rule": None}
    return {"because": finding.code, "rule": finding.rule.as_dict()}


@dataclass(frozen=True, slots=True)
class Out(Sayable):
    """NamedCard of a card to take out of a section; of a line that nobody could read, the line alone."""

    section: str | None
    card: NamedCard
    because: Finding | None

    def said(self, say: Language) -> str:
        """Return the sentence that says it in a language."""
        if self.section is None:
            return say("Take out the line “{line}”.", line=self.card.name)
        named = {"copies": words.copies(self.card.count, say), "section": words.section_name(self.section, say)}
        if kept := self.because and self.because.details.get("kept"):
            colors = words.joined(words.terms(kept, say), say)
            return say(
                "Take {copies} of {card} out of the {section}, which keeps {colors}.",
                card=self.card.label,
                colors=colors,
                **named,
            )
        return say("Take {copies} of {card} out of the {section}.", card=self.card.label, **named)

    def as_dict(self, say: Language = ENGLISH) -> dict[str, Any]:
        """Return the public form."""
        return {"section": self.section, **self.card.as_dict(), **_because(self.because), "says": self.said(say)}


@dataclass(frozen=True, slots=True)
class Moved(Sayable):
    """NamedCard of a card to move from one section to another."""

    origin: str
    target: str
    card: NamedCard
    because: Finding | None

    def said(self, say: Language) -> str:
        """Return the sentence that says it in a language."""
        return say(
            "Move {copies} of {card} from the {origin} to the {target}.",
            copies=words.copies(self.card.count, say),
            card=self.card.label,
            origin=words.section_name(self.origin, say),
            target=words.section_name(self.target, say),
        )

    def as_dict(self, say: Language = ENGLISH) -> dict[str, Any]:
        """Return the public form."""
        places = {"from": self.origin, "to": self.target}
        return {**places, **self.card.as_dict(), **_because(self.because), "says": self.said(say)}


@dataclass(frozen=True, slots=True)
class In(Sayable):
    """Cards to put into a section: so many of whatever fits.

    `fits` is what such a card must be; `cards` are some that make the deck legal, as the repaired deck has them;
    `own` are cards of the deck of which it may have more, `again` those of the name of a card that goes.
    """

    section: str
    count: int
    fits: Fit
    cards: tuple[NamedCard, ...]
    own: tuple[NamedCard, ...]
    again: tuple[NamedCard, ...]
    because: Finding | None

    @property
    def of(self) -> str:
        """Words for what must be put in."""
        return self.fitting(ENGLISH)

    def fitting(self, say: Language) -> str:
        """Return words of a language for what must be put in."""
        if self.section == "leader":
            return words.either([card.label for card in self.cards], say)
        kinds = words.either(words.terms(self.fits.get("types", ()), say), say) or say("legal")
        if colors := "/".join(words.terms(self.fits.get("colors", ()), say)):
            kinds = say("{colors} {kinds}", colors=colors, kinds=kinds)
        if blocks := words.either(self.fits.get("blocks", ()), say):
            return say("any {kinds} card of the blocks {blocks}", kinds=kinds, blocks=blocks)
        return say("any {kinds} card", kinds=kinds)

    def said(self, say: Language) -> str:
        """Return the sentence that says it in a language."""
        return say(
            "Add {cards} to the {section}: {what}.",
            cards=words.cards(self.count, say),
            section=words.section_name(self.section, say),
            what=self.fitting(say),
        )

    def as_dict(self, say: Language = ENGLISH) -> dict[str, Any]:
        """Return the public form."""
        return {
            "section": self.section,
            "count": self.count,
            "of": self.fitting(say),
            "fits": {key: list(values) for key, values in self.fits.items()},
            "cards": [card.as_dict() for card in self.cards],
            "own": [card.as_dict() for card in self.own],
            "again": [card.as_dict() for card in self.again],
            **_because(self.because),
            "says": self.said(say),
        }


@dataclass(frozen=True, slots=True)
class Changes:
    """One way to mend a deck; `deck` is the deck mended so, with cards that fit put in, judged legal."""

    out: tuple[Out, ...]
    moved: tuple[Moved, ...]
    put_in: tuple[In, ...]
    deck: Deck

    @property
    def sentences(self) -> list[tuple[str, Finding | None]]:
        """The sentences that say it, each with the finding that asks for it."""
        return self.said(ENGLISH)

    def said(self, say: Language) -> list[tuple[str, Finding | None]]:
        """Return the sentences of a language that say it, each with the finding that asks for it."""
        every: list[Out | Moved | In] = [*self.out, *self.moved, *self.put_in]
        return [(change.said(say), change.because) for change in every]

    def as_dict(self, say: Language = ENGLISH) -> dict[str, Any]:
        """Return the public form."""
        return {
            "remove": [
                *(out.as_dict(say) for out in self.out[:MOST_SINGLE]),
                *(out.as_dict(say) | {"rule": None} for out in self.out[MOST_SINGLE:]),  # `because` has its code
            ],
            "move": [moved.as_dict(say) for moved in self.moved],
            "add": [put_in.as_dict(say) for put_in in self.put_in],
            "deck": {
                section: [{"number": line.number, "name": line.name, "count": line.count} for line in lines]
                for section, lines in self.deck.used()
            },
        }


def unread_out(line: Unread, because: Finding | None) -> Out:
    """Return a line that nobody could read, as something to take out."""
    return Out(None, NamedCard("", line.text[:200], None), because)


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
