"""Templates of messages: the fixed English messages of other programs, made translatable.

Called by `validator.documents`, `carddb.system_messages`, `api.events.storage.decoder_messages` and
`api.cli.usage_errors`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import zip_longest

from validator.language import Phrase, phrase

_TEXTS = frozenset({"problem", "value", "expected", "found"})
_NESTED = ("problem", "kind")
_VALUE = re.compile(r"\{(\w+)\}")


def parse_message(message: str, templates: Sequence[str], texts: frozenset[str] = _TEXTS) -> str:
    """Return a message as a Phrase of the first template that fits, such as "{kind} {value} does not exist.".

    A `{problem}` or `{kind}` is another message of these templates. Only values named in `texts` may have blanks. A
    message without a template, and a Phrase, is returned unchanged.
    """
    if isinstance(message, Phrase):
        return message
    for template in templates:
        if found := _make_pattern(template, texts).fullmatch(message):
            values = found.groupdict()
            values |= {name: parse_message(values[name], templates, texts) for name in _NESTED if name in values}
            return phrase(template, **values)
    return message


@cache
def _make_pattern(template: str, texts: frozenset[str]) -> re.Pattern[str]:
    """Return the pattern of the messages of a template. Only the values named in `texts` may have blanks.

    The pattern is cached.
    """
    parts, names = _VALUE.split(template)[::2], _VALUE.findall(template)
    fixed = [re.escape(part.replace("{{", "{").replace("}}", "}")) for part in parts]
    values = [f"(?P<{name}>{'.+' if name in texts else '[^ ]+'})" for name in names]
    return re.compile("".join(part + value for part, value in zip_longest(fixed, values, fillvalue="")), re.DOTALL)
