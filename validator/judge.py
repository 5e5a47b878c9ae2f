"""The Judge: terms (ruleset, day, region, format, policy) prepared for fast checks.

A call with a deck returns a verdict.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date
from functools import cached_property, lru_cache, partial
from typing import Annotated, NotRequired, TypedDict, TypeVar, cast

from validator import limits, names
from validator.arguments import check_catalogue, check_day, check_deck, check_type
from validator.bounds import MOST_CANDIDATES, MOST_LEARNT_CARDS, MOST_SHAPES
from validator.cards import Card, Catalogue, to_plain_json
from validator.deck import SECTION_ORDER, SECTIONS, Deck, DeckFacts, DeckJSON, Line, LineJSON, SizesJSON
from validator.diagnoses import Diagnosis, DiagnosisJSON, find_diagnoses
from validator.documents import PROVISIONAL, Provisional, ProvisionalJSON
from validator.field_docs import DayText, doc
from validator.findings import ERROR, WARNING, Citation, CitationJSON, Finding, FindingJSON, limit_findings
from validator.games import GAMES, game_of
from validator.language import ENGLISH, Language, phrase
from validator.limits import GameLists, InForce
from validator.limits.cardsets import ENGLISH as ENGLISH_LIST
from validator.rule_index import RuleIndex
from validator.rules import Policy, Rule, Scope
from validator.rules.base import drop_repeated_warnings
from validator.rules.colors import Colors
from validator.rules.copies import CopyLimit
from validator.rules.official_list import InPool, Listed, Pairs
from validator.rules.release import Released
from validator.rules.rotation import Blocks
from validator.rules.size import DonDeck, Size
from validator.rules.types import Types
from validator.rulesets import Ruleset, find_ruleset, of_game
from validator.unresolved import Suggestions, find_unresolved

BEST_OF = (1, 3)  # the lengths of a match that rules distinguish
# The rules that may bar a card because of its own facts, the gravest first.
_BARRING: Sequence[type[Rule]] = (Types, Colors, Listed, InPool, Blocks, Released)
_Kind = TypeVar("_Kind", bound=Rule)

ON_IN_TIMEZONE = doc("The time zone in which `on` is the current day, if the request has no day.")


@dataclass(frozen=True, init=False, repr=False)
class Terms:
    """The terms by which a deck is judged: everything except the deck and the cards.

    `ruleset` has its optional side deck if the policy or the match allows it. `on` is the day. `best_of` is 1, 3, or
    None for matches of unknown length. `timezone` is the zone in which `on` is today, None if the user gave the day.
    `lists` are all dated lists of the game, also if the policy ignores them.
    """

    ruleset: Ruleset
    on: date
    region: str
    format: str
    policy: Policy
    best_of: int | None
    timezone: str | None = field(compare=False)
    lists: GameLists

    def __init__(
        self,
        ruleset: Ruleset | str,
        on: date,
        region: str = "en",
        format: str = "standard",
        policy: Policy | None = None,
        best_of: int | None = None,
        timezone: str | None = None,
        lists: GameLists | None = None,
    ) -> None:
        """Apply the policy, the day `on` and the length of a match to the ruleset, which may be an id.

        `best_of` is 1, 3, or None for matches of unknown length. `timezone` is the zone in which `on` is today, None if
        the user gave the day. It changes no verdict. `lists` are used instead of the official lists that ship. Raises
        ValueError for an unknown ruleset or format, a policy that does not fit, and lists of another game. Raises
        TypeError for a value of a wrong type. The region is not checked here.
        """
        _check_terms(ruleset, on, region, format, policy, best_of, lists)
        policy = policy or Policy()
        ruleset = find_ruleset(ruleset) if isinstance(ruleset, str) else ruleset
        lists = lists or limits.shipped_lists(ruleset.game)
        if lists.game != ruleset.game:
            raise ValueError(f"lists are of {lists.game!r}. Write lists of {ruleset.game!r}, the game of the ruleset.")
        values = ruleset.with_policy(policy, on, best_of), on, region, format, policy, best_of, timezone, lists
        for name, value in zip(_TERMS, values, strict=True):
            object.__setattr__(self, name, value)
        if self.format not in self.ruleset.formats:
            known = ", ".join(self.ruleset.formats)
            raise ValueError(
                phrase(
                    "{ruleset} has no format {format!r}; it has {formats}",
                    ruleset=self.ruleset.id,
                    format=self.format,
                    formats=known,
                )
            )

    @classmethod
    def of_game(
        cls,
        game: str,
        on: date,
        region: str = "en",
        format: str | None = None,
        policy: Policy | None = None,
        best_of: int | None = None,
        lists: GameLists | None = None,
    ) -> Terms:
        """Return the terms by the edition of a game that is in force on a day, e.g. `date.today()`.

        Without a format it is the standard one of that day. Without `lists` they are those that ship. Raises ValueError
        for an unknown game, and as `Terms` does.
        """
        check_type("game", game, str, f"Write one of {', '.join(map(repr, GAMES))}")
        check_day("on", on)
        lists = lists or limits.shipped_lists(game_of(game).id)
        chosen_format = lists.default_format if format is None else format
        return cls(of_game(game, on), on, region, chosen_format, policy, best_of, lists=lists)

    def __repr__(self) -> str:
        """Return the ruleset's id, the day, the region and the format."""
        return f"Terms({self.ruleset.id!r}, {self.on}, {self.region!r}, {self.format!r})"

    @cached_property
    def in_force(self) -> InForce | None:
        """The limits list of these terms, None if the policy ignores it. Raises ValueError for an unknown region."""
        return self.lists.listed.in_force_on(self.on, self.region, self.best_of) if self.policy.limits else None


