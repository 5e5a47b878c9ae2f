"""`deckproof serve`: it says where the pages are, and shows them where that is asked."""

from __future__ import annotations

import hashlib
import re
import socket
import ssl
import sys
import time
from contextlib import ExitStack, suppress
from io import BytesIO
from itertools import chain
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import pypdfium2
import pytest
import requests
import zxingcpp
from PIL import Image

from api.service.local_network import addresses
from tests.api.processes import COMMAND, START, Process, Running, wait_for
from tests.soon import SOON

pytestmark = pytest.mark.slow


def test_it_says_where_the_pages_are_and_opens_them(tmp_path):
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    arguments = ("serve", "--port", "0", "--workers", "1", "--open")
    server = Process(tmp_path / "data", arguments, COMMAND, BROWSER=str(browser), DECKPROOF_WORKER="off")
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
EVENT = {"name": "Example", "game": "optcg", "on": SOON}
PAGES = ("/", "/sheet", "/cards", "/docs")


def test_a_hall_needs_no_internet_and_only_who_has_the_printed_key_begins_events(tmp_path):
    if not addresses():
        pytest.skip("needs a local network")
    arguments = ["-c", WITHOUT_INTERNET, "serve", "--hall", "--port", "0", "--workers", "2"]
    server = Process(tmp_path / "data", arguments, command=sys.executable)
    with server.ended():
        place = server.says(r"In the hall: (http://[0-9.]+:[0-9]+)/\n")[1]
        key = server.says(r"creates events: (\S+)\n")[1]
        assert urlsplit(place).hostname in addresses()
        assert read(server.says(r"(?s)In the hall: \S+\n\n(.+?)\n\n")[1]) == f"{place}/"
        for path in PAGES:
            page = requests.get(place + path, timeout=60)
            assert page.status_code == 200
            assert not re.search(r"""(?:src|href|action)=["']?(?:https?:)?//""", page.text)
        styles = requests.get(place + re.search(r'href="(/static/style[^"]*)"', page.text)[1], timeout=60).text
        assert not re.search(r"url\([\"']?(?:https?:)?//|@import", styles)
        begun = [
            requests.post(f"{place}/v1/events", json=EVENT, headers=headers, timeout=60).status_code
            for headers in ({}, {"Authorization": "Bearer of-another-hall"}, {"Authorization": f"Bearer {key}"})
        ]
        assert begun == [404, 404, 201]
    log = server.log.read_text()
    assert log.startswith("In the hall: ")
    assert "REACHED OUT" not in log
    assert "INFO" not in log  # what the server does is no organiser's business
    assert (tmp_path / "data" / "deckproof.db").exists()


@pytest.mark.parametrize(
    ("host", "settings"), [("0.0.0.0", {}), ("127.0.0.1", {"DECKPROOF_TRUSTED_PROXIES": "127.0.0.1"})]
)
def test_a_server_that_others_reach_keeps_an_admin_key(tmp_path, host, settings):
    keys = set()
    for _ in range(2):
        server = Running(tmp_path, ("serve", "--host", host, "--port", "0", "--workers", "1"), **settings)
        with server.ended():
            keys.add(server.says(r"creates events: (\S+)\n")[1])
            assert server.says(r"kept in (\S+)\n")[1] == str(tmp_path / "admin_key")
            assert created(server, "") == 404
            assert created(server, *keys) == 201
    assert keys == {(tmp_path / "admin_key").read_text()}


def test_a_server_of_this_machine_keeps_no_admin_key(tmp_path):
    server = Running(tmp_path, ("serve", "--host", "localhost", "--port", "0", "--workers", "1"))
    with server.ended():
        assert created(server, "") == 201
    assert not (tmp_path / "admin_key").exists()


def test_an_admin_key_of_the_settings_is_neither_kept_nor_shown(tmp_path):
    arguments = ("serve", "--host", "0.0.0.0", "--port", "0", "--workers", "1")
    server = Running(tmp_path, arguments, DECKPROOF_ADMIN_KEY="an-admin-key-of-this-test")
    with server.ended():
        assert created(server, "an-admin-key-of-this-test") == 201
    assert not (tmp_path / "admin_key").exists()
    assert "an-admin-key-of-this-test" not in server.log.read_text()


