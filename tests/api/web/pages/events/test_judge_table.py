"""The judge's table over HTTP: by plain forms, and as a telephone asks. All players are invented."""

from __future__ import annotations

import re

import pytest

from tests.api.events.conftest import LEGAL, asked
from tests.api.web.pages.events.guest import Guest, begun, entering, registered

NUMBERS = {line[2:]: int(line[0]) for line in LEGAL.splitlines()}
JSON = {"Accept": "application/json"}


class Table:
    """An event with players and its judge, without a script, and what a program sees of it."""

    def __init__(self, app, players=("Last, First", "Cat, Nami", "山田 太郎"), **said):
        self.app = app
        self.organiser, self.id, keys = begun(app, **said)
        self.keys = keys
        self.rids = [registered(app, self.id, one, decklist=LEGAL)[1].rpartition("/")[2] for one in players]
        self.path = f"/events/{self.id}/table"
        self.judge = entering(app, self.id, keys["judge"])

    def opens(self, rest="", status=200):
        return self.judge.opens(self.path + rest, status)

    def finds(self, typed):
        return self.opens().sends("/table", q=typed)

    def begins(self, rid=None):
        """Begin a check, and return the path of its page."""
        page = self.opens(f"/registrations/{rid or self.rids[0]}").sends("/table/checks", table="12", round="3")
        return page.path

    def phone(self, rest, key=True, **typed):
        """Ask as a telephone does."""
        client = self.judge.client if key else Guest(self.app).client
        if not typed:
            return client.get(self.path + rest, headers=JSON)
        token = client.get(f"{self.path}/lists", headers=JSON).json["token"]
        return client.post(self.path + rest, headers=JSON, data={"csrf_token": token, **typed})

    @property
    def checks(self):
        bearer = {"Authorization": f"Bearer {self.keys['judge']}"}
        return self.app.test_client().get(f"/v1/events/{self.id}/checks", headers=bearer).json["checks"]


@pytest.fixture
def table(app):
    return Table(app)


def test_a_check_by_plain_forms_from_the_search_to_the_log(table, clock):
    page = table.finds("nami")
    (link,) = page.page.css("#found a")
    assert link.attributes["href"].endswith(f"/registrations/{table.rids[1]}")
    table.opens(f"/registrations/{table.rids[1]}").sends("/table/checks", table="12", round="3")
    check = table.judge.path
    fields = {f"count.main.{card}": str(count) for card, count in NUMBERS.items() if card != "ST21-001"}
    fields |= {"count.leader.ST21-001": "1", "count.main.OP01-016": "3"}
    extra = {"extra_section": "main", "extra_card": "OP01-025", "extra_count": "1"}
    clock.set("2026-10-20T12:05:59.939123+02:00")
    page = table.judge.sends(check, **fields, **extra, clock="end", outcome="deck differs")
    assert "OP01-016" in page.says(".panel")
    assert "OP01-025" in page.says(".panel")
    assert "9" in page.says(".lead")
    assert "Game Loss" in page.says(".notice")
    page.sends(check, infraction="list-mismatch", penalty="Game Loss", reason="3 for 4")
    (shown,) = table.checks
    assert (shown["table"], shown["round"], shown["outcome"], shown["extension"]) == ("12", "3", "deck differs", 0)
    assert shown["log"] == "Cat, Nami · Deck and list differ · Game Loss · 3 for 4 · judge"
    assert [card["number"] for card in shown["missing"]["main"]] == ["OP01-016"]
    assert shown["log"] in table.opens(f"/registrations/{table.rids[1]}").says()
    assert table.opens().page.css("#done a")[0].attributes["href"] == check
    assert table.judge.says("#done small").split(" · ")[1:] == ["table 12", "Game Loss", "judge"]


