"""Names beside numbers: a line that gives both, and whether its name is rather another card's.

Whoever registers a deck writes number and name, and both must be those of one card. A name counts as the
card's own if it is a part of it, has all of it, or is nearer to it than to any other; so do names that are
near to none, in another language or script, and remarks. "Near" is a letter more, less, other or swapped.
What could be the card's own and is another's in full, or what only other cards are said to be ("Blackbeard"
of their pirates), is told as a warning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import NamedTuple

from validator import words
from validator.bounds import LONGEST_WORD, MOST_NAMES_COMPARED, MOST_OTHER_NAMES
from validator.cards import Card, Catalogue
from validator.deck import DeckLine
from validator.findings import ERROR, WARNING, Citation, Code, Finding, NamedCard
from validator.language import Language
from validator.texts import unmarked

_SHOWN = 3  # of the cards that have the other name
_WORD = re.compile(r"[^\W_]+")
_IN_BRACKETS = re.compile(r"\([^()]*\)")  # "Zephyr (Navy)" is called Zephyr
# What falls away beside a name: rarities, printings, conditions, languages, what the card is or does.
REMARKS = frozenset(
    re.findall(
        r"\w+",
        """
        c uc r sr sec l sp tr p pr spr scr rr ssr gdr slr bd aa alt alternate art arts full fa parallel manga comic foil
        holo promo promotion box topper winner pack event signed serial serialized reprint nm lp mp hp en eng english jp
        jap japanese fr french german spanish italian korean cn chinese ver version v1 v2 v3 v4 v5 p1 p2 p3 p4 p5 p6 p7
        p8 p9 pcs ea each qty ok og leader character stage side deck cost counter trigger blocker searcher flex slot
        tech card cards
        """,
    )
)


def _message(finding: Finding, say: Language) -> str:
    return say(
        "{line}{card} is written with another card's name, “{written}”.",
        line=words.line(finding, say),
        card=words.card(finding, say),
        written=finding.details["written"],
    )


def _fix(finding: Finding, say: Language) -> str:
    return say(
        "Write {card}, or the number of the card that is played if it is {others}.",
        card=words.card(finding, say),
        others=words.listed(finding.suggestions or (), say, _SHOWN, counted=False),
    )


MISMATCH = Code(
    "card.mismatch",
    "Number and name on one line are of different cards; it counts as the number.",
    _message,
    _fix,
    {"written": (str, "The name that stands beside the number.")},
)
CODES = (MISMATCH,)


class Names:
    """The names of a catalogue by their words, made when a name beside a number is first another than its card's."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._told: dict[tuple[Card, str], _Others] = {}

    def mismatches(self, used: Iterable[tuple[str, Sequence[DeckLine]]]) -> Iterator[Finding]:
        """Yield a finding for each card of a deck's `used` sections that stands beside the name of another."""
        found: dict[Card, list[tuple[str, DeckLine]]] = {}
        for section, lines in used:
            for line in lines:
                card = self._card(line)
                if card is not None and line.name != card.name and self.others(card, line.name or ""):
                    found.setdefault(card, []).append((section, line))
        for card, same in found.items():
            yield self._mismatch(card, same)

    def others(self, card: Card, written: str) -> Sequence[Card]:
        """Return the cards that a name beside a card's number is rather of, none where it is the card's own."""
        return self._meant(card, written).cards

    def _meant(self, card: Card, written: str) -> _Others:
        if (card, written) not in self._told:
            if len(self._told) >= MOST_NAMES_COMPARED:
                self._told.clear()
            called = self._catalogue.by_name(written)
            own = _NONE if card in called else self._others(_Own(card), _words(written))
            self._told[card, written] = own or self._elsewhere(card, called, written)
        return self._told[card, written]

    def _elsewhere(self, card: Card, called: Sequence[Card], written: str) -> _Others:
        """Return the cards that are called so in another language alone, none where the card itself is."""
        if card in called or "".join(_words(written)) in self._index.whole:
            return _NONE
        own = _Own(card)
        may_be = any(own.may_be(name, "".join(name)) for other in called for name in _names(other))
        return _Others(called[:MOST_OTHER_NAMES], WARNING if may_be else ERROR)

    def _card(self, line: DeckLine) -> Card | None:
        if not (line.name and line.number):
            return None
        return self._catalogue.index.get(line.number) or self._catalogue.by_number(line.number)

    def _mismatch(self, card: Card, same: Sequence[tuple[str, DeckLine]]) -> Finding:
        section, line = same[0]
        count = sum(line.count for _, line in same)
        others, severity = self._meant(card, line.name or "")
        return Finding(
            MISMATCH,
            Citation("The deck list as it was given", f"line {line.at}" if line.at else "number and name"),
            section,
            severity,
            cards=(NamedCard.of(card, count),),
            count=count,
            suggestions=tuple(map(NamedCard.of, others)),
            line=line.at,
            details={"written": line.name},
        )

    def _others(self, own: _Own, said: Sequence[str]) -> _Others:
        # A remark may be a word of the own name, too: "Striker Pack".
        each = said, [word for word in said if word not in REMARKS or own.has(word)]
        return next(filter(None, (self._rather(own, words) for words in each)), _NONE)

    def _rather(self, own: _Own, said: Sequence[str]) -> _Others:
        """Return the cards that these words rather mean than a card's own name, none where they need not."""
        whole = "".join(said)
        if whole in own.remarks:
            return _NONE
        if exact := self._index.whole.get(whole):
            return _Others(exact[:MOST_OTHER_NAMES], WARNING if own.may_be(said, whole) else ERROR)
        if own.may_be(said, whole) or own.is_in(said) or own.is_remarked(said):
            return _NONE
        if nearer := self._nearer(own, said):
            return _Others(nearer, ERROR)
        return _NONE if own.is_said_to_be(said) else _Others(self._index.said_to_be(said), WARNING)

    def _nearer(self, own: _Own, said: Sequence[str]) -> Sequence[Card]:
        """Return the cards of the names that these words are nearest to, none where the own name is as near."""
        off = own.off(said)
        found = self._index.near(said) if off > 1 else {}
        typos_of = {name: typos for name, typos in found.items() if typos < off and name not in own.wholes}
        least = min(typos_of.values(), default=off)
        nearest = [name for name, typos in typos_of.items() if typos == least]
        others = (other for name in nearest for other in self._index.whole[name])
        return tuple(islice(dict.fromkeys(others), MOST_OTHER_NAMES))

    @cached_property
    def _index(self) -> _Index:
        return _Index(self._catalogue)


