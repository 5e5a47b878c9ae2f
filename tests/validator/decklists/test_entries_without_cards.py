"""JSON with entries that hold no card: each is told, and none of the others is lost."""

import json

import pytest

from validator.decklists import parse

FOUR = {"number": "OP01-003", "count": 4}


@pytest.mark.parametrize(
    ("document", "unread"),
    [
        ({"main": [FOUR, {"note": "x"}]}, ['{"note": "x"}']),
        ({"main": [FOUR, {"about": {"a": "b"}}]}, ['{"about": {"a": "b"}}']),
        ({"deck": {"main": {"OP01-003": 4}, "side": {}}}, []),
        ({"deck": {"main": {"OP01-003": 4}, "side": {"empty": {}}}}, ['{"empty": {}}']),
        ({"main": {"OP01-003": 4}, "notes": {"a": "b"}}, []),
        ([FOUR, {"group": {"cards": [FOUR]}}], [json.dumps({"group": {"cards": [FOUR]}})]),
        ({"main": [{"group": "Characters", "cards": [FOUR]}, {"group": "Events", "cards": []}]}, []),
        ({"name": "Red", "main": [FOUR]}, []),
        ({"main": [{**FOUR, "count": 0}, FOUR]}, None),
        ({"main": [{"OP01-003": 0}, FOUR]}, None),
    ],
)
def test_what_holds_no_card_is_told(document, unread):
    deck = parse(json.dumps(document), "optcg").deck
    assert [(section, line.number, line.count) for section, line in deck.lines()] == [("main", "OP01-003", 4)]
    if unread is not None:
        assert [line.text for line in deck.unread] == unread
