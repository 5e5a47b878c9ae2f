"""Deck checks: the difference of box and list, both ways, and the clock."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from api.events.judging import deck_checks
from api.events.judging.deck_checks import CheckClock, DeckCheck
from api.service.errors import Invalid
from tests.api.workbooks.files import catalogue, deck, example, judge
from validator import DeckFacts, decklists

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def facts(written):
    return DeckFacts(written, catalogue(), judge().terms.ruleset.types)


REGISTERED = facts(deck())


def parse_facts(text):
    return facts(decklists.parse(text, "optcg", catalogue()).deck)


def tally_facts(**sections):
    return facts(deck_checks.parse_tally(sections, catalogue()))


def whole_tally():
    """Every card of the registered list, counted as often as it is there."""
    sections = {"leader": {}, "main": {}}
    for section, card in deck_checks.rows(REGISTERED):
        sections[section][card.number] = card.count
    return sections


def differing_cards(box, looked_at=deck_checks.SECTIONS):
    """Missing and extra by section."""
    found = deck_checks.difference(REGISTERED, box, looked_at)
    return {
        one.section: ({c.number: c.count for c in one.missing}, {c.number: c.count for c in one.extra})
        for one in found.sections
    }


def test_a_tally_of_every_card_agrees():
    found = deck_checks.difference(REGISTERED, tally_facts(**whole_tally()))
    assert (found.agrees, found.same_cards, found.sections) == (True, True, ())


def test_rows_are_each_card_once_in_the_order_of_the_list():
    written = [line.number for _, line in deck().lines()]
    assert [card.number for _, card in deck_checks.rows(REGISTERED)] == written
    assert sum(card.count for section, card in deck_checks.rows(REGISTERED) if section == "main") == 50


def test_what_is_missing_and_what_is_extra_stands_apart_with_names_and_counts():
    tally = whole_tally()
    tally["main"]["OP01-016"] -= 1
    tally["main"]["ST21-003"] = 0
    tally["main"]["OP01-025"] = 5
    found = deck_checks.difference(REGISTERED, tally_facts(**tally))
    assert found.as_json() == {
        "agrees": False,
        "sections": [
            {
                "section": "main",
                "missing": [
                    {"number": "OP01-016", "name": "Nami", "count": 1},
                    {"number": "ST21-003", "name": "Sanji", "count": 4},
                ],
                "extra": [{"number": "OP01-025", "name": "Roronoa Zoro", "count": 5}],
            }
        ],
        "same_cards": False,
        "unread": [],
    }


def test_another_leader_is_a_difference_of_its_section():
    tally = {**whole_tally(), "leader": {"OP01-001": 1}}
    assert differing_cards(tally_facts(**tally)) == {"leader": ({"ST21-001": 1}, {"OP01-001": 1})}


def test_printings_and_spellings_do_not_matter():
    tally = whole_tally()
    tally["main"]["op01-016_p1"] = 2
    tally["main"][" OP01-016"] = 1
    tally["main"]["OP01-016"] = 1
    assert differing_cards(tally_facts(**tally)) == {}


def test_a_pasted_list_is_compared_whatever_its_order():
    assert differing_cards(parse_facts("\n".join(reversed(example().splitlines())))) == {}
    assert differing_cards(parse_facts(example().replace("4 OP01-016", "3 OP01-016"))) == {
        "main": ({"OP01-016": 1}, {})
    }


def test_a_line_that_cannot_be_read_is_told_and_agrees_with_nothing():
    found = deck_checks.difference(REGISTERED, parse_facts(example() + "\n3 ???\n"))
    assert (found.agrees, found.unread) == (False, ("3 ???",))


def test_a_card_that_nobody_knows_is_extra():
    tally = whole_tally()
    tally["main"]["OP99-999"] = 1
    [(missing, extra)] = differing_cards(tally_facts(**tally)).values()
    assert (missing, sum(extra.values())) == ({}, 1)


def test_cards_that_no_catalogue_tells_agree_with_themselves():
    listed = facts(decklists.parse("4 OP99-999\n3 Nobody Knows Him\n2 Nami", "optcg", catalogue()).deck)
    tally = {"main": {card.number or card.name: card.count for _, card in deck_checks.rows(listed)}}
    assert sorted(tally["main"].values()) == [2, 3, 4]
    assert deck_checks.difference(listed, tally_facts(**tally)).agrees


def test_only_the_sections_that_were_looked_at_are_compared():
    tally = whole_tally()
    del tally["leader"]
    assert differing_cards(tally_facts(**tally)) == {"leader": ({"ST21-001": 1}, {})}
    assert differing_cards(tally_facts(**tally), looked_at=("main",)) == {}


def test_between_games_cards_may_lie_in_the_other_deck():
    tally = whole_tally()
    tally["main"]["OP01-016"] -= 2
    tally["side"] = {"OP01-016": 2}
    found = deck_checks.difference(REGISTERED, tally_facts(**tally))
    assert [one.section for one in found.sections] == ["main", "side"]
    assert (found.same_cards, found.agrees) == (True, False)


def test_nobody_need_write_out_the_don_deck():
    assert differing_cards(tally_facts(**whole_tally(), don={"DON!!": 10})) == {}


@pytest.mark.parametrize(
    ("tally", "pointer"),
    [
        ({"main": {"OP01-016": -1}}, "/main/OP01-016"),
        ({"main": {"OP01-016": 256}}, "/main/OP01-016"),
        ({"main": {"a/b~c": 256}}, "/main/a~1b~0c"),
        ({"main": {"x" * 201: 1}}, "/main/" + "x" * 200),
        ({"deck": {"OP01-016": 1}}, "/deck"),
        ({"main": {f"C-{n}": 1 for n in range(1001)}}, ""),
    ],
)
def test_a_tally_that_cannot_be_is_refused_where_it_is_wrong(tally, pointer):
    with pytest.raises(Invalid) as caught:
        deck_checks.parse_tally(tally, catalogue())
    assert [one.pointer for one in caught.value.errors] == [pointer]


def test_a_tally_has_at_most_1000_cards_and_255_copies_and_no_lines_for_0():
    tally = {"main": {"C-0": 0, "C-1": 255, **{f"C-{n}": 1 for n in range(2, 1000)}}}
    counted = deck_checks.parse_tally(tally, catalogue()).main
    assert (counted[0].name, counted[0].count, len(counted)) == ("C-1", 255, 999)


@pytest.mark.parametrize(
    ("seconds", "penalty", "minutes"),
    [
        (0, "", 3),
        (1, "", 4),
        (540, "", 12),
        (541, "Warning", 13),
        (541, "Game Loss", 0),
        (541, "Match Loss", 0),
        (-30, "", 3),
    ],
)
def test_the_extension_is_the_time_taken_and_some_minutes_and_none_with_a_game_loss(seconds, penalty, minutes):
    clock = CheckClock(NOON, NOON + timedelta(seconds=seconds))
    assert clock.extension(penalty) == minutes


def test_the_extension_spans_the_change_to_winter_time():
    berlin = ZoneInfo("Europe/Berlin")
    before = datetime(2026, 10, 25, 2, 55, tzinfo=berlin)
    after = datetime(2026, 10, 25, 2, 5, fold=1, tzinfo=berlin)
    assert CheckClock(before, after).extension() == 13


def test_a_check_that_goes_on_has_no_extension_yet():
    check = DeckCheck("c1", "r1", "Judge 1", CheckClock(NOON), table="7", round="3")
    assert check.extension is None
    assert check.as_json()["outcome"] is None


def test_a_finished_check_says_its_outcome_in_the_words_of_the_sheet():
    clock = CheckClock(NOON, NOON + timedelta(minutes=8))
    found = deck_checks.difference(REGISTERED, tally_facts(**whole_tally()))
    check = DeckCheck("c1", "r1", "Judge 1", clock, outcome="ok", difference=found, grace=2)
    said = check.as_json()
    assert (said["outcome"], said["extension"], said["difference"]["agrees"]) == ("ok", 10, True)
    with pytest.raises(ValueError, match="list differs"):
        DeckCheck("c1", "r1", "Judge 1", clock, outcome="wrong")
