"""Sentences that add something to cards wherever they are: "This card gains 《X》 in all areas"."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field
from typing import Any

from validator.cards import Clause
from validator.clauses.combining import Match
from validator.clauses.phrases import Phrases
from validator.clauses.phrases import tried
from validator.clauses.quantities import joined
from validator.clauses.tokens import Cursor
from validator.clauses.tokens import runs

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

_THIS = runs("this card")
_NAMED_THIS = runs(
    "this card's name|this card's names|this card's card name|this card's character name|this card's special trait|"
    "this card's special traits|this card's type|this card's types|this card's color|this card's colors"
)
_GAINS = runs("gains|gain|also gains|also gain|has|have|also has|also have|additionally gains|will gain")
_IS = runs(
    "is also treated as|are also treated as|is treated as|are treated as|is also considered|are also considered|"
    "is considered|are considered|is also considered to be|is considered to be|also counts as|counts as|count as|"
    "also count as|is also regarded as|is regarded as|is also|are also|is|are|is always|becomes|become|"
    "is also treated as having|are also treated as having|is treated as having|can also be treated as|"
    "is also treated|are also treated|is treated|are treated"
)
_TREAT = runs("also treat|treat|also consider|also count")
_SORT = runs(
    "the special trait|the special traits|special trait|special traits|the character name|the character names|"
    "the card name|the card names|the name|the names|the color|the colors|the type|the types|a|an|the|being|both"
)
_SORT_AFTER = runs("color|colors|type|types|special trait|special traits|trait|traits")
_AREAS = runs(
    "all areas|all of your areas|all your areas|all of its owner's areas|all of their owner's areas|every area|"
    "any area|any of your areas|each area|all zones|all other areas|secret areas|all secret areas"
)
_OWNERS = runs("your|its owner's|their owner's|an owner's|the")
_AREA = runs(
    "deck|decks|deck area|z-deck|drop|drop area|hand|warp|life|life area|battle area|leader area|energy|energy area|"
    "combo area|unison area|z-energy|z-energy area|play|trash|field|cost area|stage area|character area"
)
_DECKS = {"deck", "decks", "deck area", "z-deck"}
_BEING = runs("it's|it is|this card is|they are")
_OTHER_THAN = runs("other than|except|except for|excluding|outside of")
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
        told: dict[str, Any] = {key: tuple(values) for key, values in self.values.items()}
        by_default = self.match is None and told.keys() <= _BY_DEFAULT
        if self.lasting or not (by_default if self.in_deck is None else self.in_deck):
            return []
        if self.match is None:
            gained = [Clause("keyword", keyword=keyword) for keyword in told.pop("keywords", ())]
            return [*gained, *([Clause("alias", **told)] if told else [])]
        return [Clause("alias", match=self.match, **told)]


class Grants:
    """The sentences on what cards gain, in one game's vocabulary."""

    def __init__(self, phrases: Phrases) -> None:
        self.phrases = phrases

    def read(self, at: Cursor, of_this_card: bool = False) -> Grant | None:
        """Read one gain; `of_this_card` lets "and gains …" go on about this card."""
        return tried(at, self._treating) or tried(at, lambda at: self._gaining(at, of_this_card))

    def _gaining(self, at: Cursor, of_this_card: bool) -> Grant | None:
        found = Grant(in_deck=scope(at))
        if found.in_deck is not None:
            at.take(",")
        if not (self._subject(at, found) or of_this_card):
            return None
        self._scoped(at, found)
        verb = at.phrase(_GAINS) or at.phrase(_IS)
        if verb is None:
            return None
        self._scoped(at, found)
        if (verb.endswith("treated") and not at.take("as")) or not self._given(at, found):
            return None
        return found if verb not in ("is", "are") or found.in_deck is not None else None

    def _treating(self, at: Cursor) -> Grant | None:
        """Read "also treat this card's name as [X]", "treat 《X》 cards in all areas as 《Y》 cards"."""
        found = Grant()
        if not (at.phrase(_TREAT) and self._subject(at, found)):
            return None
        self._scoped(at, found)
        return found if at.take("as") and self._given(at, found) else None

    def _given(self, at: Cursor, found: Grant) -> bool:
        if not self._values(at, found):
            return False
        self._scoped(at, found)
        found.lasting = at.take(*_LASTING) is not None
        return True

    def _subject(self, at: Cursor, found: Grant) -> bool:
        if at.phrase(_NAMED_THIS) or at.phrase(_THIS):
            return True
        found.match = self.phrases.objects(at)
        return bool(found.match)

    def _scoped(self, at: Cursor, found: Grant) -> None:
        here = scope(at)
        if here is not None:
            found.in_deck = here

    def _values(self, at: Cursor, found: Grant) -> bool:
        """Read all that is added, of any kind; a skill among it is let pass."""
        if not self._value(at, found):
            return False
        while tried(at, lambda at: (joined(at) and self._value(at, found)) or None):
            pass
        return bool(found.values)

    def _value(self, at: Cursor, found: Grant) -> bool:
        at.phrase(_SORT)
        vocabulary = self.phrases.vocabulary
        if color := at.take(*vocabulary.colors):
            value: Match = {"color": [vocabulary.colors[color]]}
        elif noun := at.take(*vocabulary.types):
            value = {"type": list(vocabulary.types[noun])}
        elif (bracketed := self.phrases.bracketed(at)) is not None:
            value = bracketed
        else:
            return vocabulary.brackets.get("square") == "keyword" and at.bracket("square") is not None
        if not value.keys() <= _FIELDS.keys():
            return False
        for test, texts in value.items():
            found.values.setdefault(_FIELDS[test], []).extend(texts)
        at.phrase(_SORT_AFTER)
        at.take("card", "cards")
        return True


def scope(at: Cursor) -> bool | None:
    """Take where something holds; tell whether the deck is among it, None if nothing is said."""
    return tried(at, _scope)


def _scope(at: Cursor) -> bool | None:
    at.take(",")
    at.take("while", "when", "whenever")
    at.phrase(_BEING)
    if not at.take("in"):
        return None
    if at.phrase(_AREAS) is None:
        areas = _areas(at)
        return bool(areas & _DECKS) if areas else None
    if at.phrase(_OTHER_THAN):
        return not (_areas(at) & _DECKS)
    return True


def _areas(at: Cursor) -> set[str]:
    found: set[str] = set()
    while True:
        back = at.at
        if found and not joined(at):
            break
        at.phrase(_OWNERS)
        area = at.phrase(_AREA)
        if area is None:
            at.at = back
            break
        found.add(area)
    return found
