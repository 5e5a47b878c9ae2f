"""Spreadsheets of random players, shapes, wordings and noise: every deck and name comes back, or the file is told."""

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.api.workbooks.files import book_of, catalogue, xlsx

pytestmark = pytest.mark.slow

NUMBERS = [card.number for card in catalogue() if card.type != "Leader"]
NAMES = ["Ann Lee", "Jörg Müller", "陽菜 山田", "김 철수", "Иван Петров", "O'Brien", "Chloé de la Cruz", "Max Power"]
# Player, ID, number, count and list, as they are called in ten languages.
WORDINGS = [
    ("First and last name", "Bandai TCG+ ID (10 digits)", "Card number", "Qty", "Deck link or list"),
    ("Vor- und Nachname", "Spieler-Nr.", "Kartennummer", "Anzahl", "Deckliste"),
    ("Nom et prénom", "Identifiant Bandai", "Numéro de carte", "Quantité", "Liste de deck"),
    ("Nombre y apellidos", "ID de Bandai", "Número de carta", "Cantidad", "Lista de mazo"),
    ("Nome e cognome", "ID giocatore", "Numero carta", "Quantità", "Lista del mazzo"),
    ("Nome completo", "ID do jogador", "Número da carta", "Quantidade", "Lista do baralho"),
    ("Imię i nazwisko", "Numer gracza", "Numer karty", "Ilość", "Lista talii"),
    ("氏名", "会員番号", "カード番号", "枚数", "デッキリスト"),
    ("姓名", "会员编号", "卡号", "张数", "卡组列表"),
    ("이름", "선수번호", "카드번호", "수량", "덱 리스트"),
]
NOISE = [("Timestamp", "2026/09/01 12:00:00"), ("E-mail", "p@example.org"), ("I agree", "Yes"), ("Store", "")]

decks = st.lists(
    st.tuples(st.sampled_from(NUMBERS), st.integers(1, 4)), min_size=4, max_size=12, unique_by=lambda c: c[0]
)
players = st.lists(st.tuples(st.sampled_from(NAMES), decks), min_size=2, max_size=6, unique_by=lambda p: p[0])
noise = st.lists(st.sampled_from(NOISE), max_size=3, unique_by=lambda column: column[0])


def text_of(deck):
    return "\n".join(f"{count} {number}" for number, count in deck)


def row_a_card(found, words, extra):
    head = [title for title, _ in extra] + [words[0], words[1], words[2], words[3]]
    rows = [
        [value for _, value in extra] + [name, f"{at:010}", number, count]
        for at, (name, deck) in enumerate(found, 1)
        for number, count in deck
    ]
    return [head, *rows]


def written_once(found, words, extra):
    table, seen = row_a_card(found, words, ()), set()
    for row in table[1:]:
        if row[0] in seen:
            row[:2] = ["", ""]
        seen.add(row[0])
    return table


def row_a_deck(found, words, extra):
    rows = [
        [value for _, value in extra] + [name, f"{at:010}", text_of(deck)] for at, (name, deck) in enumerate(found, 1)
    ]
    return [[title for title, _ in extra] + [words[0], words[1], words[4]], *rows]


def across(found, words, extra):
    most = max(len(deck) for _, deck in found)
    head = [words[0], *(f"{word} {at}" for at in range(1, most + 1) for word in (words[2], words[3]))]
    return [head, *([name, *(cell for card in deck for cell in card)] for name, deck in found)]


def stacked(found, words, extra):
    rows = []
    for name, deck in found:
        rows += [[f"{words[0]}:", name], [words[3], words[2]], *([count, number] for number, count in deck), []]
    return rows


def side_by_side(found, words, extra):
    most = max(len(deck) for _, deck in found)
    rows = [[cell for name, _ in found for cell in (name, "")], [words[3], words[2]] * len(found)]
    for at in range(most):
        rows.append([c for _, deck in found for c in ((deck[at][1], deck[at][0]) if at < len(deck) else ("", ""))])
    return rows


def player_a_column(found, words, extra):
    most = max(len(deck) for _, deck in found)
    lines = [[f"{deck[at][1]}x {deck[at][0]}" if at < len(deck) else "" for _, deck in found] for at in range(most)]
    return [[name for name, _ in found], *lines]


def matrix(found, words, extra):
    numbers = sorted({number for _, deck in found for number, _ in deck})
    rows = [[number, *(dict(deck).get(number, "") for _, deck in found)] for number in numbers]
    return [[words[2], *(name for name, _ in found)], *rows]


SHAPES = [row_a_card, written_once, row_a_deck, across, stacked, side_by_side, player_a_column, matrix]


@settings(max_examples=100, deadline=None)
@given(players, st.sampled_from(SHAPES), st.sampled_from(WORDINGS), noise)
def test_every_deck_and_name_comes_back_or_the_file_is_told(found, shape, words, extra):
    book = book_of(xlsx(shape(found, words, extra)))
    there = {
        entry.who.name: sorted((line.number, line.count) for _, line in entry.deck.lines())
        for entry in book.entries
        if entry.deck
    }
    wanted = {name: sorted(deck) for name, deck in found}
    assert there == wanted or book.problems, (book.readings, book.faults)


