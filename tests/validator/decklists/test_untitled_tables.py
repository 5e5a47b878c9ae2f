"""Tables of one deck without known headings: each row is read or reported, and row numbers are no counts."""

from collections import Counter
from functools import cache
from itertools import permutations

import pytest

from carddb import facts
from validator.decklists import parse, parse_each
from validator.games import GAMES

DECK = (  # name, number, count, section, type
    ("Monkey.D.Luffy", "OP01-003", "1", "Leader", "Leader"),
    ("Nami", "OP01-016", "4", "Main", "Character"),
    ("Usopp", "OP01-004", "4", "Main", "Character"),
    ("Green Star Rafflesia", "OP01-028", "2", "Main", "Event"),
)
NAME, NUMBER, COUNT = 0, 1, 2
ORDERS = [order for width in (3, 4, 5) for order in permutations(range(5), width) if COUNT in order and NUMBER in order]
NAME_ORDERS = [order for order in permutations((0, 2, 3, 4)) if order[0] != NAME]


def write_table(rows, delimiter="\t"):
    return "\n".join(delimiter.join(row) for row in rows)


def read_copies(text, game="optcg"):
    """Return the copies of each card of a text with one deck in which every line was read."""
    [parsed] = parse_each(text, game, facts.catalogue(game))
    assert [line for line in parsed.deck.unread if line.may_be_card] == []
    copies = Counter()
    for _, line in parsed.deck.lines():
        card = facts.catalogue(game).by_number(line.number) if line.number else None
        copies[card.name if card else line.name] += line.count
    return copies


def cut_columns(rows, order):
    return [[row[column] for column in order] for row in rows]


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: "".join(map(str, order)))
def test_a_first_row_whose_words_may_be_headings_is_a_card(order):
    for rows in (DECK, DECK[1:]):
        copies = read_copies(write_table(cut_columns(rows, order)))
        assert copies == {row[NAME]: int(row[COUNT]) for row in rows}


@pytest.mark.parametrize("order", NAME_ORDERS, ids=lambda order: "".join(map(str, order)))
def test_a_first_row_with_a_name_and_a_count_is_a_card(order):
    copies = read_copies(write_table(cut_columns(DECK, order)))
    assert copies == {row[NAME]: int(row[COUNT]) for row in DECK}


def test_a_first_row_with_a_name_between_equal_words_is_reported():
    [parsed] = parse_each(write_table(cut_columns(DECK, (0, 3, 4))), "optcg", facts.catalogue("optcg"))
    assert [(line.at, line.aside) for line in parsed.deck.unread] == [(1, False), (2, False), (3, False), (4, False)]


@pytest.mark.parametrize(
    "titles", ["#\tCount\tNr.\tSet", "No\tQty\tCode\tSet", "Nr.\tAnzahl\tKartennummer\tSet", "\tCopies\tNo.\tSet"]
)
def test_numbers_of_rows_are_neither_counts_nor_cards(titles):
    rows = [[str(at), row[COUNT], row[NUMBER], "OP01"] for at, row in enumerate(DECK, 1)]
    assert read_copies(f"{titles}\n{write_table(rows)}") == {row[NAME]: int(row[COUNT]) for row in DECK}


@pytest.mark.parametrize("titles", ["No\t枚数\tTitle", "Nr.\tAnzahl\tKarte", ""])
def test_numbers_of_rows_beside_names_are_no_cards(titles):
    rows = [[str(at), f"{row[COUNT]}x", row[NAME]] for at, row in enumerate(DECK, 1)]
    assert read_copies(f"{titles}\n{write_table(rows)}") == {row[NAME]: int(row[COUNT]) for row in DECK}


def test_missing_cells_behind_the_last_tab_are_blank():
    rows = [[str(at), row[NUMBER], row[COUNT], "foil"][: 4 if at == 1 else 3] for at, row in enumerate(DECK, 1)]
    assert read_copies(write_table(rows)) == {row[NAME]: int(row[COUNT]) for row in DECK}


