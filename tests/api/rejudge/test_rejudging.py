"""Rejudging: what comes of stored decks is what the Judge says of each, whatever is left out on the way."""

from __future__ import annotations

import random
from collections import Counter
from datetime import date

import pyarrow as pa
import pytest

from api.rejudge.rejudging import NO_TERMS, UNREADABLE, Question, Rejudging
from api.service.errors import Unusable
from api.service.judges import Judges
from api.service.requests import RequestedTerms
from tests.api.rejudge import stock
from validator.deck import Deck, Line

VERDICT = ("legal", "codes", "cards", "on", "snapshot", "judge")


def rejudge_batch(batch, question):
    return Rejudging(stock.LIBRARY, question)(batch)


def verdict_column(rows):
    """What came of decks, as the column that comes with them the next time."""
    return pa.StructArray.from_arrays([rows.column(name) for name in VERDICT], names=VERDICT)


@pytest.fixture(
    scope="module",
    params=[(100, ["dbs", "gundam"]), pytest.param((1_200, list(stock.GAMES)), marks=pytest.mark.slow)],
    ids=["two games", "all games"],
)
def found(request):
    count, games = request.param
    return list(stock.decks(count, games=games))


@pytest.fixture(scope="module")
def full(found):
    return rejudge_batch(stock.batch(found), stock.question(before=stock.BEFORE, full=True))


def test_each_row_is_what_the_judge_says(found, full):
    judges = {
        (game, on): Judges(stock.LIBRARY).judge(RequestedTerms(game=game, on=on))
        for game in stock.GAMES
        for on in (stock.BEFORE, stock.ON)
    }
    seen = 0
    for (game, lines), row in zip(found, full.rows.to_pylist(), strict=True):
        if row["codes"] == [UNREADABLE]:
            continue
        sections = {}
        for line in lines:
            sections.setdefault(line["section"], []).append(Line(line["number"], line["count"], line.get("name")))
        deck = Deck(**{section: tuple(own) for section, own in sections.items()})
        verdict = judges[game, stock.ON](deck)
        assert row["legal"] == verdict.legal
        assert row["before"] == judges[game, stock.BEFORE](deck).legal
        assert row["codes"] == list(dict.fromkeys(verdict.codes))
        assert row["ruleset"] == verdict.judge.terms.ruleset.id
        seen += 1
    assert seen > 0.87 * len(found)


def test_what_is_not_concerned_by_a_change_is_as_it_was(found, full):
    once = rejudge_batch(stock.batch(found), stock.question(before=stock.BEFORE))
    assert once.rows.equals(full.rows)
    assert 0 < once.counts["concerned"] < 0.9 * full.counts["concerned"]


def test_a_stored_verdict_is_kept_where_nothing_of_the_deck_has_changed(found, full):
    before = rejudge_batch(stock.batch(found), Question(RequestedTerms(on=stock.BEFORE)))
    batch = stock.batch(found, verdict_column(before.rows))
    again = rejudge_batch(batch, stock.question())
    assert again.rows.equals(full.rows)
    assert again.counts["concerned"] < 0.9 * len(found)
    assert rejudge_batch(batch, stock.question(full=True)).rows.equals(full.rows)


def test_the_same_day_concerns_only_what_may_be_told_otherwise(found, full):
    """Decks with names, and with numbers that no card has, are looked at anew."""
    again = rejudge_batch(stock.batch(found, verdict_column(full.rows)), stock.question())
    assert again.rows.select(["id", *VERDICT]).equals(full.rows.select(["id", *VERDICT]))
    assert again.counts["concerned"] < 0.1 * len(found)


def test_a_verdict_of_other_cards_or_another_judge_is_not_kept(found, full):
    for name, value in (("judge", "0" * 24), ("snapshot", "optcg-of-nobody"), ("on", date(1980, 1, 1))):
        rows = full.rows.to_pylist()
        column = pa.array(
            [{key: row[key] for key in VERDICT} | {name: value} for row in rows], verdict_column(full.rows).type
        )
        again = rejudge_batch(stock.batch(found, column), stock.question())
        assert again.counts["concerned"] == len(found) - again.counts["unusable"]
        assert again.rows.column("codes").equals(full.rows.column("codes"))


def test_rows_say_their_own_terms():
    legal = stock.deck("optcg", random.Random(1))
    own, wrong = {"game": "optcg"}, {"game": "tic-tac-toe"}
    said = [own, {"ruleset": "optcg-1.1.9"}, wrong, own | {"region": "xx"}, None]
    columns = {"id": range(5), "deck": pa.array([legal] * 5, pa.list_(stock.LINE)), "terms": said}
    rows = rejudge_batch(pa.RecordBatch.from_pydict(columns), stock.question()).rows.to_pylist()
    assert [row["ruleset"] for row in rows] == ["optcg-1.2.1", "optcg-1.1.9", None, None, None]
    assert [row["codes"] == [NO_TERMS] for row in rows] == [False, False, True, True, True]


@pytest.mark.parametrize(
    "columns",
    [
        {"id": ["a"]},
        {"deck": [[{"number": "OP01-001", "count": 1, "section": "main"}]]},
        {"id": ["a"], "deck": ["4 OP01-001"]},
        {"id": ["a"], "deck": [[{"number": "OP01-001"}]]},
        {"id": ["a"], "deck": [[{"number": 1, "count": 1, "section": "main"}]]},
        {"id": [1.5], "deck": [[{"number": "OP01-001", "count": 1, "section": "main"}]]},
        {"id": ["a"], "deck": [[{"number": "OP01-001", "count": 1, "section": "main"}]], "terms": ["optcg"]},
        {"id": ["a"], "deck": [[{"number": "OP01-001", "count": 1, "section": "main"}]], "stored": [{"legal": "yes"}]},
    ],
)
def test_other_columns_are_refused(columns):
    with pytest.raises(Unusable):
        rejudge_batch(pa.RecordBatch.from_pydict(columns), stock.question())


def test_rows_in_are_rows_out_whatever_is_in_them():
    line = {"number": "OP01-016", "count": 1, "section": "main"}
    odd = [None, [], [None], [line] * 1001, [line | {"count": 2**31 - 1}], [line | {"number": "x" * 10_000}], [line]]
    columns = {"id": range(len(odd)), "deck": pa.array(odd, pa.list_(stock.LINE))}
    question = Question(RequestedTerms(game="optcg", on=stock.ON))
    answer = rejudge_batch(pa.RecordBatch.from_pydict(columns), question)
    codes = [row["codes"] for row in answer.rows.to_pylist()]
    assert [code == [UNREADABLE] for code in codes] == [True, False, True, True, True, True, False]
    assert codes[1] == ["leader.count", "size"]
    assert Counter(answer.counts) == {"rows": 7, "illegal": 2, "unusable": 5, "concerned": 2}
