"""Answers about events and registrations as JSON, without the fields that the caller may not see.

Verdicts are not stored. Each answer has a new verdict.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict
from datetime import datetime
from typing import cast

import orjson

from api.events import commitments
from api.events.bounds import MOST_REVISIONS
from api.events.event_json import DeadlineJSON, PolicyJSON, ShownEventJSON
from api.events.own_list import OwnListJSON
from api.events.player_json import (
    DuplicateJSON,
    LeaderJSON,
    ListedRegistrationJSON,
    ShownRegistrationJSON,
    ShownRevisionJSON,
)
from api.events.players.attendance import format_time
from api.events.players.duplicates import SAME_ID, Duplicate
from api.events.players.entrant import Entrant, Revision, compare_decks, deck_text
from api.events.storage.event_keys import OWNER, Caller
from api.events.tournament import Tournament
from api.service.answers.decklist_answers import deck_json
from api.service.answers.verdict_answers import verdict_bytes
from validator.cards import Card
from validator.findings import ERROR
from validator.judge import Judge, Verdict, VerdictJSON
from validator.language import ENGLISH, Language
from validator.rules import Policy


def etag(version: int) -> str:
    """Return the HTTP ETag of a version: its number in double quotes."""
    return f'"{version}"'


def event(
    event: Tournament, moment: datetime, own_list: OwnListJSON | None = None, translate: Language = ENGLISH
) -> ShownEventJSON:
    """Return the settings of an event as JSON, as anyone who knows its id sees them. Moments are in its time zone.

    `moment` is the present, for which the visibility and the deadline are given. `own_list` is the JSON of its limits
    list, None without one.
    """
    seen = event.visibility
    return {
        "id": event.id,
        "name": event.name,
        "game": event.game,
        "timezone": event.timezone,
        "ruleset": event.ruleset,
        "format": event.format,
        "region": event.region,
        "place": event.place,
        "best_of": event.best_of,
        "consent": event.consent,
        "purge_days": event.purge_days,
        "version": event.version,
        "verified": event.verified,
        "on": event.on.isoformat(),
        "opens": _local_text(event, event.opens),
        "closes": _local_text(event, event.closes),
        "policy": _policy_json(event.policy) if event.policy else None,
        "limits_list": event.limits_list,
        "own_list": own_list,
        "visibility": {
            "lists": seen.lists,
            "public_from": _local_text(event, seen.public_from),
            "roster": seen.roster,
            "verdicts": seen.verdicts,
            "now": seen.stage(moment),
        },
        "code": event.code,
        "purged": event.retention_end.isoformat(),
        "deleted_on": event.deleted_on.isoformat() if event.deleted_on else None,
        "unused_until": event.unused_until.isoformat() if event.unused_until else None,
        "now": event.local(moment).isoformat(),
        "deadline": deadline(event, None, moment, MOST_REVISIONS, translate),
    }


def _policy_json(policy: Policy) -> PolicyJSON:
    """Return the fields of a policy that are set as JSON. Fields that are None are left out."""
    return cast("PolicyJSON", {name: value for name, value in asdict(policy).items() if value is not None})


def deadline(
    event: Tournament, until: datetime | None, moment: datetime, changes_left: int, translate: Language = ENGLISH
) -> DeadlineJSON:
    """Return the deadline of a list as JSON, with the number of changes that are left, and both in a sentence.

    `until` is the player's own deadline, None for the deadline of the event. `changes_left` becomes 0 if no change is
    allowed at the moment. Without any deadline `until` and `seconds_left` are None.
    """
    closes = until or event.closes
    is_open = event.is_open(moment, until)
    return {
        "until": _local_text(event, closes),
        "timezone": event.timezone,
        "own": until is not None,
        "open": is_open,
        "seconds_left": max(0, int((closes - moment).total_seconds())) if closes else None,
        "changes_left": changes_left if is_open else 0,
        "says": _deadline_text(event, closes, is_open, moment, translate),
    }


def _deadline_text(
    event: Tournament, closes: datetime | None, is_open: bool, moment: datetime, translate: Language
) -> str:
    """Return the sentence on the deadline: until when and how often the list can be changed, or why it cannot.

    A list can be changed MOST_REVISIONS times. `closes` is the deadline, None without one. `is_open`: a change is
    allowed at the moment.
    """
    if is_open and closes:
        return translate(
            "The list can be changed up to {most} times until {until}. The last list counts.",
            until=format_time(event, closes, translate),
            most=MOST_REVISIONS,
        )
    if is_open:
        return translate(
            "The list can be changed up to {most} times, until the organiser closes registration. The"
            " last list counts.",
            most=MOST_REVISIONS,
        )
    if event.opens and moment < event.opens:
        return translate("Registration opens {at}.", at=format_time(event, event.opens, translate))
    return translate(
        "Registration is closed. The list at the deadline counts. Only a judge can change a list, with a reason."
    )


def registration(
    event: Tournament,
    entrant: Entrant,
    caller: Caller,
    moment: datetime,
    verdict: Verdict | None,
    deadline_revision: int | None = None,
    duplicates: Iterable[Duplicate] = (),
    translate: Language = ENGLISH,
) -> ShownRegistrationJSON:
    """Return a registration with its deck and verdict as JSON. Only the player (OWNER) and staff get private data.

    The caller must be allowed to see the list, which is not checked. For others `legal` is None unless the organiser
    shows verdicts. `verdict` is None if there is no list. `deadline_revision` is the number of the revision that
    counted at the event's deadline, None before that or without one. Only staff get the ids and names of `duplicates`.
    `moment` is the present, for the deadline.
    """
    revision, is_private = entrant.revision, caller.is_staff or caller.role == OWNER
    leader = verdict.facts.leader if verdict else None
    shown: ShownRegistrationJSON = {
        "id": entrant.id,
        "event": event.id,
        "player": entrant.player,
        "team": revision.written.team,
        "revision": revision.number,
        "received": entrant.has_list,
        "deck": deck_json(revision.deck) if revision.deck else None,
        "leader": _leader_json(leader) if leader else None,
        "legal": verdict.legal if verdict and (is_private or event.visibility.verdicts) else None,
    }
    if not is_private:
        return shown
    written = revision.written
    return {
        **shown,
        "table": entrant.where.table,
        "email": entrant.where.email,
        "player_id": written.player_id,
        "notes": written.notes,
        "decklist": written.decklist,
        "consent": {"publish": written.publish, "stream": written.stream},
        "cut": entrant.cut,
        "created": event.local(entrant.created).isoformat(),
        "updated": event.local(revision.at).isoformat(),
        "counts": {
            "revision": revision.number,
            "at": event.local(revision.at).isoformat(),
            "at_deadline": deadline_revision,
        },
        "deadline": deadline(event, entrant.until, moment, MOST_REVISIONS - revision.number, translate),
        "receipt": receipt(event, entrant, verdict, translate),
        "verdict": cast("VerdictJSON", orjson.Fragment(verdict_bytes(verdict, translate=translate)))
        if verdict
        else None,
        "duplicates": [_duplicate_json(event, other, caller, translate) for other in duplicates],
    }


def _leader_json(leader: Card) -> LeaderJSON:
    """Return the Leader card of a deck as JSON: number, name and colours."""
    return {"number": leader.number, "name": leader.name, "colors": leader.colors}


def _duplicate_json(event: Tournament, duplicate: Duplicate, caller: Caller, translate: Language) -> DuplicateJSON:
    """Return a duplicate of a registration as JSON, with a sentence about its time and the equal player ID or name.

    Staff also get its id and name. Others get advice on how to change or merge it in the sentence.
    """
    other, time = duplicate.entrant, format_time(event, duplicate.entrant.created, translate)
    if duplicate.same == SAME_ID:
        sentence = translate("There is another registration with this player ID, received {time}.", time=time)
    else:
        sentence = translate("There is another registration with this name, received {time}.", time=time)
    shown: DuplicateJSON = {"same": duplicate.same, "since": event.local(other.created).isoformat(), "says": sentence}
    if caller.is_staff:
        return {**shown, "id": other.id, "player": other.player}
    advice = translate("If it is yours, open its personal link to change it, or ask a judge to merge the two.")
    return {**shown, "says": f"{sentence} {advice}"}


def receipt(event: Tournament, entrant: Entrant, verdict: Verdict | None, translate: Language = ENGLISH) -> str:
    """Return the receipt of a registration as a sentence: the time, the revision, and if the list is legal.

    The number of errors is given if the list is not legal. `verdict` None means that there is no list.
    """
    if verdict is None:
        return translate("No list has been received.")
    values = {"at": format_time(event, entrant.revision.at, translate), "revision": entrant.revision.number}
    if verdict.legal:
        return translate("Received {at}, legal. Revision {revision} counts.", **values)
    return translate.plural(
        "Received {at}, not legal ({count} error). Revision {revision} counts.",
        "Received {at}, not legal ({count} errors). Revision {revision} counts.",
        sum(finding.severity == ERROR for finding in verdict.findings),
        **values,
    )


def listed_registration(
    event: Tournament, entrant: Entrant, verdict: Verdict | None, duplicates: Collection[Duplicate]
) -> ListedRegistrationJSON:
    """Return a registration as JSON for staff, as a line in a list of registrations. It has no deck.

    Without a verdict `legal` and `deck_hash` are None, and `codes` is empty. `codes` are the different codes of all
    findings, sorted. `duplicates` are those of this registration.
    """
    written = entrant.revision.written
    return {
        "id": entrant.id,
        "player": written.player,
        "player_id": written.player_id,
        "team": written.team,
        "table": entrant.where.table,
        "email": entrant.where.email,
        "revision": entrant.revision.number,
        "received": entrant.has_list,
        "at": event.local(entrant.revision.at).isoformat(),
        "until": _local_text(event, entrant.until),
        "cut": entrant.cut,
        "legal": verdict.legal if verdict else None,
        "codes": sorted({finding.code for finding in verdict.findings}) if verdict else [],
        "deck_hash": verdict.deck_hash if verdict else None,
        "same_id": [other.entrant.id for other in duplicates if other.same == SAME_ID],
        "duplicates": [other.entrant.id for other in duplicates],
    }


def revision(
    event: Tournament,
    entrant: Entrant,
    shown_revision: Revision,
    before: Revision | None,
    judge: Judge,
    deadline_revision: int | None,
) -> ShownRevisionJSON:
    """Return a revision of a registration as JSON, with the cards added and removed since the revision `before`.

    `before` is None for the first revision. `deadline_revision` is the number of the revision that counted at the
    deadline, None before it is over. `legal` is None without a deck. The commitment to its list is computed.
    """
    changed = compare_decks(before.deck if before else None, shown_revision.deck, judge.catalogue)
    written = shown_revision.written
    return {
        "number": shown_revision.number,
        "at": event.local(shown_revision.at).isoformat(),
        "by": shown_revision.by,
        "reason": shown_revision.reason,
        "commitment": commitments.commit(commitment_terms(event), opened_list(entrant.id, shown_revision)).list_hash,
        "player": written.player,
        "player_id": written.player_id,
        "team": written.team,
        "notes": written.notes,
        "decklist": written.decklist,
        "consent": {"publish": written.publish, "stream": written.stream},
        "deck": deck_json(shown_revision.deck) if shown_revision.deck else None,
        "counts": shown_revision.number == entrant.revision.number,
        "at_deadline": shown_revision.number == deadline_revision,
        **changed,
        "legal": judge(shown_revision.deck).legal if shown_revision.deck else None,
    }


def commitment_terms(event: Tournament) -> commitments.EventTerms:
    """Return the values of an event that commitments to its lists contain: id, game and format ("" for none)."""
    return commitments.EventTerms(event.id, event.game, event.format or "")


def opened_list(registration_id: str, revision: Revision) -> commitments.OpenedList:
    """Return the list of a revision with its salt and player, from which the commitment to the list is computed."""
    return commitments.OpenedList(registration_id, revision.salt, deck_text(revision.deck), revision.written.player)


def _local_text(event: Tournament, moment: datetime | None) -> str | None:
    """Return a moment as ISO text in the event's time zone, None for None."""
    return event.local(moment).isoformat() if moment else None
