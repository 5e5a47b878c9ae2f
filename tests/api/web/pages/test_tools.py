"""The tools' pages: what `/v1` answers on swaps, sheets and spreadsheets, as forms that work without script."""

from __future__ import annotations

import io
import re
from html import unescape

import pytest

from api.service.shapes import AFTER, BEFORE
from api.web.schemas import EXAMPLE_DECKLIST
from tests.api.web.test_problems import assert_guarded

FIVE = EXAMPLE_DECKLIST.replace("4 OP01-016", "5 OP01-016")
DAY = {"on": "2026-11-21"}
HOSTILE = "</textarea><script>alert(1)</script>\"'{{7*7}}"


def posted(client, path, data, status=200, **more):
    answer = client.post(path, data=data, **more)
    assert answer.status_code == status, answer.text
    return answer


def spreadsheet(*players, name="decks.csv"):
    rows = (f'"{who}",{at},"{deck}"\n' for at, (who, deck) in enumerate(players, 1))
    return io.BytesIO(("Player,Player ID,Decklist\n" + "".join(rows)).encode()), name


def faulty(answer):
    """Return the fields that are marked as wrong, and told why."""
    marked = re.findall(r'name="(\w+)"[^>]*aria-invalid="true" aria-describedby="(\w+)-fault', answer.text)
    assert all(f'id="{name}-fault"' in answer.text and name == by for name, by in marked)
    return [name for name, _ in marked]


@pytest.mark.parametrize("path", ["/swap", "/sheet", "/workbooks"])
def test_every_tool_has_a_page_that_is_guarded_and_led_to(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert "Set-Cookie" not in answer.headers
    assert_guarded(client.get("/v1/rulesets").headers)
    assert f'href="{path}" aria-current="page"' in answer.text
    assert not re.search(r"<(script|style)(?! [^>]*src=)[^>]*>|\son\w+=|\sstyle=", answer.text)


def test_a_swap_is_judged_as_the_interface_judges_it(client):
    changed = AFTER.replace("Oiled Cloak", "Ford Watcher")
    for after in (AFTER, changed):
        asked = {"before": BEFORE, "after": after} | DAY
        legal = client.post("/v1/swaps/validate", json=asked).json["legal"]
        page = posted(client, "/swap", asked).text
        assert ('class="notice good"' in page) == legal
        assert ("does not have the same cards" in re.sub(r"<h1>.*</form>", "", page, flags=re.S)) == (not legal)


def test_one_for_one_is_asked_of_the_swap(client):
    longer = {"before": BEFORE, "after": AFTER.replace("\nSide\n", "1 Night Crossing\nSide\n")} | DAY
    assert posted(client, "/swap", longer | {"swap_one_for_one": "true"}).text.count('class="finding ') >= 1


def test_the_piece_alone_is_answered_to_a_script(client):
    piece = posted(client, "/swap", {"before": BEFORE, "after": AFTER}, headers={"HX-Request": "true"}).text
    assert "verdict" in piece
    assert "<html" not in piece


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({}, ["before", "after"]),
        ({"before": BEFORE}, ["after"]),
        ({"before": BEFORE, "after": AFTER, "on": "yesterday"}, ["on"]),
        ({"before": "Ann", "after": "Bo"}, ["game"]),
    ],
)
def test_what_is_wrong_with_a_swap_stands_at_its_field(client, given, wrong):
    assert faulty(posted(client, "/swap", given, 422)) == wrong


def test_a_sheet_is_the_one_of_the_interface(client):
    asked = {"decklist": EXAMPLE_DECKLIST, "player": "Last, First", "player_id": "007", "date": "2026-11-21"}
    page = posted(client, "/sheet", asked | {"as": "csv"})
    assert page.data == client.post("/v1/sheets?as=csv", json=asked).data
    assert page.headers["Deckproof-Legal"] == "true"
    assert posted(client, "/sheet", asked | {"as": "pdf"}).data.startswith(b"%PDF-")
    japanese = posted(client, "/sheet", asked | {"as": "csv", "names": "ja"})
    assert japanese.data == client.post("/v1/sheets?as=csv&names=ja", json=asked).data != page.data


def test_a_deck_that_is_sent_to_the_sheet_page_is_filled_in(client):
    page = unescape(posted(client, "/sheet", {"decklist": "4 OP01-016", "side_max": "10", "game": "optcg"}).text)
    assert "4 OP01-016</textarea>" in page
    assert '<option value="optcg" selected>' in page
    assert '<input type="hidden" name="side_max" value="10">' in page


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"as": "pdf"}, ["decklist", "player"]),
        ({"as": "pdf", "decklist": FIVE, "player": "x" * 101, "date": "now"}, ["player", "date"]),
        ({"as": "pdf", "decklist": FIVE, "player": "Ann", "names": "tlh"}, ["names"]),
        ({"blank": "pdf"}, ["game"]),
        ({"blank": "pdf", "date": "now"}, ["game", "date"]),
    ],
)
def test_what_is_wrong_with_a_sheet_stands_at_its_field(client, given, wrong):
    assert faulty(posted(client, "/sheet", given, 422)) == wrong


