"""Spreadsheets become cards, or a sentence that says which row and column is wrong."""

from collections import Counter
from contextlib import suppress
from dataclasses import fields
from io import BytesIO

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.errors import CardDataError
from carddb.sources import card_tables
from tests.carddb import real
from tests.carddb.cards import table
from tests.carddb.files.test_opendocument import HEAD, TAIL, ods
from tests.shared import shared_path
from validator.cards import Card
from validator.errors import UnknownGame

NAMI = {"number": "OP01-016", "name": "Nami", "type": "Character", "colors": "Red", "cost": "1"}
GOKU = {"number": "BT1-030", "name": "Son Goku", "type": "Leader", "colors": "Red"}
LEVY = {"number": "BE01-001", "name": "Lantern Levy", "type": "Warrior"}


def read(*rows: dict, game: str = "optcg") -> list[Card]:
    return list(card_tables.read(table(rows), "cards.csv", game).cards)


def refusal_of(*rows: dict, game: str = "optcg") -> str:
    """Return the message of the CardDataError about a table of these rows."""
    with pytest.raises(CardDataError) as error:
        read(*rows, game=game)
    return str(error.value)


def workbook(rows: list[list], title: str = "cards", before: tuple[str, ...] = ()) -> bytes:
    book = openpyxl.Workbook()
    book.active.title = title
    for cells in rows:
        book.active.append(cells)
    for at, name in enumerate(before):
        book.create_sheet(name, at)["A1"] = "notes"
    packed = BytesIO()
    book.save(packed)
    return packed.getvalue()


def test_every_column_is_read():
    [card] = read(
        {
            "number": "bt1-1",
            "name": " Champa ",
            "back_name": "God of Destruction Champa",
            "type": "LEADER",
            "colors": "red/BLUE",
            "cost": "4(RR)",
            "power": "10000",
            "back_power": "15000",
            "traits": "God / Alien",
            "back_traits": "God",
            "characters": "Champa/Vados",
            "back_characters": "Champa",
            "text": "One.\r\nTwo.",
            "back_text": "Three.",
            "rarity": "R",
            "set": "BT1",
            "block": "x",
            "released": "2017-07-28",
        },
        game="dbs",
    )
    assert card.number == "BT1-001"
    assert (card.name, card.back_name) == ("Champa", "God of Destruction Champa")
    assert card.type == "Leader"
    assert card.colors == ("Red", "Blue")
    assert (card.cost, card.cost_text) == (4, "4(RR)")
    assert (card.power, card.back_power) == (10000, 15000)
    assert card.traits == ("God", "Alien")
    assert card.characters == ("Champa", "Vados")
    assert (card.text, card.back_text) == ("One.\nTwo.", "Three.")
    assert (card.rarity, card.set, card.block, card.released) == ("R", "BT1", "X", "2017-07-28")
    assert card.printings == ("bt1-1",)


@pytest.mark.parametrize(
    ("printed", "cost"),
    [
        ("3", 3),
        ("4(RR)", 4),
        ("1({R})", 1),
        ("8({U}{U}/{Y})", 8),
        ("4()", 4),
        ("0(-)", 0),
        ("X(R)", None),
        ("x", None),
        ("-(-)", None),
        ("-", None),
        ("", None),
        ("１(G)", 1),
        ("0-", 0),
    ],
)
def test_a_cost_is_read_as_printed(printed, cost):
    [card] = read({**GOKU, "type": "Battle", "cost": printed}, game="dbs")
    assert card.cost == cost
    assert card.cost_text == (printed or None)


