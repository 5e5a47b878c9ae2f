"""Operations: alive, ready, counted."""

from __future__ import annotations

import os
import platform
import re
import time
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import pytest
import requests

from api.service.installed_release import installed_release
from api.service.setting_parsers import ListenAddress
from api.service.settings import Settings
from api.web.app import create_app
from api.web.asgi import Application
from api.web.operations import gauges
from api.web.operations.metrics import Metrics
from carddb.database import ConnectionCounts
from carddb.errors import CardDataError
from carddb.library import Library
from carddb.list_files import parse_file
from carddb.sync.card_sync import sync
from tests.api.processes import Running
from tests.api.web.asgi_client import ask
from tests.api.web.test_problems import assert_problem
from tests.carddb import replay
from validator.games import GAMES
from validator.limits import shipped_lists


def test_the_process_is_alive(client):
    assert client.get("/healthz").json == {"status": "ok"}


def test_a_server_is_ready_with_the_facts_that_ship(client):
    ready = client.get("/readyz").json
    assert ready["status"] == "ready"
    assert [one["game"] for one in ready["catalogues"]] == list(GAMES)
    for one in ready["catalogues"]:
        known = {"game", "snapshot", "cards", "as_of", "source", "created", "age_seconds", "last_sync", "damaged"}
        assert set(one) == known
        assert one["damaged"] is None
        assert one["snapshot"].startswith(f"{one['game']}-facts")
        if one["as_of"]:
            collected = datetime.fromisoformat(f"{one['as_of']}T00:00Z")
            assert abs(one["age_seconds"] - (datetime.now(UTC) - collected).total_seconds()) < 60
        else:
            assert one["age_seconds"] is None
        assert one["last_sync"] is None
    for game, used in zip(GAMES, ready["lists"], strict=True):
        known_to = shipped_lists(game).listed.known_to
        assert used == {
            "game": game,
            "list": shipped_lists(game).id,
            "source": "shipped",
            "known_to": known_to and known_to.isoformat(),
            "unusable": None,
        }
    assert ready["workers"] == 0
    assert ready["release"] == installed_release()._asdict()


@pytest.mark.slow
def test_an_imported_snapshot_is_named_with_its_age(tmp_path):
    settings = Settings(data_dir=tmp_path)
    library = Library(settings.database)
    kept = library.store().import_cards("optcg", list(library.catalogue("optcg")), "a test")
    ready = create_app(settings).test_client().get("/readyz").json
    optcg = next(one for one in ready["catalogues"] if one["game"] == "optcg")
    assert (optcg["snapshot"], optcg["source"]) == (kept.id, "a test")
    assert 0 <= optcg["age_seconds"] < 60


CORRECTION = b"""
game = "optcg"
[[correction]]
numbers = ["OP01-016"]
fact = "colors"
wrong = "Red"
right = "Blue"
reason = "Invented."
evidence = ["Invented."]
"""


@pytest.mark.slow
@pytest.mark.parametrize("files", [[], [parse_file("wrong.toml", CORRECTION)]], ids=["lists that ship", "a correction"])
def test_readiness_reports_a_damaged_snapshot_and_the_server_uses_the_one_before(tmp_path, files):
    settings = Settings(data_dir=tmp_path)
    library = Library(settings.database)
    if files:
        library.list_store().import_files(library.base_lists, files)
    cards = list(library.catalogue("optcg"))
    good = library.store().import_cards("optcg", cards[1:], "before", datetime(2026, 1, 1, tzinfo=UTC))
    bad = library.store().import_cards("optcg", cards, "a test")
    with library.store().database.writing("cards") as connection:
        connection.exec_driver_sql(f"update snapshot_cards set data = x'00' where snapshot_id = '{bad.id}'")
    client = create_app(settings).test_client()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json["status"]) == (200, "degraded")
    found = {one["game"]: (one["snapshot"], one["source"], one["damaged"]) for one in answer.json["catalogues"]}
    used, *others = found["optcg"]
    assert (used.startswith(good.id), others) == (True, ["before", bad.id])
    assert found["dbs"][2] is None
    assert client.get("/v1/cards/optcg/ST01-007").status_code == 200
    library.store().import_cards("optcg", cards, "again")
    assert create_app(settings).test_client().get("/readyz").json["status"] == "ready"


@pytest.fixture
def synced(tmp_path):
    """A server's client, its settings, and the site that its cards are synced from."""
    with replay.small_onepiece(OP01=30, OP02=40).serve() as site:
        settings = Settings(data_dir=tmp_path, optcg_site=site.address, sync_pause=0.0)
        yield create_app(settings).test_client(), settings, site


def sync_now(settings):
    return sync("optcg", Library(settings.database).store(), settings.site_access("optcg"))


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
    found = sync("optcg", cards, settings.site_access("optcg"), dry_run=True).diff.added
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
    flask = create_app(Settings(data_dir=tmp_path))
    app, line = Application(flask), b'{"game": "optcg", "deck": {}}\n'
    ask(app, "GET", "/v1/cards/optcg/OP01-016")
    ask(app, "GET", "/nope")
    ask(app, "BREW", "/healthz")
    ask(app, "POST", "/v1/validate", line, [(b"content-type", b"application/json")])
    ask(app, "POST", "/v1/validate/batch", line * 3, [(b"content-type", b"application/x-ndjson")])
    return flask.test_client().get("/metrics")


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


