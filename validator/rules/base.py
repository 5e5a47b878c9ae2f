"""The base of all rules: a name, a sentence, a citation, the codes of its findings, its scope, and one short check.

Many kinds of rule have the warning on unknown facts of a card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import ClassVar

from validator import words
from validator.cards import Card
from validator.deck import SECTIONS, UNLISTED, DeckFacts
from validator.findings import WARNING, Citation, Code, Finding, NamedCard

# The document cited for a rule that an organiser has changed.
POLICY_DOCUMENT = "Tournament policy of this event"
# The sections whose cards must be legal on the day. An official list counts the copies in them together (dbs: "between
# your deck and side deck"; optcg: "the Leader counts").
PLAYED = tuple(section for section in SECTIONS if section not in UNLISTED)


@dataclass(frozen=True)
class Policy:
    """The decisions of an organiser, which are tournament policy and not part of the rule manual.

    None keeps the value of the ruleset. `side_max` is the largest side deck, `main_min` and `main_max` are the sizes of
    the main deck of a limited event. `copies` False allows any number of copies of a card, as in sealed and draft.
    `copies_across_side` counts copies in main and side deck together (True) or separately (False). `release_delay_days`
    is added to every release. `release` False allows cards before their release. `limits` False ignores the official
    limits lists. `swap_one_for_one` True keeps the side deck's size from game to game.
    """

    side_max: int | None = None
    main_min: int | None = None
    main_max: int | None = None
    copies: bool = True
    copies_across_side: bool | None = None
    release_delay_days: int = 0
    release: bool = True
    limits: bool = True
    swap_one_for_one: bool = False


# Returns true if a card in a section can cause a finding under a Leader, who is None if the deck has none.
CardTest = Callable[[Card, str, Card | None], object]
Fit = Mapping[str, tuple[str, ...]]  # what a card must be to fit somewhere: "types", "colors", "blocks", "pool"


@dataclass(frozen=True, slots=True)
class Scope:
    """The cards and sections that a rule depends on.

    It decides which decks the Judge checks by the rule, which cards a repair can add freely, and which decks a bulk
    check finds legal without a Judge. A wider scope is slower and never wrong. Scope() is every deck.

    `sections`: the sections that the rule looks at. None is all sections. Without one of the next four fields the
    Judge checks every deck that has a card in one of these sections, or every deck if `sections` is None.
    `has_sizes_only`: the rule reads only the sizes of the sections. It is checked once for each set of sizes.
    `cards`: the cards that can cause a finding. Decks without such a card in these sections are not checked. Of the
    Leader the test may read the colours and the construction clauses: Leaders who are equal in both share its answers.
    `listed`: instead of `cards`, if only the card itself decides: what a dated list contains about a card, else None.
    Lists of two days are compared by it.
    `most_copies`: a deck is also checked if it has more copies than this of a card, over these sections together.
    `limit`: this number of copies of the chosen cards together never causes a finding, in any deck.
    `group_key`: the rule reads only which keys the cards of the sections have, and not how many cards have one.
    `fit`: the "types", "colors", "blocks" or "pool" that a card here needs under a Leader. Repairs show it.
    """

    sections: tuple[str, ...] | None = None
    has_sizes_only: bool = False
    cards: CardTest | None = None
    listed: Callable[[Card], object] | None = None
    most_copies: int | None = None
    limit: Callable[[Card], int] | int = 0
    group_key: Callable[[Card], object] | None = None
    fit: Callable[[Card | None], Fit] | None = None

    def __post_init__(self) -> None:
        """Raise ValueError if the scope combines fields that exclude each other, or has an unknown section."""
        if sum(map(bool, (self.has_sizes_only, self.cards, self.listed, self.group_key))) > 1:
            raise ValueError("a scope has only one of has_sizes_only, cards, listed and group_key")
        if unknown := set(self.sections or ()).difference(SECTIONS):
            raise ValueError(f"there is no section {min(unknown)!r}; a scope has a tuple of {', '.join(SECTIONS)}")

    @property
    def is_whole(self) -> bool:
        """True if the sections are the only condition for checking a deck: no sizes, chosen cards or copies.

        A group key may be.
        """
        return not (self.has_sizes_only or self.cards or self.listed) and self.most_copies is None

    def has_section(self, section: str) -> bool:
        """Return True if the rule looks at a section. It looks at all sections if `sections` is None."""
        return self.sections is None or section in self.sections

    def chooses(self, card: Card, section: str, leader: Card | None) -> bool:
        """Return True if the rule chooses cards, and this card in this section under this Leader can cause a finding.

        False for a rule without `listed` and `cards`, and for a section that is not in `sections`. The Leader is
        ignored with `listed`.
        """
        if not self.has_section(section):
            return False
        if self.listed is not None:
            return self.listed(card) is not None
        return self.cards is not None and bool(self.cards(card, section, leader))

    def limit_of(self, card: Card) -> int:
        """Return the number of copies that never cause a finding, over all chosen cards of the same limit together.

        By default it is 0.
        """
        return self.limit(card) if callable(self.limit) else self.limit


@dataclass(frozen=True)
class Rule:
    """One rule for decks, ready to be checked: a name, a sentence (`says`) and a citation. The base class of all rules.

    The source is a manual, an official list or the cards' own texts. A subclass is a kind of rule with its `codes` and
    `check`. Its `scope` leaves out decks that need no check, and `with_policy` applies an organiser's policy.
    """

    name: str
    says: str
    cite: Citation

    codes: ClassVar[tuple[Code, ...]] = ()  # the codes of all its findings

    def scope(self) -> Scope:
        """Return the scope of the rule. By default it is `Scope()`: the Judge checks every deck."""
        return Scope()

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield the findings of the rule on a deck. Each kind of rule has its own check.

        The base class raises NotImplementedError.
        """
        raise NotImplementedError

    def with_policy(self, policy: Policy) -> Rule:
        """Return the rule as changed by an organiser's policy, as a new rule. By default it is the same rule.

        Some kinds raise PolicyError for a policy that does not fit.
        """
        return self

    def parameters(self) -> Mapping[str, object]:
        """Return the values of the rule's fields by name, for people.

        The name, the sentence, the citation, and fields with `repr=False` are left out.
        """
        own = (
            parameter for parameter in fields(self) if parameter.repr and parameter.name not in ("name", "says", "cite")
        )
        return {parameter.name: getattr(self, parameter.name) for parameter in own}


