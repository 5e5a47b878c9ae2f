"""Join codes: an event's id in two words that are read out and typed, for who cannot scan."""

from __future__ import annotations

import re

# Sixteen bits a word, consonants and vowels in turn, so that every word can be spoken (proquints, by D. S. Wilkerson).
_CONSONANTS, _VOWELS = "bdfghjklmnprstvz", "aiou"
_SYLLABLES = ((12, _CONSONANTS), (10, _VOWELS), (6, _CONSONANTS), (4, _VOWELS), (0, _CONSONANTS))
_WORD = "[bdfghjklmnprstvz][aiou][bdfghjklmnprstvz][aiou][bdfghjklmnprstvz]"
_CODE = re.compile(f"({_WORD})[ -]?({_WORD})")
_DIGITS = 4  # of an id in a word
LONGEST_CODE = 40  # characters that are looked at

BEGINNING = 2 * _DIGITS  # of an id that a code is made of


def join_code(event_id: str) -> str:
    """Return the code of an event, such as lusab-babad."""
    return "-".join(_word(int(event_id[at : at + _DIGITS], 16)) for at in (0, _DIGITS))


def beginning(code: str) -> str:
    """Return what the id of the event begins with that a code is of, "" where it is no code."""
    found = _CODE.fullmatch(" ".join(code.lower().split()))
    return "".join(f"{_number(word):0{_DIGITS}x}" for word in found.groups()) if found else ""


def _word(number: int) -> str:
    return "".join(letters[number >> shift & len(letters) - 1] for shift, letters in _SYLLABLES)


def _number(word: str) -> int:
    return sum(letters.index(letter) << shift for letter, (shift, letters) in zip(word, _SYLLABLES, strict=True))
