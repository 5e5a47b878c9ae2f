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
    """Return the chance that a hand from a deck contains exactly `copies` of the `count` cards."""
    return Fraction(comb(count, copies) * comb(deck - count, hand - copies), comb(deck, hand))


def at_most(most: int, count: int, deck: int, hand: int) -> Fraction:
    """Return the chance that a hand from a deck contains at most `most` of the `count` cards."""
    return sum((exactly(found_copies, count, deck, hand) for found_copies in range(min(most, hand) + 1)), Fraction(0))


def chance(pool: Counts, draw_count: int, wish: Wish) -> Fraction:
    """Return the chance that `draw_count` cards of a pool fulfil a wish. Raises ValueError if the pool is too small."""
    if not 0 <= draw_count <= sum(pool):
        raise ValueError(f"{draw_count} cards cannot be drawn from {sum(pool)}")
    wished = sum(hands for counts, hands in draws(pool, draw_count) if wish(counts))
    return Fraction(wished, comb(sum(pool), draw_count))


def draws(pool: Counts, draw_count: int) -> Iterator[tuple[Counts, int]]:
    """Yield each possible draw of `draw_count` cards from a pool, with the number of hands that are this draw."""
    if len(pool) < 2:
        if not pool or draw_count <= pool[0]:
            yield (draw_count,) * len(pool), comb(sum(pool), draw_count)
        return
    first, *others = pool
    rest = sum(others)
    for copies in range(max(0, draw_count - rest), min(first, draw_count) + 1):
        hands = comb(first, copies)
        for more, ways in draws(tuple(others), draw_count - copies):
            yield (copies, *more), hands * ways


@dataclass(frozen=True)
class FirstHand:
    """A first hand of `hand` cards, and the right to redraw it `redraws` times.

    If `whole`, all of its cards are replaced. Otherwise the player replaces any of them, at most once. A hand for which
    `may_redraw` returns False is kept.
    """

    hand: int
    redraws: int = 0
    whole: bool = True
    may_redraw: Wish = lambda counts: True

    def chance(self, pool: Counts, wish: Wish, later: int = 0, limits: Counts | None = None) -> Fraction:
        """Return the chance to fulfil a wish after `later` further draws, with the best use of the redraw.

        The last group of the pool are the cards without a wish. More cards of the other groups are never worse. The
        wish may have fewer groups than `may_redraw`: `limits` is the wish's group of each group of the pool. Raises
        ValueError if the pool has too few cards.
        """
        limits = limits or tuple(range(len(pool)))
        wished = _merge_groups(pool, limits)
        after = lru_cache(MOST_CHANCES)(partial(self._chance_keeping, wished, lru_cache(MOST_CHANCES)(wish), later))
        if not self.whole and self.redraws:
            # A kept card without a wish costs a draw and has no use.
            best_of = lru_cache(MOST_CHANCES)(lambda counts: max(map(after, _possible_keeps(counts))))
            return _average_worth(pool, self.hand, lambda counts: best_of((*_merge_groups(counts, limits)[:-1], 0)))
        best = after((0,) * len(wished))
        for _ in range(self.redraws):
            best = _average_worth(pool, self.hand, partial(self._chance_redrawing, after, limits, best))
        return best

    def _chance_keeping(self, pool: Counts, wish: Wish, later: int, counts: Counts) -> Fraction:
        """Return the chance if these cards are kept, and the rest of the hand and all later cards are drawn."""
        left = tuple(map(sub, pool, counts))
        return chance(
            left, self.hand + later - sum(counts), lambda drawn_counts: wish(tuple(map(add, counts, drawn_counts)))
        )

    def _chance_redrawing(
        self, after: Callable[[Counts], Fraction], limits: Counts, redrawn: Fraction, hand: Counts
    ) -> Fraction:
        """Return the chance with a hand that may be kept or redrawn completely."""
        kept = after(_merge_groups(hand, limits))
        return max(kept, redrawn) if self.may_redraw(hand) else kept


def _average_worth(pool: Counts, hand: int, worth: Callable[[Counts], Fraction]) -> Fraction:
    """Return the average worth of the hands of a pool."""
    total = sum(hands * worth(counts) for counts, hands in draws(pool, hand))
    return Fraction(total) / comb(sum(pool), hand)


def _merge_groups(counts: Counts, limits: Counts) -> Counts:
    """Return a pool with its groups merged as `limits` has them."""
    found = [0] * (max(limits) + 1)
    for count, group in zip(counts, limits, strict=True):
        found[group] += count
    return tuple(found)


def _possible_keeps(hand: Counts) -> Iterator[Counts]:
    """Yield the numbers of cards of each group that can be kept of a hand, from none to all."""
    return product(*(range(count + 1) for count in hand))
