"""Sentences on the contents of a deck: "You can't include …", "You can include … copies of this card"."""

from __future__ import annotations

from dataclasses import dataclass

from validator.cards import Clause, Match
from validator.clauses.phrases import Amount, Phrases, read_amount
from validator.clauses.tokens import Cursor, combine_all, negate_match, parse_runs

_SUBJECT = parse_runs("you|there|a/each player|players|decks|your/the [main] deck|a deck|your z-deck")
_MOODS = {
    "only": parse_runs(
        "can/may/must/shall/should only [ever]|only [can]|is/are only allowed/permitted to|can exclusively"
    ),
    "never": parse_runs(
        "can't|cannot|can not|mustn't|may/must not|can/may never|is/are not allowed/permitted/able to|"
        "isn't/aren't allowed/permitted/able to|are unable to"
    ),
    "may": parse_runs("can/may [also]|is/are allowed/permitted to"),
}
_INCLUDE = parse_runs("include|contain|includes|contains")
# Verbs that are about a deck only together with "in your deck".
_HOLD = parse_runs("have|put|use|run|be")
_INCLUDED = parse_runs("included|contained|put|used")
_THIS_CARD = parse_runs(
    "[copies/copy] [of] this card|copies of it|cards with this card number|"
    "cards with the same card number|cards with the same card number as this card"
)
_COPIES_OF = parse_runs("copies/copy of")
_EXTRAS = parse_runs("as you like/want/wish/please/choose|as you'd like|[in] total|combined")
_CONSISTS = parse_runs(
    "must consist [only/entirely] of|must/can/may only consist of|can/may consist only of|consists only/entirely of|"
    "must be made up of"
)
_EVERY = parse_runs("all [of] [the]|every|each")
_MUST_BE = parse_runs("must [all] be|have to be")
_DON_DECK = parse_runs("your don [card] deck")
_DON_SIZE = parse_runs(
    "consists/consist of [only]|is|is made up of|is composed of|contains|[only] has|has only|only contains|"
    "can only have/contain|must have/contain|must consist of"
)
_DON_CARDS = parse_runs("[don] cards/card")
_INSTEAD = parse_runs("instead [of]")
_AT_EVENTS = parse_runs("in/at specified events/event")


@dataclass(slots=True)
class _Allowance:
    """The parts of a sentence on allowed or forbidden cards.

    `mood` is "only" (nothing else is allowed), "never", "may" or "". `amount` is None without a number, and has no
    bounds for "any number". `sections` are those of the named decks, () if none is named. `this_card` is True if the
    sentence is about copies of the card itself, `copies_of` for copies of another card, `no_card` after "no". `cards`
    describes the cards, None if it is about this card.
    """

    mood: str = ""
    amount: Amount | None = None
    sections: tuple[str, ...] = ()
    this_card: bool = False
    no_card: bool = False
    copies_of: bool = False
    cards: Match | None = None

    def clauses(self) -> list[Clause] | None:
        """Return the clauses of the sentence: `copies` of this card, `forbid` for cards, or `pool` for a number.

        A clause `pool` limits the number of all these cards together. None if no clause can express the sentence: more
        copies of another card, any number of other cards, a number for two decks, or no forbidden cards.
        """
        if self.this_card:
            return self._copies_clauses()
        if self.amount is None:
            return self._forbid_clauses()
        limit = self._find_limit()
        # No clause can allow more copies of another card. A number for two decks is ambiguous.
        if limit is None or (self.copies_of and self.mood == "may") or len(self.sections) > 1:
            return None
        return [Clause("pool", match=self.cards, limit=limit, section=self._find_sections()[0])]

    def _copies_clauses(self) -> list[Clause] | None:
        """Return a clause `copies` for each section. The limit of the clause is None if any number is allowed.

        None, and no list, if the sentence neither limits the copies nor allows any number.
        """
        limit = self._find_limit()
        limitless = self.mood == "may" and self.amount == Amount()
        if limit is None and not limitless:
            return None
        return [Clause("copies", limit=limit, section=section) for section in self._find_sections()]

    def _forbid_clauses(self) -> list[Clause] | None:
        """Return a clause `forbid` for each section.

        With the mood "only", it forbids all cards except the described ones. "can include no X" forbids X. None if the
        sentence forbids no cards.
        """
        mood = {"may": "never"}.get(self.mood) if self.no_card else self.mood
        barred = self.cards if mood == "never" else negate_match(self.cards) if mood == "only" else None
        return (
            [Clause("forbid", match=barred, section=section) for section in self._find_sections()] if barred else None
        )

    def _find_limit(self) -> int | None:
        """Return the largest number of cards that the sentence allows: 3 for "can't include 4 or more".

        None if it has no number or no upper limit.
        """
        if self.amount is None:
            return None
        return self.amount.largest_too_small if self.mood == "never" else self.amount.most

    def _find_sections(self) -> tuple[str, ...]:
        """Return the sections of the named decks. The default is ("main",)."""
        return self.sections or ("main",)

    def restrict(self) -> None:
        """Change the mood "may" to "only", for a word "only" apart from the verb. Any other mood becomes ""."""
        self.mood = "only" if self.mood == "may" else ""


