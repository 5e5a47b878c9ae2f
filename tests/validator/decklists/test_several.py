"""Several decks in one text: each is read by itself, the first is the deck, and a single deck stays one."""

import json

import pytest

from validator.decklists import parse, parse_each
from validator.unresolved import unread_finding


def cards(first=30, most=50):
    """Return the lines of a main deck: 4 copies of each number from `first` on."""
    lines, left = [], most
    for at in range(first, 99):
        if left <= 0:
            break
        lines.append(f"{min(4, left)} OP01-0{at}")
        left -= 4
    return "\n".join(lines)


def decks(text, catalogue=None):
    """Return the name of each deck of a text with the number of its cards."""
    return [(one.name, sum(line.count for _, line in one.deck.lines())) for one in parse_each(text, None, catalogue)]


ANN = f"1 OP01-001\n{cards()}"
BOB = f"1 OP01-002\n{cards(50)}"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"Deck 1\n{ANN}\n\nDeck 2\n{BOB}", ["Deck 1", "Deck 2"]),
        (f"Deck A: Red\n{ANN}\nDeck B: Blue\n{BOB}", ["Red", "Blue"]),
        (f"=== Deck #1 - Red ===\n{ANN}\n=== Deck #2 - Blue ===\n{BOB}", ["Red", "Blue"]),
        (f"## Deck 1\n{ANN}\n\n## Deck 2\n{BOB}", ["Deck 1", "Deck 2"]),
        (f"// Deck 1\n{ANN}\n// Deck 2\n{BOB}", ["Deck 1", "Deck 2"]),
        (f"Deck: Red\n{ANN}\n\nDeck: Blue\n{BOB}", ["Red", "Blue"]),
        (f"Player: Ann\nDeck: Red\n{ANN}\nTotal: 51\nPlayer: Bob\nDeck: Blue\n{BOB}", ["Ann, Red", "Bob, Blue"]),
        (f"プレイヤー: 花子\n{ANN}\nプレイヤー: 太郎\n{BOB}", ["花子", "太郎"]),
        (f"- name: Ann\n  main:\n{ANN}\n- name: Bob\n  main:\n{BOB}", ["Ann", "Bob"]),
        (f"{ANN}\nDeck 2\n{BOB}", ["", "Deck 2"]),
        (f"Player: Ann\nDeck: Red\nDeck name: Fire\n{ANN}\nDeck: Blue\n{BOB}", ["Ann, Red", "Blue"]),
        (f"{'a' * 40}\n{ANN}\nDeck 2\n{BOB}", ["a" * 40, "Deck 2"]),
        (f"{'a' * 41}\n{ANN}\nDeck 2\n{BOB}", ["", "Deck 2"]),
    ],
)
def test_titles_part_decks(text, names):
    assert decks(text) == [(name, 51) for name in names]


@pytest.mark.parametrize(
    "text",
    [
        "Leader\n1 OP01-001\nMain Deck\n4 OP01-016\n\nLeader\n1 OP01-002\nMain Deck\n4 OP01-017\n1 OP01-018",
        "Leader (1)\n1 OP01-001\nCharacters (4)\n4 OP01-016\nLeader (1)\n1 OP01-002\nCharacters (5)\n5 OP01-017",
    ],
)
def test_groups_of_leader_and_main_deck_part_decks(text):
    assert decks(text) == [("", 5), ("", 6)]


def test_main_decks_of_a_game_without_leaders_part_decks():
    text = "Ann\nMain Deck\n{}\nSide Deck\n2 OP01-001\n\nBob\nMain Deck\n{}\nSide Deck\n2 OP01-001"
    assert decks(text.format(cards(), cards(50))) == [("Ann", 52), ("Bob", 52)]
    assert decks(text.format(cards(most=34), cards(50))) == [("", 88)]


@pytest.mark.parametrize(
    "text",
    [
        f"{ANN}\n{BOB}",
        f"{ANN}\n\n{BOB}".replace("OP01-001", "OP01-001 Roronoa Zoro"),
        f"{cards()}\n1 OP01-001\n{cards(50)}\n1 OP01-002",
        f"Leader: 1 OP01-001\n{cards()}\nLeader: 1 OP01-002\n{cards(50)}",
        f"{ANN}\n{BOB}".replace(" ", "x"),
        f"{ANN}\n{BOB}".replace(" ", "x").replace("\n", " "),
        json.dumps([number for line in f"{ANN}\n{BOB}".split("\n") for number in [line[2:]] * int(line[0])]),
        "number,count\n" + "\n".join(f"{line[2:]},{line[0]}" for line in f"{ANN}\n{BOB}".split("\n")),
    ],
)
def test_leaders_with_enough_cards_each_part_decks(optcg, text):
    assert [size for _, size in decks(text, optcg)] == [51, 51]


