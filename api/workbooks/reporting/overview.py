"""Overviews: what came of a spreadsheet of decks, short enough to be read at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from api.workbooks.column_roles.roles import CHOICES, ROLES, TakenColumn
from api.workbooks.intake import preview
from api.workbooks.reporting.reports import Value, summary
from api.workbooks.reporting.results import LEGAL, Results

MOST_PLAYERS = 200
_SHOWN = ("Player", "Player ID", "Legal", "Leader", "Findings", "First finding", "Sheet", "Row")  # of the summary


class ColumnChoice(NamedTuple):
    """What a column may be chosen for: the name of the choice, the role, and the columns that have it now."""

    name: str
    role: str
    now: Sequence[str]


class Overview(NamedTuple):
    """How many decks are legal and not, the players with what is wrong first, and how the spreadsheet was read.

    `columns` are those that may be chosen, as (what to send, what it is called).
    """

    counts: Mapping[str, int]
    ruleset: str
    players: Sequence[Mapping[str, Value]]
    more: int
    reading: Mapping[str, Any]
    choices: Sequence[ColumnChoice]
    columns: Sequence[tuple[str, str]]


def overview(results: Results) -> Overview:
    """Return the overview of the results of a spreadsheet. Decks that are not legal are first."""
    report = summary(results)
    titles = [column.title for column in report.columns]
    rows = [{key: value for key, value in zip(titles, row, strict=True) if key in _SHOWN} for row in report.rows]
    rows.sort(key=lambda row: row["Legal"] == LEGAL)
    return Overview(
        results.counts,
        results.judge.terms.ruleset.title,
        rows[:MOST_PLAYERS],
        max(0, len(rows) - MOST_PLAYERS),
        preview.as_json(results.book),
        [ColumnChoice(name, ROLES[role], _columns_of_role(results, ROLES[role])) for name, role in CHOICES.items()],
        _columns(results),
    )


def _columns_of_role(results: Results, role: str) -> list[str]:
    return [column.label for column in _first_columns(results) if column.role == role]


def _columns(results: Results) -> list[tuple[str, str]]:
    """Return the columns of the first sheet that has any, then those that are kept aside."""
    labels = {column.column: column.label for column in _first_columns(results)}
    return [*labels.items(), *((heading, heading) for heading in results.book.aside)]


def _first_columns(results: Results) -> Sequence[TakenColumn]:
    return next((reading.columns for reading in results.book.readings if reading.columns), ())
