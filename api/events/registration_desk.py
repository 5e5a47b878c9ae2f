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
from api.events.players.entrant import Entrant, EntrantSettings, RegistrationContent, Whereabouts, encode_deck
from api.events.storage.event_keys import OWNER, Caller
from api.events.storage.event_reader import EventReader
from api.events.storage.event_tables import KeyRow
from api.events.storage.event_writer import EventWriter
from api.events.storage.idempotency import RepeatableRequest, Reply
from api.events.storage.import_history import states_of
from api.events.tournament import Tournament
from api.service.errors import LimitReached, NoAccess
from validator.deck import Deck
from validator.judge import Judge, Verdict
from validator.language import phrase

_LONG_REVISIONS = 200_000  # bytes of all revisions of a registration; a hundred of a deck have as many


class RegistrationChange(NamedTuple):
    """A change of a registration, to be applied to its content before. What the change does not have stays.

    `fields` are changed fields of RegistrationContent other than the deck, by name. `deck` is the new deck, None if it
    stays. `decklist` is the text that the deck came as (None: not as text), and is ignored without `deck`. `reason` is
    for the revision. `whereabouts` has the new `table` and `email`, as far as they change.
    """

    fields: Mapping[str, Any]
    deck: Deck | None = None
    decklist: str | None = None
    reason: str = ""
    whereabouts: Mapping[str, str] = {}  # never changed

    def apply(self, before: RegistrationContent) -> RegistrationContent:
        """Return the content of a registration after the change.

        `before` is not changed, and `whereabouts` are not applied. A new deck replaces the text of the list too, with
        None if `decklist` is None. Null characters of the text become U+FFFD.
        """
        written = before._replace(**self.fields)
        if self.deck is None:
            return written
        # What a database keeps as text has no such character.
        text = None if self.decklist is None else self.decklist.replace("\0", "\ufffd")
        return written._replace(deck=encode_deck(self.deck), decklist=text)


class JudgedRegistration(NamedTuple):
    """A registration, the verdict on its list (None without a list), and the JSON that the caller may see of it."""

    entrant: Entrant
    verdict: Verdict | None
    shown: ShownRegistrationJSON


