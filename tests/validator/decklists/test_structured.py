"""Links, JSON and tables."""

import base64
import json
from collections import Counter

import pytest

from tests.shared import shared_path
from validator.decklists import parse
from validator.numbers import normal
from validator.unresolved import unread_finding


def sections(text, catalogue=None):
    deck = parse(text, catalogue=catalogue).deck
    return " ".join(f"{section}:{line.count}x{line.written}" for section, line in deck.lines())


def unread(text):
    return [(line.at, line.text) for line in parse(text).deck.unread]


def _records(format):
    with shared_path("decks/optcg_decks.jsonl").open(encoding="utf-8") as file:
        records = [record for record in map(json.loads, file) if record["format"] == format]
    assert len(records) > 50
    return records


@pytest.mark.parametrize("format", ["onepiece-cardgame.dev-url", "egman-url", "name-and-id-text", "nemesis312-json"])
def test_every_real_deck_is_read_as_it_was_recorded(format):
    for record in _records(format):
        raw = record["raw"]
        parsed = parse(raw if isinstance(raw, str) else json.dumps(raw))
        found, recorded = Counter(), Counter()
        for line in parsed.deck.main:
            found[normal(line.number)[0]] += line.count
        for line in record["lines"]:
            recorded[line["number"]] += line["count"]
        assert found == recorded, record["id"]
        assert parsed.deck.unread == ()


@pytest.mark.parametrize(
    ("link", "format"),
    [
        ("https://deckbuilder.egmanevents.com/?deck=OP12-001:1,OP01-016_p1:4&type=optcg", "egman-url"),
        ("?deck=OP12-001:1,OP01-016_p1:4", "egman-url"),
        ("deckbuilder.egmanevents.com/?deck=OP12-001:1,OP01-016_p1:4,", "egman-url"),
        ("My deck: https://gumgum.gg/deckbuilder?deck=1xOP12-001;4xOP01-016_p1", "gumgum-url"),
        ("https://gumgum.gg/deckbuilder?deck=1xOP12-001%3B4xOP01-016_p1", "gumgum-url"),
        ("<https://gumgum.gg/deckbuilder?deck=1xOP12-001;4xOP01-016_p1>", "gumgum-url"),
        ("[Deck](https://gumgum.gg/deckbuilder?deck=1xOP12-001;4xOP01-016_p1).", "gumgum-url"),
        ("https://deckbuilder.egmanevents.com/?type=optcg&amp;deck=OP12-001:1,OP01-016_p1:4", "egman-url"),
        ("https://www.cardkaizoku.com/deckbuilder?view=deck&deck=1xOP12-001%7C4xOP01-016_p1", "cardkaizoku-url"),
        (
            "https://deckbuilder.cardkaizoku.com/?deck=" + base64.b64encode(b'{"OP12-001":1,"OP01-016_p1":4}').decode(),
            "cardkaizoku-base64-url",
        ),
        (
            "https://onepiecetopdecks.com/deck-list/deckgen?dn=Red%20Rayleigh&date=9/21/2025&cn=NA&au=A%20B"
            "&pl=1st%20Place&dg=1nOP12-001a4nOP01-016_p1",
            "onepiecetopdecks-url",
        ),
        ("https://onepiece-cardgame.dev/builder?d=2D4OP12130001*4OP01432016P1_", "onepiece-cardgame.dev-url"),
    ],
)
def test_a_link_is_unpacked(link, format):
    parsed = parse(link)
    assert parsed.format == format
    assert [(line.count, line.number) for line in parsed.deck.main] == [(1, "OP12-001"), (4, "OP01-016_p1")]
    assert parsed.deck.unread == ()


def test_pictures_of_don_cards_are_no_numbers():
    text = "https://onepiece-cardgame.dev/builder?d=2D3DON230don850Luffy*4OP12130001_"
    assert sections(text) == "main:1xOP12-001 don:2xDON!! don:8xDON!!"


def test_what_stands_beside_a_link_is_kept():
    text = "# mine\nfor Sunday\n?deck=OP12-001:1,OP01-016:4\n?deck=OP12-001:1"
    assert sections(text) == "main:1xOP12-001 main:4xOP01-016"
    assert unread(text) == [(2, "for Sunday"), (4, "?deck=OP12-001:1")]


