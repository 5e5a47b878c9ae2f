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
from validator.errors import error_text
from validator.language import Language, phrase

if TYPE_CHECKING:
    from api.events.storage.event_archive import ArchiveKey
    from api.events.storage.event_store import EventStore, ListedEvent

_log = logging.getLogger(__name__)


@click.group()
def events_command() -> None:
    """List, delete, restore and back up events."""


def _event_store() -> EventStore:
    """Return the store of events in the database of the settings. Raises SettingError if a setting is unusable."""
    from api.events.storage.event_store import EventStore

    return EventStore(options.library().store().database)


@events_command.command("list")
@options.JSON
@options.LANG
def list_events(as_json: bool, translate: Language) -> None:
    """List the events.

    Of each: id, day, name, players, and the day on which it is deleted. A deleted event is listed until it is removed.
    """
    found = _event_store().list_events()
    if as_json:
        options.write_json([event._asdict() for event in found])
        return
    for event in found:
        if event.deleted_on:
            end = translate("deleted, is removed on {day}", day=event.deleted_on)
        else:
            end = translate("deleted on {day}", day=event.purged)
        click.echo(f"{_event_line(event, translate)}, {end}")


def _event_line(event: ListedEvent, translate: Language) -> str:
    """Return the id, day, name and number of players of an event as a line, without control characters in the name."""
    from api.cli import console

    players = translate.plural("{count:,} player", "{count:,} players", event.players)
    return f"{event.id}  {translate.day(event.on)}  {console.clean(event.name)}  {players}"


@events_command.command("player")
@click.argument("player_id", metavar="PLAYER_ID")
@options.JSON
@options.LANG
def show_player(player_id: str, as_json: bool, translate: Language) -> None:
    """Show the registrations and deck checks of a player at all events.

    PLAYER_ID is the id that players have in the game's tournaments. Spaces, case and leading zeros do not matter.
    Events that are deleted are not shown.
    """
    from api.cli import console

    found = _event_store().find_registrations(player_id)
    if as_json:
        checks = [[check._asdict() for check in registration.checks] for registration in found]
        rows = zip(found, checks, strict=True)
        options.write_json([registration._asdict() | {"checks": listed} for registration, listed in rows])
        return
    if not found:
        click.echo(translate("No registration has the id {id}.", id=console.clean(player_id)))
    for registration in found:
        state = translate("list received") if registration.has_list else translate("no list")
        label = (
            f"{translate.day(registration.day)}  {registration.event}  {registration.player}  {registration.player_id}"
        )
        click.echo(f"{registration.event_id}  {console.clean(label)}, {state}")
        for check in registration.checks:
            round = translate("round {round}", round=check.round) if check.round else ""
            outcome = translate.template(check.outcome) if check.outcome else translate("open")
            result = (translate("deck check"), round, outcome, check.infraction, check.penalty)
            click.echo(f"  {console.clean(', '.join(filter(None, result)))}")


@events_command.command()
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
@options.LANG
def delete(
    event_ids: tuple[str, ...],
    without_registrations: bool,
    older_than: int | None,
    is_immediate: bool,
    yes: bool,
    translate: Language,
) -> None:
    """Delete events with all their data.

    Name the events by their ids, or all without registrations, for example after an attack. The command shows what it
    deletes and asks first. `deckproof events restore` brings a deleted event back, until it is removed some days
    later (DECKPROOF_RESTORE_DAYS). With --now nothing brings it back: export the event before.
    """
    if bool(event_ids) == without_registrations:
        raise click.UsageError(phrase("Give the ids of events, or --without-registrations."))
    if older_than is not None and not without_registrations:
        raise click.UsageError(phrase("--older-than needs --without-registrations."))
    store = _event_store()
    found = store.list_events()
    chosen = _events_of(event_ids, found) if event_ids else _events_without_registrations(found, older_than)
    for event in chosen:
        click.echo(_event_line(event, translate))
    if chosen and not yes:
        _confirm_deletion(len(chosen), is_immediate, translate)
    grace = None if is_immediate else timedelta(days=options.settings().restore_days)
    deleted = [event.id for event in chosen if _delete_event(store, event.id, grace, only_unused=without_registrations)]
    _log_deletion(deleted)
    click.echo(translate("Events deleted: {count:,}", count=len(deleted)))


def _events_of(event_ids: Sequence[str], events: Sequence[ListedEvent]) -> list[ListedEvent]:
    """Return the events with these ids, each once, in the order of the ids.

    Raises CommandError with the first id that no event has.
    """
    by_id = {event.id: event for event in events}
    if unknown := [event_id for event_id in event_ids if event_id not in by_id]:
        raise CommandError(
            phrase("There is no event {id}; `deckproof events list` lists them. Nothing was deleted.", id=unknown[0])
        )
    return [by_id[event_id] for event_id in dict.fromkeys(event_ids)]


def _events_without_registrations(events: Sequence[ListedEvent], older_than: int | None) -> list[ListedEvent]:
    """Return the events without players that were created at least `older_than` days ago, in order. None is any age."""
    created_before = (datetime.now(UTC) - timedelta(days=older_than or 0)).isoformat()
    return [event for event in events if not event.players and event.created <= created_before]


