"""Names beside numbers: a line that gives both, and whether its name is rather another card's.

Whoever registers a deck writes number and name, and both must be those of one card. A name counts as the
card's own if it is a part of it, has all of it, or is nearer to it than to any other; so do names that are
near to none, in another language or script, and remarks. "Near" is a letter more, less, other or swapped.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, islice

from validator import words
from validator.cards import Card, Catalogue
from validator.deck import DeckLine
from validator.findings import Citation, Code, Finding, NamedCard
from validator.texts import unmarked

_SHOWN = 3  # of the cards that have the other name
_MOST_OTHERS = 5  # a handful, of the hundreds that may have a word
_MOST_TOLD = 1 << 14  # names beside cards that are remembered
_WORD = re.compile(r"[^\W_]+")
# What falls away beside a name: rarities, printings, conditions, languages, what the card is or does.
_REMARKS = frozenset(
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


def _message(finding: Finding) -> str:
    at = f"Line {finding.line}: " if finding.line else ""
    return f"{at}{words.card(finding)} is written with another card's name, “{finding.details['written']}”."


def _fix(finding: Finding) -> str:
    others = words.listed(finding.suggestions or (), _SHOWN, counted=False)
    return f"Write {words.card(finding)}, or the number of the card that is played if it is {others}."


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
        self._told: dict[tuple[Card, str], Sequence[Card]] = {}

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
        """Return the cards that a name beside a card's number is nearer to, none where it may be the card's own."""
        if (card, written) not in self._told:
            if len(self._told) >= _MOST_TOLD:
                self._told.clear()
            self._told[card, written] = self._others(card, written)
        return self._told[card, written]

    def _card(self, line: DeckLine) -> Card | None:
        if not (line.name and line.number):
            return None
        return self._catalogue.index.get(line.number) or self._catalogue.by_number(line.number)

    def _mismatch(self, card: Card, same: Sequence[tuple[str, DeckLine]]) -> Finding:
        section, line = same[0]
        count = sum(line.count for _, line in same)
        return Finding(
            MISMATCH,
            Citation("The deck list as it was given", f"line {line.at}" if line.at else "number and name"),
            section,
            cards=(NamedCard.of(card, count),),
            count=count,
            suggestions=tuple(map(NamedCard.of, self.others(card, line.name or ""))),
            line=line.at,
            details={"written": line.name},
        )

    def _others(self, card: Card, written: str) -> Sequence[Card]:
        said = _words(written)
        if "".join(said) in _facts(card):
            return ()
        return self._nearer(card, said) or self._nearer(card, [word for word in said if word not in _REMARKS])

    def _nearer(self, card: Card, said: Sequence[str]) -> Sequence[Card]:
        names = _names(card)
        own = {word for name in names for word in name}
        whole, wholes = "".join(said), {"".join(name) for name in names}
        if own.issuperset(said) or whole in wholes:
            return ()
        if exact := self._index.whole.get(whole):
            return exact[:_MOST_OTHERS]
        if any(own.issubset(said) or _is_alike(whole, name) for name in wholes):
            return ()
        off = sum(_distance(word, own) for word in said)
        found = self._index.near(said) if off > 1 else {}
        least = min((typos for name, typos in found.items() if name not in wholes), default=off)
        nearest = [name for name, typos in found.items() if typos == least < off and name not in wholes]
        others = (other for name in nearest for other in self._index.whole[name])
        return tuple(islice(dict.fromkeys(others), _MOST_OTHERS))

    @cached_property
    def _index(self) -> _Index:
        return _Index(self._catalogue)


class _Index:
    """Cards by their whole names and names by their words, in whatever spelling is a letter off."""

    def __init__(self, catalogue: Iterable[Card]) -> None:
        self.whole: dict[str, list[Card]] = {}
        self._ends: dict[str, list[str]] = {}  # whole names by their first and last letters
        self._names: dict[str, set[str]] = {}  # by a word of theirs
        for card in catalogue:
            for name in _names(card):
                whole = "".join(name)
                if whole not in self.whole:
                    for end in (whole[:_END] + "-", "-" + whole[-_END:]):
                        self._ends.setdefault(end, []).append(whole)
                self.whole.setdefault(whole, []).append(card)
                for word in name:
                    self._names.setdefault(word, set()).add(whole)
        self._words = _shortened(self._names)

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
        if len(word) > _LONGEST or word in _REMARKS:
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


def _facts(card: Card) -> set[str]:
    """Return what people say of a card beside its name."""
    facts = (card.type, card.set or "", *card.colors, *card.traits, *card.characters, *card.attributes)
    return {"".join(_words(fact)) for fact in facts} | {"", *_REMARKS}


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
_LONGEST = 40  # letters of a word; the longest in a card's name has 17


def _is_alike(one: str, other: str) -> bool:
    """Tell whether two texts are the same but for a letter more, less, other or swapped with the next."""
    if abs(len(one) - len(other)) > 1 or max(len(one), len(other)) < _END:
        return one == other
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    one, other = one[at:], other[at:]
    swapped = one[:2] == other[1::-1] and one[2:] == other[2:]
    return swapped or one[1:] in (other, other[1:]) or one == other[1:]
