"""Options that commands share, and what commands are given: the cards, the judges, a place to write."""

from __future__ import annotations

import sys
from collections.abc import Callable
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING
from typing import Any

import click
import orjson

from validator import words
from validator.games import GAMES

if TYPE_CHECKING:
    from api.service.judges import Judges
    from carddb.library import Library


def one_of(games: Iterable[str]) -> str:
    """Return games as a sentence lists them."""
    return words.joined(tuple(games), "or")


class _Day(click.ParamType):  # type: ignore[type-arg]  # generic in the newest click alone
    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        from api.service.requests import day

        try:
            return day(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


ON = click.option("--on", type=_Day(), metavar="DATE", help="The day that counts, as 2026-01-15.  [default: today]")
REGION = click.option("--region", metavar="REGION", help="Whose limits lists hold.  [default: en]")
JSON = click.option("--json", "as_json", is_flag=True, help="Write JSON.")
GAME = click.option("--game", metavar="GAME", help=f"The game: {one_of(GAMES)}.")
A_GAME = click.option("--game", required=True, metavar="GAME", help=f"The game: {one_of(GAMES)}.")


def terms(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say what decks are judged by: the fields of Asked."""
    format = click.option("--format", metavar="FORMAT", help="The format.  [default: the game's standard one]")
    ruleset = click.option("--ruleset", metavar="ID", help="The ruleset; `deckproof rules` lists them.")
    for option in (REGION, format, ON, GAME, ruleset):
        command = option(command)
    return command


def library() -> Library:
    """Return the cards of the database that the environment names."""
    from api.service.settings import Settings
    from carddb.library import Library

    return Library(Settings.from_environment().database)


def judges() -> Judges:
    """Return judges for those cards."""
    from api.service.judges import Judges

    return Judges(library())


def is_same(source: str, target: str) -> bool:
    """Tell whether what is read and what is written are one file."""
    if "-" in (source, target) or not (Path(source).exists() and Path(target).exists()):
        return False
    return Path(source).samefile(target)


def write_json(found: Any) -> None:
    """Write JSON to standard output: spread out for a person, on one line for a program."""
    spread = orjson.OPT_INDENT_2 if sys.stdout.isatty() else 0
    click.echo(orjson.dumps(found, option=spread).decode())
