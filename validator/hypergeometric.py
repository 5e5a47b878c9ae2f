"""Draws without putting back, counted exactly: how many hands there are, and how many of them hold what is wished.

A pool is a tuple of how many cards of each group it holds; each card is in one group. So are what is drawn of
it and what is kept of that.
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
    """Return the chance that a hand holds just so many of the `wanted` cards among the cards of a `deck`."""
    return Fraction(comb(wanted, held) * comb(deck - wanted, hand - held), comb(deck, hand))


def at_most(most: int, wanted: int, deck: int, hand: int) -> Fraction:
    """Return the chance that a hand holds at most so many of the `wanted` cards among the cards of a `deck`."""
    return sum((exactly(held, wanted, deck, hand) for held in range(min(most, hand) + 1)), Fraction(0))


def chance(pool: Counts, drawn: int, wish: Wish) -> Fraction:
    """Return the chance that so many cards drawn from a pool are as wished; a ValueError if it has not so many."""
    if not 0 <= drawn <= sum(pool):
        raise ValueError(f"{drawn} cards cannot be drawn from {sum(pool)}")
    wished = sum(hands for held, hands in draws(pool, drawn) if wish(held))
    return Fraction(wished, comb(sum(pool), drawn))


def draws(pool: Counts, drawn: int) -> Iterator[tuple[Counts, int]]:
    """Yield what so many cards drawn from a pool may be, each with the number of hands that it is."""
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

    `whole`: all of its cards go back and as many are drawn; else any of them, as the player likes, and once at
    most. A hand that `may_redraw` says False of is kept.
    """

    hand: int
    redraws: int = 0
    whole: bool = True
    may_redraw: Wish = lambda held: True

    def chance(self, pool: Counts, wish: Wish, later: int = 0, within: Counts | None = None) -> Fraction:
        """Return the chance to have what is wished after so many draws later on, the redraw used as well as can be.

        The cards of the last group are those that nobody wishes for, and more of any others are never worse. The
        wish may be of fewer groups than `may_redraw` is: `within` says which of them each group of the pool is a
        part of. A ValueError says that the pool has too few cards.
        """
        within = within or tuple(range(len(pool)))
        wished = _merged(pool, within)
        after = lru_cache(MOST_CHANCES)(partial(self._after, wished, lru_cache(MOST_CHANCES)(wish), later))
        if not self.whole and self.redraws:
            # Whoever keeps a card that nobody wishes for has one draw fewer, and gains nothing.
            best_of = lru_cache(MOST_CHANCES)(lambda held: max(map(after, _kept(held))))
            return _mean(pool, self.hand, lambda held: best_of((*_merged(held, within)[:-1], 0)))
        best = after((0,) * len(wished))
        for _ in range(self.redraws):
            best = _mean(pool, self.hand, partial(self._better, after, within, best))
        return best

    def _after(self, pool: Counts, wish: Wish, later: int, kept: Counts) -> Fraction:
        """Return the chance where these cards are kept, and the rest of the hand and all later cards are drawn."""
        left = tuple(map(sub, pool, kept))
        return chance(left, self.hand + later - sum(kept), lambda held: wish(tuple(map(add, kept, held))))

    def _better(self, after: Callable[[Counts], Fraction], within: Counts, redrawn: Fraction, held: Counts) -> Fraction:
        """Return what a hand is worth to somebody who may redraw all of it."""
        kept = after(_merged(held, within))
        return max(kept, redrawn) if self.may_redraw(held) else kept


def _mean(pool: Counts, hand: int, worth: Callable[[Counts], Fraction]) -> Fraction:
    """Return what the hands of a pool are worth on the average."""
    total = sum(hands * worth(held) for held, hands in draws(pool, hand))
    return Fraction(total) / comb(sum(pool), hand)


def _merged(counts: Counts, within: Counts) -> Counts:
    """Return the same cards in fewer groups."""
    found = [0] * (max(within) + 1)
    for count, group in zip(counts, within, strict=True):
        found[group] += count
    return tuple(found)


def _kept(held: Counts) -> Iterator[Counts]:
    """Yield whatever of a hand may be kept."""
    return product(*(range(count + 1) for count in held))