def test_a_list_that_mentions_a_link_is_a_list():
    text = "4xOP01-016\n2 Nami\nhttps://gumgum.gg/deckbuilder?deck=1xOP12-001"
    assert (parse(text).format, sections(text)) == ("text", "main:4xOP01-016 main:2xNami")


@pytest.mark.parametrize(("beside", "format"), [(19, "gumgum-url"), (20, "text")])
def test_a_link_beside_more_than_19_lines_is_only_mentioned(beside, format):
    text = "for Sunday\n" * beside + "https://gumgum.gg/deckbuilder?deck=1xOP12-001"
    assert parse(text).format == format


def test_absurd_counts_in_a_link_are_kept_as_unread():
    parsed = parse("?deck=OP12-001:0,OP01-016:4,OP01-017:999")
    assert [line.number for line in parsed.deck.main] == ["OP01-016"]
    assert len(parsed.deck.unread) == 2


def test_a_packed_link_cannot_grow_without_end():
    marks = "".join(map(chr, range(200, 260)))
    bomb = "".join(mark * 2 for mark in marks)
    assert parse(f"https://onepiece-cardgame.dev/builder?d=2D{bomb}AAAA\1{marks}_").deck.main == ()


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (
            {"leader": [{"number": "A1-01", "count": 1}], "main": [{"name": "Usopp", "count": 2}]},
            "leader:1xA1-01 main:2xUsopp",
        ),
        (
            {"deck": {"leader": [{"number": "A1-01", "count": 1}], "z": [{"number": "B1-02", "count": 2}]}},
            "leader:1xA1-01 z:2xB1-02",
        ),
        ({"decklist": "Leader\n1 A1-01\n4xB1-02"}, "leader:1xA1-01 main:4xB1-02"),
        ({"leader": "A1-01", "mainDeck": ["4xB1-02", "C1-03", "C1-03"]}, "leader:1xA1-01 main:4xB1-02 main:2xC1-03"),
        ({"leader": {"cardId": "A1-01", "name": "Zoro", "count": 1}, "mainDeck": []}, "leader:1xA1-01"),
        ({"leader": "Zoro", "don": [{"name": "DON!!", "count": 10}]}, "leader:1xZoro don:10xDON!!"),
        (
            {"leader_number": "A1-01", "main_deck_cards": {"B1-02": 4}, "side_deck_cards": {"B1-02": 1}},
            "leader:1xA1-01 main:4xB1-02 side:1xB1-02",
        ),
        (
            {
                "cards": [
                    {"cardId": "A1-01", "zone": "leader", "quantity": 1},
                    {"cardId": "B1-02", "zone": "z", "quantity": 2},
                ]
            },
            "leader:1xA1-01 z:2xB1-02",
        ),
        (
            {
                "deck_leader": {"card_number": "A1-01"},
                "deck_cards": [{"amount_in_deck": 4, "card_data": {"card_number": "B1-02"}}],
            },
            "leader:1xA1-01 main:4xB1-02",
        ),
        ({"A1-01": 1, "B1-02": 4}, "main:1xA1-01 main:4xB1-02"),
        ({"side": {"A1-01": {"count": 2, "name": "Nami"}, "B1-02": {"count": 1}}}, "side:2xA1-01 side:1xB1-02"),
        ([{"カード番号": "A1-01", "カード名": "ナミ", "枚数": 4}], "main:4xA1-01"),
        (
            {"ok": True, "data": {"deck": {"leader": "A1-01", "list": "4 B1-02\n2 C1-03"}}},
            "leader:1xA1-01 main:4xB1-02 main:2xC1-03",
        ),
        ([{"Qty": "4", "cardnum": "#A1-01"}, {"Qty": 2.0, "cardnum": "B1-02#7"}], "main:4xA1-01 main:2xB1-02"),
        (
            [{"number": "A1-01", "count": 4, "copiesInDeck": 2}, {"number": "B1-02", "count": 1, "ownedCopies": 9}],
            "main:4xA1-01 main:1xB1-02",
        ),
        ({"decks": [{"name": "Ann", "list": "4 B1-02\n2 C1-03"}]}, "main:4xB1-02 main:2xC1-03"),
        ([{"player": "Ann", "deck": "4 B1-02\n2 C1-03"}], "main:4xB1-02 main:2xC1-03"),
        (["Exported from somewhere", "A1-01", "B1-02", "A1-01"], "main:2xA1-01 main:1xB1-02"),
        (
            {
                "leader": [{"count": 1, "set": "OP17", "number": "058", "name": "Kaido"}],
                "character": [{"count": 4, "set": "EB04", "number": 32}, {"count": 2, "set": "P", "number": "001_p1"}],
                "event": [{"count": 3, "set": "OP17", "number": "OP17-076"}],
            },
            "leader:1xOP17-058 main:4xEB04-32 main:2xP-001_p1 main:3xOP17-076",
        ),
        ([{"count": 4, "set": "Romance Dawn", "number": "OP01-016"}], "main:4xOP01-016"),
        (
            {
                "legal": False,
                "catalogue": {"cards": 21},
                "findings": [{"code": "copies.exceeded", "cards": [{"number": "B1-02", "count": 5}]}, {}, 7],
                "deck": {
                    "leader": [{"number": "A1-01", "name": None, "count": 1}],
                    "main": [{"name": "Usopp", "count": 2}],
                },
                "checked": [{"rule": {"name": "copies"}}],
            },
            "leader:1xA1-01 main:2xUsopp",
        ),
        ({"name": "Red", "author": "Ann", "tags": ["a"], "main": [{"number": "A1-01", "count": 1}]}, "main:1xA1-01"),
    ],
)
def test_json_of_any_program_is_read(value, found):
    text = json.dumps(value)
    assert sections(text) == found
    assert unread(text) == []
    assert sections(json.dumps(value, indent=2)) == found


