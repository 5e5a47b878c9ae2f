"""Parts of messages that depend on a deck: until when a card was legal, in which format, and how many findings more."""

import re
from datetime import date

import pytest

from tests.validator.table import Table, optcg
from validator.calendar import Calendar
from validator.judge import Judge
from validator.timeline import timeline

FIRST = date(2026, 4, 1)
EXCEPTION = "OP01-039"  # of block 1, and by official exception of block 4 until March 31, 2029


def rotation_messages(*numbers, day, **facts):
    """Return the message of each rotated card, by number. The deck has two copies of each of these cards."""
    table = Table("optcg-1.1.9", *(optcg(number, **facts) for number in numbers), day=day)
    verdict = table.verdict(dict.fromkeys(numbers, 2))
    return {
        card.number: found.message
        for found in verdict.findings
        for card in found.cards
        if found.code == "block.rotated"
    }


@pytest.mark.parametrize(
    ("number", "on", "there", "not_there"),
    [
        ("OP01-001", FIRST, ["block 1,", "2, 3, 4, 5 and X", "Legal until 2026-03-31 and in Extra."], ["exception"]),
        ("OP05-001", date(2027, 4, 1), ["block 2,", "Legal until 2027-03-31 and in Extra."], ["exception"]),
        (
            EXCEPTION,
            date(2029, 4, 1),
            ["Legal until 2029-03-31 as a card of block 4 by official exception"],
            ["block 5 "],
        ),
    ],
)
def test_a_rotated_card_is_told_with_its_last_day_and_the_formats_that_take_it(number, on, there, not_there):
    (message,) = rotation_messages(number, day=on).values()
    assert [words for words in there if words not in message] == []
    assert [words for words in not_there if words in message] == []


def test_a_card_that_the_format_never_took_has_no_last_day():
    (message,) = rotation_messages("OP18-001", day=FIRST, block="9").values()
    assert "until" not in message
    assert message.endswith("Legal in Extra.")


@pytest.mark.parametrize("cards", [("OP01-001",), ("OP01-001", "OP05-001"), ("OP01-001", "OP05-001", "OP06-001")])
def test_a_timeline_says_one_finding_and_how_many_more_there_are(cards):
    on = date(2028, 4, 1)
    table = Table("optcg-1.1.9", *map(optcg, cards), day=on)
    deck = table.deck(leader={"X-LEADER": 1}, main=table.fill_main(dict.fromkeys(cards, 1)))
    calendar = Calendar("optcg")
    (interval,) = timeline(deck, calendar, lambda day: Judge(calendar.terms(day), table.catalogue), on, on).intervals
    assert len(interval.findings) == len(cards)
    assert re.findall(r"\d+(?= more)", interval.reason) == ([str(len(cards) - 1)] if len(cards) > 1 else [])
