"""The Judge: ruleset, day, region, format and policy, compiled; called with a deck it gives a verdict."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, timedelta
from functools import cached_property, lru_cache, partial
from typing import Any, TypeVar

from validator import limits, names
from validator.account import Account, account
from validator.cards import Card, Catalogue, public
from validator.deck import SECTIONS, Deck, DeckFacts, Line
from validator.diagnoses import Diagnosis, diagnoses
from validator.finding_lists import bounded
from validator.findings import ERROR, WARNING, Citation, Finding
from validator.language import ENGLISH, Language
from validator.lenses import MOST_LEARNT, Views
from validator.limits import InForce
from validator.limits.cardsets import ENGLISH as ENGLISH_LIST
from validator.rules import Policy, Rule, unknown_facts
from validator.rules.colors import Colors
from validator.rules.copies import CopyLimit
from validator.rules.official_list import Listed, Pairs
from validator.rules.release import Released
from validator.rules.rotation import Blocks
from validator.rules.size import DonDeck, Size
from validator.rules.types import Types
from validator.rulesets import Ruleset, named, successive
from validator.unresolved import Suggestions, unresolved

_MOST_CANDIDATES = 2_000  # cards of one deck that may have been meant, each for many lines
_MOST_SHAPES = 4096
_ANY_DAY = date(2000, 1, 1)
BEST_OF = (1, 3)  # the lengths of a match that rules tell apart
# The rules that may bar a card by what it is, the gravest first.
_BARRING: Sequence[type[Rule]] = (Types, Colors, Listed, Blocks, Released)
_Kind = TypeVar("_Kind", bound=Rule)


@dataclass(frozen=True, init=False)
class Terms:
    """What a deck is judged by: everything but the deck and the cards."""

    ruleset: Ruleset
    on: date
    region: str
    format: str
    policy: Policy
    best_of: int | None

    def __init__(
        self,
        ruleset: Ruleset | str,
        on: date | None = None,
        region: str = "en",
        format: str = "standard",
        policy: Policy | None = None,
        best_of: int | None = None,
    ) -> None:
        """Let the policy, the day and the length of a match change the ruleset, which may be named by its id.

        Without a day it is the last of the ruleset's whose announcements are known: there is no clock here.
        `best_of` is 1, 3, or None for matches of unknown length.
        A ValueError says that there is no such ruleset or format, or that the policy does not fit.
        """
        if best_of not in (None, *BEST_OF):
            raise ValueError(f"a match is best of {' or '.join(map(str, BEST_OF))}, not of {best_of}")
        policy = policy or Policy()
        ruleset = named(ruleset) if isinstance(ruleset, str) else ruleset
        on = on or _last_known(ruleset)
        values = ruleset.under(policy, on, best_of), on, region, format, policy, best_of
        for name, value in zip(_TERMS, values, strict=True):
            object.__setattr__(self, name, value)
        if self.format not in self.ruleset.formats:
            known = ", ".join(self.ruleset.formats)
            raise ValueError(f"{self.ruleset.id} has no format {self.format!r}; it has {known}")

    @property
    def in_force(self) -> InForce | None:
        """The official limits list of these terms, None where it is left out; a ValueError names the known regions."""
        if not self.policy.limits:
            return None
        return limits.load(self.ruleset.game).on(self.on, self.region, self.best_of)


def _last_known(ruleset: Ruleset) -> date:
    """Return the last day of a ruleset whose announcements are known; where nothing is dated any day is as good."""
    since = ruleset.in_force_from
    later = [one.in_force_from for one in successive(ruleset.game) if one.in_force_from]
    before = [day - timedelta(days=1) for day in later if since and day > since][:1]
    return max(since or _ANY_DAY, min([limits.load(ruleset.game).known_to or _ANY_DAY, *before]))


_TERMS = tuple(one.name for one in fields(Terms))


def compiled(terms: Terms, known_to: date | None = None) -> tuple[Rule, ...]:
    """Return the rules of these terms: the ruleset's under the policy, then the day's lists and dates.

    `known_to` is the day on which the catalogue's cards were collected.
    """
    listed = list(_listed(terms))
    restricted = {
        number: limit.limit
        for rule in listed
        if isinstance(rule, Listed)
        for number, limit in rule.singles.items()
        if limit.limit and limit.severity == ERROR
    }
    rules = [rule.under(terms.policy) for rule in terms.ruleset.rules.values()]
    rules = [replace(rule, restricted=restricted) if isinstance(rule, CopyLimit) else rule for rule in rules]
    return (*rules, *listed, *_rotation(terms), *release(terms, known_to))


def _listed(terms: Terms) -> Iterator[Rule]:
    """The official limits list in force on the day."""
    official = terms.in_force
    if official and official.singles:
        cite = Citation(official.title, "Banned and restricted cards")
        yield Listed("limits", "Cards that the official list bans or restricts, by number.", cite, official.singles)
    if official and official.pairs:
        cite = Citation(official.title, "Banned pairs")
        yield Pairs("pairs", "Pairs of cards that the official list bans from one deck.", cite, official.pairs)


def _rotation(terms: Terms) -> Iterator[Rule]:
    """The blocks that the format takes on the day."""
    rotation = limits.rotation(terms.ruleset.game)
    allowed = rotation.allowed(terms.format, terms.on) if rotation else None
    if rotation and allowed is not None:
        says = f"The {terms.format} format takes the blocks {', '.join(sorted(allowed))}."
        yield Blocks("blocks", says, rotation.citation(terms.on), terms.format, terms.on, allowed, rotation)


def release(terms: Terms, known_to: date | None) -> Iterator[Released]:
    """Yield the rule on the first days of cards, if any day is known in the region."""
    game = terms.ruleset.game
    region = limits.load(game).region_of_days(terms.region)
    sets = limits.sets(game)
    cite = sets.cited(region)
    if cite and terms.policy.release:
        delay = terms.policy.release_delay_days
        says = "A card number is legal from its release" + (f", {delay} days later at this event." if delay else ".")
        collected = known_to if region == ENGLISH_LIST else None
        yield Released("release", says, cite, terms.on, region, sets, limits.bounds(game, region), delay, collected)


class Judge:
    """Terms compiled against a catalogue; `judge(deck)` is the verdict.

    What depends on the terms alone is done once. A deck is counted, then asked only of the rules that
    its shape or one of its cards concerns; the rules themselves decide, in one place each.
    """

    def __init__(self, terms: Terms, catalogue: Catalogue, most_learnt: int = MOST_LEARNT) -> None:
        """Compile the terms; a ValueError names a region or format that there is not.

        Of how many cards it remembers which rules they concern, `most_learnt` says.
        """
        self.terms = terms
        self.catalogue = catalogue
        self.rules = compiled(terms, catalogue.as_of)
        self._types = terms.ruleset.types
        self._by_shape = [rule for rule in self.rules if rule.by_shape]
        asked = (rule for rule in self.rules if not rule.by_shape)
        self._by_bit = {1 << place: rule for place, rule in enumerate(asked)}
        self._always = self._bits(lambda rule: rule.asked_by is None)
        self._by_kind = self._bits(lambda rule: rule.by_kind)
        self._with_don = self._bits(lambda rule: "don" in (rule.asked_by or ()))
        self._over_limit = self._bits(lambda rule: isinstance(rule, CopyLimit))
        self._copies = self._kind(CopyLimit)[0]
        self._barring: Sequence[Rule] = [rule for kind in _BARRING for rule in self._kind(kind)]
        self._has_colors = bool(self._kind(Colors))
        self._good_shapes: dict[tuple[object, ...], int] = {}
        self._views = Views(SECTIONS, self.asks_about, self.alike, self._always, most_learnt)
        self._names = names.of(catalogue)

    def __call__(self, deck: Deck, suggestions: Suggestions | None = None) -> Verdict:
        """Judge a deck; of several that are judged together, all have the same `suggestions`."""
        facts = DeckFacts(deck, self.catalogue, self._types, self._views)
        findings: list[Finding] = []
        asked = self._good_shapes.get(facts.shape)
        if asked is None:
            asked = self._asked_of(facts)
            findings += self._judge_shape(facts)
        bits = facts.asked | asked
        while bits:
            first = bits & -bits
            bits ^= first
            findings += self._by_bit[first].check(facts)
        if facts.lost or deck.unread:
            objections = lru_cache(_MOST_CANDIDATES)(partial(self._objections, facts.leader))
            findings += unresolved(facts, suggestions or Suggestions(), objections)
        if facts.has_other_names:
            findings += self._names.mismatches(deck.used())
        if findings:
            findings = sorted(unknown_facts.once(findings), key=order)
        return Verdict(self, facts, findings)

    @cached_property
    def made_with(self) -> Mapping[str, Any]:
        """What every verdict says that it was made with: the terms and the catalogue, in their public form."""
        terms, catalogue = self.terms, self.catalogue
        return {
            "ruleset": self._edition(),
            "on": terms.on.isoformat(),
            "format": terms.format,
            "region": terms.region,
            **({"best_of": terms.best_of} if terms.best_of else {}),
            "limits": self._limits_known(),
            "catalogue": {
                "game": catalogue.game,
                "snapshot": catalogue.snapshot,
                "cards": len(catalogue),
                "as_of": catalogue.as_of.isoformat() if catalogue.as_of else None,
            },
        }

    def _edition(self) -> dict[str, str | None]:
        ruleset = self.terms.ruleset
        since = ruleset.in_force_from.isoformat() if ruleset.in_force_from else None
        note = ruleset.note_on(self.terms.on)
        return {"id": ruleset.id, "title": ruleset.title, "in_force_from": since, "note": note}

    def _limits_known(self) -> dict[str, str | None] | None:
        official = self.terms.in_force
        if official is None or official.known_to is None:
            return None
        since = official.effective_from.isoformat() if official.effective_from else None
        return {"effective_from": since, "known_to": official.known_to.isoformat(), "note": official.note or None}

    def _kind(self, kind: type[_Kind]) -> list[_Kind]:
        return [rule for rule in self.rules if isinstance(rule, kind)]

    def _bits(self, chosen: Callable[[Rule], bool]) -> int:
        return sum(bit for bit, rule in self._by_bit.items() if chosen(rule))

    def _judge_shape(self, facts: DeckFacts) -> list[Finding]:
        findings = [finding for rule in self._by_shape for finding in rule.check(facts)]
        if not findings and len(self._good_shapes) < _MOST_SHAPES:
            self._good_shapes[facts.shape] = self._asked_of(facts)
        return findings

    def _asked_of(self, facts: DeckFacts) -> int:
        """Return the rules that decks of this shape are asked of, as bits, whatever their cards."""
        most = sum(max(facts.counts.get(section, {}).values(), default=0) for section in self._copies.sections)
        bits = self._over_limit if most > self._copies.limit else 0
        return bits | self._with_don if facts.sizes["don"] else bits

    def _objections(self, leader: Card | None, card: Card, section: str) -> tuple[bool, ...]:
        """Return what stands against a card in a section of a Leader's deck, the gravest first."""
        return tuple(rule.concerns(card, section, leader) for rule in self._barring)

    def alike(self, leader: Card | None) -> object:
        """Return what Leaders have in common that let the same cards into a deck, as far as no card asks for more.

        Leaders of the same colours and no text of construction are one Leader to every rule: what a
        card's own text makes of its Leader concerns the rule whatever the Leader.
        """
        if leader is None or leader.construction:
            return leader
        return leader.colors if self._has_colors else ()

    def lets_in(self, card: Card, section: str, leader: Card | None) -> bool:
        """Tell whether a card fits into a section, and no rule has more to say of it there, whatever others say.

        The rule on copies, and those by the kinds of all cards of a deck, are not asked.
        """
        if card.type not in self._types.get(section, ()):
            return False
        return not self._views[leader].lenses[section][card] & ~self._by_kind

    @cached_property
    def leaders(self) -> Mapping[tuple[str, ...], Sequence[Card]]:
        """Return the Leaders of the catalogue that no rule bars, by colours; first those that limit no cards."""
        found: dict[tuple[str, ...], list[Card]] = {}
        for card in sorted(self.catalogue, key=lambda card: (bool(card.construction), card.number)):
            if self.lets_in(card, "leader", card):
                found.setdefault(tuple(sorted(card.colors)), []).append(card)
        return found

    @cached_property
    def size_rules(self) -> Sequence[Size | DonDeck]:
        """Return the rules on the sizes of sections."""
        return [*self._kind(Size), *self._kind(DonDeck)]

    @property
    def asks_always(self) -> bool:
        """Whether there is a rule that every deck is asked of, whatever its cards, but for those by their kinds."""
        return bool(self._always & ~self._by_kind)

    @property
    def copy_limit(self) -> CopyLimit:
        """The rule on copies, which a deck is asked of where it has more copies of a card than its limit."""
        return self._copies

    def speakers(self, card: Card, section: str, leader: Card | None) -> list[Rule]:
        """Return the rules that a card in a section concerns under a Leader, but for those on sizes and on kinds."""
        own = (rule for rule in self.rules if not rule.by_shape and not rule.by_kind)
        return [rule for rule in own if rule.concerns(card, section, leader)]

    def kind(self, card: Card, section: str) -> tuple[object, ...]:
        """Return what each rule by kinds goes by of a card that fits into a section, None where it does not look."""
        return tuple(rule.kind(card, section) for rule in self.rules if rule.by_kind)

    def takes_kinds(self, cards: Iterable[tuple[Card, str]]) -> bool:
        """Tell whether no rule by kinds has anything to say of a deck of these cards, each in its section."""
        lines: dict[str, Any] = {}
        for card, section in cards:
            lines[section] = (*lines.get(section, ()), Line(card.number, 1))
        facts = DeckFacts(Deck(**lines), self.catalogue, self._types)
        return not any(True for rule in self.rules if rule.by_kind for _ in rule.check(facts))

    def takes(self, sizes: Mapping[str, int]) -> bool:
        """Tell whether no rule has anything to say of a deck for the sizes of its sections alone."""
        blanks: dict[str, Any] = {section: (Line("", size),) for section, size in sizes.items() if size}
        facts = DeckFacts(Deck(**blanks), self.catalogue, self._types)
        return not any(True for rule in self._by_shape for _ in rule.check(facts))

    def asks_about(self, card: Card, section: str, leader: Card | None) -> int:
        """Return the rules that a card in a section concerns under a Leader, as bits."""
        return self._bits(lambda rule: rule.concerns(card, section, leader))


