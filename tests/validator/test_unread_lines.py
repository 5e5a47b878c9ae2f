"""Unread lines: the findings on the lines of a list that are no cards, and the values in their messages and fixes."""

import re

import pytest

from tests.validator.table import Table
from validator.deck import Deck, DeckSize, Line, Total, Unread
from validator.decklists import parse
from validator.unresolved import unread_finding

TABLE = Table("optcg-1.2.1")
LIST = "Deck\n" + "".join(f"4 X-{n:02}\n" for n in range(12)) + "2 X-12\n"  # 14 lines


def numbers_in(text):
    return list(map(int, re.findall(r"(?<![\w-])[0-9]+(?!\w)", text)))


@pytest.mark.parametrize(
    ("count", "others"),
    [
        (1, []),
        (2, [16]),
        (3, [16, 17]),
        (6, [16, 17, 18, 19, 20]),
        (7, [16, 17, 18, 19, 20, 1]),
        (9, [*range(16, 21), 3]),
    ],
)
def test_lines_that_could_not_be_read_are_one_finding_with_their_numbers(count, others):
    deck = parse(LIST + "".join(f"? {name}\n" for name in "abcdefghi"[:count])).deck
    (found,) = (finding for finding in TABLE.judge(deck).findings if finding.code == "line.unread")
    assert (found.line, [line["line"] for line in found.details["more"]]) == (15, [*range(16, 15 + count)])
    assert numbers_in(found.message) == [15, *others]  # after five lines, only how many more there are


def test_supposed_sections_are_named_with_a_capital_in_the_fix():
    found = unread_finding(Unread(7, "4 X-20", "why", section="side"))
    assert (found.code, found.severity, found.section, numbers_in(found.message)) == (
        "section.supposed",
        "error",
        "side",
        [7],
    )
    assert ("side deck" in found.message, "Side deck" in found.fix) == (True, True)


def test_a_wrong_total_has_both_numbers():
    found = unread_finding(Unread(7, "Total: 51", "why", aside=True, total=Total(51, 50)))
    assert (found.code, found.severity) == ("list.total", "warning")
    assert numbers_in(found.message) == [7, 51, 51, 50]


@pytest.mark.parametrize(("count", "rest"), [(2, []), (5, []), (6, [1]), (8, [3])])
def test_a_message_lists_at_most_five_decks(count, rest):
    found = unread_finding(Unread(7, "Deck 2", "why", decks=tuple(DeckSize("Ann" * n, 50 - n) for n in range(count))))
    assert (found.code, found.severity) == ("list.several", "error")
    assert numbers_in(found.message) == [count, *(50 - n for n in range(min(count, 5))), *rest]
    assert ("“”" in found.message, "“Ann”" in found.message) == (False, True)


def test_each_kind_of_aside_has_a_fix_of_its_own():
    rows = [f"X-{at:02},4" for at in range(12)]
    for zeros in (["X-20,0"], ["X-20,0", "X-21,0"]):
        text = "\n".join(["Club night", "number,count", *rows, *zeros, "// X-22,4"])
        found = {one.line: one for one in map(unread_finding, parse(text).deck.unread)}
        assert {line: one.code for line, one in found.items()} == dict.fromkeys((1, 15, 15 + len(zeros)), "line.aside")
        assert len({one.fix for one in found.values()}) == 3


def test_of_more_than_sixty_findings_of_a_code_the_later_ones_are_merged():
    deck = Deck(
        main=tuple(Line(f"OP97-{at:03}", 1) for at in range(62)),
        unread=tuple(Unread(100 + at, f"4 of card {at}", "unclear") for at in range(63)),
    )
    found = Table("optcg-1.2.1").judge(deck).as_dict()["findings"]
    unknown, unread = ([one for one in found if one["code"] == code] for code in ("card.unknown", "line.unread"))
    assert [len(one["cards"]) for one in unknown] == [*[1] * 60, 2]
    assert [len(one["details"].get("more", [])) for one in unread] == [*[0] * 60, 2]


def test_only_lines_that_may_be_cards_have_suggestions():
    card, remark = (
        unread_finding(Unread(3, "4 of it", "unclear")),
        unread_finding(parse(f"Total: 49\n{LIST}").deck.unread[0]),
    )
    assert (card.code, card.suggestions) == ("line.unread", ())
    assert (remark.code, remark.suggestions) == ("list.total", None)
