"""Amendments: the differences between the statements of two editions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from validator.findings import Citation
from validator.rules import Rule
from validator.rulesets.ruleset import Fact, Ruleset

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
        Amendment(name, kind, earlier, later) for name, earlier, later in pairs if (kind := _compare(earlier, later))
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


def _compare(before: Statement | None, after: Statement | None) -> str:
    """Return the kind of change of a statement, "" if it is unchanged."""
    if before is None or after is None:
        return ADDED if before is None else GONE
    if stated(before) != stated(after):
        return CHANGED
    return MOVED if before.cite.section != after.cite.section else ""


def stated(statement: Statement) -> tuple[type, dict[str, Any]]:
    """Return the class and the values of a statement, without its citations."""
    values = {key: value for key, value in vars(statement).items() if not isinstance(value, Citation)}
    return type(statement), values