class Inclusion:
    """Parser of the sentences on deck construction in one game's wording."""

    def __init__(self, phrases: Phrases) -> None:
        """Store the parser of the phrases in the game's wording."""
        self.phrases = phrases

    def read(self, cursor: Cursor) -> list[Clause] | None:
        """Read one statement on a deck and return its clauses. None, without moving the cursor, if there is none here.

        The different kinds of statements are tried in a fixed order. The clauses have no text and no condition.
        """
        for reader in (
            self._read_don_deck,
            _read_event_only,
            self._read_consists,
            self._read_all_must,
            self._read_active,
            self._read_passive,
        ):
            if (clauses := cursor.try_read(reader)) is not None:
                return clauses
        return None

    def _read_active(self, cursor: Cursor) -> list[Clause] | None:
        """Parse "you can only include up to 7 《X》 cards in your deck" and similar sentences with an active verb.

        Verbs such as "have" need a named deck, such as "in your deck" or the subject "your deck". None if there is no
        such sentence, or no clause for it. The cursor may have moved then.
        """
        allowed = _Allowance(sections=_sections_of(cursor.take_phrase(_SUBJECT)), mood=_read_mood(cursor))
        included = cursor.take_phrase(_INCLUDE)
        if not allowed.mood or not (included or cursor.take_phrase(_HOLD)):
            return None
        if cursor.take("only"):
            allowed.restrict()
        if not self._read_cards(cursor, allowed):
            return None
        return allowed.clauses() if included or allowed.sections else None

    def _read_passive(self, cursor: Cursor) -> list[Clause] | None:
        """Parse "up to 7 copies of this card can be included in your deck" and similar sentences with a passive verb.

        "in your deck" is required. None if there is no such sentence, or no clause for it. The cursor may have moved
        then.
        """
        allowed = _Allowance()
        only = cursor.take("only")
        if not self._read_cards(cursor, allowed):
            return None
        allowed.mood = _read_mood(cursor)
        if not (allowed.mood and cursor.take("be") and cursor.take_phrase(_INCLUDED)):
            return None
        if only:
            allowed.restrict()
        allowed.sections = allowed.sections or read_decks(cursor)
        return allowed.clauses() if allowed.sections else None

    def _read_cards(self, cursor: Cursor, allowed: _Allowance) -> bool:
        """Parse the number and the cards into `allowed`, with "in your deck" in any position.

        Return False if there are no cards, if they are cards of any kind, or if the number is ambiguous: "copies of"
        several cards. The cursor may have moved then.
        """
        allowed.sections = read_decks(cursor) or allowed.sections
        allowed.amount = read_amount(cursor)
        allowed.no_card = allowed.amount is None and cursor.take("no") is not None
        allowed.this_card = cursor.take_phrase(_THIS_CARD) is not None
        if not allowed.this_card:
            allowed.copies_of = cursor.take_phrase(_COPIES_OF) is not None
            allowed.cards = self.phrases.read_cards(cursor)
            # The number of copies of several cards is ambiguous: for each card or for all together.
            if allowed.cards is None or (allowed.copies_of and not _is_one_name(allowed.cards)):
                return False
        _read_place(cursor, allowed)
        if allowed.cards is not None:
            allowed.cards = self._read_trailing(cursor, allowed.cards)
            allowed.sections = read_decks(cursor) or allowed.sections
        return allowed.this_card or bool(allowed.cards)

    def _read_trailing(self, cursor: Cursor, cards: Match) -> Match:
        """Parse the words about the cards after "in your deck", and return the match `cards` with them.

        For example "that don't have …" or "except …" narrows the match. Without such words it is unchanged.
        """
        while (after := self.phrases.read_addition(cursor)) is not None:
            cards = combine_all([cards, after])
        return self.phrases.read_exceptions(cursor, cards)

    def _read_consists(self, cursor: Cursor) -> list[Clause] | None:
        """Parse "your deck can only consist of red cards" as clauses that forbid all other cards.

        None if there is no such sentence. The cursor may have moved then.
        """
        sections = _sections_of(cursor.take_phrase(_SUBJECT))
        if not sections or not cursor.take_phrase(_CONSISTS):
            return None
        cursor.take("only", "entirely", "solely", "exclusively")
        cards = self.phrases.read_cards(cursor)
        return _Allowance("only", sections=sections, cards=cards).clauses()

    def _read_all_must(self, cursor: Cursor) -> list[Clause] | None:
        """Parse "all Battle Cards in your deck must be red" as a clause that forbids the other Battle Cards.

        None if there is no such sentence. The cursor may have moved then.
        """
        cards = self.phrases.read_cards(cursor) if cursor.take_phrase(_EVERY) else None
        sections = read_decks(cursor)
        if cards is None or not sections or cursor.take_phrase(_MUST_BE) is None:
            return None
        required = self.phrases.read_description(cursor)
        barred = combine_all([cards, negate_match(required) or {}]) if required else None
        return _Allowance("never", sections=sections, cards=barred).clauses()

    def _read_don_deck(self, cursor: Cursor) -> list[Clause] | None:
        """Parse "your DON!! deck consists of 6 cards" as a clause with the size (optcg 5-1-2, 5-1-2-4).

        None if there is no such sentence. The cursor may have moved then.
        """
        if not (cursor.take_phrase(_DON_DECK) and cursor.take_phrase(_DON_SIZE)):
            return None
        cursor.take("exactly", "only")
        size = cursor.take_number()
        if size is None or not cursor.take_phrase(_DON_CARDS):
            return None
        if cursor.take_phrase(_INSTEAD):
            cursor.take_number()
        return [Clause("don_size", size=size)]


