"""Table rows: what each row of a table of cards is, and the section, the copies and the card of a row."""

from dataclasses import replace

import pytest

from carddb import facts
from carddb.catalogue import Catalogue
from tests.validator.table import optcg
from validator.decklists import parse
from validator.decklists.card_cells import CardCells
from validator.decklists.source import Source
from validator.decklists.table_rows import Aside, CardOfRow, RowDoubts, TableRows
from validator.tables.columns import infer_columns

NAMES = {"OP01-016": "Nami", "OP01-017": "Date, Party", "OP01-018": "Total"}
CATALOGUE = Catalogue("optcg", "named", [replace(optcg(number), name=name) for number, name in NAMES.items()])


def kind_of_row(cells, has_marked_rows):
    """Return "heading", "comment", "total" or "note", "" for the row of a card."""
    aside = ROWS.find_aside(cells, has_marked_rows)
    return aside.value if isinstance(aside, Aside) else "heading" if aside else ""


def table_rows(*lines):
    """Return the rows of a table, whose cells are separated by "|". The first line has the headings."""
    titles, *rows = ([cell.strip() for cell in line.split("|")] for line in lines)
    columns = infer_columns(titles, lambda at: [cells[at] for cells in rows if at < len(cells) and cells[at]])
    return TableRows(columns, CardCells(Source("", CATALOGUE)), lambda: rows)


def cards_of_row(rows, line, above=None):
    """Return the cards of a row, whose cells are separated by "|" and whose first cell may have the section."""
    cells = line.split("|")
    return rows.read_cards(cells, rows.cell(cells, "section"), above)


def doubted_roles(rows, line):
    """Return the roles of the cells of a row that cannot be used, "" for a doubt about the row."""
    found = cards_of_row(rows, line)
    assert isinstance(found, RowDoubts)
    return [doubt.role for doubt in found.doubts]


ROWS = table_rows(
    "Section|Count|Number|Name|Side",
    "Main|4|OP01-016|Nami|",
    "Main|2|OP01-019|Usopp|",
    "Side|1|OP01-020|Robin|yes",
)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("Main|4|OP01-016|Nami|", ""),
        ("Main|4", ""),
        ("Side|2|||", ""),  # its card is missing
        ("Main|50|||", "heading"),
        ("Side Deck||||", "heading"),
        ("Side Deck||||15", "heading"),
        ("#|4|OP01-016|Nami|", "comment"),
        ("#3|4|OP01-016||", ""),
        ("# 4 OP01-016||||", "comment"),
        ("//|||Nami|", "comment"),
        ("---||||", "comment"),
        ("||||", "comment"),
        ("|||51 cards|", "total"),
        ("Total|51|||", "note"),
        ("|51||Total|", ""),  # the name of a card
        ("|51||Sum|", "total"),
        ("Date|5 April|||", "note"),
        ("Date||5 April|2026|", "note"),
        ("Date|5|April|2026|", ""),
        ("Date|5|OP01-016||", ""),
        ("Player: Ann||||", "note"),
        ("|||Date, Party|", ""),
        ("|3|||", ""),
    ],
)
def test_the_kind_of_a_row(line, kind):
    cells = line.split("|")
    assert kind_of_row(cells, has_marked_rows=False) == kind
    # If "#" begins the rows of cards, it is no comment before other cells.
    assert kind_of_row(cells, has_marked_rows=True) == ("" if line.startswith("#|") else kind)


@pytest.mark.parametrize(
    ("line", "has_card"),
    [
        ("#|4|OP01-016||", True),
        ("//|||Nami|", True),
        ("// 4 OP01-016||||", True),
        ("//|OP01-016|||", True),
        ("// OP01-016||||", False),
        ("// note||||", False),
        ("//|note|||", False),
    ],
)
def test_comments_with_a_card(line, has_card):
    assert ROWS.has_commented_card(line.split("|")) is has_card


@pytest.mark.parametrize(
    ("line", "above", "section"),
    [
        ("Main|4|OP01-016||", None, "main"),
        ("|4|OP01-016||", None, None),
        ("|4|OP01-016||", "side", "side"),
        ("Leader|1|OP01-016||", "side", "leader"),
        ("Event|4|OP01-016||", None, "main"),
        ("Event|4|OP01-016||", "side", "side"),
        ("|4|OP01-016||yes", None, "side"),
        ("|4|OP01-016||no", None, None),
        ("|4|OP01-016||no", "side", "side"),
    ],
)
def test_the_section_of_a_row_goes_before_that_of_the_heading_above(line, above, section):
    assert [card.section for card in cards_of_row(ROWS, line, above)] == [section]


