"""`deckproof db`: the database itself."""

from __future__ import annotations

from pathlib import Path

import click

from api.cli import options


@click.group()
def command() -> None:
    """Keep the database up to date, and copies of it."""


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


@command.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup(file: Path) -> None:
    """Copy a SQLite database while it is in use.

    FILE is new.
    """
    database = options.library().store().database
    database.back_up(file)
    click.echo(f"{file} is a copy of {database.name}.")
