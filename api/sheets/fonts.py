"""Fonts: what sheets are drawn with, and which characters none of them has.

The fonts come with packages that this one depends on, not from the system, so that a sheet looks the same
everywhere. Any other package of the kinds in `_GROUPS` is found too: installing one adds its script. No code of these
packages is run.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import typst
import uharfbuzz

# The first that has a character draws it; those not named here come after.
FAMILIES = ("Noto Sans", "Noto Sans CJK JP")
BOLD = 1.1  # how much wider bold type is than regular, at most
_SIZES = (31, 24, 20, 17, 14, 12, 10.5, 9, 7.5, 6, 5)
_MOST_NAMED = 20  # characters
_PACKAGES = (
    "fontpkg_noto_sans",
    "noto_cjk_sans_jp_regular",
    "fontpkg_noto_sans_arabic",
    "fontpkg_heebo",
    "fontpkg_noto_sans_thai",
    "fontpkg_noto_sans_khmer",
)
_GROUPS = ("fontpkg.family", "justmytype.packs")


def load() -> None:
    """Read all fonts now, so that processes that are forked from this one have them."""
    for _ in _faces():
        pass


@cache
def fonts() -> typst.Fonts:
    """Return the fonts of the installed font packages, without those of the system. The result is cached.

    Raises RuntimeError if a required package is missing.
    """
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=list(_package_folders()))


def missing_characters(text: str) -> str:
    """Return the characters of a text that no font has, each once, sorted by code point.

    Invisible characters are left out. "" if there are none.
    """
    if text.isascii():
        return ""
    return "".join(sorted(char for char in set(text) if _glyph_width(char) is None and not _is_invisible(char)))


def mark_missing(text: str) -> str:
    """Return a text in which each character that no font has is replaced by its code point, such as "[U+1F389]"."""
    absent = missing_characters(text)
    return text.translate({ord(char): _code_point(char) for char in absent}) if absent else text


def has_bold(text: str) -> bool:
    """Return True if each character of a text has a bold font, or no font at all. Other texts are printed regular."""
    return text.isascii() or all(_has_bold(char) or missing_characters(char) for char in set(text))


def missing_warning(absent: str) -> str:
    """Return the message, in ASCII, about characters that no font has.

    At most 20 are named, then the others are counted.
    """
    names = ", ".join(f"U+{ord(char):04X} {unicodedata.name(char, 'without a name')}" for char in absent[:_MOST_NAMED])
    if len(absent) > _MOST_NAMED:
        names += f" and {len(absent) - _MOST_NAMED} other characters"
    return f"No font has {names}."


def _code_point(char: str) -> str:
    """Return the code point of a character in brackets: "[U+0041]"."""
    return f"[U+{ord(char):04X}]"


def _package_folders() -> Iterator[str]:
    """Yield the folders of the required and all other installed font packages, each once.

    Raises RuntimeError if one is missing.
    """
    modules = [entry.module for group in _GROUPS for entry in entry_points(group=group)]
    for module in dict.fromkeys([*_PACKAGES, *modules]):
        spec = find_spec(module)
        if spec is None or spec.origin is None:
            raise RuntimeError(f"The fonts of the package {module} are not there; install deckproof again.")
        yield str(Path(spec.origin).parent)


def _is_invisible(char: str) -> bool:
    """Return True if a character needs no glyph: joiners and variation selectors."""
    return char in "\u200b\u200c\u200d" or "VARIATION SELECTOR" in unicodedata.name(char, "")


def width(text: str, size: float) -> float:
    """Return the width of a text in regular type at a font size, in points. Kerning and joined letters are ignored.

    A character that no font has is as wide as its code point in brackets.
    """
    return sum(map(_character_width, text)) * size


@lru_cache(maxsize=16_384)
def wrap_text(text: str, room: float, size: float) -> tuple[str, ...]:
    """Return the lines of a text that is wrapped to the width `room` (points) at a font size. "" has one empty line.

    Words that are too long are broken. The results are cached.
    """
    lines, line = [], ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if width(longer, size) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        *full_lines, line = _break_word(word, room, size)
        lines += full_lines
    return (*lines, line)


def _break_word(word: str, room: float, size: float) -> list[str]:
    """Return the pieces of a word, each at most `room` wide. A single wider character is a piece of its own.

    "" has one empty piece.
    """
    start, used, pieces = 0, 0.0, []
    for index, char in enumerate(word):
        wide = width(char, size)
        if used + wide > room and index > start:
            pieces.append(word[start:index])
            start, used = index, 0.0
        used += wide
    return [*pieces, word[start:]]


def fit_text(text: str, width: float, height: float, largest: float) -> tuple[float, tuple[str, ...]]:
    """Return `(font size, lines)`: the largest size at which a text fits a box, and its lines there.

    Lengths are in points. Sizes are those of _SIZES up to `largest`. If none fits, the smallest is returned.
    """
    for size in _SIZES:
        lines = wrap_text(text, width, size)
        if size <= largest and len(lines) * size * 1.2 <= height:
            break
    return size, lines


def fit_bold_text(text: str, width: float, height: float, largest: float) -> tuple[float, str, str]:
    """Return `(font size, weight, text)`: the largest size at which a bold text fits a box.

    Its lines are joined by line ends. The weight is "regular" if a character has no bold font, else "bold". If no size
    fits, the smallest is returned. Lengths are in points, and `largest` is the largest size.
    """
    size, lines = fit_text(text, width / BOLD, height, largest)
    return size, "bold" if has_bold(text) else "regular", "\n".join(lines)


@lru_cache(maxsize=16_384)
def _character_width(char: str) -> float:
    """Return the width of a character at font size 1.

    Without a font it is that of the code point in brackets, 0 if invisible.
    """
    glyph_width = _glyph_width(char)
    if glyph_width is not None:
        return glyph_width
    return 0.0 if _is_invisible(char) else width(_code_point(char), 1)


def _glyph_width(char: str) -> float | None:
    """Return the width of a character at font size 1, in the first font that has it. None if no font has it."""
    return next((face.advances[char] for face in _faces() if char in face.advances), None)


def _has_bold(char: str) -> bool:
    """Return True if a font with a bold weight has this character."""
    return any(face.bold and char in face.advances for face in _faces())


class _FontFace(NamedTuple):
    """A font: the width of each character at font size 1, and `bold`, which is True if the font has a bold weight."""

    advances: Mapping[str, float]
    bold: bool


def _faces() -> Iterator[_FontFace]:
    """Yield the fonts in the order in which characters are looked up. Each is read when it is needed."""
    return (_read_face(path, index) for path, index in _font_files())


@cache
def _font_files() -> tuple[tuple[str | None, int], ...]:
    """Return `(path, index in the file)` of each upright font, those of FAMILIES first. The result is cached."""
    files = [font for font in fonts().fonts() if font.style == "normal"]
    files.sort(key=lambda font: FAMILIES.index(font.family) if font.family in FAMILIES else len(FAMILIES))
    return tuple((font.path, font.index) for font in files)


@lru_cache(maxsize=1024)  # far more than fonts are installed
def _read_face(path: str | None, index: int) -> _FontFace:
    """Read the widths of a font's characters from a font file. The result is cached."""
    face = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(path), index)
    font = uharfbuzz.Font(face)
    advances = {chr(code): font.get_glyph_h_advance(font.get_nominal_glyph(code)) / face.upem for code in face.unicodes}
    return _FontFace(advances, face.has_var_data)
