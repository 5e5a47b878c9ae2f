"""`deckproof db`: the database itself."""

from __future__ import annotations

import click

from api.cli import options


@click.group()
def command() -> None:
    """Keep the database up to date."""


@command.command()
def upgrade() -> None:
    """Make the tables, or bring them up to date; what is there is kept."""
    from carddb.migrations import HEAD

    database = options.library().store().database
    before = database.upgrade()
    if before == HEAD:
        click.echo(f"{database.name} is up to date.")
    else:
        click.echo(f"{database.name} was brought from {before or 'nothing'} to revision {HEAD}.")
