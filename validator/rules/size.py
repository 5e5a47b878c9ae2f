"""The sizes of the sections, and the sections that exist."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from typing import ClassVar, NamedTuple

from validator import paraphrase, words
from validator.cards import Card
from validator.deck import DeckFacts
from validator.errors import PolicyError
from validator.findings import ADVICE, AT_MOST, ERROR, Citation, Code, Finding
from validator.language import Language, phrase
from validator.rules.base import POLICY_DOCUMENT, Policy, Rule, Scope


def _describe_range(finding: Finding, translate: Language) -> str:
    """Return words for the sizes that a section may have: "50 to 60", "exactly 50", or "exactly 10 or none"."""
    if finding.minimum != finding.limit:
        return translate("{minimum} to {limit}", minimum=finding.minimum, limit=finding.limit)
    if finding.details["optional"] and finding.limit:
        return translate("exactly {limit} or none", limit=finding.limit)
    return translate("exactly {limit}", limit=finding.limit)


def _size_fix(finding: Finding, translate: Language) -> str:
    """Return the fix of `size`.

    If the changes of other findings alter the size, it begins with "After the other fixes". If cards are removed from a
    section that is too small, the fix is to leave the section out.
    """
    removed = sum(change.count for change in finding.changes if change.origin == finding.section)
    added = sum(change.count for change in finding.changes if change.target == finding.section)
    missing = (finding.minimum or 0) - (finding.count or 0)
    if removed and missing > 0:
        return translate("Leave the {section} out.", section=words.section_name(finding.section, translate))
    if not finding.changes or added == missing or removed == finding.over:
        return words.fix_text(finding, translate)
    section, cards = words.section_name(finding.section, translate), words.cards_text(added or removed, translate)
    if added:
        return translate("After the other fixes, add {cards} to the {section}.", cards=cards, section=section)
    return translate("After the other fixes, remove {cards} from the {section}.", cards=cards, section=section)


def _leader_message(finding: Finding, translate: Language) -> str:
    """Return the message on a deck without a Leader, or with a wrong number of cards in the leader section."""
    if not finding.count:
        return translate("The deck has no Leader, but needs exactly {limit} Leader.", limit=finding.limit)
    return translate(
        "The deck has {count} cards in the leader section, but needs exactly {limit} Leader.",
        count=finding.count,
        limit=finding.limit,
    )


SIZE = Code(
    "size",
    "A section has more or fewer cards than the rules allow.",
    lambda f, translate: translate(
        "The {section} has {cards}, but needs {needed}.",
        section=words.section_name(f.section, translate),
        cards=words.cards_text(f.count, translate),
        needed=_describe_range(f, translate),
    ),
    _size_fix,
    {"optional": (bool, "Whether the section may be left out altogether.")},
    asks=AT_MOST,
)
NOT_ALLOWED = Code(
    "section.not_allowed",
    "The ruleset has no such section.",
    lambda f, translate: translate(
        "The rules have no {section}, but the list has {cards} there.",
        section=words.section_name(f.section, translate),
        cards=words.cards_text(f.count, translate),
    ),
    lambda f, translate: translate("Leave the {section} out.", section=words.section_name(f.section, translate)),
    {"allowed": (list, "The sections that the ruleset has.")},
    asks=AT_MOST,
)
LEADER_COUNT = Code(
    "leader.count",
    "The leader section does not hold the number of Leaders the rules ask for.",
    _leader_message,
    words.fix_text,
)


DON_LISTED = Code(
    "advice.don_listed",
    "A list names some DON!! cards, whose pictures a player chose, and not a whole DON!! deck.",
    lambda f, translate: translate(
        "The list has a DON!! deck of {cards}, but a DON!! deck has exactly {limit}.",
        cards=words.cards_text(f.count, translate),
        limit=f.limit,
    ),
    lambda f, translate: translate(
        "Bring {cards} for the DON!! deck. The list may leave them out.", cards=words.cards_text(f.limit, translate)
    ),
)


@dataclass(frozen=True)
class Sections(Rule):
    """The rule that only these sections have cards.

    `no_side`, if given, is cited for a side deck that does not exist.
    """

    sections: tuple[str, ...]
    no_side: Citation | None = None

    codes: ClassVar[tuple[Code, ...]] = (NOT_ALLOWED,)

    def scope(self) -> Scope:
        """Return the scope of the rule: it reads only the sizes of the sections."""
        return Scope(has_sizes_only=True)

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one finding for each section that has cards and is not among `sections`."""
        for section, size in facts.sizes.items():
            if size and section not in self.sections:
                details = {"allowed": self.sections}
                cite = self.no_side if self.no_side and section == "side" else self.cite
                yield Finding(NOT_ALLOWED, cite, section, count=size, limit=0, details=details)


