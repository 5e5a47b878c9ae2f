"""Flyers: a page to hang up in a hall, whose code a telephone opens the registration of an event with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources

import typst

from api.service.errors import Invalid, Wrong
from api.sheets import fonts, qrcode
from api.sheets.layout import PAPERS
from api.sheets.person_names import cleaned
from api.sheets.registration import Event

LONGEST_ADDRESS = 500  # characters; a code of more is too fine to be scanned from a wall
LONGEST_WORD = 20
LONGEST_SAYS, MOST_SAYS = 120, 4  # characters of a line, and lines
_MARGIN = 48  # points
_QUIET = 4  # modules of white around a code


def flyer(event: Event, address: str, word: str = "", says: Sequence[str] = (), paper: str = "a4") -> bytes:
    """Return a flyer as PDF, on one of PAPERS: the event, the address as a code and as text, and a word to join by.

    `says` are lines that stand at its foot, such as the deadline with its zone. Invalid says what is too long.
    """
    if wrong := list(_wrong(address, word, says)):
        raise Invalid(wrong)
    size = PAPERS[paper]
    width = size.width - 2 * _MARGIN
    about = (" · ".join(filter(None, (event.date, event.format_name))), event.place)
    data = {
        "fonts": fonts.FAMILIES,
        "width": size.width,
        "height": size.height,
        "name": fonts.fitted_bold(cleaned(event.event) or "Event", width, 110, 31),
        "about": [cleaned(line) for line in about if line],
        "code": _code(address),
        "address": fonts.fitted_bold(address, width, 60, 17),
        "word": fonts.fitted_bold(cleaned(word), 200, 40, 31) if word else "",
        "says": [cleaned(line) for line in says],
    }
    text = fonts.marked(json.dumps(data, ensure_ascii=False))
    return typst.compile(_template(), font_paths=fonts.fonts(), sys_inputs={"data": text}, pdf_tags=False)


def _wrong(address: str, word: str, says: Sequence[str]) -> list[Wrong]:
    wrong = []
    if not 0 < len(address) <= LONGEST_ADDRESS or not (address.isascii() and address.isprintable()):
        wrong.append(Wrong("/address", f"Write an address of at most {LONGEST_ADDRESS} characters, none but ASCII."))
    if len(word) > LONGEST_WORD:
        wrong.append(Wrong("/word", f"Write a code of at most {LONGEST_WORD} characters."))
    if len(says) > MOST_SAYS or any(len(line) > LONGEST_SAYS for line in says):
        wrong.append(Wrong("/says", f"Write at most {MOST_SAYS} lines of at most {LONGEST_SAYS} characters."))
    return wrong


@cache
def _template() -> bytes:
    return (resources.files("api.events.exports") / "flyer.typ").read_bytes()


def _code(address: str) -> str:
    """Return a code as SVG, with the white around it that telephones look for."""
    modules, path = qrcode.path(address)
    side = modules + 2 * _QUIET
    drawn = f'<path transform="translate({_QUIET} {_QUIET})" fill="none" stroke="#000" stroke-width="1.02" d="{path}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}">{drawn}</svg>'
