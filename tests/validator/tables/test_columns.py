"""The roles of columns, from headings, cells and the columns beside them."""

import pytest

from carddb import facts
from validator.decklists import parse
from validator.tables import cell_kinds, headings
from validator.tables.column_samples import parse_heading
from validator.tables.columns import infer_columns

CARDS = [card for card in facts.catalogue("optcg") if card.type == "Character"][::40][:12]
NUMBERS, NAMES = [card.number for card in CARDS], [card.name for card in CARDS]
COUNTS = ["4", "2", "3", "1"] * 3
PEOPLE = ["Ann Lee"] * 6 + ["Jörg Müller"] * 6


LIST = "\n".join(f"{count} {number}" for count, number in zip(COUNTS, NUMBERS, strict=True))
LEADERS = ["OP01-001", "OP01-002", "OP01-003"]
THREE = ["Ann Lee", "Bo Ray", "Kim Sun"]
IDS = ["0000000001", "0000000002", "0000000003"]
UNKNOWN = [f"{color} {thing}" for color in ("Old", "Far", "Low") for thing in ("Bell", "Gate", "Wall", "Kite")]
SECTIONS = ["Leader", *["Main"] * 8, *["Side"] * 3]


def is_card(name):
    return bool(facts.catalogue("optcg").by_name(name))


def inferred(**cells):
    titles = [title.replace("_", " ") for title in cells]
    columns = [[cell for cell in column if cell] for column in cells.values()]
    return infer_columns(titles, columns.__getitem__, is_card)


def roles(**cells):
    found = inferred(**cells)
    return {role: [found.titles[at] for at in places] for role, places in found.roles.items()}


@pytest.mark.parametrize("order", [("Carte", "Card_name"), ("Card_name", "Carte")])
def test_numbers_and_names_under_two_headings_for_cards(order):
    held = dict(zip(("Carte", "Card_name"), (NUMBERS, NAMES), strict=True))
    found = roles(**{title: held[title] for title in order}, Qty=COUNTS)
    assert found == {"number": ["Carte"], "card": ["Card name"], "count": ["Qty"]}


@pytest.mark.parametrize("title", ["Misc", "Pairs_well_with"])
def test_names_of_other_cards_beside_numbers_have_no_role(title):
    others = [*NAMES[1:], NAMES[0]]
    found = roles(**{"Card_number": NUMBERS, title: others, "Qty": COUNTS})
    assert found == {"number": ["Card number"], "count": ["Qty"]}


def test_names_of_cards_beside_numbers_that_are_called_card():
    assert roles(Card=NUMBERS, Name=NAMES, Qty=COUNTS) == {"number": ["Card"], "card": ["Name"], "count": ["Qty"]}


def test_a_name_once_above_the_cards_is_the_players():
    once = ["Ann Lee", *[""] * 5, "Jörg Müller", *[""] * 5]
    assert roles(Nombre=once, Number=NUMBERS, Qty=COUNTS)["player"] == ["Nombre"]


def test_a_name_beside_english_names_of_cards_is_the_players():
    found = roles(English_Name=NAMES, Number=NUMBERS, Nome=PEOPLE, Qty=COUNTS)
    assert (found["card"], found["player"]) == (["English Name"], ["Nome"])


def test_a_mark_beside_english_names_of_cards_is_no_player():
    found = roles(Number=NUMBERS, Qty=COUNTS, English_Name=NAMES, Foil=["x", ""] * 6)
    assert "player" not in found


@pytest.mark.parametrize("title", ["Name", "Player", "Full name", "Participant"])
def test_players_without_decks_keep_other_columns_aside(title):
    people = ["Ann Lee", "Jörg Müller", "Bo Ray"]
    mails = ["a@example.org", "b@example.org", "c@example.org"]
    found = inferred(**{title: people}, Email=mails, Table=["1", "2", "3"], Round=["1", "2", "2"])
    assert found.roles == {"player": [0]}
    assert [found.titles[at] for at in found.unknown] == ["Email", "Table", "Round"]
    assert not found.are_headings


