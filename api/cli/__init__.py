"""The `deckproof` command: checks decks, judges batches, keeps cards, serves the interface.

A module beside this one for each command, imported when it is asked for: `check` must answer at once.
"""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module
from itertools import zip_longest
from typing import Any, NoReturn

import click

from api.service.errors import Invalid, Wrong
from validator.errors import error_text
from validator.language import CODES, ENGLISH, Language, phrase

LEGAL, ILLEGAL, UNUSABLE = 0, 1, 2
UNREAD = 128 + 13  # whoever read the output has gone: no verdict, but what shells say of who is ended by SIGPIPE
MOST_SAID = 5  # mistakes of one file
COMMANDS = (
    "check",
    "repair",
    "swap",
    "compare",
    "when",
    "odds",
    "batch",
    "rejudge",
    "sheet",
    "verify",
    "convert",
    "cards",
    "limits",
    "rules",
    "events",
    "data",
    "serve",
    "mcp",
    "worker",
    "settings",
    "db",
)


class CommandError(click.ClickException):
    """An error that the user can correct, as a sentence in the language of the command."""

    exit_code = UNUSABLE

    def __init__(self, message: str) -> None:
        """Store the message. The context that has the language is gone when the error is shown."""
        super().__init__(current_language().text(message))

    def show(self, file: Any = None) -> None:
        """Write the error to standard error. Control characters of quoted texts are removed."""
        from api.cli import console

        lines = "\n".join(map(console.clean, self.format_message().splitlines()))
        click.echo(f"deckproof: {lines}", file=file, err=True)


class Commands(click.Group):
    """The commands, none of which ends in a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands, in the order in which one meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"api.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command by its name. For an unknown name, suggest similar commands."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(error.command_name, possibilities=COMMANDS, ctx=ctx) from None

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Return the context of the command line, with its language. Usage errors are in that language too."""
        chosen = _find_language(args)
        try:
            context = super().make_context(info_name, args, parent, obj=chosen, **extra)
        except click.UsageError as error:
            raise _translate_usage_error(error, chosen) from None
        return context

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. Any error becomes a sentence and an exit code."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise _translate_usage_error(error, current_language()) from None
        except (click.ClickException, click.exceptions.Exit):
            raise
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is still to be flushed
            ctx.exit(UNREAD)
        except KeyboardInterrupt:
            ctx.exit(128 + signal.SIGINT)
        except Exception as error:
            if sys.flags.dev_mode:
                raise
            raise CommandError(sentence(error)) from error


def _find_language(args: list[str]) -> Language:
    """Return the language of --lang in a command line, else of DECKPROOF_LANG. English if it is missing or unknown.

    An error of the command line may end its parsing before --lang is parsed.
    """
    code = os.environ.get("DECKPROOF_LANG", "")
    for word, following in zip_longest(args, args[1:], fillvalue=""):
        if word == "--":
            break
        name, equals, value = word.partition("=")
        if name == "--lang":
            code = value if equals else following
    return language_of_code(code.lower())


def language_of_code(code: str) -> Language:
    """Return the language with a code, English if there is none. Only others than English are loaded."""
    if code == ENGLISH.code or code not in CODES:
        return ENGLISH
    from api.service.languages import language

    return language(code)


def _translate_usage_error(error: click.UsageError, translate: Language) -> click.UsageError:
    """Return an error about the command line in a language. The help that a group shows, and English, are unchanged."""
    if translate is ENGLISH or isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error
    from api.cli.usage_errors import LocalUsageError

    return LocalUsageError(error, translate)


def current_language() -> Language:
    """Return the language of the running command: that of --lang, else of DECKPROOF_LANG, else English."""
    context = click.get_current_context(silent=True)
    chosen = context.find_root().obj if context else None
    return chosen if isinstance(chosen, Language) else ENGLISH


def sentence(error: Exception) -> str:
    """Return the text of an error for the person at the terminal, in the language of the command."""
    if isinstance(error, Invalid):
        return " ".join(map(_fault_text, error.errors[:MOST_SAID]))
    if isinstance(error, OSError):
        place = error.filename or phrase("input or output")
        from carddb.system_messages import system_reason

        problem = phrase("{sentence}.", sentence=system_reason(str(error.strerror or error)))
        return current_language().text(phrase("{place}: {problem}", place=place, problem=problem))
    if type(error).__module__.partition(".")[0] in ("api", "carddb", "validator"):
        return current_language().text(error_text(error))
    return current_language()(
        "this is a mistake of deckproof itself ({error}). PYTHONDEVMODE=1 shows where.",
        error=f"{type(error).__name__}: {error}",
    )


def _fault_text(wrong: Wrong) -> str:
    """Return the text of a wrong value. The place is only added inside of a file, because terms are options."""
    # Terms are given as options: only what is wrong inside a file needs its place.
    translate = current_language()
    detail = translate.text(wrong.detail)
    is_inside = wrong.pointer.count("/") > 1
    return translate("{place}: {problem}", place=wrong.pointer, problem=detail) if is_inside else detail


def _show_version(context: click.Context, _: click.Parameter, is_given: bool) -> None:
    """Print the installed release and end, if the option is given."""
    if is_given:
        from api.service.installed_release import installed_release

        click.echo(f"deckproof {installed_release().text}")
        context.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version, the database schema and the commit, and exit.",
)
@click.pass_context
def cli(context: click.Context) -> None:
    """Check if a trading-card deck is tournament-legal, and cite the rule.

    \b
    deckproof check deck.txt                   check a deck list
    deckproof batch decks.xlsx -o results.xlsx check the decks of an event
    deckproof rules optcg-1.1.9                read the rules that are checked
    deckproof serve                            serve all of it over HTTP

    Settings come from the environment; `deckproof settings` lists them.
    """
    # Without the variable, only `serve` and `worker` write a log. `settings` shows what is wrong with settings.
    if os.environ.get("DECKPROOF_LOG_LEVEL") and context.invoked_subcommand != "settings":
        from api.service.logs import configure_logs
        from api.service.settings import Settings

        configure_logs(Settings.from_environment())


def main() -> NoReturn:
    """Run the command line."""
    cli(prog_name="deckproof")
    raise SystemExit(LEGAL)
