"""Findings: the results of rules as values. Their sentences are made on demand, in any language.

Findings of one reason are merged for people. The findings of one answer are limited, so that the answer to a hostile
list is not many times larger than the list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, NotRequired, TypedDict

from validator.bounds import MOST_SINGLE
from validator.cards import Card, to_plain_json
from validator.field_docs import doc
from validator.language import ENGLISH, Language

ERROR = "error"
WARNING = "warning"
ADVICE = "advice"

UNREAD_LINE = "line.unread"  # the code of findings on lines that could not be parsed

# What a kind of finding requires: at most `limit` of its cards (0 without a limit) in its section or in the sections
# of its details; or that one of its cards is not in the deck; or at most `limit` colours of all cards in the sections
# of its details. "" is open.
AT_MOST = "at most"
NOT_ALL = "not all"
FEW_COLORS = "few colors"


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """A kind of finding: its permanent name, its meaning, and its two sentences.

    `message` states what is wrong, `fix` what to do, in a given language. `details` are further values for these
    sentences, each with its type and its meaning. `together`: details that must be equal for findings to be merged into
    one in texts for people, as must citation, section, severity, list entry and suggestions. None never merges. `asks`
    is AT_MOST, NOT_ALL, FEW_COLORS or "", for repairs.
    """

    name: str
    means: str
    message: Callable[[Finding, Language], str]
    fix: Callable[[Finding, Language], str]
    details: Mapping[str, tuple[type, str]] = field(default_factory=dict)
    together: tuple[str, ...] | None = None
    asks: str = ""


class CitationJSON(TypedDict):
    """The place of a rule in a document, as JSON."""

    document: Annotated[str, doc("A rule manual, an official list, or a card.")]
    section: Annotated[str, doc("The place in it, or the card's own words.")]


@dataclass(frozen=True, slots=True)
class Citation:
    """The source of a rule: a document (a manual, an official list, a card) and a place in it.

    `is_reading`: the document does not print the rule, it is deckproof's interpretation of that place.
    """

    document: str
    section: str
    is_reading: bool = False

    def as_dict(self) -> CitationJSON:
        """Return the citation as JSON. `is_reading` is left out."""
        return {"document": self.document, "section": self.section}


class NamedJSON(TypedDict):
    """The number and name of a card as JSON. In findings, one of both is "" for an unknown card without it."""

    number: Annotated[str, doc(example="OP01-016")]
    name: Annotated[str, doc(example="Nami")]


class CopiesJSON(NamedJSON):
    """A card with a number of copies, as JSON. `count` is null if no number is meant."""

    count: int | None


@dataclass(frozen=True, slots=True)
class NamedCard:
    """A card of a finding, with its number of copies. None if the number of copies does not matter.

    `number` is "" in games that count by name. It or `name` is "" if an unknown card was written without it. An unread
    line that a fix removes has its text as the name.
    """

    number: str
    name: str
    count: int | None = None

    @classmethod
    def from_card(cls, card: Card, count: int | None = None) -> NamedCard:
        """Return the named form of a card of the catalogue, with its number of copies."""
        return cls(card.number, card.name, count)

    @classmethod
    def from_counts(cls, counted: Iterable[tuple[Card, int]]) -> tuple[NamedCard, ...]:
        """Return the named forms of cards with their copies, sorted by number and name."""
        return tuple(sorted((cls.from_card(*pair) for pair in counted), key=lambda named: (named.number, named.name)))

    @property
    def label(self) -> str:
        """The number and name of the card for sentences. Only one of them if the other is empty."""
        return f"{self.number} {self.name}" if self.number and self.name else self.number or self.name

    def as_dict(self) -> CopiesJSON:
        """Return the card and its copies as JSON."""
        return {"number": self.number, "name": self.name, "count": self.count}


@dataclass(frozen=True, slots=True)
class FixChange:
    """One step of a fix: `count` copies leave the section `origin`, or come into `target`. A move has both.

    `cards` is the card to remove or move, () for any cards of the section. For an addition they are alternatives, ()
    for any legal cards. The removal of an unread line has neither `origin` nor `target`.
    """

    count: int
    cards: tuple[NamedCard, ...] = ()
    origin: str | None = None
    target: str | None = None


class FixStepJSON(TypedDict):
    """Copies of a card that a fix removes or moves, as JSON. `count` is their number."""

    number: Annotated[str | None, doc("The number of the card. null for any card of the section.")]
    name: Annotated[str | None, doc("The name of the card, or a line that could not be read. null for any card.")]
    count: int


FromToJSON = TypedDict("FromToJSON", {"from": str, "to": str})


class FixMoveJSON(FixStepJSON, FromToJSON):
    """Copies of a card that a fix moves from one section (`from`) to another (`to`), as JSON."""


class FixRemovalJSON(FixStepJSON):
    """Copies of a card that a fix removes, as JSON."""

    section: Annotated[str | None, doc("The section of the card. null for a line that could not be read.")]


class FixAdditionJSON(TypedDict):
    """The number of cards that a fix adds to a section, as JSON."""

    section: str
    count: int
    cards: Annotated[list[NamedJSON], doc("The cards. Any one of them is enough. Empty for any legal card.")]


class FixChangesJSON(TypedDict):
    """The changes of a deck that the fix of a finding consists of, as JSON. Each list may be empty."""

    remove: list[FixRemovalJSON]
    move: list[FixMoveJSON]
    add: list[FixAdditionJSON]


class SourcedEntryJSON(TypedDict):
    """The source and the days of an entry of a limits list, as JSON, both in findings and in lists.

    Days are ISO dates. `announced` is null if it is not known, `effective_to` if the entry has no end.
    """

    source: Annotated[str, doc("The address of the list.")]
    announced: str | None
    effective_from: Annotated[str | None, doc("The first day. null if it is not known.")]
    effective_to: Annotated[str | None, doc("The last day.")]
    not_before: Annotated[str | None, doc("If the first day is not known: this day or later.")]
    no_later_than: Annotated[str | None, doc("If the first day is not known: this day or earlier.")]
    confidence: Annotated[str, doc("The confidence in the source: `high`, `medium` or `low`.")]


class EntryJSON(SourcedEntryJSON):
    """The entry of a limits list behind a finding, as JSON."""

    note: Annotated[str | None, doc("A note on the source.")]


@dataclass(frozen=True, slots=True)
class ListEntry:
    """The entry of an official or an organiser's list behind a finding, or a year of block rotation, for citations.

    `source` is a web address. Days are ISO dates, or None. `effective_to` is the last day, None if the entry has not
    ended or that day is unknown. An entry with an unknown first day has the two days that limit it, `not_before` and
    `no_later_than`. `confidence` ("high" if certain) and `note` ("" for none) are about the certainty of its source.
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
        """True if the source of the entry is beyond doubt: its confidence is "high"."""
        return self.confidence == "high"

    def as_dict(self) -> EntryJSON:
        """Return the entry as JSON."""
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