def headless(found, words, extra):
    return [[name, f"{at:010}", *card] for at, (name, deck) in enumerate(found, 1) for card in deck]


# Further words for player, ID, number and count, and columns that only their cells tell: "Tally", "Ref. of it".
FURTHER = [
    ("Duelist name", "BNID", "Card number", "#"),
    ("Participant", "ID joueur", "Référence", "Exemplaires"),
    ("Joueur", "Identifiant", "Numéro", "Nombre"),
    ("Participante", "ID Bandai", "N.º de carta", "Cant."),
    ("Partecipante", "ID giocatore", "Codice", "Q.tà"),
    ("Zawodnik", "ID gracza", "Kod", "Szt."),
    ("お名前", "バンダイID", "型番", "数"),
    ("Player", "Player ID", "Ref. of it", "Tally"),
]


# Below each other nothing but headings tells the columns.
@pytest.mark.parametrize(
    ("shape", "words"),
    [
        *((shape, words) for shape in (across, side_by_side, headless) for words in FURTHER),
        *((stacked, words) for words in FURTHER if "Tally" not in words),
    ],
)
def test_columns_in_other_words_are_told_by_what_stands_in_them(shape, words):
    found = [
        ("Ann Lee", [(NUMBERS[0], 4), (NUMBERS[1], 2), (NUMBERS[2], 1), (NUMBERS[3], 3)]),
        ("陽菜 山田", [(NUMBERS[4], 1), (NUMBERS[5], 4), (NUMBERS[0], 2)]),
        ("Jörg Müller", [(NUMBERS[6], 3), (NUMBERS[7], 3), (NUMBERS[8], 1)]),
    ]
    book = book_of(xlsx(shape(found, (*words, ""), ())))
    there = {entry.who.name: [(line.number, line.count) for _, line in entry.deck.lines()] for entry in book.entries}
    assert (there, book.problems) == (dict(found), [])


@pytest.mark.parametrize("words", [("Ref", "Copies"), ("Ref. of it", "Tally")])
def test_numbered_columns_of_something_else_are_no_counts(words):
    rounds = ["Round 1", "Round 2", "Round 3"]
    head = ["Player", *(f"{word} {at}" for at in (1, 2, 3) for word in words), *rounds]
    rows = [[name, NUMBERS[0], 4, NUMBERS[1], 2, NUMBERS[2], 1, 3, 0, 3] for name in NAMES[:2]]
    book = book_of(xlsx([head, *rows]))
    assert [[line.count for _, line in entry.deck.lines()] for entry in book.entries] == [[4, 2, 1]] * 2
    assert book.problems == []


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("words", WORDINGS)
def test_every_shape_in_every_language_is_read_whole(shape, words):
    found = [
        (name, [(number, 1 + at % 4) for at, number in enumerate(NUMBERS[place : place + 8])])
        for place, name in enumerate(NAMES[:3])
    ]
    book = book_of(xlsx(shape(found, words, NOISE[:2])))
    assert [(entry.who.name, len(list(entry.deck.lines()))) for entry in book.entries] == [
        (n, len(d)) for n, d in found
    ]
    assert book.problems == []


def test_players_as_json():
    players = [
        {"player": name, "decklist": {"main": [{"number": n, "count": 2} for n in NUMBERS[:4]]}} for name in NAMES
    ]
    book = book_of(json.dumps(players))
    assert [entry.who.name for entry in book.entries] == NAMES
    assert all(sum(line.count for _, line in entry.deck.lines()) == 8 for entry in book.entries)


def test_a_deck_alone_and_verdicts_as_json():
    deck = {"main": [{"number": number, "count": 2} for number in NUMBERS[:4]]}
    verdicts = [{"file": f"decks/{name}.txt", "legal": False, "findings": [], "deck": deck} for name in NAMES[:2]]
    a_line_each = "\n".join(map(json.dumps, verdicts))
    for text, players in (
        (json.dumps(deck), ["decks"]),
        (json.dumps(deck, indent=1), ["decks"]),
        (json.dumps(verdicts[0], indent=1), ["decks"]),
        (json.dumps(verdicts), NAMES[:2]),
        (a_line_each, NAMES[:2]),
    ):
        book = book_of(text)
        assert [entry.who.name for entry in book.entries] == players
        assert all(sum(line.count for _, line in entry.deck.lines()) == 8 for entry in book.entries)
        assert book.problems == []


@pytest.mark.parametrize(
    ("encoding", "words"),
    [("cp932", 7), ("gb18030", 8), ("cp949", 9), ("utf-16-le", 7), ("utf-16-be", 9), ("cp1252", 2)],
)
def test_every_encoding(encoding, words):
    names = {7: "陽菜 山田", 8: "张 伟", 9: "김 철수", 2: "Chloé Noël"}
    out = io.StringIO()
    table = row_a_card([(names[words], [(number, 3) for number in NUMBERS[:8]])], WORDINGS[words], ())
    out.write("\r\n".join(",".join(map(str, row)) for row in table))
    from api.workbooks.intake.book_reader import read

    [entry] = read(out.getvalue().encode(encoding), "decks.csv", "optcg", catalogue()).entries
    assert (entry.who.name, len(list(entry.deck.lines()))) == (names[words], 8)
