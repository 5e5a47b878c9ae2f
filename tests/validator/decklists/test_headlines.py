"""Headlines: headings of sections, totals and facts about a list, and the lines of cards that are none of these."""

import pytest

from validator.decklists import headlines


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("Leader", ("leader", False, None, "", "")),
        ("Deck", ("main", True, None, "", "")),
        ("Main Deck", ("main", True, None, "", "")),
        ("== Side Deck (15)", ("side", False, None, "", "")),
        ("Side Deck x15", ("side", False, None, "", "")),
        ("Side Deck: up to 15 cards", ("side", False, None, "", "")),
        ("Z-Deck: 10", ("z", False, None, "", "")),
        ("// 50 Main Deck", ("main", True, None, "//", "")),
        ("//Side Deck", ("side", False, None, "//", "")),
        ("//main-1", ("main", True, None, "//word-1", "")),
        ("__Main Deck", ("main", True, None, "_", "")),
        ("DON!! (10)", ("don", False, None, "", "")),
        ("Event", ("main", False, None, "", "event")),
        ("Character (20)", ("main", True, None, "", "character")),
        ("Cost 3", ("main", False, None, "", "cost")),
        ("Cost 3 (8)", ("main", False, None, "", "cost")),
        ("Red", ("main", False, None, "", "red")),
        ("Maybeboard", ("aside", False, None, "", "")),
        ("DON!! 10", None),
        ("SB01-005", None),
        ("Side Deck SB01-005", None),
        ("4 Nami", None),
        ("Nami", None),
    ],
)
def test_a_line_is_a_heading(line, heading):
    found = headlines.heading(line)
    assert (found and tuple(found)) == heading
    assert headlines.has_no_card(line) is (heading is not None)


@pytest.mark.parametrize(
    ("cells", "section"),
    [
        (["Side Deck"], "side"),
        (["Side Deck", "", "15"], "side"),
        (["15", "Side Deck"], "side"),
        (["(50)", "Main Deck"], "main"),
        (["Side Deck", "OP01-016"], None),
        (["Side 7"], None),
        (["Side", "Deck", "15"], None),
        (["15"], None),
        ([], None),
    ],
)
def test_a_row_of_a_table_is_a_heading(cells, section):
    found = headlines.row_heading(cells, lambda name: name == "Side 7")
    assert (found and found.section) == section


@pytest.mark.parametrize(
    ("line", "section", "rest", "style", "kind"),
    [
        ("Leader: 1 OP01-001", "leader", "1 OP01-001", "", ""),
        ("Leader = OP01-001", "leader", "OP01-001", "", ""),
        ("Main Deck - 4 Nami", "main", "4 Nami", "", ""),
        ("SB: 2 Nami", "side", "2 Nami", "SB:", ""),
        ("Event: 4 Nami", "main", "4 Nami", "", "event"),
    ],
)
def test_a_heading_before_cards_on_a_line(line, section, rest, style, kind):
    found = headlines.inline_heading(line)
    assert (found.section, line[found.rest :], found.style, found.kind) == (section, rest, style, kind)


@pytest.mark.parametrize("line", ["Nami: 4", "Leader:", "Leader 1 OP01-001", "1 Leader: OP01-001"])
def test_no_heading_before_cards(line):
    assert headlines.inline_heading(line) is None


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        (
            "Leader: 1 OP01-001. Main Deck: 4 OP01-016",
            ["Leader: 1 OP01-001. ", "Main Deck: 4 OP01-016"],
        ),
        ("Leader: Zoro Side Deck: 4 Nami Z: 1 Usopp", ["Leader: Zoro ", "Side Deck: 4 Nami ", "Z: 1 Usopp"]),
        ("Leader: 1 OP01-001", ["Leader: 1 OP01-001"]),
        ("4 Nami Side Deck: 2 Usopp", ["4 Nami Side Deck: 2 Usopp"]),
        (
            "1 OP01-001; Main; 4 OP01-016; Side; 2 OP01-024",
            ["1 OP01-001; ", "Main", "; 4 OP01-016; ", "Side", "; 2 OP01-024"],
        ),
        ("1 Zoro, Main: 4 Nami, Side: 2 Usopp", ["1 Zoro, ", "Main: 4 Nami, ", "Side: 2 Usopp"]),
        ("Leader / 1 Zoro / Main / 4 Nami", ["Leader", " / 1 Zoro / ", "Main", " / 4 Nami"]),
        ("1 OP01-001, Leader, 4 OP01-016, Main", ["1 OP01-001, Leader, 4 OP01-016, Main"]),
        ("1 OP01-001, Leader; 4 OP01-016", ["1 OP01-001, Leader; 4 OP01-016"]),
        ("4 OP01-016, Side, 4 OP01-017, Side, 2 OP01-024", ["4 OP01-016, Side, 4 OP01-017, Side, 2 OP01-024"]),
        ("4 OP01-016, Event, 4 OP01-017", ["4 OP01-016, Event, 4 OP01-017"]),
        ("4, OP01-016, Side, R", ["4, OP01-016, Side, R"]),
    ],
)
def test_the_sections_of_a_line(line, parts):
    starts = headlines.section_starts(line)
    assert [line[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)] == parts


