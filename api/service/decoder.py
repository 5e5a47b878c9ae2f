"""The decoder: a clean request read and checked while its JSON is, many times quicker than by its shape.

Nearly all requests are clean. Whatever is not is read anew by its shape, which says what is wrong with it and where,
and reads what is only rare.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, TypeVar

from msgspec import UNSET, Meta, MsgspecError, Struct, UnsetType, defstruct, to_builtins
from msgspec.json import Decoder

from api.service.bounds import LONGEST_DECKLIST, LONGEST_TEXT, MOST_DELAY, MOST_SIZE
from api.service.errors import Invalid
from api.service.requests import Asked, RepairRequest, SwapRequest, Validation
from api.service.shapes import (
    RepairShape,
    SwapShape,
    ValidateShape,
    WrittenTermsShape,
    asked,
    loaded,
    parsed,
    unwritable,
)
from validator.deck import MOST_COPIES, MOST_LINES, SECTIONS, Deck
from validator.rules import Policy

_Text = Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)]
_Decklist = Annotated[str, Meta(max_length=LONGEST_DECKLIST)]


class _CleanLine(Struct, forbid_unknown_fields=True, gc=False):
    """A `validator.deck.DeckLine`, read from JSON at a tenth of the cost of a Line; there are no lines in JSON."""

    count: Annotated[int, Meta(ge=1, le=MOST_COPIES)]
    number: _Text | None = None
    name: _Text | None = None

    @property
    def at(self) -> None:
        return None

    @property
    def raw(self) -> None:
        return None

    @property
    def written(self) -> str:
        return self.number or self.name or ""


_Section = Annotated[tuple[_CleanLine, ...], Meta(max_length=MOST_LINES)]


if TYPE_CHECKING:
    _CleanDeck = Struct
else:
    _CleanDeck = defstruct("_CleanDeck", [(name, _Section, ()) for name in SECTIONS], forbid_unknown_fields=True)
_sections = attrgetter(*SECTIONS)


class _CleanPolicy(Struct, forbid_unknown_fields=True):
    side_max: Annotated[int, Meta(ge=0, le=MOST_COPIES)] | UnsetType = UNSET
    main_min: Annotated[int, Meta(ge=0, le=MOST_SIZE)] | UnsetType = UNSET
    main_max: Annotated[int, Meta(ge=0, le=MOST_SIZE)] | UnsetType = UNSET
    copies: bool | UnsetType = UNSET
    copies_across_side: bool | UnsetType = UNSET
    release_delay_days: Annotated[int, Meta(ge=0, le=MOST_DELAY)] | UnsetType = UNSET
    release: bool | UnsetType = UNSET
    limits: bool | UnsetType = UNSET
    swap_one_for_one: bool | UnsetType = UNSET


class _CleanTerms(Struct, forbid_unknown_fields=True, kw_only=True):
    ruleset: _Text | UnsetType = UNSET
    game: _Text | UnsetType = UNSET
    on: _Text | UnsetType = UNSET
    region: _Text | UnsetType = UNSET
    format: _Text | UnsetType = UNSET
    best_of: int | UnsetType = UNSET
    timezone: _Text | UnsetType = UNSET
    policy: _CleanPolicy | UnsetType = UNSET
    explain: bool = False
    summary: bool = False


class _CleanValidate(_CleanTerms):
    deck: _CleanDeck | UnsetType = UNSET
    decklist: _Decklist | UnsetType = UNSET


class _CleanSwap(_CleanTerms):
    before: _CleanDeck | _Decklist
    after: _CleanDeck | _Decklist


class _Unclean(ValueError):
    """A request to be read by its shape."""


_UNREAD = (MsgspecError, UnicodeDecodeError, Invalid, _Unclean)
_VALIDATE, _VALIDATE_SHAPE = Decoder(_CleanValidate), ValidateShape()
_SWAP, _SWAP_SHAPE = Decoder(_CleanSwap), SwapShape()
_REPAIR_SHAPE = RepairShape()
_TERMS = WrittenTermsShape()
_Struct = TypeVar("_Struct")
_Request = TypeVar("_Request")


def validation(body: bytes) -> Validation:
    """Read a validate request from JSON; NotJson or Invalid has all that is wrong with it."""
    request: Validation = clean_validation(body) or loaded(_VALIDATE_SHAPE, parsed(body))
    return request


def clean_validation(body: bytes) -> Validation | None:
    """Read a validate request from JSON, None where it is to be read by its shape."""
    return _clean(body, _VALIDATE, _validation)


def swap(body: bytes) -> SwapRequest:
    """Read a swap request from JSON; NotJson or Invalid has all that is wrong with it."""
    request: SwapRequest = _clean(body, _SWAP, _swap) or loaded(_SWAP_SHAPE, parsed(body))
    return request


def repair(body: bytes) -> RepairRequest:
    """Read a repair request from JSON, of which there are few; NotJson or Invalid has all that is wrong with it."""
    request: RepairRequest = loaded(_REPAIR_SHAPE, parsed(body))
    return request


def _clean(body: bytes, decoder: Decoder[_Struct], made: Callable[[_Struct, bool], _Request]) -> _Request | None:
    try:
        return made(decoder.decode(body), _is_plain(body))
    except _UNREAD:
        return None


def _is_plain(body: bytes) -> bool:
    """Tell whether no text in this JSON can be blank or hold what cannot be written.

    Such characters are escaped, or outside of ASCII, or DEL; a blank text has a space after its quotation mark.
    """
    return body.isascii() and b"\\" not in body and b"\x7f" not in body and (b" " not in body or b'" ' not in body)


def _validation(read: _CleanValidate, plain: bool) -> Validation:
    asked, deck, decklist = _asked(read), read.deck, read.decklist
    if isinstance(deck, UnsetType):
        if isinstance(decklist, UnsetType):
            raise _Unclean
        return Validation(asked, None, decklist, read.explain, read.summary)
    if decklist is not UNSET:
        raise _Unclean
    return Validation(asked, _deck(deck, plain), None, read.explain, read.summary)


def _swap(read: _CleanSwap, plain: bool) -> SwapRequest:
    before, after = (one if isinstance(one, str) else _deck(one, plain) for one in (read.before, read.after))
    return SwapRequest(_asked(read), before, after, read.explain, read.summary)


def _asked(read: _CleanTerms) -> Asked:
    asked = terms(read.ruleset, read.game, read.on, read.region, read.format, read.best_of, read.timezone)
    return asked if read.policy is UNSET else asked._replace(policy=Policy(**to_builtins(read.policy)))


# What is refused is not remembered: nobody fills the memory with what he may not ask.
@lru_cache(maxsize=1024)
def terms(*values: str | int | UnsetType) -> Asked:
    """Return the terms of ruleset, game, on, region, format, best_of and timezone. Raises Invalid if one is wrong.

    UNSET, or nothing at the end, stands for what is left out.
    """
    given = {key: value for key, value in zip(_TERMS.fields, values, strict=False) if value is not UNSET}
    return asked(loaded(_TERMS, given))


def _deck(read: _CleanDeck, plain: bool) -> Deck:
    sections = _sections(read)
    if sum(map(len, sections)) > MOST_LINES:
        raise _Unclean
    for line in chain(*sections):
        if not (line.number or line.name) or not (plain or _is_writable(line)):
            raise _Unclean
    return Deck(*sections)


def _is_writable(line: _CleanLine) -> bool:
    return not any(unwritable(text) for text in (line.number, line.name) if text)
