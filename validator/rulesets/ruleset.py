"""A ruleset: one edition of a game's rules, from which a Judge is made, and the differences between two editions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple

from validator.documents import Table, check_keys
from validator.errors import DocumentError, PolicyError
from validator.findings import Citation
from validator.language import phrase
from validator.provisional import Provisional
from validator.rules import Policy, Rule
from validator.rules.size import MatchSideDeck, Sections
from validator.rules.types import Types


@dataclass(frozen=True)
class Fact:
    """One statement of a document, with its source."""

    says: str
    cite: Citation


@dataclass(frozen=True)
class Cards(Fact):
    """The number of cards that are taken from the deck. If it is None, the Leader has the number."""

    cards: int | None = None


@dataclass(frozen=True)
class Redraw(Fact):
    """The first hand may be redrawn this number of times: the `whole` hand, or any number of its cards.

    With a `type`, only a hand with fewer than `fewer_than` cards of that type may be redrawn.
    """

    times: int
    whole: bool
    type: str | None = None
    fewer_than: int = 0


@dataclass(frozen=True)
class Growth(Fact):
    """A number of cards for each turn, and another one for the first turn of the player going `first`."""

    first: int
    each: int

    def total_by_turn(self, turn: int, going_first: bool) -> int:
        """Return the sum over a player's turns from the first to `turn`, which is included."""
        return (self.first if going_first else self.each) + (turn - 1) * self.each


@dataclass(frozen=True)
class Opening:
    """The start of a game. Parts that the edition does not have, or that are not known, are None."""

    hand: Cards
    draw: Growth | None = None
    redraw: Redraw | None = None
    life: Cards | None = None
    energy: Growth | None = None

    def facts(self) -> Iterator[tuple[str, Fact]]:
        """Yield each statement of the opening that is set, with its name."""
        for name, fact in vars(self).items():
            if fact is not None:
                yield name, fact


_CITED = {"says": str, "section": str, "document": str}
_KINDS: Mapping[str, tuple[type[Fact], Mapping[str, type], Mapping[str, type]]] = {
    "hand": (Cards, {"cards": int}, {}),
    "draw": (Growth, {"first": int, "each": int}, {}),
    "redraw": (Redraw, {"times": int, "whole": bool}, {"type": str, "fewer_than": int}),
    "life": (Cards, {}, {"cards": int}),
    "energy": (Growth, {"first": int, "each": int}, {}),
}


def parse_opening(tables: Mapping[str, Table], place: str) -> Opening:
    """Return the opening of an edition's tables. Raises DocumentError if they are invalid."""
    check_keys(tables, place, {"hand": dict}, dict.fromkeys(("draw", "redraw", "life", "energy"), dict))
    return Opening(**{name: _parse_fact(name, table, f"{place}, {name}") for name, table in tables.items()})


def _parse_fact(name: str, table: Table, place: str) -> Any:
    """Return the statement of a table. Raises DocumentError if the table is invalid."""
    kind, needed, optional = _KINDS[name]
    check_keys(table, place, _CITED | dict(needed), dict(optional))
    values = {key: table[key] for key in table if key not in _CITED}
    if any(isinstance(value, int) and value < 0 for value in values.values()):
        raise DocumentError(f"{place}: a number is below 0; write a whole number from 0")
    return kind(table["says"], Citation(table["document"], table["section"]), **values)


class SwapRule(NamedTuple):
    """The rule on swapping with the side deck: its source, and True if cards are swapped one for one."""

    cite: Citation
    one_for_one: bool


