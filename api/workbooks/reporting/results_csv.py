"""CSV: reports as lines of text in which no field is ever taken for a formula."""

from __future__ import annotations

from dataclasses import replace

from api.workbooks.reporting import reports
from api.workbooks.reporting.report_table import Report, Value, writable
from api.workbooks.reporting.results import Results
from api.workbooks.reporting.summary import further_rows
from api.workbooks.reporting.summary import summary as summary_report
from carddb.files.csv_writer import write_csv
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
    rows = ([column.title for column in report.columns], *report.rows)
    return write_csv(map(_writable_value, row) for row in rows).encode("utf-8-sig")


def _writable_value(value: Value) -> Value:
    """Return a value without the characters that a workbook cannot have."""
    return writable(value) if isinstance(value, str) else value
