"""Languages of the pages and messages: each has a catalog beside this module, which is read at first use."""

from __future__ import annotations

from functools import lru_cache
from gettext import GNUTranslations
from importlib import resources
from io import BytesIO

from validator.language import CODES, ENGLISH, Language, Phrase

# The own name of each language by code, in the order on pages.
LANGUAGES = dict(zip(CODES, ("English", "Deutsch", "Français", "Español", "Italiano", "日本語"), strict=True))


def own_name(code: str) -> str:
    """Return the name of a language in that language, also for a language without a catalog."""
    from babel import Locale

    return LANGUAGES.get(code) or str(Locale.parse(code).get_language_name())


class Translation(Language):
    """A language with a catalog. Texts that the catalog lacks are in English."""

    def __init__(self, code: str, catalog: GNUTranslations) -> None:
        self.code = code
        self._catalog = catalog

    def __call__(self, template: str, /, **values: object) -> str:
        """Return a template in this language, filled with the values."""
        return self.template(template).format_map(values)

    def plural(self, singular: str, plural: str, count: int, /, **values: object) -> str:
        """Return the singular or plural template in this language, filled with the values and `count`."""
        values["count"] = count
        return self.template_of(singular, plural, count).format_map(values)

    def of(self, text: str) -> str:
        """Return a text in this language. A text that is not a Phrase is returned unchanged."""
        return text.said(self) if isinstance(text, Phrase) else text

    def template(self, template: str) -> str:
        """Return a template in this language. A template without a translation is returned unchanged."""
        return self._catalog.gettext(template) if template else ""

    def template_of(self, singular: str, plural: str, count: int) -> str:
        """Return the singular or plural template in this language, as `count` requires."""
        return self._catalog.ngettext(singular, plural, count)


@lru_cache(maxsize=len(LANGUAGES))
def language(code: str) -> Language:
    """Return the language with a code. Raises KeyError if there is no catalog for the code."""
    if code not in LANGUAGES:
        raise KeyError(code)
    if code == ENGLISH.code:
        return ENGLISH
    from babel.messages.mofile import write_mo  # slow to import, and English does not need it
    from babel.messages.pofile import read_po

    with resources.files(__name__).joinpath(f"{code}.po").open("rb") as file:
        catalog = read_po(file, locale=code)
    write_mo(compiled := BytesIO(), catalog)
    compiled.seek(0)
    return Translation(code, GNUTranslations(compiled))
