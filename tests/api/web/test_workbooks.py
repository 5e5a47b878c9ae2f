"""Workbooks over HTTP."""

import io

import openpyxl
import pytest

from api.service.settings import Settings
from api.sheets.sheet_files import KINDS
from api.web.app import create_app
from tests.api.web.documented import assert_documented
from tests.api.workbooks.files import example


def test_the_template_is_a_workbook_to_fill_in(client):
    answer = client.get("/v1/workbooks/template.xlsx")
    assert (answer.status_code, answer.mimetype) == (200, KINDS["xlsx"].media_type)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="deckproof-template.xlsx"'
    assert openpyxl.load_workbook(io.BytesIO(answer.data)).sheetnames == ["Help", "Cards", "Decks"]


def csv_of(player):
    lines = example().replace("\n", "\r\n").replace('"', '""')
    return f'Player,Your deck\r\n{player},"{lines}"\r\nNami,"{lines}"\r\n'.encode()


def test_what_was_not_read_is_counted_and_told_in_every_answer(client):
    for kind in ("csv", "xlsx"):
        query = f"/v1/workbooks?game=optcg&as={kind}&on=2026-11-01"
        answer = client.post(query, data=csv_of(""), content_type="text/csv")
        assert (answer.status_code, answer.headers["Deckproof-Problems"]) == (200, "1")
        whole = client.post(query, data=csv_of("Zoro"), content_type="text/csv")
        assert whole.headers["Deckproof-Problems"] == "0"
    answer = client.post("/v1/workbooks?game=optcg&as=csv&on=2026-11-01", data=csv_of(""), content_type="text/csv")
    assert answer.text.splitlines()[-1].split(",")[3] == "problem"


@pytest.mark.parametrize("kind", ["csv", "xlsx", "pdf"])
def test_results_are_of_a_kind_that_is_documented(client, kind):
    path = f"/v1/workbooks?game=optcg&as={kind}&on=2026-11-01"
    answer = client.post(path, data=csv_of("Zoro"), content_type="text/csv")
    assert_documented(answer, "POST", path)


def test_the_columns_are_shown_without_judging(client):
    answer = client.post("/v1/workbooks/columns?game=optcg", data=csv_of("Zoro"), content_type="text/csv").json
    [sheet] = answer["sheets"]
    assert [(column["role"], column["column"]) for column in sheet["columns"]] == [("Player", "A"), ("Deck list", "B")]
    assert (answer["decks"], [player["player"] for player in answer["players"]]) == (2, ["Zoro", "Nami"])


def test_a_column_that_is_not_there_is_refused(client):
    query = "/v1/workbooks/columns?game=optcg&player_column=Foo"
    assert client.post(query, data=csv_of("Zoro"), content_type="text/csv").status_code == 422


def test_the_columns_are_shown_by_the_cards_of_the_game_that_they_tell(client):
    shown = client.post("/v1/workbooks/columns", data=csv_of("Zoro"), content_type="text/csv").json
    asked = client.post("/v1/workbooks/columns?game=optcg", data=csv_of("Zoro"), content_type="text/csv").json
    assert shown == asked
    nothing = client.post("/v1/workbooks/columns", data="Player,Deck\r\nZoro,Nothing", content_type="text/csv")
    assert (nothing.status_code, [one["pointer"] for one in nothing.json["errors"]]) == (422, ["/file"])


def test_columns_of_more_than_is_read_at_once_are_refused(client):
    long = "Player,Decklist\r\n" + "\r\n".join(f"Zoro {at},{at} {'4 OP01-016 ' * 60}" for at in range(900))
    assert client.post("/v1/workbooks/columns", data=long, content_type="text/csv").status_code == 413


@pytest.mark.parametrize("how", [{"query_string": {"lang": "de"}}, {"headers": {"Accept-Language": "de, en;q=0.5"}}])
def test_results_and_columns_are_in_the_language(client, how):
    path = "/v1/workbooks?game=optcg&on=2026-11-01&as=csv"
    query = dict(game="optcg", on="2026-11-01", **how.get("query_string", {}))
    how = {"query_string": query, "headers": how.get("headers", {}), "data": csv_of(""), "content_type": "text/csv"}
    answer = client.post("/v1/workbooks", **{**how, "query_string": query | {"as": "csv"}})
    assert answer.headers["Content-Language"] == "de"
    headings, *rows = answer.text.splitlines()
    assert headings.startswith("\ufeffSpieler,Nachname,Spieler-ID,Legal")
    assert rows[-1].split(",")[3] == "Problem"
    shown = client.post("/v1/workbooks/columns", **how)
    assert shown.headers["Content-Language"] == "de"
    assert [column["role"] for column in shown.json["sheets"][0]["columns"]] == ["Spieler", "Deckliste"]
    assert shown.json["problems"] == ["Zeile 2: kein Spieler genannt"]
    english = client.post(path, data=csv_of(""), content_type="text/csv")
    assert english.headers["Content-Language"] == "en"
    assert english.text.startswith("\ufeffPlayer,Last name,Player ID,Legal")


def test_a_workbook_and_its_sheets_for_players(client):
    query = "game=optcg&on=2026-11-01&lang=ja"
    answer = client.post(f"/v1/workbooks?{query}&as=xlsx", data=csv_of("Zoro"), content_type="text/csv")
    assert openpyxl.load_workbook(io.BytesIO(answer.data)).sheetnames[:2] == ["一覧", "指摘"]
    printed = client.post(f"/v1/workbooks?{query}&as=pdf", data=csv_of("Zoro"), content_type="text/csv")
    assert (printed.status_code, printed.headers.get("Content-Language")) == (200, None)


def test_a_language_that_is_not_there_is_refused(client):
    answer = client.post("/v1/workbooks?game=optcg&lang=tlh", data=csv_of("Zoro"), content_type="text/csv")
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (422, "/lang")


def test_a_job_that_finds_no_room_may_be_sent_again_in_a_minute(tmp_path):
    client = create_app(Settings(data_dir=tmp_path, max_jobs=1)).test_client()
    path = "/v1/workbooks?game=optcg&on=2026-11-01&job=true"
    answers = [client.post(path, data=csv_of("Zoro"), content_type="text/csv") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [202, 503]
    assert answers[1].headers["Retry-After"] == "60"
