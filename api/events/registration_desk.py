"""The registration desk: everything that may be asked of an event, whoever asks; each answer says what may be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

import orjson

from api.events import attendance, event_answers, rights
from api.events.entrant import MOST_REVISIONS, Entrant, Written, kept_deck, twins
from api.events.event_answers import etag
from api.events.expected_players import ExpectedPlayer, each_once
from api.events.impact import impact
from api.events.join_codes import LONG_CODE, UNIQUE_DIGITS, id_prefix
from api.events.look_turns import in_turn
from api.events.player_import import ImportedBook, Matched, matched
from api.events.storage import idempotency
from api.events.storage.event_audit import first_broken
from api.events.storage.event_keys import ADMIN, ANYONE, JUDGE, LONGEST_KEY, ORGANISER, OWNER, Caller, is_same, new_id
from api.events.storage.event_store import ALL_EVENTS, EventReader, EventStore, EventWriter
from api.events.storage.event_tables import KeyRow
from api.events.storage.idempotency import Once, Reply
from api.events.tournament import Tournament
from api.events.whereabouts import Whereabouts
from api.service.errors import Changed, Closed, Crowded, Full, Hidden, Invalid, Unconditional, Wrong
from api.service.judges import Judges
from api.service.processes.work_turns import WorkTurns
from validator.deck import Deck
from validator.judge import Judge, Verdict
from validator.language import ENGLISH, Language

MOST_ENTRANTS = 5_000  # of one event
MOST_KEYS = 200  # of those who run one event, revoked ones too
MOST_BYTES = 200_000_000  # of all revisions of all lists of one event
_LONG = 200_000  # bytes of all revisions of a registration; a hundred of a deck have as many
_LOOKS, _WAITING = 3, 30  # at all of an event, of those who ask for that at once
IfMatch = Callable[[str], bool] | None  # whether an ETag is among those that were sent; None: none was sent


class DeskBounds(NamedTuple):
    """How many events there may be, whose key beginning one demands ("": nobody's), for how many days one is kept."""

    events: int = 1000
    admin_key: str = ""
    days: int = 90


class Doorman:
    """Limits the wrong keys and join codes that a client may try. This base class has no limit."""

    def admits(self) -> bool:
        """Return True if the client may still try the admin's key or a join code."""
        return True

    def missed(self) -> None:
        """Count a wrong key or join code. A subclass raises if the client has tried too many."""


class Standing(NamedTuple):
    """An event, who asks for something of it that they may do, and in which language verdicts are told them."""

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
        return rights.sees_list(self.caller.before(one.id), self.stage(now), one.cut, consents)


class RegistrationWish(NamedTuple):
    """What somebody writes of a registration: only what is said; None and {} leave all else as it is."""

    said: Mapping[str, Any]
    deck: Deck | None = None
    decklist: str | None = None
    reason: str = ""
    where: Mapping[str, str] = {}  # never changed

    def on(self, before: Written) -> Written:
        """Return a registration with what is said in place of what it was."""
        written = before._replace(**self.said)
        if self.deck is None:
            return written
        # What a database keeps as text has no such character.
        text = None if self.decklist is None else self.decklist.replace("\0", "\ufffd")
        return written._replace(deck=kept_deck(self.deck), decklist=text)


class Registered(NamedTuple):
    """A registration as it stands: the verdict on its list, and what who asks is shown of it."""

    entrant: Entrant
    verdict: Verdict | None
    shown: dict[str, Any]


class RegistrationDesk:
    """The events of a store, for the asking; safe to share between threads and processes."""

    def __init__(self, store: EventStore, judges: Judges, bounds: DeskBounds) -> None:
        self.store = store
        self._judges = judges
        self._bounds = bounds
        self.now: Callable[[], datetime] = lambda: datetime.now(UTC)
        self.doorman = Doorman()
        self.looks = WorkTurns(_LOOKS, _WAITING)

    # Who asks

    def standing(self, operation: str, event_id: str, secret: str, registration_id: str = "") -> Standing:
        """Return the event and who asks, by a key; Hidden where there is no event or who asks may not do this."""
        event, caller = self._asking(event_id, secret)
        caller = caller.before(registration_id)
        if secret and caller.role == ANYONE:
            self.doorman.missed()
        if event is None or not rights.may(operation, caller):
            raise Hidden
        return Standing(event, caller)

    def holds(self, event_id: str, secret: str) -> bool:
        """Tell whether a key opens anything of an event."""
        return self._asking(event_id, secret)[1].role != ANYONE

    def _asking(self, event_id: str, secret: str) -> tuple[Tournament | None, Caller]:
        try:
            with self.store.reading() as reader:
                return reader.event(event_id), self._caller(reader, event_id, secret)
        except Hidden:
            return None, Caller()

    def _is_admin(self, secret: str) -> bool:
        return is_same(secret, self._bounds.admin_key) and self.doorman.admits()

    def _caller(self, reader: EventReader, event_id: str, secret: str) -> Caller:
        if not secret or len(secret) > LONGEST_KEY:
            return Caller()
        if self._is_admin(secret):
            return Caller(ADMIN)
        return reader.caller(event_id, secret)

    # Events

    def create(self, said: Mapping[str, Any], secret: str, once: Once | None, say: Language = ENGLISH) -> Reply:
        """Begin an event; the answer has its keys. Full where there are too many, Hidden where a key is demanded."""
        if self._bounds.admin_key and not self._is_admin(secret):
            if secret:
                self.doorman.missed()
            raise Hidden
        caller = Caller(ADMIN if self._bounds.admin_key else ANYONE)
        event = Tournament(id=new_id(), **{"purge_days": self._bounds.days, **said})
        if event.visibility.publishes_names:
            event = event.changed({"code_words": LONG_CODE})
        self._check(event)

        def begin(writer: EventWriter) -> Reply:
            if writer.count_events() >= self._bounds.events:
                raise Full("There are too many events on this server already.")
            if writer.event_by_prefix(event.id[:UNIQUE_DIGITS]):
                raise Full("The codes of two events would be the same; send it again.")
            writer.add_event(event, caller.signature)
            keys = {role: writer.add_key(role, role, caller.signature)[1] for role in (ORGANISER, JUDGE)}
            shown = event_answers.event(event, self.now(), say) | {"keys": keys}
            return reply(201, shown, ETag=etag(event.version), Location=f"/v1/events/{event.id}")

        return self.answered_once(ALL_EVENTS, once, begin, event.id)

    def find_event(self, code: str) -> str:
        """Return the id of the event with a join code. Counts a wrong code. Raises Hidden if no event has the code.

        A client that has tried too many is refused before the code is looked up, so that it learns of no code whether
        that is right.
        """
        if not self.doorman.admits():
            self.doorman.missed()  # raises, unless the window has just ended
        prefix = id_prefix(code)
        with self.store.reading() as reader:
            event = reader.event_by_prefix(prefix)
        if event is None or id_prefix(event.code) != prefix:
            self.doorman.missed()
            raise Hidden
        return event.id

    def show(self, at: Standing) -> Reply:
        """Return what an event is."""
        shown = event_answers.event(at.event, self.now(), at.say) | {"role": at.caller.role}
        return reply(200, shown, ETag=etag(at.event.version))

    def change(self, at: Standing, said: Mapping[str, Any], reason: str, if_match: IfMatch) -> Reply:
        """Change what is said of an event."""
        with self.store.writing(at.event.id, self.now()) as writer:
            before = writer.event(at.event.id)
            check_match(if_match, before.version, needed=False)
            event = before.changed({**said, "version": before.version + 1})
            self._check(event)
            writer.change_event(event, at.caller.signature, reason)
        return self.show(at._replace(event=event))

    def delete(self, at: Standing) -> Reply:
        """Remove an event with all that is known of it."""
        with self.store.writing(at.event.id, self.now()) as writer:
            writer.event(at.event.id)
            writer.remove_event()
        return Reply(204, b"")

    def _check(self, event: Tournament) -> None:
        if event.opens and event.closes and event.closes <= event.opens:
            raise Invalid([Wrong("/closes", "Registration closes before it opens; write a later moment.")])
        self._judges.judge(event.asked)

    # Registrations

    def read_deck(self, at: Standing, deck: Deck | None, decklist: str | None) -> Deck | None:
        """Return a deck as written, or the deck that a text is; Invalid where that cannot be read."""
        return deck if decklist is None else self._judges.read(decklist, at.event.game).deck

    def register(self, at: Standing, wish: RegistrationWish, once: Once | None) -> Reply:
        """Register a player; the answer has the player's key."""
        now, caller = self.now(), at.caller
        written = wish.on(Written(""))
        judge = self.judge(at.event)

        def add(writer: EventWriter) -> Reply:
            event = writer.event(at.event.id)
            _check_open(at._replace(event=event), now, None, wish.reason)
            self._check_room(writer, event.id, 1, written.size)
            (id,) = writer.add_entrants([written], caller.signature, wish.reason, [Whereabouts(**wish.where)])
            (key,) = writer.add_player_keys([id], caller.signature)
            one = writer.entrant(event.id, id)
            shown = self._shown(writer, Standing(event, Caller(OWNER), at.say), one, judge) | {"key": key}
            return reply(201, shown, ETag=etag(one.version), Location=f"/v1/events/{event.id}/registrations/{id}")

        return self.answered_once(at.event.id, once, add)

    def registrations(self, at: Standing) -> Reply:
        """Return all registrations, as far as they are seen; Hidden where none but an own one may be."""
        now, judge = self.now(), self.judge(at.event)
        if not (at.caller.is_staff or rights.sees_any_list(at.caller, at.stage(now))):
            raise Hidden
        with self.store.reading() as reader:
            entrants = reader.entrants(at.event.id)
        if at.caller.is_staff:
            others = twins(entrants)
            listed = [self._summary(at, one, judge, others, now) for one in entrants]
        else:
            seen = [one for one in entrants if at.sees(one, now) and one.received]
            listed = [event_answers.registration(at.event, one, Caller(), now, verdict_on(one, judge)) for one in seen]
        return reply(200, {"event": at.event.id, "made_with": judge.made_with, "registrations": listed})

    def _summary(
        self, at: Standing, one: Entrant, judge: Judge, others: dict[str, list[str]], now: datetime
    ) -> dict[str, Any]:
        verdict = verdict_on(one, judge) if at.sees(one, now) else None
        return event_answers.summary(at.event, one, verdict, others)

    def registration(self, at: Standing, id: str) -> Reply:
        """Return a registration; Hidden where who asks does not see it."""
        found = self.registered(at, id)
        return reply(200, found.shown, ETag=etag(found.entrant.version))

    def registered(self, at: Standing, id: str) -> Registered:
        """Return a registration as data; Hidden where who asks does not see it."""
        judge = self.judge(at.event)
        with self.store.reading() as reader:
            return self._registered(reader, at, self.seen(reader, at, id), judge)

    def revise(self, at: Standing, id: str, wish: RegistrationWish, if_match: IfMatch) -> Reply:
        """Write a registration anew, as a revision; what is not said stays as it is."""
        now, judge = self.now(), self.judge(at.event)
        with self.store.writing(at.event.id, now) as writer:
            at = at._replace(event=writer.event(at.event.id))
            one = self.seen(writer, at, id)
            check_match(if_match, one.version)
            _check_open(at, now, one.until, wish.reason)
            written = wish.on(one.revision.written)
            if written != one.revision.written:
                if one.revision.number >= MOST_REVISIONS:
                    raise Crowded(f"A registration is changed {MOST_REVISIONS} times at most; see a judge.")
                self._check_room(writer, at.event.id, 0, written.size)
                writer.revise([(one, written)], at.caller.signature, wish.reason)
                one = writer.entrant(at.event.id, id)
            writer.move([(one, one.where._replace(**wish.where))], at.caller.signature)
            one = writer.entrant(at.event.id, id)
            return reply(200, self._shown(writer, at, one, judge), ETag=etag(one.version))

    def settle(self, at: Standing, id: str, said: Mapping[str, Any], reason: str, if_match: IfMatch) -> Reply:
        """Say by when a player is let in late, whether in the top cut, at which table, and the address to write to.

        The address is the player's own to change, at any time; of all else judges decide.
        """
        if at.caller.role == OWNER and said.keys() - {"email"}:
            raise Hidden
        judge = self.judge(at.event)
        with self.store.writing(at.event.id, self.now()) as writer:
            one = self.seen(writer, at, id)
            check_match(if_match, one.version, needed=False)
            values = dict(said)
            if values.get("until"):
                values["until"] = values["until"].isoformat()
            writer.settle(one, values, at.caller.signature, reason)
            one = writer.entrant(at.event.id, id)
            return reply(200, self._shown(writer, at, one, judge), ETag=etag(one.version))

    def withdraw(self, at: Standing, id: str) -> Reply:
        """Remove a registration with all that is known of the player."""
        now = self.now()
        with self.store.writing(at.event.id, now) as writer:
            one = self.seen(writer, at, id)
            if not at.caller.is_staff:
                _check_open(at._replace(event=writer.event(at.event.id)), now, one.until, "")
            writer.remove_entrant(one, at.caller.signature)
        return Reply(204, b"")

    def revisions(self, at: Standing, id: str) -> Reply:
        """Return every revision of a registration with what it changed."""
        with self._turn(id), self.store.reading() as reader:
            one = self.seen(reader, at, id)
            return reply(200, {"registration": id, "revisions": self._revisions(reader, at.event, one)})

    def player_data(self, at: Standing, id: str) -> Reply:
        """Return all that is known of a player."""
        judge = self.judge(at.event)
        with self._turn(id), self.store.reading() as reader:
            one = self.seen(reader, at, id)
            audit = [entry._asdict() for entry in reader.audit(at.event.id, id)]
            keys = [
                {"id": key.id, "created": key.created, "revoked": key.revoked} for key in reader.keys(at.event.id, id)
            ]
            checks = [each.as_dict(judge) for each in reader.checks(at.event.id, id)]
            shown = {
                "registration": self._shown(reader, at, one, judge),
                "keys": keys,
                "audit": audit,
                "checks": checks,
            }
            return reply(200, shown | {"revisions": self._revisions(reader, at.event, one)})

    def renew_key(self, at: Standing, id: str, once: Once | None) -> Reply:
        """Make a new key for a player who has lost the old one, which holds no longer."""
        by = at.caller.signature

        def renew(writer: EventWriter) -> Reply:
            one = self.seen(writer, at, id)  # whose list the key opens
            writer.revoke(KeyRow.registration_id == id, by, id)
            return reply(201, {"registration": one.id, "key": writer.add_player_keys([id], by)[0]})

        return self.answered_once(at.event.id, once, renew)

    # Many players

    def import_players(self, at: Standing, book: ImportedBook, reason: str, once: Once | None) -> Reply:
        """Register the players of a spreadsheet, or write anew those who are registered already."""
        now, by = self.now(), at.caller.signature

        def take_in(writer: EventWriter) -> Reply:
            event = writer.event(at.event.id)
            _check_open(at._replace(event=event), now, None, reason)
            found = matched(book, writer.entrants(event.id))
            new = [one.written for one in found.new]
            revised = [(one.entrant, one.written) for one in found.revised if one.entrant]
            self._check_room(
                writer, event.id, len(new), sum(one.size for one in (*new, *(each[1] for each in revised)))
            )
            ids = writer.add_entrants(new, by, reason, [one.where for one in found.new])
            writer.revise(revised, by, reason)
            writer.move(found.moved, by)
            keys = writer.add_player_keys(ids, by)
            return reply(200, _imported(found, ids, keys))

        return self.answered_once(at.event.id, once, take_in)

    @in_turn
    def missing(self, at: Standing) -> Reply:
        """Return who registered and has sent no list, and who is expected and has not registered."""
        with self.store.reading() as reader:
            entrants, expected = reader.entrants(at.event.id), reader.expected(at.event.id)
        return reply(200, attendance.without_list(at.event, entrants, expected, self.now(), at.say))

    @in_turn
    def compare(self, at: Standing, expected: Iterable[str], once: Once | None) -> Reply:
        """Return who of the players of a list is missing; the list is not kept."""
        with self.store.reading() as reader:
            entrants = reader.entrants(at.event.id)
        told = reply(200, attendance.compared(at.event, entrants, expected, self.now(), at.say))
        # Nobody who writes waits while names are compared.
        return self.answered_once(at.event.id, once, lambda _: told) if once else told

    @in_turn
    def expected(self, at: Standing) -> Reply:
        """Return the players who are expected, and who of them has registered."""
        with self.store.reading() as reader:
            return reply(200, attendance.listed(reader.expected(at.event.id), reader.entrants(at.event.id)))

    def expect_book(self, at: Standing, book: ImportedBook, once: Once | None = None) -> Reply:
        """Keep the players of a spreadsheet as those who are expected; the answer says what of it was not read."""
        return self.expect(at, (one.expected for one in book.players), once, book.unread)

    def expect(
        self, at: Standing, players: Iterable[ExpectedPlayer], once: Once | None = None, unread: Mapping[str, Any] = {}
    ) -> Reply:
        """Keep a list of players who are expected, in place of the one that there was."""
        kept = list(each_once(players))
        if len(kept) > MOST_ENTRANTS:
            raise Crowded(f"At most {MOST_ENTRANTS:,} players are expected at an event.")

        def keep(writer: EventWriter) -> Reply:
            writer.event(at.event.id)
            writer.expect(kept, at.caller.signature)
            return reply(200, attendance.listed(kept, writer.entrants(at.event.id)) | dict(unread))

        return self.answered_once(at.event.id, once, keep)

    @in_turn
    def roster(self, at: Standing) -> Reply:
        """Return whose list is there, without the lists; Hidden where who asks does not see the roster."""
        if not rights.sees_roster(at.caller, at.event.visibility.roster):
            raise Hidden
        judge, now = self.judge(at.event) if at.caller.is_staff else None, self.now()
        rows = [(one, verdict_on(one, judge) if judge and at.sees(one, now) else None) for one in self._entrants(at)]
        return reply(200, attendance.roster(at.event, rows, at.caller))

    @in_turn
    def impact(self, at: Standing, before: date | None, after: date | None) -> Reply:
        """Return whose decks are legal on one day (today) and not on another (the event's), or the other way round."""
        asked = at.event.asked
        first, then = (
            self._judges.judge(asked._replace(on=day)) for day in (before or self._judges.today(), after or at.event.on)
        )
        now = self.now()
        seen = (one for one in self._entrants(at) if at.sees(one, now))
        return reply(200, impact(seen, first, then, at.say))

    @in_turn
    def commitments(self, at: Standing) -> Reply:
        """Return the commitments to all lists, the same for everybody."""
        return reply(200, event_answers.published_commitments(at.event, self._committed(at)))

    @in_turn
    def opened_lists(self, at: Standing) -> Reply:
        """Return the lists that the caller may see, with the salts that open their commitments."""
        now = self.now()
        seen = [one for one in self._committed(at) if at.sees(one, now)]
        return reply(200, event_answers.opened_lists(at.event, seen))

    def _committed(self, at: Standing) -> list[Entrant]:
        """Return the registrations with a list, sorted by id: an order by name would show whose list is whose."""
        return sorted((one for one in self._entrants(at) if one.received), key=lambda one: one.id)

    # What the organiser alone sees

    @in_turn
    def audit(self, at: Standing) -> Reply:
        """Return what was done, and whether all of it still stands as it was written."""
        with self.store.reading() as reader:
            entries, (length, head) = reader.audit(at.event.id), reader.audit_head(at.event.id)
        broken = first_broken(at.event.id, entries, length, head)
        listed = [entry._asdict() for entry in entries]
        state = {"intact": broken is None, "verified": at.event.verified, "broken_at": broken, "head": head}
        return reply(200, state | {"entries": listed})

    def keys(self, at: Standing) -> Reply:
        """Return the keys of those who run an event, without the keys themselves."""
        with self.store.reading() as reader:
            return reply(200, {"keys": [_listed_key(key) for key in reader.keys(at.event.id)]})

    def add_key(self, at: Standing, role: str, name: str, once: Once | None) -> Reply:
        """Make a key for one of those who run an event."""

        def add(writer: EventWriter) -> Reply:
            if len(writer.keys(at.event.id)) >= MOST_KEYS:
                raise Crowded(f"An event has {MOST_KEYS} keys at most.")
            id, secret = writer.add_key(role, name, at.caller.signature)
            return reply(201, {"id": id, "role": role, "name": name, "key": secret})

        return self.answered_once(at.event.id, once, add)

    def revoke_key(self, at: Standing, key_id: str) -> Reply:
        """Revoke a key; the last organiser's stays, so that somebody runs the event."""
        with self.store.writing(at.event.id, self.now()) as writer:
            held = [key for key in writer.keys(at.event.id) if key.revoked is None]
            if key_id not in {key.id for key in held}:
                raise Hidden
            if [key.id for key in held if key.role == ORGANISER] == [key_id]:
                raise Crowded("This is the only organiser's key of the event; make another one first.")
            writer.revoke(KeyRow.id == key_id, at.caller.signature, key_id)
        return Reply(204, b"")

    # How it is done

    def answered_once(
        self, event_id: str, once: Once | None, act: Callable[[EventWriter], Reply], of_event: str = ""
    ) -> Reply:
        """Do something, and answer; a request that was answered before gets that answer, and nothing is done."""
        now = self.now()
        with self.store.writing(event_id, now) as writer:
            if once is not None and (first := idempotency.kept(writer.connection, once)):
                return first
            answer = act(writer)
            if once is not None:
                idempotency.keep(writer.connection, once, answer, of_event or event_id, now, writer.has_noted)
        return answer

    def judge(self, event: Tournament) -> Judge:
        """Return the judge of an event."""
        return self._judges.judge(event.asked)

    def _entrants(self, at: Standing) -> list[Entrant]:
        with self.store.reading() as reader:
            return reader.entrants(at.event.id)

    def seen(self, reader: EventReader, at: Standing, id: str) -> Entrant:
        """Return a registration; Hidden where who asks does not see it."""
        one = reader.entrant(at.event.id, id)
        if not at.sees(one, self.now()):
            raise Hidden
        return one

    def _shown(self, reader: EventReader, at: Standing, one: Entrant, judge: Judge) -> dict[str, Any]:
        return self._registered(reader, at, one, judge).shown

    def _registered(self, reader: EventReader, at: Standing, one: Entrant, judge: Judge) -> Registered:
        closes, now, verdict = at.event.closes, self.now(), verdict_on(one, judge)
        private = at.caller.is_staff or at.caller.role == OWNER
        stood = reader.stood_at(one.id, closes) if private and closes and closes <= now else None
        shown = event_answers.registration(at.event, one, at.caller, now, verdict, stood, at.say)
        return Registered(one, verdict, shown)

    def _turn(self, registration_id: str) -> AbstractContextManager[object]:
        """Return what a look at all revisions of a registration waits for: its turn, where they are many and long."""
        with self.store.reading() as reader:
            return self.looks if reader.length(registration_id) > _LONG else nullcontext()

    def _revisions(self, reader: EventReader, event: Tournament, one: Entrant) -> list[dict[str, Any]]:
        judge = self.judge(event)
        stood = reader.stood_at(one.id, event.closes) if event.closes and event.closes <= self.now() else None
        found = reader.revisions(one.id)
        return [
            event_answers.revision(event, one, each, before, judge, stood)
            for before, each in zip((None, *found), found, strict=False)
        ]

    def _check_room(self, writer: EventWriter, event_id: str, entrants: int, size: int) -> None:
        if entrants and writer.count_entrants(event_id) + entrants > MOST_ENTRANTS:
            raise Crowded(f"An event has {MOST_ENTRANTS:,} registrations at most.")
        if writer.size(event_id) + size > MOST_BYTES:
            raise Crowded("There is no room for more lists at this event.")


def _check_open(at: Standing, now: datetime, until: datetime | None, reason: str) -> None:
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


def _listed_key(key: Any) -> dict[str, Any]:
    return {name: getattr(key, name) for name in ("id", "role", "name", "created", "revoked")}


def _imported(found: Matched, ids: list[str], keys: list[str]) -> dict[str, Any]:
    new = [one.as_json() | {"id": id, "key": key} for one, id, key in zip(found.new, ids, keys, strict=True)]
    return found.as_json() | {"registered": new}