def created(server, key):
    """The status of creating an event with a key, or without."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return requests.post(f"{server.url}/v1/events", json=EVENT, headers=headers, timeout=60).status_code


@pytest.fixture(scope="module")
def tls_hall(tmp_path_factory):
    """A hall with https: the server, its http and https addresses, the admin key and the certificate to trust."""
    if not addresses():
        pytest.skip("needs a local network")
    folder = tmp_path_factory.mktemp("tls") / "data"
    server = Process(
        folder, ("serve", "--hall", "--port", "0", "--workers", "1"), command=COMMAND, DECKPROOF_WORKER="off"
    )
    with server.ended():
        plain = server.says(r"In the hall: (http://\S+)/\n")[1]
        secure = server.says(r"For judges and organisers: (https://\S+)/\n")[1]
        key = server.says(r"creates events: (\S+)\n")[1]
        answer = requests.get(f"{plain}/hall/authority.crt", timeout=60)
        assert answer.status_code == 200
        trusted = folder / "trusted.crt"
        trusted.write_bytes(answer.content)
        yield server, plain, secure, key, str(trusted)
    assert "Traceback" not in server.log.read_text()


def test_a_hall_has_https_for_those_who_trust_its_certificate(tls_hall):
    server, plain, secure, _, trusted = tls_hall
    assert requests.get(f"{secure}/healthz", verify=trusted, timeout=60).status_code == 200
    with pytest.raises(requests.exceptions.SSLError):
        requests.get(f"{secure}/healthz", timeout=60)
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(Path(trusted).read_text())).digest()
    page = requests.get(f"{plain}/hall", timeout=60).text
    assert digest.hex(":").upper() in page
    assert digest.hex(":").upper() in server.log.read_text()
    data = Path(trusted).parent
    assert {file.stat().st_mode & 0o777 for file in data.glob("hall_*.pem")} == {0o600}


def test_links_and_codes_of_a_hall_open_on_phones_wherever_the_organiser_works(tls_hall):
    """Players get http, which every phone opens; staff get https."""
    _, plain, secure, key, trusted = tls_hall
    local = f"http://127.0.0.1:{urlsplit(plain).port}"
    headers = {"Authorization": f"Bearer {key}"}
    for root in (local, plain, secure):
        event = requests.post(f"{root}/v1/events", json=EVENT, headers=headers, verify=trusted, timeout=60).json()
        path = f"/v1/events/{event['id']}"
        flyer = requests.get(f"{root}{path}/flyer?as=png", verify=trusted, timeout=60).content
        (found,) = zxingcpp.read_barcodes(Image.open(BytesIO(flyer)))
        assert found.text == f"{plain}/events/{event['id']}"
        judge = {"Authorization": f"Bearer {event['keys']['judge']}"}
        player = {"player": "Invented Player", "decklist": "1 OP01-001"}
        requests.post(f"{root}{path}/registrations", json=player, headers=judge, verify=trusted, timeout=60)
        sheets = requests.get(f"{root}{path}/export?as=pdf", headers=judge, verify=trusted, timeout=60).content
        assert f"{secure}/events/{event['id']}/table#r=" in code_of(sheets)


def test_who_opens_https_and_http_of_a_hall_has_a_cookie_of_each(tls_hall):
    """A browser shares cookies between ports, and lets no http page replace a cookie of an https page."""
    _, plain, secure, key, trusted = tls_hall
    headers = {"Authorization": f"Bearer {key}"}
    event = requests.post(f"{plain}/v1/events", json=EVENT, headers=headers, timeout=60).json()
    names = []
    for root in (plain, secure):
        with requests.Session() as browser:
            door = browser.get(f"{root}/events/{event['id']}", verify=trusted, timeout=60).text
            token = re.search(r'name="csrf_token" value="([^"]+)"', door)[1]
            form = {"csrf_token": token, "key": event["keys"]["judge"]}
            answer = browser.post(
                f"{root}/events/{event['id']}/key", data=form, allow_redirects=False, verify=trusted, timeout=60
            )
            assert answer.status_code == 303
            assert all(cookie.secure == root.startswith("https") for cookie in browser.cookies)
            names.append({cookie.name for cookie in browser.cookies})
    assert names[0].isdisjoint(names[1])


def test_silent_clients_of_https_are_ended_as_those_of_http_are(tls_hall):
    """One that says nothing at all, one that says nothing after the handshake, one that says half a request."""
    _, _, secure, _, trusted = tls_hall
    address = urlsplit(secure).hostname, urlsplit(secure).port
    context = ssl.create_default_context(cafile=trusted)
    with ExitStack() as stack:
        mute, silent, half = (stack.enter_context(socket.create_connection(address, 20)) for _ in range(3))
        silent, half = (context.wrap_socket(one, server_hostname=address[0]) for one in (silent, half))
        half.sendall(b"GET / HT")
        begun = time.monotonic()
        for client in (mute, silent, half):
            client.settimeout(40)
            with suppress(OSError):
                assert client.recv(1000) == b""
        assert time.monotonic() - begun < 40


def read(lines):
    """Return what a code in half blocks says."""
    halves = {"█": (0, 0), "▀": (0, 255), "▄": (255, 0), " ": (255, 255)}
    rows = [[halves[one] for one in line] for line in lines.splitlines()]
    pixels = [[pair[half] for pair in row] for row in rows for half in (0, 1)]
    picture = Image.frombytes("L", (len(pixels[0]), len(pixels)), bytes(chain.from_iterable(pixels)))
    (found,) = zxingcpp.read_barcodes(picture.resize((picture.width * 4, picture.height * 4), Image.Resampling.NEAREST))
    return found.text


def code_of(pdf):
    """Return the text of the QR code on the first page of a PDF."""
    with pypdfium2.PdfDocument(pdf) as document:
        (found,) = zxingcpp.read_barcodes(document[0].render(scale=110 / 72).to_pil())
    return found.text


@pytest.mark.parametrize(
    ("more", "settings"),
    [
        (["--host", "127.0.0.1"], {}),
        ([], {"DECKPROOF_TRUSTED_PROXIES": "127.0.0.1"}),
        (["--port", "99999"], {}),
        (["--no-tls", "--certificate", __file__, "--key", __file__], {}),
        (["--certificate", __file__], {}),
        (["--certificate", __file__, "--key", __file__], {}),  # no certificate
    ],
)
def test_a_hall_that_cannot_be_is_refused(tmp_path, more, settings):
    server = Process(tmp_path / "data", ("serve", "--hall", *more), **settings)
    assert server.process.wait(timeout=START) == 2
    assert "Traceback" not in server.log.read_text()