class RegistrationDesk(BaseDesk):
    """Registers players, and shows, changes and removes registrations. Threads and processes may share the desk."""

    def register(self, access: EventAccess, change: RegistrationChange, request: RepeatableRequest | None) -> Reply:
        """Register a player, and answer with the registration and the player's new key, which is shown only now.

        `change` has the name, the list and other content, also the table and the e-mail address. The reply has the
        status 201, an ETag and the address of the registration. A repeated `request` gets the stored answer. Raises
        Closed if registration is not open, unless staff give a reason. Raises LimitReached if the event is full. The
        client_limits may raise if a stranger sends too many bytes.
        """
        caller, written = access.caller, change.apply(RegistrationContent(""))
        judge = self.judge(access.event)

        def add(writer: EventWriter) -> Reply:
            """Store the registration with a new key, and answer with both. Raises the errors of `register`."""
            event = writer.event(access.event.id)
            check_open(access._replace(event=event), writer.now, None, change.reason)
            self.check_room(writer, access._replace(event=event), 1, written.size)
            self.count_bytes(access, written.size)
            (id,) = writer.add_entrants([written], caller.signature, change.reason, [Whereabouts(**change.whereabouts)])
            (key,) = writer.add_player_keys([id], caller.signature)
            one = writer.entrant(event.id, id)
            own = self._registration_json(writer, EventAccess(event, Caller(OWNER), access.translate), one, judge)
            shown: RegisteredJSON = {**own, "key": key}
            return reply(201, shown, ETag=etag(one.version), Location=f"/v1/events/{event.id}/registrations/{id}")

        return self.write_once(access, request, add)

    def registrations(self, access: EventAccess) -> Reply:
        """Answer with the registrations that the caller sees.

        Staff get all registrations as summaries, also those without a list, with verdicts on the lists that they see
        now. Others get the decks of the lists that they see, of duplicates only the one that counts. Raises NoAccess if
        the caller is no staff and may see no other player's list now.
        """
        now, judge = self.now(), self.judge(access.event)
        if not (access.caller.is_staff or rights.sees_any_list(access.caller, access.stage(now))):
            raise NoAccess
        with self.store.reading() as reader:
            duplicates = self.duplicates(reader, access.event)
        if access.caller.is_staff:
            listed = [self._summary(access, one, judge, duplicates, now) for one in duplicates.entrants]
        else:
            seen = [one for one in duplicates.counted_registrations if access.sees_list(one, now) and one.has_list]
            others = [
                event_answers.registration(access.event, one, Caller(), now, verdict_on(one, judge)) for one in seen
            ]
            listed = cast("list[ListedRegistrationJSON]", others)  # which has their entries too
        shown: RegistrationsJSON = {
            "event": access.event.id,
            "made_with": judge.made_with,
            "registrations": listed,
        }
        return reply(200, shown)

    def _summary(
        self, access: EventAccess, entrant: Entrant, judge: Judge, duplicates: Duplicates, moment: datetime
    ) -> ListedRegistrationJSON:
        """Return a registration as staff see it in a list, with its verdict and the ids of its duplicates.

        The verdict is left out, as if there were no list, if the caller may not see the list at the moment.
        """
        verdict = verdict_on(entrant, judge) if access.sees_list(entrant, moment) else None
        return event_answers.listed_registration(access.event, entrant, verdict, duplicates.find(entrant))

    def registration(self, access: EventAccess, id: str) -> Reply:
        """Answer with a registration and the verdict on its list. Raises NoAccess if the caller does not see it."""
        found = self.judged_registration(access, id)
        return reply(200, found.shown, ETag=etag(found.entrant.version))

    def judged_registration(self, access: EventAccess, id: str) -> JudgedRegistration:
        """Return a registration with its verdict and its JSON. Raises NoAccess if the caller does not see it."""
        judge = self.judge(access.event)
        with self.store.reading() as reader:
            return self._judge_registration(reader, access, self.find_registration(reader, access, id), judge)

    def revise(self, access: EventAccess, id: str, change: RegistrationChange, if_match: IfMatch) -> Reply:
        """Add a revision to a registration, and change its table and e-mail address. Answers with the registration.

        What the change does not have stays, and equal content adds no revision. Raises NoAccess if the caller does not
        see the registration. Raises Unconditional without `if_match`, and Changed if it lacks the current version.
        Raises Closed if the player may not change the list now, unless staff give a reason. Raises LimitReached after
        MOST_REVISIONS revisions or if the event is full. A stranger's bytes are counted, which may raise.
        """
        judge = self.judge(access.event)
        with self.writing(access) as writer:
            access = access._replace(event=writer.event(access.event.id))
            one = self.find_registration(writer, access, id)
            check_match(if_match, one.version)
            check_open(access, writer.now, one.until, change.reason)
            written = change.apply(one.revision.written)
            if written != one.revision.written:
                if one.revision.number >= MOST_REVISIONS:
                    raise LimitReached(
                        phrase("A registration is changed at most {most} times. Ask a judge.", most=MOST_REVISIONS)
                    )
                self.check_room(writer, access, 0, written.size)
                self.count_bytes(access, written.size)
                writer.revise([(one, written)], access.caller.signature, change.reason)
                one = writer.entrant(access.event.id, id)
            writer.change_whereabouts([(one, one.where._replace(**change.whereabouts))], access.caller.signature)
            one = writer.entrant(access.event.id, id)
            return reply(200, self._registration_json(writer, access, one, judge), ETag=etag(one.version))

    def change_settings(
        self, access: EventAccess, id: str, settings: Mapping[str, Any], reason: str, if_match: IfMatch
    ) -> Reply:
        """Change the own deadline, the top cut, the table or the e-mail address of a registration, and answer with it.

        `settings` has only the changed ones of `until` (a datetime or None), `cut`, `table` and `email`. `reason` is
        for the audit. The deadline does not matter. Equal values change nothing. An empty `email` also deletes the
        player's addresses from the history of imports. Raises NoAccess if a player changes anything but `email`, or the
        caller does not see the registration. Raises Changed if `if_match` is given and lacks the current version.
        """
        if access.caller.role == OWNER and settings.keys() - {"email"}:
            raise NoAccess
        judge = self.judge(access.event)
        with self.writing(access) as writer:
            one = self.find_registration(writer, access, id)
            check_match(if_match, one.version, needed=False)
            values = cast("EntrantSettings", dict(settings))
            if until := settings.get("until"):
                values["until"] = until.isoformat()
            writer.change_settings(one, values, access.caller.signature, reason)
            one = writer.entrant(access.event.id, id)
            return reply(200, self._registration_json(writer, access, one, judge), ETag=etag(one.version))

    def withdraw(self, access: EventAccess, id: str) -> Reply:
        """Delete a registration with all data of the player, also in the list of expected players.

        Answers without a body. Raises NoAccess if the caller does not see it. Raises Closed if the caller is not staff
        and may not change it at the moment, such as after the player's deadline.
        """
        with self.writing(access) as writer:
            one = self.find_registration(writer, access, id)
            if not access.caller.is_staff:
                check_open(access._replace(event=writer.event(access.event.id)), writer.now, one.until, "")
            writer.remove_entrant(one, access.caller.signature)
        return Reply(204, b"")

    def revisions(self, access: EventAccess, id: str) -> Reply:
        """Answer with all revisions of a registration, the oldest first, each with the cards added and removed.

        If the revisions are long, it waits for a turn of the work limit, which may raise Busy. Raises NoAccess if the
        caller does not see the registration.
        """
        with self._limit_if_long(id), self.store.reading() as reader:
            one = self.find_registration(reader, access, id)
            shown: RevisionsJSON = {"registration": id, "revisions": self._list_revisions(reader, access.event, one)}
            return reply(200, shown)

    def player_data(self, access: EventAccess, id: str) -> Reply:
        """Answer with all stored data of one player.

        These are the registration, revisions, keys without secrets, audit entries, deck checks, and the states before
        imports. If the revisions are long, it waits for a turn of the work limit, which may raise Busy. Raises NoAccess
        if the caller does not see the registration.
        """
        judge = self.judge(access.event)
        with self._limit_if_long(id), self.store.reading() as reader:
            one = self.find_registration(reader, access, id)
            keys: list[PlayersKeyJSON] = [
                {"id": key.id, "created": key.created, "revoked": key.revoked}
                for key in reader.keys(access.event.id, id)
            ]
            shown: PlayerDataJSON = {
                "registration": self._registration_json(reader, access, one, judge),
                "keys": keys,
                "audit": [entry.as_json() for entry in reader.audit(access.event.id, id)],
                "checks": [check.as_json(judge) for check in reader.checks(access.event.id, id)],
                "before_imports": [state.as_json() for state in states_of(reader.connection, id)],
                "revisions": self._list_revisions(reader, access.event, one),
            }
            return reply(200, shown)

    def renew_key(self, access: EventAccess, id: str, request: RepeatableRequest | None) -> Reply:
        """Revoke all keys of a player, make a new one, and answer with it. A repeated `request` gets the stored answer.

        Raises NoAccess if the caller does not see the registration.
        """
        by = access.caller.signature

        def renew(writer: EventWriter) -> Reply:
            """Revoke the keys of the registration, make a new one, and answer with it.

            Raises NoAccess without the registration.
            """
            one = self.find_registration(writer, access, id)  # whose list the key opens
            writer.revoke(KeyRow.registration_id == id, by, id)
            shown: PlayerKeyJSON = {"registration": one.id, "key": writer.add_player_keys([id], by)[0]}
            return reply(201, shown)

        return self.write_once(access, request, renew)

    @limited_concurrency
    def roster(self, access: EventAccess, order: RosterOrder = BY_NAME) -> Reply:
        """Answer with the players without their lists, in an order.

        Raises NoAccess if the caller may not see the roster. Only staff get verdicts, and only on lists that they see
        now. Raises Busy if too many requests wait.
        """
        if not rights.sees_roster(access.caller, access.event.visibility.roster):
            raise NoAccess
        judge, now, is_staff = self.judge(access.event), self.now(), access.caller.is_staff
        with self.store.reading() as reader:
            duplicates = self.duplicates(reader, access.event)
        entrants = duplicates.entrants
        rows = [(one, verdict_on(one, judge) if is_staff and access.sees_list(one, now) else None) for one in entrants]
        return reply(200, attendance.roster(access.event, rows, duplicates, access.caller, order))

    def _registration_json(
        self, reader: EventReader, access: EventAccess, entrant: Entrant, judge: Judge
    ) -> ShownRegistrationJSON:
        """Judge a registration, and return it with the verdict as the JSON that the caller may see."""
        return self._judge_registration(reader, access, entrant, judge).shown

    def _judge_registration(
        self, reader: EventReader, access: EventAccess, entrant: Entrant, judge: Judge
    ) -> JudgedRegistration:
        """Judge a registration, and return it with the verdict and its JSON. Only its player and staff get duplicates.

        They also get the number of the revision at the deadline, once the event's deadline is over.
        """
        closes, now, verdict = access.event.closes, self._moment(reader), verdict_on(entrant, judge)
        private = access.caller.is_staff or access.caller.role == OWNER
        stood = reader.find_revision_at(entrant.id, closes) if private and closes and closes <= now else None
        duplicates = find_duplicates(reader, access.event.id, entrant, judge.catalogue) if private else []
        shown = event_answers.registration(
            access.event, entrant, access.caller, now, verdict, stood, duplicates, access.translate
        )
        return JudgedRegistration(entrant, verdict, shown)

    def _limit_if_long(self, registration_id: str) -> AbstractContextManager[object]:
        """Return the work limit if the decks of all revisions of a registration have more than 200,000 bytes.

        Else return a context that does nothing.
        """
        with self.store.reading() as reader:
            return self.work_limit if reader.count_deck_bytes(registration_id) > _LONG_REVISIONS else nullcontext()

    def _list_revisions(self, reader: EventReader, event: Tournament, entrant: Entrant) -> list[ShownRevisionJSON]:
        """Return all revisions of a registration as JSON, the oldest first, each with its changes and its legality.

        The revision that counted at the event's deadline is marked once the deadline is over.
        """
        judge = self.judge(event)
        stood = (
            reader.find_revision_at(entrant.id, event.closes) if event.closes and event.closes <= self.now() else None
        )
        found = reader.revisions(entrant.id)
        return [
            event_answers.revision(event, entrant, each, before, judge, stood)
            for before, each in zip((None, *found), found, strict=False)
        ]