def _confirm_deletion(count: int, is_immediate: bool, translate: Language) -> None:
    """Ask on the terminal if `count` events may be deleted. Raises CommandError for "no", or without a terminal.

    `is_immediate`: the question says that nothing brings them back.
    """
    if not sys.stdin.isatty():
        raise CommandError(phrase("Nothing was deleted. Give --yes to delete without asking."))
    if is_immediate:
        question = translate("Delete these events ({count:,})? Nothing brings them back.", count=count)
    else:
        question = translate("Delete these events ({count:,})? They can be restored for some days.", count=count)
    if not click.confirm(question, default=False):
        raise CommandError(phrase("Nothing was deleted."))


def _delete_event(store: EventStore, event_id: str, grace: timedelta | None, only_unused: bool) -> bool:
    """Mark an event as deleted, to be removed after `grace`. Without `grace` (None), remove it at once. Return True.

    An event that is already marked keeps its day of removal (True is returned). Return False, and change nothing, if
    the event does not exist any more, or if `only_unused` and it has players.
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
    """Log the ids of deleted events, because their audits are deleted with them. Configures the log of this process.

    Does nothing without ids. Raises SettingError if a setting is unusable.
    """
    from api.service.logs import configure_logs

    if event_ids:
        configure_logs(options.settings())
        _log.info("The command deleted %d events: %s", len(event_ids), ", ".join(event_ids))


@events_command.command()
@click.argument("event_id", metavar="ID")
@options.LANG
def restore(event_id: str, translate: Language) -> None:
    """Restore a deleted event that is not removed yet.

    All of it is there again, and its keys work. The days until its deletion begin again.
    """
    from api.events.storage.event_keys import ADMIN
    from api.service.errors import NoAccess

    try:
        with _event_store().writing(event_id, datetime.now(UTC)) as writer:
            if writer.event(event_id).deleted_on is None:
                raise CommandError(phrase("Event {id} is not deleted.", id=event_id))
            writer.restore_event(ADMIN)
    except NoAccess:
        raise CommandError(phrase("There is no event {id}; `deckproof events list` lists them.", id=event_id)) from None
    click.echo(translate("Event {id} is restored.", id=event_id))


@events_command.command()
@click.option("--confirm-clock", is_flag=True, help="Confirm that the clock of this machine is right.")
@options.LANG
def purge(confirm_clock: bool, translate: Language) -> None:
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
            phrase(
                "Nothing was deleted. The clock shows {now} UTC, the last time that was trusted is {trusted}. If the "
                "clock is right, give --confirm-clock.",
                now=f"{now:%Y-%m-%d %H:%M}",
                trusted=f"{state.look.trusted:%Y-%m-%d %H:%M}",
            )
        )
    ended = end_retention(database, now, timedelta(days=options.settings().restore_days))
    database.empty_log()
    click.echo(
        translate(
            "Events marked as deleted: {marked:,}. Events removed: {removed:,}.",
            marked=ended.marked,
            removed=ended.removed,
        )
    )


@events_command.command()
@click.argument("event_id", metavar="ID")
@click.option("-o", "--output", "target", required=True, metavar="FILE", help="The file; it is private, and new.")
@options.LANG
def export(event_id: str, target: str, translate: Language) -> None:
    """Write an event to a file.

    It has its lists, its deck checks and its audit; keys as hashes. The command shows the head of the audit: with it,
    any server can check that the file was not changed.
    """
    from api.events.storage import event_archive
    from api.service.errors import NoAccess
    from carddb.sqlite_file import make_private

    file = Path(target)
    if file.exists():
        raise CommandError(phrase("{file} is there already; name another file.", file=target))
    store = _event_store()
    try:
        exported = event_archive.export_event(store, event_id, _archive_key(), datetime.now(UTC))
    except NoAccess:
        raise CommandError(phrase("There is no event {id}; `deckproof events list` lists them.", id=event_id)) from None
    make_private(file)
    file.write_bytes(exported.data)
    click.echo(translate("{file}: {count:,} bytes.", file=target, count=len(exported.data)))
    click.echo(translate("Head of the audit: {hash}", hash=exported.audit_head))


@events_command.command("import")
@click.argument("source", metavar="FILE")
@click.option("--head", default="", metavar="HASH", help="The head of the audit that the export showed.")
@click.option(
    "--unverified",
    "allow_unverified",
    is_flag=True,
    help="Import a file without a head, and mark the event.",
)
@options.LANG
def import_event(source: str, head: str, allow_unverified: bool, translate: Language) -> None:
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
        id = event_archive.import_event(_event_store(), archive, datetime.now(UTC))
    except Unusable as error:
        problem = error_text(error)
        raise CommandError(phrase("{file} cannot be imported: {problem}.", file=source, problem=problem)) from None
    click.echo(translate("Event {id} is here, with its keys.", id=id))
    if not archive.is_verified:
        click.echo(translate("The event is marked as unverified: nothing proves that its file was not changed."))


def _archive_key() -> ArchiveKey:
    """Return this server's key for signing event archives, made of its secret key. Makes that key if there is none.

    Raises SettingError if a setting is unusable, OSError if the secret key can neither be read nor made.
    """
    from api.events.storage.event_archive import ArchiveKey
    from api.service.secret_key import secret_key

    return ArchiveKey(secret_key(options.settings()))
