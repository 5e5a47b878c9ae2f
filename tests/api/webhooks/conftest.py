"""Webhooks of a database, told by a clock that is set."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from ipaddress import ip_network

import pytest

from api.open_data.change_record import RecordedChange
from api.service.settings import Settings
from api.webhooks.deliverer import Deliverer
from api.webhooks.webhook_secrets import WebhookSecrets
from api.webhooks.webhook_store import Webhooks
from tests.api.webhooks.listeners import Listener

HERE = (ip_network("127.0.0.0/8"),)
SINCE = date(2026, 10, 1)


class Clock:
    """A clock that stands still until it is set on."""

    def __init__(self):
        self.now = datetime.now(UTC)

    def __call__(self):
        return self.now

    def on(self, **time):
        self.now += timedelta(**time)


def change(number, kind="limits", game="optcg", day=SINCE):
    """Return an invented change, the later the higher its number."""
    on = day + timedelta(number)
    id, known = f"{kind}-{game}-{number:02}", min(on, day)
    return RecordedChange(id, kind, game, "en", on, known, "Invented list", "Invented.", None)


@pytest.fixture
def listener():
    with Listener().serve() as served:
        yield served


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def secrets(tmp_path):
    return WebhookSecrets(Settings(data_dir=tmp_path / "data"))


@pytest.fixture
def webhooks(database):
    return Webhooks(database)


@pytest.fixture
def add(webhooks, secrets, clock):
    """Add a webhook to a listener."""

    def added(listener, since=SINCE, **which):
        made = webhooks.add(listener.url, secrets.fingerprint, since, **which)
        clock.now = made.due
        return made

    return added


@pytest.fixture
def deliver(webhooks, secrets, clock):
    """Tell changes, the later the further to the end they stand; return the reports."""

    def delivered(*changes):
        return Deliverer(webhooks, secrets, HERE, clock).run(lambda: changes[::-1])

    return delivered
