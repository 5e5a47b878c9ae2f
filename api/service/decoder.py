"""The decoder: a clean validate request read and checked while its JSON is, five times quicker.

Nearly all requests are clean. Whatever is not is read anew by `payload`, which says what is wrong with it and
where, and reads what is only rare.
"""

from __future__ import annotations

from itertools import chain
from typing import Annotated
from typing import Any
from typing import ClassVar
from typing import cast

from msgspec import UNSET
from msgspec import Meta
from msgspec import MsgspecError
from msgspec import Struct
from msgspec import UnsetType
from msgspec.json import Decoder

from api.service import requests
from api.service.errors import Invalid
from api.service.requests import LONGEST_DECKLIST
from api.service.requests import LONGEST_TEXT
from api.service.requests import Validation
from validator.deck import MOST_COPIES
from validator.deck import MOST_LINES
from validator.deck import Deck

_Text = Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)]


class _Line(Struct, forbid_unknown_fields=True, gc=False):
    """All that a `validator.deck.Line` has, read from JSON at a tenth of the cost; there are no lines in JSON."""

    count: Annotated[int, Meta(ge=1, le=MOST_COPIES)]
    number: _Text | None = None
    name: _Text | None = None

    at: ClassVar[None] = None
    raw: ClassVar[None] = None

    @property
    def written(self) -> str:
        """What the player wrote for the card."""
        return self.number or self.name or ""


_Section = Annotated[tuple[_Line, ...], Meta(max_length=MOST_LINES)]


class _Deck(Struct, forbid_unknown_fields=True):
    leader: _Section = ()
    main: _Section = ()
    side: _Section = ()
    z: _Section = ()
    don: _Section = ()


class _Request(Struct, forbid_unknown_fields=True):
    ruleset: _Text | UnsetType = UNSET
    game: _Text | UnsetType = UNSET
    on: _Text | UnsetType = UNSET
    region: _Text | UnsetType = UNSET
    format: _Text | UnsetType = UNSET
    deck: _Deck | UnsetType = UNSET
    decklist: Annotated[str, Meta(max_length=LONGEST_DECKLIST)] | UnsetType = UNSET
    explain: bool = False


_DECODER = Decoder(_Request)


def validation(body: bytes) -> Validation:
    """Read a validate request from JSON; NotJson or Invalid has all that is wrong with it."""
    try:
        found = _validation(_DECODER.decode(body), _is_plain(body))
    except (MsgspecError, UnicodeDecodeError, Invalid):
        found = None
    return found or requests.validation(requests.parsed(body))


def _is_plain(body: bytes) -> bool:
    """Tell whether no text in this JSON can be blank or hold what cannot be written.

    Such characters are escaped, or outside of ASCII, or DEL; a blank text has a space after its quotation mark.
    """
    return body.isascii() and b"\\" not in body and b"\x7f" not in body and (b" " not in body or b'" ' not in body)


def _validation(found: _Request, plain: bool) -> Validation | None:
    """Return the request, None where it is not clean."""
    asked = requests.terms(found.ruleset, found.game, found.on, found.region, found.format)
    read, decklist = found.deck, found.decklist
    if isinstance(read, UnsetType):
        return None if isinstance(decklist, UnsetType) else Validation(asked, None, decklist, found.explain)
    if decklist is not UNSET:
        return None
    sections = read.leader, read.main, read.side, read.z, read.don
    if sum(map(len, sections)) > MOST_LINES:
        return None
    for line in chain(*sections):
        if not (line.number or line.name) or not (plain or _is_writable(line)):
            return None
    return Validation(asked, Deck(*cast("Any", sections)), None, found.explain)


def _is_writable(line: _Line) -> bool:
    return all(requests.is_writable(text) for text in (line.number, line.name) if text)
