"""Shards: every row of every file is in one of them, and what cannot be read is told."""

from __future__ import annotations

import json
import os
from itertools import chain

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, strategies

from api.rejudge.shards import Split, choose_split, plan_shards, read_inputs
from api.service.errors import Unusable
from tests.api.rejudge import stock

LINE = {"number": "OP01-016", "count": 4}


@pytest.fixture(scope="module")
def decks():
    return pa.Table.from_batches([stock.batch(list(stock.decks(500)))])


@pytest.fixture
def parquet(tmp_path, decks):
    """A file of ten row groups, each of fifty decks."""
    path = tmp_path / "decks.parquet"
    pq.write_table(decks, path, row_group_size=50)
    return path


def split_files(paths, **split):
    return plan_shards(read_inputs(paths), Split(**split))


def ids(shards):
    return [id for shard in shards for batch in shard.batches() for id in batch.column("id").to_pylist()]


@pytest.mark.parametrize(
    ("rows", "parts"),
    [
        pytest.param(1, 130, marks=pytest.mark.slow),
        (4, 40),
        (10, 20),
        (20, 10),
        (50, 10),
        (99, 10),
        (120, 5),
        (1_000, 1),
    ],
)
def test_row_groups_are_put_together_and_large_ones_are_cut(parquet, rows, parts):
    shards = split_files([str(parquet)], rows=rows)
    assert len(shards) == parts
    assert ids(shards) == [f"deck-{place}" for place in range(500)]


@given(
    ends=strategies.lists(strategies.sampled_from(["\n", "\r\n", "\n\n", "\n \n"]), min_size=1, max_size=12),
    size=strategies.integers(1, 400),
)
def test_each_line_is_in_one_shard_wherever_they_are_cut(tmp_path_factory, ends, size):
    path = tmp_path_factory.mktemp("lines") / "decks.ndjson"
    rows = (json.dumps({"id": place, "deck": {"main": [LINE] * (place % 5)}}) for place in range(len(ends)))
    path.write_text("".join(chain.from_iterable(zip(rows, ends, strict=True))), newline="")
    assert ids(split_files([str(path)], bytes=size)) == [str(place) for place in range(len(ends))]


def test_a_line_that_cannot_be_read_is_a_row(tmp_path):
    path = tmp_path / "decks.jsonl"
    good = b'{"id": "a", "deck": {"main": [{"number": "OP01-016", "count": 4}]}, "whatever": 1}'
    odd = [
        b"{",
        b"\xff",
        b"[]",
        b'{"id": "b"}',
        b'{"id": "c", "deck": {"attic": []}}',
        b'{"id": "d", "deck": {"main": [{"number": "OP01-016", "count": 1e99}]}}',
        b'{"id": "\\ud800", "deck": {}}',
        b'{"id": "e", "deck": {"main": [' + b"[" * 100_000,
        b'"' + b"x" * 3_000_000 + b'"',
    ]
    path.write_bytes(b"\n".join([good, *odd, good]))
    (batch,) = split_files([str(path)])[0].batches()
    assert len(batch) == 11
    assert batch.column("deck").null_count == 9
    assert [id for id in batch.column("id").to_pylist() if id] == ["a", "b", "c", "d", "a"]


def test_a_file_that_is_cut_or_spoilt_is_told(parquet):
    whole = parquet.read_bytes()
    parquet.write_bytes(whole[:-100])
    with pytest.raises(Unusable, match=parquet.name):
        split_files([str(parquet)])
    middle = len(whole) // 2
    parquet.write_bytes(whole[: middle - 500] + os.urandom(1000) + whole[middle + 500 :])
    with pytest.raises(Unusable, match=parquet.name):
        ids(split_files([str(parquet)]))


def test_a_file_that_changes_meanwhile_is_told(parquet):
    (shard,) = split_files([str(parquet)])
    os.utime(parquet, (1, 1))
    assert sum(map(len, shard.batches())) == 500
    batches = shard.batches()
    next(batches)
    table = pq.read_table(parquet)
    pq.write_table(table.set_column(0, "id", table.column("id").take(list(range(499, -1, -1)))), parquet)
    with pytest.raises(Unusable, match="changed"):
        list(batches)


@pytest.mark.parametrize("names", [["decks.txt"], ["a/decks.ndjson", "b/decks.ndjson"], ["empty"]])
def test_what_is_no_stored_decks_is_refused(tmp_path, names):
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"{}\n") if path.suffix else path.mkdir()
    with pytest.raises(Unusable):
        split_files([str(tmp_path / name) for name in names])


def test_names_are_those_of_what_is_in_them(parquet):
    shards = split_files([str(parquet)], rows=50)
    names = {shard.name("version") for shard in shards}
    assert len(names) == 10
    assert names == {shard.name("version") for shard in split_files([str(parquet)], rows=50)}
    assert not names & {shard.name("another") for shard in shards}
    table = pq.read_table(parquet)
    ids = table.column("id").to_pylist()
    ids[60] = "DECK-60"
    pq.write_table(table.set_column(0, "id", [ids]), parquet, row_group_size=50)
    other = {shard.name("version") for shard in split_files([str(parquet)], rows=50)}
    assert len(names - other) == 1  # of the second row group


def test_each_worker_has_several_shards_of_one_file(tmp_path):
    path = tmp_path / "decks.parquet"
    deck = pa.array([[LINE | {"section": "main"}]] * 300_000, pa.list_(stock.LINE))
    pq.write_table(pa.table({"id": range(300_000), "deck": deck}), path, row_group_size=150_000)
    inputs = read_inputs([str(path)])
    sizes = {}
    for workers in (1, 2, 8, 64):
        shards = plan_shards(inputs, choose_split(inputs, workers))
        assert [shard.first for shard in shards[1:]] == [shard.end for shard in shards[:-1]]
        assert shards[-1].end == 300_000
        sizes[workers] = len(shards)
    assert sizes == {1: 2, 2: 2, 8: 8, 64: 8}
    assert choose_split(inputs, 1).rows == 75_000
