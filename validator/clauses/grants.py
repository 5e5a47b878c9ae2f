"""Sentences that add a name or a trait to cards ("This card gains 《X》 in all areas"), and conditions of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from validator.cards import Clause, Match
from validator.clauses.phrases import Phrases
from validator.clauses.tokens import Cursor, Token, combine_all, negate_match, parse_runs

_FIELDS = {
    "name": "names",
    "character": "characters",
    "trait": "traits",
    "color": "colors",
    "keyword": "keywords",
    "type": "types",
}
# Names, characters and traits from a [Permanent] skill count in secret areas and during deck construction
# by default (dbs 1.073 2-1-3, 2-5-5, 2-6-6; optcg 2-1-3, 2-4-4). Colours, keywords and types do not: they
# are in force only in the areas of the skill (dbs 4.00 9-1-3-1, 9-1-3-3).
_BY_DEFAULT = frozenset({"names", "characters", "traits"})

_THIS = parse_runs(
    "this card|this card's [card/character] name/names|this card's [special] trait/traits|"
    "this card's type/types/color/colors"
)
_GAINS = parse_runs("[also/additionally/will] gains/gain/has/have")
_IS = parse_runs(
    "is/are [also/always] [treated/considered/regarded] [as] [having]|can also be treated as|"
    "is [also] considered to be|[also] counts/count as|becomes|become"
)
_BARE = ("is", "are")  # without a place these only describe the card
_TREAT = parse_runs("[also] treat|also consider/count")
_SORT = parse_runs(
    "[the] [special] trait/traits|the [character/card] name/names|the color/colors/type/types|a|an|the|being|both"
)
_SORT_AFTER = parse_runs("color|colors|type|types|[special] trait/traits")
_AREAS = parse_runs(
    "all [of] [your/their] areas|all of its/their owner's areas|every/any/each area|any of your areas|all zones|"
    "all other areas|[all] secret areas"
)
_OWNERS = parse_runs("your|its/their/an owner's|the")
_AREA = parse_runs(
    "deck|decks|z-deck|hand|warp|play|trash|field|deck/battle/leader/unison/cost/stage/character area|"
    "drop/life/energy/combo/z-energy [area]"
)
_DECKS = {"deck", "decks", "deck area", "z-deck"}
_BEING = parse_runs("it's|it/this is|this card is|they are")
_OTHER_THAN = parse_runs("other than|except [for]|excluding|outside of")
# Words before the duration of an effect. Printed values have no duration.
_LASTING = ("for", "until", "during")


@dataclass(slots=True)
class Grant:
    """Names, traits or the like that a sentence adds to this card, or to the cards of `match`.

    `values` are the added texts by field of a clause, such as "traits". `match` is None for this card. `in_deck` is
    True if they are added in the deck too, and None if the sentence has no place. `lasting` is True for an effect with
    a duration.
    """

    values: dict[str, list[str]] = field(default_factory=dict)
    match: Match | None = None
    in_deck: bool | None = None
    lasting: bool = False

    def clauses(self) -> list[Clause]:
        """Return the clauses of the grant: `keyword` for each keyword of this card, and `alias` for the other values.

        Empty if it is in force only in play, or has a duration. Without a place it is in force in the deck only if it
        is about this card and all its values are names, characters or traits.
        """
        values: dict[str, Any] = {key: tuple(texts) for key, texts in self.values.items()}
        by_default = self.match is None and values.keys() <= _BY_DEFAULT
        if self.lasting or not (by_default if self.in_deck is None else self.in_deck):
            return []
        keywords = values.pop("keywords", ()) if self.match is None else ()
        gained = [Clause("keyword", keyword=keyword) for keyword in keywords]
        return [*gained, Clause("alias", match=self.match, **values)] if values else gained


class Grants:
    """Parser of the sentences that add something to cards, in one game's wording."""

    def __init__(self, phrases: Phrases) -> None:
        """Store the parser of the phrases in the game's wording."""
        self.phrases = phrases

    def read(self, cursor: Cursor, of_this_card: bool = False) -> Grant | None:
        """Read one gain, such as "this card gains 《X》 in all areas". None if there is none.

        With `of_this_card`, "and gains …" without a subject is read as about this card. If the result is None, the
        cursor does not move.
        """
        return cursor.try_read(self._read_treatment) or cursor.try_read(
            lambda cursor: self._read_gain(cursor, of_this_card)
        )

    def _read_gain(self, cursor: Cursor, of_this_card: bool) -> Grant | None:
        """Parse "this card gains …" or "《X》 cards are treated as …", with the places before or after.

        With `of_this_card` the subject may be missing. "is" and "are" by themselves need a place. None if there is no
        gain. The cursor may have moved then.
        """
        grant = Grant(in_deck=read_scope(cursor))
        cursor.take(",")
        if not (self._read_subject(cursor, grant) or of_this_card):
            return None
        _add_scope(cursor, grant)
        verb = cursor.take_phrase(_GAINS) or cursor.take_phrase(_IS)
        _add_scope(cursor, grant)
        if verb is None or (verb.endswith("treated") and not cursor.take("as")) or not self._read_values(cursor, grant):
            return None
        return grant if verb not in _BARE or grant.in_deck is not None else None

    def _read_treatment(self, cursor: Cursor) -> Grant | None:
        """Parse "also treat this card's name as [X]", "treat 《X》 cards in all areas as 《Y》 cards".

        None if there is no such sentence. The cursor may have moved then.
        """
        grant = Grant()
        if not (cursor.take_phrase(_TREAT) and self._read_subject(cursor, grant)):
            return None
        _add_scope(cursor, grant)
        return grant if cursor.take("as") and self._read_values(cursor, grant) else None

    def _read_values(self, cursor: Cursor, grant: Grant) -> bool:
        """Parse all added values, then the place and the beginning of a duration, into `grant`.

        Return False if there is no value. Skills among the values are ignored. The cursor may have moved then.
        """
        for test, texts in (pair for value in cursor.read_series(self._read_value) for pair in value.items()):
            grant.values.setdefault(_FIELDS[test], []).extend(texts)
        if not grant.values:
            return False
        _add_scope(cursor, grant)
        grant.lasting = cursor.take(*_LASTING) is not None
        return True

    def _read_subject(self, cursor: Cursor, grant: Grant) -> bool:
        """Parse the cards that gain something into `grant.match`, which is None for this card.

        Return False if there are none, or if they are cards of any kind.
        """
        if cursor.take_phrase(_THIS):
            return True
        grant.match = self.phrases.read_cards(cursor)
        return bool(grant.match)

    def _read_value(self, cursor: Cursor) -> Match | None:
        """Parse one added value: a colour, a card type or a bracketed text. {} is a skill, which is ignored.

        None if there is none, or for a part of a name or a trait. The cursor may have moved then.
        """
        cursor.take_phrase(_SORT)
        wording = self.phrases.wording
        if color := cursor.take(*wording.colors):
            value: Match | None = {"color": [wording.colors[color]]}
        elif noun := cursor.take(*wording.types):
            value = {"type": list(wording.types[noun])}
        else:
            value = self.phrases.read_bracket(cursor)
        if value is None and wording.brackets.get("square") == "keyword" and cursor.take_bracket("square"):
            return {}
        if value is None or not value.keys() <= _FIELDS.keys():
            return None
        cursor.take_phrase(_SORT_AFTER)
        cursor.take("card", "cards")
        return value


