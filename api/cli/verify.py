"""`deckproof verify`: compares the lists that an event opened with the commitments that it published before."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from api.cli import ILLEGAL, LEGAL, MOST_SAID, CommandError, options
from api.events.bounds import LARGEST_COMMITMENTS

if TYPE_CHECKING:
    from api.events.commitments import CommitmentFile, Verification


@click.command()
@click.argument("file", metavar="FILE")
@click.argument("before", metavar="[PUBLISHED]", required=False)
@options.JSON
def command(file: str, before: str | None, as_json: bool) -> None:
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
        files = f"{file} and {before} cannot be compared" if before else f"{file} cannot be used"
        raise CommandError(f"{files}: {error}.") from None
    if as_json:
        options.write_json(found.as_dict())
    else:
        _write_text(found, before)
    raise SystemExit(LEGAL if found.holds else ILLEGAL)


def _read_commitments(name: str) -> CommitmentFile:
    """Read a file of commitments. Raises CommandError."""
    from api.events import commitments
    from api.service.errors import Unusable

    with Path(name).open("rb") as file:
        data = file.read(LARGEST_COMMITMENTS + 1)
    try:
        return commitments.read(data)
    except Unusable as error:
        raise CommandError(f"{name} cannot be used: {error}.") from None


def _write_text(found: Verification, before: str | None) -> None:
    """Print the result in one sentence, then a line for each detail."""
    from api.cli import console

    click.echo(f"{'HOLDS' if found.holds else 'DOES NOT HOLD'}: {found.summarise()}")
    click.echo(f"  Event: {console.clean(found.event)}")
    for label, ids in found.details:
        if ids:
            more = ", …" if len(ids) > MOST_SAID else ""
            named = "" if ids is found.matching else f" ({console.clean(', '.join(ids[:MOST_SAID]))}{more})"
            click.echo(f"  {label}: {len(ids):,}{named}")
    if before is None:
        click.echo("  Compared with the commitments in the same file. Add the file from before the event for a proof.")
