"""Fixtures: a server as an operator starts it, a browser on the same machine, and visitors."""

from __future__ import annotations

import pytest

from tests.api.processes import Running
from tests.browser.chromium import start_browser
from tests.browser.visitor import NORMAL, Visitor


@pytest.fixture(scope="package")
def browser():
    with start_browser() as chromium:
        yield chromium


@pytest.fixture(scope="package")
def server(browser, tmp_path_factory):
    """A server with a worker, asked for after the browser: where that is missing, nobody waits for it."""
    arguments = ("serve", "--port", "0", "--workers", "1")
    running = Running(tmp_path_factory.mktemp("pages"), arguments, DECKPROOF_WORKER="on")
    with running.ended():
        yield running
    assert "Traceback" not in running.log.read_text()


@pytest.fixture(scope="package")
def visitors(browser, server):
    """A visitor in each setting: a page that is there costs a quarter of a new one."""
    there = {}

    def visitor(setting):
        if setting not in there:
            there[setting] = Visitor(browser, server.url, setting)
        return there[setting]

    return visitor


@pytest.fixture
def visits(visitors):
    """Return what opens a path in a setting; nothing may have gone wrong by the end of the test."""
    came = []

    def visit(path, setting="desk", text=NORMAL):
        visitor = visitors(setting)
        visitor.opens(path, text)
        came.append(visitor)
        return visitor

    yield visit
    for visitor in came:
        visitor.assert_no_faults()
