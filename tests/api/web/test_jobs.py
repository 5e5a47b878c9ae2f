"""Spreadsheets are sent in over HTTP, and answered at once or by a job."""

from __future__ import annotations

import io
import sqlite3
import tempfile

import openpyxl
import pypdf
import pytest
import requests

from api.jobs.executor import Executor
from api.service.settings import Settings
from api.sheets.sheet_files import KINDS
from api.web.app import create_app
from api.web.services import Services
from tests.api.events.conftest import emptied
from tests.api.jobs.spreadsheets import decks, summary

pytestmark = pytest.mark.slow

SMALL, LARGE = decks(2), decks(40)
AT_ONCE = 10_000
DAY = "2026-11-01"


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def used(data_dir):
    return create_app(Settings(data_dir=data_dir, at_once=AT_ONCE, max_workbook=100_000, max_jobs=3))


@pytest.fixture
def app(used):
    """An application that knows of no job."""
    return emptied(used)


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def work(app):
    """Do the next job, as a worker does."""
    here: Services = app.extensions["deckproof"]
    return Executor(here.jobs, here.library).do_next


def send(client, data=SMALL, name="decks.csv", **fields):
    form = {"game": "optcg", "on": DAY, **fields, "file": (io.BytesIO(data), name)}
    return client.post("/v1/workbooks", data={key: value for key, value in form.items() if value is not None})


def pointers(answer):
    return [error["pointer"] for error in answer.json["errors"]]


def test_a_small_file_is_answered_at_once(client):
    answer = send(client)
    assert (answer.status_code, answer.content_type) == (200, KINDS["xlsx"].media_type)
    assert answer.headers["Content-Disposition"] == "attachment; filename=decks-results.xlsx"
    assert openpyxl.load_workbook(io.BytesIO(answer.data)).sheetnames[0] == "Summary"


def test_a_file_may_come_by_itself(client):
    answer = client.post(
        f"/v1/workbooks?game=optcg&on={DAY}&as=csv&name=sunday.csv", data=SMALL, content_type="text/csv"
    )
    assert answer.headers["Content-Disposition"] == "attachment; filename=sunday-results.csv"
    assert [row["Legal"] for row in summary(answer.data)] == ["yes", "yes"]


def test_what_is_said_once_of_the_event_stands_on_every_sheet(client):
    event = {"event": "Example Regional", "date": "2026-11-02", "place": "Example Hall", "format_name": "Trios"}
    answer = send(client, **{"as": "pdf", "on": None, "order": "table", **event})
    for page in pypdf.PdfReader(io.BytesIO(answer.data)).pages:
        text = page.extract_text()
        assert "ONE PIECE · Trios · Example Regional · 2026-11-02" in text
        assert "Judged for 2026-11-02" in text


def test_a_job_says_how_much_was_not_read_as_an_answer_at_once_does(client, work):
    data = SMALL + b"nobody,9,Main,OP01-016,Nami,many\r\n"
    at_once = send(client, data)
    job = send(client, data, job="true").json
    assert work()
    result = client.get(f"/v1/jobs/{job['id']}/result")
    assert int(result.headers["Deckproof-Problems"]) == int(at_once.headers["Deckproof-Problems"]) > 0


def test_what_to_write_to_each_player_is_a_table(client):
    answer = send(client, **{"as": "csv", "mail_merge": "true"})
    assert answer.content_type == KINDS["csv"].media_type
    assert {"E-mail", "What to mend"} <= summary(answer.data)[0].keys()


@pytest.mark.parametrize("kind", ["xlsx", "csv", "pdf"])
def test_the_kind_of_file_is_chosen_by_word_or_by_media_type(client, kind):
    media_type = KINDS[kind].media_type
    assert send(client, **{"as": kind}).content_type == media_type
    query = f"/v1/workbooks?game=optcg&on={DAY}"
    for accepted in (media_type, f"text/html, {media_type.partition(';')[0]};q=0.5"):
        answer = client.post(query, data=SMALL, content_type="text/csv", headers={"Accept": accepted})
        assert answer.content_type == media_type


def test_a_sheet_for_each_deck_is_made_on_request(client):
    sheets = openpyxl.load_workbook(io.BytesIO(send(client, deck_sheets="true").data)).sheetnames
    assert {"Player 0 (000000)", "Player 1 (000001)"} <= set(sheets)


