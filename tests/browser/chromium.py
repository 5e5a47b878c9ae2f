"""Chromium: the browser of the machine, started so that it asks for nothing but what a page asks for."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
_WHY = "needs Chromium (`apt-get install chromium`, or its path as DECKPROOF_TEST_CHROMIUM), and there is none"


def _path() -> str | None:
    return os.environ.get("DECKPROOF_TEST_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)


@contextmanager
def start_browser() -> Iterator:
    """Yield a Chromium browser. Without one the test is skipped, or fails if CI is set."""
    path = _path()
    if not path:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(_WHY)
    from playwright.sync_api import sync_playwright  # only who has a browser pays for it

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(_QUIET))
        yield browser
        browser.close()