@pytest.mark.parametrize(("first", "second", "sizes"), [(35, 35, [36, 36]), (34, 35, [71]), (35, 34, [71])])
def test_each_of_two_leaders_has_at_least_35_other_cards(optcg, first, second, sizes):
    text = f"1 OP01-001\n{cards(most=first)}\n1 OP01-002\n{cards(50, second)}"
    assert [size for _, size in decks(text, optcg)] == sizes


@pytest.mark.parametrize(
    "text",
    [
        f"1 OP01-001\n1 OP01-002\n{cards()}",
        f"{cards(most=24)}\n1 OP01-001\n1 OP01-002\n{cards(50, 26)}",
        f"1 OP01-001\n{cards(most=34)}\n1 OP01-002\n{cards(50, 34)}",
        f"Leader\n1 OP01-001\n1 OP01-002\nMain Deck\n{cards()}",
        f"Leader\n1 OP01-001\nLeader\n1 OP01-002\nMain Deck\n{cards()}",
        f"Leader\n1 OP01-001\nMain Deck\n{cards()}\nMaybeboard\n1 OP01-002\n{cards(50)}",
    ],
)
def test_two_leaders_over_one_deck_are_one_deck(optcg, text):
    assert len(decks(text, optcg)) == 1


@pytest.mark.parametrize(
    "text",
    [
        f"Deck 1\n{ANN}",
        f"Deck: Red\n{ANN}\nDeck: exported from a site",
        f"Player: Ann\nDeck: Red\nEvent: Open\n{ANN}\nTotal: 51",
        f"Deck: 50\n{ANN}\nDeck: Side Deck\n2 OP01-016",
        f"Main Deck\n{cards()}\nSide Deck\n4 OP01-016",
        "Cost 1\n4 OP01-016\nCost 2\n4 OP01-017",
        "name: Nami\nnumber: OP01-016\nname: Usopp\nnumber: OP01-004",
    ],
)
def test_one_deck_stays_one(text):
    assert len(decks(text)) == 1


_RED = {"leader": [{"number": "OP01-001", "count": 1}], "main": [{"number": "OP01-016", "count": 4}]}
_BLUE = {"leader": [{"number": "OP01-002", "count": 1}], "main": [{"number": "OP01-016", "count": 3}]}


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ([{"name": "a"} | _RED, {"name": "b"} | _BLUE], ["a", "b"]),
        ({"decks": [{"name": "a"} | _RED, {"name": "b"} | _BLUE]}, ["a", "b"]),
        ({"data": {"decks": [_RED, _BLUE]}}, ["", ""]),
        ({"Ann": _RED, "Bob": _BLUE}, ["Ann", "Bob"]),
        ([{"player": "Ann", "name": "x", "deck": _RED}, {"player": "Bob", "decklist": _BLUE}], ["Ann, x", "Bob"]),
        ([{"player": {"name": "Ann"}, "deck": _RED}, {"player": {"name": "Bob"}, "deck": _BLUE}], ["Ann", "Bob"]),
        ({"decks": [{"name": n, "text": f"1xOP01-001\n{c}xOP01-016"} for n, c in (("a", 4), ("b", 3))]}, ["a", "b"]),
        ([{"title": n, "text": f"1xOP01-001\n{c}xOP01-016"} for n, c in (("a", 4), ("b", 3))], ["a", "b"]),
        (
            [{"file": "a.txt", "deck": _RED, "findings": []}, {"file": "b", "deck": _BLUE, "findings": []}],
            ["a.txt", "b"],
        ),
    ],
)
def test_decks_of_a_json_are_apart(value, names):
    found = decks(json.dumps(value, indent=1))
    assert found == list(zip(names, (5, 4), strict=True))


@pytest.mark.parametrize(
    "value",
    [
        [{"name": "a"} | _RED, {"name": "b"} | _BLUE, {"name": "c", "pile": _RED["main"]}, {"note": "no deck"}],
        {"a": _RED, "b": _BLUE, "c": {"pile": _RED["main"]}, "id": "550e8400-e29b-41d4-a716-446655440000"},
    ],
)
def test_cards_of_an_unknown_section_beside_two_decks_are_reported(value):
    found = parse_each(json.dumps(value), None, None)
    assert [(one.name, len(one.deck.unread)) for one in found] == [("a", 0), ("b", 0), ("c", 1)]


