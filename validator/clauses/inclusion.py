"""Sentences on what a deck may hold: "You can't include …", "You can include … copies of this card"."""

from __future__ import annotations

from dataclasses import dataclass

from validator.cards import Clause
from validator.clauses.phrases import Amount, Phrases, amount
from validator.clauses.tokens import Cursor, Match, both, negated, runs

_SUBJECT = runs("you|there|a/each player|players|decks|your/the [main] deck|a deck|your z-deck")
_MOODS = {
    "only": runs("can/may/must/shall/should only [ever]|only [can]|is/are only allowed/permitted to|can exclusively"),
    "never": runs(
        "can't|cannot|can not|mustn't|may/must not|can/may never|is/are not allowed/permitted/able to|"
        "isn't/aren't allowed/permitted/able to|are unable to"
    ),
    "may": runs("can/may [also]|is/are allowed/permitted to"),
}
_INCLUDE = runs("include|contain|includes|contains")
# Words that speak of a deck only where "in your deck" stands with them.
_HOLD = runs("have|put|use|run|be")
_INCLUDED = runs("included|contained|put|used")
_THIS_CARD = runs(
    "[copies/copy] [of] this card|copies of it|cards with this card number|"
    "cards with the same card number|cards with the same card number as this card"
)
_COPIES_OF = runs("copies/copy of")
_EXTRAS = runs("as you like/want/wish/please/choose|as you'd like|[in] total|combined")
_CONSISTS = runs(
    "must consist [only/entirely] of|must/can/may only consist of|can/may consist only of|consists only/entirely of|"
    "must be made up of"
)
_EVERY = runs("all [of] [the]|every|each")
_MUST_BE = runs("must [all] be|have to be")
_DON_DECK = runs("your don [card] deck")
_DON_SIZE = runs(
    "consists/consist of [only]|is|is made up of|is composed of|contains|[only] has|has only|only contains|"
    "can only have/contain|must have/contain|must consist of"
)
_DON_CARDS = runs("[don] cards/card")
_INSTEAD = runs("instead [of]")


@dataclass(slots=True)
class _Allowance:
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
        limitless = self.mood == "may" and self.amount == Amount()
        if limit is None and not limitless:
            return None
        return [Clause("copies", limit=limit, section=section) for section in self._sections()]

    def _forbidden(self) -> list[Clause] | None:
        mood = {"may": "never"}.get(self.mood) if self.no_card else self.mood
        barred = self.cards if mood == "never" else negated(self.cards) if mood == "only" else None
        return [Clause("forbid", match=barred, section=section) for section in self._sections()] if barred else None

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
    """The sentences on deck construction in one game's wording."""

    def __init__(self, phrases: Phrases) -> None:
        self.phrases = phrases

    def read(self, at: Cursor) -> list[Clause] | None:
        """Read one statement on a deck; None, and the cursor stays, if none stands here."""
        for reader in (self._don_deck, self._consisting, self._all_must, self._including, self._included):
            if (clauses := at.tried(reader)) is not None:
                return clauses
        return None

    def _including(self, at: Cursor) -> list[Clause] | None:
        """Read "you can only include up to 7 《X》 cards in your deck" and its kin."""
        allowed = _Allowance(sections=_sections_of(at.phrase(_SUBJECT)), mood=_mood(at))
        included = at.phrase(_INCLUDE)
        if not allowed.mood or not (included or at.phrase(_HOLD)):
            return None
        if at.take("only"):
            allowed.restrict()
        if not self._counted(at, allowed):
            return None
        return allowed.clauses() if included or allowed.sections else None

    def _included(self, at: Cursor) -> list[Clause] | None:
        """Read "up to 7 copies of this card can be included in your deck" and its kin."""
        allowed = _Allowance()
        only = at.take("only")
        if not self._counted(at, allowed):
            return None
        allowed.mood = _mood(at)
        if not (allowed.mood and at.take("be") and at.phrase(_INCLUDED)):
            return None
        if only:
            allowed.restrict()
        allowed.sections = allowed.sections or decks(at)
        return allowed.clauses() if allowed.sections else None

    def _counted(self, at: Cursor, allowed: _Allowance) -> bool:
        """Read how many of which cards, with "in your deck" in any of its places."""
        allowed.sections = decks(at) or allowed.sections
        allowed.amount = amount(at)
        allowed.no_card = allowed.amount is None and at.take("no") is not None
        allowed.this_card = at.phrase(_THIS_CARD) is not None
        if not allowed.this_card:
            allowed.copies_of = at.phrase(_COPIES_OF) is not None
            allowed.cards = self.phrases.objects(at)
            # Copies of many cards: is the number one for each of them, or for all?
            if allowed.cards is None or (allowed.copies_of and not _one_name(allowed.cards)):
                return False
        _placed(at, allowed)
        if allowed.cards is not None:
            allowed.cards = self._trailing(at, allowed.cards)
            allowed.sections = decks(at) or allowed.sections
        return allowed.this_card or bool(allowed.cards)

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
        return _Allowance("only", sections=sections, cards=cards).clauses()

    def _all_must(self, at: Cursor) -> list[Clause] | None:
        """Read "all Battle Cards in your deck must be red"."""
        cards = self.phrases.objects(at) if at.phrase(_EVERY) else None
        sections = decks(at)
        if cards is None or not sections or at.phrase(_MUST_BE) is None:
            return None
        required = self.phrases.described(at)
        barred = both([cards, negated(required) or {}]) if required else None
        return _Allowance("never", sections=sections, cards=barred).clauses()

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
    return at.tried(_decks) or ()


def _decks(at: Cursor) -> tuple[str, ...] | None:
    each = at.series(_deck) if at.take("in", "inside") else []
    return tuple(section for sections in each for section in sections) or None


def _deck(at: Cursor) -> tuple[str, ...] | None:
    at.take("your", "a", "the", "any", "their", "its", "either")
    at.take("main", "own")
    return _sections_of(at.take("deck", "decks", "z-deck", "z-decks")) or None


def _sections_of(deck: str | None) -> tuple[str, ...]:
    if deck is None or "deck" not in deck:
        return ()
    return ("z",) if "z-deck" in deck else ("main",)


def _placed(at: Cursor, allowed: _Allowance) -> None:
    """Read "in your deck" with "as you like" and "in total" before or behind it."""
    while at.phrase(_EXTRAS):
        pass
    allowed.sections = decks(at) or allowed.sections
    while at.phrase(_EXTRAS):
        pass


def _mood(at: Cursor) -> str:
    return next((mood for mood, phrases in _MOODS.items() if at.phrase(phrases)), "")


def _one_name(cards: Match) -> bool:
    return set(cards) == {"name"} and len(cards["name"]) == 1
