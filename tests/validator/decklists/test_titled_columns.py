"""The columns of tables with headings of which none names the counts. All players are invented."""

import csv
import io

import pytest

from api.workbooks.intake import book_reader
from carddb import facts
from validator.decklists import parse
from validator.decklists.source import Source
from validator.decklists.titled_columns import infer_titled_columns

CATALOGUE = facts.catalogue("optcg")
CARDS = [card for card in CATALOGUE if card.type == "Character" and card.cost and card.cost > 4][::40][:12]
NUMBERS, NAMES = [card.number for card in CARDS], [card.name for card in CARDS]
COSTS = [str(card.cost) for card in CARDS]
COUNTS = ["4", "2", "3", "1"] * 3
DECK = ["4"] * 10 + ["1"]  # 41 cards


def infer(**columns):
    """Return the roles of columns by heading. An underscore in a heading is a blank."""
    titles = [title.replace("_", " ") for title in columns]
    source = Source("", CATALOGUE)
    rows = list(zip(*columns.values(), strict=True))
    found = infer_titled_columns(titles, rows, source.is_name, source)
    return {role: [found.titles[at] for at in places] for role, places in found.roles.items()}, found


@pytest.mark.parametrize("title", ["Tally", "Wie oft", "Foo", ""])
def test_a_column_of_counts_is_found_under_any_heading(title):
    roles, found = infer(Number=NUMBERS, **{title: COUNTS})
    assert roles == {"number": ["Number"], "count": [title]}
    assert found.from_cells == {1}
    assert found.unknown == []


def test_a_heading_for_a_cost_is_none_for_counts():
    assert "count" not in infer(Number=NUMBERS, Cost=COUNTS)[0]


@pytest.mark.parametrize("cards", [{"Number": NUMBERS}, {"Card_name": NAMES}])
def test_values_printed_on_the_cards_are_no_counts(cards):
    assert infer(**cards, Zahl=COSTS, Tally=COUNTS)[0]["count"] == ["Tally"]
    assert "count" not in infer(**cards, Zahl=COSTS)[0]


def test_values_of_a_leader_may_be_blank():
    assert infer(Number=NUMBERS, Zahl=["", *COSTS[1:]], Tally=COUNTS)[0]["count"] == ["Tally"]


@pytest.mark.parametrize("player", [{}, {"Player": ["Ann Lee"] * 6 + ["Bo Ray"] * 6}])
def test_one_number_for_all_rows_of_a_player_is_no_count(player):
    tables = ["1"] * 6 + ["2" if player else "1"] * 6
    assert infer(Number=NUMBERS, **player, Tisch=tables, Tally=COUNTS)[0]["count"] == ["Tally"]
    assert "count" not in infer(Number=NUMBERS, **player, Tisch=tables)[0]


def test_two_columns_of_numbers_in_few_rows_are_unclear():
    assert infer(Number=NUMBERS[:3], Have=["4", "3", "2"], Need=["2", "2", "2"])[0]["count"] == ["Have", "Need"]


def test_a_row_without_a_count_does_not_hide_the_others():
    assert infer(Number=NUMBERS, Tally=[*COUNTS[:5], "", *COUNTS[6:]])[0]["count"] == ["Tally"]
    assert "count" not in infer(Number=NUMBERS, Card_name=NAMES, Tally=[*COUNTS[:5], *[""] * 7])[0]


@pytest.mark.parametrize("row", [["Main deck", ""], ["Total", "51"], ["Red cards", "12"]])
def test_rows_without_a_card_do_not_count(row):
    numbers, counts = [*NUMBERS[:4], row[0], *NUMBERS[4:]], [*COUNTS[:4], row[1], *COUNTS[4:]]
    assert infer(Number=numbers, Tally=counts)[0]["count"] == ["Tally"]


def test_a_row_for_each_copy_has_no_counts():
    copies = [number for number in NUMBERS for _ in range(4)]
    assert "count" not in infer(Number=copies, Slot=["1", "2", "3", "4"] * 12)[0]


