import pytest

from api.workbooks.intake.header import find_header
from api.workbooks.shapes.list_columns import find_groups
from tests.api.workbooks.files import catalogue
from validator.decklists.header import is_counted_row
from validator.tables import columns


def roles(*titles, rows=()):
    found = columns.infer_columns(
        titles, lambda at: [str(row[at]) for row in rows if row[at] != ""], lambda name: bool(catalogue().by_name(name))
    )
    return {role: [titles[at] for at in places] for role, places in found.roles.items()}, [
        titles[at] for at in found.unknown
    ]


@pytest.mark.parametrize(
    ("titles", "meant"),
    [
        ("Player|Number|Count", "player|number|count"),
        ("player name|card number|qty", "player|number|count"),
        ("USER NAME|Card ID|Quantity", "player|number|count"),
        ("Nome|Card|Amount", "player|card|count"),
        ("Name|Card Name|Copies", "player|card|count"),
        ("Name|Member ID|Decklist", "player|player id|decklist"),
        ("Name|ID|Deck List", "player|player id|decklist"),
        ("Player|Membership Number|Deck", "player|player id|decklist"),
        ("Player_Name|Player_Id|Qty|Card|Sideboard", "player|player id|count|card|sideboard"),
        ("Bandai TCG+ ID|Player|List", "player id|player|decklist"),
        ("TCG+ ID|Player|Board|Code|#", "player id|player|section|number|"),
        ("First Name|Last Name|Decklist", "first name|last name|decklist"),
        ("Name|Vorname|Deckliste", "last name|first name|decklist"),
        ("Nom|Prénom|Liste de deck", "last name|first name|decklist"),
        ("Nombre|Apellidos|Lista de mazo", "first name|last name|decklist"),
        ("Nome|Cognome|Lista del mazzo", "first name|last name|decklist"),
        ("Nome|Sobrenome|Lista do baralho", "first name|last name|decklist"),
        ("Name|Surname|Number|Card name|Count", "first name|last name|number|card|count"),
        ("What's your first name?|And your last name?|Paste your decklist", "first name|last name|decklist"),
        ("¿Cuál es tu nombre?|¿Cuáles son tus apellidos?|Lista de mazo", "first name|last name|decklist"),
        ("Wie ist dein Vorname?|Wie ist dein Nachname?|Deckliste", "first name|last name|decklist"),
        ("Name (First)|Name (Last)|Decklist", "first name|last name|decklist"),
        (
            "Buyer first name|Buyer last name|Attendee first name|Attendee last name|List",
            "||first name|last name|decklist",
        ),
        ("Lineitem name|Billing Name|Decklist", "|player|decklist"),
        ("Player|First name|Decklist", "player|first name|decklist"),
        ("Your first and last name|Team|Decklist", "player||decklist"),
        ("Event|Player|Zone|Card #|Card|Qty", "event|player|section|number|card|count"),
        ("Spieler|Karte|Anzahl", "player|card|count"),
        ("Player|Número|Quantité", "player|number|count"),
        ("プレイヤー|カード番号|カード名|枚数", "player|number|card|count"),
        ("Player|Card|Sección|Anzahl", "player|card|section|count"),
        ("Card|Quantity|Sideboarded", "card|count|sideboard"),
        ("What is your name?|Your Bandai TCG+ number|Please paste your deck list here", "player|player id|decklist"),
    ],
)
def test_the_usual_wordings(titles, meant):
    found, _ = roles(*titles.split("|"))
    wanted = {role: [title] for title, role in zip(titles.split("|"), meant.split("|"), strict=True) if role}
    assert found == wanted


def test_a_column_of_no_known_meaning_is_unknown():
    found, unknown = roles("Player", "Table", "Deck", "Number", "Count", "Seat no")
    assert unknown == ["Table", "Deck", "Seat no"]
    assert "decklist" not in found


def test_a_name_beside_half_a_name_may_be_the_cards():
    cards = [["Ann", "OP01-016", "Nami", 4], ["Ann", "ST01-011", "Brook", 4]]
    found, _ = roles("Vorname", "Number", "Name", "Count", rows=cards)
    assert (found["first name"], found["card"]) == (["Vorname"], ["Name"])


def test_an_id_is_a_cards_where_it_looks_like_one():
    assert roles("Player", "ID", "Count", rows=[["Zoro", "OP01-016", 4]])[0]["number"] == ["ID"]
    assert roles("Player", "ID", "Card", "Count", rows=[["Zoro", "0001", "Nami", 4]])[0]["player id"] == ["ID"]


