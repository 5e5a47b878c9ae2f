"""The odds of decks: what is counted, by which statements of the manuals, and what is refused."""

from datetime import date
from fractions import Fraction
from math import comb

import pytest

from tests.validator.table import Table, bos, dbs, fusion, optcg
from validator import Deck, DeckFacts, Line, rulesets
from validator.bounds import MOST_TURNS
from validator.errors import OddsError
from validator.odds import NO_DRAWS, Odds, Wish

A, B = Wish(("A-1",)), Wish(("B-1",))


def odds(ruleset, main, *special, leader=()):
    table = Table(ruleset, *special, day=date(2026, 11, 21))
    lines = tuple(table._lines(table.fill_main(main)))
    return Odds(DeckFacts(Deck(leader, lines), table.catalogue, table.judge.terms.ruleset.types), rulesets()[ruleset])


@pytest.fixture
def pirates():
    return odds("optcg-1.2.1", {"A-1": 4, "B-1": 3}, optcg("A-1", cost=3), optcg("B-1", cost=5))


@pytest.fixture
def fighters():
    return odds("dbs-4.00", {"A-1": 4, "B-1": 3}, dbs("A-1"), dbs("B-1"))


class TestFirstHand:
    def test_one_piece_redraws_the_whole_hand_once(self, pirates):
        none = Fraction(comb(46, 5), comb(50, 5))
        assert pirates.seen([A], redraw=False).chance == 1 - none
        assert pirates.seen([A]).chance == 1 - none**2

    def test_dragon_ball_redraws_what_it_likes_once(self, fighters):
        """A player without the card redraws all six cards. A player who needs two copies keeps the one that he has."""
        none = Fraction(comb(46, 6), comb(50, 6))
        assert fighters.seen([A], redraw=False).chance == 1 - none
        assert fighters.seen([A]).chance == 1 - none**2
        one = Fraction(4 * comb(46, 5), comb(50, 6))
        two = 1 - none - one
        after_one = 1 - Fraction(comb(46, 5), comb(49, 5))
        after_none = 1 - none - one
        assert fighters.seen([Wish(("A-1",), 2)]).chance == two + one * after_one + none * after_none

    def test_battle_of_souls_redraws_a_hand_of_fewer_than_two_warriors_twice(self):
        warriors = {f"Warrior {n}": 4 for n in range(5)}
        tactics = {f"Tactic {n}": 4 for n in range(5)}
        found = odds("bos-1.3", {**warriors, **tactics}, *(bos(name, "Tactic") for name in tactics))
        hands = comb(40, 5)
        fewer = {n: comb(20, n) * comb(20, 5 - n) for n in range(2)}
        kept = Fraction(hands - sum(fewer.values()), hands)
        redrawn = 1 - kept
        wish = Wish(tuple(warriors), 2)
        assert found.seen([wish]).chance == kept + redrawn * kept + redrawn**2 * kept
        assert any("opponent" in what for what in found.seen([wish]).leaves_out)

    def test_before_the_update_of_battle_of_souls_there_is_no_redraw(self):
        found = odds("bos-original", {})
        assert found.opening.redraw is None
        wish = Wish(("Warrior 1",))
        assert found.seen([wish]).chance == found.seen([wish], redraw=False).chance

    def test_two_wishes_are_fulfilled_together(self, pirates):
        def chance_of_none(cards):
            """Return the chance that a hand of five has none of `cards` cards of a deck of 50."""
            return Fraction(comb(50 - cards, 5), comb(50, 5))

        both = 1 - chance_of_none(4) - chance_of_none(3) + chance_of_none(7)
        assert pirates.seen([A, B], redraw=False).chance == both
        assert pirates.seen([A, B]).chance == both + (1 - both) * both

    def test_a_card_of_both_wishes_fulfils_both(self, pirates):
        either = Wish(("A-1", "B-1"))
        assert pirates.seen([A, either]).chance == pirates.seen([A]).chance
        assert pirates.copies(either) == 7


