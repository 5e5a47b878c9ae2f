"""Pages: parses the pages of official sites, and builds the errors for a page that is not the expected one."""

from __future__ import annotations

import re
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from carddb.errors import NoResults, PageError, PlacedText, Truncated
from carddb.sources.printings import PrintedCard
from validator.language import phrase
from validator.numbers import normal

# The sites write their own tags small, and <Slash> or <Son Goku> unescaped in card texts.
_NAME_TAKEN_FOR_A_TAG = re.compile(r"<(?!(?i:br)\b)(?=/?[A-Z])")
_END = re.compile(r"</html\s*>\s*(?:<!--.{0,500}-->\s*)?\Z", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"[A-Z]{1,5}[0-9]{0,3}-[0-9]{2,4}")
_TAIL = 2000  # characters, in which the end of a page is looked for


class CardPage(NamedTuple):
    """A page of a card list: its printings in order, also repeated ones, and sentences from parsing it.

    `notices` are about content that was left out. `doubts` are about values that cannot be parsed, and errors in the
    page, such as a count that differs from the page's own. They keep the cards from being used. Types and colours are
    unchanged, even if the game does not have them.
    """

    printings: tuple[PrintedCard, ...]
    notices: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


def parse_html(html: str) -> LexborHTMLParser:
    """Parse an HTML page into a tree.

    Names in angle brackets, as in "<Son Goku>", become text: tags are written small.
    """
    return LexborHTMLParser(_NAME_TAKEN_FOR_A_TAG.sub("&lt;", html))


def check_page_end(html: str, location: str) -> None:
    """Raise Truncated if a page does not end with `</html>`. A comment may follow it.

    `location` names the page in messages.
    """
    if not _END.search(html[-_TAIL:].rstrip()):
        raise Truncated(
            PlacedText(location, phrase("the page stops in the middle (no `{tag}` at its end).", tag="</html>"))
        )


def find_required(node: LexborHTMLParser | LexborNode, selector: str, location: str) -> LexborNode:
    """Return the first element that a CSS selector finds. Raises PageError if there is none.

    `location` names the page in the message.
    """
    element = node.css_first(selector)
    if element is None:
        raise missing_element_error(selector, location)
    return element


def missing_list_error(selector: str, location: str) -> PageError:
    """Return the PageError for a page that has no card list, because this CSS selector finds nothing."""
    return PageError(
        phrase(
            "{location} is no card-list page, or its structure changed: nothing is found by `{selector}`.",
            location=location,
            selector=selector,
        )
    )


def missing_element_error(selector: str, location: str) -> PageError:
    """Return the PageError for a page on which a CSS selector finds nothing."""
    problem = phrase(
        "nothing is found by `{selector}`; this is another page, or the site has changed its pages.", selector=selector
    )
    return PageError(PlacedText(location, problem))


def unknown_element_error(tag: str, selector: str, location: str) -> PageError:
    """Return the PageError for a page with an unknown element `tag` in what `selector` finds.

    Its text would be lost.
    """
    problem = phrase(
        "`{selector}` holds `<{tag}>`, which is not read; the site has changed its pages.",
        selector=selector,
        tag=tag[:60],
    )
    return PageError(PlacedText(location, problem))


def no_results_error(selector: str, location: str) -> NoResults:
    """Return the NoResults error for the page of a search that found no cards.

    `selector` is the one that finds nothing.
    """
    problem = phrase("a search that found no cards; nothing is found by `{selector}`.", selector=selector)
    return NoResults(PlacedText(location, problem))


def parse_printed_number(game: str, printed: str, selector: str, location: str) -> tuple[str, str]:
    """Return `(number, suffix)` of a printed card number, normalised: `OP01-016_p1` → ("OP01-016", "_p1").

    The suffix is "" if there is none. Only the shape is checked, so numbers of other games are accepted. Raises
    PageError if the text does not have the shape. `selector` and `location` are for the message.
    """
    number, suffix = normal(printed, game)
    if not _NUMBER.fullmatch(number):
        problem = phrase("{number!r} in `{selector}` is no card number.", number=printed[:60], selector=selector)
        raise PageError(PlacedText(location, problem))
    return number, suffix


def text_of(node: LexborNode | None) -> str:
    """Return the text of an element on one line with single blanks, "" for None."""
    return " ".join(node.text().split()) if node is not None else ""
