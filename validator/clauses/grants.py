"""Sentences that add something to cards wherever they are, and the conditions that sentences have.

A grant is "This card gains 《X》 in all areas". A condition is about the Leader, who is known when a deck is built, or
about the game being played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from validator.cards import Clause
from validator.clauses.phrases import Phrases
from validator.clauses.tokens import Cursor, Match, Token, both, negated, runs

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


_FIELDS = {
    "name": "names",
    "character": "characters",
    "trait": "traits",
    "color": "colors",
    "keyword": "keywords",
    "type": "types",
}
# What a [Permanent] skill adds to a card's text counts in secret areas and during deck construction
# without saying so (dbs 1.073 2-1-3, 2-5-5, 2-6-6; optcg 2-1-3, 2-4-4). Colours, keywords and types are
# not on that list: like any skill's, those hold where the skill does (dbs 4.00 9-1-3-1, 9-1-3-3).
_BY_DEFAULT = frozenset({"names", "characters", "traits"})

_THIS = runs(
    "this card|this card's [card/character] name/names|this card's [special] trait/traits|"
    "this card's type/types/color/colors"
)
_GAINS = runs("[also/additionally/will] gains/gain/has/have")
_IS = runs(
    "is/are [also/always] [treated/considered/regarded] [as] [having]|can also be treated as|"
    "is [also] considered to be|[also] counts/count as|becomes|become"
)
_BARE = ("is", "are")  # these say of a card what it is anyway, unless they say where
_TREAT = runs("[also] treat|also consider/count")
_SORT = runs(
    "[the] [special] trait/traits|the [character/card] name/names|the color/colors/type/types|a|an|the|being|both"
)
_SORT_AFTER = runs("color|colors|type|types|[special] trait/traits")
_AREAS = runs(
    "all [of] [your/their] areas|all of its/their owner's areas|every/any/each area|any of your areas|all zones|"
    "all other areas|[all] secret areas"
)
_OWNERS = runs("your|its/their/an owner's|the")
_AREA = runs(
    "deck|decks|z-deck|hand|warp|play|trash|field|deck/battle/leader/unison/cost/stage/character area|"
    "drop/life/energy/combo/z-energy [area]"
)
_DECKS = {"deck", "decks", "deck area", "z-deck"}
_BEING = runs("it's|it/this is|this card is|they are")
_OTHER_THAN = runs("other than|except [for]|excluding|outside of")
# How long the effect of a skill lasts that is used; what is printed lasts for ever.
_LASTING = ("for", "until", "during")


@dataclass(slots=True)
class Grant:
    """What is added, to this card or those matched, and whether it holds in the deck (None: unsaid)."""

    values: dict[str, list[str]] = field(default_factory=dict)
    match: Match | None = None
    in_deck: bool | None = None
    lasting: bool = False

    def clauses(self) -> list[Clause]:
        """Return the clauses for it: none for what holds in play alone."""
        values: dict[str, Any] = {key: tuple(texts) for key, texts in self.values.items()}
        by_default = self.match is None and values.keys() <= _BY_DEFAULT
        if self.lasting or not (by_default if self.in_deck is None else self.in_deck):
            return []
        keywords = values.pop("keywords", ()) if self.match is None else ()
        gained = [Clause("keyword", keyword=keyword) for keyword in keywords]
        return [*gained, Clause("alias", match=self.match, **values)] if values else gained


class Grants:
    """The sentences on what cards gain, in one game's wording."""

    def __init__(self, phrases: Phrases) -> None:
        self.phrases = phrases

    def read(self, at: Cursor, of_this_card: bool = False) -> Grant | None:
        """Read one gain; `of_this_card` lets "and gains …" go on about this card."""
        return at.tried(self._treating) or at.tried(lambda at: self._gaining(at, of_this_card))

    def _gaining(self, at: Cursor, of_this_card: bool) -> Grant | None:
        grant = Grant(in_deck=scope(at))
        at.take(",")
        if not (self._subject(at, grant) or of_this_card):
            return None
        _scoped(at, grant)
        verb = at.phrase(_GAINS) or at.phrase(_IS)
        _scoped(at, grant)
        if verb is None or (verb.endswith("treated") and not at.take("as")) or not self._given(at, grant):
            return None
        return grant if verb not in _BARE or grant.in_deck is not None else None

    def _treating(self, at: Cursor) -> Grant | None:
        """Read "also treat this card's name as [X]", "treat 《X》 cards in all areas as 《Y》 cards"."""
        grant = Grant()
        if not (at.phrase(_TREAT) and self._subject(at, grant)):
            return None
        _scoped(at, grant)
        return grant if at.take("as") and self._given(at, grant) else None

    def _given(self, at: Cursor, grant: Grant) -> bool:
        """Read all that is added, of any kind; a skill among it is let pass."""
        for test, texts in (pair for value in at.series(self._value) for pair in value.items()):
            grant.values.setdefault(_FIELDS[test], []).extend(texts)
        if not grant.values:
            return False
        _scoped(at, grant)
        grant.lasting = at.take(*_LASTING) is not None
        return True

    def _subject(self, at: Cursor, grant: Grant) -> bool:
        if at.phrase(_THIS):
            return True
        grant.match = self.phrases.objects(at)
        return bool(grant.match)

    def _value(self, at: Cursor) -> Match | None:
        at.phrase(_SORT)
        wording = self.phrases.wording
        if color := at.take(*wording.colors):
            value: Match | None = {"color": [wording.colors[color]]}
        elif noun := at.take(*wording.types):
            value = {"type": list(wording.types[noun])}
        else:
            value = self.phrases.bracketed(at)
        if value is None and wording.brackets.get("square") == "keyword" and at.bracket("square"):
            return {}
        if value is None or not value.keys() <= _FIELDS.keys():
            return None
        at.phrase(_SORT_AFTER)
        at.take("card", "cards")
        return value


def scope(at: Cursor) -> bool | None:
    """Take where something holds; tell whether the deck is among it, None if nothing is said."""
    return at.tried(_scope)


def _scoped(at: Cursor, grant: Grant) -> None:
    here = scope(at)
    if here is not None:
        grant.in_deck = here


def _scope(at: Cursor) -> bool | None:
    at.take(",")
    at.take("while", "when", "whenever")
    at.phrase(_BEING)
    if not at.take("in"):
        return None
    if at.phrase(_AREAS) is None:
        areas = at.series(_area)
        return not _DECKS.isdisjoint(areas) if areas else None
    return not (at.phrase(_OTHER_THAN) and not _DECKS.isdisjoint(at.series(_area)))


def _area(at: Cursor) -> str | None:
    at.phrase(_OWNERS)
    return at.phrase(_AREA)
