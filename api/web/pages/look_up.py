"""Look-ups: what the address of a page asks for, read by the shapes that `/v1` reads its own by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from flask import request

from api.service.errors import Invalid
from api.service.shapes import DayField, Shape, loaded
from api.web.schemas import CardsQuery, DayQuery
from validator.language import phrase

_TWICE = phrase("This is given more than once; give it once.")


class LookUp(NamedTuple):
    """What is asked for, and by the name of a field what is wrong with it; such a field asks for nothing."""

    asked: dict[str, Any]
    faults: dict[str, str]

    @property
    def status(self) -> int:
        """The status of the answer."""
        return 422 if self.faults else 200


class CardsForm(CardsQuery):
    """The search for cards, in one game or, where none is said, in all."""

    def __init__(self) -> None:
        super().__init__(exclude=("page_size",))
        self.fields["game"].required = False


class ListForm(DayQuery):
    """A list on a day, and two days to compare."""

    first = DayField(data_key="from")
    last = DayField(data_key="to")


def find_repeated(names: Iterable[str]) -> dict[str, str]:
    """Return a fault for each field that the address or the form of the current request has more than once."""
    return {
        name: _TWICE
        for name in names
        if any(sum(bool(value.strip()) for value in sent.getlist(name)) > 1 for sent in (request.args, request.form))
    }


def looked_up(shape: Shape) -> LookUp:
    """Return what the address asks for, as a shape reads it; fields that are empty or of no form ask for nothing."""
    names = {field.data_key or name for name, field in shape.fields.items()}
    faults = find_repeated(names)
    given = {name: value for name, value in request.args.items() if name in names - faults.keys() and value.strip()}
    try:
        return LookUp(loaded(shape, given), faults)
    except Invalid as error:
        faults |= {wrong.pointer.strip("/"): wrong.detail for wrong in error.errors}
    return LookUp(loaded(shape, {name: given[name] for name in given if name not in faults}), faults)