@pytest.mark.parametrize(
    "typed", ["{rid}", "https://example.com/events/x/table#r={rid}", "{hash}", "0000012 Last", "first last"]
)
def test_a_player_is_found_by_the_code_of_a_sheet_or_by_words(app, typed):
    table = Table(app, players=())
    _, receipt, _ = registered(app, table.id, "Last, First", player_id="0000012345", decklist=LEGAL)
    registered(app, table.id, "Somebody Else")
    rid = receipt.rpartition("/")[2]
    lists = table.phone("/lists").json
    hash = next(one["hash"] for one in lists["players"] if one["id"] == rid)
    page = table.finds(typed.format(rid=rid, hash=hash))
    assert [one.attributes["href"].rpartition("/")[2] for one in page.page.css("#found a")] == [rid]


def test_what_cannot_be_counted_is_said_at_its_field_and_nothing_typed_is_lost(table):
    check = table.begins()
    typed = {"count.main.OP01-016": "many", "count.main.ST21-015": "4", "note": "Kept"}
    page = table.judge.sends(check, 422, **typed)
    assert [one.attributes["href"] for one in page.page.css("[data-fault]")] == ["#count.main.OP01-016"]
    values = {one.attributes.get("name"): one.attributes.get("value") for one in page.page.css("input")}
    assert (values["count.main.OP01-016"], values["count.main.ST21-015"]) == ("many", "4")
    assert page.value("note") == "Kept"
    assert table.checks[0]["version"] == 1


def test_a_check_that_another_judge_wrote_meanwhile_is_written_over_only_knowingly(table):
    check = table.begins()
    stale = table.judge.page
    table.judge.sends(check, note="First")
    table.judge.page = stale
    page = table.judge.sends(check, 412, note="Second", **{"count.main.OP01-016": "3"})
    assert table.checks[0]["note"] == "First"
    assert page.value("note") == "Second"
    page.sends(check)
    assert (table.checks[0]["note"], table.checks[0]["version"]) == ("Second", 3)


def test_a_list_may_be_pasted_in_place_of_counting(table):
    check = table.begins()
    page = table.judge.sends(check, decklist=LEGAL.replace("4 OP01-016", "3 OP01-016"))
    assert "OP01-016" in page.says(".panel")
    assert [card["count"] for card in table.checks[0]["missing"]["main"]] == [1]


def test_a_form_that_is_sent_twice_is_done_once(table):
    table.opens(f"/registrations/{table.rids[0]}")
    stale = table.judge.page
    first = table.judge.sends("/table/checks").path
    table.judge.page = stale
    assert table.judge.sends("/table/checks").path == first
    assert len(table.checks) == 1


def test_a_telephone_is_told_all_it_needs_to_go_on(table):
    lists = table.phone("/lists").json
    assert (sorted(lists["order"]), lists["owed"]) == ([0, 1, 2], 1)
    player = lists["players"][0]
    numbers = {lists["cards"][place][0]: count for cards in player["cards"].values() for place, count in cards}
    assert numbers == NUMBERS
    assert lists["event"]["until"] == "2026-10-26T23:00:00+00:00"
    assert (lists["ladder"][0], lists["judge"], lists["token"] != "") == ("Caution", "judge", True)
    assert table.phone("/lists").headers["Cache-Control"] == "private, no-store"


def test_the_table_of_a_player_is_shown_and_filled_in(app):
    table = Table(app, players=())
    _, receipt, _ = registered(app, table.id, "Last, First", decklist=LEGAL)
    rid = receipt.rpartition("/")[2]
    bearer = {"Authorization": f"Bearer {table.keys['judge']}"}
    settled = app.test_client().patch(
        f"/v1/events/{table.id}/registrations/{rid}", json={"table": "14"}, headers=bearer
    )
    assert settled.status_code == 200
    assert "14" in table.opens().says("#next")
    assert table.phone("/lists").json["players"][0]["table"] == "14"
    assert table.opens(f"/registrations/{rid}").value("table") == "14"
    table.opens().sends("/table/checks", among="all", share="100", seed="7")
    (drawn,) = table.checks
    assert "14" in table.opens().says("#going")
    assert table.opens(f"/checks/{drawn['id']}").value("table") == "14"


def test_a_judge_hands_a_new_link_to_a_player_from_the_table(table):
    _, receipt, key = registered(table.app, table.id, "Lost Link", decklist=LEGAL)
    page = table.opens(f"/registrations/{receipt.rpartition('/')[2]}").sends("/key")
    link = page.value("own-link")
    assert entering(table.app, table.id, link.rpartition("#key=")[2]).path == receipt
    assert key not in link


