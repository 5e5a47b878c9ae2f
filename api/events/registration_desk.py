"""The registration desk: everything that may be asked of an event, whoever asks; each answer says what may be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from typing import Any, NamedTuple, cast

import orjson

from api.events import event_answers, rights
from api.events.bounds import LONGEST_KEY, MOST_BYTES, MOST_ENTRANTS, MOST_REVISIONS
from api.events.event_answers import etag
from api.events.look_turns import limited_concurrency
from api.events.player_json import (
    ListedRegistrationJSON,
    MadeWithJSON,
    PlayerDataJSON,
    PlayerKeyJSON,
    PlayersKeyJSON,
    RegisteredJSON,
    RegistrationsJSON,
    RevisionsJSON,
    ShownRegistrationJSON,
    ShownRevisionJSON,
)
from api.events.players import attendance
from api.events.players.duplicates import Duplicates, find_duplicates
from api.events.players.entrant import Entrant, RegistrationContent, Whereabouts, kept_deck
from api.events.players.roster_order import BY_NAME, RosterOrder
from api.events.rights import Permission
from api.events.storage import idempotency
from api.events.storage.event_keys import ADMIN, ANYONE, OWNER, Caller, is_same
from api.events.storage.event_reader import EventReader
from api.events.storage.event_store import EventStore
from api.events.storage.event_tables import KeyRow
from api.events.storage.event_writer import EventWriter
from api.events.storage.idempotency import Once, Reply
from api.events.storage.import_history import states_of
from api.events.tournament import Tournament
from api.service.clock import moment_of_request
from api.service.errors import Changed, Closed, LimitReached, NoAccess, Unconditional
from api.service.judges import Judges
from api.service.processes.child_processes import WorkTurns
from validator.deck import Deck
from validator.judge import Judge, Verdict
from validator.language import ENGLISH, Language

_LONG = 200_000  # bytes of all revisions of a registration; a hundred of a deck have as many
_LOOKS, _WAITING = 3, 30  # at all of an event, of those who ask for that at once
IfMatch = Callable[[str], bool] | None  # whether an ETag is among those that were sent; None: none was sent


class EventLimits(NamedTuple):
    """The bounds of all events.

    `admin_key` is needed to create an event, "" if anyone may. `are_events_open`: strangers may create events too,
    which are deleted after `unused_days` if nobody uses them. `stranger_bytes`: bytes of lists that strangers may
    register at one event. `restore_days`: a deleted event can be restored for so long.
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
    """Limits what one client may do: wrong keys and codes, new events, bytes. This base class has no limit."""

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
    say: Language = ENGLISH

    @property
    def stage(self) -> Callable[[datetime], str]:
        """Who sees the lists at a moment."""
        return self.event.visibility.stage

    def sees(self, one: Entrant, now: datetime) -> bool:
        """Tell whether the caller sees a list."""
        consents = one.revision.written.publish or not self.event.consent
        return rights.sees_list(self.caller.for_registration(one.id), self.stage(now), one.cut, consents)


class RegistrationChange(NamedTuple):
    """What somebody writes of a registration: only what is said; None and {} leave all else as it is."""

    said: Mapping[str, Any]
    deck: Deck | None = None
    decklist: str | None = None
    reason: str = ""
    where: Mapping[str, str] = {}  # never changed

    def on(self, before: RegistrationContent) -> RegistrationContent:
        """Return a registration with what is said in place of what it was."""
        written = before._replace(**self.said)
        if self.deck is None:
            return written
        # What a database keeps as text has no such character.
        text = None if self.decklist is None else self.decklist.replace("\0", "\ufffd")
        return written._replace(deck=kept_deck(self.deck), decklist=text)


class JudgedRegistration(NamedTuple):
    """A registration as it stands: the verdict on its list, and what who asks is shown of it."""

    entrant: Entrant
    verdict: Verdict | None
    shown: ShownRegistrationJSON


