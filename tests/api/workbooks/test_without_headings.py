"""Tables of several players without headings, and sections side by side: nobody's cards are lost or another's."""

import csv
import io
from itertools import permutations

import pytest

from tests.api.workbooks.files import book_of, catalogue, xlsx

NUMBERS = [card.number for card in catalogue() if card.type == "Character"]
LEADER = next(card.number for card in catalogue() if card.type == "Leader")
NAMES = ["Ann Lee", "Jörg Müller", "陽菜 山田", "김 철수", "Иван Петров", "Chloé de la Cruz"]
PLAYERS = [
    (name, f"00{12345670 + place}", [(number, 1 + at % 4) for at, number in enumerate(NUMBERS[place::100][:14])])
    for place, name in enumerate(NAMES)
]
# Player, id, Leader and main deck in ten languages.
WORDS = [
    ("Player", "Player ID", "Leader", "Main"),
    ("Spieler", "Spieler-Nr.", "Anführer", "Hauptdeck"),
    ("Joueur", "Identifiant", "Chef", "Deck principal"),
    ("Jugador", "ID", "Líder", "Mazo principal"),
    ("Giocatore", "ID giocatore", "Leader", "Mazzo principale"),
    ("Jogador", "ID do jogador", "Líder", "Baralho principal"),
    ("Gracz", "Numer gracza", "Lider", "Talia"),
    ("プレイヤー", "会員番号", "リーダー", "メイン"),
    ("玩家", "会员编号", "领袖", "主卡组"),
    ("선수", "회원번호", "리더", "메인"),
]


def lines(deck):
    return [[count, number] for number, count in deck]


def table_of(rows):
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


def there(book):
    return [
        (entry.who.name, sorted((line.number, line.count) for _, line in entry.deck.lines())) for entry in book.entries
    ]


def assert_whole(rows, ids=False):
    book = book_of(table_of(rows))
    assert (there(book), book.problems, book.rows.unread) == (
        [(name, sorted(deck)) for name, _, deck in PLAYERS],
        [],
        0,
    )
    assert not ids or [entry.who.id for entry in book.entries] == [id for _, id, _ in PLAYERS]


LABELLED = {
    "in one cell": lambda words, name, id: [[f"{words[0]}: {name}"]],
    "a wide colon": lambda words, name, id: [[f"{words[0]}：{name}"]],
    "a dash": lambda words, name, id: [[f"{words[0]} - {name}"]],
    "two cells without a colon": lambda words, name, id: [[words[0], name]],
    "blank rows below": lambda words, name, id: [[f"{words[0]}: {name}"], [], []],
    "the id under it": lambda words, name, id: [[f"{words[0]}: {name}"], [f"{words[1]}: {id}"]],
    "the id over it": lambda words, name, id: [[f"{words[1]}:", id], [f"{words[0]}:", name]],
    "a name alone and the id under it": lambda words, name, id: [[name], [f"{words[1]}: {id}"]],
    "a name alone, a blank row and the id": lambda words, name, id: [[name], [], [f"{words[1]}:", id]],
    "the id beside it": lambda words, name, id: [[f"{words[0]}:", name, f"{words[1]}:", id]],
}


@pytest.mark.parametrize("label", LABELLED)
@pytest.mark.parametrize("words", WORDS, ids=[words[0] for words in WORDS])
def test_players_by_labels_in_any_language(label, words):
    rows = [row for name, id, deck in PLAYERS for row in (*LABELLED[label](words, name, id), *lines(deck))]
    assert_whole(rows, ids="the id" in label)


ALONE = {
    "an id under it": lambda at, name, id: [[name], [id]],
    "a blank row and an id under it": lambda at, name, id: [[name], [], [id]],
    "an id beside it": lambda at, name, id: [[name, id]],
    "a place in its cell": lambda at, name, id: [[f"{at}. {name}"]],
    "a place beside it": lambda at, name, id: [[at, name]],
    "nothing": lambda at, name, id: [[name]],
}