def test_an_entry_beside_one_deck_is_reported():
    deck = parse(json.dumps([{"name": "a"} | _RED, {"note": "x"}])).deck
    assert (len(deck.main), [line.text for line in deck.unread]) == (1, ['{"note": "x"}'])


@pytest.mark.parametrize(
    "value",
    [
        [{"leader": _RED["leader"]}, {"main": _RED["main"]}],
        [{"type": "Character", "cards": _RED["main"]}, {"type": "Event", "cards": _BLUE["main"]}],
        [{"cost": 1, "cards": _RED["main"]}, {"cost": 2, "cards": _BLUE["main"]}],
        [{"name": "Main Deck", "cards": _RED["main"]}, {"name": "Side Deck", "cards": _BLUE["main"]}],
        {"main": {"OP01-016": 4}, "side": {"OP01-017": 2}},
        {"decks": [{"name": "a"} | _RED]},
        [{"card": {"number": "OP01-016"}, "count": 4}, {"card": {"number": "OP01-017"}, "count": 4}],
    ],
)
def test_parts_of_a_json_deck_are_one_deck(value):
    assert len(decks(json.dumps(value))) == 1


def test_the_first_deck_is_taken_and_a_finding_names_all():
    deck = parse(f"Deck: Red\n{ANN}\nDeck: Blue\n{BOB}\n1 OP01-099").deck
    assert deck.main[0].number == "OP01-001"
    (line,) = deck.unread
    found = unread_finding(line)
    assert (found.code, found.severity, found.line) == ("list.several", "error", 17)
    assert found.details["decks"] == ({"name": "Red", "cards": 51}, {"name": "Blue", "cards": 52})


def test_lines_keep_their_numbers_in_each_deck():
    _, second = parse_each(f"Deck: Red\n{ANN}\nDeck: Blue\n{BOB}\nwhat is this")
    lines = [line.at for _, line in second.deck.lines()]
    assert lines == [*range(17, 17 + len(lines))]
    assert [line.at for line in second.deck.unread] == [lines[-1] + 1]


def test_unread_lines_stay_with_the_first_of_several_leaders(optcg):
    rows = [f"{line[2:]},{line[0]}" for line in f"{ANN}\n{BOB}".split("\n")]
    first, second = parse_each("\n".join(["number,count", *rows, "OP01-099,some"]), None, optcg)
    assert [(line.at, line.text) for line in first.deck.unread] == [(30, "OP01-099,some")]
    assert (len(list(first.deck.lines())), second.deck.unread) == (14, ())


def test_a_total_below_a_deck_is_of_that_deck(optcg):
    first, second = parse_each(f"Anna K\n{ANN}\nTotal: 51\n\nBert K\n{BOB}\nTotal: 50 cards", None, optcg)
    assert [(one.name, one.deck.unread) for one in (first, second)] == [("Anna K", ()), ("Bert K", ())]


@pytest.mark.parametrize(("key", "expected"), [("decklist", [("Ann", 51), ("Bob", 51)]), ("notes", [])])
def test_decks_as_texts_under_names_are_found_by_their_key(key, expected):
    value = json.dumps({"Ann": {key: ANN, "seat": 1}, "Bob": {key: BOB, "seat": 2}})
    assert [found for found in decks(value) if found[1]] == expected


@pytest.mark.parametrize("around", [lambda each: {"decks": each}, lambda each: each])
def test_decks_of_a_json_that_have_nothing_but_cards(around):
    value = around([{"cards": {"OP01-016": 4}}, {"cards": {"OP01-017": 3}}])
    assert [size for _, size in decks(json.dumps(value))] == [4, 3]


def test_titles_between_the_rows_of_a_table_part_decks():
    rows = "Number,Count\n{}OP01-016,4\n{}OP01-017,3"
    assert decks(rows.format("Deck 1,\n", "Deck 2,\n"))[1] == ("Deck 2", 3)
    assert [size for _, size in decks(rows.format("", "Deck 2,\n"))] == [4, 3]
    assert [size for _, size in decks(rows.format("Deck 1,\n", "Main Deck,\n"))] == [7]


def test_titles_over_rows_without_headings_of_columns_part_decks():
    text = "== Deck 1 ==\nOP01-016\t4\nOP01-017\t4\n\n== Deck 2 ==\nOP01-016\t3\nOP01-017\t3"
    assert [size for _, size in decks(text)] == [8, 6]
