"""Languages that are spoken here: a catalog for each beside this module, read when it is first asked for."""

from __future__ import annotations

from functools import lru_cache
from gettext import GNUTranslations
from importlib import resources
from io import BytesIO

from validator.language import CODES, ENGLISH, Language, Phrase

# By its own name, in the order in which pages offer them.
LANGUAGES = dict(zip(CODES, ("English", "Deutsch", "Français", "Español", "Italiano", "日本語"), strict=True))


def own_name(code: str) -> str:
    """Return what a language calls itself, also one that is not spoken here."""
    from babel import Locale

    return LANGUAGES.get(code) or str(Locale.parse(code).get_language_name())


class Translation(Language):
    """A language with a catalog; what that lacks is said in English."""

    def __init__(self, code: str, catalog: GNUTranslations) -> None:
        self.code = code
        self._catalog = catalog

    def __call__(self, template: str, /, **values: object) -> str:
        """Return the sentence of a template with these values."""
        return self.template(template).format_map(values)

    def plural(self, one: str, many: str, count: int, /, **values: object) -> str:
        """Return the sentence of one of two templates for so many, who are `count` among its values."""
        values["count"] = count
        return self.template_of(one, many, count).format_map(values)

    def of(self, text: str) -> str:
        """Return a text that was made before anybody asked for a language."""
        return text.said(self) if isinstance(text, Phrase) else text

    def template(self, template: str) -> str:
        """Return what a template is in this language, and a word that has none as it is."""
        return self._catalog.gettext(template) if template else ""

    def template_of(self, one: str, many: str, count: int) -> str:
        """Return what a template is in this language for so many."""
        return self._catalog.ngettext(one, many, count)


@lru_cache(maxsize=len(LANGUAGES))
def language(code: str) -> Language:
    """Return a language that is spoken here, by its code; KeyError for any other."""
    if code not in LANGUAGES:
        raise KeyError(code)
    if code == ENGLISH.code:
        return ENGLISH
    from babel.messages.mofile import write_mo  # only who asks for another language pays for it
    from babel.messages.pofile import read_po

    with resources.files(__name__).joinpath(f"{code}.po").open("rb") as file:
        catalog = read_po(file, locale=code)
    write_mo(compiled := BytesIO(), catalog)
    compiled.seek(0)
    return Translation(code, GNUTranslations(compiled))
