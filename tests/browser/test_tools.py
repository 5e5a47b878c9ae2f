"""The tools' stories: a swap, a registration sheet and a spreadsheet, as players and organisers go through them."""

from __future__ import annotations

import io
import re

import openpyxl
import pytest

from api.service.shapes import AFTER, BEFORE
from api.web.schemas import EXAMPLE_DECKLIST
from tests.browser.visitor import DOUBLE, ROOMS

pytestmark = pytest.mark.slow

FIVE = EXAMPLE_DECKLIST.replace("4 OP01-016", "5 OP01-016")
TEXTS = {
    "markup": "<img src=x onerror=alert(1)><b>Bold</b></textarea><script>alert(2)</script>",
    "quotes": "\"'><svg onload=alert(3)>`${7*7}`",
    "a script": "javascript:alert(4)",
    "right to left": "\u202egnp.exe \u2067اسم\u2069 שם",
    "a template": "{{7*7}} {% raw %} {{ config }}",
}
WRITTEN = [pytest.param(text, id=name) for name, text in TEXTS.items()]


def table(*players):
    """Return a spreadsheet with a deck a row."""
    rows = (f'"{name}","{at}","{deck}"\n' for at, (name, deck) in enumerate(players, 1))
    return ("Name,ID,Decklist\n" + "".join(rows)).encode()


def csv_file(content, name="decks.csv"):
    return {"name": name, "mimeType": "text/csv", "buffer": content}


def save_file(visitor, name):
    """Press a button that saves a file, and return the file's name and content."""
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name=name, exact=True).click()
    return download.value.suggested_filename, download.value.path().read_bytes()


def judge_swap(visitor, before=BEFORE, after=AFTER):
    visitor.page.get_by_label("Before swapping").fill(before)
    visitor.page.get_by_label("After swapping").fill(after)
    visitor.page.get_by_role("button", name="Check the swap").click()


def sees(visitor, verdict):
    """Wait for a verdict that begins so."""
    visitor.page.locator("#verdict", has_text=re.compile(rf"^\W*{verdict}")).wait_for()


@pytest.mark.parametrize("setting", ROOMS)
def test_a_swap_is_judged(visits, setting):
    visitor = visits("/swap", setting)
    judge_swap(visitor, after=AFTER.replace("Oiled Cloak", "Ford Watcher"))
    sees(visitor, "Not allowed")
    assert "Ford Watcher" in visitor.page.locator(".findings").inner_text()
    assert visitor.cut() == []
    judge_swap(visitor)
    sees(visitor, "Allowed")


def test_a_swap_is_judged_by_the_keyboard_alone(visits):
    visitor = visits("/swap")
    keyboard = visitor.page.keyboard
    visitor.tabs_to("Before swapping")
    keyboard.insert_text(BEFORE)
    visitor.tabs_to("After swapping")
    keyboard.insert_text(AFTER)
    visitor.tabs_to("Check the swap")
    keyboard.press("Enter")
    visitor.page.locator("#verdict:focus").wait_for()
    assert "Allowed" in visitor.page.locator("#verdict").inner_text()


def test_what_is_missing_of_a_swap_is_said_at_its_field(visits):
    visitor = visits("/swap", "phone")
    visitor.page.get_by_role("button", name="Check the swap").click()
    visitor.page.locator("#result .notice").wait_for()
    assert visitor.page.locator("#result a").first.get_attribute("href") == "#before"
    visitor.assert_fit()


@pytest.mark.parametrize("setting", ["phone", "no script"])
def test_a_sheet_is_printed(visits, setting):
    visitor = visits("/sheet", setting)
    visitor.page.get_by_label("Deck list").fill(EXAMPLE_DECKLIST)
    visitor.page.get_by_label("Name", exact=True).fill("Last, First")
    assert save_file(visitor, "PDF")[1].startswith(b"%PDF-")
    name, content = save_file(visitor, "CSV")
    assert name == "deck-Last,-First.csv" or name.endswith(".csv")
    assert content.count(b"Last") > 0
    assert b",legal," in content


def test_what_is_missing_of_a_sheet_is_said_at_its_fields(visits):
    visitor = visits("/sheet", "desk, dark")
    visitor.page.get_by_role("button", name="PDF", exact=True).click()
    visitor.page.locator(".notice.bad").wait_for()
    invalid = visitor.page.locator("[aria-invalid=true]")
    assert [one.get_attribute("name") for one in invalid.all()] == ["decklist", "player"]
    visitor.assert_fit()


def test_a_blank_sheet_is_of_the_game_that_was_chosen(visits):
    visitor = visits("/sheet")
    visitor.page.get_by_label("Game", exact=True).select_option("bos")
    _, content = save_file(visitor, "Blank XLSX")
    cells = [cell.value for row in openpyxl.load_workbook(io.BytesIO(content)).active.iter_rows() for cell in row]
    assert [str(cell) for cell in cells if "Battle of Souls" in str(cell)]


