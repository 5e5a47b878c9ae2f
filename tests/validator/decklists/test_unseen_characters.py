"""Characters that cannot be seen, as copied pages have them, change neither numbers, names nor counts."""

import pytest

from tests.validator.decklists.test_parts_of_texts import CATALOGUE
from validator.decklists import parse

DIRECTIONS = map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
UNSEEN = [*"\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", *DIRECTIONS]


@pytest.mark.parametrize("char", UNSEEN, ids=ascii)
def test_a_character_that_is_not_seen_is_not_there(char):
    text = f"{char}1 OP01-001{char}\n4{char} OP01{char}-016 Pirate OP01-016\n2x{char} OP01-0{char}17\n"
    deck = parse(text, "optcg", CATALOGUE).deck
    found = [(section, line.number, line.count) for section, line in deck.lines()]
    assert found == [("leader", "OP01-001", 1), ("main", "OP01-016", 4), ("main", "OP01-017", 2)]
    assert deck.unread == ()


@pytest.mark.parametrize(("dash", "times"), [("‐", "×"), ("–", "✕"), ("−", "х"), ("ー", "Х")])
def test_dashes_and_times_of_other_keyboards_are_the_usual_ones(dash, times):
    deck = parse(f"1 OP01{dash}001\n4{times} OP01{dash}016\n", "optcg", CATALOGUE).deck
    assert [(line.number, line.count) for _, line in deck.lines()] == [("OP01-001", 1), ("OP01-016", 4)]
