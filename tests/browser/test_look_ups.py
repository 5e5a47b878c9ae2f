"""The look-ups' stories: a card that is searched for, a list on two days, an edition beside another."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

from tests.browser.test_tools import TEXTS
from tests.browser.visitor import DOUBLE, ROOMS

pytestmark = pytest.mark.slow

LIST = "/limits/optcg?from=2024-01-01&to=2026-11-01"
EDITION = "/rules/optcg-1.2.0?against=optcg-1.1.9"
LONG = [LIST, EDITION, "/cards?q=nami", "/cards?q=OP01-0166", "/cards/optcg/OP01-016"]


def search(visitor):
    return visitor.page.get_by_role("searchbox", name="Number or name")


def result_link(visitor, number):
    """Return the link of a card number in the result of a search."""
    return visitor.page.locator("#result").get_by_role("link", name=number)


@pytest.mark.parametrize("path", LONG)
@pytest.mark.parametrize("setting", ["phone", "desk"])
def test_what_is_looked_up_is_fit_for_everybody(visits, path, setting):
    visits(path, setting).assert_fit()


@pytest.mark.parametrize("path", LONG)
def test_text_may_be_twice_as_large(visits, path):
    assert visits(path, "desk", DOUBLE).cut() == []


@pytest.mark.parametrize("setting", ["phone", "desk, dark"])
def test_cards_are_found_while_somebody_types_and_again_on_the_way_back(visits, setting):
    visitor = visits("/cards", setting)
    search(visitor).press_sequentially("op01-016")
    result_link(visitor, "OP01-016").click()
    visitor.page.get_by_role("heading", name="Nami", level=1).wait_for()
    visitor.assert_fit()
    visitor.page.go_back()
    result_link(visitor, "OP01-016").wait_for()
    assert search(visitor).input_value() == "op01-016"


@pytest.mark.parametrize("setting", ["desk", "no script"])
def test_cards_are_found_by_the_keyboard_alone(visits, setting):
    visitor = visits("/cards", setting)
    search(visitor).focus()
    visitor.page.keyboard.insert_text("op01-016")
    visitor.page.keyboard.press("Enter")
    visitor.page.wait_for_url("**/cards?*q=op01-016*")
    result_link(visitor, "OP01-016").focus()
    visitor.page.keyboard.press("Enter")
    visitor.page.wait_for_url("**/cards/optcg/OP01-016")


@pytest.mark.parametrize("setting", ROOMS)
def test_a_list_is_compared_between_two_days(visits, setting):
    visitor = visits("/limits/optcg", setting)
    visitor.page.get_by_text("What changed between two days").click()
    visitor.page.get_by_label("Compare the list of").fill("2023-11-09")
    visitor.page.get_by_label("with the list of").fill("2023-11-10")
    visitor.page.get_by_role("button", name="Show").click()
    changed = visitor.page.get_by_role("region", name=re.compile("From 2023-11-09 to 2023-11-10"))
    assert "OP01-016" in changed.inner_text()
    assert "banned" in changed.inner_text()


@pytest.mark.parametrize("setting", ["phone", "no script"])
def test_an_edition_is_compared_with_another(visits, setting):
    visitor = visits("/rules", setting)
    visitor.page.get_by_role("link", name="Battle of Souls").last.click()
    visitor.page.get_by_label("Compare with").select_option(index=1)
    visitor.page.get_by_role("button", name="Compare").click()
    visitor.page.get_by_role("heading", name="Differences from").wait_for()
    assert visitor.cut() == []


@pytest.mark.parametrize("setting", ["desk", "no script"])
def test_a_search_goes_on_in_another_language(visits, setting):
    visitor = visits("/cards?q=nami", setting)
    visitor.page.get_by_text("Deutsch", exact=True).click()
    visitor.page.locator("html[lang=de]").wait_for()
    assert visitor.page.get_by_role("searchbox").first.input_value() == "nami"
    result_link(visitor, "OP01-016").click()
    visitor.page.locator("html[lang=de] h1", has_text="Nami").wait_for()


ADDRESSES = {
    "cards": "/cards?q={0}&game={0}&color={0}&type={0}&block={0}&set={0}&text={0}&page={0}&lang={0}",
    "a card": "/cards/optcg/{0}?on={0}",
    "a list": "/limits/optcg?on={0}&region={0}&from={0}&to={0}",
    "a list of nothing": "/limits/{0}",
    "an edition": "/rules/optcg-1.2.0?against={0}",
    "no edition": "/rules/{0}",
    "a check": "/?decklist={0}&game={0}&on={0}&format={0}&region={0}&ruleset={0}&side_max={0}&lang={0}",
    "a swap": "/swap?before={0}&after={0}&game={0}&on={0}",
    "a sheet": "/sheet?decklist={0}&player={0}&event={0}&date={0}&place={0}&format_name={0}&notes={0}&paper={0}",
    "spreadsheets": "/workbooks?game={0}&event={0}&player_column={0}",
    "nothing": "/{0}",
}


@pytest.mark.parametrize("text", [" ".join(TEXTS.values()), TEXTS["a script"]], ids=["everything", "a script"])
def test_whatever_an_address_says_stays_text(visits, text):
    visitor = visits(ADDRESSES["cards"].format(quote(text)))
    assert search(visitor).input_value() == text
    for address in ADDRESSES.values():
        visitor.page.goto(address.format(quote(text, safe="")))
        assert (
            visitor.page.locator("main :is(script, img, svg), a[href^=javascript i], [onerror], [onload]").count() == 0
        )
