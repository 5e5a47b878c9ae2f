"""A ruleset: one edition of a game's rules, from which a Judge is made, and the differences between two editions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Annotated, Any, NamedTuple, TypedDict

from validator.documents import Provisional, Table, check_keys
from validator.errors import DocumentError, PolicyError
from validator.field_docs import doc
from validator.findings import Citation
from validator.language import phrase
from validator.rules import Policy, Rule
from validator.rules.size import MatchSideDeck, Sections
from validator.rules.types import Types


@dataclass(frozen=True)
class Fact:
    """One statement of a document: its sentence (`says`) and its citation."""

    says: str
    cite: Citation


@dataclass(frozen=True)
class Cards(Fact):
    """A statement on the number of cards that are taken from the deck, for a first hand or as Life.

    If `cards` is None, the Leader has the number.
    """

    cards: int | None = None


@dataclass(frozen=True)
class Redraw(Fact):
    """A statement that the first hand may be redrawn `times` times: the `whole` hand, or any number of its cards.

    With a `type`, only a hand with fewer than `fewer_than` cards of that type may be redrawn.
    """

    times: int
    whole: bool
    type: str | None = None
    fewer_than: int = 0


@dataclass(frozen=True)
class Growth(Fact):
    """A statement on a number for each turn, of drawn cards or of energy. The first turn of the game has another one.

    `first` is the number of that turn, of the player going first. `each` is that of all other turns.
    """

    first: int
    each: int

    def total_by_turn(self, turn: int, going_first: bool) -> int:
        """Return the sum of the numbers of a player's turns, from the first up to and including `turn`."""
        return (self.first if going_first else self.each) + (turn - 1) * self.each


@dataclass(frozen=True)
class Opening:
    """The start of a game: the statements on the first hand, the draws, the redraw, Life and energy.

    Those that the edition does not have, or that are not known, are None.
    """

    hand: Cards
    draw: Growth | None = None
    redraw: Redraw | None = None
    life: Cards | None = None
    energy: Growth | None = None

    def facts(self) -> Iterator[tuple[str, Fact]]:
        """Yield `(name, statement)` for each statement of the opening that is not None, such as "hand"."""
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
    """Return the opening of an edition from its tables by name: "hand", "draw", "redraw", "life" and "energy".

    Only "hand" is required. Raises DocumentError if a table is invalid or unknown. `place` is their place in messages.
    """
    check_keys(tables, place, {"hand": dict}, dict.fromkeys(("draw", "redraw", "life", "energy"), dict))
    return Opening(**{name: _parse_fact(name, table, f"{place}, {name}") for name, table in tables.items()})


def _parse_fact(name: str, table: Table, place: str) -> Any:
    """Return the statement of the opening table `name`, which must be a known one.

    Raises DocumentError if the table has missing, unknown or wrong keys, or a negative number.
    """
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


class RulesetNameJSON(TypedDict):
    """The id and title of a ruleset as JSON."""

    id: Annotated[str, doc(example="optcg-1.1.9")]
    title: str


@dataclass(frozen=True, repr=False)
class Ruleset:
    """One edition of a game's rules.

    `rules` are by name. `with_side_deck` are those that are added if an organiser's policy, or the length of a match,
    allows a side deck. It is empty if the edition has a side deck anyway, or if none can be allowed. `in_force_from` is
    None if the first day is not known. `note` contains doubts about the edition for people. `inherits` and
    `superseded_by` are ids of other editions, None without one. `swap` is None if there is no swapping. `provisional`
    is set only if its statements rest on second-hand sources.
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
        """The card types that each section takes, by section."""
        return {rule.section: rule.types for rule in self.rules.values() if isinstance(rule, Types)}

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections that decks of this edition have."""
        return next(rule.sections for rule in self.rules.values() if isinstance(rule, Sections))

    def with_policy(self, policy: Policy, day: date, best_of: int | None = None) -> Ruleset:
        """Return the ruleset on a day in matches of `best_of` games, with its optional side deck if it is allowed.

        A `side_max` above 0 in the policy allows it, or MatchSideDeck for this day and length (None: unknown). If it is
        not allowed, or the ruleset has a side deck anyway, the same ruleset is returned. MatchSideDeck itself stays in
        the result only if `best_of` and `side_max` are both None. Raises PolicyError if the policy contradicts the
        ruleset. Values of the policy are not applied.
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
        """Return a copy of the ruleset in which the rules in `with_side_deck` are in force, except those in `without`.

        They replace rules of the same name. `with_side_deck` is empty in the copy.
        """
        more = {name: rule for name, rule in self.with_side_deck.items() if rule not in without}
        return replace(self, rules={**self.rules, **more}, with_side_deck={})

    def note_on(self, day: date) -> str | None:
        """Return the edition's note, after a warning if the edition is in force only after the day.

        None if there is neither.
        """
        since = self.in_force_from
        later = f"This text is of {since}, a later date than {day}." if since and day < since else None
        return " ".join(filter(None, (later, self.note))) or None


ADDED, GONE, CHANGED, MOVED = AMENDED = ("added", "gone", "changed", "moved")

Statement = Rule | Fact


class Amendment(NamedTuple):
    """A statement that differs between two editions, None in the edition that lacks it. `kind` is one of AMENDED.

    A MOVED statement differs only in the section of its citation. `name` is that of `statements`.
    """

    name: str
    kind: str
    before: Statement | None
    after: Statement | None


def amendments(before: Ruleset, after: Ruleset) -> list[Amendment]:
    """Return the statements that differ between two editions, in the order of the later one.

    Those that are gone come last.
    """
    old, new = statements(before), statements(after)
    pairs = ((name, old.get(name), new.get(name)) for name in {**new, **old})
    return [
        Amendment(name, kind, earlier, later)
        for name, earlier, later in pairs
        if (kind := _kind_of_change(earlier, later))
    ]


def statements(ruleset: Ruleset) -> Mapping[str, Statement]:
    """Return all statements of an edition by name: its rules, those for a side deck, and those on the opening.

    The last two kinds have names such as "with-side-deck.NAME" and "opening.NAME".
    """
    return dict(_list_statements(ruleset))


def _list_statements(ruleset: Ruleset) -> Iterator[tuple[str, Statement]]:
    """Yield `(name, statement)` for the rules, the rules for a side deck, and the opening of an edition.

    The names are those of `statements`.
    """
    yield from ruleset.rules.items()
    for name, rule in ruleset.with_side_deck.items():
        yield f"with-side-deck.{name}", rule
    for name, fact in ruleset.opening.facts() if ruleset.opening else ():
        yield f"opening.{name}", fact


def _kind_of_change(before: Statement | None, after: Statement | None) -> str:
    """Return the kind of change of a statement, one of AMENDED. "" if it is unchanged.

    A difference only in the document of the citation is no change.
    """
    if before is None or after is None:
        return ADDED if before is None else GONE
    if statement_values(before) != statement_values(after):
        return CHANGED
    return MOVED if before.cite.section != after.cite.section else ""


def statement_values(statement: Statement) -> tuple[type, dict[str, Any]]:
    """Return `(class, values)` of a statement: its fields by name, without those that are citations."""
    values = {key: value for key, value in vars(statement).items() if not isinstance(value, Citation)}
    return type(statement), values
