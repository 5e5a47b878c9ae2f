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

from api.service.answers.json_schema import JSONSchema
from api.service.answers.ruleset_answers import days_in_force, rule_json
from validator.field_docs import doc
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
    """Return the attributes of a value with these names, as a dict by name. Raises AttributeError if one is missing."""
    return {name: getattr(value, name) for name in names}


class TableAboutJSON(TypedDict):
    """The description of a table as JSON, without its rows."""

    name: Annotated[str, doc(example="limits")]
    title: str
    description: str
    version: Annotated[str, doc("Another whenever a row is.")]
    licence: str


@dataclass(frozen=True)
class DataTable:
    """A table of the open data. `source` yields its rows and is called once, at the first access to `rows`.

    `name` is that of its files without the ending, such as "limits". The JSON Schema of the same name ships with the
    package and defines the columns. Further entries of the rows are dropped.
    """

    name: str
    source: Callable[[], Iterable[Row]]

    @cached_property
    def rows(self) -> list[Row]:
        """The rows, each with exactly the columns of the schema, in the order of the schema. Cached.

        Other entries of the rows of `source` are dropped. Raises KeyError if a row lacks a column.
        """
        return [{column: row[column] for column in self.columns} for row in self.source()]

    @cached_property
    def schema(self) -> JSONSchema:
        """The parsed JSON Schema of the whole table, which ships as a file. Cached."""
        schema: JSONSchema = json.loads(SCHEMAS.joinpath(f"{self.name}.schema.json").read_text("utf-8"))
        return schema

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in the order of the schema."""
        return list(self.schema["properties"]["rows"]["items"]["properties"])

    @property
    def about_json(self) -> TableAboutJSON:
        """The name, title, description, version and licence of the table. Its `version` changes if a row changes."""
        return {
            "name": self.name,
            "title": self.schema["title"],
            "description": self.schema["description"],
            "version": self.version,
            "licence": LICENCE,
        }

    @cached_property
    def version(self) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of the rows as JSON. Cached."""
        return hashlib.sha256(orjson.dumps(self.rows)).hexdigest()[:16]

    def as_json(self) -> bytes:
        """Return the table as indented JSON that fits the schema: its description, and its rows as objects."""
        document = {"$schema": f"{self.name}.schema.json", **self.about_json, "rows": self.rows}
        return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)

    def as_csv(self) -> bytes:
        """Return a heading and the rows as CSV in UTF-8. The description of the table is left out.

        Lists are joined by `/`, an object is JSON, bools are in lower case, None is an empty cell.
        """
        text = StringIO()
        table = csv.writer(text)
        table.writerow(self.columns)
        table.writerows(map(_cell, row.values()) for row in self.rows)
        return text.getvalue().encode()

    def as_schema(self) -> bytes:
        """Return the bytes of the file with the JSON Schema."""
        return SCHEMAS.joinpath(f"{self.name}.schema.json").read_bytes()


def _cell(value: object) -> object:
    """Return a value as a CSV cell: a list or tuple joined by `/`, a dict as JSON, a bool as "true" or "false".

    Other values are returned unchanged.
    """
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
    """Yield a row for each effect of a list's change on a card or a pair, by game and region, then sorted by day.

    A row has the entries of `ListChange.as_dict` (source, days, certainty), the game, the cards, the limits `before`
    and from then on (`limit`, None: unrestricted), `group` and `spared`. A single card has None as second number and
    name. Regions that follow the days of another region are left out.
    """
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
    """Yield a row for each format of each game with a rotation.

    A row has game, format, title, first and last day (`from`, `until`), the list of `blocks`, the day of the
    announcement, and its source. The format that rotates has a row for each announced year instead. Other formats have
    None as days and as blocks, because they take all blocks.
    """
    for rotation in _rotations(lists):
        for format, title in rotation.formats.items():
            about: Row = {"game": rotation.game, "format": format, "title": title}
            if format == rotation.rotates:
                yield from ({**about, **year} for year in _years(rotation))
            else:
                unlimited = {"from": None, "until": None, "blocks": None}
                yield {**about, **unlimited, "announced": rotation.announced, "source": rotation.source}


def announced_years(rotation: Rotation) -> list[date]:
    """Return the first days of the rotation's years, one for each block of the announcement, in order.

    All are the same day of successive years.
    """
    first = rotation.first_day
    return [first.replace(year=first.year + years) for years in range(len(rotation.blocks))]


def _years(rotation: Rotation) -> Iterator[Row]:
    """Yield the columns that differ between the announced years of the rotation, as a row for each year.

    They are `from` and `until` (ISO days, both included), the sorted legal `blocks`, the day `announced`, and the
    `source`.
    """
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
    """Yield a row for each official exception of a game's block rotation: a card with another block than its set.

    A row has the attributes of the exception in _EXCEPTION_FIELDS, the game, and its days. `from` and `until` are None
    if the exception has no first or last day.
    """
    for rotation in _rotations(lists):
        for exceptions in rotation.exceptions.values():
            for exception in exceptions:
                yield public_fields(exception, _EXCEPTION_FIELDS) | {
                    "game": rotation.game,
                    "from": None if exception.legal_from == date.min else exception.legal_from,
                    "until": None if exception.legal_to == date.max else exception.legal_to,
                }


