"""`deckproof settings`: the settings that hold here."""

from __future__ import annotations

import click

from api.cli import CommandError, console, options
from validator.language import Language, join_phrases, phrase

_SOURCES = {"environment": phrase("environment"), "default": phrase("default")}


@click.command()
@options.JSON
@options.LANG
def command(as_json: bool, translate: Language) -> None:
    """Show the value and the source of each setting.

    A setting is an environment variable, or has its default. Keys and passwords are masked. Exits with 2
    if a value is unusable.
    """
    from api.service.effective_settings import effective_settings, unknown_variables

    settings, unknown = effective_settings(), list(unknown_variables())
    problems = [setting.problem for setting in settings if setting.problem]
    if as_json:
        found = [setting._asdict() for setting in settings]
        options.write_json({"settings": found, "unknown": [variable._asdict() for variable in unknown]})
    else:
        rows = (
            (
                setting.variable,
                translate("unusable") if setting.value is None else setting.value,
                translate.text(_SOURCES[setting.source]),
            )
            for setting in settings
        )
        console.table([translate("setting"), translate("value"), translate("source")], rows)
    for variable in unknown:
        warning = translate("{place}: {problem}", place=translate("Warning"), problem=variable.describe(translate))
        click.echo(console.clean(warning), err=True)
    if problems:
        raise CommandError(join_phrases(problems, "\n"))
