"""The story of checking a deck: pasted, judged, read through, shared, and printed as a sheet."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

from api.web.schemas import EXAMPLE_DECKLIST
from tests.browser.test_tools import WRITTEN
from tests.browser.visitor import DOUBLE, SETTINGS

pytestmark = pytest.mark.slow

FIVE = EXAMPLE_DECKLIST.replace("4 OP01-016", "5 OP01-016")


def pastes(visitor, decklist):
    visitor.page.get_by_label("Deck list").fill(decklist)
    visitor.page.get_by_role("button", name="Check", exact=True).click()


def sees(visitor, verdict):
    """Wait for a verdict that begins so."""
    visitor.page.locator("#verdict", has_text=re.compile(rf"^\W*{verdict}")).wait_for()


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_deck_is_judged(visits, setting):
    visitor = visits("/", setting)
    pastes(visitor, FIVE)
    sees(visitor, "Not legal")
    assert "5 copies of OP01-016 Nami" in visitor.page.locator("#result").inner_text()
    visitor.page.wait_for_load_state("networkidle")
    visitor.assert_fit()
    pastes(visitor, EXAMPLE_DECKLIST)
    sees(visitor, "Legal")


def test_a_verdict_fits_text_of_twice_the_size(visits):
    visitor = visits("/", "desk", DOUBLE)
    pastes(visitor, FIVE)
    sees(visitor, "Not legal")
    assert visitor.cut() == []


def test_a_deck_is_judged_by_the_keyboard_alone(visits):
    visitor = visits("/")
    visitor.tabs_to("Deck list")
    visitor.page.keyboard.insert_text(FIVE)
    visitor.tabs_to("Check")
    visitor.page.keyboard.press("Enter")
    sees(visitor, "Not legal")
    visitor.page.locator("#verdict:focus").wait_for()


DROPPED = """(form, text) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], "deck.txt", { type: "text/plain" }));
  for (const kind of ["dragenter", "dragover", "drop"]) {
    form.dispatchEvent(new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true }));
  }
}"""


def test_a_file_is_judged_when_it_is_dropped(visits):
    visitor = visits("/")
    visitor.page.locator("#deck").evaluate(DROPPED, FIVE)
    sees(visitor, "Not legal")
    assert visitor.page.get_by_label("Deck list").input_value() == FIVE


@pytest.mark.parametrize("setting", ["phone", "no script"])
def test_a_file_is_judged_when_it_is_chosen(visits, setting):
    visitor = visits("/", setting)
    file = {"name": "deck.txt", "mimeType": "text/plain", "buffer": FIVE.encode("utf-16")}
    visitor.page.get_by_label("or a file").set_input_files(file)
    if setting == "no script":
        visitor.page.get_by_role("button", name="Check", exact=True).click()
    sees(visitor, "Not legal")


@pytest.mark.parametrize("setting", ["phone", "no script"])
def test_a_phone_shows_the_button_and_then_the_answer_without_scrolling(visits, setting):
    visitor = visits("/", setting)
    assert visitor.shows(visitor.page.get_by_role("button", name="Check", exact=True))
    pastes(visitor, FIVE)
    sees(visitor, "Not legal")
    visitor.page.wait_for_function("() => document.getElementById('verdict').getBoundingClientRect().y < 200")
    assert visitor.shows(visitor.page.locator("#verdict"))
    assert visitor.shows(visitor.page.locator(".finding .says").first)
    assert visitor.small() == []


def test_a_line_leads_to_what_is_wrong_with_it(visits):
    visitor = visits("/", "phone")
    pastes(visitor, FIVE)
    sees(visitor, "Not legal")
    marked = visitor.page.locator(".sides tr", has=visitor.page.locator(".mark"))
    assert [row.split("\t")[1].strip() for row in marked.all_inner_texts()] == ["5 OP01-016"]
    marked.get_by_role("link", name="Finding 1").click()
    assert "5 copies of OP01-016" in visitor.page.locator(".finding:target").inner_text()


@pytest.mark.parametrize("setting", ["phone, dark", "no script"])
def test_what_would_mend_it_and_when_it_is_legal_are_told(visits, setting):
    visitor = visits("/", setting)
    pastes(visitor, FIVE)
    sees(visitor, "Not legal")
    if setting == "no script":
        visitor.page.get_by_role("button", name="Find the fewest changes").click()
    visitor.page.get_by_role("heading", name="Make the deck legal with 1 change").wait_for()
    if setting == "no script":
        visitor.page.get_by_role("button", name="Show when and where the deck is legal").click()
    visitor.page.get_by_role("heading", name="When and where").wait_for()
    assert visitor.page.get_by_text("All days").count() == 0  # of a deck that is never legal one line says all
    assert visitor.cut() == []
    sees(visitor, "Not legal")
    pastes(visitor, EXAMPLE_DECKLIST)
    sees(visitor, "Legal")
    if setting == "no script":
        visitor.page.get_by_role("button", name="Show when and where the deck is legal").click()
    visitor.page.get_by_text("All days").click()
    assert visitor.page.locator(".days li").first.is_visible()
    assert visitor.cut() == []


def test_a_list_is_written_for_another_program_and_copied(visits):
    visitor = visits("/")
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    pastes(visitor, EXAMPLE_DECKLIST)
    sees(visitor, "Legal")
    visitor.page.get_by_label("Format of the list").select_option("optcgsim")
    visitor.page.get_by_role("button", name="Export the list").click()
    visitor.page.get_by_role("button", name="Copy", exact=True).click()
    visitor.page.locator("[data-copy][data-done]").wait_for()
    assert visitor.page.evaluate("() => navigator.clipboard.readText()").startswith("1xST21-001")


def test_a_verdict_is_printed_without_the_form(visits):
    visitor = visits(f"/?decklist={quote(FIVE)}")
    visitor.page.emulate_media(media="print")
    seen = visitor.page.locator("body").inner_text()
    visitor.page.emulate_media(media="screen")
    assert "5 copies of OP01-016 Nami" in seen
    assert not {"Deck list", "Export the list", "Deutsch", "Cards"} & set(seen.splitlines())


def test_a_list_in_the_address_is_judged_when_the_page_opens(visits):
    sees(visits(f"/?decklist={quote(FIVE)}&on=2026-11-21", "no script"), "Not legal")


def test_a_link_that_is_shared_opens_the_same_verdict_and_tells_no_server(visits):
    visitor = visits("/")
    pastes(visitor, FIVE)
    sees(visitor, "Not legal")
    visitor.page.get_by_role("button", name="Share").click()
    visitor.page.locator("#share-link").wait_for()
    shared = visitor.page.locator("#share-link").input_value()
    assert "#" in shared
    friend = visits("/docs", "phone")
    friend.opens(shared)
    sees(friend, "Not legal")
    assert friend.page.get_by_label("Deck list").input_value().strip() == FIVE.strip()
    assert not [one.url for one in friend.requests if "OP01" in one.url]


@pytest.mark.parametrize("setting", ["desk", "no script"])
def test_a_deck_that_was_judged_goes_on_to_a_sheet(visits, setting):
    visitor = visits("/", setting)
    pastes(visitor, EXAMPLE_DECKLIST)
    sees(visitor, "Legal")
    visitor.page.get_by_role("button", name="Registration sheet").click()
    visitor.page.wait_for_url("**/sheet")
    assert visitor.page.get_by_label("Deck list").input_value().strip() == EXAMPLE_DECKLIST.strip()


@pytest.mark.parametrize("text", WRITTEN)
def test_whatever_somebody_writes_stays_text(visits, text):
    visitor = visits(f"/?decklist={quote(text)}")
    assert visitor.page.get_by_label("Deck list").input_value() == text
    pastes(visitor, f"{FIVE}4 {text}\n1 ZZ99-999 {text}\n")
    sees(visitor, "Not legal|Cannot be judged")
    visitor.page.wait_for_load_state("networkidle")
    assert visitor.page.locator("main script, main img, main a[href^=javascript]").count() == 0


def earlier_checks(visitor):
    return visitor.page.locator("#history-list a")


def test_checks_are_kept_on_the_device_if_the_visitor_wants_it(visits):
    visitor = visits("/")
    pastes(visitor, FIVE)
    sees(visitor, "Not legal")
    assert visitor.page.evaluate("localStorage.length") == 0
    visitor.page.get_by_text("Earlier checks on this device").click()
    visitor.page.get_by_label("Keep my checks on this device").check()
    earlier_checks(visitor).nth(0).wait_for()
    visitor.assert_fit()
    pastes(visitor, EXAMPLE_DECKLIST)
    sees(visitor, "Legal")
    earlier_checks(visitor).nth(1).wait_for()

    visitor.page.reload()
    visitor.page.get_by_text("Earlier checks on this device").click()
    earlier_checks(visitor).nth(1).click()
    sees(visitor, "Not legal")
    assert visitor.page.get_by_label("Deck list").input_value() == FIVE
    visitor.page.wait_for_function("document.querySelectorAll('#history-list a').length == 2")
    assert "Not legal" in earlier_checks(visitor).nth(0).inner_text()

    visitor.page.get_by_label("Keep my checks on this device").uncheck()
    assert (earlier_checks(visitor).count(), visitor.page.evaluate("localStorage.length")) == (0, 0)
