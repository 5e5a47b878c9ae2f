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
from api.events.storage.event_reader import EventReader
from api.events.storage.event_store import ALL_EVENTS
from api.events.storage.event_tables import KeyRow
from api.events.storage.event_writer import EventWriter
from api.events.storage.idempotency import RepeatableRequest, Reply
from api.events.tournament import CLOSED, JUDGES, LONG_CODE, PUBLIC, UNIQUE_DIGITS, Tournament, Visibility, id_prefix
from api.service.answers.json_schema import doc
from api.service.errors import AdminNeeded, Full, Invalid, LimitReached, NoAccess, Rationed, Wrong
from api.service.judges import check_list_policy
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
    """Creates, changes and deletes the events of a store, and their keys."""

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
        """Create an event at which some players are expected. The answer has its keys.

        `confirmed`: a day in the past is meant. `original` is the event that the new event is a copy of.

        Raises AdminNeeded without the right key, Full if there are too many events, and Rationed if there are too many
        of strangers. The client_limits may raise if a stranger has created too many.
        """
        caller, bounds = self._creator(secret), self._desk.bounds
        event = self._new_event(settings, is_strangers=bool(bounds.admin_key) and caller.role == ANYONE)
        self._check(event, original)
        self._check_day(event, allows_past=confirmed)

        def begin(writer: EventWriter) -> Reply:
            """Store the event with its keys and expected players. Raises Full or Rationed if there are too many."""
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
        """Create an event with the settings of another. `settings` are the day and all other settings that differ.

        `with_players`: the players of the other event are expected at the new one. `confirmed`: a past day is meant.
        Raises what `create` does.
        """
        before = access.event
        copied = {name: getattr(before, name) for name in COPIED} | {"purge_days": before.purge_days}
        copied["visibility"] = _restrict_lists(before.visibility)
        players = self._players(access) if with_players else []
        values = {**copied, **settings}
        return self.create(values, admin_key, request, access.translate, confirmed, players, before)

    def _players(self, access: EventAccess) -> list[ExpectedPlayer]:
        """Return the players of an event, each once: the registered, then the expected who did not register."""
        with self._desk.store.reading() as reader:
            entrants, expected = (
                self._desk.duplicates(reader, access.event).counted_registrations,
                reader.expected_players(access.event.id),
            )
        return list(drop_repeated([*map(_expected_player, entrants), *find_absent(expected, entrants)]))

    def _creator(self, secret: str) -> Caller:
        """Return the caller who creates an event: the admin, or anyone.

        Raises AdminNeeded for a wrong key, or without a key if only the admin may create events.
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
        """Return a new event with its id. Events of strangers and events with public names get other defaults."""
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
        """Return the id of the event with a join code. Counts a wrong code. Raises NoAccess if no event has it.

        After too many wrong codes a client is refused before the code is looked up, so that the answer reveals nothing
        about the code.
        """
        if not self._desk.client_limits.may_guess():
            self._desk.client_limits.count_miss()  # raises, unless the window has just ended
        prefix = id_prefix(code)
        with self._desk.store.reading() as reader:
            event = reader.event_by_prefix(prefix)
        if event is None or id_prefix(event.code) != prefix:
            self._desk.client_limits.count_miss()
            raise NoAccess
        return event.id

    def show(self, access: EventAccess) -> Reply:
        """Return the settings of an event."""
        shown = self._event_json(access.event, access.caller.is_staff, access.translate)
        shown["role"] = access.caller.role
        return reply(200, shown, ETag=etag(access.event.version))

    def change(
        self, access: EventAccess, settings: Mapping[str, Any], reason: str, if_match: IfMatch, confirmed: bool = False
    ) -> Reply:
        """Change settings of an event. `confirmed`: a day in the past is meant."""
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
        """Mark an event as deleted. It is removed some days later.

        `is_immediate`: the event is removed now and cannot be restored.
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
        """Restore an event that is marked as deleted. Nothing changes if the event is not marked."""
        with self._desk.writing(access, includes_deleted=True) as writer:
            event = writer.event(access.event.id)
            if event.deleted_on is not None:
                writer.restore_event(access.caller.signature)
                event = event.with_settings({"deleted_on": None, "written": writer.today})
        return self.show(access._replace(event=event))

    def _event_json(self, event: Tournament, is_staff: bool, translate: Language) -> ShownEventJSON:
        """Return the settings of an event. Only staff see the warnings about its own limits list."""
        own_list = self._desk.own_list(event, is_staff, translate)
        return event_answers.event(event, self._desk.now(), own_list, translate)

    def _check(self, event: Tournament, before: Tournament | None) -> None:
        """Raise Invalid if settings do not fit together. `before` is the event before a change, or its original.

        An own limits list is only checked if it is new. Entries of an old list may not fit the official list any more.
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
        """Raise Invalid for a day more than two years ahead, and for a past one unless `allows_past`.

        Yesterday is not past: in some time zones it has not ended.
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
        """Return the keys of judges and organisers as they are listed, without the secrets."""
        with self._desk.store.reading() as reader:
            shown: KeysJSON = {"keys": [_listed_key(key) for key in reader.keys(access.event.id)]}
            return reply(200, shown)

    def add_key(self, access: EventAccess, role: str, name: str, request: RepeatableRequest | None) -> Reply:
        """Make a key for a judge or an organiser of an event."""

        def add(writer: EventWriter) -> Reply:
            """Store a new key of the event and return it, once. Raises LimitReached if there are too many."""
            if len(writer.keys(access.event.id)) >= MOST_KEYS:
                raise LimitReached(phrase("An event has at most {most} keys.", most=MOST_KEYS))
            id, secret = writer.add_key(role, name, access.caller.signature)
            shown: MadeKeyJSON = {"id": id, "role": role, "name": name, "key": secret}
            return reply(201, shown)

        return self._desk.write_once(access, request, add)

    def revoke_key(self, access: EventAccess, key_id: str) -> Reply:
        """Revoke a key. Raises LimitReached for the last key of an organiser: somebody has to run the event."""
        with self._desk.writing(access) as writer:
            held = [key for key in writer.keys(access.event.id) if key.revoked is None]
            if key_id not in {key.id for key in held}:
                raise NoAccess
            if [key.id for key in held if key.role == ORGANISER] == [key_id]:
                raise LimitReached(phrase("This is the only organiser's key of the event. Make another one first."))
            writer.revoke(KeyRow.id == key_id, access.caller.signature, key_id)
        return Reply(204, b"")


