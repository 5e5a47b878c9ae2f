"""The event desk: creates, copies, changes and deletes events as a whole, with their keys, audit and overview."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, TypedDict

from api.events import event_answers
from api.events.base_desk import (
    EventAccess,
    IfMatch,
    PartDesk,
    answer_once,
    check_match,
    limited_concurrency,
    reply,
    verdict_on,
)
from api.events.bounds import MOST_AHEAD, MOST_ENTRIES, MOST_KEYS, MOST_REVISIONS, MOST_STRANGERS_DAYS
from api.events.event_answers import deadline, etag
from api.events.event_json import (
    AuditJSON,
    AuditStateJSON,
    BegunEventJSON,
    DeadlineJSON,
    EventKeysJSON,
    KeysJSON,
    ListedKeyJSON,
    MadeKeyJSON,
    ShownEventJSON,
)
from api.events.players.attendance import count_lists
from api.events.players.entrant import Entrant, ExpectedPlayer, drop_repeated, find_absent
from api.events.storage.event_audit import find_broken_entry
from api.events.storage.event_keys import ADMIN, ANYONE, JUDGE, ORGANISER, Caller, new_id
from api.events.storage.event_reader import EventKey, EventReader
from api.events.storage.event_store import ALL_EVENTS
from api.events.storage.event_tables import KeyRow
from api.events.storage.event_writer import EventWriter
from api.events.storage.idempotency import RepeatableRequest, Reply
from api.events.tournament import CLOSED, JUDGES, LONG_CODE, PUBLIC, UNIQUE_DIGITS, Tournament, Visibility, id_prefix
from api.service.errors import AdminNeeded, Full, Invalid, LimitReached, NoAccess, Rationed, UnreadableRow, Wrong
from api.service.judges import check_list_policy
from validator.field_docs import doc
from validator.language import ENGLISH, Language, phrase

RETRY_AFTER = 3600  # seconds until there may be room for another event

# The settings of an event that its copy has too: everything but the days, the moments and the keys.
COPIED = (
    "name",
    "game",
    "timezone",
    "ruleset",
    "format",
    "region",
    "policy",
    "place",
    "best_of",
    "consent",
    "limits_list",
)


class EventDesk(PartDesk):
    """Creates, copies, shows, changes, deletes and restores events. Lists, adds and revokes the keys of their staff."""

    def create(
        self,
        settings: Mapping[str, Any],
        secret: str,
        request: RepeatableRequest | None,
        translate: Language = ENGLISH,
        confirmed: bool = False,
        expected: Sequence[ExpectedPlayer] = (),
        original: Tournament | None = None,
    ) -> Reply:
        """Create an event, and answer with its settings and two new keys: one for organisers, one for judges.

        The reply has the status 201, an ETag and the address of the event. `settings` are fields of Tournament.
        `secret` is the caller's admin key, "" for none. A repeated `request` gets the stored answer. `confirmed`: a day
        in the past is meant. `expected` are the players whom the organiser expects. `original` is the event that this
        is a copy of, whose own limits list needs no check.

        Raises AdminNeeded without the right key, and Invalid if settings do not fit together. Raises Full if there are
        too many events or two join codes would be equal. Raises Rationed if there are too many events of strangers. The
        client_limits may raise if a stranger has created too many, or for a wrong key.
        """
        caller, bounds = self._creator(secret), self._desk.bounds
        event = self._new_event(settings, is_strangers=bool(bounds.admin_key) and caller.role == ANYONE)
        self._check(event, original)
        self._check_day(event, allows_past=confirmed)

        def begin(writer: EventWriter) -> Reply:
            """Store the event with its keys and expected players, and answer with them.

            Raises Full if there are too many events or the join code is taken, Rationed if strangers have created too
            many. A stranger's event is counted, which may raise.
            """
            if writer.count_events() >= bounds.events:
                raise Full(phrase("There are too many events on this server already."))
            if event.is_strangers:
                if writer.count_strangers_events() >= bounds.strangers_events:
                    raise Rationed(
                        phrase("No more events can be created here without the server's admin key. Ask for the key.")
                    )
                self._desk.client_limits.count_event()
            if writer.event_by_prefix(event.id[:UNIQUE_DIGITS]):
                raise Full(phrase("The codes of two events would be the same. Send the request again."))
            writer.add_event(event, caller.signature)
            if expected:
                writer.replace_expected(expected, caller.signature)
            organiser, judge = (writer.add_key(role, role, caller.signature)[1] for role in (ORGANISER, JUDGE))
            keys: EventKeysJSON = {"organiser": organiser, "judge": judge}
            shown: BegunEventJSON = {**self._event_json(event, True, translate), "keys": keys}
            return reply(201, shown, ETag=etag(event.version), Location=f"/v1/events/{event.id}")

        with self._desk.store.writing(ALL_EVENTS, self._desk.now()) as writer:
            return answer_once(writer, request, begin, event.id)

    def copy_event(
        self,
        access: EventAccess,
        settings: Mapping[str, Any],
        with_players: bool,
        admin_key: str,
        request: RepeatableRequest | None,
        confirmed: bool = False,
    ) -> Reply:
        """Create an event with the settings of another, and answer as `create` does. The other event does not change.

        Copied are the settings in COPIED, `purge_days` and the visibility, but no public lists. `settings` are the day
        and all other settings that differ. `with_players`: the players of the other event are expected at the new one.
        `admin_key` is the caller's key for creating events, "" for none. `confirmed`: a past day is meant. Raises the
        same errors as `create`.
        """
        before = access.event
        copied = {name: getattr(before, name) for name in COPIED} | {"purge_days": before.purge_days}
        copied["visibility"] = _restrict_lists(before.visibility)
        players = self._players(access) if with_players else []
        values = {**copied, **settings}
        return self.create(values, admin_key, request, access.translate, confirmed, players, before)

    def _players(self, access: EventAccess) -> list[ExpectedPlayer]:
        """Return the players of an event as expected players: the registered, then the expected who did not register.

        Each player is there once. Registrations that are duplicates and do not count are left out.
        """
        with self._desk.store.reading() as reader:
            entrants, expected = (
                self._desk.duplicates(reader, access.event).counted_registrations,
                reader.expected_players(access.event.id),
            )
        return list(drop_repeated([*map(_expected_player, entrants), *find_absent(expected, entrants)]))

    def _creator(self, secret: str) -> Caller:
        """Return the caller who creates an event: ADMIN with the right key, else ANYONE.

        It is ANYONE too if the server has no admin key. Raises AdminNeeded for a wrong key, or without a key if only
        the admin may create events. A wrong key is counted, which may raise.
        """
        bounds = self._desk.bounds
        if not bounds.admin_key:
            return Caller()
        if self._desk.is_admin(secret):
            return Caller(ADMIN)
        if secret:
            self._desk.client_limits.count_miss()
        if secret or not bounds.are_events_open:
            raise AdminNeeded
        return Caller()

    def _new_event(self, settings: Mapping[str, Any], is_strangers: bool) -> Tournament:
        """Return a new event with a random id, created today. Nothing is stored or checked.

        By default its data is kept for the days of the server. An event whose players' names are public gets a longer
        join code. `is_strangers`: the default days are at most MOST_STRANGERS_DAYS, and the event gets a day
        `unused_until`. That is `unused_days` after the start of registration or the event's day, the earlier of both,
        but at least after today. Without a start of registration it is after today.
        """
        bounds, today = self._desk.bounds, self._desk.now().astimezone(UTC).date()
        days = min(bounds.days, MOST_STRANGERS_DAYS) if is_strangers else bounds.days
        event = Tournament(id=new_id(), created=today, **{"purge_days": days, **settings})
        if event.visibility.publishes_names:
            event = event.with_settings({"code_words": LONG_CODE})
        if is_strangers:
            used_from = max(today, min(event.opens.date(), event.on)) if event.opens else today
            event = event.with_settings({"unused_until": used_from + timedelta(days=bounds.unused_days)})
        return event

    def find_event(self, code: str) -> str:
        """Return the id of the event with a join code. Raises NoAccess if no event has exactly this code.

        A wrong code is counted, which may raise. After too many wrong codes a client is refused before the code is
        looked up. So the answer reveals nothing about the code.
        """
        if not self._desk.client_limits.may_guess():
            self._desk.client_limits.count_miss()  # raises, unless the window has just ended
        prefix = id_prefix(code)
        with self._desk.store.reading() as reader:
            try:
                event = reader.event_by_prefix(prefix)
            except UnreadableRow:  # whose number of code words is not known
                event = None
        if event is None or id_prefix(event.code) != prefix:
            self._desk.client_limits.count_miss()
            raise NoAccess
        return event.id

    def show(self, access: EventAccess) -> Reply:
        """Answer with the settings of an event and the caller's role. Only staff see warnings about its limits list."""
        shown = self._event_json(access.event, access.caller.is_staff, access.translate)
        shown["role"] = access.caller.role
        return reply(200, shown, ETag=etag(access.event.version))

    def change(
        self, access: EventAccess, settings: Mapping[str, Any], reason: str, if_match: IfMatch, confirmed: bool = False
    ) -> Reply:
        """Change settings of an event, add an entry to its audit, and answer with all settings.

        `settings` are fields of Tournament with their new values. The version becomes one higher. `reason` is for the
        audit. `confirmed`: a day in the past is meant. Raises Changed if `if_match` is given and lacks the current
        version, and Invalid if settings do not fit together. A day is only checked if it changed, and a later day than
        before may be in the past.
        """
        with self._desk.writing(access) as writer:
            before = writer.event(access.event.id)
            check_match(if_match, before.version, needed=False)
            event = before.with_settings({**settings, "version": before.version + 1, "written": writer.today})
            self._check(event, before)
            if event.on != before.on:
                self._check_day(event, allows_past=confirmed or event.on > before.on)
            writer.change_event(event, access.caller.signature, reason)
        return self.show(access._replace(event=event))

    def delete(self, access: EventAccess, is_immediate: bool = False) -> Reply:
        """Mark an event as deleted. It is removed after `restore_days`, and can be restored until then.

        Answers without a body. The mark adds an entry to the audit. An event that is marked already keeps its day.
        `is_immediate`: the event is removed now with its audit, and cannot be restored. Raises NoAccess if it is gone.
        """
        with self._desk.writing(access, includes_deleted=True) as writer:
            event = writer.event(access.event.id)
            if is_immediate:
                writer.remove_event()
            elif event.deleted_on is None:
                day = writer.today + timedelta(days=self._desk.bounds.restore_days)
                writer.mark_deleted(day, access.caller.signature)
        return Reply(204, b"")

    def restore(self, access: EventAccess) -> Reply:
        """Restore an event that is marked as deleted, and answer with its settings.

        An event without a mark stays as it is.
        """
        with self._desk.writing(access, includes_deleted=True) as writer:
            event = writer.event(access.event.id)
            if event.deleted_on is not None:
                writer.restore_event(access.caller.signature)
                event = event.with_settings({"deleted_on": None, "written": writer.today})
        return self.show(access._replace(event=event))

    def _event_json(self, event: Tournament, is_staff: bool, translate: Language) -> ShownEventJSON:
        """Return the settings of an event as JSON. Only staff see the warnings about its own limits list."""
        own_list = self._desk.own_list(event, is_staff, translate)
        return event_answers.event(event, self._desk.now(), own_list, translate)

    def _check(self, event: Tournament, before: Tournament | None) -> None:
        """Raise Invalid if settings of an event do not fit together: registration times, days kept, policy or terms.

        The data of a stranger's event is kept for at most MOST_STRANGERS_DAYS. `before` is the event before a change,
        or the event that it is a copy of, None for a new event. An own limits list is only checked if it or the game is
        new. Entries of an old list may not fit the official list any more.
        """
        if event.opens and event.closes and event.closes <= event.opens:
            raise Invalid([Wrong("/closes", phrase("Registration closes before it opens. Write a later moment."))])
        if event.is_strangers and event.purge_days > MOST_STRANGERS_DAYS:
            most = MOST_STRANGERS_DAYS
            says = phrase("This event is kept for {most} days at most. Write a smaller number.", most=most)
            raise Invalid([Wrong("/purge_days", says)])
        check_list_policy(event.terms)
        is_new_list = before is None or (event.limits_list, event.game) != (before.limits_list, before.game)
        self._desk.judge(event, is_new_list)

    def _check_day(self, event: Tournament, allows_past: bool) -> None:
        """Raise Invalid if the event's day is more than MOST_AHEAD (two years) ahead, or past unless `allows_past`.

        Yesterday (in UTC) is not past: in some time zones it has not ended.
        """
        today = self._desk.now().astimezone(UTC).date()
        first, last = today - timedelta(days=1), today + MOST_AHEAD
        if event.on > last:
            says = phrase("This day is more than two years ahead. Write a day until {day}.", day=last.isoformat())
            raise Invalid([Wrong("/on", says)])
        if event.on < first and not allows_past:
            says = phrase(
                "This day is in the past, so all data would be deleted on {deletion}. Write a day from {day}, or "
                "confirm the past day.",
                deletion=event.retention_end.isoformat(),
                day=first.isoformat(),
            )
            raise Invalid([Wrong("/on", says)])

    def keys(self, access: EventAccess) -> Reply:
        """Answer with all keys of judges and organisers without their secrets, also revoked ones.

        The oldest is first.
        """
        with self._desk.store.reading() as reader:
            shown: KeysJSON = {"keys": [_listed_key(key) for key in reader.keys(access.event.id)]}
            return reply(200, shown)

    def add_key(self, access: EventAccess, role: str, name: str, request: RepeatableRequest | None) -> Reply:
        """Make a key for a JUDGE or an ORGANISER of an event, and answer with it in plain text. `name` is its label.

        A repeated `request` gets the stored answer. Raises LimitReached if the event has MOST_KEYS keys of staff
        already, revoked ones included.
        """

        def add(writer: EventWriter) -> Reply:
            """Store a new key and answer with its secret, which is shown only now.

            Raises LimitReached at MOST_KEYS keys.
            """
            if len(writer.keys(access.event.id)) >= MOST_KEYS:
                raise LimitReached(phrase("An event has at most {most} keys.", most=MOST_KEYS))
            id, secret = writer.add_key(role, name, access.caller.signature)
            shown: MadeKeyJSON = {"id": id, "role": role, "name": name, "key": secret}
            return reply(201, shown)

        return self._desk.write_once(access, request, add)

    def revoke_key(self, access: EventAccess, key_id: str) -> Reply:
        """Revoke a key of a judge or an organiser, so that it gives no access any more. Answers without a body.

        Raises NoAccess if there is no such valid key. Raises LimitReached for the last key of an organiser: somebody
        has to run the event.
        """
        with self._desk.writing(access) as writer:
            held = [key for key in writer.keys(access.event.id) if key.revoked is None]
            if key_id not in {key.id for key in held}:
                raise NoAccess
            if [key.id for key in held if key.role == ORGANISER] == [key_id]:
                raise LimitReached(phrase("This is the only organiser's key of the event. Make another one first."))
            writer.revoke(KeyRow.id == key_id, access.caller.signature, key_id)
        return Reply(204, b"")