def test_the_same_card_in_two_sections_is_counted_in_both():
    numbers, sections = NUMBERS[:6] * 2, ["Main"] * 6 + ["Side"] * 6
    assert infer(Number=numbers, Section=sections, Tally=COUNTS)[0]["count"] == ["Tally"]


def test_counts_and_players_are_found_together():
    people, cards = ["Ann Lee"] * 11 + ["Bo Ray"] * 11, NUMBERS[:11] * 2
    roles, found = infer(Foo=people, Number=cards, Tisch=["1"] * 11 + ["2"] * 11, Tally=DECK * 2)
    assert roles == {"number": ["Number"], "count": ["Tally"], "player": ["Foo"]}
    assert found.from_cells == {0, 3}


@pytest.mark.parametrize("table", ["1", "3", "4"])
def test_a_table_number_that_could_be_the_count_of_each_card_is_none(table):
    people, cards = ["Ann Lee"] * 11 + ["Bo Ray"] * 11, NUMBERS[:11] * 2
    roles, _ = infer(Foo=people, Number=cards, Tisch=[table] * 22, Tally=DECK * 2)
    assert roles == {"number": ["Number"], "count": ["Tally"], "player": ["Foo"]}


def as_csv(titles, *columns):
    """Return a CSV table of columns."""
    file = io.StringIO()
    csv.writer(file).writerows([titles, *zip(*columns, strict=True)])
    return file.getvalue()


def test_a_sheet_and_a_pasted_table_have_the_same_counts():
    table = as_csv(["Zahl", "Number", "Card name", "Table", "Tally"], COSTS, NUMBERS, NAMES, ["7"] * 12, COUNTS)
    [entry] = book_reader.read(table.encode(), "deck.csv", "optcg", CATALOGUE).entries
    pasted = parse(table, "optcg", CATALOGUE).deck
    assert [line.count for _, line in entry.deck.lines()] == [line.count for _, line in pasted.lines()]
    assert [line.count for _, line in pasted.lines()] == list(map(int, COUNTS))


def test_counts_that_equal_the_costs_of_few_known_cards_are_a_players():
    unknown = [f"OP98-{number:03}" for number in range(30)]
    counts = [*[""] * 25, "4", "3", "2", "1", "1", *COSTS[:4]]
    table = as_csv(["Number", "Ann Lee", "Bo Ray"], [*unknown, *NUMBERS[:4]], ["4"] * 34, counts)
    book = book_reader.read(table.encode(), "decks.csv", "optcg", CATALOGUE)
    assert [entry.who.name for entry in book.entries] == ["Ann Lee", "Bo Ray"]


def test_costs_beside_the_cards_are_not_another_players_counts():
    table = as_csv(["Kosten", "Number", "Ann Lee", "Bo Ray"], COSTS, NUMBERS, COUNTS, COUNTS[::-1])
    book = book_reader.read(table.encode(), "decks.csv", "optcg", CATALOGUE)
    assert [entry.who.name for entry in book.entries] == ["Ann Lee", "Bo Ray"]


LEADERS = [card for card in CATALOGUE if card.type == "Leader"][::40][:4]
FIRST = [name for name in ("Ann", "Lola") if CATALOGUE.by_name(name)]  # players who are called as cards
TWELVE = [name for name in FIRST for _ in range(6)]
LAST_NAMES = ["Lee"] * 12


@pytest.mark.parametrize(
    ("first", "last"),
    [("Nombre", "Apellidos"), ("Nome", "Cognome"), ("Prénom", "Nom"), ("Vorname", "Name"), ("Nome", "Apelido")],
)
@pytest.mark.parametrize("cards", [{"Card_number": NUMBERS}, {"Carta": NAMES}])
def test_a_first_name_that_is_also_the_name_of_a_card(first, last, cards):
    assert len(FIRST) == 2
    roles, _ = infer(**{first: TWELVE, last: LAST_NAMES}, **cards, Qty=COUNTS)
    assert (roles["first name"], roles["last name"]) == ([first], [last])
    assert {*roles} == {"first name", "last name", "count", "number" if "Card_number" in cards else "card"}