SIDE_BEST_OF = Code(
    "advice.side_best_of",
    "The deck has a side deck, which is for matches of several games, and how many games are played is not known.",
    lambda f, translate: translate(
        "The list has a {section} of {cards}, but a {section} is for best-of-{best_of} matches only.",
        section=words.section_name(f.section, translate),
        cards=words.cards_text(f.count, translate),
        best_of=f.details["best_of"],
    ),
    lambda f, translate: translate(
        "Leave the {section} out in best of one.", section=words.section_name(f.section, translate)
    ),
    {"best_of": (int, "The games of a match in which the section may be used.")},
)


@dataclass(frozen=True)
class MatchSideDeck(Rule):
    """From the day `since` a side deck may be used, but only in matches of `best_of` games.

    Ruleset.with_policy uses it to decide. As a rule of its own it gives advice to decks of matches of unknown length.
    """

    since: date
    best_of: int

    codes: ClassVar[tuple[Code, ...]] = (SIDE_BEST_OF,)

    def allows(self, day: date, best_of: int | None) -> bool:
        """Return True if a side deck may be used on a day in matches of `best_of` games.

        None, an unknown length, is allowed.
        """
        return day >= self.since and best_of in (None, self.best_of)

    def scope(self) -> Scope:
        """Return the scope of the rule: it reads only the sizes of the sections."""
        return Scope(has_sizes_only=True)

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one piece of advice for a deck with a side deck: it is only for matches of `best_of` games.

        The day is ignored.
        """
        if size := facts.sizes["side"]:
            yield Finding(SIDE_BEST_OF, self.cite, "side", ADVICE, count=size, details={"best_of": self.best_of})


@dataclass(frozen=True)
class LeaderCount(Rule):
    """The rule that the leader section has exactly `count` cards, known or not."""

    count: int

    codes: ClassVar[tuple[Code, ...]] = (LEADER_COUNT,)

    def __post_init__(self) -> None:
        """Raise ValueError unless the count is 1, on which all rules about Leaders depend."""
        if self.count != 1:
            raise ValueError(f"count {self.count}: what hangs on the Leader knows one; without Leaders, drop the rule")

    def scope(self) -> Scope:
        """Return the scope of the rule: it reads only the sizes of the sections."""
        return Scope(has_sizes_only=True)

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield a finding if the leader section does not have exactly `count` cards, of any type."""
        if (leaders := facts.sizes["leader"]) != self.count:
            yield Finding(LEADER_COUNT, self.cite, "leader", count=leaders, limit=self.count, minimum=self.count)


