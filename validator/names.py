"""Names beside numbers: the check that the name and the number of a line are those of one card.

A name is accepted if it is part of the card's name, contains all of it, or is more similar to it than to any other
name. A name that is similar to no card is accepted too, as are names in another language or script, and remarks.
Similar names differ in one letter or in two swapped letters. If the name could be the card's own and is another card's
full name, the finding is a warning. The same holds for words that describe only other cards, such as "Blackbeard" for
his pirates.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from validator import words
from validator.bounds import LONGEST_WORD, MOST_NAMES_COMPARED, MOST_OTHER_NAMES
from validator.cards import Card, Catalogue
from validator.deck import DeckLine
from validator.findings import ERROR, WARNING, Citation, Code, Finding, NamedCard
from validator.language import Language, phrase
from validator.texts import strip_marks

if TYPE_CHECKING:
    from validator.limits.lists import LimitsList

_MOST_SHOWN = 3  # of the cards that have the other name
_WORD = re.compile(r"[^\W_]+")
_IN_BRACKETS = re.compile(r"\([^()]*\)")  # "Zephyr (Navy)" is called Zephyr
# Words that are ignored beside a name: rarities, printings, conditions, languages, roles of the card.
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


def _wrong_name_message(finding: Finding, translate: Language) -> str:
    """Return the message of `card.mismatch`: a card is written with the name of another card."""
    return translate(
        "{line}{card} has the name of another card, “{written}”.",
        line=words.line_prefix(finding, translate),
        card=words.card_text(finding, translate),
        written=finding.details["written"],
    )


def _fix(finding: Finding, translate: Language) -> str:
    """Return the fix of `card.mismatch`: to write the card's name, or the number of one of the suggested cards."""
    return translate(
        "Write {card}. If you play {others}, write the number of that card.",
        card=words.card_text(finding, translate),
        others=words.list_cards(finding.suggestions or (), translate, _MOST_SHOWN, counted=False),
    )


MISMATCH = Code(
    "card.mismatch",
    "Number and name on one line are of different cards; it counts as the number.",
    _wrong_name_message,
    _fix,
    {"written": (str, "The name that stands beside the number.")},
)
CODES = (MISMATCH,)


