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
# What a son or grandson of that name is told by; it is no last name.
_SUFFIXED = re.compile(r"(.+?),? ((?i:[JS]r)\.?|(?:II|III|IV)\.?)")
# What Unicode calls a Latin letter, whatever is on it or through it: É, Ø, Ł, Æ.
_LATIN = re.compile(r"LATIN (?:CAPITAL|SMALL) LETTER ([A-Z]{1,2})(?: WITH .+)?")
# Small words that a last name may begin with. Lists are filed by those of Romance languages; the Dutch and German ones
# stand after the first name there.
_FILED_BY = frozenset(
    ["de", "del", "della", "delle", "dei", "di", "da", "das", "do", "dos", "du", "des", "la", "las", "le", "les", "los"]
)
_FILED_AFTER = frozenset(["van", "von", "der", "den", "ten", "ter", "vom", "zu", "zum", "zur"])
# Names in these scripts have the family name first and no comma.
_FAMILY_FIRST = ("CJK ", "HIRAGANA ", "KATAKANA ", "HANGUL ", "BOPOMOFO ")


def clean_text(text: str) -> str:
    """Return a text on one line, without invisible characters that may reorder or break a sheet.

    These are control and direction characters, zero-width characters, blank letters, lone surrogates and
    non-characters. Joiners stay if the script needs them for spelling.
    """
    spaced = _SPACES.sub(" ", nfc(text))
    if not _is_plain(spaced):
        piles = islice(accumulate(spaced, _pile, initial=0), 1, None)
        kept = (
            char
            for place, (char, marks) in enumerate(zip(spaced, piles, strict=True))
            if marks <= _MOST_MARKS and (_is_visible(char) or _joins(spaced, place))
        )
        spaced = _SPACES.sub(" ", "".join(kept))
    return spaced.strip()


def _is_plain(text: str) -> bool:
    """Return True if no character of a name needs a closer look: only letters, digits and common punctuation."""
    if text.isascii():
        return text.isprintable()
    return _BLANK.isdisjoint(text) and all(char.isalnum() or char in " '.,-" for char in set(text))


def _pile(marks: int, char: str) -> int:
    """Return the number of marks on a letter up to this mark."""
    return marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0


def _is_visible(char: str) -> bool:
    """Return True if a character can be printed: neither blank, nor a control character, nor a non-character."""
    if char in _BLANK or unicodedata.category(char) in _UNWRITABLE:
        return False
    return ord(char) & 0xFFFE != 0xFFFE and not 0xFDD0 <= ord(char) <= 0xFDEF


def _joins(text: str, place: int) -> bool:
    """Return True if a joiner is between letters of a script that needs it for spelling (Persian, Hindi, …)."""
    if text[place] not in _JOINERS or not 0 < place < len(text) - 1:
        return False
    return unicodedata.category(text[place - 1]) in ("Lo", "Mn", "Mc") and text[place + 1].isalpha()


class PersonName(NamedTuple):
    """A person's name without invisible characters, as last name, by which lists are sorted, and first name."""

    last: str
    first: str = ""

    @classmethod
    def parse(cls, name: str) -> Self:
        """Return the parts of a full name: of "Last, First" as written, else the last word is the last name.

        "Jr." or "III" after the last name, and "de la" before it, belong to it. If the script writes the family
        name first, the first word is the last name.
        """
        name = _COMMA.sub(", ", clean_text(name)).strip(", ")
        whole, suffix = suffixed.groups() if (suffixed := _SUFFIXED.fullmatch(name)) else (name, "")
        if "," in whole:
            last, first = name.split(", ", 1)
            return cls(last, first)
        if _has_family_first(whole):
            last, _, first = whole.partition(" ")
        else:
            first, last = _split_name(whole)
        return cls(f"{last} {suffix}".strip(), first)

    def shorten(self, longest: int) -> PersonName:
        """Return the name cut to a number of characters. The last name, by which lists are sorted, is cut last."""
        last = cut(self.last, longest)
        return PersonName(last, cut(self.first, max(longest - len(last), 1)))

    @property
    def full_name(self) -> str:
        """The name with the last name first: "Last, First", or without the comma in scripts such as Japanese."""
        return (" " if _has_family_first(self.last) else ", ").join(filter(None, self))

    @property
    def order(self) -> str:
        """The sort key of lists: Latin letters sort with their base letter, other scripts after them."""
        return fold_text("".join(map(_base, self.full_name)))

    @property
    def initial(self) -> str:
        """The letter that lists are filed under."""
        letter = next(filter(str.isalnum, self.last), self.last[:1])
        return _base(letter).upper()[:1]


def cut(text: str, longest: int) -> str:
    """Return a text cut to a number of characters, with an ellipsis if it was longer."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _split_name(name: str) -> tuple[str, str]:
    """Return the first and the last name of a name without a comma."""
    words = name.split(" ")
    at = len(words) - 1
    while at and words[at - 1] in _FILED_BY | _FILED_AFTER:
        at -= 1
    if at and not _FILED_AFTER.isdisjoint(words[at:-1]):
        at = len(words) - 1
    return " ".join(words[:at]), " ".join(words[at:])


def _base(letter: str) -> str:
    """Return the Latin letter below the accents of a letter. Any other letter is returned unchanged."""
    latin = None if letter.isascii() else _LATIN.fullmatch(unicodedata.name(letter, ""))
    return latin[1] if latin else letter


def _has_family_first(name: str) -> bool:
    """Return True if the script of a name writes the family name first."""
    return unicodedata.name(name[:1] or " ", "").startswith(_FAMILY_FIRST)
