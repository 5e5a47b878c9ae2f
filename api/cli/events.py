"""`deckproof events`: the events that are kept, and one of them as a file, to keep elsewhere or to take in."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from api.cli import CommandError, options

if TYPE_CHECKING:
    from api.events.storage.event_store import EventStore


@click.group()
def command() -> None:
    """Back up events and restore them, one as one file."""


def _store() -> EventStore:
    from api.events.storage.event_store import EventStore

    return EventStore(options.library().store().database)


@command.command("list")
@options.JSON
def list_events(as_json: bool) -> None:
    """List the events.

    Of each: id, day, name, players, and the day on which it is deleted.
    """
    from api.cli import console

    found = _store().listed()
    if as_json:
        options.write_json([event._asdict() for event in found])
        return
    for one in found:
        click.echo(f"{one.id}  {one.on}  {console.clean(one.name)}  {one.players:,} players, deleted on {one.purged}")


@command.command()
@click.argument("event_id", metavar="ID")
@click.option("-o", "--output", "target", required=True, metavar="FILE", help="The file; it is private, and new.")
def export(event_id: str, target: str) -> None:
    """Write an event to a file.

    It has its lists, its deck checks and its audit; keys as hashes.
    """
    from api.events.storage import event_archive
    from api.service.errors import Hidden
    from carddb.sqlite_file import make_private

    try:
        data = event_archive.export(_store(), event_id)
    except Hidden:
        raise CommandError(f"There is no event {event_id}; `deckproof events list` lists them.") from None
    file = Path(target)
    if file.exists():
        raise CommandError(f"{target} is there already; name another file.")
    make_private(file)
    file.write_bytes(data)
    click.echo(f"{target}: {len(data):,} bytes.")


@command.command("import")
@click.argument("source", metavar="FILE")
def import_event(source: str) -> None:
    """Take in an event that was exported.

    A file that was changed is refused, and nothing of it is kept.
    """
    from api.events.storage import event_archive
    from api.service.errors import Unusable

    with Path(source).open("rb") as file:
        data = file.read(event_archive.LARGEST + 1)
    try:
        id = event_archive.take_in(_store(), event_archive.read(data), datetime.now(UTC))
    except Unusable as error:
        raise CommandError(f"{source} cannot be taken in: {error}.") from None
    click.echo(f"Event {id} is here, with its keys.")
