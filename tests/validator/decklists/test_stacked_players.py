"""Players under each other in a table: the rows at which they begin, their names and their ids."""

import pytest

from validator.decklists.player_parts import find_labelled, find_part_headings, find_stacked, stacked_parts


def is_card(name):
    return name in ("Nami", "Usopp")


def table(*lines):
    return [[cell.strip() for cell in line.split("|")] for line in lines]


@pytest.mark.parametrize(
    ("lines", "parts"),
    [
        (
            [
                "Ann Lee|",
                "1234567890|",
                "4|Nami",
                "|",
                "2. Bo Ray|0987654321",
                "4|Usopp",
                "Kim Sun|",
                "|",
                "1111111111|",
                "4|Nami",
            ],
            [
                ("Ann Lee", range(4), "1234567890", 0, 1),
                ("Bo Ray", range(4, 6), "0987654321", 4, 4),
                ("Kim Sun", range(6, 10), "1111111111", 6, 8),
            ],
        ),
        (
            ["Ann Lee|", "12345|", "4|Nami", "Bo Ray|", "4|Usopp"],
            [("Ann Lee", range(3), "", 0, -1), ("Bo Ray", range(3, 5), "", 3, -1)],
        ),
        (
            ["Player: Ann Lee|", "4|Nami", "Player: Bo Ray|", "4|Usopp"],
            [("", range(2), "", -1, -1), ("", range(2, 4), "", -1, -1)],
        ),
    ],
)
def test_each_player_has_a_part_with_the_name_and_the_id(lines, parts):
    rows = table(*lines)
    found = list(stacked_parts(rows, find_stacked(rows, is_card)))
    assert [(part.name, part.rows, part.id, part.name_row, part.id_row) for part in found] == parts


@pytest.mark.parametrize(
    ("lines", "starts"),
    [
        (["Ann Lee|", "4|Nami", "Bo Ray|", "4|Usopp"], [0, 2]),
        (["Ann Lee|", "4|Nami"], []),
        (["Regional|", "Ann Lee|", "4|Nami", "Bo Ray|", "4|Usopp"], [1, 3]),
        # A card is at most four rows below a name.
        (["Ann Lee|", "|", "|", "|", "4|Nami", "Bo Ray|", "|", "|", "|", "4|Usopp"], [0, 5]),
        (["Ann Lee|", "|", "|", "|", "|", "4|Nami", "Bo Ray|", "4|Usopp", "Kim Sun|", "4|Nami"], [6, 8]),
    ],
)
def test_a_row_with_only_a_name_begins_a_player_if_cards_are_below(lines, starts):
    assert list(find_stacked(table(*lines), is_card)) == starts


def test_labels_have_priority_over_names():
    rows = table("Player: Ann Lee|", "Zoro|", "4|Nami", "Player: Bo Ray|", "Robin|", "4|Usopp")
    assert list(find_stacked(rows, is_card)) == list(find_labelled(rows, is_card)) == [0, 3]


@pytest.mark.parametrize(("above", "found"), [(0, (0, 1)), (7, (7, 8)), (8, (0, 0))])
def test_headings_are_found_in_the_first_eight_rows_of_a_player(above, found):
    titles = ("Number", "Qty")
    rows = [*[("OP01-016", "4")] * above, (*titles, ""), ("OP01-017", "4")]
    assert find_part_headings(rows, titles) == found
