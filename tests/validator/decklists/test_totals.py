"""Totals that a list states: one that its lines contradict is a warning with both numbers, a right one is silent."""

import pytest

from validator.decklists import headlines, parse
from validator.unresolved import unread_finding

LEADER = "1 OP01-001"
MAIN = "4 OP01-016\n4 OP01-017\n4 OP01-018"  # 12 cards of 3 numbers


def totals(text, catalogue=None):
    """Return the numbers that a list states and that its lines contradict, each with what was counted."""
    return [line.total for line in parse(text, catalogue=catalogue).deck.unread if line.total]


@pytest.mark.parametrize("total", ["50,2", "7,10"])
def test_totals_under_the_count_columns_of_a_table(total):
    rows = "Number,Main,Side\nOP01-016,4,\nOP01-017,3,2\nTotal,"
    assert totals(f"{rows}7,2") == totals(f"{rows},") == []
    assert [(one.stated, one.counted) for one in totals(rows + total)] == ([(50, 7)] if total == "50,2" else [(10, 2)])


@pytest.mark.parametrize("right", [7, 8])
def test_the_total_of_a_table_may_leave_the_leader_out(right, optcg):
    rows = "Number,Count\nOP01-001,1\nOP01-016,4\nOP01-017,3\nTotal,"
    assert totals(f"{rows}{right}", optcg) == []
    assert totals(f"{rows}50", optcg) == [(50, 8)]


@pytest.mark.parametrize(
    ("text", "right", "wrong", "counted"),
    [
        ("Leader\n{leader}\nMain Deck ({n})\n{main}", 12, 11, 12),
        ("Leader\n{leader}\nMain: {n}\n{main}", 12, 50, 12),
        ("Leader\n{leader}\nMain Deck {n}\n{main}", 12, 50, 12),
        ("Leader\n{leader}\nMain Deck - {n} cards\n{main}", 12, 11, 12),
        ("Leader\n{leader}\n// {n} Main Deck\n{main}", 12, 50, 12),
        ("Leader\n{leader}\n{n} Main Deck\n{main}", 12, 50, 12),
        ("Leader\n{leader}\nMain Deck ({n}/50)\n{main}", 12, 50, 12),
        ("メインデッキ（{n}枚）\n{main}", 12, 50, 12),
        ("{main}\nTotal: {n}", 12, 50, 12),
        ("{main}\nTotal: {n} cards", 12, 50, 12),
        ("{main}\nGesamt: {n}", 12, 50, 12),
        ("{main}\n合計 {n}枚", 12, 50, 12),
        ("{n} cards\n{main}", 12, 50, 12),
        ("Deck size: {n}\n{main}", 12, 50, 12),
        ("Characters ({n})\n{main}\nEvents (4)\n4 OP01-029", 12, 24, 12),
        ("Main Deck ({n})\nCharacters (12)\n{main}\nEvents (4)\n4 OP01-029", 16, 50, 16),
        ("Main Deck\n{main}\nSide Deck ({n})\n4 OP01-029", 4, 15, 4),
        ("Cost 3 ({n})\n{main}\nCost 4 (4)\n4 OP01-029", 12, 8, 12),
        ("Leader\n{leader}\nMain Deck\n{main}\nSide Deck\n4 OP01-029\nTotal: {n}", 17, 18, 17),
    ],
)
def test_a_total_that_the_lines_contradict_is_told(text, right, wrong, counted):
    right_text, wrong_text = (text.format(leader=LEADER, main=MAIN, n=n) for n in (right, wrong))
    assert totals(right_text) == []
    assert totals(wrong_text) == [(wrong, counted)]


@pytest.mark.parametrize("n", [12, 13, 16, 17, 4, 3])
def test_any_reasonable_reading_of_a_total_is_right(n):
    """Without or with the Leader and the side deck, the cards below the last heading, or the different cards."""
    assert totals(f"Leader\n{LEADER}\nMain Deck\n{MAIN}\nSide Deck\n4 OP01-029\nTotal: {n}") == []


@pytest.mark.parametrize(
    "text",
    [
        f"Deck 1\n{MAIN}",
        f"Cost 3\n{MAIN}",
        f"Side Deck (up to 15)\n{MAIN}",
        f"2. Side Deck\n{MAIN}",
        f"Main Deck (16)\n{MAIN}\n? OP01-029",  # the line that could not be read has them
        f"{MAIN}\nTotal price: 50",
        f"Round: 5\n{MAIN}",
        f"{MAIN}\n16 unique cards",
        f"{MAIN}\nTotal: 1",
    ],
)
def test_numbers_that_are_no_totals_are_silent(text):
    assert totals(text) == []


def test_a_leader_that_no_heading_names_may_be_counted_or_not(optcg):
    assert totals(f"Deck (12)\n{LEADER}\n{MAIN}", optcg) == totals(f"Deck (13)\n{LEADER}\n{MAIN}", optcg) == []
    assert totals(f"Deck (14)\n{LEADER}\n{MAIN}", optcg) == [(14, 13)]


def test_the_finding_is_a_warning_with_both_numbers_and_the_line():
    heading, total = parse(f"Main Deck (50)\n{MAIN}\nTotal: 49").deck.unread
    found = unread_finding(heading)
    assert (found.code, found.severity, found.line, found.section) == ("list.total", "warning", 1, "main")
    assert found.details == {"text": "Main Deck (50)", "stated": 50, "counted": 12, "heading": "Main Deck (50)"}
    assert unread_finding(total).details == {"text": "Total: 49", "stated": 49, "counted": 12, "heading": None}


@pytest.mark.parametrize("number", ["SB01-005", "SB01-005_p1"])
def test_a_number_that_begins_like_a_section_is_a_card_and_no_heading(number):
    assert headlines.heading("SB").section == "side"
    assert headlines.heading(number) is None
    deck = parse(f"4 OP01-016\n{number}\n2 OP01-017").deck
    assert [(line.number, line.count) for line in deck.main] == [("OP01-016", 4), (number, 1), ("OP01-017", 2)]
