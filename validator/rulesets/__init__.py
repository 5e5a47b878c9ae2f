"""The rule manuals as data: one TOML file an edition, and which edition is in force on a day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib import resources

from validator.errors import DocumentError, UnknownRuleset
from validator.games import game_of
from validator.rulesets import editions
from validator.rulesets.ruleset import Ruleset, SwapRule

__all__ = ["Ruleset", "SwapRule", "named", "of_game", "rulesets", "successive"]


@cache
def rulesets() -> Mapping[str, Ruleset]:
    """Return every ruleset that ships, by id, sorted; DocumentError on a bad file."""
    return editions.load(resources.files("validator.rulesets"))


def named(id: str) -> Ruleset:
    """Return the ruleset of an id; UnknownRuleset names those there are."""
    if id not in rulesets():
        raise UnknownRuleset(id, rulesets())
    return rulesets()[id]


def of_game(game: str, on: date) -> Ruleset:
    """Return the ruleset of a game that is in force on a day (the first one on days before it).

    UnknownGame names the games there are.
    """
    known = successive(game)
    past = [one for one in known if (one.in_force_from or date.min) <= on]
    return (past or known[:1])[-1]


def successive(game: str) -> list[Ruleset]:
    """Return the rulesets of a game that are, were or will be in force, by their first days.

    UnknownGame names the games there are.
    """
    id = game_of(game).id
    known = [one for one in rulesets().values() if one.game == id and one.superseded_by is None]
    if not known:
        raise DocumentError(f"There is no ruleset of {id}; write one in validator/rulesets.")
    return sorted(known, key=lambda one: one.in_force_from or date.min)
