"""Links: addresses of deck builders that contain the whole deck."""

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
_TEXT_BESIDE_LINK = phrase("text beside a link, not a card")
_MOST_BESIDE = 20  # lines beside a link. A longer text is a list that mentions a link.


# Decodes the host of a link ("" if it is missing) and the fields of its query. Returns counts and numbers of the cards
# (number "": a DON!! card), or None for a link of another kind.
Decode = Callable[[str, Mapping[str, str]], Iterable[tuple[str, str]] | None]


def _link_format(name: str, title: str, decode: Decode, write: Write | None = None) -> Format:
    """Return the format of texts with one link of a deck builder.

    `decode` returns the cards of a link. Without `write`, the format can only be read. If the text has cards outside
    the link, its reader returns None, and the text is parsed as a list.
    """

    def read(source: Source) -> Draft | None:
        """Return the draft of the first link with a deck.

        None if no line has such a link, or if the text has over 20 lines. None also if the text has cards outside the
        link.
        """
        if len(source.rows) > _MOST_BESIDE:
            return None
        for row in source.rows:
            for address, host, fields in _find_links(row.plain):
                if (cards := decode(host, fields)) is not None:
                    return _draft_of_link(source, row, address, name, cards)
        return None

    return Format(name, title, carries=BY_TYPE, read=read, write=write, marks=frozenset("="))


def _draft_of_link(
    source: Source, row: TextRow, address: str, format: str, cards: Iterable[tuple[str, str]]
) -> Draft | None:
    """Return the draft of a link's cards. None if another line of the text has cards.

    `row` is the line of the link, and `address` the link. `cards` are pairs of count and number. The number "" is a
    DON!! card. Other lines become unread, but headings, comments and facts are ignored. Text beside the link on its own
    line becomes unread only if it contains another address.
    """
    draft = Draft(format)
    for count, number in cards:
        section, name = (None, None) if number else ("don", cardline.DON)
        draft.add(section, count, number or None, name, row.at, row.raw)
    beside = row.plain.replace(address, " ")
    if headlines.is_link(beside):
        draft.skip(row.at, beside.strip(), _TEXT_BESIDE_LINK)
    for other in source.rows:
        if other is row or headlines.has_no_card(other.plain):
            continue
        if not headlines.is_link(other.plain) and isinstance(cardline.parse_cards(other, source), list):
            return None
        draft.skip(other.at, other.raw, _TEXT_BESIDE_LINK)
    return draft


def _find_links(plain: str) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """Yield `(address, host, fields)` for each web address with a query in a line. Addresses may lack "https://".

    Brackets and punctuation around are removed. `host` is "" for a query only: "?deck=…". `fields` are the decoded
    values of the query by name, the last of repeated ones.
    """
    for word in plain.split() if "=" in plain.partition("?")[2] else ():
        address = word.strip(_AROUND)
        try:
            parts = urlsplit(address if "://" in address else f"//{address}")
        except ValueError:
            continue
        if parts.query:
            yield address, parts.netloc, dict(_split_query(parts.query))


def _split_query(query: str) -> Iterator[tuple[str, str]]:
    """Yield `(name, value)` for each field of a query, with the value decoded, "" if it has none.

    A plus sign is kept, because base64 has it.
    """
    for field in query.split("&"):
        name, _, value = field.partition("=")
        # A plus sign is kept, because base64 has it and no list of cards has blanks.
        yield name, unquote(value)


def _make_decoder(field: str, item: str, separator: str) -> Decode:
    """Return a Decode for links with all cards in one `field` of the query. The host is ignored.

    The pattern `item` matches one card, with the groups `count` and `number`. The pattern `separator` matches between
    cards.
    """
    entry, border = re.compile(item, re.IGNORECASE), re.compile(separator)

    def decode(host: str, fields: Mapping[str, str]) -> list[tuple[str, str]] | None:
        """Return `(count, number)` for each card in the address's field. None if some entry does not match the pattern.

        None also if the field is missing or blank. The host is ignored, and so are empty entries at the end.
        """
        texts = border.split(fields.get(field, ""))
        while len(texts) > 1 and not texts[-1]:
            texts.pop()
        cards = [entry.fullmatch(text) for text in texts]
        return [(card["count"], card["number"]) for card in cards if card] if all(cards) else None

    return decode