@pytest.mark.parametrize(
    ("others", "player"),
    [
        ({"Guardian": THREE}, ["Guardian"]),
        ({"": THREE}, None),
        ({"First_name": ["Ann", "Bo", "Kim"], "Guardian": THREE}, None),
    ],
)
def test_names_of_persons_are_the_players_below_a_heading_unless_another_names_them(others, player):
    assert roles(**others, Decklist=[LIST] * 3).get("player") == player


@pytest.mark.parametrize(
    ("others", "counts"),
    [
        ({"Deck_name": ["Red"] * 12}, ["Copies wanted"]),
        ({"Copies_in_deck": COUNTS[::-1]}, ["Copies in deck"]),
        ({"Copies_owned": COUNTS[::-1]}, ["Copies wanted", "Copies owned"]),
    ],
)
def test_of_several_columns_of_copies_that_of_the_deck_counts(others, counts):
    assert roles(Number=NUMBERS, Copies_wanted=COUNTS, **others)["count"] == counts


def test_a_role_that_only_cells_show_is_marked():
    found = inferred(Player=PEOPLE, Ref_of_it=NUMBERS, Qty=COUNTS)
    assert found.first("number") == 1
    assert found.from_cells == {1}


def test_lists_outweigh_a_heading_of_cards():
    lists = ["\n".join(f"{count} {number}" for count, number in zip(COUNTS, NUMBERS, strict=True))] * 3
    found = inferred(Player=["Ann Lee", "Bo Ray", "Kim Sun"], Card=["Nami", "Zoro", "Luffy"], Answer=lists)
    assert found.is_list
    assert found.roles == {"decklist": [2], "player": [0]}


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ({"Player": [], "Deck": []}, {"player": "Player", "decklist": "Deck"}),
        ({"Player": [], "Main deck": [], "Deck": []}, {"player": "Player", "decklist": "Deck"}),
        (
            {"User name": ["ann99", "bo", "kim_s"], "Name": THREE, "Decklist": [LIST] * 3},
            {"player": "Name", "decklist": "Decklist"},
        ),
        (
            {"What is your name?": THREE, "Decklist": [LIST] * 3},
            {"player": "What is your name?", "decklist": "Decklist"},
        ),
        ({"Player": THREE, "Main deck": ["Red", "Blue", "Green"]}, {"player": "Player", "decklist": "Main deck"}),
        ({"Player": THREE, "Deck": ["Red", "Blue", "Green"]}, {"player": "Player", "decklist": "Deck"}),
        ({"Name": THREE, "Deck": [LIST] * 3}, {"player": "Name", "decklist": "Deck"}),
        ({"Ace": THREE, "Decklist": [LIST] * 3}, {"player": "Ace", "decklist": "Decklist"}),
        (
            {"Nickname": ["ann99", "bo", "kim_s"], "Full name": THREE, "Decklist": [LIST] * 3},
            {"player": "Full name", "decklist": "Decklist"},
        ),
        (
            {"ID": IDS, "Name": THREE, "Decklist": [LIST] * 3},
            {"player id": "ID", "player": "Name", "decklist": "Decklist"},
        ),
        (
            {"First name": ["Ann", "Bo", "Kim"], "Name": ["Lee", "Ray", "Sun"], "Decklist": [LIST] * 3},
            {"first name": "First name", "last name": "Name", "decklist": "Decklist"},
        ),
        (
            {"First name": ["Ann", "Bo", "Kim"], "Last name": ["Lee", "Ray", "Sun"], "Who are you": THREE},
            {"first name": "First name", "last name": "Last name"},
        ),
        (
            {"Decklist": ["https://a.example/d/1"] * 3, "Deck as text": [LIST] * 3, "Player": THREE},
            {"player": "Player", "decklist": "Deck as text"},
        ),
    ],
    ids=lambda value: "-".join(value) if "player" not in value else "",
)
def test_the_columns_of_a_table_with_a_deck_in_each_row(cells, expected):
    found = inferred(**cells)
    assert found.is_list is ("decklist" in expected)
    assert {role: [found.titles[at] for at in places] for role, places in found.roles.items()} == {
        role: [title] for role, title in expected.items()
    }


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ({"Nombre": COUNTS, "Carta": NAMES}, {"count": "Nombre", "card": "Carta"}),
        (
            {"First name": ["Ann"] * 6 + ["Bo"] * 6, "Name": NAMES, "Qty": COUNTS},
            {"first name": "First name", "card": "Name", "count": "Qty"},
        ),
        (
            {"First name": ["Ann"] * 6 + ["Bo"] * 6, "Name": ["Lee"] * 6 + ["Ray"] * 6, "Number": NUMBERS},
            {"first name": "First name", "last name": "Name", "number": "Number"},
        ),
        ({"Player": PEOPLE, "Name": UNKNOWN}, {"player": "Player", "card": "Name"}),
        (
            {"First name": ["Ann"] * 12, "Last name": ["Lee"] * 12, "Name": UNKNOWN},
            {"first name": "First name", "last name": "Last name", "card": "Name"},
        ),
        (
            {"Number": NUMBERS, "What is your name?": PEOPLE, "Qty": COUNTS},
            {"number": "Number", "player": "What is your name?", "count": "Qty"},
        ),
        ({"Type": SECTIONS, "Number": NUMBERS, "Qty": COUNTS}, {"section": "Type", "number": "Number", "count": "Qty"}),
        (
            {"Where": SECTIONS, "Number": NUMBERS, "Qty": COUNTS},
            {"section": "Where", "number": "Number", "count": "Qty"},
        ),
        (
            {"Where": SECTIONS, "Section": ["Main"] * 12, "Number": NUMBERS, "Qty": COUNTS},
            {"section": "Section", "number": "Number", "count": "Qty"},
        ),
        ({"ID": NUMBERS, "Name": NAMES, "Qty": COUNTS}, {"number": "ID", "card": "Name", "count": "Qty"}),
        ({"Number": [*"123"] * 4, "Ref": NUMBERS, "Qty": COUNTS}, {"number": "Ref", "count": "Qty"}),
        ({"No": [*"123"] * 4, "Card": NAMES, "Qty": COUNTS}, {"card": "Card", "count": "Qty"}),
        ({"X": NUMBERS, "Qty": COUNTS}, {"number": "X", "count": "Qty"}),
        ({"Deck": NUMBERS, "Qty": COUNTS}, {"number": "Deck", "count": "Qty"}),
        ({"Deck": ["Red", "Blue"] * 6, "Number": NUMBERS, "Qty": COUNTS}, {"number": "Number", "count": "Qty"}),
        ({"": [*NUMBERS[:11], ""], "Name": NAMES, "Qty": COUNTS}, {"number": "", "card": "Name", "count": "Qty"}),
        (
            {"": [*NUMBERS[:9], ""], "Name": NAMES[:10], "Qty": COUNTS[:10]},
            {"number": "", "card": "Name", "count": "Qty"},
        ),
        ({"": [*NUMBERS[:10], "", ""], "Name": NAMES, "Qty": COUNTS}, {"card": "Name", "count": "Qty"}),
        ({"Ace": PEOPLE, "Number": NUMBERS, "Qty": COUNTS}, {"number": "Number", "count": "Qty"}),
        (
            {"Player ID": IDS * 4, "Ace": PEOPLE, "Number": NUMBERS, "Qty": COUNTS},
            {"player id": "Player ID", "player": "Ace", "number": "Number", "count": "Qty"},
        ),
    ],
    ids=lambda value: "-".join(value),
)
def test_the_columns_of_a_table_with_a_card_in_each_row(cells, expected):
    assert not inferred(**cells).is_list
    assert roles(**cells) == {role: [title] for role, title in expected.items()}


