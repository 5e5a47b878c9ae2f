"""Templates of messages: the fixed English messages of other programs, made translatable.

Called by `validator.toml_messages`, `carddb.system_messages`, `api.events.storage.decoder_messages`,
`api.service.schema_messages` and `api.cli.usage_errors`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import zip_longest

from validator.language import Phrase, phrase

_TEXTS = frozenset({"problem", "value", "expected", "found"})
_NESTED = ("problem", "kind")
_VALUE = re.compile(r"\{(\w+)(:,)?\}")  # with `:,` a whole number


class MessageTemplates:
    """The templates of the messages of a program, such as "{kind} {value} does not exist.".

    A `{problem}` or `{kind}` is another message of these templates. A `{most:,}` is a whole number.
    """

    def __init__(self, templates: Sequence[str], texts: Collection[str] = _TEXTS) -> None:
        """Keep the templates. The first that fits a message counts. Only values named in `texts` may have blanks."""
        self._templates = templates
        self._texts = texts

    def parse(self, message: str) -> str:
        """Return a message as a Phrase of its template. Any other message, and a Phrase, is returned unchanged."""
        if isinstance(message, Phrase):
            return message
        for template, pattern in self._patterns:
            if found := pattern.fullmatch(message):
                values: dict[str, object] = dict(found.groupdict())
                values |= {name: int(found[name]) for name, number in _VALUE.findall(template) if number}
                values |= {name: self.parse(found[name]) for name in _NESTED if name in values}
                return phrase(template, **values)
        return message

    @cached_property
    def _patterns(self) -> Sequence[tuple[str, re.Pattern[str]]]:
        """Each template with the pattern of its messages. Compiled for the first message."""
        return [(template, _make_pattern(template, self._texts)) for template in self._templates]


def _make_pattern(template: str, texts: Collection[str]) -> re.Pattern[str]:
    """Return the pattern of the messages of a template. Only the values named in `texts` may have blanks."""
    parts, names = _VALUE.split(template)[::3], _VALUE.findall(template)
    fixed = [re.escape(part.replace("{{", "{").replace("}}", "}")) for part in parts]
    words = [r"\d+" if number else ".+" if name in texts else "[^ ]+" for name, number in names]
    values = [f"(?P<{name}>{pattern})" for (name, _), pattern in zip(names, words, strict=True)]
    return re.compile("".join(part + value for part, value in zip_longest(fixed, values, fillvalue="")), re.DOTALL)