class Names:
    """The index of a catalogue's names, for the check that a name fits the number beside it.

    It is built when a name beside a number first differs from the card's name.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        """Store the catalogue. Its names are indexed at first use."""
        self._catalogue = catalogue
        self._cache: dict[tuple[Card, str], _Others] = {}

    def mismatches(self, used: Iterable[tuple[str, Sequence[DeckLine]]]) -> Iterator[Finding]:
        """Yield a finding for each card that is written with the name of another card.

        It is about all such lines of the card. `used` has each section with its lines. Lines without a number, without
        a name, or of an unknown number are skipped.
        """
        found: dict[Card, list[tuple[str, DeckLine]]] = {}
        for section, lines in used:
            for line in lines:
                card = self._find_card(line)
                if card is not None and line.name != card.name and self.other_cards(card, line.name or ""):
                    found.setdefault(card, []).append((section, line))
        for card, same in found.items():
            yield self._make_finding(card, same)

    def other_cards(self, card: Card, text: str) -> Sequence[Card]:
        """Return the cards that a written name fits better than `card`, the card of the number beside it.

        () if the name fits the card, or no card. At most MOST_OTHER_NAMES are returned.
        """
        return self._find_others(card, text).cards

    def _find_others(self, card: Card, text: str) -> _Others:
        """Return the other cards that a written name fits better than `card`, with the severity. The result is cached.

        The cache is cleared after MOST_NAMES_COMPARED names.
        """
        if (card, text) not in self._cache:
            if len(self._cache) >= MOST_NAMES_COMPARED:
                self._cache.clear()
            called = self._catalogue.by_name(text)
            own = _NONE if card in called else self._fitting_cards(_OwnNames(card), _split_name(text))
            self._cache[card, text] = own or self._others_by_translation(card, called, text)
        return self._cache[card, text]

    def _others_by_translation(self, card: Card, called: Sequence[Card], text: str) -> _Others:
        """Return the cards `called` so in another language, and the severity. Empty if `card` is one of them.

        `called` are all cards with the name `text`. Empty also if `text` is an English name. It is WARNING if an
        English name of theirs could be a name of `card`, too, else ERROR.
        """
        if card in called or "".join(_split_name(text)) in self._index.whole:
            return _NONE
        own = _OwnNames(card)
        may_be = any(own.may_be(name, "".join(name)) for other in called for name in _split_names(other))
        return _Others(called[:MOST_OTHER_NAMES], WARNING if may_be else ERROR)

    def _find_card(self, line: DeckLine) -> Card | None:
        """Return the card of a line with number and name. None if one is missing or the number is unknown."""
        if not (line.name and line.number):
            return None
        return self._catalogue.index.get(line.number) or self._catalogue.by_number(line.number)

    def _make_finding(self, card: Card, lines: Sequence[tuple[str, DeckLine]]) -> Finding:
        """Return the finding `card.mismatch` on the lines of a card, each with its section.

        The first line decides on the name, the suggested cards, the severity, the section and the place. The copies of
        all lines are added up.
        """
        section, line = lines[0]
        count = sum(line.count for _, line in lines)
        others, severity = self._find_others(card, line.name or "")
        return Finding(
            MISMATCH,
            Citation(
                phrase("Your list"), phrase("line {line}", line=line.at) if line.at else phrase("number and name")
            ),
            section,
            severity,
            cards=(NamedCard.from_card(card, count),),
            count=count,
            suggestions=tuple(map(NamedCard.from_card, others)),
            line=line.at,
            details={"written": line.name},
        )

    def _fitting_cards(self, own: _OwnNames, written_words: Sequence[str]) -> _Others:
        """Return the other cards that the words fit better, first for all words, then without remarks such as rarities.

        Words of the card's own name are no remarks.
        """
        # A remark may be a word of the own name, too: "Striker Pack".
        each = written_words, [word for word in written_words if word not in REMARKS or own.has_word(word)]
        return next(filter(None, (self._find_other_cards(own, words) for words in each)), _NONE)

    def _find_other_cards(self, own: _OwnNames, words: Sequence[str]) -> _Others:
        """Return the other cards that the written words fit better, and the severity.

        It is ERROR for the exact name of other cards, and for a name more similar than the own one. It is WARNING if
        the own name is still possible, or if the words are only in a trait or character of other cards. Empty if the
        words fit, or are only a remark.
        """
        whole = "".join(words)
        if whole in own.remarks:
            return _NONE
        if exact := self._index.whole.get(whole):
            return _Others(exact[:MOST_OTHER_NAMES], WARNING if own.may_be(words, whole) else ERROR)
        if own.may_be(words, whole) or own.is_contained_in(words) or own.is_remarked(words):
            return _NONE
        if nearer := self._nearest_cards(own, words):
            return _Others(nearer, ERROR)
        return _NONE if own.is_in_group(words) else _Others(self._index.cards_of_group(words), WARNING)

    def _nearest_cards(self, own: _OwnNames, words: Sequence[str]) -> Sequence[Card]:
        """Return at most MOST_OTHER_NAMES cards whose names are most similar to the words.

        () if the own name is as similar, or if at most one word is misspelled in it.
        """
        off = own.distance(words)
        found = self._index.similar_names(words) if off > 1 else {}
        typos_of = {name: typos for name, typos in found.items() if typos < off and name not in own.wholes}
        least = min(typos_of.values(), default=off)
        nearest = [name for name, typos in typos_of.items() if typos == least]
        others = (other for name in nearest for other in self._index.whole[name])
        return tuple(islice(dict.fromkeys(others), MOST_OTHER_NAMES))

    @cached_property
    def _index(self) -> _Index:
        """The index of the catalogue's names, built at first use."""
        return _Index(self._catalogue)


class _Others(NamedTuple):
    """The cards that a name fits better than the card of its number, and the severity of the finding."""

    cards: Sequence[Card]
    severity: str

    def __bool__(self) -> bool:
        """Return True if there are other cards that the name fits better."""
        return bool(self.cards)


_NONE = _Others((), WARNING)


