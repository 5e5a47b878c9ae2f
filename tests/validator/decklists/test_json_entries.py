"""JSON entries: the number, the name, the count and the section of a card under the keys of any program."""

import json

import pytest

from validator.decklists import parse, parse_each
from validator.decklists.formats import jsonkeys


def read(value):
    """Return the cards of a value as `(section, copies, number, name)`, and its unread lines as `(text, aside)`."""
    deck = parse(json.dumps(value, ensure_ascii=False)).deck
    cards = [(section, line.count, line.number, line.name) for section, line in deck.lines()]
    return cards, [(line.text, line.aside) for line in deck.unread]


NAMI, ROBIN = ("A1-01", "Nami"), ("B1-02", None)


@pytest.mark.parametrize(
    ("value", "cards"),
    [
        # Copies by section, beside numbers and names.
        (
            [{"number": "A1-01", "name": "Nami", "main": 4, "side": 1}, {"name": "Zoro", "main": 2, "side": 0}],
            [("main", 4, *NAMI), ("main", 2, None, "Zoro"), ("side", 1, *NAMI)],
        ),
        (
            [{"number": "A1-01", "main": 4, "side": 1, "count": 5}, {"number": "B1-02", "main": 2, "count": 2}],
            [("main", 4, "A1-01", None), ("main", 2, *ROBIN), ("side", 1, "A1-01", None)],
        ),
        (
            {"A1-01": {"name": "Nami", "qty": 4}, "B1-02": {"main": 1, "side": 1}},
            [("main", 4, *NAMI), ("main", 1, *ROBIN), ("side", 1, *ROBIN)],
        ),
        (
            [{"id": "A1-01", "name": "Nami", "quantity": {"main": 4, "side": 1}}],
            [("main", 4, *NAMI), ("side", 1, *NAMI)],
        ),
        # One of the deck's sections, with an answer or a zone of the entry.
        (
            {
                "main": [
                    {"number": "A1-01", "name": "Nami", "count": 4, "side": True},
                    {"number": "B1-02", "count": 2, "side": False},
                    {"number": "C1-03", "count": 1, "zone": "side", "side": False},
                ]
            },
            [("main", 2, *ROBIN), ("side", 4, *NAMI), ("side", 1, "C1-03", None)],
        ),
        ({"data": {"cards": [{"id": "A1-01", "title": "Nami", "qty": 2}]}}, [("main", 2, *NAMI)]),
        ({"main": [{"card": {"id": "A1-01", "name": "Nami"}, "count": 3}]}, [("main", 3, *NAMI)]),
        ({"leader": "Zoro", "main": "4 Nami"}, [("leader", 1, None, "Zoro"), ("main", 4, None, "Nami")]),
        # Pairs, texts and mappings.
        ({"main": [["A1-01", 4], [2, "B1-02"]]}, [("main", 4, "A1-01", None), ("main", 2, *ROBIN)]),
        ({"main": ["4 A1-01 Nami", "4 A1-01 Nami"]}, [("main", 8, *NAMI)]),
        ({"side": {"A1-01": 2, "B1-02": 1}}, [("side", 2, "A1-01", None), ("side", 1, *ROBIN)]),
        ({"name": "Nami", "count": 4}, [("main", 4, None, "Nami")]),
        ({"number": "A1-01", "name": "Nami"}, [("main", 1, *NAMI)]),
        ({"main": [{"main": ["A1-01"]}]}, [("main", 1, "A1-01", None)]),
        # The one unknown key with a count in each entry but the Leader's.
        (
            {
                "leader": {"name": "Zoro", "y": 3},
                "main": [{"name": name, "x": 2} for name in ("Nami", "Usopp", "Robin")],
            },
            [("leader", 1, None, "Zoro"), *(("main", 2, None, name) for name in ("Nami", "Usopp", "Robin"))],
        ),
    ],
)
def test_read_each_card_with_its_number_and_its_name(value, cards):
    assert read(value) == (cards, [])