def test_costs_are_no_counts():
    cards = [facts.catalogue("optcg").by_number(row[NUMBER]) for row in DECK[1:]]
    rows = [["" if card.cost is None else str(card.cost), card.name] for card in cards]
    for titles in ("Cost\tCard Name", "Energy\tCard"):
        assert read_copies(f"{titles}\n{write_table(rows)}") == dict.fromkeys([card.name for card in cards], 1)


@pytest.mark.parametrize(
    ("name", "game"), [("∀ Gundam", "gundam"), ("Legendary Warrior", "fusion"), ("Side 7", "gundam")]
)
def test_names_that_begin_or_look_like_something_else_are_cards(name, game):
    assert read_copies(f"{name} x2", game) == {name: 2}
    assert read_copies(f"2 {name}", game) == {name: 2}
    if name != "Side 7":  # alone it is a heading of the side deck
        assert read_copies(name, game) == {name: 1}


@cache
def list_cards(game):
    return [card for card in facts.catalogue(game) if card.type not in GAMES[game].apart]


@pytest.mark.slow
@pytest.mark.parametrize("game", [game for game in GAMES if game != "bos"])
def test_each_card_number_alone_on_its_line_is_read(game):
    cards = list_cards(game)
    for start in range(0, len(cards), 40):
        chunk = cards[start : start + 40]
        decks = parse_each("\n".join(card.number for card in chunk), game, facts.catalogue(game))
        assert sorted(line.number for each in decks for _, line in each.deck.lines()) == sorted(
            card.number for card in chunk
        )


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("form", ["{}", "4 {}", "{} x4", "4\t{}"])
def test_each_card_name_in_a_list_is_read(game, form):
    names = sorted({card.name for card in list_cards(game)})
    for start in range(0, len(names), 40):
        chunk = names[start : start + 40]
        decks = parse_each("\n".join(form.format(name) for name in chunk), game, facts.catalogue(game))
        lines = {line.at for each in decks for _, line in each.deck.lines()}
        lines |= {line.at for each in decks for line in each.deck.unread if line.may_be_card}
        assert lines == set(range(1, len(chunk) + 1))


def test_a_column_that_may_have_players_is_noted():
    rows = [[name, row[NUMBER], row[COUNT]] for name in ("Ann Lee", "Max Muster") for row in DECK[1:]]
    parsed = parse(write_table(rows), "optcg", facts.catalogue("optcg"))
    assert sum(line.count for _, line in parsed.deck.lines()) == 20
    [remark] = parsed.deck.unread
    assert (remark.at, remark.aside, remark.code) == (1, True, "table.possible_players")
    assert remark.text == "\t".join(rows[0])
    below_headings = parse(write_table([["Artist", "Number", "Qty"], *rows]), "optcg", facts.catalogue("optcg"))
    assert below_headings.deck.unread == ()


def test_notes_beside_one_deck_are_not_taken_for_players():
    rows = [[note, row[NUMBER], row[COUNT]] for note, row in zip(("foil", "", "foil", ""), DECK, strict=True)]
    assert parse(write_table(rows), "optcg", facts.catalogue("optcg")).deck.unread == ()


def test_quotes_within_a_name_belong_to_the_name():
    name = '"Buddha" Sengoku'
    for text in (f"{name};4\nNami;4", f"Card\tQty\n{name}\t4\nNami\t4", f"4\t{name}\n4\tNami"):
        assert read_copies(text) == {name: 4, "Nami": 4}


def test_numbers_in_a_last_column_without_a_heading_are_read():
    rows = [["Ann Lee", row[COUNT], row[NAME], row[NUMBER]] for row in DECK]
    [parsed] = parse_each(f"Player\tQty\tCard Name\n{write_table(rows)}", "optcg", facts.catalogue("optcg"))
    assert {line.number for _, line in parsed.deck.lines()} == {row[NUMBER] for row in DECK}


