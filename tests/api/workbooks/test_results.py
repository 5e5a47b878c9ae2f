import csv
import io
import zipfile
from dataclasses import replace

import openpyxl
import pytest

from api.sheets.registration import Event
from api.workbooks.intake.book_reader import read
from api.workbooks.reporting import results
from api.workbooks.reporting import results_csv as summary_csv
from api.workbooks.reporting import results_xlsx as workbook
from api.workbooks.reporting.overview import overview
from api.workbooks.reporting.results import RepairCounts
from carddb import facts
from tests.api.workbooks.files import HEAD, card_rows, deck, example, judge, judged, rows, written, xlsx
from tests.cost import assert_cheap
from validator import Judge, Terms, formulas, rulesets
from validator.account import group_findings
from validator.language import ENGLISH

FIVE = "optcg-five-copies.txt"
DANGEROUS = ["=1+1", '=HYPERLINK("http://x","y")', "+1", "-kai-", "@handle", "#REF!", "#N/A", "'quoted", "=", "\tx"]


def csv_of(rows):
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


def event():
    """A legal deck, one with five copies, a player without a list, a row that cannot be read."""
    bad = ["Usopp", "0004", "", "OP01-016", "", "four"]
    return xlsx(
        {
            "Decks": [[*HEAD, "Table"], *([*row, 7] for row in card_rows("Zoro", "0001")), [*bad, 8]],
            "Lists": [["Player", "Player ID", "Decklist"], ["Nami", "0002", example(FIVE)], ["Robin", "0003", None]],
        }
    )


def test_the_summary_has_a_row_a_player():
    summary = rows(written(judged(event()))["Summary"])
    assert [(row["Player"], row["Player ID"], row["Legal"]) for row in summary] == [
        ("Nami", "0002", "no"),
        ("Robin", "0003", "no deck"),
        ("Usopp", "0004", "no"),
        ("Zoro", "0001", "yes"),
    ]
    nami, robin, _, zoro = summary
    assert (zoro["Leader"], zoro["Main deck"], zoro["Findings"]) == ("ST21-001 Monkey.D.Luffy", 50, 0)
    assert [row["Fewest changes"] for row in summary] == [5, None, 52, 0]
    assert zoro["Deck hash"] == judge()(deck()).deck_hash
    assert (zoro["Sheet"], zoro["Row"], zoro["Table"]) == ("Decks", 2, "7")
    assert (nami["Sheet"], nami["Row"]) == ("Lists", 2)
    assert nami["First finding"]
    assert robin["Main deck"] is None


@pytest.mark.parametrize(("players", "shown", "more"), [(199, 199, 0), (200, 200, 0), (201, 200, 1)])
def test_an_overview_has_200_players_those_without_a_legal_deck_first(players, shown, more):
    found = judged(xlsx([["Player", "Decklist"], ["Zoro", example()], ["Nami", example(FIVE)]]))
    legal, illegal = found.judged
    seen = overview(replace(found, judged=[*[legal] * (players - 1), illegal]), ENGLISH)
    assert (len(seen.players), seen.more) == (shown, more)
    assert [one.legal for one in seen.players[:2]] == ["no", "yes"]


def test_the_first_finding_of_the_summary_is_what_makes_a_deck_illegal():
    bos = Judge(Terms(rulesets()["bos-1.3"], judge().terms.on), facts.catalogue("bos"))
    found = results.judge(read(b"Player,Decklist\nZoro,40 The Last Ferryman\n", "decks.csv", "bos"), bos)
    [one] = found.judged
    assert one.verdict.codes[0].startswith("advice.")
    (error,) = (finding for finding in one.verdict.findings if finding.code == "class.exceeded")
    [row] = rows(written(found)["Summary"])
    assert row["First finding"] == error.message


def test_the_summary_counts_findings_as_people_read_them():
    wrong = example().replace("1 ST21-001 Monkey.D.Luffy", "1 OP15-022")
    found = judged(xlsx([["Player", "Decklist"], ["Nami", wrong]]))
    [row] = rows(written(found)["Summary"])
    [one] = found.judged
    assert len(one.verdict.findings) > len(group_findings(one.verdict).findings) == row["Findings"] == 1
    assert row["Fewest changes"] == 2