class _Others(NamedTuple):
    """The cards that a name is rather of than the one it stands beside, and how grave that is."""

    cards: Sequence[Card]
    severity: str

    def __bool__(self) -> bool:
        return bool(self.cards)


_NONE = _Others((), WARNING)


class _Own:
    """What a card is called itself, by its names and by what else is said of it."""

    def __init__(self, card: Card) -> None:
        names = _names(card)
        beside = (card.type, card.set or "", *card.colors, *card.attributes)
        plain = (_words(_IN_BRACKETS.sub("", name)) for name in (card.name, card.back_name or ""))
        self.wholes = {"".join(name) for name in (*names, *plain)} - {""}
        self.remarks = {"".join(_words(fact)) for fact in beside} | {"", *REMARKS, *self.wholes}
        self._words = {word for name in names for word in name}
        self._names = [frozenset(name) for name in names]
        self._beside = {word for fact in (*beside, *_groups(card)) for word in _words(fact)} | REMARKS
        self._said_to_be = [_words(group) for group in _groups(card)]

    def may_be(self, said: Sequence[str], whole: str) -> bool:
        """Tell whether words are a part of the card's names, a letter off one, or what many cards are said to be."""
        if self._words.issuperset(said) or whole in map("".join, self._said_to_be):
            return True
        return any(_is_alike(whole, name) for name in self.wholes)

    def is_said_to_be(self, said: Sequence[str]) -> bool:
        """Tell whether all these words are in one trait or character of the card."""
        return any(set(said).issubset(group) for group in self._said_to_be)

    def has(self, word: str) -> bool:
        """Tell whether this is a word of the card's names."""
        return word in self._words

    def is_in(self, said: Sequence[str]) -> bool:
        """Tell whether these words have all those of the card's names."""
        return self._words.issubset(said)

    def is_remarked(self, said: Sequence[str]) -> bool:
        """Tell whether these words are one of the card's names with remarks, facts of it and numbers."""
        return any(
            name.issubset(said) and all(word in self._beside or word.isdigit() for word in said if word not in name)
            for name in self._names
        )

    def off(self, said: Sequence[str]) -> int:
        """Return how far these words are from the card's names: 1 for each a letter off, 2 for any other."""
        return sum(_distance(word, self._words) for word in said)