@pytest.mark.parametrize(
    ("line", "card"),
    [
        ("Main|4|OP01-016|Nami|", ("main", 4, "OP01-016", "Nami")),
        ("Main|4x|OP01-016||", ("main", 4, "OP01-016", None)),
        ("|255||Nami|", (None, 255, None, "Nami")),
    ],
)
def test_the_card_of_a_row(line, card):
    assert cards_of_row(ROWS, line) == [CardOfRow(*card)]


@pytest.mark.parametrize("line", ["Main|0|OP01-016|Nami|", "Main|0||Nami|", "Main|0|||"])
def test_a_row_with_a_written_0_has_no_card(line):
    assert cards_of_row(ROWS, line) == []


@pytest.mark.parametrize(
    ("line", "roles"),
    [
        ("Main|-|OP01-016||", ["count"]),
        ("Main|many|OP01-016||", ["count"]),
        ("Main|256|OP01-016||", ["count"]),
        ("Main|4|||", ["card"]),
        ("Main", ["card", "count"]),
        ("Nowhere|4|OP01-016||", ["section"]),
        ("Nowhere|0|OP01-016||", ["section"]),
        ("|4|OP01-016||perhaps", ["sideboard"]),
        ("Nowhere||||perhaps", ["card", "count", "sideboard"]),
    ],
)
def test_the_cells_of_a_row_that_are_not_understood(line, roles):
    assert doubted_roles(ROWS, line) == roles


@pytest.mark.parametrize(("cell", "copies"), [("Nami", None), ("4 Nami", 4), ("1 Nami", 1)])
def test_without_a_column_of_counts_the_cell_of_the_card_may_have_the_count(cell, copies):
    rows = table_rows("Card Name|Cost", "4 Nami|1", "Usopp|2")
    assert cards_of_row(rows, f"{cell}|1") == [CardOfRow(None, copies, None, "Nami")]


def test_a_number_and_a_name_beside_each_other_have_no_count():
    rows = table_rows("Number|Name", "OP01-016|Nami", "OP01-019|Usopp")
    assert cards_of_row(rows, "OP01-016|4 Nami") == [CardOfRow(None, None, "OP01-016", "4 Nami")]


def test_counts_by_section_are_read_together():
    rows = table_rows("Number|Main|Side", "OP01-016|4|1", "OP01-019|2|0")
    both = [CardOfRow(section, copies, "OP01-016", None) for section, copies in (("main", 4), ("side", 1))]
    assert cards_of_row(rows, "OP01-016|4|1") == both
    assert cards_of_row(rows, "OP01-019|2") == [CardOfRow("main", 2, "OP01-019", None)]
    assert cards_of_row(rows, "OP01-019|0|0") == []
    assert doubted_roles(rows, "OP01-016|256|1") == doubted_roles(rows, "OP01-016||") == [""]


def test_a_card_of_the_side_deck_is_not_counted_in_the_column_of_another_section():
    rows = table_rows("Section|Number|Main|Side", "Side|OP01-016|4|1", "Main|OP01-019|2|0")
    assert doubted_roles(rows, "Side|OP01-016|4|1") == [""]
    assert cards_of_row(rows, "Side|OP01-016||1") == [CardOfRow("side", 1, "OP01-016", None)]


def test_a_card_outside_the_deck_is_in_no_section_whichever_column_counts_it():
    rows = table_rows("Section|Number|Main|Side", "Main|OP01-016|4|0", "Maybeboard|OP01-019|2|1")
    assert [card.section for card in cards_of_row(rows, "Maybeboard|OP01-019|2|1")] == ["aside", "aside"]
    assert cards_of_row(rows, "Maybeboard||many|1").is_aside
    assert not cards_of_row(rows, "Main||many|1").is_aside


def test_columns_that_may_be_the_count_must_not_differ():
    rows = table_rows("Number|Qty|Count", "OP01-016|4|4", "OP01-019|2|2")
    assert cards_of_row(rows, "OP01-016|4|4") == cards_of_row(rows, "OP01-016||4") != []
    assert doubted_roles(rows, "OP01-016|4|3") == [""]


@pytest.mark.parametrize(
    ("players", "has_own"),
    [
        (("Ann Lee", "Ann Lee", "Bo Ray", "Bo Ray"), True),
        (("Ann Lee", "", "Bo Ray", ""), True),
        (("Ann Lee", "Bo Ray", "Ann Lee", "Bo Ray"), False),
    ],
)
def test_headings_apply_to_one_player_unless_a_player_recurs(players, has_own):
    lines = (f"{player}|4|OP01-01{at}" for at, player in enumerate(players))
    assert table_rows("Player|Count|Number", *lines).has_own_headings is has_own


