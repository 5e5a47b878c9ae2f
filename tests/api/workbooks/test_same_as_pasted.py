"""A table is read alike if it is pasted, or uploaded as CSV or XLSX: the same decks, and nothing is lost unnoticed."""

import csv
import io
from collections import Counter

import pytest

from api.workbooks.intake.book_reader import read
from carddb import facts
from tests.api.workbooks.files import xlsx
from validator.decklists import parse_each

CARDS = facts.catalogue("dbs")
OF_MAIN = [card for card in CARDS if card.type == "Battle" and len(CARDS.by_name(card.name)) == 1][:14]
LEADER = next(card for card in CARDS if card.type == "Leader")
DECK = [("leader", LEADER, 1), *(("main", card, 2 + at % 3) for at, card in enumerate(OF_MAIN))]
DECK += [("side", card, 1) for card in OF_MAIN[:4]]
HEADINGS = ["Part", "Qty", "Number", "Name"]


def rows_of(deck, *before):
    return [[*before, section.title(), count, card.number, card.name] for section, card, count in deck]


def text_of(rows, delimiter):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return out.getvalue()


def count_cards(deck):
    copies = Counter()
    for section, line in deck.lines():
        copies[section, line.number] += line.count
    return copies


def count_expected(deck):
    copies = Counter()
    for section, card, count in deck:
        copies[section, card.number] += count
    return copies


def paste(rows, delimiter):
    parsed = parse_each(text_of(rows, delimiter), "dbs", CARDS)
    errors = [line for each in parsed for line in each.deck.unread if not line.aside]
    return [count_cards(each.deck) for each in parsed], errors


def upload(data, name):
    book = read(data, name, "dbs", CARDS)
    return [count_cards(entry.deck) for entry in book.entries if entry.deck], book.problems


def assert_alike(rows, decks):
    read_tables = {
        "tabs": paste(rows, "\t"),
        "commas": paste(rows, ","),
        "csv": upload(text_of(rows, ",").encode(), "table.csv"),
        "xlsx": upload(xlsx({"Table": rows}), "table.xlsx"),
    }
    assert read_tables == dict.fromkeys(read_tables, ([count_expected(deck) for deck in decks], []))


TOTAL = ["", sum(count for _, _, count in DECK), "Total", ""]
ODD_ROWS = {
    "a title above": ([["Regional 2026"]], []),
    "the player above": ([["Player: Ann Lee"]], []),
    "a comment": ([], [["// tech cards"]]),
    "a note": ([], [["Notes: go second"]]),
    "a page": ([], [["Page 1 of 2"]]),
    "a signature": ([], [["Signature: ____"]]),
    "the headings again": ([], [HEADINGS]),
    "a total": ([], [TOTAL]),
    "an empty line of a form": ([], [["", "", "", ""]]),
}


@pytest.mark.parametrize("odd", ODD_ROWS)
@pytest.mark.parametrize("has_headings", [True, False], ids=["headings", "no headings"])
def test_an_odd_row_among_the_cards_of_one_player(odd, has_headings):
    above, among = ODD_ROWS[odd]
    rows = rows_of(DECK)
    place = len(rows) if odd in ("a total", "a signature") else 5
    rows[place:place] = among if has_headings or odd != "the headings again" else []
    if odd == "the player above" and not has_headings:
        above = []
    assert_alike([*above, *([HEADINGS] if has_headings else []), *rows], [DECK])


@pytest.mark.parametrize("odd", [odd for odd in ODD_ROWS if odd != "the player above"])
def test_an_odd_row_among_the_cards_of_several_players(odd):
    above, among = ODD_ROWS[odd]
    rows = rows_of(DECK, "Ann Lee")
    place = len(rows) if odd in ("a total", "a signature") else 5
    rows[place:place] = [["", *row] if row == TOTAL else ["Player", *row] if row == HEADINGS else row for row in among]
    assert_alike([*above, ["Player", *HEADINGS], *rows, *rows_of(DECK[:-3], "Jörg Müller")], [DECK, DECK[:-3]])


def test_read_a_section_written_once_and_repeated_headings():
    rows = rows_of(DECK)
    for before, row in zip(DECK, rows[1:], strict=False):
        row[0] = "" if row[0] == before[0].title() else row[0]
    rows[5:5] = [HEADINGS]
    assert_alike([HEADINGS, *rows], [DECK])