def _listed_key(key: EventKey) -> ListedKeyJSON:
    """Return a stored key as JSON, without its secret."""
    return {"id": key.id, "role": key.role, "name": key.name, "created": key.created, "revoked": key.revoked}


def _restrict_lists(visibility: Visibility) -> Visibility:
    """Return a visibility of a copied event, whose lists nobody but judges sees. Lists stay CLOSED if they were CLOSED.

    The moment from which lists are public is removed. Roster and verdicts stay as they are.
    """
    lists = visibility.lists if visibility.lists == CLOSED else JUDGES
    return replace(visibility, lists=lists, public_from=None)


def _expected_player(entrant: Entrant) -> ExpectedPlayer:
    """Return the name, player ID and e-mail address of a registered player, as an expected player of another event."""
    return ExpectedPlayer(entrant.player, entrant.revision.written.player_id, entrant.where.email)


class AuditDesk(PartDesk):
    """Reads the audits of events, page by page: no audit is in memory as a whole. Nothing is written."""

    @limited_concurrency
    def audit(self, access: EventAccess, after: int = 0, limit: int = MOST_ENTRIES) -> Reply:
        """Answer with at most `limit` entries of the audit after the entry with the number `after`, the oldest first.

        The answer also has the state of the whole audit, whose chain of hashes is checked. `next` is the number to
        continue after. It is None, and there is no Link header, if the last entry is included. Raises Busy if too many
        requests wait.
        """
        with self._desk.store.reading() as reader:
            state = _audit_state(reader, access)
            entries = [entry.as_json() for entry in reader.audit(access.event.id, after=after, limit=limit + 1)]
        following = entries[limit - 1]["number"] if len(entries) > limit else None
        headers = {} if following is None else {"Link": f'<?after={following}&limit={limit}>; rel="next"'}
        shown: AuditJSON = {**state, "next": following, "entries": entries[:limit]}
        return reply(200, shown, **headers)

    @limited_concurrency
    def audit_page(self, access: EventAccess, page: int, size: int) -> Reply:
        """Answer with a page of `size` entries, the oldest of them first. Page 1 has the newest entries of the audit.

        A page number that is too low becomes the first page, a number that is too high the last. The answer also has
        the numbers `page` and `last` (of the last page), and the state of the whole audit, whose chain of hashes is
        checked. Raises Busy if too many requests wait.
        """
        with self._desk.store.reading() as reader:
            state = _audit_state(reader, access)
            total = state["entries_total"]
            last = max(1, -(-total // size))
            page = min(max(1, page), last)
            end = total - (page - 1) * size
            start = max(0, end - size)
            entries = [entry.as_json() for entry in reader.audit(access.event.id, after=start, limit=end - start)]
        return reply(200, {**state, "page": page, "last": last, "entries": entries})


def _audit_state(reader: EventReader, access: EventAccess) -> AuditStateJSON:
    """Check the chain of hashes of a whole audit, and return its length, its head and the first changed entry.

    `broken_at` is None if no entry was changed. `verified` is that of the event, False after an unproven import.
    """
    length, head = reader.audit_head(access.event.id)
    broken = find_broken_entry(access.event.id, reader.audit(access.event.id), length, head)
    return {
        "intact": broken is None,
        "verified": access.event.verified,
        "broken_at": broken,
        "head": head,
        "entries_total": length,
    }


# The next steps, in the order of an event.
PRINT_FLYER, REMIND_PLAYERS, REVIEW_LISTS = "print_flyer", "remind_players", "review_lists"
DRAW_CHECKS, PUBLISH_LISTS, EXPORT_EVENT = "draw_deck_checks", "publish_lists", "export_event"
STEPS = (PRINT_FLYER, REMIND_PLAYERS, REVIEW_LISTS, DRAW_CHECKS, PUBLISH_LISTS, EXPORT_EVENT)


class EventNumbersJSON(TypedDict):
    """The numbers of an event for its staff. A player with several registrations is counted once.

    `duplicates` and `checks` count all registrations and checks of a player. `not_registered` is 0 if nobody is
    expected.
    """

    registered: int
    received: Annotated[int, doc("Registrations with a list.")]
    missing: Annotated[int, doc("Registrations without a list.")]
    not_registered: Annotated[int, doc("Expected players who have not registered.")]
    not_legal: Annotated[int | None, doc("Lists that are not legal; null if the caller may not see all lists yet.")]
    duplicates: Annotated[int, doc("Registrations that do not count, because the player has another one that does.")]
    checks: Annotated[int, doc("Deck checks, drawn or begun.")]


class OverviewJSON(EventNumbersJSON):
    """The numbers of an event with its deadline and the step of STEPS that comes next."""

    event: str
    deadline: DeadlineJSON
    next_step: Annotated[str, doc(enum=STEPS)]


class OverviewDesk(PartDesk):
    """Counts the registrations, lists and deck checks of events for their staff. Nothing is written."""

    @limited_concurrency
    def overview(self, access: EventAccess) -> Reply:
        """Answer with the numbers of an event, its deadline and the next step. A player with duplicates counts once.

        `not_legal` is None if the caller may not see all lists yet. Raises Busy if too many requests wait.
        """
        desk, event = self._desk, access.event
        now, judge = desk.now(), desk.judge(event)
        with desk.store.reading() as reader:
            duplicates, expected = desk.duplicates(reader, event), reader.expected_players(event.id)
            checks = reader.count_checks(event.id)
        entrants = duplicates.counted_registrations
        verdicts = {one.id: verdict_on(one, judge) for one in entrants if access.sees_list(one, now)}
        numbers: EventNumbersJSON = {
            **count_lists(duplicates, verdicts),
            "not_registered": len(find_absent(expected, entrants)) if expected else 0,
            "checks": checks,
        }
        shown: OverviewJSON = {
            **numbers,
            "event": event.id,
            "deadline": deadline(event, None, now, MOST_REVISIONS, access.translate),
            "next_step": next_step(access, numbers, now),
        }
        return reply(200, shown)


def next_step(access: EventAccess, numbers: EventNumbersJSON, moment: datetime) -> str:
    """Return the most urgent step of STEPS for the staff of an event at a moment, such as to remind players.

    `numbers` are those of the event then. EXPORT_EVENT is returned if nothing else is due.
    """
    return next(step for step, is_due in _due_steps(access, numbers, moment) if is_due)


def _due_steps(access: EventAccess, numbers: EventNumbersJSON, moment: datetime) -> Iterable[tuple[str, bool]]:
    """Yield (step, is_due) for steps of STEPS, from the most to the least urgent. The last one is always due.

    `numbers` are those of the event at the moment. Printing a flyer comes twice: first if nobody has registered, later
    while registration is open. Reminders, reviews and flyers are due only before the event. Draws of deck checks are
    due until its day has ended, if there are lists and no checks. Publication is due while lists are not PUBLIC.
    """
    event, today = access.event, access.event.local(moment).date()
    is_closed = moment >= event.closes if event.closes else today >= event.on
    is_before = today < event.on or (today == event.on and not is_closed)
    waiting = numbers["missing"] + numbers["not_registered"]
    yield PRINT_FLYER, is_before and not numbers["registered"]
    yield REMIND_PLAYERS, is_before and not is_closed and waiting > 0
    yield REVIEW_LISTS, is_before and bool(numbers["not_legal"])
    yield PRINT_FLYER, is_before and not is_closed
    yield DRAW_CHECKS, today <= event.on and numbers["received"] > 0 and not numbers["checks"]
    yield PUBLISH_LISTS, access.stage(moment) != PUBLIC
    yield EXPORT_EVENT, True
