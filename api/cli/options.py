"""Options that commands share, and their common tools: the library, the judges, JSON output."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import orjson

from api.cli import CommandError, current_language, language_of_code
from validator import words
from validator.errors import error_text
from validator.games import GAMES, WITH_SITE
from validator.language import CODES, ENGLISH, Language, phrase
from validator.limits import shipped_lists

if TYPE_CHECKING:
    from api.service.judges import Judges
    from api.service.settings import Settings
    from carddb.library import Library
    from validator.rules import Policy


SYNC_EPILOG = f"GAME is {words.join_with_or(WITH_SITE)}."
# Help for the person who runs the command if the fonts of a sheet lack a character. It is not on the sheet.
FONT_HELP = "A font that has it is used once it is installed as a package of fontpkg."


def complete_from(values: Callable[[], Iterable[str]]) -> Callable[..., list[str]]:
    """Return a shell completion callback for click: the values that begin with the typed text, in any case.

    `values` is only called when the shell completes.
    """
    return lambda ctx, param, begun: [one for one in values() if one.lower().startswith(begun.lower())]


def _rulesets() -> Iterable[str]:
    """Return the ids of all rulesets."""
    from validator.rulesets import rulesets

    return rulesets()


def _formats() -> Iterable[str]:
    """Return the names of the formats in which decks of any ruleset are played, each once."""
    from validator.rulesets import rulesets

    return dict.fromkeys(format for ruleset in rulesets().values() for format in ruleset.formats)


def _regions() -> Iterable[str]:
    """Return the codes of the regions of all games' limits lists that ship, each once."""

    return dict.fromkeys(region for game in GAMES for region in shipped_lists(game).listed.regions)


RULESETS = complete_from(_rulesets)


def a_game(games: Iterable[str] = GAMES) -> click.Choice[str]:
    """Return the click parameter type for the id of one of these games. Upper and lower case do not matter."""
    return click.Choice(tuple(games), case_sensitive=False)


class DayParam(click.ParamType[date]):
    """The click parameter type of a day, written as 2026-01-15."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Return the day of a text such as 2026-01-15.

        Raises BadParameter for another form, a day that does not exist, and a year before 1990 or after 2999.
        """
        from api.service.requests import day

        try:
            return day(value)
        except ValueError as error:
            self.fail(error_text(error), param, ctx)


ON = click.option("--on", type=DayParam(), metavar="DATE", help="The day that counts, as 2026-01-15.  [default: today]")
REGION = click.option(
    "--region",
    metavar="REGION",
    shell_complete=complete_from(_regions),
    help="The region of the limits lists.  [default: en]",
)
BEST_OF = click.option(
    "--best-of",
    type=click.Choice(("1", "3")),
    callback=lambda context, parameter, value: int(value) if value else None,
    help="The most games of a match.",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Write JSON.")


def _choose_language(context: click.Context, parameter: click.Parameter, code: str) -> Language:
    """Return the language of a code, and store it in the root context for the errors of the command.

    The callback of --lang. An unknown code is English.
    """
    context.find_root().obj = chosen = language_of_code(code)
    return chosen


LANG = click.option(
    "--lang",
    "translate",
    type=click.Choice(CODES, case_sensitive=False),
    default=ENGLISH.code,
    show_default=True,
    envvar="DECKPROOF_LANG",
    metavar="LANG",
    callback=_choose_language,
    is_eager=True,
    help=f"The language of the output: {words.join_with_or(CODES)}. DECKPROOF_LANG sets the default.",
)
_game_option = partial(
    click.option, "--game", type=a_game(), metavar="GAME", help=f"The game: {words.join_with_or(tuple(GAMES))}."
)
GAME = _game_option()
A_GAME = _game_option(required=True)


def _parse_policy(context: click.Context, parameter: click.Parameter, options: tuple[str, ...]) -> Policy | None:
    """Return the organiser's policy of NAME=VALUE options, None without any. The callback of --policy.

    Digits, "true" and "false" become a number or bool. Raises BadParameter for another form, a name given twice, or a
    wrong name or value.
    """
    if not options:
        return None
    from api.service.errors import Invalid
    from api.service.shapes import PolicyShape, load_with

    given: dict[str, object] = {}
    for one in options:
        name, equals, value = one.partition("=")
        if not equals or name in given:
            wrong = phrase("{value!r}: write each NAME=VALUE once, such as main_min=40.", value=one)
            raise click.BadParameter(wrong, context, parameter)
        is_number = value.isascii() and value.isdecimal() and len(value) < 10
        given[name] = int(value) if is_number else {"true": True, "false": False}.get(value, value)
    try:
        policy: Policy = load_with(PolicyShape(), given)
    except Invalid as error:
        translate = current_language()
        message = " ".join(
            translate("{place}: {problem}", place=one.pointer[1:], problem=translate.text(one.detail))
            for one in error.errors
        )
        raise click.BadParameter(message, context, parameter) from None
    return policy


POLICY = click.option(
    "--policy",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_parse_policy,
    help="A decision of the organiser, such as side_max=0 or copies=false. May be repeated.",
)


def add_terms_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return the command with the options for terms: --ruleset, --game, --on, --format, --region, --best-of, --policy.

    Their parameters have the names of fields of RequestedTerms. An option that is not given is None.
    """
    format = click.option(
        "--format",
        metavar="FORMAT",
        shell_complete=complete_from(_formats),
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
    """Raise CommandError for an Invalid error of the `with` block, with the options of its pointers as names.

    `/best_of` → `--best-of`, `/policy/copies` → `--policy copies`. Other errors are not changed.
    """
    from api.service.errors import Invalid

    try:
        yield
    except Invalid as error:
        translate = current_language()
        mistakes = (
            translate(
                "{place}: {problem}",
                place=f"--{one.pointer[1:].replace('_', '-').replace('/', ' ')}",
                problem=translate.text(one.detail),
            )
            for one in error.errors
        )
        raise CommandError(" ".join(mistakes)) from None


def settings() -> Settings:
    """Return the settings of the environment. Raises SettingError if one is unusable."""
    from api.service.settings import Settings

    return Settings.from_environment()


def library() -> Library:
    """Return a new Library for the database and the folder of lists in the settings.

    Raises SettingError if a setting is unusable. No cards are loaded yet.
    """
    from carddb.library import Library

    found = settings()
    return Library(found.database, limits_dir=found.limits_dir)


def judges() -> Judges:
    """Return new Judges for the cards of a new Library. Raises SettingError if a setting is unusable.

    Their default day is the current day in this machine's time zone.
    """
    from api.service.judges import Judges

    return Judges(library(), by_machine=True)


def is_same(source: str, target: str) -> bool:
    """Return True if both names are of the same existing file or folder. "-" is no file."""
    if "-" in (source, target) or not (Path(source).exists() and Path(target).exists()):
        return False
    return Path(source).samefile(target)


def write_json(content: Any) -> None:
    """Write a value as JSON and a line break to standard output.

    It is indented on a terminal. Elsewhere it is one line, always in UTF-8.
    """
    if sys.stdout.isatty():
        click.echo(orjson.dumps(content, option=orjson.OPT_INDENT_2).decode())
    else:
        click.echo(orjson.dumps(content))