@dataclass(frozen=True)
class Size(Rule):
    """The rule that a section has from `minimum` to `maximum` cards, known or not. An `optional` section may be empty.

    `maximum_cite` is the source of the maximum if it differs from the source of the minimum.
    """

    section: str
    minimum: int
    maximum: int
    optional: bool = False
    maximum_cite: Citation | None = field(default=None, compare=False, repr=False)

    codes: ClassVar[tuple[Code, ...]] = (SIZE,)

    def __post_init__(self) -> None:
        """Raise ValueError if the minimum is negative or over the maximum."""
        if not 0 <= self.minimum <= self.maximum:
            raise ValueError(f"the minimum {self.minimum} is over the maximum {self.maximum}: swap or mend them")

    def scope(self) -> Scope:
        """Return the scope of the rule: it reads only the sizes of the sections."""
        return Scope(has_sizes_only=True)

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield a finding if the section has fewer cards than `minimum` or more than `maximum`.

        An optional section may also be empty.
        """
        size = facts.sizes[self.section]
        if self.minimum <= size <= self.maximum or (self.optional and not size):
            return
        yield self.finding(size)

    def finding(self, size: int) -> Finding:
        """Return the finding about the section with `size` cards. It does not check if that size is allowed."""
        details = {"optional": self.optional or not self.minimum}
        cite = self.maximum_cite if self.maximum_cite and size > self.maximum else self.cite
        return Finding(SIZE, cite, self.section, count=size, limit=self.maximum, minimum=self.minimum, details=details)

    def with_policy(self, policy: Policy) -> Rule:
        """Return the rule with the organiser's sizes of main and side deck. Other sections are unchanged.

        With `side_max` the minimum of a side deck is lowered if it is larger, and is 0 if the section is optional. The
        policy is cited for changed sizes. Raises PolicyError if no size of the main deck is left.
        """
        if self.section == "main" and (policy.main_min, policy.main_max) != (None, None):
            return self._limit_main(policy)
        if self.section != "side" or policy.side_max in (None, self.maximum):
            return self
        cite = Citation(POLICY_DOCUMENT, "side_max")
        least = 0 if self.optional else min(self.minimum, policy.side_max or 0)
        return replace(self, maximum=policy.side_max, minimum=least, cite=cite)

    def _limit_main(self, policy: Policy) -> Rule:
        """Return the size rule of the main deck with `main_min` and `main_max` of a policy.

        It is cited for changed values. Raises PolicyError if the minimum is over the maximum.
        """
        least = self.minimum if policy.main_min is None else policy.main_min
        most = self.maximum if policy.main_max is None else policy.main_max
        if least > most:
            key, other = ("main_max", "main_min") if policy.main_min is None else ("main_min", "main_max")
            raise PolicyError(
                key,
                phrase(
                    "a main deck of {least} to {most} cards cannot be built; set {name}, too",
                    least=least,
                    most=most,
                    name=other,
                ),
            )
        cite = self.cite if least == self.minimum else Citation(POLICY_DOCUMENT, "main_min")
        over = self.cite if most == self.maximum else Citation(POLICY_DOCUMENT, "main_max")
        return replace(self, minimum=least, maximum=most, cite=cite, maximum_cite=None if over == cite else over)


class DonSize(NamedTuple):
    """The number of cards of a DON!! deck, and the source of that number."""

    size: int
    cite: Citation


@dataclass(frozen=True)
class DonDeck(Rule):
    """The rule that a listed DON!! deck has `size` cards, or the number in the Leader's text."""

    size: int

    codes: ClassVar[tuple[Code, ...]] = (SIZE, DON_LISTED)

    def scope(self) -> Scope:
        """Return the scope of the rule: decks that list their DON!! deck, which most players do not list."""
        return Scope(("don",))

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield a finding if a listed DON!! deck has another size than required. Nothing if no DON!! deck is listed.

        It is only advice if there are too few cards and all are lines of a text, because players list only chosen
        pictures.
        """
        if not facts.sizes["don"]:
            return
        size, cite = self.required_size(facts.leader)
        if (count := facts.sizes["don"]) == size:
            return
        # Players do not register DON!! cards. A few listed cards only show the chosen pictures.
        is_listed = count < size and all(line.raw for line in facts.deck.don)
        kind, severity = (DON_LISTED, ADVICE) if is_listed else (SIZE, ERROR)
        details = {"optional": True} if kind is SIZE else {}
        yield Finding(kind, cite, "don", severity, count=count, limit=size, minimum=size, details=details)

    def required_size(self, leader: Card | None) -> DonSize:
        """Return the size of a DON!! deck under a Leader, with its source: the Leader's text, else the rule.

        The last such clause of the text counts. Conditions are ignored.
        """
        found = DonSize(self.size, self.cite)
        for clause in leader.construction if leader else ():
            if leader and clause.kind == "don_size" and clause.size is not None:
                found = DonSize(clause.size, paraphrase.cite(leader, clause))
        return found