@pytest.mark.parametrize("order", [("Leader number", "Leader name"), ("Leader name", "Leader number")])
def test_of_two_columns_of_leaders_beside_lists_the_one_with_numbers_counts(order):
    held = {"Leader number": LEADERS, "Leader name": ["Zoro", "Nami", "Law"]}
    found = inferred(Player=THREE, **{title: held[title] for title in order}, Decklist=[LIST] * 3)
    assert {found.titles[at]: section for at, section in found.parts.items()} == {"Leader number": "leader"}


def test_a_column_of_leaders_beside_the_cards_is_of_the_leader():
    found = inferred(Player=PEOPLE, Leader=LEADERS * 4, Number=NUMBERS, Qty=COUNTS)
    assert found.parts == {1: "leader"}
    assert inferred(Player=PEOPLE, Leader=["yes", ""] * 6, Number=NUMBERS, Qty=COUNTS).parts == {}


def test_counts_by_section_have_a_total():
    found = inferred(Main=COUNTS, Side=["1", "0", ""] * 4, Total=["5", "2", "3"] * 4, Number=NUMBERS)
    assert found.counts == {0: "main", 1: "side"}
    assert found.roles == {"count": [2], "number": [3]}


@pytest.mark.parametrize(
    ("title", "half", "may_be_half", "role"),
    [
        ("What is your first name?", "first name", True, "player"),
        ("Your last name", "last name", True, "player"),
        ("What is the first and last name?", None, True, "player"),
        ("What is your name?", None, True, "player"),
        ("First card", None, False, None),
        ("Last deck list", None, False, "decklist"),
        ("Deck name", None, False, None),
        ("User name", None, False, "player"),
        ("Name of your last event", None, False, None),
    ],
)
def test_the_half_of_a_name_that_a_heading_asks_for(title, half, may_be_half, role):
    found = headings.find_name_half(title), headings.may_be_half(title), headings.find_question_role(title)
    assert found == (half, may_be_half, role)


