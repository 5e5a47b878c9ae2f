"""`deckproof webhooks`: added, told, listed, tested and removed by whoever runs deckproof."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from api.cli import cli
from tests.api.webhooks.listeners import Listener, says
from tests.test_readme import BLOCKS

SECRET = re.compile("whsec_[A-Za-z0-9+/=]{44}")


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("DECKPROOF_WEBHOOK_NETWORKS", "127.0.0.0/8, ::1")
    return lambda *arguments: CliRunner().invoke(cli, ["webhooks", *map(str, arguments)], prog_name="deckproof")


def listed(run):
    return json.loads(run("list", "--json").stdout)


def test_a_webhook_is_added_told_and_removed_and_its_secret_is_kept_nowhere(run, tmp_path):
    with Listener().serve() as listener:
        added = run("add", listener.url, "--game", "optcg", "--what", "limits", "--since", "2026-10-01")
        (secret,) = SECRET.findall(added.stdout)
        assert run("deliver").exit_code == 0
        (entry,) = listener.verified(secret)
        assert entry["cards"][0]["cards"][0]["number"] == "OP14-020"
        (one,) = listed(run)
        assert (one["told"], one["games"], one["kinds"]) == (1, ["optcg"], ["limits"])
        assert one["id"] in added.stdout
        assert run("deliver").stdout == ""
    assert secret not in json.dumps(one)
    kept = b"".join(file.read_bytes() for file in (tmp_path / "data").iterdir())
    assert one["id"].encode() in kept
    assert secret[6:-2].encode() not in kept
    assert run("remove", one["id"]).exit_code == 0
    assert listed(run) == []


def test_who_cannot_be_told_is_listed_with_the_reason_and_goes_on_after_a_test(run):
    with Listener(says(410)).serve() as listener:
        run("add", listener.url, "--since", "2026-10-01")
        assert run("deliver").exit_code == 1
        (one,) = listed(run)
        assert (one["due"], one["failures"], one["told"]) == (None, 1, 0)
        assert "410" in run("list").stdout
        assert run("test", one["id"]).exit_code == 0
        assert run("deliver").exit_code == 0
        (one,) = listed(run)
        assert (one["failures"], one["told"]) == (0, len(listener.messages) - 2)
    failed = run("test", one["id"])
    assert failed.exit_code == 2
    assert "did not take" in failed.stderr


def test_what_cannot_be_meant_is_refused(run, monkeypatch):
    for wrong in (["add", "decks.example"], ["add", "https://decks.example", "--what", "weather"]):
        assert run(*wrong).exit_code == 2
    for command in ("remove", "test"):
        assert run(command, "0123").exit_code == 2
    monkeypatch.setenv("DECKPROOF_WEBHOOK_NETWORKS", "")
    assert run("add", "http://decks.example").exit_code == 2
    monkeypatch.setenv("DECKPROOF_WEBHOOK_NETWORKS", "home")
    refused = run("add", "https://decks.example")
    assert refused.exit_code == 2
    assert "DECKPROOF_WEBHOOK_NETWORKS" in refused.stderr


def test_the_receiver_of_the_readme_tells_what_is_of_deckproof(run):
    (example,) = [block for block in BLOCKS if block.startswith("def is_of_deckproof(")]
    names = {}
    exec(example, names)
    with Listener().serve() as listener:
        (secret,) = SECRET.findall(run("add", listener.url, "--since", "2026-10-01").stdout)
        run("deliver")
        (other,) = SECRET.findall(run("add", listener.url).stdout)
    takes, (headers, body) = names["is_of_deckproof"], listener.messages[0]
    assert takes(secret, headers, body)
    assert not takes(other, headers, body)
    assert not takes(secret, headers, body + b" ")
    assert not takes(secret, headers | {"webhook-id": "another"}, body)
    assert not takes(secret, headers | {"webhook-timestamp": "1790000000"}, body)