def _check_terms(
    ruleset: object, day: object, region: object, format: object, policy: object, best_of: object, lists: object
) -> None:
    """Raise TypeError if an argument of `Terms` has a wrong type. The message names the argument.

    Raises ValueError if `ruleset` is the id of a game, or if `best_of` is not 1, 3 or None. Unknown rulesets, regions
    and formats are not found here.
    """
    if isinstance(ruleset, str) and ruleset in GAMES:
        raise ValueError(f"ruleset is the game {ruleset!r}. Write Terms.of_game({ruleset!r}, on).")
    check_type("ruleset", ruleset, (Ruleset, str), "Write the id of a ruleset, e.g. 'optcg-1.2.1'")
    check_day("on", day)
    check_type("region", region, str, "Write the code of a region, e.g. 'en'")
    check_type("format", format, str, "Write the name of a format, e.g. 'standard'")
    check_type("policy", policy, (Policy, type(None)), "Write Policy(...), e.g. Policy(side_max=10)")
    check_type("lists", lists, (GameLists, type(None)), "Write Library(url).lists('optcg')")
    if best_of not in (None, *BEST_OF):
        allowed = " or ".join(map(str, BEST_OF))
        raise ValueError(f"best_of is {best_of!r}. Write {allowed}, or None for matches of unknown length.")


_TERMS = tuple(term.name for term in fields(Terms))


def compile_rules(terms: Terms, known_to: date | None = None) -> tuple[Rule, ...]:
    """Return the rules of these terms: the ruleset's rules under the policy, then the rules of the day's lists.

    Rules on copies get the limits of the cards that the official list surely restricts, but does not ban. `known_to` is
    the day on which the catalogue's cards were collected, None if unknown. Raises ValueError for an unknown region.
    """
    listed = list(_list_rules(terms))
    restricted = {
        number: limit.limit
        for rule in listed
        if isinstance(rule, Listed)
        for number, limit in rule.singles.items()
        if limit.limit and limit.severity == ERROR
    }
    rules = [rule.with_policy(terms.policy) for rule in terms.ruleset.rules.values()]
    rules = [replace(rule, restricted=restricted) if isinstance(rule, CopyLimit) else rule for rule in rules]
    return (*rules, *listed, *_rotation_rules(terms), *release_rules(terms, known_to))


