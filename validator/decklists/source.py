"""Sources: a deck list decoded, checked for its size, and split into lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from typing import TYPE_CHECKING, Any, NamedTuple

from validator.cards import Card, Catalogue
from validator.deck import Line
from validator.decklists.draft import card_type, faces
from validator.decklists.encoding import decode_text
from validator.errors import RepeatedKey, error_text
from validator.language import phrase
from validator.matching import fold_text
from validator.texts import LONGEST_LIST, doubt, to_plain_characters, with_digits

if TYPE_CHECKING:
    from validator.decklists.naming import SpelledCard

MOST_LINES = 5_000  # a JSON of 80 cards has 500

# Invisible characters that break the words around them: soft hyphens, zero widths, directions, marks of byte order and
# of emoji.
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u20e3\ufe0f\ufeff"))
_INVISIBLE |= dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))


class TextRow(NamedTuple):
    """One line of a list, in the three forms in which it is parsed and quoted.

    `at` is its line number, from 1, or 0 for a single cell of a table. `raw` is the line as written, several lines if
    they were joined into one card. `shown` is the line without markup and decoration. `plain` is `shown` in plain
    characters, such as ASCII digits for full-width ones. Both are equally long, so that a position is valid in either.
    """

    at: int
    raw: str
    shown: str
    plain: str

    def cut(self, start: int | None, end: int | None = None) -> TextRow:
        """Return the row with only the characters of `shown` and `plain` from `start` to before `end`.

        Both are those of a slice: None is the beginning or the end, and a negative `end` counts from the end. `raw` is
        unchanged.
        """
        return self._replace(shown=self.shown[start:end], plain=self.plain[start:end])


# Decoration at the beginning of a line: bullets, quoting, arrows, boxes to tick, emoji, "#1" before a count.
_DECORATION = re.compile(
    r"(?:[-+]\s+|->\s*|#[0-9]{1,3}[.:)]?\s+(?=[0-9]{1,2}x?\s|x[0-9])"
    r"|#(?=[0-9]{1,2}x?\s+[\[(]?[A-Za-z]{1,5}[0-9]{0,3}-[0-9]{2,4})|\[[ x]?\]\s*"
    r"|[^\w\s\"'«»「『《(\[{</#+\-.&~=$€£¥…@%;?∀∃]\s*)*"  # ∀ begins names as a letter does
)
# The head of a chat message: the day, the time and the author.
_STAMP = re.compile(
    r"(?:\[?[0-9]{1,4}([./-])[0-9]{1,2}\1[0-9]{1,4},? [0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[ap]\.?m\.?)?\]?"
    r"|\[[0-9]{1,2}:[0-9]{2}(?: ?[ap]\.?m\.?)?, [0-9]{1,4}([./-])[0-9]{1,2}\2[0-9]{1,4}\])"
    r"(?: - | )[^:0-9]{1,40}: ",
    re.IGNORECASE,
)
# Markdown and HTML that copying has left in a line: **, `, ```text, [text](address), tags, &amp;.
_MARKUP = re.compile(
    r"<a?:\w{1,40}:[0-9]{1,25}>|\*\*|`{3}[a-z]*$|`+|\[([^\[\]]*)\]\((https?://[^\s()]*)\)|(&#?\w{1,10};)"
    r"|\[/?(?:[bius]|size|color|colour|center|list|spoiler|quote|url|h[1-6])(?:=[^\[\]]*)?\]"
    r"|\\(?=[-*_.()\[\]#+~>])"  # an escaped character
    r"|</?(?:[abisu]|em|font|mark|small|span|strong|sub|sup)(?:\s[^<>]*)?>"
    r"|(</?(?:[bh]r|p|div|[dou]l|d[dt]|li|t(?:able|head|body|[dhr])|h[1-6]|pre|code|body|html|img)(?:\s[^<>]*)?/?>)",
    re.IGNORECASE,
)
_MARKED = re.compile(r"[*`&<\\]|\](?=\()|\[(?=/)")
# Tags that end a line in HTML that is pasted as one line.
_BREAK_TAG = re.compile(
    r"(?<=>)(?=<(?:li|tr|p|div|h[1-6])\b)|<br ?/?>|</(?:li|tr|p|div|h[1-6]|[duo]l|table)>", re.IGNORECASE
)
# The beginning or the end of a row of an HTML table, and the beginning of its cells.
_ROW_TAG = re.compile(r"(</?tr\b[^<>]*>)", re.IGNORECASE)
_CELL_TAG = re.compile(r"<t[dh]\b[^<>]*>", re.IGNORECASE)
_FENCE = re.compile(r"\s*`{3}[a-z]*\s*\n")


# A card with underscores between its parts, in a line without a blank: "4_OP01-016_Nami", "Nami_OP01-016_x4".
_UNDERSCORED = re.compile(r"[0-9]{1,2}x?_[^\s_]\S*|[^\s_]\S*_x[0-9]{1,2}")


def row(line_number: int, raw: str) -> TextRow:
    """Return a line as a TextRow, in which `shown` has single blanks and no markup, invisible characters or decoration.

    Decoration is a bullet, a quoting mark, a box to tick, an emoji, or the time and author of a chat message.
    Underscores between the parts of a card become blanks. `plain` is as long as `shown`.
    """
    if not raw:  # as most cells beside a name
        return TextRow(line_number, "", "", "")
    shown = _MARKUP.sub(_replace_markup, raw) if _MARKED.search(raw) else raw
    if not shown.isascii():
        shown = with_digits(shown.translate(_INVISIBLE))
    shown = " ".join(shown.split())
    if "_" in shown and _UNDERSCORED.fullmatch(shown):
        shown = shown.replace("_", " ")
    if '"' in (shown[:1], shown[-1:]):
        shown = _strip_quotes(shown)
    plain_text = to_plain_characters(shown)
    if stamp := _STAMP.match(plain_text):
        shown, plain_text = shown[stamp.end() :], plain_text[stamp.end() :]
    decoration = None if plain_text[:1].isalnum() else _DECORATION.match(plain_text)
    start = decoration.end() if decoration else 0
    return TextRow(line_number, raw, shown[start:], plain_text[start:])


def _table_rows(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield `(line number, text)` for the lines of a text.

    Each row of an HTML table becomes one line with tabs between cells. The line number of a table row is that of its
    first line. Texts before and after rows on one line are yielded apart.
    """
    cells: list[str] | None = None
    start = 0
    for at, raw in lines:
        for part in _ROW_TAG.split(raw):
            if not _ROW_TAG.fullmatch(part):
                if cells is None:
                    yield at, part
                else:
                    cells.append(part)
                continue
            if cells:
                yield start, _join_cells(cells)
            cells, start = (None if part[1] == "/" else []), at
    if cells:
        yield start, _join_cells(cells)


