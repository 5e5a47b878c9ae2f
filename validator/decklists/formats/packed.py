"""Packed decks: what onepiece-cardgame.dev has in its links, packed by JSONCrush.

Unpacked it is a version, "D" and one group per set, joined by "*". A group is the length of the set's code,
the code ("DON" for DON!! cards) and its cards. A card is its count, the length of its number and the number
(version 1), or its count, both lengths, its number and the suffix of its printing (version 2).
"""

from __future__ import annotations

from collections.abc import Iterator

_LONGEST = 20_000  # characters of an unpacked deck: substitutions could otherwise grow without end


def cards(packed: str) -> list[tuple[str, str]] | None:
    """Return the counts and numbers of a packed deck, None for any other text."""
    text = _unpacked(packed)
    version, groups = text[:2], text[2:].split("*")
    if version not in ("1D", "2D"):
        return None
    try:
        return [card for group in groups for card in _cards(group, suffixed=version == "2D")]
    except ValueError:
        return None


def _unpacked(packed: str) -> str:
    """Undo JSONCrush: each character after the mark U+0001 stands for the text behind its last occurrence."""
    text, _, marks = packed.removesuffix("_").partition("\1")
    for mark in marks:
        *parts, last = text.split(mark)
        if len(text) + len(parts) * len(last) > _LONGEST:
            return ""
        text = last.join(parts)
    return text


def _cards(group: str, *, suffixed: bool) -> Iterator[tuple[str, str]]:
    start = 1 + int(group[:1])
    code = group[1:start]
    while start < len(group):
        count, width = group[start], int(group[start + 1 : start + 2])
        tail = int(group[start + 2 : start + 3]) if suffixed else 0
        start += 3 if suffixed else 2
        number, suffix = group[start : start + width], group[start + width : start + width + tail]
        printing = f"_{suffix.lower()}" if suffix else ""
        # Players choose pictures for their DON!! cards; those are no card numbers.
        yield count, "" if code == "DON" else f"{code}-{number}{printing}"
        start += width + tail
