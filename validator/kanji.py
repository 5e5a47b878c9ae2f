"""Kanji: counts in the numerals of Japanese and Chinese: 二枚, 十張, 两张."""

from __future__ import annotations

import re

_DIGITS = dict(zip("一二三四五六七八九", range(1, 10), strict=True)) | {"两": 2, "兩": 2}
_NUMERAL = rf"(?:[{''.join(_DIGITS)}]?十[一二三四五六七八九]?|[{''.join(_DIGITS)}])"
# A numeral that ends a word with its unit; one within a name ("三枚目") is no count.
_COUNTED = re.compile(rf"(?<![^\W0-9A-Za-z])({_NUMERAL}) ?(?=[枚張张](?!\w))")
_ALONE = re.compile(_NUMERAL)
_UNITS = frozenset("枚張张")


def with_digits(text: str) -> str:
    """Return a text with the numerals before 枚, 張 and 张 as digits: "BT1-007 二枚" is "BT1-007 2枚"."""
    return text if _UNITS.isdisjoint(text) else _COUNTED.sub(lambda found: str(numeral(found[1])), text)


def numeral(text: str) -> int | None:
    """Return the number that a text is as a numeral from 1 to 99, None for any other text."""
    if not _ALONE.fullmatch(text):
        return None
    tens, is_ten, ones = text.rpartition("十")
    return (10 * _DIGITS.get(tens, 1) if is_ten else 0) + _DIGITS.get(ones, 0)