def _join_cells(parts: Sequence[str]) -> str:
    """Return a row of an HTML table with tabs between its cells. `parts` are the lines of the row.

    The lines are only joined by blanks if a cell has several lines of text, or if the row has no cell.
    """
    whole = " ".join(parts)
    cells = [_cell_lines(cell) for cell in _CELL_TAG.split(whole)[1:]]
    if not cells or any(len(lines) > 1 for lines in cells):
        return whole
    return "\t".join("".join(lines) for lines in cells)


def _cell_lines(cell: str) -> list[str]:
    """Return the texts of the lines of an HTML cell, without markup and blank lines.

    Only tags such as `<br>` break lines.
    """
    lines = (" ".join(_MARKUP.sub(_replace_markup, line).split()) for line in _BREAK_TAG.split(cell))
    return [line for line in lines if line]


def _replace_markup(match: re.Match[str]) -> str:
    """Return the text that replaces a match of `_MARKUP`.

    A link becomes its text and its address, an entity such as "&amp;" its character. A blank replaces the tag of a
    block or cell. Other markup is replaced by nothing.
    """
    text, address, entity, tag = match.groups()
    # A tag of a block or a cell separates the texts on both sides. A tag for the style of letters does not.
    return f"{text} {address}" if address else " " if tag else unescape(entity or "")


def _strip_quotes(text: str) -> str:
    """Return a line without the double quotes of a copied cell: a pair around the line, or a single one at an end.

    A line with any other number of quotes is returned unchanged.
    """
    around = text[:1] == text[-1:] == '"'
    return text.strip('"') if text.count('"') == 1 + around else text


_ADDRESS = re.compile(r"https?://\S+|www\.\S+")
_BREAK = re.compile(r"[,;:()\[\]]+")


