"""Batches: whatever pieces a body comes in, its lines are the same, and blank ones cost next to nothing."""

from __future__ import annotations

import io
import json
import random
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.service.judges import Judges
from api.service.ndjson import LONGEST_LINE, Batch
from carddb.library import Library
from tests.cost import within

LINE = json.dumps({"game": "optcg", "deck": {}}).encode()
REFUSED = b'{"game": "chess", "deck": {}}'


@pytest.fixture(scope="module")
def judges(tmp_path_factory):
    return Judges(Library(f"sqlite:///{tmp_path_factory.mktemp('none')}/none.db"), lambda: date(2026, 11, 1))


def answers(judges, body):
    """The answers to a body that comes in pieces of any size."""
    reader, pieces = io.BytesIO(body), random.Random(3)
    read = Batch(judges).answers(lambda most: reader.read(pieces.randint(1, most)))
    return [json.loads(line) for answer in read for line in answer.lines.splitlines()]


def refused(said):
    return [(one["line"], one["error"]["status"]) for one in said]


@given(st.lists(st.sampled_from([b"", b" \t", b"\r", REFUSED, REFUSED + b"\r"])), st.booleans())
def test_every_line_that_is_not_blank_has_an_answer_with_its_number(judges, lines, ended):
    said = answers(judges, b"\n".join(lines) + b"\n" * ended)
    assert refused(said) == [(number, 422) for number, line in enumerate(lines, 1) if line.strip()]


def test_a_byte_order_mark_begins_the_first_line(judges):
    assert [one["legal"] for one in answers(judges, b"\xef\xbb\xbf" + LINE + b"\n" + LINE)] == [False, False]


def test_a_line_that_is_too_long_is_passed_over(judges):
    long = b"[" * (LONGEST_LINE + 1)
    assert refused(answers(judges, b"\n".join([long, REFUSED, long * 3, REFUSED, long]))) == [
        (1, 413),
        (2, 422),
        (3, 413),
        (4, 422),
        (5, 413),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b" \n"])
def test_blank_lines_cost_next_to_nothing(judges, blank):
    body = blank * (3_000_000 // len(blank)) + REFUSED
    with within(3.0):
        assert refused(answers(judges, body)) == [(body.count(b"\n") + 1, 422)]
