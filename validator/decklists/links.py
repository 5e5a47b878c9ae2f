"""Links: addresses of deck builders that carry the whole deck in themselves."""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import unquote
from urllib.parse import urlsplit

from validator.decklists import cardline
from validator.decklists import headings
from validator.decklists.reading import Reading
from validator.decklists.source import Row
from validator.decklists.source import Source

_ITEM = re.compile(r"([0-9]+)x([^:;,|]+)", re.IGNORECASE)
_AROUND = "<>()[]{}\"'.,;"
_BESIDE = "this stands beside a link, and is no card"
_MOST_BESIDE = 20  # lines beside a link; more of them are a list that mentions one


class Link(NamedTuple):
    """The host of a link ("" where it is left out) and the fields of its query."""

    host: str
    fields: Mapping[str, str]


# Counts and numbers of the cards in a link (number "": a DON!! card), or None for a link of another kind.
Decode = Callable[[Link], Iterable[tuple[str, str]] | None]


def reader(format: str, decode: Decode) -> Callable[[Source], Reading | None]:
    """Return a reader of texts that are one link.

    A list that has cards of its own and only mentions a link is left to be read as a list.
    """

    def read(source: Source) -> Reading | None:
        if "=" not in source.text or len(source.rows) > _MOST_BESIDE:
            return None
        for row in source.rows:
            for address, link in _links(row.plain):
                cards = decode(link)
                if cards is not None:
                    return _reading(source, row, address, format, cards)
        return None

    return read


def items(field: str, between: str) -> Decode:
    """Return a decoder of links that hold `4xOP01-016` and so on in one field."""

    def decode(link: Link) -> list[tuple[str, str]] | None:
        cards = [_ITEM.fullmatch(item) for item in link.fields.get(field, "").rstrip(between).split(between)]
        return [(card[1], card[2]) for card in cards if card] if all(cards) else None

    return decode


def _reading(source: Source, row: Row, address: str, format: str, cards: Iterable[tuple[str, str]]) -> Reading | None:
    reading = Reading(format)
    for count, number in cards:
        section, name = (None, None) if number else ("don", cardline.DON)
        reading.add(section, count, number or None, name, row.at, row.raw)
    beside = row.plain.replace(address, " ")
    if headings.is_link(beside):
        reading.skip(row.at, beside.strip(), _BESIDE)
    for other in source.rows:
        if other is row or _says_no_card(other.plain):
            continue
        if not headings.is_link(other.plain) and isinstance(cardline.read(other, source), list):
            return None
        reading.skip(other.at, other.raw, _BESIDE)
    return reading


def _says_no_card(plain: str) -> bool:
    return bool(headings.heading(plain)) or headings.is_comment(plain) or headings.is_metadata(plain)


def _links(plain: str) -> Iterator[tuple[str, Link]]:
    """Yield the addresses with a query that stand in a line, without what encloses or ends them."""
    for word in plain.split() if "=" in plain.partition("?")[2] else ():
        address = word.strip(_AROUND)
        try:
            parts = urlsplit(address if "://" in address else f"//{address}")
        except ValueError:
            continue
        if parts.query:
            yield address, Link(parts.netloc, dict(_fields(parts.query)))


def _fields(query: str) -> Iterator[tuple[str, str]]:
    for field in query.split("&"):
        name, _, value = field.partition("=")
        # A plus sign stays one: base64 has it, and no list of cards has blanks.
        yield name, unquote(value)
