"""Cell kinds: what a single cell of a table can be, on both sides of each limit."""

import pytest

from validator.tables import cell_kinds

KINDS = (
    cell_kinds.is_card_number,
    cell_kinds.is_copies,
    cell_kinds.is_usual_copies,
    cell_kinds.is_player_id,
    cell_kinds.is_person,
    cell_kinds.is_full_name,
    cell_kinds.is_wording,
    cell_kinds.is_content,
)


@pytest.mark.parametrize(
    ("cell", "kinds"),
    [
        ("OP01-016", "card_number wording content"),
        (" OP01-016 ", "card_number wording content"),
        ("4x OP01-016", "wording"),
        ("1", "copies usual_copies content"),
        ("4", "copies usual_copies content"),
        ("5", "copies content"),
        ("10", "copies content"),
        ("11", "content"),
        ("0", "content"),
        ("", ""),
        ("-", ""),
        ("4x", "copies usual_copies person wording"),
        ("500x", "wording"),
        ("1234567", "content"),
        ("12345678", "player_id content"),
        ("1234567890", "player_id content"),
        ("12345678901", "content"),
        ("1.5", "content"),
        ("1.2.3", ""),
        ("Nami", "person wording"),
        ("Ann Lee", "person full_name wording"),
        (" Ann ", "person wording"),
        ("山田", "person full_name wording"),
        ("A", "wording"),
        ("ABC", "wording"),
        ("ABCD", "person wording"),
        ("yes", "wording"),
        ("false", "wording"),
        ("ann@home", "wording"),
        ("Ann/Bo", "wording"),
        ("Ann 007", "wording"),
        ("x" * 80, "person wording"),
        ("x" * 81, "wording"),
        ("https://a.example", "content"),
        ("HTTP://a.example", "content"),
    ],
)
def test_what_a_cell_can_be(cell, kinds):
    assert [is_kind.__name__.removeprefix("is_") for is_kind in KINDS if is_kind(cell)] == kinds.split()


@pytest.mark.parametrize(
    ("cell", "copies"),
    [("4", 4), ("4x", 4), ("4枚", 4), ("999", 999), ("500x", 500), ("1000", 0), ("0", 0), ("-", 0), ("Nami", 0)],
)
def test_the_copies_in_a_cell_have_at_most_three_digits(cell, copies):
    assert cell_kinds.copies_in(cell) == copies


@pytest.mark.parametrize(
    ("cell", "card", "count"),
    [
        ("4 OP01-016", "OP01-016", 4),
        ("4x Nami", "Nami", 4),
        ("Nami x4", "Nami", 4),
        ("Nami x 99", "Nami", 99),
        ("0 Nami", "", 0),
        ("100 Nami", "", 0),
        ("Nami 4", "", 0),
        ("4xNami", "", 0),
        ("4", "", 0),
    ],
)
def test_split_a_cell_into_card_and_count(cell, card, count):
    assert cell_kinds.split_count(cell) == (card, count)


@pytest.mark.parametrize(
    ("cell", "is_list"),
    [
        ("OP01-001 OP01-002", False),
        ("OP01-001 OP01-002 OP01-003", True),
        ("4 Nami\n3 Usopp", False),
        ("4 Nami\n3 Usopp\n2 Robin", True),
        ("Mine\n3 Usopp\n2 Robin", True),
        ("4 Nami\nfor\nme\n2 Robin", False),
        ("https://a.example/deck", True),
        ("Nami", False),
    ],
)
def test_a_cell_can_be_a_deck_list(cell, is_list):
    assert cell_kinds.is_list(cell) is is_list


@pytest.mark.parametrize(("length", "has_number"), [(202, True), (203, False)])
def test_search_card_numbers_in_the_first_200_characters(length, has_number):
    # Only "OP01-0" and "OP01-" are left of the number.
    assert cell_kinds.has_card_number("OP01-016".rjust(length)) is has_number