class _Index:
    """Cards by their whole names and names by their words, in whatever spelling is a letter off."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self.whole: dict[str, list[Card]] = {}
        self._ends: dict[str, list[str]] = {}  # whole names by their first and last letters
        self._names: dict[str, dict[str, None]] = {}  # by a word of theirs, in the order of the cards
        for card in catalogue:
            for name in _names(card):
                whole = "".join(name)
                if whole not in self.whole:
                    for end in (whole[:_END] + "-", "-" + whole[-_END:]):
                        self._ends.setdefault(end, []).append(whole)
                self.whole.setdefault(whole, []).append(card)
                for word in name:
                    self._names.setdefault(word, {})[whole] = None
        self._words = _shortened(self._names)

    @cached_property
    def _groups(self) -> Mapping[tuple[str, ...], Sequence[Card]]:
        """Cards by the words of their traits and characters."""
        groups: dict[tuple[str, ...], list[Card]] = {}
        for card in self._catalogue:
            for group in _groups(card):
                groups.setdefault(tuple(_words(group)), []).append(card)
        return groups

    def said_to_be(self, said: Sequence[str]) -> Sequence[Card]:
        """Return some cards of the trait or character that has all these words."""
        groups = (cards for group, cards in self._groups.items() if set(said).issubset(group))
        return next(groups, ())[:MOST_OTHER_NAMES]

    def near(self, said: Sequence[str]) -> dict[str, int]:
        """Return the whole names that these words are a part of, or all but a letter, and how many words are off."""
        whole = "".join(said)
        ends = (whole[:_END] + "-", "-" + whole[-_END:])
        glued = (name for end in ends for name in self._ends.get(end, ()) if _is_alike(name, whole))
        return dict.fromkeys(glued, 1) | self._having(said)

    def _having(self, said: Sequence[str]) -> dict[str, int]:
        each = sorted(map(self._spelled, _telling(said)), key=lambda spelled: sum(map(len, spelled)))
        typos_of = dict.fromkeys(chain.from_iterable(each[0]), 0) if each else {}
        for spelled in each:
            found = ((name, _place(name, spelled)) for name in typos_of)
            typos_of = {name: typos_of[name] + min(place, 1) for name, place in found if place is not None}
        # A single word that is a letter off must be the whole name: any word is like some word of some name.
        return {name: typos for name, typos in typos_of.items() if len(said) > 1 or not typos or name in self._names}

    def _spelled(self, word: str) -> Sequence[Collection[str]]:
        """Return the names that have a word, then for each word that is a letter off those that have it."""
        return [self._names.get(known, ()) for known in (word, *sorted(self._alike(word) - {word}))]

    def _alike(self, word: str) -> set[str]:
        if len(word) > LONGEST_WORD or word in REMARKS:
            return set()
        return {known for left in _left(word) for known in self._words.get(left, ()) if _is_alike(word, known)}


def _place(name: str, spelled: Sequence[Collection[str]]) -> int | None:
    return next((place for place, names in enumerate(spelled) if name in names), None)


@lru_cache(maxsize=4)
def of(catalogue: Catalogue) -> Names:
    """Return the names of a catalogue, which all that judge by it share."""
    return Names(catalogue)


def _telling(said: Sequence[str]) -> Sequence[str]:
    """Return the words that are more than a letter, if there are any."""
    return [word for word in said if len(word) > 1] or said


def _words(name: str) -> list[str]:
    return _WORD.findall(unmarked(name).casefold())


def _names(card: Card) -> list[list[str]]:
    return [words for name in (card.name, card.back_name) if name and (words := _words(name))]


def _groups(card: Card) -> tuple[str, ...]:
    """Return what many cards are said to be: their traits and characters."""
    return (*card.traits, *card.back_traits, *card.characters, *card.back_characters)


def _distance(word: str, own: Iterable[str]) -> int:
    """Return 0 for a word among these, 1 for one a letter off, 2 for any other."""
    return min((0 if word == one else 1 if _is_alike(word, one) else 2 for one in own), default=2)


def _shortened(texts: Iterable[str]) -> dict[str, list[str]]:
    """Return texts by what is left of them without one letter, and by themselves: any two a letter off meet there."""
    found: dict[str, list[str]] = {}
    for text in texts:
        for left in _left(text):
            found.setdefault(left, []).append(text)
    return found


def _left(text: str) -> set[str]:
    return {text, *(text[:at] + text[at + 1 :] for at in range(len(text) if len(text) > 1 else 0))}


_END = 3  # letters; of a name a letter off, its beginning or its end is as it should be


def _is_alike(one: str, other: str) -> bool:
    """Tell whether two texts are the same but for a letter more, less, other or swapped with the next."""
    if abs(len(one) - len(other)) > 1 or max(len(one), len(other)) < _END:
        return one == other
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    one, other = one[at:], other[at:]
    swapped = one[:2] == other[1::-1] and one[2:] == other[2:]
    return swapped or one[1:] in (other, other[1:]) or one == other[1:]