@pytest.mark.parametrize("given", [{"as": "exe"}, {"blank": "csv"}, {"as": "pdf", "paper": "a9"}])
def test_a_file_that_nobody_offers_is_refused(client, given):
    posted(client, "/sheet", given | {"decklist": FIVE, "player": "Ann", "game": "optcg"}, 422)


def test_a_blank_sheet_is_of_the_game_and_the_event(client):
    answer = posted(client, "/sheet", {"blank": "xlsx", "game": "bos", "event": "Example Regional"})
    assert answer.data.startswith(b"PK")


def judged(client, file, status=200, **fields):
    return posted(client, "/workbooks", {"file": file} | DAY | fields, status, content_type="multipart/form-data")


def test_a_spreadsheet_is_judged_and_those_that_are_not_legal_stand_first(client):
    page = judged(client, spreadsheet(("Ann Example", EXAMPLE_DECKLIST), ("Bo Example", FIVE))).text
    assert re.findall(r"(\d+) (legal|not legal)</b>", page) == [("1", "legal"), ("1", "not legal")]
    assert page.index("Bo Example") < page.index("Ann Example")
    assert "Player ← A “Player”" in page


def test_a_spreadsheet_is_carried_along_and_read_another_way(client):
    page = judged(client, spreadsheet(("Ann", EXAMPLE_DECKLIST))).text
    carried = re.search(r'name="carried" value="([^"]+)"', page)[1]
    again = {"carried": carried, "name": "decks.csv", "player_column": "B"} | DAY
    assert "Player ← B “Player ID” (chosen by you)" in posted(client, "/workbooks", again).text
    assert posted(client, "/workbooks", again | {"as": "xlsx"}).data.startswith(b"PK")


@pytest.mark.parametrize("carried", ["", "%%%", "QUFB"])
def test_what_was_carried_and_is_no_spreadsheet_is_refused(client, carried):
    assert faulty(posted(client, "/workbooks", {"carried": carried}, 422)) == ["file"]


def test_what_cannot_be_read_is_refused_with_a_way_to_say_the_columns(client):
    page = judged(client, spreadsheet(("Ann", "nothing")), 422)
    assert faulty(page) == ["file"]
    assert 'name="list_column"' in page.text
    assert faulty(judged(client, spreadsheet(("Ann", FIVE)), 422, region="atlantis")) == ["region"]


def test_a_large_spreadsheet_becomes_a_job_with_a_page(client):
    answer = judged(client, spreadsheet(*((f"Player {at}", EXAMPLE_DECKLIST) for at in range(600))), 303)
    page = client.get(answer.headers["Location"])
    assert '<meta http-equiv="refresh"' in page.text
    assert page.headers["Cache-Control"] == "private, no-store"
    gone = client.post(f"{answer.headers['Location']}/cancel")
    assert gone.headers["Location"] == answer.headers["Location"]
    assert 'http-equiv="refresh"' not in client.get(answer.headers["Location"]).text


def test_pages_of_spreadsheets_do_not_promise_that_nothing_is_stored(client):
    def footer(path):
        return client.get(path).text.split('<footer class="bottom">')[1].split("<p>")[1]

    job = judged(client, spreadsheet(*((f"Player {row}", EXAMPLE_DECKLIST) for row in range(600))), 303)
    assert footer("/workbooks") == footer(job.headers["Location"]) != footer("/") == footer("/swap")


def test_no_such_job_is_a_page(client):
    for id in ("nobody", "no%0d%0abody"):
        for answer in (client.get(f"/workbooks/jobs/{id}"), client.post(f"/workbooks/jobs/{id}/cancel")):
            assert (answer.status_code, answer.mimetype) == (404, "text/html")


def test_what_somebody_wrote_stays_text(client):
    name = HOSTILE.replace('"', "'")
    pages = [
        posted(client, "/swap", {"before": HOSTILE + BEFORE, "after": f"1 ZZ9 {HOSTILE}\n{AFTER}", "game": "bos"}),
        posted(client, "/sheet", {"decklist": HOSTILE, "player": HOSTILE, "event": HOSTILE}),
        client.get("/sheet", query_string={"decklist": HOSTILE, "player": HOSTILE}),
        judged(client, spreadsheet((name, f"{FIVE}4 {name}\n"), name=f"{name}.csv")),
    ]
    for page in pages:
        assert "alert(1)" in page.text
        assert "<script>alert" not in page.text
        assert "49" not in re.sub(r"\?v=\w+|value=\"[\w+/=]+\"", "", page.text)
