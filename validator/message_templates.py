"""Templates of messages: the fixed English messages of other programs, made translatable.

Called by `validator.documents`, `carddb.system_messages`, `api.events.storage.decoder_messages`,
`api.service.schema_messages` and `api.cli.usage_errors`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest

from validator.language import Phrase, phrase

_TEXTS = frozenset({"problem", "value", "expected", "found"})
_NESTED = ("problem", "kind")
_VALUE = re.compile(r"\{(\w+)(:,)?\}")  # with `:,` a whole number


def parse_message(message: str, templates: Sequence[str], texts: frozenset[str] = _TEXTS) -> str:
    """Return a message as a Phrase of the first template that fits, such as "{kind} {value} does not exist.".

    A `{problem}` or `{kind}` is another message of these templates, and a `{most:,}` a whole number. Only values named
    in `texts` may have blanks. A message without a template, and a Phrase, is returned unchanged.
    """
    if isinstance(message, Phrase):
        return message
    for template in templates:
        if found := _make_pattern(template, texts).fullmatch(message):
            values: dict[str, object] = dict(found.groupdict())
            values |= {name: int(found[name]) for name, number in _VALUE.findall(template) if number}
            values |= {name: parse_message(found[name], templates, texts) for name in _NESTED if name in values}
            return phrase(template, **values)
    return message


@lru_cache(maxsize=512)
def _make_pattern(template: str, texts: frozenset[str]) -> re.Pattern[str]:
    """Return the pattern of the messages of a template. Only the values named in `texts` may have blanks.

    The pattern is cached.
    """
    parts, names = _VALUE.split(template)[::3], _VALUE.findall(template)
    fixed = [re.escape(part.replace("{{", "{").replace("}}", "}")) for part in parts]
    words = [r"\d+" if number else ".+" if name in texts else "[^ ]+" for name, number in names]
    values = [f"(?P<{name}>{pattern})" for (name, _), pattern in zip(names, words, strict=True)]
    return re.compile("".join(part + value for part, value in zip_longest(fixed, values, fillvalue="")), re.DOTALL)
