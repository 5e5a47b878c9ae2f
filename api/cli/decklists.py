"""`deckproof convert` and `compare`: a deck list in another format, and the cards that differ between two lists."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import click

from api.cli import ILLEGAL, LEGAL, CommandError, options
from api.cli.deck_files import file_label, parse_deck_file
from validator.language import Language, phrase

if TYPE_CHECKING:
    from api.cli.console import OutputLine
    from api.service.answers.decklist_answers import DeckComparisonJSON


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
def convert_command(file: str, form: str, translate: Language, **terms: Any) -> None:
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


@click.command()
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="AFTER")
@options.GAME
@options.JSON
@options.LANG
def compare_command(before: str, after: str, game: str | None, as_json: bool, translate: Language) -> None:
    """Show the cards that differ between two deck lists.

    BEFORE and AFTER are deck lists in any common format. Other printings and spellings of a card are the same card.
    Ends with 0 if both lists have the same cards, 1 if they differ or a line could not be read, 2 if a file cannot be
    used.
    """
    from api.cli import console
    from api.service.answers.decklist_answers import comparison_json
    from api.service.requests import RequestedTerms

    if before == after == "-":
        raise CommandError(phrase("Standard input holds one deck list; write the other in a file."))
    judges = options.judges()
    first = parse_deck_file(before, judges, RequestedTerms(game=game))
    second = parse_deck_file(after, judges, RequestedTerms(game=game or first.game))
    assert first.game is not None, "`parse_deck` raises an error if the game is not known"
    comparison = comparison_json(first.deck, second.deck, judges.cards.catalogue(first.game), translate)
    if as_json:
        options.write_json(comparison)
    else:
        console.write(_comparison_lines(comparison, before, after, translate))
    raise SystemExit(LEGAL if comparison["same"] else ILLEGAL)


def _comparison_lines(
    comparison: DeckComparisonJSON, before: str, after: str, translate: Language
) -> Iterator[OutputLine]:
    """Yield a line for each card that differs, below its section, such as "-2 OP01-016 Nami (4 → 2)".

    Then a warning follows for each line of a file that was not read, or has the name of another card. `before` and
    `after` are the names of the files. Without a difference the first line says that no cards differ.
    """
    from api.cli.console import OutputLine, section_label

    if not comparison["changes"]:
        yield OutputLine(translate("No cards differ."))
    for section, changes in groupby(comparison["changes"], key=itemgetter("section")):
        yield OutputLine(section_label(section, translate), "title")
        for change in changes:
            card = f"{change['number']} {change['name']}".strip()
            difference = change["after"] - change["before"]
            yield OutputLine(f"{difference:+d} {card} ({change['before']} → {change['after']})", "", 2)
    for name, findings in ((before, comparison["unread_before"]), (after, comparison["unread_after"])):
        for finding in findings:
            yield OutputLine(f"{file_label(name)}: {finding['message']}", "warning")
