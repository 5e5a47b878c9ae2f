"""`deckproof verify`: compares the lists that an event opened with the commitments that it published before."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from api.cli import ILLEGAL, LEGAL, MOST_SAID, CommandError, options
from api.events.bounds import LARGEST_COMMITMENTS
from validator.errors import error_text
from validator.language import Language, phrase

if TYPE_CHECKING:
    from api.events.commitments import CommitmentFile, Verification


@click.command()
@click.argument("file", metavar="FILE")
@click.argument("before", metavar="[PUBLISHED]", required=False)
@options.JSON
@options.LANG
def verify_command(file: str, before: str | None, as_json: bool, translate: Language) -> None:
    """Check the opened lists of an event.

    FILE has the opened lists, PUBLISHED the commitments from before the event. Without PUBLISHED the lists are compared
    with the commitments that FILE repeats. Ends with 0 if every list is the list committed to, 1 if a list is not or
    players' names were swapped, 2 if a file cannot be used.
    """
    from api.events import commitments
    from api.service.errors import Unusable

    opened, published = _read_commitments(file), _read_commitments(before) if before else None
    try:
        found = commitments.verify(opened, published)
    except Unusable as error:
        problem = error_text(error)
        if before is None:
            raise CommandError(phrase("{file} cannot be used: {problem}.", file=file, problem=problem)) from None
        raise CommandError(
            phrase("{first} and {second} cannot be compared: {problem}.", first=file, second=before, problem=problem)
        ) from None
    if as_json:
        options.write_json(found.as_dict())
    else:
        _print_result(found, before, translate)
    raise SystemExit(LEGAL if found.holds else ILLEGAL)


def _read_commitments(name: str) -> CommitmentFile:
    """Return the commitments (hashes of lists) or the opened lists in a file of an event.

    Raises CommandError if the content cannot be used or is too large, OSError if the file cannot be read.
    """
    from api.events import commitments
    from api.service.errors import Unusable

    with Path(name).open("rb") as file:
        data = file.read(LARGEST_COMMITMENTS + 1)
    try:
        return commitments.read(data)
    except Unusable as error:
        raise CommandError(phrase("{file} cannot be used: {problem}.", file=name, problem=error_text(error))) from None


def _print_result(verification: Verification, before: str | None, translate: Language) -> None:
    """Print the result of a comparison of opened lists with commitments, the event, and the counts of lists by result.

    Each count has up to five ids, except that of the matching lists. Counts of 0 are left out. If `before` (the file
    from before the event) is None, a hint says that this is no proof.
    """
    from api.cli import console

    result = translate("HOLDS") if verification.holds else translate("DOES NOT HOLD")
    click.echo(translate("{place}: {problem}", place=result, problem=verification.summarise(translate)))
    click.echo("  " + translate("Event: {event}", event=console.clean(verification.event)))
    for label, ids in verification.details:
        if ids:
            more = ", …" if len(ids) > MOST_SAID else ""
            named = "" if ids is verification.matching else f" ({console.clean(', '.join(ids[:MOST_SAID]))}{more})"
            count = f"{translate.number(len(ids))}{named}"
            click.echo("  " + translate("{place}: {problem}", place=translate.text(label), problem=count))
    if before is None:
        hint = translate(
            "Compared with the commitments in the same file. Add the file from before the event for a proof."
        )
        click.echo(f"  {hint}")