@pytest.mark.parametrize(
    ("line", "is_metadata", "is_total"),
    [
        ("Total: 50", True, True),
        ("50 cards", True, True),
        ("1 + 50", True, True),
        ("Deck exported from a website", True, True),
        ("Player: Ann Lee", True, False),
        ("Price: 3", True, False),
        ("2024-01-02", True, False),
        ("4 June 2024", True, False),
        ("3 comments", True, False),
        ("Name (Goku Aggro)", True, False),
        ("On Monday Ann wrote:", True, False),
        ("page 3 of 4", True, False),
        ("$3.50", True, False),
        ("Ann#1234", True, False),
        ("4 June", False, False),  # four copies of a card
        ("Player: OP01-016", False, False),
        ("Nami: 4", False, False),
        ("Nami", False, False),
    ],
)
def test_lines_about_the_list(line, is_metadata, is_total):
    assert (headlines.is_metadata(line), headlines.is_total(line)) == (is_metadata, is_total)
    assert headlines.names_deck(line) is line.startswith("Name (")


@pytest.mark.parametrize(
    ("line", "is_header"),
    [
        ("Count Number Name Cost Power", True),
        ("Count Name", True),
        ("Count Nami", False),
        ("Name Cost", False),
        ("Cost Power", False),
        ("Count", False),
        ("4 Name", False),
    ],
)
def test_a_line_of_names_of_columns(line, is_header):
    assert headlines.is_header(line) is is_header


@pytest.mark.parametrize(
    ("cells", "is_totals_row", "states_total"),
    [
        (["Total", ""], True, True),
        (["", "Summe"], True, True),
        (["Total", "50", "(4)"], False, True),
        (["Ann Lee Total", "5"], False, True),
        (["Total", "Nami"], False, False),
        (["50", "5"], False, False),
        (["Nami"], False, False),
        ([""], False, False),
    ],
)
def test_rows_of_sums(cells, is_totals_row, states_total):
    assert (headlines.is_totals_row(cells), headlines.states_total(cells)) == (is_totals_row, states_total)


@pytest.mark.parametrize(
    ("words", "names_sum", "names_fact"),
    [
        ("Total", True, True),
        ("Ann Lee Ergebnis", True, True),
        (" sum ", True, True),
        ("x" * 194 + " total", True, True),
        ("x" * 195 + " total", False, False),
        ("Cost", False, True),
        ("Date", False, True),
        ("price", False, True),
        ("Nami", False, False),
    ],
)
def test_words_for_sums_and_facts(words, names_sum, names_fact):
    assert (headlines.names_sum(words), headlines.names_fact(words)) == (names_sum, names_fact)


@pytest.mark.parametrize(
    ("line", "is_link", "is_comment", "is_farewell"),
    [
        ("https://a.example", True, False, False),
        ("www.a.example", True, False, False),
        ("?deck=1xOP01-001", True, False, False),
        ("a=b?c", False, False, False),
        ("// Nami", False, True, False),
        ("# Nami", False, True, False),
        ("---", False, True, False),
        ("Best regards,", False, False, True),
        ("Danke", False, False, True),
        ("Nami", False, False, False),
    ],
)
def test_links_comments_and_farewells(line, is_link, is_comment, is_farewell):
    found = headlines.is_link(line), headlines.is_comment(line), headlines.is_farewell(line)
    assert found == (is_link, is_comment, is_farewell)


@pytest.mark.parametrize(("kind", "is_printed"), [("cost", True), ("red", True), ("event", False), ("", False)])
def test_headings_of_printed_values(kind, is_printed):
    assert headlines.names_printed_value(kind) is is_printed