@pytest.mark.parametrize("numbers", ["Line", "Row", "Line No."])
@pytest.mark.parametrize("counts", ["Main", "Main Qty", "Count"])
def test_numbered_rows_are_no_player(numbers, counts):
    deck = [("main", card, 3) for card in OF_MAIN]
    rows = [[at, card.name, count, card.number] for at, (_, card, count) in enumerate(deck, 1)]
    assert_alike([[numbers, "Name", counts, "Number"], *rows], [deck])


def test_columns_beside_a_count_are_no_players():
    deck = [("main", card, 4) for card in OF_MAIN]
    rows = [[card.number, count, 1 + at % 2, at % 3] for at, (_, card, count) in enumerate(deck)]
    assert_alike([["Number", "Qty", "Owned", "Missing"], *rows], [deck])


def test_players_whose_counts_add_up_to_the_count():
    rows = [[card.number, 7, 4, 3] for card in OF_MAIN]
    decks = [[("main", card, count) for card in OF_MAIN] for count in (4, 3)]
    assert_alike([["Number", "Qty", "Ann Lee", "Max Power"], *rows], decks)


def test_headings_of_sections_that_each_player_has():
    rows = []
    for player in ("Ann Lee", "Jörg Müller"):
        for section in ("main", "side"):
            of_section = [(place, card, count) for place, card, count in DECK if place == section]
            rows += [[section.title()], *([player, *row[1:]] for row in rows_of(of_section))]
    deck = [line for line in DECK if line[0] != "leader"]
    assert_alike([["Player", *HEADINGS[1:]], *rows], [deck, deck])


def test_headings_of_sections_that_all_players_share():
    rows = []
    for section in ("main", "side"):
        of_section = [(place, card, count) for place, card, count in DECK if place == section]
        rows += [[section.title()]]
        rows += [[player, *row[1:]] for player in ("Ann Lee", "Jörg Müller") for row in rows_of(of_section)]
    deck = [line for line in DECK if line[0] != "leader"]
    assert_alike([["Player", *HEADINGS[1:]], *rows], [deck, deck])


@pytest.mark.parametrize("word", ["Side", "side deck", "Sideboard"])
def test_a_section_beside_a_card_number_in_a_list(word):
    main, side = OF_MAIN[:2]
    (parsed,) = parse_each(f"Main x4 {main.number}\n{word} x2 {side.number}", "dbs", CARDS)
    assert count_cards(parsed.deck) == {("main", main.number): 4, ("side", side.number): 2}
    assert not parsed.deck.unread


def test_report_a_misspelt_section():
    rows = [HEADINGS, *rows_of(DECK)]
    rows[-1][0] = "Sied"
    for decks, problems in (paste(rows, "\t"), upload(xlsx({"Table": rows}), "table.xlsx")):
        assert decks == [count_expected(DECK[:-1])]
        assert len(problems) == 1


def test_report_a_card_behind_a_comment_mark():
    rows = [HEADINGS, *rows_of(DECK)]
    rows.insert(5, ["//", 4, OF_MAIN[0].number, ""])
    for delimiter in ("\t", ","):
        (parsed,) = parse_each(text_of(rows, delimiter), "dbs", CARDS)
        assert count_cards(parsed.deck) == count_expected(DECK)
        assert [line.at for line in parsed.deck.unread if line.aside] == [6]
    (entry,) = read(xlsx({"Table": rows}), "table.xlsx", "dbs", CARDS).entries
    assert count_cards(entry.deck) == count_expected(DECK)
    assert [line.at for line in entry.deck.unread if line.aside] == [6]


@pytest.mark.parametrize("named", ["Leader: {}", "Leader = {}", "リーダー: {}", "Leader {}"])
def test_a_leader_above_cards_without_headings(named):
    cards = [f"4,{card.number}" for card in OF_MAIN]
    text = "\n".join([named.format(LEADER.name), *cards])
    (parsed,) = parse_each(text, "dbs", CARDS)
    leaders = [line for section, line in parsed.deck.lines() if section == "leader"]
    assert len(leaders) == 1 or [line for line in parsed.deck.unread if not line.aside]


