"""Rendering: templates made pages, or the piece of a page that a script swaps in, in the reader's language.

What comes again and again (the frame of all pages, a card and its copies) is made once and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache, lru_cache
from http import HTTPStatus
from importlib import metadata
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import Blueprint, Flask, Response, current_app, request
from jinja2 import Environment, PackageLoader, StrictUndefined, Template, pass_context
from jinja2.environment import TemplateModule
from jinja2.runtime import Context
from markupsafe import Markup

from api.service.languages import LANGUAGES, language
from api.web.language_choice import LANG, preferred
from api.web.pages import static_files
from validator.findings import Finding
from validator.games import GAMES
from validator.language import Language
from validator.limits import Ruling
from validator.limits.lists import Binding
from validator.words import SECTION_TITLES, format_name, terms

_NAVIGATION = "deckproof-navigation"
_SWITCH = "switch"  # in the query of a form that is sent to be read in another language
_LONGEST_QUERY = 500  # characters that the links to other languages keep
_MOST_KEPT = 4096  # of up to 6 kB, nearly all of under 200 bytes
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Vary": "Accept-Language, HX-Request",
}


class Page(NamedTuple):
    """A page, or several of one noun: its views, the path that the navigation leads to, and what it is called there."""

    blueprint: Blueprint
    path: str
    title: Callable[[Language], str]


class Visit(NamedTuple):
    """What sentences and links are made for: a language, whether the address names it, and where the pages are."""

    lang: str
    is_chosen: bool
    root: str

    def link(self, path: str, /, **query: str | None) -> str:
        """Return the address of a page, with the language that the reader chose in this page's own."""
        given = ({LANG: self.lang} if self.is_chosen else {}) | query
        filled = {name: value for name, value in given.items() if value is not None}
        return f"{self.root}{path}?{urlencode(filled)}" if filled else self.root + path

    def static(self, name: str) -> str:
        """Return the address of a file that pages are made of."""
        return self.root + static_files.address(name)

    @property
    def say(self) -> Language:
        """What makes sentences of the reader's language."""
        return language(self.lang)

    def words(self) -> dict[str, Any]:
        """Return what every template has."""
        say = self.say
        plural = say.plural
        return {
            "say": say,
            "plural": plural,
            "lang": self.lang,
            "link": self.link,
            "static": self.static,
            "visit": self,
        }


class _Template(Template):
    """A template whose macros, imported `with context`, know the visit and the `faults` of the page and nothing else.

    So they are made once for a visit: to make them for each page would take as long as what they write.
    """

    def make_module(self, vars: Any = None, shared: bool = False, locals: Any = None) -> TemplateModule:
        known = vars["visit"].words()
        faults = vars.get("faults")
        return super().make_module({**known, "faults": faults}) if faults else _macros(self, vars["visit"])


def lead_to(app: Flask, pages: tuple[Page, ...]) -> None:
    """Let the navigation of every page of an application lead to these."""
    app.extensions[_NAVIGATION] = pages


def of_pages() -> set[str]:
    """Return the names of the blueprints that answer with pages."""
    return {page.blueprint.name for page in _pages()}


def rendered(template: str, status: int = 200, piece: str = "result", /, **values: Any) -> Response:
    """Return the answer that a template makes of some values: all of it, or one of its blocks where htmx asks."""
    visit = here()
    made = environment().get_template(template)
    is_piece = asks_for_a_piece()
    known = {**visit.words(), **values}
    context = made.new_context(known if is_piece else known | {"frame": _frame()})
    text = "".join(made.blocks[piece](context) if is_piece else made.root_render_func(context))
    headers = {**_HEADERS, "Content-Language": visit.lang}
    if request.method != "POST" and status < HTTPStatus.BAD_REQUEST:
        headers["Cache-Control"] = "no-cache"  # of the rest nothing is kept at all
    return Response(text, status, headers, content_type="text/html; charset=utf-8")


def asks_for_a_piece() -> bool:
    """Tell whether a script asks for the piece of the page that it swaps in."""
    headers = request.headers
    return "HX-Request" in headers and "HX-History-Restore-Request" not in headers


def is_opened() -> bool:
    """Tell whether a page is asked for as it is, whatever its form lacks; a form is sent along to another language."""
    return request.method != "POST" or _SWITCH in request.args


def here() -> Visit:
    """Return where the answer is read: its language is that of the address, else the best that the browser asks for."""
    chosen = request.args.get(LANG, "")
    is_chosen = chosen in LANGUAGES
    return Visit(chosen if is_chosen else preferred().code, is_chosen, request.script_root)


def link(path: str, /, **query: str | None) -> str:
    """Return the address of a page, with the language that the reader chose in this page's own."""
    return here().link(path, **query)


@cache
def environment() -> Environment:
    """Return what the templates are compiled in."""
    made = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    made.template_class = _Template
    made.globals |= {
        "languages": LANGUAGES,
        "version": metadata.version("deckproof"),
        "section_titles": SECTION_TITLES,
        "titles": [game.title for game in GAMES.values()],
    }
    made.filters |= {
        "web": web,
        "folded": folded,
        "sentence": sentence,
        "fix": fix,
        "kept": kept,
        "terms": called,
        "format": format_called,
    }
    return made


@pass_context
def kept(context: Context, template: str, **values: Hashable) -> Markup:
    """Return what a template makes of values that come again and again, such as a card and its copies."""
    return _kept(context["visit"], template, **values)


@pass_context
def sentence(context: Context, of: Finding) -> str:
    """Return what a finding says is wrong."""
    return of.kind.message(of, context["say"])


@pass_context
def fix(context: Context, of: Finding) -> str:
    """Return what a finding says to do."""
    return of.kind.fix(of, context["say"])


@pass_context
def called(context: Context, of: Sequence[str]) -> list[str]:
    """Return types or colours of cards as players call them."""
    return terms(of, context["say"])


@pass_context
def format_called(context: Context, format: str) -> str:
    """Return what players call a format."""
    return format_name(format, context["say"])


def folded(entries: Iterable[Binding | Ruling]) -> dict[str, dict[str, str]]:
    """Return what pairs are one group, by what it is: the names of its cards by their numbers."""
    groups: dict[str, dict[str, str]] = {}
    for one in entries:
        if one.group:
            groups.setdefault(one.group, {}).update(zip(one.numbers, one.names, strict=True))
    return {group: dict(sorted(cards.items())) for group, cards in groups.items()}


def web(address: str | None) -> str:
    """Return an address that a link may lead to, "" for any that is no page of the web."""
    return address if address and address.startswith(("https://", "http://")) else ""


def _frame() -> dict[str, Any]:
    """Return what stands around a page: where its navigation leads, which page it is, and the rest of its query."""
    kept = urlencode([(name, value) for name, value in request.args.items(multi=True) if name not in (LANG, _SWITCH)])
    query = f"?{kept}&" if 0 < len(kept) < _LONGEST_QUERY else "?"
    return {"pages": _pages(), "current": request.blueprint, "query": query}


@lru_cache(maxsize=_MOST_KEPT)
def _kept(visit: Visit, template: str, **values: Hashable) -> Markup:
    return Markup(environment().get_template(template).render({**visit.words(), **values}))


@lru_cache(maxsize=_MOST_KEPT)
def _macros(of: Template, visit: Visit) -> TemplateModule:
    return Template.make_module(of, {**visit.words(), "faults": {}})


def _pages() -> tuple[Page, ...]:
    pages: tuple[Page, ...] = current_app.extensions[_NAVIGATION]
    return pages