@pytest.mark.parametrize(
    ("value", "cards", "unread"),
    [
        # No copies, or copies that are unclear.
        (
            {"main": [{"name": "Nami", "main": 4, "side": 1}, {"name": "Zoro", "main": 0, "side": 0}]},
            [("main", 4, None, "Nami"), ("side", 1, None, "Nami")],
            [({"name": "Zoro", "main": 0, "side": 0}, True)],
        ),
        (
            {"side": [{"number": "A1-01", "main": 4, "side": 0}, {"number": "B1-02", "main": 0, "side": 2}]},
            [("side", 2, *ROBIN)],
            [({"number": "A1-01", "main": 4, "side": 0}, False)],
        ),
        (
            [{"number": "A1-01", "main": 4, "side": 1, "count": 6}, {"number": "B1-02", "main": 2, "side": 1}],
            [("main", 2, *ROBIN), ("side", 1, *ROBIN)],
            [({"number": "A1-01", "main": 4, "side": 1, "count": 6}, False)],
        ),
        (
            {"main": [{"copiesInDeck": 4, "copiesOfCard": 3, "code": "A1-01"}]},
            [],
            [({"copiesInDeck": 4, "copiesOfCard": 3, "code": "A1-01"}, False)],
        ),
        (
            {"main": [{"name": "Nami", "x": 1}, {"name": "Usopp", "x": 2}]},
            [],
            [({"name": "Nami", "x": 1}, False), ({"name": "Usopp", "x": 2}, False)],
        ),
        # Two entries without counts are one copy each, with a remark.
        (
            {"main": [{"name": "Nami"}, {"name": "Nami"}]},
            [("main", 1, None, "Nami"), ("main", 1, None, "Nami")],
            [({"name": "Nami"}, True)],
        ),
        (
            {"main": [{"name": "Nami", "count": 1}, {"name": "Usopp"}]},
            [("main", 1, None, n) for n in ("Nami", "Usopp")],
            [],
        ),
        # Values that are no cards.
        ({"main": ["A1-01", [True, "B1-02"]]}, [("main", 1, "A1-01", None), ("main", 1, *ROBIN)], [(True, False)]),
        ({"main": ["A1-01", {"n": {}}]}, [("main", 1, "A1-01", None)], [({"n": {}}, False)]),
        ({"main": ["A1-01"], "wishes": ["B1-02"]}, [("main", 1, "A1-01", None)], [({"wishes": ["B1-02"]}, False)]),
        ({"main": ["A1-01"], "note": "hello"}, [("main", 1, "A1-01", None)], []),
        ({"main": ["A1-01"], "maybeboard": {"shown": True}}, [("main", 1, "A1-01", None)], []),
        ({"name": "Nami"}, [], [({"name": "Nami"}, False)]),
        ({"Nami": 4}, [], [({"Nami": 4}, False)]),
    ],
)
def test_keep_entries_that_are_not_clear(value, cards, unread):
    found, lines = read(value)
    assert found == cards
    assert [(json.loads(text), is_aside) for text, is_aside in lines] == unread


def test_unread_lines_of_an_answer_have_the_severity_of_an_error():
    lines = [("? B1-02", "error"), ("hello", "warning"), (None, "error")]
    findings = [
        {"code": "line.unread", "severity": severity, **({"details": {"text": text}} if text else {})}
        for text, severity in lines
    ]
    value = {"deck": {"main": ["A1-01"]}, "findings": [*findings, {"code": "card.unknown", "severity": "error"}]}
    assert read(value) == ([("main", 1, "A1-01", None)], [("? B1-02", False)])


@pytest.mark.parametrize(
    ("fields", "number", "name"),
    [
        ({"Nickname": "Nami (OP01-016)"}, "OP01-016", "Nami"),
        ({"Nickname": "Nami", "Description": "OP01-016"}, "OP01-016", "Nami"),
        ({"Nickname": "Nami", "GMNotes": "OP01-016"}, "OP01-016", "Nami"),
        ({"Nickname": "OP01-016 Nami", "CustomDeck": {"1": "OP02-001"}}, "OP01-016", "Nami"),
        ({"Nickname": "Nami"}, None, "Nami"),
    ],
)
def test_an_object_of_tabletop_simulator_is_a_copy(fields, number, name):
    card = {"Name": "Card", "CardID": 100, **fields}
    assert read({"ObjectStates": [card, card]}) == ([("main", 1, number, name)] * 2, [])


@pytest.mark.parametrize("fields", [{"CardID": 100}, {"Nickname": "Nami"}])
def test_an_object_without_an_id_or_a_name_is_no_card_of_tabletop_simulator(fields):
    assert jsonkeys.card_of_object(fields) is None


@pytest.mark.parametrize(
    ("entry", "number"),
    [
        ({"number": " #A1-01#77 "}, "A1-01"),
        ({"number": None, "id": "A1-01"}, "A1-01"),
        ({"set": "OP01", "number": "016"}, "OP01-016"),
        ({"set": "OP01", "number": 16}, "OP01-16"),
        ({"set": "Romance", "number": "016"}, "016"),
        ({"set": "OP01", "number": "x16"}, "x16"),
        ({"number": "", "img": "OP01-016_p1.png"}, "OP01-016_p1"),
        ({"image": "back.png"}, ""),
        ({"number": True}, ""),
        ({}, ""),
    ],
)
def test_the_number_of_an_entry(entry, number):
    assert jsonkeys.entry_number(entry) == number


