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
from validator.deck import DeckFacts
from validator.findings import ADVICE, ERROR, Finding, merge_findings
from validator.judge import Judge, Verdict
from validator.language import ENGLISH, Language, Phrase
from validator.words import cite_for_people

_STORED = timedelta(days=2)  # from midnight: until a day after the day of the event

PackedDeck = dict[str, list[tuple[int, int]]]  # by section: the place of each card, and its copies


class TableEventJSON(TypedDict):
    """The settings of an event for a judge's phone. `until` is the moment at which the phone deletes its data.

    `swaps`: the game allows swaps between games. `one_for_one`: these keep the size of the side deck. `sections` are
    those of its decks. `has_guide`: the game has an official penalty guide.
    """

    id: str
    name: str
    timezone: str
    until: str
    swaps: bool
    sections: Sequence[str]
    has_guide: bool
    one_for_one: bool


class TableCitationJSON(TypedDict):
    """The rule of a finding, as texts for people. A card catalogue is cited by its size and day.

    `lang` is "en" for a document in English, "" for texts in the language of the table.
    """

    document: str
    section: str
    lang: str


class TableFindingJSON(TypedDict):
    """An error or a warning about a list as a sentence, of similar findings only one.

    `infraction` is null for a warning, or for an error that is no infraction.
    """

    severity: str
    message: str
    rule: TableCitationJSON
    infraction: InfractionJSON | None


class TablePlayerJSON(TypedDict):
    """A registration for a judge's phone, with its verdict. `hash` is that of the deck, "" without a list.

    Without a list `received` is false, `legal` null, and `cards` empty. `cards` has, by section, (place of the card in
    TableListsJSON.cards, copies). `cut`: the player is in the top cut. `revision` is the number of the newest one.
    `findings` has errors first, and no advice. `unread` are lines of the list that may be cards and could not be read.
    """

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
    """A deck check for a judge's phone. `box` is the counted deck, null before it is counted."""

    box: PackedDeck | None


class TableListsJSON(TypedDict):
    """Everything of an event that a judge's phone stores. `cards` are (number, name), to which packed decks refer.

    `players` are all registrations by name, also duplicates and those without a list. `order` are places in it, from 0,
    of the lists that count, in the order of the seed. `owed` is the number of these decks still to check until a tenth
    is checked. `checks` has also those that have not begun. `ladder` has the penalties, the mildest first.
    """

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
    """Everything that a judge's phone stores, with the label of the judge's key and the server's time (`now`).

    `judge` is the role if the key has no label.
    """

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
    """Return everything of an event that a judge's phone stores: lists with verdicts, and checks with counted boxes.

    All registrations are in `players`, and all lists are judged. `order` has only those with a list, of duplicates the
    one that counts. `checks` are pairs of a check and its box, None before it is counted. Only begun checks reduce
    `owed`.
    """
    cards = _CardTable()
    entrants, left_out = duplicates.entrants, duplicates.left_out
    having = {one.id: place for place, one in enumerate(entrants) if one.has_list and one.id not in left_out}
    shown: list[TableCheckJSON] = [{**check, "box": cards.pack(box) if box else None} for check, box in checks]
    begun = {check["registration"] for check in shown if check["started"]}
    return {
        "event": _event_json(event, judge),
        "seed": seed,
        "order": [having[id] for id in draws.order_by_seed(map(Drawable, having), seed)],
        "owed": draws.count_owed([Drawable(id, checks=id in begun) for id in having]),
        "players": [_player_json(one, judge, cards, translate) for one in entrants],
        "checks": shown,
        "cards": cards.table,
        "infractions": [one.as_json() for one in INFRACTIONS.values()],
        "ladder": LADDER,
        "outcomes": OUTCOMES,
    }


def kept_until(event: Tournament) -> datetime:
    """Return the moment in UTC at which phones delete an event's data: 00:00, in its zone, two days after its day."""
    midnight = datetime.combine(event.on, time(), ZoneInfo(event.timezone))
    return (midnight + _STORED).astimezone(UTC)


class _CardTable:
    """The table of the different cards of many decks, to which packed decks refer by place.

    `_places` has the place of each card, from 0, by (number, name).
    """

    def __init__(self) -> None:
        self._places: dict[tuple[str, str], int] = {}

    def pack(self, facts: DeckFacts) -> PackedDeck:
        """Return a deck as lists of (place of the card in the table, copies) by section. Adds new cards to the table.

        Places are from 0. Sections without cards are left out.
        """
        packed: PackedDeck = {}
        for section, card in rows(facts):
            place = self._places.setdefault((card.number, card.name), len(self._places))
            packed.setdefault(section, []).append((place, card.count or 0))
        return packed

    @property
    def table(self) -> list[tuple[str, str]]:
        """The cards as (number, name), in the order of their places."""
        return list(self._places)


def _event_json(event: Tournament, judge: Judge) -> TableEventJSON:
    """Return the settings of an event and of its rules for a judge's phone."""
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


def _player_json(entrant: Entrant, judge: Judge, cards: _CardTable, translate: Language) -> TablePlayerJSON:
    """Judge the list of a registration, and return it with its findings for a judge's phone.

    The deck is packed, which adds new cards to `cards`. Without a list `legal` is None, and the deck and the findings
    are empty.
    """
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
        "findings": _findings_json(verdict, judge, translate) if verdict else [],
        "unread": [line.text for line in deck.unread if line.may_be_card] if deck else [],
    }


def _findings_json(verdict: Verdict, judge: Judge, translate: Language) -> list[TableFindingJSON]:
    """Return the errors and warnings of a verdict as sentences with their citations, errors first.

    At most MOST_TABLE_FINDINGS. Similar findings are merged, and advice is left out. An error has its infraction, None
    if it is none. Earlier penalties are ignored.
    """
    infractions = {one.code: one.as_json(translate) for one in find_infractions(verdict, judge.terms.ruleset.game)}
    found = sorted(
        (one for one in merge_findings(verdict.findings) if one.severity != ADVICE), key=lambda one: one.severity
    )
    return [
        {
            "severity": one.severity,
            "message": one.kind.message(one, translate),
            "rule": _citation_json(one, translate),
            "infraction": infractions.get(one.code) if one.severity == ERROR else None,
        }
        for one in found[:MOST_TABLE_FINDINGS]
    ]


def _citation_json(finding: Finding, translate: Language) -> TableCitationJSON:
    """Return the rule of a finding as texts for people in a language. Titles of documents stay in English."""
    document, section = cite_for_people(finding, translate)
    is_translated = isinstance(finding.rule.document, Phrase) or "catalogue_cards" in finding.details
    return {"document": document, "section": section, "lang": "" if is_translated else "en"}
