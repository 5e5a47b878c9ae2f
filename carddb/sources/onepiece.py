"""ONE PIECE CARD GAME: the pages of the official English card list (`/cardlist/?series=`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from carddb.errors import PageError
from carddb.sources import pages
from carddb.sources.pages import CardPage, card_list_not_found, check_whole, missing, needed, parsed, unread, words
from carddb.sources.printed_facts import colors, cost, life, listed, power, spelled
from carddb.sources.printings import PrintedCard
from validator import limits
from validator.cards import Card
from validator.games import GAMES

GAME = "optcg"

_PACKS = "select#series > option"
_COUNT = ".countCol"
_RESULTS = ".resultCol"
_PRINTING = f"{_RESULTS} > dl.modalCol"
_HEAD = "dt .infoCol > span"
_COUNTED = re.compile(r"([0-9]{1,6}) results?")
_BREAK = re.compile(r"<br(?:\s[^<>]{0,50})?/?>", re.IGNORECASE)


class Printing(NamedTuple):
    """One printing as the page has it, in the site's own words: "-" is a zero or nothing.

    `id` is the number with the suffix of the printing. A Leader has a `life`, any other card a `cost`.
    `block` is None on pages from before mid-2025, `trigger` where the card has none.
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


def packs(html: str, where: str) -> dict[str, str]:
    """Return the packs in the page's menu, id to label, in its order; a PageError if there is no menu."""
    check_whole(html, where)
    options = parsed(html).css(_PACKS)
    if not options:
        raise missing(_PACKS, where)
    # The labels hold an escaped tag: "BOOSTER PACK <br class="spInline">-ROMANCE DAWN- [OP-01]".
    labels = {option.attributes.get("value") or "": words_of(option.text()) for option in options}
    labels.pop("", None)
    if not labels:
        raise missing(f"{_PACKS}[value]", where)
    return labels


def words_of(label: str) -> str:
    """Return a label without the line break that the site writes into it."""
    return " ".join(_BREAK.sub("", label).split())


def page(html: str, where: str, pack: str | None = None) -> CardPage:
    """Return the cards of a page, printing by printing, as `printings.one_each` takes them.

    DON!! cards have no number and are in no catalogue: they are left out with a notice. `pack` is the
    pack that was asked for; a page of another is a PageError. The other errors are those of `printings`.
    """
    tree = _tree(html, where)
    every = _printings(tree, where)
    if pack and every[0].pack_id != pack:
        raise PageError(f"{where}: the page is of pack {every[0].pack_id or 'nothing'}, not of {pack}.")
    doubts = list(_miscounted(tree, len(every), where))
    numbered = [printing for printing in every if printing.number != "-"]
    left = len(every) - len(numbered)
    notices = (f"{where}: {left} cards without a number (DON!! cards) are left out.",) if left else ()
    cards = tuple(_card_of(printing, where, doubts) for printing in numbered)
    return CardPage(cards, notices, tuple(doubts))


def printings(html: str, where: str) -> list[Printing]:
    """Return the printings of a page, field by field.

    A PageError names the selector that finds nothing on a page of another structure; NoResults says
    that the page is one of a search without results.
    """
    return _printings(_tree(html, where), where)


def _tree(html: str, where: str) -> LexborHTMLParser:
    check_whole(html, where)
    return parsed(_BREAK.sub("\n", html))


def _printings(tree: LexborHTMLParser, where: str) -> list[Printing]:
    nodes = tree.css(_PRINTING)
    if not nodes:
        is_empty = tree.css_first(_PACKS) and not tree.css_first(f"{_RESULTS}, {_COUNT}")
        raise pages.without_results(_PRINTING, where) if is_empty else card_list_not_found(_PRINTING, where)
    selected = tree.css_first(f"{_PACKS}[selected]")
    pack = (selected.attributes.get("value") or "") if selected else ""
    return [_printing(node, pack, where) for node in nodes]


def _miscounted(tree: LexborHTMLParser, count: int, where: str) -> Iterator[str]:
    results = words(needed(tree, _COUNT, where))
    counted = _COUNTED.fullmatch(results)
    if not counted or int(counted[1]) != count:
        yield f"{where}: `{_PRINTING}` finds {count} printings, the page counts {results[:60]!r}."