@pytest.mark.parametrize("column", ["Section", "Type"])
def test_rows_that_begin_with_a_fact_word_and_have_no_count(column):
    words = {"Section": ("Deck", "Side"), "Type": ("Event", "Side")}[column]
    rows = [[words[0] if at < 9 else words[1], card.name] for at, card in enumerate(OF_MAIN[:12])]
    for decks, _ in (paste([[column, "Name"], *rows], "\t"), upload(xlsx({"T": [[column, "Name"], *rows]}), "t.xlsx")):
        assert sum(sum(deck.values()) for deck in decks) == 12


def test_counted_names_of_several_players_below_a_section():
    rows = [["Deck", f"4 {card.name}", player] for player in ("Ann Lee", "Bob Ray") for card in OF_MAIN[:12]]
    book = read(xlsx({"T": [["Section", "Card", "Player"], *rows]}), "t.xlsx", "dbs", CARDS)
    assert [(entry.who.name, sum(count_cards(entry.deck).values())) for entry in book.entries] == [
        ("Ann Lee", 48),
        ("Bob Ray", 48),
    ]


@pytest.mark.parametrize("odd", [["// tech"], ["Notes: go second"], ["Page 1 of 2"], ["Player", "Qty", "Number"]])
def test_an_odd_row_below_a_heading_of_a_section(odd):
    rows = []
    for player in ("Ann Lee", "Bob Ray"):
        for section in ("main", "side"):
            of_section = [[player, count, card.number] for place, card, count in DECK if place == section]
            rows += [[section.title()], *of_section[:2], *([odd] if section == "side" else []), *of_section[2:]]
    deck = [line for line in DECK if line[0] != "leader"]
    assert_alike([["Player", "Qty", "Number"], *rows], [deck, deck])


def test_headings_that_two_players_share_twice():
    rows = []
    for players in (("Ann Lee", "Bob Ray"), ("Cy Orr", "Dan Poe")):
        for section in ("main", "side"):
            of_section = [[count, card.number] for place, card, count in DECK if place == section]
            rows += [[section.title()], *([player, *row] for player in players for row in of_section)]
    deck = [line for line in DECK if line[0] != "leader"]
    assert_alike([["Player", "Qty", "Number"], *rows], [deck] * 4)


@pytest.mark.parametrize("handles", [("annlee#1234", "bobray#4321"), ("@annlee", "@bobray")])
def test_players_named_by_handles(handles):
    cards = [[4, card.number] for card in OF_MAIN]
    rows = [row for handle in handles for row in ([handle], ["Qty", "Number"], *cards, [])]
    book = read(xlsx({"T": rows}), "t.xlsx", "dbs", CARDS)
    assert [(entry.who.name, sum(count_cards(entry.deck).values())) for entry in book.entries] == [
        (handle, 56) for handle in handles
    ]


def test_a_matrix_with_one_wrong_sum_and_a_player_called_page():
    rows = [[card.number, 7, 4, 3] for card in OF_MAIN]
    rows[3][1] = 8
    decks = [[("main", card, count) for card in OF_MAIN] for count in (4, 3)]
    assert_alike([["Number", "Qty", "Ann", "Page"], *rows], decks)


@pytest.mark.parametrize(("title", "mark"), [("Entry", "#10000"), ("Team", "#team0"), ("Seat", "#A0")])
def test_rows_that_begin_with_a_number_sign(title, mark):
    rows = [[mark, *row] for player in ("Ann Lee", "Bob Ray") for row in rows_of(DECK, player)]
    assert_alike([[title, "Player", *HEADINGS], *rows], [DECK, DECK])


@pytest.mark.parametrize("row", [["Side", 2, "", ""], ["Leader", 1, "", ""], ["Main", 4, "", ""]])
def test_report_a_row_without_its_card(row):
    rows = [HEADINGS, *rows_of(DECK), row]
    for decks, problems in (paste(rows, "\t"), paste(rows, ","), upload(xlsx({"T": rows}), "t.xlsx")):
        assert decks == [count_expected(DECK)]
        assert len(problems) == 1


def test_empty_lines_of_a_form_with_counts_of_0():
    rows = [[card.number, card.name, 4, ""] for card in OF_MAIN]
    deck = [("main", card, 4) for card in OF_MAIN]
    assert_alike([["Number", "Name", "Main", "Side"], *rows, *[["", "", 0, 0]] * 3], [deck])


