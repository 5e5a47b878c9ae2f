"""Dragon Ball Super Masters: the pages of the official card list (dbs-cardgame.com, `/cardlist/`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from carddb.errors import PageError
from carddb.sources import pages
from carddb.sources.pages import CardPage, card_list_not_found, check_whole, missing, needed, parsed, words
from carddb.sources.printed_facts import colors, cost, listed, power, spelled
from carddb.sources.printings import PrintedCard
from validator.cards import Card
from validator.games import GAMES

GAME = "dbs"

_CATEGORIES = "form select[name=category_exp]"
_RESULTS = "#listCol"
_PICTURE = "#listCol img"
_ITEM = "#listCol > ul.list-inner > li"
_FRONT = ".cardFront"
_BACK = ".cardBack"

# Cost balls by their picture, as fans and the tracker write them: B is blue, K black.
_BALLS = {"red": "R", "blue": "B", "green": "G", "yellow": "Y", "black": "K", "white": "W"}
_CODE = re.compile(r"[\[［]([^\]］]{1,12})[\]］]")
_BRACKETS = str.maketrans("【】", "[]")
_BLANKS = re.compile(r"\s+")
_AROUND_BREAK = re.compile(r" ?\n ?")


def categories(html: str, where: str) -> dict[str, str]:
    """Return the products in the search form, id to label, in its order; a PageError if there is no form."""
    check_whole(html, where)
    form = needed(parsed(html), _CATEGORIES, where)
    options = {option.attributes.get("value") or "": words(option) for option in form.css("option")}
    options.pop("", None)
    if not options:
        raise missing(f"{_CATEGORIES} option", where)
    return options


def page(html: str, where: str) -> CardPage:
    """Return the printings of a result page.

    A PageError names the selector by which a page of another structure shows; NoResults says that the
    page is one of a search without results.
    """
    check_whole(html, where)
    tree = parsed(html)
    for selector in (_CATEGORIES, _RESULTS):
        if not tree.css_first(selector):
            raise card_list_not_found(selector, where)
    items = tree.css(_ITEM)
    _check_complete(tree, items, where)
    remarks = _Remarks([], [])
    cards = tuple(_printing(item, f"{where}, card {at}", remarks) for at, item in enumerate(items, 1))
    return CardPage(cards, tuple(remarks.notices), tuple(remarks.doubts))


def _check_complete(tree: LexborHTMLParser, items: Sequence[LexborNode], where: str) -> None:
    """Refuse a page that shows cards elsewhere than in the list's items, so that none is passed over."""
    if not items:
        raise card_list_not_found(_ITEM, where) if tree.css_first(_PICTURE) else pages.without_results(_ITEM, where)
    if len(tree.css(_FRONT)) != len(items):
        raise missing(f"{_ITEM} {_FRONT}", where)
    for at, item in enumerate(items, 1):
        if len(item.css("dl.cardListCol")) > 1:
            needed(item, _BACK, f"{where}, card {at}")


class _Remarks(NamedTuple):
    """What is to be said of a page, as `CardPage` has it."""

    notices: list[str]
    doubts: list[str]


def _printing(item: LexborNode, where: str, remarks: _Remarks) -> PrintedCard:
    printed = words(needed(item, f"{_FRONT} dt.cardNumber", where))
    number, suffix = pages.number_in(GAME, printed, "dt.cardNumber", where)
    where = f"{where} ({printed})"
    front = _CardFace(needed(item, _FRONT, where), where, remarks)
    behind = item.css_first(_BACK)
    back = _CardFace(behind, f"{where}, back", remarks) if behind is not None else None
    return PrintedCard(_card(number, front, back), printed, not suffix, where)


def _card(number: str, front: _CardFace, back: _CardFace | None) -> Card:
    kind = front.needed(".typeCol dd")
    kind = spelled(GAMES[GAME].types, kind) or kind.title()
    printed = front.marked(".energyCol dd")
    return Card(
        GAME,
        number,
        front.needed(".cardName"),
        kind,
        colors=colors(GAME, front.needed(".colorCol dd")),
        cost=front.cost(kind, printed),
        cost_text=printed or None,
        power=front.power(),
        traits=front.several(".specialTraitCol dd"),
        characters=front.several(".characterCol dd"),
        text=front.skill(),
        rarity=rarity(front.one(".rarityCol dd")),
        set=number.partition("-")[0],
        released=front.released(),
        **(_back(back) if back else {}),
    )


