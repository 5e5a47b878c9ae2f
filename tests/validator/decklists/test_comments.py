"""Comments: a card behind a comment mark is told as one that is left aside, prose and headings are not."""

import pytest

from validator.decklists import parse
from validator.unresolved import unread_finding

LIST = "1 OP01-001\n{}\n4 OP01-025"


def aside(line, catalogue=None):
    """Return what a line between others leaves aside."""
    deck = parse(LIST.format(line), catalogue=catalogue).deck
    assert sum(card.count for _, card in deck.lines()) == 5
    return [(unread_finding(one).code, one.text) for one in deck.unread]


@pytest.mark.parametrize(
    "line",
    [
        "//4 OP01-016",
        "// 4 OP01-016",
        "# 3 OP01-016 Nami",
        "## 4x OP01-016",
        "# OP01-016 x4",
        "//4,OP01-016",
        "# 4 OP99-999",
        "// 4 OP01-016, 3 OP01-017",
        "# 2 Nami",
        "//Nami x2",
    ],
)
def test_a_card_behind_a_comment_mark_is_told(optcg, line):
    assert aside(line, optcg) == [("line.aside", line)]


@pytest.mark.parametrize(
    "line",
    [
        "# 3 Star deck",
        "// 4 players",
        "# Red Zoro 2026",
        "// OP01-016 is great",
        "// updated 2024-05-01",
        "# top 8, 2 wins",
        "// 50 Main Deck cards were here",
        "#",
    ],
)
def test_prose_behind_a_comment_mark_is_silent(optcg, line):
    assert aside(line, optcg) == []


@pytest.mark.parametrize("line", ["//4 OP01-016", "# OP01-016 x4"])
def test_a_number_is_known_by_its_form_without_a_catalogue(line):
    assert aside(line) == [("line.aside", line)]
    assert aside("# 2 Nami") == []


@pytest.mark.parametrize(
    ("heading", "section"),
    [("// Side Deck", "side"), ("// 4 Side Deck", "side"), ("# Main", "main"), ("// 4 Events", "main")],
)
def test_headings_behind_a_comment_mark_stay_headings(heading, section):
    deck = parse(f"4 OP01-016\n{heading}\n4 OP01-025").deck
    assert deck.unread == ()
    assert [line.number for line in deck.section(section)][-1] == "OP01-025"


def test_a_row_of_a_table_behind_a_comment_mark_is_told():
    deck = parse("number,count\nOP01-001,1\n#OP01-016,4\n//OP01-024,4\n# these are cut\nOP01-025,4").deck
    assert [line.number for line in deck.main] == ["OP01-001", "OP01-025"]
    assert [(line.at, unread_finding(line).code) for line in deck.unread] == [(3, "line.aside"), (4, "line.aside")]


@pytest.mark.parametrize(
    "line", ["$4.23", "€3,20", "3,20 €", "Buy on TCGplayer", "Buy on Cardmarket", "Copy to clipboard"]
)
def test_what_a_shop_writes_between_cards_is_silent(line):
    assert aside(line) == []
    assert parse(LIST.format("Buy 4 more")).deck.unread


@pytest.mark.parametrize("heading", ["角色卡", "事件卡", "舞台卡", "角色卡 (1)"])
def test_chinese_headings_of_kinds_open_the_main_deck(heading):
    deck = parse(f"領袖\n1 OP01-001\n{heading}\n1 OP01-025").deck
    assert (len(deck.leader), len(deck.main), deck.unread) == (1, 1, ())


@pytest.mark.parametrize("between", [", ", " and ", " & "])
def test_counts_behind_several_numbers_in_a_sentence(optcg, between):
    deck = parse(f"1 OP13-001\nrest is op13-054 x4{between}op08-047 x4", catalogue=optcg).deck
    assert [(line.number, line.count) for line in deck.main] == [("op13-054", 4), ("op08-047", 4)]
    assert deck.unread == ()
