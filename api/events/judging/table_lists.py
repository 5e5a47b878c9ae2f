"""Table lists: everything that a judge's phone stores of an event to work offline.

Cards are named once, and decks have their places in the table of cards: 2,000 decks pass a hall's wifi in a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import TypedDict
from zoneinfo import ZoneInfo

from api.events.bounds import MOST_TABLE_FINDINGS
from api.events.check_json import InfractionJSON, InfractionKindJSON, ListedCheckJSON
from api.events.judging import draws
from api.events.judging.deck_checks import OUTCOMES, rows
from api.events.judging.draws import Drawable
from api.events.judging.penalties import INFRACTIONS, LADDER, find_infractions, guides
from api.events.players.duplicates import Duplicates
from api.events.players.entrant import Entrant
from api.events.tournament import Tournament
from api.service.answers.verdict_answers import CitationJSON, citation_json
from validator.deck import DeckFacts
from validator.findings import ADVICE, ERROR, merge_findings
from validator.judge import Judge, Verdict
from validator.language import ENGLISH, Language

_STORED = timedelta(days=2)  # from midnight: until a day after the day of the event

PackedDeck = dict[str, list[tuple[int, int]]]  # by section: the place of each card, and its copies


class TableEventJSON(TypedDict):
    id: str
    name: str
    timezone: str
    until: str
    swaps: bool
    sections: Sequence[str]
    has_guide: bool
    one_for_one: bool


class TableFindingJSON(TypedDict):
    severity: str
    message: str
    rule: CitationJSON
    infraction: InfractionJSON | None


class TablePlayerJSON(TypedDict):
    id: str
    player: str
    player_id: str
    team: str
    table: str
    cut: bool
    received: bool
    revision: int
    hash: str
    cards: PackedDeck
    legal: bool | None
    findings: list[TableFindingJSON]
    unread: list[str]


class TableCheckJSON(ListedCheckJSON):
    box: PackedDeck | None


class TableListsJSON(TypedDict):
    event: TableEventJSON
    seed: str
    order: list[int]
    owed: int
    players: list[TablePlayerJSON]
    checks: list[TableCheckJSON]
    cards: list[tuple[str, str]]
    infractions: list[InfractionKindJSON]
    ladder: Sequence[str]
    outcomes: Sequence[str]


class JudgeTableJSON(TableListsJSON):
    judge: str
    now: str


def table_lists(
    event: Tournament,
    judge: Judge,
    duplicates: Duplicates,
    checks: Iterable[tuple[ListedCheckJSON, DeckFacts | None]],
    seed: str,
    translate: Language = ENGLISH,
) -> TableListsJSON:
    """Return the lists of an event with their verdicts, and its checks, each with the counted box.

    All registrations are in `players`. Of a player with several, only the one that counts is in `order`.
    """
    cards = _Cards()
    entrants, left_out = duplicates.entrants, duplicates.left_out
    having = {one.id: place for place, one in enumerate(entrants) if one.has_list and one.id not in left_out}
    shown: list[TableCheckJSON] = [{**check, "box": cards.pack(box) if box else None} for check, box in checks]
    begun = {check["registration"] for check in shown if check["started"]}
    return {
        "event": _event(event, judge),
        "seed": seed,
        "order": [having[id] for id in draws.order_by_seed(map(Drawable, having), seed)],
        "owed": draws.count_owed([Drawable(id, checks=id in begun) for id in having]),
        "players": [_player(one, judge, cards, translate) for one in entrants],
        "checks": shown,
        "cards": cards.table,
        "infractions": [one.as_json() for one in INFRACTIONS.values()],
        "ladder": LADDER,
        "outcomes": OUTCOMES,
    }


def kept_until(event: Tournament) -> datetime:
    """Return the moment at which phones delete the stored data of an event."""
    midnight = datetime.combine(event.on, time(), ZoneInfo(event.timezone))
    return (midnight + _STORED).astimezone(UTC)


class _Cards:
    """The table of the cards of many decks."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, str], int] = {}

    def pack(self, facts: DeckFacts) -> PackedDeck:
        """Return a deck with the place of each card in the table. New cards are added to the table."""
        packed: PackedDeck = {}
        for section, card in rows(facts):
            place = self._places.setdefault((card.number, card.name), len(self._places))
            packed.setdefault(section, []).append((place, card.count or 0))
        return packed

    @property
    def table(self) -> list[tuple[str, str]]:
        """The numbers and names of the cards."""
        return list(self._places)


def _event(event: Tournament, judge: Judge) -> TableEventJSON:
    """Return the settings of an event for a judge's phone."""
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


def _player(entrant: Entrant, judge: Judge, cards: _Cards, translate: Language) -> TablePlayerJSON:
    """Return a player with list, verdict and findings for a judge's phone. The cards are packed."""
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
        "received": entrant.has_list,
        "revision": entrant.revision.number,
        "hash": facts.hash if facts else "",
        "cards": cards.pack(facts) if facts else {},
        "legal": verdict.legal if verdict else None,
        "findings": _findings(verdict, judge, translate) if verdict else [],
        "unread": [line.text for line in deck.unread if line.may_be_card] if deck else [],
    }


def _findings(verdict: Verdict, judge: Judge, translate: Language) -> list[TableFindingJSON]:
    """Return the errors and warnings as sentences with their citations, at most MOST_TABLE_FINDINGS, errors first."""
    infractions = {one.code: one.as_json(translate) for one in find_infractions(verdict, judge.terms.ruleset.game)}
    found = sorted(
        (one for one in merge_findings(verdict.findings) if one.severity != ADVICE), key=lambda one: one.severity
    )
    return [
        {
            "severity": one.severity,
            "message": one.kind.message(one, translate),
            "rule": citation_json(one.rule),
            "infraction": infractions.get(one.code) if one.severity == ERROR else None,
        }
        for one in found[:MOST_TABLE_FINDINGS]
    ]
