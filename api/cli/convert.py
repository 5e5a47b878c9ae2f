"""`deckproof convert`: a deck list as another program writes it."""

from __future__ import annotations

from typing import Any

import click

from api.cli import ILLEGAL, LEGAL, options
from api.cli.check import name_file_in_errors, parse_deck, read_file


def _show_formats(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from api.cli import console
        from validator.decklists import FORMATS

        rows = [(format.name, format.title, ", ".join(format.carries)) for format in FORMATS.values() if format.write]
        console.table(["format", "what it looks like", "sections"], rows)
        ctx.exit()


def _writable_formats() -> list[str]:
    """Return the names of the formats that can be written."""
    from validator.decklists import FORMATS

    return [format.name for format in FORMATS.values() if format.write]


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--to",
    "form",
    required=True,
    metavar="FORMAT",
    shell_complete=options.complete_with(_writable_formats),
    help="The format to write; --formats lists them.",
)
@options.GAME
@click.option("--formats", is_flag=True, is_eager=True, expose_value=False, callback=_show_formats, help="List them.")
def command(file: str, form: str, **terms: Any) -> None:
    """Write a deck list in another format.

    FILE is a deck list in any format that is read, - for standard input. Ends with 0 when all of it is written, 1 when
    a line could not be read and is left out, 2 when nothing can be written.
    """
    from api.service.requests import Asked

    judges = options.judges()
    with name_file_in_errors(file):
        parsed = parse_deck(read_file(file), judges, Asked(**terms))
    click.echo(judges.write(parsed.deck, form, parsed.game))
    for line in parsed.deck.unread:
        click.echo(f"{file}, line {line.at}: {line.reason}, left out: {line.text[:200]}", err=True)
    raise SystemExit(ILLEGAL if parsed.deck.unread else LEGAL)
