"""The import desk: spreadsheets of players, previewed, imported and undone.

Called by the interface `/v1/events` and by the page `/events/…/import`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from api.events.base_desk import EventAccess, PartDesk, check_open, reply
from api.events.player_json import ImportedJSON, ImportsJSON, KeptImportJSON, UndoneJSON
from api.events.players.entrant import Entrant, ExpectedPlayer, RegistrationContent
from api.events.players.player_desk import PlayerDesk
from api.events.players.player_import import ImportedBook, Matched, match_players
from api.events.storage import event_audit, import_history
from api.events.storage.event_reader import EventReader
from api.events.storage.event_writer import EventWriter
from api.events.storage.idempotency import RepeatableRequest, Reply
from api.events.storage.import_history import EXPECTED, PLAYERS, Import, ImportedState, KeptImport
from api.service.errors import Changed, LimitReached
from validator.language import phrase

_CHANGED, _CHECKED = "changed", "checked"  # why an undo leaves a registration as it is


class ImportDesk(PartDesk):
    """Previews, imports and undoes spreadsheets of players, and lists the history of imports."""

    def preview(self, access: EventAccess, book: ImportedBook, reason: str) -> Reply:
        """Answer as an import of the players would, but without ids and keys of new registrations. Nothing is written.

        `plan` in the answer is the digest of all that the import would write, to be sent with it. `reason` lets staff
        import when registration is closed. Raises Closed then without it, and LimitReached if the event has no room.
        """
        with self._desk.store.reading() as reader:
            found = self._match_players(reader, access, book, reason, self._desk.now())
        shown = found.as_json([one.as_json() for one in found.new])
        shown["plan"] = found.plan
        return reply(200, shown)

    def import_players(
        self, access: EventAccess, book: ImportedBook, reason: str, request: RepeatableRequest | None, plan: str = ""
    ) -> Reply:
        """Register the players of a spreadsheet, and add revisions to players who are registered already.

        Answers with the players, with a new key for each new one, and with the id of the import, None if it changed
        nothing. A repeated `request` gets the stored answer. `plan` is that of a preview, "" for no preview. Raises
        Changed if the import would do anything else. Raises Closed if registration is closed, unless staff give a
        `reason`. Raises LimitReached if the event has no room. A stranger's bytes are counted, which may raise.
        """
        by = access.caller.signature

        def import_book(writer: EventWriter) -> Reply:
            """Write the registrations, revisions and keys of the spreadsheet, and add the import to the history.

            Answers with the players and the keys of new ones. Raises the errors of `import_players`.
            """
            found = self._match_players(writer, access, book, reason, writer.now)
            if plan and plan != found.plan:
                raise Changed
            self._desk.count_bytes(access, _sum_bytes(found))
            ids = writer.add_entrants([one.written for one in found.new], by, reason, [one.where for one in found.new])
            writer.revise(_find_revisions(found), by, reason)
            writer.change_whereabouts(found.merged_whereabouts, by)
            keys = writer.add_player_keys(ids, by)
            shown = _imported_json(found, ids, keys)
            shown["import"] = _add_to_history(writer, book, ids, found, by)
            return reply(200, shown)

        return self._desk.write_once(access, request, import_book)

    def _match_players(
        self, reader: EventReader, access: EventAccess, book: ImportedBook, reason: str, moment: datetime
    ) -> Matched:
        """Return the players of a spreadsheet with their registrations. Nothing is written.

        Raises Closed if registration is closed at the moment, unless staff give a `reason`. Raises LimitReached if the
        event has no room for them.
        """
        event = reader.event(access.event.id)
        check_open(access._replace(event=event), moment, None, reason)
        found = match_players(book, reader.entrants(event.id))
        self._desk.check_room(reader, access._replace(event=event), len(found.new), _sum_bytes(found))
        return found

    def expect_book(self, access: EventAccess, book: ImportedBook, request: RepeatableRequest | None = None) -> Reply:
        """Replace the expected players by those of a spreadsheet, and add the import to the history.

        The answer has the expected players, the faults of the spreadsheet and the players that it repeats. A repeated
        `request` gets the stored answer. Raises LimitReached if there are more than MOST_ENTRANTS players.
        """
        players = [one.expected_player for one in book.players]

        def note(writer: EventWriter, before: Sequence[ExpectedPlayer]) -> None:
            """Add the import of expected players to the history. `before` is the list that it replaces."""
            writer.add_import(Import(EXPECTED, book.name, before=before), (), access.caller.signature)

        return PlayerDesk(self._desk).expect(access, players, request, book.unread_rows, note)

    def imports(self, access: EventAccess) -> Reply:
        """Answer with all stored imports of an event, the newest first, also those that were undone."""
        with self._desk.store.reading() as reader:
            kept = import_history.read_imports(reader.connection, access.event.id)
        shown: ImportsJSON = {"imports": list(map(_import_json, kept))}
        return reply(200, shown)

    def undo_import(
        self, access: EventAccess, import_id: str, reason: str, request: RepeatableRequest | None = None
    ) -> Reply:
        """Undo an import: delete the registrations that it added, and restore the changed ones by a new revision.

        Registrations that were changed since stay as they are. So do those whose imported list has a deck check, begun
        or drawn. If it was an import of expected players, their list is restored unless it was replaced since. `reason`
        is for revisions and the audit. A repeated `request` gets the stored answer.

        Raises NoAccess if there is no such import. Raises LimitReached if it was undone already, or if there is no room
        for the restored lists. Raises Closed if registration is closed, unless staff give a `reason`.
        """

        def undo(writer: EventWriter) -> Reply:
            """Undo the import, and restore the list of expected players if no other list came after it.

            Answers with the registrations that were deleted, restored and left. Raises the errors of `undo_import`.
            """
            event, by = writer.event(access.event.id), access.caller.signature
            kept = import_history.read_import(writer.connection, event.id, import_id)
            if kept.undone:
                raise LimitReached(phrase("This import was undone already."))
            check_open(access._replace(event=event), writer.now, None, reason)
            undone = _plan_undo(writer, event.id, kept)
            self._restore(writer, access._replace(event=event), undone, by, reason)
            restores_list = kept.kind == EXPECTED and _is_last_list(writer, event.id, kept)
            if restores_list:
                writer.replace_expected(kept.before, by)
            writer.mark_import_undone(import_id, by, reason)
            return reply(200, _undone_json(kept, undone, restores_list))

        return self._desk.write_once(access, request, undo)

    def _restore(
        self, writer: EventWriter, access: EventAccess, undone: _UndoPlan, signature: str, reason: str
    ) -> None:
        """Delete the registrations that an import added, and restore the changed ones with content and table.

        The e-mail addresses are restored too. `reason` is that of the new revisions. Afterwards an earlier import of
        the same registrations can be undone. Raises LimitReached if the event has no room for the restored lists.
        """
        writer.remove_entrants(undone.added, signature)
        revised = [(one, written) for one, written, _ in undone.changed if written != one.revision.written]
        self._desk.check_room(writer, access, 0, sum(written.size for _, written in revised))
        writer.revise(revised, signature, reason)
        writer.change_whereabouts([(one, state.whereabouts) for one, _, state in undone.changed], signature)
        after = [(state, one.version + 1) for one, _, state in undone.changed]
        import_history.follow_undo(writer.connection, after)


class _UndoPlan(NamedTuple):
    """The registrations of an import in three groups, for its undo.

    `added` are to be deleted. `changed` are to be restored, each with its content and state before the import. `left`
    stay as they are, each with the reason: "changed" (since the import) or "checked" (a deck check has the list of the
    import).
    """

    added: list[Entrant]
    changed: list[tuple[Entrant, RegistrationContent, ImportedState]]
    left: list[tuple[Entrant, str]]


def _plan_undo(reader: EventReader, event_id: str, stored_import: KeptImport) -> _UndoPlan:
    """Return the plan to undo an import. Nothing is written.

    Registrations that were changed since are left. So are those with a deck check, begun or drawn, of the imported
    revision, because another list would contradict the judge's result.
    """
    found = _UndoPlan([], [], [])
    entrants = {one.id: one for one in reader.entrants(event_id)}
    checked = {(one.registration, one.revision) for one in reader.checks(event_id)}
    before = import_history.read_written(reader.connection, stored_import.id)
    for state in import_history.read_states(reader.connection, stored_import.id):
        one = entrants[state.registration_id]
        if one.version != state.version:
            found.left.append((one, _CHANGED))
        elif one.revision.number != state.revision and (one.id, one.revision.number) in checked:
            found.left.append((one, _CHECKED))
        elif state.revision:
            found.changed.append((one, before[one.id], state))
        else:
            found.added.append(one)
    return found


def _is_last_list(reader: EventReader, event_id: str, stored_import: KeptImport) -> bool:
    """Return True if the list of expected players was not replaced since it was imported."""
    last = reader.last_entry(event_id, event_audit.PLAYERS_EXPECTED)
    return last is not None and last.number == stored_import.entry


def _sum_bytes(matches: Matched) -> int:
    """Return the bytes of the lists that an import writes: those of new and of revised registrations."""
    return sum(one.written.size for one in (*matches.new, *matches.revised))


def _find_revisions(matches: Matched) -> list[tuple[Entrant, RegistrationContent]]:
    """Return the registrations that an import revises, each with its new content."""
    return [(one.entrant, one.written) for one in matches.revised if one.entrant]


def _add_to_history(
    writer: EventWriter, book: ImportedBook, ids: Sequence[str], matches: Matched, signature: str
) -> str | None:
    """Add a finished import to the history and the audit, and return its id. None if the import changed nothing.

    `ids` are those of the new registrations. Registrations of which only the table or address changed count as changed.
    """
    moved = [(one, where) for one, where in matches.merged_whereabouts if where != one.where]
    changed = {one.id: one for one, _ in (*_find_revisions(matches), *moved)}
    if not (ids or changed):
        return None
    states = [*(ImportedState(id, 0, 0, 1) for id in ids), *map(_state, changed.values())]
    return writer.add_import(Import(PLAYERS, book.name, len(ids), len(changed)), states, signature)


def _state(entrant: Entrant) -> ImportedState:
    """Return the state of a registration before an import that changes it, for an undo.

    The import increases its version by one, also if list and table change together.
    """
    return ImportedState(entrant.id, entrant.revision.number, entrant.version, entrant.version + 1, *entrant.where)


def _imported_json(matches: Matched, ids: Sequence[str], keys: Sequence[str]) -> ImportedJSON:
    """Return the answer to an import as JSON. `ids` and `keys` are those of the new registrations, in order."""
    new = zip(matches.new, ids, keys, strict=True)
    return matches.as_json([{**row.as_json(), "id": id, "key": key} for row, id, key in new])


def _import_json(stored_import: KeptImport) -> KeptImportJSON:
    """Return an import of the history as JSON, without its expected players."""
    return {
        "id": stored_import.id,
        "at": stored_import.created,
        "by": stored_import.by,
        "kind": stored_import.kind,
        "file": stored_import.name,
        "registered": stored_import.added,
        "updated": stored_import.changed,
        "undone": stored_import.undone,
    }


def _undone_json(stored_import: KeptImport, undone: _UndoPlan, restores_list: bool) -> UndoneJSON:
    """Return the answer to an undo as JSON: the players deleted, restored, and left with the reason.

    `restores_list`: the list of expected players was restored.
    """
    return {
        "id": stored_import.id,
        "removed": [one.player for one in undone.added],
        "restored": [{"id": one.id, "player": one.player} for one, *_ in undone.changed],
        "left": [{"id": one.id, "player": one.player, "why": why} for one, why in undone.left],
        "expected_restored": restores_list if stored_import.kind == EXPECTED else None,
    }