def test_the_summary_says_what_was_judged_by_what_and_adds_up():
    sheet = written(judged(event()))["Summary"]
    assert sheet["A1"].value == "Deck check: decks.xlsx"
    assert "1.1.9" in sheet["A2"].value
    assert "2026-11-01" in sheet["A2"].value
    assert sheet["A3"].value.startswith("4 players: 1 legal, 2 not legal, 1 without a deck. ")
    assert sheet.freeze_panes == "B5"
    assert sheet.auto_filter.ref == "A4:N8"


def test_each_finding_has_a_row_with_its_rule_and_place():
    findings = rows(written(judged(event()))["Findings"])
    five = next(row for row in findings if row["Code"] == "copies.exceeded")
    assert (five["Player"], five["Severity"], five["Section"]) == ("Nami", "error", "Main deck")
    assert (five["Count"], five["Limit"], five["Rule section"]) == (5, 4, "5-1-2-3")
    assert five["Fix"].startswith("Remove 1 copy of ")
    assert (five["Sheet"], five["Row"], five["Column"]) == ("Lists", 2, "Decklist")
    assert five["Value"] == example(FIVE).splitlines()[five["Line"] - 1]
    assert five["Card"].split()[0] in five["Value"]
    unread = next(row for row in findings if row["Code"] == "line.unread")
    assert (unread["Player"], unread["Row"]) == ("Usopp", len(card_rows()) + 2)


def test_a_finding_of_card_rows_has_the_row_of_its_card():
    cards = card_rows()
    cards[3][5] = 9
    findings = rows(written(judged(xlsx([["Regional"], HEAD, *cards])))["Findings"])
    [row] = [row["Row"] for row in findings if row["Code"] == "copies.exceeded"]
    assert row == 6


def test_what_could_not_be_read_has_a_sheet():
    problems = rows(written(judged(event()))["Problems"])
    assert [(row["Sheet"], row["Row"], row["Column"], row["Cell"]) for row in problems] == [
        ("Decks", len(card_rows()) + 2, "Count", f"F{len(card_rows()) + 2}"),
        ("Lists", 3, "Decklist", "C3"),
    ]
    assert "Problems" not in written(judged(xlsx([HEAD, *card_rows()]))).sheetnames


def test_cards_are_counted_over_all_decks():
    data = xlsx([HEAD, *card_rows("A"), *card_rows("B", 2), ["B", 2, "", "OP99-999", "", 3]])
    cards = rows(written(judged(data))["Cards"])
    assert (cards[0]["Number"], cards[0]["Decks"], cards[0]["Copies"]) == ("OP01-016", 2, 8)
    assert sum(row["Copies"] for row in cards) == 105
    assert (cards[-1]["Number"], cards[-1]["Type"], cards[-1]["Copies"]) == ("OP99-999", "Not in the catalogue", 3)


def test_equal_lists_are_judged_once_and_each_has_its_own_place():
    found = judged(xlsx([["Player", "Decklist"], ["Nami", example(FIVE)], ["Robin", example(FIVE)]]))
    nami, robin = found.judged
    assert nami.verdict is robin.verdict
    places = [(row["Player"], row["Row"], row["Line"]) for row in rows(written(found)["Findings"])]
    assert {(name, row) for name, row, _ in places} == {("Nami", 2), ("Robin", 3)}
    assert len({line for *_, line in places}) == len(places) // 2


NAMES = ["Liam van der Berg", "Chloé de la Cruz", "Álvarez, Ana", "Zoë Adams"]


def test_players_stand_by_last_name():
    found = judged(xlsx([["Player", "Decklist"], *([name, example(FIVE)] for name in NAMES)]))
    book = written(found)
    filed = ["Zoë Adams", "Álvarez, Ana", "Liam van der Berg", "Chloé de la Cruz"]
    assert [(row["Player"], row["Last name"]) for row in rows(book["Summary"])] == list(
        zip(filed, ("Adams", "Álvarez", "Berg", "de la Cruz"), strict=True)
    )
    assert list(dict.fromkeys(row["Player"] for row in rows(book["Findings"]))) == filed
    assert [row["Player"] for row in csv.DictReader(io.StringIO(summary_csv.summary(found).decode("utf-8-sig")))] == (
        NAMES
    )


