"""Blocks of cards in a table without headings: one deck each, or parts of one deck."""

import pytest

from carddb.catalogue import Catalogue
from tests.validator.table import optcg
from validator.decklists.source import Source
from validator.tables.headings import PLAYER, PLAYER_ID
from validator.tables.unnamed_players import Block, CardRow, are_decks, find_player_columns

CARDS = [optcg(f"OP01-{at:03}", traits=("Navy" if at < 13 else "Pirates",)) for at in range(26)]


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


@pytest.mark.parametrize(
    ("first", "second", "expected"), [("Ann", "Bo", {PLAYER: 1}), ("Navy", "Pirates", {}), ("navy", "pirates", {})]
)
def test_texts_that_are_printed_on_the_cards_are_no_players(first, second, expected):
    cells = [(card.number, first if at < 13 else second) for at, card in enumerate(CARDS)]
    rows = [CardRow(number, 4, (number, text)) for number, text in cells]
    assert find_player_columns(rows, [1], Source("", Catalogue("optcg", "drawn", CARDS))) == expected


IDS = ["0000000001"] * 13 + ["0000000002"] * 13


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["EN", "JP"] * 13, {PLAYER_ID: 1}),
        (["Ann"] * 13 + ["Bo"] * 13, {PLAYER: 2, PLAYER_ID: 1}),
        (["Ann"] * 26, {PLAYER_ID: 1}),
    ],
)
@pytest.mark.parametrize("ids", [IDS, [IDS[0], *[""] * 12, IDS[13], *[""] * 12]])
def test_the_text_beside_an_id_is_a_name_only_if_each_id_has_one(texts, expected, ids):
    cells = zip(CARDS, ids, texts, strict=True)
    rows = [CardRow(card.number, 4, (card.number, id, text)) for card, id, text in cells]
    assert find_player_columns(rows, [1, 2], Source("", Catalogue("optcg", "drawn", CARDS))) == expected


def test_words_for_yes_and_no_are_no_players():
    rows = [CardRow(card.number, 4, (card.number, "yes" if at < 13 else "no")) for at, card in enumerate(CARDS)]
    assert find_player_columns(rows, [1], Source("", Catalogue("optcg", "drawn", CARDS))) == {}