@dataclass
class Source:
    """A text to parse as a deck list, with an optional catalogue for looking up cards.

    Without a catalogue, no number or name is known. `spelled` caches the parsed cards of parts of lines by `(shown
    text, plain text)`, because a line is parsed in several ways.
    """

    text: str
    catalogue: Catalogue | None = None
    spelled: dict[tuple[str, str], SpelledCard] = field(init=False, repr=False, default_factory=dict)
    _name_cache: dict[str, Sequence[Card]] = field(init=False, repr=False, default_factory=dict)
    _number_cache: dict[str, Card | None] = field(init=False, repr=False, default_factory=dict)
    _folded_cache: dict[str, list[str]] = field(init=False, repr=False, default_factory=dict)

    @cached_property
    def rows(self) -> list[TextRow]:
        """The lines that are not blank after markup and decoration are removed, with the line numbers of an editor.

        Each row of an HTML table is one line. Other lines of HTML are split at tags such as `<br>`, and share a line
        number.
        """
        lines: Iterable[tuple[int, str]] = enumerate(self.text.splitlines(), 1)
        if "<" in self.text:
            lines = [(at, part) for at, raw in _table_rows(lines) for part in _BREAK_TAG.split(raw)]
        rows = [row(at, raw) for at, raw in lines]
        return [row for row in rows if row.plain]

    @cached_property
    def json(self) -> Json:
        """The text as JSON, also from within a Markdown code block.

        If it is not well-formed, the Json has only an error. An empty Json if the text does not begin like JSON.
        """
        fence = _FENCE.match(self.text)
        return read_json(self.text[fence.end() :].rstrip().removesuffix("```") if fence else self.text)

    def is_number(self, text: str) -> bool:
        """Return True if the catalogue has a card of this number, in any spelling.

        The text must have digits and other characters.
        """
        return not text.isdigit() and any(map(str.isdigit, text)) and self.has(text)

    def has(self, number: str | None) -> bool:
        """Return True if the catalogue has a card of this number, in any spelling.

        False for None and without a catalogue.
        """
        return self.card(number) is not None

    def is_leader(self, card: str) -> bool:
        """Return True if a text is the number of a Leader, or a name of which every card is a Leader.

        False without a catalogue.
        """
        if self.catalogue is None:
            return False
        line = Line(card, 1) if self.has(card) else Line(None, 1, card)
        return card_type(line, self.catalogue) == "Leader"

    def is_of(self, number: str | None, name: str | None) -> bool:
        """Return True if the catalogue's card of this number has this name, on either face and in any language.

        "Front // Back" needs both names. None fits every card. False if the number is unknown.
        """
        names = self._folded_names(number)
        return bool(names) and (
            name is None
            or all(fold_text(face) in names or self._has_foreign_name(number, face) for face in faces(name) or [name])
        )

    def _has_foreign_name(self, number: str | None, name: str) -> bool:
        """Return True if the card of a number is among the catalogue's cards of this name, in any language."""
        return self.card(number) in self._cards_by_name(name)

    def is_cost(self, number: str | None, digits: str) -> bool:
        """Return True if these digits are the printed cost of the catalogue's card of this number.

        False if it is unknown.
        """
        card = self.card(number)
        return card is not None and str(card.cost) == digits

    def is_part(self, number: str | None, name: str) -> bool:
        """Return True if the words are whole words of a name of the number's card, one after another: "Android 17".

        Case and punctuation within the card's name are ignored. False if the number is unknown.
        """
        return any(f" {fold_text(name)} " in f" {_BREAK.sub(' ', known)} " for known in self._folded_names(number))

    def separate_name(self, number: str, text: str) -> tuple[str | None, str]:
        """Return `(name, rest)`: the name of the number's card if a text holds it in full, and the remaining text.

        The rest is in lower case, without the number, the name and any addresses. The longer name of two faces is tried
        first. The name is None if the text does not hold it, or if the number is unknown.
        """
        card = self.card(number)
        rest = " ".join(_ADDRESS.sub(" ", text).split()).casefold().replace(number.casefold(), " ")
        for name in sorted(filter(None, (card.name, card.back_name)), key=len, reverse=True) if card else ():
            if (wanted := to_plain_characters(" ".join(name.split())).casefold()) in rest:
                return name, rest.replace(wanted, " ")
        return None, rest

    def _folded_names(self, number: str | None) -> list[str]:
        """Return the names of both faces of a card, normalised by `fold_text`. Empty if the number is unknown.

        The result is cached.
        """
        card = self.card(number)
        if number is None or card is None:
            return []
        if number not in self._folded_cache:
            self._folded_cache[number] = [fold_text(name) for name in (card.name, card.back_name) if name]
        return self._folded_cache[number]

    def is_name(self, name: str) -> bool:
        """Return True if the catalogue has a card of this name, in any language.

        "Front // Back" needs cards of both names. False without a catalogue.
        """
        if self._cards_by_name(name):
            return True
        return "/" in name and len(both := faces(name)) > 1 and all(map(self._cards_by_name, both))

    def _cards_by_name(self, name: str) -> Sequence[Card]:
        """Return the catalogue's cards of exactly this name, of either face and in any language.

        Empty without a catalogue. The result is cached.
        """
        if self.catalogue is None:
            return ()
        if name not in self._name_cache:
            self._name_cache[name] = self.catalogue.by_name(name)
        return self._name_cache[name]

    def card(self, number: str | None) -> Card | None:
        """Return the catalogue's card of a number in any spelling. None if it is unknown, or without a catalogue.

        The result is cached.
        """
        if self.catalogue is None or not number:
            return None
        if number not in self._number_cache:
            self._number_cache[number] = self.catalogue.by_number(number)
        return self._number_cache[number]

    def find_cards(self, text: str) -> Sequence[Card]:
        """Return the catalogue's card of a number, or all its cards of a name. Empty if neither is known."""
        card = self.card(text)
        return self._cards_by_name(text) if card is None else (card,)


