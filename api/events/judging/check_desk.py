"""The check desk: deck checks at an event, from the seed and the draw to the penalty, and the event as files."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple

from api.events import rights
from api.events.base_desk import BaseDesk, EventAccess, IfMatch, check_match, limited_concurrency, reply, verdict_on
from api.events.bounds import LONGEST_SEED, MOST_CHECK_CHANGES, MOST_CHECKS, MOST_CHECKS_OF_PLAYER
from api.events.check_json import (
    BegunChecksJSON,
    ChecksJSON,
    ComparedBoxJSON,
    CountedJSON,
    ListedCheckJSON,
    NextCheckJSON,
    SeedJSON,
    ShownCheckJSON,
)
from api.events.event_answers import etag
from api.events.exports.event_files import EXPORTS, ExportKind
from api.events.exports.event_record import EventRecord, Participant
from api.events.judging import deck_checks, draws
from api.events.judging.deck_checks import BoxDifference, CheckNotes, CheckRecord
from api.events.judging.draws import Draw, Drawable, WantedDraw, drawable, is_seed, next_one
from api.events.judging.penalties import find_infractions
from api.events.judging.table_lists import table_lists
from api.events.players import attendance
from api.events.players.entrant import DifferingJSON, Entrant, absent
from api.events.storage import event_audit
from api.events.storage.event_keys import is_id
from api.events.storage.event_reader import EventReader
from api.events.storage.event_writer import EventWriter
from api.events.storage.idempotency import Once, Reply
from api.service.errors import Invalid, LimitReached, NoAccess, Refused, Wrong
from api.sheets.registration import Event
from validator.cards import Catalogue
from validator.deck import SECTIONS, Deck, DeckFacts
from validator.findings import NamedCard
from validator.judge import Judge

_CODE_PARTS = re.compile(r"[^0-9a-z]+")
_SEED_DIGITS = 8  # of a seed that is made here


class WantedNotes(NamedTuple):
    """What a judge says of a check: only what is said; a box as a tally by section, or as text."""

    said: Mapping[str, Any]
    tally: Mapping[str, Mapping[str, int]] | None = None
    text: str | None = None

    def box(self, at: EventAccess, desk: BaseDesk, catalogue: Catalogue) -> tuple[Deck | None, tuple[str, ...]]:
        """Return what lay there, None where nothing is said of it, and the sections that were looked at."""
        if self.tally is None:
            return desk.read_deck(at, None, self.text), SECTIONS
        try:
            return deck_checks.tallied(self.tally, catalogue), tuple(self.tally)
        except Invalid as error:
            raise Invalid([Wrong(f"/tally{one.pointer}", one.detail) for one in error.errors]) from None


class CheckDesk:
    """The deck checks of the events of a registration desk, for the asking."""

    def __init__(self, desk: BaseDesk) -> None:
        self._desk = desk
        self._store = desk.store
        self.looks = desk.looks

    def begin(self, at: EventAccess, registration: str, notes: Mapping[str, Any], once: Once | None) -> Reply:
        """Begin the check of a player's deck; it takes time from now on, unless it began earlier."""
        return self._begin(at, registration, notes, once)

    def draw(self, at: EventAccess, wanted: WantedDraw, notes: Mapping[str, Any], once: Once | None) -> Reply:
        """Draw whose decks to check; each gets a check that has not begun yet."""
        return self._begin(at, wanted, notes, once)

    def _begin(self, at: EventAccess, whom: str | WantedDraw, said: Mapping[str, Any], once: Once | None) -> Reply:
        self._check_sees(at)
        judge = self._desk.judge(at.event)

        def begin(writer: EventWriter) -> Reply:
            drawn, checked = self._chosen(writer, at, whom)
            started = {} if drawn else {"started": writer.now}
            if writer.count_checks(at.event.id) + len(checked) > MOST_CHECKS:
                raise LimitReached(f"An event has {MOST_CHECKS:,} deck checks at most.")
            notes = check_notes(
                CheckNotes(judge=_judge_name(writer, at))._replace(**(started | dict(said))), writer.now
            )
            made = set(writer.add_checks(checked, notes, at.caller.signature))
            mates = _by_registration(writer.checks(at.event.id, None if drawn else checked[0].id))
            if any(len(mates[one.id]) > MOST_CHECKS_OF_PLAYER for one in checked):
                raise LimitReached(f"A player's deck is checked {MOST_CHECKS_OF_PLAYER} times at most.")
            shown = [
                _shown(at, one, judge, mates[one.registration]) for one in chain(*mates.values()) if one.id in made
            ]
            alone = shown[0]["id"] if drawn is None else None
            answer: BegunChecksJSON = {"id": alone, "draw": drawn.as_json() if drawn else None, "checks": shown}
            tag = {"ETag": etag(1), "Location": f"/v1/events/{at.event.id}/checks/{alone}"} if alone else {}
            return reply(201, answer, **tag)

        return self._desk.answered_once(at, once, begin)

    def _chosen(
        self, reader: EventReader, at: EventAccess, whom: str | WantedDraw
    ) -> tuple[Draw | None, list[Entrant]]:
        if isinstance(whom, str):
            return None, [self._named(reader, at, whom)]
        duplicates = self._desk.duplicates(reader, at.event)
        entrants = {one.id: one for one in duplicates.counted}
        standings = [duplicates.left_out.get(id, id) for id in whom.standings]
        drawn = whom._replace(standings=standings).drawn(entrants.values(), reader.checks(at.event.id))
        return drawn, [entrants[id] for id in drawn.registrations]

    def _named(self, reader: EventReader, at: EventAccess, registration: str) -> Entrant:
        try:
            one = self._desk.seen(reader, at, registration)
        except NoAccess:
            raise Invalid([Wrong("/registration", "The event has no such registration.")]) from None
        if not one.received:
            raise Invalid([Wrong("/registration", "This player has registered no list; enter it first.")])
        return one

    @limited_concurrency
    def checks(self, at: EventAccess) -> Reply:
        """Return all deck checks, and how many are still owed for a tenth of all decks."""
        self._check_sees(at)
        judge = self._desk.judge(at.event)
        with self._store.reading() as reader:
            records, entrants = reader.checks(at.event.id), self._desk.duplicates(reader, at.event).counted
        begun = {one.registration for one in records if one.notes.started}
        players = [Drawable(one.id, checks=one.id in begun) for one in entrants if one.received]
        mates = _by_registration(records)
        listed = [_shown(at, one, judge, mates[one.registration]) for one in records]
        answer: ChecksJSON = {"event": at.event.id, "owed": draws.owed(players), "checks": listed}
        return reply(200, answer)

    @limited_concurrency
    def next_check(self, at: EventAccess, among: str, seed: str) -> Reply:
        """Return whose deck to check next, and why; the event has a seed of its own where none is said."""
        self._check_sees(at)
        with self._store.reading() as reader:
            records, counted = reader.checks(at.event.id), self._desk.duplicates(reader, at.event).counted
            seed = seed or reader.seed(at.event)
        entrants = {one.id: one for one in counted}
        begun = [one for one in records if one.notes.started]
        drawn = {one.registration: one.id for one in records if not one.notes.started}
        found = next_one(drawable(entrants.values(), begun, among), list(drawn), seed, among)
        one = entrants.get(found.registration)
        shown: NextCheckJSON = {
            "event": at.event.id,
            "registration": {"id": one.id, "player": one.player, "table": one.where.table} if one else None,
            "check": drawn.get(found.registration),
            **found.as_json(at.say),
        }
        return reply(200, shown)

    @limited_concurrency
    def scanned(self, at: EventAccess, code: str) -> str:
        """Return whose sheet has a code that was scanned; Invalid says so where that is nobody, or not one alone."""
        self._check_sees(at)
        with self._store.reading() as reader:
            entrants = reader.entrants(at.event.id)
        judge = self._desk.judge(at.event)
        return _find_scanned(code, at.event.id, lambda: _ids_by_hash(entrants, judge))

    def change_seed(self, at: EventAccess, seed: str, once: Once | None) -> Reply:
        """Set a new seed for the deck checks of an event, a random one if `seed` is "", and add it to the audit."""
        self._check_sees(at)
        seed = seed or f"{secrets.randbelow(10**_SEED_DIGITS):0{_SEED_DIGITS}d}"
        if not is_seed(seed):
            raise Invalid([Wrong("/seed", f"Write a seed of 1 to {LONGEST_SEED} characters on one line.")])

        def change(writer: EventWriter) -> Reply:
            before = writer.event(at.event.id)
            if seed != before.check_seed:
                event = before.changed({"check_seed": seed, "version": before.version + 1})
                writer.change_event(event, at.caller.signature, action=event_audit.SEED_CHANGED)
            shown: SeedJSON = {"event": at.event.id, "seed": seed}
            return reply(200, shown)

        return self._desk.answered_once(at, once, change)

    def check(self, at: EventAccess, id: str) -> Reply:
        """Return a deck check, with the cards of the registered list to be counted."""
        self._check_sees(at)
        with self._store.reading() as reader:
            return self._one(reader, at, id)

    def record(
        self, at: EventAccess, id: str, wanted: WantedNotes, if_match: IfMatch, once: Once | None = None
    ) -> Reply:
        """Write what lay in the box, what came of it and when; what is not said stays as it is."""
        self._check_sees(at)
        judge = self._desk.judge(at.event)
        box, looked_at = wanted.box(at, self._desk, judge.catalogue)

        def write(writer: EventWriter) -> Reply:
            one = writer.check(at.event.id, id)
            check_match(if_match, one.version)
            if one.version > MOST_CHECK_CHANGES:
                raise LimitReached(f"A deck check is changed {MOST_CHECK_CHANGES} times at most; begin another one.")
            notes = one.notes._replace(started=one.notes.started or writer.now)._replace(**wanted.said)
            revision = one.revision
            if box is not None:
                notes = notes._replace(looked_at=looked_at)
                revision = writer.entrant(at.event.id, one.registration).revision.number
            notes = check_notes(notes, writer.now)
            writer.change_check(one, revision, notes, one.box if box is None else box, at.caller.signature)
            return self._one(writer, at, id)

        return self._desk.answered_once(at, once, write)

    def _one(self, reader: EventReader, at: EventAccess, id: str) -> Reply:
        judge = self._desk.judge(at.event)
        one = reader.check(at.event.id, id)
        facts = one.facts(judge)
        box = one.found(judge)
        shown: ShownCheckJSON = {
            **_shown(at, one, judge, reader.checks(at.event.id, one.registration)),
            "cards": _rows(facts) if facts else [],
            "box": _rows(box) if box else None,
        }
        return reply(200, shown, ETag=etag(one.version))

    @limited_concurrency
    def lists(self, at: EventAccess) -> dict[str, Any]:
        """Return all that a judge's phone keeps to go on offline, in the order of the event's seed."""
        self._check_sees(at)
        judge = self._desk.judge(at.event)
        with self._store.reading() as reader:
            duplicates, records = self._desk.duplicates(reader, at.event), reader.checks(at.event.id)
            name, seed = _judge_name(reader, at), reader.seed(reader.event(at.event.id))
        mates = _by_registration(records)
        checks = [_shown(at, one, judge, mates[one.registration]) for one in records]
        boxes = [one.found(judge) for one in records]
        return table_lists(at.event, judge, duplicates, list(zip(checks, boxes, strict=True)), seed, at.say) | {
            "judge": name,
            "now": self._desk.now().isoformat(),
        }

    def export(self, at: EventAccess, kind: str, paper: str, order: str, root: str = "") -> tuple[ExportKind, bytes]:
        """Return the event as a file of one of EXPORTS; Invalid says so where it cannot be made.

        A telephone that scans a sheet goes to its deck check at `root`, the address of the server.
        """
        self._check_sees(at)
        made = EXPORTS[kind]
        try:
            return made, made.write(self._record(at, root), paper, order)
        except Refused as error:
            raise Invalid([Wrong("/as", str(error))]) from None

    def _record(self, at: EventAccess, root: str) -> EventRecord:
        event, judge = at.event, self._desk.judge(at.event)
        with self._store.reading() as reader:
            entrants, records = self._desk.duplicates(reader, at.event).counted, reader.checks(event.id)
            away = absent(reader.expected(event.id), entrants)
        checks = [one.check(judge) for one in records if one.notes.started]
        given = [one.penalty for one in records if one.penalty]
        printed = Event(event.name, event.on.isoformat(), event.place)
        players = [
            Participant.of(event, one, verdict_on(one, judge), sheet_address(root, event.id, one.id))
            for one in entrants
        ]
        page = f"{root.rstrip('/')}/events/{event.id}" if root else ""
        reminder = attendance.letter(event, self._desk.now(), at.say, page)
        return EventRecord(printed, judge, players, away, checks, given, reminder)

    def _check_sees(self, at: EventAccess) -> None:
        """Hide everything from those who see no lists yet."""
        if not rights.sees_list(at.caller, at.stage(self._desk.now()), False, False):
            raise NoAccess


