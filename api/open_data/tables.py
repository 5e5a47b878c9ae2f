"""The tables of the open data, and their files: each table as JSON and CSV with its JSON Schema, and an index.

There are tables of rulesets and their rules, of official lists over time, of rotations, and of sets.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache, partial
from importlib import resources
from io import StringIO
from pathlib import Path
from typing import Annotated, NamedTuple, TypedDict

import orjson

from api.service.answers.json_schema import JSONSchema, doc
from api.service.answers.ruleset_answers import days_in_force, rule_json
from validator.limits import GameLists, Rotation
from validator.rules import Rule
from validator.rulesets import Ruleset, rulesets

Row = Mapping[str, object]  # a value for each column
EveryList = tuple[GameLists, ...]  # the official lists of all games
LICENCE = "MIT; names of cards belong to their publishers"
SCHEMAS = resources.files(__package__).joinpath("schemas")
_LIST_SEPARATOR = "/"  # as in the spreadsheets of cards
INDEX = "index.json"
_EXCEPTION_FIELDS = ("number", "name", "block", "section", "list_updated", "source", "confidence", "note")
_RULESET_FIELDS = ("game", "id", "title", "document", "inherits", "superseded_by", "sections", "formats", "note")


def public_fields(value: object, names: Iterable[str]) -> dict[str, object]:
    """Return the attributes of a value with these names."""
    return {name: getattr(value, name) for name in names}


class TableAboutJSON(TypedDict):
    name: Annotated[str, doc(example="limits")]
    title: str
    description: str
    version: Annotated[str, doc("Another whenever a row is.")]
    licence: str


@dataclass(frozen=True)
class DataTable:
    """A table of data. `source` yields its rows and is called once."""

    name: str
    source: Callable[[], Iterable[Row]]

    @cached_property
    def rows(self) -> list[Row]:
        """The rows, each with every column of the schema in the order of the schema."""
        return [{column: row[column] for column in self.columns} for row in self.source()]

    @cached_property
    def schema(self) -> JSONSchema:
        """The JSON Schema of the table, which ships as a file."""
        schema: JSONSchema = json.loads(SCHEMAS.joinpath(f"{self.name}.schema.json").read_text("utf-8"))
        return schema

    @property
    def columns(self) -> list[str]:
        """The names of the columns in order."""
        return list(self.schema["properties"]["rows"]["items"]["properties"])

    @property
    def about_json(self) -> TableAboutJSON:
        """The description of the table. Its `version` changes if a row changes."""
        return {
            "name": self.name,
            "title": self.schema["title"],
            "description": self.schema["description"],
            "version": self.version,
            "licence": LICENCE,
        }

    @cached_property
    def version(self) -> str:
        """A hash of the rows."""
        return hashlib.sha256(orjson.dumps(self.rows)).hexdigest()[:16]

    def as_json(self) -> bytes:
        """Return the table as JSON that fits the schema."""
        document = {"$schema": f"{self.name}.schema.json", **self.about_json, "rows": self.rows}
        return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)

    def as_csv(self) -> bytes:
        """Return the rows as CSV in UTF-8. Lists are joined by `/`, an object is JSON."""
        text = StringIO()
        table = csv.writer(text)
        table.writerow(self.columns)
        table.writerows(map(_cell, row.values()) for row in self.rows)
        return text.getvalue().encode()

    def as_schema(self) -> bytes:
        """Return the file of the schema."""
        return SCHEMAS.joinpath(f"{self.name}.schema.json").read_bytes()


def _cell(value: object) -> object:
    """Return a value as a CSV cell. Lists are joined, objects are JSON."""
    match value:
        case bool():
            return str(value).lower()
        case list() | tuple():
            return _LIST_SEPARATOR.join(map(str, value))
        case dict():
            return orjson.dumps(value).decode()
        case _:
            return value


def limits_rows(lists: EveryList) -> Iterator[Row]:
    """Yield a row for each card or pair that a change of a list names."""
    for one in lists:
        game, listed = one.game, one.listed
        for region in listed.dated_regions:
            for ruling in listed.rulings(region):
                number, other_number = (*ruling.numbers, None)[:2]
                name, other_name = (*ruling.names, None)[:2]
                yield ruling.change.as_dict() | {
                    "game": game,
                    "number": number,
                    "name": name,
                    "other_number": other_number,
                    "other_name": other_name,
                    "before": ruling.before,
                    "limit": ruling.limit,
                    "group": ruling.group or None,
                    "spared": listed.spared.get("+".join(ruling.numbers)),
                }


def rotations_rows(lists: EveryList) -> Iterator[Row]:
    """Yield a row for each format. The format that rotates has a row for each announced year."""
    for rotation in _rotations(lists):
        for format, title in rotation.formats.items():
            about: Row = {"game": rotation.game, "format": format, "title": title}
            if format == rotation.rotates:
                yield from ({**about, **year} for year in _years(rotation))
            else:
                unlimited = {"from": None, "until": None, "blocks": None}
                yield {**about, **unlimited, "announced": rotation.announced, "source": rotation.source}


def announced_years(rotation: Rotation) -> list[date]:
    """Return the first days of the years in which a block of the announcement is legal."""
    first = rotation.first_day
    return [first.replace(year=first.year + years) for years in range(len(rotation.blocks))]


def _years(rotation: Rotation) -> Iterator[Row]:
    """Yield a row for each announced year of the rotation, with its legal blocks."""
    for day in announced_years(rotation):
        entry, blocks = rotation.entry(day), rotation.legal_blocks(rotation.rotates, day) or ()
        yield {
            "from": entry.effective_from,
            "until": entry.effective_to,
            "blocks": sorted(blocks),
            "announced": entry.announced,
            "source": entry.source,
        }


def blocks_rows(lists: EveryList) -> Iterator[Row]:
    """Yield a row for each card to which an official list gives another block than that of its set."""
    for rotation in _rotations(lists):
        for exceptions in rotation.exceptions.values():
            for exception in exceptions:
                yield public_fields(exception, _EXCEPTION_FIELDS) | {
                    "game": rotation.game,
                    "from": None if exception.legal_from == date.min else exception.legal_from,
                    "until": None if exception.legal_to == date.max else exception.legal_to,
                }


def sets_rows(lists: EveryList) -> Iterator[Row]:
    """Yield a row for each set and region with a known first day. A set without any has one row without a region."""
    for one in lists:
        for card_set in one.sets.by_code.values():
            about = {"game": one.game} | public_fields(card_set, ("code", "label", "block"))
            unknown: Row = {"region": None, "released": None, "document": None, "section": None}
            days: list[Row] = [
                {"region": region, "released": release.day, **release.cite.as_dict()}
                for region, release in card_set.released.items()
            ]
            yield from ({**about, **day} for day in days or [unknown])


def _rotations(lists: EveryList) -> Iterator[Rotation]:
    """Yield the rotations of the games that have one."""
    return (one.rotation for one in lists if one.rotation)


def rulesets_rows() -> Iterator[Row]:
    """Yield a row for each edition."""
    for ruleset in rulesets().values():
        days = days_in_force(ruleset)
        yield public_fields(ruleset, _RULESET_FIELDS) | {"in_force_from": days.first, "in_force_until": days.last}


def rules_rows() -> Iterator[Row]:
    """Yield a row for each rule of each edition. Rules that need a policy with a side deck come last."""
    for ruleset in rulesets().values():
        for rule in ruleset.rules.values():
            yield _rule_row(ruleset, rule, is_always_applied=True)
        for rule in ruleset.with_side_deck.values():
            yield _rule_row(ruleset, rule, is_always_applied=False)


def _rule_row(ruleset: Ruleset, rule: Rule, is_always_applied: bool) -> Row:
    """Return the row of a rule. `is_always_applied` is False for rules that a side deck adds."""
    about = rule_json(rule)
    return {**about, **about["rule"], "game": ruleset.game, "ruleset": ruleset.id, "always": is_always_applied}


_SOURCES: Mapping[str, Callable[[EveryList], Iterable[Row]]] = {
    "rulesets": lambda lists: rulesets_rows(),
    "rules": lambda lists: rules_rows(),
    "limits": limits_rows,
    "rotations": rotations_rows,
    "blocks": blocks_rows,
    "sets": sets_rows,
}
TABLE_NAMES = tuple(_SOURCES)


@lru_cache(maxsize=1)
def tables(lists: EveryList) -> Mapping[str, DataTable]:
    """Return every table by name. `lists` are the official lists of all games."""
    return {name: DataTable(name, partial(source, lists)) for name, source in _SOURCES.items()}


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
NAMES = tuple(f"{table}.{kind}" for table in TABLE_NAMES for kind in _KINDS)


class DataFile(NamedTuple):
    """A file as it is served. `digest` is a hash of its content."""

    content: bytes
    media_type: str
    digest: str


@lru_cache(maxsize=1)
def files(lists: EveryList) -> Mapping[str, DataFile]:
    """Return every file except the index, by name."""
    found: dict[str, DataFile] = {}
    for table in tables(lists).values():
        for ending, kind in _KINDS.items():
            content = kind.write(table)
            found[f"{table.name}.{ending}"] = DataFile(content, kind.media_type, digest(content))
    return found


def digest(content: bytes) -> str:
    """Return the first 32 hexadecimal digits of the SHA-256 of bytes."""
    return hashlib.sha256(content).hexdigest()[:32]


def index(lists: EveryList, folder: str = "") -> DataIndexJSON:
    """Return the index of all tables, with the address of each file below a folder.

    An address changes if its file changes. Without a folder the addresses are file names.
    """
    return {"tables": [_table_json(table, lists, folder) for table in tables(lists).values()]}


def _table_json(table: DataTable, lists: EveryList, folder: str) -> DataTableJSON:
    """Return the entry of a table in the index, with the addresses of its files."""
    return {
        **table.about_json,
        "rows": len(table.rows),
        "json": _address(lists, folder, f"{table.name}.json"),
        "csv": _address(lists, folder, f"{table.name}.csv"),
        "schema": _address(lists, folder, f"{table.name}.schema.json"),
    }


def _address(lists: EveryList, folder: str, name: str) -> str:
    """Return the address of a file in a folder, with its digest as version. Only the name if `folder` is ""."""
    return f"{folder}/{name}?v={files(lists)[name].digest}" if folder else name


def export_files(lists: EveryList, folder: Path) -> list[Path]:
    """Write all files into a folder, and return their paths. Raises OSError if a file cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {name: file.content for name, file in files(lists).items()}
    contents[INDEX] = orjson.dumps(index(lists), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in contents]
