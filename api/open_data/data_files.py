"""The files of the open data: each table as JSON and CSV with its schema, and an index of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, NamedTuple, TypedDict

import orjson

from api.open_data.data_table import DataTable, TableAboutJSON
from api.open_data.tables import TABLES
from api.service.answers.json_schema import doc

INDEX = "index.json"


class DataTableJSON(TableAboutJSON):
    rows: Annotated[int, doc("How many there are.")]
    json: Annotated[str, doc("Where it is as JSON.")]
    csv: Annotated[str, doc("Where it is as CSV.")]
    schema: Annotated[str, doc("Where its JSON Schema is.")]


class DataIndexJSON(TypedDict):
    tables: list[DataTableJSON]


class _FileKind(NamedTuple):
    media_type: str
    write: Callable[[DataTable], bytes]


_KINDS = {
    "json": _FileKind("application/json", DataTable.as_json),
    "csv": _FileKind("text/csv; charset=utf-8", DataTable.as_csv),
    "schema.json": _FileKind("application/schema+json", DataTable.as_schema),
}
NAMES = tuple(f"{table}.{kind}" for table in TABLES for kind in _KINDS)


class DataFile(NamedTuple):
    """A file as it is served; `digest` is the name of its content."""

    content: bytes
    media_type: str
    digest: str


@cache
def files() -> Mapping[str, DataFile]:
    """Return every file but the index, by its name."""
    made = {
        f"{table.name}.{kind}": (how.write(table), how.media_type)
        for table in TABLES.values()
        for kind, how in _KINDS.items()
    }
    return {name: DataFile(*file, digest(file[0])) for name, file in made.items()}


def digest(content: bytes) -> str:
    """Return a short name of a content, for it alone."""
    return hashlib.sha256(content).hexdigest()[:32]


def index(folder: str = "") -> DataIndexJSON:
    """Return what there is, with the address of each file below a folder; it changes whenever the file does."""
    return {"tables": [_table_json(table, folder) for table in TABLES.values()]}


def _table_json(table: DataTable, folder: str) -> DataTableJSON:
    return {
        **table.about,
        "rows": len(table.rows),
        "json": _address(folder, f"{table.name}.json"),
        "csv": _address(folder, f"{table.name}.csv"),
        "schema": _address(folder, f"{table.name}.schema.json"),
    }


def _address(folder: str, name: str) -> str:
    return f"{folder}/{name}?v={files()[name].digest}" if folder else name


def export(folder: Path) -> list[Path]:
    """Write all files into a folder, and return them; an OSError says what cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {name: file.content for name, file in files().items()}
    contents[INDEX] = orjson.dumps(index(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in contents]
