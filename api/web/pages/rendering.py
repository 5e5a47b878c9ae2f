"""Rendering: templates made pages, or the piece of a page that a script swaps in, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from http import HTTPStatus
from importlib import metadata
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from flask import Blueprint, Flask, Response, current_app, request
from jinja2 import Environment, PackageLoader, StrictUndefined

from api.service.languages import LANGUAGES, language
from api.web.language_choice import preferred
from api.web.pages import static_files
from validator.findings import Finding
from validator.language import Language

_NAVIGATION = "deckproof-navigation"
_RESULT = "result"  # the block of a template that is swapped in alone
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


def lead_to(app: Flask, pages: Sequence[Page]) -> None:
    """Let the navigation of every page of an application lead to these."""
    app.extensions[_NAVIGATION] = pages


def rendered(template: str, status: int = 200, **values: Any) -> Response:
    """Return the answer that a template makes of some values: all of it, or its block `result` where htmx asks."""
    say = spoken()
    known = {"say": say, "plural": say.plural, "lang": say.code, "link": link, "here": here}
    made = environment().get_template(template)
    is_piece = asks_for_a_piece()
    context = made.new_context(known | values if is_piece else known | {"navigation": _navigation(say)} | values)
    block = made.blocks[_RESULT] if is_piece else made.root_render_func
    headers = {**_HEADERS, "Content-Language": say.code}
    if request.method != "POST" and status < HTTPStatus.BAD_REQUEST:
        headers["Cache-Control"] = "no-cache"  # of the rest nothing is kept at all
    return Response("".join(block(context)), status, headers, content_type="text/html; charset=utf-8")


def asks_for_a_piece() -> bool:
    """Tell whether a script asks for the piece of the page that it swaps in."""
    return "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers


def of_pages() -> set[str]:
    """Return the names of the blueprints that answer with pages."""
    return {page.blueprint.name for page in _pages()}


def spoken() -> Language:
    """Return the language of the reader: that of the address, else the best that the browser asks for."""
    code = request.args.get("lang", "")
    if code in LANGUAGES:
        return language(code)
    return preferred()


def link(path: str, /, **query: str | None) -> str:
    """Return the address of a page, with the language that the reader chose in this page's own."""
    chosen = request.args.get("lang")
    given = {"lang": chosen if chosen in LANGUAGES else None} | query
    kept = {name: value for name, value in given.items() if value is not None}
    return f"{request.script_root}{path}{'?' if kept else ''}{urlencode(kept)}"


def here(lang: str) -> str:
    """Return the address of this page in a language."""
    return f"{request.script_root}{quote(request.path)}?{urlencode(request.args.to_dict() | {'lang': lang})}"


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
    made.globals |= {"static": _static, "languages": LANGUAGES, "version": metadata.version("deckproof")}
    made.filters |= {"web": web, "sentence": sentence, "fix": fix}
    return made


def sentence(of: Finding) -> str:
    """Return what a finding says is wrong."""
    return of.message


def fix(of: Finding) -> str:
    """Return what a finding says to do."""
    return of.fix


def web(address: str | None) -> str:
    """Return an address that a link may lead to, "" for any that is no page of the web."""
    return address if address and address.startswith(("https://", "http://")) else ""


def _static(name: str) -> str:
    return request.script_root + static_files.address(name)


def _navigation(say: Language) -> list[tuple[str, str, bool]]:
    """Return the address and the title of each page, and whether it is the one that is shown."""
    return [(link(page.path), page.title(say), request.blueprint == page.blueprint.name) for page in _pages()]


def _pages() -> Sequence[Page]:
    pages: Sequence[Page] = current_app.extensions[_NAVIGATION]
    return pages
