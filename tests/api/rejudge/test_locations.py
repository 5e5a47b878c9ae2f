"""Locations: local paths and addresses of object stores, whose credentials no message has. Nothing is connected."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from api.rejudge.locations import Location, describe_error
from api.service.errors import Unusable

STORE = "region=us-east-1&endpoint_override=127.0.0.1:1&scheme=http"


def test_a_location_in_a_store_is_printed_without_its_credentials():
    location = Location.parse(f"s3://name:secret@bucket/decks/May/?{STORE}")
    assert (str(location), location.path, location.name) == ("s3://bucket/decks/May", "bucket/decks/May", "May")
    assert str(location.child("part.parquet")) == "s3://bucket/decks/May/part.parquet"


@pytest.mark.parametrize("scheme", ["gs", "GS", "Gs"])
def test_the_case_of_a_scheme_is_ignored(scheme):
    assert str(Location.parse(f"{scheme}://anonymous@bucket/decks")) == "gs://bucket/decks"


@pytest.mark.parametrize("secret", ["sec/ret", "sec ret", "sec%zzret"])
def test_an_address_that_cannot_be_read_is_refused_without_its_credentials(secret):
    with pytest.raises(Unusable, match="s3://…") as refusal:
        Location.parse(f"s3://name:{secret}@bucket/decks")
    assert secret not in str(refusal.value)


@pytest.mark.parametrize("text", ["abfs://a/b", "HDFS://a/b", "s4:/a", "ftp://a/b"])
def test_other_schemes_are_refused(text):
    with pytest.raises(Unusable, match="s3://"):
        Location.parse(text)


@pytest.mark.parametrize("text", ["s3://", "s3:/", f"s3://?{STORE}", "gs://"])
def test_an_address_without_a_bucket_is_refused(text):
    with pytest.raises(Unusable, match=text[:3]):
        Location.parse(text)


def test_a_local_path_may_have_colons(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    location = Location.parse("results: 12:30/of x")
    location.child("a").write(b"content")
    assert location.child("a").read() == b"content"
    assert (tmp_path / "results: 12:30/of x/a").read_bytes() == b"content"


def test_a_local_path_is_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert str(Location.parse("decks/../a.parquet")) == f"{tmp_path}/a.parquet"


def test_the_files_of_a_folder_are_listed_by_name_and_those_in_its_folders_are_not(tmp_path):
    for name in ("b.parquet", "a.parquet", "folder/c.parquet"):
        Location.parse(str(tmp_path / name)).write(b"")
    assert [file.name for file in Location.parse(str(tmp_path)).list_files()] == ["a.parquet", "b.parquet"]
    assert Location.parse(str(tmp_path / "a.parquet")).list_files() is None
    with pytest.raises(Unusable, match=r"c\.parquet"):
        Location.parse(str(tmp_path / "c.parquet")).list_files()


@pytest.mark.parametrize("name", ["missing", "file/below"])
def test_a_missing_file_has_no_content(tmp_path, name):
    (tmp_path / "file").touch()
    assert Location.parse(str(tmp_path / name)).read() is None


def test_a_replaced_file_is_complete_and_readable_by_others(tmp_path):
    location = Location.parse(str(tmp_path / "results" / "part"))
    for content in (b"long content", b"short"):
        location.write(content)
        assert location.read() == content
    assert Path(location.path).stat().st_mode & 0o777 == 0o644
    assert os.listdir(tmp_path / "results") == ["part"]


def test_an_error_while_writing_leaves_no_unfinished_file(tmp_path):
    (tmp_path / "part" / "in the way").mkdir(parents=True)
    with pytest.raises(OSError, match="part"):
        Location.parse(str(tmp_path / "part")).write(b"content")
    assert os.listdir(tmp_path) == ["part"]


def test_unfinished_files_are_removed_from_a_folder_and_those_below(tmp_path):
    names = (".begun-1", "a/.begun-2", "a/part", "begun-3")
    for name in names:
        Location.parse(str(tmp_path / name)).write(b"")
    Location.parse(str(tmp_path)).remove_unfinished()
    assert [name for name in names if (tmp_path / name).exists()] == ["a/part", "begun-3"]


@pytest.mark.parametrize(
    ("error", "text"),
    [(OSError("disk\n  is full"), "disk is full"), (MemoryError(), "MemoryError"), (ValueError("x" * 301), "x" * 300)],
)
def test_an_error_is_described_on_a_short_line(error, text):
    assert describe_error(error) == text