def _list_rules(terms: Terms) -> Iterator[Rule]:
    """Yield the rules of the official limits list in force on the day: on single cards, on pairs, and on the card pool.

    A rule is left out if the list has no such entry. Nothing if the policy ignores the list. Raises ValueError for an
    unknown region.
    """
    official = terms.in_force
    if official and official.singles:
        cite = Citation(official.title, "Banned and restricted cards")
        yield Listed("limits", "Cards that the official list bans or restricts, by number.", cite, official.singles)
    if official and official.pairs:
        cite = Citation(official.title, "Banned pairs")
        yield Pairs("pairs", "Pairs of cards that the official list bans from one deck.", cite, official.pairs)
    if official and official.pool:
        cite = Citation(official.pool.document or official.title, "Allowed cards")
        yield InPool("pool", "Only the cards of the card pool are allowed.", cite, official.pool)


def _rotation_rules(terms: Terms) -> Iterator[Rule]:
    """Yield the rule on the blocks that are legal in the format on the day.

    Nothing if the format or game has no rotation.
    """
    rotation = terms.lists.rotation
    allowed = rotation.legal_blocks(terms.format, terms.on) if rotation else None
    if rotation and allowed is not None:
        says = f"The {terms.format} format takes the blocks {', '.join(sorted(allowed))}."
        yield Blocks("blocks", says, rotation.citation(terms.on), terms.format, terms.on, allowed, rotation)


def release_rules(terms: Terms, known_to: date | None) -> Iterator[Released]:
    """Yield the rule on the release of cards, if the policy requires it and any release is known in the region.

    It is at most one. `known_to` is the day on which the catalogue's cards were collected, None if unknown. Only the
    English region uses it.
    """
    lists = terms.lists
    region = lists.listed.region_of_days(terms.region)
    cite = lists.sets.release_source(region)
    if cite and terms.policy.release:
        delay = terms.policy.release_delay_days
        says = "A card number is legal from its release" + (f", {delay} days later at this event." if delay else ".")
        collected = known_to if region == ENGLISH_LIST else None
        yield Released("release", says, cite, terms.on, region, lists, delay, collected)


class EditionJSON(TypedDict):
    """The identity of a ruleset as JSON, in verdicts and in lists of rulesets."""

    id: Annotated[str, doc(example="optcg-1.1.9")]
    title: str
    in_force_from: Annotated[DayText | None, doc("The first day. null if it is not known.")]
    note: Annotated[
        str | None,
        doc("What is not sure of its text; in a verdict also that the text is of a later date than the day."),
    ]
    provisional: NotRequired[Annotated[ProvisionalJSON, PROVISIONAL]]


class KnownLimitsJSON(TypedDict):
    """The limits list that a verdict applies, and the last day that it covers, as JSON."""

    effective_from: Annotated[
        DayText | None, doc("The day of its newest change whose first day is known. null before the first one.")
    ]
    known_to: Annotated[DayText, doc("The last day whose announcements are in it.")]
    note: Annotated[str | None, doc("The gaps in the list of the region. null if nothing is missing.")]
    list: Annotated[str, doc("The id of the official lists.", example="optcg-shipped-c0bc8bca")]
    source: Annotated[
        str, doc("`shipped`, the names of the files that were added to the lists that ship, or whose own list it is.")
    ]
    provisional: NotRequired[Annotated[ProvisionalJSON, PROVISIONAL]]


class SnapshotJSON(TypedDict):
    """The card catalogue of a verdict as JSON. `cards` is their number."""

    game: str
    snapshot: Annotated[str, doc("The state of the card data.")]
    cards: int
    as_of: Annotated[DayText | None, doc("The day of the card data. null if it is not known.")]
    provisional: NotRequired[Annotated[ProvisionalJSON, PROVISIONAL]]