_SECTION_ORDER = {section: place for place, section in enumerate(SECTIONS)}


def order(finding: Finding) -> tuple[int, str, str, str, int]:
    """Findings stand by section, then code, then card number."""
    first = finding.cards[0] if finding.cards else None
    place = _SECTION_ORDER.get(finding.section or "", len(SECTIONS))
    name = (first.number, first.name) if first else ("", "")
    return place, finding.code, *name, finding.line or 0


class Verdict:
    """What a Judge says of a deck: legal or not, the findings, and all that they were made with."""

    __slots__ = ("__dict__", "facts", "found", "judge", "legal")

    def __init__(self, judge: Judge, facts: DeckFacts, found: list[Finding]) -> None:
        """Keep the findings as the rules made them, already in their order."""
        self.judge = judge
        self.facts = facts
        self.found = found
        self.legal = not found or all(finding.severity != ERROR for finding in found)

    @cached_property
    def findings(self) -> list[Finding]:
        """The findings, each with its changes: together they are one plan that makes the deck legal."""
        if self.legal:
            return self.found
        from validator.repair.fixing import planned  # it judges decks itself

        return planned(self)

    @property
    def deck_hash(self) -> str:
        """The fingerprint of the deck's cards in their sections."""
        return self.facts.hash

    @property
    def codes(self) -> list[str]:
        """The findings' codes, in their order."""
        return [finding.code for finding in self.found]

    @cached_property
    def diagnoses(self) -> tuple[Diagnosis, ...]:
        """What one thing explains most of the findings, the gravest first; mostly there is none."""
        return tuple(diagnoses(self)) if self.found else ()

    @cached_property
    def account(self) -> Account:
        """The verdict as people read it."""
        return account(self)

    def told(self, say: Language) -> Account:
        """Return the verdict as people of a language read it."""
        return account(self, say)

    def as_dict(self, explain: bool = False, say: Language = ENGLISH) -> dict[str, Any]:
        """Return the public form, the caller's own to change, its sentences as `say` says them.

        With `explain` it says what was checked too.
        """
        found: dict[str, Any] = {
            "legal": self.legal,
            **public(self.judge.made_with),
            "counts": dict(self.facts.sizes),
            "deck_hash": self.deck_hash,
            **self.reasons(say=say),
        }
        found["deck"] = {section: self.section(section) for section in SECTIONS}
        if explain:
            found["checked"] = self.checked(say)
        return found

    def reasons(self, own: bool = True, say: Language = ENGLISH) -> dict[str, Any]:
        """Return the public form of the findings, and of what explains most of them where one thing does.

        One that is not to be the caller's `own` is made quicker, for whoever writes it down at once.
        """
        if not self.found:
            return {"findings": []}
        found: dict[str, Any] = {"findings": [finding.as_dict(own, say) for finding in bounded(self.findings)]}
        if likely := [one.as_dict() for one in diagnoses(self, say)]:
            found["diagnoses"] = likely
        return found

    def section(self, section: str) -> list[dict[str, Any]]:
        """Return a section of the deck as understood: every line with number, name and count."""
        if cards := self.facts.alone(section):
            return [{"number": card.number, "name": card.name, "count": copies} for card, copies in cards.items()]
        return [
            {
                "number": card.number if card else line.number,
                "name": card.name if card else line.name,
                "count": line.count,
            }
            for line, card in self.facts.understood[section]
        ]

    def checked(self, say: Language = ENGLISH) -> list[dict[str, Any]]:
        """Return every rule that was applied, its citation, and whether the deck passed it.

        `passed` is None if a fact is not known that decides it: the rule warns, and finds nothing wrong for sure.
        """
        return [
            {
                "rule": {"name": rule.name, **rule.cite.as_dict()},
                "says": say.template(rule.says),
                "passed": _passed({finding.severity for finding in rule.check(self.facts)}),
            }
            for rule in self.judge.rules
        ]


def _passed(severities: Collection[str]) -> bool | None:
    """Return True if a rule found nothing wrong, False if it did, None if it only warns."""
    return False if ERROR in severities else None if WARNING in severities else True
