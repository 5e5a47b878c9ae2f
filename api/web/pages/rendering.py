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

from api.service.errors import Invalid
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
    """A page of the navigation: the blueprint with its views, the path of its link, and its title by language."""

    blueprint: Blueprint
    path: str
    title: Callable[[Language], str]


class Visit(NamedTuple):
    """The language of a reader for one request, and the root of the pages' addresses.

    `is_chosen` is True if the address names the language. Then links name it, too. `root` is "" unless the server runs
    below a path.
    """

    lang: str
    is_chosen: bool
    root: str

    def link(self, path: str, /, **query: str | None) -> str:
        """Return the address of a page with a query, with `lang` if the address of the current page names the language.

        Query values None are left out. `lang` in `query` wins.
        """
        given = ({LANG: self.lang} if self.is_chosen else {}) | query
        filled = {name: value for name, value in given.items() if value is not None}
        return f"{self.root}{path}?{urlencode(filled)}" if filled else self.root + path

    def static(self, name: str) -> str:
        """Return the address of a static file of the pages, with its version. Raises KeyError for an unknown file."""
        return self.root + static_files.address(name)

    @property
    def translate(self) -> Language:
        """The translator of the visit's language, which templates call with an English text."""
        return language(self.lang)

    def words(self) -> dict[str, Any]:
        """Return the values that every template gets: `translate`, `plural`, `lang`, `link`, `static` and `visit`."""
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
    """A Jinja template whose macros, if imported `with context`, get only the visit and the `faults` of the page.

    So the macros are built once for each visit. Building them for each page would take as long as the page itself.
    """

    def make_module(self, vars: Any = None, shared: bool = False, locals: Any = None) -> TemplateModule:
        """Return the macros of this template for the `visit` in `vars`. The other arguments are ignored.

        Without `faults` (errors by field) in `vars` they come from a cache.
        """
        known = vars["visit"].words()
        faults = vars.get("faults")
        return super().make_module({**known, "faults": faults}) if faults else _cached_macros(self, vars["visit"])


def set_navigation(app: Flask, pages: tuple[Page, ...]) -> None:
    """Store the pages of the navigation in an application, in their order."""
    app.extensions[_NAVIGATION] = pages


def page_blueprints() -> set[str]:
    """Return the names of the blueprints of the current application's navigation. Their views answer with pages."""
    return {page.blueprint.name for page in _pages()}


def render_response(template: str, status: int = 200, piece: str = "result", /, **values: Any) -> Response:
    """Return a rendered template as an HTML response in the reader's language, with the security headers of pages.

    A request by a script (htmx) gets only the block named `piece`, other requests the whole page. `values` are those of
    the template. Browsers have to revalidate the answer. Errors and answers to POST get no Cache-Control here.
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


def faults_by_field(error: Invalid) -> dict[str, str]:
    """Return the error messages by form field: the last part of each pointer. The last message of a field wins."""
    return {wrong.pointer.rpartition("/")[2]: wrong.detail for wrong in error.errors}


def wants_fragment() -> bool:
    """Return True if the current request is by a script (htmx) that swaps in only a block of the page."""
    headers = request.headers
    return "HX-Request" in headers and "HX-History-Restore-Request" not in headers


def is_unsubmitted() -> bool:
    """Return True if the current request submits no form. A form sent only to change the language counts as none.

    The button for that adds `switch` to the query.
    """
    return request.method != "POST" or _SWITCH in request.args


def current_visit() -> Visit:
    """Return the visit of the current request. Its language is a known `lang` of the query, else the browser's."""
    chosen = request.args.get(LANG, "")
    is_chosen = chosen in LANGUAGES
    return Visit(chosen if is_chosen else preferred_language().code, is_chosen, request.script_root)


def link(path: str, /, **query: str | None) -> str:
    """Return the address of a page with a query, as `Visit.link` does for the current request."""
    return current_visit().link(path, **query)