def _decode_packed(host: str, fields: Mapping[str, str]) -> list[tuple[str, str]] | None:
    """Return `(count, number)` for each card in a link of onepiece-cardgame.dev. None for any other link.

    The number of a DON!! card is "".
    """
    return packed.parse_packed_cards(fields.get("d", "")) if "onepiece-cardgame" in host else None


def _decode_base64(host: str, fields: Mapping[str, str]) -> list[tuple[str, str]] | None:
    """Return `(count, number)` for each card in an older link of cardkaizoku.com. None for any other link.

    The field "deck" is a JSON mapping from numbers to counts in base64. The host is ignored.
    """
    field = fields.get("deck", "")
    try:
        text = base64.b64decode(field + "=" * (-len(field) % 4), altchars="-_", validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return None
    cards = read_json(text).value
    if not isinstance(cards, dict) or not all(type(count) is int for count in cards.values()):
        return None
    return [(str(count), number) for number, count in cards.items()]


def _make_link_writer(address: str, item: str, separator: str) -> Write:
    """Return a function that writes a deck as a link, with Leader, main deck and Z-Deck in this order.

    `address` is a format string with one place for the cards, and `item` one for a card with `count` and `number`.
    `separator` is between cards. The function raises ValueError if a line has no number and the catalogue has not
    exactly one card of its name.
    """
    cards = writer_without_headings(number_line_writer(item), separator)
    return lambda deck, catalogue: address.format(cards(deck, catalogue))


def _write_base64(deck: Deck, catalogue: Catalogue | None) -> str:
    """Return an older link of cardkaizoku.com for the Leader, the main deck and the Z-Deck.

    Raises ValueError if a line has no number and the catalogue has not exactly one card of its name.
    """
    lines = [line for section in BY_TYPE for line in deck.section(section)]
    cards = json.dumps(copies_by_number(lines, catalogue), separators=(",", ":"))
    return f"https://deckbuilder.cardkaizoku.com/?deck={base64.b64encode(cards.encode()).decode()}"


_TIMES = "(?P<count>[0-9]+)x(?P<number>[^:;,|]+)"

FORMATS = (
    _link_format(
        "onepiece-cardgame.dev-url", "link of the deck builder onepiece-cardgame.dev, either version", _decode_packed
    ),
    _link_format(
        "egman-url",
        "link of the Egman Events deck builder: ?deck=OP01-001:1,OP01-016:4",
        _make_decoder("deck", "(?P<number>[^:,]+):(?P<count>[0-9]+)", ","),
        _make_link_writer("https://deckbuilder.egmanevents.com/?deck={}&type=optcg", "{number}:{count}", ","),
    ),
    _link_format(
        "onepiecetopdecks-url",
        "deckgen link of onepiecetopdecks.com: ?dg=1nOP12-001a4nOP01-016",
        _make_decoder("dg", "(?P<count>[0-9]+)n(?P<number>.+)", "a(?=[0-9]+n)"),
        _make_link_writer("https://onepiecetopdecks.com/deckgen?dg={}", "{count}n{number}", "a"),
    ),
    _link_format(
        "gumgum-url",
        "link of gumgum.gg: ?deck=1xOP12-001;4xOP01-016",
        _make_decoder("deck", _TIMES, ";"),
        _make_link_writer("https://gumgum.gg/deckbuilder?deck={}", "{count}x{number}", ";"),
    ),
    _link_format(
        "cardkaizoku-url",
        "link of cardkaizoku.com: deck=1xOP14-080|4xOP14-104",
        _make_decoder("deck", _TIMES, r"\|"),
        _make_link_writer(
            "https://www.cardkaizoku.com/deckbuilder?view=deck&game=onepiece&deck={}", "{count}x{number}", "%7C"
        ),
    ),
    _link_format(
        "cardkaizoku-base64-url",
        "older link of cardkaizoku.com: a mapping of numbers to counts in base64",
        _decode_base64,
        _write_base64,
    ),
)
