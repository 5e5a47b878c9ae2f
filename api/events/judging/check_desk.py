"""The check desk: deck checks at an event, from the seed and the draw to the penalty, and the event as files."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple

from api.events.base_desk import (
    BaseDesk,
    EventAccess,
    IfMatch,
    PartDesk,
    check_match,
    limited_concurrency,
    reply,
    verdict_on,
)
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
from api.events.judging.draws import Draw, Drawable, WantedDraw, drawable, find_next_check, is_seed
from api.events.judging.penalties import find_infractions
from api.events.judging.table_lists import JudgeTableJSON, table_lists
from api.events.players import attendance
from api.events.players.entrant import DifferingJSON, Entrant, find_absent
from api.events.storage import event_audit
from api.events.storage.event_keys import is_id
from api.events.storage.event_reader import EventReader
from api.events.storage.event_writer import EventWriter
from api.events.storage.idempotency import RepeatableRequest, Reply
from api.service.errors import Invalid, LimitReached, NoAccess, Refused, Wrong
from api.sheets.registration import Event
from validator.cards import Catalogue
from validator.deck import SECTIONS, Deck, DeckFacts
from validator.errors import error_text
from validator.findings import NamedCard
from validator.judge import Judge
from validator.language import phrase

_CODE_PARTS = re.compile(r"[^0-9a-z]+")
_SEED_DIGITS = 8  # of a seed that is made here


class WantedNotes(NamedTuple):
    """A requested change of a deck check. `fields` are the changed fields of CheckNotes with their values, by name.

    The counted box is `tally`, the copies by section and by the card's number or name, or else the list in `text`. Both
    None: no box was counted now.
    """

    fields: Mapping[str, Any]
    tally: Mapping[str, Mapping[str, int]] | None = None
    text: str | None = None

    def box(self, access: EventAccess, desk: BaseDesk, catalogue: Catalogue) -> tuple[Deck | None, tuple[str, ...]]:
        """Return (deck in the box, sections that were counted). The deck is None if no box was counted.

        A text counts all sections, a tally only its own, and with a tally the text is ignored. Without either the
        sections are all. The text is read by the event's game. Raises Invalid if the text or the tally is wrong.
        """
        if self.tally is None:
            return desk.read_deck(access, None, self.text), SECTIONS
        try:
            return deck_checks.parse_tally(self.tally, catalogue), tuple(self.tally)
        except Invalid as error:
            raise Invalid([Wrong(f"/tally{one.pointer}", one.detail) for one in error.errors]) from None


class CheckDesk(PartDesk):
    """Draws, begins, lists and records the deck checks of events, and exports events as files.

    Each public method raises NoAccess if the caller may not see the lists of all players at the moment. A `request`
    None cannot be repeated.
    """

    def begin(
        self,
        access: EventAccess,
        selection: str | WantedDraw,
        values: Mapping[str, Any],
        request: RepeatableRequest | None,
    ) -> Reply:
        """Add a check of one deck (`selection` is the id of a registration), or a check of each deck of a draw.

        Answers 201 with `id` (of the check, None for a draw), `draw` (None for one deck) and `checks`. A single check
        begins now, and drawn ones have not begun, unless `values` has `started`. `values` are fields of CheckNotes for
        each check. The judge is the caller if they name no other. A draw is among the registrations with a list, of
        duplicates only the one that counts. A repeated `request` gets the stored answer.

        Raises Invalid if there is no such registration, it has no list, a term of the draw is wrong, or notes
        contradict each other. Raises LimitReached above MOST_CHECKS of the event or MOST_CHECKS_OF_PLAYER of a
        registration.
        """
        self._check_sees_lists(access)
        judge = self._desk.judge(access.event)

        def begin(writer: EventWriter) -> Reply:
            """Choose the registrations, store a check of each, and answer with the checks.

            Raises the errors of the outer `begin`.
            """
            drawn, checked = self._choose_registrations(writer, access, selection)
            started = {} if drawn else {"started": writer.now}
            if writer.count_checks(access.event.id) + len(checked) > MOST_CHECKS:
                raise LimitReached(phrase("An event has at most {most:,} deck checks.", most=MOST_CHECKS))
            notes = check_notes(
                CheckNotes(judge=_judge_name(writer, access))._replace(**(started | dict(values))), writer.now
            )
            made = set(writer.add_checks(checked, notes, access.caller.signature))
            mates = _by_registration(writer.checks(access.event.id, None if drawn else checked[0].id))
            if any(len(mates[one.id]) > MOST_CHECKS_OF_PLAYER for one in checked):
                raise LimitReached(
                    phrase("A player's deck is checked at most {most} times.", most=MOST_CHECKS_OF_PLAYER)
                )
            shown = [
                _check_json(access, one, judge, mates[one.registration])
                for one in chain(*mates.values())
                if one.id in made
            ]
            alone = shown[0]["id"] if drawn is None else None
            answer: BegunChecksJSON = {"id": alone, "draw": drawn.as_json() if drawn else None, "checks": shown}
            tag = {"ETag": etag(1), "Location": f"/v1/events/{access.event.id}/checks/{alone}"} if alone else {}
            return reply(201, answer, **tag)

        return self._desk.write_once(access, request, begin)

    def _choose_registrations(
        self, reader: EventReader, access: EventAccess, selection: str | WantedDraw
    ) -> tuple[Draw | None, list[Entrant]]:
        """Return (draw, drawn registrations). If `selection` is the id of a registration: (None, that registration).

        Of duplicates only the registration that counts is drawn, and it replaces the others in the standings. Raises
        Invalid if a term of the draw is wrong, or if the registration is missing or has no list.
        """
        if isinstance(selection, str):
            return None, [self._find_player(reader, access, selection)]
        duplicates = self._desk.duplicates(reader, access.event)
        entrants = {one.id: one for one in duplicates.counted_registrations}
        standings = [duplicates.left_out.get(id, id) for id in selection.standings]
        drawn = selection._replace(standings=standings).draw(entrants.values(), reader.checks(access.event.id))
        return drawn, [entrants[id] for id in drawn.registrations]

    def _find_player(self, reader: EventReader, access: EventAccess, registration: str) -> Entrant:
        """Return the registration with an id. Raises Invalid if the caller sees none, or if it has no list."""
        try:
            one = self._desk.find_registration(reader, access, registration)
        except NoAccess:
            raise Invalid([Wrong("/registration", phrase("The event has no such registration."))]) from None
        if not one.has_list:
            raise Invalid([Wrong("/registration", phrase("This player has registered no list. Enter the list first."))])
        return one

    @limited_concurrency
    def checks(self, access: EventAccess) -> Reply:
        """Answer with all deck checks in the order of their creation, and `owed`.

        `owed` is the number of decks still to check until a tenth of all is checked. A check that has not begun, and a
        duplicate registration, do not count for it. Raises Busy if too many requests wait.
        """
        self._check_sees_lists(access)
        judge = self._desk.judge(access.event)
        with self._desk.store.reading() as reader:
            records, entrants = (
                reader.checks(access.event.id),
                self._desk.duplicates(reader, access.event).counted_registrations,
            )
        begun = {one.registration for one in records if one.notes.started}
        players = [Drawable(one.id, checks=one.id in begun) for one in entrants if one.has_list]
        mates = _by_registration(records)
        listed = [_check_json(access, one, judge, mates[one.registration]) for one in records]
        answer: ChecksJSON = {"event": access.event.id, "owed": draws.count_owed(players), "checks": listed}
        return reply(200, answer)

    @limited_concurrency
    def next_check(self, access: EventAccess, group: str, seed: str) -> Reply:
        """Answer with the registration whose deck to check next, of a group of AMONG, and the reason.

        Candidates are registrations with a list, of duplicates only the one that counts. Drawn decks whose check has
        not begun come first, then those checked least often, in the order of the `seed` ("" is the seed of the event).
        The registration is None if there is none. `check` is the id of its drawn check, None without one. Raises
        Invalid if the group needs places and none is known. Raises Busy if too many requests wait.
        """
        self._check_sees_lists(access)
        with self._desk.store.reading() as reader:
            records, counted = (
                reader.checks(access.event.id),
                self._desk.duplicates(reader, access.event).counted_registrations,
            )
            seed = seed or reader.seed(access.event)
        entrants = {one.id: one for one in counted}
        begun = [one for one in records if one.notes.started]
        drawn = {one.registration: one.id for one in records if not one.notes.started}
        found = find_next_check(drawable(entrants.values(), begun, group), list(drawn), seed, group)
        one = entrants.get(found.registration)
        shown: NextCheckJSON = {
            "event": access.event.id,
            "registration": {"id": one.id, "player": one.player, "table": one.where.table} if one else None,
            "check": drawn.get(found.registration),
            **found.as_json(access.translate),
        }
        return reply(200, shown)

    @limited_concurrency
    def find_scanned(self, access: EventAccess, code: str) -> str:
        """Return the id of the registration of a scanned code: a sheet's address, or the hash of a registered deck.

        Raises Invalid if the address is no sheet of this event, or if no registration or several have the hash. The
        registration in an address need not exist. Raises Busy if too many requests wait.
        """
        self._check_sees_lists(access)
        with self._desk.store.reading() as reader:
            entrants = reader.entrants(access.event.id)
        judge = self._desk.judge(access.event)
        return _find_scanned(code, access.event.id, lambda: _ids_by_hash(entrants, judge))

    def change_seed(self, access: EventAccess, seed: str, request: RepeatableRequest | None) -> Reply:
        """Set the seed that orders the deck checks of an event, and answer with it. "" sets a random one of 8 digits.

        The change is added to the audit and increases the version of the event. An equal seed changes nothing. A
        repeated `request` gets the stored answer. Raises Invalid if the text cannot be a seed.
        """
        self._check_sees_lists(access)
        seed = seed or f"{secrets.randbelow(10**_SEED_DIGITS):0{_SEED_DIGITS}d}"
        if not is_seed(seed):
            raise Invalid(
                [Wrong("/seed", phrase("Write a seed of 1 to {most} characters on one line.", most=LONGEST_SEED))]
            )

        def change(writer: EventWriter) -> Reply:
            """Store the new seed of the event's deck checks, and answer with it. An equal seed changes nothing."""
            before = writer.event(access.event.id)
            if seed != before.check_seed:
                event = before.with_settings({"check_seed": seed, "version": before.version + 1})
                writer.change_event(event, access.caller.signature, action=event_audit.SEED_CHANGED)
            shown: SeedJSON = {"event": access.event.id, "seed": seed}
            return reply(200, shown)

        return self._desk.write_once(access, request, change)

    def check(self, access: EventAccess, id: str) -> Reply:
        """Answer with a deck check, the cards of the registered list to be counted, and the cards of the counted box.

        The list is that of the revision which the check is compared with. Raises NoAccess if there is no such check.
        """
        self._check_sees_lists(access)
        with self._desk.store.reading() as reader:
            return self._check_reply(reader, access, id)

    def record(
        self,
        access: EventAccess,
        id: str,
        notes_request: WantedNotes,
        if_match: IfMatch,
        request: RepeatableRequest | None = None,
    ) -> Reply:
        """Change a deck check, and answer with it. Fields that are not in the notes stay as they are.

        A check that has not begun begins now, unless the notes have another start. A counted box is compared with the
        newest revision of the registration from now on. A repeated `request` gets the stored answer.

        Raises NoAccess if there is no such check. Raises Unconditional without `if_match`, and Changed if that lacks
        the current version. Raises Invalid if the box is wrong or notes contradict each other. Raises LimitReached
        after MOST_CHECK_CHANGES changes.
        """
        self._check_sees_lists(access)
        judge = self._desk.judge(access.event)
        box, looked_at = notes_request.box(access, self._desk, judge.catalogue)

        def write(writer: EventWriter) -> Reply:
            """Store the notes, and the box if it was counted, and answer with the check.

            A check that has not begun begins now, unless the notes have another start. Raises the errors of `record`.
            """
            one = writer.check(access.event.id, id)
            check_match(if_match, one.version)
            if one.version > MOST_CHECK_CHANGES:
                raise LimitReached(
                    phrase("A deck check is changed at most {most} times. Begin another one.", most=MOST_CHECK_CHANGES)
                )
            notes = one.notes._replace(started=one.notes.started or writer.now)._replace(**notes_request.fields)
            revision = one.revision
            if box is not None:
                notes = notes._replace(looked_at=looked_at)
                revision = writer.entrant(access.event.id, one.registration).revision.number
            notes = check_notes(notes, writer.now)
            writer.change_check(one, revision, notes, one.box if box is None else box, access.caller.signature)
            return self._check_reply(writer, access, id)

        return self._desk.write_once(access, request, write)

    def _check_reply(self, reader: EventReader, access: EventAccess, id: str) -> Reply:
        """Answer with a deck check, the cards of the list and those of the box.

        Raises NoAccess if there is no such check. The list is that of the revision which the check is compared with.
        Its cards are empty without a list, those of the box None before it is counted.
        """
        judge = self._desk.judge(access.event)
        one = reader.check(access.event.id, id)
        facts = one.facts(judge)
        box = one.box_facts(judge)
        shown: ShownCheckJSON = {
            **_check_json(access, one, judge, reader.checks(access.event.id, one.registration)),
            "cards": _card_rows(facts) if facts else [],
            "box": _card_rows(box) if box else None,
        }
        return reply(200, shown, ETag=etag(one.version))

    @limited_concurrency
    def lists(self, access: EventAccess) -> JudgeTableJSON:
        """Return all that a judge's phone stores to work offline: all lists with verdicts, and all deck checks.

        Also the order, by the event's seed, in which to check the lists that count, the judge's name and the server's
        time. Raises Busy if too many requests wait.
        """
        self._check_sees_lists(access)
        judge = self._desk.judge(access.event)
        with self._desk.store.reading() as reader:
            duplicates, records = self._desk.duplicates(reader, access.event), reader.checks(access.event.id)
            name, seed = _judge_name(reader, access), reader.seed(reader.event(access.event.id))
        mates = _by_registration(records)
        checks = [_check_json(access, one, judge, mates[one.registration]) for one in records]
        boxes = [one.box_facts(judge) for one in records]
        lists = table_lists(
            access.event, judge, duplicates, list(zip(checks, boxes, strict=True)), seed, access.translate
        )
        return {**lists, "judge": name, "now": self._desk.now().isoformat()}

    def export(
        self, access: EventAccess, kind: str, paper: str, order: str, root: str = ""
    ) -> tuple[ExportKind, bytes]:
        """Return (kind of file, bytes): an event as a file. `kind` is one of EXPORTS.

        `paper` is one of PAPERS, `order` the order of sheets, one of ORDERS. `root` is the address of the server, ""
        for none. The code of a printed sheet opens the deck check there. Raises Invalid, with the reason, if the file
        cannot be made.
        """
        self._check_sees_lists(access)
        made = EXPORTS[kind]
        try:
            return made, made.write(replace(self._record(access, root), paper=paper, order=order))
        except Refused as error:
            raise Invalid([Wrong("/as", error_text(error))]) from None

    def _record(self, access: EventAccess, root: str) -> EventRecord:
        """Return all values of an event for its exports, with a verdict on each list that counts.

        Duplicate registrations and checks that have not begun are left out. The expected players who have not
        registered, all penalties and a letter of reminder are included. `root` is the address of the server, "" for no
        links.
        """
        event, judge = access.event, self._desk.judge(access.event)
        with self._desk.store.reading() as reader:
            entrants, records = (
                self._desk.duplicates(reader, access.event).counted_registrations,
                reader.checks(event.id),
            )
            away = find_absent(reader.expected_players(event.id), entrants)
        checks = [one.check(judge) for one in records if one.notes.started]
        given = [one.penalty for one in records if one.penalty]
        printed = Event(event.name, event.on.isoformat(), event.place)
        players = [
            Participant.from_registration(event, one, verdict_on(one, judge), sheet_address(root, event.id, one.id))
            for one in entrants
        ]
        page = f"{root.rstrip('/')}/events/{event.id}" if root else ""
        reminder = attendance.letter(event, self._desk.now(), access.translate, page)
        return EventRecord(printed, judge, players, away, checks, given, reminder)


