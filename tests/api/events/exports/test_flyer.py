"""Flyers: what hangs in the hall and is scanned there."""

from datetime import UTC, date, datetime, timedelta

import pytest

from api.events.exports.flyer import flyer
from api.events.tournament import Tournament
from tests.api.events.conftest import Hall
from tests.api.sheets.desk import pages, scanned, scanned_off
from validator.language import ENGLISH

DAY, OPENS, CLOSES = date(2026, 10, 25), datetime(2026, 10, 24, 7, tzinfo=UTC), datetime(2026, 10, 25, 8, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("moment", "closes", "shown"),
    [
        (OPENS - SECOND, CLOSES, ["2026-10-24 09:00"]),
        (OPENS, CLOSES, ["2026-10-25 09:00"]),
        (CLOSES, CLOSES, ["judge"]),
        (OPENS, None, []),
    ],
)
def test_a_flyer_shows_when_registration_opens_or_closes_or_that_it_is_closed(moment, closes, shown):
    event = Tournament("0" * 30, "Example", "optcg", DAY, timezone="Europe/Berlin", opens=OPENS, closes=closes)
    [page] = pages(flyer(event, "http://localhost/", moment, ENGLISH, "pdf", "a4"))
    assert [text for text in ("2026-10-24 09:00", "2026-10-25 09:00", "judge") if text in page] == shown


def test_a_flyer_says_which_event_where_to_go_and_until_when(hall):
    hall.organiser.patch("", place="Hall 4, Cologne")
    drawn = hall.stranger.get("/flyer")
    assert drawn.mimetype == "application/pdf"
    [page] = pages(drawn.data)
    address = f"http://localhost/events/{hall.id}"
    until = "2026-10-25 09:00 (Europe/Berlin, UTC+0100)"
    for said in ("Example Regional", "2026-10-25", "Hall 4, Cologne", address, hall.begun.json["code"], until):
        assert said in page.replace("\n", "")
    assert scanned_off(drawn.data) == [address]


@pytest.mark.parametrize(("lang", "said"), [("de", "Melde dein Deck an"), ("ja", "デッキ")])
def test_a_flyer_is_in_the_language_that_is_asked_for(hall, lang, said):
    [page] = pages(hall.stranger.get(f"/flyer?lang={lang}").data)
    assert said in page


def test_a_flyer_is_a_picture_for_a_page(hall):
    assert scanned(hall.stranger.get("/flyer?as=png").data) == f"http://localhost/events/{hall.id}"
    svg = hall.stranger.get("/flyer?as=svg")
    assert (svg.mimetype, svg.data[:4]) == ("image/svg+xml", b"<svg")
    assert b"<script" not in svg.data


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_flyer_stays_one_page_and_reads_nothing_as_markup(app, paper):
    name = "東京 #panic() *x* " + "very long " * 9
    hall = Hall(app.test_client(), name=name, place="<b>&" * 25, opens="2026-10-24T09:00")
    [page] = pages(hall.stranger.get(f"/flyer?paper={paper}").data)
    assert "#panic()" in page
    assert "2026-10-24 09:00" in page
