"""Options that commands share, and functions for all commands: the cards, the judges, and output as JSON."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import orjson

from api.cli import CommandError
from validator import words
from validator.games import GAMES
from validator.language import CODES, ENGLISH, Language

if TYPE_CHECKING:
    from api.service.judges import Judges
    from carddb.library import Library
    from validator.rules import Policy


# What helps where a sheet's fonts lack a character: for whoever runs the command, not for who reads the sheet.
FONT_HELP = "A font that has it is used once it is installed as a package of fontpkg."


def one_of(games: Iterable[str]) -> str:
    """Return games as a list in a sentence."""
    return words.either(tuple(games))


def complete_with(values: Callable[[], Iterable[str]]) -> Callable[..., list[str]]:
    """Return a function that completes a word in a shell with the values that begin with it."""
    return lambda ctx, param, begun: [value for value in values() if value.lower().startswith(begun.lower())]


def _list_rulesets() -> Iterable[str]:
    """Return the ids of all rulesets."""
    from validator.rulesets import rulesets

    return rulesets()


def _list_formats() -> Iterable[str]:
    """Return the formats of all rulesets."""
    from validator.rulesets import rulesets

    return dict.fromkeys(format for ruleset in rulesets().values() for format in ruleset.formats)


def _list_regions() -> Iterable[str]:
    """Return the regions of all limits lists."""
    from validator import limits

    return dict.fromkeys(region for game in GAMES for region in limits.load(game).regions)


RULESETS = complete_with(_list_rulesets)


def a_game(games: Iterable[str] = GAMES) -> click.Choice[str]:
    """Return the parameter type of a game. Case is ignored."""
    return click.Choice(tuple(games), case_sensitive=False)


class DayParam(click.ParamType[date]):
    """A day in ISO 8601."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Parse the day. Fails with a usage error."""
        from api.service.requests import day

        try:
            return day(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


ON = click.option("--on", type=DayParam(), metavar="DATE", help="The day that counts, as 2026-01-15.  [default: today]")
REGION = click.option(
    "--region",
    metavar="REGION",
    shell_complete=complete_with(_list_regions),
    help="Whose limits lists hold.  [default: en]",
)
BEST_OF = click.option(
    "--best-of",
    type=click.Choice(("1", "3")),
    callback=lambda context, parameter, value: int(value) if value else None,
    help="How many games a match has at most.",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Write JSON.")


def _load_language(context: click.Context, parameter: click.Parameter, code: str) -> Language:
    """Return the language of a code. The catalogs are loaded only for languages other than English."""
    if code == ENGLISH.code:
        return ENGLISH
    from api.service.languages import language

    return language(code)


LANG = click.option(
    "--lang",
    "say",
    type=click.Choice(CODES, case_sensitive=False),
    default=ENGLISH.code,
    show_default=True,
    envvar="DECKPROOF_LANG",
    metavar="LANG",
    callback=_load_language,
    help=f"The language to speak: {words.either(CODES)}.",
)
_GAME: dict[str, Any] = {"type": a_game(), "metavar": "GAME", "help": f"The game: {one_of(GAMES)}."}
GAME = click.option("--game", **_GAME)
A_GAME = click.option("--game", required=True, **_GAME)


def _parse_policy(context: click.Context, parameter: click.Parameter, written: tuple[str, ...]) -> Policy | None:
    """Parse NAME=VALUE options into a policy, None if there are none. Raises BadParameter."""
    if not written:
        return None
    from api.service.errors import Invalid
    from api.service.shapes import PolicyShape, loaded

    given: dict[str, object] = {}
    for item in written:
        name, equals, value = item.partition("=")
        if not equals or name in given:
            raise click.BadParameter(f"{item!r}: write each NAME=VALUE once, such as main_min=40.", context, parameter)
        given[name] = orjson.loads(value) if value.isdecimal() or value in ("true", "false") else value
    try:
        policy: Policy = loaded(PolicyShape(), given)
    except Invalid as error:
        mistakes = " ".join(f"{item.pointer[1:]}: {item.detail}" for item in error.errors)
        raise click.BadParameter(mistakes, context, parameter) from None
    return policy


POLICY = click.option(
    "--policy",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_parse_policy,
    help="What the organiser decides, such as side_max=0 or copies=false. Give it once for each.",
)


def terms(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of the terms to a command: the fields of Asked."""
    format = click.option(
        "--format",
        metavar="FORMAT",
        shell_complete=complete_with(_list_formats),
        help="The format.  [default: the game's standard one]",
    )
    ruleset = click.option(
        "--ruleset", metavar="ID", shell_complete=RULESETS, help="The ruleset; `deckproof rules` lists them."
    )
    for option in (POLICY, BEST_OF, REGION, format, ON, GAME, ruleset):
        command = option(command)
    return command


@contextmanager
def name_options_in_errors() -> Iterator[None]:
    """Raise Invalid as a CommandError with the names of the options in place of the fields."""
    from api.service.errors import Invalid

    try:
        yield
    except Invalid as error:
        mistakes = (
            f"--{mistake.pointer[1:].replace('_', '-').replace('/', ' ')}: {mistake.detail}" for mistake in error.errors
        )
        raise CommandError(" ".join(mistakes)) from None


def library() -> Library:
    """Return the library of the database in the settings."""
    from api.service.settings import Settings
    from carddb.library import Library

    return Library(Settings.from_environment().database)


def judges() -> Judges:
    """Return the judges for the cards of that library."""
    from api.service.judges import Judges

    return Judges(library(), by_machine=True)


def is_same(source: str, target: str) -> bool:
    """Return True if the file to read and the file to write are the same. False for "-"."""
    if "-" in (source, target) or not (Path(source).exists() and Path(target).exists()):
        return False
    return Path(source).samefile(target)


def write_json(content: Any) -> None:
    """Write JSON to standard output: indented on a terminal, on one line elsewhere."""
    spread = orjson.OPT_INDENT_2 if sys.stdout.isatty() else 0
    click.echo(orjson.dumps(content, option=spread).decode())
