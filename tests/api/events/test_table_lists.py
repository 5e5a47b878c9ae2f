"""What a judge's phone stores of an event: lists with their findings, the order of checks, and how many are owed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from api.events.bounds import MOST_TABLE_FINDINGS
from api.events.judging.draws import Drawable, order_by_seed
from api.events.judging.table_lists import kept_until, table_lists
from api.events.players.duplicates import Duplicates
from api.events.players.entrant import Entrant, RegistrationContent, Revision, Whereabouts, encode_deck
from api.events.tournament import Tournament
from tests.validator.table import Table, names, optcg
from validator import Deck, Line
from validator.deck import Unread

NOON = datetime(2026, 10, 25, 12, tzinfo=UTC)
EVENT = Tournament("7f000001" + "0" * 22, "Example", "optcg", date(2026, 10, 25), timezone="Europe/Berlin")
BLUE = [optcg(f"B-{at}", colors=("Blue",)) for at in range(1, 13)]
UNKNOWN = optcg("U-1", unknown=("colors",))
TABLE = Table("optcg-1.2.1", *BLUE, UNKNOWN)


def entrant(id, player, deck, player_id="", cut=False):
    content = RegistrationContent(player, player_id, deck=encode_deck(deck) if deck else None)
    return Entrant(id, 1, None, cut, NOON, Revision(2, NOON, "player", "", content, ""), Whereabouts("12"))


def deck(main):
    return TABLE.verdict(main, fill=False).facts.deck


def make_lists(*entrants, checks=()):
    return table_lists(EVENT, TABLE.judge, Duplicates(entrants, TABLE.catalogue), checks, "7")


def test_errors_precede_warnings_and_only_errors_are_infractions():
    wrong = deck({"B-1": 2, "U-1": 1, **names("optcg", 46)})
    (player,) = make_lists(entrant("r1", "Nami Cat", wrong))["players"]
    found = [(one["severity"], one["infraction"] and one["infraction"]["infraction"]) for one in player["findings"]]
    assert found == [("error", "illegal-card"), ("error", "wrong-count"), ("warning", None)]
    assert (player["legal"], player["received"], player["table"], player["revision"]) == (False, True, "12", 2)


def test_only_titles_of_rules_are_in_english_and_not_that_of_the_catalogue():
    (player,) = make_lists(entrant("r1", "Nami Cat", deck({"X-99": 4, **names("optcg", 47)})))["players"]
    found = {one["infraction"]["infraction"]: one["rule"]["lang"] for one in player["findings"] if one["infraction"]}
    assert found == {"wrong-count": "en", "list-incomplete": ""}


@pytest.mark.parametrize(
    ("ruleset", "policy", "swaps", "one_for_one", "has_guide"),
    [
        ("optcg-1.2.1", {}, False, False, False),
        ("dbs-4.00", {}, True, False, False),
        ("dbs-4.00", {"swap_one_for_one": True}, True, True, False),
        ("bos-1.3", {}, True, True, False),
        ("gundam-1.9.0", {}, True, True, True),
    ],
)
def test_a_phone_knows_what_may_be_swapped_and_whether_there_is_a_guide(ruleset, policy, swaps, one_for_one, has_guide):
    table = Table(ruleset, **policy)
    event = replace(EVENT, game=table.game)
    shown = table_lists(event, table.judge, Duplicates([], table.catalogue), (), "7")["event"]
    assert (shown["swaps"], shown["one_for_one"], shown["has_guide"]) == (swaps, one_for_one, has_guide)


def test_a_phone_shows_the_lines_that_may_be_cards_and_no_remarks():
    unread = (Unread(1, "4 OP0?-016"), Unread(2, "Thanks!", aside=True))
    (player,) = make_lists(entrant("r1", "Nami Cat", Deck(main=(Line("B-1", 4),), unread=unread)))["players"]
    assert player["unread"] == ["4 OP0?-016"]


def test_a_phone_knows_who_is_in_the_top_cut():
    shown = make_lists(entrant("r1", "Nami Cat", None), entrant("r2", "Zoro Dog", None, cut=True))
    assert [player["cut"] for player in shown["players"]] == [False, True]


def test_a_player_without_a_list_has_no_findings():
    (player,) = make_lists(entrant("r1", "Nami Cat", None))["players"]
    assert [player[name] for name in ("received", "hash", "cards", "legal", "findings", "unread")] == [
        False, "", {}, None, [], []
    ]  # fmt: skip


def test_a_phone_shows_at_most_some_findings():
    wrong = deck({one.number: 5 for one in BLUE})
    (player,) = make_lists(entrant("r1", "Nami Cat", wrong))["players"]
    assert 1 < len(player["findings"]) <= MOST_TABLE_FINDINGS


def test_lists_refer_to_one_table_of_cards():
    full = deck(names("optcg", 50))
    shown = make_lists(entrant("r1", "Nami Cat", full), entrant("r2", "Zoro Dog", full))
    first, second = (player["cards"] for player in shown["players"])
    assert first == second
    assert len(shown["cards"]) == len(set(shown["cards"])) == sum(map(len, first.values()))
    assert sum(copies for _, copies in first["main"]) == 50
    assert first["main"][0][0] == shown["cards"].index(
        next(card for card in shown["cards"] if card[0] == full.main[0].number)
    )


@pytest.mark.parametrize(("started", "owed"), [(None, 1), ("2026-10-25T12:00", 0)])
def test_the_order_has_each_player_with_a_list_once_and_begun_checks_count(started, owed):
    full = deck(names("optcg", 50))
    entrants = [
        entrant("r1", "Nami Cat", full, "1"),
        entrant("r2", "Nami Cat", full, "1"),  # a duplicate, which counts
        entrant("r3", "Usopp Nose", None),
        entrant("r4", "Zoro Dog", full),
    ]
    shown = make_lists(*entrants, checks=[({"registration": "r4", "started": started}, None)])
    assert [entrants[place].id for place in shown["order"]] == order_by_seed([Drawable("r2"), Drawable("r4")], "7")
    assert (shown["owed"], len(shown["players"]), shown["checks"][0]["box"]) == (owed, 4, None)


def test_a_phone_keeps_an_event_until_two_days_after_its_day_in_its_zone():
    assert kept_until(EVENT) == datetime(2026, 10, 26, 23, tzinfo=UTC)