@pytest.mark.parametrize(("misprints", "are_costs"), [(0, True), (1, True), (2, False)])
def test_numbers_of_which_nine_in_ten_are_costs_are_no_counts(misprints, are_costs):
    cards = [card for card in facts.catalogue("optcg") if card.type == "Character" and (card.cost or 0) > 4][:10]
    rows = [[str(card.cost + (at < misprints)), str(1 + at % 3), card.number] for at, card in enumerate(cards)]
    text = write_table(rows)
    deck = parse(text, "optcg", facts.catalogue("optcg")).deck
    assert (sum(line.count for line in deck.main), any(line.may_be_card for line in deck.unread)) == (
        (19, False) if are_costs else (0, True)
    )


def test_a_heading_that_is_also_the_name_of_a_card_is_no_row_of_a_table():
    rows = ["4\tGD01-001", "3\tGD01-002", "Side 7", "2\tGD01-003"]
    deck = parse("\n".join(rows), "gundam", facts.catalogue("gundam")).deck
    assert sum(line.count for line in (*deck.main, *deck.side) if line.number) == 9


@pytest.mark.parametrize("owned", [["0", "3", "4", "1"], ["4", "0", "0", "0"]])
@pytest.mark.parametrize("is_first", [True, False])
def test_a_column_with_a_zero_counts_the_cards_that_somebody_owns(owned, is_first):
    rows = [
        [number, *((have, count) if is_first else (count, have)), section]
        for (_, number, count, section, _), have in zip(DECK, owned, strict=True)
    ]
    rows[-1][-1] = "Side"
    deck = parse(write_table(rows), "optcg", facts.catalogue("optcg")).deck
    assert [(line.number, line.count) for line in deck.main] == [("OP01-016", 4), ("OP01-004", 4)]
    assert [(line.number, line.count) for line in deck.side] == [("OP01-028", 2)]
    assert len(deck.leader) == 1


@pytest.mark.parametrize("delimiter", ["\t", ",", ";", "|"])
@pytest.mark.parametrize("titles", ["My winning deck", "My winning deck\nof last summer"])
def test_lines_above_a_table_are_reported_and_its_columns_found(delimiter, titles):
    rows = [("Side", "4", "OP01-016"), ("Main", "3", "OP01-017"), ("Main", "2", "OP01-019")]
    deck = parse("\n".join([titles, *map(delimiter.join, rows)]), "optcg").deck
    assert [(section, line.count, line.number) for section, line in deck.lines()] == [
        ("main", 3, "OP01-017"),
        ("main", 2, "OP01-019"),
        ("side", 4, "OP01-016"),
    ]
    assert [line.text for line in deck.unread] == titles.split("\n")


@pytest.mark.parametrize("numbers", [5, 6])
def test_line_numbers_that_begin_again_in_each_section_are_no_counts(numbers):
    places = range(1, numbers + 1)
    main, side = ([f"{at} 3x {code}-{at:03}" for at in places] for code in ("OP01", "OP02"))
    deck = parse("\n".join(["Main Deck", *main, "Side Deck", *side]), "optcg").deck
    assert [line.number for line in deck.main] == [f"OP01-{at:03}" for at in places]
    assert [line.number for line in deck.side] == [f"OP02-{at:03}" for at in places]
    assert ({line.count for _, line in deck.lines()}, deck.unread) == ({3}, ())


@pytest.mark.parametrize("delimiter", ["\t", ",", ";"])
def test_headings_within_a_table_leave_its_columns(delimiter):
    rows = [("Leader", "1", "OP01-001"), ("Side", "4", "OP01-016"), ("Main", "3", "OP01-017")]
    leader, *others = map(delimiter.join, rows)
    deck = parse("\n".join(["Leader", leader, "Main Deck", *others]), "optcg").deck
    assert [(section, line.count, line.number) for section, line in deck.lines()] == [
        ("leader", 1, "OP01-001"),
        ("main", 3, "OP01-017"),
        ("side", 4, "OP01-016"),
    ]