_JSON_TYPES = {bool: "boolean", str: "text", int: "whole number", float: "number", list: "list", dict: "object"}


def _registered_codes() -> Mapping[str, Code]:
    """Return every kind of finding by its name, sorted by name."""
    from validator.codes import finding_codes  # the modules that it registers import this one

    return finding_codes()


def _describe_details() -> str:
    """Return an English text for the OpenAPI document on the `details` of findings.

    For each finding code it has the key, JSON type and meaning of each detail. Codes without details are left out.
    """
    listed = (
        f"`{name}`: "
        + "; ".join(f"`{key}` ({_JSON_TYPES[kind]}): {meaning}" for key, (kind, meaning) in code.details.items())
        for name, code in _registered_codes().items()
        if code.details
    )
    return " · ".join(listed)


class FindingJSON(TypedDict):
    """One thing that is wrong with a deck, or advice about it, as JSON.

    `section` is null if the finding is about no single section. `count`, `limit` and `minimum` are null if it is about
    no such number. `cards` may be empty.
    """

    code: Annotated[str, doc("Stable for ever.", enum=_registered_codes())]
    severity: Annotated[str, doc(enum=("error", "warning", "advice"))]
    section: str | None
    message: Annotated[str, doc("What is wrong, in a sentence.")]
    cards: list[CopiesJSON]
    count: Annotated[int | None, doc("The number in the deck.")]
    limit: Annotated[int | None, doc("The most that is allowed.")]
    minimum: Annotated[int | None, doc("The fewest that are allowed.")]
    rule: CitationJSON
    fix: Annotated[str, doc("What to do, in a sentence.")]
    details: Annotated[
        Mapping[str, Any], doc(f"What the sentence says, as named values. By code: {_describe_details()}")
    ]
    keyword: NotRequired[Annotated[str, doc("The keyword that the finding is about.")]]
    limits: NotRequired[Annotated[EntryJSON, doc("The entry of the limits list that the finding rests on.")]]
    suggestions: NotRequired[
        Annotated[
            list[NamedJSON],
            doc(
                "Cards that may have been meant. Of one code the first 60 findings are single; the others are"
                " merged, with all their cards and without suggestions."
            ),
        ]
    ]
    line: NotRequired[
        Annotated[int, doc("The line of the decklist, from 1. For a merged finding, the first line or absent.")]
    ]
    changes: NotRequired[
        Annotated[
            FixChangesJSON,
            doc(
                "What the fix says, for programs. The changes of all findings of a verdict are one plan: "
                "first remove and move the cards that are named, then remove any cards, then add. Absent if "
                "there is nothing more to do."
            ),
        ]
    ]