def _judge_name(reader: EventReader, at: EventAccess) -> str:
    return reader.key_name(at.caller.key_id) or at.caller.role


def check_notes(notes: CheckNotes, now: datetime) -> CheckNotes:
    """Return notes with when the penalty was given; Invalid says what does not go together."""
    if notes.penalty and not notes.infraction:
        raise Invalid([Wrong("/infraction", "Write which infraction the penalty is for.")])
    if notes.ended and notes.started and notes.ended < notes.started:
        raise Invalid([Wrong("/ended", "The check ended before it began; write a later moment.")])
    return notes._replace(given=(notes.given or now) if notes.penalty else None)


def _by_registration(records: Iterable[CheckRecord]) -> dict[str, list[CheckRecord]]:
    found: dict[str, list[CheckRecord]] = {}
    for one in records:
        found.setdefault(one.registration, []).append(one)
    return found


def _shown(at: EventAccess, one: CheckRecord, judge: Judge, others: Iterable[CheckRecord]) -> ListedCheckJSON:
    """Return a check as it is answered; `others` has all checks of the player."""
    check, earlier, local = one.check(judge), one.earlier(others), at.event.local
    found, penalty, notes = check.difference, one.penalty, one.notes
    suggested = one.suggested(found, earlier)
    return {
        "id": check.id,
        "registration": check.registration,
        "judge": check.judge,
        "table": check.table,
        "round": check.round,
        "extension": check.extension,
        "outcome": check.outcome or None,
        "penalty": check.penalty or None,
        "note": check.note,
        "version": one.version,
        "player": one.player,
        "revision": one.revision,
        "started": local(notes.started).isoformat() if notes.started else None,
        "ended": local(notes.ended).isoformat() if notes.ended else None,
        "agrees": one.agrees(found) if found else None,
        **_compared(found),
        "infraction": notes.infraction or None,
        "reason": notes.reason,
        "grace": notes.grace,
        "between_games": notes.between_games,
        "infractions": [each.as_json(at.say) for each in find_infractions(one.verdict(judge), at.event.game, earlier)],
        "suggested": suggested.as_json() if suggested else None,
        "earlier": [each.line for each in earlier],
        "log": penalty.line if penalty else None,
    }


