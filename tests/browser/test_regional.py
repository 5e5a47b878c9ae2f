"""The browser story of a regional: from the creation of the event to a proof of its lists on another server.

Everybody uses the pages, as at a real event. The API is only asked for the outcome. All players are invented.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess

import pytest
import requests

from tests.api.events.conftest import ILLEGAL, LEGAL
from tests.api.processes import COMMAND, Running
from tests.api.sheets.desk import pages
from tests.api.workbooks.files import xlsx
from tests.browser.test_event_story import local, press, send
from tests.browser.test_judge_table import NO_LINE, says
from tests.browser.visitor import Visitor
from tests.soon import SOON

pytestmark = pytest.mark.slow

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
HEADINGS = ["Timestamp", "Email Address", "Player name", "Bandai ID", "Paste your deck list here"]
IMPORTED = [f"Player {number:03d}" for number in range(1, 121)]
LISTLESS, TWICE = IMPORTED[4], IMPORTED[9]
ON_PHONES = ["Phone One", "Phone Two", "Phone Three", "Phone Four", TWICE]
PEOPLE = {*IMPORTED, *ON_PHONES}
DRAWN = 7  # decks: 5 % of 123 lists
OTHER_SERVER = {"DECKPROOF_SECRET_KEY": "another-server-" * 4}


def test_the_story_of_a_regional(browser, tmp_path):
    first = Running(tmp_path / "first", ("serve", "--port", "0", "--workers", "1"))
    with first.ended():
        regional = Regional(browser, first)
        regional.create_event()
        regional.import_players()
        regional.register_on_phones()
        regional.merge_duplicate()
        regional.close_registration()
        commitments = regional.publish_commitments()
        regional.seat_two_judges()
        regional.draw_decks()
        regional.check_decks_online()
        regional.check_decks_offline()
        regional.print_sheets()
        archive, head = regional.archive_event(tmp_path)
        regional.assert_no_faults()
    restored = restore(archive, head, tmp_path / "second")
    with restored.ended():
        second = regional.move_to(browser, restored)
        second.publish_lists()
        opened = second.open_lists()
        second.verify(commitments, opened)
        second.assert_no_faults()
    verify_by_command(commitments, opened, tmp_path)


class Person:
    """Somebody at the event with a browser of their own."""

    def __init__(self, browser, host, setting="phone"):
        more = PHONE if setting == "phone" else {}
        self.visitor = Visitor(browser, host, setting, **more)
        self.context, self.page = self.visitor.context, self.visitor.page

    def sign_in(self, link):
        self.page.goto("about:blank")
        self.page.goto(link)
        self.page.wait_for_selector("form[action$='/leave']")

    def open(self, address, selector="main"):
        """Open a page that is fit for everybody."""
        self.page.goto(address)
        self.page.wait_for_selector(selector)
        self.assert_fit()

    def press(self, button):
        press(self.page, button)
        self.assert_fit()

    def assert_fit(self):
        """Assert that the page is fit for everybody. Failed requests are no fault: a phone may be offline."""
        self.visitor.faults = self._faults()
        self.visitor.assert_fit()

    def _faults(self):
        return [fault for fault in self.visitor.faults if not any(word in fault for word in NO_LINE)]

    def check_deck(self):
        """Count a deck that is as registered, and finish its check."""
        self.page.click("#begin")
        for part in self.page.locator("[data-all]").all():
            part.click()
        self.page.select_option("#outcome", "ok")
        self.page.click("#end")
        self.page.wait_for_selector("#resume:visible")

    def download(self, button):
        """Return the bytes of the file that a button saves."""
        with self.page.expect_download() as file:
            self.page.click(button)
        return file.value.path().read_bytes()

    def assert_no_faults(self):
        assert not self._faults()


class Regional:
    """An event with everybody who is there, on one server."""

    def __init__(self, browser, server):
        self.browser, self.server = browser, server
        self.people = []
        self.organiser = self.meet("desk")
        self.join = self.organiser_link = self.judge_link = ""

    def meet(self, setting="phone"):
        person = Person(self.browser, self.server.url, setting)
        self.people.append(person)
        return person

    @property
    def api(self):
        return self.join.replace("/events/", "/v1/events/")

    def ask(self, path, link=""):
        """Return the API's answer to somebody who has a link."""
        key = (link or self.judge_link).rpartition("=")[2]
        return requests.get(self.api + path, headers={"Authorization": f"Bearer {key}"}, timeout=30).json()

    def count_actions(self, action):
        """Return the number of audit entries with an action."""
        entries = self.ask("/audit", self.organiser_link)["entries"]
        return sum(entry["action"] == action for entry in entries)

    def create_event(self):
        page = self.organiser.page
        self.organiser.open("/events")
        page.fill("#name", "Example Regional")
        page.select_option("#game", "optcg")
        page.fill("#on", SOON)
        page.fill("#place", "Example Hall")
        page.fill("#timezone", "UTC")
        page.fill("#closes", local(days=1))
        self.organiser.press("#event button.main")
        self.join, self.organiser_link, self.judge_link = (
            page.input_value(f"#{who}-link") for who in ("join", "organiser", "judge")
        )
        self.organiser.press("a.button.main")
        assert self.organiser.page.url == self.join

    def import_players(self):
        """Import the players of a form, and save their personal links."""
        rows = [
            ["2026/09/01 12:00:00", f"p{number}@example.com", name, self.id_of(name), "" if name == LISTLESS else LEGAL]
            for number, name in enumerate(IMPORTED, 1)
        ]
        file = {"name": "responses.xlsx", "buffer": xlsx([HEADINGS, *rows]), "mimeType": "application/octet-stream"}
        page = self.organiser.page
        self.organiser.open(f"{self.join}/import")
        page.set_input_files("#file", file)
        self.organiser.press("#import button.main")
        assert self.players == []  # a preview imports nothing
        self.organiser.press("button[name=plan]")
        links = list(csv.reader(io.StringIO(self.organiser.download("button[value=csv]").decode("utf-8-sig"))))
        assert len(links) == 1 + len(IMPORTED)
        assert all(f"{self.join}/registrations/" in row[-1] and "#key=" in row[-1] for row in links[1:])

    @staticmethod
    def id_of(name):
        return f"{sorted(PEOPLE).index(name):010d}"

    def register_on_phones(self):
        """Register five players. One of them was imported already, and is told so."""
        for name in ON_PHONES:
            phone = self.meet()
            phone.page.goto(self.join)
            phone.page.fill("#player", name)
            phone.page.fill("#player_id", self.id_of(name))
            phone.page.fill("#decklist", ILLEGAL if name == "Phone One" else LEGAL)
            send(phone.page)
            phone.page.wait_for_selector("#own-link")
            assert phone.page.locator("p.notice.warn").count() == (name == TWICE)
            (phone.assert_fit if name == TWICE else phone.assert_no_faults)()
            phone.context.close()
            self.people.remove(phone)

    def merge_duplicate(self):
        judge = self.meet()
        judge.sign_in(self.judge_link)
        judge.open(f"{self.join}/duplicates", "#pair-1")
        assert len(self.players) == len(IMPORTED) + len(ON_PHONES)
        judge.press("button:has-text('Merge registrations')")
        assert sorted(self.players) == sorted(PEOPLE)
        assert self.ask("/duplicates")["count"] == 0
        assert (self.overview["registered"], self.overview["missing"]) == (len(PEOPLE), 1)

    @property
    def players(self):
        """The names of all registrations, duplicates included."""
        return [one["player"] for one in self.ask("/registrations")["registrations"]]

    @property
    def overview(self):
        return self.ask("/overview")

    def close_registration(self):
        self.organiser.open(f"{self.join}/settings", "#event")
        self.organiser.page.fill("#closes", local(seconds=-5))
        self.organiser.press("#event button.main")
        late = self.meet()
        late.open(self.join)
        assert late.page.query_selector("#register") is None

    def publish_commitments(self):
        """Return the file that everybody can download without a key."""
        anyone = self.meet()
        anyone.open(self.join)
        anyone.press("a:has-text('Commitments')")
        assert anyone.page.locator("svg.qr").count() == 1
        commitments = anyone.download("a[download='commitments.json']")
        assert len(json.loads(commitments)["commitments"]) == len(PEOPLE) - 1
        assert LISTLESS.encode() not in commitments
        return commitments

    def seat_two_judges(self):
        """Give the second judge a key, and open the judge's table on both phones until it can be opened offline."""
        self.organiser.open(f"{self.join}/keys", "#key-for")
        self.organiser.page.fill("#name", "Second Judge")
        self.organiser.page.select_option("#role", "judge")
        self.organiser.press("#key-for button.main")
        links = (self.judge_link, self.organiser.page.input_value("#made-link"))
        self.judges = [self._seat_judge(link) for link in links]

    def _seat_judge(self, link):
        judge = self.meet()
        judge.sign_in(link)
        judge.open(f"{self.join}/table", "#line.online")
        judge.page.evaluate("() => navigator.serviceWorker.ready")
        is_kept = "async (name) => (await (await caches.open(name)).keys()).length > 4"
        judge.page.wait_for_function(is_kept, arg=f"deckproof-table {self.join.rpartition('/')[2]}")
        return judge

    @property
    def checks(self):
        return self.ask("/checks")["checks"]

    def draw_decks(self):
        page = self.judges[0].page
        page.click("summary:has-text('Draw decks')")
        page.fill("#share", "5")
        page.fill("#seed", "thrown dice 3 5 1")
        page.click("#draw button")
        page.wait_for_function("(count) => document.querySelectorAll('#going li').length === count", arg=DRAWN)
        says(page, "Online")
        self.judges[0].assert_fit()
        assert len(self.checks) == DRAWN

    def check_decks_online(self):
        """Check all decks that were drawn except one."""
        judge = self.judges[0]
        for number in range(DRAWN - 1):
            judge.page.click("#going a >> nth=0")
            judge.check_deck()
            says(judge.page, "Online")
            if not number:
                judge.assert_fit()
            judge.page.click("#back")
        assert sum(bool(check["ended"]) for check in self.checks) == DRAWN - 1

    def check_decks_offline(self):
        """Check four decks without a connection. Both judges check one of them."""
        first, second = self.judges
        for judge in self.judges:
            judge.context.set_offline(True)
        first.page.click("#going a >> nth=0")
        first.check_deck()
        for _ in range(2):
            first.page.click("#back")
            first.page.click("#next a >> nth=0")
            first.check_deck()
        player = first.page.inner_text("#who")
        second.page.fill("#q", self.id_of(player))
        second.page.click("#found a")
        second.check_deck()
        says(first.page, "Offline — 6 changes saved on this phone")
        first.page.reload()
        says(first.page, "Offline — 6 changes saved on this phone")
        first.assert_fit()
        says(second.page, "Offline — 2 changes saved on this phone")
        assert len(self.checks) == DRAWN
        for judge in self.judges:
            judge.context.set_offline(False)
            says(judge.page, "Online")
        checks = self.checks
        assert len(checks) == 10
        assert all(check["ended"] and check["agrees"] for check in checks)
        assert sorted(check["judge"] for check in checks if check["player"] == player) == ["Second Judge", "judge"]
        assert self.count_actions("check begun") == 10
        assert self.count_actions("check changed") == 2 * DRAWN + 3
        first.page.reload()
        says(first.page, "Online")
        assert len(self.checks) == 10

    def print_sheets(self):
        self.organiser.open(f"{self.join}/files", "button[value=pdf]")
        sheets = pages(self.organiser.download("button[value=pdf]"))
        assert len(sheets) == len(PEOPLE) - 1
        assert sum(self.id_of(TWICE) in sheet for sheet in sheets) == 1

    def archive_event(self, folder):
        """Return the file of the event and the head of its audit, as the command of the server shows it."""
        file = folder / "event.json"
        id = self.join.rpartition("/")[2]
        output = run(self.server.log.parent, "events", "export", id, "-o", str(file))
        head = re.search("[0-9a-f]{64}", output)[0]
        self.organiser.open(f"{self.join}/audit", ".notice.good")
        assert head in self.organiser.page.inner_text(".notice.good")
        return file, head

    def move_to(self, browser, server):
        """Return the same event on another server, with its organiser, who has the key of the first server."""
        moved = Regional(browser, server)
        moved.join, moved.organiser_link, moved.judge_link = (
            link.replace(self.server.url, server.url) for link in (self.join, self.organiser_link, self.judge_link)
        )
        moved.organiser.sign_in(moved.organiser_link)
        assert sorted(moved.players) == sorted(PEOPLE)
        return moved

    def publish_lists(self):
        self.organiser.open(f"{self.join}/settings", "#event")
        self.organiser.page.select_option("#lists", "public")
        self.organiser.press("#event button.main")

    def open_lists(self):
        """Return the opened lists, which everybody can download now."""
        anyone = self.meet()
        anyone.open(self.join)
        anyone.press("a:has-text('Commitments')")
        return anyone.download("a[download='opened-lists.json']")

    def verify(self, commitments, opened):
        """Compare the opened lists with the commitments of the first server, on a phone."""
        anyone = self.meet()
        anyone.open("/events/verify", "#verify")
        for name, data in (("published", commitments), ("opened", opened)):
            anyone.page.set_input_files(
                f"#{name}", {"name": f"{name}.json", "mimeType": "application/json", "buffer": data}
            )
        anyone.press("#verify button.main")
        assert anyone.page.locator(".notice.good #result").count() == 1

    def assert_no_faults(self):
        for person in self.people:
            person.assert_no_faults()
            person.context.close()


def run(folder, *arguments, **settings):
    """Return the output of a command with the data of a folder."""
    environment = os.environ | {"DECKPROOF_DATA_DIR": str(folder)} | settings
    done = subprocess.run([COMMAND, *arguments], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def restore(file, head, folder):
    """Return a second server, which has another secret key and the event."""
    folder.mkdir()
    run(folder, "events", "import", str(file), "--head", head, **OTHER_SERVER)
    return Running(folder, ("serve", "--port", "0", "--workers", "1"), **OTHER_SERVER)


def verify_by_command(commitments, opened, folder):
    files = {"opened.json": opened, "published.json": commitments}
    for name, data in files.items():
        (folder / name).write_bytes(data)
    found = json.loads(run(folder, "verify", *(str(folder / name) for name in files), "--json"))
    assert found["holds"]