def test_a_comment_mark_before_a_card_that_an_earlier_row_has():
    rows = [["Note", "Qty", "Number"], *(["", 4, card.number] for card in OF_MAIN), ["//", 4, OF_MAIN[0].number]]
    (entry,) = read(xlsx({"T": rows}), "t.xlsx", "dbs", CARDS).entries
    assert sum(count_cards(entry.deck).values()) == 56
    assert [line.at for line in entry.deck.unread if line.aside] == [len(rows)]


def of_sections(*sections):
    return [line for line in DECK if line[0] in sections]


@pytest.mark.parametrize("odd", [["// tech"], ["Notes: go second"], ["Page 1 of 2"], ["-----"], ["2026-11-28"]])
def test_skip_an_odd_row_where_sections_and_players_are_written_once(odd):
    rows = []
    for player in ("Ann Lee", "Bob Ray"):
        of_player = rows_of(DECK, player)
        for before, row in zip(DECK, of_player[1:], strict=False):
            row[1] = "" if row[1] == before[0].title() else row[1]
        once = [[player if at == 0 else "", *row[1:]] for at, row in enumerate(of_player)]
        rows += [*once[:4], odd, *once[4:]]
    assert_alike([["Player", *HEADINGS], *rows], [DECK, DECK])


def test_read_headings_between_the_rows_of_players_written_once():
    rows = []
    for player in ("Ann Lee", "Bob Ray"):
        of_player = [[player, 1, LEADER.number]]
        for section in ("main", "side"):
            of_player += [[section.title()], *(["", count, card.number] for _, card, count in of_sections(section))]
        rows += of_player
    book = read(xlsx({"T": [["Player", "Qty", "Number"], *rows]}), "t.xlsx", "dbs", CARDS)
    assert [(entry.who.name, count_cards(entry.deck)) for entry in book.entries] == [
        (player, count_expected(DECK)) for player in ("Ann Lee", "Bob Ray")
    ]


def test_a_side_deck_below_a_heading_that_ends_at_the_next_player():
    rows = []
    for player in ("Ann Lee", "Bob Ray"):
        rows += [[player, count, card.number] for _, card, count in of_sections("leader", "main")]
        rows += [["Side"], *([player, count, card.number] for _, card, count in of_sections("side"))]
    assert_alike([["Player", "Qty", "Number"], *rows], [DECK, DECK])


def test_headings_with_a_small_size_in_the_column_of_counts():
    rows = []
    for section in ("leader", "main", "side"):
        lines = of_sections(section)
        rows += [[section.title(), sum(count for _, _, count in lines), ""]]
        rows += [["", count, card.number] for _, card, count in lines]
    assert_alike([["Section", "Qty", "Number"], *rows], [DECK])


def test_a_total_shows_that_a_side_column_counts():
    rows = [[card.number, 3, 1 if at < 4 else ""] for at, card in enumerate(OF_MAIN)]
    total = ["Total", 3 * len(OF_MAIN), 4]
    for decks, problems in (paste([["Number", "Qty", "Side"], *rows, total], "\t"),):
        assert problems or sum(count for (section, _), count in decks[0].items() if section == "side") == 4


@pytest.mark.parametrize("fact", [["Date", "5 April", ""], ["Judge", "", "Max"], ["Player", "Ann Lee", ""]])
def test_a_fact_below_the_cards_of_a_pasted_table(fact):
    rows = [["Qty", "Number", "Name"], *([4, card.number, card.name] for card in OF_MAIN), fact]
    assert paste(rows, "\t") == ([count_expected([("main", card, 4) for card in OF_MAIN])], [])


@pytest.mark.parametrize("name", ["Link", "Record", "Judge", "Date"])
def test_keep_an_unknown_card_with_the_name_of_a_fact(name):
    rows = [["Qty", "Name"], *([4, card.name] for card in OF_MAIN), [4, name]]
    (parsed,) = parse_each(text_of(rows, "\t"), "dbs", CARDS)
    assert [line.count for _, line in parsed.deck.lines() if line.name == name] == [4]


def test_a_matrix_with_a_column_of_sections():
    rows = [[section.title(), card.number, count, 3] for section, card, count in DECK]
    decks = [DECK, [(section, card, 3) for section, card, _ in DECK]]
    book = read(xlsx({"T": [["Section", "Number", "Ann Lee", "Bob Ray"], *rows]}), "t.xlsx", "dbs", CARDS)
    assert [count_cards(entry.deck) for entry in book.entries] == [count_expected(deck) for deck in decks]