@pytest.mark.parametrize("beside", ALONE)
@pytest.mark.parametrize("between", [[], [[]]], ids=["no blank row", "a blank row"])
def test_players_by_names_alone(beside, between):
    rows = [
        row
        for at, (name, id, deck) in enumerate(PLAYERS, 1)
        for row in (*ALONE[beside](at, name, id), *lines(deck), *between)
    ]
    assert_whole(rows, ids="an id" in beside)


def test_first_and_last_names_are_of_one_player():
    rows = [
        row
        for first, last in (("Ann", "Lee"), ("Bo", "Ray"))
        for row in (["First name:", first], ["Last name:", last], *lines(PLAYERS[0][2]))
    ]
    assert [entry.who.name for entry in book_of(table_of(rows)).entries] == ["Lee, Ann", "Ray, Bo"]


A_CARD = {
    "player, number, count": lambda name, id, number, count, at: [name, number, count],
    "count, number, player": lambda name, id, number, count, at: [count, number, name],
    "player, id, number, count": lambda name, id, number, count, at: [name, id, number, count],
    "player, count, number, name": lambda name, id, number, count, at: [
        *(name, count, number, catalogue().by_number(number).name)
    ],
    "player once": lambda name, id, number, count, at: [name if at == 0 else "", number, count],
    "a colour besides": lambda name, id, number, count, at: [name, number, count, "Red"],
}


@pytest.mark.parametrize("columns", A_CARD)
@pytest.mark.parametrize("title", [[], [["Regional 2026"], []]], ids=["no title", "a title"])
def test_a_card_a_row(columns, title):
    rows = [
        A_CARD[columns](name, id, number, count, at)
        for name, id, deck in PLAYERS
        for at, (number, count) in enumerate(deck)
    ]
    assert_whole([*title, *rows], ids=", id" in columns)


@pytest.mark.parametrize("column", [["Red", "Green"], ["Character", "Event"], ["Romance Dawn", "Paramount War"]])
def test_one_player_is_one_whatever_else_is_told_of_the_cards(column):
    rows = [[count, number, column[at > 6]] for at, (number, count) in enumerate(PLAYERS[0][2])]
    [entry] = book_of(table_of(rows)).entries
    assert sum(1 for _ in entry.deck.lines()) == 14


@pytest.mark.parametrize("more", [(), ("2026/09/01 12:00", "a@example.org", "Yes")], ids=["plain", "of a form"])
def test_a_deck_a_row(more):
    rows = [[*more, name, id, "\n".join(f"{count} {number}" for number, count in deck)] for name, id, deck in PLAYERS]
    assert_whole(rows, ids=True)


@pytest.mark.parametrize("words", WORDS, ids=[words[0] for words in WORDS])
def test_sections_of_several_players_side_by_side(words):
    rows = [
        row
        for name, _, deck in PLAYERS
        for row in (
            [f"{words[0]}: {name}"],
            [words[2], words[3]],
            [f"1 {LEADER}", f"{deck[0][1]} {deck[0][0]}"],
            *(["", f"{count} {number}"] for number, count in deck[1:]),
        )
    ]
    book = book_of(table_of(rows))
    assert [(name, deck[1:]) for name, deck in there(book)] == [
        (name, sorted([*deck, (LEADER, 1)])[1:]) for name, _, deck in PLAYERS
    ]
    assert {entry.deck.leader[0].number for entry in book.entries} == {LEADER}
    assert (book.problems, book.rows.unread) == ([], 0)


@pytest.mark.parametrize("label", ["", "Player: ", "Spieler: ", "Name: ", "プレイヤー："])
@pytest.mark.parametrize("titles", [(), ("Qty", "Number")])
@pytest.mark.parametrize("beside", [2, 3, 4])
def test_players_side_by_side_and_further_ones_below(label, titles, beside):
    rows = []
    for first in range(0, len(PLAYERS), beside):
        tier = PLAYERS[first : first + beside]
        rows.append([cell for name, _, _ in tier for cell in (f"{label}{name}", "", "")])
        rows.append([cell for _ in tier for cell in (*titles, "")] if titles else [])
        rows += [[cell for _, _, deck in tier for cell in (*lines(deck)[at], "")] for at in range(len(PLAYERS[0][2]))]
        rows += [["Total: 35"], []]
    assert_whole(rows)