def test_a_large_file_becomes_a_job(client, work):
    taken = send(client, LARGE, **{"as": "csv"})
    assert (taken.status_code, taken.json["status"], taken.json["links"]["result"]) == (202, "queued", None)
    self = taken.headers["Location"]
    assert self == taken.json["links"]["self"] == f"/v1/jobs/{taken.json['id']}"
    assert client.get(self).json == taken.json
    assert client.get(f"{self}/result").status_code == 409
    work()
    done = client.get(self).json
    assert (done["status"], done["done"], done["of"], done["problem"]) == ("done", 80, 80, None)
    result = client.get(done["links"]["result"])
    assert result.content_type == KINDS["csv"].media_type
    assert result.headers["Content-Disposition"] == "attachment; filename=decks-results.csv"
    assert int(result.headers["Content-Length"]) == len(result.data)
    assert len(summary(result.data)) == 40
    assert client.get("/readyz").json["jobs"]["done"] == 1


def test_a_job_and_an_answer_at_once_say_the_same(client, work):
    at_once = send(client, job="false", **{"as": "csv"})
    job = send(client, job="true", **{"as": "csv"})
    assert (at_once.status_code, job.status_code) == (200, 202)
    work()
    assert client.get(f"/v1/jobs/{job.json['id']}/result").data == at_once.data


def test_a_job_is_cancelled(client, work):
    id = send(client, LARGE).json["id"]
    assert client.delete(f"/v1/jobs/{id}").json["status"] == "cancelled"
    assert not work()
    assert client.get(f"/v1/jobs/{id}").json["status"] == "cancelled"
    assert client.get(f"/v1/jobs/{id}/result").status_code == 409


def test_a_job_that_is_removed_keeps_nothing_of_what_was_sent_in(client, work, data_dir):
    for done in (False, True):
        id = send(client, LARGE, name="Jane Example.csv").json["id"]
        assert not done or work()
        assert client.delete(f"/v1/jobs/{id}").json["name"] == ""
        assert client.get(f"/v1/jobs/{id}").json["name"] == ""
    with sqlite3.connect(data_dir / "deckproof.db") as database:
        kept = "\n".join(database.iterdump())
    assert id not in kept
    assert "Jane Example" not in kept
    assert "Player 0" not in kept


def test_the_result_of_a_job_is_nobody_elses_business(client, work):
    id = send(client, LARGE).json["id"]
    work()
    for path in (f"/v1/jobs/{id}", f"/v1/jobs/{id}/result"):
        assert client.get(path).headers["Cache-Control"] == "private, no-store"
    for other in (id[:-1], id.lower(), "%00", "..", "x" * 5000, "🃏"):
        for answer in (client.get(f"/v1/jobs/{other}"), client.get(f"/v1/jobs/{other}/result")):
            assert (answer.status_code, answer.content_type) == (404, "application/problem+json")
        assert client.delete(f"/v1/jobs/{other}").status_code == 404


NO_SPREADSHEET = b"PK\x03\x04" + bytes(20_000)


def test_a_file_that_cannot_be_read_is_refused(client, work):
    answer = send(client, NO_SPREADSHEET[:100], "decks.xlsx")
    assert (answer.status_code, pointers(answer)) == (422, ["/file"])
    assert "decks.xlsx" in answer.json["detail"]
    id = send(client, NO_SPREADSHEET, "decks.xlsx").json["id"]
    work()
    failed = client.get(f"/v1/jobs/{id}").json
    assert (failed["status"], failed["problem"]["status"]) == ("failed", 422)
    result = client.get(f"/v1/jobs/{id}/result")
    assert (result.status_code, result.content_type) == (422, "application/problem+json")
    assert result.json == failed["problem"]


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"game": "chess"}, "/game"),
        ({"ruleset": "dbs-1.073"}, "/game"),
        ({"ruleset": "optcg-0"}, "/ruleset"),
        ({"on": "tomorrow"}, "/on"),
        ({"on": "0001-01-01"}, "/on"),
        ({"region": "moon"}, "/region"),
        ({"format": "none such"}, "/format"),
        ({"as": "docx"}, "/as"),
        ({"paper": "a3"}, "/paper"),
        ({"order": "age"}, "/order"),
        ({"date": "1.11.2026"}, "/date"),
        ({"event": "x" * 121}, "/event"),
        ({"job": "perhaps"}, "/job"),
        ({"hand": "left"}, "/hand"),
    ],
)
@pytest.mark.parametrize("data", [SMALL, LARGE], ids=["small", "large"])
def test_what_is_wrong_with_the_fields_is_said_at_once(client, work, fields, pointer, data):
    answer = send(client, data, **fields)
    assert (answer.status_code, pointers(answer)) == (422, [pointer])
    assert not work()


