"""Tables with a count column for each section, written from real decks in every layout that organisers use."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from functools import cache
from unicodedata import east_asian_width

from tests.shared import shared_path

# What languages call the sections, in the order leader, main, side, z.
LANGUAGES = {
    "plain": ("leader", "main", "side", "z"),
    "decks": ("Leader", "Main Deck", "Side Deck", "Z-Deck"),
    "quantities": ("Leader Qty", "Main Qty", "Side Qty", "Z Qty"),
    "counts": ("# Leader", "Copies in Main", "Sideboard (count)", "Count Z"),
    "deck": ("Leader", "Deck", "Side", "Z"),
    "de": ("Anführer", "Hauptdeck", "Seitendeck", "Z-Deck"),
    "fr": ("Leader", "Deck principal", "Réserve", "Deck Z"),
    "es": ("Líder", "Mazo principal", "Mazo de reserva", "Mazo Z"),
    "it": ("Leader", "Mazzo principale", "Riserva", "Mazzo Z"),
    "pt": ("Líder", "Baralho principal", "Baralho secundário", "Baralho Z"),
    "ja": ("リーダー", "メインデッキ枚数", "サイドデッキ枚数", "Zデッキ枚数"),
    "zh": ("领袖", "主卡组", "副卡组", "Z卡组"),
    "ko": ("리더", "메인 덱", "사이드 덱", "Z 덱"),
}
CARDS = {"de": ("Kartennummer", "Karte"), "fr": ("Numéro", "Carte"), "ja": ("カード番号", "カード名")}
BLANKS = ("0", "", "-", "–", "—")
SECTIONS = ("leader", "main", "side", "z")
LAYOUTS = (",", ";", "\t", "|", "markdown", "html", "aligned")


@cache
def real_decks():
    """Return the real dbs decks that have a side deck: the copies of each number by section."""
    decks = []
    for line in shared_path("decks/dbs_decks.jsonl").read_text("utf-8").splitlines():
        copies = Counter()
        for card in json.loads(line)["lines"]:
            copies[card["section"], card["number"]] += card["count"]
        if {section for section, _ in copies} >= {"leader", "main", "side"}:
            decks.append(copies)
    return decks


def rows_of(deck, language, blank, name_of=None):
    """Return a deck as the rows of a table, first the headings. The rows have names if `name_of` is given."""
    used = [section for section in SECTIONS if any(part == section for part, _ in deck)]
    number, name = CARDS.get(language, ("Number", "Name"))
    titles = [LANGUAGES[language][SECTIONS.index(section)] for section in used]
    rows = [[number, *([name] if name_of else []), *titles]]
    for card in dict.fromkeys(card for _, card in deck):
        counts = [str(deck[section, card] or blank) for section in used]
        rows.append([card, *([name_of(card)] if name_of else []), *counts])
    return rows


def laid_out(rows, layout):
    """Return the rows of a table as a text."""
    if layout == "markdown":
        head, *below = (f"| {' | '.join(row)} |" for row in rows)
        return "\n".join([head, "|---" * len(rows[0]) + "|", *below])
    if layout == "html":
        cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
        return "<table>" + "".join(f"<tr>{row}</tr>\n" for row in cells) + "</table>"
    if layout == "aligned":
        widths = [max(map(_width, column)) + 3 for column in zip(*rows, strict=True)]
        return "\n".join(
            "".join(cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True))
            for row in rows
        )
    file = io.StringIO()
    csv.writer(file, delimiter=layout, lineterminator="\n").writerows(rows)
    return file.getvalue()


def _width(text):
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def copies_of(deck):
    """Return the copies of each number in a deck by section."""
    copies = Counter()
    for section, line in deck.lines():
        copies[section, line.number] += line.count
    return copies
