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


def exactly(held: int, wanted: int, deck: int, hand: int) -> Fraction:
    """Return the chance that a hand from a deck contains exactly `held` of the `wanted` cards."""
    return Fraction(comb(wanted, held) * comb(deck - wanted, hand - held), comb(deck, hand))


def at_most(most: int, wanted: int, deck: int, hand: int) -> Fraction:
    """Return the chance that a hand from a deck contains at most `most` of the `wanted` cards."""
    return sum((exactly(held, wanted, deck, hand) for held in range(min(most, hand) + 1)), Fraction(0))


def chance(pool: Counts, drawn: int, wish: Wish) -> Fraction:
    """Return the chance that `drawn` cards of a pool fulfil a wish. Raises ValueError if the pool is too small."""
    if not 0 <= drawn <= sum(pool):
        raise ValueError(f"{drawn} cards cannot be drawn from {sum(pool)}")
    wished = sum(hands for held, hands in draws(pool, drawn) if wish(held))
    return Fraction(wished, comb(sum(pool), drawn))


def draws(pool: Counts, drawn: int) -> Iterator[tuple[Counts, int]]:
    """Yield each possible draw of `drawn` cards from a pool, with the number of hands that are this draw."""
    if len(pool) < 2:
        if not pool or drawn <= pool[0]:
            yield (drawn,) * len(pool), comb(sum(pool), drawn)
        return
    first, *others = pool
    rest = sum(others)
    for held in range(max(0, drawn - rest), min(first, drawn) + 1):
        hands = comb(first, held)
        for more, ways in draws(tuple(others), drawn - held):
            yield (held, *more), hands * ways


@dataclass(frozen=True)
class FirstHand:
    """A first hand of `hand` cards, and the right to redraw it `redraws` times.

    If `whole`, all of its cards are replaced. Otherwise the player replaces any of them, at most once. A hand for which
    `may_redraw` returns False is kept.
    """

    hand: int
    redraws: int = 0
    whole: bool = True
    may_redraw: Wish = lambda held: True

    def chance(self, pool: Counts, wish: Wish, later: int = 0, within: Counts | None = None) -> Fraction:
        """Return the chance to fulfil a wish after `later` further draws, with the best use of the redraw.

        The last group of the pool are the cards without a wish. More cards of the other groups are never worse. The
        wish may have fewer groups than `may_redraw`: `within` is the wish's group of each group of the pool. Raises
        ValueError if the pool has too few cards.
        """
        within = within or tuple(range(len(pool)))
        wished = _merge_groups(pool, within)
        after = lru_cache(MOST_CHANCES)(partial(self._chance_keeping, wished, lru_cache(MOST_CHANCES)(wish), later))
        if not self.whole and self.redraws:
            # A kept card without a wish costs a draw and has no use.
            best_of = lru_cache(MOST_CHANCES)(lambda held: max(map(after, _possible_keeps(held))))
            return _average_worth(pool, self.hand, lambda held: best_of((*_merge_groups(held, within)[:-1], 0)))
        best = after((0,) * len(wished))
        for _ in range(self.redraws):
            best = _average_worth(pool, self.hand, partial(self._chance_redrawing, after, within, best))
        return best

    def _chance_keeping(self, pool: Counts, wish: Wish, later: int, kept: Counts) -> Fraction:
        """Return the chance if these cards are kept, and the rest of the hand and all later cards are drawn."""
        left = tuple(map(sub, pool, kept))
        return chance(left, self.hand + later - sum(kept), lambda held: wish(tuple(map(add, kept, held))))

    def _chance_redrawing(
        self, after: Callable[[Counts], Fraction], within: Counts, redrawn: Fraction, held: Counts
    ) -> Fraction:
        """Return the chance with a hand that may be kept or redrawn completely."""
        kept = after(_merge_groups(held, within))
        return max(kept, redrawn) if self.may_redraw(held) else kept


def _average_worth(pool: Counts, hand: int, worth: Callable[[Counts], Fraction]) -> Fraction:
    """Return the average worth of the hands of a pool."""
    total = sum(hands * worth(held) for held, hands in draws(pool, hand))
    return Fraction(total) / comb(sum(pool), hand)


def _merge_groups(counts: Counts, within: Counts) -> Counts:
    """Return a pool with its groups merged as `within` has them."""
    found = [0] * (max(within) + 1)
    for count, group in zip(counts, within, strict=True):
        found[group] += count
    return tuple(found)


def _possible_keeps(held: Counts) -> Iterator[Counts]:
    """Yield all parts of a hand that can be kept."""
    return product(*(range(count + 1) for count in held))