def test_labelled_players_with_a_column_of_counts_for_each_section():
    rows = []
    for player in ("Ann Lee", "Bob Ray"):
        rows += [[f"Player: {player}"], ["Number", "Main", "Side"]]
        rows += [[card.number, 4, 1 if at < 3 else 0] for at, card in enumerate(OF_MAIN)]
    deck = [("main", card, 4) for card in OF_MAIN] + [("side", card, 1) for card in OF_MAIN[:3]]
    assert_alike(rows, [deck, deck])


def test_a_column_of_types_before_that_of_sections_without_headings():
    rows = [
        [player, card.type, section.title(), count, card.number]
        for player in ("Ann Lee", "Bob Ray")
        for section, card, count in DECK
    ]
    assert_alike(rows, [DECK, DECK])


def test_headings_of_sections_above_cards_with_their_types():
    rows = []
    for section in ("leader", "main", "side"):
        rows += [[section.title()], *([card.type, count, card.number] for _, card, count in of_sections(section))]
    assert_alike([["Type", "Qty", "Number"], *rows], [DECK])


@pytest.mark.parametrize("headings", [["Card", "Ann Lee", "Bob Ray"], ["Card", "Name", "Ann Lee", "Bob Ray"]])
@pytest.mark.parametrize("total", ["", 8])
def test_headings_of_sections_between_the_cards_of_a_matrix(headings, total):
    rows = [headings]
    for section in ("leader", "main", "side"):
        rows.append([section.title(), *[""] * (len(headings) - 3), total if section == "side" else "", ""])
        of_section = [(card, count) for place, card, count in DECK if place == section]
        names = [[card.number, card.name][: len(headings) - 2] for card, _ in of_section]
        rows += [
            [*name, count, "" if at else count]
            for at, (name, (_, count)) in enumerate(zip(names, of_section, strict=True))
        ]
    first = {section: (section, card, count) for section, card, count in reversed(DECK)}
    assert_alike(rows, [DECK, [first[section] for section in ("leader", "main", "side")]])


@pytest.mark.parametrize("zero", [0, "0x", "0.0"])
@pytest.mark.parametrize("headings", [[], [["Number", "Qty"]]])
def test_a_count_of_0_is_a_remark(zero, headings):
    rows = [*headings, *[[card.number, 4] for card in OF_MAIN]]
    rows.insert(6, [LEADER.number, zero])
    assert_alike(rows, [[("main", card, 4) for card in OF_MAIN]])
    (parsed,) = parse_each(text_of(rows, "\t"), "dbs", CARDS)
    assert [(line.at, line.aside) for line in parsed.deck.unread] == [(7, True)]
    assert [fault.severity for fault in read(xlsx({"T": rows}), "t.xlsx", "dbs", CARDS).faults] == ["notice"]


@pytest.mark.parametrize("marks", [("yes", "no"), ("x", ""), ("✓", "✗"), ("TRUE", "FALSE"), ("checked", "")])
@pytest.mark.parametrize("headings", [[], [["Number", "Qty", ""]]])
def test_note_marks_in_a_column_without_a_heading(marks, headings):
    rows = [*headings, *[[card.number, 4, marks[at % 2]] for at, card in enumerate(OF_MAIN)]]
    assert_alike(rows, [[("main", card, 4) for card in OF_MAIN]])
    (parsed,) = parse_each(text_of(rows, "\t"), "dbs", CARDS)
    assert [(line.at, line.code) for line in parsed.deck.unread] == [(1, "table.marks")]
    assert [fault.severity for fault in read(xlsx({"T": rows}), "t.xlsx", "dbs", CARDS).faults] == ["notice"]


@pytest.mark.parametrize("other", ["x", "SR"])
def test_note_no_marks_that_all_rows_have(other):
    rows = [["Qty", "", "Number"], *[[4, other, card.number] for card in OF_MAIN]]
    (parsed,) = parse_each(text_of(rows, "\t"), "dbs", CARDS)
    assert not parsed.deck.unread


