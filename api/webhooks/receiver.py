"""Receivers: where messages go, by an address that was looked at, within bounds of time, and nowhere further."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from requests.utils import DEFAULT_CA_BUNDLE_PATH
from urllib3 import HTTPConnectionPool, Timeout
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    LocationParseError,
    NewConnectionError,
    ReadTimeoutError,
    SSLError,
)
from urllib3.util import Url, parse_url

from api.service.errors import Invalid, Undelivered, Wrong
from carddb.sync.fetch_policy import PatientPool, SecurePool

Network = IPv4Network | IPv6Network
LONGEST_URL = 2000
_PORTS = {"https": 443, "http": 80}
_CONNECT, _ANSWER = 5.0, 15.0  # seconds
_UNREACHED = (NewConnectionError, ConnectTimeoutError)
_MOST_ADDRESSES = 3  # that are tried of one name
_HEADERS = {"Content-Type": "application/json", "User-Agent": f"deckproof/{version('deckproof')} (webhooks)"}


class Receiver:
    """What takes the messages of a webhook: an address of the internet, or of a network that was named.

    Invalid where the URL is none that messages go to.
    """

    def __init__(self, url: str, networks: Sequence[Network] = ()) -> None:
        self._url = _checked(url)
        self._networks = networks
        if self._url.scheme == "http" and not networks:
            raise _wrong("Write an address that begins with https://; http goes to DECKPROOF_WEBHOOK_NETWORKS alone.")

    def post(self, body: bytes, headers: Mapping[str, str]) -> int:
        """Send a message, and return the status of the answer, of which nothing else is read.

        Undelivered where there is no answer in time, or the address is none that messages go to.
        """
        failed: HTTPError | None = None
        for address in self._addresses():
            try:
                return self._asked(address, body, {"Host": self._url.netloc or "", **_HEADERS, **headers})
            except _UNREACHED as error:
                failed = error  # a name may have addresses that this machine has no way to
            except HTTPError as error:
                raise Undelivered(_why(error)) from None
        raise Undelivered(_why(failed))

    def _asked(self, address: str, body: bytes, headers: Mapping[str, str]) -> int:
        with self._pool(address) as pool:
            answer = pool.urlopen(
                "POST", self._url.request_uri, body, headers, retries=False, redirect=False, preload_content=False
            )
            answer.close()
            return answer.status

    def _pool(self, address: str) -> HTTPConnectionPool:
        """Return connections to an address, of the server that proves to have the name of the URL."""
        port, timeout = self._url.port or _PORTS[self._url.scheme or ""], Timeout(connect=_CONNECT, read=_ANSWER)
        if self._url.scheme == "http":
            return PatientPool(address, port, timeout=timeout)
        return SecurePool(address, port, timeout=timeout, server_hostname=_host(self._url), ssl_context=_trusted())

    def _addresses(self) -> list[str]:
        """Return the first addresses of the name to which messages may go."""
        found = list(_resolved(_host(self._url)))
        allowed = [str(one) for one in found if self._is_allowed(one)]
        if not allowed:
            what = "asked by http" if any(map(_is_public, found)) else f"at {found[0]}"
            raise Undelivered(f"it is {what}, which DECKPROOF_WEBHOOK_NETWORKS has to allow")
        return allowed[:_MOST_ADDRESSES]

    def _is_allowed(self, address: IPv4Address | IPv6Address) -> bool:
        public = self._url.scheme == "https" and _is_public(address)
        return public or any(address in network for network in self._networks)


def _checked(url: str) -> Url:
    try:
        found = parse_url(url)
    except LocationParseError:
        raise _wrong("This is no address; write it as https://decks.example/hook.") from None
    if found.scheme not in _PORTS or not found.host or len(url) > LONGEST_URL:
        raise _wrong("This is no address; write it as https://decks.example/hook.")
    if found.auth or found.fragment:
        raise _wrong("Write the address without a name, a password and a fragment.")
    return found


def _wrong(detail: str) -> Invalid:
    return Invalid([Wrong("/url", detail)])


def _why(error: HTTPError | None) -> str:
    if isinstance(error, SSLError):
        return "its certificate is not believed, or it speaks no TLS"
    if isinstance(error, ReadTimeoutError):
        return "it gave no answer in time"
    return "nothing answers there" if isinstance(error, _UNREACHED) else "it broke the connection off"


def _host(url: Url) -> str:
    return (url.host or "").strip("[]")


def _resolved(host: str) -> Iterator[IPv4Address | IPv6Address]:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Undelivered("its name is not known") from None
    return (ip_address(address[4][0]) for address in found)


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    """Tell whether an address is one of the internet, and not another one in other words."""
    if address.is_multicast or address.is_reserved or not address.is_global:
        return False
    return isinstance(address, IPv4Address) or not (address.sixtofour or address.is_site_local)


@cache
def _trusted() -> ssl.SSLContext:
    """Return whose certificates are believed: those of requests, and of this machine."""
    context = ssl.create_default_context()
    context.load_verify_locations(DEFAULT_CA_BUNDLE_PATH)
    return context
