"""The record of changes: what became known or began since a day, the same for everybody, and as a feed."""

from __future__ import annotations

from datetime import date
from xml.etree import ElementTree

import pytest

from api.open_data.change_record import changes as recorded
from carddb.catalogue import Catalogue
from tests.carddb.cards import card

ATOM = "{http://www.w3.org/2005/Atom}"


def changes(client, query=""):
    return client.get(f"/v1/changes{query}").json["changes"]


def test_a_ban_is_there_with_its_announcement_and_source(client):
    (ban,) = [one for one in changes(client, "?since=2026-10-12&game=optcg") if one["kind"] == "limits"]
    assert (ban["day"], ban["known"], ban["region"]) == ("2026-10-12", "2026-09-24", "en")
    assert [ruling["cards"][0]["number"] for ruling in ban["cards"]] == ["OP14-020"]
    assert ban["cards"][0]["limit"] == 0
    assert ban["source"].startswith("https://")


@pytest.mark.parametrize(
    ("kind", "id"),
    [
        ("ruleset", "ruleset-optcg-1.2.1"),
        ("rotation", "rotation-optcg-2027-04-01"),
        ("release", "release-optcg-OP17-en"),
        ("catalogue", "catalogue-optcg-facts-2026-08-21"),
    ],
)
def test_every_kind_of_change_is_there(client, kind, id):
    assert [one["id"] for one in changes(client) if one["kind"] == kind].count(id) == 1


def test_none_is_there_twice_and_the_newest_come_first(client):
    told = changes(client)
    assert len({one["id"] for one in told}) == len(told) > 100
    lasts = [max(one["day"], one["known"]) for one in told]
    assert lasts == sorted(lasts, reverse=True)


def test_since_leaves_out_what_was_over_by_then(client):
    assert {one["id"] for one in changes(client, "?since=2026-08-28")} == {
        one["id"] for one in changes(client) if max(one["day"], one["known"]) >= "2026-08-28"
    }
    assert changes(client, "?since=2999-01-01") == []


def test_a_game_has_its_own(client):
    assert {one["game"] for one in changes(client, "?game=dbs")} == {"dbs"}


@pytest.mark.parametrize("query", ["?since=yesterday", "?game=chess", "?before=2026-01-01"])
@pytest.mark.parametrize("path", ["/v1/changes", "/v1/changes.atom"])
def test_what_is_not_known_is_refused(client, path, query):
    assert client.get(f"{path}{query}").status_code == 422


@pytest.mark.parametrize("path", ["/v1/changes", "/v1/changes.atom"])
def test_who_has_it_is_told_so(client, path):
    answer = client.get(path)
    assert not answer.headers["ETag"].startswith("W/")
    assert client.get(path, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_the_feed_has_the_changes_that_were_known_last(client):
    feed = ElementTree.fromstring(client.get("/v1/changes.atom?game=optcg&since=2026-06-01").data)
    told = sorted(changes(client, "?game=optcg&since=2026-06-01"), key=lambda one: one["known"], reverse=True)
    entries = feed.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}updated")[:10] for entry in entries] == [one["known"] for one in told]
    assert feed.findtext(f"{ATOM}updated") == entries[0].findtext(f"{ATOM}updated")
    assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == len(entries)
    for needed in ("id", "title", "updated", "content"):
        assert all(entry.findtext(f"{ATOM}{needed}") for entry in entries)


def test_an_empty_feed_is_one(client):
    feed = ElementTree.fromstring(client.get("/v1/changes.atom?since=2999-01-01").data)
    assert feed.findtext(f"{ATOM}updated")
    assert not feed.findall(f"{ATOM}entry")


def test_the_pairs_of_a_group_are_told_in_one(client):
    told = [one for one in changes(client, "?game=gundam") if one["kind"] == "limits"]
    grouped = [one for one in told if any(ruling["group"] for ruling in one["cards"])]
    assert grouped
    for one in grouped:
        numbers = {card["number"] for ruling in one["cards"] for card in ruling["cards"]}
        assert all(number in one["about"] for number in numbers)
        assert len(one["about"]) < 100 * len(numbers)


@pytest.mark.parametrize(("as_of", "day"), [(date(2026, 8, 21), "2026-08-21"), (None, "2026-11-23")])
def test_a_catalogue_is_of_the_day_of_its_data_and_known_since_its_import(as_of, day):
    imported = Catalogue("optcg", "optcg-x", [card()], as_of, date(2026, 11, 23))
    (found,) = (one for one in recorded([imported], [], date(2026, 11, 23)) if one.kind == "catalogue")
    assert (str(found.day), str(found.known)) == (day, "2026-11-23")
    assert (day in found.title) is (as_of is not None)
