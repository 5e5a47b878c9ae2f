"""The rule manuals as data: one TOML file for each edition, and the edition in force on a day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache, lru_cache
from importlib import resources

from validator.errors import DocumentError, UnknownRuleset
from validator.games import GAMES, game_of
from validator.rulesets import editions
from validator.rulesets.ruleset import Ruleset, SwapRule

__all__ = ["Ruleset", "SwapRule", "find_ruleset", "of_game", "rulesets", "successive"]


_FOLDER = resources.files("validator.rulesets")


@cache
def rulesets() -> Mapping[str, Ruleset]:
    """Return every ruleset that ships, by id, sorted. Raises DocumentError on an invalid file."""
    games = {file.name.partition("-")[0] for file in _FOLDER.iterdir() if file.name.endswith(".toml")}
    return {id: ruleset for game in sorted(games) for id, ruleset in _rulesets_of_game(game).items()}


@lru_cache(maxsize=len(GAMES))
def _rulesets_of_game(game: str) -> Mapping[str, Ruleset]:
    """Return the rulesets of a game that ship, by id, sorted. Empty if the game has none.

    The files of other games are not read, because every `check` waits for this. Raises DocumentError on an invalid
    file.
    """
    return editions.load_rulesets(_FOLDER, game)


def find_ruleset(id: str) -> Ruleset:
    """Return the ruleset with an id. Raises UnknownRuleset, which lists the known ids."""
    if id not in rulesets():
        raise UnknownRuleset(id, rulesets())
    return rulesets()[id]


def of_game(game: str, day: date) -> Ruleset:
    """Return the ruleset of a game that is in force on a day. On days before all rulesets it is the first one.

    Superseded rulesets are left out. Raises the errors of `successive`.
    """
    known = successive(game)
    past = [ruleset for ruleset in known if (ruleset.in_force_from or date.min) <= day]
    return (past or known[:1])[-1]


def successive(game: str) -> list[Ruleset]:
    """Return the rulesets of a game that are, were or will be in force, sorted by their first days.

    One without a first day comes first. Superseded rulesets are left out. Raises UnknownGame, which lists the known
    games, and DocumentError if the game has no ruleset.
    """
    id = game_of(game).id
    known = [ruleset for ruleset in _rulesets_of_game(id).values() if ruleset.superseded_by is None]
    if not known:
        raise DocumentError(f"There is no ruleset of {id}; write one in validator/rulesets.")
    return sorted(known, key=lambda ruleset: ruleset.in_force_from or date.min)
