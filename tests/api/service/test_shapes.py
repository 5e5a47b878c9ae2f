"""Shapes: what they read, what is refused, and where each refusal points."""

from __future__ import annotations

import contextlib
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.service.bounds import MOST_ERRORS
from api.service.errors import Invalid, NotJson
from api.service.requests import RequestedTerms
from api.service.shapes import DeckShape, OddsShape, ValidateShape, load_with, parse_json
from validator import SECTIONS, Deck, Line, Policy

LINE = {"number": "OP01-016", "count": 4}


VALIDATE, DECK = ValidateShape(), DeckShape()


def validation(data):
    return load_with(VALIDATE, data)


def deck_of(data):
    return load_with(DECK, data)


def pointers(data):
    with pytest.raises(Invalid) as refused:
        validation(data)
    assert all(error.detail.endswith(".") for error in refused.value.errors)
    return [error.pointer for error in refused.value.errors]


def test_a_deck_is_read_section_by_section_in_its_order():
    deck = deck_of({"main": [LINE, {"name": "Usopp", "count": 2}], "leader": [{"number": "OP01-001", "count": 1}]})
    assert deck == Deck(leader=(Line("OP01-001", 1),), main=(Line("OP01-016", 4), Line(None, 2, "Usopp")))


def test_the_deck_of_an_answer_can_be_sent_again():
    known = {"number": "OP01-016", "name": "Nami", "count": 4}
    unknown = {"number": None, "name": "Nobody", "count": 1}
    deck = deck_of({section: [] for section in SECTIONS} | {"main": [known, unknown]})
    assert deck.main == (Line("OP01-016", 4, "Nami"), Line(None, 1, "Nobody"))


def test_what_a_request_leaves_open_is_none():
    found = validation({"game": "optcg", "deck": {}})
    assert found.asked == RequestedTerms(game="optcg")
    assert found.deck == Deck()
    assert found.explain is False


def test_everything_that_a_request_may_say_is_read():
    found = validation(
        {
            "ruleset": "dbs-4.00",
            "game": "dbs",
            "on": "2026-01-15",
            "region": "en",
            "format": "standard",
            "policy": {
                "side_max": 10,
                "copies_across_side": False,
                "release_delay_days": 7,
                "release": False,
                "limits": False,
            },
            "decklist": "4 BT1-005",
            "explain": True,
        }
    )
    policy = Policy(side_max=10, copies_across_side=False, release_delay_days=7, release=False, limits=False)
    assert found.asked == RequestedTerms("dbs-4.00", "dbs", date(2026, 1, 15), "en", "standard", policy)
    assert (found.deck, found.decklist, found.explain) == (None, "4 BT1-005", True)


# The first and the last value of each number of a request for odds, and how many wishes, cards and targets are allowed.
ODDS = {
    "turn": (1, 10),
    "look": (1, 60),
    "life": (1, 20),
    "targets": (0, 255_000),
}
SIZES = {
    "wishes": (lambda size: {"wishes": [{"cards": ["OP01-016"]}] * size}, 1, 2),
    "cards": (lambda size: {"wishes": [{"cards": ["OP01-016"] * size}]}, 1, 60),
    "targets": (lambda size: {"targets": ["OP01-016"] * size}, 1, 60),
}


def has_odds_shape(**fields):
    """Return True if a request for odds with these fields is accepted."""
    try:
        load_with(OddsShape(), {"game": "optcg", "decklist": "4 OP01-016", **fields})
    except Invalid:
        return False
    return True


@pytest.mark.parametrize(("name", "first", "last"), [(name, *bounds) for name, bounds in ODDS.items()])
def test_a_number_of_the_odds_is_within_its_bounds(name, first, last):
    numbers = (first - 1, first, last, last + 1)
    assert [has_odds_shape(**{name: number}) for number in numbers] == [False, True, True, False]


@pytest.mark.parametrize(("make_fields", "fewest", "most"), SIZES.values(), ids=SIZES)
def test_the_odds_have_a_bounded_number_of_cards(make_fields, fewest, most):
    sizes = (fewest - 1, fewest, most, most + 1)
    assert [has_odds_shape(**make_fields(size)) for size in sizes] == [False, True, True, False]


