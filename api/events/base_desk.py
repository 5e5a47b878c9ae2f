"""The base desk: who may do what at an event, within which limits, and how each write and answer begins.

Every desk of events asks it for access, readers and writers. `registration_desk` adds the registrations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import wraps
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

import orjson

from api.events import event_answers, rights
from api.events.bounds import LONGEST_KEY, MOST_BYTES, MOST_ENTRANTS
from api.events.own_list import OwnListJSON, find_warnings, own_list_json
from api.events.players.duplicates import Duplicates
from api.events.players.entrant import Entrant
from api.events.rights import Permission
from api.events.storage import idempotency
from api.events.storage.event_keys import ADMIN, ANYONE, Caller, is_same
from api.events.storage.event_reader import EventReader
from api.events.storage.event_store import EventStore
from api.events.storage.event_writer import EventWriter
from api.events.storage.idempotency import RepeatableRequest, Reply
from api.events.tournament import Tournament
from api.service.clock import moment_of_request
from api.service.errors import Changed, Closed, LimitReached, NoAccess, Unconditional
from api.service.judges import Judges
from api.service.processes.child_processes import WorkTurns
from validator.deck import Deck
from validator.judge import Judge, Verdict
from validator.language import ENGLISH, Language, phrase

# Requests that read all of an event at the same time, and those that wait for it: there is memory for few.
_CONCURRENT, _WAITING = 3, 30
IfMatch = Callable[[str], bool] | None  # whether an ETag is among those that were sent; None: none was sent

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")
_Desk = TypeVar("_Desk", bound="BaseDesk | PartDesk")


def limited_concurrency(
    method: Callable[Concatenate[_Desk, _Arguments], _Result],
) -> Callable[Concatenate[_Desk, _Arguments], _Result]:
    """Return a desk's method as one that waits for its turn. The method raises Busy if too many wait.

    A method with this decorator must not call another one: both would need a turn.
    """

    @wraps(method)
    def wait_and_call(desk: _Desk, /, *arguments: _Arguments.args, **options: _Arguments.kwargs) -> _Result:
        """Wait for a free place among the concurrent calls of the desk, then call the method."""
        with desk.work_limit:
            return method(desk, *arguments, **options)

    return wait_and_call


class EventLimits(NamedTuple):
    """The bounds of all events.

    `admin_key` is needed to create an event, "" if anyone may. `are_events_open`: strangers may create events too,
    which are deleted after `unused_days` without use. `stranger_bytes`: bytes of lists that strangers may register at
    one event. `restore_days`: days for which a deleted event can be restored.
    """

    events: int = 1000
    admin_key: str = ""
    days: int = 90
    are_events_open: bool = False
    unused_days: int = 14
    stranger_bytes: int = 50_000_000
    restore_days: int = 14

    @property
    def strangers_events(self) -> int:
        """The number of events that strangers may create: half of all."""
        return self.events // 2


class ClientLimits:
    """The limits of one client: wrong keys and codes, new events, bytes. This base class has no limit."""

    def may_guess(self) -> bool:
        """Return True if the client may still try the admin's key or a join code."""
        return True

    def count_miss(self) -> None:
        """Count a wrong key or join code. A subclass raises if the client has tried too many."""

    def count_event(self) -> None:
        """Count an event that a stranger creates. A subclass raises if the client has created too many."""

    def count_bytes(self, size: int) -> None:
        """Count bytes of lists that a stranger sends. A subclass raises if the client has sent too many."""


class EventAccess(NamedTuple):
    """A caller's access to an event: the event, the caller with their role, and the language of the answer."""

    event: Tournament
    caller: Caller
    translate: Language = ENGLISH

    @property
    def stage(self) -> Callable[[datetime], str]:
        """The function that returns the stage of the event, one of STAGES, at a moment."""
        return self.event.visibility.stage

    def sees_list(self, entrant: Entrant, moment: datetime) -> bool:
        """Return True if the caller sees the list of a registration."""
        consents = entrant.revision.written.publish or not self.event.consent
        return rights.sees_list(self.caller.for_registration(entrant.id), self.stage(moment), entrant.cut, consents)