def test_a_row_that_ends_before_the_column_of_players_is_of_the_player_above():
    rows = table_rows("Count|Number|Player", "4|OP01-016|Ann Lee", "4|OP01-017", "4|OP01-018|Bo Ray", "4|OP01-019")
    assert rows.has_own_headings


@pytest.mark.parametrize(
    ("marks", "mark"),
    [
        (("x", "", "x"), "x"),
        (("no", "yes", ""), "yes"),
        (("x", "x", "x"), ""),  # "4 x OP01-016"
        (("", "", ""), ""),
        (("no", "", "no"), ""),
        (("1", "", "1"), ""),
        (("x", "", "foil"), ""),
    ],
)
def test_a_column_without_a_heading_marks_some_cards(marks, mark):
    lines = [f"4|{cell}|OP01-01{at}" for at, cell in enumerate(marks)]
    assert table_rows("Count||Number", *lines).find_mark() == mark
    assert table_rows("Count|Foil|Number", *lines).find_mark() == ""


def test_a_row_that_ends_before_the_column_of_marks_is_not_marked():
    assert table_rows("Count|Number|", "4|OP01-010", "4|OP01-011|x").find_mark() == "x"


@pytest.mark.parametrize(
    ("marked", "unmarked", "notes", "copies"), [(3, 2, 0, 20), (2, 2, 0, 8), (1, 1, 0, 4), (2, 3, 4, 12)]
)
def test_a_number_sign_before_most_cards_is_no_comment_mark(marked, unmarked, notes, copies):
    rows = [f"#A\t4\tOP01-01{at}" for at in range(marked)] + [f"A\t4\tOP01-02{at}" for at in range(unmarked)]
    deck = parse("\n".join(["Entry\tQty\tNumber", *rows, *["# fun deck"] * notes])).deck
    assert sum(line.count for _, line in deck.lines()) == copies
    assert all(line.aside for line in deck.unread)


PLAYERS = ("Player|Event|Number|Count", "Ann Lee|Regional|OP01-016|4", "|Regional|OP01-017|4")


def test_a_row_with_only_an_event_has_no_player():
    rows = table_rows(*PLAYERS)
    assert [rows.has_player(cells) for cells in (["Ann Lee", ""], ["", "Regional"])] == [True, False]
    assert table_rows(PLAYERS[0].removeprefix("Player|")).has_player(["Regional"])


@pytest.mark.parametrize(
    ("more", "is_in_each_row"),
    [
        ([], False),
        (["Bo Ray|Regional|OP01-018|4"], False),
        (["Bo Ray|Regional|OP01-018|4", "Bo Ray|Regional|OP01-016|4"], True),
        (["Bo Ray||Total|", "Bo Ray|Regional|OP01-016|4"], True),
        (["Bo Ray|||", "Bo Ray|Regional|OP01-016|4"], False),
    ],
)
def test_a_table_repeats_a_player_in_successive_rows(more, is_in_each_row):
    assert table_rows(*PLAYERS, *more).repeats_players == is_in_each_row


def test_pasted_rows_with_only_an_event_are_of_the_player_above():
    deck = parse("\n".join(PLAYERS).replace("|", ","), "optcg", CATALOGUE).deck
    assert [line.number for _, line in deck.lines()] == ["OP01-016", "OP01-017"]
    assert not deck.unread


@pytest.mark.parametrize(
    ("section", "resource", "place"),
    [
        ("", "R-001", "resource"),
        ("Main", "R-001", "main"),
        ("Main", "EXR-001", "resource"),
        ("", "EXR-001", "resource"),
    ],
)
def test_resources_are_in_their_deck_unless_the_rows_name_both_decks(section, resource, place):
    lines = ["Section,Count,Number", f"{section},4,ST01-001", f"Resource,4,{resource}", f"{section},6,R-002"]
    deck = parse("\n".join(lines), "gundam", facts.catalogue("gundam")).deck
    assert {line.number: where for where, line in deck.lines()}["R-002"] == place


@pytest.mark.parametrize(("section", "place"), [("Leader", "main"), ("Main", "leader"), ("", "leader")])
def test_a_second_leader_stays_in_the_main_deck_if_a_row_names_the_leader(section, place):
    lines = ["Section,Count,Number", f"{section},1,OP01-001", "Main,1,OP01-002", "Main,4,OP01-016"]
    deck = parse("\n".join(lines), "optcg", facts.catalogue("optcg")).deck
    assert {line.number: where for where, line in deck.lines()}["OP01-002"] == place
