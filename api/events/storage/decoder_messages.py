"""Messages of msgspec and Python about values of an archive, made translatable.

Called by `event_archive` and `archive_rows`.
"""

from __future__ import annotations

from validator.errors import error_text
from validator.language import parse_message

# The messages with their values, for the catalogs too. A `{problem}` is another of these messages.
SENTENCES = (
    "{problem} - at `{path}`",
    "Expected `{expected}` of length {value}",
    "Expected `{expected}`, got `{found}`",
    "Expected `{expected}` {value}",
    "Expected `{expected}`",
    "Input data was truncated",
    "Integer value out of range",
    "'utf-8' codec can't decode byte {byte} in position {position}: {value}",
    "Invalid RFC3339 encoded date",
    "Invalid RFC3339 encoded datetime",
    "Invalid RFC3339 encoded time",
    "Invalid base64 encoded string",
    "Invalid enum value {value}",
    "Invalid isoformat string: {value}",
    "Invalid value {value}",
    "JSON is malformed: {problem} (byte {byte})",
    "Number out of range",
    "Object contains unknown field `{field}`",
    "Object missing required field `{field}`",
    "expected ',' or ']'",
    "expected ',' or '}}'",
    "expected ':'",
    "expected '\"'",
    "invalid character",
    "fromisoformat: argument must be str",
    "invalid escaped character",
    "object keys must be strings",
    "invalid number",
    "invalid utf-16 surrogate pair",
    "trailing characters",
    "trailing comma in array",
    "trailing comma in object",
)


def decoder_reason(error: Exception) -> str:
    """Return the message of an error, to be translated later. A message that is not in SENTENCES stays English."""
    return parse_message(error_text(error), SENTENCES)