PAPER = 142  # characters that are 8 point on a landscape Letter page even if a wide font stands in for ours


def on_paper(sheet):
    """The headings that are printed, with their widths."""
    head = int(sheet.print_title_rows.rpartition("$")[2])
    cells = sheet[head] if not sheet.print_area else sheet[sheet.print_area.rpartition("!")[2]][head - 1]
    widths = sheet.column_dimensions
    return {cell.value: widths[cell.column_letter].width for cell in cells if not widths[cell.column_letter].hidden}


def test_what_is_printed_can_be_read_at_arms_length():
    ruleset = next(one for one in rulesets().values() if one.game == "dbs" and "z" in one.sections)
    dbs = Judge(Terms(ruleset, judge().terms.on), facts.catalogue("dbs"))
    data = xlsx([["Player", "Seat", "Notes", "Decklist", "Table"], ["Zoro", 1, "Late", "4 BT1-001", 7]])
    found = results.judge(read(data, "decks.xlsx", "dbs"), dbs)
    book = written(found)
    for sheet in book:
        assert sum(on_paper(sheet).values()) <= PAPER, sheet.title
        assert (sheet.page_setup.orientation, sheet.page_setup.fitToHeight) == ("landscape", 0)
        assert sheet.oddFooter.right.text == "Page &P of &N"
    assert {"Notes", "Table", "First finding"} <= on_paper(book["Summary"]).keys()
    assert not {"Seat", "Deck hash"} & on_paper(book["Summary"]).keys()
    assert {"Message", "Fix", "Row"} <= on_paper(book["Findings"]).keys()


def test_every_printed_page_says_of_which_event_it_is():
    out = io.BytesIO()
    event = Event("Winter & Spring", "2026-11-01", format_name="Team of three")
    workbook.write(judged(event_of_one()), out, event=event, paper="letter")
    for sheet in openpyxl.load_workbook(out):
        assert "ONE PIECE" in sheet.oddHeader.right.text
        assert "2026-11-01" in sheet.oddHeader.right.text
        assert sheet.page_setup.paperSize == 1


def event_of_one():
    return xlsx([["Player", "Decklist"], ["Zoro", example()]])


def test_each_player_has_a_message_with_all_that_is_to_be_mended():
    data = xlsx(
        [
            ["Player", "E-Mail-Adresse", "Player ID", "Decklist"],
            ["Roronoa Zoro", "zoro@example.org", "0001", example()],
            ["Nami", "none", "0002", example(FIVE)],
            ["Robin", "robin@mail.example.org", "0003", None],
        ]
    )
    found = judged(data)
    zoro, nami, robin = csv.DictReader(io.StringIO(summary_csv.messages(found).decode("utf-8-sig"), newline=""))
    assert (zoro["First name"], zoro["Last name"], zoro["E-mail"], zoro["Legal"], zoro["What to mend"]) == (
        *("Roronoa", "Zoro", "zoro@example.org", "yes", ""),
    )
    assert (nami["Player ID"], nami["E-mail"], nami["Legal"]) == ("0002", "", "no")
    lines = nami["What to mend"].splitlines()
    assert [line.partition(".")[0] for line in lines] == ["1", "2", "3"]
    assert any("Remove 1 copy of " in line for line in lines)
    assert (robin["Legal"], robin["E-mail"]) == ("no deck", "robin@mail.example.org")
    assert robin["What to mend"]
    assert [row["Player"] for row in rows(written(found)["Messages"])] == ["Nami", "Robin", "Roronoa Zoro"]


