"""Exact probabilities of draws without replacement: the number of all hands, and of those that fulfil a wish.

A pool is a tuple with the number of cards of each group. Each card is in one group. Drawn and kept cards are tuples of
the same kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from math import comb
from operator import add, sub

from validator.bounds import MOST_CHANCES

Counts = tuple[int, ...]
Wish = Callable[[Counts], bool]


def exactly(copies: int, count: int, deck: int, hand: int) -> Fraction:
    """Return the chance that a hand contains exactly `copies` of the deck's `count` wanted cards.

    `deck` and `hand` are numbers of cards. Raises ValueError if `copies` is more than `hand` or `count` more than
    `deck`. Raises ZeroDivisionError if `hand` is more than `deck`.
    """
    return Fraction(comb(count, copies) * comb(deck - count, hand - copies), comb(deck, hand))


def at_most(most: int, count: int, deck: int, hand: int) -> Fraction:
    """Return the chance that a hand contains at most `most` of the deck's `count` wanted cards.

    0 if `most` is negative. `deck` and `hand` are numbers of cards. Raises the errors of `exactly`.
    """
    return sum((exactly(found_copies, count, deck, hand) for found_copies in range(min(most, hand) + 1)), Fraction(0))


def chance(pool: Counts, draw_count: int, wish: Wish) -> Fraction:
    """Return the chance that `draw_count` cards of a pool fulfil a wish. Raises ValueError if the pool is too small.

    A pool has the number of cards of each group. `wish` gets the number of drawn cards of each group.
    """
    if not 0 <= draw_count <= sum(pool):
        raise ValueError(f"{draw_count} cards cannot be drawn from {sum(pool)}")
    wished = sum(hands for counts, hands in possible_draws(pool, draw_count) if wish(counts))
    return Fraction(wished, comb(sum(pool), draw_count))


def possible_draws(pool: Counts, draw_count: int) -> Iterator[tuple[Counts, int]]:
    """Yield `(counts, hands)` for each possible draw of `draw_count` cards from a pool, nothing if the pool has fewer.

    `counts` are the drawn cards of each group of the pool. `hands` is the number of different hands with these counts.
    """
    if len(pool) < 2:
        if not pool or draw_count <= pool[0]:
            yield (draw_count,) * len(pool), comb(sum(pool), draw_count)
        return
    first, *others = pool
    rest = sum(others)
    for copies in range(max(0, draw_count - rest), min(first, draw_count) + 1):
        hands = comb(first, copies)
        for more, ways in possible_draws(tuple(others), draw_count - copies):
            yield (copies, *more), hands * ways


@dataclass(frozen=True)
class FirstHand:
    """A first hand of `hand` cards, and the right to redraw it `redraws` times.

    If `whole`, a redraw replaces all of its cards. `may_redraw` is given the cards of each group in a hand, and a hand
    for which it returns False is kept. If not `whole`, the player replaces any cards, at most once, and `may_redraw` is
    ignored.
    """

    hand: int
    redraws: int = 0
    whole: bool = True
    may_redraw: Wish = lambda counts: True

    def chance(self, pool: Counts, wish: Wish, later_draws: int = 0, merged_groups: Counts | None = None) -> Fraction:
        """Return the chance to fulfil a wish after `later_draws` further draws, with the best use of the redraw.

        The last group of the pool are the cards without a wish. More cards of the other groups are never worse. The
        wish may have fewer groups than `may_redraw`: `merged_groups` is the wish's group of each group of the pool,
        None for the same groups. Raises ValueError if the pool has too few cards.
        """
        if (needed := self.hand + later_draws) > sum(pool):
            raise ValueError(f"{needed} cards cannot be drawn from {sum(pool)}")
        merged_groups = merged_groups or tuple(range(len(pool)))
        wished = _merge_groups(pool, merged_groups)
        cached_wish = lru_cache(MOST_CHANCES)(wish)
        chance_keeping = lru_cache(MOST_CHANCES)(partial(self._chance_keeping, wished, cached_wish, later_draws))
        if not self.whole and self.redraws:
            # A kept card without a wish costs a draw and has no use.
            best_of = lru_cache(MOST_CHANCES)(lambda counts: max(map(chance_keeping, _possible_keeps(counts))))
            return _average_worth(
                pool, self.hand, lambda counts: best_of((*_merge_groups(counts, merged_groups)[:-1], 0))
            )
        best = chance_keeping((0,) * len(wished))
        for _ in range(self.redraws):
            best = _average_worth(pool, self.hand, partial(self._chance_redrawing, chance_keeping, merged_groups, best))
        return best

    def _chance_keeping(self, pool: Counts, wish: Wish, later_draws: int, kept_counts: Counts) -> Fraction:
        """Return the chance of a wish if these cards of a hand are kept.

        The rest of the hand and all later cards are drawn. `kept_counts` are the kept cards of each group, which `pool`
        includes. Kept and drawn cards count for the wish.
        """
        left = tuple(map(sub, pool, kept_counts))
        return chance(
            left,
            self.hand + later_draws - sum(kept_counts),
            lambda drawn_counts: wish(tuple(map(add, kept_counts, drawn_counts))),
        )

    def _chance_redrawing(
        self, chance_keeping: Callable[[Counts], Fraction], merged_groups: Counts, redrawn: Fraction, hand: Counts
    ) -> Fraction:
        """Return the chance with a hand that may be kept or redrawn completely, by the better choice.

        `chance_keeping` returns the chance if a hand of merged groups is kept. `redrawn` is the chance after a redraw,
        which counts only if `may_redraw` allows one.
        """
        kept = chance_keeping(_merge_groups(hand, merged_groups))
        return max(kept, redrawn) if self.may_redraw(hand) else kept


def _average_worth(pool: Counts, hand: int, worth: Callable[[Counts], Fraction]) -> Fraction:
    """Return the average of `worth` over all hands of `hand` cards from a pool.

    `worth` gets the cards of each group.
    """
    total = sum(hands * worth(counts) for counts, hands in possible_draws(pool, hand))
    return Fraction(total) / comb(sum(pool), hand)


def _merge_groups(counts: Counts, merged_groups: Counts) -> Counts:
    """Return counts with groups added up: `merged_groups` has the new index of each group.

    (4, 3, 2) merged by (0, 0, 1) is (7, 2).
    """
    found = [0] * (max(merged_groups) + 1)
    for count, group in zip(counts, merged_groups, strict=True):
        found[group] += count
    return tuple(found)


def _possible_keeps(hand: Counts) -> Iterator[Counts]:
    """Yield each choice of cards to keep of a hand, as cards of each group, from none to all."""
    return product(*(range(count + 1) for count in hand))
