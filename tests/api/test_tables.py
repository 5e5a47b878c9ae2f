"""One table is one deck, whoever reads it: the readers of lists, `deckproof check` and the reader of spreadsheets."""

import csv
import io
from operator import attrgetter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from api.cli.deck_files import parse_deck
from api.service.judges import Judges
from api.service.requests import RequestedTerms
from api.workbooks.intake.book_reader import read
from carddb import facts
from tests.api.workbooks.files import catalogue
from validator import decklists
from validator.deck import SECTIONS
from validator.decklists.delimiter import DELIMITERS

HEADINGS = {
    "count": ("Qty", "Count", "Pcs", "Times", "Anzahl", "Cantidad", "Quantité", "Nombre", "枚数", "수량", "x"),
    "number": ("Card number", "Code", "No", "Kartennummer", "Código", "Numéro", "カード番号", "番号", "Id"),
    "name": ("Name", "Card", "Card title", "Karte", "Nombre", "Carte", "Nom", "カード名", "名前"),
    "section": ("Section", "Board", "Bereich", "Sección", "区分"),
    "side": ("Sideboard", "Side"),
}
WORDS = {
    "section": {"leader": ("Leader", "leader"), "main": ("Main", "Main deck", "main"), "side": ("Side", "Sideboard")},
    "side": {"leader": ("Leader",), "main": ("Main", "no", ""), "side": ("Side", "TRUE", "x")},
}
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252")
CARDS = [card for card in catalogue() if card.type != "DON!!"]


@st.composite
def decks(draw):
    """A Leader and other cards, each in a section, with its count."""
    leader = draw(st.sampled_from([card for card in CARDS if card.type == "Leader"]))
    others = draw(st.lists(st.sampled_from([card for card in CARDS if card.type != "Leader"]), min_size=3, max_size=12))
    sections = st.sampled_from(("main", "main", "main", "side"))
    rows = [("leader", 1, leader), *((draw(sections), draw(st.integers(1, 4)), card) for card in others)]
    return sorted(rows, key=lambda row: SECTIONS.index(row[0]))


@st.composite
def layouts(draw):
    """The headings of a table in their order, by what stands under them."""
    place = draw(st.sampled_from(("section", "side")))
    roles = draw(
        st.permutations(["count", place, *draw(st.sampled_from([("number",), ("number", "name"), ("name",)]))])
    )
    titles = [(role, draw(st.sampled_from(HEADINGS[role]))) for role in roles]
    assume(len(dict(map(reversed, titles))) == len(titles))
    return titles


def cell(role, row, draw):
    section, count, card = row
    told = {"count": count, "number": card.number, "name": card.name}
    return told[role] if role in told else draw(st.sampled_from(WORDS[role][section]))


@st.composite
def tables(draw):
    """The lines of a deck and the bytes of a table of it."""
    layout, rows = draw(layouts()), draw(decks())
    out = io.StringIO()
    writer = csv.writer(out, delimiter=draw(st.sampled_from(DELIMITERS)), lineterminator=draw(st.sampled_from("\n\r")))
    writer.writerow(title for _, title in layout)
    writer.writerows([cell(role, row, draw) for role, _ in layout] for row in rows)
    by = attrgetter("number" if "number" in dict(layout) else "name")
    text, encoding = out.getvalue(), draw(st.sampled_from(ENCODINGS))
    if encoding == "cp1252":
        assume(text.encode(encoding, "ignore").decode(encoding) == text)
    return sorted((section, by(card), count) for section, count, card in rows), text.encode(encoding)


def lines(found):
    assert not found.unread
    return sorted((section, line.number or line.name, line.count) for section, line in found.lines())


def doors(data):
    """The deck that each reader makes of a table."""
    [entry] = read(data, "deck.csv", "optcg", catalogue()).entries
    checked = parse_deck(data, Judges(facts), RequestedTerms(game="optcg")).deck
    return decklists.parse(data, "optcg", catalogue()).deck, checked, entry.deck


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(tables())
def test_every_door_reads_the_deck_that_was_written(table):
    written, data = table
    assert [lines(found) for found in doors(data)] == [written] * 3


NUMBERED = [("leader", "ST21-001", 1), ("main", "OP01-016", 4), ("side", "ST01-011", 2)]
PLACED = "Leader,1,ST21-001\nMain,4,OP01-016\nSide,2,ST01-011"


@pytest.mark.parametrize(
    ("table", "encoding"),
    [
        (f"Sección,Cantidad,Código\n{PLACED}", "utf-8"),
        (f"Sección,Cantidad,Código\n{PLACED}", "cp1252"),
        (f"Section,Pcs,Card\n{PLACED}", "utf-8"),
        (f"Section,Times,Card title\n{PLACED}", "utf-8"),
        (f"Section,Qty,Card number\n{PLACED}", "utf-16-le"),
        (f"Section,Qty,Card number\n{PLACED}", "utf-16-be"),
        (f"Sideboard,Qty,Card number\n{PLACED}", "utf-8"),
        (f"Type,Count,Code\n{PLACED}", "utf-8"),
        (f"sep=;\nSection;Nombre;Carte\n{PLACED.replace(',', ';')}", "utf-8"),
        (f"区分|枚数|番号\n{PLACED.replace(',', '|')}", "utf-8"),
        (f"Section\tx\tNo\n{PLACED.replace(',', chr(9))}", "utf-16"),
        ("Sideboard,Qty,Card number\n,1,ST21-001\nno,4,OP01-016\nyes,2,ST01-011", "utf-8"),
    ],
)
def test_tables_of_one_deck(table, encoding):
    assert [lines(found) for found in doors(table.encode(encoding))] == [NUMBERED] * 3


def test_a_section_said_once_holds_for_the_rows_below():
    table = "Section,Qty,Card number\nLeader,1,ST21-001\nMain,4,OP01-016\n,4,ST21-015\nSide,2,ST01-011\n,1,ST21-003"
    placed = [("leader", "ST21-001", 1), ("main", "OP01-016", 4), ("main", "ST21-015", 4)]
    placed += [("side", "ST01-011", 2), ("side", "ST21-003", 1)]
    assert [lines(found) for found in doors(table.encode())] == [placed] * 3


def test_what_is_no_section_is_unread_at_every_door():
    table = "Sideboard,Qty,Card number\nno,1,ST21-001\nperhaps,4,OP01-016"
    assert [[line.at for line in found.unread] for found in doors(table.encode())] == [[3]] * 3
