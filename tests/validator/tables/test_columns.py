"""The roles of columns, from headings, cells and the columns beside them."""

import pytest

from carddb import facts
from validator.decklists import parse
from validator.tables import cell_kinds
from validator.tables.columns import infer_columns

CARDS = [card for card in facts.catalogue("optcg") if card.type == "Character"][::40][:12]
NUMBERS, NAMES = [card.number for card in CARDS], [card.name for card in CARDS]
COUNTS = ["4", "2", "3", "1"] * 3
PEOPLE = ["Ann Lee"] * 6 + ["Jörg Müller"] * 6


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


def test_a_cost_is_no_count():
    assert "count" not in roles(Number=NUMBERS, Cost=COUNTS)
    assert roles(Number=NUMBERS, Tally=COUNTS)["count"] == ["Tally"]


def test_a_role_that_only_cells_show_is_marked():
    found = inferred(Player=PEOPLE, Ref_of_it=NUMBERS, Qty=COUNTS)
    assert found.first("number") == 1
    assert found.from_cells == {1}


def test_lists_outweigh_a_heading_of_cards():
    lists = ["\n".join(f"{count} {number}" for count, number in zip(COUNTS, NUMBERS, strict=True))] * 3
    found = inferred(Player=["Ann Lee", "Bo Ray", "Kim Sun"], Card=["Nami", "Zoro", "Luffy"], Answer=lists)
    assert found.is_list
    assert found.roles == {"decklist": [2], "player": [0]}


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
