"""Messages of tomllib, made translatable. Called by `validator.documents` and `validator.limits.proposals`."""

from __future__ import annotations

from validator.message_templates import parse_message

# The messages with their values, for the catalogs too. A `{problem}` is another of these messages.
SENTENCES = (
    "{problem} (at line {line}, column {column})",
    "{problem} (at end of document)",
    "Cannot declare {value} twice",
    "Cannot mutate immutable namespace {value}",
    "Cannot overwrite a value",
    "Cannot redefine namespace {value}",
    "Duplicate inline table key {value}",
    "Escaped character is not a Unicode scalar value",
    "Expected '=' after a key in a key/value pair",
    "Expected ']' at the end of a table declaration",
    "Expected ']]' at the end of an array declaration",
    "Expected newline or end of document after a statement",
    "Expected {value}",
    "Found invalid character {value}",
    "Illegal character {value}",
    "Invalid date or datetime",
    "Invalid hex value",
    "Invalid initial character for a key part",
    "Invalid statement",
    "Invalid value",
    "Unclosed array",
    "Unclosed inline table",
    "Unescaped '\\' in a string",
    "Unterminated string",
)


def toml_reason(message: str) -> str:
    """Return a message of tomllib, to be translated later. A message that is not in SENTENCES stays English."""
    return parse_message(message, SENTENCES)
