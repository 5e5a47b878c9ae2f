"""What a Judge decides without a deck: by which key a rule groups cards, and which sizes are legal."""

import pytest

from tests.validator.table import Table, gundam

CARDS = [gundam("C-R", colors=("Red",)), gundam("C-RW", colors=("Red", "White")), gundam("C-N", colors=())]


@pytest.mark.parametrize(
    ("one", "other", "section", "is_same"),
    [
        ("X-01", "X-02", "main", True),
        ("X-01", "C-R", "main", False),
        ("C-R", "C-RW", "main", False),
        ("C-N", "X-01", "side", False),
        ("X-01", "C-R", "resource", True),
    ],
)
def test_cards_of_the_same_colours_have_the_same_group_key(one, other, section, is_same):
    table = Table("gundam-1.9.0", *CARDS)
    keys = [table.judge.group_keys(table.catalogue.by_number(number), section) for number in (one, other)]
    assert (keys[0] == keys[1]) is is_same


@pytest.mark.parametrize(("numbers", "is_taken"), [(["X-01", "C-R"], True), (["X-01", "C-RW"], False)])
def test_groups_of_at_most_two_colours_are_taken(numbers, is_taken):
    table = Table("gundam-1.9.0", *CARDS)
    cards = [(table.catalogue.by_number(number), "main") for number in numbers]
    assert table.judge.takes_groups(cards) is is_taken


@pytest.mark.parametrize(
    ("ruleset", "sizes", "is_taken"),
    [
        ("dbs-4.00", {"leader": 1, "main": 50}, True),
        ("dbs-4.00", {"leader": 1, "main": 60, "side": 15, "z": 10}, True),
        ("dbs-4.00", {"leader": 1, "main": 49}, False),
        ("dbs-4.00", {"leader": 1, "main": 61}, False),
        ("dbs-4.00", {"leader": 0, "main": 50}, False),
        ("dbs-4.00", {"leader": 1, "main": 50, "side": 16}, False),
        ("dbs-4.00", {"leader": 1, "main": 50, "z": 11}, False),
        ("optcg-1.1.9", {"leader": 1, "main": 50, "side": 1}, False),
        ("gundam-1.9.0", {"main": 50, "resource": 10}, True),
        ("gundam-1.9.0", {"main": 50, "side": 9}, False),
        ("gundam-1.9.0", {"main": 50, "resource": 9}, False),
        ("bos-1.3", {"main": 40}, True),
        ("bos-1.3", {"main": 80, "side": 15}, True),
        ("bos-1.3", {"main": 81}, False),
    ],
)
def test_sizes_are_taken_up_to_their_bounds(ruleset, sizes, is_taken):
    assert Table(ruleset).judge.takes(sizes) is is_taken