class Json(NamedTuple):
    """A value parsed from JSON, which is a list or a mapping.

    `value` is None if there is none. Then `error` is the reason as a sentence for people, or "" if the text does not
    begin like JSON.
    """

    value: Any = None
    error: str = ""


# A beginning like JSON, not like a heading ("[Leader]", "{Leader}"), a number in brackets or a box to tick.
_JSON = re.compile(r"\s*(?:\{(?!\s*+[\w -]*+(?<=[\w -])\}\s*\n)|\[\s*(?:\[\s*[\[{\"]|[{\"]|\]\s*\Z))")


def read_json(text: str) -> Json:
    """Return the value of a JSON text, or the error in it. The function never raises.

    Repeated keys, NaN, infinities and too deep nesting are errors. A text is not tried as JSON, and the Json is empty,
    if it begins unlike a mapping or a list. "[Leader]" is a heading.
    """
    if not _JSON.match(text):
        return Json()
    try:
        return Json(json.loads(text, parse_constant=_reject_constant, object_pairs_hook=unique_mapping))
    except RecursionError:
        return Json(error=phrase("the JSON is nested too deeply"))
    except ValueError as error:
        return Json(error=phrase("this is not well-formed JSON: {reason}", reason=error_text(error)))


def _reject_constant(word: str) -> None:
    """Raise a ValueError that names the constant: NaN, Infinity or -Infinity, which JSON does not allow."""
    raise ValueError(f"{word} is no number")


def unique_mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a mapping, by its pairs of key and value.

    Raises RepeatedKey if a key is repeated: most readers of JSON keep the last value only, and cards would be lost.
    """
    mapping: dict[str, Any] = {}
    for key, value in pairs:
        if key in mapping:
            raise RepeatedKey(phrase('the key "{key}" is twice in one object', key=key))
        mapping[key] = value
    return mapping


def sound(text: str) -> str:
    """Return a text that can be encoded in UTF-8. Lone surrogates, which JSON escapes may leave, become "?"."""
    return text.encode("utf-8", "replace").decode("utf-8")


def source(text: str | bytes, catalogue: Catalogue | None = None) -> Source:
    """Return a text as a Source. Bytes are decoded, and a byte order mark is removed.

    Raises ValueError if the text has more than LONGEST_LIST characters or MOST_LINES lines, or too many accents on one
    letter.
    """
    text = sound((decode_text(text).text if isinstance(text, bytes) else text).removeprefix("\ufeff"))
    if wrong := doubt(text, LONGEST_LIST):
        raise ValueError(phrase("this deck list {wrong}", wrong=wrong))
    # Decks of a pack have their line ends spelled out.
    lines = len(text.splitlines()) + text.count(r"\n") + (len(_BREAK_TAG.findall(text)) if "<" in text else 0)
    if lines > MOST_LINES:
        raise ValueError(
            phrase("a deck list has at most {most:,} lines, and this has {count:,}", most=MOST_LINES, count=lines)
        )
    return Source(text, catalogue)
