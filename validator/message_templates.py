"""Templates of messages: the fixed English messages of other programs, made translatable.

Called by `validator.toml_messages`, `carddb.system_messages` and `api.events.storage.decoder_messages`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from validator.language import phrase

_LONG = frozenset({"problem", "value", "expected", "found"})
_VALUE = re.compile(r"\{(\w+)\}")


class MessageTemplates:
    """The templates of the messages of a program. Only the values in _LONG may have blanks.

    A `{problem}` is another message of these templates.
    """

    def __init__(self, templates: Sequence[str]) -> None:
        """Make the patterns of the templates. A template earlier in the list comes first."""
        self._patterns = [(template, _make_pattern(template)) for template in templates]

    def parse(self, message: str) -> str:
        """Return a message as a Phrase of its template. A message without a template is returned unchanged."""
        for template, pattern in self._patterns:
            if found := pattern.fullmatch(message):
                values = found.groupdict()
                if "problem" in values:
                    values["problem"] = self.parse(values["problem"])
                return phrase(template, **values)
        return message


def _make_pattern(template: str) -> re.Pattern[str]:
    """Return the pattern of the messages of a template."""
    texts, names = _VALUE.split(template)[::2], _VALUE.findall(template)
    fixed = [re.escape(text.replace("{{", "{").replace("}}", "}")) for text in texts]
    values = [f"(?P<{name}>{'.+' if name in _LONG else '[^ ]+'})" for name in names]
    return re.compile("".join(text + value for text, value in zip_longest(fixed, values, fillvalue="")), re.DOTALL)
