"""An event's own ban list in the browser: typed by the organiser, shown to players, applied on the check page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.api.events.conftest import LEGAL
from tests.api.events.test_own_list import POOL

pytestmark = pytest.mark.slow

DAY = (datetime.now(UTC) + timedelta(days=20)).date().isoformat()
UNFOLD = "document.querySelectorAll('main details').forEach(details => details.open = true)"


@pytest.mark.parametrize("setting", ["phone", "desk"])
def test_the_list_is_typed_shown_and_fits_the_page(visits, setting):
    organiser = visits("/events", setting)
    page = organiser.page
    page.evaluate(UNFOLD)
    organiser.assert_fit()
    page.fill("#name", "Example Regional")
    page.select_option("#game", "optcg")
    page.fill("#on", DAY)
    page.fill("#limits_list", POOL)
    page.click("main button.main")
    page.wait_for_selector("#organiser-link")
    organiser.opens(page.input_value("#join-link"))
    assert page.inner_text("#own-list") == "This event's own ban list"
    assert "OP10-011 Tony Tony.Chopper" in page.inner_text("section[aria-labelledby=own-list]")
    organiser.assert_fit()


@pytest.mark.parametrize("setting", ["phone", "desk"])
def test_the_check_page_applies_a_list(visits, setting):
    player = visits("/", setting)
    page = player.page
    page.fill("#decklist", LEGAL)
    page.click("text=More: the event's own ban list")
    page.fill("#limits_list", POOL)
    page.click("main button.main")
    page.wait_for_selector("#verdict")
    assert "Not legal" in page.inner_text("#verdict")
    assert "is not in the card pool" in page.inner_text("#result")
    player.assert_fit()
