"""Formats: the community files that are recognised by their content."""

from __future__ import annotations

from carddb.sources import community
from carddb.sources import dbs_tracker
from carddb.sources import kentan88
from carddb.sources import punk_records
from carddb.sources.community import Format
from carddb.sources.pages import Page
from carddb.sources.saved import File

_AS_JSON = (punk_records.PACK, punk_records.INDEX, kentan88.FORMAT)


def read(file: File, game: str) -> Page | None:
    """Return the cards of a community file, None for any other file.

    A CardDataError says which cards cannot be read, or that they are of another game.
    """
    if dbs_tracker.is_table(file.data):
        rows = dbs_tracker.records_in(file.data, file.name)
        return community.read(rows, dbs_tracker.FORMAT, file.name, game)
    if not community.is_json(file.data):
        return None
    records = community.records_in(file.data, file.name)
    of = _format(records[0]) if records else None
    return community.read(records, of, file.name, game) if of else None


def _format(first: community.Record) -> Format | None:
    return next((one for one in _AS_JSON if one.fields <= first.keys()), None)
