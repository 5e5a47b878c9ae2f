"""`deckproof convert`: a deck list as another program writes it."""

from __future__ import annotations

from typing import Any

import click

from api.cli import ILLEGAL
from api.cli import LEGAL
from api.cli import Fault
from api.cli import options
from api.cli.check import contents
from api.cli.check import told_game
from api.service.errors import Unusable


def _show_formats(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from api.cli import console
        from validator.decklists import FORMATS

        rows = [(one.name, one.title, ", ".join(one.carries)) for one in FORMATS.values() if one.write]
        console.table(["format", "what it looks like", "sections"], rows)
        ctx.exit()


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--to", "form", required=True, metavar="FORMAT", help="The format to write; --formats lists them.")
@options.GAME
@click.option("--formats", is_flag=True, is_eager=True, expose_value=False, callback=_show_formats, help="List them.")
def command(file: str, form: str, **terms: Any) -> None:
    """Write a deck list in another format.

    FILE is a deck list in any format that is read, - for standard input. Ends with 0 when all of it is written, 1 when
    a line could not be read and is left out, 2 when nothing can be written.
    """
    from api.service.requests import Asked

    judges = options.judges()
    try:
        found = told_game(contents(file), judges, Asked(**terms))
    except Unusable as error:
        raise Fault(f"{file}: {error}") from None
    click.echo(judges.write(found.deck, form, found.game))
    for line in found.deck.unread:
        click.echo(f"{file}, line {line.at}: {line.reason}, left out: {line.text[:200]}", err=True)
    raise SystemExit(ILLEGAL if found.deck.unread else LEGAL)
