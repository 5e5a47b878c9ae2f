"""Tables of several players are several decks without headings too. A table of one player's deck is one deck."""

from collections import Counter
from functools import cache
from unicodedata import east_asian_width

import pytest

from carddb import facts
from validator.deck import has_several
from validator.decklists import parse, parse_each
from validator.games import GAMES

GAMES_WITH_LEADERS = ("optcg", "dbs", "fusion")
PEOPLE = ("Ann", "Jörg Müller", "陽菜 山田")
STYLES = ("{}", "x{}", "{}x", "×{}")
DELIMITERS = {"tabs": "\t", "commas": ",", "semicolons": ";"}


@cache
def draw_decks(game, players=3, lines=12):
    """Return decks of a Leader, if the game has Leaders, and other cards, as numbers (or names) with counts."""
    cards = [card for card in facts.catalogue(game) if "," not in card.name]
    leaders = [card for card in cards if card.type == "Leader"]
    others = [card for card in cards if card.type != "Leader" and card.type not in GAMES[game].apart]
    found = []
    for place in range(players):
        deck = [(leaders[place], 1)] if leaders else []
        chosen = others[place :: max(1, len(others) // (lines + players))][:lines]
        found.append([*deck, *((card, 4 - at % 2) for at, card in enumerate(chosen))])
    return found


def card_text(game, card):
    return card.name if game == "bos" else card.number


def count_copies(game, cards):
    found = Counter()
    for card, count in cards:
        found[card_text(game, card)] += count
    return found


def read_decks(game, text):
    """Return the name of each deck of a text with the copies of its cards. Each line has to be read."""
    found = []
    for parsed in parse_each(text, game, facts.catalogue(game)):
        counted = Counter()
        for _, line in parsed.deck.lines():
            counted[line.name if game == "bos" else line.number] += line.count
        assert not [line for line in parsed.deck.unread if not line.aside]
        found.append((parsed.name, counted))
    return found


def list_decks(game, cards=None):
    return [(name, count_copies(game, deck)) for name, deck in zip(PEOPLE, cards or draw_decks(game), strict=True)]


def table(rows, delimiter="\t"):
    return "\n".join(delimiter.join(row) for row in rows)


def rows_of(game, columns, style="{}", is_once=False, cards=None):
    """Return the rows of all players, each with cells for these columns."""
    rows = []
    for name, deck in zip(PEOPLE, cards or draw_decks(game), strict=True):
        for at, (card, count) in enumerate(deck):
            cells = {
                "player": "" if is_once and at else name,
                "card": card_text(game, card),
                "name": card.name,
                "count": style.format(count),
                "section": "Leader" if card.type == "Leader" else "Main",
            }
            rows.append([cells[column] for column in columns])
    return rows


ORDERS = (
    ("player", "card", "count"),
    ("player", "count", "card"),
    ("count", "card", "player"),
    ("player", "card", "name", "count"),
    ("player", "section", "card", "count"),
    ("section", "player", "count", "card", "name"),
)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_a_card_in_each_row_with_its_player(game, order):
    if game == "bos":
        order = [column for column in order if column != "name"]
    assert read_decks(game, table(rows_of(game, order))) == list_decks(game)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("delimiter", DELIMITERS.values(), ids=DELIMITERS)
@pytest.mark.parametrize("is_once", [False, True], ids=["in each row", "once"])
def test_counts_and_delimiters_as_people_write_them(style, delimiter, is_once):
    rows = rows_of("dbs", ("player", "card", "count"), style, is_once)
    assert read_decks("dbs", table(rows, delimiter)) == list_decks("dbs")


@pytest.mark.parametrize("game", GAMES_WITH_LEADERS)
def test_leaders_show_the_players_of_short_lists(game):
    short = [deck[:3] for deck in draw_decks(game)]
    rows_of_cards = rows_of(game, ("player", "card", "count"), cards=short)
    for rows in (rows_of_cards, write_stacked(game, "{}", cards=short), write_side_by_side(game, cards=short)):
        assert read_decks(game, table(rows)) == list_decks(game, short)


def test_rows_sorted_by_card_belong_to_their_players():
    rows = sorted(rows_of("optcg", ("player", "card", "count")), key=lambda row: row[1])
    assert sorted(read_decks("optcg", table(rows))) == sorted(list_decks("optcg"))


NUMBERINGS = {  # numbers of a row, from its place in the table and among its player's rows, and its player's place
    "rows": lambda row, row_of_player, player: row,
    "rows of a player": lambda row, row_of_player, player: row_of_player,
    "tables": lambda row, row_of_player, player: player,
}


@pytest.mark.parametrize("numbering", NUMBERINGS.values(), ids=NUMBERINGS)
@pytest.mark.parametrize("column", [0, 1, 3])
@pytest.mark.parametrize("game", ["optcg", "gundam"])
def test_numbers_of_rows_and_tables_are_no_counts(game, column, numbering):
    rows, places = rows_of(game, ("player", "card", "count")), Counter()
    for at, row in enumerate(rows, 1):
        player = row[0]
        places[player] += 1
        row.insert(column, str(numbering(at, places[player], 1 + PEOPLE.index(player))))
    assert read_decks(game, table(rows)) == list_decks(game)


@pytest.mark.parametrize("titles", [("Hero", "Thing", "Tally"), ("Hero", "Card number", "Qty"), ("", "Card", "Copies")])
def test_players_under_unknown_headings(titles):
    rows = [titles, *rows_of("optcg", ("player", "card", "count"))]
    assert read_decks("optcg", table(rows)) == list_decks("optcg")


def test_a_title_above_a_table_without_headings_hides_no_player():
    text = "Regional\n\n" + table(rows_of("optcg", ("player", "card", "count"), "x{}"))
    first, *others = parse_each(text, "optcg", facts.catalogue("optcg"))
    assert [parsed.name for parsed in (first, *others)] == [*PEOPLE]
    assert [line.text for line in first.deck.unread] == ["Regional"]


def test_only_the_first_deck_counts_and_all_are_named():
    parsed = parse(table(rows_of("optcg", ("player", "card", "count"))), "optcg", facts.catalogue("optcg"))
    assert has_several(parsed.deck)
    [several] = [line.decks for line in parsed.deck.unread if line.decks]
    assert [(size.name, size.cards) for size in several] == [
        (name, sum(count for _, count in deck)) for name, deck in zip(PEOPLE, draw_decks("optcg"), strict=True)
    ]


# What people write beside the cards of one deck, in rows that follow each other.
BESIDE = {
    "sets": ("Romance Dawn", "Paramount War", "Pillars of Strength"),
    "set codes": ("OP01", "OP02", "ST01"),
    "colours": ("Red", "Green", "Blue"),
    "German colours": ("Rot", "Grün", "Blau"),
    "rarities": ("Common", "Rare", "Super Rare"),
    "rarity codes": ("C", "R", "SR"),
    "languages": ("English", "Japanese", "French"),
    "language codes": ("EN", "JP", "FR"),
    "notes": ("borrowed from Ben", "alt art", "need 2 more"),
    "conditions": ("Near Mint", "Played", "Lightly Played"),
    "places": ("Binder A", "Binder B", "Box 3"),
    "uses": ("Searcher", "Blocker", "Finisher"),
    "types": ("Character", "Event", "Stage"),
    "types of Battle cards": ("Battle Cards", "Extra Cards", "Unison Cards"),
    "owners": ("Ann", "Ben", "Cleo"),
}


@pytest.mark.parametrize("game", [game for game in GAMES if game != "bos"])
@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("is_once", [False, True], ids=["in each row", "once"])
def test_one_deck_with_another_column_is_one_deck(game, beside, is_once):
    [deck] = draw_decks(game, players=1)
    words = [BESIDE[beside][at * 3 // len(deck)] for at in range(len(deck))]
    rows = [
        ["" if is_once and at and words[at - 1] == word else word, card_text(game, card), str(count)]
        for at, (word, (card, count)) in enumerate(zip(words, deck, strict=True))
    ]
    [parsed] = parse_each(table(rows), game, facts.catalogue(game))
    counted = Counter()
    for _, line in parsed.deck.lines():
        counted[line.number] += line.count
    assert counted == count_copies(game, deck)


def test_a_text_beside_names_of_cards_is_never_left_out_silently():
    short = [deck[:3] for deck in draw_decks("bos")]
    parsed = parse(table(rows_of("bos", ("player", "card", "count"), cards=short)), "bos", facts.catalogue("bos"))
    assert [line for line in parsed.deck.unread if line.may_be_card]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("words", [("Leader", "Main"), ("Anführer", "Hauptdeck"), ("リーダー", "メイン")])
def test_sections_in_the_first_column_are_sections(game, words):
    [deck] = draw_decks(game, players=1)
    rows = [[words[card.type != "Leader"], card_text(game, card), f"{count}x"] for card, count in deck]
    [parsed] = parse_each(table(rows), game, facts.catalogue(game))
    leaders = [(card, count) for card, count in deck if card.type == "Leader"]
    placed = {section: sum(line.count for line in parsed.deck.section(section)) for section in ("leader", "main")}
    assert placed == {"leader": len(leaders), "main": sum(count for _, count in deck) - len(leaders)}


def write_stacked(game, label, titles=(), cards=None):
    """Return the rows of all players under each other, each below a name."""
    rows = [list(titles)] if titles else []
    for name, deck in zip(PEOPLE, cards or draw_decks(game), strict=True):
        rows += [[label.format(name), ""], *([card_text(game, card), str(count)] for card, count in deck), []]
    return rows


def write_side_by_side(game, titles=(), cards=None):
    """Return the rows of all players side by side, each below a name."""
    decks = cards or draw_decks(game)
    rows = [[cell for name in PEOPLE for cell in (name, "", "")]]
    if titles:
        rows.append([cell for _ in PEOPLE for cell in (*titles, "")])
    for line in range(max(map(len, decks))):
        cells = [
            (str(deck[line][1]), card_text(game, deck[line][0])) if line < len(deck) else ("", "") for deck in decks
        ]
        rows.append([cell for pair in cells for cell in (*pair, "")])
    return rows


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("label", ["{}", "Player: {}", "Spieler: {}"])
@pytest.mark.parametrize("titles", [(), ("Card", "Qty")], ids=["no headings", "headings"])
@pytest.mark.parametrize("delimiter", DELIMITERS.values(), ids=DELIMITERS)
def test_players_under_each_other(game, label, titles, delimiter):
    rows = write_stacked(game, label, titles)
    assert read_decks(game, table(rows, delimiter)) == list_decks(game)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("titles", [(), ("Qty", "Card")], ids=["no headings", "headings"])
@pytest.mark.parametrize("delimiter", DELIMITERS.values(), ids=DELIMITERS)
def test_players_side_by_side(game, titles, delimiter):
    rows = write_side_by_side(game, titles)
    assert read_decks(game, table(rows, delimiter)) == list_decks(game)


def test_the_id_below_a_name_is_part_of_the_players_name():
    names, *cards = write_side_by_side("optcg")
    ids = [cell for number in ("0000000001", "0000000002", "0000000003") for cell in (number, "", "")]
    found = parse_each(table([names, ids, *cards]), "optcg", facts.catalogue("optcg"))
    assert [deck.name for deck in found] == [f"{name}, 000000000{at}" for at, name in enumerate(PEOPLE, 1)]
    assert [line for deck in found for line in deck.deck.unread] == []


def test_lines_of_players_side_by_side_keep_their_numbers():
    text = table(write_side_by_side("optcg", ("Qty", "Card")))
    first, second, _ = parse_each(text, "optcg", facts.catalogue("optcg"))
    assert [line.at for line in (first.deck.leader[0], second.deck.leader[0])] == [3, 3]
    assert [line.at for line in second.deck.main[:2]] == [4, 5]


@pytest.mark.parametrize("between", [[], [[]]])
def test_a_line_above_the_players_is_reported(between):
    rows = [["Regional, day 2"], *between, *write_stacked("optcg", "{}")]
    first, *others = parse_each(table(rows), "optcg", facts.catalogue("optcg"))
    assert [parsed.name for parsed in (first, *others)] == [*PEOPLE]
    assert [(line.at, line.text) for line in first.deck.unread] == [(1, "Regional, day 2")]


@pytest.mark.parametrize("game", GAMES_WITH_LEADERS)
@pytest.mark.parametrize(
    "words", [("Searchers", "Finishers"), ("From Ann", "From Ben"), ("Romance Dawn", "Union Force")]
)
def test_words_above_the_cards_of_one_deck_are_no_players(game, words):
    [deck] = draw_decks(game, players=1)
    half = len(deck) // 2
    rows = [[words[0], ""], *([card.number, str(count)] for card, count in deck[:half])]
    rows += [[words[1], ""], *([card.number, str(count)] for card, count in deck[half:])]
    [parsed] = parse_each(table(rows), game, facts.catalogue(game))
    assert Counter({line.number: line.count for _, line in parsed.deck.lines()}) == count_copies(game, deck)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_numbers_without_a_heading_and_counts_under_an_unknown_one(style, place):
    columns = ["player", "name", "count"]
    titles = ["Player", "Card name", "Tally"]
    columns.insert(place, "card")
    titles.insert(place, "")
    assert read_decks("dbs", table([titles, *rows_of("dbs", columns, style)])) == list_decks("dbs")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("style", ["{} {}", "{}x {}"])
@pytest.mark.parametrize("titles", [(), ("Player", "Card")], ids=["no headings", "headings"])
def test_a_card_and_its_count_in_one_cell(game, style, titles):
    rows = [titles] if titles else []
    for name, deck in zip(PEOPLE, draw_decks(game), strict=True):
        rows += [[name, style.format(count, card_text(game, card))] for card, count in deck]
    assert read_decks(game, table(rows)) == list_decks(game)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("titles", [("Card",), ("No.", "Name"), ("", "")], ids=["one", "two", "none"])
def test_a_row_for_each_card_and_a_column_for_each_player(game, titles):
    titles = titles[:1] if game == "bos" else titles
    decks = draw_decks(game)
    cards = list(dict.fromkeys(card for deck in decks for card, _ in deck))
    rows = [[*titles, *PEOPLE]]
    for card in cards:
        cells = [card_text(game, card), card.name][: len(titles)]
        copies = [sum(count for other, count in deck if other == card) for deck in decks]
        rows.append([*cells, *("" if count == 0 else str(count) for count in copies)])
    assert sorted(read_decks(game, table(rows))) == sorted(list_decks(game))


def screen_width(text):
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def align(rows, measure=len):
    widths = [max(map(measure, column)) + 3 for column in zip(*rows, strict=True)]
    return "\n".join(
        "".join(cell + " " * (width - measure(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


@pytest.mark.parametrize("game", GAMES_WITH_LEADERS)
@pytest.mark.parametrize("order", ORDERS[:4], ids="-".join)
@pytest.mark.parametrize("titles", [True, False], ids=["headings", "no headings"])
def test_columns_that_blanks_align(game, order, titles):
    rows = rows_of(game, order, "x{}")
    heading = {"player": "Player", "card": "Card Number", "name": "Card Name", "count": "Qty", "section": "Section"}
    text = align([[heading[column] for column in order], *rows] if titles else rows)
    assert read_decks(game, text) == list_decks(game)


@pytest.mark.parametrize("measure", [len, screen_width])
def test_counts_of_sections_that_blanks_align_beside_wide_letters(measure):
    rows = [
        ("Name", "Number", "Main", "Side"),
        ("ナミ", "OP01-016", "4", ""),
        ("ウソップ海賊団の船長", "OP01-004", "", "2"),
        ("グリーン・スター・ラフレシア", "OP01-028", "3", "1"),
        ("サンジ", "OP01-013", "", "1"),
    ]
    deck = parse(align(rows, measure), "optcg", facts.catalogue("optcg")).deck
    assert [(section, line.number, line.count) for section, line in deck.lines()] == [
        *(("main", number, int(main)) for _, number, main, _ in rows[1:] if main),
        *(("side", number, int(side)) for _, number, _, side in rows[1:] if side),
    ]


def test_names_with_a_comma_are_no_columns_of_players():
    names = [card.name for card in facts.catalogue("dbs") if card.type == "Battle"]
    whole = [name for name in names if ", " in name][:30]
    text = "\n".join(f"{name} x4" for name in ("Ginyu", *whole, "Vegeta"))
    [parsed] = parse_each(text, "dbs", facts.catalogue("dbs"))
    assert sum(line.count for _, line in parsed.deck.lines()) == 4 * 32


def test_a_name_with_two_commas_makes_no_players_of_the_parts_of_names():
    names = [
        "SS Son Goku, Pan, & SS Trunks, Galactic Explorers",
        "Demigra, the Sorcerer",
        "SS Son Goku, SS Vegeta & SS Trunks, Golden Warriors",
        "Android 21, the Beautiful Scientist",
    ]
    [parsed] = parse_each("\n".join(f"2x {name}" for name in names), "dbs", facts.catalogue("dbs"))
    assert {line.name: line.count for line in parsed.deck.main} == dict.fromkeys(names, 2)


def test_a_title_above_the_rows_of_a_player_is_no_player():
    rows = [["Player", "Card", "Qty"]]
    for name, deck in zip(PEOPLE, draw_decks("optcg"), strict=True):
        rows += [[f"Team {name}"], *([name, card.number, str(count)] for card, count in deck)]
    found = {parsed.name: parsed.deck for parsed in parse_each(table(rows), "optcg", facts.catalogue("optcg"))}
    copies = {name: sum(line.count for _, line in deck.lines()) for name, deck in found.items()}
    assert {name: copies[name] for name in PEOPLE} == {name: deck.total() for name, deck in list_decks("optcg")}


def test_a_short_list_beside_long_ones_is_a_deck_of_its_own():
    first, second, third = draw_decks("gundam")
    decks = [first, second, third[:9]]
    assert sum(count for deck in decks for _, count in deck) > 100
    for rows in (write_stacked("gundam", "{}", cards=decks), write_side_by_side("gundam", cards=decks)):
        assert read_decks("gundam", table(rows)) == list_decks("gundam", decks)


@pytest.mark.parametrize(("surplus", "decks"), [(0, 3), (1, 1)])
def test_a_count_beside_the_columns_of_players_is_the_sum_of_their_counts_or_that_of_one_deck(surplus, decks):
    rows = [["Card", "Qty", *PEOPLE]]
    for place, (card, _) in enumerate(draw_decks("optcg", players=1)[0]):
        counts = [place % 3, 1, 2 + place % 2]
        rows.append([card.number, *map(str, (sum(counts) + surplus, *counts))])
    assert len(parse_each(table(rows), "optcg", facts.catalogue("optcg"))) == decks


def test_players_with_an_id_each_are_players_also_of_a_few_cards():
    ids = {name: f"000000000{place}" for place, name in enumerate(PEOPLE, 1)}
    short = [deck[1:5] for deck in draw_decks("optcg")]
    rows = [[row[0], ids[row[0]], *row[1:]] for row in rows_of("optcg", ("player", "card", "count"), cards=short)]
    found = parse_each(table(rows), "optcg", facts.catalogue("optcg"))
    assert [deck.name for deck in found] == [f"{name}, {ids[name]}" for name in PEOPLE]
    rows[1][1] = ids[PEOPLE[1]]
    assert len(parse_each(table(rows), "optcg", facts.catalogue("optcg"))) == 1
