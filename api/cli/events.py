"""`deckproof events`: list, delete and restore the events, export one of them as a file, and import such a file."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from api.cli import CommandError, options
from api.events.bounds import LARGEST_ARCHIVE

if TYPE_CHECKING:
    from api.events.storage.event_archive import ArchiveKey
    from api.events.storage.event_store import EventStore, ListedEvent
    from api.service.settings import Settings

_log = logging.getLogger(__name__)


@click.group()
def command() -> None:
    """List, delete, restore and back up events."""


def _store() -> EventStore:
    """Return the store of events."""
    from api.events.storage.event_store import EventStore

    return EventStore(options.library().store().database)


@command.command("list")
@options.JSON
def list_events(as_json: bool) -> None:
    """List the events.

    Of each: id, day, name, players, and the day on which it is deleted. A deleted event is listed until it is removed.
    """
    found = _store().list_events()
    if as_json:
        options.write_json([event._asdict() for event in found])
        return
    for event in found:
        end = f"deleted, is removed on {event.deleted_on}" if event.deleted_on else f"deleted on {event.purged}"
        click.echo(f"{_line(event)}, {end}")


def _line(event: ListedEvent) -> str:
    """Return the line of an event in a list."""
    from api.cli import console

    return f"{event.id}  {event.on}  {console.clean(event.name)}  {event.players:,} players"


@command.command("player")
@click.argument("player_id", metavar="PLAYER_ID")
@options.JSON
def show_player(player_id: str, as_json: bool) -> None:
    """Show the registrations and deck checks of a player at all events.

    PLAYER_ID is the id that players have in the game's tournaments. Spaces, case and leading zeros do not matter.
    Events that are deleted are not shown.
    """
    from api.cli import console

    found = _store().find_registrations(player_id)
    if as_json:
        checks = [[check._asdict() for check in registration.checks] for registration in found]
        rows = zip(found, checks, strict=True)
        options.write_json([registration._asdict() | {"checks": listed} for registration, listed in rows])
        return
    if not found:
        click.echo(f"No registration has the id {console.clean(player_id)}.")
    for registration in found:
        state = "list received" if registration.has_list else "no list"
        label = f"{registration.day}  {registration.event}  {registration.player}  {registration.player_id}"
        click.echo(f"{registration.event_id}  {console.clean(label)}, {state}")
        for check in registration.checks:
            result = ", ".join(filter(None, (check.outcome or "open", check.infraction, check.penalty)))
            round = f"round {check.round}, " if check.round else ""
            click.echo(f"  deck check, {console.clean(f'{round}{result}')}")


@command.command()
@click.argument("event_ids", metavar="ID…", nargs=-1)
@click.option("--without-registrations", is_flag=True, help="Delete all events without registrations.")
@click.option(
    "--older-than",
    type=click.IntRange(0, 3650),
    metavar="DAYS",
    help="With --without-registrations: only those that were created earlier than this.",
)
@click.option("--now", "is_immediate", is_flag=True, help="Remove the events at once, for ever.")
@click.option("--yes", is_flag=True, help="Delete without asking.")
def delete(
    event_ids: tuple[str, ...], without_registrations: bool, older_than: int | None, is_immediate: bool, yes: bool
) -> None:
    """Delete events with all their data.

    Name the events by their ids, or all without registrations, for example after an attack. The command shows what it
    deletes and asks first. `deckproof events restore` brings a deleted event back, until it is removed some days
    later (DECKPROOF_RESTORE_DAYS). With --now nothing brings it back: export the event before.
    """
    if bool(event_ids) == without_registrations:
        raise click.UsageError("Give the ids of events, or --without-registrations.")
    if older_than is not None and not without_registrations:
        raise click.UsageError("--older-than needs --without-registrations.")
    store = _store()
    found = store.list_events()
    chosen = _events_of(event_ids, found) if event_ids else _events_without_registrations(found, older_than)
    for event in chosen:
        click.echo(_line(event))
    if chosen and not yes:
        _confirm(len(chosen), is_immediate)
    grace = None if is_immediate else timedelta(days=_settings().restore_days)
    deleted = [event.id for event in chosen if _delete(store, event.id, grace, only_unused=without_registrations)]
    _log_deletion(deleted)
    click.echo(f"Events deleted: {len(deleted):,}")


def _events_of(event_ids: Sequence[str], events: Sequence[ListedEvent]) -> list[ListedEvent]:
    """Return the events with these ids. Raises CommandError if one does not exist, and then none is deleted."""
    by_id = {event.id: event for event in events}
    if unknown := [event_id for event_id in event_ids if event_id not in by_id]:
        raise CommandError(f"There is no event {unknown[0]}; `deckproof events list` lists them. Nothing was deleted.")
    return [by_id[event_id] for event_id in dict.fromkeys(event_ids)]


def _events_without_registrations(events: Sequence[ListedEvent], older_than: int | None) -> list[ListedEvent]:
    """Return the events without players that were created at least `older_than` days ago."""
    created_before = (datetime.now(UTC) - timedelta(days=older_than or 0)).isoformat()
    return [event for event in events if not event.players and event.created <= created_before]


def _settings() -> Settings:
    """Return the settings of the environment."""
    from api.service.settings import Settings

    return Settings.from_environment()


def _confirm(count: int, is_immediate: bool) -> None:
    """Ask on a terminal. Raises CommandError if there is no terminal or the answer is no."""
    if not sys.stdin.isatty():
        raise CommandError("Nothing was deleted. Give --yes to delete without asking.")
    end = "Nothing brings them back." if is_immediate else "They can be restored for some days."
    if not click.confirm(f"Delete these events ({count:,})? {end}", default=False):
        raise CommandError("Nothing was deleted.")


def _delete(store: EventStore, event_id: str, grace: timedelta | None, only_unused: bool) -> bool:
    """Mark an event as deleted for some days, or remove it at once (None).

    Return False if it is gone, or if `only_unused` and somebody has registered meanwhile.
    """
    from api.events.storage.event_keys import ADMIN
    from api.service.errors import NoAccess

    try:
        with store.writing(event_id, datetime.now(UTC)) as writer:
            event = writer.event(event_id)
            if only_unused and writer.count_entrants(event_id):
                return False
            if grace is None:
                writer.remove_event()
            elif event.deleted_on is None:
                writer.mark_deleted(writer.today + grace, ADMIN)
    except NoAccess:
        return False
    return True


def _log_deletion(event_ids: Sequence[str]) -> None:
    """Write the deleted events to the log, as their audits are deleted with them."""
    from api.service.logs import configure_logs

    if event_ids:
        configure_logs(_settings())
        _log.info("The command deleted %d events: %s", len(event_ids), ", ".join(event_ids))


@command.command()
@click.argument("event_id", metavar="ID")
def restore(event_id: str) -> None:
    """Restore a deleted event that is not removed yet.

    All of it is there again, and its keys work. The days until its deletion begin again.
    """
    from api.events.storage.event_keys import ADMIN
    from api.service.errors import NoAccess

    try:
        with _store().writing(event_id, datetime.now(UTC)) as writer:
            if writer.event(event_id).deleted_on is None:
                raise CommandError(f"Event {event_id} is not deleted.")
            writer.restore_event(ADMIN)
    except NoAccess:
        raise CommandError(f"There is no event {event_id}; `deckproof events list` lists them.") from None
    click.echo(f"Event {event_id} is restored.")


@command.command()
@click.option("--confirm-clock", is_flag=True, help="Confirm that the clock of this machine is right.")
def purge(confirm_clock: bool) -> None:
    """Delete the events whose time is over.

    The worker does it each minute.

    Nothing is deleted while the clock is more than 30 days ahead of the last time that was trusted, or of the last
    write, until it ran for 7 days without a jump. Confirm a clock that is right.
    """
    from api.events.storage.retention import RetentionClock, end_retention

    database, now = options.library().store().database, datetime.now(UTC)
    clock = RetentionClock(database)
    if confirm_clock:
        clock.confirm(now)
    state = clock.look(now)
    if state and not state.look.is_trusted:
        raise CommandError(
            f"Nothing was deleted. The clock shows {now:%Y-%m-%d %H:%M} UTC, the last time that was trusted is "
            f"{state.look.trusted:%Y-%m-%d %H:%M}. If the clock is right, give --confirm-clock."
        )
    ended = end_retention(database, now, timedelta(days=_settings().restore_days))
    database.empty_log()
    click.echo(f"Events marked as deleted: {ended.marked:,}. Events removed: {ended.removed:,}.")


@command.command()
@click.argument("event_id", metavar="ID")
@click.option("-o", "--output", "target", required=True, metavar="FILE", help="The file; it is private, and new.")
def export(event_id: str, target: str) -> None:
    """Write an event to a file.

    It has its lists, its deck checks and its audit; keys as hashes. The command shows the head of the audit: with it,
    any server can check that the file was not changed.
    """
    from api.events.storage import event_archive
    from api.service.errors import NoAccess
    from carddb.sqlite_file import make_private

    file = Path(target)
    if file.exists():
        raise CommandError(f"{target} is there already; name another file.")
    store = _store()
    try:
        exported = event_archive.export_event(store, event_id, _archive_key(), datetime.now(UTC))
    except NoAccess:
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
        data = file.read(LARGEST_ARCHIVE + 1)
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
