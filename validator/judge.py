"""The Judge: ruleset, day, region, format and policy, compiled; called with a deck it gives a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, timedelta
from functools import cached_property, lru_cache, partial, reduce
from operator import or_
from typing import Any, TypeVar

from validator import limits, names
from validator.account import Account, account
from validator.cards import Card, Catalogue, public
from validator.deck import SECTIONS, Deck, DeckFacts
from validator.diagnoses import Diagnosis, diagnoses
from validator.findings import ERROR, Citation, Finding
from validator.language import ENGLISH, Language
from validator.limits import InForce
from validator.rules import Policy, Rule, unknown_facts
from validator.rules.colors import Colors
from validator.rules.copies import CopyLimit
from validator.rules.official_list import Listed, Pairs
from validator.rules.release import Released
from validator.rules.rotation import Blocks
from validator.rules.types import Types
from validator.rulesets import Ruleset, named, successive
from validator.unresolved import Suggestions, unresolved

_MOST_CANDIDATES = 2_000  # cards of one deck that may have been meant, each for many lines
_MOST_SHAPES = 4096
_ANY_DAY = date(2000, 1, 1)
# The rules that may bar a card by what it is, the gravest first.
_BARRING: Sequence[type[Rule]] = (Types, Colors, Listed, Blocks, Released)
_Kind = TypeVar("_Kind", bound=Rule)
_MOST_LEARNT = 200_000  # cards over all lenses of a Judge, some 10 MB; more are forgotten and found again


@dataclass(frozen=True, init=False)
class Terms:
    """What a deck is judged by: everything but the deck and the cards."""

    ruleset: Ruleset
    on: date
    region: str
    format: str
    policy: Policy

    def __init__(
        self,
        ruleset: Ruleset | str,
        on: date | None = None,
        region: str = "en",
        format: str = "standard",
        policy: Policy | None = None,
    ) -> None:
        """Let the policy change the ruleset, which may be named by its id.

        Without a day it is the last of the ruleset's whose announcements are known: there is no clock here.
        A ValueError says that there is no such ruleset or format, or that the policy does not fit.
        """
        policy = policy or Policy()
        ruleset = (named(ruleset) if isinstance(ruleset, str) else ruleset).under(policy)
        for name, value in zip(_TERMS, (ruleset, on or _last_known(ruleset), region, format, policy), strict=True):
            object.__setattr__(self, name, value)
        if self.format not in self.ruleset.formats:
            known = ", ".join(self.ruleset.formats)
            raise ValueError(f"{self.ruleset.id} has no format {self.format!r}; it has {known}")

    @property
    def in_force(self) -> InForce | None:
        """The official limits list of these terms, None where it is left out; a ValueError names the known regions."""
        return limits.load(self.ruleset.game).on(self.on, self.region) if self.policy.limits else None


def _last_known(ruleset: Ruleset) -> date:
    """Return the last day of a ruleset whose announcements are known; where nothing is dated any day is as good."""
    since = ruleset.in_force_from
    later = [one.in_force_from for one in successive(ruleset.game) if one.in_force_from]
    before = [day - timedelta(days=1) for day in later if since and day > since][:1]
    return max(since or _ANY_DAY, min([limits.load(ruleset.game).known_to or _ANY_DAY, *before]))


_TERMS = tuple(one.name for one in fields(Terms))


def compiled(terms: Terms) -> tuple[Rule, ...]:
    """Return the rules of these terms: the ruleset's under the policy, then the day's lists and dates."""
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
    return (*rules, *listed, *_rotation(terms), *release(terms))


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


def release(terms: Terms) -> Iterator[Released]:
    """The first days of cards, where any are known in the region."""
    sets = limits.sets(terms.ruleset.game)
    cite = sets.cited(terms.region)
    if cite and terms.policy.release:
        delay = terms.policy.release_delay_days
        says = "A card number is legal from its release" + (f", {delay} days later at this event." if delay else ".")
        yield Released("release", says, cite, terms.on, terms.region, sets, delay)


class _Lens(dict[Card, int]):
    """Which rules each card concerns in one section under one Leader, as bits; found once for each card."""

    def __init__(self, judge: Judge, section: str, leader: Card | None) -> None:
        super().__init__()
        self._judge = judge
        self._section = section
        self._leader = leader

    def __missing__(self, card: Card) -> int:
        bits = self[card] = self._judge.asks_about(card, self._section, self._leader)
        return bits


class Judge:
    """Terms compiled against a catalogue; `judge(deck)` is the verdict.

    What depends on the terms alone is done once. A deck is counted, then asked only of the rules that
    one of its cards concerns; the rules themselves decide, in one place each.
    """

    def __init__(self, terms: Terms, catalogue: Catalogue, most_learnt: int = _MOST_LEARNT) -> None:
        """Compile the terms; a ValueError names a region or format that there is not.

        Of how many cards it remembers which rules they concern, `most_learnt` says.
        """
        self.terms = terms
        self.catalogue = catalogue
        self.rules = compiled(terms)
        self._types = terms.ruleset.types
        self._by_shape = [rule for rule in self.rules if rule.by_shape]
        self._asked = [rule for rule in self.rules if not rule.by_shape]
        self._always = self._bits(lambda rule: rule.asked_by is None)
        self._with_don = self._bits(lambda rule: "don" in (rule.asked_by or ()))
        self._over_limit = self._bits(lambda rule: isinstance(rule, CopyLimit))
        self._copies = self._kind(CopyLimit)[0]
        self._barring: Sequence[Rule] = [rule for kind in _BARRING for rule in self._kind(kind)]
        self._has_colors = bool(self._kind(Colors))
        self._good_shapes: set[tuple[int, ...]] = set()
        self._lenses: dict[tuple[str, object], _Lens] = {}
        self._views: dict[Card | None, tuple[int, dict[str, _Lens]]] = {}
        self._learnt, self._most_learnt = 0, most_learnt
        self._names = names.of(catalogue)

    def __call__(self, deck: Deck, suggestions: Suggestions | None = None) -> Verdict:
        """Judge a deck; of several that are judged together, all have the same `suggestions`."""
        facts = DeckFacts(deck, self.catalogue, self._types)
        findings: list[Finding] = []
        if (shape := (*facts.sizes.values(),)) not in self._good_shapes:
            findings += self._judge_shape(facts, shape)
        if bits := self._concerned(facts):
            for place, rule in enumerate(self._asked):
                if bits >> place & 1:
                    findings += rule.check(facts)
        if facts.lost or deck.unread:
            objections = lru_cache(_MOST_CANDIDATES)(partial(self._objections, facts.leader))
            findings += unresolved(facts, suggestions or Suggestions(), objections)
        if with_names := facts.named:
            findings += self._names.mismatches(with_names)
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
        return {"effective_from": since, "known_to": official.known_to.isoformat()}

    def _kind(self, kind: type[_Kind]) -> list[_Kind]:
        return [rule for rule in self.rules if isinstance(rule, kind)]

    def _bits(self, chosen: Callable[[Rule], bool]) -> int:
        return sum(1 << place for place, rule in enumerate(self._asked) if chosen(rule))

    def _judge_shape(self, facts: DeckFacts, shape: tuple[int, ...]) -> list[Finding]:
        findings = [finding for rule in self._by_shape for finding in rule.check(facts)]
        if not findings and len(self._good_shapes) < _MOST_SHAPES:
            self._good_shapes.add(shape)
        return findings

    def _concerned(self, facts: DeckFacts) -> int:
        """Return the rules that this deck must be asked of, as bits."""
        leader, copies = facts.leader, self._copies
        bits, view = self._views.get(leader) or self._view(leader)
        most = 0
        for section, counts in facts.counts.items():
            if section == "leader" and leader is not None:
                continue  # the view knows its Leader's own bits
            look = view[section].__getitem__
            if any(map(look, counts)):
                bits = reduce(or_, map(look, counts), bits)
            if section in copies.sections and counts:
                most += max(counts.values())
        if most > copies.limit:
            bits |= self._over_limit
        if facts.sizes["don"]:
            bits |= self._with_don
        return bits

    def _objections(self, leader: Card | None, card: Card, section: str) -> tuple[bool, ...]:
        """Return what stands against a card in a section of a Leader's deck, the gravest first."""
        return tuple(rule.concerns(card, section, leader) for rule in self._barring)

    def _view(self, leader: Card | None) -> tuple[int, dict[str, _Lens]]:
        """Return the rules to ask of every deck of a Leader, and how each section's cards look under it.

        Leaders of the same colours and no text of construction are one Leader to every rule: what a
        card's own text makes of its Leader concerns the rule whatever the Leader.
        """
        alike = self.alike(leader)
        lenses = {section: self._lens(section, alike, leader) for section in self._types}
        bits = self._always | (lenses["leader"][leader] if leader else 0)
        view = self._views[leader] = (bits, lenses)
        return view

    def alike(self, leader: Card | None) -> object:
        """Return what Leaders have in common that let the same cards into a deck, as far as no card asks for more."""
        if leader is None or leader.construction:
            return leader
        return leader.colors if self._has_colors else ()

    def lets_in(self, card: Card, section: str, leader: Card | None) -> bool:
        """Tell whether a card fits into a section, and no rule but that on copies has more to say of it there."""
        if card.type not in self._types.get(section, ()):
            return False
        view = self._views.get(leader) or self._view(leader)
        return not view[1][section][card]

    def _lens(self, section: str, alike: object, leader: Card | None) -> _Lens:
        key = (section, alike)
        if key not in self._lenses:
            self._lenses[key] = _Lens(self, section, leader)
        return self._lenses[key]

    def asks_about(self, card: Card, section: str, leader: Card | None) -> int:
        """Return the rules that a card in a section concerns under a Leader, as bits; lenses remember it."""
        self._learnt += 1
        if self._learnt > self._most_learnt:
            self._learnt = 0
            self._views.clear()
            self._lenses.clear()
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

    __slots__ = ("__dict__", "facts", "findings", "judge", "legal")

    def __init__(self, judge: Judge, facts: DeckFacts, findings: list[Finding]) -> None:
        """Hold the findings, already in their order."""
        self.judge = judge
        self.facts = facts
        self.findings = findings
        self.legal = not findings or all(finding.severity != ERROR for finding in findings)

    @property
    def deck_hash(self) -> str:
        """The fingerprint of the deck's cards in their sections."""
        return self.facts.hash

    @property
    def codes(self) -> list[str]:
        """The findings' codes, in their order."""
        return [finding.code for finding in self.findings]

    @cached_property
    def diagnoses(self) -> tuple[Diagnosis, ...]:
        """What one thing explains most of the findings, the gravest first; mostly there is none."""
        return tuple(diagnoses(self)) if self.findings else ()

    @cached_property
    def account(self) -> Account:
        """The verdict as people read it."""
        return account(self)

    def told(self, say: Language) -> Account:
        """Return the verdict as people of a language read it."""
        return account(self, say)

    def as_dict(self, explain: bool = False, own: bool = True, say: Language = ENGLISH) -> dict[str, Any]:
        """Return the public form, the caller's own to change, its sentences as `say` says them.

        With `explain` it says what was checked too. One that is not to be the caller's `own` is made quicker,
        for whoever writes it down at once: without the deck, and its other parts are the Judge's.
        """
        found: dict[str, Any] = {
            "legal": self.legal,
            **(public(self.judge.made_with) if own else self.judge.made_with),
            "counts": dict(self.facts.sizes),
            "deck_hash": self.deck_hash,
            "findings": [finding.as_dict(own, say) for finding in self.findings],
        }
        if self.findings and (likely := [one.as_dict() for one in diagnoses(self, say)]):
            found["diagnoses"] = likely
        if own:
            found["deck"] = {section: self.section(section) for section in SECTIONS}
        if explain:
            found["checked"] = list(self._checked(say))
        return found

    def section(self, section: str) -> list[dict[str, Any]]:
        """Return a section of the deck as understood: every line with number, name and count."""
        if cards := self.facts.alone.get(section):
            return [{"number": card.number, "name": card.name, "count": copies} for card, copies in cards.items()]
        return [
            {
                "number": card.number if card else line.number,
                "name": card.name if card else line.name,
                "count": line.count,
            }
            for line, card in self.facts.understood[section]
        ]

    def _checked(self, say: Language) -> Iterator[dict[str, Any]]:
        """Every rule that was applied, its citation, and whether the deck passed it."""
        for rule in self.judge.rules:
            failed = any(finding.severity == ERROR for finding in rule.check(self.facts))
            yield {
                "rule": {"name": rule.name, **rule.cite.as_dict()},
                "says": say.template(rule.says),
                "passed": not failed,
            }
