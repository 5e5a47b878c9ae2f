"""A message goes to no address but those that it may, to no server but the one of the name, and waits for no one."""

from __future__ import annotations

import socket
import ssl
import time
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, ip_address, ip_network
from threading import Event

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from api.service.errors import Invalid, Undelivered
from api.webhooks import receiver
from api.webhooks.receiver import Receiver
from tests.api.webhooks.conftest import HERE
from tests.api.webhooks.listeners import Listener, drips, endless, waits_for
from tests.cost import within

PUBLIC = "93.184.215.14"


@pytest.fixture
def names(monkeypatch):
    """Names of our own and their addresses, each look-up of which gives the next ones; what was looked up."""
    known, asked, real = {}, [], socket.getaddrinfo

    def resolved(host, port, *more, **options):
        if host not in known:
            return real(host, port, *more, **options | {"flags": socket.AI_NUMERICHOST})
        asked.append(host)
        addresses = known[host].pop(0) if len(known[host]) > 1 else known[host][0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port or 0)) for address in addresses]

    monkeypatch.setattr(receiver.socket, "getaddrinfo", resolved)
    known["asked"] = asked
    return known


def refusal(url, networks=()):
    with pytest.raises(Undelivered) as refused:
        Receiver(url, networks).post(b"{}", {})
    return str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        *("decks.example", "ftp://decks.example", "https://", "https:///hook", "https://decks.example:99999"),
        *("https://name:password@decks.example", "https://decks.example/#here", "http://decks.example/hook"),
        *("", "https://decks.example/" + "a" * 2000),
    ],
)
def test_what_is_no_address_of_a_webhook_is_refused(url):
    with pytest.raises(Invalid) as refused:
        Receiver(url)
    assert [one.pointer for one in refused.value.errors] == ["/url"]


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("224.0.0.1", "255.255.255.255", "::1", "fe80::1", "fd00::1", "fec0::1", "ff0e::1"),
        *("::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"),
    ],
)
def test_no_message_goes_to_a_network_that_is_not_public(names, address):
    names["decks.example"] = [[address]]
    assert str(ip_address(address)) in refusal("https://decks.example/hook")
    assert "DECKPROOF_WEBHOOK_NETWORKS" in refusal("https://decks.example/hook", [ip_network("10.9.0.0/16")])


def test_public_addresses_are_asked_by_https_alone(names):
    names["decks.example"] = [[PUBLIC]]
    assert "http" in refusal("http://decks.example/hook", HERE)


def test_a_name_that_nobody_knows_is_told(names):
    assert "name" in refusal("https://decks.example/hook")
    assert "name" in refusal("https://" + "a" * 70 + ".example")
    assert names["asked"] == []


def test_the_address_that_was_looked_at_is_the_one_that_is_asked(names):
    """A name that has another address the next time it is looked up leads nowhere else."""
    with Listener().serve() as listener:
        names["decks.example"] = [["127.0.0.1"], ["127.9.9.9"]]
        url = listener.url.replace("127.0.0.1", "decks.example")
        assert Receiver(url, [ip_network("127.0.0.1/32")]).post(b"{}", {}) == 204
        assert names["asked"] == ["decks.example"]
        assert listener.messages[0].headers["Host"] == f"decks.example:{listener.port}"
        assert "127.9.9.9" in refusal(url, [ip_network("127.0.0.1/32")])


def test_of_several_addresses_the_next_is_asked_where_nobody_answers(names):
    with Listener().serve() as listener:
        names["decks.example"] = [["10.0.0.1", "127.0.0.77", "127.0.0.1"]]
        assert Receiver(listener.url.replace("127.0.0.1", "decks.example"), HERE).post(b"{}", {}) == 204


@pytest.mark.slow
def test_no_answer_is_read_and_none_waited_for_without_end(monkeypatch):
    with Listener(endless).serve() as listener, within(2, time.monotonic):
        assert Receiver(listener.url, HERE).post(b"{}", {}) == 200
    monkeypatch.setattr(receiver, "_ANSWER", 0.2)
    release = Event()
    for answer in (drips, waits_for(release)):
        with Listener(answer).serve() as listener, within(2, time.monotonic):
            assert refusal(listener.url, HERE)
    release.set()


def test_no_proxy_of_the_environment_is_told_of_a_message(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    with Listener().serve() as listener:
        assert Receiver(listener.url, HERE).post(b"{}", {}) == 204


def certified(folder, name):
    """Write a key and a certificate of a name that nobody but itself vouches for; return the file."""
    key, subject = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    names = x509.SubjectAlternativeName([x509.DNSName(name), x509.IPAddress(IPv4Address("127.0.0.1"))])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    made = made.add_extension(names, critical=True).sign(key, hashes.SHA256())
    form = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    file = folder / "certificate.pem"
    file.write_bytes(
        made.public_bytes(serialization.Encoding.PEM) + key.private_bytes(serialization.Encoding.PEM, *form)
    )
    return file


@pytest.fixture
def secure(tmp_path):
    """A listener that says by a certificate that it is decks.example."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certified(tmp_path, "decks.example"))
    with Listener(context=context).serve() as listener:
        yield listener


@pytest.fixture
def trusting(tmp_path, secure, monkeypatch):
    """A machine that believes its certificate."""
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    receiver._trusted.cache_clear()
    yield
    receiver._trusted.cache_clear()


def test_a_server_has_to_prove_its_name(names, secure, trusting):
    for name in ("decks.example", "other.example"):
        names[name] = [["127.0.0.1"]]
    address = f"https://{{}}:{secure.port}/hook?of=decks"
    assert Receiver(address.format("decks.example"), HERE).post(b"{}", {}) == 204
    assert "certificate" in refusal(address.format("other.example"), HERE)
    assert len(secure.messages) == 1


def test_a_certificate_that_nobody_vouches_for_is_not_believed(names, secure):
    names["decks.example"] = [["127.0.0.1"]]
    assert "certificate" in refusal(f"https://decks.example:{secure.port}/hook?of=decks", HERE)
    assert secure.messages == []
