"""Names: what people are called, in any script, fit to be printed and to be filed by."""

from __future__ import annotations

import re
import unicodedata
from itertools import accumulate, islice
from typing import NamedTuple, Self

from validator.matching import fold_text
from validator.texts import nfc

_MOST_MARKS = 4  # on one letter; what stacks higher prints over the lines above and below
_JOINERS = "\u200c\u200d"
# Blank though they count as letters, and the combining joiner that nobody sees.
_BLANK = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")
_UNWRITABLE = frozenset(("Cc", "Cf", "Cs"))
_SPACES = re.compile(r"\s+")
_COMMA = re.compile(" ?[,，،、] ?")
# The suffix of a son or grandson with the same name. It is no last name.
_SUFFIXED = re.compile(r"(.+?),? ((?i:[JS]r)\.?|(?:II|III|IV)\.?)")
# The Unicode name of a Latin letter with any accent or stroke: É, Ø, Ł, Æ.
_LATIN = re.compile(r"LATIN (?:CAPITAL|SMALL) LETTER ([A-Z]{1,2})(?: WITH .+)?")
# Small words of Romance languages with which a last name begins. Lists are sorted by them. Those of Dutch and German
# names come after the first name instead.
_FILED_BY = frozenset(
    ["de", "del", "della", "delle", "dei", "di", "da", "das", "do", "dos", "du", "des", "la", "las", "le", "les", "los"]
)
_FILED_AFTER = frozenset(["van", "von", "der", "den", "ten", "ter", "vom", "zu", "zum", "zur"])
# Names in these scripts have the family name first and no comma.
_FAMILY_FIRST = ("CJK ", "HIRAGANA ", "KATAKANA ", "HANGUL ", "BOPOMOFO ")


def clean_text(text: str) -> str:
    """Return a text on one line, without characters that are invisible or may reorder or break a printed sheet.

    These are control and direction characters, zero-width characters, blank letters, lone surrogates and
    non-characters. Joiners stay if the script needs them for spelling. A letter keeps at most 4 marks such as accents.
    Unicode is composed (NFC).
    """
    spaced = _SPACES.sub(" ", nfc(text))
    if not _is_plain(spaced):
        piles = islice(accumulate(spaced, _count_marks, initial=0), 1, None)
        kept = (
            char
            for place, (char, marks) in enumerate(zip(spaced, piles, strict=True))
            if marks <= _MOST_MARKS and (_is_visible(char) or _is_needed_joiner(spaced, place))
        )
        spaced = _SPACES.sub(" ", "".join(kept))
    return spaced.strip()


def _is_plain(text: str) -> bool:
    """Return True if a text only has letters, digits, blanks and `'.,-`, so that no character needs a closer look.

    Letters that are invisible are not plain. In an ASCII text every printable character is plain.
    """
    if text.isascii():
        return text.isprintable()
    return _BLANK.isdisjoint(text) and all(char.isalnum() or char in " '.,-" for char in set(text))


def _count_marks(marks: int, char: str) -> int:
    """Return the number of successive marks on a letter: `marks` + 1 if `char` is a mark, else 0."""
    return marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0


def _is_visible(char: str) -> bool:
    """Return True if a character can be printed.

    It is no blank letter, no control, format or direction character, no lone surrogate and no non-character.
    """
    if char in _BLANK or unicodedata.category(char) in _UNWRITABLE:
        return False
    return ord(char) & 0xFFFE != 0xFFFE and not 0xFDD0 <= ord(char) <= 0xFDEF


def _is_needed_joiner(text: str, place: int) -> bool:
    """Return True if the character at `place` is a joiner that the script needs for spelling (Persian, Hindi, …).

    It must be after a mark or a letter of a script without capitals, and before another letter.
    """
    if text[place] not in _JOINERS or not 0 < place < len(text) - 1:
        return False
    return unicodedata.category(text[place - 1]) in ("Lo", "Mn", "Mc") and text[place + 1].isalpha()


class PersonName(NamedTuple):
    """A person's name as last name, by which lists are sorted, and first name, "" if there is none."""

    last: str
    first: str = ""

    @classmethod
    def parse(cls, name: str) -> Self:
        """Return the parts of a full name: of "Last, First" as written, else the last word is the last name.

        "Jr." or "III" after the last name, and "de la" before it, belong to it. "van" and "von" belong to the first
        name. If the script writes the family name first, the first word is the last name.
        """
        name = _COMMA.sub(", ", clean_text(name)).strip(", ")
        whole, suffix = suffixed.groups() if (suffixed := _SUFFIXED.fullmatch(name)) else (name, "")
        if "," in whole:
            last, first = name.split(", ", 1)
            return cls(last, first)
        if _has_family_first(whole):
            last, _, first = whole.partition(" ")
        else:
            first, last = _split_full_name(whole)
        return cls(f"{last} {suffix}".strip(), first)

    def shorten(self, longest: int) -> PersonName:
        """Return the name cut to `longest` characters without separators. The first name is cut first.

        At least one character of a first name is left, as "…", also if the result is then longer than `longest`.
        """
        last = cut(self.last, longest)
        return PersonName(last, cut(self.first, max(longest - len(last), 1)))

    @property
    def full_name(self) -> str:
        """The name with the last name first: "Last, First", or without the comma in scripts such as Japanese."""
        return (" " if _has_family_first(self.last) else ", ").join(filter(None, self))

    @property
    def order(self) -> str:
        """The sort key of lists: Latin letters sort with their base letter, other scripts after them.

        Letter case is ignored.
        """
        return fold_text("".join(map(_base_letter, self.full_name)))

    @property
    def initial(self) -> str:
        """The first letter or digit of the last name as a capital without accents, by which lists file the name.

        "" for no name.
        """
        letter = next(filter(str.isalnum, self.last), self.last[:1])
        return _base_letter(letter).upper()[:1]


def cut(text: str, longest: int) -> str:
    """Return a text cut to `longest` characters, the last of which is "…" if the text was longer."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _split_full_name(name: str) -> tuple[str, str]:
    """Return `(first name, last name)` of a name without a comma.

    The last word is the last name, with "de la" before it. "van" and "von" stay with the first name, because lists do
    not sort by them. The first name of a single word is "".
    """
    words = name.split(" ")
    at = len(words) - 1
    while at and words[at - 1] in _FILED_BY | _FILED_AFTER:
        at -= 1
    if at and not _FILED_AFTER.isdisjoint(words[at:-1]):
        at = len(words) - 1
    return " ".join(words[:at]), " ".join(words[at:])


def _base_letter(letter: str) -> str:
    """Return the Latin letter below the accents of a letter: É → E. Any other letter is returned unchanged."""
    latin = None if letter.isascii() else _LATIN.fullmatch(unicodedata.name(letter, ""))
    return latin[1] if latin else letter


def _has_family_first(name: str) -> bool:
    """Return True if the script of a name's first letter writes the family name first, as Japanese does."""
    return unicodedata.name(name[:1] or " ", "").startswith(_FAMILY_FIRST)
