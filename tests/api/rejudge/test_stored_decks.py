"""Stored decks as columns: which of them can be read, and what is read of them."""

from __future__ import annotations

from datetime import date

import numpy as np
import pyarrow as pa
import pytest

from api.rejudge.stored_decks import MadeWith, StoredDecks, StoredVerdicts, check_columns, group_by_terms
from api.service.errors import Unusable
from tests.api.rejudge import stock
from validator.deck import MOST_COPIES, MOST_LINES, Deck, Line

NAMI = {"number": "OP01-016", "count": 4, "section": "main"}
NAMED = {"number": None, "name": "Nami", "count": 4, "section": "main"}


def read(*decks, type=stock.LINE):
    return StoredDecks.read(pa.array(decks, pa.list_(type)))


@pytest.mark.parametrize("count", [1, 2, MOST_COPIES])
def test_a_count_of_at_least_one_copy_is_read(count):
    decks = read([NAMI | {"count": count}])
    assert decks.unreadable.tolist() == [False]
    assert decks.deck(0) == Deck(main=(Line("OP01-016", count),))


@pytest.mark.parametrize(
    "line",
    [
        *(NAMI | {"count": count} for count in (0, -1, MOST_COPIES + 1, None)),
        *(NAMI | {"section": section} for section in ("attic", "", None)),
        *(NAMI | {"number": number} for number in (None, "OP01\x07")),
        *(NAMI | {"name": name} for name in ("Nami\x07", "\x00")),
        *(NAMED | {"name": name} for name in (None, "Nami\x07")),
    ],
)
def test_a_deck_with_a_wrong_line_is_unreadable_and_no_other_is(line):
    decks = read([NAMI], [NAMI, line], [], [line, NAMI], [NAMI, NAMI])
    assert decks.unreadable.tolist() == [False, True, False, True, False]
    with_names = read([NAMED], [NAMI, line], [NAMI | {"name": "Nami"}])
    assert with_names.unreadable.tolist() == [False, True, False]


def test_a_deck_that_is_missing_or_has_too_many_lines_is_unreadable():
    decks = read([NAMI] * MOST_LINES, [NAMI] * (MOST_LINES + 1), None, [])
    assert decks.unreadable.tolist() == [False, True, True, False]
    assert decks.lines.tolist() == [MOST_LINES, MOST_LINES + 1, 0, 0]
    assert len(decks) == 4


def test_lines_have_their_names_sections_and_counts():
    lead = {"number": "OP01-001", "name": "Zoro", "count": 1, "section": "leader"}
    decks = read([NAMI], [lead, NAMED, NAMI])
    assert decks.with_names.tolist() == [False, True]
    assert decks.deck(1) == Deck(
        leader=(Line("OP01-001", 1, "Zoro"),), main=(Line(None, 4, "Nami"), Line("OP01-016", 4))
    )
    assert decks.select_decks(np.array([1, 0, 1])).deck(0) == decks.deck(1)


def test_a_part_of_a_column_has_its_own_decks():
    column = pa.array([[NAMI], [NAMED], None, [NAMI | {"count": 2}, NAMI]], pa.list_(stock.LINE))
    decks = StoredDecks.read(column.slice(1))
    assert decks.unreadable.tolist() == [False, True, False]
    assert decks.deck(2) == Deck(main=(Line("OP01-016", 2), Line("OP01-016", 4)))


@pytest.mark.parametrize("text", [pa.large_string(), pa.dictionary(pa.int8(), pa.string())])
@pytest.mark.parametrize("listed", [pa.list_, pa.large_list])
def test_columns_of_other_types_of_text_and_list_have_the_same_decks(text, listed):
    line = pa.struct({"number": text, "count": pa.uint8(), "section": text, "name": text})
    plain, decks = read([NAMI, NAMED]), StoredDecks.read(pa.array([[NAMI, NAMED]], listed(line)))
    assert (decks.unreadable.tolist(), decks.deck(0)) == ([False], plain.deck(0))