def _judge_name(reader: EventReader, access: EventAccess) -> str:
    """Return the label of the caller's key, or the caller's role if the key has no label."""
    return reader.key_name(access.caller.key_id) or access.caller.role


def check_notes(notes: CheckNotes, moment: datetime) -> CheckNotes:
    """Return notes with `given`, the moment of their penalty: the earlier one, else `moment`. None without a penalty.

    Raises Invalid if there is a penalty without an infraction, or if the check ended before it began.
    """
    if notes.penalty and not notes.infraction:
        raise Invalid([Wrong("/infraction", phrase("Write which infraction the penalty is for."))])
    if notes.ended and notes.started and notes.ended < notes.started:
        raise Invalid([Wrong("/ended", phrase("The check ended before it began. Write a later moment."))])
    return notes._replace(given=(notes.given or moment) if notes.penalty else None)


def _by_registration(records: Iterable[CheckRecord]) -> dict[str, list[CheckRecord]]:
    """Return deck checks by the id of their registration, each in the given order."""
    found: dict[str, list[CheckRecord]] = {}
    for one in records:
        found.setdefault(one.registration, []).append(one)
    return found


def _check_json(
    access: EventAccess, record: CheckRecord, judge: Judge, checks: Iterable[CheckRecord]
) -> ListedCheckJSON:
    """Return a deck check as JSON, with its difference, infractions, suggested penalty and earlier penalties.

    `checks` are all checks of the player, for the earlier penalties. Moments are in the zone of the event. `agrees` is
    None before the box is counted or without a list. An open outcome, and no penalty, infraction or moment, are None.
    Other texts that the judge left out are "".
    """
    check, earlier, local = record.check(judge), record.earlier(checks), access.event.local
    found, penalty, notes = check.difference, record.penalty, record.notes
    suggested = record.suggest_penalty(found, earlier)
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
        "version": record.version,
        "player": record.player,
        "revision": record.revision,
        "started": local(notes.started).isoformat() if notes.started else None,
        "ended": local(notes.ended).isoformat() if notes.ended else None,
        "agrees": record.agrees(found) if found else None,
        **_difference_json(found),
        "infraction": notes.infraction or None,
        "reason": notes.reason,
        "grace": notes.grace,
        "between_games": notes.between_games,
        "infractions": [
            each.as_json(access.translate)
            for each in find_infractions(record.verdict(judge), access.event.game, earlier)
        ],
        "suggested": suggested.as_json() if suggested else None,
        "earlier": [each.line for each in earlier],
        "log": penalty.line if penalty else None,
    }


