"""Links: addresses of deck builders that carry the whole deck in themselves."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from urllib.parse import unquote, urlsplit

from validator.cards import Catalogue
from validator.deck import Deck
from validator.decklists import cardline, headlines
from validator.decklists.draft import Draft
from validator.decklists.format import (
    BY_TYPE,
    Format,
    Write,
    copies_by_number,
    number_line_writer,
    writer_without_headings,
)
from validator.decklists.formats import packed
from validator.decklists.source import Source, TextRow, read_json
from validator.language import phrase

_AROUND = "<>()[]{}\"'.,;"
_BESIDE = phrase("this stands beside a link, and is no card")
_MOST_BESIDE = 20  # lines beside a link; more of them are a list that mentions one


# Reads the host of a link ("" where it is left out) and the fields of its query: counts and numbers of the cards
# (number "": a DON!! card), or None for a link of another kind.
Decode = Callable[[str, Mapping[str, str]], Iterable[tuple[str, str]] | None]


def _format(name: str, title: str, decode: Decode, write: Write | None = None) -> Format:
    """Return the format of texts that are one link.

    A list that has cards of its own and only mentions a link is left to be read as a list.
    """

    def read(source: Source) -> Draft | None:
        if len(source.rows) > _MOST_BESIDE:
            return None
        for row in source.rows:
            for address, host, fields in _links(row.plain):
                if (cards := decode(host, fields)) is not None:
                    return _draft(source, row, address, name, cards)
        return None

    return Format(name, title, carries=BY_TYPE, read=read, write=write, marks=frozenset("="))


def _draft(source: Source, row: TextRow, address: str, format: str, cards: Iterable[tuple[str, str]]) -> Draft | None:
    draft = Draft(format)
    for count, number in cards:
        section, name = (None, None) if number else ("don", cardline.DON)
        draft.add(section, count, number or None, name, row.at, row.raw)
    beside = row.plain.replace(address, " ")
    if headlines.is_link(beside):
        draft.skip(row.at, beside.strip(), _BESIDE)
    for other in source.rows:
        if other is row or headlines.has_no_card(other.plain):
            continue
        if not headlines.is_link(other.plain) and isinstance(cardline.read(other, source), list):
            return None
        draft.skip(other.at, other.raw, _BESIDE)
    return draft


def _links(plain: str) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """Yield the addresses with a query that stand in a line, without what encloses or ends them."""
    for word in plain.split() if "=" in plain.partition("?")[2] else ():
        address = word.strip(_AROUND)
        try:
            parts = urlsplit(address if "://" in address else f"//{address}")
        except ValueError:
            continue
        if parts.query:
            yield address, parts.netloc, dict(_fields(parts.query))


def _fields(query: str) -> Iterator[tuple[str, str]]:
    for field in query.split("&"):
        name, _, value = field.partition("=")
        # A plus sign stays one: base64 has it, and no list of cards has blanks.
        yield name, unquote(value)


def _items(field: str, item: str, between: str) -> Decode:
    """Return a decoder of links with one card behind the other in a field; an item has `count` and `number`."""
    each, parting = re.compile(item, re.IGNORECASE), re.compile(between)

    def decode(host: str, fields: Mapping[str, str]) -> list[tuple[str, str]] | None:
        texts = parting.split(fields.get(field, ""))
        while len(texts) > 1 and not texts[-1]:
            texts.pop()
        cards = [each.fullmatch(text) for text in texts]
        return [(card["count"], card["number"]) for card in cards if card] if all(cards) else None

    return decode


def _decode_packed(host: str, fields: Mapping[str, str]) -> list[tuple[str, str]] | None:
    return packed.cards(fields.get("d", "")) if "onepiece-cardgame" in host else None


def _decode_base64(host: str, fields: Mapping[str, str]) -> list[tuple[str, str]] | None:
    field = fields.get("deck", "")
    try:
        text = base64.b64decode(field + "=" * (-len(field) % 4), altchars="-_", validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return None
    cards = read_json(text).value
    if not isinstance(cards, dict) or not all(type(count) is int for count in cards.values()):
        return None
    return [(str(count), number) for number, count in cards.items()]


def _writer(address: str, item: str, between: str) -> Write:
    cards = writer_without_headings(number_line_writer(item), between)
    return lambda deck, catalogue: address.format(cards(deck, catalogue))


def _write_base64(deck: Deck, catalogue: Catalogue | None) -> str:
    lines = [line for section in BY_TYPE for line in deck.section(section)]
    cards = json.dumps(copies_by_number(lines, catalogue), separators=(",", ":"))
    return f"https://deckbuilder.cardkaizoku.com/?deck={base64.b64encode(cards.encode()).decode()}"


_TIMES = "(?P<count>[0-9]+)x(?P<number>[^:;,|]+)"

FORMATS = (
    _format(
        "onepiece-cardgame.dev-url", "link of the deck builder onepiece-cardgame.dev, either version", _decode_packed
    ),
    _format(
        "egman-url",
        "link of the Egman Events deck builder: ?deck=OP01-001:1,OP01-016:4",
        _items("deck", "(?P<number>[^:,]+):(?P<count>[0-9]+)", ","),
        _writer("https://deckbuilder.egmanevents.com/?deck={}&type=optcg", "{number}:{count}", ","),
    ),
    _format(
        "onepiecetopdecks-url",
        "deckgen link of onepiecetopdecks.com: ?dg=1nOP12-001a4nOP01-016",
        _items("dg", "(?P<count>[0-9]+)n(?P<number>.+)", "a(?=[0-9]+n)"),
        _writer("https://onepiecetopdecks.com/deckgen?dg={}", "{count}n{number}", "a"),
    ),
    _format(
        "gumgum-url",
        "link of gumgum.gg: ?deck=1xOP12-001;4xOP01-016",
        _items("deck", _TIMES, ";"),
        _writer("https://gumgum.gg/deckbuilder?deck={}", "{count}x{number}", ";"),
    ),
    _format(
        "cardkaizoku-url",
        "link of cardkaizoku.com: deck=1xOP14-080|4xOP14-104",
        _items("deck", _TIMES, r"\|"),
        _writer("https://www.cardkaizoku.com/deckbuilder?view=deck&game=onepiece&deck={}", "{count}x{number}", "%7C"),
    ),
    _format(
        "cardkaizoku-base64-url",
        "older link of cardkaizoku.com: a mapping of numbers to counts in base64",
        _decode_base64,
        _write_base64,
    ),
)
