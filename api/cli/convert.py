"""`deckproof convert`: a deck list as another program writes it."""

from __future__ import annotations

from typing import Any

import click

from api.cli import ILLEGAL, LEGAL, options
from api.cli.deck_files import file_label, parse_deck_file
from validator.language import Language


def _show_formats(ctx: click.Context, _: click.Parameter, is_requested: bool) -> None:
    """Print a table of the formats that can be written, and end the command with 0. The callback of --formats.

    Does nothing if the option is not given (`is_requested` is False).
    """
    if is_requested:
        from api.cli import console
        from validator.decklists import FORMATS

        rows = [(one.name, one.title, ", ".join(one.carries)) for one in FORMATS.values() if one.write]
        console.table(["format", "what it looks like", "sections"], rows)
        ctx.exit()


def _writable_formats() -> list[str]:
    """Return the names of the deck list formats that can be written."""
    from validator.decklists import FORMATS

    return [one.name for one in FORMATS.values() if one.write]


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--to",
    "form",
    required=True,
    metavar="FORMAT",
    shell_complete=options.complete_from(_writable_formats),
    help="The format to write; --formats lists them.",
)
@options.GAME
@click.option("--formats", is_flag=True, is_eager=True, expose_value=False, callback=_show_formats, help="List them.")
@options.LANG
def command(file: str, form: str, translate: Language, **terms: Any) -> None:
    """Write a deck list in another format.

    FILE is a deck list in any common format. `-` is standard input. Exits with 0 if the whole list is written, 1 if a
    line could not be read and is left out, 2 if nothing can be written.

    \b
    deckproof convert deck.txt --to optcgsim
    """
    from api.service.requests import RequestedTerms

    judges = options.judges()
    parsed = parse_deck_file(file, judges, RequestedTerms(**terms))
    click.echo(judges.write(parsed.deck, form, parsed.game))
    for line in parsed.deck.unread:
        text = translate(
            "{file}, line {line}: {reason}, left out: {text}",
            file=file_label(file),
            line=line.at,
            reason=translate.text(line.reason),
            text=line.text[:200],
        )
        click.echo(text, err=True)
    raise SystemExit(ILLEGAL if parsed.deck.unread else LEGAL)