def _card_rows(facts: DeckFacts) -> list[DifferingJSON]:
    """Return the cards of a deck as JSON, each once for each section, by section and then in the order of the list."""
    return [{"section": section, **_card_json(card)} for section, card in deck_checks.rows(facts)]


def _difference_json(difference: BoxDifference | None) -> ComparedBoxJSON:
    """Return the difference of a box as JSON: missing and extra cards by section. Sections without any are left out.

    If it is None (no box was counted, or there is no list), `same_cards` is None and the rest is empty.
    """
    if difference is None:
        return {"same_cards": None, "missing": {}, "extra": {}, "unread": []}
    return {
        "same_cards": difference.same_cards,
        "missing": {each.section: list(map(_card_json, each.missing)) for each in difference.sections if each.missing},
        "extra": {each.section: list(map(_card_json, each.extra)) for each in difference.sections if each.extra},
        "unread": list(difference.unread),
    }


def _card_json(card: NamedCard) -> CountedJSON:
    """Return a card with its number of copies as JSON. A count of None becomes 0."""
    return {"number": card.number, "name": card.name, "count": card.count or 0}


def sheet_address(root: str, event_id: str, registration_id: str) -> str:
    """Return the address at which the deck of a printed sheet is checked.

    "" if the server has no address (`root` is "").
    """
    return f"{root.rstrip('/')}/events/{event_id}/table#r={registration_id}" if root else ""


