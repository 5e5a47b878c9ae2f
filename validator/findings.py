"""Findings: what a rule has to say of a deck, as values; the sentences are made from them when asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from validator.cards import Card, public
from validator.language import ENGLISH, Language

ERROR = "error"
WARNING = "warning"
ADVICE = "advice"

# What a kind of finding asks of a deck: its cards, in its section or in those of its details, are at most its limit
# (none where it has no limit), or one of them is not there at all, or all cards in the sections of its details have
# so many colours together. "" leaves it open.
AT_MOST = "at most"
NOT_ALL = "not all"
FEW_COLORS = "few colors"


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """A kind of finding: its name, stable for ever, what it means, and its two sentences.

    `message` says what is wrong, `fix` what to do, in the language that they are given. `details` are the values that
    only these sentences need, each with the type it has and what it is. Findings of a code that goes
    `together` stand as one where people read them, if they have one reason: the same citation, and the same of the
    details named there. `asks` is AT_MOST, NOT_ALL, FEW_COLORS or "": how a repair takes them.
    """

    name: str
    means: str
    message: Callable[[Finding, Language], str]
    fix: Callable[[Finding, Language], str]
    details: Mapping[str, tuple[type, str]] = field(default_factory=dict)
    together: tuple[str, ...] | None = None
    asks: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a rule is written: a document (a manual, an official list, a card) and a place in it.

    `is_reading`: the document does not print the rule, it is deckproof's reading of that place.
    """

    document: str
    section: str
    is_reading: bool = False

    def as_dict(self) -> dict[str, str]:
        """Return the public form."""
        return {"document": self.document, "section": self.section}


@dataclass(frozen=True, slots=True)
class NamedCard:
    """A card that a finding is about, and how many of it there are (None where it does not matter)."""

    number: str
    name: str
    count: int | None = None

    @classmethod
    def of(cls, card: Card, count: int | None = None) -> NamedCard:
        """Name a card of the catalogue."""
        return cls(card.number, card.name, count)

    @classmethod
    def listed(cls, counted: Iterable[tuple[Card, int]]) -> tuple[NamedCard, ...]:
        """Name several cards, by number whatever their order in the deck."""
        return tuple(sorted((cls.of(*pair) for pair in counted), key=lambda named: (named.number, named.name)))

    @property
    def label(self) -> str:
        """What a sentence calls the card."""
        return f"{self.number} {self.name}" if self.number and self.name else self.number or self.name

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {"number": self.number, "name": self.name, "count": self.count}


