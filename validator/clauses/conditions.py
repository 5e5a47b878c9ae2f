"""Conditions before or after a statement: on the Leader, which is known at construction, or on play."""

from __future__ import annotations

from collections.abc import Sequence

from validator.clauses.combining import Match, both, negated
from validator.clauses.phrases import Phrases
from validator.clauses.tokens import Cursor, Token, runs

OPENING = runs("if|while|as long as|when|whenever|unless|during|at|after|before|until|once|for each|provided that")
_ON_LEADER = ("if", "while", "as long as", "when", "whenever", "unless", "provided that")
_LEADER = runs("your/the leader [card]|your chosen leader")
_LEADERS = runs("your leader's|your leader card's")
_NAMED = runs("back/front [side] is|[card] name is|back side's card name is")
_IS_NOT = runs("isn't|is not")
_HAS_NOT = runs("doesn't have|does not have")


class Conditions:
    """The conditions on a Leader in one game's wording."""

    def __init__(self, phrases: Phrases) -> None:
        self.phrases = phrases

    def on_leader(self, words: Sequence[Token]) -> Match | None:
        """Return what the Leader must be, if these words ("if your Leader is …") say that and no more."""
        at = Cursor(words)
        match = self.read(at)
        at.take(",")
        return match if at.done else None

    def read(self, at: Cursor) -> Match | None:
        """Read a condition on the Leader alone; return what it must be."""
        return at.tried(self._condition)

    def _condition(self, at: Cursor) -> Match | None:
        opening = at.phrase(OPENING)
        match = self._leader(at) if opening in _ON_LEADER else None
        while match and (further := at.tried(self._further)):
            match = both([match, further])
        return negated(match) if opening == "unless" else match

    def _further(self, at: Cursor) -> Match | None:
        if not at.take("and"):
            return None
        return self._leader(at) or self._quality(at)

    def _leader(self, at: Cursor) -> Match | None:
        """Read "your Leader is …", "your Leader's back side is {X}", "your Leader's character name includes <Y>"."""
        if not at.phrase(_LEADERS):
            return self._quality(at) if at.phrase(_LEADER) else None
        return self.phrases.described(at) if at.phrase(_NAMED) else self.phrases.including(at)

    def _quality(self, at: Cursor) -> Match | None:
        """Read what follows "your Leader": "is red", "has the {X} type", "isn't a <Y> card"."""
        if at.phrase(_IS_NOT):
            return negated(self.phrases.described(at))
        if at.phrase(_HAS_NOT):
            return negated(self.phrases.had(at))
        if at.take("has"):
            return self.phrases.had(at)
        return self.phrases.described(at) if at.take("is") else None