@pytest.mark.parametrize("marks", [("✓", "☐"), ("✔️", ""), ("sì", "no"), ("はい", "いいえ")])
def test_marks_under_a_heading_of_the_side_deck(marks):
    rows = [[card.number, count, marks[section == "main"]] for section, card, count in DECK[1:]]
    assert_alike([["Number", "Qty", "Side"], *rows], [DECK[1:]])


@pytest.mark.parametrize("card", ["", OF_MAIN[0].number])
def test_a_total_in_a_column_of_players_is_no_card(card):
    rows = []
    for player in ("Ann Lee", "Bob Ray"):
        rows += [*rows_of(DECK, player), [f"{player} Total", "", 4, card, ""]]
    players = [DECK, DECK] if not card else [DECK, [("main", OF_MAIN[0], 4)]] * 2
    decks, errors = paste([["Player", *HEADINGS], *rows], "\t")
    assert (decks, errors) == ([count_expected(deck) for deck in players], [])
    assert upload(xlsx({"T": [["Player", *HEADINGS], *rows]}), "t.xlsx") == (decks, [])


@pytest.mark.parametrize("title", ["Gesamt", "Somme", "Grand Total", "Zwischensumme", "Deck total", "合計", "Sum"])
def test_words_for_a_total_below_the_cards(title):
    rows = rows_of(DECK)
    assert_alike([HEADINGS, *rows, ["", sum(count for _, _, count in DECK), "", title]], [DECK])


@pytest.mark.parametrize("has_names", [True, False])
@pytest.mark.parametrize("has_gaps", [True, False])
def test_sections_beside_each_other_with_their_own_headings(has_names, has_gaps):
    width = 2 + has_names
    parts = [
        [row[1 : 1 + width] for row in rows_of(DECK) if row[0] == section] for section in ("Leader", "Main", "Side")
    ]
    gap = [""] * has_gaps
    titles = [cell for name in ("Leader", "Main", "Side") for cell in [name, *[""] * (width - 1), *gap]]
    rows = [titles, [*HEADINGS[1 : 1 + width], *gap] * 3]
    for at in range(max(map(len, parts))):
        rows.append([cell for part in parts for cell in [*(part[at] if at < len(part) else [""] * width), *gap]])
    assert_alike(rows, [DECK])


@pytest.mark.parametrize("upper", [["Card", "", "", ""], ["", "Card", "", ""]])
def test_headings_below_headings_of_groups(upper):
    lower = ["Number", "Title", "Copies", "Section"]
    rows = [[card.number, card.name, count, section.title()] for section, card, count in DECK]
    assert_alike([upper, lower, *rows], [DECK])
    assert_alike([["Regional 2026", "", "", ""], upper, lower, *rows], [DECK])


@pytest.mark.parametrize("lines", [11, 30, 39])
def test_a_form_of_many_lines_above_the_headings(lines):
    form = ["Regional 2026", "Player: Ann Lee", "Date: 5 April", "Judge: ____", "Table: 4", "Store Championship"]
    form += ["Please bring sleeves and a pen."] * (lines - len(form))
    above = [[line, "", "", ""] for line in form]
    assert_alike([*above, HEADINGS, *rows_of(DECK)], [DECK])
    heads = [["Leader", "Main", "Side"], [LEADER.number, f"4 {OF_MAIN[0].number}", f"2 {OF_MAIN[1].number}"]]
    rows = [*(row[:3] for row in above), *heads, ["", f"3 {OF_MAIN[2].number}", ""]]
    deck = [("leader", LEADER, 1), ("main", OF_MAIN[0], 4), ("main", OF_MAIN[2], 3), ("side", OF_MAIN[1], 2)]
    assert paste(rows, ",")[0] == upload(xlsx({"Table": rows}), "t.xlsx")[0] == [count_expected(deck)]


@pytest.mark.parametrize("title", ["Regional 2026", "My Deck v3"])
def test_a_title_filled_up_with_blank_cells(title):
    rows = [[title, "", ""], *[[4, card.number, card.name] for card in OF_MAIN]]
    assert_alike(rows, [[("main", card, 4) for card in OF_MAIN]])


def test_an_address_below_the_cards():
    assert_alike([HEADINGS, *rows_of(DECK), ["https://example.org/deck/1", "", "", ""]], [DECK])


def test_invisible_characters_beside_a_count():
    rows = [["Number", "Qty"], *[[card.number, "\u200b4"] for card in OF_MAIN]]
    assert_alike(rows, [[("main", card, 4) for card in OF_MAIN]])