@pytest.mark.parametrize(
    "key",
    [
        "cardCount",
        "quantityInDeck",
        "number_of_copies",
        "deckCount",
        "Anzahl",
        "cantidad",
        "枚数",
        "num",
        "n",
        "total",
        "Q",
    ],
)
def test_the_count_of_a_json_card_may_be_called_anything(key):
    cards = [{"code": "A1-01", "cost": 5}] + [{"code": f"B1-0{n}", "cost": 2, key: n} for n in (4, 3, 2)]
    assert sections(json.dumps(cards)) == "main:1xA1-01 main:4xB1-04 main:3xB1-03 main:2xB1-02"
    assert unread(json.dumps(cards)) == []


def test_whole_numbers_that_cannot_be_the_count_are_none():
    copies = [{"code": "B1-02", "slot": at} for at in range(1, 4)] + [{"code": "B1-03", "slot": 4}]
    assert sections(json.dumps(copies)) == "main:1xB1-02 main:1xB1-02 main:1xB1-02 main:1xB1-03"
    facts = [{"code": f"B1-0{n}", "cost": n, "power": 10, "index": n} for n in (4, 3, 2)]
    assert sections(json.dumps(facts)) == "main:1xB1-04 main:1xB1-03 main:1xB1-02"


@pytest.mark.parametrize("keys", [("deckCount", "ownedCount"), ("played", "owned")])
def test_of_two_whole_numbers_that_may_be_the_count_neither_is_taken(keys):
    cards = [{"code": f"B1-0{n}"} | dict(zip(keys, (n, 9), strict=True)) for n in (4, 3, 2)]
    assert sections(json.dumps(cards)) == ""
    assert len(unread(json.dumps(cards))) == 3


def test_a_table_of_tabletop_simulator_is_read():
    def card(name, told):
        return {"Name": "Card", "Nickname": name, "Description": told, "CardID": 100, "GMNotes": ""}

    pile = {"Name": "DeckCustom", "Nickname": "", "DeckIDs": [100], "ContainedObjects": [card("Nami", "OP01-016")] * 2}
    save = {"SaveName": "", "ObjectStates": [card("OP01-001 Zoro", ""), pile]}
    assert [(line.number, line.name) for line in parse(json.dumps(save)).deck.main] == [
        ("OP01-001", "Zoro"),
        ("OP01-016", "Nami"),
        ("OP01-016", "Nami"),
    ]
    assert unread(json.dumps(save)) == []