@cache
def environment() -> Environment:
    """Return the Jinja environment of the pages, with its globals, filters and tests. It is created once.

    An undefined value in a template raises an error.
    """
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
        "web": web_address,
        "folded": group_names,
        "sentence": sentence,
        "fix": fix,
        "citation": citation,
        "kept": render_kept,
        "terms": translate_facts,
        "format": translate_format,
        "region": translate_region,
        "day": translate_day,
    }
    return made


@pass_context
def render_kept(context: Context, template: str, **values: Hashable) -> Markup:
    """Return a rendered template as HTML. The result is cached by visit, template and values.

    For values that are often the same, such as a card and its number of copies.
    """
    return _render_cached(context["visit"], template, **values)


@pass_context
def sentence(context: Context, finding: Finding) -> str:
    """Return the message of a finding in the language of the visit."""
    return finding.kind.message(finding, context["translate"])


@pass_context
def fix(context: Context, finding: Finding) -> str:
    """Return the advice of a finding in the language of the visit."""
    return finding.kind.fix(finding, context["translate"])


@pass_context
def citation(context: Context, finding: Finding) -> str:
    """Return the documents and sections of a finding's rule, joined by commas, without ids of card snapshots."""
    return ", ".join(cite_for_people(finding, context["translate"]))


@pass_context
def translate_facts(context: Context, names: Sequence[str]) -> list[str]:
    """Return types or colours of cards, such as "Red", in the language of the visit."""
    return fact_names(names, context["translate"])


@pass_context
def translate_format(context: Context, format: str) -> str:
    """Return the name of a format id in the language of the visit."""
    return format_name(format, context["translate"])


@pass_context
def translate_region(context: Context, region: str, game: str) -> str:
    """Return the name of a game's region (the places in it) in the language of the visit."""
    return region_name(game, region, context["translate"])


@pass_context
def translate_day(context: Context, day: date | str) -> str:
    """Return a day in the form of the visit's language."""
    translate: Language = context["translate"]
    return translate.day(day)


def group_names(entries: Iterable[Binding | Ruling]) -> dict[str, dict[str, str]]:
    """Return the card names by card number for each group of a limits list, by the name of the group.

    The entries of a group are pairs of cards. Entries without a group are ignored. Groups are in order of appearance,
    numbers are sorted.
    """
    groups: dict[str, dict[str, str]] = {}
    for one in entries:
        if one.group:
            groups.setdefault(one.group, {}).update(zip(one.numbers, one.names, strict=True))
    return {group: dict(sorted(cards.items())) for group, cards in groups.items()}


def web_address(address: str | None) -> str:
    """Return an address if it begins with http:// or https://, else "". So a link cannot run a script."""
    return address if address and address.startswith(("https://", "http://")) else ""


def _frame() -> dict[str, Any]:
    """Return the values of the frame around each page: the navigation, the current blueprint, and a query.

    `query` is that of the current page without its language, for links to other languages. It ends with "?" or "&". A
    query of 500 characters or more is left out.
    """
    rest = urlencode([(name, value) for name, value in request.args.items(multi=True) if name not in (LANG, _SWITCH)])
    query = f"?{rest}&" if 0 < len(rest) < _LONGEST_QUERY else "?"
    return {"pages": _pages(), "current": request.blueprint, "query": query}


@lru_cache(maxsize=_MOST_CACHED)
def _render_cached(visit: Visit, template: str, **values: Hashable) -> Markup:
    """Return a rendered template as HTML. The result is cached by all arguments."""
    return Markup(environment().get_template(template).render({**visit.words(), **values}))


@lru_cache(maxsize=_MOST_CACHED)
def _cached_macros(template: Template, visit: Visit) -> TemplateModule:
    """Return the macros of a template for a visit, with no errors in `faults`. The result is cached."""
    return Template.make_module(template, {**visit.words(), "faults": {}})


def _pages() -> tuple[Page, ...]:
    """Return the pages in the navigation of the current application."""
    pages: tuple[Page, ...] = current_app.extensions[_NAVIGATION]
    return pages
