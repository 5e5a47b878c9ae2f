"""Languages of the pages and messages: each has a catalog beside this module, a .po file that is read at first use.

babel reads .po files too, but has 36 MB for other tasks.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from datetime import date, datetime
from functools import lru_cache
from gettext import GNUTranslations
from importlib import resources
from io import BytesIO
from typing import Self, TypeGuard

from validator.language import CODES, ENGLISH, Language, Phrase

# The own name of each language by code, in the order on pages.
LANGUAGES = dict(zip(CODES, ("English", "Deutsch", "Français", "Español", "Italiano", "日本語"), strict=True))
_OF_CARDS = {
    "ko": "한국어",
    "pt": "Português",
    "th": "ไทย",
    "zh": "中文",
}  # without a catalog; cards have names in them

# The short numeric day of each language with a catalog, as in the CLDR.
_DAY_FORMATS = {
    "de": "{0:%d.%m.%Y}",
    "fr": "{0:%d/%m/%Y}",
    "es": "{0.day}/{0.month}/{0.year}",
    "it": "{0:%d/%m/%Y}",
    "ja": "{0.year}/{0.month}/{0.day}",
}
_LEAST_GROUPED = 1_000
# The sign between thousands, and the fewest digits of a number that is grouped, as in the CLDR.
_GROUPING = {"de": (".", 4), "fr": ("\u202f", 4), "es": (".", 5), "it": (".", 4), "ja": (",", 4)}


def own_name(code: str) -> str:
    """Return the name of a language in that language, by its code ("de" → "Deutsch"). Return an unknown code unchanged.

    Languages without a catalog in which cards have names (Korean, Portuguese, Thai, Chinese) are known, too.
    """
    return LANGUAGES.get(code) or _OF_CARDS.get(code, code)


class Translation(Language):
    """A language other than English with a catalog of translated texts. Texts that the catalog lacks are in English.

    `code` is the code of the language, such as "de".
    """

    def __init__(self, code: str, catalog: GNUTranslations) -> None:
        self.code = code
        self._catalog = catalog

    def __call__(self, template: str, /, **values: object) -> str:
        """Return the translation of an English template, filled with the values, which are written as in this language.

        Raises KeyError if a placeholder has no value.
        """
        return self.template(template).format_map(self._local_values(values))

    def plural(self, singular: str, plural: str, count: int, /, **values: object) -> str:
        """Return the translation of the singular or plural English template, filled with the values and `count`.

        `count` decides by the plural rules of this language. The values are written as in this language.
        """
        values["count"] = count
        return self.template_of(singular, plural, count).format_map(self._local_values(values))

    def text(self, text: str) -> str:
        """Return a Phrase in this language. A text that is not a Phrase is returned unchanged."""
        return text.render(self) if isinstance(text, Phrase) else text

    def day(self, day: date | str) -> str:
        """Return a day, or an ISO date as text, as this language writes it (German: 21.11.2026).

        A text that is no date is returned unchanged.
        """
        return _local_day(str(day), self.code)

    def number(self, number: int) -> str:
        """Return a whole number with its thousands grouped as this language does: 12.345 in German, 1234 in Spanish."""
        return f"{_LocalNumber(number, self.code):,}"

    def _local_values(self, values: dict[str, object]) -> dict[str, object]:
        """Return the values of a template by name, each prepared by `_local_value` for this language."""
        return {name: self._local_value(value) for name, value in values.items()}

    def _local_value(self, value: object) -> object:
        """Return a value of a template as this language writes it.

        A date, or a text that is an ISO date, becomes the text of that day. An int from 1,000 on becomes a number that
        `{:,}` groups as this language does. Other values are returned unchanged.
        """
        if isinstance(value, int):
            return _LocalNumber(value, self.code) if value >= _LEAST_GROUPED else value
        return self.day(value) if _is_day(value) else value

    def template(self, template: str) -> str:
        """Return the translation of an English template, with its placeholders.

        Without a translation, and for "", return the template unchanged.
        """
        return self._catalog.gettext(template) if template else ""

    def template_of(self, singular: str, plural: str, count: int) -> str:
        """Return the translation of the singular or plural template, with placeholders, as `count` requires.

        Without a translation return `singular` if `count` is 1, else `plural`.
        """
        return self._catalog.ngettext(singular, plural, count)


class _LocalNumber(int):
    """An int that `{count:,}` writes with the thousands separator of a language. Other format specs work as for an int.

    Some languages do not separate short numbers: 1234 in Spanish.
    """

    _code: str

    def __new__(cls, number: int, code: str) -> Self:
        """Return the number for the language with a code, which must have a catalog."""
        made = super().__new__(cls, number)
        made._code = code
        return made

    def __format__(self, spec: str) -> str:
        separator, digits = _GROUPING[self._code]
        if spec != ",":
            return super().__format__(spec)
        return f"{int(self):,}".replace(",", separator) if self >= 10 ** (digits - 1) else str(int(self))


def _is_day(value: object) -> TypeGuard[date | str]:
    """Return True if a value is a date (no datetime), or a text of 10 characters that looks like an ISO date.

    The text may be no real day, because only the year and the places of the dashes are checked.
    """
    if isinstance(value, str):
        return len(value) == len("2026-11-21") and value[4] == value[7] == "-" and value[:4].isdecimal()
    return isinstance(value, date) and not isinstance(value, datetime)


def _local_day(day: str, code: str) -> str:
    """Return an ISO date as the language with a code writes it. A text that is no date is returned unchanged.

    Raises KeyError for English, and for a language without a catalog.
    """
    try:
        return _DAY_FORMATS[code].format(date.fromisoformat(day))
    except ValueError:
        return day


@lru_cache(maxsize=len(LANGUAGES))
def language(code: str) -> Language:
    """Return the language with a code: ENGLISH for "en", else a Translation. Its catalog is read once and cached.

    Raises KeyError if the code is not in LANGUAGES.
    """
    if code not in LANGUAGES:
        raise KeyError(code)
    if code == ENGLISH.code:
        return ENGLISH
    text = resources.files(__name__).joinpath(f"{code}.po").read_text("utf-8")
    return Translation(code, _read_catalog(text))


_MAGIC, _VERSION, _HEADER_BYTES = 0x950412DE, 0, 28
_FIELDS = ("msgid", "msgid_plural", "msgstr")


def _read_catalog(text: str) -> GNUTranslations:
    """Return the translations in the text of a .po file.

    Messages without a translation, or with an empty plural form, are skipped. Raises ValueError, with the number of the
    line, for a line that is neither blank nor a comment nor has a text in quotes.
    """
    messages = {}
    for entry in _catalog_entries(text):
        id = "\0".join(entry[field] for field in _FIELDS[:2] if field in entry)
        translated = [value for field, value in entry.items() if field.startswith("msgstr")]
        if all(translated):
            messages[id] = "\0".join(translated)
    return GNUTranslations(BytesIO(_compile_catalog(messages)))


def _catalog_entries(text: str) -> Iterator[dict[str, str]]:
    """Yield the fields of each message of a .po file by keyword, such as `msgid` and `msgstr`.

    A plural has `msgid_plural`, and `msgstr[0]`, `msgstr[1]`, … instead of `msgstr`. Comments are skipped, continued
    lines are joined. Raises ValueError, with the number of the line, for another line without a text in quotes.
    """
    entry: dict[str, str] = {}
    field = ""
    for number, line in enumerate(text.splitlines(), 1):
        keyword, _, quoted = line.partition(" ")
        if not line or line.startswith("#"):
            continue
        if line.startswith('"'):
            quoted = line
        elif keyword.partition("[")[0] in _FIELDS:
            if keyword == "msgid" and entry:
                yield entry
                entry = {}
            field = keyword
        try:
            entry[field] = entry.get(field, "") + json.loads(quoted)  # the escapes are those of JSON
        except ValueError:
            raise ValueError(f"line {number} of a catalog is no text in quotes: {line[:80]!r}") from None
    if entry:
        yield entry


def _compile_catalog(messages: dict[str, str]) -> bytes:
    """Return messages (translations by English text) in the binary format of a .mo file, which gettext reads.

    In keys with a plural, and in their values, the forms are separated by NUL.
    """
    pairs = sorted((id.encode(), text.encode()) for id, text in messages.items())
    texts = [id for id, _ in pairs] + [text for _, text in pairs]
    place = _HEADER_BYTES + 8 * len(texts)
    table = bytearray()
    for encoded in texts:
        table += struct.pack("<II", len(encoded), place)
        place += len(encoded) + 1
    header = (_MAGIC, _VERSION, len(pairs), _HEADER_BYTES, _HEADER_BYTES + 8 * len(pairs), 0, place)
    return struct.pack("<7I", *header) + bytes(table) + b"".join(encoded + b"\0" for encoded in texts)
