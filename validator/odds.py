"""Exact chances of opening hands."""

from __future__ import annotations

from math import comb


def at_most(most: int, wanted: int, deck: int, hand: int) -> float:
    """Return the chance that a hand drawn from a deck holds at most so many of the wanted cards.

    Hypergeometric: `wanted` of the `deck` cards count, `hand` cards are drawn without putting back.
    """
    ways = sum(comb(wanted, k) * comb(deck - wanted, hand - k) for k in range(min(most, hand) + 1))
    return ways / comb(deck, hand)
