"""Documentation of the fields of TypedDicts. Their JSON schemas, as in the OpenAPI document, are made from it.

`api.service.answers.json_schema` makes them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True, eq=False)
class Doc:
    """The documentation of a field: the keywords that it adds to the JSON schema of the field's type."""

    keywords: Mapping[str, object]


def doc(description: str = "", *, enum: Collection[str] = (), example: object = None, format: str = "") -> Doc:
    """Return the documentation of a TypedDict's field.

    An argument that is false in Python is left out, also an example of 0 or False. `enum` lists all possible values.
    `format` is the keyword of JSON schema, such as "uri".
    """
    keywords = {"description": description, "enum": list(enum), "example": example, "format": format}
    return Doc({key: value for key, value in keywords.items() if value})


# A point in time, and a day, that their makers write as text.
MomentText = Annotated[str, doc(format="date-time")]
DayText = Annotated[str, doc(format="date")]
