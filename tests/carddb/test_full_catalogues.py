"""The real catalogues, whole: kept, loaded quickly, small in memory, quick to suggest."""

import re
from pathlib import Path

import pytest

from carddb import Catalogue, construction
from carddb.snapshot_store import Store
from tests.carddb import real
from tests.carddb.processes import run
from tests.cost import time_limit

pytestmark = pytest.mark.slow

COUNTS = {"dbs": 6478, "optcg": 2784}


@pytest.fixture(scope="module")
def url(tmp_path_factory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('cards')}/deckproof.db"
    for game in COUNTS:
        Store(url).import_cards(game, map(construction.read, real.cards(game)), real.SOURCES[game])
    return url


@pytest.mark.parametrize("game", COUNTS)
def test_they_are_loaded_quickly_and_in_order(url, game):
    store = Store(url)
    current = store.current(game)
    with time_limit(1.5):  # 0.4 s on an idle core
        catalogue = Catalogue(game, current.id, store.cards(current.id))
    assert len(catalogue) == current.cards == COUNTS[game]
    assert [card.number for card in catalogue] == [card.number for card in real.cards(game)]


def test_keywords_are_read_of_their_texts(url):
    store = Store(url)
    cards = store.cards(store.current("dbs").id)
    for keyword in ("Ultimate", "Super Combo", "Dragon Ball"):
        assert sum(keyword in card.keywords for card in cards) > 15


def test_each_is_a_card_found_by_every_printing(url):
    store = Store(url)
    catalogue = Catalogue("optcg", "s", store.cards(store.current("optcg").id))
    assert len(catalogue.index) == 4841
    assert all(catalogue.by_number(number.lower()) is card for number, card in catalogue.index.items())


def test_suggestions_are_a_handful_and_quick():
    catalogue = Catalogue("dbs", "s", real.cards("dbs"))
    catalogue.suggest("warm up")
    with time_limit(0.1):
        for written in ("Son Gokuu", "BT1-0555", "the progenitor bardock", "zamas, fusd deity"):
            assert 1 <= len(catalogue.suggest(written)) <= 5
    assert catalogue.suggest("the progenitor bardock")[0].number == "BT4-073"


def test_both_together_take_little_memory(url):
    code = f"""
from carddb import Library
library = Library({url!r})
for game in ("dbs", "optcg"):
    catalogue = library.catalogue(game)
    catalogue.suggest("Sun Goku"), catalogue.search("zoro")
print(open("/proc/self/status").read())
"""
    if not Path("/proc/self/status").exists():
        pytest.skip("needs /proc to see the memory of a process")
    peak = re.search(r"VmHWM:\s+([0-9]+) kB", run(code))
    assert int(peak[1]) < 100_000  # kB, the interpreter and SQLAlchemy in it
