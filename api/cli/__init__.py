"""The `deckproof` command: checks decks, judges batches, keeps cards, serves the interface.

A command is in the module of COMMANDS. The module is imported when the command runs, so that `check` starts quickly.
"""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module
from io import TextIOWrapper
from itertools import zip_longest
from typing import Any, NoReturn

import click

from api.service.errors import Invalid, Wrong
from validator.errors import error_text
from validator.language import CODES, ENGLISH, Language, phrase

LEGAL, ILLEGAL, UNUSABLE = 0, 1, 2
UNREAD = 128 + 13  # no verdict: the reader of the output has ended. It is the code for a process that SIGPIPE ended.
MOST_SAID = 5  # mistakes of one file
# The module of each command. Its function is the name of the command with "_command" behind it.
COMMANDS = {
    "check": "decks",
    "repair": "decks",
    "swap": "decks",
    "compare": "decklists",
    "when": "when",
    "odds": "odds",
    "batch": "batch",
    "rejudge": "rejudge",
    "sheet": "sheet",
    "verify": "verify",
    "convert": "decklists",
    "cards": "cards",
    "limits": "limits",
    "rules": "reference",
    "events": "events",
    "data": "reference",
    "serve": "serve",
    "mcp": "serve",
    "worker": "serve",
    "settings": "serve",
    "db": "db",
}


class CommandError(click.ClickException):
    """An error that the user can correct. It is printed as a sentence, and the command ends with exit code 2.

    A message that is a Phrase is translated into the language of the running command at once.
    """

    exit_code = UNUSABLE

    def __init__(self, message: str) -> None:
        """Store the message. The context that has the language is gone when the error is shown."""
        super().__init__(current_language().text(message))

    def show(self, file: Any = None) -> None:
        """Write "deckproof: " and the message to standard error, or to `file`.

        Control characters except line breaks are replaced.
        """
        from api.cli import console

        lines = "\n".join(map(console.clean, self.format_message().splitlines()))
        click.echo(f"deckproof: {lines}", file=file, err=True)


class Commands(click.Group):
    """The group of all `deckproof` commands. It imports the module of a command only when that command is needed.

    An unexpected error ends in a sentence and exit code 2 instead of a traceback, unless Python's development mode is
    on.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands in the order of the help. The arguments of click are ignored."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return its click command. None if there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"api.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return `(name, command, other arguments)` for the arguments of the command line, as click does.

        Raises NoSuchCommand for an unknown command, with all commands as possibilities: click suggests similar ones.
        """
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(error.command_name, possibilities=tuple(COMMANDS), ctx=ctx) from None

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Return the context of the command line. Its `obj` is the language of --lang or DECKPROOF_LANG.

        Also prepares the standard streams. Raises UsageError in that language if the arguments are wrong.
        """
        chosen = _find_language(args)
        _prepare_streams()
        try:
            context = super().make_context(info_name, args, parent, obj=chosen, **extra)
        except click.UsageError as error:
            raise _translate_usage_error(error, chosen) from None
        return context

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command of the context. Errors become messages with exit codes, and usage errors are translated.

        Any exception that is not of click becomes a CommandError (exit code 2), or is raised if Python's development
        mode is on. If the reader of the output has closed it, the exit code is UNREAD (141). After Ctrl-C, and after
        the end of input at a question, it is 130.
        """
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise _translate_usage_error(error, current_language()) from None
        except (click.ClickException, click.exceptions.Exit):
            raise
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is still to be flushed
            ctx.exit(UNREAD)
        except (KeyboardInterrupt, click.Abort):  # click raises the second if Ctrl-C or Ctrl-D answers a question
            ctx.exit(128 + signal.SIGINT)
        except Exception as error:
            if sys.flags.dev_mode:
                raise
            raise CommandError(sentence(error)) from error


def _prepare_streams() -> None:
    """Replace a closed standard input or output by an empty one, and make the output accept every text.

    A character that the encoding of the output lacks is written as an escape such as \\xe9.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115  # open until the process ends
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # as above
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def _find_language(args: list[str]) -> Language:
    """Return the language of the last --lang in the arguments, else that of DECKPROOF_LANG.

    Return English if the code is unknown or missing. Arguments after "--" are ignored. The language is needed before
    click parses, because an error may end the parsing before --lang.
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
    """Return the language with a lower-case code, English for an unknown code.

    Its catalog of texts is loaded at the first call.
    """
    if code == ENGLISH.code or code not in CODES:
        return ENGLISH
    from api.service.languages import language

    return language(code)


def _translate_usage_error(error: click.UsageError, translate: Language) -> click.UsageError:
    """Return a click error about the command line as an error in a language.

    It is unchanged for English, and if it only shows the help of a group that was called without a command.
    """
    if translate is ENGLISH or isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error
    from api.cli.usage_errors import LocalUsageError

    return LocalUsageError(error, translate)


def current_language() -> Language:
    """Return the language of the running command: that of --lang, else of DECKPROOF_LANG.

    English if no command is running.
    """
    context = click.get_current_context(silent=True)
    chosen = context.find_root().obj if context else None
    return chosen if isinstance(chosen, Language) else ENGLISH


def sentence(error: Exception) -> str:
    """Return the message of an error for the user, in the language of the running command.

    Of an Invalid it has the first five errors, without their number. Of an OSError it has the file name. Another error
    whose class is not of api, carddb or validator is called a mistake of deckproof itself.
    """
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
    """Return the sentence of an error of a request in the language of the command.

    Its JSON pointer comes first if it has more than one step. A pointer with one step is that of an option, and is left
    out.
    """
    # Terms are given as options: only what is wrong inside a file needs its place.
    translate = current_language()
    detail = translate.text(wrong.detail)
    is_inside = wrong.pointer.count("/") > 1
    return translate("{place}: {problem}", place=wrong.pointer, problem=detail) if is_inside else detail


def _show_version(context: click.Context, _: click.Parameter, is_given: bool) -> None:
    """Print the installed release and end the command with 0 if the option is given. The callback of --version."""
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
    """Run the command line of `deckproof` with sys.argv.

    Always ends by SystemExit, with the exit code of the command.
    """
    cli(prog_name="deckproof")
    raise SystemExit(LEGAL)
