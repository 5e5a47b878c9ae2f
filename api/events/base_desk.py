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
from api.service.child_processes import WorkTurns
from api.service.clock import moment_of_request
from api.service.errors import Changed, Closed, LimitReached, NoAccess, Unconditional, UnreadableRow
from api.service.judges import Judges
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
    """Return a desk's method as one that first waits for a turn, because it reads all of an event into memory.

    All desks of a registration desk together have 3 turns, and 30 calls may wait. The method raises Busy if more wait,
    or if no turn comes in time. A method with this decorator must not call another one: both would need a turn.
    """

    @wraps(method)
    def wait_and_call(desk: _Desk, /, *arguments: _Arguments.args, **options: _Arguments.kwargs) -> _Result:
        """Wait for a turn of the desk's `work_limit`, then call the method.

        Raises Busy if too many calls wait, or if no turn comes in time.
        """
        with desk.work_limit:
            return method(desk, *arguments, **options)

    return wait_and_call


class EventLimits(NamedTuple):
    """The limits that a server sets for all its events.

    `events` is the largest number of events. `admin_key`, in plain text, creates events. With "" anyone may. `days` are
    the days for which an event's data is kept by default. `are_events_open`: strangers (callers without the admin key)
    may create events too. Such an event is deleted if it is not used in `unused_days` after its creation, or after
    registration opens (the event's day at the latest). `stranger_bytes`: bytes of lists up to which strangers may fill
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
        """The largest number of events that strangers may have created: half of `events`, rounded down."""
        return self.events // 2


class ClientLimits:
    """The limits of one client: wrong keys and codes, new events, bytes. This base class never counts or raises."""

    def may_guess(self) -> bool:
        """Return True if the client may still try an admin key or a join code. Always True in this base class."""
        return True

    def count_miss(self) -> None:
        """Count a wrong key or join code. Does nothing here. A subclass raises if the client has tried too many."""

    def count_event(self) -> None:
        """Count an event that a stranger creates. Does nothing here. A subclass raises if there were too many."""

    def count_bytes(self, size: int) -> None:
        """Count bytes of lists that a stranger sends. Does nothing here. A subclass raises if there were too many."""


class EventAccess(NamedTuple):
    """A caller's access to an event: the event, the caller with their role, and the language of texts in the answer."""

    event: Tournament
    caller: Caller
    translate: Language = ENGLISH

    @property
    def stage(self) -> Callable[[datetime], str]:
        """The function from a moment to the visibility of the event's lists then, one of STAGES."""
        return self.event.visibility.stage

    def sees_list(self, entrant: Entrant, moment: datetime) -> bool:
        """Return True if the caller sees the list of a registration at a moment.

        `rights.sees_list` decides. The player consents by `publish`. Without the event's setting `consent` every player
        counts as consenting. The registration need not have a list.
        """
        consents = entrant.revision.written.publish or not self.event.consent
        return rights.sees_list(self.caller.for_registration(entrant.id), self.stage(moment), entrant.cut, consents)


