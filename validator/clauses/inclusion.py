"""Sentences on what a deck may hold: "You can't include …", "You can include … copies of this card"."""

from __future__ import annotations

from dataclasses import dataclass

from validator.cards import Clause
from validator.clauses.combining import Match
from validator.clauses.combining import both
from validator.clauses.combining import negated
from validator.clauses.phrases import Phrases
from validator.clauses.phrases import tried
from validator.clauses.quantities import Amount
from validator.clauses.quantities import amount
from validator.clauses.quantities import joined
from validator.clauses.tokens import Cursor
from validator.clauses.tokens import runs

_SUBJECT = runs("you|there|a player|players|each player|your deck|your main deck|the deck|a deck|decks|your z-deck")
_NEVER = runs(
    "can't|cannot|can not|may not|must not|mustn't|can never|may never|are not allowed to|aren't allowed to|"
    "is not allowed to|are not permitted to|aren't permitted to|are unable to|are not able to"
)
_ONLY = runs(
    "can only|may only|must only|only can|are only allowed to|is only allowed to|are only permitted to|"
    "can only ever|shall only|should only|only|can exclusively"
)
_MAY = runs("can|may|are allowed to|is allowed to|are permitted to|can also|may also")
_INCLUDE = runs("include|contain|includes|contains")
# Words that speak of a deck only where "in your deck" stands with them.
_HOLD = runs("have|put|use|run|be")
_INCLUDED = runs("included|contained|put|used")
_THIS_CARD = runs(
    "copies of this card|copy of this card|of this card|this card|copies of it|cards with this card number|"
    "cards with the same card number as this card|cards with the same card number"
)
_COPIES_OF = runs("copies of|copy of")
_AS_YOU_LIKE = runs("as you like|as you want|as you wish|as you please|as you'd like|as you choose")
_IN_TOTAL = runs("in total|total|combined")
_CONSISTS = runs(
    "must consist of|must consist only of|must consist entirely of|must only consist of|can only consist of|"
    "may only consist of|can consist only of|consists only of|consists entirely of|must be made up of"
)
_EVERY = runs("all of the|all|every|each")
_MUST_BE = runs("must be|must all be|have to be")
_DON_DECK = runs("your don deck|your don card deck")
_DON_SIZE = runs(
    "consists of|consists of only|consist of|is made up of|is composed of|contains|has|has only|is|can only have|"
    "must have|must contain|can only contain|must consist of|only has|only contains"
)

_DON_CARDS = runs("don cards|don card|cards|card")
_INSTEAD = runs("instead of|instead")


@dataclass(slots=True)
class _Saying:
    """What a sentence says of the cards meant: in what mood, how many, and in which decks."""

    mood: str = ""
    amount: Amount | None = None
    sections: tuple[str, ...] = ()
    this_card: bool = False
    no_card: bool = False
    copies_of: bool = False
    cards: Match | None = None

    def clauses(self) -> list[Clause] | None:
        """Return what is meant; None for what no clause can say."""
        if self.this_card:
            return self._copies()
        if self.amount is None:
            return self._forbidden()
        limit = self._limit()
        # More copies of another card are allowed by no clause; over two decks, may each hold so many?
        if limit is None or (self.copies_of and self.mood == "may") or len(self.sections) > 1:
            return None
        return [Clause("pool", match=self.cards, limit=limit, section=self._sections()[0])]

    def _copies(self) -> list[Clause] | None:
        limit = self._limit()
        limitless = self.mood == "may" and self.amount is not None and self.amount.limitless
        if limit is None and not limitless:
            return None
        return [Clause("copies", limit=limit, section=section) for section in self._sections()]

    def _forbidden(self) -> list[Clause] | None:
        mood = {"may": "never"}.get(self.mood) if self.no_card else self.mood
        if not self.cards or mood not in ("never", "only"):
            return None
        barred = self.cards if mood == "never" else negated(self.cards)
        return [Clause("forbid", match=barred, section=section) for section in self._sections()]

    def _limit(self) -> int | None:
        if self.amount is None:
            return None
        return self.amount.over if self.mood == "never" else self.amount.most

    def _sections(self) -> tuple[str, ...]:
        return self.sections or ("main",)

    def restrict(self) -> None:
        """Take note of "only", standing behind the verb or before everything."""
        self.mood = "only" if self.mood == "may" else ""


