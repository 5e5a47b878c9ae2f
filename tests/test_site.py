"""The documentation site: it is built without a network, its links and fences work, and it has what the code has."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click
import pytest

import deckproof
from api.cli import cli
from tests import openapi
from tests.browser.chromium import start_browser
from tests.interface import commands, documented_settings
from validator.decklists import FORMATS
from validator.games import GAMES
from validator.limits import shipped_lists
from validator.rulesets import rulesets

ROOT = Path(__file__).parents[1]

HIDDEN = ("--beside",)  # for the worker that `serve` starts

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of the site, as `make site` builds it: a warning, such as a broken link, fails the build."""
    folder = tmp_path_factory.mktemp("site")
    mkdocs = Path(sys.executable).with_name("mkdocs")
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1", "http_proxy": "http://127.0.0.1:9"}
    call = [mkdocs, "build", "--strict", "--quiet", "--site-dir", folder]
    ran = subprocess.run(call, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return folder


@pytest.fixture(scope="module")
def site(folder):
    """The HTML of the pages by path."""
    return {page.relative_to(folder).as_posix(): page.read_text("utf-8") for page in folder.rglob("*.html")}


@pytest.fixture(scope="module")
def browser():
    with start_browser() as browser:
        yield browser


@pytest.fixture
def served(folder):
    """The address of the site behind a server."""
    handler = partial(SimpleHTTPRequestHandler, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def words(page):
    return html.unescape(re.sub(r"<[^>]*>", "", page))


def without_code(page):
    return words(re.sub(r"<(pre|code)\b.*?</\1>", "", page, flags=re.DOTALL))


def test_the_site_has_tutorials_guides_reference_and_explanation(site):
    for part, least in (("tutorials", 3), ("how-to", 10), ("reference", 10), ("explanation", 5)):
        assert len([name for name in site if name.startswith(f"{part}/")]) >= least


def test_no_fence_is_broken(site):
    for name, page in site.items():
        text = re.sub(r'<pre id="[^"]*">.*?</pre>|<div class="highlight">.*?</pre>', "", page, flags=re.DOTALL)
        assert "```" not in words(text), name
        assert "&lt;!--" not in text, name


def test_the_front_page_has_the_readme(site):
    headings = re.findall(r"^## (.*)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    shown = [words(found).replace("¶", "").strip() for found in re.findall(r"<h2\b.*?</h2>", site["index.html"])]
    assert shown == headings
    assert "NOT LEGAL" in words(site["index.html"])
    assert "NOT LEGAL" not in without_code(site["index.html"])


def test_every_link_anchor_and_image_leads_somewhere(site, folder):
    anchors = {name: set(re.findall(r'\bid="([^"]+)"', page)) for name, page in site.items()}
    for name, page in site.items():
        if name == "404.html":
            continue
        for target in re.findall(r'<(?:a|img|script|link)\b[^>]*?\b(?:href|src)="([^"]+)"', page):
            parts = urlsplit(html.unescape(target))
            if parts.scheme or parts.netloc:
                continue
            path = (folder / name).parent / unquote(parts.path) if parts.path else folder / name
            assert path.resolve().is_relative_to(folder.resolve()), f"{name}: {target}"
            assert path.exists(), f"{name}: {target}"
            found = path.resolve().relative_to(folder.resolve()).as_posix()
            if parts.fragment and found in anchors:
                assert unquote(parts.fragment) in anchors[found] | {"__tabbed_1"}, f"{name}: {target}"


def test_every_operation_has_a_request_and_an_answer(site):
    page = site["reference/http-api.html"]
    document = openapi.document()
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method == "parameters":
                continue
            section = page.partition(f'<h3 id="{operation["operationId"]}"')[2].partition("<h3 ")[0]
            text = words(section)
            assert operation["summary"].rstrip(".")[:40] in text, path
            assert re.search(rf"\b{method.upper()} /", text), path
            statuses = [status for status in operation["responses"] if status.startswith("2")]
            assert any(re.search(rf"Answer\s*{status}\b", text) for status in statuses), f"{method} {path}"


def test_no_page_of_the_http_api_shows_a_key(site):
    page = words(site["reference/http-api.html"])
    assert "Bearer KEY" in page
    assert not re.search(r'"(?:organiser|judge|key)": "(?!KEY|…)[\w-]{30,}"', page)


def test_every_command_and_option_is_there(site):
    text = words(site["reference/commands.html"])
    rows = [re.findall(r"`([^`]*)`", row) for row in commands()]
    assert len(rows) > 20
    for command, *options in rows:
        name = " ".join(word for word in command.split() if word.islower())
        assert name in text
        assert all(option in text for option in options if option not in HIDDEN)
    assert all(f"deckproof {name}" in text for name in cli.list_commands(click.Context(cli)))


def test_every_setting_is_there(site):
    text = words(site["reference/settings.html"])
    assert all(setting.env in text and setting.description in text for setting in documented_settings())


def test_every_rule_is_there_with_its_place(site):
    page = site["reference/rules.html"]
    text = words(page)
    for ruleset in rulesets().values():
        assert f'id="{ruleset.id}"' in page
        for rule in ruleset.rules.values():
            assert rule.says in text
            assert f"{rule.cite.document}, {rule.cite.section}" in text


def test_every_ruling_is_there_with_its_source(site):
    text = words(site["reference/lists.html"])
    for game in GAMES:
        for region in shipped_lists(game).listed.regions:
            for ruling in shipped_lists(game).listed.rulings(region):
                assert f"{ruling.numbers[0]} {ruling.names[0]}" in text
                assert ruling.change.source in text


def test_every_format_of_deck_lists_is_there(site):
    text = words(site["reference/formats.html"])
    assert len(FORMATS) > 10
    assert all(name in text for name in FORMATS)


def test_the_python_api_has_the_docstrings(site):
    text = words(site["reference/python.html"])
    headings = re.findall(
        r"<h2[^>]* class=\"doc doc-heading\"[^>]*>(.*?)</h2>", site["reference/python.html"], re.DOTALL
    )
    assert sorted(words(heading).strip().rstrip("¶").strip() for heading in headings) == sorted(deckproof.__all__)
    assert "Return the current catalogue of a game, or the catalogue of a snapshot." in text


def test_no_page_asks_another_host_for_anything(site):
    asked = re.compile(r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=[\"']?(?:https?:)?//[^\"'> ]*")
    assert {found for page in site.values() for found in asked.findall(page)} == set()


@pytest.mark.parametrize("place", ["folder", "server"])
def test_the_search_finds_a_page(place, folder, served, browser):
    start = f"file://{folder}/index.html" if place == "folder" else f"{served}/index.html"
    page = browser.new_page()
    page.goto(start)
    # The page watches keys, not changes of the text: what is pasted after the index is loaded is never searched.
    page.locator("[data-md-component=search-query]").first.press_sequentially("restore")
    result = page.locator(".md-search-result__link", has_text="Back up and restore").first
    result.wait_for(timeout=90_000)
    result.click()
    page.wait_for_url("**/how-to/backup.html*")
    page.close()