class TermsJSON(TypedDict):
    """The terms and the card data that verdicts are made with, as JSON. `on` is the day of the verdict.

    `format` and `region` are keys, with the defaults for omitted ones. `timezone` is missing if the request names the
    day.
    """

    ruleset: EditionJSON
    on: DayText
    timezone: NotRequired[Annotated[str, ON_IN_TIMEZONE]]
    format: str
    region: str
    best_of: NotRequired[Annotated[int, doc("The most games of a match, if the request has it.")]]
    limits: Annotated[
        KnownLimitsJSON | None, doc("The official limits list. null if it is switched off or the game has none.")
    ]
    catalogue: SnapshotJSON


class Judge:
    """Terms prepared for a catalogue. `judge(deck)` returns the verdict.

    Work that depends only on the terms is done once. A deck is counted, then checked by the rules whose scope contains
    its shape or one of its cards. Only the rules decide on the findings.
    """

    def __init__(self, terms: Terms, catalogue: Catalogue, most_learnt: int = MOST_LEARNT_CARDS) -> None:
        """Compile the terms. Raises ValueError for an unknown region, and for a catalogue of another game.

        `most_learnt`: the number of cards whose rules are remembered.
        """
        check_type("terms", terms, Terms, "Write Terms.of_game('optcg', date.today()) or Terms('optcg-1.2.1', on)")
        check_catalogue(catalogue, terms.ruleset.game)
        self.terms = terms
        self.catalogue = catalogue
        self.rules = compile_rules(terms, catalogue.as_of)
        self._types = terms.ruleset.types
        scoped = [(rule, rule.scope()) for rule in self.rules]
        self._on_sizes = [rule for rule, scope in scoped if scope.has_sizes_only]
        others = [(rule, scope) for rule, scope in scoped if not scope.has_sizes_only]
        self._by_bit = {1 << place: rule for place, (rule, _) in enumerate(others)}
        self._scopes = {1 << place: scope for place, (_, scope) in enumerate(others)}
        self._choosing = {bit: scope for bit, scope in self._scopes.items() if scope.cards or scope.listed}
        self._by_shape = {
            bit: scope for bit, scope in self._scopes.items() if scope.is_whole or scope.most_copies is not None
        }
        self._barring = [rule.scope() for kind in _BARRING for rule in self._rules_of_kind(kind)]
        self._has_colors = bool(self._rules_of_kind(Colors))
        self._good_shapes: dict[tuple[object, ...], int] = {}
        self._index = RuleIndex(SECTIONS, self._find_rules, self.leader_group_key, most_learnt)
        self._names = names.name_index(catalogue)

    def __call__(self, deck: Deck, suggestions: Suggestions | None = None) -> Verdict:
        """Return the verdict on a deck. Decks that are judged together share one `suggestions`.

        It limits the searches for similar cards. By default each deck has its own. Raises TypeError if `deck` is no
        deck.
        """
        try:
            facts = DeckFacts(deck, self.catalogue, self._types, self._index)
        except (AttributeError, TypeError):
            check_deck("deck", deck)
            raise
        findings: list[Finding] = []
        by_shape = self._good_shapes.get(facts.shape)
        if by_shape is None:
            by_shape = self._find_rules_by_shape(facts)
            findings += self._check_sizes(facts, by_shape)
        bits = facts.rules | by_shape
        while bits:
            first = bits & -bits
            bits ^= first
            findings += self._by_bit[first].check(facts)
        if facts.lost or deck.unread:
            objections = lru_cache(MOST_CANDIDATES)(partial(self._objections, facts.leader))
            findings += find_unresolved(facts, suggestions or Suggestions(), objections)
        if facts.has_other_names:
            findings += self._names.mismatches(deck.used())
        if findings:
            findings = sorted(drop_repeated_warnings(findings), key=finding_sort_key)
        return Verdict(self, facts, findings)

    def __repr__(self) -> str:
        """Return the terms and the catalogue in short."""
        return f"Judge({self.terms!r}, {self.catalogue.snapshot[:40]!r})"

    @cached_property
    def made_with(self) -> TermsJSON:
        """The terms and the catalogue as JSON, as in every verdict. The result is shared, so it must not change."""
        terms = self.terms
        return cast(
            "TermsJSON",
            {
                "ruleset": self._edition_json(),
                "on": terms.on.isoformat(),
                **({"timezone": terms.timezone} if terms.timezone else {}),
                "format": terms.format,
                "region": terms.region,
                **({"best_of": terms.best_of} if terms.best_of else {}),
                "limits": self._limits_json(),
                "catalogue": self._catalogue_json(),
            },
        )

    def _edition_json(self) -> EditionJSON:
        """Return the ruleset as JSON, with its note for the day."""
        ruleset = self.terms.ruleset
        found: EditionJSON = {
            "id": ruleset.id,
            "title": ruleset.title,
            "in_force_from": ruleset.in_force_from.isoformat() if ruleset.in_force_from else None,
            "note": ruleset.note_on(self.terms.on),
        }
        if ruleset.provisional:
            found["provisional"] = ruleset.provisional.as_dict()
        return found

    def _limits_json(self) -> KnownLimitsJSON | None:
        """Return the limits list in force as JSON.

        None if the policy ignores the list, or if the list has no day up to which it is known.
        """
        official = self.terms.in_force
        if official is None or official.known_to is None:
            return None
        found: KnownLimitsJSON = {
            "effective_from": official.effective_from.isoformat() if official.effective_from else None,
            "known_to": official.known_to.isoformat(),
            "note": official.note or None,
            "list": self.terms.lists.id,
            "source": self.terms.lists.source,
        }
        if official.provisional:
            found["provisional"] = official.provisional.as_dict()
        return found

    def _catalogue_json(self) -> SnapshotJSON:
        """Return the catalogue as JSON."""
        catalogue = self.catalogue
        found: SnapshotJSON = {
            "game": catalogue.game,
            "snapshot": catalogue.snapshot,
            "cards": len(catalogue),
            "as_of": catalogue.as_of.isoformat() if catalogue.as_of else None,
        }
        if provisional := self.provisional.get("catalogue"):
            found["provisional"] = provisional.as_dict()
        return found

    @property
    def provisional(self) -> Mapping[str, Provisional]:
        """The parts that rest on second-hand sources, by "ruleset", "limits" and "catalogue". Mostly there are none."""
        official = self.terms.in_force
        parts = {
            "ruleset": self.terms.ruleset.provisional,
            "limits": official.provisional if official else None,
            # A catalogue of another program need not have it.
            "catalogue": getattr(self.catalogue, "provisional", None),
        }
        return {name: part for name, part in parts.items() if part}

    def _rules_of_kind(self, kind: type[_Kind]) -> list[_Kind]:
        """Return the rules of this Judge that are instances of a class, in the order of the rules."""
        return [rule for rule in self.rules if isinstance(rule, kind)]

    def _check_sizes(self, facts: DeckFacts, by_shape: int) -> list[Finding]:
        """Return the findings of the rules that read only the sizes of sections.

        If there are none, the deck's shape is cached with `by_shape`, so that decks of this shape skip these rules.
        `by_shape` are the bits of `_find_rules_by_shape`. At most MOST_SHAPES shapes are cached.
        """
        findings = [finding for rule in self._on_sizes for finding in rule.check(facts)]
        if not findings and len(self._good_shapes) < MOST_SHAPES:
            self._good_shapes[facts.shape] = by_shape
        return findings

    def _find_rules_by_shape(self, facts: DeckFacts) -> int:
        """Return the bits of the rules that check every deck with these sections, sizes and most copies of one card.

        These are the rules on whole sections that have cards. They are also the rules with `most_copies`, if the most
        copies of one card, added up over the rule's sections, are more.
        """
        bits = 0
        for bit, scope in self._by_shape.items():
            sections = SECTIONS if scope.sections is None else scope.sections
            if scope.most_copies is None:
                is_checked = scope.sections is None or any(facts.sizes[section] for section in sections)
            else:
                most = sum(max(facts.counts.get(section, {}).values(), default=0) for section in sections)
                is_checked = most > scope.most_copies
            bits |= bit if is_checked else 0
        return bits

    def _find_rules(self, card: Card, section: str, leader: Card | None) -> int:
        """Return the bits of the rules by which a card in a section under a Leader can be wrong."""
        return sum(bit for bit, scope in self._choosing.items() if scope.chooses(card, section, leader))

    def _objections(self, leader: Card | None, card: Card, section: str) -> tuple[bool, ...]:
        """Return a bool for each rule that may bar a card by its own facts: True if the card can violate it there.

        The rules are in the order of _BARRING, the gravest first: type, colours, official list, card pool, block,
        release. `leader` is the Leader of the deck.
        """
        return tuple(scope.chooses(card, section, leader) for scope in self._barring)

    def leader_group_key(self, leader: Card | None) -> object:
        """Return a key that is equal for Leaders that every rule treats alike.

        It is the colours, or () if no rule is about colours. For Leaders with construction clauses, and for None, it is
        the argument itself. A card whose own text has a condition on the Leader is checked under any Leader.
        """
        if leader is None or leader.construction:
            return leader
        return leader.colors if self._has_colors else ()

    def lets_in(self, card: Card, section: str, leader: Card | None) -> bool:
        """Return True if a card's type is allowed in a section, and no rule chooses the card there.

        Rules that look at a deck as a whole, and the limit of copies, can still find something.
        """
        return card.type in self._types.get(section, ()) and not self._index[leader].sections[section][card]

    @cached_property
    def leaders(self) -> Mapping[tuple[str, ...], Sequence[Card]]:
        """The Leaders of the catalogue that no rule bars, by their sorted colours.

        Leaders without construction clauses come first, then they are sorted by number.
        """
        found: dict[tuple[str, ...], list[Card]] = {}
        for card in sorted(self.catalogue, key=lambda card: (bool(card.construction), card.number)):
            if self.lets_in(card, "leader", card):
                found.setdefault(tuple(sorted(card.colors)), []).append(card)
        return found

    @cached_property
    def size_rules(self) -> Sequence[Size | DonDeck]:
        """The rules on the sizes of sections, including that of the DON!! deck."""
        return [*self._rules_of_kind(Size), *self._rules_of_kind(DonDeck)]

    @cached_property
    def _whole_scopes(self) -> Sequence[Scope]:
        """The scopes of the rules that check a deck whatever its cards, without the rules by group keys."""
        return [scope for scope in self._scopes.values() if scope.is_whole and scope.group_key is None]

    @property
    def asks_always(self) -> bool:
        """True if a rule must be checked for every deck."""
        return any(scope.sections is None for scope in self._whole_scopes)

    def unchecked_copies(self, section: str) -> int | None:
        """Return the copies that every card of a section can have before a rule must be checked.

        0 if a rule looks at the section as a whole. None is any number.
        """
        if any(scope.has_section(section) for scope in self._whole_scopes):
            return 0
        limits = (scope.most_copies for scope in self._scopes.values() if scope.has_section(section))
        return min((limit for limit in limits if limit is not None), default=None)

    def card_limits(self, card: Card, section: str, leader: Card | None) -> dict[str, int]:
        """Return the copies that never cause a finding, by the names of the rules that choose a card in a section.

        Rules that do not choose the card, such as those on sizes, are left out.
        """
        choosing = ((self._by_bit[bit], scope) for bit, scope in self._choosing.items())
        return {rule.name: scope.limit_of(card) for rule, scope in choosing if scope.chooses(card, section, leader)}

    @cached_property
    def _grouping(self) -> Mapping[int, Scope]:
        """The scopes of the rules that read only the group keys of cards, by the bit of the rule."""
        return {bit: scope for bit, scope in self._scopes.items() if scope.group_key}

    def group_keys(self, card: Card, section: str) -> tuple[object, ...]:
        """Return the key of a card for each rule by group keys, None for a rule that does not look at the section.

        Such rules read only which keys the cards have, such as colours.
        """
        scopes = self._grouping.values()
        return tuple(
            scope.group_key(card) if scope.group_key and scope.has_section(section) else None for scope in scopes
        )

    def takes_groups(self, cards: Iterable[tuple[Card, str]]) -> bool:
        """Return True if no rule by group keys finds anything in a deck of these cards, each in its section.

        Such rules read only which keys the cards have, such as colours. Other rules are not checked. Each card has one
        copy.
        """
        lines: dict[str, list[Line]] = {}
        for card, section in cards:
            lines.setdefault(section, []).append(Line(card.number, 1))
        facts = DeckFacts(Deck.from_sections(lines), self.catalogue, self._types)
        return not any(True for bit in self._grouping for _ in self._by_bit[bit].check(facts))

    def takes(self, sizes: Mapping[str, int]) -> bool:
        """Return True if no rule on sizes finds anything in a deck whose sections have these sizes. Others are empty.

        Cards are not checked.
        """
        blanks = {section: [Line("", size)] for section, size in sizes.items() if size}
        facts = DeckFacts(Deck.from_sections(blanks), self.catalogue, self._types)
        return not any(True for rule in self._on_sizes for _ in rule.check(facts))


