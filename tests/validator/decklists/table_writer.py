"""Lists as tables: CSV, TSV, Markdown and HTML, with a section column or a count column for each section."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Callable, Sequence
from random import Random

from tests.validator.decklists.deck_words import COLUMNS, COUNT_COLUMNS, SECTIONS
from tests.validator.decklists.drawn_decks import Entry, draw_deck
from tests.validator.decklists.written_lists import Paper, WrittenList

Row = tuple[Sequence[str], Sequence[Entry]]
EMPTY = ("0", "", "-", "–")


def _write_delimited(paper: Paper, rows: Sequence[Row], delimiter: str, has_numbers: bool) -> None:
    for cells, entries in rows:
        out = io.StringIO()
        csv.writer(out, delimiter=delimiter, lineterminator="").writerow(cells)
        paper.write(out.getvalue(), entries, has_numbers)


def _write_markdown(paper: Paper, rows: Sequence[Row], has_numbers: bool, chance: Random) -> None:
    is_closed = chance.random() < 0.8
    for at, (cells, entries) in enumerate(rows):
        line = " | ".join(cells)
        paper.write(f"| {line} |" if is_closed else line, entries, has_numbers)
        if at == 0:
            rule = "|".join(chance.choice(("---", ":--", "---:")) for _ in cells)
            paper.write(f"|{rule}|" if is_closed else rule)


def _write_html(paper: Paper, rows: Sequence[Row], has_numbers: bool, chance: Random) -> None:
    is_long = chance.random() < 0.5
    tag = "th"
    lines, listed = [], []
    for cells, entries in rows:
        line = "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"
        lines.append(line)
        listed.append(entries)
        tag = "td"
    if is_long:
        paper.write("<table>")
        for line, entries in zip(lines, listed, strict=True):
            paper.write(line, entries, has_numbers)
        paper.write("</table>")
    else:
        every = [entry for entries in listed for entry in entries]
        paper.write("<table>" + "".join(lines) + "</table>", every, has_numbers)


def write_rows(chance: Random, rows: Sequence[Row], has_numbers: bool, shape: str, game: str) -> WrittenList:
    """Return a table of these rows, the first of them titles, in some form of text."""
    paper = Paper()
    form = chance.choice((",", ",", ";", "\t", "markdown", "html"))
    if form == "markdown":
        _write_markdown(paper, rows, has_numbers, chance)
    elif form == "html":
        _write_html(paper, rows, has_numbers, chance)
    else:
        _write_delimited(paper, rows, form, has_numbers)
    return paper.finish(shape, game, chance)


def _card_columns(chance: Random, game: str) -> list[str]:
    if game == "bos":
        return ["name"]
    return chance.choice((["number"], ["number", "name"], ["name", "number"]))


def _cell(entry: Entry, column: str) -> str:
    return entry.number if column == "number" else entry.name


def section_rows(chance: Random, game: str, language: str, columns: list[str]) -> list[Row]:
    """Return a table with a column for the section and one for the count."""
    deck = [entry for entry in draw_deck(chance, game) if entry.section != "don"]
    used = list(dict.fromkeys(entry.section for entry in deck))
    words = {section: chance.choice(SECTIONS[language][section]) for section in used}
    order = [*columns, "count", "section"]
    chance.shuffle(order)
    values: dict[str, Callable[[Entry], str]] = {
        "count": lambda entry: str(entry.count),
        "section": lambda entry: words[entry.section],
        "number": lambda entry: entry.number,
        "name": lambda entry: entry.name,
    }
    rows: list[Row] = [([chance.choice(COLUMNS[language][column]) for column in order], ())]
    rows += [([values[column](entry) for column in order], [entry]) for entry in deck]
    return rows


def write_table(chance: Random, game: str) -> WrittenList:
    """Return a table with a count column, and a section column if the deck has several sections."""
    language = chance.choice(tuple(COLUMNS))
    columns = _card_columns(chance, game)
    if chance.random() < 0.6:
        return write_rows(chance, section_rows(chance, game, language, columns), "number" in columns, "table", game)
    deck = draw_deck(chance, game, is_sectioned=False, only_own_names=game == "bos")
    order = [*columns, "count"]
    chance.shuffle(order)
    titles = [chance.choice(COLUMNS[language][column]) for column in order]
    rows: list[Row] = [(titles, ())] if game == "bos" or chance.random() < 0.8 else []
    for entry in deck:
        cells = [str(entry.count) if column == "count" else _cell(entry, column) for column in order]
        rows.append((cells, [entry]))
    if not rows[0][1]:
        return write_rows(chance, rows, "number" in columns, "table", game)
    paper = Paper()
    _write_delimited(paper, rows, chance.choice((",", ";", "\t")), "number" in columns)
    return paper.finish("table", game, chance)


def write_count_columns(chance: Random, game: str) -> WrittenList:
    """Return a table with a count column for each section; a cell without copies is 0, blank or a dash."""
    language = chance.choice(("en", "en", *COLUMNS))
    columns = _card_columns(chance, game)
    deck = [entry for entry in draw_deck(chance, game) if entry.section != "don"]
    used = list(dict.fromkeys(entry.section for entry in deck))
    if chance.random() < 0.2:
        used += [section for section in ("main", "side") if section not in used]
    style = chance.choice(COUNT_COLUMNS[language])
    titles = [chance.choice(COLUMNS[language][column]) for column in columns]
    titles += [style.format(chance.choice(SECTIONS[language][section])) for section in used]
    empty = chance.choice(EMPTY)
    by_card: dict[tuple[str, str], list[Entry]] = {}
    for entry in deck:
        by_card.setdefault((entry.number, entry.name), []).append(entry)
    rows: list[Row] = [(titles, ())]
    sums = dict.fromkeys(used, 0)
    for entries in by_card.values():
        counts = dict.fromkeys(used, 0)
        for entry in entries:
            counts[entry.section] += entry.count
            sums[entry.section] += entry.count
        cells = [_cell(entries[0], column) for column in columns]
        rows.append(([*cells, *(str(count) if count else empty for count in counts.values())], entries))
    if chance.random() < 0.1:
        rows.append((["Total", *("" for _ in columns[1:]), *map(str, sums.values())], ()))
    return write_rows(chance, rows, "number" in columns, "count-columns", game)


def write_section_columns(chance: Random, game: str) -> WrittenList:
    """Return a table with a column of cards for each section: "Deck | Side"."""
    language = chance.choice(("en", "en", *SECTIONS))
    deck = [entry for entry in draw_deck(chance, game) if entry.section != "don"]
    used = list(dict.fromkeys(entry.section for entry in deck))
    line = "{n} {name}" if game == "bos" else chance.choice(("{n} {number}", "{n}x {name} {number}", "{number} x{n}"))
    parts = [[entry for entry in deck if entry.section == section] for section in used]
    rows: list[Row] = [([chance.choice(SECTIONS[language][section]) for section in used], ())]
    for at in range(max(map(len, parts))):
        entries = [part[at] for part in parts if at < len(part)]
        cells = [
            line.format(n=part[at].count, number=part[at].number, name=part[at].name) if at < len(part) else ""
            for part in parts
        ]
        rows.append((cells, entries))
    return write_rows(chance, rows, game != "bos", "section-columns", game)
