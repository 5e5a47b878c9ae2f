"""Languages: what makes a sentence of its English template, in English or in another language."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any


class Language:
    """English, in which the templates are written; another language looks its own up before it fills them in.

    A template names its values in braces. It stands literally where it is said, so that catalogs can be made of
    all that stand in `say("…")`, in `say.plural("…", "…", count)` and in `phrase("…")`.
    """

    code = "en"

    def __call__(self, template: str, /, **values: object) -> str:
        """Return the sentence of a template with these values."""
        return template.format_map(values)

    def plural(self, one: str, many: str, count: int, /, **values: object) -> str:
        """Return the sentence of one of two templates for so many, who are `count` among its values."""
        values["count"] = count
        return (one if count == 1 else many).format_map(values)

    def of(self, text: str) -> str:
        """Return a text that was made before anybody asked for a language."""
        return text

    def template(self, template: str) -> str:
        """Return what a template is in this language, and a word that has none as it is."""
        return template

    def template_of(self, one: str, many: str, count: int) -> str:
        """Return what a template is in this language for so many."""
        return one if count == 1 else many


ENGLISH = Language()
# Those that there are catalogs of, beside English; pages and commands offer them in this order.
CODES = ("en", "de", "fr", "es", "it", "ja")


class Sayable(ABC):
    """What can be said in a sentence of any language."""

    __slots__ = ()

    @abstractmethod
    def said(self, say: Language) -> str:
        """Return the sentence in a language."""

    @property
    def says(self) -> str:
        """The sentence in English."""
        return self.said(ENGLISH)


class Phrase(str):
    """An English text that can be said in another language, too: by what made it, and of what."""

    _made: tuple[Callable[..., str], tuple[Any, ...]]

    def __new__(cls, make: Callable[..., str], *of: Any) -> Phrase:
        """Hold the English of what is made in any language: `make` takes `of` and the language."""
        made = super().__new__(cls, make(*of, ENGLISH))
        made._made = make, of
        return made

    def __reduce__(self) -> tuple[type[Phrase], tuple[Any, ...]]:
        make, of = self._made
        return Phrase, (make, *of)

    def said(self, say: Language) -> str:
        """Return the text in a language."""
        make, of = self._made
        return make(*of, say)


def phrase(template: str, /, **values: object) -> Phrase:
    """Return the sentence of a template with these values, which another language can say."""
    return Phrase(_filled, template, values)


def _filled(template: str, values: dict[str, object], say: Language) -> str:
    return say(template, **{name: say.of(value) if isinstance(value, str) else value for name, value in values.items()})
