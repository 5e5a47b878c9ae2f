"""Sent again: the cards of a player that are several decks, in rows apart of which each block has a Leader."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, pairwise

from api.workbooks.intake.roster import LEADER_BY_TYPE, GatheredDeck


def decks(deck: GatheredDeck) -> Sequence[GatheredDeck]:
    """Return the decks that the rows of a player are: one for each block, where each has one Leader, else one."""
    starts = _starts(deck)
    leaders = Counter(bisect(starts, line.at or 0) for line in deck.lines["leader"] + deck.lines[LEADER_BY_TYPE])
    if len(starts) < 2 or len(leaders) < len(starts) or leaders.total() > len(starts):
        return [deck]
    parts = [GatheredDeck(replace(deck.entry, row=start)) for start in starts]
    for place, lines in deck.lines.items():
        for line in lines:
            parts[bisect(starts, line.at or 0) - 1].lines[place].append(line)
    for unread in deck.unread:
        parts[max(bisect(starts, unread.at) - 1, 0)].unread.append(unread)
    return parts


def _starts(deck: GatheredDeck) -> Sequence[int]:
    """Return the first row of each block of rows that follow one another."""
    rows = sorted({line.at or 0 for line in chain.from_iterable(deck.lines.values())})
    return [at for before, at in pairwise([-1, *rows]) if at > before + 1]
