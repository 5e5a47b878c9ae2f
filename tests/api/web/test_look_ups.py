"""Look-ups: named by their content, packed where they are large, and never what is said to one person."""

from __future__ import annotations

import gzip

import pytest

from tests.api.web.documented import assert_documented

PATHS = ("/v1/rulesets", "/v1/rulesets/optcg-1.2.0", "/v1/limits/optcg?on=2026-11-01", "/v1/cards?game=optcg")
PACKED = {"Accept-Encoding": "gzip, br"}


@pytest.mark.parametrize("path", PATHS)
def test_who_has_it_already_is_told_so_alone(client, path):
    first = client.get(path)
    assert not first.headers["ETag"].startswith("W/")
    assert "max-age" in first.headers["Cache-Control"]
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.get_data()) == (304, b"")
    assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200
    for answer in (first, again):
        assert_documented(answer, "GET", path)


@pytest.mark.parametrize("path", PATHS)
def test_a_large_one_is_packed_for_who_takes_that_and_has_a_name_of_its_own(client, path):
    plain, packed = client.get(path), client.get(path, headers=PACKED)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.get_data()) == plain.get_data()
    assert "Accept-Encoding" in plain.vary
    assert "Accept-Encoding" in packed.vary
    assert packed.headers["ETag"] != plain.headers["ETag"]
    again = client.get(path, headers={**PACKED, "If-None-Match": packed.headers["ETag"]})
    assert (again.status_code, again.get_data()) == (304, b"")


def test_another_content_has_another_name(client):
    one, other = (client.get(f"/v1/limits/optcg?on={day}").headers["ETag"] for day in ("2026-11-01", "2024-11-01"))
    assert one != other


def test_what_a_stranger_sent_or_a_key_opens_is_never_packed(client, zoro):
    for answer in (
        client.post("/v1/validate", json={"game": "optcg", "deck": zoro, "explain": True}, headers=PACKED),
        client.get(f"/?decklist={'4 OP01-016%0A' * 200}", headers=PACKED),
        client.get("/v1/events/nobody", headers={**PACKED, "Authorization": "Bearer x"}),
        client.get("/v1/rulesets/nothing", headers=PACKED),
        client.get("/metrics", headers=PACKED),
    ):
        assert "Content-Encoding" not in answer.headers
        assert "max-age" not in answer.headers.get("Cache-Control", "")