def _rows(facts: DeckFacts) -> list[DifferingJSON]:
    return [{"section": section, **_card_json(card)} for section, card in deck_checks.rows(facts)]


def _compared(found: BoxDifference | None) -> ComparedBoxJSON:
    """Return in what a box differs, nothing where none was looked into."""
    if found is None:
        return {"same_cards": None, "missing": {}, "extra": {}, "unread": []}
    return {
        "same_cards": found.same_cards,
        "missing": {each.section: list(map(_card_json, each.missing)) for each in found.sections if each.missing},
        "extra": {each.section: list(map(_card_json, each.extra)) for each in found.sections if each.extra},
        "unread": list(found.unread),
    }


def _card_json(card: NamedCard) -> CountedJSON:
    return {"number": card.number, "name": card.name, "count": card.count or 0}


def sheet_address(root: str, event_id: str, registration_id: str) -> str:
    """Return the address at which the deck of a sheet is checked, "" if the server has no address (`root` is "")."""
    return f"{root.rstrip('/')}/events/{event_id}/table#r={registration_id}" if root else ""


def _find_scanned(code: str, event_id: str, by_hash: Callable[[], Mapping[str, list[str]]]) -> str:
    """Return the registration of a scanned code: an address with its id, or the hash of a deck that no other has.

    Raises Invalid if no registration or several have the code.
    """
    ids = [part for part in _CODE_PARTS.split(code) if is_id(part)]
    if event_id in ids[:1] and len(ids) > 1:
        return ids[1]
    if ids:
        raise _wrong_code("This is no sheet of a player of this event.")
    found = by_hash().get(code.strip().lower(), [])
    if len(found) == 1:
        return found[0]
    if found:
        raise _wrong_code(f"{len(found)} players have registered this very list; choose one by name.")
    raise _wrong_code("No list of this event has this code; the sheet may be of an earlier list.")


def _ids_by_hash(entrants: Iterable[Entrant], judge: Judge) -> Mapping[str, list[str]]:
    """Return the ids of the registrations of each deck, by the hash of the deck."""
    found: dict[str, list[str]] = {}
    for one in entrants:
        if deck := one.revision.deck:
            found.setdefault(DeckFacts(deck, judge.catalogue, judge.terms.ruleset.types).hash, []).append(one.id)
    return found


def _wrong_code(message: str) -> Invalid:
    return Invalid([Wrong("/code", message)])
