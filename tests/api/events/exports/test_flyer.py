"""Flyers: what hangs in the hall and is scanned there."""

import pytest

from api.events.exports import flyer as flyers
from api.events.exports.flyer import flyer
from api.service.errors import Invalid
from tests.api.events.hall import EVENT
from tests.api.sheets.desk import pages, photographed, scanned

ADDRESS = "https://decks.example/events/8f1b2c3d4e5f/register"


@pytest.mark.slow
def test_a_flyer_says_which_event_where_to_go_and_until_when():
    [page] = pages(flyer(EVENT, ADDRESS, "ZORO-42", ["Open until 2026-10-31 22:00 (Europe/Berlin)."]))
    for said in ("Winter Regional 2026", "2026-11-01", "Hall 4, Cologne", ADDRESS, "ZORO-42", "Europe/Berlin"):
        assert said in page


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_flyer_stays_one_page_and_reads_nothing_as_markup(paper):
    name = "東京 #panic() *x* " + "very long " * 11
    [page] = pages(
        flyer(EVENT._replace(event=name[:120]), ADDRESS + "/" + "a" * 400, "W" * 20, ["line " * 24] * 4, paper)
    )
    assert "#panic()" in page
    assert "or type this code" in page


@pytest.mark.parametrize("address", [ADDRESS, "http://192.168.1.20:8000/", "https://decks.example/#" + "k" * 43])
def test_a_telephone_reads_the_address(address):
    assert scanned(photographed(flyers._code(address))) == address


@pytest.mark.parametrize(
    ("given", "pointer"),
    [
        ({"address": ""}, "/address"),
        ({"address": "https://decks.example/" + "a" * 500}, "/address"),
        ({"address": "https://dęcks.example/"}, "/address"),
        ({"word": "W" * 21}, "/word"),
        ({"says": ["line"] * 5}, "/says"),
        ({"says": ["x" * 121]}, "/says"),
    ],
)
def test_what_does_not_fit_is_refused(given, pointer):
    with pytest.raises(Invalid) as caught:
        flyer(EVENT, **{"address": ADDRESS, **given})
    assert [one.pointer for one in caught.value.errors] == [pointer]
