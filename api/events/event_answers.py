"""What is answered about events: as JSON, as far as whoever asks may see it; verdicts are made anew each time."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict
from datetime import datetime
from typing import cast

import orjson

from api.events import commitments
from api.events.bounds import MOST_REVISIONS
from api.events.event_json import DeadlineJSON, PolicyJSON, ShownEventJSON
from api.events.player_json import (
    DuplicateJSON,
    ListedRegistrationJSON,
    ShownLeaderJSON,
    ShownRegistrationJSON,
    ShownRevisionJSON,
)
from api.events.players.attendance import said_time
from api.events.players.duplicates import SAME_ID, Duplicate
from api.events.players.entrant import Differences, Entrant, Revision
from api.events.storage.event_keys import OWNER, Caller
from api.events.tournament import Tournament
from api.service.answers.decklist_answers import deck_json
from api.service.answers.verdict_answers import VerdictJSON, verdict_bytes
from validator.cards import Card
from validator.findings import ERROR
from validator.judge import Judge, Verdict
from validator.language import ENGLISH, Language
from validator.rules import Policy


def etag(version: int) -> str:
    """Return what a state is called in ETag and If-Match."""
    return f'"{version}"'


def event(of: Tournament, now: datetime, say: Language = ENGLISH) -> ShownEventJSON:
    """Return an event as anyone who knows its id sees it."""
    seen = of.visibility
    return {
        "id": of.id,
        "name": of.name,
        "game": of.game,
        "timezone": of.timezone,
        "ruleset": of.ruleset,
        "format": of.format,
        "region": of.region,
        "place": of.place,
        "best_of": of.best_of,
        "consent": of.consent,
        "purge_days": of.purge_days,
        "version": of.version,
        "verified": of.verified,
        "on": of.on.isoformat(),
        "opens": _local(of, of.opens),
        "closes": _local(of, of.closes),
        "policy": _policy(of.policy) if of.policy else None,
        "visibility": {
            "lists": seen.lists,
            "public_from": _local(of, seen.public_from),
            "roster": seen.roster,
            "verdicts": seen.verdicts,
            "now": seen.stage(now),
        },
        "code": of.code,
        "purged": of.purged.isoformat(),
        "deleted_on": of.deleted_on.isoformat() if of.deleted_on else None,
        "unused_until": of.unused_until.isoformat() if of.unused_until else None,
        "now": of.local(now).isoformat(),
        "deadline": deadline(of, None, now, MOST_REVISIONS, say),
    }


def _policy(policy: Policy) -> PolicyJSON:
    return cast("PolicyJSON", {name: value for name, value in asdict(policy).items() if value is not None})


def deadline(of: Tournament, until: datetime | None, now: datetime, left: int, say: Language = ENGLISH) -> DeadlineJSON:
    """Return until when, in the event's zone, and how often a list may be changed, and which one counts."""
    closes = until or of.closes
    is_open = of.is_open(now, until)
    return {
        "until": _local(of, closes),
        "timezone": of.timezone,
        "own": until is not None,
        "open": is_open,
        "seconds_left": max(0, int((closes - now).total_seconds())) if closes else None,
        "changes_left": left if is_open else 0,
        "says": _says(of, closes, is_open, now, say),
    }


def _says(of: Tournament, closes: datetime | None, is_open: bool, now: datetime, say: Language) -> str:
    if is_open and closes:
        return say(
            "The list may be changed any number of times until {until}, up to {most}; the last one counts.",
            until=said_time(of, closes),
            most=MOST_REVISIONS,
        )
    if is_open:
        return say(
            "The list may be changed any number of times until the organiser closes registration, up to {most}; "
            "the last one counts.",
            most=MOST_REVISIONS,
        )
    if of.opens and now < of.opens:
        return say("Registration opens {at}.", at=said_time(of, of.opens))
    return say(
        "Registration is closed. The list at the deadline counts. Only a judge can change a list, with a reason."
    )


def registration(
    of: Tournament,
    one: Entrant,
    caller: Caller,
    now: datetime,
    verdict: Verdict | None,
    stood: int | None = None,
    duplicates: Iterable[Duplicate] = (),
    say: Language = ENGLISH,
) -> ShownRegistrationJSON:
    """Return a registration with its deck and verdict.

    Others than its player and staff do not get what is private. `legal` is None for them unless the organiser wants
    verdicts to be shown. Only staff get the ids and the names of its duplicates.
    """
    revision, is_private = one.revision, caller.is_staff or caller.role == OWNER
    leader = verdict.facts.leader if verdict else None
    shown: ShownRegistrationJSON = {
        "id": one.id,
        "event": of.id,
        "player": one.player,
        "team": revision.written.team,
        "revision": revision.number,
        "received": one.received,
        "deck": deck_json(revision.deck) if revision.deck else None,
        "leader": _leader(leader) if leader else None,
        "legal": verdict.legal if verdict and (is_private or of.visibility.verdicts) else None,
    }
    if not is_private:
        return shown
    written = revision.written
    return {
        **shown,
        "table": one.where.table,
        "email": one.where.email,
        "player_id": written.player_id,
        "notes": written.notes,
        "decklist": written.decklist,
        "consent": {"publish": written.publish, "stream": written.stream},
        "cut": one.cut,
        "created": of.local(one.created).isoformat(),
        "updated": of.local(revision.at).isoformat(),
        "counts": {
            "revision": revision.number,
            "at": of.local(revision.at).isoformat(),
            "at_deadline": stood,
        },
        "deadline": deadline(of, one.until, now, MOST_REVISIONS - revision.number, say),
        "receipt": receipt(of, one, verdict, say),
        "verdict": cast("VerdictJSON", orjson.Fragment(verdict_bytes(verdict, say=say))) if verdict else None,
        "duplicates": [_duplicate(of, other, caller, say) for other in duplicates],
    }


