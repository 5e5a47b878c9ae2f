"""Conditions before or after a statement: on the Leader, which is known at construction, or on play."""

from __future__ import annotations

from collections.abc import Sequence

from validator.clauses.combining import Match
from validator.clauses.combining import both
from validator.clauses.combining import either
from validator.clauses.combining import negated
from validator.clauses.phrases import Phrases
from validator.clauses.phrases import tried
from validator.clauses.tokens import Cursor
from validator.clauses.tokens import Token
from validator.clauses.tokens import runs

OPENING = runs("if|while|as long as|when|whenever|unless|during|at|after|before|until|once|for each|provided that")
_LEADER = runs("your leader card|your leader|the leader|the leader card|your chosen leader")
_LEADERS = runs("your leader's|your leader card's")
_BACK_NAMED = runs("back side is|back is|card name is|name is|front side is|back side's card name is")
_IS_NOT = runs("isn't|is not")
_HAS_NOT = runs("doesn't have|does not have")
_CHARACTER_PART = runs("character name includes|character name contains")
_NAME_PART = runs("card name includes|name includes|card name contains")
_TRAIT_PART = runs("special trait includes|special traits include|type includes|types include|traits include")


class Conditions:
    """The conditions on a Leader in one game's vocabulary."""

    def __init__(self, phrases: Phrases) -> None:
        self.phrases = phrases

    def on_leader(self, words: Sequence[Token]) -> Match | None:
        """Return what the Leader must be, if these words ("if your Leader is …") say that and no more."""
        at = Cursor(words)
        found = self.read(at)
        at.take(",")
        return found if at.done else None

    def read(self, at: Cursor) -> Match | None:
        """Read a condition on the Leader alone; return what it must be."""
        return tried(at, self._condition)

    def _condition(self, at: Cursor) -> Match | None:
        opening = at.phrase(OPENING)
        if opening not in ("if", "while", "as long as", "when", "whenever", "unless", "provided that"):
            return None
        found = self._leader(at)
        while found and (more := tried(at, self._more)):
            found = both([found, more])
        return negated(found) if found and opening == "unless" else found

    def _more(self, at: Cursor) -> Match | None:
        if not at.take("and"):
            return None
        return self._leader(at) or self._said(at)

    def _leader(self, at: Cursor) -> Match | None:
        if at.phrase(_LEADERS):
            return self._part(at)
        return self._said(at) if at.phrase(_LEADER) else None

    def _said(self, at: Cursor) -> Match | None:
        """Read what follows "your Leader": "is red", "has the {X} type", "isn't a <Y> card"."""
        if at.phrase(_IS_NOT):
            found = self.phrases.described(at)
            return negated(found) if found else None
        if at.phrase(_HAS_NOT):
            found = self.phrases.had(at)
            return negated(found) if found else None
        if at.take("has"):
            return self.phrases.had(at)
        return self.phrases.described(at) if at.take("is") else None

    def _part(self, at: Cursor) -> Match | None:
        """Read what follows "your Leader's": "back side is {X}", "character name includes <Y>"."""
        if at.phrase(_BACK_NAMED):
            return self.phrases.described(at)
        for test, phrases in (
            ("character_part", _CHARACTER_PART),
            ("name_part", _NAME_PART),
            ("trait_part", _TRAIT_PART),
        ):
            if at.phrase(phrases):
                return self._parts(at, test)
        return None

    def _parts(self, at: Cursor, test: str) -> Match | None:
        found = self.phrases.described(at)
        # Each of the alternatives is a list of one kind; here it names parts instead of wholes.
        if not found or len(found) != 1 or not isinstance(next(iter(found.values())), list):
            return None
        return either([{test: value} for value in found.values()])