@pytest.mark.parametrize(("kind", "cost"), [("Event", 0), ("Stage", 0), ("Leader", None)])
def test_one_piece_prints_no_zero_and_a_life_is_no_cost(kind, cost):
    assert read({**NAMI, "type": kind, "cost": "-"})[0].cost == cost
    assert read({**NAMI, "type": "Leader", "cost": "5"})[0].cost is None


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("type", "Monster"),
        ("type", ""),
        ("colors", "Pink"),
        ("colors", "Red/Pink"),
        ("cost", "lots"),
        ("cost", "-3"),
        ("power", "strong"),
        ("power", "1e9"),
        ("released", "28.7.2017"),
        ("released", "2026-02-30"),
        ("released", "20260101"),
        ("name", ""),
        ("name", "   "),
        ("number", ""),
        ("number", "=HYPERLINK(1)"),
        ("number", "<script>"),
        ("text", "x" * 20_001),
        ("text", "#REF!"),
        ("text", "a\0b"),
    ],
)
def test_a_cell_that_cannot_be_read_is_named_by_row_and_column(column, cell):
    said = refusal_of({**NAMI, "power": "", "released": "", "text": "", column: cell})
    assert f"row 2, column {column}" in said


def test_construction_is_read_of_texts_alone_in_everybodys_spreadsheets():
    found = card_tables.read(table([{**NAMI, "construction": "[]", "keywords": "Ultimate"}]), "x.csv", "optcg")
    assert found.cards[0].keywords == ()
    assert "construction" in found.notices[0]


def test_a_one_piece_card_without_a_day_is_released_with_its_set():
    assert read(NAMI)[0].released == "2022-12-02"
    assert read({**NAMI, "number": "P-001"})[0].released is None


def test_what_cannot_be_seen_is_no_part_of_a_name():
    assert read({**NAMI, "name": "Airframe\u200b Seizure\ufeff"})[0].name == "Airframe Seizure"


def test_many_problems_are_told_at_once_but_not_endlessly():
    said = refusal_of(*({**NAMI, "number": f"OP01-{at:03d}", "colors": "Pink"} for at in range(100, 200)))
    assert "row 2, column colors" in said
    assert "and 92 more" in said
    assert len(said.splitlines()) == 10


def test_all_that_is_wrong_in_a_row_is_told_at_once():
    wrong = {"number": "<b>", "name": "", "type": "Monster", "colors": "Pink", "cost": "lots", "power": "#REF!"}
    _, first, *others, last = refusal_of({**NAMI, "power": "5000"}, wrong, NAMI | {"power": "weak"}).splitlines()
    assert first == "row 3, column number: '<b>' is no card number"
    assert [line.split(":")[0] for line in others] == [f"  column {column}" for column in list(wrong)[1:]]
    assert last == "row 4, column power: 'weak' is no power; it is a number"


def test_columns_come_in_any_order_and_spelling():
    [card] = read({"Back Name": "", "TYPE": "event", "name": "Two Words", "Number": "OP01-029"})
    assert (card.number, card.name, card.type) == ("OP01-029", "Two Words", "Event")


def test_a_column_no_card_has_is_left_out_with_a_notice():
    found = card_tables.read(table([{**NAMI, "my shelf": "3"}]), "cards.csv", "optcg")
    assert len(found.cards) == 1
    assert "my_shelf" in found.notices[0]


@pytest.mark.parametrize(("column", "meant"), [("color", "colors"), ("colours", "colors"), ("relased", "released")])
def test_a_misspelled_column_is_refused_with_the_one_meant(column, meant):
    row = {"number": "OP01-016", "name": "Nami", "type": "Character", column: ""}
    assert f"is `{meant}` meant?" in refusal_of(row)


@pytest.mark.parametrize("missing", ["name", "type", "number"])
def test_needed_columns_are_needed(missing):
    row = {column: cell for column, cell in NAMI.items() if column != missing}
    assert f"no column `{missing}`" in refusal_of(row)


def test_battle_of_souls_needs_no_number():
    [card] = read({"name": "Lantern Levy", "type": "warrior"}, game="bos")
    assert (card.number, card.type, card.printings) == ("", "Warrior", ())


def test_a_repeated_row_is_one_card():
    assert len(read(NAMI, NAMI)) == 1


def test_a_number_with_two_sets_of_facts_is_refused_saying_which_rows():
    said = refusal_of(NAMI, {**GOKU, "number": "OP01-003"}, {**NAMI, "cost": "2"})
    assert "row 2 and row 4: both are OP01-016, but differ in cost, cost_text" in said