@pytest.mark.parametrize(("length", "is_sound"), [(0, False), (1, True), (100_000, True), (100_001, False)])
def test_a_limits_list_has_at_least_one_character(length, is_sound):
    request = {"game": "optcg", "deck": {}, "limits_list": "#" * length}
    if is_sound:
        validation(request)
    else:
        assert pointers(request) == ["/limits_list"]


@pytest.mark.parametrize("count", [0, -1, 256, 1.5, 0.0, 256.0, True, 1e30, 10**30, "4", None, [], {}])
def test_a_count_is_a_whole_number_from_1_to_255(count):
    request = {"game": "optcg", "deck": {"main": [LINE, {"number": "OP01-016", "count": count}]}}
    assert pointers(request) == ["/deck/main/1/count"]


def test_what_only_equals_a_count_is_none_though_the_line_was_read_before():
    deck_of({"main": [{"number": "OP01-016", "count": 1}, LINE]})
    assert pointers({"game": "optcg", "deck": {"main": [{"number": "OP01-016", "count": True}]}}) == [
        "/deck/main/0/count"
    ]


def test_a_whole_number_may_be_written_with_a_fraction_of_nothing():
    request = {"game": "dbs", "policy": {"side_max": 10.0}, "deck": {"main": [{"number": "BT1-005", "count": 4.0}]}}
    found = validation(request)
    assert [type(one) for one in (found.asked.policy.side_max, found.deck.main[0].count)] == [int, int]
    assert (found.asked.policy.side_max, found.deck.main[0].count) == (10, 4)


@pytest.mark.parametrize(
    ("text", "is_sound"),
    [
        ("n" * 200, True),
        ("n" * 201, False),
        ("n" * 10_000, False),
        ("", False),
        ("   ", False),
        ("Na\x00mi", False),
        ("Na\x1bmi", False),
        ("Na\x7fmi", False),
        ("Nami\n", False),
        ("Na\ud800mi", False),
        ("Na\u00a0mi", True),
        ("ナミ", True),
        (4, False),
        (["OP01-016"], False),
        (True, False),
    ],
)
@pytest.mark.parametrize("key", ["number", "name"])
def test_a_card_is_named_by_a_short_text_that_can_be_written(key, text, is_sound):
    request = {"game": "optcg", "deck": {"main": [{key: text, "count": 1}]}}
    if is_sound:
        assert validation(request).deck.main[0].written == text
    else:
        assert pointers(request) == [f"/deck/main/0/{key}"]


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"deck": []}, "/deck"),
        ({"deck": None}, "/deck"),
        ({"deck": "4 OP01-016"}, "/deck"),
        ({"deck": {"sideboard": []}}, "/deck/sideboard"),
        ({"deck": {"a/b~c": []}}, "/deck/a~1b~0c"),
        ({"deck": {"main": {}}}, "/deck/main"),
        ({"deck": {"main": None}}, "/deck/main"),
        ({"deck": {"main": ["OP01-016"]}}, "/deck/main/0"),
        ({"deck": {"main": [None]}}, "/deck/main/0"),
        ({"deck": {"main": [{"count": 1}]}}, "/deck/main/0"),
        ({"deck": {"main": [{"number": None, "name": None, "count": 1}]}}, "/deck/main/0"),
        ({"deck": {"main": [{"number": "OP01-016"}]}}, "/deck/main/0/count"),
        ({"deck": {"main": [LINE | {"colour": "red"}]}}, "/deck/main/0/colour"),
        ({"deck": {"main": [LINE] * 1001}}, "/deck"),
        ({"deck": {"main": [LINE] * 600, "side": [LINE] * 401}}, "/deck"),
        ({"deck": {"main": [LINE] * 10_000}}, "/deck"),
        ({"decklist": "4 OP01-016"}, "/decklist"),
        ({"ruleset": 5}, "/ruleset"),
        ({"ruleset": ""}, "/ruleset"),
        ({"game": None}, "/game"),
        ({"region": "e" * 201}, "/region"),
        ({"format": ["standard"]}, "/format"),
        ({"on": "yesterday"}, "/on"),
        ({"on": "2026-02-30"}, "/on"),
        ({"on": "20260115"}, "/on"),
        ({"on": "2026-W01-1"}, "/on"),
        ({"on": "9999-12-31"}, "/on"),
        ({"on": "0001-01-01"}, "/on"),
        ({"on": "２０２６-01-15"}, "/on"),
        ({"on": 20260115}, "/on"),
        ({"on": ["2026-01-15"]}, "/on"),
        ({"policy": []}, "/policy"),
        ({"policy": {"side": 3}}, "/policy/side"),
        ({"policy": {"side_max": "3"}}, "/policy/side_max"),
        ({"policy": {"side_max": True}}, "/policy/side_max"),
        ({"policy": {"side_max": -1}}, "/policy/side_max"),
        ({"policy": {"copies_across_side": 1}}, "/policy/copies_across_side"),
        ({"policy": {"release_delay_days": 1e9}}, "/policy/release_delay_days"),
        ({"policy": {"release": 0}}, "/policy/release"),
        ({"policy": {"limits": None}}, "/policy/limits"),
        ({"explain": 1}, "/explain"),
        ({"rulset": "x"}, "/rulset"),
        ({f"entry {number}": 1 for number in range(1000)}, ""),
        ({"deck": {"main": [{f"entry {number}": 1 for number in range(1000)}]}}, "/deck/main/0"),
    ],
)
def test_whatever_is_wrong_is_pointed_at(change, pointer):
    assert pointers({"game": "optcg", "deck": {"main": [LINE]}} | change) == [pointer]