class RegistrationDesk:
    """The events of a store, for the asking; safe to share between threads and processes."""

    def __init__(self, store: EventStore, judges: Judges, bounds: EventLimits) -> None:
        self.store = store
        self._judges = judges
        self.bounds = bounds
        self.now: Callable[[], datetime] = moment_of_request
        self.client_limits = ClientLimits()
        self.looks = WorkTurns(_LOOKS, _WAITING)

    # Who asks

    def authorize(self, permission: Permission, event_id: str, secret: str, registration_id: str = "") -> EventAccess:
        """Return the access that a key gives to an event. Raises NoAccess without the event or the permission."""
        event, caller = self._asking(event_id, secret)
        caller = caller.for_registration(registration_id)
        if secret and caller.role == ANYONE:
            self.client_limits.count_miss()
        if event is None or not rights.may(permission, caller, event.deleted_on is not None):
            raise NoAccess
        return EventAccess(event, caller)

    def holds(self, event_id: str, secret: str) -> bool:
        """Tell whether a key opens anything of an event."""
        return self._asking(event_id, secret)[1].role != ANYONE

    def _asking(self, event_id: str, secret: str) -> tuple[Tournament | None, Caller]:
        try:
            with self.store.reading() as reader:
                return reader.event(event_id), self._caller(reader, event_id, secret)
        except NoAccess:
            return None, Caller()

    def is_admin(self, secret: str) -> bool:
        """Return True if a key is the admin's, and the client has not tried too many wrong ones."""
        return is_same(secret, self.bounds.admin_key) and self.client_limits.may_guess()

    def _caller(self, reader: EventReader, event_id: str, secret: str) -> Caller:
        if not secret or len(secret) > LONGEST_KEY:
            return Caller()
        if self.is_admin(secret):
            return Caller(ADMIN)
        return reader.caller(event_id, secret)

    # Registrations

    def read_deck(self, at: EventAccess, deck: Deck | None, decklist: str | None) -> Deck | None:
        """Return a deck as written, or the deck that a text is; Invalid where that cannot be read."""
        return deck if decklist is None else self._judges.read(decklist, at.event.game).deck

    def register(self, at: EventAccess, wish: RegistrationChange, once: Once | None) -> Reply:
        """Register a player; the answer has the player's key."""
        caller, written = at.caller, wish.on(RegistrationContent(""))
        judge = self.judge(at.event)

        def add(writer: EventWriter) -> Reply:
            event = writer.event(at.event.id)
            check_open(at._replace(event=event), writer.now, None, wish.reason)
            self.check_room(writer, at._replace(event=event), 1, written.size)
            self.count_bytes(at, written.size)
            (id,) = writer.add_entrants([written], caller.signature, wish.reason, [Whereabouts(**wish.where)])
            (key,) = writer.add_player_keys([id], caller.signature)
            one = writer.entrant(event.id, id)
            own = self._shown(writer, EventAccess(event, Caller(OWNER), at.say), one, judge)
            shown: RegisteredJSON = {**own, "key": key}
            return reply(201, shown, ETag=etag(one.version), Location=f"/v1/events/{event.id}/registrations/{id}")

        return self.answered_once(at, once, add)

    def registrations(self, at: EventAccess) -> Reply:
        """Return the registrations that the caller sees: staff all, others only those that count.

        Raises NoAccess if the caller may see none but an own one.
        """
        now, judge = self.now(), self.judge(at.event)
        if not (at.caller.is_staff or rights.sees_any_list(at.caller, at.stage(now))):
            raise NoAccess
        with self.store.reading() as reader:
            duplicates = self.duplicates(reader, at.event)
        if at.caller.is_staff:
            listed = [self._summary(at, one, judge, duplicates, now) for one in duplicates.entrants]
        else:
            seen = [one for one in duplicates.counted if at.sees(one, now) and one.received]
            others = [event_answers.registration(at.event, one, Caller(), now, verdict_on(one, judge)) for one in seen]
            listed = cast("list[ListedRegistrationJSON]", others)  # which has their entries too
        shown: RegistrationsJSON = {
            "event": at.event.id,
            "made_with": cast("MadeWithJSON", judge.made_with),
            "registrations": listed,
        }
        return reply(200, shown)

    def _summary(
        self, at: EventAccess, one: Entrant, judge: Judge, duplicates: Duplicates, now: datetime
    ) -> ListedRegistrationJSON:
        verdict = verdict_on(one, judge) if at.sees(one, now) else None
        return event_answers.summary(at.event, one, verdict, duplicates.find(one))

    def registration(self, at: EventAccess, id: str) -> Reply:
        """Return a registration; NoAccess where who asks does not see it."""
        found = self.registered(at, id)
        return reply(200, found.shown, ETag=etag(found.entrant.version))

    def registered(self, at: EventAccess, id: str) -> JudgedRegistration:
        """Return a registration as data; NoAccess where who asks does not see it."""
        judge = self.judge(at.event)
        with self.store.reading() as reader:
            return self._registered(reader, at, self.seen(reader, at, id), judge)

    def revise(self, at: EventAccess, id: str, wish: RegistrationChange, if_match: IfMatch) -> Reply:
        """Write a registration anew, as a revision; what is not said stays as it is."""
        judge = self.judge(at.event)
        with self.writing(at) as writer:
            at = at._replace(event=writer.event(at.event.id))
            one = self.seen(writer, at, id)
            check_match(if_match, one.version)
            check_open(at, writer.now, one.until, wish.reason)
            written = wish.on(one.revision.written)
            if written != one.revision.written:
                if one.revision.number >= MOST_REVISIONS:
                    raise LimitReached(f"A registration is changed {MOST_REVISIONS} times at most; see a judge.")
                self.check_room(writer, at, 0, written.size)
                self.count_bytes(at, written.size)
                writer.revise([(one, written)], at.caller.signature, wish.reason)
                one = writer.entrant(at.event.id, id)
            writer.move([(one, one.where._replace(**wish.where))], at.caller.signature)
            one = writer.entrant(at.event.id, id)
            return reply(200, self._shown(writer, at, one, judge), ETag=etag(one.version))

    def settle(self, at: EventAccess, id: str, said: Mapping[str, Any], reason: str, if_match: IfMatch) -> Reply:
        """Say by when a player is let in late, whether in the top cut, at which table, and the address to write to.

        The address is the player's own to change, at any time; of all else judges decide.
        """
        if at.caller.role == OWNER and said.keys() - {"email"}:
            raise NoAccess
        judge = self.judge(at.event)
        with self.writing(at) as writer:
            one = self.seen(writer, at, id)
            check_match(if_match, one.version, needed=False)
            values = dict(said)
            if values.get("until"):
                values["until"] = values["until"].isoformat()
            writer.settle(one, values, at.caller.signature, reason)
            one = writer.entrant(at.event.id, id)
            return reply(200, self._shown(writer, at, one, judge), ETag=etag(one.version))

    def withdraw(self, at: EventAccess, id: str) -> Reply:
        """Remove a registration with all that is known of the player."""
        with self.writing(at) as writer:
            one = self.seen(writer, at, id)
            if not at.caller.is_staff:
                check_open(at._replace(event=writer.event(at.event.id)), writer.now, one.until, "")
            writer.remove_entrant(one, at.caller.signature)
        return Reply(204, b"")

    def revisions(self, at: EventAccess, id: str) -> Reply:
        """Return every revision of a registration with what it changed."""
        with self._turn(id), self.store.reading() as reader:
            one = self.seen(reader, at, id)
            shown: RevisionsJSON = {"registration": id, "revisions": self._revisions(reader, at.event, one)}
            return reply(200, shown)

    def player_data(self, at: EventAccess, id: str) -> Reply:
        """Return all that is known of a player."""
        judge = self.judge(at.event)
        with self._turn(id), self.store.reading() as reader:
            one = self.seen(reader, at, id)
            keys: list[PlayersKeyJSON] = [
                {"id": key.id, "created": key.created, "revoked": key.revoked} for key in reader.keys(at.event.id, id)
            ]
            shown: PlayerDataJSON = {
                "registration": self._shown(reader, at, one, judge),
                "keys": keys,
                "audit": [entry.as_json() for entry in reader.audit(at.event.id, id)],
                "checks": [check.as_dict(judge) for check in reader.checks(at.event.id, id)],
                "before_imports": [state._asdict() for state in states_of(reader.connection, id)],
                "revisions": self._revisions(reader, at.event, one),
            }
            return reply(200, shown)

    def renew_key(self, at: EventAccess, id: str, once: Once | None) -> Reply:
        """Make a new key for a player who has lost the old one, which holds no longer."""
        by = at.caller.signature

        def renew(writer: EventWriter) -> Reply:
            one = self.seen(writer, at, id)  # whose list the key opens
            writer.revoke(KeyRow.registration_id == id, by, id)
            shown: PlayerKeyJSON = {"registration": one.id, "key": writer.add_player_keys([id], by)[0]}
            return reply(201, shown)

        return self.answered_once(at, once, renew)

    # Many players

    @limited_concurrency
    def roster(self, at: EventAccess, order: RosterOrder = BY_NAME) -> Reply:
        """Return the roster in an order. Raises NoAccess if the caller may not see the roster."""
        if not rights.sees_roster(at.caller, at.event.visibility.roster):
            raise NoAccess
        judge, now, is_staff = self.judge(at.event), self.now(), at.caller.is_staff
        with self.store.reading() as reader:
            duplicates = self.duplicates(reader, at.event)
        entrants = duplicates.entrants
        rows = [(one, verdict_on(one, judge) if is_staff and at.sees(one, now) else None) for one in entrants]
        return reply(200, attendance.roster(at.event, rows, duplicates, at.caller, order))

    # How it is done

    @contextmanager
    def writing(self, at: EventAccess, includes_deleted: bool = False) -> Iterator[EventWriter]:
        """Yield the writer of an event for a caller. All writes of callers begin here.

        Raises NoAccess if the caller's key was revoked or the event deleted since the request arrived.
        `includes_deleted`: an event that is only marked as deleted is there.
        """
        with self.store.writing(at.event.id, self.now()) as writer:
            writer.check_access(at.caller, includes_deleted)
            yield writer

    def answered_once(self, at: EventAccess, once: Once | None, act: Callable[[EventWriter], Reply]) -> Reply:
        """Write and return the answer. A repeated request gets its first answer, and nothing is written again."""
        with self.writing(at) as writer:
            return answer_once(writer, once, act, at.event.id)

    def judge(self, event: Tournament) -> Judge:
        """Return the judge of an event."""
        return self._judges.judge(event.asked)

    def duplicates(self, reader: EventReader, event: Tournament) -> Duplicates:
        """Return the duplicates among all registrations of an event."""
        return Duplicates.read(reader, event.id, self.judge(event).catalogue)

    def seen(self, reader: EventReader, at: EventAccess, id: str) -> Entrant:
        """Return a registration; NoAccess where who asks does not see it."""
        one = reader.entrant(at.event.id, id)
        if not at.sees(one, self._moment(reader)):
            raise NoAccess
        return one

    def _moment(self, reader: EventReader) -> datetime:
        """Return the moment that deadlines are compared with: the writer's, or the present for a reader."""
        return reader.now if isinstance(reader, EventWriter) else self.now()

    def _shown(self, reader: EventReader, at: EventAccess, one: Entrant, judge: Judge) -> ShownRegistrationJSON:
        return self._registered(reader, at, one, judge).shown

    def _registered(self, reader: EventReader, at: EventAccess, one: Entrant, judge: Judge) -> JudgedRegistration:
        closes, now, verdict = at.event.closes, self._moment(reader), verdict_on(one, judge)
        private = at.caller.is_staff or at.caller.role == OWNER
        stood = reader.stood_at(one.id, closes) if private and closes and closes <= now else None
        duplicates = find_duplicates(reader, at.event.id, one, judge.catalogue) if private else []
        shown = event_answers.registration(at.event, one, at.caller, now, verdict, stood, duplicates, at.say)
        return JudgedRegistration(one, verdict, shown)

    def _turn(self, registration_id: str) -> AbstractContextManager[object]:
        """Return what a look at all revisions of a registration waits for: its turn, where they are many and long."""
        with self.store.reading() as reader:
            return self.looks if reader.length(registration_id) > _LONG else nullcontext()

    def _revisions(self, reader: EventReader, event: Tournament, one: Entrant) -> list[ShownRevisionJSON]:
        judge = self.judge(event)
        stood = reader.stood_at(one.id, event.closes) if event.closes and event.closes <= self.now() else None
        found = reader.revisions(one.id)
        return [
            event_answers.revision(event, one, each, before, judge, stood)
            for before, each in zip((None, *found), found, strict=False)
        ]

    def check_room(self, reader: EventReader, at: EventAccess, entrants: int, size: int) -> None:
        """Raise LimitReached if the event has no room for more registrations or bytes. Strangers have less room."""
        if entrants and reader.count_entrants(at.event.id) + entrants > MOST_ENTRANTS:
            raise LimitReached(f"An event has {MOST_ENTRANTS:,} registrations at most.")
        most = self.bounds.stranger_bytes if _is_strangers(at) else MOST_BYTES
        if reader.size(at.event.id) + size > most:
            raise LimitReached("There is no room for more lists at this event. Ask who runs the event.")

    def count_bytes(self, at: EventAccess, size: int) -> None:
        """Count bytes that a stranger stores. The client_limits may raise if the address has stored too many."""
        if self.bounds.admin_key and _is_strangers(at):
            self.client_limits.count_bytes(size)


