"""Schema messages: the messages of marshmallow as phrases, so that they can be translated. Used by the shapes."""

from __future__ import annotations

from validator.language import parse_message

# The messages with their values, for the catalogs too.
SENTENCES = (
    "Missing data for required field.",
    "Field may not be null.",
    "Not a valid string.",
    "Not a valid boolean.",
    "Not a valid integer.",
    "Not a valid number.",
    "Not a valid list.",
    "Not a valid mapping type.",
    "Must be one of: {choices}.",
    "Length must be between {least:,} and {most:,}.",
    "Longer than maximum length {most:,}.",
    "Shorter than minimum length {least:,}.",
    "Must be greater than or equal to {least:,} and less than or equal to {most:,}.",
)


def make_translatable(message: str) -> str:
    """Return a message of marshmallow as a Phrase, to be translated later. Any other message stays as it is."""
    return parse_message(message, SENTENCES, frozenset({"choices"}))