def judged_book(visitor, file):
    visitor.page.locator("#file").set_input_files(file)
    visitor.page.get_by_role("button", name="Check the decks").click()
    visitor.page.locator("#verdict").wait_for()
    return re.findall(r"\d+ \w+(?: legal)?", visitor.page.locator(".tally").inner_text())


@pytest.mark.parametrize("setting", ROOMS)
def test_a_spreadsheet_is_judged_and_its_results_are_had(visits, setting):
    visitor = visits("/workbooks", setting)
    decks = table(("Ann Example", EXAMPLE_DECKLIST), ("Bo Example", FIVE))
    assert judged_book(visitor, csv_file(decks)) == ["1 legal", "1 not legal"]
    assert "Nami" in visitor.page.locator(".players tbody tr").first.inner_text()
    assert visitor.cut() == []
    name, content = save_file(visitor, "Results (XLSX)")
    assert name == "decks-results.xlsx"
    assert openpyxl.load_workbook(io.BytesIO(content)).sheetnames[0] == "Summary"


@pytest.mark.parametrize("setting", ["desk, dark", "no script"])
def test_how_columns_were_read_is_corrected(visits, setting):
    visitor = visits("/workbooks", setting)
    decks = f'Name,Nickname,Decklist\n"Ann Example","Bee","{EXAMPLE_DECKLIST}"\n'.encode()
    judged_book(visitor, csv_file(decks))
    players = visitor.page.locator(".players tbody")
    assert "Ann Example" in players.inner_text()
    visitor.page.get_by_text("Change the columns").click()
    assert visitor.violations() == []
    visitor.page.get_by_label("Player", exact=True).select_option("Nickname")
    visitor.page.get_by_role("button", name="Read the file again").click()
    visitor.page.locator(".players tbody", has_text="Bee").wait_for()


def test_what_is_no_spreadsheet_is_refused_on_the_page(visits):
    visitor = visits("/workbooks", "phone")
    visitor.page.locator("#file").set_input_files(csv_file(b"%PDF-1.7 nothing", "list.pdf"))
    visitor.page.get_by_role("button", name="Check the decks").click()
    visitor.page.locator("#file[aria-invalid=true]").wait_for()
    visitor.assert_fit()


@pytest.mark.parametrize("setting", ["phone", "no script"])
def test_a_large_spreadsheet_becomes_a_job_whose_page_goes_on_by_itself(visits, setting):
    visitor = visits("/workbooks", setting)
    decks = table(*((f"Player {at}", EXAMPLE_DECKLIST) for at in range(600)))
    visitor.page.locator("#file").set_input_files(csv_file(decks))
    visitor.page.get_by_role("button", name="Check the decks").click()
    visitor.page.wait_for_url("**/workbooks/jobs/*")
    visitor.page.get_by_role("link", name="Download the results").wait_for(timeout=30_000)
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("link", name="Download the results").click()
    assert download.value.suggested_filename == "decks-results.xlsx"
    visitor.page.get_by_role("button", name="Cancel").click()
    visitor.page.get_by_role("heading", name="Removed").wait_for()


@pytest.mark.parametrize("text", WRITTEN)
def test_whatever_somebody_writes_stays_text(visits, text):
    """In decks, names, file names and addresses; a fault would be a dialog, a request or a violated policy."""
    visitor = visits(
        "/swap?before=" + re.sub(r"\W", lambda sign: "".join(f"%{byte:02x}" for byte in sign[0].encode()), text)
    )
    assert visitor.page.get_by_label("Before swapping").input_value() == text
    judge_swap(visitor, f"4 {text}\n{BEFORE}", f"1 ZZ99-999 {text}\n{AFTER}")
    sees(visitor, "Not allowed")
    name = text.replace("/", "|").replace('"', "'")
    visitor.opens("/workbooks")
    judged_book(visitor, csv_file(table((text.replace('"', '""'), f"{EXAMPLE_DECKLIST}4 {name}\n")), f"{name}.csv"))
    shown = visitor.page.locator("main").inner_text()
    assert "49" not in shown
    assert visitor.page.locator("main img, main svg, main script, main a[href^=javascript]").count() == 0
    visitor.opens("/sheet?player=%3Cb%3E&decklist=%7B%7B7*7%7D%7D")
    assert visitor.page.get_by_label("Name", exact=True).input_value() == "<b>"
    assert visitor.page.get_by_label("Deck list").input_value() == "{{7*7}}"


def test_results_fit_text_of_twice_the_size(visits):
    visitor = visits("/workbooks", "desk", DOUBLE)
    longest = "Wolfeschlegelsteinhausenbergerdorff " * 2
    judged_book(visitor, csv_file(table((longest, FIVE))))
    assert visitor.cut() == []