def test_printings_fold_into_their_number_and_the_base_printing_wins():
    parallel = {**NAMI, "number": "OP01-016_p1", "name": "Nami (Parallel)", "cost": "2"}
    [card] = read(parallel, NAMI)
    assert (card.number, card.name, card.cost) == ("OP01-016", "Nami", 1)
    assert set(card.printings) == {"OP01-016", "OP01-016_p1"}


def test_a_printing_without_its_base_is_still_that_number():
    [card] = read({**GOKU, "number": "BT1-030_SPR"}, game="dbs")
    assert (card.number, card.printings) == ("BT1-030", ("BT1-030_SPR",))


def test_a_card_is_released_with_its_first_printing():
    rows = [{**NAMI, "released": "2023-05-01"}, {**NAMI, "number": "OP01-016_p1", "released": "2022-12-02"}]
    assert read(*rows)[0].released == "2022-12-02"


def test_battle_of_souls_cards_of_one_name_are_one_card():
    [card] = read(LEVY, {**LEVY, "number": "BE02-014", "name": "lantern  LEVY"}, game="bos")
    assert card.name == "Lantern Levy"
    assert card.printings == ("BE01-001", "BE02-014")


def test_battle_of_souls_names_differ_in_class_only_by_mistake():
    assert "differ in type" in refusal_of(LEVY, {**LEVY, "number": "BE02-014", "type": "Warlord"}, game="bos")


def test_battle_of_souls_numbers_have_one_name():
    assert "two names" in refusal_of(LEVY, {**LEVY, "name": "Ford Watcher"}, game="bos")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_any_delimiter_and_encoding_is_understood(delimiter, encoding):
    text = "number,name,type\r\n\r\nOP03-099,Bell-mère,Character\r\n".replace(",", delimiter)
    [card] = card_tables.read(text.encode(encoding), "cards.csv", "optcg").cards
    assert card.name == "Bell-mère"


def test_the_delimiter_that_excel_names_is_used():
    [card] = card_tables.read(b"sep=|\r\nnumber|name|type\r\nOP01-016|Nami|Character\r\n", "cards.csv", "optcg").cards
    assert (card.number, card.name) == ("OP01-016", "Nami")


def test_commas_within_texts_do_not_change_the_delimiter():
    text = "number;name;type;text\nOP01-016;Nami;Character;one, two, three\nOP01-025;Zoro;Character;four, five, six\n"
    [nami, _] = card_tables.read(text.encode(), "cards.csv", "optcg").cards
    assert nami.text == "one, two, three"


def test_windows_1252_is_read_with_a_notice():
    found = card_tables.read("number,name,type\nOP03-099,Bell-mère,Character".encode("cp1252"), "cards.csv", "optcg")
    assert found.cards[0].name == "Bell-mère"
    assert "Windows-1252" in found.notices[0]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "is empty"),
        (b" \n ", "is empty"),
        (b"number,name,type\n", "no cards"),
        (b"a,b\n1,2\n", "no column `name`"),
        (b"name,name,type\nx,y,z\n", "two columns `name`"),
        (b'number,name,type\nOP01-016,"Nami,Character\n', "row 2: a quotation mark opens"),
        (b"number,name,type\nOP01-016,Nami,Character,extra\n", "row 2: has more cells"),
        (b"name" + b",x" * 300 + b"\n1", "301 columns; at most 200"),
        (b"name,type,number\n" + b"\n" * 100_001, "more than 100,000 rows"),
        (b"name,type,number\n" + b"x" * 200_000, "row 2: a cell has more than"),
        (b"<!DOCTYPE html><table><tr><td>name</td></tr></table>", "web page"),
        (bytes(range(256)) * 4, "neither text nor a spreadsheet"),
        (b"\xff\xfe\x00", "neither text nor a spreadsheet"),
        (b"\xd0\xcf\x11\xe0" + bytes(600), "old .xls"),
        (b"PK\x03\x04 and nothing", "damaged workbook"),
    ],
)
def test_a_file_that_is_no_card_table_is_refused_with_the_reason(data, why):
    with pytest.raises(CardDataError, match=r"^bad\.csv") as error:
        card_tables.read(data, "bad.csv", "optcg")
    assert why in str(error.value)


