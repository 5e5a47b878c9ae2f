"""Deck files: what is given as a deck list and is none, and what to do with it instead."""

from __future__ import annotations

import re
from typing import NamedTuple

from validator.decklists.encoding import decoded
from validator.language import phrase

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_SELDOM = 16  # of so many characters of a text, one at most


class NoList(NamedTuple):
    """What a file is instead, in a sentence, and whether it may hold many decks."""

    says: str
    is_spreadsheet: bool = False


_PICTURE = NoList(phrase("This is a picture; write the list down as text."))
_NO_TEXT = {
    b"PK\x03\x04": NoList(phrase("This is a spreadsheet or an archive, and no list of one deck."), True),
    b"\xd0\xcf\x11\xe0": NoList(phrase("This is an old spreadsheet; save it as .xlsx."), True),
    b"%PDF": NoList(phrase("This is a PDF; copy the list out of it into a text file.")),
    b"\x89PNG": _PICTURE,
    b"\xff\xd8\xff": _PICTURE,
}
_BINARY = NoList(phrase("This is no text; a deck list is text, as one would type it."))


def no_list(data: bytes) -> NoList | None:
    """Return what a file is where it is no text that a list could be, None where it is one."""
    for beginning, what in _NO_TEXT.items():
        if data.startswith(beginning):
            return what
    text = decoded(data).text
    return _BINARY if _SELDOM * len(_CONTROL.findall(text)) > len(text) else None