@dataclass(frozen=True, slots=True)
class FixChange:
    """One step of a fix: `count` copies leave the section `origin`, or come into `target`; a move has both.

    `cards` is the card to remove or move, () for any cards of the section; of an addition the cards of which any one
    will do, () for any legal ones. A line that could not be read is removed from no section.
    """

    count: int
    cards: tuple[NamedCard, ...] = ()
    origin: str | None = None
    target: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the public form, which is that of a change of a repair; `number` is None for any card."""
        if self.target and not self.origin:
            cards = [{"number": card.number, "name": card.name} for card in self.cards]
            return {"section": self.target, "count": self.count, "cards": cards}
        card = self.cards[0] if self.cards else None
        named = {"number": card and card.number, "name": card and card.name, "count": self.count}
        if self.target:
            return {"from": self.origin, "to": self.target, **named}
        return {"section": self.origin, **named}


@dataclass(frozen=True, slots=True)
class ListEntry:
    """The entry of an official limits list that a finding rests on; dates are ISO, None if unknown.

    An entry of unknown first day has the two days that it lies between. `confidence` and `note` say how sure its
    source is.
    """

    source: str
    announced: str | None
    effective_from: str | None
    effective_to: str | None = None
    not_before: str | None = None
    no_later_than: str | None = None
    confidence: str = "high"
    note: str = ""

    @property
    def is_certain(self) -> bool:
        """True if the source of the entry is beyond doubt."""
        return self.confidence == "high"

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {
            "source": self.source,
            "announced": self.announced,
            "effective_from": self.effective_from,
            "effective_to": self.effective_to,
            "not_before": self.not_before,
            "no_later_than": self.no_later_than,
            "confidence": self.confidence,
            "note": self.note or None,
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with (or worth saying of) a deck.

    `count` is what the deck has; `limit` and `minimum` what the rule allows. `details` has the values that
    the kind of finding names: texts, numbers, tuples and mappings of them, None where one is not known.
    `changes` are its part of the one plan that makes the deck legal; () if other findings' changes are enough.
    """

    kind: Code
    rule: Citation
    section: str | None = None
    severity: str = ERROR
    cards: tuple[NamedCard, ...] = ()
    count: int | None = None
    limit: int | None = None
    minimum: int | None = None
    keyword: str | None = None
    limits: ListEntry | None = None
    suggestions: tuple[NamedCard, ...] | None = None
    line: int | None = None
    details: Mapping[str, Any] = field(default_factory=dict, hash=False)
    changes: tuple[FixChange, ...] = ()

    def with_changes(self, changes: Iterable[FixChange]) -> Finding:
        """Return this finding with its part of the plan of fixes; quicker than `replace`, for each finding has one."""
        return Finding(
            self.kind,
            self.rule,
            self.section,
            self.severity,
            self.cards,
            self.count,
            self.limit,
            self.minimum,
            self.keyword,
            self.limits,
            self.suggestions,
            self.line,
            self.details,
            tuple(changes),
        )

    @property
    def code(self) -> str:
        """The name of the kind of finding."""
        return self.kind.name

    @property
    def message(self) -> str:
        """The sentence that says what is wrong."""
        return self.kind.message(self, ENGLISH)

    @property
    def fix(self) -> str:
        """The sentence that says what to do."""
        return self.kind.fix(self, ENGLISH)

    @property
    def over(self) -> int:
        """How many there are over the limit."""
        return (self.count or 0) - (self.limit or 0)

    def as_dict(self, own: bool = True, say: Language = ENGLISH) -> dict[str, Any]:
        """Return the public form, the caller's `own` to change, or to be written; its sentences as `say` says them."""
        kind = self.kind
        found: dict[str, Any] = {
            "code": kind.name,
            "severity": self.severity,
            "section": self.section,
            "message": kind.message(self, say),
            "cards": [card.as_dict() for card in self.cards],
            "count": self.count,
            "limit": self.limit,
            "minimum": self.minimum,
            "rule": self.rule.as_dict(),
            "fix": kind.fix(self, say),
            "details": public(self.details) if own else self.details,
        }
        if self.keyword:
            found["keyword"] = self.keyword
        if self.limits:
            found["limits"] = self.limits.as_dict()
        if self.suggestions is not None:
            found["suggestions"] = [{"number": one.number, "name": one.name} for one in self.suggestions]
        if self.line is not None:
            found["line"] = self.line
        if self.changes:
            found["changes"] = changes_as_dict(self.changes)
        return found


def changes_as_dict(changes: Iterable[FixChange]) -> dict[str, list[dict[str, Any]]]:
    """Return the public form of several changes: those that remove, move and add."""
    found: dict[str, list[dict[str, Any]]] = {"remove": [], "move": [], "add": []}
    for change in changes:
        kind = "remove" if not change.target else "move" if change.origin else "add"
        found[kind].append(change.as_dict())
    return found


def grouped(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings as people read them: those of one kind and reason stand as one, with the cards of all."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(_reason(finding), []).append(finding)
    for first, *more in groups.values():
        yield merged(first, more) if more else first


def _reason(of: Finding) -> object:
    """Return what findings that stand as one have in common."""
    if of.kind.together is None:
        return id(of)
    said = tuple(of.details.get(key) for key in of.kind.together)
    return of.code, of.rule, of.section, of.severity, of.limits, of.suggestions, said


def merged(first: Finding, more: Iterable[Finding]) -> Finding:
    """Return one finding with the cards, the count and the changes of several; changes of no named card add up."""
    every = (first, *more)
    cards = tuple(card for finding in every for card in finding.cards)
    changes: dict[object, FixChange] = {}
    for change in (change for finding in every for change in finding.changes):
        key = (change.cards, change.origin, change.target) if not change.cards else len(changes)
        before = changes.get(key)
        changes[key] = replace(change, count=before.count + change.count) if before else change
    count = sum(finding.count or 0 for finding in every)
    return replace(first, cards=cards, count=count, line=None, changes=tuple(changes.values()))