def test_an_unknown_game_is_refused():
    with pytest.raises(UnknownGame, match="There is no game 'mtg'"):
        card_tables.read(table([NAMI]), "cards.csv", "mtg")


def test_a_workbook_may_have_other_sheets_before():
    rows = [["number", "name", "type"], ["OP01-016", "Nami", "Character"]]
    assert len(card_tables.read(workbook(rows, before=("Read me",)), "cards.xlsx", "optcg").cards) == 1


def test_a_workbook_without_the_header_is_refused():
    with pytest.raises(CardDataError, match="no column `name`"):
        card_tables.read(workbook([["a", "b"]]), "cards.xlsx", "optcg")


def test_an_opendocument_workbook_is_read():
    rows = [["number", "name", "type", "cost"], ["OP01-016", "Nami", "Character", "1"]]
    cells = ("".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in row) for row in rows)
    [card] = card_tables.read(
        ods(HEAD + "".join(f"<table:table-row>{row}</table:table-row>" for row in cells) + TAIL), "cards.ods", "optcg"
    ).cards
    assert (card.number, card.name, card.cost) == ("OP01-016", "Nami", 1)


def test_an_empty_workbook_is_refused():
    with pytest.raises(CardDataError, match="no cells"):
        card_tables.read(workbook([]), "cards.xlsx", "optcg")


@pytest.mark.parametrize("formula", ["=1+1", "=NA()"])
def test_a_formula_without_a_value_is_no_empty_cell(formula):
    rows = [["number", "name", "type", "colors"], ["OP01-016", "Nami", "Character", formula]]
    with pytest.raises(CardDataError, match="row 2, column colors"):
        card_tables.read(workbook(rows), "cards.xlsx", "optcg")


def test_numbers_and_days_of_a_workbook_are_text():
    import datetime

    header = ["number", "name", "type", "cost", "power", "block", "released"]
    rows = [header, ["OP01-016", "Nami", "Character", 1, 2000.0, 1, datetime.date(2022, 12, 2)]]
    [card] = card_tables.read(workbook(rows), "cards.xlsx", "optcg").cards
    assert (card.cost, card.power, card.block, card.released) == (1, 2000, "1", "2022-12-02")


@pytest.mark.slow
def test_the_real_catalogue_is_read_whole():
    cards = real.cards("dbs")
    assert len(cards) == 6478
    assert Counter(card.type for card in cards) == {
        "Battle": 4790,
        "Extra": 694,
        "Leader": 405,
        "Unison": 210,
        "Z-Battle": 168,
        "Z-Extra": 80,
        "Z-Leader": 68,
        "Z-Unison": 63,
    }
    assert sum(card.cost is None for card in cards) == 781
    assert sum(len(card.colors) > 1 for card in cards) == 433


@pytest.mark.slow
def test_a_workbook_and_a_csv_of_the_same_cards_are_equal():
    import csv

    data = shared_path("data/dbs/catalogue.csv").read_bytes()
    rows = list(csv.reader(data.decode().splitlines(keepends=True)))[:800]
    cut = "\n".join(",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows).encode()
    typed = [[int(cell) if cell.isascii() and cell.isdigit() else cell for cell in row] for row in rows]
    of_csv = card_tables.read(cut, "c.csv", "dbs").cards
    of_xlsx = card_tables.read(workbook(typed), "c.xlsx", "dbs").cards
    assert len(of_csv) == 799
    for one, other in zip(of_csv, of_xlsx, strict=True):
        assert all(getattr(one, field.name) == getattr(other, field.name) for field in fields(Card))


@given(st.binary(max_size=300))
def test_no_bytes_do_more_than_be_refused(data):
    with suppress(CardDataError):
        assert card_tables.read(data, "any", "dbs").cards


@given(st.text(max_size=120))
def test_no_text_under_a_header_does_more_than_be_refused(text):
    try:
        cards = card_tables.read(f"name,type,number,cost\n{text}".encode(errors="replace"), "any", "bos").cards
    except CardDataError:
        return
    assert all(card.name and card.type for card in cards)
