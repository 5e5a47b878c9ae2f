"""Languages: what makes a sentence of its English template, in English or in another language."""

from __future__ import annotations


class Language:
    """English, in which the templates are written; another language looks its own up before it fills them in.

    A template names its values in braces. It stands literally where it is said, so that catalogs can be made of
    all that stand in `say("…")` and in `say.plural("…", "…", count)`.
    """

    code = "en"

    def __call__(self, template: str, /, **values: object) -> str:
        """Return the sentence of a template with these values."""
        return self.template(template).format(**values)

    def plural(self, one: str, many: str, count: int, /, **values: object) -> str:
        """Return the sentence of one of two templates for so many, who are `count` among its values."""
        return self.template_of(one, many, count).format(count=count, **values)

    def template(self, template: str) -> str:
        """Return what a template is in this language."""
        return template

    def template_of(self, one: str, many: str, count: int) -> str:
        """Return what a template is in this language for so many."""
        return one if count == 1 else many


ENGLISH = Language()
