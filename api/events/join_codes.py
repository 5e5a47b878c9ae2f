"""Join codes: the first bits of an event's id as words to read out and type, for players who cannot scan a flyer.

A word is a proquint (D. S. Wilkerson): 16 bits as consonants and vowels in turn. A place in a word has only consonants
or only vowels, so letters that look alike, such as l and i or u and v, never stand for each other; digits are not used.
"""

from __future__ import annotations

import re
from typing import Literal

CodeWords = Literal[2, 3]
SHORT_CODE: CodeWords = 2  # words: 32 bits
LONG_CODE: CodeWords = 3  # words: 48 bits

_CONSONANTS, _VOWELS = "bdfghjklmnprstvz", "aiou"
_SYLLABLES = ((12, _CONSONANTS), (10, _VOWELS), (6, _CONSONANTS), (4, _VOWELS), (0, _CONSONANTS))
_WORD = "[bdfghjklmnprstvz][aiou][bdfghjklmnprstvz][aiou][bdfghjklmnprstvz]"
_CODE = re.compile(f"({_WORD})[ -]?({_WORD})(?:[ -]?({_WORD}))?")
_DIGITS = 4  # hexadecimal digits of the id in each word

UNIQUE_DIGITS = SHORT_CODE * _DIGITS  # first digits of an id that no two events share


def join_code(event_id: str, words: CodeWords = SHORT_CODE) -> str:
    """Return the join code of an event, such as lusab-babad."""
    return "-".join(_word(int(event_id[start : start + _DIGITS], 16)) for start in range(0, words * _DIGITS, _DIGITS))


def id_prefix(code: str) -> str:
    """Return the digits with which the id of a code's event begins, or "" if the text is not a code.

    Upper case is accepted, and a space or nothing between the words.
    """
    found = _CODE.fullmatch(" ".join(code.lower().split()))
    return "".join(f"{_number(word):0{_DIGITS}x}" for word in found.groups() if word) if found else ""


def _word(number: int) -> str:
    return "".join(letters[number >> shift & len(letters) - 1] for shift, letters in _SYLLABLES)


def _number(word: str) -> int:
    return sum(letters.index(letter) << shift for letter, (shift, letters) in zip(word, _SYLLABLES, strict=True))
