"""Texts from outside: their length is limited first, then they are brought into Unicode's normal forms.

Normalisation sorts the marks on one letter by insertion, so a long run of marks takes time quadratic in its length. One
character may also expand to eighteen others. So lengths are measured after expansion, and runs are limited as in the
Stream-Safe Text Format (Unicode Standard Annex 15, 13).
"""

from __future__ import annotations

import re
from itertools import pairwise
from unicodedata import combining, digit, normalize

from validator.bounds import LONGEST_CELL as LONGEST_CELL
from validator.bounds import LONGEST_LINE as LONGEST_LINE
from validator.bounds import LONGEST_LIST as LONGEST_LIST
from validator.bounds import LONGEST_NAME as LONGEST_NAME
from validator.bounds import MOST_MARKS
from validator.language import phrase

# Invisible characters that separate no words, for str.translate: soft hyphens, joiners, byte order marks.
INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))

_PLAIN_FORMS = {
    **dict.fromkeys("‐‑‒–—―−⁃ー", "-"),
    **dict.fromkeys("×✕✖хХ", "x"),
    **dict.fromkeys("【〔", "["),
    **dict.fromkeys("】〕", "]"),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("“”„", '"'),
    "、": ",",
}
_LONG_RUN = re.compile(rb"[^\0]{%d}(?=[^\0])" % MOST_MARKS)
_QUOTED = 60  # characters of a value in a sentence
_JOINER = "\u034f"  # divides a run and is no blank, as in the annex


def doubt(text: str, longest: int) -> str:
    """Return the reason why a text is refused, as the end of a sentence: "has 12 characters, but …".

    "" if it is accepted. It is refused if it has more than `longest` characters after expansion to NFKC, or too many
    accents on one letter.
    """
    if len(text) <= longest and text.isascii():
        return ""
    meant = text if len(text) > longest else _normalise_each(text, "NFKC")
    if len(meant) > longest:
        if len(text) > longest:
            return phrase(
                "has {length:,} characters, but at most {longest:,} are allowed", length=len(meant), longest=longest
            )
        return phrase(
            "has {length:,} characters when its ligatures are spelled out, but at most {longest:,} are allowed",
            length=len(meant),
            longest=longest,
        )
    if run := _LONG_RUN.search(_combining_classes(meant)):
        line = len(meant[: run.end()].splitlines())
        return phrase("has more than {most} accents on one letter in line {line}", most=MOST_MARKS, line=line)
    return ""


def shorten_value(text: str) -> str:
    """Return a value for a quotation in a sentence: on one line, cut to 60 characters with "…" behind them.

    Characters that cannot be printed become blanks.
    """
    line = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * _QUOTED]).split())
    return f"{line[:_QUOTED]}…" if len(line) > _QUOTED or len(text) > 4 * _QUOTED else line


def nfc(text: str) -> str:
    """Return a text in NFC: letters and their marks are composed. Runs of more than MOST_MARKS marks get joiners."""
    return _normalise(text, "NFC")


def nfkc(text: str) -> str:
    """Return a text in NFKC: letters and marks are composed, and compatible characters are unified.

    Runs of more than MOST_MARKS marks get joiners.
    """
    return _normalise(text, "NFKC")


def nfkd(text: str) -> str:
    """Return a text in NFKD: marks are separate from letters, and compatible characters are unified.

    Runs of more than MOST_MARKS marks get joiners.
    """
    return _normalise(text, "NFKD")


def strip_marks(text: str) -> str:
    """Return a text without the accents of its letters and in NFKD, so that compatible characters are unified."""
    return text if text.isascii() else "".join(char for char in nfkd(text) if not combining(char))


def _normalise(text: str, form: str) -> str:
    """Return a text in the normal form NFC, NFKC or NFKD. Runs of more than MOST_MARKS marks are divided first.

    ASCII texts are returned unchanged.
    """
    if text.isascii():
        return text
    if len(text) > MOST_MARKS:
        text = _divide_runs(_normalise_each(text, form))
    return normalize(form, text)  # type: ignore[arg-type]  # one of its forms


def _normalise_each(text: str, form: str) -> str:
    """Return a text with each character normalised by itself to a form, in time linear in its length."""
    return text.translate({ord(char): normalize(form, char) for char in set(text)})  # type: ignore[arg-type]


def _divide_runs(text: str) -> str:
    """Return a text with an invisible joiner after each MOST_MARKS marks in a row, if another mark follows."""
    cuts = [run.end() for run in _LONG_RUN.finditer(_combining_classes(text))]
    return _JOINER.join(text[start:end] for start, end in pairwise((0, *cuts, len(text)))) if cuts else text


def _combining_classes(text: str) -> bytes:
    """Return one byte for each character of a text: its combining class, which is 0 for a character that is no mark."""
    return bytes(map(combining, text))


_DIGITS = dict(zip("一二三四五六七八九", range(1, 10), strict=True)) | {"两": 2, "兩": 2}
_NUMERAL = rf"(?:[{''.join(_DIGITS)}]?十[一二三四五六七八九]?|[{''.join(_DIGITS)}])"
# A numeral that ends a word with its unit; one within a name ("三枚目") is no count.
_COUNTED = re.compile(rf"(?<![^\W0-9A-Za-z])({_NUMERAL}) ?(?=[枚張张](?!\w))")
_ALONE = re.compile(_NUMERAL)
_UNITS = frozenset("枚張张")


def with_digits(text: str) -> str:
    """Return a text with the Chinese numerals before 枚, 張 and 张 as digits: "BT1-007 二枚" is "BT1-007 2枚".

    Such a counter within a word is ignored.
    """
    return text if _UNITS.isdisjoint(text) else _COUNTED.sub(lambda found: str(numeral(found[1])), text)


def numeral(text: str) -> int | None:
    """Return the number that a whole text is as a Chinese numeral from 1 to 99 ("二十一"), None for any other text."""
    if not _ALONE.fullmatch(text):
        return None
    tens, is_ten, ones = text.rpartition("十")
    return (10 * _DIGITS.get(tens, 1) if is_ten else 0) + _DIGITS.get(ones, 0)


def to_plain_characters(text: str) -> str:
    """Return a text of the same length with each character replaced by its plain form: dashes by "-", "×" by "x".

    Full-width characters, quotes, brackets and digits of other scripts are replaced, too.
    """
    return text if text.isascii() else text.translate({ord(char): _plain_character(char) for char in set(text)})


def _plain_character(character: str) -> str:
    """Return the plain ASCII form of a character, or the character if it has none."""
    if character in _PLAIN_FORMS:
        return _PLAIN_FORMS[character]
    composed = nfkc(character)
    if len(composed) == 1 and composed.isascii():
        return composed
    # Circled digits and others that NFKC does not change: ➃, ٤.
    value = digit(character, None)
    return character if value is None else str(value)