@dataclass(frozen=True, slots=True, repr=False)
class Finding:
    """One error, warning or piece of advice on a deck.

    `section` is None for no single section. `cards` have their copies. `count` is the number in the deck, such as
    copies, cards or colours. `limit` and `minimum` are what the rule allows. `limits` is the dated list's entry behind
    it. `suggestions` are cards that may be meant, None for a kind without suggestions. `line` is its line in the list.
    `details` are the values named by the kind of finding: texts, numbers, tuples and mappings of them, None for unknown
    ones. `changes` are its part of the plan that makes the deck legal, () if it needs none of its own.
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

    def __repr__(self) -> str:
        """Return the code, the section, the severity and the beginning of the message."""
        return f"Finding({self.code!r}, {self.section!r}, {self.severity!r}, {self.message[:100]!r})"

    def with_changes(self, changes: Iterable[FixChange]) -> Finding:
        """Return a copy of this finding with its part of the plan of fixes, in place of the old one.

        This is faster than `replace`.
        """
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
        """The name of the kind of finding, such as "copies.exceeded"."""
        return self.kind.name

    @property
    def message(self) -> str:
        """The sentence that states the problem, in English."""
        return self.kind.message(self, ENGLISH)

    @property
    def fix(self) -> str:
        """The sentence that advises a solution, in English."""
        return self.kind.fix(self, ENGLISH)

    @property
    def over(self) -> int:
        """The number of cards over the limit: `count` minus `limit`, None as 0. It is negative below the limit."""
        return (self.count or 0) - (self.limit or 0)

    def has_card(self, number: str, name: str) -> bool:
        """Return True if the finding names a card with this number and name."""
        return any((card.number, card.name) == (number, name) for card in self.cards)

    def as_dict(self, own: bool = True, translate: Language = ENGLISH) -> FindingJSON:
        """Return the finding as JSON, with its sentences in a language.

        Without a value, `keyword`, `limits` and `changes` are left out, as are `suggestions` and `line` if they are
        None. If `own` is True the caller may change the result, else its `details` are those of the finding.
        """
        kind = self.kind
        found: FindingJSON = {
            "code": kind.name,
            "severity": self.severity,
            "section": self.section,
            "message": kind.message(self, translate),
            "cards": [card.as_dict() for card in self.cards],
            "count": self.count,
            "limit": self.limit,
            "minimum": self.minimum,
            "rule": self.rule.as_dict(),
            "fix": kind.fix(self, translate),
            "details": to_plain_json(self.details) if own else self.details,
        }
        if self.keyword:
            found["keyword"] = self.keyword
        if self.limits:
            found["limits"] = self.limits.as_dict()
        if self.suggestions is not None:
            found["suggestions"] = [{"number": card.number, "name": card.name} for card in self.suggestions]
        if self.line is not None:
            found["line"] = self.line
        if self.changes:
            found["changes"] = _changes_json(self.changes)
        return found


def _changes_json(changes: Iterable[FixChange]) -> FixChangesJSON:
    """Return the changes of a fix as JSON, each in the list of its kind. Each list may be empty."""
    found: FixChangesJSON = {"remove": [], "move": [], "add": []}
    for change in changes:
        card = change.cards[0] if change.cards else None
        step: FixStepJSON = {
            "number": card.number if card else None,
            "name": card.name if card else None,
            "count": change.count,
        }
        if change.target and change.origin:
            found["move"].append({"from": change.origin, "to": change.target, **step})
        elif change.target:
            cards: list[NamedJSON] = [{"number": card.number, "name": card.name} for card in change.cards]
            found["add"].append({"section": change.target, "count": change.count, "cards": cards})
        else:
            found["remove"].append({"section": change.origin, **step})
    return found


def merge_findings(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings for people: those of one kind and reason are merged into one, with all their cards.

    Kinds whose `together` is None are never merged. The order is that of the first finding of each group.
    """
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(_merge_key(finding), []).append(finding)
    for first, *more in groups.values():
        yield combine_findings(first, more) if more else first


