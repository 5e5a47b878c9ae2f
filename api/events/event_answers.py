"""What is answered about events: as JSON, as far as whoever asks may see it; verdicts are made anew each time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

import orjson

from api.events import commitments
from api.events.attendance import said_time
from api.events.entrant import MOST_REVISIONS, Differences, Entrant, Revision
from api.events.storage.event_keys import OWNER, Caller
from api.events.tournament import Tournament
from api.service.answers import serializers
from validator.findings import ERROR
from validator.judge import Judge, Verdict
from validator.language import ENGLISH, Language


def etag(version: int) -> str:
    """Return what a state is called in ETag and If-Match."""
    return f'"{version}"'


def event(of: Tournament, now: datetime, say: Language = ENGLISH) -> dict[str, Any]:
    """Return an event as anyone who knows its id sees it."""
    seen = of.visibility
    return {
        **serializers.facts(of, ("id", "name", "game", "timezone", "ruleset", "format", "region", "place", "best_of")),
        **serializers.facts(of, ("consent", "purge_days", "version", "verified")),
        "on": of.on.isoformat(),
        "opens": _local(of, of.opens),
        "closes": _local(of, of.closes),
        "policy": of.policy and {name: value for name, value in asdict(of.policy).items() if value is not None},
        "visibility": {
            "lists": seen.lists,
            "public_from": _local(of, seen.public_from),
            "roster": seen.roster,
            "now": seen.stage(now),
        },
        "code": of.code,
        "purged": of.purged.isoformat(),
        "now": _local(of, now),
        "deadline": deadline(of, None, now, MOST_REVISIONS, say),
    }


def deadline(
    of: Tournament, until: datetime | None, now: datetime, left: int, say: Language = ENGLISH
) -> dict[str, Any]:
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
    return say("Registration is closed; the list that stood then counts, and a judge alone changes it, with a reason.")


def registration(
    of: Tournament,
    one: Entrant,
    caller: Caller,
    now: datetime,
    verdict: Verdict | None,
    stood: int | None = None,
    say: Language = ENGLISH,
) -> dict[str, Any]:
    """Return a registration with its deck and verdict; to others than its player and staff without what is private."""
    revision = one.revision
    shown = {
        "id": one.id,
        "event": of.id,
        "player": one.player,
        "team": revision.written.team,
        "revision": revision.number,
        "received": one.received,
        "deck": serializers.deck(revision.deck) if revision.deck else None,
        "legal": verdict.legal if verdict else None,
    }
    if not (caller.is_staff or caller.role == OWNER):
        return shown
    told = orjson.Fragment(serializers.written(verdict, say=say)) if verdict else None
    return shown | _private(of, one, now, verdict, stood, say) | {"verdict": told}


def _private(
    of: Tournament, one: Entrant, now: datetime, verdict: Verdict | None, stood: int | None, say: Language
) -> dict[str, Any]:
    written = one.revision.written
    return {
        **one.where._asdict(),
        **serializers.facts(written, ("player_id", "notes", "decklist")),
        "consent": {"publish": written.publish, "stream": written.stream},
        "cut": one.cut,
        "created": _local(of, one.created),
        "updated": _local(of, one.revision.at),
        "counts": {"revision": one.revision.number, "at": _local(of, one.revision.at), "at_deadline": stood},
        "deadline": deadline(of, one.until, now, MOST_REVISIONS - one.revision.number, say),
        "receipt": receipt(of, one, verdict, say),
    }


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


def summary(of: Tournament, one: Entrant, verdict: Verdict | None, twins: dict[str, list[str]]) -> dict[str, Any]:
    """Return a registration as those who run the event see it in a list."""
    written = one.revision.written
    return {
        "id": one.id,
        **serializers.facts(written, ("player", "player_id", "team")),
        **one.where._asdict(),
        "revision": one.revision.number,
        "received": one.received,
        "at": _local(of, one.revision.at),
        "until": _local(of, one.until),
        "cut": one.cut,
        "legal": verdict.legal if verdict else None,
        "codes": sorted({finding.code for finding in verdict.findings}) if verdict else [],
        "deck_hash": verdict.deck_hash if verdict else None,
        "same_id": twins.get(one.id, []),
    }


def revision(
    of: Tournament, entrant: Entrant, one: Revision, before: Revision | None, judge: Judge, stood: int | None
) -> dict[str, Any]:
    """Return a revision of a registration and its changes. `stood` is the number of the revision at the deadline."""
    changed = Differences.between(before.deck if before else None, one.deck, judge.catalogue)
    written = one.written
    return {
        "number": one.number,
        "at": _local(of, one.at),
        **serializers.facts(one, ("by", "reason")),
        "commitment": commitments.commit(_terms(of), _opened_list(entrant.id, one)).list_hash,
        **serializers.facts(written, ("player", "player_id", "team", "notes", "decklist")),
        "consent": {"publish": written.publish, "stream": written.stream},
        "deck": serializers.deck(one.deck) if one.deck else None,
        "counts": one.number == entrant.revision.number,
        "at_deadline": one.number == stood,
        "added": [each.as_json() for each in changed.added],
        "removed": [each.as_json() for each in changed.removed],
        "legal": judge(one.deck).legal if one.deck else None,
    }


def published_commitments(event: Tournament, entrants: Iterable[Entrant]) -> dict[str, Any]:
    """Return the commitments to the lists of an event, without anything that opens them."""
    rows = [_commitment(event, entrant) for entrant in entrants]
    return {**_file_head(commitments.COMMITMENTS, event), "commitments": rows}


def opened_lists(event: Tournament, entrants: Iterable[Entrant]) -> dict[str, Any]:
    """Return lists with their salts and players, which open the commitments to them."""
    rows = []
    for entrant in entrants:
        opened = _opened_list(entrant.id, entrant.revision)
        rows.append(_commitment(event, entrant) | {"salt": opened.salt, "player": opened.player, "list": opened.text})
    return {**_file_head(commitments.OPENED_LISTS, event), "lists": rows}


def _file_head(kind: str, event: Tournament) -> dict[str, Any]:
    return {"kind": kind, "version": commitments.VERSION, "hash": commitments.ALGORITHM, **_terms(event)._asdict()}


def _commitment(event: Tournament, entrant: Entrant) -> dict[str, Any]:
    made = commitments.commit(_terms(event), _opened_list(entrant.id, entrant.revision))
    return {
        "registration": entrant.id,
        "revision": entrant.revision.number,
        "commitment": made.list_hash,
        "player_commitment": made.player_hash,
    }


def _terms(event: Tournament) -> commitments.EventTerms:
    return commitments.EventTerms(event.id, event.game, event.format or "")


def _opened_list(registration_id: str, one: Revision) -> commitments.OpenedList:
    return commitments.OpenedList(registration_id, one.salt, one.written.list_text, one.written.player)


def _local(of: Tournament, at: datetime | None) -> str | None:
    return of.local(at).isoformat() if at else None