def sets_rows(lists: EveryList) -> Iterator[Row]:
    """Yield a row for each set and region with a known release day.

    A row has the game, the set's code, label and block, and the region, the day (`released`) and its source
    (`document`, `section`). A set without any such day has one row, in which these last four are None.
    """
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
    """Return an iterator of the block rotations, of the games that have one."""
    return (one.rotation for one in lists if one.rotation)


def rulesets_rows() -> Iterator[Row]:
    """Yield a row for each ruleset of all games, with the days on which it is the default of its game.

    A row has the attributes of the ruleset in _RULESET_FIELDS, `in_force_from` and `in_force_until`. Both days are None
    for a ruleset that another one supersedes. Otherwise None is an open or unknown end.
    """
    for ruleset in rulesets().values():
        days = days_in_force(ruleset)
        yield public_fields(ruleset, _RULESET_FIELDS) | {"in_force_from": days.first, "in_force_until": days.last}


def rules_rows() -> Iterator[Row]:
    """Yield a row for each rule of each ruleset. Rules that only a side deck adds come last within their ruleset."""
    for ruleset in rulesets().values():
        for rule in ruleset.rules.values():
            yield _rule_row(ruleset, rule, is_always_applied=True)
        for rule in ruleset.with_side_deck.values():
            yield _rule_row(ruleset, rule, is_always_applied=False)


def _rule_row(ruleset: Ruleset, rule: Rule, is_always_applied: bool) -> Row:
    """Return the row of a rule of a ruleset: the entries of `rule_json` and the document and section of its citation.

    `is_always_applied` is its column `always`. It is False for a rule that only a side deck adds.
    """
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
    """Return every table by name. `lists` are the official lists of all games. The last result is cached."""
    return {name: DataTable(name, partial(source, lists)) for name, source in _SOURCES.items()}


class DataTableJSON(TableAboutJSON):
    """The entry of a table in the index, as JSON. `rows` is their number."""

    rows: Annotated[int, doc("How many there are.")]
    json: Annotated[str, doc("Where it is as JSON.")]
    csv: Annotated[str, doc("Where it is as CSV.")]
    schema: Annotated[str, doc("Where its JSON Schema is.")]


class DataIndexJSON(TypedDict):
    """The index of all tables as JSON."""

    tables: list[DataTableJSON]


class _FileKind(NamedTuple):
    """A kind of file of a table: its media type, and the function `write` that returns the file's content for a table.

    The function writes no file.
    """

    media_type: str
    write: Callable[[DataTable], bytes]


_KINDS = {
    "json": _FileKind("application/json", DataTable.as_json),
    "csv": _FileKind("text/csv; charset=utf-8", DataTable.as_csv),
    "schema.json": _FileKind("application/schema+json", DataTable.as_schema),
}
NAMES = tuple(f"{table}.{kind}" for table in TABLE_NAMES for kind in _KINDS)


class DataFile(NamedTuple):
    """A file of the open data as it is served: its bytes, and its media type for the header Content-Type.

    `digest` is the first 32 hexadecimal digits of the SHA-256 of `content`, for its address and its ETag.
    """

    content: bytes
    media_type: str
    digest: str


@lru_cache(maxsize=1)
def files(lists: EveryList) -> Mapping[str, DataFile]:
    """Return every file of every table (JSON, CSV, schema) by its name, such as "limits.csv". The index is left out.

    Nothing is written. The last result is cached.
    """
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
    """Return the index of all tables, with the addresses of their files. `folder` is the address of the files' folder.

    Each address ends in `?v=` and the digest of the file. Without a folder the addresses are only file names.
    """
    return {"tables": [_table_json(table, lists, folder) for table in tables(lists).values()]}


def _table_json(table: DataTable, lists: EveryList, folder: str) -> DataTableJSON:
    """Return the entry of a table in the index: its description, its number of rows, and the addresses of its files."""
    return {
        **table.about_json,
        "rows": len(table.rows),
        "json": _address(lists, folder, f"{table.name}.json"),
        "csv": _address(lists, folder, f"{table.name}.csv"),
        "schema": _address(lists, folder, f"{table.name}.schema.json"),
    }


def _address(lists: EveryList, folder: str, name: str) -> str:
    """Return the address of a table's file in a folder, with the digest of its content: `folder/name?v=digest`.

    Only the name if `folder` is "". Raises KeyError for an unknown name with a folder.
    """
    return f"{folder}/{name}?v={files(lists)[name].digest}" if folder else name


def export_files(lists: EveryList, folder: Path) -> list[Path]:
    """Write the files of all tables and the index into a folder, and return their paths. Makes the folder if missing.

    Existing files are overwritten. In the index the addresses are only file names. Raises OSError if a file cannot be
    written, and leaves those that are written already.
    """
    folder.mkdir(parents=True, exist_ok=True)
    contents = {name: file.content for name, file in files(lists).items()}
    contents[INDEX] = orjson.dumps(index(lists), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in contents]