class BaseDesk:
    """The store of events with the checks of access and the limits that all desks share.

    Threads and processes may share it. `now` returns the moment of the current request. `client_limits` has no limit
    unless it is replaced.
    """

    def __init__(self, store: EventStore, judges: Judges, bounds: EventLimits) -> None:
        self.store = store
        self._judges = judges
        self.bounds = bounds
        self.now: Callable[[], datetime] = moment_of_request
        self.client_limits = ClientLimits()
        self.work_limit = WorkTurns(_CONCURRENT, _WAITING)

    def authorize(self, permission: Permission, event_id: str, secret: str, registration_id: str = "") -> EventAccess:
        """Return the access that a key gives to an event. Raises NoAccess if there is no event or no permission.

        `secret` is the key in plain text, "" for none. `registration_id` is the registration that the request is about:
        its own player becomes OWNER. A key that is not valid there is counted, which may raise. At an event that is
        marked as deleted only organisers and the admin have permissions, and few. Texts of the access are in English.
        """
        event, caller = self._find_access(event_id, secret)
        caller = caller.for_registration(registration_id)
        if secret and caller.role == ANYONE:
            self.client_limits.count_miss()
        if event is None or not rights.has_permission(permission, caller, event.deleted_on is not None):
            raise NoAccess
        return EventAccess(event, caller)

    def is_event_key(self, event_id: str, secret: str) -> bool:
        """Return True if a key in plain text is valid at the event or is the admin's. False if the event is missing."""
        return self._find_access(event_id, secret)[1].role != ANYONE

    def _find_access(self, event_id: str, secret: str) -> tuple[Tournament | None, Caller]:
        """Return (event, caller) by an event's id and a key in plain text.

        (None, a caller with the role ANYONE) if the event is missing. Raises UnreadableRow to callers with a valid key
        if the settings of the event cannot be read. To others it is missing, because its visibility is not known.
        """
        try:
            with self.store.reading() as reader:
                try:
                    return reader.event(event_id), self._caller(reader, event_id, secret)
                except UnreadableRow:
                    if self._caller(reader, event_id, secret).role == ANYONE:
                        return None, Caller()
                    raise
        except NoAccess:
            return None, Caller()

    def is_admin(self, secret: str) -> bool:
        """Return True if a key in plain text is the admin's, and the client may still try.

        False if the server has no admin key, or if the client has tried too many keys.
        """
        return is_same(secret, self.bounds.admin_key) and self.client_limits.may_guess()

    def _caller(self, reader: EventReader, event_id: str, secret: str) -> Caller:
        """Return the caller with a key in plain text at an event: the admin, or the holder of a key of the event.

        For "", a wrong or revoked key, or one of more than LONGEST_KEY characters, it is a caller with the role ANYONE.
        """
        if not secret or len(secret) > LONGEST_KEY:
            return Caller()
        if self.is_admin(secret):
            return Caller(ADMIN)
        return reader.caller(event_id, secret)

    def read_deck(self, access: EventAccess, deck: Deck | None, decklist: str | None) -> Deck | None:
        """Return the deck that the text `decklist` lists, by the event's game. If the text is None, return `deck`.

        The result is None if both are None. Raises Invalid if the text cannot be read.
        """
        return deck if decklist is None else self._judges.read_deck(decklist, access.event.game).deck

    @contextmanager
    def writing(self, access: EventAccess, includes_deleted: bool = False) -> Iterator[EventWriter]:
        """Yield the writer of an event for a caller, within one transaction. All writes of callers begin here.

        Raises NoAccess if there is no event, or if the caller's key was revoked since the request arrived. An event
        that is marked as deleted counts as gone, unless `includes_deleted`. At the end LimitReached is raised, and
        nothing saved, if the audit has no room for the changes.
        """
        with self.store.writing(access.event.id, self.now()) as writer:
            writer.check_access(access.caller, includes_deleted)
            yield writer

    def write_once(
        self, access: EventAccess, request: RepeatableRequest | None, act: Callable[[EventWriter], Reply]
    ) -> Reply:
        """Call `act` with a writer of the event, and return its answer. A request None cannot be repeated.

        For a request with an Idempotency-Key that came before, return the stored answer without a call. Raises the
        errors of `writing`, and Invalid if the key came with another content. Raises LimitReached if the stored answer
        was deleted or there is no room to store one.
        """
        with self.writing(access) as writer:
            return answer_once(writer, request, act, access.event.id)

    def judge(self, event: Tournament, is_new_list: bool = False) -> Judge:
        """Return the Judge for the decks of an event, with its rules, limits and cards. It may be a cached one.

        Raises Invalid if its terms do not fit together. `is_new_list`: Invalid is also raised if the event's own limits
        list is wrong or does not fit the official list. Otherwise such entries of a stored list are ignored.
        """
        return self._judges.judge(event.terms._replace(is_stored_list=False) if is_new_list else event.terms)

    def own_list(self, event: Tournament, is_staff: bool, translate: Language = ENGLISH) -> OwnListJSON | None:
        """Return the organiser's own limits list of an event as JSON, None without one. Only staff get its warnings.

        It has the differences from the official list, and the card pool, on the event's day. `translate` is for the
        warnings. Raises Invalid if the terms of the event do not fit together.
        """
        own = self._judges.own_list(event.terms)
        if own is None:
            return None
        official = self._judges.judge(event.terms._replace(limits_list=None, is_stored_list=False))
        judge = self.judge(event)
        warnings = find_warnings(own, official, judge.terms, translate) if is_staff else []
        return own_list_json(own.name, official.terms.in_force, judge.terms.in_force, warnings)

    def duplicates(self, reader: EventReader, event: Tournament) -> Duplicates:
        """Read all registrations of an event with their lists, and return them with their duplicates."""
        return Duplicates(reader.entrants(event.id), self.judge(event).catalogue)

    def find_registration(self, reader: EventReader, access: EventAccess, id: str) -> Entrant:
        """Return a registration by id.

        Raises NoAccess if the event lacks it or the caller does not see its list now.
        """
        one = reader.entrant(access.event.id, id)
        if not access.sees_list(one, self._moment(reader)):
            raise NoAccess
        return one

    def _moment(self, reader: EventReader) -> datetime:
        """Return the moment to compare deadlines with: `now` of an EventWriter, else the moment of the request."""
        return reader.now if isinstance(reader, EventWriter) else self.now()

    def check_room(self, reader: EventReader, access: EventAccess, entrants: int, size: int) -> None:
        """Raise LimitReached if the event has no room for more registrations, or for more bytes of lists.

        `entrants` is the number of new registrations. 0 skips that check. `size` is the number of new bytes. An event
        has at most MOST_ENTRANTS registrations and MOST_BYTES bytes. A stranger may fill it only to `stranger_bytes`.
        """
        if entrants and reader.count_entrants(access.event.id) + entrants > MOST_ENTRANTS:
            raise LimitReached(phrase("An event has at most {most:,} registrations.", most=MOST_ENTRANTS))
        most = self.bounds.stranger_bytes if _is_by_stranger(access) else MOST_BYTES
        if reader.size(access.event.id) + size > most:
            raise LimitReached(phrase("There is no room for more lists at this event. Ask the organiser."))

    def count_bytes(self, access: EventAccess, size: int) -> None:
        """Count bytes of lists that a stranger stores, which may raise if the client has stored too many.

        Everybody at an event of strangers counts as a stranger, elsewhere all but the staff. Nothing is counted if the
        server has no admin key.
        """
        if self.bounds.admin_key and _is_by_stranger(access):
            self.client_limits.count_bytes(size)


