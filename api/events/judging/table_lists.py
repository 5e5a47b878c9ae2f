"""Table lists: all that a judge's telephone keeps of an event, so that it goes on where there is no line.

Cards are named once and called by their place among them: 2,000 decks go through a hall's wifi in a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from api.events.bounds import MOST_TABLE_FINDINGS
from api.events.judging import draws
from api.events.judging.deck_checks import OUTCOMES, rows
from api.events.judging.draws import Drawable
from api.events.judging.penalties import INFRACTIONS, LADDER, find_infractions, guides
from api.events.players.duplicates import Duplicates
from api.events.players.entrant import Entrant
from api.events.tournament import Tournament
from validator.deck import DeckFacts
from validator.findings import ADVICE, ERROR, grouped
from validator.judge import Judge, Verdict
from validator.language import ENGLISH, Language

_KEPT = timedelta(days=2)  # from midnight: until a day after the day of the event


def table_lists(
    event: Tournament,
    judge: Judge,
    duplicates: Duplicates,
    checks: Iterable[tuple[Mapping[str, Any], DeckFacts | None]],
    seed: str,
    translate: Language = ENGLISH,
) -> dict[str, Any]:
    """Return the lists of an event with their verdicts, its checks as they are shown, and what lay in each box.

    All registrations are in `players`. Of a player with several, only the one that counts is in `order`.
    """
    cards = _Cards()
    entrants, left_out = duplicates.entrants, duplicates.left_out
    having = {one.id: place for place, one in enumerate(entrants) if one.received and one.id not in left_out}
    shown = [dict(check) | {"box": cards.of(box) if box else None} for check, box in checks]
    begun = {check["registration"] for check in shown if check["started"]}
    return {
        "event": _event(event, judge),
        "seed": seed,
        "order": [having[id] for id in draws.ordered(map(Drawable, having), seed)],
        "owed": draws.count_owed([Drawable(id, checks=id in begun) for id in having]),
        "players": [_player(one, judge, cards, translate) for one in entrants],
        "checks": shown,
        "cards": cards.named,
        "infractions": [one.as_dict() for one in INFRACTIONS.values()],
        "ladder": LADDER,
        "outcomes": OUTCOMES,
    }


def kept_until(event: Tournament) -> datetime:
    """Return the moment from which a telephone keeps nothing of an event."""
    midnight = datetime.combine(event.on, time(), ZoneInfo(event.timezone))
    return (midnight + _KEPT).astimezone(UTC)


class _Cards:
    """The cards of many decks, each with a place of its own."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, str], int] = {}

    def of(self, facts: DeckFacts) -> dict[str, list[Sequence[int]]]:
        """Return a deck's cards by section, in its order: which card, how many."""
        held: dict[str, list[Sequence[int]]] = {}
        for section, card in rows(facts):
            place = self._places.setdefault((card.number, card.name), len(self._places))
            held.setdefault(section, []).append((place, card.count or 0))
        return held

    @property
    def named(self) -> list[tuple[str, str]]:
        """The cards' numbers and names, in the order of their places."""
        return list(self._places)


def _event(event: Tournament, judge: Judge) -> dict[str, Any]:
    terms = judge.terms
    swap = terms.ruleset.swap
    return {
        "id": event.id,
        "name": event.name,
        "timezone": event.timezone,
        "until": kept_until(event).isoformat(),
        "swaps": swap is not None,
        "sections": terms.ruleset.sections,
        "has_guide": event.game in guides().sources,
        "one_for_one": swap is not None and (swap.one_for_one or terms.policy.swap_one_for_one),
    }


def _player(entrant: Entrant, judge: Judge, cards: _Cards, translate: Language) -> dict[str, Any]:
    written, deck = entrant.revision.written, entrant.revision.deck
    verdict = judge(deck) if deck else None
    facts = verdict.facts if verdict else None
    return {
        "id": entrant.id,
        "player": entrant.player,
        "player_id": written.player_id,
        "team": written.team,
        "table": entrant.where.table,
        "cut": entrant.cut,
        "received": entrant.received,
        "revision": entrant.revision.number,
        "hash": facts.hash if facts else "",
        "cards": cards.of(facts) if facts else {},
        "legal": verdict.legal if verdict else None,
        "findings": _findings(verdict, judge, translate) if verdict else [],
        "unread": [line.text for line in deck.unread if line.may_be_card] if deck else [],
    }


def _findings(verdict: Verdict, judge: Judge, translate: Language) -> list[dict[str, Any]]:
    """Return the errors and warnings as sentences with their citations, at most MOST_TABLE_FINDINGS, errors first."""
    infractions = {one.code: one.as_json(translate) for one in find_infractions(verdict, judge.terms.ruleset.game)}
    found = sorted((one for one in grouped(verdict.findings) if one.severity != ADVICE), key=lambda one: one.severity)
    return [
        {
            "severity": one.severity,
            "message": one.kind.message(one, translate),
            "rule": one.rule.as_dict(),
            "infraction": infractions.get(one.code) if one.severity == ERROR else None,
        }
        for one in found[:MOST_TABLE_FINDINGS]
    ]
