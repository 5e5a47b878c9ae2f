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