def _leader(leader: Card) -> ShownLeaderJSON:
    return {"number": leader.number, "name": leader.name, "colors": leader.colors}


def _duplicate(of: Tournament, found: Duplicate, caller: Caller, say: Language) -> DuplicateJSON:
    other, time = found.entrant, said_time(of, found.entrant.created)
    if found.same == SAME_ID:
        sentence = say("There is another registration with this player ID, received {time}.", time=time)
    else:
        sentence = say("There is another registration with this name, received {time}.", time=time)
    shown: DuplicateJSON = {"same": found.same, "since": of.local(other.created).isoformat(), "says": sentence}
    if caller.is_staff:
        return {**shown, "id": other.id, "player": other.player}
    advice = say("If it is yours, open its personal link to change it, or ask a judge to merge the two.")
    return {**shown, "says": f"{sentence} {advice}"}


def receipt(of: Tournament, one: Entrant, verdict: Verdict | None, say: Language = ENGLISH) -> str:
    """Return in a sentence what has been received and whether it counts."""
    if verdict is None:
        return say("No list has been received.")
    said = {"at": said_time(of, one.revision.at), "revision": one.revision.number}
    if verdict.legal:
        return say("Received {at}, legal; revision {revision} counts.", **said)
    return say.plural(
        "Received {at}, not legal ({count} error); revision {revision} counts.",
        "Received {at}, not legal ({count} errors); revision {revision} counts.",
        sum(finding.severity == ERROR for finding in verdict.findings),
        **said,
    )


def summary(
    of: Tournament, one: Entrant, verdict: Verdict | None, duplicates: Collection[Duplicate]
) -> ListedRegistrationJSON:
    """Return a registration as those who run the event see it in a list."""
    written = one.revision.written
    return {
        "id": one.id,
        "player": written.player,
        "player_id": written.player_id,
        "team": written.team,
        "table": one.where.table,
        "email": one.where.email,
        "revision": one.revision.number,
        "received": one.received,
        "at": of.local(one.revision.at).isoformat(),
        "until": _local(of, one.until),
        "cut": one.cut,
        "legal": verdict.legal if verdict else None,
        "codes": sorted({finding.code for finding in verdict.findings}) if verdict else [],
        "deck_hash": verdict.deck_hash if verdict else None,
        "same_id": [other.entrant.id for other in duplicates if other.same == SAME_ID],
        "duplicates": [other.entrant.id for other in duplicates],
    }


def revision(
    of: Tournament, entrant: Entrant, one: Revision, before: Revision | None, judge: Judge, stood: int | None
) -> ShownRevisionJSON:
    """Return a revision of a registration and its changes. `stood` is the number of the revision at the deadline."""
    changed = Differences.between(before.deck if before else None, one.deck, judge.catalogue)
    written = one.written
    return {
        "number": one.number,
        "at": of.local(one.at).isoformat(),
        "by": one.by,
        "reason": one.reason,
        "commitment": commitments.commit(commitment_terms(of), opened_list(entrant.id, one)).list_hash,
        "player": written.player,
        "player_id": written.player_id,
        "team": written.team,
        "notes": written.notes,
        "decklist": written.decklist,
        "consent": {"publish": written.publish, "stream": written.stream},
        "deck": deck_json(one.deck) if one.deck else None,
        "counts": one.number == entrant.revision.number,
        "at_deadline": one.number == stood,
        **changed.as_json(),
        "legal": judge(one.deck).legal if one.deck else None,
    }


def commitment_terms(event: Tournament) -> commitments.EventTerms:
    """Return the part of an event that its commitments bind."""
    return commitments.EventTerms(event.id, event.game, event.format or "")


def opened_list(registration_id: str, revision: Revision) -> commitments.OpenedList:
    """Return the list of a revision as it is committed to."""
    return commitments.OpenedList(registration_id, revision.salt, revision.written.list_text, revision.written.player)


def _local(of: Tournament, at: datetime | None) -> str | None:
    return of.local(at).isoformat() if at else None