def test_what_an_answer_says_was_not_read_is_not_forgotten():
    first = parse("4 A1-01\n? B1-02\nhello")
    findings = [unread_finding(line).as_dict() for line in first.deck.unread]
    again = parse(json.dumps({"findings": findings, "deck": {"main": [{"number": "A1-01", "count": 4}]}}))
    assert [(line.count, line.number) for line in again.deck.main] == [(4, "A1-01")]
    assert [(line.text, line.may_be_card) for line in again.deck.unread] == [("? B1-02", True)]


def test_json_cards_know_their_line():
    value = {"leader": [{"number": "A1-01", "count": 1}], "main": [{"number": "B1-02", "count": 4}]}
    deck = parse(json.dumps(value, indent=1)).deck
    assert [line.at for _, line in deck.lines()] == [4, 10]


@pytest.mark.parametrize("between", ["\t", ";"])
def test_tables_beside_each_other_are_one_deck(between):
    rows = ("Qty,Card,Qty,Card", "1,A1-01,4,B1-02", "2,B1-03,3,B1-04", "2,B1-05,,")
    deck = parse("\n".join(row.replace(",", between) for row in rows)).deck
    found = [(line.count, line.number) for line in deck.main]
    assert found == [(1, "A1-01"), (4, "B1-02"), (2, "B1-03"), (3, "B1-04"), (2, "B1-05")]
    assert deck.unread == ()


@pytest.mark.parametrize(
    "entry",
    [
        {"number": "A1-01", "count": True},
        {"number": "A1-01", "count": None},
        {"number": "A1-01", "count": 1.5},
        {"number": "A1-01", "count": 0},
        {"number": "A1-01", "count": -4},
        {"number": "A1-01", "count": 256},
        {"number": "A1-01", "count": 10**400},
        {"number": "A1-01", "count": "four"},
        {"count": 4},
        {"number": "", "count": 4},
        {"colour": "red"},
        {"number": "A1-01", "count": 1, "zone": "maybe"},
        7,
        "a note",
    ],
)
def test_json_that_is_no_card_is_kept_with_a_reason(entry):
    deck = parse(json.dumps({"main": [entry, {"number": "B1-02", "count": 1}]})).deck
    assert [line.number for line in deck.main] == ["B1-02"]
    assert len(deck.unread) == 1
    assert deck.unread[0].reason


def test_an_unknown_section_with_cards_is_kept():
    assert len(unread('{"main": ["A1-01"], "maybeboard": ["B1-02"]}')) == 1


def test_a_key_of_a_json_deck_is_a_number_or_a_name(optcg):
    text = json.dumps({"main": {"Streusen": 4, "OP01-016 Nami": 2, "op01-017": 1, "OP01-O19": 3, "No Such Card": 2}})
    assert [(line.count, line.number, line.name) for line in parse(text, catalogue=optcg).deck.main] == [
        (4, None, "Streusen"),
        (2, "OP01-016", "Nami"),
        (1, "op01-017", None),
        (3, "OP01-O19", None),
        (2, "No Such Card", None),
    ]


def test_statistics_in_json_are_no_cards():
    text = '{"main": {"A1-01": 4}, "cost": {"1": 4, "2": 8}, "counter": "1000", "red": {"1": 12}}'
    assert sections(text) == "main:4xA1-01"
    assert unread(text) == []


@pytest.mark.parametrize(
    "text",
    [
        '{"main": [{"number": "A1-01", "count": NaN}]}',
        '{"main": ["A1-01"], "main": ["B1-02"]}',
        '{"main": [',
        "[" * 100_000,
        '{"a":' * 30_000,
        '{"main": [{"number": "A1-01", "count": ' + "9" * 5000 + "}]}",
        "{}",
        "[]",
        '{"main": 50}',
    ],
)
def test_json_without_a_card_is_kept_as_unread(text):
    parsed = parse(text)
    assert parsed.format == "json"
    assert list(parsed.deck.lines()) == []
    assert [line.at for line in parsed.deck.unread] == [1]


def test_a_second_link_in_a_line_is_kept():
    first, second = (f"https://gumgum.gg/deckbuilder?deck=1x{number}" for number in ("OP12-001", "OP01-001"))
    assert sections(f"{first} or {second}") == "main:1xOP12-001"
    assert unread(f"{first} or {second}") == [(1, f"or {second}")]