class _OwnNames:
    """The names and facts of one card as folded words, for comparison with a written name.

    `wholes` are its names without blanks, front and back, with and without parts in parentheses. `remarks` are texts
    without blanks that are accepted beside its number: these names, facts such as its colour, REMARKS and "".
    """

    def __init__(self, card: Card) -> None:
        """Collect the names, remarks, traits and characters of a card as folded words."""
        names = _split_names(card)
        beside = (card.type, card.set or "", *card.colors, *card.attributes)
        plain = (_split_name(_IN_BRACKETS.sub("", name)) for name in (card.name, card.back_name or ""))
        self.wholes = {"".join(name) for name in (*names, *plain)} - {""}
        self.remarks = {"".join(_split_name(fact)) for fact in beside} | {"", *REMARKS, *self.wholes}
        self._words = {word for name in names for word in name}
        self._names = [frozenset(name) for name in names]
        self._beside = {word for fact in (*beside, *_groups(card)) for word in _split_name(fact)} | REMARKS
        self._described_as = [_split_name(group) for group in _groups(card)]

    def may_be(self, words: Sequence[str], joined_words: str) -> bool:
        """Return True if the words can be a short or misspelled name of the card.

        They can if each word is in one of the card's names, in any order, or if there are no words. They also can if
        `joined_words`, the words without blanks, are similar to a whole name, or equal to a trait or a character.
        """
        if self._words.issuperset(words) or joined_words in map("".join, self._described_as):
            return True
        return any(_is_similar(joined_words, name) for name in self.wholes)

    def is_in_group(self, words: Sequence[str]) -> bool:
        """Return True if one trait or character of the card contains all these words."""
        return any(set(words).issubset(group) for group in self._described_as)

    def has_word(self, word: str) -> bool:
        """Return True if a word is in the card's names."""
        return word in self._words

    def is_contained_in(self, words: Sequence[str]) -> bool:
        """Return True if the words contain all words of all names of the card, in any order."""
        return self._words.issubset(words)

    def is_remarked(self, words: Sequence[str]) -> bool:
        """Return True if the words are one of the card's names with remarks, facts of the card and numbers.

        The order of the words is ignored.
        """
        return any(
            name.issubset(words) and all(word in self._beside or word.isdigit() for word in words if word not in name)
            for name in self._names
        )

    def distance(self, words: Sequence[str]) -> int:
        """Return the distance of the words from the card's names.

        It is the sum of 0 for each word of these names, 1 for each similar word, and 2 for any other.
        """
        return sum(_distance(word, self._words) for word in words)


class _Index:
    """An index of cards by complete name and of names by word, which also finds spellings with one wrong letter.

    `whole` has the cards of each name. Its keys are folded names without blanks.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        """Index the names of all cards of a catalogue by their words and by their first and last letters."""
        self._catalogue = catalogue
        self.whole: dict[str, list[Card]] = {}
        self._ends: dict[str, list[str]] = {}  # whole names by their first and last letters
        self._names: dict[str, dict[str, None]] = {}  # by a word of theirs, in the order of the cards
        for card in catalogue:
            for name in _split_names(card):
                whole = "".join(name)
                if whole not in self.whole:
                    for end in (whole[:_END] + "-", "-" + whole[-_END:]):
                        self._ends.setdefault(end, []).append(whole)
                self.whole.setdefault(whole, []).append(card)
                for word in name:
                    self._names.setdefault(word, {})[whole] = None
        self._words = _index_shortened(self._names)

    @cached_property
    def _groups(self) -> Mapping[tuple[str, ...], Sequence[Card]]:
        """The cards of each trait or character. The keys are its folded words."""
        groups: dict[tuple[str, ...], list[Card]] = {}
        for card in self._catalogue:
            for group in _groups(card):
                groups.setdefault(tuple(_split_name(group)), []).append(card)
        return groups

    def cards_of_group(self, words: Sequence[str]) -> Sequence[Card]:
        """Return at most MOST_OTHER_NAMES cards of the first trait or character that contains all these words.

        () if none does.
        """
        groups = (cards for group, cards in self._groups.items() if set(words).issubset(group))
        return next(groups, ())[:MOST_OTHER_NAMES]

    def similar_names(self, words: Sequence[str]) -> dict[str, int]:
        """Return the card names similar to the words, each with the number of words that differ.

        Names are without blanks. They are the names that differ by at most one letter in all, which counts as 1, and
        those of `_names_containing`, whose number is preferred.
        """
        whole = "".join(words)
        ends = (whole[:_END] + "-", "-" + whole[-_END:])
        glued = (name for end in ends for name in self._ends.get(end, ()) if _is_similar(name, whole))
        return dict.fromkeys(glued, 1) | self._names_containing(words)

    def _names_containing(self, words: Sequence[str]) -> dict[str, int]:
        """Return the names that contain all these words or similar ones, each with the number of words that differ.

        Words of one letter are ignored if there are longer ones. A single misspelled word must be the whole name.
        """
        each = sorted(
            map(self._names_by_spelling, _significant_words(words)), key=lambda spelled: sum(map(len, spelled))
        )
        typos_of = dict.fromkeys(chain.from_iterable(each[0]), 0) if each else {}
        for spelled in each:
            found = ((name, _find_index(name, spelled)) for name in typos_of)
            typos_of = {name: typos_of[name] + min(place, 1) for name, place in found if place is not None}
        # A single word that is a letter off must be the whole name: any word is like some word of some name.
        return {name: typos for name, typos in typos_of.items() if len(words) > 1 or not typos or name in self._names}

    def _names_by_spelling(self, word: str) -> Sequence[Collection[str]]:
        """Return collections of names: first those that contain the word, then those that contain each similar word."""
        return [self._names.get(known, ()) for known in (word, *sorted(self._similar_words(word) - {word}))]

    def _similar_words(self, word: str) -> set[str]:
        """Return the words of card names with one letter of difference, or the word itself if it is one.

        Empty for remarks and for words of more than LONGEST_WORD letters.
        """
        if len(word) > LONGEST_WORD or word in REMARKS:
            return set()
        return {known for left in _shorten(word) for known in self._words.get(left, ()) if _is_similar(word, known)}


def _find_index(name: str, spelled: Sequence[Collection[str]]) -> int | None:
    """Return the index of the first collection that contains a name, None if none does."""
    return next((place for place, names in enumerate(spelled) if name in names), None)


def check_listed_names(own: LimitsList, official: LimitsList, catalogue: Catalogue) -> Iterator[str]:
    """Yield a sentence with the correction for each wrong card of the list `own` that is not in the list `official`.

    A card is in both lists if its number and name are equal. A card is wrong if the catalogue lacks its number, or if
    its name fits another card better. The sentences are sorted by number and are in English.
    """
    for number, name in sorted(own.cards() - official.cards()):
        card = catalogue.by_number(number)
        if card is None:
            yield f"The card list has no {number} ({name}); check the number."
        elif others := name_index(catalogue).other_cards(card, name):
            meant = " or ".join(other.label for other in others[:_MOST_SHOWN])
            yield f"{number} is {card.name}, and not {name}; correct the name, or write the number of {meant}."


@lru_cache(maxsize=4)
def name_index(catalogue: Catalogue) -> Names:
    """Return the index of a catalogue's names. It is cached, so that all Judges of a catalogue share it."""
    return Names(catalogue)


