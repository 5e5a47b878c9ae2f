"""`deckproof events`: list the events, export one of them as a file, and import such a file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from api.cli import CommandError, options

if TYPE_CHECKING:
    from api.events.storage.event_archive import ArchiveKey
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

    It has its lists, its deck checks and its audit; keys as hashes. The command shows the head of the audit: with it,
    any server can check that the file was not changed.
    """
    from api.events.storage import event_archive
    from api.service.errors import Hidden
    from carddb.sqlite_file import make_private

    file = Path(target)
    if file.exists():
        raise CommandError(f"{target} is there already; name another file.")
    store = _store()
    try:
        exported = event_archive.export(store, event_id, _archive_key(), datetime.now(UTC))
    except Hidden:
        raise CommandError(f"There is no event {event_id}; `deckproof events list` lists them.") from None
    make_private(file)
    file.write_bytes(exported.data)
    click.echo(f"{target}: {len(exported.data):,} bytes.")
    click.echo(f"Head of the audit: {exported.audit_head}")


@command.command("import")
@click.argument("source", metavar="FILE")
@click.option("--head", default="", metavar="HASH", help="The head of the audit that the export showed.")
@click.option(
    "--unverified",
    "allow_unverified",
    is_flag=True,
    help="Import a file without a head, and mark the event.",
)
def import_event(source: str, head: str, allow_unverified: bool) -> None:
    """Import an event that was exported.

    A file that was changed is refused, and nothing of it is saved. A file of another server can be checked only with
    the head of its audit; else the event can be imported as unverified.
    """
    from api.events.storage import event_archive
    from api.service.errors import Unusable

    with Path(source).open("rb") as file:
        data = file.read(event_archive.LARGEST + 1)
    try:
        archive = event_archive.read(data, _archive_key(), head, allow_unverified)
        id = event_archive.import_event(_store(), archive, datetime.now(UTC))
    except Unusable as error:
        raise CommandError(f"{source} cannot be imported: {error}.") from None
    click.echo(f"Event {id} is here, with its keys.")
    if not archive.is_verified:
        click.echo("The event is marked as unverified: nothing proves that its file was not changed.")


def _archive_key() -> ArchiveKey:
    """Return this server's key for archives."""
    from api.events.storage.event_archive import ArchiveKey
    from api.service.secret_key import secret_key
    from api.service.settings import Settings

    return ArchiveKey(secret_key(Settings.from_environment()))
