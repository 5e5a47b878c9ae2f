"""Community files: card data as other people's projects publish it, each format recognised by its content."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from carddb.errors import CardDataError, problems_in
from carddb.sources import dbs_tracker, kentan88, punk_records
from carddb.sources.pages import CardPage
from carddb.sources.printings import PrintedCard
from carddb.sources.records import Record, RecordFormat
from carddb.sources.saved import File

_AS_JSON = (punk_records.PACK, punk_records.INDEX, kentan88.FORMAT)


def read(file: File, game: str) -> CardPage | None:
    """Return the cards of a community file, None for any other file.

    A CardDataError says which cards cannot be read, or that they are of another game.
    """
    if dbs_tracker.is_table(file.data):
        return _page(dbs_tracker.records_in(file.data, file.name), dbs_tracker.FORMAT, file.name, game)
    if not is_json(file.data):
        return None
    records = _records_in(file.data, file.name)
    of = next((one for one in _AS_JSON if records and one.fields <= records[0].keys()), None)
    return _page(records, of, file.name, game) if of else None


def is_json(data: bytes) -> bool:
    """Return True if a file looks like JSON."""
    return data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{")


def _records_in(data: bytes, name: str) -> list[Record]:
    """Return the records of a JSON file, a list of them or an object that has them by id; none if it has others."""
    try:
        document = orjson.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        raise CardDataError(f"{name} is no JSON ({error}).") from None
    if isinstance(document, dict):
        document = list(document.values())
    return document if all(isinstance(record, dict) for record in document) else []


def _page(records: Sequence[Record], of: RecordFormat, name: str, game: str) -> CardPage:
    if of.game != game:
        raise CardDataError(f"{name} is {of.title}: cards of {of.game}, not of {game}.")
    cards: list[PrintedCard] = []
    problems: list[str] = []
    for at, record in enumerate(records, 1):
        try:
            cards.append(of.card(record, f"{name}, card {at}"))
        except ValueError as error:
            problems.append(f"card {at}: {error}")
    if problems:
        raise problems_in(name, problems)
    return CardPage(tuple(cards), tuple(f"{name}: {remark}" for remark in of.remarks(records)))
