"""Batches: whatever pieces a body comes in, its lines are the same, and blank ones cost next to nothing."""

from __future__ import annotations

import io
import json
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.service.bounds import LONGEST_LINE
from api.service.judges import Judges
from api.service.languages import language
from api.service.ndjson import Batch, RememberedLines
from carddb.catalogue import Catalogue
from carddb.library import Library
from tests.cost import time_limit
from validator import limits
from validator.cards import Card
from validator.language import ENGLISH

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
LINE = json.dumps({"game": "optcg", "deck": {}}).encode()
REFUSED = b'{"game": "chess", "deck": {}}'
HELD = b'{"game": "optcg", "deck": {"main": [{"number": "OP01-016", "count": 4}]}}'
NAMI = Card("optcg", "OP01-016", "Nami", "Character", colors=("Red",))


@pytest.fixture(scope="module")
def judges(tmp_path_factory):
    return Judges(Library(f"sqlite:///{tmp_path_factory.mktemp('none')}/none.db"), lambda: NOON)


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


class Shelf:
    """A source of one catalogue, until it has another."""

    def __init__(self):
        self.cards = Catalogue("optcg", "first", [NAMI])

    def catalogue(self, game):
        return self.cards

    def lists(self, game):
        return limits.shipped_lists(game)


@pytest.fixture
def shelf():
    return Shelf()


@pytest.fixture
def asked(shelf):
    """What a line is answered by a batch that remembers the lines of those before."""
    remembered, moments = RememberedLines(), [NOON]
    judges = Judges(shelf, lambda: moments[-1])

    def ask(line=HELD, now=None, translate=ENGLISH):
        moments.append(now or moments[-1])
        (answer,) = Batch(judges, translate=translate, remembered=remembered).answers(io.BytesIO(line).read)
        return answer

    ask.remembered = remembered
    return ask


def test_a_line_that_comes_again_has_the_same_answer_and_is_counted_again(asked):
    first, *others = [asked() for _ in range(4)]
    assert list(asked.remembered) == [HELD]
    assert [(one.lines, one.counts) for one in others] == [(first.lines, first.counts)] * 3
    assert [one.remembered for one in (first, *others)] == [0, 0, 1, 1]
    assert first.counts == {("optcg-1.2.1", False): 1}


def test_what_is_remembered_holds_for_its_day_its_cards_and_its_language_alone(asked, shelf):
    before = [json.loads(asked().lines) for _ in range(3)][-1]
    assert json.loads(asked(now=NOON + timedelta(days=1)).lines)["on"] == "2026-11-02"
    german = json.loads(asked(translate=language("de")).lines)
    assert german["findings"][0]["message"] != before["findings"][0]["message"]
    shelf.cards = Catalogue("optcg", "second", [replace(NAMI, name="Cat Burglar")])
    after = json.loads(asked(translate=ENGLISH).lines)
    assert (before["deck"]["main"][0]["name"], after["deck"]["main"][0]["name"]) == ("Nami", "Cat Burglar")


@pytest.mark.parametrize("line", [REFUSED, b"{", HELD.replace(b'"game": "optcg", ', b"")])
def test_no_line_is_remembered_that_is_refused_or_leaves_its_game_to_the_cards(asked, line):
    for _ in range(3):
        asked(line)
    assert not asked.remembered


def test_hashes_of_other_lines_do_not_forget_a_line_until_there_are_2048():
    lines = RememberedLines()
    assert [lines.comes_again(line) for line in (b"a", b"b", b"a", b"b")] == [False, False, True, True]
    assert not any(lines.comes_again(b"%d" % number) for number in range(2046))
    assert lines.comes_again(b"a")
    assert not lines.comes_again(b"one more")
    assert not lines.comes_again(b"a")


@pytest.mark.slow
def test_only_so_many_lines_are_remembered(asked):
    for number in range(1500):
        for _ in range(2):
            asked(HELD.replace(b"4", b"%d" % (number % 200 + 1)) + b" " * (number // 200))
    assert 0 < len(asked.remembered) <= 1024


@pytest.mark.slow
@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b" \n"])
def test_blank_lines_cost_next_to_nothing(judges, blank):
    body = blank * (3_000_000 // len(blank)) + REFUSED
    with time_limit(3.0):
        assert refused(answers(judges, body)) == [(body.count(b"\n") + 1, 422)]
