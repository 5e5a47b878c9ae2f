"""Pages of the official sites: the checks of every page, and the dates that pages have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from carddb.errors import NoResults, PageError, Truncated
from carddb.sources.printings import PrintedCard
from validator.numbers import normal

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAME = rf"(?:{'|'.join(_MONTHS)})[a-z]{{0,6}}\.?"
# dateutil would take `03/04/2026` for a day in March, and refuses `July 13,2018` and texts of two days.
_WRITTEN = re.compile(
    rf"\b(?P<month>{_NAME})\s{{0,3}}(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?,?\s{{0,3}}(?P<year>[0-9]{{4}})\b"
    rf"|\b(?P<day2>[0-9]{{1,2}})[- ](?P<month2>{_NAME})[-, ]{{1,2}}(?P<year2>[0-9]{{4}}|[0-9]{{2}})\b"
    r"|\b(?P<year3>[0-9]{4})[-/.](?P<month3>[0-9]{1,2})[-/.](?P<day3>[0-9]{1,2})\b",
    re.IGNORECASE,
)

_COMMENT = re.compile(r"<!--(.{0,2000}?)-->", re.DOTALL)
_SAVED = re.compile(r"saved date:|mirrored from", re.IGNORECASE)  # as SingleFile and HTTrack write
# The sites write the day of their last change behind the addresses of pictures and scripts: `card.png?260806`.
_CHANGED = re.compile(r"\.[a-z0-9]{2,5}\?([0-9]{2})(0[1-9]|1[0-2])([0-2][0-9]|3[01])(?![0-9])")
_HEAD = 20_000  # characters, in which the comments of programs that save pages are


def saved_date(html: str) -> date | None:
    """Return the day on which a page was saved, else that of the site's last change before; None if it has neither."""
    for comment in _COMMENT.findall(html[:_HEAD]):
        if _SAVED.search(comment) and (day := first_date(comment)):
            return day
    return max(_changes(html), default=None)


def _changes(html: str) -> Iterator[date]:
    for year, month, day in set(_CHANGED.findall(html)):
        try:
            yield date(2000 + int(year), int(month), int(day))
        except ValueError:
            continue


def first_date(text: str) -> date | None:
    """Return the first day that a text names (`From July 28, 2017`, `July 13,2018`, `21-Sep-18`), if any."""
    for match in _WRITTEN.finditer(text):
        year, month, day = (_part(match, name) for name in ("year", "month", "day"))
        try:
            return date(_century(year), _month(month), int(day))
        except ValueError:
            continue  # the 31st of June
    return None


def _part(match: re.Match[str], name: str) -> str:
    return next(part for part in (match[name], match[f"{name}2"], match[f"{name}3"]) if part)


def _century(year: str) -> int:
    return int(year) if len(year) == 4 else 2000 + int(year)


def _month(month: str) -> int:
    return int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1


# The sites write their own tags small, and <Slash> or <Son Goku> unescaped in card texts.
_NAME_TAKEN_FOR_A_TAG = re.compile(r"<(?!(?i:br)\b)(?=/?[A-Z])")
_END = re.compile(r"</html\s*>\s*(?:<!--.{0,500}-->\s*)?\Z", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"[A-Z]{1,5}[0-9]{0,3}-[0-9]{2,4}")
_TAIL = 2000  # characters, in which the end of a page is looked for


class CardPage(NamedTuple):
    """A page of a card list: its printings in order, and what is to be said of reading them.

    `notices` say what was left out, `doubts` what looks wrong with the page, such as a count that is not
    the page's own. Types and colours are as the page has them, whether the game knows them or not.
    """

    printings: tuple[PrintedCard, ...]
    notices: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


def parsed(html: str) -> LexborHTMLParser:
    """Return a page as a tree in which names in angle brackets are text."""
    return LexborHTMLParser(_NAME_TAKEN_FOR_A_TAG.sub("&lt;", html))


def check_whole(html: str, where: str) -> None:
    """Raise Truncated if a page does not end as pages do."""
    if not _END.search(html[-_TAIL:].rstrip()):
        raise Truncated(f"{where}: the page stops in the middle (no `</html>` at its end).")


def needed(node: LexborHTMLParser | LexborNode, selector: str, where: str) -> LexborNode:
    """Return the first element of a selector; a PageError names the selector where there is none."""
    element = node.css_first(selector)
    if element is None:
        raise missing(selector, where)
    return element


def card_list_not_found(selector: str, where: str) -> PageError:
    """Build the PageError for a page on which `selector` matches nothing."""
    return PageError(f"{where} is no card-list page, or its structure changed: nothing is found by `{selector}`.")


def missing(selector: str, where: str) -> PageError:
    """Return the error of a page that lacks what a selector should find."""
    return PageError(
        f"{where}: nothing is found by `{selector}`; this is another page, or the site has changed its pages."
    )


def unread(tag: str, selector: str, where: str) -> PageError:
    """Return the error of a page that has an element where there never was one, so that its words would be lost."""
    return PageError(f"{where}: `{selector}` holds `<{tag[:60]}>`, which is not read; the site has changed its pages.")


def without_results(selector: str, where: str) -> NoResults:
    """Return the error of a page of a search that found no cards."""
    return NoResults(f"{where}: a search that found no cards; nothing is found by `{selector}`.")


def number_in(game: str, printed: str, selector: str, where: str) -> tuple[str, str]:
    """Return a card's number and the suffix of its printing; a PageError if the text is no number."""
    number, suffix = normal(printed, game)
    if not _NUMBER.fullmatch(number):
        raise PageError(f"{where}: {printed[:60]!r} in `{selector}` is no card number.")
    return number, suffix


def words(node: LexborNode | None) -> str:
    """Return the text of an element on one line; nothing for no element."""
    return " ".join(node.text().split()) if node is not None else ""