@pytest.mark.parametrize("count_apart", [False, True], ids=["a cell a card", "a column of counts"])
def test_leader_main_and_side_of_one_player_side_by_side(count_apart):
    def cells(number, count):
        return [count, number] if count_apart else [f"{count} {number}"]

    deck, gap = PLAYERS[0][2], [""] * (1 + count_apart)
    head = [cell for word in ("Leader", "Main", "Side") for cell in (word, *gap[1:])]
    rows = [["Player:", "Ann Lee"], head]
    for at, card in enumerate(deck):
        rows.append([*(cells(LEADER, 1) if at == 0 else gap), *cells(*card), *(cells(*card) if at < 2 else gap)])
    [entry] = book_of(table_of(rows)).entries
    found = {
        part: [(line.number, line.count) for line in entry.deck.section(part)] for part in ("leader", "main", "side")
    }
    assert found == {"leader": [(LEADER, 1)], "main": deck, "side": deck[:2]}
    assert entry.who.name == "Ann Lee"


def test_a_list_without_a_name_above_the_others_is_told():
    lists = ["\n".join(f"{count} {number}" for number, count in deck) for _, _, deck in PLAYERS]
    book = book_of(table_of(zip(["", *NAMES[1:]], lists, strict=True)))
    assert [name for name, _ in there(book)] == ["", *NAMES[1:]]
    assert [(fault.row, fault.severity) for fault in book.faults] == [(1, "error")]


@pytest.mark.parametrize("has_names", [False, True])
def test_players_side_by_side_have_their_own_cards(has_names):
    """Under each name are counts and cards: no player gets the cards of the first."""
    width = 2 + has_names
    rows = [[cell for name, _, _ in PLAYERS for cell in (name, *[""] * (width - 1))]]
    for cards in zip(*(deck for _, _, deck in PLAYERS), strict=True):
        rows.append(
            [cell for number, count in cards for cell in (count, number, catalogue().by_number(number).name)[:width]]
        )
    assert_whole(rows)


def test_a_list_without_a_heading_beside_the_deck_list_is_reported():
    rows = [
        [name, id, "\n".join(f"{count} {number}" for number, count in deck), f"2 {LEADER}"]
        for name, id, deck in PLAYERS
    ]
    book = book_of(table_of(rows))
    assert there(book) == [(name, sorted(deck)) for name, _, deck in PLAYERS]
    assert [(fault.cell, fault.severity) for fault in book.faults] == [("D1", "error")]


@pytest.mark.parametrize("written", ["{}x", "x{}", "{}.0", "{}枚", "×{}"])
def test_counts_under_an_unknown_heading_as_people_write_them(written):
    rows = [["Player", "Ref. of it", "Tally"]]
    rows += [[name, number, written.format(count)] for name, _, deck in PLAYERS for number, count in deck]
    assert_whole(rows)


@pytest.mark.parametrize("written", ["{}", "x{}", "{}x", "×{}"])
def test_numbers_without_a_heading_beside_names_and_counts_under_an_unknown_heading(written):
    rows = [["Player", "", "Card name", "Tally"]]
    rows += [
        [name, number, catalogue().by_number(number).name, written.format(count)]
        for name, _, deck in PLAYERS
        for number, count in deck
    ]
    assert_whole(rows)


@pytest.mark.parametrize("titles", [[], [["Hero", "Thing", "Tally"]]], ids=["no headings", "unknown headings"])
def test_leaders_show_the_players_of_short_lists(titles):
    leaders = [card.number for card in catalogue() if card.type == "Leader"]
    rows = [
        [name, *row]
        for (name, _, deck), leader in zip(PLAYERS, leaders, strict=False)
        for row in ([leader, 1], *([number, count] for number, count in deck[:3]))
    ]
    book = book_of(table_of([*titles, *rows]))
    assert [(entry.who.name, entry.deck.leader[0].number) for entry in book.entries] == list(
        zip(NAMES, leaders, strict=False)
    )
    assert [[(line.number, line.count) for line in entry.deck.main] for entry in book.entries] == [
        deck[:3] for _, _, deck in PLAYERS
    ]


