"""Conditions before or after a statement: on the Leader, which is known during construction, or on play."""

from __future__ import annotations

from collections.abc import Sequence

from validator.clauses.combining import Match, combine_all, negate_match
from validator.clauses.phrases import Phrases
from validator.clauses.tokens import Cursor, Token, parse_runs

OPENING = parse_runs(
    "if|while|as long as|when|whenever|unless|during|at|after|before|until|once|for each|provided that"
)
_ON_LEADER = ("if", "while", "as long as", "when", "whenever", "unless", "provided that")
_LEADER = parse_runs("your/the leader [card]|your chosen leader")
_LEADERS = parse_runs("your leader's|your leader card's")
_NAMED = parse_runs("back/front [side] is|[card] name is|back side's card name is")
_IS_NOT = parse_runs("isn't|is not")
_HAS_NOT = parse_runs("doesn't have|does not have")


class Conditions:
    """Parser of the conditions on a Leader in one game's wording."""

    def __init__(self, phrases: Phrases) -> None:
        self.phrases = phrases

    def parse_leader_condition(self, words: Sequence[Token]) -> Match | None:
        """Return the match for the Leader if these words are only a condition on the Leader. Else None."""
        cursor = Cursor(words)
        match = self.read(cursor)
        cursor.take(",")
        return match if cursor.is_done else None

    def read(self, cursor: Cursor) -> Match | None:
        """Read a condition on the Leader ("if your Leader is …") and return the match for the Leader.

        None if there is none.
        """
        return cursor.try_read(self._read_condition)

    def _read_condition(self, cursor: Cursor) -> Match | None:
        """Read an opening word and all parts of a condition on the Leader."""
        opening = cursor.take_phrase(OPENING)
        match = self._read_leader(cursor) if opening in _ON_LEADER else None
        while match and (further := cursor.try_read(self._read_further)):
            match = combine_all([match, further])
        return negate_match(match) if opening == "unless" else match

    def _read_further(self, cursor: Cursor) -> Match | None:
        """Read a further part of a condition: "and your Leader …" or "and has …"."""
        if not cursor.take("and"):
            return None
        return self._read_leader(cursor) or self._read_quality(cursor)

    def _read_leader(self, cursor: Cursor) -> Match | None:
        """Read "your Leader is …", "your Leader's back side is {X}", "your Leader's character name includes <Y>"."""
        if not cursor.take_phrase(_LEADERS):
            return self._read_quality(cursor) if cursor.take_phrase(_LEADER) else None
        return self.phrases.read_description(cursor) if cursor.take_phrase(_NAMED) else self.phrases.read_parts(cursor)

    def _read_quality(self, cursor: Cursor) -> Match | None:
        """Read the words after "your Leader": "is red", "has the {X} type", "isn't a <Y> card"."""
        if cursor.take_phrase(_IS_NOT):
            return negate_match(self.phrases.read_description(cursor))
        if cursor.take_phrase(_HAS_NOT):
            return negate_match(self.phrases.read_possession(cursor))
        if cursor.take("has"):
            return self.phrases.read_possession(cursor)
        return self.phrases.read_description(cursor) if cursor.take("is") else None
