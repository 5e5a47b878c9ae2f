"""A hall: an invented event with decks of the examples, checks and penalties."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from api.events.exports.event_record import EventRecord, Participant
from api.events.judging import deck_checks
from api.events.judging.deck_checks import CheckClock, DeckCheck
from api.events.judging.penalties import Penalty
from api.events.players.entrant import ExpectedPlayer
from api.sheets.registration import Event
from tests.api.workbooks.files import catalogue, deck, example, judge
from validator import DeckFacts, decklists

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
EVENT = Event("Winter Regional 2026", "2026-11-01", "Hall 4, Cologne", "Standard")
FIVE = "optcg-five-copies.txt"


def facts(written):
    return DeckFacts(written, catalogue(), judge().terms.ruleset.types)


def player(number, name, list_name="optcg-red-zoro.txt", **more):
    """A player with a registered list, `list_name` None for none."""
    verdict = judge()(deck(list_name)) if list_name else None
    about = {"player_id": f"{number:010}", "table": str(number), "received": NOON - timedelta(hours=number)}
    return Participant(f"r{number}", name, revision=1, verdict=verdict, **{**about, **more})


def record(**changed):
    """Four players, one without a list, one whose list is not legal; one checked, one penalised, one unregistered."""
    box = decklists.parse(example().replace("4 OP01-016", "3 OP01-016"), "optcg", catalogue()).deck
    differs = deck_checks.difference(facts(deck()), facts(box))
    clock = CheckClock(NOON, NOON + timedelta(minutes=7, seconds=10))
    known = {
        "participants": [
            player(1, "Łukasz Żółć", team="Red"),
            player(2, "山田 陽菜", FIVE, email="two@example.com", notes="late train"),
            player(3, "Zoë Ångström"),
            player(4, "=SUM(1)", None),
        ],
        "expected": [ExpectedPlayer("First Last", "0000000009")],
        "checks": [
            DeckCheck("c1", "r1", "Judge 1", clock, "12", "3", "deck differs", "Game Loss", differs),
            DeckCheck("c2", "r3", "Judge 2", CheckClock(NOON - timedelta(hours=1))),
        ],
        "penalties": [
            Penalty("r1", "Łukasz Żółć", "list-mismatch", "Game Loss", "3 of 4 copies", "Judge 1", NOON, "3", "12")
        ],
    }
    return EventRecord(EVENT, judge(), **{**known, **changed})