def _find_scanned(code: str, event_id: str, by_hash: Callable[[], Mapping[str, list[str]]]) -> str:
    """Return the id of the registration of a scanned code.

    A code is an address with the ids of the event and the registration, or the hash of a deck. `by_hash` is only called
    for a hash, and returns the ids of registrations by hash. The id in an address is returned without a look-up. Raises
    Invalid if the address is of another event or no registration, or if not exactly one registration has the hash.
    """
    ids = [part for part in _CODE_PARTS.split(code) if is_id(part)]
    if event_id in ids[:1] and len(ids) > 1:
        return ids[1]
    if ids:
        raise _code_error(phrase("This is no sheet of a player of this event."))
    found = by_hash().get(code.strip().lower(), [])
    if len(found) == 1:
        return found[0]
    if found:
        raise _code_error(phrase("{count} players have registered this list. Choose one by name.", count=len(found)))
    raise _code_error(phrase("No list of this event has this code. The sheet may be of an earlier list."))


def _ids_by_hash(entrants: Iterable[Entrant], judge: Judge) -> Mapping[str, list[str]]:
    """Return the ids of registrations by the hash of their deck. Registrations without a deck are left out."""
    found: dict[str, list[str]] = {}
    for one in entrants:
        if deck := one.revision.deck:
            found.setdefault(DeckFacts(deck, judge.catalogue, judge.terms.ruleset.types).hash, []).append(one.id)
    return found


def _code_error(message: str) -> Invalid:
    """Return the error about the scanned code with a message. It is not raised here."""
    return Invalid([Wrong("/code", message)])
