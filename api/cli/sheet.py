"""`deckproof sheet`: a deck registered for an event, as a file to print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from typing import Any

import click

from api.cli import Fault
from api.cli import options
from api.cli.check import contents
from api.cli.check import judged
from api.cli.check import report
from api.service.errors import Invalid
from api.service.errors import Unusable
from api.sheets import files

if TYPE_CHECKING:
    from api.service.requests import Asked
    from api.sheets.registration import Registration
    from validator.judge import Verdict


@click.command()
@click.argument("file", metavar="FILE")
@click.option("-o", "--output", "target", required=True, metavar="OUT", help="The sheet, as .pdf, .xlsx or .csv.")
@click.option("--player", metavar="NAME", help='The player, as "First Last" or "Last, First".')
@click.option("--last-name", metavar="NAME", help="The name that lists are filed by, instead of --player.")
@click.option("--first-name", metavar="NAME", help="The rest of the name.")
@click.option("--player-id", metavar="ID", help="The player's number or other sign.")
@click.option("--event", metavar="NAME", help="What the event is called.")
@click.option("--date", metavar="DATE", help="The day of the event; also judged for where --on is left out.")
@click.option("--place", metavar="PLACE", help="Where the event is.")
@click.option("--table", metavar="TABLE", help="The player's table.")
@click.option("--notes", metavar="TEXT", help="Whatever the judges should know.")
@click.option("--paper", type=click.Choice(files.PAPERS), default=files.PAPERS[0], help="The paper.", show_default=True)
@options.terms
def command(file: str, target: str, paper: str, **given: Any) -> None:
    """Write a registration sheet.

    FILE is a deck list in any common format; `-` is standard input. An illegal deck gets a sheet too, plainly marked
    so and with what is wrong. Ends with 0 when the deck is legal, 1 when it is not, 2 when no sheet can be made.
    """
    from api.service.requests import Asked
    from api.sheets.sheet import sheet

    kind = Path(target).suffix[1:].lower()
    if kind not in files.KINDS:
        raise Fault(f"{target}: a sheet is written as {', '.join(f'.{kind}' for kind in files.KINDS)}.")
    if options.is_same(file, target):
        raise Fault(f"{file} cannot be both read and written; name another file after -o.")
    terms = {key: given.pop(key) for key in Asked._fields if key in given}
    person = _registration(given)
    asked = Asked(**terms)
    verdict = _judged(file, asked._replace(on=asked.on or person.date))
    made = sheet(person, verdict)
    Path(target).write_bytes(files.KINDS[kind].write(made, paper))
    for warning in files.warnings(made, kind):
        click.echo(f"deckproof: {target}: {warning}", err=True)
    raise SystemExit(report(verdict, file, as_json=False))


def _judged(file: str, asked: Asked) -> Verdict:
    try:
        return judged(contents(file), options.judges(), asked)
    except Unusable as error:
        raise Fault(f"{file}: {error}") from None


def _registration(given: dict[str, str | None]) -> Registration:
    from api.sheets.registration import Registration

    try:
        return Registration.read(given)
    except Invalid as error:
        said = (f"--{one.pointer[1:].replace('_', '-')}: {one.detail}" for one in error.errors)
        raise Fault(" ".join(said)) from None