ONE_DECK = (  # name, number, count, section, type
    ("Monkey.D.Luffy", "OP01-003", 1, "Leader", "Leader"),
    ("Nami", "OP01-016", 4, "Main", "Character"),
    ("Green Star Rafflesia", "OP01-028", 2, "Main", "Event"),
    ("Usopp", "OP01-004", 4, "Main", "Character"),
)


@pytest.mark.slow
@pytest.mark.parametrize("is_workbook", [True, False], ids=["xlsx", "csv"])
@pytest.mark.parametrize(
    "order", [order for width in (2, 3, 4, 5) for order in permutations(range(5), width) if {0, 1} & {*order}]
)
def test_one_deck_in_any_columns_loses_no_card(order, is_workbook):
    rows = [[row[column] for column in order] for row in ONE_DECK]
    book = book_of(xlsx(rows), "deck.xlsx") if is_workbook else book_of(table_of(rows).encode(), "deck.csv")
    if not {1, 2} & {*order}:  # names alone may be a list of anything
        assert (book.entries, len(book.problems), book.rows.unread) == ([], 1, len(ONE_DECK))
        return
    [entry] = book.entries
    assert (entry.who.event, book.rows.headings) == ("", 0)
    lines = [line for _, line in entry.deck.lines()]
    assert len(lines) + len(entry.deck.unread) == len(ONE_DECK)
    if {1, 2} <= {*order} or (0 in order and 2 in order and len(order) > 3):
        assert sorted(line.count for line in lines) == [1, 2, 4, 4]


@pytest.mark.parametrize("count", ["{}", "{}x"])
def test_row_numbers_and_costs_are_no_counts(count):
    rows = [[at, 5, row[1], row[3], count.format(row[2])] for at, row in enumerate(ONE_DECK, 1)]
    [entry] = book_of(xlsx(rows), "deck.xlsx").entries
    found = sorted((line.number, line.count) for _, line in entry.deck.lines())
    assert count == "{}" or found == sorted((row[1], row[2]) for row in ONE_DECK)


def test_a_column_that_may_have_players_is_a_notice_and_its_rows_are_read():
    rows = [[name, number, 4] for name in ("Ann Lee", "Max Muster") for number in NUMBERS[:3]]
    book = book_of(xlsx(rows), "deck.xlsx")
    [entry] = book.entries
    assert sum(line.count for _, line in entry.deck.lines()) == 24
    assert [(fault.row, fault.severity, fault.value) for fault in book.faults] == [
        (1, "notice", f"Ann Lee {NUMBERS[0]} 4")
    ]


@pytest.mark.parametrize("columns", [(0, 1), (1, 0), (0, 2, 1, 3), (2, 1, 0)], ids=str)
@pytest.mark.parametrize("spelling", ["{name} (Parallel)", "{name} ({number})", '"{name}"', "{name} - {number}"])
@pytest.mark.parametrize("places", [[0], [1], [0, 1, 7]], ids=str)
def test_a_row_in_an_odd_spelling_is_never_headings(spelling, places, columns):
    cards = list(map(catalogue().by_number, NUMBERS[:60:4]))
    rows = [[str(1 + at % 4), card.name, "Main", "OP01"] for at, card in enumerate(cards)]
    for place in places:
        card = cards[place]
        rows[place] = ["2x", spelling.format(name=card.name, number=card.number), "Main", "OP01"]
    copies = sum(int(row[0].removesuffix("x")) for row in rows)
    [entry] = book_of(table_of([[row[column] for column in columns] for row in rows])).entries
    assert sum(line.count for _, line in entry.deck.lines()) == copies


def test_cards_above_headings_are_reported():
    rows = [["2x", "Nami"], ["Qty", "Card Name", "Card Number"], ["4", "Usopp", "OP01-004"]]
    book = book_of(table_of(rows))
    assert [problem.row for problem in book.problems] == [1]
