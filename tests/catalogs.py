"""Catalogs: all translatable texts, collected from the sources. `make catalogs` updates the files.

Run as `python -m tests.catalogs`. A test compares the result with the files. A new text has no translation, a text that
is gone is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import metadata
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

import api.service.languages
from api.cli import usage_errors
from api.events.storage import decoder_messages
from api.service import schema_messages
from carddb import facts, system_messages
from validator import documents
from validator.games import GAMES
from validator.language import CODES, ENGLISH
from validator.limits import shipped_lists
from validator.rulesets import rulesets

ROOT = Path(__file__).parents[1]
FOLDER = Path(api.service.languages.__file__).parent
TRANSLATED = tuple(code for code in CODES if code != ENGLISH.code)
TEMPLATES = ROOT / "api/web/pages/templates"
# What says a text, and which of its arguments are the templates: of one, or of one and of many.
_SAYING = {"translate": 1, "phrase": 1, "plural": 2, "plural_phrase": 2, "by_card_count": 2, "_cards_sentence": 2}
_OPTIONS = {"trimmed": "false", "silent": "false", "trim_blocks": "true", "lstrip_blocks": "true"}

Message = tuple[str, ...]  # of one, or of one and of many


@cache
def messages() -> dict[Message, set[str]]:
    """Return every translatable text with the files that use it."""
    found: dict[Message, set[str]] = {}
    for path in sorted(path for room in ("validator", "carddb", "api") for path in (ROOT / room).rglob("*.py")):
        for message in of_python(path.read_text()):
            found.setdefault(message, set()).add(str(path.relative_to(ROOT)))
    for path in sorted(TEMPLATES.rglob("*.html")):
        for message in of_template(path.read_bytes()):
            found.setdefault(message, set()).add(str(path.relative_to(ROOT)))
    others: dict[str, Iterable[str]] = {
        "api/cli/usage_errors.py": (*usage_errors.SENTENCES, *usage_errors.KINDS),
        "carddb/system_messages.py": system_messages.SENTENCES,
        "api/events/storage/decoder_messages.py": decoder_messages.SENTENCES,
        "api/service/schema_messages.py": schema_messages.SENTENCES,
        "validator/documents.py": documents.TOML_MESSAGES,
        "validator/rulesets": of_rulesets(),
        "validator/limits": of_limits(),
        "carddb/data/facts": of_facts(),
    }
    for file, texts in others.items():
        for text in texts:
            found.setdefault((text,), set()).add(file)
    return found


def of_python(source: str) -> Iterator[Message]:
    """Yield the translatable texts that are literals in a Python source."""
    says = any(f"{one}(" in source for one in _SAYING)
    for node in ast.walk(ast.parse(source)) if says else ():
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            texts = node.args[: _SAYING.get(called, 0)]
            if texts and all(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in texts):
                yield tuple(one.value for one in texts)


def of_template(source: bytes) -> Iterator[Message]:
    """Yield the translatable texts of a page's template."""
    keywords = {"translate": None, "plural": (1, 2)}
    for _, called, texts, _ in babel_extract(BytesIO(source), keywords, (), _OPTIONS):
        given = (texts,) if isinstance(texts, str) else texts
        message = tuple(text for text in given[: _SAYING[called]] if text)
        if len(message) == _SAYING[called]:
            yield message


def of_rulesets() -> Iterator[str]:
    """Yield the translatable texts of rulesets: statements, openings, notes, and reasons why they are provisional."""
    for ruleset in rulesets().values():
        yield from (rule.says for rule in (*ruleset.rules.values(), *ruleset.with_side_deck.values()))
        yield from (fact.says for _, fact in (ruleset.opening.facts() if ruleset.opening else ()))
        yield from filter(None, (ruleset.note, ruleset.provisional and ruleset.provisional.reason))


def of_limits() -> Iterator[str]:
    """Yield the translatable texts of official lists: names of groups, exempt decks, gaps and reasons."""
    for listed in (shipped_lists(game).listed for game in GAMES):
        yield from filter(None, [listed.provisional and listed.provisional.reason])
        yield from (*listed.spared.values(), *(one.note for one in listed.partial))
        yield from filter(None, {ruling.group for region in listed.regions for ruling in listed.rulings(region)})
    for game in GAMES:
        yield from shipped_lists(game).bounds_file.reasons.values()


def of_facts() -> Iterator[str]:
    """Yield the reasons why the facts of games are provisional."""
    for origin in filter(None, map(facts.provenance, GAMES)):
        yield from filter(None, [origin.provisional and origin.provisional.reason])


def read(code: str) -> Catalog:
    """Return the catalog of a language from its file."""
    with (FOLDER / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)


def update_catalog(old: Catalog, messages: Iterable[tuple[Message, set[str]]]) -> Catalog:
    """Return a catalog of exactly these texts, with the translations that `old` has."""
    new = Catalog(
        locale=old.locale,
        project="deckproof",
        version=metadata.version("deckproof"),
        fuzzy=False,
        creation_date=old.creation_date,
        revision_date=old.creation_date,
        header_comment=f"# {old.locale.english_name} for deckproof; `make catalogs` brings the texts up to date.",
    )
    # The plural forms of the file, not those of the installed Babel, which differ between its releases.
    new.mime_headers = [("Plural-Forms", f"nplurals={old.num_plurals}; plural={old.plural_expr};")]
    new.msgid_bugs_address = new.last_translator = new.language_team = ""  # where Babel would write what to fill in
    for message, files in sorted(messages, key=lambda one: (min(one[1]), one[0])):
        before = old.get(message[0])
        string = before.string if before is not None and before.pluralizable == (len(message) > 1) else None
        id = message if len(message) > 1 else message[0]
        new.add(id, string or (("",) * new.num_plurals if len(message) > 1 else ""), [(min(files), 1)])
    return new


def catalog_bytes(catalog: Catalog) -> bytes:
    """Return the content of the file of a catalog."""
    write_po(file := BytesIO(), catalog, width=120, include_lineno=False, sort_by_file=False)
    lines = file.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(b'"Generated-By: '))  # the release of Babel


if __name__ == "__main__":
    every = messages().items()
    for code in TRANSLATED:
        (FOLDER / f"{code}.po").write_bytes(catalog_bytes(update_catalog(read(code), every)))
