"""The import desk: spreadsheets of players, previewed, imported and undone.

Called by the interface `/v1/events` and by the page `/events/…/import`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from api.events.base_desk import BaseDesk, EventAccess, check_open, reply
from api.events.player_json import ImportedJSON, ImportsJSON, KeptImportJSON, UndoneJSON
from api.events.players.entrant import Entrant, ExpectedPlayer, RegistrationContent
from api.events.players.player_desk import PlayerDesk
from api.events.players.player_import import ImportedBook, Matched, matched
from api.events.storage import event_audit, import_history
from api.events.storage.event_reader import EventReader
from api.events.storage.event_writer import EventWriter
from api.events.storage.idempotency import Once, Reply
from api.events.storage.import_history import EXPECTED, PLAYERS, Import, ImportedState, KeptImport
from api.service.errors import Changed, LimitReached

_CHANGED, _CHECKED = "changed", "checked"  # why an undo leaves a registration as it is


class ImportDesk:
    """The imports of the events of a registration desk."""

    def __init__(self, desk: BaseDesk) -> None:
        self._desk = desk

    def preview(self, at: EventAccess, book: ImportedBook, reason: str) -> Reply:
        """Return the answer that an import would have, without ids and keys. Nothing is written."""
        with self._desk.store.reading() as reader:
            found = self._matched(reader, at, book, reason, self._desk.now())
        shown = found.as_json([one.as_json() for one in found.new])
        shown["plan"] = found.plan
        return reply(200, shown)

    def import_players(
        self, at: EventAccess, book: ImportedBook, reason: str, once: Once | None, plan: str = ""
    ) -> Reply:
        """Register the players of a spreadsheet, and add revisions to those who are registered already.

        Raises Changed if the import would do anything else than the `plan` of a preview. "" is for no preview.
        """
        by = at.caller.signature

        def take_in(writer: EventWriter) -> Reply:
            found = self._matched(writer, at, book, reason, writer.now)
            if plan and plan != found.plan:
                raise Changed
            self._desk.count_bytes(at, _size(found))
            ids = writer.add_entrants([one.written for one in found.new], by, reason, [one.where for one in found.new])
            writer.revise(_revised(found), by, reason)
            writer.move(found.moved, by)
            keys = writer.add_player_keys(ids, by)
            shown = _imported(found, ids, keys)
            shown["import"] = _keep(writer, book, ids, found, by)
            return reply(200, shown)

        return self._desk.answered_once(at, once, take_in)

    def _matched(self, reader: EventReader, at: EventAccess, book: ImportedBook, reason: str, now: datetime) -> Matched:
        """Return the players of a spreadsheet as the event knows them. Raises Declined if they cannot be imported."""
        event = reader.event(at.event.id)
        check_open(at._replace(event=event), now, None, reason)
        found = matched(book, reader.entrants(event.id))
        self._desk.check_room(reader, at._replace(event=event), len(found.new), _size(found))
        return found

    def expect_book(self, at: EventAccess, book: ImportedBook, once: Once | None = None) -> Reply:
        """Keep the players of a spreadsheet as those who are expected. The answer names the rows that were not read."""
        players = [one.expected for one in book.players]

        def note(writer: EventWriter, before: Sequence[ExpectedPlayer]) -> None:
            writer.add_import(Import(EXPECTED, book.name, before=before), (), at.caller.signature)

        return PlayerDesk(self._desk).expect(at, players, once, book.unread, note)

    def imports(self, at: EventAccess) -> Reply:
        """Return the imports of an event, the newest first."""
        with self._desk.store.reading() as reader:
            kept = import_history.read_imports(reader.connection, at.event.id)
        shown: ImportsJSON = {"imports": list(map(_listed, kept))}
        return reply(200, shown)

    def undo_import(self, at: EventAccess, import_id: str, reason: str, once: Once | None = None) -> Reply:
        """Undo an import. Registrations that were changed since, or whose decks were checked, stay as they are."""

        def undo(writer: EventWriter) -> Reply:
            event, by = writer.event(at.event.id), at.caller.signature
            kept = import_history.read_import(writer.connection, event.id, import_id)
            if kept.undone:
                raise LimitReached("This import was undone already.")
            check_open(at._replace(event=event), writer.now, None, reason)
            undone = _sorted_states(writer, event.id, kept)
            self._restore(writer, at._replace(event=event), undone, by, reason)
            restores_list = kept.kind == EXPECTED and _is_last_list(writer, event.id, kept)
            if restores_list:
                writer.expect(kept.before, by)
            writer.end_import(import_id, by, reason)
            return reply(200, _undone(kept, undone, restores_list))

        return self._desk.answered_once(at, once, undo)

    def _restore(self, writer: EventWriter, at: EventAccess, undone: _Undone, by: str, reason: str) -> None:
        writer.remove_entrants(undone.added, by)
        revised = [(one, written) for one, written, _ in undone.changed if written != one.revision.written]
        self._desk.check_room(writer, at, 0, sum(written.size for _, written in revised))
        writer.revise(revised, by, reason)
        writer.move([(one, state.where) for one, _, state in undone.changed], by)
        after = [(state, one.version + 1) for one, _, state in undone.changed]
        import_history.follow_undo(writer.connection, after)


class _Undone(NamedTuple):
    """The registrations of an import by what its undo does: removed, restored, or left with the reason."""

    added: list[Entrant]
    changed: list[tuple[Entrant, RegistrationContent, ImportedState]]
    left: list[tuple[Entrant, str]]


def _sorted_states(reader: EventReader, event_id: str, kept: KeptImport) -> _Undone:
    found = _Undone([], [], [])
    entrants = {one.id: one for one in reader.entrants(event_id)}
    checked = {one.registration for one in reader.checks(event_id)}
    before = import_history.read_written(reader.connection, kept.id)
    for state in import_history.read_states(reader.connection, kept.id):
        one = entrants[state.registration_id]
        if one.version != state.version:
            found.left.append((one, _CHANGED))
        elif state.revision:
            found.changed.append((one, before[one.id], state))
        elif one.id in checked:
            found.left.append((one, _CHECKED))
        else:
            found.added.append(one)
    return found


def _is_last_list(reader: EventReader, event_id: str, kept: KeptImport) -> bool:
    """Return True if nobody has changed the list of expected players since an import of it."""
    last = reader.last_entry(event_id, event_audit.PLAYERS_EXPECTED)
    return last is not None and last.number == kept.entry


def _size(found: Matched) -> int:
    """Return the bytes of the lists that an import writes."""
    return sum(one.written.size for one in (*found.new, *found.revised))


def _revised(found: Matched) -> list[tuple[Entrant, RegistrationContent]]:
    return [(one.entrant, one.written) for one in found.revised if one.entrant]


def _keep(writer: EventWriter, book: ImportedBook, ids: Sequence[str], found: Matched, by: str) -> str | None:
    """Add an import to the history, and return its id. None if the import changed nothing."""
    moved = [(one, where) for one, where in found.moved if where != one.where]
    changed = {one.id: one for one, _ in (*_revised(found), *moved)}
    if not (ids or changed):
        return None
    states = [*(ImportedState(id, 0, 0, 1) for id in ids), *map(_state, changed.values())]
    return writer.add_import(Import(PLAYERS, book.name, len(ids), len(changed)), states, by)


def _state(one: Entrant) -> ImportedState:
    return ImportedState(one.id, one.revision.number, one.version, one.version + 1, *one.where)


def _imported(found: Matched, ids: Sequence[str], keys: Sequence[str]) -> ImportedJSON:
    new = zip(found.new, ids, keys, strict=True)
    return found.as_json([{**row.as_json(), "id": id, "key": key} for row, id, key in new])


def _listed(kept: KeptImport) -> KeptImportJSON:
    return {
        "id": kept.id,
        "at": kept.created,
        "by": kept.by,
        "kind": kept.kind,
        "file": kept.name,
        "registered": kept.added,
        "updated": kept.changed,
        "undone": kept.undone,
    }


def _undone(kept: KeptImport, undone: _Undone, restores_list: bool) -> UndoneJSON:
    return {
        "id": kept.id,
        "removed": [one.player for one in undone.added],
        "restored": [{"id": one.id, "player": one.player} for one, *_ in undone.changed],
        "left": [{"id": one.id, "player": one.player, "why": why} for one, why in undone.left],
        "expected_restored": restores_list if kept.kind == EXPECTED else None,
    }
