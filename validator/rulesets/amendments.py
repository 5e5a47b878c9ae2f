"""Amendments: what one edition says and another does not, or says otherwise or elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from validator.findings import Citation
from validator.rules import Rule
from validator.rulesets.ruleset import Fact, Ruleset

ADDED, GONE, CHANGED, MOVED = AMENDED = ("added", "gone", "changed", "moved")

Statement = Rule | Fact


class Amendment(NamedTuple):
    """A statement of two editions, None in the one that lacks it, and which of AMENDED it is.

    One that is only MOVED says the same under another number.
    """

    name: str
    kind: str
    before: Statement | None
    after: Statement | None


def amendments(before: Ruleset, after: Ruleset) -> list[Amendment]:
    """Return the statements in which two editions differ, in the order of the later one, those gone last."""
    old, new = statements(before), statements(after)
    pairs = ((name, old.get(name), new.get(name)) for name in {**new, **old})
    return [Amendment(name, kind, one, other) for name, one, other in pairs if (kind := _kind(one, other))]


def statements(of: Ruleset) -> Mapping[str, Statement]:
    """Return all that an edition says, by name: its rules, those for a side deck, and how a game begins."""
    return dict(_named(of))


def _named(of: Ruleset) -> Iterator[tuple[str, Statement]]:
    yield from of.rules.items()
    for name, rule in of.with_side_deck.items():
        yield f"with-side-deck.{name}", rule
    for name, fact in of.opening.facts() if of.opening else ():
        yield f"opening.{name}", fact


def _kind(before: Statement | None, after: Statement | None) -> str:
    """Return how a statement was amended, "" where it stands as it stood."""
    if before is None or after is None:
        return ADDED if before is None else GONE
    if stated(before) != stated(after):
        return CHANGED
    return MOVED if before.cite.section != after.cite.section else ""


def stated(of: Statement) -> tuple[type, dict[str, Any]]:
    """Return the kind of a statement and its values, wherever it is written."""
    values = {key: value for key, value in vars(of).items() if not isinstance(value, Citation)}
    return type(of), values