def test_leaders_have_a_chart():
    sheet = written(judged(xlsx([HEAD, *card_rows("A"), *card_rows("B", 2)])))["Leaders"]
    assert [list(row.values()) for row in rows(sheet)] == [["ST21-001 Monkey.D.Luffy", "Red", 2, 2]]
    out = io.BytesIO()
    workbook.write(judged(xlsx([HEAD, *card_rows()])), out)
    with zipfile.ZipFile(out) as archive:
        [chart] = (name for name in archive.namelist() if name.startswith("xl/charts/chart"))
        assert b"<barChart>" in archive.read(chart)


@pytest.mark.slow
def test_a_sheet_a_deck_on_request():
    assert written(judged(event())).sheetnames == [
        *("Summary", "Findings", "Messages", "Problems", "Leaders", "Cards", "Columns")
    ]
    book = written(judged(event()), deck_sheets=True)
    assert book.sheetnames[7:] == ["Nami (0002)", "Robin (0003)", "Usopp (0004)", "Zoro (0001)"]
    assert sum(row["Count"] for row in rows(book["Zoro (0001)"])) == 51
    assert book["Nami (0002)"]["A1"].value == "Nami (0002): not legal"


@pytest.mark.slow
@pytest.mark.parametrize("name", DANGEROUS)
def test_no_name_becomes_a_formula_and_every_name_survives(name):
    decklist = f"4 OP01-016\n2 {name} card"
    found = judged(csv_of([["Player", "Player ID", f"{name}x", "Decklist"], [name, name, name, decklist]]))
    [entry] = found.book.entries
    assert entry.who.name == name.strip()
    book = written(found, deck_sheets=True)
    for sheet in book:
        for cells in sheet.iter_rows():
            assert not [cell for cell in cells if cell.data_type in "fe"]
            texts = [cell for cell in cells if cell.data_type == "s" and cell.value]
            assert all(cell.quotePrefix == formulas.is_formula(cell.value) for cell in texts)
    [row] = rows(book["Summary"])
    assert (row["Player"], row["Player ID"]) == (name.strip(), name.strip())


@pytest.mark.parametrize("name", DANGEROUS)
def test_csv_is_free_of_formulas_and_comes_back(name):
    found = judged(csv_of([["Player", "Player ID", "Decklist"], [name, "0001", example()]]))
    data = summary_csv.summary(found)
    assert data.startswith(b"\xef\xbb\xbfPlayer,")
    assert b"\r\n" in data
    [head, row] = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    line = dict(zip(head, row, strict=True))
    assert not line["Player"].startswith(("=", "+", "-", "@", "\t", "\r"))
    assert line["Player ID"] == "0001"
    again = judged(csv_of([["Player", "Decklist"], [line["Player"], "4 OP01-016"]]))
    assert again.book.entries[0].who.name == name.strip()


def test_csv_says_what_was_left_out():
    found = judged(csv_of([["Player", "Decklist"], ["Zoro", "4 OP01-016"]]))
    data = summary_csv.summary(replace(found, repair_counts=RepairCounts(most=0)))
    deck, note = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    assert (deck["Player"], deck["Legal"], deck["Fewest changes"]) == ("Zoro", "no", "")
    assert (note["Player"], note["Legal"]) == ("", "note")
    assert "1 deck" in note["First finding"]


def test_ids_and_numbers_are_text():
    book = written(judged(event()))
    assert {book["Summary"][f"C{row}"].number_format for row in (5, 6, 7)} == {"@"}
    assert book["Cards"]["A2"].number_format == "@"
    assert book["Cards"]["A2"].data_type == "s"


def test_what_xml_cannot_hold_is_left_out():
    found = judged("Player,Decklist\nZo\x0bro\x01\ufffe,4 OP01-016\x02\n")
    assert rows(written(found)["Summary"])[0]["Player"] == "Zo ro"


@pytest.mark.parametrize("hidden", ["\x01", "\x7f\x02", "\ufffe"])
def test_nothing_becomes_a_formula_when_what_stood_before_it_is_left_out(hidden):
    book = written(judged(f"Player,Number,Count\nZoro,{hidden}=1+1,four\nZoro,OP01-016,4\n"))
    values = [cell for sheet in book for cells in sheet.iter_rows() for cell in cells if "=1+1" in str(cell.value)]
    assert values
    assert {cell.data_type for cell in values} == {"s"}


