"""ONE PIECE CARD GAME: the pages of the official English card list (`/cardlist/?series=`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from carddb.errors import PageError, PlacedText
from carddb.sources import pages
from carddb.sources.pages import (
    CardPage,
    check_page_end,
    find_required,
    missing_element_error,
    missing_list_error,
    parse_html,
    text_of,
    unknown_element_error,
)
from carddb.sources.printed_facts import find_word, parse_cost, parse_life, parse_power, spell_colors, split_list
from carddb.sources.printings import PrintedCard
from validator.cards import Card
from validator.errors import error_sentence
from validator.games import GAMES
from validator.language import phrase
from validator.limits import shipped_lists

GAME = "optcg"

_PACKS = "select#series > option"
_COUNT = ".countCol"
_RESULTS = ".resultCol"
_PRINTING = f"{_RESULTS} > dl.modalCol"
_HEAD = "dt .infoCol > span"
_COUNTED = re.compile(r"([0-9]{1,6}) results?")
_BREAK = re.compile(r"<br(?:\s[^<>]{0,50})?/?>", re.IGNORECASE)


class Printing(NamedTuple):
    """One printing with the values of the page, as text. "-" is zero or nothing. A missing value may be "".

    `id` is the number with the suffix of the printing. `number` is "-" for a DON!! card. `category` is the card type
    ("LEADER"), `type` are the traits, joined by "/". A Leader has a `life`, any other card a `cost`. The other one is
    None. `block` and `trigger` are None without such a box, as `block` on pages from before mid-2025. `card_sets` and
    `notes` are texts for people. `pack_id` is the selected pack of the page ("": none), `image` the file name of the
    picture.
    """

    id: str
    number: str
    name: str
    rarity: str
    category: str
    life: str | None
    cost: str | None
    attribute: str
    power: str
    counter: str
    color: str
    block: str | None
    type: str
    effect: str
    trigger: str | None
    card_sets: str
    notes: tuple[str, ...]
    pack_id: str
    image: str


def parse_packs(html: str, location: str) -> dict[str, str]:
    """Return the labels (for people) of the packs in the page's menu by id, in its order.

    Options without an id are left out. `location` names the page in messages. Raises PageError if there is no menu, or
    no option with an id.
    """
    check_page_end(html, location)
    options = parse_html(html).css(_PACKS)
    if not options:
        raise missing_element_error(_PACKS, location)
    # The labels hold an escaped tag: "BOOSTER PACK <br class="spInline">-ROMANCE DAWN- [OP-01]".
    labels = {option.attributes.get("value") or "": label_text(option.text()) for option in options}
    labels.pop("", None)
    if not labels:
        raise missing_element_error(f"{_PACKS}[value]", location)
    return labels


def label_text(label: str) -> str:
    """Return the label of a pack on one line with single blanks and without tags `<br>`."""
    return " ".join(_BREAK.sub("", label).split())


def parse_card_page(html: str, location: str, pack: str | None = None) -> CardPage:
    """Return the cards of a page, one for each printing, for `printings.merge_by_card`.

    DON!! cards have no number and are in no catalogue. They are left out with a notice. A value that cannot be parsed
    is a doubt, and so is a wrong count of the page. Raises PageError if the page is not that of the pack with the id
    `pack` (None: of any), has no count, or has a wrong card number. Raises the errors of `parse_tree` and
    `read_printings`.
    """
    tree = parse_tree(html, location)
    all_printings = read_printings(tree, location)
    if pack and all_printings[0].pack_id != pack:
        raise PageError(PlacedText(location, _wrong_pack_problem(all_printings[0].pack_id, pack)))
    doubts = list(_check_printing_count(tree, len(all_printings), location))
    numbered = [printing for printing in all_printings if printing.number != "-"]
    left = len(all_printings) - len(numbered)
    left_out = phrase("{count} cards without a number (DON!! cards) are left out.", count=left)
    notices = (PlacedText(location, left_out),) if left else ()
    cards = tuple(_make_printed_card(printing, location, doubts) for printing in numbered)
    return CardPage(cards, notices, tuple(doubts))


def _wrong_pack_problem(pack: str, expected: str) -> str:
    """Return the sentence about a page of another pack than the expected one. `pack` is "" for a page of none."""
    if pack:
        return phrase("the page is of pack {pack}, not of {expected}.", pack=pack, expected=expected)
    return phrase("the page is of pack nothing, not of {expected}.", expected=expected)


def parse_tree(html: str, location: str) -> LexborHTMLParser:
    """Parse an HTML page into a tree, with `<br>` as line breaks. Raises Truncated if the page is incomplete."""
    check_page_end(html, location)
    return parse_html(_BREAK.sub("\n", html))


def read_printings(tree: LexborHTMLParser, location: str) -> list[Printing]:
    """Return the printings of a parsed page in order, field by field, at least one, also those of DON!! cards.

    Raises PageError with the selector that finds nothing on a page of another structure, and NoResults for a search
    without results.
    """
    nodes = tree.css(_PRINTING)
    if not nodes:
        is_empty = tree.css_first(_PACKS) and not tree.css_first(f"{_RESULTS}, {_COUNT}")
        raise pages.no_results_error(_PRINTING, location) if is_empty else missing_list_error(_PRINTING, location)
    selected = tree.css_first(f"{_PACKS}[selected]")
    pack = (selected.attributes.get("value") or "") if selected else ""
    return [_read_element(node, pack, location) for node in nodes]


def _check_printing_count(tree: LexborHTMLParser, count: int, location: str) -> Iterator[str]:
    """Yield a doubt if the page's own count is another number than `count`, or no number.

    Raises PageError if the page has no element with the count.
    """
    results = text_of(find_required(tree, _COUNT, location))
    counted = _COUNTED.fullmatch(results)
    if not counted or int(counted[1]) != count:
        problem = phrase(
            "`{selector}` finds {count} printings, the page counts {results!r}.",
            selector=_PRINTING,
            count=count,
            results=results[:60],
        )
        yield PlacedText(location, problem)


def _read_element(node: LexborNode, pack: str, location: str) -> Printing:
    """Return the printing of an element. `pack` is the id of the page's pack, "" if unknown.

    Raises PageError if a value is missing, or if the id of the element has another card number.
    """
    printing_id = node.attributes.get("id") or ""
    location = f"{location}, {printing_id}"
    head = [text_of(span) for span in node.css(_HEAD)]
    if len(head) != 3 or head[0] not in ("-", printing_id.partition("_")[0]):
        raise missing_element_error(f"dl#{printing_id or 'ID'} {_HEAD}", location)
    value = _Values(node, location)
    is_leader = head[2] == "LEADER"
    return Printing(
        id=printing_id,
        number=head[0],
        rarity=head[1],
        category=head[2],
        name=" ".join(value.text("dt .cardName").split()),
        life=value.text(".backCol .cost") if is_leader else None,
        cost=None if is_leader else value.text(".backCol .cost"),
        attribute=text_of(find_required(node, ".backCol .attribute > i", location)),
        power=value.text(".backCol .power"),
        counter=value.text(".backCol .counter"),
        color=value.text(".backCol .color"),
        block=value.text_if_any(".backCol .block"),
        type=value.text(".backCol .feature"),
        effect=value.text(".backCol .text"),
        trigger=value.text_if_any(".backCol .trigger"),
        card_sets=value.text_if_any(".backCol .getInfo:not(.remarks)") or "",
        notes=tuple(text_of(note) for note in node.css(".backCol .getInfo.remarks > a")),
        pack_id=pack,
        image=_image_name(find_required(node, "dd .frontCol > img.lazy", location)),
    )


_IGNORED = ("h3", "-comment")


class _Values:
    """The values of a printing: the text in each box, without the label of the box (`h3`)."""

    def __init__(self, node: LexborNode, location: str) -> None:
        """Store the element of a printing. `location` names it in errors."""
        self._node = node
        self._where = location

    def text(self, box: str) -> str:
        """Return the text of the printing's box that a CSS selector (`box`) finds, without the label of the box.

        Raises PageError if there is no such box, or an unknown element in it.
        """
        return self._text_beside_label(find_required(self._node, box, self._where), box)

    def text_if_any(self, box: str) -> str | None:
        """Return the text of the box that a selector finds, None if there is no such box."""
        node = self._node.css_first(box)
        return None if node is None else self._text_beside_label(node, box)

    def _text_beside_label(self, node: LexborNode, box: str) -> str:
        """Return the text of a box (`node`) without its label. Raises PageError for an unknown element in it."""
        texts = []
        for part in node.iter(include_text=True):
            if part.is_text_node:
                texts.append(part.text())
            elif part.tag not in _IGNORED:
                raise unknown_element_error(part.tag or "", box, self._where)
        return "".join(texts).strip()


def _image_name(node: LexborNode) -> str:
    """Return the file name of a picture from the address in `data-src`, "" if there is none."""
    return (node.attributes.get("data-src") or "").rpartition("/")[2]


def _make_printed_card(printing: Printing, location: str, doubts: list[str]) -> PrintedCard:
    """Return the printing as a card. Raises PageError if its number is no card number. Appends to `doubts`."""
    location = f"{location}, {printing.id}"
    number, suffix = pages.parse_printed_number(GAME, printing.number, _HEAD, location)
    card = _make_card(printing, number, location, doubts)
    return PrintedCard(card, printing.id, printing.id == printing.number and not suffix, location)


def _make_card(printing: Printing, number: str, location: str, doubts: list[str]) -> Card:
    """Return the card of a printing, with this normalised number.

    Appends a doubt for each value that cannot be parsed.
    """
    category = printing.category.removesuffix(" CARD")
    card_type = find_word(GAMES[GAME].types, category) or category.title()
    return Card(
        GAME,
        number,
        printing.name,
        card_type,
        colors=spell_colors(GAME, printing.color),
        cost=_parse_or_doubt(lambda: parse_cost(GAME, card_type, printing.cost or ""), location, doubts),
        cost_text=printing.cost or None,
        life=_parse_or_doubt(lambda: parse_life(GAME, card_type, printing.life or ""), location, doubts),
        power=_parse_printed_power(printing, card_type, location, doubts),
        traits=split_list(printing.type.strip("-")),
        attributes=split_list(printing.attribute),
        text="\n".join(filter(None, (printing.effect.strip("-"), printing.trigger))),
        rarity=printing.rarity,
        set=number.partition("-")[0],
        block=(printing.block or "").strip("-") or None,
        released=shipped_lists(GAME).sets.first_english_day(number, [printing.pack_id]),
    )


def _parse_printed_power(printing: Printing, card_type: str, location: str, doubts: list[str]) -> int | None:
    """Return the power of a card. A dash is 0 for a Character and None for other types.

    If the power is empty or no number, a doubt is appended and None is returned.
    """
    if printing.power == "-":
        return 0 if card_type == "Character" else None  # the list prints no zero
    if not printing.power:
        doubts.append(PlacedText(location, phrase("the power is empty.")))
    return _parse_or_doubt(lambda: parse_power(printing.power), location, doubts)


def _parse_or_doubt(parse: Callable[[], int | None], location: str, doubts: list[str]) -> int | None:
    """Return the result of `parse`. On ValueError, append a sentence to `doubts` and return None."""
    try:
        return parse()
    except ValueError as error:
        doubts.append(PlacedText(location, error_sentence(error)))
        return None