def test_the_table_shows_that_a_registered_list_is_not_legal_and_why(table):
    _, receipt, _ = registered(table.app, table.id, "Short Deck", decklist=LEGAL.replace("2 OP04-016\n", ""))
    rid = receipt.rpartition("/")[2]
    players = {one["id"]: one for one in table.phone("/lists").json["players"]}
    (finding,) = players[rid]["findings"]
    assert (players[rid]["legal"], finding["severity"]) == (False, "error")
    assert (finding["infraction"]["infraction"], finding["rule"]["section"]) == ("wrong-count", "5-1-2")
    german = {one["id"]: one for one in table.phone("/lists?lang=de").json["players"]}
    assert german[rid]["findings"][0]["message"] != finding["message"]
    assert (players[table.rids[0]]["legal"], players[table.rids[0]]["findings"]) == (True, [])
    page = table.opens(f"/registrations/{rid}")
    assert finding["message"] in page.says(".finding")
    assert "5-1-2" in page.says(".finding")
    assert finding["message"] in table.opens(table.begins(rid).removeprefix(table.path)).says(".finding")
    assert not table.opens(f"/registrations/{table.rids[0]}").page.css(".finding")


def test_the_table_cites_the_catalogue_by_size_and_day_for_an_unknown_card(table):
    unknown = f"{LEGAL}\n1 No Such Card"
    _, receipt, _ = registered(table.app, table.id, "Unknown Card", decklist=unknown)
    rid = receipt.rpartition("/")[2]
    snapshot = table.app.test_client().post("/v1/validate", json={"decklist": unknown}).json["catalogue"]["snapshot"]
    player = next(one for one in table.phone("/lists").json["players"] if one["id"] == rid)
    rule = next(one["rule"] for one in player["findings"] if "No Such Card" in one["message"])
    assert (rule["document"], rule["lang"]) == ("Card catalogue", "")
    assert "cards" in rule["section"]
    cited = table.opens(f"/registrations/{rid}").says(".finding")
    assert f"{rule['document']}, {rule['section']}" in cited
    assert snapshot not in cited
    assert "Kartenkatalog" in table.opens(f"/registrations/{rid}?lang=de").says(".finding")


def test_all_judges_have_one_order_until_a_judge_sets_another_seed(table):
    other = entering(table.app, table.id, table.keys["organiser"])

    def order(guest):
        return [one.attributes["href"] for one in guest.opens(table.path).page.css("#next a")]

    before = table.phone("/lists").json["seed"]
    assert order(table.judge) == order(other)
    table.opens().sends("/table/seed", new_seed="seven")
    assert table.phone("/lists").json["seed"] == table.opens().value("seed") == "seven" != before
    assert order(table.judge) == order(other)
    page = table.opens().sends("/table/seed", 422, new_seed="x" * 101)
    assert page.faults() == ["new_seed"]


def test_what_a_telephone_sends_again_gets_the_first_answer(table):
    begin = {"registration": table.rids[0], "started": "2026-10-20T10:00:00Z", "once": "begin-1"}
    first = table.phone("/checks", **begin)
    assert (first.status_code, table.phone("/checks", **begin).json) == (201, first.json)
    record = {"looked.main": "true", "count.main.OP01-016": "3", "version": "1", "once": "record-1"}
    path = f"/checks/{first.json['id']}"
    written = table.phone(path, **record)
    assert (written.status_code, written.json["version"]) == (200, 2)
    assert table.phone(path, **record).json == written.json
    other = table.phone(path, **record | {"once": "record-2"})
    assert (other.status_code, other.content_type) == (412, "application/problem+json")
    assert table.phone(path, **record | {"once": "record-3", "version": "2", "grace": "x"}).status_code == 422
    assert table.phone(f"/checks/{'0' * 30}", **record).status_code == 404
    assert [one["version"] for one in table.checks] == [2]