@pytest.mark.parametrize(
    ("wanted", "title"),
    [
        *(("Zoro", "Zoro"), ("a/b\\c?d*e:f[g]", "a b c d e f g"), ("", "Sheet"), ("'x'", "x"), ("x" * 40, "x" * 31)),
        *(("History", "History (2)"), ("\x00", "Sheet"), ("Łukasz 山田", "Łukasz 山田")),
    ],
)
def test_titles_of_sheets_are_what_excel_allows(wanted, title):
    assert workbook.Titles().new(wanted) == title


def test_titles_of_sheets_are_each_there_once():
    titles = workbook.Titles()
    found = [titles.new(wanted) for wanted in ("Kim", "KIM", "kim", "x" * 31, "X" * 35)]
    assert found == ["Kim", "KIM (2)", "kim (3)", "x" * 31, "X" * 27 + " (2)"]


@pytest.mark.parametrize("name", ["First Last", "First Last of a very long name indeed"])
def test_a_title_that_many_share_costs_no_more_for_each_of_them(name):
    def titled(names):
        titles = workbook.Titles()
        return [titles.new(one) for one in names.split("\n")]

    assert_cheap(titled, lambda count: "\n".join([name] * count), 2_000)


def test_progress_is_told():
    told = []
    results.judge(judged(event()).book, judge(), lambda *done: told.append(done))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_name_of_several_cards_is_told_from_a_card_that_there_is_not():
    book = written(judged('Player,Decklist\nZoro,"4 Roronoa Zoro\n1 Nobody"\n'), deck_sheets=True)
    for sheet in ("Cards", "Zoro"):
        kinds = {row["Name"]: row["Type"] for row in rows(book[sheet])}
        assert kinds == {"Roronoa Zoro": "Name of several cards", "Nobody": "Not in the catalogue"}


def test_don_cards_need_no_catalogue_and_all_others_do():
    book = written(judged('Player,Decklist\nZoro,"4 OP01-016\n10 DON!!\nSide\n1 Nobody"\n'), deck_sheets=True)
    assert {row["Name"]: row["Type"] for row in rows(book["Zoro"])} == {
        "Nami": "Character",
        "DON!!": None,
        "Nobody": "Not in the catalogue",
    }


def test_games_with_a_side_deck_have_its_column():
    found = judged("Player,Decklist\nZoro,4 BT1-001\n")
    ruleset = next(one for one in rulesets().values() if one.game == "dbs" and "z" in one.sections)
    dbs = Judge(Terms(ruleset, judge().terms.on), facts.catalogue("dbs"))
    summary = rows(written(results.judge(found.book, dbs))["Summary"])
    assert {"Side deck", "Z-Deck"} <= summary[0].keys()


@pytest.mark.slow
def test_of_a_workbook_of_results_only_the_decks_are_read():
    found, out = judged(event()), io.BytesIO()
    workbook.write(found, out, deck_sheets=True)
    again = judged(out.getvalue())
    hashes = [
        one.verdict.deck_hash for one in found.sorted_by_name.judged if one.verdict and any(one.entry.deck.lines())
    ]
    assert [one.verdict.deck_hash for one in again.judged] == hashes
    workbook.write(found, bare := io.BytesIO())
    assert judged(bare.getvalue()).judged == []


def test_findings_over_the_table_of_a_deck_are_wrapped_over_its_columns():
    book = written(
        judged(xlsx([["Player", "Decklist"], ["Zoro", "1 OP01-001\n5 OP01-016\n4 Nobody Knows " + "x" * 90]])), True
    )
    sheet = book["Zoro"]
    long = [row for row in range(2, 8) if len(sheet.cell(row, 1).value or "") > 110]
    assert long
    for row in long:
        assert sheet.cell(row, 1).alignment.wrap_text
        assert f"A{row}:E{row}" in {str(one) for one in sheet.merged_cells.ranges}
        assert sheet.row_dimensions[row].height >= 30