def test_a_form_without_a_file_is_refused(client):
    answer = client.post("/v1/workbooks", data={"game": "optcg"}, content_type="multipart/form-data")
    assert (answer.status_code, pointers(answer)) == (422, ["/file"])


def test_an_empty_file_is_refused(client):
    assert pointers(send(client, b"")) == ["/file"]


@pytest.mark.parametrize("media_type", ["application/json", "text/html", None])
def test_what_is_no_spreadsheet_by_its_media_type_is_415(client, media_type):
    answer = client.post("/v1/workbooks?game=optcg", data=SMALL, content_type=media_type)
    assert (answer.status_code, answer.content_type) == (415, "application/problem+json")


def test_a_file_beyond_the_bound_is_413(client):
    assert send(client, decks(400)).status_code == 413
    assert client.post("/v1/workbooks?game=optcg", data=decks(400), content_type="text/csv").status_code == 413


def test_who_wants_no_job_gets_none(client):
    assert send(client, LARGE, job="false").status_code == 413


def test_without_room_on_disk_no_file_is_taken_in_or_written_and_that_is_said(client, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    form = requests.Request("POST", "http://here", files={"file": decks(1000)}, data={"game": "optcg"}).prepare()
    roomy = create_app(Settings(data_dir=tmp_path)).test_client()
    large = roomy.post("/v1/workbooks", data=form.body, content_type=form.headers["Content-Type"])
    for answer in (send(client), large):
        assert (answer.status_code, answer.content_type) == (503, "application/problem+json")


def test_when_too_many_jobs_wait_more_are_refused_for_a_while(client, work):
    for _ in range(3):
        assert send(client, LARGE).status_code == 202
    answer = send(client, LARGE)
    assert (answer.status_code, answer.content_type) == (503, "application/problem+json")
    assert int(answer.headers["Retry-After"]) > 0
    assert send(client).status_code == 200
    work()
    assert send(client, LARGE).status_code == 202


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("../../etc/passwd", "passwd-results.xlsx"),
        (r"C:\Users\me\decks.xlsx", "decks-results.xlsx"),
        ("decks\r\nSet-Cookie: x=1.csv", "decks Set-Cookie: x=1-results.xlsx"),
        ("", "decks-results.xlsx"),
        (".csv", "csv-results.xlsx"),
        ("a" * 5000 + ".csv", "a" * 100 + "-results.xlsx"),
    ],
)
def test_a_file_is_called_what_it_may_be_called(client, name, called):
    answer = client.post(
        "/v1/workbooks", query_string={"game": "optcg", "on": DAY, "name": name}, data=SMALL, content_type="text/csv"
    )
    assert answer.status_code == 200
    assert "Set-Cookie" not in answer.headers
    assert answer.headers["Content-Disposition"].replace('"', "").endswith(f"filename={called}")


def test_a_name_in_any_script_stays_a_name(client):
    answer = send(client, name="大会 デッキ.csv")
    assert "filename*=UTF-8''" in answer.headers["Content-Disposition"]


def test_a_job_has_the_language_of_its_request(client, work):
    form = {"game": "optcg", "on": DAY, "job": "true", "as": "csv", "file": (io.BytesIO(SMALL), "decks.csv")}
    job = client.post("/v1/workbooks?lang=fr", data=form).json
    assert work()
    result = client.get(f"/v1/jobs/{job['id']}/result", headers={"Accept-Language": "ja"})
    assert result.headers["Content-Language"] == "fr"
    assert result.text.startswith("\ufeffJoueur,Nom de famille,")


def test_a_failed_job_has_its_reason_in_the_language_of_the_request(client, work):
    form = {"on": DAY, "job": "true", "file": (io.BytesIO(b"Player,Table\nZoro,1\n"), "decks.csv")}
    job = client.post("/v1/workbooks?lang=de", data=form).json
    assert work()
    problem = client.get(f"/v1/jobs/{job['id']}").json["problem"]
    assert (problem["type"], problem["status"]) == ("urn:deckproof:problem:invalid", 422)
    assert problem["title"] == "Lesbar, aber falsch"
    assert problem["detail"].startswith("decks.csv: Es wurde keine Karte")
