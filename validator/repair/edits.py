"""What a repair changes, as values: cards taken out, moved and put in, and whose finding asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from validator import words
from validator.deck import Deck, Unread
from validator.finding_lists import MOST_SINGLE
from validator.findings import Finding, NamedCard
from validator.language import ENGLISH, Language, Sayable

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
