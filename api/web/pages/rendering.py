"""Rendering: templates made pages, or the piece of a page that a script swaps in, in the reader's language.

What comes again and again (the frame of all pages, a card and its copies) is made once and cached.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import date
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
from api.web.language_choice import LANG, preferred_language
from api.web.pages import static_files
from validator.findings import Finding
from validator.games import GAMES
from validator.language import Language, Phrase
from validator.limits import Ruling
from validator.limits.lists import Binding
from validator.words import SECTION_TITLES, cite_for_people, fact_names, format_name, region_name

_NAVIGATION = "deckproof-navigation"
_SWITCH = "switch"  # in the query of a form that is sent to be read in another language
_LONGEST_QUERY = 500  # characters that the links to other languages keep
_MOST_CACHED = 4096  # of up to 6 kB, nearly all of under 200 bytes
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Vary": "Accept-Language, HX-Request",
}


class Page(NamedTuple):
    """A page, or several of one noun: its views, the path that the navigation leads to, and its title there."""

    blueprint: Blueprint
    path: str
    title: Callable[[Language], str]


class Visit(NamedTuple):
    """A visit of a reader: the language, a flag if the address names the language, and the root of the pages."""

    lang: str
    is_chosen: bool
    root: str

    def link(self, path: str, /, **query: str | None) -> str:
        """Return the address of a page, with the language if the address of this page names it."""
        given = ({LANG: self.lang} if self.is_chosen else {}) | query
        filled = {name: value for name, value in given.items() if value is not None}
        return f"{self.root}{path}?{urlencode(filled)}" if filled else self.root + path

    def static(self, name: str) -> str:
        """Return the address of a file of the pages."""
        return self.root + static_files.address(name)

    @property
    def translate(self) -> Language:
        """The translator of the language."""
        return language(self.lang)

    def words(self) -> dict[str, Any]:
        """Return the values that every template has."""
        translate = self.translate
        plural = translate.plural
        return {
            "translate": translate,
            "plural": plural,
            "lang": self.lang,
            "link": self.link,
            "static": self.static,
            "visit": self,
        }


class _Template(Template):
    """A template whose imported macros (`with context`) get only the visit and the `faults` of the page.

    The macros are built once for each visit. Building them for each page would take as long as the page itself.
    """

    def make_module(self, vars: Any = None, shared: bool = False, locals: Any = None) -> TemplateModule:
        """Return the macros of the template. Without `faults` they come from the cache."""
        known = vars["visit"].words()
        faults = vars.get("faults")
        return super().make_module({**known, "faults": faults}) if faults else _cached_macros(self, vars["visit"])


def set_navigation(app: Flask, pages: tuple[Page, ...]) -> None:
    """Set the pages that the navigation of an application has."""
    app.extensions[_NAVIGATION] = pages


def page_blueprints() -> set[str]:
    """Return the names of the blueprints that answer with pages."""
    return {page.blueprint.name for page in _pages()}


def render_response(template: str, status: int = 200, piece: str = "result", /, **values: Any) -> Response:
    """Return a rendered template as an answer: the whole page, or only one block for a script's request.

    `piece` is the name of the block.
    """
    visit = current_visit()
    made = environment().get_template(template)
    is_piece = wants_fragment()
    known = {**visit.words(), **values}
    context = made.new_context(known if is_piece else known | {"frame": _frame()})
    text = "".join(made.blocks[piece](context) if is_piece else made.root_render_func(context))
    headers = {**_HEADERS, "Content-Language": visit.lang}
    if request.method != "POST" and status < HTTPStatus.BAD_REQUEST:
        headers["Cache-Control"] = "no-cache"  # other answers are not stored at all
    return Response(text, status, headers, content_type="text/html; charset=utf-8")


def wants_fragment() -> bool:
    """Return True if a script requests only a block of the page, to swap it in."""
    headers = request.headers
    return "HX-Request" in headers and "HX-History-Restore-Request" not in headers


def is_unsubmitted() -> bool:
    """Return True if a page is requested without a submitted form.

    A form that is sent to read the page in another language is not submitted.
    """
    return request.method != "POST" or _SWITCH in request.args


def current_visit() -> Visit:
    """Return the visit. Its language is that of the address, else the best one that the browser accepts."""
    chosen = request.args.get(LANG, "")
    is_chosen = chosen in LANGUAGES
    return Visit(chosen if is_chosen else preferred_language().code, is_chosen, request.script_root)


def link(path: str, /, **query: str | None) -> str:
    """Return the address of a page, with the language if the address of this page names it."""
    return current_visit().link(path, **query)


@cache
def environment() -> Environment:
    """Return the environment of the templates."""
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
    made.tests["phrase"] = lambda text: isinstance(text, Phrase)
    made.filters |= {
        "web": web,
        "folded": group_names,
        "sentence": sentence,
        "fix": fix,
        "citation": citation,
        "kept": render_kept,
        "terms": call_terms,
        "format": call_format,
        "region": call_region,
        "day": call_day,
    }
    return made


@pass_context
def render_kept(context: Context, template: str, **values: Hashable) -> Markup:
    """Return a template with values that are often the same, such as a card and its copies. The result is cached."""
    return _render_cached(context["visit"], template, **values)


@pass_context
def sentence(context: Context, finding: Finding) -> str:
    """Return the message of a finding."""
    return finding.kind.message(finding, context["translate"])


@pass_context
def fix(context: Context, finding: Finding) -> str:
    """Return the fix of a finding."""
    return finding.kind.fix(finding, context["translate"])


@pass_context
def citation(context: Context, finding: Finding) -> str:
    """Return the document and the section of the rule of a finding, without ids of snapshots."""
    return ", ".join(cite_for_people(finding, context["translate"]))


@pass_context
def call_terms(context: Context, names: Sequence[str]) -> list[str]:
    """Return types or colours of cards in the language of the visit."""
    return fact_names(names, context["translate"])


@pass_context
def call_format(context: Context, format: str) -> str:
    """Return the name of a format in the language of the visit."""
    return format_name(format, context["translate"])


@pass_context
def call_region(context: Context, region: str, game: str) -> str:
    """Return the places of a region in the language of the visit."""
    return region_name(game, region, context["translate"])


@pass_context
def call_day(context: Context, day: date | str) -> str:
    """Return a day as the language of the visit writes it."""
    translate: Language = context["translate"]
    return translate.day(day)


def group_names(entries: Iterable[Binding | Ruling]) -> dict[str, dict[str, str]]:
    """Return the names of the cards of each group by their numbers. The entries of a group are its pairs."""
    groups: dict[str, dict[str, str]] = {}
    for one in entries:
        if one.group:
            groups.setdefault(one.group, {}).update(zip(one.numbers, one.names, strict=True))
    return {group: dict(sorted(cards.items())) for group, cards in groups.items()}


def web(address: str | None) -> str:
    """Return an address if it is that of a web page, else ""."""
    return address if address and address.startswith(("https://", "http://")) else ""


def _frame() -> dict[str, Any]:
    """Return the values of the frame of a page: the navigation, the present page, and the rest of its query."""
    rest = urlencode([(name, value) for name, value in request.args.items(multi=True) if name not in (LANG, _SWITCH)])
    query = f"?{rest}&" if 0 < len(rest) < _LONGEST_QUERY else "?"
    return {"pages": _pages(), "current": request.blueprint, "query": query}


@lru_cache(maxsize=_MOST_CACHED)
def _render_cached(visit: Visit, template: str, **values: Hashable) -> Markup:
    """Return a rendered template. The result is cached by visit and values."""
    return Markup(environment().get_template(template).render({**visit.words(), **values}))


@lru_cache(maxsize=_MOST_CACHED)
def _cached_macros(template: Template, visit: Visit) -> TemplateModule:
    """Return the macros of a template for a visit, without faults. The result is cached."""
    return Template.make_module(template, {**visit.words(), "faults": {}})


def _pages() -> tuple[Page, ...]:
    """Return the pages of the navigation."""
    pages: tuple[Page, ...] = current_app.extensions[_NAVIGATION]
    return pages
