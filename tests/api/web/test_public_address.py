"""Public addresses: what other devices open, whatever address the organiser works at."""

from __future__ import annotations

import pytest

from api.service.errors import SettingError
from api.service.local_network import HallAddresses
from api.service.settings import Settings
from api.web.app import create_app
from api.web.public_address import public_root, reach

HALL = HallAddresses(("192.168.1.5", "10.0.0.7"), 8000, 8443)


def roots(tmp_path, address, hall=None, **settings):
    """Return the addresses for players and for staff, and whether phones open them and they are https."""
    app = create_app(Settings(data_dir=tmp_path, **settings), hall)
    with app.test_request_context("/events", base_url=address):
        found = reach()
        return public_root(), public_root(for_staff=True), found.is_reachable, found.is_secure


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("http://127.0.0.1:8000", "192.168.1.5"),
        ("http://localhost:8000", "192.168.1.5"),
        ("http://[::1]:8000", "192.168.1.5"),
        ("https://127.0.0.1:8443", "192.168.1.5"),
        ("http://10.0.0.7:8000", "10.0.0.7"),
        ("https://10.0.0.7:8443", "10.0.0.7"),
        ("http://laptop.example:8000", "192.168.1.5"),
    ],
)
def test_in_a_hall_players_get_http_and_staff_https_of_an_address_that_phones_open(tmp_path, address, host):
    assert roots(tmp_path, address, HALL) == (f"http://{host}:8000/", f"https://{host}:8443/", True, True)


def test_without_tls_all_of_a_hall_is_http(tmp_path):
    hall = HallAddresses(("192.168.1.5",), 8000)
    assert roots(tmp_path, "http://127.0.0.1:8000", hall) == (*["http://192.168.1.5:8000/"] * 2, True, False)


@pytest.mark.parametrize(
    ("address", "is_reachable", "is_secure"),
    [
        ("http://127.0.0.1:8000/", False, False),
        ("http://localhost/", False, False),
        ("https://decks.example/", True, True),
        ("http://192.168.1.5:8000/", True, False),
    ],
)
def test_elsewhere_it_is_the_address_of_the_request(tmp_path, address, is_reachable, is_secure):
    assert roots(tmp_path, address) == (address, address, is_reachable, is_secure)


@pytest.mark.parametrize("hall", [None, HALL])
def test_a_setting_goes_before_all_of_it(tmp_path, hall):
    url = Settings.from_environment({"DECKPROOF_PUBLIC_URL": "https://decks.example/shop/"}).public_url
    found = roots(tmp_path, "http://127.0.0.1:8000", hall, public_url=url)
    assert found == (*["https://decks.example/shop/"] * 2, True, True)


@pytest.mark.parametrize(
    "url",
    ["decks.example", "ftp://decks.example", "https://", "https://a@b", "https://a/?b", "https://a/#b", "https://a b"],
)
def test_a_setting_that_is_no_address_is_refused(url):
    with pytest.raises(SettingError, match="DECKPROOF_PUBLIC_URL"):
        Settings.from_environment({"DECKPROOF_PUBLIC_URL": url})
