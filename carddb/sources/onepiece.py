"""ONE PIECE CARD GAME: the pages of the official English card list (`/cardlist/?series=`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser
from selectolax.lexbor import LexborNode

from carddb.sources.folding import Found
from carddb.sources.pages import NoResults
from carddb.sources.pages import Page
from carddb.sources.pages import PageError
from carddb.sources.pages import check_whole
from carddb.sources.pages import missing
from carddb.sources.pages import needed
from carddb.sources.pages import parsed
from carddb.sources.pages import words
from carddb.sources.rows import cost
from carddb.sources.rows import listed
from carddb.sources.vocabulary import COLORS
from carddb.sources.vocabulary import TYPES
from carddb.sources.vocabulary import known
from validator import limits
from validator.cards import Card
from validator.numbers import normal

GAME = "optcg"

_PACKS = "select#series > option"
_COUNT = ".countCol"
_PRINTING = ".resultCol > dl.modalCol"
_HEAD = "dt .infoCol > span"
_BREAK = re.compile(r"<br(?:\s[^<>]{0,50})?/?>")
_POWER = re.compile(r"[0-9]{1,7}")


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
    return {pack: label for pack, label in labels.items() if pack}


def words_of(label: str) -> str:
    """Return a label without the line break that the site writes into it."""
    return " ".join(_BREAK.sub("", label).split())


def page(html: str, where: str, pack: str | None = None) -> Page:
    """Return the cards of a page, printing by printing, as `folding.one_each` takes them.

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
    found = tuple(_found(printing, where, doubts) for printing in numbered)
    return Page(found, notices, tuple(doubts))


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
        raise _without_results(where) if tree.css_first(_PACKS) else missing(_PRINTING, where)
    selected = tree.css_first(f"{_PACKS}[selected]")
    pack = (selected.attributes.get("value") or "") if selected else ""
    return [_printing(node, pack, where) for node in nodes]


def _without_results(where: str) -> NoResults:
    return NoResults(f"{where}: a search that found no cards; nothing is found by `{_PRINTING}`.")


def _miscounted(tree: LexborHTMLParser, count: int, where: str) -> Iterator[str]:
    counted = words(needed(tree, _COUNT, where)).partition(" ")[0]
    if counted != str(count):
        yield f"{where}: `{_PRINTING}` finds {count} printings, the page counts {counted!r}."


def _printing(node: LexborNode, pack: str, where: str) -> Printing:
    own = node.attributes.get("id") or ""
    where = f"{where}, {own}"
    head = [words(span) for span in node.css(_HEAD)]
    if len(head) != 3 or not own.startswith(head[0].strip("-")):
        raise missing(f"dl#{own or 'ID'} {_HEAD}", where)
    value = _Values(node, where)
    leads = head[2] == "LEADER"
    return Printing(
        id=own,
        number=head[0],
        rarity=head[1],
        category=head[2],
        name=words(needed(node, "dt .cardName", where)),
        life=value.of(".cost") if leads else None,
        cost=None if leads else value.of(".cost"),
        attribute=words(needed(node, ".backCol .attribute > i", where)),
        power=value.of(".power"),
        counter=value.of(".counter"),
        color=value.of(".color"),
        block=value.if_any(".block"),
        type=value.of(".feature"),
        effect=value.of(".text"),
        trigger=value.if_any(".trigger"),
        card_sets=value.if_any(".getInfo:not(.remarks)") or "",
        notes=tuple(words(note) for note in node.css(".backCol .getInfo.remarks > a")),
        pack_id=pack,
        image=_image(needed(node, "dd .frontCol > img.lazy", where)),
    )


class _Values:
    """The values of a printing: what stands in its boxes beside the label (`h3`)."""

    def __init__(self, node: LexborNode, where: str) -> None:
        self._node = node
        self._where = where

    def of(self, box: str) -> str:
        return _beside_label(needed(self._node, f".backCol {box}", self._where))

    def if_any(self, box: str) -> str | None:
        found = self._node.css_first(f".backCol {box}")
        return None if found is None else _beside_label(found)


def _beside_label(box: LexborNode) -> str:
    parts = [part.text() for part in box.iter(include_text=True) if part.tag != "h3"]
    return "".join(parts).strip()


def _image(node: LexborNode) -> str:
    return (node.attributes.get("data-src") or "").rpartition("/")[2]


def _found(printing: Printing, where: str, doubts: list[str]) -> Found:
    number, suffix = normal(printing.number, GAME)
    where = f"{where}, {printing.id}"
    card = _card(printing, number, where, doubts)
    return Found(card, printing.id, printing.id == printing.number and not suffix, where)


def _card(printing: Printing, number: str, where: str, doubts: list[str]) -> Card:
    category = printing.category.removesuffix(" CARD")
    kind = known(TYPES[GAME], category) or category.title()
    return Card(
        GAME,
        number,
        printing.name,
        kind,
        colors=tuple(known(COLORS[GAME], color) or color for color in listed(printing.color)),
        cost=_cost(printing, kind, where, doubts),
        cost_text=printing.cost or None,
        power=_power(printing, kind, where, doubts),
        traits=listed(printing.type.strip("-")),
        attributes=listed(printing.attribute),
        text="\n".join(filter(None, (printing.effect.strip("-"), printing.trigger))),
        rarity=printing.rarity,
        set=number.partition("-")[0],
        block=(printing.block or "").strip("-") or None,
        released=limits.sets(GAME).released(number, [printing.pack_id]),
    )


def _cost(printing: Printing, kind: str, where: str, doubts: list[str]) -> int | None:
    try:
        return cost(GAME, kind, printing.cost or "")
    except ValueError as error:
        doubts.append(f"{where}: {error}.")
        return None


def _power(printing: Printing, kind: str, where: str, doubts: list[str]) -> int | None:
    if printing.power == "-":
        return 0 if kind == "Character" else None  # the list prints no zero
    if not _POWER.fullmatch(printing.power):
        doubts.append(f"{where}: {printing.power[:60]!r} is no power; it is a number.")
        return None
    return int(printing.power)