def test_a_telephone_whose_key_is_revoked_is_told_apart_from_one_that_sent_none(table):
    assert (table.phone("/lists", key=False).status_code, table.phone("/lists", key=False).json) == (
        404,
        {"revoked": False},
    )
    table.judge.client.set_cookie("deckproof_key", "x" * 43, path=f"/events/{table.id}")
    assert table.phone("/lists").json == {"revoked": True}


def test_a_telephone_keeps_no_lists_that_are_closed_to_judges(table):
    table.organiser.opens(f"/events/{table.id}/settings").sends("/settings", lists="closed")
    answer = table.phone("/lists")
    assert (answer.status_code, answer.json) == (404, {"revoked": True})
    table.opens(status=404)


def test_a_form_without_a_token_is_not_taken(table):
    table.opens()
    assert table.judge.client.post(f"{table.path}/checks", data={"registration": table.rids[0]}).status_code == 400
    assert table.checks == []


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ({"seed": ""}, "seed"),
        ({"share": "0"}, "share"),
        ({"share": "many"}, "share"),
        ({"among": "friends"}, "among"),
        ({"among": "top-half"}, "among"),
        ({"among": "top-half", "standings": "Nobody\nCat, Nami"}, "standings"),
    ],
)
def test_what_cannot_be_drawn_is_said_at_its_field(table, typed, fault):
    page = table.opens().sends("/table/checks", 422, **({"among": "all", "share": "10", "seed": "7"} | typed))
    assert page.faults() == [fault]
    assert table.checks == []


def test_the_upper_half_of_pasted_standings_is_drawn(table):
    page = table.opens().sends(
        "/table/checks",
        among="top-half",
        share="100",
        seed="7",
        standings="Nami Cat\r\n\r\n山田 太郎\r\nFirst Last\r\n",
    )
    assert "seed 7" in page.says("#drawn")
    assert {one["registration"] for one in table.checks} == {table.rids[1], table.rids[2]}
    assert len(page.page.css("#going a")) == 2
    assert len(page.page.css("#next a")) == 1


def test_between_games_cards_change_places(app):
    table = Table(app, players=(), game="dbs")
    listed = "Main Deck\n4 BT1-010\n4 BT1-011\n\nSide Deck\n1 BT1-020\n"
    _, receipt, _ = registered(app, table.id, "Last, First", decklist=listed)
    check = table.begins(receipt.rpartition("/")[2])
    table.judge.sends(check, decklist="Main Deck\n3 BT1-010\n4 BT1-011\n1 BT1-020\n\nSide Deck\n1 BT1-010\n")
    assert not table.checks[0]["agrees"]
    table.judge.sends(check, between_games="true")
    (shown,) = table.checks
    assert (shown["agrees"], shown["same_cards"], shown["suggested"]) == (True, True, None)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["<b>Bold</b>", "\"'><script>alert(1)</script>", "مرحبا", "{{ 7 * 7 }}"])
def test_names_are_text(app, name):
    table = Table(app, players=(name,))
    page = table.finds(table.rids[0])
    assert not page.page.css("#found script, #found b")
    assert page.page.css_first("#found bdi").text() == name.strip()


@pytest.mark.slow
def test_the_worker_may_answer_for_the_table_of_its_event_alone(table):
    answer = table.judge.client.get(f"{table.path}/worker.js")
    assert answer.headers["Service-Worker-Allowed"] == table.path
    assert answer.headers["Content-Security-Policy"] == "default-src 'self'"
    assert answer.mimetype == "text/javascript"


@pytest.mark.slow
def test_the_page_is_light(table):
    page = table.judge.client.get(table.path)
    files = {*re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text), "/static/table_worker.js"}
    squeezed = (table.judge.client.get(file, headers={"Accept-Encoding": "gzip"}) for file in files)
    assert len(page.data) + sum(len(one.data) for one in squeezed) < 60_000


@pytest.mark.slow
def test_lists_are_read_by_as_many_queries_however_many_there_are(app):
    counts = []
    for players in (1, 8):
        table = Table(app, players=[f"Player {at}" for at in range(players)])
        for rid in table.rids:
            table.begins(rid)
        with asked() as statements:
            assert table.phone("/lists").status_code == 200
        counts.append(len(statements))
    assert counts[0] == counts[1] > 0
