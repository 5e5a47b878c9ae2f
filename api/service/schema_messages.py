"""Schema messages: the messages of marshmallow as phrases, so that they can be translated. Used by the shapes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from validator.language import Phrase, phrase

_FIXED: Mapping[str, Phrase] = {
    str(message): message
    for message in (
        phrase("Missing data for required field."),
        phrase("Field may not be null."),
        phrase("Not a valid string."),
        phrase("Not a valid boolean."),
        phrase("Not a valid integer."),
        phrase("Not a valid number."),
        phrase("Not a valid list."),
        phrase("Not a valid mapping type."),
    )
}
_FILLED: Mapping[re.Pattern[str], Callable[..., Phrase]] = {
    re.compile(r"Must be one of: (.*)\."): lambda choices: phrase("Must be one of: {choices}.", choices=choices),
    re.compile(r"Length must be between (\d+) and (\d+)\."): lambda least, most: phrase(
        "Length must be between {least:,} and {most:,}.", least=int(least), most=int(most)
    ),
    re.compile(r"Longer than maximum length (\d+)\."): lambda most: phrase(
        "Longer than maximum length {most:,}.", most=int(most)
    ),
    re.compile(r"Shorter than minimum length (\d+)\."): lambda least: phrase(
        "Shorter than minimum length {least:,}.", least=int(least)
    ),
    re.compile(r"Must be greater than or equal to (\d+) and less than or equal to (\d+)\."): lambda least, most: phrase(
        "Must be greater than or equal to {least:,} and less than or equal to {most:,}.",
        least=int(least),
        most=int(most),
    ),
}


def make_translatable(message: str) -> str:
    """Return an English message of marshmallow as a Phrase, which can be translated later.

    Its numbers or choices become values of the Phrase. A Phrase, and a message that is not known, are returned
    unchanged.
    """
    if isinstance(message, Phrase):
        return message
    if message in _FIXED:
        return _FIXED[message]
    for pattern, make in _FILLED.items():
        if found := pattern.fullmatch(message):
            return make(*found.groups())
    return message