@dataclass(frozen=True, repr=False)
class Ruleset:
    """One edition of a game's rules.

    `with_side_deck` are the rules that are added if an organiser's policy, or the length of a match, allows a side
    deck. It is empty if the edition has a side deck anyway, or if none can be allowed. `note` contains doubts about the
    edition. `provisional` is given if its statements rest on second-hand sources. `opening` is the start of a game.
    """

    id: str
    game: str
    title: str
    document: str
    rules: Mapping[str, Rule]
    with_side_deck: Mapping[str, Rule]
    in_force_from: date | None
    note: str | None
    inherits: str | None
    superseded_by: str | None
    formats: tuple[str, ...]
    swap: SwapRule | None
    opening: Opening | None = None
    provisional: Provisional | None = None

    def __repr__(self) -> str:
        """Return the id and the title."""
        return f"Ruleset({self.id!r}, {self.title[:100]!r})"

    @property
    def types(self) -> dict[str, tuple[str, ...]]:
        """The card types of each section."""
        return {rule.section: rule.types for rule in self.rules.values() if isinstance(rule, Types)}

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections that decks of this edition have."""
        return next(rule.sections for rule in self.rules.values() if isinstance(rule, Sections))

    def with_policy(self, policy: Policy, day: date, best_of: int | None = None) -> Ruleset:
        """Return the ruleset with its sections under a policy, on a day, in matches of `best_of` games.

        Raises PolicyError if the policy contradicts the ruleset.
        """
        for rule in self.rules.values():
            rule.with_policy(policy)  # raises what does not fit
        if "side" in self.sections:
            return self
        settings = ["side_max"] if policy.side_max else []
        settings += ["copies_across_side"] if policy.copies_across_side is not None else []
        if settings and not self.with_side_deck:
            raise PolicyError(
                settings[0],
                phrase(
                    "{ruleset} has no side deck, and none can be allowed; leave {name} out",
                    ruleset=self.id,
                    name=settings[0],
                ),
            )
        by_match = self.match_side_deck is not None and self.match_side_deck.allows(day, best_of)
        if not (policy.side_max or by_match):
            return self
        is_sure = best_of is not None or policy.side_max is not None
        return self.having_side_deck(*([self.match_side_deck] if is_sure else []))

    @property
    def match_side_deck(self) -> MatchSideDeck | None:
        """The rule that allows a side deck in matches of some length, None if there is none."""
        found = (rule for rule in self.with_side_deck.values() if isinstance(rule, MatchSideDeck))
        return next(found, None)

    def having_side_deck(self, *without: Rule | None) -> Ruleset:
        """Return the ruleset with the optional side deck. Rules in `without` are left out."""
        more = {name: rule for name, rule in self.with_side_deck.items() if rule not in without}
        return replace(self, rules={**self.rules, **more}, with_side_deck={})

    def note_on(self, day: date) -> str | None:
        """Return the edition's note, after a warning if its text is later than the day. None if there is neither."""
        since = self.in_force_from
        later = f"This text is of {since}, a later date than {day}." if since and day < since else None
        return " ".join(filter(None, (later, self.note))) or None


ADDED, GONE, CHANGED, MOVED = AMENDED = ("added", "gone", "changed", "moved")

Statement = Rule | Fact


class Amendment(NamedTuple):
    """A statement of two editions, None in the edition that lacks it, and the `kind` of its change, one of AMENDED.

    A statement that is only MOVED is the same under another number.
    """

    name: str
    kind: str
    before: Statement | None
    after: Statement | None


def amendments(before: Ruleset, after: Ruleset) -> list[Amendment]:
    """Return the statements that differ between two editions, in the order of the later one, those gone last."""
    old, new = statements(before), statements(after)
    pairs = ((name, old.get(name), new.get(name)) for name in {**new, **old})
    return [
        Amendment(name, kind, earlier, later)
        for name, earlier, later in pairs
        if (kind := _kind_of_change(earlier, later))
    ]


def statements(ruleset: Ruleset) -> Mapping[str, Statement]:
    """Return all statements of an edition by name: its rules, those for a side deck, and those on the opening."""
    return dict(_list_statements(ruleset))


def _list_statements(ruleset: Ruleset) -> Iterator[tuple[str, Statement]]:
    """Yield the statements of an edition with their names."""
    yield from ruleset.rules.items()
    for name, rule in ruleset.with_side_deck.items():
        yield f"with-side-deck.{name}", rule
    for name, fact in ruleset.opening.facts() if ruleset.opening else ():
        yield f"opening.{name}", fact


def _kind_of_change(before: Statement | None, after: Statement | None) -> str:
    """Return the kind of change of a statement, "" if it is unchanged."""
    if before is None or after is None:
        return ADDED if before is None else GONE
    if statement_values(before) != statement_values(after):
        return CHANGED
    return MOVED if before.cite.section != after.cite.section else ""


def statement_values(statement: Statement) -> tuple[type, dict[str, Any]]:
    """Return the class and the values of a statement, without its citations."""
    values = {key: value for key, value in vars(statement).items() if not isinstance(value, Citation)}
    return type(statement), values
