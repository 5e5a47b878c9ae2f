"""Addresses of cards in the official card lists, compared with the menu and the cards of the saved pages."""

import re
import tarfile

import pytest

from carddb import facts
from carddb.official_pages import official_page
from tests.conftest import PAGES
from tests.shared import shared_path


@pytest.mark.slow
def test_each_card_is_on_the_page_of_its_set():
    with tarfile.open(shared_path(PAGES)) as archive:
        pages = {
            member.name.rpartition("/")[2].removesuffix(".html"): archive.extractfile(member).read().decode()
            for member in archive
            if member.name.endswith(".html")
        }
    numbers = {pack: set(re.findall(r'<dl class="modalCol" id="([^"_]+)', html)) for pack, html in pages.items()}
    packs = {card: re.search(r"series=(\d+)$", official_page(card)) for card in facts.catalogue("optcg")}
    listed = {card: card.number in numbers[pack[1]] for card, pack in packs.items() if pack and pack[1] in numbers}
    assert len(listed) > 2_500
    # Some promotion cards are only in the packs in which they were printed.
    assert {
        card.number for card, is_there in listed.items() if not is_there and not card.number.startswith("P-")
    } == set()


@pytest.mark.parametrize(
    ("game", "number", "end"),
    [
        ("optcg", "OP01-016", "/cardlist/?series=569101"),
        ("optcg", "ST21-001", "/cardlist/?series=569021"),
        ("optcg", "P-001", "/cardlist/?series=569901"),
        ("optcg", "EB04-001", "/cardlist/"),
        ("dbs", "BT1-030", "/us-en/cardlist/"),
    ],
)
def test_sets_have_pages_of_their_own(game, number, end):
    assert official_page(facts.catalogue(game).by_number(number)).endswith(end)


def test_a_game_without_an_official_list_has_no_page():
    assert {official_page(card) for card in facts.catalogue("bos")} == {None}
