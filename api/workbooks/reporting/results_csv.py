"""CSV: reports as lines of text in which no field is ever taken for a formula."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO

from api.workbooks.reporting import reports
from api.workbooks.reporting.report_table import Report, Value, writable
from api.workbooks.reporting.results import Results
from api.workbooks.reporting.summary import further_rows
from api.workbooks.reporting.summary import summary as summary_report
from validator.formulas import guard_formula
from validator.language import ENGLISH, Language


def summary(results: Results, translate: Language = ENGLISH) -> bytes:
    """Return the summary of the results as CSV for Excel, a row for each player.

    Behind them is a row for each error of the spreadsheet, and one if the fewest changes of some decks were not
    searched.
    """
    report = summary_report(results, translate)
    return table(replace(report, rows=[*report.rows, *further_rows(results, report, translate)]))


def messages(results: Results, translate: Language = ENGLISH) -> bytes:
    """Return the messages to the players as CSV for mail merge, a row for each player."""
    return table(reports.messages(results, translate))


def table(report: Report) -> bytes:
    """Return a report as CSV that Excel can open, in UTF-8 with a byte order mark.

    The lines above its headings are left out. Texts that look like formulas are guarded, so that no program computes
    them.
    """
    return "".join(_lines(report)).encode("utf-8-sig")


def _lines(report: Report) -> Iterator[str]:
    """Yield a report as lines of CSV, the first with its headings."""
    for row in ([column.title for column in report.columns], *report.rows):
        line = StringIO()
        csv.writer(line).writerow(map(_field, row))
        yield line.getvalue()


def _field(value: Value) -> str | int:
    """Return a value as a field of CSV. None becomes "".

    A text loses the characters that a workbook cannot have, and is guarded if it looks like a formula.
    """
    if not isinstance(value, str):
        return "" if value is None else value
    return guard_formula(writable(value))