def test_a_name_among_the_cards_of_one_player_ends_no_deck():
    rows = [HEADINGS, *rows_of(DECK)]
    rows.insert(6, ["Ann Lee", "", "", ""])
    for decks, problems in (paste(rows, "\t"), paste(rows, ","), upload(xlsx({"T": rows}), "t.xlsx")):
        assert decks == [count_expected(DECK)]
        assert problems


def test_a_heading_is_no_player():
    rows = [["Main", "", "", "Side", "", ""], ["Qty", "Number", "Name"] * 2]
    rows += [[4, card.number, card.name, 1, card.number, card.name] for card in OF_MAIN]
    (entry,) = read(xlsx({"Sheet": rows}), "t.xlsx", "dbs", CARDS).entries
    assert entry.who.name == "Sheet"


def test_columns_of_a_collection_that_add_up_to_the_count_are_no_players():
    rows = [[card.number, 1, 3, 4] for card in OF_MAIN]
    assert_alike([["Number", "Need", "Have", "Qty"], *rows], [[("main", card, 4) for card in OF_MAIN]])


SIZE = sum(count for _, _, count in DECK)


def find_wrong_totals(rows):
    """Return `(row, stated, counted)` for each wrong total of a table, as it is pasted and as it is uploaded."""
    pasted = [each.deck for each in parse_each(text_of(rows, "\t"), "dbs", CARDS)]
    book = read(xlsx({"T": rows}), "t.xlsx", "dbs", CARDS)
    assert not [fault for fault in book.faults if fault.severity == "error"]
    uploaded = [entry.deck for entry in book.entries]
    return [
        [(line.at, line.total.stated, line.total.counted) for deck in decks for line in deck.unread if line.total]
        for decks in (pasted, uploaded)
    ]


@pytest.mark.parametrize("stated", [SIZE, SIZE - 1, SIZE - 4, 4, SIZE + 1, SIZE - 2])
def test_a_total_below_the_cards_of_one_player(stated):
    rows = [HEADINGS, *rows_of(DECK), ["", stated, "Total", ""]]
    # With or without the Leader, or that of a section.
    wrong = [] if stated in (SIZE, SIZE - 1, SIZE - 4, 4) else [(len(rows), stated, SIZE)]
    assert find_wrong_totals(rows) == [wrong, wrong]


def test_the_totals_of_several_players_are_compared_with_their_own_cards():
    rows = [["Player", *HEADINGS]]
    for player, deck, stated in (
        ("Ann Lee", DECK, SIZE),
        ("Bob Ray", DECK[:-3], SIZE),
        ("Cy Fox", DECK[:-1], SIZE - 1),
    ):
        rows += [*rows_of(deck, player), ["", "", stated, "Total", ""]]
    total = 3 * SIZE - 4
    assert find_wrong_totals([*rows, ["", "", total, "Grand Total", ""]]) == [[(38, SIZE, SIZE - 3)]] * 2
    wrong = [(38, SIZE, SIZE - 3), (58, total + 1, SIZE - 1)]
    assert find_wrong_totals([*rows, ["", "", total + 1, "Grand Total", ""]]) == [wrong, wrong]


@pytest.mark.parametrize(("stated", "is_wrong"), [(SIZE, False), (SIZE - 1, False), (SIZE - 2, True), (SIZE + 1, True)])
def test_a_total_may_count_a_leader_outside_the_rows(stated, is_wrong):
    cards = [row[1:] for row in rows_of(DECK[1:-4])]
    above = [["Leader", LEADER.number], HEADINGS[1:], *cards, [stated - 4, "Total", ""]]
    beside = [["Player", *HEADINGS[1:], "Leader"], *(["Ann Lee", *row, LEADER.number] for row in cards)]
    for rows in (above, [*beside, ["", stated - 4, "Total", "", ""]]):
        _, uploaded = find_wrong_totals(rows)
        assert len(uploaded) == is_wrong


def test_only_the_first_totals_of_a_deck_are_compared():
    rows = [["Qty", "Number"], [4, OF_MAIN[0].number], *([99, "Total"] for _ in range(30)), [4, OF_MAIN[1].number]]
    assert list(map(len, find_wrong_totals(rows))) == [20, 20]
