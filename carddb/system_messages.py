"""System messages: the English messages of SQLite and of the operating system, made translatable."""

from __future__ import annotations

import re
from functools import cache
from itertools import zip_longest

from validator.language import Phrase, join_phrases, phrase

# The messages with their values, for the catalogs too. A `{problem}` is another of these messages.
SENTENCES = (
    "attempt to write a readonly database",
    "database disk image is malformed",
    "database is locked",
    "database or disk is full",
    "disk I/O error",
    "file is not a database",
    "unable to open database file",
    "Address already in use",
    "Connection refused",
    "File exists",
    "File name too long",
    "File too large",
    "Input/output error",
    "Is a directory",
    "No space left on device",
    "No such file or directory",
    "Not a directory",
    "Operation not permitted",
    "Permission denied",
    "Read-only file system",
    "Too many open files",
    # The integrity check of SQLite.
    "*** in database {name} ***",
    "Extends off end of page",
    "Fragmentation of {found} bytes reported as {reported} on page {page}",
    "Multiple uses for byte {byte} of page {page}",
    "NULL value in {column}",
    "Offset {offset} out of range {range}",
    "Rowid {row} out of order",
    "btreeInitPage() returns error code {code}",
    "invalid page number {page}",
    "non-unique entry in index {index}",
    "row {row} missing from index {index}",
    "wrong # of entries in index {index}",
    "Page {page} is never used",
    "Page {page}: {problem}",
    "Tree {tree} page {page} cell {cell}: {problem}",
    "Tree {tree} page {page}: {problem}",
    "On tree page {page} cell {cell}: {problem}",
)
_VALUE = re.compile(r"\{(\w+)\}")


def system_reason(message: str) -> Phrase:
    """Return a message of SQLite or the operating system, to be translated later. Each line is a message.

    Lines that are not in SENTENCES, such as those of PostgreSQL, stay English.
    """
    return join_phrases(map(_parse_line, message.split("\n")), "\n")


def _parse_line(line: str) -> str:
    """Return a line as a Phrase of its template. A line without a template is returned unchanged."""
    for template, pattern in _patterns():
        if found := pattern.fullmatch(line):
            values = found.groupdict()
            if "problem" in values:
                values["problem"] = _parse_line(values["problem"])
            return phrase(template, **values)
    return line


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the template of each message with the pattern that finds its values."""
    return tuple((template, _make_pattern(template)) for template in SENTENCES)


def _make_pattern(template: str) -> re.Pattern[str]:
    """Return the pattern of the messages of a template. A `{problem}` may have blanks, other values have none."""
    texts, names = _VALUE.split(template)[::2], _VALUE.findall(template)
    values = [f"(?P<{name}>.+)" if name == "problem" else rf"(?P<{name}>\S+)" for name in names]
    return re.compile("".join(re.escape(text) + value for text, value in zip_longest(texts, values, fillvalue="")))
