"""The tables: what the editions and lists say, as schemas allow it, alike in JSON and in CSV."""

from __future__ import annotations

import csv
import json
from io import StringIO

import jsonschema_rs
import pytest
from click.testing import CliRunner

from api.cli import cli
from api.open_data.tables import NAMES, TABLE_NAMES
from validator.games import GAMES
from validator.limits import shipped_lists
from validator.rulesets import rulesets


def rows(client, table):
    return client.get(f"/v1/data/{table}.json").json["rows"]


@pytest.mark.parametrize("table", TABLE_NAMES)
def test_a_table_is_what_its_schema_says(client, table):
    schema = json.loads(client.get(f"/v1/data/{table}.schema.json").data)
    jsonschema_rs.meta.validate(schema)
    document = client.get(f"/v1/data/{table}.json").json
    jsonschema_rs.Draft202012Validator(schema, validate_formats=True).validate(document)
    assert document["rows"]


@pytest.mark.parametrize("table", TABLE_NAMES)
def test_csv_has_the_rows_of_the_json(client, table):
    written = list(csv.DictReader(StringIO(client.get(f"/v1/data/{table}.csv").text)))
    read = rows(client, table)
    assert [list(row) for row in written] == [list(row) for row in read]
    for row, cells in zip(read, written, strict=True):
        texts = {key: value or "" for key, value in row.items() if isinstance(value, str) or value is None}
        assert {key: cells[key] for key in texts} == texts


def test_every_ruling_of_every_list_is_there_with_its_source(client):
    told = [(row["game"], row["region"], row["number"], row["limit"]) for row in rows(client, "limits")]
    assert sorted(told, key=str) == sorted(
        (
            (game, region, ruling.numbers[0], ruling.limit)
            for game in GAMES
            for region in shipped_lists(game).listed.dated_regions
            for ruling in shipped_lists(game).listed.rulings(region)
        ),
        key=str,
    )
    assert all(row["source"].startswith("https://") for row in rows(client, "limits"))


def test_every_edition_has_its_rules_and_their_places(client):
    of_rules = {row["ruleset"] for row in rows(client, "rules")}
    assert of_rules == set(rulesets()) == {row["id"] for row in rows(client, "rulesets")}
    (size,) = [row for row in rows(client, "rules") if (row["ruleset"], row["name"]) == ("optcg-1.1.9", "main-size")]
    assert (size["parameters"]["minimum"], size["section"]) == (50, "5-1-2")


def test_a_year_of_the_rotation_takes_four_blocks(client):
    years = {row["from"]: row["blocks"] for row in rows(client, "rotations") if row["format"] == "standard"}
    assert years["2026-04-01"] == ["2", "3", "4", "5", "X"]
    assert years["2027-04-01"] == ["3", "4", "5", "6", "X"]


def test_the_index_leads_to_files_that_may_be_kept_for_ever(client):
    tables = client.get("/v1/data").json["tables"]
    assert [table["name"] for table in tables] == list(TABLE_NAMES)
    for table in tables:
        for kind in ("json", "csv", "schema"):
            answer = client.get(table[kind])
            assert "immutable" in answer.headers["Cache-Control"]
            assert not answer.headers["ETag"].startswith("W/")
            assert client.get(table[kind], headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    assert "no-cache" in client.get("/v1/data/limits.json").headers["Cache-Control"]
    assert "no-cache" in client.get("/v1/data/limits.json?v=old").headers["Cache-Control"]


def test_no_such_file_is_404_and_names_those_there_are(client):
    answer = client.get("/v1/data/prices.json")
    assert answer.status_code == 404
    assert "limits.json" in answer.json["detail"]


def test_the_command_writes_what_is_served(client, tmp_path):
    folder = tmp_path / "open-data"
    assert CliRunner().invoke(cli, ["data", "export", str(folder)]).exit_code == 0
    assert {file.name for file in folder.iterdir()} == {*NAMES, "index.json"}
    assert all((folder / name).read_bytes() == client.get(f"/v1/data/{name}").data for name in NAMES)
    index = json.loads((folder / "index.json").read_text("utf-8"))
    assert all((folder / table["csv"]).is_file() for table in index["tables"])


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "taken").write_text("")
    assert CliRunner().invoke(cli, ["data", "export", str(tmp_path / "taken" / "below")]).exit_code == 2