@pytest.mark.parametrize(
    "text", ['{"main": [["OP01-016", 4]]}', '[[4, "OP01-016"]]', '```json\n[["OP01-016", 4]]\n```']
)
def test_a_card_in_json_may_be_a_pair(text):
    assert sections(text) == "main:4xOP01-016"


def test_json_too_deep_for_a_deck_is_kept_as_unread():
    text = '{"deck":' * 50 + '["A1-01"]' + "}" * 50
    assert len(parse(text).deck.unread) == 1


def test_half_characters_do_not_leave_the_reader():
    deck = parse('{"main": [{"name": "\\ud83d Nami", "count": 1}]}').deck
    assert deck.main[0].name.encode("utf-8")


@pytest.mark.parametrize(
    ("rows", "format", "found"),
    [
        ("Qty,Card\n4,Nami\n2,Usopp", "csv", "main:4xNami main:2xUsopp"),
        ('quantity,card name\n2,"Son Goku, Hope"', "csv", "main:2xSon Goku, Hope"),
        (
            "Card Number;Count;Board\nA1-01;1;Leader\nB1-02;4;Main Deck\nC1-03;2;Side",
            "csv",
            "leader:1xA1-01 main:4xB1-02 side:2xC1-03",
        ),
        ("copies\tcard id\tname\n4\tA1-01\tNami", "tsv", "main:4xA1-01"),
        (
            "Sektion,Number,Qty\nLeader,A1-01,1\nMain Deck,B1-02,4\nSide Deck,C1-03,2",
            "csv",
            "leader:1xA1-01 main:4xB1-02 side:2xC1-03",
        ),
        ("Name,Amount,Sideboard\nNami,4,FALSE\nUsopp,2,TRUE", "csv", "main:4xNami side:2xUsopp"),
        ("Qty,Card,Sideboard,Companion\n4,Nami,,\n2,Usopp,Yes,", "csv", "main:4xNami side:2xUsopp"),
        ("code,name,type,qty\nA1-01,Zoro,Leader,1\nB1-02,Nami,Character,4", "csv", "leader:1xA1-01 main:4xB1-02"),
        ("Card,Qty\nNami (OP01-016),4\nOP01-017,2.0", "csv", "main:4xOP01-016 main:2xOP01-017"),
        ("zone|count|number\nleader|1|A1-01", "csv", "leader:1xA1-01"),
        ("qty,card\nLeader,\n1,Zoro\nMain Deck,\n4,Nami\n,\nTotal,51", "csv", "leader:1xZoro main:4xNami"),
        ("qty,card\n# the rest\n4,Nami", "csv", "main:4xNami"),
        ("4,OP01-016,Nami\n1,OP01-017,Usopp", "csv", "main:4xOP01-016 main:1xOP01-017"),
        ("1,OP01-016\n2,OP01-017", "csv", "main:1xOP01-016 main:2xOP01-017"),
        ("OP01-016\t4\nOP01-017\t2", "tsv", "main:4xOP01-016 main:2xOP01-017"),
        ("4,Nami\n2,Usopp", "csv", "main:4xNami main:2xUsopp"),
        ("Nami;4x\nUsopp;x2", "csv", "main:4xNami main:2xUsopp"),
        ("﻿Qty,Card\r\n4,Nami\r\n", "csv", "main:4xNami"),
        ("Qty,Card,Player_Name\n4,Nami,Ann\n2,Usopp,Ann", "csv", "main:4xNami main:2xUsopp"),
        ("section\tqty\tcard\nside\t2\tNami\n\t4\tUsopp", "tsv", "main:4xUsopp side:2xNami"),
        ("| Qty | Card |\n|---:|:---|\n| 4 | Nami |\n| | |\n| 2 | Usopp |", "csv", "main:4xNami main:2xUsopp"),
        ("Player: Ann\n\nQty,Card\n4,Nami", "csv", "main:4xNami"),
        ("Anzahl;Karte;Kartennummer\n4;Nami;A1-01", "csv", "main:4xA1-01"),
        ("Numéro,Nom,Quantité\nA1-01,Nami,4", "csv", "main:4xA1-01"),
        ("Cantidad\tNombre\n4\tNami", "tsv", "main:4xNami"),
        ("カード番号,カード名,枚数\nA1-01,ナミ,4", "csv", "main:4xA1-01"),
        ("Section,Qty,Name\nDeck,4,Nami\nSide Deck,2,Usopp", "csv", "main:4xNami side:2xUsopp"),
        ("Name;Qty;Type\nNami;4;Character\nRadical Beam;2;Event\nTotal;6;", "csv", "main:4xNami main:2xRadical Beam"),
        ("Type\tQty\tName\nEvent\t4\tRadical Beam\nTotal\t4", "tsv", "main:4xRadical Beam"),
        ("Quantité;Nom;N°\n4;Nami;A1-01", "csv", "main:4xA1-01"),
        ("卡号,数量,分区\nA1-01,4,主牌组\nB1-02,2,副牌组", "csv", "main:4xA1-01 side:2xB1-02"),
        ("sep=;\nQty;Card\n4;Nami, Navigator\n2;Usopp, Sniper", "csv", "main:4xNami, Navigator main:2xUsopp, Sniper"),
        ("1,A1-01,4\n2,B1-02,4\n3,C1-03,2", "csv", "main:4xA1-01 main:4xB1-02 main:2xC1-03"),
    ],
)
def test_a_table_is_read(rows, format, found):
    assert parse(rows).format == format
    assert sections(rows) == found
    assert unread(rows) == []


