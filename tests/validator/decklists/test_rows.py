"""Rows: the lines of a list without markup, decoration and stamps, and the cells of its tables."""

import pytest

from validator.decklists import delimiter
from validator.decklists.source import Source, row


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("4x  Nami ", "4x Nami"),
        ("  - 4 Nami", "4 Nami"),
        ("• 4 Nami", "4 Nami"),
        ("> 4 Nami", "4 Nami"),
        ("-> 4 Nami", "4 Nami"),
        ("\\- 4 Nami", "4 Nami"),
        ("[ ] 4 Nami", "4 Nami"),
        ("[x] 4 Nami", "4 Nami"),
        ("#1 4x Nami", "4x Nami"),
        ("😀 4 Nami", "4 Nami"),
        ("<:op:123> 4 Nami", "4 Nami"),
        ("-4 Nami", "-4 Nami"),
        ("**4 Nami**", "4 Nami"),
        ("`4 Nami`", "4 Nami"),
        ("[b]4 Nami[/b]", "4 Nami"),
        ("<b>4 Nami</b>", "4 Nami"),
        ("4<td>Nami</td>", "4 Nami"),
        ("4 Nami &amp; Zoro", "4 Nami & Zoro"),
        ("[Nami](https://a.example/c)", "Nami https://a.example/c"),
        ('"4 Nami"', "4 Nami"),
        ('"4 Nami', "4 Nami"),
        ('4 Nami"', "4 Nami"),
        ('4 "Nami"', '4 "Nami"'),
        ('4 "Nami" "Cat"', '4 "Nami" "Cat"'),
        ("4_OP01-016_Nami", "4 OP01-016 Nami"),
        ("Nami_OP01-016_x4", "Nami OP01-016 x4"),
        ("Nami_Zoro", "Nami_Zoro"),
        ("[12:30, 1/2/2024] Ann: 4 Nami", "4 Nami"),
        ("2024-01-02 12:30 - Ann: 4 Nami", "4 Nami"),
        ("4\u200b Nami", "4 Nami"),
        ("二枚 Nami", "2枚 Nami"),
    ],
)
def test_a_line_without_markup_and_decoration(raw, shown):
    assert row(7, raw) == (7, raw, shown, shown)


def test_a_part_of_a_row_is_the_same_part_of_both_forms():
    line = row(7, "４ Ｎａｍｉ")
    assert (line.shown, line.plain) == ("４ Ｎａｍｉ", "4 Nami")
    assert line.cut(2) == (7, "４ Ｎａｍｉ", "Ｎａｍｉ", "Nami")
    assert line.cut(None, -2) == (7, "４ Ｎａｍｉ", "４ Ｎａ", "4 Na")


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("4 Nami\n\n \n2 Usopp", [(1, "4 Nami"), (4, "2 Usopp")]),
        ("4 Nami<br>2 Usopp", [(1, "4 Nami"), (1, "2 Usopp")]),
        ("<li>4 Nami</li><li>2 Usopp</li>", [(1, "4 Nami"), (1, "2 Usopp")]),
        ("Mine <tr>\n<td>4\n</td><td>Nami\n</td>\n</tr> yours", [(1, "Mine"), (1, "4\tNami"), (5, "yours")]),
        ("<tr><td>4</td><td>Nami</td></tr>\n<tr><td>2</td><td>Usopp</td></tr>", [(1, "4\tNami"), (2, "2\tUsopp")]),
        ("<tr><td>4<td>Nami", [(1, "4\tNami")]),
        ("<tr>4 Nami</tr>", [(1, "4 Nami")]),
    ],
)
def test_the_lines_of_a_text_and_of_html(text, rows):
    assert [(line.at, line.raw if "\t" in line.raw else line.shown) for line in Source(text).rows] == rows


@pytest.mark.parametrize(
    ("text", "declared"),
    [("sep=;\n1;2", ";"), ("SEP=|", "|"), ("sep=\t", "\t"), ("sep=x", None), ("sep=", None), ("sep;", None)],
)
def test_a_first_line_may_declare_the_delimiter(text, declared):
    assert delimiter.declared_delimiter(text) == declared


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("4,Nami", ["4", "Nami"]),
        ('4,"Nami, Cat"', ["4", "Nami, Cat"]),
        ('"Buddha" Sengoku,4', ['"Buddha" Sengoku', "4"]),
        ('"Buddha" Sengoku,"The" Cat', ['"Buddha" Sengoku', '"The" Cat']),
        ('"Buddha" Sengoku,"4"', ["Buddha Sengoku", "4"]),
        ('4,Na"m"i', ["4", 'Na"m"i']),
        ("4;Nami", ["4;Nami"]),
        ("4," + "x" * 200_000, []),  # longer than a cell can be
        ("", []),
    ],
)
def test_the_cells_of_a_line(line, cells):
    assert delimiter.split_cells(line, ",") == cells


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("sep=|\nQty,Card\n4,Nami", "|"),
        ("Qty;Card, Name\n4;Nami", ";"),
        ("Qty,Card; Name\n4,Nami", ","),
        ("a;b\nc;d", ";"),
        ("a|b\nc|d,e", "|"),
        ("4\tNami", "\t"),
        ("Nami", ","),
        ('"4 Nami,\n2 Usopp";Ann\n', ";"),
        ('"Qty,Card\n4,Nami";Ann,Lee', ";"),
        ('1;"Zoro",Cat\nQty,Card', ","),  # by semicolons, a quoted cell goes on
    ],
)
def test_the_delimiter_of_a_table_is_that_of_its_headings_and_lines(text, found):
    def count_headings(rows):
        return sum(cell in ("Qty", "Card") for cells in rows for cell in cells)

    assert delimiter.find_delimiter(text, count_headings) == found
