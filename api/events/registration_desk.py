"""The registration desk: registers players, changes and removes registrations, and returns what a caller may see."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Any, NamedTuple, cast

from api.events import event_answers, rights
from api.events.base_desk import (
    BaseDesk,
    EventAccess,
    IfMatch,
    check_match,
    check_open,
    limited_concurrency,
    reply,
    verdict_on,
)
from api.events.bounds import MOST_REVISIONS
from api.events.event_answers import etag
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
from api.events.players.attendance import BY_NAME, RosterOrder
from api.events.players.duplicates import Duplicates, find_duplicates
from api.events.players.entrant import Entrant, RegistrationContent, Whereabouts, kept_deck
from api.events.storage.event_keys import OWNER, Caller
from api.events.storage.event_reader import EventReader
from api.events.storage.event_tables import KeyRow
from api.events.storage.event_writer import EventWriter
from api.events.storage.idempotency import Once, Reply
from api.events.storage.import_history import states_of
from api.events.tournament import Tournament
from api.service.errors import LimitReached, NoAccess
from validator.deck import Deck
from validator.judge import Judge, Verdict

_LONG = 200_000  # bytes of all revisions of a registration; a hundred of a deck have as many


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


class RegistrationDesk(BaseDesk):
    """The registrations of the events of a store. Threads and processes may share the desk."""

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
