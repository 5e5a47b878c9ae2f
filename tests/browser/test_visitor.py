"""What a visitor notices: a page that is wrong in each way is told to be so."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from tests.browser.visitor import DOUBLE, NORMAL, Visitor

pytestmark = pytest.mark.slow

_POLICY = "default-src 'self'"
_PAGE = "<!doctype html><html lang=en><title>A page</title><main><h1>A page</h1>{}</main>"
_WRONG = {
    "<script>document.title = 'inline'</script>": "console: Executing inline script violates",
    "<p style='color: red'>Inline</p>": "console: Applying inline style violates",
    "<img alt='' src='http://cards.invalid/x.png'>": "request to http://cards.invalid/x.png",
    "<script src='/throws.js'></script>": "uncaught: ",
    "<script src='/asks.js'></script>": "dialog: Well?",
}
_SCRIPTS = {"/throws.js": "throw new Error('lost')", "/asks.js": "alert('Well?')"}


class _Site:
    """A site of one page, and of what that page asks for."""

    def __init__(self, browser):
        self._browser = browser
        self._visitors = {}
        self._bodies = dict(_SCRIPTS)
        self._policy = _POLICY

    def shows(self, markup, setting="desk", policy=_POLICY, head="", text=NORMAL):
        """Return a visitor who sees some markup, as a page under a policy."""
        self._bodies["/"], self._policy = _PAGE.format(markup).replace("<main>", f"{head}<main>"), policy
        if setting not in self._visitors:
            self._visitors[setting] = Visitor(self._browser, "http://127.0.0.1", setting)
            self._visitors[setting].context.route("**/*", self._answer)
        self._visitors[setting].opens("/", text)
        return self._visitors[setting]

    def _answer(self, route):
        body = self._bodies.get(urlsplit(route.request.url).path)
        if body is None:
            route.abort()
            return
        kind = "text/html" if body.startswith("<") else "text/javascript"
        headers = {"Content-Security-Policy": self._policy}
        route.fulfill(body=body, content_type=f"{kind}; charset=utf-8", headers=headers)


@pytest.fixture(scope="module")
def show_page(browser):
    return _Site(browser).shows


@pytest.mark.parametrize(("markup", "fault"), _WRONG.items())
def test_what_goes_wrong_is_noted(show_page, markup, fault):
    faults = show_page(markup).faults
    assert [one for one in faults if one.startswith(fault)]


def test_a_page_that_is_well_has_no_faults(show_page):
    show_page("<p><a href='/'>Cards</a></p>", "phone").assert_fit()


def test_what_screen_readers_cannot_name_is_a_violation(show_page):
    assert [one.partition(":")[0] for one in show_page("<input>", "phone").violations()] == ["label"]


_LONG = "<div{}>" + "Supercalifragilistic" * 10 + "</div>"


def test_what_leaves_the_page_is_cut(show_page):
    assert "the page is " in show_page(_LONG.format(""), "phone").cut()[0]


def test_a_choice_that_is_narrower_than_its_text_is_cut(show_page):
    markup = "<form><select aria-label=Game{}><option>A game with a long name</select></form>"
    head = "<style>.narrow { width: 90px }</style>"
    policy = "default-src 'self'; style-src 'unsafe-inline'"
    assert show_page(markup.format(" class=narrow"), policy=policy, head=head).cut() == [
        "option “A game with a long name” is cut"
    ]
    assert show_page(markup.format(""), policy=policy, head=head).cut() == []


def test_what_a_box_cuts_is_cut(show_page):
    head = "<style>.box { overflow: hidden; width: 90px }</style>"
    cut = show_page(_LONG.format(" class=box"), policy="", head=head).cut()
    assert [one.endswith("is cut") for one in cut] == [True]


def test_what_scrolls_by_itself_is_not_cut(show_page):
    head = "<style>.box { overflow-x: auto }</style>"
    assert show_page(_LONG.format(" class=box"), "phone", "", head).cut() == []


def test_text_that_does_not_grow_is_told(show_page):
    visitor = show_page("<p>Small.</p>", policy="", head="<style>html { font-size: 16px }</style>", text=DOUBLE)
    assert visitor.cut() == ["text has 16 pixels"]


_LINKS = "<a href='/1'>First</a> <a href='/2'>Second</a>"


def test_the_tabulator_stops_at_every_link(show_page):
    style = "<style>:focus-visible { outline: 3px solid }</style>"
    assert show_page(_LINKS, policy="", head=style).tabs() == ["First", "Second"]


def test_an_invisible_focus_is_reported(show_page):
    with pytest.raises(AssertionError, match="nobody sees that the focus is on “First”"):
        show_page(_LINKS, policy="", head="<style>a { outline: none }</style>").tabs()