def _significant_words(words: Sequence[str]) -> Sequence[str]:
    """Return the words of more than one letter, or all words if there are none."""
    return [word for word in words if len(word) > 1] or words


def _split_name(name: str) -> list[str]:
    """Return the words of a name in lower case, without accents and punctuation."""
    return _WORD.findall(strip_marks(name).casefold())


def _split_names(card: Card) -> list[list[str]]:
    """Return the words of each name of a card, front and back. Names without a word are left out."""
    return [words for name in (card.name, card.back_name) if name and (words := _split_name(name))]


def _groups(card: Card) -> tuple[str, ...]:
    """Return the traits and characters of both faces of a card."""
    return (*card.traits, *card.back_traits, *card.characters, *card.back_characters)


def _distance(word: str, own: Iterable[str]) -> int:
    """Return 0 if a word is one of the card's `own` words, 1 if it is similar to one, 2 otherwise."""
    return min((0 if word == own_word else 1 if _is_similar(word, own_word) else 2 for own_word in own), default=2)


def _index_shortened(texts: Iterable[str]) -> dict[str, list[str]]:
    """Return the texts by each of their versions of `_shorten`. Two similar texts always share a version."""
    found: dict[str, list[str]] = {}
    for text in texts:
        for left in _shorten(text):
            found.setdefault(left, []).append(text)
    return found


def _shorten(text: str) -> set[str]:
    """Return the text itself and all its versions without one letter. A single letter has only itself."""
    return {text, *(text[:index] + text[index + 1 :] for index in range(len(text) if len(text) > 1 else 0))}


_END = 3  # letters; a name with one wrong letter has a correct beginning or a correct end


def _is_similar(first: str, second: str) -> bool:
    """Return True if two texts are equal or differ by one letter: added, missing, replaced, or swapped with the next.

    Two texts of fewer than three letters must be equal.
    """
    if abs(len(first) - len(second)) > 1 or max(len(first), len(second)) < _END:
        return first == second
    index = next(
        (index for index, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )
    first, second = first[index:], second[index:]
    swapped = first[:2] == second[1::-1] and first[2:] == second[2:]
    return swapped or first[1:] in (second, second[1:]) or first == second[1:]