@pytest.mark.parametrize(
    ("columns", "word"),
    [
        ({"id": pa.string()}, "deck"),
        ({"deck": pa.list_(stock.LINE)}, "id"),
        ({"id": pa.float64(), "deck": pa.list_(stock.LINE)}, "id"),
        ({"id": pa.string(), "deck": pa.list_(pa.string())}, "deck"),
        ({"id": pa.string(), "deck": stock.LINE}, "deck"),
        *(
            ({"id": pa.string(), "deck": pa.list_(pa.struct([*stock.LINE][:place] + [*stock.LINE][place + 1 :]))}, name)
            for place, name in enumerate(("number", "count", "section"))
        ),
        *(
            ({"id": pa.string(), "deck": pa.list_(pa.struct(dict(zip(stock.LINE.names, types, strict=True))))}, name)
            for name, types in (
                ("number", (pa.int32(), pa.int32(), pa.string(), pa.string())),
                ("count", (pa.string(), pa.float64(), pa.string(), pa.string())),
                ("section", (pa.string(), pa.int32(), pa.int8(), pa.string())),
                ("name", (pa.string(), pa.int32(), pa.string(), pa.int32())),
            )
        ),
        *(
            ({"id": pa.string(), "deck": pa.list_(stock.LINE), name: type}, word)
            for name, type, word in (
                ("terms", pa.string(), "terms"),
                ("terms", pa.struct({"game": pa.int8()}), "game"),
                ("stored", pa.bool_(), "stored"),
                ("stored", pa.struct({"legal": pa.string()}), "legal"),
                ("stored", pa.struct({"codes": pa.string()}), "codes"),
                ("stored", pa.struct({"on": pa.timestamp("s")}), "on"),
                ("stored", pa.struct({"judge": pa.int64()}), "judge"),
            )
        ),
    ],
)
def test_wrong_columns_are_refused_by_name(columns, word):
    with pytest.raises(Unusable, match=f"`{word}`"):
        check_columns(pa.schema(columns))


@pytest.mark.parametrize(
    "columns",
    [
        {"id": pa.int64(), "deck": pa.list_(pa.struct([*stock.LINE][:3])), "other": pa.float64()},
        {"id": pa.large_string(), "deck": pa.large_list(stock.LINE), "terms": pa.struct({"format": pa.null()})},
        {
            "id": pa.string(),
            "deck": pa.list_(stock.LINE),
            "stored": pa.struct({"on": pa.string(), "judge": pa.large_string(), "player": pa.int8()}),
        },
    ],
)
def test_other_columns_and_fields_are_accepted(columns):
    check_columns(pa.schema(columns))


def make_batch(**columns):
    return pa.RecordBatch.from_pydict(columns)


def find_groups(batch, rows):
    """Return the terms and the origin of verdicts of each group, by its rows."""
    return {tuple(group.rows.tolist()): group[1:] for group in group_by_terms(batch, np.array(rows, int))}


def test_rows_are_grouped_by_terms_and_by_the_origin_of_their_verdicts():
    terms = [{"game": "optcg"}, {"game": "dbs"}, {"game": "optcg"}, None, {"game": "optcg", "region": "jp"}]
    origin = {"on": date(2026, 1, 2), "snapshot": "a", "judge": "b"}
    stored = [origin, None, origin, origin, origin | {"snapshot": None}]
    optcg, made_with = (None, "optcg", None, None), MadeWith("2026-01-02", "a", "b")
    assert find_groups(make_batch(terms=terms, stored=stored), [0, 1, 2, 3, 4]) == {
        (0, 2): (optcg, made_with),
        (1,): ((None, "dbs", None, None), None),
        (3,): ((None,) * 4, made_with),
        (4,): ((None, "optcg", "jp", None), None),
    }
    assert find_groups(make_batch(terms=terms), [2, 0]) == {(2, 0): (optcg, None)}
    assert find_groups(make_batch(terms=terms), []) == {}
    assert find_groups(make_batch(id=["a", "b"]), [0, 1]) == {(0, 1): ((None,) * 4, None)}


def test_verdicts_that_are_missing_are_unknown():
    stored = [{"legal": True, "codes": ["size"]}, {"legal": False, "codes": []}, None, {"legal": None, "codes": None}]
    found = StoredVerdicts.read(make_batch(stored=stored))
    assert (found.legal.tolist(), found.codes.to_pylist()[0], found.cards) == ([1, 0, -1, -1], ["size"], None)
    assert StoredVerdicts.read(make_batch(id=["a", "b"])).legal.tolist() == [-1, -1]
    assert StoredVerdicts.read(make_batch(stored=[{"codes": ["size"]}])).legal.tolist() == [-1]
