"""Operations: alive, ready, counted."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime

import pytest

from api.service.settings import Settings
from api.service.site_access import access
from api.web.app import create_app
from carddb.errors import CardDataError
from carddb.library import Library
from carddb.sync.card_sync import sync
from tests.carddb import replay
from validator.games import GAMES


def test_the_process_is_alive(client):
    assert client.get("/healthz").json == {"status": "ok"}


def test_a_server_is_ready_with_the_facts_that_ship(client):
    ready = client.get("/readyz").json
    assert ready["status"] == "ready"
    assert [one["game"] for one in ready["catalogues"]] == list(GAMES)
    for one in ready["catalogues"]:
        assert set(one) == {"game", "snapshot", "cards", "as_of", "source", "created", "age_seconds", "last_sync"}
        assert one["snapshot"].startswith(f"{one['game']}-facts")
        assert one["age_seconds"] is None
        assert one["last_sync"] is None
    assert ready["workers"] == 0


@pytest.mark.slow
def test_an_imported_snapshot_is_named_with_its_age(tmp_path):
    settings = Settings(data_dir=tmp_path)
    library = Library(settings.database)
    kept = library.store().import_cards("optcg", list(library.catalogue("optcg")), "a test")
    ready = create_app(settings).test_client().get("/readyz").json
    optcg = next(one for one in ready["catalogues"] if one["game"] == "optcg")
    assert (optcg["snapshot"], optcg["source"]) == (kept.id, "a test")
    assert 0 <= optcg["age_seconds"] < 60


@pytest.fixture
def synced(tmp_path):
    """A server's client, its settings, and the site that its cards are synced from."""
    with replay.small_onepiece(OP01=30, OP02=40).serve() as site:
        settings = Settings(data_dir=tmp_path, optcg_site=site.address, sync_pause=0.0)
        yield create_app(settings).test_client(), settings, site


def sync_now(settings):
    return sync("optcg", Library(settings.database).store(), access(settings, "optcg"))


def optcg(client):
    return next(one for one in client.get("/readyz").json["catalogues"] if one["game"] == "optcg")


def gauge(client, name):
    text = client.get("/metrics").get_data(as_text=True)
    (said,) = re.findall(rf'^deckproof_{name}{{game="optcg"}} (.*)$', text, re.MULTILINE) or ["0"]
    return float(said)


@pytest.mark.slow
def test_a_sync_is_seen(synced):
    client, settings, _ = synced
    made = sync_now(settings).snapshot
    last = optcg(client)["last_sync"]
    assert (last["result"], last["why"], last["snapshot"]) == ("ok", "", made.id)
    assert gauge(client, "sync_success") == 1
    assert abs(gauge(client, "sync_timestamp_seconds") - time.time()) < 60
    assert gauge(client, "sync_timestamp_seconds") == gauge(client, "sync_last_success_timestamp_seconds")
    assert 0 <= gauge(client, "catalogue_age_seconds") < 60


@pytest.mark.slow
def test_a_sync_that_failed_is_seen_and_the_server_goes_on(synced):
    client, settings, site = synced
    made = sync_now(settings).snapshot
    site.fail("/cardlist/", *[replay.says(404)] * 9)
    with pytest.raises(CardDataError):
        sync_now(settings)
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json["status"]) == (200, "ready")
    assert (optcg(client)["snapshot"], optcg(client)["last_sync"]["result"]) == (made.id, "failed")
    assert "404" in optcg(client)["last_sync"]["why"]
    assert gauge(client, "sync_success") == 0
    assert gauge(client, "sync_timestamp_seconds") > gauge(client, "sync_last_success_timestamp_seconds") > 0


@pytest.mark.slow
def test_a_catalogue_that_a_sync_found_again_is_young(synced):
    client, settings, _ = synced
    cards = Library(settings.database).store()
    long_ago = datetime(2026, 1, 1, tzinfo=UTC)
    found = sync("optcg", cards, access(settings, "optcg"), dry_run=True).diff.added
    cards.import_cards("optcg", list(found), "an old sync", long_ago)
    assert optcg(client)["age_seconds"] > 100_000
    assert not sync_now(settings).snapshot.new
    assert optcg(client)["age_seconds"] < 60


@pytest.mark.slow
def test_a_server_that_loses_its_database_says_so_and_counts_on(synced):
    client, settings, _ = synced
    sync_now(settings)
    assert client.get("/readyz").status_code == 200
    for file in settings.data_dir.glob("deckproof.db*"):
        file.write_text("this is no database")
    assert client.get("/readyz").status_code == 503
    counted = client.get("/metrics")
    assert counted.status_code == 200
    assert 'deckproof_catalogue_cards{game="optcg"' in counted.get_data(as_text=True)


@pytest.fixture
def counted(tmp_path):
    client = create_app(Settings(data_dir=tmp_path)).test_client()
    client.get("/v1/cards/optcg/OP01-016")
    client.get("/nope")
    client.open("/healthz", method="BREW")
    client.post("/v1/validate", json={"game": "optcg", "deck": {}})
    lines = b'{"game": "optcg", "deck": {}}\n' * 3
    client.post("/v1/validate/batch", data=lines, content_type="application/x-ndjson").get_data()
    return client.get("/metrics")


def test_requests_are_counted_by_route_not_by_what_clients_make_of_it(counted):
    assert counted.content_type.startswith("text/plain")
    text = counted.get_data(as_text=True)
    route = 'method="GET",path="/v1/cards/<game>/<number>",status="200"'
    assert f"deckproof_request_seconds_count{{{route}}} 1.0" in text
    assert 'path="unmatched",status="404"' in text
    assert "/nope" not in text
    assert "BREW" not in text


def test_verdicts_are_counted_by_ruleset_in_batches_too(counted):
    text = counted.get_data(as_text=True)
    assert 'deckproof_verdicts_total{legal="False",ruleset="optcg-1.2.1"} 4.0' in text
    assert 'deckproof_catalogue_cards{game="optcg",snapshot="optcg-facts-2026-08-21"}' in text
