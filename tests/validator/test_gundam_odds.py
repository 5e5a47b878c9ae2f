"""The odds of Gundam decks by sections 6-2, 7-3 and 7-4 of the comprehensive rules."""

from fractions import Fraction
from math import comb

import pytest

from tests.validator.table import Table, gundam
from validator import DeckFacts
from validator.errors import OddsError
from validator.odds import Odds, Wish

A = Wish(("A-1",))


@pytest.fixture
def suits():
    table = Table("gundam-1.9.0", gundam("A-1", cost=3))
    deck = table.deck(main=table.fill_main({"A-1": 4}), resource={"R-01": 10})
    ruleset = table.judge.terms.ruleset
    return Odds(DeckFacts(deck, table.catalogue, ruleset.types), ruleset)


def chance_of_none(cards, drawn_cards):
    """Return the chance that none of `cards` cards is among the drawn ones, from a deck of 50."""
    return Fraction(comb(50 - cards, drawn_cards), comb(50, drawn_cards))


def test_a_hand_has_five_cards_and_is_redrawn_once_as_a_whole(suits):
    none = chance_of_none(4, 5)
    assert suits.seen([A], redraw=False).chance == 1 - none
    assert suits.seen([A]).chance == 1 - none**2


def test_both_players_draw_a_card_on_each_turn_the_first_included(suits):
    for goes_first in (True, False):
        assert [suits.draws(turn, goes_first) for turn in (1, 2, 5)] == [1, 2, 5]
    assert suits.seen([A], 3, redraw=False).chance == 1 - chance_of_none(4, 8)


def test_both_players_have_a_resource_more_on_each_turn(suits):
    for goes_first in (True, False):
        turns = list(suits.curve(4, goes_first))
        assert [(turn.energy, turn.seen) for turn in turns] == [(1, 6), (2, 7), (3, 8), (4, 9)]
    assert list(suits.curve(3, True))[2].exact.chance == 1 - chance_of_none(4, 8)


def test_six_cards_are_in_the_shield_section(suits):
    assert suits.life() == 6
    among = [one.chance for one in suits.among_life(A, 6)]
    assert among == [Fraction(comb(4, held) * comb(46, 6 - held), comb(50, 6)) for held in range(5)]


@pytest.mark.parametrize(("turn", "is_taken"), [(0, True), (10, True), (11, False), (-1, False)])
def test_odds_of_a_turn_that_no_match_reaches_are_refused(suits, turn, is_taken):
    if is_taken:
        assert 0 < suits.seen([A], turn).chance <= 1
    else:
        with pytest.raises(OddsError):
            suits.seen([A], turn)


def test_the_odds_cite_the_sections_that_they_go_by(suits):
    cited = [fact.cite.section for fact in suits.seen([A], 2).rules]
    assert cited == ["6-2-1-5", "7-3-1", "6-2-1-6-1"]
    assert [fact.cite.section for fact in next(suits.curve(1, True)).exact.rules] == ["6-2-1-5", "7-3-1", "7-4-1"]