def test_first_names_in_rows_of_few_cards_of_each_player():
    people = ["Bo", "Cy", "Di", "Eva"] * 3
    roles, _ = infer(Nome=people, Cognome=[f"Ray {at}" for at in range(12)], Numero=NUMBERS, Copie=COUNTS)
    assert (roles["first name"], roles["last name"]) == (["Nome"], ["Cognome"])


def test_names_of_cards_beside_a_last_name_are_no_first_names():
    roles, _ = infer(Apellidos=["Lee"] * 6 + ["Ray"] * 6, Nombre=NAMES, Numero=NUMBERS, Cantidad=COUNTS)
    assert (roles["last name"], roles["card"]) == (["Apellidos"], ["Nombre"])
    shortened = [name.rpartition(".")[2] for name in NAMES]  # "Luffy"
    assert infer(Apellidos=LAST_NAMES, Nombre=shortened, Numero=NUMBERS, Cantidad=COUNTS)[0]["card"] == ["Nombre"]


def test_a_portuguese_surname_beside_a_first_name_and_names_of_cards():
    held = {"Apelido": LAST_NAMES, "Primeiro_nome": ["Ann"] * 12, "Name": NAMES, "Codigo": NUMBERS, "Qtd": COUNTS}
    roles, _ = infer(**held)
    assert (roles["last name"], roles["first name"], roles["card"]) == (["Apelido"], ["Primeiro nome"], ["Name"])


def test_a_portuguese_surname_beside_names_in_full_is_a_nickname():
    roles, _ = infer(Nome=["Ann Lee"] * 6 + ["Bo Ray"] * 6, Apelido=["Foxy"] * 12, Codigo=NUMBERS, Qtd=COUNTS)
    assert (roles["player"], "last name" in roles) == (["Nome"], False)


def test_a_name_of_players_who_are_called_as_cards():
    roles, _ = infer(Name=TWELVE, Number=NUMBERS, Qty=COUNTS)
    assert (roles["player"], "card" in roles) == (["Name"], False)


def test_french_counts_with_a_mark_are_no_players():
    roles, _ = infer(Nombre=[f"{count}x" for count in COUNTS], Numero=NUMBERS, Joueur=PLAYERS)
    assert roles == {"count": ["Nombre"], "number": ["Numero"], "player": ["Joueur"]}


PLAYERS = ["Ann Lee"] * 6 + ["Bo Ray"] * 6
IDS = ["0000000001"] * 6 + ["0000000002"] * 6


@pytest.mark.parametrize("ids", [IDS, [IDS[0], *[""] * 5, IDS[6], *[""] * 5]])
@pytest.mark.parametrize("fact", ["traits", "colors", "set"])
@pytest.mark.parametrize("title", ["Group", "Set"])
def test_facts_printed_on_the_cards_are_no_players_beside_ids(ids, fact, title):
    held = [getattr(card, fact) for card in CARDS]
    facts_ = [text if isinstance(text, str) else "/".join(text[:1]) for text in held]
    roles, _ = infer(Member_ID=ids, Number=NUMBERS, Qty=COUNTS, **{title: facts_})
    assert roles == {"player id": ["Member ID"], "number": ["Number"], "count": ["Qty"]}


def test_a_note_that_differs_within_an_id_is_no_player():
    notes = ["Signed copy", "From a friend", "New sleeve"] * 4
    roles, _ = infer(Member_ID=IDS, Number=NUMBERS, Qty=COUNTS, Remarques=notes)
    assert "player" not in roles
    assert infer(Member_ID=IDS, Number=NUMBERS, Qty=COUNTS, Wer=PLAYERS)[0]["player"] == ["Wer"]


def test_rarities_are_no_players_though_they_divide_the_cards():
    rarities = ["C", "R"] * 6
    numbers = [LEADERS[0].number, LEADERS[1].number, *NUMBERS[2:]]
    assert "player" not in infer(Number=numbers, Rarity=rarities, Total=COUNTS)[0]
