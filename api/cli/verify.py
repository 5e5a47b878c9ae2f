"""`deckproof verify`: are the lists that an event opened those that it had committed to?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from api.cli import ILLEGAL, LEGAL, MOST_SAID, CommandError, options

if TYPE_CHECKING:
    from api.events.commitments import Commitments, Verification


@click.command()
@click.argument("file", metavar="FILE")
@click.argument("before", metavar="[PUBLISHED]", required=False)
@options.JSON
def command(file: str, before: str | None, as_json: bool) -> None:
    """Check the opened lists of an event.

    FILE has the opened lists, PUBLISHED the commitments as you kept them from before the event; without it the lists
    are checked against the commitments that FILE repeats. Ends with 0 when every list is the one committed to, 1 when
    one is not, 2 when a file cannot be used.
    """
    from api.service.errors import Unusable

    lists, kept = _read(file), _read(before) if before else None
    if not lists.lists:
        raise CommandError(f"{file} opens no list; name the file that was published after the event.")
    try:
        found = lists.verified(kept)
    except Unusable as error:
        raise CommandError(f"{file} and {before} do not go together: {error}.") from None
    if as_json:
        options.write_json(found.as_dict())
    else:
        _tell(found, before)
    raise SystemExit(LEGAL if found.holds else ILLEGAL)


def _read(name: str) -> Commitments:
    from api.events import commitments
    from api.service.errors import Unusable

    with Path(name).open("rb") as file:
        data = file.read(commitments.LARGEST + 1)
    try:
        return commitments.read(data)
    except Unusable as error:
        raise CommandError(f"{name} cannot be used: {error}.") from None


def _tell(found: Verification, before: str | None) -> None:
    """Say what came of it in a few lines."""
    from api.cli import console

    click.echo(f"{'HOLDS' if found.holds else 'DOES NOT HOLD'}  event {console.clean(found.event)}")
    click.echo(f"  {len(found.matching):,} as committed to")
    for names, sentence in (
        (found.differing, "not the list committed to"),
        (found.unannounced, "never committed to"),
        (found.unopened, "committed to and not opened"),
    ):
        if names:
            more = ", …" if len(names) > MOST_SAID else ""
            click.echo(f"  {len(names):,} {sentence}: {console.clean(', '.join(names[:MOST_SAID]))}{more}")
    if before is None:
        click.echo("  By the commitments in the same file; name the file that you kept from before the event, too.")
