"""Mending: in how few changes each deck of a spreadsheet becomes legal, as far as there is time for all of them."""

from __future__ import annotations

from time import process_time

from validator.account import is_unjudgeable
from validator.judge import Verdict
from validator.repair import fewest

NO_REPAIR = "no way"


class Mending:
    """The fewest changes of each deck: looked for when asked, once for equal decks, and no more after so much work.

    That takes as long as some ten judgements do.
    """

    def __init__(self, most: int = 100, seconds: float = 5.0) -> None:
        self._left, self._seconds = most, seconds
        self._found: dict[tuple[str, int], int | str] = {}
        self._beyond: set[tuple[str, int]] = set()

    @property
    def left_out(self) -> int:
        """How many different decks nothing was looked for of, of those that were asked."""
        return len(self._beyond)

    def changes(self, of: Verdict) -> int | str | None:
        """Return the fewest changes of an illegal deck, in words where they are not proved; None where it was left out.

        What cannot be judged, for most of its cards are not known, has none to look for.
        """
        if is_unjudgeable(of):
            return None
        deck = of.deck_hash, sum(line.may_be_card for line in of.facts.deck.unread)
        if deck not in self._found:
            if self._left <= 0 or self._seconds <= 0:
                self._beyond.add(deck)
                return None
            self._found[deck] = self._looked_for(of)
        return self._found[deck]

    def _looked_for(self, of: Verdict) -> int | str:
        begun = process_time()
        answer = fewest(of)
        self._left -= 1
        self._seconds -= process_time() - begun
        if answer.changes is None:
            return NO_REPAIR
        return answer.changes if answer.minimal else f"≤ {answer.changes:,}"
