"""The real cards of the shared data, read once for all tests of a process."""

from collections.abc import Sequence
from functools import cache

from carddb.sources import read
from tests.shared import shared_path
from validator.cards import Card

SOURCES = {
    "dbs": "data/dbs/catalogue.csv",
    "gundam": "data/gundam/cards.csv",
    "optcg": "pages/optcg/cardlist-en-all-60-2026-08-21.tar.gz",
}


@cache
def cards(game: str) -> Sequence[Card]:
    return read(shared_path(SOURCES[game]), game).cards
