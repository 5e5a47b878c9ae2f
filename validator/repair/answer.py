"""The answer of a repair: the changes that make a deck legal, and the proof or the reason of a failure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, TypedDict, cast

from validator import words
from validator.bounds import MOST_SINGLE
from validator.cards import Card
from validator.deck import Deck, DeckJSON
from validator.field_docs import doc
from validator.findings import CitationJSON, CopiesJSON, Finding, FromToJSON, NamedCard, NamedJSON
from validator.judge import Verdict
from validator.language import ENGLISH, Language, Phrase, Translatable, phrase
from validator.repair.search import Found, Search
from validator.rules.base import Fit


class _ReasonJSON(TypedDict):
    """The code and the rule of the finding that requires a change, as JSON. Both are null if none does."""

    because: str | None
    rule: CitationJSON | None


def _reason_json(finding: Finding | None) -> _ReasonJSON:
    """Return the code and the rule of a finding as JSON. Both are None without a finding."""
    if finding is None:
        return {"because": None, "rule": None}
    return {"because": finding.code, "rule": finding.rule.as_dict()}


class BecauseJSON(CopiesJSON):
    """A card that a repair removes or moves, its number of copies, and the reason, as JSON.

    `because` is null if no finding requires the change by itself.
    """

    because: Annotated[str | None, doc("The code of the finding behind the change.")]
    says: Annotated[str, doc("The change, in a sentence.")]


class RemovedJSON(BecauseJSON):
    """Copies of a card that a repair removes, as JSON.

    For a line that could not be read, `number` is "", `name` the line and `count` null.
    """

    rule: Annotated[CitationJSON | None, doc("The rule behind the change. null after the first 60 cards of a repair.")]
    section: Annotated[str | None, doc("The section of the card. null for a line that could not be read.")]


@dataclass(frozen=True, slots=True)
class Removal(Translatable):
    """A change of a repair: copies of a card to remove from a section.

    `because` is the finding that requires it, None if there is none. If `section` is None, `card` is an unread line of
    the list. It has at most 200 characters of the line as its name, the number "" and no count.
    """

    section: str | None
    card: NamedCard
    because: Finding | None

    def render(self, translate: Language) -> str:
        """Return the change as a sentence of a language.

        It is about the line if `section` is None. If the deck has too many colours, it also has the colours that are
        kept.
        """
        if self.section is None:
            return translate("Remove the line “{line}”.", line=self.card.name)
        named = {
            "copies": words.copies_text(self.card.count, translate),
            "section": words.section_name(self.section, translate),
        }
        if kept := self.because and self.because.details.get("kept"):
            colors = words.join_with_and(words.fact_names(kept, translate), translate)
            return translate(
                "Remove {copies} of {card} from the {section}. The deck keeps {colors}.",
                card=self.card.label,
                colors=colors,
                **named,
            )
        return translate("Remove {copies} of {card} from the {section}.", card=self.card.label, **named)

    def as_dict(self, translate: Language = ENGLISH) -> RemovedJSON:
        """Return the removal as JSON, with its sentence in a language."""
        return {
            "section": self.section,
            **self.card.as_dict(),
            **_reason_json(self.because),
            "says": self.render(translate),
        }


class MovedJSON(BecauseJSON, FromToJSON):
    """Copies of a card that a repair moves from one section (`from`) to another (`to`), as JSON."""

    rule: Annotated[CitationJSON | None, doc("The rule behind the change.")]


@dataclass(frozen=True, slots=True)
class Move(Translatable):
    """A change of a repair: copies of a card to move from the section `origin` to the section `target`.

    `because` is the finding that requires the move, None if there is none.
    """

    origin: str
    target: str
    card: NamedCard
    because: Finding | None

    def render(self, translate: Language) -> str:
        """Return the change as a sentence of a language."""
        return translate(
            "Move {copies} of {card} from the {origin} to the {target}.",
            copies=words.copies_text(self.card.count, translate),
            card=self.card.label,
            origin=words.section_name(self.origin, translate),
            target=words.section_name(self.target, translate),
        )

    def as_dict(self, translate: Language = ENGLISH) -> MovedJSON:
        """Return the move as JSON, with its sentence in a language."""
        places: FromToJSON = {"from": self.origin, "to": self.target}
        return {**places, **self.card.as_dict(), **_reason_json(self.because), "says": self.render(translate)}


class AddedJSON(TypedDict):
    """The cards that a repair adds to a section, as JSON. `count` is their number.

    `own` and `again` are other cards that fit, and may be empty.
    """

    section: str
    count: int
    of: Annotated[str, doc("A description of the fitting cards.")]
    fits: Annotated[
        Mapping[str, list[str]],
        doc("The conditions for a card: `types`, `colors`, `blocks`, `pool` (the list with a pool)."),
    ]
    cards: Annotated[
        list[CopiesJSON], doc("Cards that make the deck legal, as in the repaired deck. For Leaders, any of them.")
    ]
    own: Annotated[list[CopiesJSON], doc("Cards of the deck, with the number of further copies allowed.")]
    again: Annotated[list[CopiesJSON], doc("Cards with the name of a removed card.")]
    because: Annotated[str | None, doc("The code of the finding behind the change.")]
    rule: Annotated[CitationJSON | None, doc("The rule behind the change.")]
    says: Annotated[str, doc("The change, in a sentence.")]


@dataclass(frozen=True, slots=True)
class Addition(Translatable):
    """A number of cards to add to a section. Any cards that fit can be added.

    `fits` are the values that such a card needs, by property, such as "types". `cards` are those that the repaired deck
    gets, with their copies, or for a Leader the alternatives. `own` are cards of the deck that may have further copies,
    `again` other cards with the name of a removed one. Their count is that of further copies, at most 255, and not all
    are named. `because` is the finding that requires the addition, None if there is none.
    """

    section: str
    count: int
    fits: Fit
    cards: tuple[NamedCard, ...]
    own: tuple[NamedCard, ...]
    again: tuple[NamedCard, ...]
    because: Finding | None

    def kinds_text(self, translate: Language) -> str:
        """Return the words of a language for the cards to add: "any red Character card".

        They have the types, colours, blocks and card pool in `fits`, and "legal" without types. For a Leader, they are
        the labels of `cards`.
        """
        if self.section == "leader":
            return words.join_with_or([card.label for card in self.cards], translate)
        kinds = words.join_with_or(words.fact_names(self.fits.get("types", ()), translate), translate) or translate(
            "legal"
        )
        if colors := "/".join(words.fact_names(self.fits.get("colors", ()), translate)):
            kinds = translate("{colors} {kinds}", colors=colors, kinds=kinds)
        if blocks := words.join_with_or(self.fits.get("blocks", ()), translate):
            text = translate("any {kinds} card of the blocks {blocks}", kinds=kinds, blocks=blocks)
        else:
            text = translate("any {kinds} card", kinds=kinds)
        return translate("{cards} that is in the card pool", cards=text) if "pool" in self.fits else text

    def render(self, translate: Language) -> str:
        """Return the change as a sentence of a language."""
        return translate(
            "Add {cards} to the {section}: {what}.",
            cards=words.cards_text(self.count, translate),
            section=words.section_name(self.section, translate),
            what=self.kinds_text(translate),
        )

    def as_dict(self, translate: Language = ENGLISH) -> AddedJSON:
        """Return the addition as JSON, with its sentence in a language."""
        return {
            "section": self.section,
            "count": self.count,
            "of": self.kinds_text(translate),
            "fits": {key: list(values) for key, values in self.fits.items()},
            "cards": [card.as_dict() for card in self.cards],
            "own": [card.as_dict() for card in self.own],
            "again": [card.as_dict() for card in self.again],
            **_reason_json(self.because),
            "says": self.render(translate),
        }


class ChangesJSON(TypedDict):
    """The changes of one repair, and the repaired deck, as JSON."""

    remove: list[RemovedJSON]
    move: list[MovedJSON]
    add: list[AddedJSON]
    deck: Annotated[DeckJSON, doc("The deck after these changes, which was judged legal.")]


@dataclass(frozen=True, slots=True)
class Changes:
    """One set of changes that makes a deck legal: removals, moves and additions.

    `deck` is the repaired deck, which the Judge found legal.
    """

    out: tuple[Removal, ...]
    moved: tuple[Move, ...]
    put_in: tuple[Addition, ...]
    deck: Deck

    @property
    def sentences(self) -> list[tuple[str, Finding | None]]:
        """The changes as English sentences, each with the finding that requires the change or None."""
        return self.render(ENGLISH)

    def render(self, translate: Language) -> list[tuple[str, Finding | None]]:
        """Return `(sentence, finding)` for each change, in a language.

        The finding requires the change, and may be None.
        """
        changes: list[Removal | Move | Addition] = [*self.out, *self.moved, *self.put_in]
        return [(change.render(translate), change.because) for change in changes]

    def as_dict(self, translate: Language = ENGLISH) -> ChangesJSON:
        """Return the changes and the repaired deck as JSON, with sentences in a language.

        Only the first MOST_SINGLE removals have their `rule`. It is None in the others.
        """
        removed = [out.as_dict(translate) for out in self.out]
        for each in removed[MOST_SINGLE:]:
            each["rule"] = None  # `because` has its code
        return {
            "remove": removed,
            "move": [moved.as_dict(translate) for moved in self.moved],
            "add": [put_in.as_dict(translate) for put_in in self.put_in],
            "deck": cast(
                "DeckJSON",
                {
                    section: [{"number": line.number, "name": line.name, "count": line.count} for line in lines]
                    for section, lines in self.deck.used()
                },
            ),
        }


class BoundJSON(TypedDict):
    """The least number of changes that a finding requires by itself, as JSON.

    `section`, `cards` and `rule` are those of the finding. `section` is null if it is about none.
    """

    because: Annotated[str, doc("The code of a finding.")]
    least: Annotated[int, doc("The fewest changes that this finding requires.")]
    section: str | None
    cards: list[CopiesJSON]
    rule: CitationJSON


@dataclass(frozen=True, slots=True)
class LeastChanges:
    """A lower bound on the changes of a repair: `finding` by itself requires at least `least` changes."""

    finding: Finding
    least: int

    def as_dict(self) -> BoundJSON:
        """Return the bound as JSON."""
        return {
            "because": self.finding.code,
            "least": self.least,
            "section": self.finding.section,
            "cards": [card.as_dict() for card in self.finding.cards],
            "rule": self.finding.rule.as_dict(),
        }


class OtherLeaderJSON(ChangesJSON):
    """A repair of the deck under another Leader, as JSON.

    `minimal`: True if it is proved that no repair with such a Leader has fewer changes.
    """

    leaders: Annotated[list[NamedJSON], doc("The Leaders. Any one of them is enough.")]
    changes: Annotated[int, doc("The number of changes with such a Leader.")]
    minimal: bool


@dataclass(frozen=True, slots=True)
class OtherLeader:
    """A repair under another Leader, any of `leaders`, with at most half the changes, unread lines not counted.

    `changes` includes one for each unread line that may be a card. `minimal` is True if it is proved that fewer are not
    enough under another Leader. `leaders` may be only some of the equally good ones.
    """

    leaders: tuple[Card, ...]
    changes: int
    minimal: bool
    repair: Changes

    def as_dict(self, translate: Language = ENGLISH) -> OtherLeaderJSON:
        """Return the repair as JSON, with sentences in a language."""
        leaders: list[NamedJSON] = [{"number": card.number, "name": card.name} for card in self.leaders]
        return {"leaders": leaders, "changes": self.changes, "minimal": self.minimal, **self.repair.as_dict(translate)}


class RepairedJSON(TypedDict):
    """The result of a repair as JSON: the fewest found changes that make a deck legal.

    `changes`, `fewest` and `bound` are null, and the lists of repairs empty, if no repair was found.
    """

    legal: Annotated[bool, doc("True if the deck is already legal.")]
    possible: Annotated[bool, doc("True if a repair was found.")]
    changes: Annotated[int | None, doc("The number of cards removed, moved or added. null if no repair was found.")]
    fewest: Annotated[int | None, doc("The smallest of `changes` and of the changes of `leaders`.")]
    minimal: Annotated[bool, doc("True if it is proved that no repair has fewer changes: `bound` equals `changes`.")]
    why: Annotated[str, doc("Why there are no fewer changes, why that is not sure, or why there is no repair.")]
    repairs: Annotated[list[ChangesJSON], doc("Up to five repairs with this number of changes. There may be more.")]
    bound: Annotated[int | None, doc("The proved minimum of changes. null if no repair was found.")]
    bounds: Annotated[list[BoundJSON], doc("The changes that each finding requires by itself.")]
    leaders: Annotated[list[OtherLeaderJSON], doc("Other Leaders that need at most half the changes.")]
    pinned: Annotated[list[NamedJSON], doc("The cards of the deck that must not change.")]


@dataclass(frozen=True, slots=True)
class Repair:
    """The result of a repair. A legal deck has 0 changes and no `repairs`.

    `possible` is False if no way was found. Then `why` is the reason for people, and `changes` and `bound` are None.
    Otherwise `changes` is that of each of the `repairs`, unread lines included. `minimal` is True if fewer are proved
    not to be enough, and `why` is a sentence about that. `bound` is the proved lower bound, `bounds` has those of
    single findings. `leaders` has at most one repair under another Leader, with at most half the changes. `pinned` are
    the cards that had to stay.
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
        """The fewest changes under the deck's Leader or another one. None if no way was found."""
        return None if self.changes is None else min([self.changes, *(leader.changes for leader in self.leaders)])

    def as_dict(self, translate: Language = ENGLISH) -> RepairedJSON:
        """Return the answer to `POST /v1/repair` as JSON, with sentences in a language."""
        return {
            "legal": self.verdict.legal,
            "possible": self.possible,
            "changes": self.changes,
            "fewest": self.fewest,
            "minimal": self.minimal,
            "why": translate.text(self.why),
            "repairs": [repair.as_dict(translate) for repair in self.repairs],
            "bound": self.bound,
            "bounds": [bound.as_dict() for bound in self.bounds],
            "leaders": [leader.as_dict(translate) for leader in self.leaders],
            "pinned": [{"number": card.number, "name": card.name} for card in self.pinned],
        }


