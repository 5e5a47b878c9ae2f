"""A file that comes in is called something that messages and headers can bear."""

from __future__ import annotations

import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.service.settings import Settings
from api.web.app import create_app
from api.web.bodies import LONGEST_NAME, plain_name
from api.web.responses import file_headers


@given(st.text(max_size=600))
def test_whatever_a_file_is_called_its_name_is_short_on_one_line_and_in_no_folder(name):
    found = plain_name(name)
    assert 0 < len(found) <= LONGEST_NAME
    assert found == found.strip() == " ".join(found.split())
    assert "/" not in found
    assert "\\" not in found
    assert not {"Cc", "Cs", "Zl", "Zp"} & set(map(unicodedata.category, found))


@given(st.text(max_size=600))
def test_whatever_a_file_is_called_its_headers_are_ascii(name):
    headers = file_headers(f"{plain_name(name)}-results.xlsx")
    assert headers["Content-Disposition"].isascii()
    assert "\n" not in headers["Content-Disposition"]
    assert headers["Content-Disposition"].startswith("attachment; filename=")


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("decks.xlsx", "decks.xlsx"),
        ("/srv/decks.xlsx", "decks.xlsx"),
        (r"C:\decks.xlsx", "decks.xlsx"),
        ("no suffix", "no suffix"),
        ("..", "decks"),
        ("/", "decks"),
        ("大会.csv", "大会.csv"),
    ],
)
def test_a_name_is_what_people_call_it(name, plain):
    assert plain_name(name) == plain


FILE = (b"Player,Number,Count\nPlayer 1,OP01-016,4\n", "decks.csv")


def send(client, query="game=optcg", **parts):
    files = {name: [(io.BytesIO(data), called) for data, called in many] for name, many in parts.pop("files").items()}
    return client.post(f"/v1/workbooks?{query}", data=parts | files, content_type="multipart/form-data")


def pointers(answer):
    assert answer.status_code == 422
    return [error["pointer"] for error in answer.json["errors"]]


@pytest.mark.parametrize("files", [{}, {"file": [FILE, FILE]}, {"file": [FILE], "other": [FILE]}, {"other": [FILE]}])
def test_there_is_one_file_or_it_is_said_that_there_is_not(client, files):
    assert pointers(send(client, files=files)) == ["/file"]


@pytest.mark.parametrize("query", ["game=optcg", "game=dbs"])
def test_a_field_is_given_once_be_it_in_the_form_or_in_the_query(client, query):
    assert pointers(send(client, query, game="optcg", files={"file": [FILE]})) == ["/game"]
    assert pointers(send(client, "", game=["optcg", "dbs"], files={"file": [FILE]})) == ["/game"]
    assert pointers(client.post(f"/v1/workbooks?{query}&{query}", data=FILE[0], content_type="text/csv")) == ["/game"]


@pytest.mark.parametrize(
    "parts", [{f"n{number}": "" for number in range(2000)}, {"region": "x" * 600_000}, {"x" * 600_000: ""}]
)
def test_a_form_is_bounded_in_parts_and_beside_its_file(client, parts):
    answer = send(client, **parts, files={"file": [FILE]})
    assert answer.status_code == 413
    assert "1,000 parts" in answer.json["detail"]


def test_a_small_file_of_many_decks_is_a_job_like_a_large_one(tmp_path):
    client = create_app(Settings(data_dir=tmp_path)).test_client()
    many = b"Player,Number,Count\n" + b"".join(b"%d,A,1\n" % number for number in range(600)), "decks.csv"
    assert send(client, files={"file": [many]}).status_code == 202
    assert send(client, "game=optcg&job=false", files={"file": [many]}).status_code == 413
