"""`deckproof db`: the database itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from api.cli import CommandError, console, options
from validator.language import Language, phrase

if TYPE_CHECKING:
    from carddb.database import Database
    from carddb.upkeep.database_status import DatabaseStatus

_DAMAGED = 1  # the exit code of a check
_KINDS = {
    "cards": phrase("cards"),
    "events": phrase("events"),
    "jobs": phrase("jobs"),
    "lists": phrase("lists"),
    "other": phrase("other"),
    "syncs": phrase("syncs"),
    "webhooks": phrase("webhooks"),
}


@click.group()
def db_command() -> None:
    """Upgrade, check, back up and restore the database."""


@db_command.command()
@click.option("--yes", is_flag=True, help="Upgrade PostgreSQL without a question: there is a dump of the database.")
@options.LANG
def upgrade(yes: bool, translate: Language) -> None:
    """Create the tables, or update them.

    The content of the database is kept. A SQLite database is copied first, to a file beside it that ends with
    .before-REVISION. The last two of these copies are kept.
    """
    from carddb.migrations import HEAD, REVISIONS
    from carddb.upkeep.backups import copy_before_upgrade
    from carddb.upkeep.database_status import count_webhooks

    database = options.library().store().database
    before = database.revision()
    if before in REVISIONS[:-1]:
        if webhooks := count_webhooks(database):
            click.echo(
                translate.plural(
                    "The upgrade removes {count} webhook: this deckproof has no webhooks. Have your programs read "
                    "/v1/changes or the Atom feed /v1/changes.atom instead.",
                    "The upgrade removes {count} webhooks: this deckproof has no webhooks. Have your programs read "
                    "/v1/changes or the Atom feed /v1/changes.atom instead.",
                    webhooks,
                )
            )
        if database.file:
            copy = copy_before_upgrade(database, before)
            click.echo(translate("{file} is a copy from before the upgrade.", file=copy))
        elif not yes:
            _ask_for_dump(database, translate)
    before = database.upgrade()
    if before == HEAD:
        click.echo(translate("{database} is up to date.", database=database.name))
    else:
        before = before or translate("nothing")
        click.echo(
            translate(
                "{database} was brought from {before} to revision {revision}.",
                database=database.name,
                before=before,
                revision=HEAD,
            )
        )


def _ask_for_dump(database: Database, translate: Language) -> None:
    """Ask on the terminal if there is a dump of the database. Raises CommandError for "no".

    Raises CommandError with advice, without a question, if standard input is no terminal.
    """
    if not sys.stdin.isatty():
        raise CommandError(
            phrase(
                "Make a dump of {database} with pg_dump, then run `deckproof db upgrade --yes`.",
                database=database.name,
            )
        )
    if not click.confirm(translate("Is there a dump of {database} made with pg_dump?", database=database.name)):
        raise CommandError(phrase("Nothing was changed."))


@db_command.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@options.LANG
def backup(file: Path, translate: Language) -> None:
    """Copy a SQLite database while it is in use.

    FILE is new. It appears when the copy is complete and checked.
    """
    from carddb.upkeep.backups import back_up

    database = options.library().store().database
    back_up(database, file)
    click.echo(translate("{file} is a copy of {database}.", file=file, database=database.name))
    settings = options.settings()
    if settings.secret_key:
        click.echo(translate("It does not contain DECKPROOF_SECRET_KEY: keep that as well."))
    elif (key := settings.data_dir / "secret_key").exists():
        click.echo(translate("It does not contain the secret key: copy {file} as well.", file=key))


@db_command.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace a database that exists. Its file is kept.")
@options.LANG
def restore(file: Path, force: bool, translate: Language) -> None:
    """Put a copy of a SQLite database in its place.

    FILE is a copy that `db backup` made. It is checked first. End the server and the workers before.
    """
    from api.jobs.heartbeats import Heartbeats
    from carddb.errors import CardDataError
    from carddb.migrations import HEAD
    from carddb.upkeep.backups import restore_copy

    database = options.library().store().database
    try:
        workers = Heartbeats(database).present() if database.file else []
    except CardDataError:  # a database that cannot be read is what is to be replaced
        workers = []
    if workers:
        raise CommandError(
            phrase("A worker is running. Stop the server and the workers, and try again after 20 seconds.")
        )
    kept = restore_copy(database, file, force)
    click.echo(translate("{database} was restored from {file}.", database=database.name, file=file))
    if kept:
        click.echo(translate("The database that was there is {file}.", file=kept))
    if (revision := database.revision()) != HEAD:
        click.echo(
            translate("It is of an older deckproof ({revision}): run `deckproof db upgrade`.", revision=revision)
        )


@db_command.command()
@options.LANG
def check(translate: Language) -> None:
    """Check that nothing in the database is damaged.

    Checks the file and the references between rows (SQLite only), the cards of each snapshot, and the audit of each
    event. If the file is damaged, nothing else is checked.

    Exits with 0 if all is sound, with 1 if something is damaged, with 2 if the database cannot be checked.
    """
    from carddb.upkeep.database_status import file_problems, reference_problems, snapshot_problems

    store = options.library().store()
    database = store.database
    problems = file_problems(database.file)
    if not problems:  # else the rows cannot be read
        problems = [
            *reference_problems(database.file),
            *snapshot_problems(store),
            *_audit_problems(database, translate),
        ]
    for problem in problems:
        click.echo(console.clean(translate.text(problem)))
    if problems:
        raise click.exceptions.Exit(_DAMAGED)
    click.echo(translate("{database} is sound.", database=database.name))


def _audit_problems(database: Database, translate: Language) -> Iterator[str]:
    """Yield a sentence for each event whose audit was changed, with the number of its first wrong entry.

    The audit is a chain of hashes over all changes of an event.
    """
    import sqlalchemy as sa

    from api.events.storage.event_audit import find_broken_entry
    from api.events.storage.event_reader import EventReader
    from api.events.storage.event_tables import EventRow

    with database.reading() as connection:
        reader = EventReader(connection)
        for id in connection.scalars(sa.select(EventRow.id)).all():
            if broken := find_broken_entry(id, reader.audit(id), *reader.audit_head(id)):
                yield translate("The audit of the event {id} was changed at entry {entry}.", id=id, entry=broken)


@db_command.command()
@options.JSON
@options.LANG
def status(as_json: bool, translate: Language) -> None:
    """Show the schema revision, the size and what fills it."""
    from carddb.upkeep.database_status import read_status

    found = read_status(options.library().store().database)
    if as_json:
        usage = [kind._asdict() for kind in found.usage]
        options.write_json(found._asdict() | {"usage": usage})
    else:
        console.write(_status_lines(found, translate))
        rows = (
            (translate.text(_KINDS[kind.kind]), translate.number(kind.rows), _megabytes(kind.bytes, translate))
            for kind in found.usage
        )
        console.table([translate("kind"), translate("rows"), translate("size")], rows)


def _status_lines(status: DatabaseStatus, translate: Language) -> Iterator[console.OutputLine]:
    """Yield lines on a database: name, schema revision, size, numbers of snapshots and events, and newest write.

    A revision that is not the newest has a note with the one that is needed. Free space within the size is added.
    """
    yield console.OutputLine(status.name, "title")
    is_old = status.revision != status.newest_revision
    upgrade = translate(" (this deckproof needs {revision})", revision=status.newest_revision) if is_old else ""
    yield console.OutputLine(f"{status.revision}{upgrade}", label=translate("schema revision: "))
    free = translate(", of it {size} free", size=_megabytes(status.free, translate)) if status.free else ""
    yield console.OutputLine(f"{_megabytes(status.bytes, translate)}{free}", label=translate("size: "))
    yield console.OutputLine(translate.number(status.snapshots), label=translate("snapshots: "))
    yield console.OutputLine(translate.number(status.events), label=translate("events: "))
    yield console.OutputLine(status.newest_write or translate("none"), label=translate("newest write: "))


def _megabytes(size: int | None, translate: Language) -> str:
    """Return a size in bytes as text in MB (1,000,000 bytes) with one decimal place, "not known" for None."""
    return translate("not known") if size is None else f"{size / 1_000_000:,.1f} MB"