def least_changes(solution: Found) -> tuple[LeastChanges, ...]:
    """Return for each finding of a plan the number of changes that the finding requires at least. Zero is left out.

    It is the number of copies over a limit, or of cards by which a section is too large or too small.
    """
    plan, demands = solution.plan, solution.demands
    counts = plan.stock.counts
    over = [
        LeastChanges(cap.finding, sum(counts.get(cell, 0) for cell in cap.cells) - cap.limit)
        for cap in demands.caps.values()
        if cap.finding
    ]
    for size in demands.sizes.values():
        size_now = plan.stock.facts.sizes[size.section]
        over.append(
            LeastChanges(
                size.finding, max(size.minimum - size_now, size_now - size.maximum, plan.open.get(size.section, 0))
            )
        )
    return tuple(bound for bound in over if bound.least > 0)


def explain_failure(search: Search, pinned: Sequence[NamedCard]) -> Phrase:
    """Return the sentence with the reason why a search found no repair.

    The catalogue lacks cards to add, else a finding remains, else no Leader makes the deck legal. At most five of the
    `pinned` cards are named.
    """
    if search.unfilled is not None:
        catalogue = search.judge.catalogue
        known = catalogue.as_of, catalogue.snapshot, len(catalogue)
        return Phrase(_missing_cards_message, search.unfilled.open, known)
    if search.conflict:
        return Phrase(_conflict_message, search.conflict, tuple(pinned[:5]))
    return phrase("The catalogue has no Leader that can make this deck legal.")