class TestTurns:
    def test_who_goes_first_does_not_draw_on_the_first_turn(self, pirates):
        assert [pirates.draws(turn, True) for turn in (1, 2, 5)] == [0, 1, 4]
        assert [pirates.draws(turn, False) for turn in (1, 2, 5)] == [1, 2, 5]
        seen = pirates.seen([A], 3, True, redraw=False)
        assert seen.chance == 1 - Fraction(comb(46, 7), comb(50, 7))

    def test_everybody_draws_in_battle_of_souls(self):
        assert odds("bos-1.3", {}).draws(1, True) == 1

    def test_nobody_draws_more_cards_than_there_are(self):
        found = odds("bos-1.3", {})
        assert found.draws(MOST_TURNS, True) == MOST_TURNS
        small = Table("bos-1.3")
        facts = DeckFacts(small.deck(main={"Warrior 1": 6}), small.catalogue, small.judge.terms.ruleset.types)
        assert Odds(facts, rulesets()["bos-1.3"]).draws(MOST_TURNS, True) == 1

    def test_don_cards_grow_by_two_to_ten_and_energy_by_one(self, pirates, fighters):
        assert [turn.energy for turn in pirates.curve(7, True)] == [1, 3, 5, 7, 9, 10, 10]
        assert [turn.energy for turn in pirates.curve(6, False)] == [2, 4, 6, 8, 10, 10]
        assert [turn.energy for turn in fighters.curve(3, True)] == [1, 2, 3]
        assert [turn.seen for turn in fighters.curve(3, True)] == [6, 7, 8]

    def test_the_curve_counts_cards_of_just_the_cost_and_of_less(self, pirates):
        """43 cards cost 2, four 3 and three 5."""
        second, third = list(pirates.curve(3, True))[1:]
        assert second.exact.chance == 1 - Fraction(comb(46, 6), comb(50, 6))
        assert second.playable.chance == 1
        assert third.exact.chance == 1 - Fraction(comb(47, 7), comb(50, 7))

    def test_a_game_without_costs_has_no_curve(self):
        found = odds("bos-1.3", {})
        assert list(found.curve(5, True)) == []
        assert found.without_cost() == 40


class TestSearches:
    def test_a_search_looks_at_the_top_of_the_deck(self, pirates):
        found = pirates.search(5, 12)
        assert found.answer.chance == 1 - Fraction(comb(38, 5), comb(50, 5))
        assert pirates.search(5, found.enough).answer.chance >= Fraction(4, 5)
        assert pirates.search(5, found.enough - 1).answer.chance < Fraction(4, 5)

    def test_the_card_that_searches_is_neither_in_the_deck_nor_found(self, pirates):
        found = pirates.search(5, Wish(("A-1", "B-1")), "A-1")
        assert (found.of, found.targets) == (49, 6)
        assert pirates.search(5, Wish(("B-1",)), "A-1").targets == 3


class TestLife:
    def test_dragon_ball_has_eight_life_cards(self, fighters):
        assert fighters.life() == 8
        among = fighters.among_life(A, 8)
        assert [one.chance for one in among] == [
            Fraction(comb(4, held) * comb(46, 8 - held), comb(50, 8)) for held in range(5)
        ]
        assert sum(one.chance for one in among) == 1

    def test_in_one_piece_the_leader_tells(self, pirates):
        assert pirates.life() is None
        assert pirates.life(5) == 5
        assert len(pirates.among_life(A, 3)) == 4


class TestCards:
    def test_cards_are_named_by_number_or_name_in_any_spelling(self, pirates):
        named = [Wish((written,)) for written in ("A-1", "a-1_p2", "Pirate A-1", "pirate a-1")]
        assert {pirates.copies(wish) for wish in named} == {4}

    def test_unknown_cards_are_counted_and_may_be_named(self):
        table = Table("optcg-1.2.1")
        deck = Deck(main=(Line("QQ1-001", 4), Line(None, 46, "Nobody knows me")))
        found = Odds(DeckFacts(deck, table.catalogue, table.judge.terms.ruleset.types), rulesets()["optcg-1.2.1"])
        assert found.size == 50
        assert found.copies(Wish(("qq1-001",))) == 4
        assert found.copies(Wish(("nobody knows me",))) == 46
        assert found.without_cost() == 50


