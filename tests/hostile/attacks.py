"""Attacks: texts that are expensive to parse, of every kind of character and piece of a list, from a fixed seed.

`DECKPROOF_ATTACKS=1000000` draws as many random texts instead of a few hundred.
"""

from __future__ import annotations

import os
import random
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

SEED = 18
DRAWN = int(os.environ.get("DECKPROOF_ATTACKS", "800"))

# Characters that stand for many others, that sort badly, that part no run, or that nobody sees.
_ODD = (
    *("\ufdfa", "\u337f", "\u0301\u0327", "\u0327\u0301", "\u0f73", "\uff9e", "\u0344", "\u1e9b\u0323", "\u034f"),
    *(
        "\u200b",
        "\u200d",
        "\ufeff",
        "\u202e",
        "\u3164",
        "\uac00",
        "\u1100\u1161\u11a8",
        "\U0001f468\u200d",
        "\U0001d15e",
    ),
    *("\x00", "\x0b", "\x1c", "\x85", "\u2028", "\ud800", "\uffff", "\U000e0001", "\U0010ffff", "İ", "ß", "ﬃ", "ー"),
)
_BRACKETS = ("(", ")", "[", "]", "{", "}", "<", ">", "()", ")(", "[]", "][", "[[[]", "({[<", "【", "】", "《", "「")
_QUOTES = ("'", '"', "''", '""', '"a', "`", "```", "’", "„", "«")
_DIGITS = ("0", "1", "9", "1 ", "1.", "1,", "1-", "٤", "４", "➃", "²", "½", "x1", "1x", "#1 ", "$1.1 ")
_COUNTS = ("4 ", "x4 ", "4x ", "4 x ", "(4) ", "[4]", "x 4", "one ", "two x ", "four ", "playset ", "total 4 ", "4枚")
_CARDS = (
    *(
        "OP01-016 ",
        "OP01016",
        "OP01-",
        "4 OP01-016 ",
        "4xOP01-016 ",
        "(OP01-016)",
        "OP01-016_p1",
        "_A",
        "#A",
        "BT1-0101[",
    ),
    *("4 Nami ", "4 Nami, ", "4 Nami and ", "4 Nami // ", "4 a (a ", "(side) ", "(OP01) 16 ", "0P01-O16 ", "P-1 "),
)
_WORDS = ("Leader ", "Leader: ", "Main Deck ", "SB: ", "Side (2) ", "// ", "//deck-1", "Total: ", "Cost 3 (8) ", "- ")
_MARKUP = ("<a ", "<b>", "&a;", "&#769;", "**", "[a](", "[a](http://b)", "http://a?b=1&", "?deck=1xA;", "www.", "\\n")
_CODE = ('{"', '{"a":', '[["', "[{", "{ ", ",", ";", "|", "\t", "a,b", '"a",', "=", "=a", ":", "a:1,", "1nA", "*", "~")
PIECES = (
    *_ODD,
    *_BRACKETS,
    *_QUOTES,
    *_DIGITS,
    *_COUNTS,
    *_CARDS,
    *_WORDS,
    *_MARKUP,
    *_CODE,
    " ",
    "a",
    "a ",
    "A",
    "ab ",
)


def categories() -> Iterator[str]:
    """Yield characters of every Unicode category: the first, one from the middle, and two neighbours."""
    of: dict[str, list[str]] = {}
    for char in map(chr, range(0x30000)):
        of.setdefault(unicodedata.category(char), []).append(char)
    for chars in of.values():
        middle = len(chars) // 2
        yield from (chars[0], chars[middle], "".join(chars[middle : middle + 2]))


def units() -> list[str]:
    """Return all texts that attacks repeat, in a random order: pieces, characters, and pairs of them."""
    alone = [*PIECES, *categories()]
    chance = random.Random(SEED)
    chance.shuffle(alone)
    found = [*alone, *map("".join, pairwise(alone))]
    chance.shuffle(found)
    return found


def part_of_units(part_index: int, part_count: int, most: int) -> list[str]:
    """Return one of `part_count` disjoint parts of the units.

    It has at most `most` units, or more if more texts are drawn.
    """
    return units()[part_index::part_count][: max(most, DRAWN // 400)]


def repeat_unit(unit: str, length: int) -> str:
    """Return a text of this length that repeats the unit."""
    return (unit * (length // len(unit) + 1))[:length]


def in_lines(unit: str, length: int, width: int) -> str:
    """Return the unit repeated in different lines."""
    lines = (f"{at} {repeat_unit(unit, width)}" for at in range(length // (width + 5)))
    return "\n".join(lines)


def mix_pieces(chance: random.Random, length: int) -> str:
    """Return random pieces and characters as one text of at most this length."""
    pieces = chance.choices(PIECES, k=chance.randint(1, 8))
    text = ""
    while len(text) < length:
        text += chance.choice(pieces) * chance.choice((1, 1, 2, 30)) + chance.choice(("", "", " ", "\n"))
    return text[:length]