def finding_sort_key(finding: Finding) -> tuple[int, str, str, str, int]:
    """Return the sort key of a finding: section, then code, then number and name of its first card, then line.

    Findings without a section come last, those without cards or line before others of their section and code.
    """
    first = finding.cards[0] if finding.cards else None
    place = SECTION_ORDER.get(finding.section, len(SECTIONS))
    name = (first.number, first.name) if first else ("", "")
    return place, finding.code, *name, finding.line or 0


class CheckedRuleJSON(CitationJSON):
    """The name and citation of a checked rule as JSON."""

    name: str


class CheckedJSON(TypedDict):
    """A checked rule with its result, as JSON. `says` is the rule in a sentence."""

    rule: CheckedRuleJSON
    says: str
    passed: Annotated[bool | None, doc("null if the rule only warns, because a fact that decides it is not known.")]


class ReasonsJSON(TypedDict):
    """The findings of a verdict, limited in number, and its diagnoses, as JSON."""

    findings: list[FindingJSON]
    diagnoses: NotRequired[Annotated[list[DiagnosisJSON], doc("The cause of most findings, if there is one.")]]


class _LegalJSON(TypedDict):
    """The beginning of a verdict as JSON."""

    legal: Annotated[bool, doc("True exactly when no finding is an error.")]


