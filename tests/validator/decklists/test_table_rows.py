"""Table rows: what each row of a table of cards is, and the section, the copies and the card of a row."""

from dataclasses import replace

import pytest

from carddb.catalogue import Catalogue
from tests.validator.table import optcg
from validator.decklists import parse
from validator.decklists.placing import Misplaced
from validator.decklists.source import Source
from validator.decklists.table_rows import Aside, TableRows
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
    return TableRows(columns, Source("", CATALOGUE), lambda: rows)


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
    cells = line.split("|")
    assert ROWS.section(cells, cells[0], above) == section


@pytest.mark.parametrize(("line", "role"), [("Nowhere|4|OP01-016||", "section"), ("|4|OP01-016||perhaps", "sideboard")])
def test_a_section_that_is_not_understood_is_misplaced(line, role):
    found = ROWS.section(line.split("|"), line.split("|")[0], None)
    assert isinstance(found, Misplaced)
    assert found.role == role


@pytest.mark.parametrize(
    ("line", "copies", "card"),
    [
        ("Main|4|OP01-016|Nami|", [(None, 4)], ("OP01-016", "Nami")),
        ("Main|4x|OP01-016||", [(None, 4)], ("OP01-016", None)),
        ("Main|0||Nami|", [], (None, "Nami")),
        ("Main|-|OP01-016||", None, ("OP01-016", None)),
        ("Main|many|OP01-016||", None, ("OP01-016", None)),
        ("Main", None, (None, None)),
    ],
)
def test_the_copies_and_the_card_of_a_row(line, copies, card):
    cells = line.split("|")
    found = ROWS.copies(cells)
    assert (found if isinstance(found, list) else None) == copies
    assert ROWS.card(cells) == card


def test_a_table_without_counts_has_one_copy_in_each_row():
    rows = table_rows("Number|Name", "OP01-016|Nami", "OP01-019|Usopp")
    assert rows.copies(["OP01-016", "Nami"]) == [(None, 1)]


def test_counts_by_section_are_read_together():
    rows = table_rows("Number|Main|Side", "OP01-016|4|1", "OP01-019|2|0")
    assert rows.copies(["OP01-016", "4", "1"]) == [("main", 4), ("side", 1)]
    assert rows.copies(["OP01-019", "2"]) == [("main", 2)]
    assert rows.copies(["OP01-019", "0", "0"]) == []


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