def answer_once(writer: EventWriter, once: Once | None, act: Callable[[EventWriter], Reply], event_id: str) -> Reply:
    """Return the first answer to a request that is repeated, else act, and keep the answer with the event."""
    if once is not None and (first := idempotency.kept(writer.connection, once)):
        return first
    answer = act(writer)
    if once is not None:
        idempotency.keep(writer.connection, once, answer, event_id, writer.now, writer.has_noted)
    return answer


def _is_strangers(at: EventAccess) -> bool:
    """Return True if a stranger stores something: at an event of strangers, or without a key of the staff."""
    return at.event.is_strangers or not at.caller.is_staff


def check_open(at: EventAccess, now: datetime, until: datetime | None, reason: str) -> None:
    """Refuse a change that comes too early or too late, unless one who runs the event gives a reason for it."""
    if at.event.is_open(now, until) or (at.caller.is_staff and reason):
        return
    says = event_answers.deadline(at.event, until, now, 0, at.say)["says"]
    raise Closed(at.say("{says} Give a `reason`.", says=says) if at.caller.is_staff else says)


def check_match(if_match: IfMatch, version: int, needed: bool = True) -> None:
    """Refuse a change of another state than the one that stands."""
    if if_match is None:
        if needed:
            raise Unconditional
    elif not if_match(str(version)):
        raise Changed


def verdict_on(one: Entrant, judge: Judge) -> Verdict | None:
    """Return the verdict on a list, None where there is none."""
    deck = one.revision.deck
    return None if deck is None else judge(deck)


def reply(status: int, shown: object, **headers: str) -> Reply:
    """Return an answer of JSON."""
    return Reply(status, orjson.dumps(shown), headers)
