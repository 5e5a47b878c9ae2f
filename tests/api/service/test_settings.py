"""Settings: defaults that work, and a sentence for every value that does not."""

from __future__ import annotations

import re
from dataclasses import fields
from datetime import time
from ipaddress import ip_network
from pathlib import Path

import pytest

from api.service.errors import SettingError
from api.service.settings import Settings
from tests.interface import documented_settings


def test_everything_has_a_default():
    settings = Settings.from_environment({})
    assert settings == Settings()
    assert settings.database.startswith("sqlite:///")
    assert settings.max_body == 5_000_000
    assert settings.rate_limit == ""


def test_every_setting_is_documented_in_a_sentence():
    documented = documented_settings()
    assert len(documented) == len(fields(Settings)) >= 7
    for one in documented:
        assert re.fullmatch("DECKPROOF_[A-Z_]+", one.env)
        assert one.description.endswith(".")


def test_settings_are_read_from_the_environment():
    settings = Settings.from_environment(
        {
            "DECKPROOF_DATA_DIR": "/srv/deckproof",
            "DECKPROOF_MAX_BODY": "20000",
            "DECKPROOF_RATE_LIMIT": "100 per hour",
            "DECKPROOF_WORKERS": " 3 ",
            "DECKPROOF_TRUSTED_PROXIES": "10.0.0.0/8, ::1",
            "DECKPROOF_PROXIES": "",  # unset
        }
    )
    assert settings.database == "sqlite:////srv/deckproof/deckproof.db"
    assert (settings.max_body, settings.rate_limit, settings.workers) == (20000, "100 per hour", 3)
    assert settings.trusted_proxies == (ip_network("10.0.0.0/8"), ip_network("::1/128"))
    assert settings.data_dir == Path("/srv/deckproof")


def test_the_nights_are_read():
    settings = Settings.from_environment({"DECKPROOF_SYNC_AT": "03:30", "DECKPROOF_SYNC_GAMES": "dbs, optcg,dbs"})
    assert (settings.sync_at, settings.sync_games) == (time(3, 30), ("dbs", "optcg"))
    assert Settings().sync_at is None


@pytest.mark.parametrize(
    ("text", "address"),
    [("127.0.0.1:9464", ("127.0.0.1", 9464)), ("[::1]:65535", ("::1", 65535)), ("localhost:1", ("localhost", 1))],
)
def test_the_operations_address_has_a_host_and_a_port(text, address):
    assert Settings.from_environment({"DECKPROOF_OPERATIONS_ADDRESS": text}).operations_address == address


def test_the_log_format_and_level_are_read():
    settings = Settings.from_environment({"DECKPROOF_LOG_FORMAT": "JSON", "DECKPROOF_LOG_LEVEL": "Debug"})
    assert (settings.log_format, settings.log_level) == ("json", "debug")
    assert (Settings().log_format, Settings().log_level) == ("text", "info")


def test_a_database_of_ones_own_is_used():
    settings = Settings.from_environment({"DECKPROOF_DATABASE_URL": "postgresql://host/name"})
    assert settings.database == "postgresql://host/name"


@pytest.mark.parametrize(
    ("env", "value"),
    [
        ("DECKPROOF_DATABASE_URL", "somewhere"),
        ("DECKPROOF_MAX_BODY", "5 MB"),
        ("DECKPROOF_MAX_BODY", "-1"),
        ("DECKPROOF_MAX_BODY", "0"),
        ("DECKPROOF_MAX_BODY", "٥٠٠٠"),
        ("DECKPROOF_MAX_BODY", "9" * 100),
        ("DECKPROOF_MAX_BATCH", "1e9"),
        ("DECKPROOF_WORKERS", "two"),
        ("DECKPROOF_RATE_LIMIT", "often"),
        ("DECKPROOF_RATE_LIMIT", "0/minute"),
        ("DECKPROOF_TRUSTED_PROXIES", "yes"),
        ("DECKPROOF_TRUSTED_PROXIES", "1"),
        ("DECKPROOF_TRUSTED_PROXIES", "*"),
        ("DECKPROOF_TRUSTED_PROXIES", "127.0.0.1, *"),
        ("DECKPROOF_TRUSTED_PROXIES", "0.0.0.0/0"),
        ("DECKPROOF_TRUSTED_PROXIES", "::/0"),
        ("DECKPROOF_TRUSTED_PROXIES", "10.0.0.1/8"),
        ("DECKPROOF_SYNC_AT", "24:00"),
        ("DECKPROOF_SYNC_AT", "at night"),
        ("DECKPROOF_SYNC_GAMES", "chess"),
        ("DECKPROOF_SYNC_GAMES", "optcg, bos"),
        ("DECKPROOF_REDIS_URL", "127.0.0.1:6379"),
        ("DECKPROOF_WORKER", "perhaps"),
        ("DECKPROOF_LOG_FORMAT", "xml"),
        ("DECKPROOF_LOG_LEVEL", "loud"),
        ("DECKPROOF_OPERATIONS_ADDRESS", "9464"),
        ("DECKPROOF_OPERATIONS_ADDRESS", "127.0.0.1:0"),
        ("DECKPROOF_OPERATIONS_ADDRESS", "127.0.0.1:65536"),
        ("DECKPROOF_OPERATIONS_ADDRESS", "::1:9464"),
        ("DECKPROOF_JOB_HOURS", "0"),
        ("DECKPROOF_JOB_HOURS", "8761"),
    ],
)
def test_a_value_that_cannot_be_used_is_named_with_what_to_write(env, value):
    with pytest.raises(SettingError, match=f"^{env} is .*; write .*\\.$"):
        Settings.from_environment({env: value})


@pytest.mark.parametrize("value", ["0", "1"])
def test_a_number_of_proxies_is_refused_with_the_setting_that_replaces_it(value):
    with pytest.raises(SettingError, match=r"^DECKPROOF_PROXIES .* DECKPROOF_TRUSTED_PROXIES"):
        Settings.from_environment({"DECKPROOF_PROXIES": value, "DECKPROOF_TRUSTED_PROXIES": "127.0.0.1"})


def test_the_removed_setting_of_webhooks_names_what_to_read_instead():
    with pytest.raises(SettingError, match=r"^DECKPROOF_WEBHOOK_NETWORKS .*/v1/changes"):
        Settings.from_environment({"DECKPROOF_WEBHOOK_NETWORKS": "10.1.0.0/16"})


def test_all_values_that_cannot_be_used_are_named_at_once():
    with pytest.raises(SettingError) as refused:
        Settings.from_environment({"DECKPROOF_WORKERS": "two", "DECKPROOF_MAX_BODY": "9", "DECKPROOF_WORKER": "ON"})
    assert re.findall(r"^DECKPROOF_\w+", str(refused.value), re.MULTILINE) == [
        "DECKPROOF_MAX_BODY",
        "DECKPROOF_WORKERS",
    ]


@pytest.mark.parametrize("name", ["ADMIN_KEY", "SECRET_KEY", "DATABASE_URL", "REDIS_URL"])
def test_no_message_contains_a_secret(name):
    with pytest.raises(SettingError) as refused:
        Settings.from_environment({f"DECKPROOF_{name}": "my secret with blanks"})
    assert name in str(refused.value)
    assert "my secret" not in str(refused.value)
