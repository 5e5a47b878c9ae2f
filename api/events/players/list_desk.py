"""The list desk: lists that are shown to others: of a table in a stream, and to everybody once that is allowed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from api.events import rights
from api.events.bounds import MOST_STREAMED
from api.events.exports.event_files import SHOWN_LISTS, ExportKind
from api.events.exports.event_record import EventRecord, Participant
from api.events.look_turns import limited_concurrency
from api.events.players.entrant import Entrant
from api.events.registration_desk import EventAccess, RegistrationDesk, verdict_on
from api.service.errors import Invalid, NoAccess, Wrong
from api.sheets.registration import Event

ListFile = tuple[ExportKind, bytes]


class ListDesk:
    """The lists of the events of a registration desk, as others see them than their players and judges."""

    def __init__(self, desk: RegistrationDesk) -> None:
        self._desk = desk
        self.looks = desk.looks

    def lists(self, at: EventAccess, kind: str) -> ListFile:
        """Return the lists that who asks sees of others, without ids; NoAccess as long as there may be none.

        Where players are asked for their consent, this has the lists of those alone who gave it, whoever asks.
        """
        now = self._desk.now()
        if not rights.sees_any_list(at.caller, at.stage(now)):
            raise NoAccess
        free = not at.event.consent
        seen = self._entrants(at, lambda one: (free or one.revision.written.publish) and at.sees(one, now))
        return self._file(at, seen, kind)

    @limited_concurrency
    def stream(self, at: EventAccess, players: Sequence[str], table: str, kind: str) -> ListFile:
        """Return the lists of some players, or of those at a table; Invalid where one does not consent to a stream."""
        self._check_streams(at)
        wanted = frozenset(players)
        found = self._entrants(at, lambda one: one.where.table == table if table else one.id in wanted)
        _check_streamed(found, wanted, "/table" if table else "/players")
        return self._file(at, found, kind)

    @limited_concurrency
    def consenting(self, at: EventAccess) -> list[Entrant]:
        """Return the players whose lists may be shown in a stream, by name."""
        self._check_streams(at)
        return self._entrants(at, lambda one: one.revision.written.stream)

    def _check_streams(self, at: EventAccess) -> None:
        if not rights.sees_list(at.caller, at.stage(self._desk.now()), False, False):
            raise NoAccess

    def _entrants(self, at: EventAccess, wanted: Callable[[Entrant], bool]) -> list[Entrant]:
        """Return the registrations with a list that are wanted. Of duplicates, only the one that counts."""
        with self._desk.store.reading() as reader:
            counted = self._desk.duplicates(reader, at.event).counted
        return [one for one in counted if one.received and wanted(one)]

    def _file(self, at: EventAccess, shown: list[Entrant], kind: str) -> ListFile:
        event, judge, made = at.event, self._desk.judge(at.event), SHOWN_LISTS[kind]
        printed = Event(event.name, event.on.isoformat(), event.place)
        players = [Participant.of(event, one, verdict_on(one, judge)) for one in shown]
        return made, made.write(EventRecord(printed, judge, players))


def _check_streamed(found: Sequence[Entrant], wanted: frozenset[str], pointer: str) -> None:
    silent = [one.player for one in found if not one.revision.written.stream]
    if not found or len(found) < len(wanted):
        says = "There is no list of each of these players, or of anybody at this table."
    elif len(found) > MOST_STREAMED:
        says = f"At most {MOST_STREAMED} lists are shown in a stream at once."
    elif silent:
        says = f"There is no consent to be shown in a stream: {'; '.join(silent)}."
    else:
        return
    raise Invalid([Wrong(pointer, says)])
