"""The work of rejudging, in judgements: it grows with the decks, and not with how much has changed meanwhile."""

from __future__ import annotations

from datetime import timedelta

import pyarrow as pa
import pytest

from api.rejudge.rejudging import Question, Rejudging
from api.service.requests import RequestedTerms
from tests.api.rejudge import stock
from validator.judge import Judge
from validator.limits import shipped_lists

pytestmark = pytest.mark.slow

VERDICT = ("legal", "codes", "cards", "on", "snapshot", "judge")
EXTRA = RequestedTerms(game="optcg", on=stock.ON, format="extra")  # of which only the list changes
CHANGES = [day for day in shipped_lists("optcg").listed.dates("en") if day <= stock.ON]


@pytest.fixture(scope="module")
def found():
    return [(game, lines) for game, lines in stock.decks(900) if game == "optcg"]


@pytest.fixture
def judged(monkeypatch):
    """The decks that Judges were called with."""
    decks, call = [], Judge.__call__

    def counted(judge, deck, *more):
        decks.append(deck)
        return call(judge, deck, *more)

    monkeypatch.setattr(Judge, "__call__", counted)
    return decks


def judgements(judged, batch, question):
    """How many decks are judged when a batch is answered."""
    judged.clear()
    Rejudging(stock.LIBRARY, question)(batch)
    return len(judged)


def since(found, changes):
    """The decks with the verdicts of the day before the last so many changes of the list."""
    asked = EXTRA._replace(on=CHANGES[-changes] - timedelta(days=1))
    rows = Rejudging(stock.LIBRARY, Question(asked))(stock.batch(found)).rows
    return stock.batch(found, pa.StructArray.from_arrays([rows.column(name) for name in VERDICT], names=VERDICT))


@pytest.mark.parametrize("full", [False, True])
def test_twice_the_decks_are_twice_the_judgements(found, judged, full):
    batch, question = since(found, 1), Question(EXTRA, full=full)
    once = judgements(judged, batch, question)
    twice = judgements(judged, pa.concat_batches([batch, batch]), question)
    assert twice == 2 * once > 0


def test_no_deck_is_judged_twice_however_much_has_changed(found, judged):
    full = judgements(judged, since(found, 1), Question(EXTRA, full=True))
    each = [judgements(judged, since(found, changes), Question(EXTRA)) for changes in (1, 4, len(CHANGES))]
    assert each == sorted(each)
    assert 0 < each[0] < 0.7 * full
    assert each[-1] <= full <= len(found)