class PartDesk:
    """A desk for one part of events, such as imports. It uses the base desk as `_desk`, and shares its `work_limit`."""

    def __init__(self, desk: BaseDesk) -> None:
        self._desk = desk
        self.work_limit = desk.work_limit

    def _check_sees_lists(self, access: EventAccess) -> None:
        """Raise NoAccess if the caller may not see the lists of all players at this moment."""
        if not rights.sees_list(access.caller, access.stage(self._desk.now()), False, False):
            raise NoAccess


def answer_once(
    writer: EventWriter, request: RepeatableRequest | None, act: Callable[[EventWriter], Reply], event_id: str
) -> Reply:
    """Return the stored answer if a request was sent before. Else call `act`, store its answer, and return it.

    A request None has no Idempotency-Key: `act` is called and nothing is stored. The answer is stored with the event
    `event_id`, and deleted with it. Raises Invalid if the key of the request came with another content. Raises
    LimitReached if the stored answer was deleted or there is no room to store one.
    """
    if request is not None and (first := idempotency.find_answer(writer.connection, request)):
        return first
    answer = act(writer)
    if request is not None:
        idempotency.store_answer(writer.connection, request, answer, event_id, writer.now, writer.has_noted)
    return answer


def _is_by_stranger(access: EventAccess) -> bool:
    """Return True if a caller counts as a stranger: everybody at an event of strangers, elsewhere all but the staff."""
    return access.event.is_strangers or not access.caller.is_staff


def check_open(access: EventAccess, moment: datetime, until: datetime | None, reason: str) -> None:
    """Raise Closed if registration is not open at a moment. Staff who give a `reason` may change a list at any time.

    `until` is the player's own deadline, None for the times of the event. The message is the sentence on the deadline,
    in the language of the access. Staff are also told to give a reason.
    """
    if access.event.is_open(moment, until) or (access.caller.is_staff and reason):
        return
    says = event_answers.deadline(access.event, until, moment, 0, access.translate)["says"]
    raise Closed(access.translate("{says} Give a `reason`.", says=says) if access.caller.is_staff else says)


def check_match(if_match: IfMatch, version: int, needed: bool = True) -> None:
    """Raise Changed if the If-Match header of a request does not contain the current version.

    `if_match` None is a request without that header: then Unconditional is raised if the header is `needed`.
    """
    if if_match is None:
        if needed:
            raise Unconditional
    elif not if_match(str(version)):
        raise Changed


def verdict_on(entrant: Entrant, judge: Judge) -> Verdict | None:
    """Judge the list of a registration and return the verdict. None if there is no list."""
    deck = entrant.revision.deck
    return None if deck is None else judge(deck)


def reply(status: int, content: object, **headers: str) -> Reply:
    """Return an HTTP reply with `content` as its JSON body. `headers` are by name."""
    return Reply(status, orjson.dumps(content), headers)