@pytest.mark.parametrize(
    ("request_", "pointer"),
    [
        ({"game": "optcg"}, "/deck"),
        ({"game": "optcg", "decklist": 4}, "/decklist"),
        ({"game": "optcg", "decklist": "x" * 200_001}, "/decklist"),
        ([], ""),
        ("deck", ""),
        (None, ""),
        (4, ""),
    ],
)
def test_what_is_missing_is_pointed_at(request_, pointer):
    assert pointers(request_) == [pointer]


def test_everything_wrong_is_collected_up_to_a_bound():
    bad = {"main": [{"number": "", "count": 0}] * 3, "sideboard": []}
    assert len(pointers({"ruleset": 1, "deck": bad})) == 8
    assert len(pointers({"ruleset": 1, "deck": {"main": [{"number": "", "count": 0}] * 1000}})) == MOST_ERRORS


@pytest.mark.parametrize(
    "text", [b"", b"{", b"nonsense", b'{"count": NaN}', b'"\\ud800"', b"[" * 100_000, b"\xff\xfe", b"{'a': 1}", b"[1,]"]
)
def test_what_is_not_json_is_refused(text):
    with pytest.raises(NotJson):
        parse_json(text)


_TEXTS = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=40).filter(str.strip)
_LINES = st.one_of(
    st.fixed_dictionaries({"number": _TEXTS, "count": st.integers(1, 255)}),
    st.fixed_dictionaries({"name": _TEXTS, "count": st.integers(1, 255)}),
    st.fixed_dictionaries({"number": _TEXTS, "name": _TEXTS, "count": st.integers(1, 255)}),
)


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(SECTIONS), st.lists(_LINES, max_size=10)))
def test_every_sound_deck_is_read_as_it_is_written(data):
    deck = deck_of(data)
    for section in SECTIONS:
        read = [(line.number, line.name, line.count) for line in deck.section(section)]
        assert read == [(one.get("number"), one.get("name"), one["count"]) for one in data.get(section, [])]


_WORDS = ["ruleset", "game", "on", "policy", "deck", "decklist", "main", "leader", "number", "name", "count", "x"]
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(_WORDS), inner, max_size=5),
    max_leaves=20,
)


@given(_JSON)
def test_whatever_json_comes_it_is_read_or_refused(data):
    with contextlib.suppress(Invalid):
        found = validation(data)
        assert found.deck is not None or found.decklist is not None
