"""`deckproof settings`: the settings that hold here."""

from __future__ import annotations

import click

from api.cli import CommandError, console, options


@click.command()
@options.JSON
def command(as_json: bool) -> None:
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
        rows = ((one.variable, "unusable" if one.value is None else one.value, one.source) for one in settings)
        console.table(["setting", "value", "source"], rows)
    for variable in unknown:
        click.echo(f"Warning: {console.clean(str(variable))}", err=True)
    if problems:
        raise CommandError("\n".join(problems))