def _listed_key(key: Any) -> ListedKeyJSON:
    """Return a key as JSON, without its secret."""
    return {"id": key.id, "role": key.role, "name": key.name, "created": key.created, "revoked": key.revoked}


def _restrict_lists(visibility: Visibility) -> Visibility:
    """Return a visibility with lists for judges or the organiser only: those of a new event are not known yet."""
    lists = visibility.lists if visibility.lists == CLOSED else JUDGES
    return replace(visibility, lists=lists, public_from=None)


def _expected_player(entrant: Entrant) -> ExpectedPlayer:
    """Return a registered player as an expected player of another event."""
    return ExpectedPlayer(entrant.player, entrant.revision.written.player_id, entrant.where.email)


class AuditDesk(PartDesk):
    """Reads the audits of the events of a registration desk. No audit is in memory as a whole."""

    @limited_concurrency
    def audit(self, access: EventAccess, after: int = 0, limit: int = MOST_ENTRIES) -> Reply:
        """Return at most `limit` entries after a number, and the state of the whole audit.

        `next` is the number to go on after. It is None, and there is no Link, after the last entry.
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
        """Return a page of `size` entries, the oldest of them first. Page 1 has the newest entries of the audit.

        A number that is too low or too high is that of the first or the last page.
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
    """Return the length and the head of an audit, and the first entry that was changed if there is one."""
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
    registered: int
    received: Annotated[int, doc("Registrations with a list.")]
    missing: Annotated[int, doc("Registrations without a list.")]
    not_registered: Annotated[int, doc("Expected players who have not registered.")]
    not_legal: Annotated[int | None, doc("Lists that are not legal; null if the caller may not see all lists yet.")]
    duplicates: Annotated[int, doc("Registrations that do not count, because the player has another one that does.")]
    checks: Annotated[int, doc("Deck checks, drawn or begun.")]


class OverviewJSON(EventNumbersJSON):
    event: str
    deadline: DeadlineJSON
    next_step: Annotated[str, doc(enum=STEPS)]


class OverviewDesk(PartDesk):
    """Counts the registrations and lists of the events of a registration desk."""

    @limited_concurrency
    def overview(self, access: EventAccess) -> Reply:
        """Return the numbers of an event, its deadline and the next step. A player with duplicates is counted once.

        `not_legal` is None if the caller may not see the lists yet.
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
    """Return the step of STEPS that comes next for the staff of an event."""
    return next(step for step, is_due in _due_steps(access, numbers, moment) if is_due)


def _due_steps(access: EventAccess, numbers: EventNumbersJSON, moment: datetime) -> Iterable[tuple[str, bool]]:
    """Yield the steps from the most to the least urgent, and True if a step is due."""
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