_FACT_NAMES = {"colors": "colours"}

UNKNOWN_FACTS = Code(
    "card.facts_unknown",
    "A rule asks for a fact of the card that the catalogue does not know.",
    lambda f, translate: translate(
        "{card}: the catalogue lacks its {facts}, which this rule needs.",
        card=words.card_text(f, translate),
        facts=words.join_with_and(
            words.fact_names([_FACT_NAMES.get(fact, fact) for fact in f.details["facts"]], translate), translate
        ),
    ),
    lambda f, translate: translate("Check the card itself, or ask a judge."),
    {"facts": (list, "The facts that are not known: colors, cost, type, text.")},
)


def unknown_facts_finding(card: Card, section: str, cite: Citation, facts: Iterable[str] | None = None) -> Finding:
    """Return the warning that a rule cannot be checked, because facts of a card are unknown.

    `facts` are names such as "colors", None for all unknown facts of the card. `cite` is the citation of the rule.
    """
    missing = card.unknown if facts is None else tuple(facts)
    return Finding(
        UNKNOWN_FACTS, cite, section, WARNING, cards=(NamedCard.from_card(card),), details={"facts": missing}
    )


def drop_repeated_warnings(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings in order, with only the first warning on unknown facts for each card. Others are all kept."""
    kept: dict[object, Finding] = {}
    for finding in findings:
        kept.setdefault(finding.cards if finding.kind is UNKNOWN_FACTS else id(finding), finding)
    return list(kept.values())
