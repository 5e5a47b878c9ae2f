"""Packed decks: the decks in links of onepiece-cardgame.dev, packed by JSONCrush. Called by `links`.

An unpacked deck is a version, "D" and one group per set, joined by "*". A group is the length of the set's code, the
code ("DON" for DON!! cards) and its cards. In version 1, a card is its count, the length of its number and the number.
In version 2, it is its count, both lengths, its number and the suffix of its printing.
"""

from __future__ import annotations

from collections.abc import Iterator

_LONGEST = 20_000  # characters of an unpacked deck: substitutions could otherwise grow without end


def parse_packed_cards(packed: str) -> list[tuple[str, str]] | None:
    """Return `(count, number)` for each card of a packed deck. None for any other text.

    The number of a DON!! card is "". The count is text, and is not checked.
    """
    text = _unpack(packed)
    version, groups = text[:2], text[2:].split("*")
    if version not in ("1D", "2D"):
        return None
    try:
        return [card for group in groups for card in _parse_group(group, has_suffixes=version == "2D")]
    except ValueError:
        return None


def _unpack(packed: str) -> str:
    """Return a text as it was before JSONCrush packed it. "" if a substitution would give over 20,000 characters.

    Each character behind U+0001 is a substitute. It is replaced by the text behind its last occurrence, one after
    another.
    """
    text, _, marks = packed.removesuffix("_").partition("\1")
    for mark in marks:
        *parts, last = text.split(mark)
        if len(text) + len(parts) * len(last) > _LONGEST:
            return ""
        text = last.join(parts)
    return text


def _parse_group(group: str, *, has_suffixes: bool) -> Iterator[tuple[str, str]]:
    """Yield `(count, number)` for each card of a group, in version 2 if `has_suffixes` and else in version 1.

    A group has the cards of one set. The number of a DON!! card is "". Raises ValueError if a length is missing or no
    digit.
    """
    start = 1 + int(group[:1])
    code = group[1:start]
    while start < len(group):
        count, width = group[start], int(group[start + 1 : start + 2])
        suffix_width = int(group[start + 2 : start + 3]) if has_suffixes else 0
        start += 3 if has_suffixes else 2
        number, suffix = group[start : start + width], group[start + width : start + width + suffix_width]
        printing = f"_{suffix.lower()}" if suffix else ""
        # The "numbers" of DON!! cards are pictures that players choose, and no card numbers.
        yield count, "" if code == "DON" else f"{code}-{number}{printing}"
        start += width + suffix_width