def _missing_cards_message(
    missing: Mapping[str, int], catalogue: tuple[date | None, str, int], translate: Language
) -> str:
    """Return the sentence that a catalogue lacks cards that fit. `missing` are the numbers of cards by section.

    `catalogue` is its day, snapshot id and number of cards.
    """
    as_of, snapshot, size = catalogue
    wanted = [
        translate(
            "{cards} for the {section}",
            cards=words.cards_text(count, translate),
            section=words.section_name(section, translate),
        )
        for section, count in missing.items()
    ]
    return translate(
        "{wanted} would have to be added, but the catalogue {catalogue} ({size:,} cards) does not "
        "have enough cards that fit.",
        wanted=words.join_with_and(wanted, translate),
        catalogue=words.catalogue_name(as_of, snapshot, translate),
        size=size,
    )


def _conflict_message(finding: Finding, pinned: Sequence[NamedCard], translate: Language) -> str:
    """Return the sentence that a finding cannot be repaired. If there are pinned cards, it says that they must stay."""
    message = finding.kind.message(finding, translate)
    if pinned:
        named = words.join_with_and([card.label for card in pinned], translate)
        return translate.plural(
            "{cards} must stay, and this finding remains: {finding}",
            "{cards} must stay, and this finding remains: {finding}",
            len(pinned),
            cards=named,
            finding=message,
        )
    return translate("No fix was found for this finding: {finding}", finding=message)