@pytest.mark.parametrize(
    ("entry", "name", "has_name"),
    [
        ({"name": " Nami "}, "Nami", True),
        ({"name": None, "title": "Nami"}, "Nami", True),
        ({"name": 17}, "17", False),
        ({"name": True}, "", False),
        ({"name": 1.5}, "", False),
        ({}, "", False),
    ],
)
def test_the_name_of_an_entry(entry, name, has_name):
    assert (jsonkeys.entry_name(entry), jsonkeys.has_name(entry)) == (name, has_name)


@pytest.mark.parametrize(
    ("entry", "keys"),
    [
        ({"Card": {"number": "A1-01"}, "count": 4}, {"number": "A1-01", "count": 4}),
        ({"card_data": {"count": 1}, "count": 4}, {"count": 4}),
        ({"card": "A1-01"}, {"card": "A1-01"}),
        ({"copiesInDeck": 4, "code": "A1-01"}, {"copiesindeck": 4, "count": 4, "code": "A1-01"}),
        ({"copiesInDeck": 4, "copiesOfCard": 4}, {"copiesindeck": 4, "copiesofcard": 4, "count": 4}),
        ({"copiesInDeck": 4, "copiesOfCard": 3}, {"copiesindeck": 4, "copiesofcard": 3, "count": [4, 3]}),
        ({"copiesInDeck": 4, "count": 1}, {"copiesindeck": 4, "count": 1}),
        ({"カード番号": "A1-01"}, {"": "A1-01", "number": "A1-01"}),
    ],
)
def test_the_keys_of_an_entry(entry, keys):
    assert jsonkeys.flatten_entry(entry) == keys


@pytest.mark.parametrize(
    ("counts", "is_spread"),
    [
        ({"main": 4, "side": 1}, True),
        ({"main": "4"}, True),
        ({"main": "4444"}, False),
        ({"main": 4.0}, False),
        ({"main": 4, "owned": 1}, False),
        ({}, False),
    ],
)
def test_counts_by_section_within_an_entry(counts, is_spread):
    assert jsonkeys.spread_counts({"held": counts}) == (counts if is_spread else {"held": counts})


def test_only_unknown_keys_can_have_a_count():
    entry = {"n": 4, "x": "4", "most": 255, "over": 256, "zero": 0, "long": "4444", "id": 5, "cost": 3, "flag": True}
    assert jsonkeys.possible_counts(entry) == {"n": 4, "x": 4, "most": 255}


@pytest.mark.parametrize(
    ("key", "role"),
    [
        ("number", "number"),
        ("cardId", "number"),
        ("カード番号", "number"),
        ("title", "name"),
        ("qty", "count"),
        ("copiesInDeck", "count"),
        ("Anzahl", "count"),
        ("zone", None),
        ("img", None),
        ("cost", None),
    ],
)
def test_the_role_of_a_key(key, role):
    assert jsonkeys.key_role(key) == role


@pytest.mark.parametrize(
    ("value", "cell"),
    [(None, ""), (" 4 ", "4"), (0, "0"), (4.0, "4"), (4.5, "4.5"), (True, "?"), ([4], "?"), ({}, "?")],
)
def test_a_value_as_a_cell(value, cell):
    assert jsonkeys.to_cell(value) == cell
    assert jsonkeys.side_answer({"side": value}) == ("yes" if value is True else cell)


@pytest.mark.parametrize(
    ("entry", "has_nested_values"),
    [({"main": []}, True), ({"main": {}}, True), ({"card": {}}, False), ({"main": 1}, False)],
)
def test_entries_that_hold_cards(entry, has_nested_values):
    assert jsonkeys.has_nested_values(entry) is has_nested_values


def test_cards_of_each_deck_have_their_own_line():
    ann, bo = [{"number": "A1-01", "count": 4}], [{"number": "B1-02", "count": 4}, {"number": "A1-01", "count": 1}]
    text = json.dumps({"decks": [{"name": "Ann", "main": ann}, {"name": "Bo", "main": bo}]}, indent=1)
    lines = text.splitlines()
    found = [[(line.number, lines[line.at - 1]) for line in parsed.deck.main] for parsed in parse_each(text)]
    assert [[number for number, _ in cards] for cards in found] == [["A1-01"], ["B1-02", "A1-01"]]
    assert all(number in line for cards in found for number, line in cards)


def test_cards_of_an_answer_have_the_lines_of_its_deck():
    text = '{"findings": [],\n "note": "A1-01",\n "deck": {"main": [\n{"number": "A1-01", "count": 4}]}}'
    assert [line.at for line in parse(text).deck.main] == [4]
