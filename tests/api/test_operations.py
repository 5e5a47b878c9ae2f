"""Operations: alive, ready, counted."""

from __future__ import annotations

import pytest

from api.app import create_app
from api.config import Settings
from carddb.library import Library


def test_the_process_is_alive(client):
    assert client.get("/healthz").json == {"status": "ok"}


def test_a_server_is_ready_with_the_starter_catalogues(client):
    ready = client.get("/readyz").json
    assert ready["status"] == "ready"
    assert [one["game"] for one in ready["catalogues"]] == ["optcg", "dbs", "bos"]
    for one in ready["catalogues"]:
        assert set(one) == {"game", "snapshot", "cards", "source", "created", "age_seconds"}
        assert one["snapshot"].endswith("-starter")
        assert one["age_seconds"] is None


def test_an_imported_snapshot_is_named_with_its_age(tmp_path):
    settings = Settings(data_dir=tmp_path)
    library = Library(settings.database)
    kept = library.store().import_cards("optcg", list(library.catalogue("optcg")), "a test")
    ready = create_app(settings).test_client().get("/readyz").json
    optcg = next(one for one in ready["catalogues"] if one["game"] == "optcg")
    assert (optcg["snapshot"], optcg["source"]) == (kept.id, "a test")
    assert 0 <= optcg["age_seconds"] < 60


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
    assert 'deckproof_verdicts_total{legal="False",ruleset="optcg-1.1.9"} 4.0' in text
    assert 'deckproof_catalogue_cards{game="optcg",snapshot="optcg-starter"}' in text