def read_scope(cursor: Cursor) -> bool | None:
    """Read the places of a gain, such as "in all areas". Return True if the deck is one of them, False if not.

    "in all areas other than your deck" is False. None, without moving the cursor, if no place is written.
    """
    return cursor.try_read(_read_scope)


def _add_scope(cursor: Cursor, grant: Grant) -> None:
    """Parse the places of a gain into `grant.in_deck`, which they replace. Nothing changes if there are none."""
    here = read_scope(cursor)
    if here is not None:
        grant.in_deck = here


def _read_scope(cursor: Cursor) -> bool | None:
    """Parse the places of a gain, as `read_scope` does. The cursor may have moved if the result is None."""
    cursor.take(",")
    cursor.take("while", "when", "whenever")
    cursor.take_phrase(_BEING)
    if not cursor.take("in"):
        return None
    if cursor.take_phrase(_AREAS) is None:
        areas = cursor.read_series(_read_area)
        return not _DECKS.isdisjoint(areas) if areas else None
    return not (cursor.take_phrase(_OTHER_THAN) and not _DECKS.isdisjoint(cursor.read_series(_read_area)))


def _read_area(cursor: Cursor) -> str | None:
    """Parse one area, such as "your deck" or "play", and return its name without "your". None if there is none.

    The cursor may have moved then.
    """
    cursor.take_phrase(_OWNERS)
    return cursor.take_phrase(_AREA)


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
        """Store the parser of the phrases in the game's wording."""
        self.phrases = phrases

    def parse_leader_condition(self, words: Sequence[Token]) -> Match | None:
        """Return the match for the Leader if these words are a condition on the Leader and nothing else. Else None.

        A comma at the end is allowed.
        """
        cursor = Cursor(words)
        match = self.read(cursor)
        cursor.take(",")
        return match if cursor.is_done else None

    def read(self, cursor: Cursor) -> Match | None:
        """Read a condition on the Leader ("if your Leader is …") and return the match for the Leader.

        None, without moving the cursor, if there is none.
        """
        return cursor.try_read(self._read_condition)

    def _read_condition(self, cursor: Cursor) -> Match | None:
        """Parse an opening word and all parts of a condition on the Leader. The match is negated after "unless".

        None if there is none. The cursor may have moved then.
        """
        opening = cursor.take_phrase(OPENING)
        match = self._read_leader(cursor) if opening in _ON_LEADER else None
        while match and (further := cursor.try_read(self._read_further)):
            match = combine_all([match, further])
        return negate_match(match) if opening == "unless" else match

    def _read_further(self, cursor: Cursor) -> Match | None:
        """Parse a further part of a condition: "and your Leader …" or "and has …". None if there is none.

        The cursor may have moved then.
        """
        if not cursor.take("and"):
            return None
        return self._read_leader(cursor) or self._read_quality(cursor)

    def _read_leader(self, cursor: Cursor) -> Match | None:
        """Parse "your Leader is …", "your Leader's back side is {X}", "your Leader's character name includes <Y>".

        None if there is none. The cursor may have moved then.
        """
        if not cursor.take_phrase(_LEADERS):
            return self._read_quality(cursor) if cursor.take_phrase(_LEADER) else None
        return self.phrases.read_description(cursor) if cursor.take_phrase(_NAMED) else self.phrases.read_parts(cursor)

    def _read_quality(self, cursor: Cursor) -> Match | None:
        """Parse the words after "your Leader": "is red", "has the {X} type", "isn't a <Y> card".

        None if there are none. The cursor may have moved then.
        """
        if cursor.take_phrase(_IS_NOT):
            return negate_match(self.phrases.read_description(cursor))
        if cursor.take_phrase(_HAS_NOT):
            return negate_match(self.phrases.read_possession(cursor))
        if cursor.take("has"):
            return self.phrases.read_possession(cursor)
        return self.phrases.read_description(cursor) if cursor.take("is") else None
