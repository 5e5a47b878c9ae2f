"""Blocks of cards in a table without headings: one deck each, or parts of one deck."""

import pytest

from validator.tables.unnamed_players import Block, are_decks


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        ([(1, 10), (1, 10)], True),
        ([(1, 10), (1, 10), (0, 10)], True),
        ([(1, 10), (1, 10), (0, 10), (0, 10)], False),
        ([(1, 10), (2, 10), (1, 10)], False),
        ([(1, 10)], False),
        ([(0, 35), (0, 35)], True),
        ([(0, 34), (0, 35)], False),
        ([(1, 51), (0, 49)], False),
        ([(1, 51), (0, 50)], True),
        ([(1, 90), (0, 34)], False),
        ([(2, 50), (2, 51)], True),
    ],
)
def test_blocks_are_decks_by_their_leaders_and_copies(blocks, expected):
    assert are_decks([Block(*block) for block in blocks], are_people=False) is expected


def test_names_of_players_suffice_beside_many_copies_and_not_one_leader():
    assert are_decks([Block(0, 90), Block(0, 11)], are_people=True)
    assert not are_decks([Block(0, 90), Block(0, 10)], are_people=True)
    assert not are_decks([Block(1, 90), Block(0, 11)], are_people=True)
    assert not are_decks([Block(0, 90), Block(0, 11)], are_people=False)