def test_a_name_is_a_cards_where_the_catalogue_has_it():
    cards = [["OP01-016", "Nami", 4], ["ST01-011", "Brook", 4]]
    assert roles("Number", "Name", "Count", rows=cards)[0]["card"] == ["Name"]
    assert roles("Number", "English Name", "Count", rows=cards)[0]["card"] == ["English Name"]
    players = [["OP01-016", "Alex", 4], ["ST01-011", "Alex", 4]]
    assert roles("Number", "English Name", "Count", rows=players)[0]["player"] == ["English Name"]
    assert roles("Number", "Name", "Count", rows=players)[0]["player"] == ["Name"]


def test_a_user_name_stands_aside_for_the_player():
    found, unknown = roles("Player", "User Name", "Number", "Count")
    assert (found["player"], unknown) == (["Player"], ["User Name"])


def test_two_columns_of_one_meaning_are_both_told():
    assert roles("Player", "Card", "Qty", "Count")[0]["count"] == ["Qty", "Count"]


def test_headings_under_a_title():
    found = find_header([["Regional"], [], ["Player", "Number", "Count"], ["Zoro", "OP01-016", 4]])
    assert (found.start, found.end) == (2, 3)


@pytest.mark.parametrize(
    ("upper", "lower"),
    [
        (["Player", "", "Card", "", ""], ["Name", "ID", "Number", "Name", "Count"]),
        (["Player", "ID", "Card", "", ""], ["", "", "Number", "Name", "Count"]),
        (["Player", "", "Deck", "", ""], ["Name", "ID", "Number", "Card name", "Count"]),
        (["Player", "", "What they play", "", ""], ["Name", "ID", "Number", "Card name", "Count"]),
    ],
)
def test_headings_in_two_rows(upper, lower):
    found = find_header(
        [
            upper,
            lower,
            ["Zoro", "1", "OP01-016", "Nami", 4],
        ]
    )
    assert (found.start, found.end) == (0, 2)
    assert found.columns.roles == {"player": [0], "player id": [1], "number": [2], "card": [3], "count": [4]}


@pytest.mark.parametrize(
    "rows", [[], [[]], [["4", "OP01-016"]], [["Notes"], ["3 judges"]], [["Number"]], [["Decklist"]]]
)
def test_no_headings(rows):
    assert find_header(rows) is None


def test_groups_over_columns_end_where_these_do():
    found = find_header([["Side deck"], ["Number", "Name", "Count", ""], ["OP01-016", "Nami", 4, ""]])
    assert (found.start, found.columns.titles) == (1, ["Number", "Name", "Count", ""])


@pytest.mark.parametrize("heading", ["Código", "Nº carte", "Nummer der Karte", "番号"])
def test_a_column_of_card_numbers_may_be_called_anything(heading):
    found, _ = roles("Player", heading, "Carta", "Count", rows=[["Zoro", "OP01-016", "Nami", 4]])
    assert (found["number"], found["card"]) == ([heading], ["Carta"])


@pytest.mark.parametrize("titles", [("No", "Player", "Card", "Qty"), ("No", "Player", "Print", "Qty")])
def test_a_number_of_the_row_is_not_the_cards(titles):
    found, unknown = roles(*titles, rows=[["1", "Zoro", "OP01-016", "4"], ["2", "Zoro", "ST01-011", "4"]])
    assert (found.get("card") or found.get("number"), unknown) == ([titles[2]], ["No"])


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (["Nami", "4x"], True),
        (["OP01-016", "3"], True),
        (["Player", "Nami", "Table", "4"], False),
        (["4", "4"], False),
        (["Nami", "Roronoa Zoro"], False),
        (["4", ""], False),
    ],
)
def test_a_row_with_a_card_and_a_count(row, expected):
    assert is_counted_row(row, lambda name: bool(catalogue().by_name(name))) is expected


def test_groups_of_card_columns_are_alike_and_have_counts_and_cards():
    found = find_groups([["Qty", "Card", "Qty", "Card"], ["4", "Nami", "2", "Usopp"]])
    assert found.groups == [{"count": 0, "card": 1}, {"count": 2, "card": 3}]
    for titles in ("Qty|Card|Card|Qty", "Qty|Card|Number|Qty|Card", "Card|Card", "Qty|Qty", "Player|Qty|Card|Qty|Card"):
        assert find_groups([titles.split("|")]) is None
