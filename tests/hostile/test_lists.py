"""Deck lists that are made to hurt are read in time that grows with their length, or refused with the reason."""

from __future__ import annotations

import json
import random
from contextlib import suppress

import pytest

from tests.cost import MOST, assert_cheap, seconds
from tests.hostile import attacks
from validator import decklists
from validator.swap import judge_swap
from validator.texts import LONGEST_LIST

pytestmark = pytest.mark.slow

LENGTH = 8_000
UNITS = 16  # of each shape


def _json(value):
    return json.dumps(value, ensure_ascii=False)


def _line_numbers(length, line_length):
    """Return the numbers of the lines in a text of this length."""
    return range(length // line_length)


SHAPES = {
    "line": attacks.repeat_unit,
    "card": lambda unit, length: f"4 {attacks.repeat_unit(unit, length)} OP01-016",
    "long lines": lambda unit, length: attacks.in_lines(unit, length, 285),
    "short lines": lambda unit, length: attacks.in_lines(unit, length, 20),
    "headings": lambda unit, length: "\n".join(f"Leader {unit[:9]}{at}" for at in _line_numbers(length, 20)),
    "name in JSON": lambda unit, length: _json({"main": [{"name": attacks.repeat_unit(unit, length), "count": 4}]}),
    "names in JSON": lambda unit, length: _json(
        {"main": [{"name": f"{at}{attacks.repeat_unit(unit, 180)}", "count": 4} for at in _line_numbers(length, 220)]}
    ),
    "keys in JSON": lambda unit, length: _json(
        {f"{at}{attacks.repeat_unit(unit, 90)}": 4 for at in _line_numbers(length, 100)}
    ),
    "list in JSON": lambda unit, length: json.dumps([attacks.in_lines(unit, length, 100)]),
    "cells": lambda unit, length: (
        "number,name,count\n"
        + "".join(f"OP01-{at},{attacks.repeat_unit(unit, 150)},4\n" for at in _line_numbers(length, 160))
    ),
    "columns": lambda unit, length: f"{attacks.repeat_unit(unit + chr(9), length)}\n4\tNami",
    "wide rows": lambda unit, length: (
        "qty,card\n" + "4,Nami\n" * (length // 14) + attacks.repeat_unit(f",{unit}", length // 2)
    ),
    "link": lambda unit, length: f"https://a.b/deckbuilder?deck={attacks.repeat_unit(unit, length)}",
    "links": lambda unit, length: attacks.repeat_unit(f"a?deck=1x{unit}&dg=1n{unit} ", length),
}
NAMES = list(SHAPES)
WORST = (
    "4 a (a ",
    "one >\t[[},/4;|OP1-6 ",
    "x4 ",
    "4 Nami and ",
    "4 OP01-016 x4 ",
    "[(",
    "\ufdfa",
    "\u337f",
    "4 x Leader: ",
)


@pytest.fixture(scope="module")
def judged(judge):
    """Read and judge a list; None where it is refused with a reason."""

    def read(text):
        try:
            deck = decklists.parse(text, "optcg", judge.catalogue).deck
        except ValueError as refusal:
            return None if str(refusal) else pytest.fail("refused without a reason")
        return judge(deck).as_dict()

    return read


@pytest.mark.parametrize("name", NAMES)
def test_a_list_takes_time_that_grows_with_its_length(judged, name):
    for unit in attacks.part_of_units(NAMES.index(name), len(NAMES), UNITS):
        assert_cheap(judged, lambda length, unit=unit: SHAPES[name](unit, length), LENGTH)


@pytest.mark.parametrize("unit", WORST)
@pytest.mark.parametrize("shape", ["long lines", "short lines", "line", "name in JSON"])
def test_the_longest_list_takes_a_second_at_most(judged, unit, shape):
    lines = SHAPES[shape](unit, LONGEST_LIST - 4_000).split("\n")
    text = "\n".join(lines[: decklists.MOST_LINES])
    assert seconds(lambda: judged(text), MOST) <= MOST


def test_a_swap_costs_no_more_than_two_lists(judge):
    text = attacks.in_lines("4 Nami and ", 90_000, 285)
    deck = decklists.parse(text, "optcg", judge.catalogue).deck
    assert seconds(lambda: judge_swap(judge, deck, deck), MOST) <= MOST


def test_many_counts_that_are_absurd_in_one_line_keep_no_more_than_was_sent(cards):
    deck = decklists.parse("999xOP01-016 " * 5_000, catalogue=cards).deck
    assert len(deck.unread) == 5_000
    assert max(len(line.text) for line in deck.unread) < 1_000


def test_every_line_of_any_text_is_accounted_for(cards):
    chance = random.Random(attacks.SEED)
    for _ in range(attacks.DRAWN):
        text = attacks.mix_pieces(chance, chance.choice((5, 30, 200)))
        for catalogue in (None, cards):
            _assert_accounted_for(text, catalogue)


def _assert_accounted_for(text, catalogue):
    with suppress(ValueError):  # which says what is wrong
        deck = decklists.parse(text, catalogue=catalogue).deck
        lines = len(text.splitlines()) or 1
        assert all(1 <= line.at <= lines for _, line in deck.lines())
        assert all(1 <= line.at <= lines and line.reason for line in deck.unread)
