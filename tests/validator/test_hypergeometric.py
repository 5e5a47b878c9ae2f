"""Exact chances, against counting every hand of a small deck one by one."""

from fractions import Fraction
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validator.hypergeometric import FirstHand, at_most, chance, exactly


def subsets(cards):
    """Yield every part of these cards as a tuple, from none to all."""
    return chain.from_iterable(combinations(cards, size) for size in range(len(cards) + 1))


def every_hand(deck, size):
    """Return every hand of `size` cards. Equal cards count as different ones."""
    return list(combinations(deck, size))


def count_groups(pool, cards):
    """Return the number of cards of each group of a pool."""
    return tuple(sum(group == at for _, group in cards) for at in range(len(pool)))


def label_cards(pool):
    """Return the cards of a pool, each as a pair of its own place and the index of its group."""
    return [(place, group) for group, copies in enumerate(pool) for place in range(copies)]


class CountedHands:
    """Chances that are computed by trying every hand, every redraw and every later draw."""

    def __init__(self, pool, hand, later, wish):
        self.pool, self.hand, self.later, self.wish = pool, hand, later, wish
        self.deck = label_cards(pool)

    def chance_keeping(self, kept_cards):
        """Return the share of all ways to draw the rest of the hand and the later cards that fulfil the wish."""
        left = [card for card in self.deck if card not in kept_cards]
        drawn = every_hand(left, self.hand + self.later - len(kept_cards))
        return Fraction(sum(self.wish(count_groups(self.pool, (*kept_cards, *more))) for more in drawn), len(drawn))

    def average_worth(self, worth):
        """Return the average of `worth` over all hands."""
        hands = every_hand(self.deck, self.hand)
        return sum(worth(hand) for hand in hands) / Fraction(len(hands))

    def chance_any_redraw(self):
        """Return the chance if any cards of the hand may be redrawn once."""
        return self.average_worth(lambda hand: max(self.chance_keeping(kept) for kept in subsets(hand)))

    def chance_hand_redraw(self, times, can_redraw=lambda held: True):
        """Return the chance if a whole hand may be redrawn up to `times` times, if `can_redraw` is true of the hand."""
        worth = self.chance_keeping(())
        for _ in range(times):
            redrawn = worth
            worth = self.average_worth(
                lambda hand, redrawn=redrawn: max(
                    self.chance_keeping(hand), redrawn if can_redraw(count_groups(self.pool, hand)) else Fraction(0)
                )
            )
        return worth


# The last group is what nobody wishes for.
pools = st.lists(st.integers(0, 3), min_size=3, max_size=3).filter(lambda pool: 4 <= sum(pool) <= 6).map(tuple)
wishes = st.tuples(st.integers(1, 2), st.integers(0, 2))


def wish_of(least):
    """Return the wish for at least these numbers of cards of the first two groups."""
    return lambda held: held[0] >= least[0] and held[1] >= least[1]


@given(st.integers(0, 8), st.integers(0, 8), st.integers(0, 8), st.integers(0, 8))
def test_chances_of_one_kind_of_card_are_those_of_counting_hands(most, wanted, others, hand):
    deck = wanted + others
    hand = min(hand, deck)
    hands = every_hand(label_cards((wanted, others)), hand)
    held = [sum(group == 0 for _, group in one) for one in hands]
    assert at_most(most, wanted, deck, hand) == Fraction(sum(n <= most for n in held), len(hands))
    assert exactly(min(most, hand), wanted, deck, hand) == Fraction(held.count(min(most, hand)), len(hands))


@given(pools, wishes, st.integers(0, 4))
def test_chances_of_several_kinds_of_card_are_those_of_counting_hands(pool, least, drawn):
    wish = wish_of(least)
    hands = every_hand(label_cards(pool), drawn)
    found = sum(wish(count_groups(pool, hand)) for hand in hands)
    assert chance(pool, drawn, wish) == Fraction(found, len(hands))


@given(pools, wishes, st.integers(1, 3), st.integers(0, 1))
def test_a_redraw_of_any_cards_is_the_best_of_all_redraws(pool, least, hand, later):
    wish = wish_of(least)
    assert (
        FirstHand(hand, 1, whole=False).chance(pool, wish, later)
        == CountedHands(pool, hand, later, wish).chance_any_redraw()
    )


@pytest.mark.parametrize("whole", [True, False])
def test_a_pool_smaller_than_the_hand_has_no_chance(whole):
    with pytest.raises(ValueError, match="5 cards cannot be drawn from 3"):
        FirstHand(5, 1, whole).chance((1, 2), lambda counts: True)


@given(pools, wishes, st.integers(1, 3), st.integers(0, 1), st.integers(0, 2), st.integers(1, 3))
def test_redraws_of_the_whole_hand_are_taken_where_they_help_and_may_be(pool, least, hand, later, times, fewer):
    wish = wish_of(least)

    def can_redraw(counts):
        return counts[1] < fewer

    found = FirstHand(hand, times, may_redraw=can_redraw).chance(pool, wish, later)
    assert found == CountedHands(pool, hand, later, wish).chance_hand_redraw(times, can_redraw)


@given(pools, wishes, st.integers(1, 3), st.integers(0, 1), st.booleans(), st.integers(1, 3))
def test_a_redraw_may_hang_on_what_is_not_wished_for(pool, least, hand, later, whole, fewer):
    """Two of the parts are one group to the wish, and one alone decides whether a hand may be redrawn."""

    def wish(counts):
        return counts[0] >= least[0]

    def can_redraw(counts):
        return counts[1] < fewer

    found = FirstHand(hand, 1, whole, can_redraw).chance(pool, wish, later, (0, 0, 1))
    by_parts = CountedHands(pool, hand, later, lambda held: held[0] + held[1] >= least[0])
    assert found == (by_parts.chance_hand_redraw(1, can_redraw) if whole else by_parts.chance_any_redraw())


@given(pools, wishes, st.integers(1, 3), st.integers(0, 1))
def test_a_freer_redraw_is_never_worse(pool, least, hand, later):
    wish = wish_of(least)
    none, whole, free = (
        how.chance(pool, wish, later) for how in (FirstHand(hand), FirstHand(hand, 1), FirstHand(hand, 1, whole=False))
    )
    assert none <= whole <= free


def test_what_players_know_by_heart():
    """Four copies in fifty cards: 35.3 % in five cards, 58.1 % with one redraw of all."""
    assert round(float(1 - at_most(0, 4, 50, 5)), 4) == 0.353
    assert round(float(FirstHand(5, 1).chance((4, 46), lambda held: held[0] > 0)), 4) == 0.5814


@pytest.mark.parametrize("drawn", [-1, 4])
def test_more_cards_than_there_are_cannot_be_drawn(drawn):
    with pytest.raises(ValueError, match="cannot be drawn from 3"):
        chance((1, 2), drawn, lambda held: True)