class Inclusion:
    """The sentences on deck construction in one game's vocabulary."""

    def __init__(self, phrases: Phrases) -> None:
        self.phrases = phrases

    def read(self, at: Cursor) -> list[Clause] | None:
        """Read one statement on a deck; None, and the cursor stays, if none stands here."""
        for reader in (self._don_deck, self._consisting, self._all_must, self._including, self._included):
            if (found := tried(at, reader)) is not None:
                return found
        return None

    def _including(self, at: Cursor) -> list[Clause] | None:
        """Read "you can only include up to 7 《X》 cards in your deck" and its kin."""
        said = _Saying(sections=_sections_of(at.phrase(_SUBJECT)))
        said.mood = _mood(at)
        included = at.phrase(_INCLUDE)
        if not said.mood or not (included or at.phrase(_HOLD)):
            return None
        if at.take("only"):
            said.restrict()
        if not self._counted(at, said):
            return None
        return said.clauses() if included or said.sections else None

    def _included(self, at: Cursor) -> list[Clause] | None:
        """Read "up to 7 copies of this card can be included in your deck" and its kin."""
        said = _Saying()
        only = at.take("only")
        if not self._counted(at, said):
            return None
        said.mood = _mood(at)
        if not (said.mood and at.take("be") and at.phrase(_INCLUDED)):
            return None
        if only:
            said.restrict()
        said.sections = said.sections or decks(at)
        return said.clauses() if said.sections else None

    def _counted(self, at: Cursor, said: _Saying) -> bool:
        """Read how many of which cards, with "in your deck" in any of its places."""
        said.sections = decks(at) or said.sections
        said.amount = amount(at)
        said.no_card = said.amount is None and at.take("no") is not None
        said.this_card = at.phrase(_THIS_CARD) is not None
        if not said.this_card:
            said.copies_of = at.phrase(_COPIES_OF) is not None
            said.cards = self.phrases.objects(at)
            # Copies of many cards: is the number one for each of them, or for all?
            if said.cards is None or (said.copies_of and not _one_name(said.cards)):
                return False
        self._extras(at)
        said.sections = decks(at) or said.sections
        self._extras(at)
        if said.cards is not None:
            said.cards = self._trailing(at, said.cards)
            said.sections = decks(at) or said.sections
        return said.this_card or bool(said.cards)

    def _extras(self, at: Cursor) -> None:
        while at.phrase(_IN_TOTAL) or at.phrase(_AS_YOU_LIKE):
            pass

    def _trailing(self, at: Cursor, cards: Match) -> Match:
        """Read what "in your deck" had pushed behind it: "cards in your deck that don't have …"."""
        while (after := self.phrases.after(at)) is not None:
            cards = both([cards, after])
        return self.phrases.excepted(at, cards)

    def _consisting(self, at: Cursor) -> list[Clause] | None:
        """Read "your deck can only consist of red cards"."""
        sections = _sections_of(at.phrase(_SUBJECT))
        if not sections or not at.phrase(_CONSISTS):
            return None
        at.take("only", "entirely", "solely", "exclusively")
        cards = self.phrases.objects(at)
        return _Saying("only", sections=sections, cards=cards).clauses()

    def _all_must(self, at: Cursor) -> list[Clause] | None:
        """Read "all Battle Cards in your deck must be red"."""
        cards = self.phrases.objects(at) if at.phrase(_EVERY) else None
        sections = decks(at)
        if cards is None or not sections or at.phrase(_MUST_BE) is None:
            return None
        required = self.phrases.described(at)
        barred = both([cards, negated(required)]) if required else None
        return _Saying("never", sections=sections, cards=barred).clauses()

    def _don_deck(self, at: Cursor) -> list[Clause] | None:
        """Read "your DON!! deck consists of 6 cards" (optcg 5-1-2, 5-1-2-4)."""
        if not (at.phrase(_DON_DECK) and at.phrase(_DON_SIZE)):
            return None
        at.take("exactly", "only")
        size = at.number()
        if size is None or not at.phrase(_DON_CARDS):
            return None
        if at.phrase(_INSTEAD):
            at.number()
        return [Clause("don_size", size=size)]


def decks(at: Cursor) -> tuple[str, ...]:
    """Take "in your deck", "in your Z-Deck" or "in your deck and Z-Deck"; return the sections meant."""
    return tried(at, _decks) or ()


def _decks(at: Cursor) -> tuple[str, ...] | None:
    if not at.take("in", "inside"):
        return None
    found = _deck(at)
    while found and (more := tried(at, lambda at: _deck(at) if joined(at) else None)):
        found += more
    return found


def _deck(at: Cursor) -> tuple[str, ...] | None:
    at.take("your", "a", "the", "any", "their", "its", "either")
    at.take("main", "own")
    return _sections_of(at.take("deck", "decks", "z-deck", "z-decks")) or None


def _sections_of(deck: str | None) -> tuple[str, ...]:
    if deck is None or "deck" not in deck:
        return ()
    return ("z",) if "z-deck" in deck else ("main",)


def _mood(at: Cursor) -> str:
    for mood, phrases in (("only", _ONLY), ("never", _NEVER), ("may", _MAY)):
        if at.phrase(phrases):
            return mood
    return ""


def _one_name(cards: Match) -> bool:
    return set(cards) == {"name"} and len(cards["name"]) == 1
