"""`deckproof sheet`: a deck registered for an event, as a file to print."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from api.cli import CommandError, options
from api.cli.deck_files import judge_file, name_file_in_errors, read_file, write_verdict
from api.sheets import sheet_files
from carddb import foreign_names
from validator.language import Language, phrase

if TYPE_CHECKING:
    from api.sheets.registration import Registration
    from api.sheets.sheet import Sheet
    from validator.judge import Verdict


@click.command()
@click.argument("file", metavar="FILE", required=False)
@click.option("-o", "--output", "target", required=True, metavar="OUT", help="The sheet, as .pdf, .xlsx or .csv.")
@click.option(
    "--blank", type=options.a_game(), metavar="GAME", help="Instead of FILE: a sheet of this game to fill in by hand."
)
@click.option("--player", metavar="NAME", help='The player, as "First Last" or "Last, First".')
@click.option("--last-name", metavar="NAME", help="The name that lists are filed by, instead of --player.")
@click.option("--first-name", metavar="NAME", help="The rest of the name.")
@click.option("--player-id", metavar="ID", help="The player's number or other sign.")
@click.option("--event", metavar="NAME", help="What the event is called.")
@click.option("--date", metavar="DATE", help="The day of the event; also judged for where --on is left out.")
@click.option("--place", metavar="PLACE", help="Where the event is.")
@click.option("--table", metavar="TABLE", help="The player's table.")
@click.option("--notes", metavar="TEXT", help="Whatever the judges should know.")
@click.option("--format-name", metavar="TEXT", help="What the event calls its format.")
@click.option(
    "--paper",
    type=click.Choice(sheet_files.PAPERS),
    default=sheet_files.PAPERS[0],
    help="The paper.",
    show_default=True,
)
@click.option(
    "--names",
    type=click.Choice(foreign_names.languages()),
    help="Also the names of cards in this language.",
)
@options.add_terms_options
@options.LANG
def sheet_command(
    file: str | None, target: str, paper: str, blank: str | None, translate: Language, **option_values: Any
) -> None:
    """Write a registration sheet.

    FILE is a deck list in any common format; `-` is standard input. An illegal deck gets a sheet too, plainly marked
    so and with what is wrong. --lang is the language of the terminal, and the sheet is in English. Ends with 0 when the
    deck is legal, 1 when it is not, 2 when no sheet can be made. With --blank there is no FILE: the sheet has lines for
    the cards of a game and is filled in by hand, in ink or as .xlsx.
    """
    if (file is None) == (blank is None):
        raise CommandError(phrase("Name the file of a deck list, or a game after --blank, not both."))
    kind = _file_kind(target, sheet_files.BLANK if blank else sheet_files.KINDS)
    if file is None:
        _write_sheet(_blank_sheet(blank or "", option_values), target, kind, paper)
        return
    if options.is_same(file, target):
        raise CommandError(phrase("{file} cannot be both read and written; name another file after -o.", file=file))
    from api.sheets.sheet import sheet

    names = option_values.pop("names") or ""
    person, verdict = _judge_registration(file, option_values)
    _write_sheet(sheet(person, verdict, names), target, kind, paper)
    raise SystemExit(write_verdict(verdict, file, as_json=False, translate=translate))


def _file_kind(target: str, kinds: Iterable[str]) -> str:
    """Return the suffix of the target, in lower case without the dot.

    Raises CommandError if it is not among the suffixes `kinds`.
    """
    kind = Path(target).suffix[1:].lower()
    if kind not in kinds:
        raise CommandError(
            phrase(
                "{file}: such a sheet is written as {suffixes}.",
                file=target,
                suffixes=", ".join(f".{kind}" for kind in kinds),
            )
        )
    return kind


def _write_sheet(sheet: Sheet, target: str, kind: str, paper: str) -> None:
    """Write a sheet to the target file. Print warnings about characters that it cannot show to standard error.

    `kind` is the suffix of the format without the dot. Raises OSError if the file cannot be written.
    """
    Path(target).write_bytes(sheet_files.KINDS[kind].write(sheet, paper))
    for warning in sheet_files.warnings(sheet, kind):
        click.echo(f"deckproof: {target}: {warning} {options.FONT_HELP}", err=True)


def _judge_registration(file: str, option_values: dict[str, Any]) -> tuple[Registration, Verdict]:
    """Return `(registration, verdict)`: the player's data of the options, and the verdict on the deck of a file.

    `option_values` has the values of options by name. The terms are removed from it. The default day of the verdict is
    that of the event. Raises CommandError for wrong data of the player or an unusable file, Invalid for wrong terms,
    OSError if the file cannot be read.
    """
    from api.service.requests import RequestedTerms
    from api.sheets.registration import Registration

    asked = RequestedTerms(**{key: option_values.pop(key) for key in RequestedTerms._fields if key in option_values})
    with options.name_options_in_errors():
        person = Registration.read(option_values)
    with name_file_in_errors(file):
        return person, judge_file(read_file(file), options.judges(), asked._replace(on=asked.on or person.date))


def _blank_sheet(game: str, option_values: dict[str, Any]) -> Sheet:
    """Return a sheet of a game to fill in by hand, with the event of the options.

    The day of the terms is --on, else that of the event, else today. `option_values` has the values of options by name.
    Those used are removed from it. Raises CommandError for a wrong event or day, or if another option has a value,
    because it is only for the sheet of a deck.
    """
    from api.service.requests import RequestedTerms
    from api.sheets.registration import Event
    from api.sheets.sheet import blank

    fields = {key: option_values.pop(key) for key in Event._fields}
    on = option_values.pop("on")
    if idle := [f"--{key.replace('_', '-')}" for key, value in option_values.items() if value is not None]:
        raise CommandError(phrase("A blank sheet is filled in by hand; leave out {options}.", options=", ".join(idle)))
    with options.name_options_in_errors():
        event = Event.read(fields)
        return blank(options.judges().terms(RequestedTerms(game=game, on=on or event.day or date.today())), event)
