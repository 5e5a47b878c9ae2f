"""The import history of an event: its imported spreadsheets, and the state of each registration before.

Called by the event store and by `import_desk`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from api.events.bounds import MOST_IMPORTS
from api.events.player_json import ImportedStateJSON
from api.events.players.entrant import Entrant, ExpectedPlayer, RegistrationContent, Whereabouts, find_absent
from api.events.storage.event_keys import is_id
from api.events.storage.event_tables import ImportedRow, ImportRow, RevisionRow
from api.service.errors import NoAccess

PLAYERS, EXPECTED = KINDS = ("players", "expected")
_LISTED = ("id", "created", "by", "kind", "name", "added", "changed", "undone", "entry", "before")


class Import(NamedTuple):
    """An import of a spreadsheet to store in the history. `kind` is one of KINDS, `name` the name of the file.

    `added` and `changed` are numbers of registrations, 0 for an import of expected players. `changed` counts those with
    another list, name, player ID, table or address. `before` are the players who were expected before an import of
    expected players, () for the other kind.
    """

    kind: str
    name: str
    added: int = 0
    changed: int = 0
    before: Sequence[ExpectedPlayer] = ()


class KeptImport(NamedTuple):
    """A stored import of the history. `created` and `undone` are ISO moments, `undone` is None if it was not undone.

    `by` is the author: a role and the id of a key. The other fields are as in Import. `entry` is the number of the last
    audit entry before that of the import. `before` is empty too after the undo.
    """

    id: str
    created: str
    by: str
    kind: str
    name: str
    added: int
    changed: int
    undone: str | None
    entry: int
    before: Sequence[ExpectedPlayer]


class ImportedState(NamedTuple):
    """A registration before an import: its revision (0 if the import added it), its version, table and e-mail address.

    `version` is the registration's version after the import, or after the undo of a later one. If the registration has
    another version now, it was changed since. `email` is "" too if the player has deleted the address.
    """

    registration_id: str
    revision: int
    version_before: int
    version: int
    table: str = ""
    email: str = ""

    def as_json(self) -> ImportedStateJSON:
        """Return the state as JSON, with all its fields."""
        return {
            "registration_id": self.registration_id,
            "revision": self.revision,
            "version_before": self.version_before,
            "version": self.version,
            "table": self.table,
            "email": self.email,
        }

    @property
    def whereabouts(self) -> Whereabouts:
        """The player's table and e-mail address before the import."""
        return Whereabouts(self.table, self.email)


def read_imports(connection: sa.Connection, event_id: str) -> list[KeptImport]:
    """Return all imports of an event, the newest first, also those that were undone."""
    query = sa.select(*(getattr(ImportRow, name) for name in _LISTED)).where(ImportRow.event_id == event_id)
    rows = connection.execute(query.order_by(ImportRow.entry.desc()))
    return [_import(row) for row in rows]


def _import(row: Any) -> KeptImport:
    """Return the import of a row with the columns _LISTED."""
    *plain, before = row
    return KeptImport._make((*plain, [ExpectedPlayer(*one) for one in before["players"]]))


def read_import(connection: sa.Connection, event_id: str, import_id: str) -> KeptImport:
    """Return an import by its id. Raises NoAccess if the event has no import with this id."""
    found = [one for one in read_imports(connection, event_id) if one.id == import_id] if is_id(import_id) else []
    if not found:
        raise NoAccess
    return found[0]


def read_states(connection: sa.Connection, import_id: str) -> list[ImportedState]:
    """Return the states before an import of the registrations that it added or changed, sorted by registration.

    Registrations that were deleted since are left out. Empty if the import was undone.
    """
    query = sa.select(*(getattr(ImportedRow, name) for name in ImportedState._fields))
    rows = connection.execute(query.where(ImportedRow.import_id == import_id).order_by(ImportedRow.registration_id))
    return [ImportedState(*row) for row in rows]


def read_written(connection: sa.Connection, import_id: str) -> dict[str, RegistrationContent]:
    """Return the contents before an import of the registrations that it changed, by id. Added ones are left out."""
    columns = (getattr(RevisionRow, name) for name in RegistrationContent._fields)
    same = (RevisionRow.registration_id == ImportedRow.registration_id, RevisionRow.number == ImportedRow.revision)
    query = sa.select(RevisionRow.registration_id, *columns).join(ImportedRow, sa.and_(*same))
    rows = connection.execute(query.where(ImportedRow.import_id == import_id))
    return {id: RegistrationContent(*row) for id, *row in rows}


def states_of(connection: sa.Connection, registration_id: str) -> list[ImportedState]:
    """Return the states of one registration before each of its imports that was not undone, the oldest first."""
    query = sa.select(*(getattr(ImportedRow, name) for name in ImportedState._fields))
    rows = connection.execute(query.where(ImportedRow.registration_id == registration_id).order_by(ImportedRow.version))
    return [ImportedState(*row) for row in rows]


def add(connection: sa.Connection, event_id: str, record: KeptImport, states: Sequence[ImportedState]) -> None:
    """Add an import, `record`, to the history of an event. `states` are the registrations as they were before it.

    Deletes the oldest imports of the event beyond MOST_IMPORTS.
    """
    before = {"players": [list(one) for one in record.before]}
    connection.execute(sa.insert(ImportRow), record._asdict() | {"event_id": event_id, "before": before})
    if states:
        shared = {"import_id": record.id, "event_id": event_id}
        connection.execute(sa.insert(ImportedRow), [shared | state._asdict() for state in states])
    old = [one.id for one in read_imports(connection, event_id)[MOST_IMPORTS:]]
    connection.execute(sa.delete(ImportedRow).where(ImportedRow.import_id.in_(old)))
    connection.execute(sa.delete(ImportRow).where(ImportRow.id.in_(old)))


def mark_undone(connection: sa.Connection, import_id: str, moment: str) -> None:
    """Store the ISO moment at which an import was undone.

    Deletes the states and the expected players from before it.
    """
    connection.execute(sa.delete(ImportedRow).where(ImportedRow.import_id == import_id))
    values = {"undone": moment, "before": {"players": []}}
    connection.execute(sa.update(ImportRow).where(ImportRow.id == import_id).values(**values))


def follow_undo(connection: sa.Connection, after: Sequence[tuple[ImportedState, int]]) -> None:
    """Change the stored versions in earlier imports after an undo, so that these can be undone too.

    `after` has each restored state with the version that its registration has after the undo. Nothing is done if it is
    empty.
    """
    same = (
        ImportedRow.registration_id == sa.bindparam("changed_id"),
        ImportedRow.version == sa.bindparam("before"),
    )
    rows = [
        {"changed_id": state.registration_id, "before": state.version_before, "after": version}
        for state, version in after
    ]
    if rows:
        connection.execute(sa.update(ImportedRow).where(*same).values(version=sa.bindparam("after")), rows)


def forget_addresses(connection: sa.Connection, registration_id: str) -> None:
    """Delete a player's e-mail addresses from the history of imports, after the player has deleted the current one."""
    of_player = ImportedRow.registration_id == registration_id
    connection.execute(sa.update(ImportedRow).where(of_player).values(email=""))


def forget_expected(connection: sa.Connection, event_id: str, entrant: Entrant) -> None:
    """Remove the player of a registration from the lists of expected players that the history of imports keeps."""
    for one in read_imports(connection, event_id):
        kept = find_absent(one.before, [entrant])
        if len(kept) < len(one.before):
            values = {"before": {"players": [list(each) for each in kept]}}
            connection.execute(sa.update(ImportRow).where(ImportRow.id == one.id).values(**values))