class _CountsJSON(TypedDict):
    """The numbers of cards, and the fingerprint, of a verdict's deck as JSON."""

    counts: Annotated[SizesJSON, doc("The cards of each section.")]
    deck_hash: Annotated[
        str, doc("A hash of the cards and their sections. Another spelling of the list does not change it.")
    ]


class VerdictJSON(_LegalJSON, TermsJSON, _CountsJSON, ReasonsJSON):
    """The verdict on a deck as JSON."""

    deck: Annotated[DeckJSON, doc("The deck as understood.")]
    checked: NotRequired[Annotated[list[CheckedJSON], doc("With `explain`: every rule that was applied.")]]
    summary: NotRequired[Annotated[str, doc("With `summary`: all of it in at most 1,900 characters, no finding cut.")]]


class Verdict:
    """The result of judging a deck: legal or not, the findings, and the Judge that made them.

    `found` has the sorted findings without changes, `findings` has them with changes. `legal` is True if none of them
    is an error. `facts` is the resolved deck.
    """

    __slots__ = ("__dict__", "facts", "found", "judge", "legal")

    def __init__(self, judge: Judge, facts: DeckFacts, sorted_findings: list[Finding]) -> None:
        """Store the result. It is legal if no finding is an error."""
        self.judge = judge
        self.facts = facts
        self.found = sorted_findings
        self.legal = not sorted_findings or all(finding.severity != ERROR for finding in sorted_findings)

    def __repr__(self) -> str:
        """Return the result with the number of findings."""
        return f"Verdict(legal={self.legal}, {len(self.found)} findings, {self.judge.terms!r})"

    @cached_property
    def findings(self) -> list[Finding]:
        """The findings, each with its changes. All changes together are one plan to make the deck legal.

        The plan is made at first use, and decks may be judged for it. Warnings, and errors without a planned change,
        have no changes. The findings of a legal deck have none.
        """
        if self.legal:
            return self.found
        from validator.repair.fixing import plan_fixes  # it judges decks itself

        return plan_fixes(self)

    @property
    def deck_hash(self) -> str:
        """The fingerprint of the deck's cards in their sections."""
        return self.facts.hash

    @property
    def codes(self) -> list[str]:
        """The codes of the findings in their order. A code may be repeated."""
        return [finding.code for finding in self.found]

    @cached_property
    def diagnoses(self) -> tuple[Diagnosis, ...]:
        """The probable reasons for most of the findings, in English, the gravest first. Usually there are none."""
        return tuple(self._find_diagnoses(ENGLISH)) if self.found else ()

    def _find_diagnoses(self, translate: Language) -> Iterator[Diagnosis]:
        """Yield the diagnoses of the deck in a language, the gravest first."""
        return find_diagnoses(self.facts, self.found, self.judge.terms.on, translate)

    def as_dict(self, explain: bool = False, translate: Language = ENGLISH) -> VerdictJSON:
        """Return the verdict as JSON, with its sentences in a language. The caller may change it.

        With `explain` it has `checked`, the checked rules. `summary` is left out.
        """
        found = cast(
            "VerdictJSON",
            {
                "legal": self.legal,
                **to_plain_json(self.judge.made_with),
                "counts": dict(self.facts.sizes),
                "deck_hash": self.deck_hash,
                **self.reasons(translate=translate),
                "deck": self.resolved_deck,
            },
        )
        if explain:
            found["checked"] = self.checked(translate)
        return found

    def reasons(self, own: bool = True, translate: Language = ENGLISH) -> ReasonsJSON:
        """Return the findings, limited in number, and any diagnoses as JSON.

        If `own` is False the result shares values with the findings and must not be changed. That is faster.
        """
        found: ReasonsJSON = {"findings": []}
        if self.found:
            found["findings"] = [finding.as_dict(own, translate) for finding in limit_findings(self.findings)]
            if likely := [diagnosis.as_dict() for diagnosis in self._find_diagnoses(translate)]:
                found["diagnoses"] = likely
        return found

    @property
    def resolved_deck(self) -> DeckJSON:
        """The deck as JSON, all sections as in `section`. Unread lines are left out. The caller may change it."""
        return cast("DeckJSON", {section: self.section(section) for section in SECTIONS})

    def section(self, section: str) -> list[LineJSON]:
        """Return a section of the resolved deck: every line with number, name and count, in the written order.

        Number and name are those of the catalogue, or as written for a line without a certain card. [] if the section
        is empty.
        """
        if cards := self.facts.known_cards(section):
            return [{"number": card.number, "name": card.name, "count": copies} for card, copies in cards.items()]
        return [
            {
                "number": card.number if card else line.number,
                "name": card.name if card else line.name,
                "count": line.count,
            }
            for line, card in self.facts.resolved_lines[section]
        ]

    def checked(self, translate: Language = ENGLISH) -> list[CheckedJSON]:
        """Return every rule of the Judge with its result as JSON. The rules are checked again for that."""
        return [
            {
                "rule": {"name": rule.name, **rule.cite.as_dict()},
                "says": translate.template(rule.says),
                "passed": _has_passed({finding.severity for finding in rule.check(self.facts)}),
            }
            for rule in self.judge.rules
        ]


def _has_passed(severities: Collection[str]) -> bool | None:
    """Return False if the severities include an error, else None if they include a warning, else True.

    They are those of the findings of one rule.
    """
    return False if ERROR in severities else None if WARNING in severities else True
