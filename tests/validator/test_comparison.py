"""Comparisons of two decks: the cards whose copies differ, by section."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from carddb import facts
from validator.comparison import compare_decks
from validator.deck import Deck, Line

CARDS = facts.catalogue("optcg")
NUMBERS = sorted({card.number for card in CARDS.index.values()})[:6]
lines = st.lists(st.builds(Line, st.sampled_from(NUMBERS), st.integers(1, 9)), max_size=8).map(tuple)
decks = st.builds(Deck, main=lines, side=lines)


def copies(deck):
    held = Counter()
    for section, line in deck.lines():
        held[section, line.number] += line.count
    return held


@given(decks, decks)
def test_the_changes_make_the_second_deck_of_the_first(before, after):
    changes = compare_decks(before, after, CARDS)
    held = copies(before)
    for change in changes:
        assert held[change.section, change.card.number] == change.before != change.after
        held[change.section, change.card.number] = change.after
    assert +held == copies(after)


def test_spellings_and_printings_of_a_card_are_the_same_card():
    before = Deck(main=(Line("op01-016_p1", 3), Line("OP01-016", 1)))
    assert compare_decks(before, Deck(main=(Line("OP01-016", 4, "Nami"),)), CARDS) == []


def test_cards_that_are_not_known_are_compared_as_they_are_written():
    before = Deck(main=(Line("OP99-099", 1, "Some Card"), Line(None, 2, "Nobody Such")))
    changes = compare_decks(before, Deck(main=(Line(None, 1, "nobody such"),)), CARDS)
    assert [(change.card.number, change.card.name, change.before, change.after) for change in changes] == [
        ("", "Nobody Such", 2, 1),
        ("OP99-099", "Some Card", 1, 0),
    ]