@pytest.mark.parametrize(
    "titles",
    [
        "Card Number,Name,Deck Qty",
        "Number,Name,Number of copies in deck",
        "Number,Product Name,Card Count",
        "Number,Name,Copies in Deck",
        "Number,Name,In Deck",
        "Number,Name,Have",
        "Number,Name,#",
        "Number,Name,",
        "Number,Card,Main",
    ],
)
def test_a_column_of_counts_may_be_called_anything(titles):
    rows = f"{titles}\nOP01-016,Nami,4\nOP01-017,Nico Robin,3\nOP01-024,Luffy,2"
    assert sections(rows) == "main:4xOP01-016 main:3xOP01-017 main:2xOP01-024"


def test_numbers_printed_on_cards_are_no_counts_whatever_their_column():
    rows = "Number,Name,Cost,Counter\nOP01-016,Nami,1,1000\nOP01-017,Nico Robin,3,1000\nOP01-024,Luffy,2,1000"
    assert sections(rows) == "main:1xOP01-016 main:1xOP01-017 main:1xOP01-024"
    copies = "Number,Name,Slot\nOP01-016,Nami,1\nOP01-016,Nami,2\nOP01-017,Robin,3"  # a row for each copy
    assert sections(copies) == "main:1xOP01-016 main:1xOP01-016 main:1xOP01-017"


@pytest.mark.parametrize("titles", ["Number,Name,Total Quantity,Add to Quantity", "Number,Name,Have,Need"])
def test_of_two_columns_that_may_be_the_count_neither_is_taken(titles):
    rows = f"{titles}\nOP01-016,Nami,4,2\nOP01-017,Robin,3,2\nOP01-024,Luffy,2,2"
    assert sections(rows) == "main:2xOP01-024"
    assert [at for at, _ in unread(rows)] == [2, 3]


@pytest.mark.parametrize(
    "titles", ["Quantity,Name,Simple Name,Card Number", "Qty,Card Name,Set Name,Number", "Qty,Product Name,Set,Number"]
)
def test_the_name_of_a_set_or_a_product_is_no_players(titles):
    rows = f"{titles}\n4,Nami,Romance Dawn,OP01-016\n2,Usopp,Paramount War,OP02-002"
    assert sections(rows) == "main:4xOP01-016 main:2xOP02-002"
    assert unread(rows) == []


def test_a_table_without_headings_may_say_the_sections():
    rows = "leader\t1\tZoro\tOP01-001\nmain\t4\tNami\tOP01-016\nside\t2\tUsopp\tOP02-002"
    assert sections(rows) == "leader:1xOP01-001 main:4xOP01-016 side:2xOP02-002"
    assert [line.name for _, line in parse(rows).deck.lines()] == ["Zoro", "Nami", "Usopp"]