def _read_event_only(cursor: Cursor) -> list[Clause] | None:
    """Parse "this card can only be used in specified events" as a clause `event_only`.

    None if there is no such sentence. The cursor may have moved then.
    """
    is_about_use = cursor.take_phrase(_THIS_CARD) and _read_mood(cursor) == "only" and cursor.take("be")
    if not (is_about_use and cursor.take_phrase(_INCLUDED) and cursor.take_phrase(_AT_EVENTS)):
        return None
    return [Clause("event_only")]


def read_decks(cursor: Cursor) -> tuple[str, ...]:
    """Read "in your deck", "in your Z-Deck" or "in your deck and Z-Deck", and return their sections ("main", "z").

    () without moving the cursor if there are none.
    """
    return cursor.try_read(_read_decks) or ()


def _read_decks(cursor: Cursor) -> tuple[str, ...] | None:
    """Parse "in" and a list of decks, and return their sections. None if there is none.

    The cursor may have moved then.
    """
    each = cursor.read_series(_read_deck_section) if cursor.take("in", "inside") else []
    return tuple(section for sections in each for section in sections) or None


def _read_deck_section(cursor: Cursor) -> tuple[str, ...] | None:
    """Parse one deck such as "your main deck", and return its section. None if there is none.

    The cursor may have moved then.
    """
    cursor.take("your", "a", "the", "any", "their", "its", "either")
    cursor.take("main", "own")
    return _sections_of(cursor.take("deck", "decks", "z-deck", "z-decks")) or None


def _sections_of(deck: str | None) -> tuple[str, ...]:
    """Return ("main",) or ("z",), the section of a deck with this name. () for None and for words without "deck"."""
    if deck is None or "deck" not in deck:
        return ()
    return ("z",) if "z-deck" in deck else ("main",)


def _read_place(cursor: Cursor, allowed: _Allowance) -> None:
    """Parse "in your deck" into `allowed`, with "as you like" and "in total" before or after it.

    All of them are optional.
    """
    while cursor.take_phrase(_EXTRAS):
        pass
    allowed.sections = read_decks(cursor) or allowed.sections
    while cursor.take_phrase(_EXTRAS):
        pass


def _read_mood(cursor: Cursor) -> str:
    """Take a modal verb, and return "only", "never" or "may": "can only", "can't", "can". "" if there is none."""
    return next((mood for mood, phrases in _MOODS.items() if cursor.take_phrase(phrases)), "")


def _is_one_name(cards: Match) -> bool:
    """Return True if a match consists of exactly one card name."""
    return set(cards) == {"name"} and len(cards["name"]) == 1
