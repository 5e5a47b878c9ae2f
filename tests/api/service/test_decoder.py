"""The fast path: requests read quickly say what they say when read slowly, and are refused for the same."""

from __future__ import annotations

from dataclasses import fields
from functools import partial

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from api.service import decoder
from api.service.errors import Invalid, NotJson
from api.service.shapes import SwapShape, ValidateShape, load_with, parse_json
from validator import SECTIONS, Deck, Line, Policy

LINE = b'{"number":"OP01-016","count":4}'
FIELDS = (*Line._fields, "written")
SHAPES = {decoder.parse_validation: ValidateShape(), decoder.parse_swap: SwapShape()}


def lines(deck):
    """Every line of a deck with all that it has."""
    return [(section, *map(partial(getattr, line), FIELDS)) for section, line in deck.lines()]


def read(request, body):
    """What a request is read as, or why it is refused, in a form that can be compared."""
    try:
        return [lines(part) if isinstance(part, Deck) else part for part in request(body)]
    except Invalid as error:
        return sorted(error.errors)
    except NotJson:
        return NotJson


def read_both_ways(body, request=decoder.parse_validation):
    """What both ways of reading make of a request, which is the same."""
    quick = read(request, body)
    assert quick == read(lambda text: load_with(SHAPES[request], parse_json(text)), body)
    return quick


def of(line):
    return b'{"game":"optcg","deck":{"main":[%b]}}' % line


_TEXTS = st.sampled_from(
    ["OP01-016", "Nami", " Nami", "Nami ", "é", "ナミ", "", " ", "\u00a0", "\x7f", "\x85", "\n", '"', "\\"]
)
_TEXTS |= st.text(max_size=5)
_COUNTS = st.integers(-1, 256) | st.sampled_from([True, 1.0, 4.5, "4", None, 10**12])
_LINES = st.fixed_dictionaries(
    {"count": _COUNTS}, optional={"number": _TEXTS | st.none(), "name": _TEXTS | st.none(), "x": st.none()}
)
_DECKS = st.dictionaries(st.sampled_from([*SECTIONS, "sideboard"]), st.lists(_LINES, max_size=4), max_size=3)
_AMOUNTS = st.sampled_from([0, 10, 10.0, 255, 256, 3650, 3651, -1, True, "3", None])
_POLICIES = st.none() | st.dictionaries(
    st.sampled_from([*(one.name for one in fields(Policy)), "side"]), _AMOUNTS | st.booleans(), max_size=4
)
_REQUESTS = st.fixed_dictionaries(
    {"deck": _DECKS},
    optional={
        "game": st.sampled_from(["optcg", "chess", "", " ", "\x00", None, 1]),
        "ruleset": st.sampled_from(["optcg-1.1.9", None]),
        "on": st.sampled_from(["2026-01-15", "2026-02-30", "", None, 20260115]),
        "explain": st.sampled_from([True, False, None, 1]),
        "policy": _POLICIES,
        "limits_list": st.sampled_from(["", "x", "x\n", "é", "x" * 100_001, None, 3]),
        "decklist": st.sampled_from(["", "4 OP01-016", None, 4]),
        "x": st.none(),
    },
)
_SWAPS = st.fixed_dictionaries(
    {"game": st.sampled_from(["bos", ""]), "before": _DECKS | st.sampled_from(["", "4 Nami", None])},
    optional={"after": _DECKS | _TEXTS, "policy": _POLICIES, "explain": st.booleans() | st.none()},
)


@given(_REQUESTS, st.sampled_from([0, orjson.OPT_INDENT_2]))
@example({"game": "optcg", "deck": {"main": [{"number": "OP01-016", "count": True}]}}, 0)
@example({"game": "optcg", "deck": {"main": [{"number": "OP01-016", "count": 4.0}]}}, 0)
@example({"game": "optcg", "deck": {"main": [{"name": "\x7f", "count": 4}]}}, 0)
def test_a_request_is_read_alike_whether_it_is_clean_or_not(data, option):
    read_both_ways(orjson.dumps(data, option=option))


@given(_SWAPS)
def test_a_swap_is_read_alike_whether_it_is_clean_or_not(data):
    read_both_ways(orjson.dumps(data), decoder.parse_swap)


@pytest.mark.parametrize(
    "body",
    [
        of(b'{"number":"OP01-016","count":4e0}'),
        of(b'{"number":"OP01-016","count":NaN}'),
        of(b'{"number":"\\ud800","count":4}'),
        of(b'{"number":"\\u0007","count":4}'),
        of(b'{"number":"\xff","count":4}'),
        of(b'{"number":"OP01-016","number":"OP01-017","count":4}'),
        of(b'{"number" : "OP01-016" , "count" : 4}'),
        of(b'{"count":4}'),
        of(b"[" * 100_000),
        of(b",".join([LINE] * 1001)),
        of(LINE)[:-1],
        b'{"game":"optcg","deck":{"main":[%b],"side":[%b]}}' % ((b",".join([LINE] * 600),) * 2),
        b'{"game":"optcg","deck":{},"decklist":"4 OP01-016"}',
        b'{"game":"optcg"}',
        b"[]",
        b"",
    ],
)
def test_what_is_odd_is_refused_or_read_as_it_always_is(body):
    read_both_ways(body)


@pytest.mark.parametrize(
    ("key", "body"),
    [
        ("game", b'{"game":"optcg","game":"dbscg","deck":{"main":[%b]}}' % LINE),
        ("decklist", b'{"game":"optcg","decklist":"4 OP01-016","decklist":"4 OP01-017"}'),
        ("deck", b'{"game":"optcg","deck":{"main":[%b]},"deck":{}}' % LINE),
        ("main", b'{"game":"optcg","deck":{"main":[%b],"main":[%b]}}' % (LINE, LINE)),
        ("main", b'{"game":"optcg","deck":{"main":[%b],"main":[]}}' % LINE),
        ("side", b'{"game":"optcg","deck":{"side":[],"main":[%b],"side" : []}}' % LINE),
        ("count", of(b'{"number":"OP01-016","count":4,"count":3}')),
        ("number", of(b'{"number":"OP01-016","number":"OP01-017","count":4}')),
        ("main", b'{"game":"optcg","deck":{"main":[%b],"\\u006dain":[]}}' % LINE),
        ("main_min", b'{"game":"optcg","deck":{"main":[%b]},"policy":{"main_min":40,"main_min":50}}' % LINE),
    ],
)
def test_a_repeated_key_is_refused_by_name(key, body):
    assert decoder.parse_clean_validation(body) is None
    with pytest.raises(NotJson, match=f'"{key}"'):
        decoder.parse_validation(body)


def test_a_clean_request_needs_no_second_look(monkeypatch):
    monkeypatch.setattr(decoder, "parse_json", lambda body: pytest.fail("it was read anew"))
    deck = b'{"leader":[{"number":"OP01-001","count":1}],"main":[%b,{"name":"Usopp","count":2}],"side":[]}' % LINE
    found = decoder.parse_validation(b'{"game":"optcg","on":"2026-01-15","format":"extra","deck":%b}' % deck)
    assert [(section, line.written, line.count) for section, line in found.deck.lines()] == [
        ("leader", "OP01-001", 1),
        ("main", "OP01-016", 4),
        ("main", "Usopp", 2),
    ]
