"""Errors of the command line in other languages than English.

Called by `api.cli`. click has fixed English sentences, which are parsed by their templates.
"""

from __future__ import annotations

from typing import Any

import click

from validator.language import Language, parse_message
from validator.words import join_with_or

# The sentences of click, for the catalogs too. The first that fits is taken. The `{kind}` of a path is one of KINDS.
SENTENCES = (
    "Missing command.",
    "No such option {name}.",
    "No such command {name}.",
    "Option {name} requires an argument.",
    "Option {name} does not take a value.",
    "Got unexpected extra argument ({words})",
    "Got unexpected extra arguments ({words})",
    "{value} is not one of {choices}.",
    "{value} is not a valid integer.",
    "{value} is not a valid integer range.",
    "{value} is not a valid float.",
    "{value} is not in the range {range}.",
    "{kind} {value} does not exist.",
    "{kind} {value} is a file.",
    "{kind} {value} is a directory.",
    "{kind} {value} is not readable.",
    "{kind} {value} is not writable.",
    "{value} is not {choices}.",  # the last one, because it fits some of the others too
)
KINDS = ("File", "Directory", "Path")
_TEXTS = frozenset({"name", "words", "value", "choices", "range"})  # values with blanks


class LocalUsageError(click.UsageError):
    """An error of the command line with its usage, in another language than English. It replaces click's error.

    It has the translated message and the click context (None outside of a command) of the error that it replaces.
    """

    def __init__(self, error: click.UsageError, translate: Language) -> None:
        super().__init__(_describe_error(error, translate), error.ctx)
        self._translate = translate

    def show(self, file: Any = None) -> None:
        """Write the usage, the command that shows the help, and the error to standard error, or to `file`.

        Without a click context only the error is written.
        """
        translate = self._translate
        if self.ctx is not None:
            usage = self.ctx.get_usage().removeprefix("Usage: ")
            click.echo(translate("Usage: {usage}", usage=usage), file=file, err=True)
            hint = translate("`{command}` shows the help.", command=f"{self.ctx.command_path} --help")
            click.echo(f"{hint}\n", file=file, err=True)
        click.echo(translate("Error: {problem}", problem=self.message), file=file, err=True)


def _describe_error(error: click.UsageError, translate: Language) -> str:
    """Return the sentence of a click error in a language, after the name of the wrong option or argument.

    The name is only there for a wrong or missing parameter. For an unknown option or command, similar names follow as a
    question, if there are any.
    """
    if isinstance(error, click.MissingParameter):
        return translate("{name} is missing.", name=_parameter_name(error))
    problem = translate.text(parse_message(error.message, (*SENTENCES, *KINDS), _TEXTS))
    if isinstance(error, click.BadParameter):
        return translate("{place}: {problem}", place=_parameter_name(error), problem=problem)
    if isinstance(error, click.NoSuchOption | click.exceptions.NoSuchCommand) and error.possibilities:
        names = join_with_or(tuple(sorted(error.possibilities)), translate)
        return f"{problem} {translate('Did you mean {names}?', names=names)}"
    return problem


def _parameter_name(error: click.BadParameter) -> str:
    """Return the name of the wrong option or argument as in the usage, without quotes. "" if it is not known."""
    hint = error.param_hint or (error.param.get_error_hint(error.ctx) if error.param else "")
    names = hint if isinstance(hint, str) else " / ".join(hint)
    return names.replace("'", "").strip()
