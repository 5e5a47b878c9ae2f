"""The decoder: the fast path for requests, which validates JSON while it is parsed.

The shapes of requests describe their JSON. From a shape a msgspec struct is derived, which is 20 times as fast. A
request that does not fit the struct is parsed again by its shape, which explains all errors and reads rare spellings.
Both return the values of `api.service.requests`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import marshmallow as ma
from marshmallow import fields, validate
from msgspec import UNSET, Meta, MsgspecError, Struct, UnsetType, defstruct, to_builtins
from msgspec.json import Decoder
from msgspec.structs import astuple

from api.service.bounds import LONGEST_TEXT
from api.service.errors import Invalid
from api.service.requests import RepairRequest, RequestedTerms, SwapRequest, Validation
from api.service.shapes import (
    DeckOrText,
    DeckShape,
    RepairShape,
    SwapShape,
    ValidateShape,
    WrittenTermsShape,
    load_terms,
    load_with,
    parse_json,
    unwritable,
)
from validator.bounds import LONGEST_LIST
from validator.deck import MOST_COPIES, MOST_LINES, SECTIONS, Deck
from validator.rules import Policy

_SPACED_COLONS = (b" :", b"\t:", b"\n:", b"\r:")
_Text = Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)]
_Decklist = Annotated[str, Meta(max_length=LONGEST_LIST)]


class _CleanLine(Struct, forbid_unknown_fields=True, gc=False):
    """A line of a deck read from JSON: the number of copies, and the card by number or name.

    It replaces `validator.deck.Line` because it is created in a tenth of the time. Other fields are refused. A line
    without number and name is accepted here, and refused by `_to_deck`.
    """

    count: Annotated[int, Meta(ge=1, le=MOST_COPIES)]
    number: _Text | None = None
    name: _Text | None = None

    @property
    def at(self) -> None:
        """The place in a text. Always None, because a line in JSON has none."""
        return None

    @property
    def raw(self) -> None:
        """The original text of the line. Always None, because a line in JSON has none."""
        return None

    @property
    def written(self) -> str:
        """The number of the card as in the request, else its name, else ""."""
        return self.number or self.name or ""


_Section = Annotated[tuple[_CleanLine, ...], Meta(max_length=MOST_LINES)]


if TYPE_CHECKING:
    _CleanDeck = Struct
else:
    _CleanDeck = defstruct(
        "_CleanDeck", [(name, _Section | UnsetType, UNSET) for name in SECTIONS], forbid_unknown_fields=True
    )
_sections = attrgetter(*SECTIONS)


def _derive_struct(shape: ma.Schema) -> Any:
    """Return a new msgspec struct type with the fields of a marshmallow schema. Unknown fields are refused.

    Its fields have the attribute names of the schema. An optional field that is omitted has the value UNSET.
    """
    entries = [
        (name, _derive_type(field)) if field.required else (name, _derive_type(field) | UnsetType, UNSET)
        for name, field in shape.fields.items()
    ]
    return defstruct(type(shape).__name__, entries, forbid_unknown_fields=True, kw_only=True)


def _derive_type(field: fields.Field[Any]) -> Any:
    """Return the msgspec type of a marshmallow field, with the bounds of its Length and Range validators.

    Fields of other classes than integer, bool, deck and nested schema are `str`. Other validators are ignored here. A
    deck is a struct of its sections, a nested schema a struct of its fields.
    """
    match field:
        case DeckOrText():
            return _CleanDeck | _Decklist
        case fields.Nested(schema=DeckShape()):
            return _CleanDeck
        case fields.Nested(schema=shape):
            return _derive_struct(shape)
        case fields.Boolean():
            return bool
    plain: Any = int if isinstance(field, fields.Integer) else str
    for validator in field.validators:
        if isinstance(validator, validate.Length):
            plain = Annotated[plain, Meta(min_length=validator.min, max_length=validator.max)]
        elif isinstance(validator, validate.Range):
            plain = Annotated[plain, Meta(ge=validator.min, le=validator.max)]
    return plain


class _NeedsShapeError(ValueError):
    """Raised if the fast msgspec path cannot read a request. The marshmallow shape then parses the request again."""


_NEEDS_SHAPE = (MsgspecError, UnicodeDecodeError, Invalid, _NeedsShapeError)
_VALIDATE_SHAPE, _SWAP_SHAPE, _REPAIR_SHAPE = ValidateShape(), SwapShape(), RepairShape()
_VALIDATE, _SWAP = Decoder(_derive_struct(_VALIDATE_SHAPE)), Decoder(_derive_struct(_SWAP_SHAPE))
_TERMS = WrittenTermsShape()
_term_values = attrgetter(*_TERMS.fields)
_Request = TypeVar("_Request")


def parse_validation(body: bytes) -> Validation:
    """Return the validate request of a JSON body. The fast path is tried first, then the marshmallow shape.

    Raises NotJson, or Invalid with all errors of the request.
    """
    request: Validation = parse_clean_validation(body) or load_with(_VALIDATE_SHAPE, parse_json(body))
    return request


def parse_clean_validation(body: bytes) -> Validation | None:
    """Return the validate request of a JSON body by the fast path. Raises no error.

    Return None if the slower shape has to parse the body, because it may be wrong or has a rare spelling.
    """
    return _decode_clean(body, _VALIDATE, _to_validation)


def parse_swap(body: bytes) -> SwapRequest:
    """Return the swap request of a JSON body. The fast path is tried first, then the marshmallow shape.

    Raises NotJson, or Invalid with all errors of the request.
    """
    request: SwapRequest = _decode_clean(body, _SWAP, _to_swap) or load_with(_SWAP_SHAPE, parse_json(body))
    return request


def parse_repair(body: bytes) -> RepairRequest:
    """Return the repair request of a JSON body. Raises NotJson, or Invalid with all errors. There is no fast path."""
    request: RepairRequest = load_with(_REPAIR_SHAPE, parse_json(body))
    return request


def _decode_clean(body: bytes, decoder: Decoder[Any], convert: Callable[[Any, bool], _Request]) -> _Request | None:
    """Return the request that `convert` makes of a decoded JSON body.

    `convert` takes the decoded struct and the result of `_is_plain`. Return None if decoding or converting fails with
    an error of _NEEDS_SHAPE, an error of the input, or if a key may be repeated: the marshmallow shape then has to
    parse the body.
    """
    try:
        struct = decoder.decode(body)
        # A repeated key has only its last value in the struct. Space before a colon is rare, and would hide a key.
        if body.count(b'":') != _count_keys(struct) or any(spaced in body for spaced in _SPACED_COLONS):
            return None
        return convert(struct, _is_plain(body))
    except _NEEDS_SHAPE:
        return None


def _count_keys(struct: Struct) -> int:
    """Return the number of keys in the JSON of a decoded struct and of the structs in it, except keys with null."""
    values = [value for value in astuple(struct) if value is not UNSET]
    count = len(values)
    for value in values:
        if isinstance(value, tuple):  # the lines of a section: each has a count with a number, a name or both
            count += 2 * len(value) + len([1 for line in value if line.name is not None and line.number is not None])
        elif isinstance(value, Struct):
            count += _count_keys(value)
    return count


def _is_plain(body: bytes) -> bool:
    """Return True if no string in a valid JSON body can be blank (but "") or have unprintable characters.

    True needs ASCII without a backslash, without DEL, and without a space directly after a quotation mark. So False
    does not mean that there is such a string.
    """
    return body.isascii() and b"\\" not in body and b"\x7f" not in body and (b" " not in body or b'" ' not in body)


def _to_validation(struct: Any, is_plain: bool) -> Validation:
    """Return the validate request of a decoded struct.

    Raises _NeedsShapeError unless it has exactly one of `deck` and `decklist`, and for a deck that `_to_deck` refuses.
    `is_plain` is passed on to `_to_deck`. Raises Invalid if a term is wrong.
    """
    asked, deck, decklist = _terms_of(struct), struct.deck, struct.decklist
    options = struct.explain is True, struct.summary is True
    if (deck is UNSET) == (decklist is UNSET):
        raise _NeedsShapeError
    if deck is UNSET:
        return Validation(asked, None, decklist, *options)
    return Validation(asked, _to_deck(deck, is_plain), None, *options)


def _to_swap(struct: Any, is_plain: bool) -> SwapRequest:
    """Return the swap request of a decoded struct. Its decks `before` and `after` may also be texts, which stay texts.

    `is_plain` is passed on to `_to_deck`. Raises _NeedsShapeError for a deck that it refuses, Invalid for a wrong term.
    """
    before, after = (
        deck if isinstance(deck, str) else _to_deck(deck, is_plain) for deck in (struct.before, struct.after)
    )
    return SwapRequest(_terms_of(struct), before, after, struct.explain is True, struct.summary is True)


def _terms_of(struct: Any) -> RequestedTerms:
    """Return the terms of a decoded struct, with its policy and its text of an own limits list if it has them.

    Raises Invalid if a term is wrong. The policy and the list are not checked here.
    """
    asked = parse_terms(*_term_values(struct))
    if struct.limits_list is not UNSET:
        asked = asked._replace(limits_list=struct.limits_list)
    return asked if struct.policy is UNSET else asked._replace(policy=Policy(**to_builtins(struct.policy)))


# Wrong terms are not cached, so that clients cannot fill the cache with them.
@lru_cache(maxsize=1024)
def parse_terms(*values: str | int | UnsetType) -> RequestedTerms:
    """Return the terms for values of ruleset, game, on, region, format, best_of and timezone, in this order.

    `on` is a text such as 2026-01-15. A value that is UNSET, or missing at the end, is left open. Raises Invalid if a
    value is wrong. A time zone is dropped if there is a day (`on`). The last 1024 results are cached, but no errors.
    """
    known_terms = {key: value for key, value in zip(_TERMS.fields, values, strict=False) if value is not UNSET}
    return load_terms(load_with(_TERMS, known_terms))


def _to_deck(struct: _CleanDeck, is_plain: bool) -> Deck:
    """Return the deck of a decoded struct. Raises _NeedsShapeError if all sections together exceed MOST_LINES lines.

    Raises _NeedsShapeError also for a line without number and name, or with one that `_is_writable` refuses. If
    `is_plain` (the result of `_is_plain` for the body), that second check is skipped.
    """
    sections = [() if lines is UNSET else lines for lines in _sections(struct)]
    if sum(map(len, sections)) > MOST_LINES:
        raise _NeedsShapeError
    for line in chain(*sections):
        if not (line.number or line.name) or not (is_plain or _is_writable(line)):
            raise _NeedsShapeError
    return Deck(*sections)


def _is_writable(line: _CleanLine) -> bool:
    """Return True if neither the number nor the name of a line is refused by `unwritable` (blank, unprintable, odd).

    None and "" are not refused here.
    """
    return not any(unwritable(text) for text in (line.number, line.name) if text)