def _merge_key(finding: Finding) -> object:
    """Return a key that is equal for findings to merge.

    It has the code, citation, section, severity, list entry, suggestions, and the details named by `together`. It is
    different for each finding of a kind that is never merged.
    """
    if finding.kind.together is None:
        return id(finding)
    details = tuple(finding.details.get(key) for key in finding.kind.together)
    return finding.code, finding.rule, finding.section, finding.severity, finding.limits, finding.suggestions, details


def combine_findings(first: Finding, rest: Iterable[Finding]) -> Finding:
    """Return the first finding with the cards, counts and changes of all, and without a line.

    The other values are from the first one. Counts are added up, None as 0. Changes of no named card are added up if
    they have the same sections.
    """
    findings = (first, *rest)
    cards = tuple(card for finding in findings for card in finding.cards)
    changes: dict[object, FixChange] = {}
    for change in (change for finding in findings for change in finding.changes):
        key = (change.cards, change.origin, change.target) if not change.cards else len(changes)
        before = changes.get(key)
        changes[key] = replace(change, count=before.count + change.count) if before else change
    count = sum(finding.count or 0 for finding in findings)
    return replace(first, cards=cards, count=count, line=None, changes=tuple(changes.values()))


def merge_unread(findings: Sequence[Finding]) -> Finding:
    """Return the first finding on an unread line, with the line and text of each other one in its detail `more`.

    A single finding is returned unchanged. Raises IndexError if there is none.
    """
    first = findings[0]
    more = tuple({"line": finding.line, "text": finding.details["text"]} for finding in findings[1:])
    return replace(first, details={**first.details, "more": more}) if more else first


def limit_findings(findings: Sequence[Finding]) -> Sequence[Finding]:
    """Return the findings of an answer, limited in number. Up to MOST_SINGLE findings in all are returned unchanged.

    If a code has more than MOST_SINGLE findings, the later ones are merged and come last. Findings of a code with
    `together` are merged by their reasons. They lose their suggestions, and `cards` has every card. Errors on unread
    lines are merged into one whose `details` have each of these lines. Later findings of other codes stay single.
    """
    if len(findings) <= MOST_SINGLE:
        return findings
    counts: Counter[str] = Counter()
    single: list[Finding] = []
    later: list[Finding] = []
    unread: list[Finding] = []
    for finding in findings:
        counts[finding.code] += 1
        if counts[finding.code] <= MOST_SINGLE:
            single.append(finding)
        elif finding.code == UNREAD_LINE and finding.severity == ERROR:
            unread.append(finding)
        elif finding.kind.together is not None:
            later.append(replace(finding, suggestions=None if finding.suggestions is None else ()))
        else:
            single.append(finding)
    return [*single, *merge_findings(later), *([merge_unread(unread)] if unread else [])]