def _back(back: _CardFace) -> dict[str, Any]:
    return {
        "back_name": back.one(".cardName") or None,
        "back_power": back.power(),
        "back_traits": back.several(".specialTraitCol dd"),
        "back_characters": back.several(".characterCol dd"),
        "back_text": back.skill(),
    }


class _CardFace:
    """One face of a card on the page; a value that cannot be read is left out with a notice.

    A picture or an element that is not known is a doubt: what texts say of construction may hang on it.
    """

    def __init__(self, node: LexborNode, where: str, remarks: _Remarks) -> None:
        self._node = node
        self._where = where
        self._remarks = remarks

    def needed(self, selector: str) -> str:
        """Return the text of an element that every card has."""
        text = words(needed(self._node, selector, self._where))
        if not text:
            raise PageError(f"{self._where}: `{selector}` is empty.")
        return text

    def one(self, selector: str) -> str:
        """Return the text of an element, nothing where there is none or a dash."""
        text = words(self._node.css_first(selector))
        return "" if text == "-" else text

    def several(self, selector: str) -> tuple[str, ...]:
        """Return the parts of a text like `Saiyan/Earthling`."""
        return listed(self.one(selector))

    def marked(self, selector: str) -> str:
        """Return a text that has pictures, each as it is printed."""
        node = self._node.css_first(selector)
        return "" if node is None else as_printed(node, partial(self._doubt, selector))

    def skill(self) -> str:
        """Return the skill text, a skill a line."""
        needed(self._node, ".skillCol dd", self._where)
        return self.marked(".skillCol dd")

    def cost(self, kind: str, printed: str) -> int | None:
        return self._number(".energyCol", lambda: cost(GAME, kind, printed))

    def power(self) -> int | None:
        return self._number(".powerCol", lambda: power(self.one(".powerCol dd")))

    def released(self) -> str | None:
        """Return the first day on which the printing may be played in tournaments."""
        text = self.one(".availableDateCol dd")
        day = pages.first_date(text)
        if text and day is None:
            self._skip(".availableDateCol", f"{text[:60]!r} names no day")
        return day.isoformat() if day else None

    def _number(self, selector: str, read: Callable[[], int | None]) -> int | None:
        try:
            return read()
        except ValueError as error:
            self._skip(selector, str(error))
            return None

    def _skip(self, selector: str, reason: str) -> None:
        self._remarks.notices.append(f"{self._where}, `{selector}`: {reason}; left out.")

    def _doubt(self, selector: str, reason: str) -> None:
        self._remarks.doubts.append(f"{self._where}, `{selector}`: {reason}.")


def as_printed(node: LexborNode, left_out: Callable[[str], None]) -> str:
    """Return the text of an element with its pictures as they are printed, a `<br>` beginning a new line.

    `left_out` is told what picture or element is not known.
    """
    parts = islice(node.traverse(include_text=True), 1, None)  # the first is the element itself
    joined = "".join(_printed(part, left_out) for part in parts)
    text = _AROUND_BREAK.sub("\n", joined).strip().translate(_BRACKETS)
    return "" if text == "-" else text


def _printed(part: LexborNode, left_out: Callable[[str], None]) -> str:
    if part.is_text_node:
        return _BLANKS.sub(" ", part.text_content or "")
    if part.tag == "br":
        return "\n"
    if part.tag == "img":
        return _picture(part, left_out)
    if part.tag != "-comment":
        left_out(f"the element `<{(part.tag or '')[:60]}>` is not known")
    return ""


def _picture(image: LexborNode, left_out: Callable[[str], None]) -> str:
    """Return what a picture stands for: a coloured ball, or a keyword or a number of energy."""
    file = PurePosixPath((image.attributes.get("src") or "").partition("?")[0]).stem
    if letter := _BALLS.get(file.removesuffix("_ball")):
        return letter
    if title := " ".join((image.attributes.get("alt") or "").split()):
        return f"[{title}]"
    left_out(f"the picture {file[:60]!r} is not known")
    return ""


def rarity(text: str) -> str | None:
    """Return the code of a rarity like `Super Rare[SR]`, else the rarity as printed."""
    code = _CODE.search(text)
    return (code[1] if code else text.strip()) or None
