"""Languages: they make a sentence of an English template, in English or in another language."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import lru_cache
from itertools import zip_longest
from typing import Any, Self

# For `parse_message`: the placeholders whose values may have blanks, and those whose values are messages themselves.
_TEXTS = frozenset({"problem", "value", "expected", "found"})
_NESTED = ("problem", "kind")
_PLACEHOLDER = re.compile(r"\{(\w+)(:,)?\}")  # with `:,` a whole number


class Language:
    """English, the language of the templates. Other languages translate a template before they fill it in.

    A template has its values in braces. It is always a literal in the call `translate("…")`,
    `translate.plural("…", "…", count)` or `phrase("…")`, so that catalogs can be made of all such literals.
    """

    code = "en"

    def __call__(self, template: str, /, **values: object) -> str:
        """Return the sentence of a template with these values."""
        return template.format_map(values)

    def plural(self, singular: str, plural: str, count: int, /, **values: object) -> str:
        """Return the sentence of the singular template if `count` is 1, else of the plural one, with these values.

        The value `count` is added to the values.
        """
        values["count"] = count
        return (singular if count == 1 else plural).format_map(values)

    def text(self, text: str) -> str:
        """Return a text in this language. Only a Phrase is translated, other texts are unchanged.

        English changes no text.
        """
        return text

    def day(self, day: date | str) -> str:
        """Return a day as this language writes it. English writes the ISO form."""
        return str(day)

    def number(self, number: int) -> str:
        """Return a whole number with its thousands grouped as this language does: 12,345 in English."""
        return f"{number:,}"

    def template(self, template: str) -> str:
        """Return the translation of a template, with its braces. A word without a translation is unchanged."""
        return template

    def template_of(self, singular: str, plural: str, count: int) -> str:
        """Return the translation of the singular template if `count` is 1, else of the plural one.

        No value is filled in.
        """
        return singular if count == 1 else plural


ENGLISH = Language()
# English and the languages with a catalog. Pages and commands offer them in this order.
CODES = ("en", "de", "fr", "es", "it", "ja")


class Translatable(ABC):
    """Base of values that can be written as a sentence of any language."""

    __slots__ = ()

    @abstractmethod
    def render(self, translate: Language) -> str:
        """Return this value as a sentence of a language. Each subclass has its own sentence."""

    @property
    def says(self) -> str:
        """The sentence in English."""
        return self.render(ENGLISH)


class Phrase(str):
    """An English text that can be translated later.

    It keeps the function that makes the text, and that function's values.
    """

    _made: tuple[Callable[..., str], tuple[Any, ...]]

    def __new__(cls, make: Callable[..., str], *of: Any) -> Self:
        """Return the English text of `make`. `make` is called with the values and a language."""
        made = super().__new__(cls, make(*of, ENGLISH))
        made._made = make, of
        return made

    def __reduce__(self) -> tuple[type[Phrase], tuple[Any, ...]]:
        """Pickle the phrase as its template and values."""
        make, of = self._made
        return Phrase, (make, *of)

    def format(self, *_: object, **__: object) -> Phrase:
        """Return this phrase unchanged, because its values are filled in already.

        Schema libraries format every message.
        """
        return self

    def render(self, translate: Language) -> str:
        """Return the text of this phrase in a language."""
        make, of = self._made
        return make(*of, translate)


def phrase(template: str, /, **values: object) -> Phrase:
    """Return the English sentence of a template with these values, which can be translated later."""
    return Phrase(_fill_template, template, values)


def plural_phrase(singular: str, plural: str, count: int, /, **values: object) -> Phrase:
    """Return the English sentence of the singular or plural template, as `count` requires, to be translated later.

    The value `count` is added to the values.
    """
    return Phrase(_fill_plural, singular, plural, count, values)


def join_phrases(texts: Iterable[str], separator: str = "") -> Phrase:
    """Return the texts joined by a separator. Each of them that is a Phrase can be translated later."""
    return Phrase(_join_texts, tuple(texts), separator)


def _fill_template(template: str, values: dict[str, object], translate: Language) -> str:
    """Return the sentence of a template with its values in a language. Values that are phrases are translated too."""
    return translate(template, **_translate_values(values, translate))


def _fill_plural(singular: str, plural: str, count: int, values: dict[str, object], translate: Language) -> str:
    """Return the sentence of a singular or plural template in a language. Values that are phrases are translated."""
    return translate.plural(singular, plural, count, **_translate_values(values, translate))


def _translate_values(values: dict[str, object], translate: Language) -> dict[str, object]:
    """Return the values by name, with each Phrase as a text of the language."""
    return {name: translate.text(value) if isinstance(value, str) else value for name, value in values.items()}


def _join_texts(texts: tuple[str, ...], separator: str, translate: Language) -> str:
    """Return the texts in a language, joined by a separator."""
    return separator.join(map(translate.text, texts))


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
            values |= {name: int(found[name]) for name, number in _PLACEHOLDER.findall(template) if number}
            values |= {name: parse_message(found[name], templates, texts) for name in _NESTED if name in values}
            return phrase(template, **values)
    return message


@lru_cache(maxsize=512)
def _make_pattern(template: str, texts: frozenset[str]) -> re.Pattern[str]:
    """Return the pattern of the messages of a template. Only the values named in `texts` may have blanks.

    The pattern is cached.
    """
    parts, names = _PLACEHOLDER.split(template)[::3], _PLACEHOLDER.findall(template)
    fixed = [re.escape(part.replace("{{", "{").replace("}}", "}")) for part in parts]
    words = [r"\d+" if number else ".+" if name in texts else "[^ ]+" for name, number in names]
    values = [f"(?P<{name}>{pattern})" for (name, _), pattern in zip(names, words, strict=True)]
    return re.compile("".join(part + value for part, value in zip_longest(fixed, values, fillvalue="")), re.DOTALL)