def _printing(node: LexborNode, pack: str, where: str) -> Printing:
    own = node.attributes.get("id") or ""
    where = f"{where}, {own}"
    head = [words(span) for span in node.css(_HEAD)]
    if len(head) != 3 or head[0] not in ("-", own.partition("_")[0]):
        raise missing(f"dl#{own or 'ID'} {_HEAD}", where)
    value = _Values(node, where)
    leads = head[2] == "LEADER"
    return Printing(
        id=own,
        number=head[0],
        rarity=head[1],
        category=head[2],
        name=" ".join(value.of("dt .cardName").split()),
        life=value.of(".backCol .cost") if leads else None,
        cost=None if leads else value.of(".backCol .cost"),
        attribute=words(needed(node, ".backCol .attribute > i", where)),
        power=value.of(".backCol .power"),
        counter=value.of(".backCol .counter"),
        color=value.of(".backCol .color"),
        block=value.if_any(".backCol .block"),
        type=value.of(".backCol .feature"),
        effect=value.of(".backCol .text"),
        trigger=value.if_any(".backCol .trigger"),
        card_sets=value.if_any(".backCol .getInfo:not(.remarks)") or "",
        notes=tuple(words(note) for note in node.css(".backCol .getInfo.remarks > a")),
        pack_id=pack,
        image=_image(needed(node, "dd .frontCol > img.lazy", where)),
    )


_PASSED_OVER = ("h3", "-comment")


class _Values:
    """The values of a printing: what stands in its boxes beside the label (`h3`)."""

    def __init__(self, node: LexborNode, where: str) -> None:
        self._node = node
        self._where = where

    def of(self, box: str) -> str:
        return self._beside_label(needed(self._node, box, self._where), box)

    def if_any(self, box: str) -> str | None:
        node = self._node.css_first(box)
        return None if node is None else self._beside_label(node, box)

    def _beside_label(self, node: LexborNode, box: str) -> str:
        texts = []
        for part in node.iter(include_text=True):
            if part.is_text_node:
                texts.append(part.text())
            elif part.tag not in _PASSED_OVER:
                raise unread(part.tag or "", box, self._where)
        return "".join(texts).strip()


def _image(node: LexborNode) -> str:
    return (node.attributes.get("data-src") or "").rpartition("/")[2]


def _card_of(printing: Printing, where: str, doubts: list[str]) -> PrintedCard:
    where = f"{where}, {printing.id}"
    number, suffix = pages.number_in(GAME, printing.number, _HEAD, where)
    card = _card(printing, number, where, doubts)
    return PrintedCard(card, printing.id, printing.id == printing.number and not suffix, where)


def _card(printing: Printing, number: str, where: str, doubts: list[str]) -> Card:
    category = printing.category.removesuffix(" CARD")
    kind = spelled(GAMES[GAME].types, category) or category.title()
    return Card(
        GAME,
        number,
        printing.name,
        kind,
        colors=colors(GAME, printing.color),
        cost=_number(lambda: cost(GAME, kind, printing.cost or ""), where, doubts),
        cost_text=printing.cost or None,
        life=_number(lambda: life(GAME, kind, printing.life or ""), where, doubts),
        power=_power(printing, kind, where, doubts),
        traits=listed(printing.type.strip("-")),
        attributes=listed(printing.attribute),
        text="\n".join(filter(None, (printing.effect.strip("-"), printing.trigger))),
        rarity=printing.rarity,
        set=number.partition("-")[0],
        block=(printing.block or "").strip("-") or None,
        released=limits.sets(GAME).released(number, [printing.pack_id]),
    )


def _power(printing: Printing, kind: str, where: str, doubts: list[str]) -> int | None:
    if printing.power == "-":
        return 0 if kind == "Character" else None  # the list prints no zero
    if not printing.power:
        doubts.append(f"{where}: the power is empty.")
    return _number(lambda: power(printing.power), where, doubts)


def _number(read: Callable[[], int | None], where: str, doubts: list[str]) -> int | None:
    try:
        return read()
    except ValueError as error:
        doubts.append(f"{where}: {error}.")
        return None