class BaseDesk:
    """The events of a store, as every desk needs them. Threads and processes may share it."""

    def __init__(self, store: EventStore, judges: Judges, bounds: EventLimits) -> None:
        self.store = store
        self._judges = judges
        self.bounds = bounds
        self.now: Callable[[], datetime] = moment_of_request
        self.client_limits = ClientLimits()
        self.work_limit = WorkTurns(_CONCURRENT, _WAITING)

    def authorize(self, permission: Permission, event_id: str, secret: str, registration_id: str = "") -> EventAccess:
        """Return the access that a key gives to an event. Raises NoAccess without the event or the permission."""
        event, caller = self._find_access(event_id, secret)
        caller = caller.for_registration(registration_id)
        if secret and caller.role == ANYONE:
            self.client_limits.count_miss()
        if event is None or not rights.has_permission(permission, caller, event.deleted_on is not None):
            raise NoAccess
        return EventAccess(event, caller)

    def is_event_key(self, event_id: str, secret: str) -> bool:
        """Return True if a key belongs to the event, or is the admin's. False if there is no such event."""
        return self._find_access(event_id, secret)[1].role != ANYONE

    def _find_access(self, event_id: str, secret: str) -> tuple[Tournament | None, Caller]:
        """Return the event with an id and the caller with a key.

        (None, a caller without rights) if there is no such event.
        """
        try:
            with self.store.reading() as reader:
                return reader.event(event_id), self._caller(reader, event_id, secret)
        except NoAccess:
            return None, Caller()

    def is_admin(self, secret: str) -> bool:
        """Return True if a key is the admin's, and the client has not tried too many wrong ones."""
        return is_same(secret, self.bounds.admin_key) and self.client_limits.may_guess()

    def _caller(self, reader: EventReader, event_id: str, secret: str) -> Caller:
        """Return the caller of an event with this key: the admin, a holder of a key, or anyone."""
        if not secret or len(secret) > LONGEST_KEY:
            return Caller()
        if self.is_admin(secret):
            return Caller(ADMIN)
        return reader.caller(event_id, secret)

    def read_deck(self, access: EventAccess, deck: Deck | None, decklist: str | None) -> Deck | None:
        """Return the deck of `decklist` if that is not None, else `deck`. Raises Invalid if the text cannot be read."""
        return deck if decklist is None else self._judges.read_deck(decklist, access.event.game).deck

    @contextmanager
    def writing(self, access: EventAccess, includes_deleted: bool = False) -> Iterator[EventWriter]:
        """Yield the writer of an event for a caller. All writes of callers begin here.

        Raises NoAccess if the caller's key was revoked or the event deleted since the request arrived.
        `includes_deleted`: an event that is only marked as deleted is there.
        """
        with self.store.writing(access.event.id, self.now()) as writer:
            writer.check_access(access.caller, includes_deleted)
            yield writer

    def write_once(
        self, access: EventAccess, request: RepeatableRequest | None, act: Callable[[EventWriter], Reply]
    ) -> Reply:
        """Call `act` with a writer and return its answer. A repeated request gets the stored answer, without a call."""
        with self.writing(access) as writer:
            return answer_once(writer, request, act, access.event.id)

    def judge(self, event: Tournament, is_new_list: bool = False) -> Judge:
        """Return the judge of an event.

        `is_new_list`: Invalid is raised if an entry of the event's own limits list does not fit the official list.
        """
        return self._judges.judge(event.terms._replace(is_stored_list=False) if is_new_list else event.terms)

    def own_list(self, event: Tournament, is_staff: bool, translate: Language = ENGLISH) -> OwnListJSON | None:
        """Return the own limits list of an event, None without one. Only staff get its warnings."""
        own = self._judges.own_list(event.terms)
        if own is None:
            return None
        official = self._judges.judge(event.terms._replace(limits_list=None, is_stored_list=False))
        judge = self.judge(event)
        warnings = find_warnings(own, official, judge.terms, translate) if is_staff else []
        return own_list_json(own.name, official.terms.in_force, judge.terms.in_force, warnings)

    def duplicates(self, reader: EventReader, event: Tournament) -> Duplicates:
        """Return the duplicates among all registrations of an event."""
        return Duplicates.read(reader, event.id, self.judge(event).catalogue)

    def find_registration(self, reader: EventReader, access: EventAccess, id: str) -> Entrant:
        """Return a registration. Raises NoAccess if the caller does not see its list."""
        one = reader.entrant(access.event.id, id)
        if not access.sees_list(one, self._moment(reader)):
            raise NoAccess
        return one

    def _moment(self, reader: EventReader) -> datetime:
        """Return the moment to compare deadlines with: that of an EventWriter, else the current time."""
        return reader.now if isinstance(reader, EventWriter) else self.now()

    def check_room(self, reader: EventReader, access: EventAccess, entrants: int, size: int) -> None:
        """Raise LimitReached if the event has no room for more registrations or bytes. Strangers have less room."""
        if entrants and reader.count_entrants(access.event.id) + entrants > MOST_ENTRANTS:
            raise LimitReached(phrase("An event has at most {most:,} registrations.", most=MOST_ENTRANTS))
        most = self.bounds.stranger_bytes if _is_by_stranger(access) else MOST_BYTES
        if reader.size(access.event.id) + size > most:
            raise LimitReached(phrase("There is no room for more lists at this event. Ask the organiser."))

    def count_bytes(self, access: EventAccess, size: int) -> None:
        """Count bytes that a stranger stores. The client_limits may raise if the address has stored too many."""
        if self.bounds.admin_key and _is_by_stranger(access):
            self.client_limits.count_bytes(size)


