"""Dragon Ball Super Masters: the pages of the official card list (dbs-cardgame.com, `/cardlist/`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import PurePosixPath
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from carddb.errors import PageError, PlacedText
from carddb.sources import days, pages
from carddb.sources.pages import (
    CardPage,
    check_page_end,
    find_required,
    missing_element_error,
    missing_list_error,
    parse_html,
    text_of,
)
from carddb.sources.printed_facts import find_word, parse_cost, parse_power, spell_colors, split_list
from carddb.sources.printings import PrintedCard
from validator.cards import Card
from validator.errors import error_text
from validator.games import GAMES
from validator.language import join_phrases, phrase

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


def parse_categories(html: str, location: str) -> dict[str, str]:
    """Return the labels (for people) of the products in the search form by id, in its order.

    Options without an id are left out. `location` names the page in messages. Raises PageError if there is no form, or
    no option with an id.
    """
    check_page_end(html, location)
    form = find_required(parse_html(html), _CATEGORIES, location)
    options = {option.attributes.get("value") or "": text_of(option) for option in form.css("option")}
    options.pop("", None)
    if not options:
        raise missing_element_error(f"{_CATEGORIES} option", location)
    return options


def parse_result_page(html: str, location: str) -> CardPage:
    """Return the printings of a result page, with remarks. `location` names the page in messages.

    Raises PageError with the selector that shows another structure, Truncated for an incomplete page, and NoResults for
    a search without results.
    """
    check_page_end(html, location)
    tree = parse_html(html)
    for selector in (_CATEGORIES, _RESULTS):
        if not tree.css_first(selector):
            raise missing_list_error(selector, location)
    items = tree.css(_ITEM)
    _check_complete(tree, items, location)
    remarks = _Remarks([], [])
    cards = tuple(
        _read_list_item(item, _card_place(location, position), remarks) for position, item in enumerate(items, 1)
    )
    return CardPage(cards, tuple(remarks.notices), tuple(remarks.doubts))


def _check_complete(tree: LexborHTMLParser, items: Sequence[LexborNode], location: str) -> None:
    """Raise PageError if the page shows cards outside of `items`, the elements of the list. So no card is missed.

    Raises PageError also for an item with two faces and no back. Raises NoResults if there are neither items nor
    pictures. `tree` is the parsed page.
    """
    if not items:
        raise (
            missing_list_error(_ITEM, location) if tree.css_first(_PICTURE) else pages.no_results_error(_ITEM, location)
        )
    if len(tree.css(_FRONT)) != len(items):
        raise missing_element_error(f"{_ITEM} {_FRONT}", location)
    for position, item in enumerate(items, 1):
        if len(item.css("dl.cardListCol")) > 1:
            find_required(item, _BACK, _card_place(location, position))


def _card_place(location: str, position: int) -> str:
    """Return the place of a card on a page, for messages."""
    return phrase("{file}, card {position}", file=location, position=position)


class _Remarks(NamedTuple):
    """The notices and doubts about a page (see `CardPage`). Parsers append to these lists."""

    notices: list[str]
    doubts: list[str]


def _read_list_item(item: LexborNode, location: str, remarks: _Remarks) -> PrintedCard:
    """Return the printing of a list item. Raises PageError if a required value is missing. Appends to `remarks`."""
    printed = text_of(find_required(item, f"{_FRONT} dt.cardNumber", location))
    number, suffix = pages.parse_printed_number(GAME, printed, "dt.cardNumber", location)
    location = join_phrases([location, f" ({printed})"])
    front = _CardFace(find_required(item, _FRONT, location), location, remarks)
    behind = item.css_first(_BACK)
    back = _CardFace(behind, phrase("{place}, back", place=location), remarks) if behind is not None else None
    return PrintedCard(_make_card(number, front, back), printed, not suffix, location)


def _make_card(number: str, front: _CardFace, back: _CardFace | None) -> Card:
    """Return the card of a number and of its faces.

    `back` is None for a card with one face, which has no facts of a back. Raises PageError if a required value is
    missing.
    """
    kind = front.required_text(".typeCol dd")
    kind = find_word(GAMES[GAME].types, kind) or kind.title()
    printed = front.text_with_pictures(".energyCol dd")
    return Card(
        GAME,
        number,
        front.required_text(".cardName"),
        kind,
        colors=spell_colors(GAME, front.required_text(".colorCol dd")),
        cost=front.cost(kind, printed),
        cost_text=printed or None,
        power=front.power(),
        traits=front.split_text(".specialTraitCol dd"),
        characters=front.split_text(".characterCol dd"),
        text=front.skill(),
        rarity=rarity_code(front.text(".rarityCol dd")),
        set=number.partition("-")[0],
        released=front.release_day(),
        back_name=(back.text(".cardName") or None) if back else None,
        back_power=back.power() if back else None,
        back_traits=back.split_text(".specialTraitCol dd") if back else (),
        back_characters=back.split_text(".characterCol dd") if back else (),
        back_text=back.skill() if back else "",
    )


class _CardFace:
    """One face of a card on the page. A value that cannot be parsed is left out with a notice.

    An unknown picture or element is a doubt, because a deck-building clause may depend on it.
    """

    def __init__(self, node: LexborNode, location: str, remarks: _Remarks) -> None:
        """Store the element of the face.

        `location` names its card in messages. Methods append notices and doubts to `remarks`.
        """
        self._node = node
        self._where = location
        self._remarks = remarks

    def required_text(self, selector: str) -> str:
        """Return the text of the first element of a selector. Raises PageError if it is missing or empty."""
        text = text_of(find_required(self._node, selector, self._where))
        if not text:
            raise PageError(PlacedText(self._where, phrase("`{selector}` is empty.", selector=selector)))
        return text

    def text(self, selector: str) -> str:
        """Return the text of the first element of a selector, "" if there is none or only a dash."""
        text = text_of(self._node.css_first(selector))
        return "" if text == "-" else text

    def split_text(self, selector: str) -> tuple[str, ...]:
        """Return the parts of the text of a selector's first element: `Saiyan/Earthling` → ("Saiyan", "Earthling")."""
        return split_list(self.text(selector))

    def text_with_pictures(self, selector: str) -> str:
        """Return the text of a selector's first element, pictures as text, "" if there is no such element.

        An unknown picture or element in it is a doubt.
        """
        node = self._node.css_first(selector)
        return "" if node is None else text_as_printed(node, partial(self._add_doubt, selector))

    def skill(self) -> str:
        """Return the skill text with its line breaks, pictures as text. Raises PageError if the element is missing."""
        find_required(self._node, ".skillCol dd", self._where)
        return self.text_with_pictures(".skillCol dd")

    def cost(self, kind: str, printed: str) -> int | None:
        """Return the number of the printed cost of a card of this type (`kind`).

        None for X, "", and types without a cost. An unreadable cost is None with a notice.
        """
        return self._parse_or_skip(".energyCol", lambda: parse_cost(GAME, kind, printed))

    def power(self) -> int | None:
        """Return the power of the face, None if there is none or only a dash.

        An unreadable power is None with a notice.
        """
        return self._parse_or_skip(".powerCol", lambda: parse_power(self.text(".powerCol dd")))

    def release_day(self) -> str | None:
        """Return the first day on which the printing may be played in tournaments, in ISO 8601, None if there is none.

        A text without a day is a notice.
        """
        text = self.text(".availableDateCol dd")
        day = days.find_first_day(text)
        if text and day is None:
            self._skip(".availableDateCol", phrase("{value!r} names no day", value=text[:60]))
        return day.isoformat() if day else None

    def _parse_or_skip(self, selector: str, parse: Callable[[], int | None]) -> int | None:
        """Return the result of `parse`. On ValueError, add a notice about the element of `selector` and return None."""
        try:
            return parse()
        except ValueError as error:
            self._skip(selector, error_text(error))
            return None

    def _skip(self, selector: str, reason: str) -> None:
        """Add a notice that the content of the selector's element is left out, with the reason."""
        place = join_phrases([self._where, f", `{selector}`"])
        self._remarks.notices.append(PlacedText(place, phrase("{problem}; left out.", problem=reason)))

    def _add_doubt(self, selector: str, reason: str) -> None:
        """Add a doubt to the remarks: a sentence with the card, the selector of the element, and the reason.

        The cards of a sync with a doubt do not become current. `reason` has no full stop.
        """
        place = join_phrases([self._where, f", `{selector}`"])
        self._remarks.doubts.append(PlacedText(place, phrase("{sentence}.", sentence=reason)))