@pytest.mark.parametrize(
    ("ask", "key"),
    [
        (lambda odds: odds.seen([Wish(("C-1",))]), "wishes"),
        (lambda odds: odds.seen([Wish(("",))]), "wishes"),
        (lambda odds: odds.seen([]), "wishes"),
        (lambda odds: odds.seen([A, B, A]), "wishes"),
        (lambda odds: odds.seen([Wish(("A-1",), 0)]), "wishes"),
        (lambda odds: odds.seen([Wish(("A-1",), 10**9)]), "wishes"),
        (lambda odds: odds.seen([A], -1), "turn"),
        (lambda odds: odds.seen([A], 10**9), "turn"),
        (lambda odds: odds.search(0, 4), "look"),
        (lambda odds: odds.search(51, 4), "look"),
        (lambda odds: odds.search(10**9, 4), "look"),
        (lambda odds: odds.search(5, -1), "targets"),
        (lambda odds: odds.search(5, 51), "targets"),
        (lambda odds: odds.search(5, 4, "C-1"), "searcher"),
        (lambda odds: odds.life(0), "life"),
        (lambda odds: odds.life(10**9), "life"),
        (lambda odds: list(odds.curve(0, True)), "turn"),
    ],
)
def test_what_cannot_be_asked_is_refused_by_name(pirates, ask, key):
    with pytest.raises(OddsError) as refused:
        ask(pirates)
    assert refused.value.key == key


@pytest.mark.parametrize(
    ("ask", "most"),
    [
        (lambda odds, turn: odds.seen([A], turn), 10),
        (lambda odds, turn: list(odds.curve(turn, True)), 10),
        (lambda odds, look: odds.search(look, 4), 50),
        (lambda odds, life: odds.life(life), 20),
        (lambda odds, wishes: odds.seen([A] * wishes), 2),
    ],
    ids=["turn", "turns of a curve", "look", "life", "wishes"],
)
def test_each_number_has_odds_up_to_its_bound(pirates, ask, most):
    ask(pirates, most)
    with pytest.raises(OddsError):
        ask(pirates, most + 1)


@pytest.mark.parametrize("main", [{}, {"X-01": 4}])
def test_a_deck_without_a_first_hand_has_no_odds(main):
    table = Table("optcg-1.2.1")
    facts = DeckFacts(table.deck(main=main), table.catalogue, table.judge.terms.ruleset.types)
    with pytest.raises(OddsError) as refused:
        Odds(facts, rulesets()["optcg-1.2.1"])
    assert refused.value.key == "deck"


def test_the_largest_deck_that_can_be_sent_has_its_odds_soon():
    table = Table("dbs-4.00")
    lines = tuple(Line(f"X-{n % 30:02}", 255) for n in range(1000))
    found = Odds(DeckFacts(Deck(main=lines), table.catalogue, table.judge.terms.ruleset.types), rulesets()["dbs-4.00"])
    wish = Wish(("X-01", "X-02"))
    assert found.size == 255_000
    assert 0 < found.seen([wish, Wish(("X-02", "X-03"), 2)], 10, True).chance < 1
    assert found.search(60, 1000).enough < found.size


def test_every_answer_says_what_it_leaves_out_and_where_its_rules_are_written(fighters):
    answers = [
        fighters.seen([A]),
        fighters.seen([A], 3, False, redraw=False),
        fighters.search(5, 4).answer,
        *fighters.among_life(A, 8),
        *(turn.exact for turn in fighters.curve(3, True)),
    ]
    assert all(answer.leaves_out for answer in answers)
    assert {fact.cite.section for fact in fighters.seen([A], 1, True).rules} >= {"5-2-1-6", "6-2-3"}


def test_the_rules_of_drawing_are_cited_only_for_turns_in_which_cards_are_drawn(fighters):
    draw = "6-2-3"
    for turn in (0, 1):
        found = fighters.seen([A], turn)
        assert (draw in {fact.cite.section for fact in found.rules}) is bool(turn)
        assert NO_DRAWS not in found.leaves_out
    unknown = odds("fusion-launch", {"A-1": 4}, fusion("A-1")).seen([A], 1)
    assert NO_DRAWS in unknown.leaves_out
    assert len(unknown.rules) == 2  # the first hand and how it is redrawn
