"""Community files: card data that other projects publish. The format is chosen by the content of the file."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from carddb.errors import CardDataError, PlacedText, source_problems_error
from carddb.sources import dbs_tracker, kentan88, punk_records
from carddb.sources.pages import CardPage
from carddb.sources.printings import PrintedCard
from carddb.sources.records import Record, RecordFormat
from carddb.sources.saved import File
from carddb.system_messages import system_reason
from validator.errors import error_text
from validator.language import phrase

_AS_JSON = (punk_records.PACK, punk_records.INDEX, kentan88.FORMAT)


def read(file: File, game: str) -> CardPage | None:
    """Return the printings of a community file, None for any other file. Its first record decides the format.

    Raises CardDataError if cards cannot be read, if they belong to another game, or if a JSON file is malformed.
    """
    if dbs_tracker.is_table(file.data):
        return _read_page(dbs_tracker.parse_records(file.data, file.name), dbs_tracker.FORMAT, file.name, game)
    if not is_json(file.data):
        return None
    records = _parse_records(file.data, file.name)
    record_format = next(
        (json_format for json_format in _AS_JSON if records and json_format.fields <= records[0].keys()), None
    )
    return _read_page(records, record_format, file.name, game) if record_format else None


def is_json(data: bytes) -> bool:
    """Return True if the first sign of a file is [ or {, as in JSON. Blanks before it are ignored."""
    return data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{")


def _parse_records(data: bytes, name: str) -> list[Record]:
    """Return the records of a JSON file, which has a list of them or an object with them by id.

    Return an empty list if one value is no JSON object. Raises CardDataError if the file is no JSON.
    """
    try:
        document = orjson.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        raise CardDataError(
            phrase("{file} is no JSON ({problem}).", file=name, problem=system_reason(str(error)))
        ) from None
    if isinstance(document, dict):
        document = list(document.values())
    return document if all(isinstance(record, dict) for record in document) else []


def _read_page(records: Sequence[Record], record_format: RecordFormat, name: str, game: str) -> CardPage:
    """Return the page of all cards that the records of a format contain, in order.

    Raises CardDataError with the problems of all records, or if the format is that of another game. `name` is the name
    of the file in messages. The remarks of the format become notices.
    """
    if record_format.game != game:
        raise CardDataError(
            phrase(
                "{file} is {title}: cards of {game}, not of {other}.",
                file=name,
                title=record_format.title,
                game=record_format.game,
                other=game,
            )
        )
    cards: list[PrintedCard] = []
    problems: list[str] = []
    for position, record in enumerate(records, 1):
        try:
            cards.append(record_format.card(record, phrase("{file}, card {position}", file=name, position=position)))
        except ValueError as error:
            problems.append(phrase("card {position}: {problem}", position=position, problem=error_text(error)))
    if problems:
        raise source_problems_error(name, problems)
    return CardPage(tuple(cards), tuple(PlacedText(name, remark) for remark in record_format.remarks(records)))
