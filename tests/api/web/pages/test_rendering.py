"""Rendering: the reader's language, links that keep it, and what a template lets through."""

from __future__ import annotations

import pytest

from api.service.languages import LANGUAGES
from api.web.pages import PAGES
from api.web.pages.rendering import Visit, environment, web_address


@pytest.mark.parametrize(
    ("query", "header", "lang"),
    [
        ("", None, "en"),
        ("", "fr-CH, fr;q=0.9, en;q=0.8", "fr"),
        ("", "ja", "ja"),
        ("", "sv, tlh", "en"),
        ("", ";;q=x" * 500, "en"),
        ("?lang=it", "fr", "it"),
        ("?lang=xx", "es", "es"),
    ],
)
def test_a_page_is_in_the_language_that_was_asked_for(client, query, header, lang):
    answer = client.get(f"/{query}", headers={"Accept-Language": header} if header else {})
    assert answer.headers["Content-Language"] == lang
    assert f'<html lang="{lang}">' in answer.get_data(as_text=True)
    assert "Accept-Language" in answer.headers["Vary"]


def test_a_chosen_language_stays_and_can_be_changed(client):
    page = client.get("/?game=optcg&lang=de").get_data(as_text=True)
    assert 'href="/?lang=de" aria-current="page"' in page
    for code in LANGUAGES:
        assert f'formaction="?game=optcg&amp;lang={code}&amp;switch="' in page


def test_links_have_the_language_only_where_it_was_chosen():
    assert Visit("de", True, "/app").link("/cards", q="Nami") == "/app/cards?lang=de&q=Nami"
    assert Visit("de", False, "").link("/cards", q=None) == "/cards"


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "//host", " https://x", "", None])
def test_a_link_leads_to_the_web_alone(address):
    assert web_address(address) == ""
    assert web_address("https://example.org/x") == "https://example.org/x"


def test_markup_is_text_wherever_a_template_writes_it():
    template = environment().from_string("{{ said }}|{{ translate('{x}', x=said) }}")
    assert template.render(said="<b>", translate=str.format) == "&lt;b&gt;|&lt;b&gt;"
    assert environment().autoescape is True


def test_the_navigation_leads_to_pages_that_there_are(client):
    for page in PAGES:
        assert client.get(page.path).status_code == 200
