"""Tables copied from a web page with their tags: read like any other table."""

import pytest

from validator.decklists import parse

HEADER = "<tr><th>Count</th><th>Number</th><th>Name</th><th>Section</th></tr>"
LEADER = "<tr><td>1</td><td>BT1-001</td><td>Champa</td><td>Leader</td></tr>"
MAIN = "<tr><td>4</td><td>BT1-004</td><td>Cabba &amp; Hit</td><td>Main Deck</td></tr>"
SIDE = "<tr><td>3</td><td>BT1-010</td><td>Son Goku</td><td>Side Deck</td></tr>"
BY_CELL = "<tr>\n <td>3</td>\n <td><a href='c'>BT1-010</a></td>\n <td></td>\n <td><p>Side Deck</p></td>\n</tr>"


def sections(text):
    deck = parse(text).deck
    assert deck.unread == ()
    return " ".join(f"{section}:{line.count}x{line.number}" for section, line in deck.lines())


@pytest.mark.parametrize(
    "text",
    [
        f"<table>{HEADER}{LEADER}{MAIN}{SIDE}</table>",
        f"<table>\n<tbody>\n{HEADER}\n{LEADER}\n{MAIN}\n{SIDE}\n</tbody></table>\n",
        f"<TABLE class='deck'>{HEADER}\n{LEADER}\n{MAIN}\n{BY_CELL}</TABLE>",
        "".join((HEADER, LEADER, MAIN, SIDE)).replace("</tr>", "").replace("</td>", "").replace("</th>", ""),
    ],
    ids=["one line", "a line for each row", "a line for each cell", "without end tags"],
)
def test_a_column_of_an_html_table_says_the_section(text):
    assert sections(text) == "leader:1xBT1-001 main:4xBT1-004 side:3xBT1-010"


def test_an_empty_cell_of_an_html_table_keeps_its_place():
    rows = "<tr><td></td><td>4</td><td>BT1-004</td></tr><tr><td>Side</td><td>3</td><td>BT1-010</td></tr>"
    titles = "<tr><th>Section</th><th>Qty</th><th>No.</th></tr>"
    assert sections(f"<table>{titles}{rows}</table>") == "main:4xBT1-004 side:3xBT1-010"


def test_a_cell_of_several_lines_is_read_line_by_line():
    cells = "<td>4 BT1-004<br>3 BT1-010</td><td><ul><li>2 BT1-006</li><li>1 BT1-007</li></ul></td>"
    found = sections(f"<table><tr>{cells}</tr></table>")
    assert found == "main:4xBT1-004 main:3xBT1-010 main:2xBT1-006 main:1xBT1-007"


def test_a_card_of_an_html_table_remembers_its_line():
    text = f"<table>\n{HEADER}\n{MAIN}\n{BY_CELL}\n</table>"
    assert [(line.number, line.at) for _, line in parse(text).deck.lines()] == [("BT1-004", 3), ("BT1-010", 4)]


def test_text_around_an_html_table_is_read_or_kept():
    deck = parse(f"Some words of mine\n<table>{HEADER}{MAIN}</table>\nOther words").deck
    assert [line.number for line in deck.main] == ["BT1-004"]
    assert [line.at for line in deck.unread] == [1, 3]
