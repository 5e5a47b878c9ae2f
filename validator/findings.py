"""Findings: what a rule has to say of a deck, as values; the sentences are made from them when asked for."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace
from typing import Any

from validator.cards import Card
from validator.cards import public

ERROR = "error"
WARNING = "warning"
ADVICE = "advice"


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """A kind of finding: its name, stable for ever (CONTRACT "Codes"), what it means, and its two sentences.

    `message` says what is wrong, `fix` what to do. `details` are the values that only these sentences need,
    each with the type it has and what it is. Findings of a code that goes `together` may stand as one where
    people read them, if they differ in nothing but their card.
    """

    name: str
    means: str
    message: Callable[[Finding], str]
    fix: Callable[[Finding], str]
    details: Mapping[str, tuple[type, str]] = field(default_factory=dict)
    together: bool = False


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a rule is written: a document (a manual, an official list, a card) and a place in it."""

    document: str
    section: str

    def as_dict(self) -> dict[str, str]:
        """Return the public form."""
        return {"document": self.document, "section": self.section}


@dataclass(frozen=True, slots=True)
class Copies:
    """A card that a finding is about, and how many of it there are (None where it does not matter)."""

    number: str
    name: str
    count: int | None = None

    @classmethod
    def of(cls, card: Card, count: int | None = None) -> Copies:
        """Name a card of the catalogue."""
        return cls(card.number, card.name, count)

    @classmethod
    def listed(cls, counted: Iterable[tuple[Card, int]]) -> tuple[Copies, ...]:
        """Name several cards, by number whatever their order in the deck."""
        return tuple(sorted((cls.of(*pair) for pair in counted), key=lambda named: (named.number, named.name)))

    @property
    def label(self) -> str:
        """What a sentence calls the card."""
        return f"{self.number} {self.name}".strip()

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {"number": self.number, "name": self.name, "count": self.count}


@dataclass(frozen=True, slots=True)
class ListEntry:
    """The entry of an official limits list that a finding rests on; dates are ISO, None if unknown.

    An entry of unknown first day has the two days that it lies between.
    """

    source: str
    announced: str | None
    effective_from: str | None
    effective_to: str | None = None
    not_before: str | None = None
    no_later_than: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {
            "source": self.source,
            "announced": self.announced,
            "effective_from": self.effective_from,
            "effective_to": self.effective_to,
            "not_before": self.not_before,
            "no_later_than": self.no_later_than,
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with (or worth saying of) a deck.

    `count` is what the deck has; `limit` and `minimum` what the rule allows. `details` has the values that
    the kind of finding names: texts, numbers, tuples and mappings of them, None where one is not known.
    """

    kind: Code
    rule: Citation
    section: str | None = None
    severity: str = ERROR
    cards: tuple[Copies, ...] = ()
    count: int | None = None
    limit: int | None = None
    minimum: int | None = None
    keyword: str | None = None
    limits: ListEntry | None = None
    suggestions: tuple[Copies, ...] | None = None
    line: int | None = None
    details: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def code(self) -> str:
        """The name of the kind of finding."""
        return self.kind.name

    @property
    def message(self) -> str:
        """The sentence that says what is wrong."""
        return self.kind.message(self)

    @property
    def fix(self) -> str:
        """The sentence that says what to do."""
        return self.kind.fix(self)

    @property
    def over(self) -> int:
        """How many there are over the limit."""
        return (self.count or 0) - (self.limit or 0)

    def as_dict(self, own: bool = True) -> dict[str, Any]:
        """Return the public form (CONTRACT `POST /v1/validate`), the caller's `own` to change, or to be written."""
        kind = self.kind
        found: dict[str, Any] = {
            "code": kind.name,
            "severity": self.severity,
            "section": self.section,
            "message": kind.message(self),
            "cards": [card.as_dict() for card in self.cards],
            "count": self.count,
            "limit": self.limit,
            "minimum": self.minimum,
            "rule": self.rule.as_dict(),
            "fix": kind.fix(self),
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
        return found


def grouped(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings as people read them: those that differ in nothing but their card stand as one."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        alike = finding.kind.together and (finding.code, finding.rule, finding.section, finding.severity)
        groups.setdefault(alike or (id(finding),), []).append(finding)
    for first, *more in groups.values():
        cards = tuple(card for finding in (first, *more) for card in finding.cards)
        yield replace(first, cards=cards) if more else first