def test_a_heading_of_a_name_a_nickname_a_section_or_a_count_has_a_meaning():
    titles = ("Name", "Nickname", "Deck", "ID", "Side deck", "Deck Qty", "Decklist", "", "Team colour")
    assert [title for title in titles if not parse_heading(title).has_meaning] == ["", "Team colour"]


def test_two_headings_suffice_beside_numbers_that_only_cells_show():
    assert inferred(X=NUMBERS, Qty=COUNTS, Player=PEOPLE).are_named
    assert not inferred(X=NUMBERS, Qty=COUNTS).are_named
    assert not inferred(X=NUMBERS, Y=COUNTS, Player=PEOPLE).are_named


def test_words_of_counts_that_mean_much_else_are_not_sure():
    assert [word for word in ("qty", "copies", "count", "cards", "x", "total") if headings.has_count_word([word])] == [
        "qty",
        "copies",
        "count",
    ]


def test_the_bounds_of_usual_copies_and_of_names():
    assert [cell_kinds.is_usual_copies(cell) for cell in ("1", "4", "5")] == [True, True, False]
    assert [cell_kinds.is_person("Ann " + "L" * letters) for letters in (76, 77)] == [True, False]
    assert [cell_kinds.is_content(cell) for cell in ("4.0", "1.2.3", "OP01-001", "Ann")] == [True, False, True, False]


def test_a_deck_whose_only_counts_are_those_of_the_main_deck():
    names = ["Ash Spear", "Oiled Cloak", "Mill Guard"]
    deck = parse(
        "\n".join(["名称;主卡组", *(f"{name};{count}" for name, count in zip(names, "421", strict=True))])
    ).deck
    assert [(line.name, line.count) for line in deck.main] == [("Ash Spear", 4), ("Oiled Cloak", 2), ("Mill Guard", 1)]


@pytest.mark.parametrize(
    ("cell", "is_count"),
    [("4", True), ("x4", True), ("4枚", True), ("4.0", True), ("0000000001", False), ("0004", False), ("0", False)],
)
def test_a_cell_without_a_heading_is_a_count_and_no_id(cell, is_count):
    assert cell_kinds.is_copies(cell) == is_count