def test_the_types_of_cards_in_a_table_leave_them_where_a_heading_puts_them():
    text = "Main Deck\nBT1-003 | Extra | 4\nBT1-004 | Battle | 4\nSide Deck\nBT1-005 | Battle | 2"
    assert sections(text) == "main:4xBT1-003 main:4xBT1-004 side:2xBT1-005"


def test_of_several_columns_the_names_of_the_numbers_are_the_names(optcg):
    rows = "Red\t4\tNami\tOP01-016\nRed\t2\tUsopp\tOP01-004"
    assert [line.name for line in parse(rows, catalogue=optcg).deck.main] == ["Nami", "Usopp"]


def test_a_column_that_numbers_the_rows_names_no_card():
    deck = parse("1,A1-01,4,Nami\n2,B1-02,4,Usopp\n3,C1-03,2,Zoro").deck
    assert [line.name for line in deck.main] == ["Nami", "Usopp", "Zoro"]


def test_rows_of_a_table_that_are_no_cards_are_kept():
    rows = 'qty,card,board\n0,Nami,\n,Usopp,\nfour,Zoro,\n4,,\n4,Sanji,maybe\n4,"Chopper\n4,Robin,side'
    assert [at for at, _ in unread(rows)] == [2, 3, 4, 5, 6]
    assert sections(rows) == "main:4xChopper side:4xRobin"


def test_keep_a_line_with_an_unknown_delimiter():
    assert unread("sep=x\nQty;Card\n4;Nami\n2;Usopp") == [(1, "sep=x")]


def test_what_stands_above_a_table_is_kept():
    rows = "Red Zoro, Ann\nQty,Card\n4,Nami"
    assert (sections(rows), unread(rows)) == ("main:4xNami", [(1, "Red Zoro, Ann")])


@pytest.mark.parametrize(
    "text",
    [
        "## Leader\n\n| Qty | Number |\n|---|---|\n| 1 | BT1-001 |\n\n## Side Deck (2)\n\n| Number | Qty |\n"
        "|---|---|\n| BT1-002 | 2 |",
        "Leader\nQty,Number\n1,BT1-001\n# Side\nQty,Number\n2,BT1-002",
    ],
)
def test_each_section_may_have_a_table_of_its_own(text):
    assert sections(text) == "leader:1xBT1-001 side:2xBT1-002"
    assert unread(text) == []


def test_of_two_columns_of_numbers_nobody_knows_the_counts():
    rows = "OP01-016,Nami,1,4\nOP01-017,Robin,3,4"
    assert sections(rows) == ""
    assert [at for at, _ in unread(rows)] == [1, 2]


@pytest.mark.parametrize("price", ["€3,50", "3,50 €", "$ 1,250"])
def test_the_cents_of_a_price_are_no_count(price):
    assert sections(f"4 OP01-016 Nami {price}\n2 OP01-017 Robin {price}") == "main:4xOP01-016 main:2xOP01-017"
    assert "50x" not in sections(f"OP01-016 Nami {price}")


def test_only_the_first_player_of_a_table_is_read():
    rows = "Qty,Card,Player_Name\n4,Nami,Ann\n4,Usopp,Bo\n2,Zoro,Ann"
    assert sections(rows) == "main:4xNami main:2xZoro"
    assert unread(rows) == [(3, "Bo")]


def test_a_row_without_a_name_is_of_the_player_above_if_only_the_first_row_has_the_name():
    head = "Player,Number,Count\nAnn,OP01-001,1\n"
    assert sections(f"{head},OP01-016,4\nBo,OP01-017,2") == "main:1xOP01-001 main:4xOP01-016"
    assert unread(f"{head}Ann,OP01-017,4\n,OP01-016,4") == [(4, ",OP01-016,4")]


def test_names_with_commas_are_no_table():
    assert parse("4 Son Goku, Hope\n2 Vegeta, Pride").format == "names"


def test_an_address_that_is_not_well_formed_is_no_link_with_a_deck():
    deck = parse("https://[a.b?deck=OP01-001:1\n4 OP01-016").deck
    assert [(line.count, line.number) for line in deck.main] == [(4, "OP01-016")]