def text_as_printed(node: LexborNode, left_out: Callable[[str], None]) -> str:
    """Return the text of an element with the pictures in it as text. A `<br>` begins a new line. "" for a dash.

    `left_out` is called with a sentence on each unknown picture or element, which is left out. Brackets 【】 become [].
    """
    parts = islice(node.traverse(include_text=True), 1, None)  # the first is the element itself
    joined = "".join(_node_text(part, left_out) for part in parts)
    text = _AROUND_BREAK.sub("\n", joined).strip().translate(_BRACKETS)
    return "" if text == "-" else text


def _node_text(part: LexborNode, left_out: Callable[[str], None]) -> str:
    """Return the text of a node: a text with single blanks, a line break for `<br>`, or a picture as text.

    For another element `left_out` is called with a sentence, and "" is returned. A comment is ignored.
    """
    if part.is_text_node:
        return _BLANKS.sub(" ", part.text_content or "")
    if part.tag == "br":
        return "\n"
    if part.tag == "img":
        return _picture_text(part, left_out)
    if part.tag != "-comment":
        left_out(phrase("the element `<{tag}>` is not known", tag=(part.tag or "")[:60]))
    return ""


def _picture_text(image: LexborNode, left_out: Callable[[str], None]) -> str:
    """Return the letter of a coloured ball ("R"), else the alternative text in brackets ("[Awaken]").

    For a picture without either `left_out` is called with a sentence, and "" is returned.
    """
    file = PurePosixPath((image.attributes.get("src") or "").partition("?")[0]).stem
    if letter := _BALLS.get(file.removesuffix("_ball")):
        return letter
    if title := " ".join((image.attributes.get("alt") or "").split()):
        return f"[{title}]"
    left_out(phrase("the picture {file!r} is not known", file=file[:60]))
    return ""


def rarity_code(text: str) -> str | None:
    """Return the code of a rarity: `Super Rare[SR]` → "SR".

    Without brackets the rarity is returned as printed, None for "".
    """
    code = _CODE.search(text)
    return (code[1] if code else text.strip()) or None
