"""`deckproof data`: the open data as files."""

from __future__ import annotations

from pathlib import Path

import click

from api.cli import console, options
from validator.games import GAMES
from validator.language import Language


@click.group()
def command() -> None:
    """Write the rulesets, lists, rotations and sets as open data."""


@command.command("export")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@options.LANG
def export_data(folder: Path, translate: Language) -> None:
    """Write every table into FOLDER.

    Each is written as JSON and as CSV, with its JSON Schema.
    """
    from api.open_data.tables import export_files

    for file in export_files(tuple(map(options.library().lists, GAMES)), folder):
        console.write([console.OutputLine(str(file))])