class PartDesk:
    """A desk for one part of events. It uses the base desk, and shares its work limit."""

    def __init__(self, desk: BaseDesk) -> None:
        self._desk = desk
        self.work_limit = desk.work_limit


def answer_once(
    writer: EventWriter, request: RepeatableRequest | None, act: Callable[[EventWriter], Reply], event_id: str
) -> Reply:
    """Return the stored answer to a repeated request. Else call `act`, and store its answer with the event."""
    if request is not None and (first := idempotency.find_answer(writer.connection, request)):
        return first
    answer = act(writer)
    if request is not None:
        idempotency.store_answer(writer.connection, request, answer, event_id, writer.now, writer.has_noted)
    return answer


def _is_by_stranger(access: EventAccess) -> bool:
    """Return True if a stranger stores something: at an event of strangers, or without a key of the staff."""
    return access.event.is_strangers or not access.caller.is_staff


def check_open(access: EventAccess, moment: datetime, until: datetime | None, reason: str) -> None:
    """Raise Closed if registration is not open. Staff who give a reason may change a list at any time.

    `until` is the player's own deadline, None for the deadline of the event.
    """
    if access.event.is_open(moment, until) or (access.caller.is_staff and reason):
        return
    says = event_answers.deadline(access.event, until, moment, 0, access.translate)["says"]
    raise Closed(access.translate("{says} Give a `reason`.", says=says) if access.caller.is_staff else says)


def check_match(if_match: IfMatch, version: int, needed: bool = True) -> None:
    """Raise Changed if a request is about another version than the present one.

    Raises Unconditional if the request names no version, unless that is not `needed`.
    """
    if if_match is None:
        if needed:
            raise Unconditional
    elif not if_match(str(version)):
        raise Changed


def verdict_on(entrant: Entrant, judge: Judge) -> Verdict | None:
    """Return the verdict on the list of a registration, None if there is no list."""
    deck = entrant.revision.deck
    return None if deck is None else judge(deck)


def reply(status: int, content: object, **headers: str) -> Reply:
    """Return a reply with `content` as its JSON body."""
    return Reply(status, orjson.dumps(content), headers)
