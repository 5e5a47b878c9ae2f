"""`deckproof serve`: it says where the pages are, and shows them where that is asked."""

from __future__ import annotations

import re
from urllib.request import urlopen

import pytest

from tests.api.processes import Process, wait_for

pytestmark = pytest.mark.slow


def test_it_says_where_the_pages_are_and_opens_them(tmp_path):
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    arguments = ("serve", "--port", "0", "--workers", "1", "--open")
    server = Process(tmp_path / "data", arguments, BROWSER=str(browser), DECKPROOF_WORKER="off")
    with server.ended():
        address = server.says(r"Check decks at (http://127\.0\.0\.1:[0-9]+/)\n")[1]
        with urlopen(address) as answer:
            assert re.search("<form id=.deck.", answer.read().decode())
        assert wait_for(lambda: opened.exists() and opened.read_text().strip()) == address
        assert "decklist" not in server.log.read_text()
        with urlopen(f"{address}?decklist=4+OP01-016") as answer:
            assert answer.status == 200
        assert "OP01-016" not in server.log.read_text()  # what is asked is nobody's business
