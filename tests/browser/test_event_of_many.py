"""The story of an event in a browser: two hundred players, a deadline, a check at a table, and every card again."""

from __future__ import annotations

import io

import pytest
import requests
from openpyxl import load_workbook

from tests.api.events.conftest import ILLEGAL, LEGAL
from tests.api.sheets.desk import pages
from tests.api.workbooks.files import xlsx
from tests.browser.test_event_story import begin_event, local, pass_as, press, send
from tests.browser.test_judge_table import LONG, says

pytestmark = pytest.mark.slow

PLAYERS = [f"Player {number:03d}" for number in range(1, 201)]
IN_WORKBOOK, BY_PROGRAM, ON_TELEPHONE = PLAYERS[:30], PLAYERS[30:-1], PLAYERS[-1]
LISTLESS, LATE = PLAYERS[4], PLAYERS[50]
CARDS = sorted((number, int(count)) for count, number in map(str.split, LEGAL.splitlines()))


def test_the_story_of_two_hundred_players(visits):
    phone = visits("/events", "phone")
    join, organiser = begin_event(phone)
    links = import_workbook(phone.page, join) | {name: register_by_program(join, name) for name in BY_PROGRAM}
    register_and_revise(phone, join)
    close(phone, join, organiser)
    assert_closed_but_to_one(phone, organiser, links)
    walk_in(phone, join)
    assert list_missing(phone, join) == [LISTLESS]
    check_and_penalise(phone, join, links[PLAYERS[100]])
    assert_every_card_is_in_the_files(phone.page, join)


def import_workbook(page, join):
    """Import a workbook of thirty players, one of them without a list. Return the link of each player by name."""
    rows = [[name, f"9{at:04d}", "" if name == LISTLESS else LEGAL] for at, name in enumerate(IN_WORKBOOK)]
    file = {"name": "players.xlsx", "buffer": xlsx([["Player", "Player ID", "Deck list"], *rows])}
    page.goto(f"{join}/import")
    page.set_input_files("#file", file | {"mimeType": "application/octet-stream"})
    press(page, "#import button.main")
    page.wait_for_selector("button[name=plan]")
    press(page, "button[name=plan]")
    page.wait_for_selector("#links")
    found = dict(line.split("\t") for line in page.input_value("#links").splitlines())
    assert list(found) == IN_WORKBOOK
    return found


def register_by_program(join, name):
    """Register a player over the HTTP API, and return the player's link."""
    at = join.replace("/events/", "/v1/events/")
    said = requests.post(f"{at}/registrations", json={"player": name, "decklist": LEGAL}, timeout=30).json()
    return f"{join}/registrations/{said['id']}#key={said['key']}"


def register_and_revise(phone, join):
    phone.context.clear_cookies()
    page = phone.page
    page.goto(join)
    page.fill("#player", ON_TELEPHONE)
    page.fill("#decklist", ILLEGAL)
    send(page)
    page.wait_for_selector(".notice.bad")
    page.goto(page.input_value("#own-link").partition("#")[0])
    page.fill("#decklist", LEGAL)
    send(page)
    page.wait_for_selector(".notice.good")


def close(phone, join, organiser):
    pass_as(phone, organiser)
    phone.page.goto(f"{join}/settings")
    phone.page.fill("#closes", local(seconds=-5))
    press(phone.page, "#event button.main")
    phone.page.wait_for_selector("form[action$='/leave'] >> text=organiser")


def assert_closed_but_to_one(phone, organiser, links):
    page = phone.page
    pass_as(phone, links[PLAYERS[60]])
    assert page.query_selector("#register") is None
    pass_as(phone, organiser)
    page.goto(links[LATE].partition("#")[0])
    page.click("summary:has-text('individual deadline')")
    page.fill("#until", local(minutes=10))
    page.fill("#settled_because", "train")
    press(page, "button:text-is('Save')")
    pass_as(phone, links[LATE])
    page.click("summary:has-text('Change registration')")
    page.fill("#team", "Reds")
    send(page)
    page.wait_for_selector("text=Current list: revision 2")
    pass_as(phone, organiser)


def walk_in(phone, join):
    page = phone.page
    page.goto(join)
    page.click("summary:has-text('Enter a player')")
    page.fill("#player", "Walk In")
    page.fill("#decklist", LEGAL)
    page.fill("#reason", "Came with the parents of another")
    send(page)
    page.wait_for_selector(".notice.good")


def list_missing(phone, join):
    """Return the players without a list, as the page of reminders has them."""
    phone.page.goto(f"{join}/missing")
    return [name for name in (*PLAYERS, "Walk In") if name in phone.page.input_value("#reminder")]


def check_and_penalise(phone, join, link):
    """Check a deck by tapping: a copy of one card is not there."""
    page = phone.page
    rid = link.partition("#")[0].rpartition("/")[2]
    page.goto("about:blank")
    page.goto(f"{join}/table#r={rid}")
    page.click("#begin")
    page.wait_for_selector(".rows li")
    for section in ("leader", "main"):
        page.click(f"[data-section={section}] [data-all]")
    page.locator("li[data-card='OP01-016'] .card").click(delay=LONG)  # a thumb that stays takes one off
    assert "OP01-016" in page.inner_text("[data-section=main] .differs")
    page.select_option("#outcome", "deck differs")
    page.select_option("#infraction", "list-mismatch")
    page.select_option("#penalty", "Game Loss")
    page.click("#end")
    says(page, "Online")


def assert_every_card_is_in_the_files(page, join):
    page.goto(f"{join}/files")
    workbook = load_workbook(io.BytesIO(download_file(page, "xlsx")))
    columns = list(workbook["Lists"].iter_cols(values_only=True))
    lists = {names[0]: sorted(cards(names, counts)) for names, counts in zip(columns[::2], columns[1::2], strict=True)}
    assert lists == {name: CARDS for name in (*PLAYERS, "Walk In") if name != LISTLESS}
    assert "Game Loss" in [row[2] for row in workbook["Penalties"].iter_rows(values_only=True)]
    sheets = pages(download_file(page, "pdf"))
    assert len(sheets) == len(lists)
    assert all(number in sheet for sheet in sheets for number, _ in CARDS)


def download_file(page, kind):
    """Download the first file of a kind from the page, and return its content."""
    with page.expect_download() as file:
        page.click(f"button[name=as][value={kind}] >> nth=0")
    return file.value.path().read_bytes()


def cards(names, counts):
    for name, count in zip(names, counts, strict=True):
        if name and count and "-" in name.split()[0]:
            yield name.split()[0], count
