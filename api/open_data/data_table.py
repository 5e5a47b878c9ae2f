"""A table of open data: its rows, and the schema that says what they are."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from io import StringIO
from typing import Annotated, Any, TypedDict

import orjson

from api.service.answers.json_schema import doc

Row = Mapping[str, Any]
LICENCE = "MIT; names of cards belong to their publishers"
SCHEMAS = resources.files(__package__).joinpath("schemas")
_LIST = "/"  # as in the spreadsheets of cards


def public_fields(value: object, names: Iterable[str]) -> dict[str, Any]:
    """Return some attributes of a value, by their names."""
    return {name: getattr(value, name) for name in names}


class TableAboutJSON(TypedDict):
    name: Annotated[str, doc(example="limits")]
    title: str
    description: str
    version: Annotated[str, doc("Another whenever a row is.")]
    licence: str


@dataclass(frozen=True)
class DataTable:
    """A table by its name, and what yields its rows; it is made once, of data that ships."""

    name: str
    source: Callable[[], Iterable[Row]]

    @cached_property
    def rows(self) -> list[Row]:
        """The rows, each with every column of the schema, in its order."""
        return [{column: row[column] for column in self.columns} for row in self.source()]

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the table as JSON; it ships as a file."""
        read: dict[str, Any] = json.loads(SCHEMAS.joinpath(f"{self.name}.schema.json").read_text("utf-8"))
        return read

    @property
    def columns(self) -> list[str]:
        """The columns, in their order."""
        return list(self.schema["properties"]["rows"]["items"]["properties"])

    @property
    def about(self) -> TableAboutJSON:
        """The name, the title and the licence of the table; its `version` changes if a row does."""
        return {
            "name": self.name,
            "title": self.schema["title"],
            "description": self.schema["description"],
            "version": self.version,
            "licence": LICENCE,
        }

    @cached_property
    def version(self) -> str:
        """The name of the rows' content."""
        return hashlib.sha256(orjson.dumps(self.rows)).hexdigest()[:16]

    def as_json(self) -> bytes:
        """Return the table as JSON, as the schema says."""
        document = {"$schema": f"{self.name}.schema.json", **self.about, "rows": self.rows}
        return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)

    def as_csv(self) -> bytes:
        """Return the rows as CSV in UTF-8; texts of a list are parted by `/`, an object is JSON."""
        written = StringIO()
        table = csv.writer(written)
        table.writerow(self.columns)
        table.writerows(map(_cell, row.values()) for row in self.rows)
        return written.getvalue().encode()

    def as_schema(self) -> bytes:
        """Return the schema as it ships."""
        return SCHEMAS.joinpath(f"{self.name}.schema.json").read_bytes()


def _cell(value: object) -> object:
    match value:
        case bool():
            return str(value).lower()
        case list() | tuple():
            return _LIST.join(map(str, value))
        case dict():
            return orjson.dumps(value).decode()
        case _:
            return value