def samples(text, name):
    """The values of a metric by its labels."""
    return {
        tuple(re.findall(r'="([^"]*)"', labels)): float(value)
        for labels, value in re.findall(rf"^deckproof_{name}(?:{{(.*)}})? (\S+)$", text, re.MULTILINE)
    }


def test_the_build_is_named(client):
    text = client.get("/metrics").get_data(as_text=True)
    assert samples(text, "build_info") == {(platform.python_version(), metadata.version("deckproof")): 1}


def test_caches_have_plain_names_and_a_limit(client):
    client.post("/v1/validate", json={"game": "optcg", "deck": {}})
    text = client.get("/metrics").get_data(as_text=True)
    entries, limits = samples(text, "cache_entries"), samples(text, "cache_entries_max")
    assert entries.keys() == limits.keys() == {("judges",), ("judges_by_day",), ("rulesets",), ("batch_lines",)}
    assert entries["judges",] >= 1
    assert all(entries[name] <= limits[name] for name in entries)


def test_the_age_of_cards_that_ship_is_counted(client):
    assert gauge(client, "catalogue_age_seconds") == pytest.approx(optcg(client)["age_seconds"], abs=60)


def test_no_series_has_the_time_of_its_first_count(client):
    client.post("/v1/validate", json={"game": "optcg", "deck": {}})
    assert "_created" not in client.get("/metrics").get_data(as_text=True)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_process_alone_shows_what_it_uses(client):
    text = client.get("/metrics").get_data(as_text=True)
    assert samples(text, "process_resident_memory_bytes")[str(os.getpid()), "server"] > 10_000_000
    assert samples(text, "process_open_fds")[str(os.getpid()), "server"] > 2
    assert samples(text, "process_cpu_seconds_total")[str(os.getpid()), "server"] > 0
    assert 0 < time.time() - samples(text, "process_start_time_seconds")[str(os.getpid()), "server"] < 1_000_000


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_every_process_of_a_server_shows_what_it_uses(tmp_path):
    server = Running(tmp_path, DECKPROOF_WORKER="on")
    with server.ended():
        server.says("A worker is at work")
        text = requests.get(f"{server.url}/metrics", timeout=30).text
        memory = samples(text, "process_resident_memory_bytes")
        assert sorted(role for _, role in memory) == ["jobs", "server", "web", "web"]
        assert (str(server.process.pid), "server") in memory
        assert all(value > 10_000_000 for value in memory.values())
        assert samples(text, "process_cpu_seconds_total").keys() == memory.keys()
        assert samples(text, "workers") == {(): 1}


def test_requests_without_flask_and_refusals_are_counted():
    metrics = Metrics()
    metrics.count_fast_path("/v1/validate")
    for reason in ("busy", "slow_body", "slow_body", "too_large", "rate_limit"):
        metrics.count_refusal(reason)
    text = metrics.exposition([]).decode()
    assert samples(text, "fast_path_total") == {("/v1/validate",): 1}
    refused = {("busy",): 1, ("slow_body",): 2, ("too_large",): 1, ("rate_limit",): 1}
    assert samples(text, "requests_refused_total") == refused


def test_database_connections_are_shown():
    text = Metrics().exposition(gauges.pool_gauges(ConnectionCounts(open=3, in_use=1, most=8))).decode()
    assert samples(text, "database_connections") == {("open",): 3, ("in_use",): 1}
    assert samples(text, "database_connections_max") == {(): 8}


OPERATIONS = {"SERVER_PORT": "9464"}


@pytest.fixture
def separate(tmp_path):
    """The client of a server with an address for operations."""
    settings = Settings(data_dir=tmp_path, operations_address=ListenAddress("127.0.0.1", 9464))
    return create_app(settings).test_client()


def test_operations_are_shown_on_their_own_address(separate):
    assert separate.get("/healthz", environ_overrides=OPERATIONS).json == {"status": "ok"}
    ready = separate.get("/readyz", environ_overrides=OPERATIONS).json
    assert {"status", "release", "catalogues", "lists", "workers", "jobs", "retention"} == ready.keys()
    assert separate.get("/metrics", environ_overrides=OPERATIONS).status_code == 200


def test_the_main_address_shows_no_details_of_operations(separate):
    assert separate.get("/healthz").json == {"status": "ok"}
    assert separate.get("/readyz").json == {"status": "ready"}
    assert_problem(separate.get("/metrics"), 404)


@pytest.mark.parametrize("claim", [{"Host": "127.0.0.1:9464"}, {"X-Forwarded-Port": "9464"}])
def test_no_header_opens_operations(separate, claim):
    assert_problem(separate.get("/metrics", headers=claim), 404)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/docs"),
        ("GET", "/v1/rulesets"),
        ("POST", "/v1/validate"),
        ("GET", "/nowhere"),
        ("GET", "/v1/rulesets?unknown=1"),
    ],
)
def test_the_address_for_operations_serves_nothing_else(separate, method, path):
    assert separate.open(path, method=method, environ_overrides=OPERATIONS).status_code == 404
    assert separate.open(path, method=method).status_code != 404 or path == "/nowhere"


def test_a_server_without_its_database_is_not_ready_on_either_address(tmp_path):
    broken = tmp_path / "cards.db"
    broken.write_bytes(b"this is no database" * 100)
    settings = Settings(database_url=f"sqlite:///{broken}", operations_address=ListenAddress("127.0.0.1", 9464))
    client = create_app(settings).test_client()
    assert_problem(client.get("/readyz"), 503)
    assert_problem(client.get("/readyz", environ_overrides=OPERATIONS), 503)
