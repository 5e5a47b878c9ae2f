"""`deckproof serve`: it says where the pages are, and shows them where that is asked."""

from __future__ import annotations

import re
import sys
from itertools import chain
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
import requests
import zxingcpp
from PIL import Image

from api.service.local_network import addresses
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


# deckproof, on a machine that reaches nobody but itself.
WITHOUT_INTERNET = """
import ipaddress, sys

def listen(event, args):
    if event in ("socket.connect", "socket.sendto") and isinstance(args[1], tuple) or event == "socket.getaddrinfo":
        host = args[0] if event == "socket.getaddrinfo" else args[1][0]
        if host and not ipaddress.ip_address(host).is_loopback:
            print("REACHED OUT", host, file=sys.stderr, flush=True)
            raise OSError("There is no internet.")

sys.addaudithook(listen)
from api.cli import main
main()
"""
EVENT = {"name": "Example", "game": "optcg", "on": "2099-12-12"}
PAGES = ("/", "/sheet", "/cards", "/docs")


def test_a_hall_needs_no_internet_and_only_who_has_the_printed_key_begins_events(tmp_path):
    if not addresses():
        pytest.skip("needs a local network")
    arguments = ["-c", WITHOUT_INTERNET, "serve", "--hall", "--port", "0", "--workers", "2"]
    server = Process(tmp_path / "data", arguments, command=sys.executable)
    with server.ended():
        place = server.says(r"In the hall: (http://[0-9.]+:[0-9]+)/\n")[1]
        key = server.says(r"begins events: (\S+)\n")[1]
        assert urlsplit(place).hostname in addresses()
        assert read(server.says(r"(?s)In the hall: \S+\n\n(.+?)\n\n")[1]) == f"{place}/"
        wait_for(lambda: "Listening at" in server.log.read_text())
        for path in PAGES:
            page = requests.get(place + path, timeout=20)
            assert page.status_code == 200
            assert not re.search(r"""(?:src|href|action)=["']?(?:https?:)?//""", page.text)
        styles = requests.get(place + re.search(r'href="(/static/style[^"]*)"', page.text)[1], timeout=20).text
        assert not re.search(r"url\([\"']?(?:https?:)?//|@import", styles)
        begun = [
            requests.post(f"{place}/v1/events", json=EVENT, headers=headers, timeout=20).status_code
            for headers in ({}, {"Authorization": "Bearer of-another-hall"}, {"Authorization": f"Bearer {key}"})
        ]
        assert begun == [404, 404, 201]
    assert "REACHED OUT" not in server.log.read_text()
    assert (tmp_path / "data" / "deckproof.db").exists()


def read(lines):
    """Return what a code in half blocks says."""
    halves = {"█": (0, 0), "▀": (0, 255), "▄": (255, 0), " ": (255, 255)}
    rows = [[halves[one] for one in line] for line in lines.splitlines()]
    pixels = [[pair[half] for pair in row] for row in rows for half in (0, 1)]
    picture = Image.frombytes("L", (len(pixels[0]), len(pixels)), bytes(chain.from_iterable(pixels)))
    (found,) = zxingcpp.read_barcodes(picture.resize((picture.width * 4, picture.height * 4), Image.Resampling.NEAREST))
    return found.text


@pytest.mark.parametrize(
    ("more", "settings"),
    [
        (["--host", "127.0.0.1"], {}),
        ([], {"DECKPROOF_TRUSTED_PROXIES": "127.0.0.1"}),
        (["--port", "99999"], {}),
    ],
)
def test_a_hall_that_cannot_be_is_refused(tmp_path, more, settings):
    server = Process(tmp_path / "data", ("serve", "--hall", *more), **settings)
    assert server.process.wait(timeout=30) == 2
    assert "Traceback" not in server.log.read_text()
