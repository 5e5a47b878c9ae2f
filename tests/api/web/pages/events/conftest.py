"""Pages of events on an application that the tests of a file share, at a time that each sets."""

from __future__ import annotations

import pytest

from tests.api.events.conftest import BEFORE, Clock, folder, in_shared_memory, made

__all__ = ["folder"]


@pytest.fixture
def clock():
    return Clock(BEFORE)


@pytest.fixture(scope="module")
def said():
    """What the settings of the application say beside its folder."""
    return {}


@pytest.fixture(scope="module")
def shared_app(said):
    with in_shared_memory() as data_dir:
        yield made(None, data_dir=data_dir, **said)


@pytest.fixture
def app(shared_app, clock):
    shared_app.extensions["deckproof"].desk.now = clock
    return shared_app
