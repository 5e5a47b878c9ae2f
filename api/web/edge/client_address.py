"""The client's address and scheme, as trusted proxies forward them.

Called by the ASGI application for each request. The headers X-Forwarded-For and X-Forwarded-Proto are believed only if
the direct peer is a trusted proxy. `Forwarded` (RFC 7239) is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from itertools import islice
from typing import Any, NamedTuple

Scope = dict[str, Any]  # of an ASGI connection
Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
Headers = Iterable[tuple[bytes, bytes]]

_FORWARDED_FOR = b"x-forwarded-for"
_FORWARDED_PROTO = b"x-forwarded-proto"
_SCHEMES = {b"http": "http", b"https": "https"}
_MOST_HOPS = 20  # trusted proxies in a row; a longer chain is cut, because a huge header would take long
_LONGEST = 60  # bytes of an address with its port
_HOST_AND_PORT = re.compile(r"\[([0-9A-Fa-f:.]+)\](?::([0-9]{1,5}))?|([0-9.]+):([0-9]{1,5})")


class Client(NamedTuple):
    """The client of a request.

    `address`: IP address and port. The port is 0 if a proxy forwarded none. None if the client came over a Unix socket.
    `scheme`: "http" or "https", as the client used it.
    """

    address: tuple[str, int] | None
    scheme: str


def find_client(scope: Scope, trusted: tuple[Network, ...]) -> Client:
    """Return the client of a request from its ASGI scope. `trusted` are the networks of the trusted proxies.

    The headers X-Forwarded-For and X-Forwarded-Proto count only if the direct peer is trusted. Otherwise, or if a
    header is missing or unreadable, the address or scheme is that of the peer. A peer on a Unix socket has no address.
    It is trusted if any network is trusted, because the permissions of the socket file limit its users.
    """
    peer, scheme = scope["client"], scope["scheme"]
    if not trusted or (peer and not is_trusted(parse_address(peer[0]), trusted)):
        return Client(peer, scheme)
    return Client(_forwarded_address(scope["headers"], trusted) or peer, _forwarded_scheme(scope["headers"]) or scheme)


def is_trusted(address: Address | None, trusted: Iterable[Network]) -> bool:
    """Return True if an address is in one of the networks. False for None."""
    return address is not None and any(address in network for network in trusted)


@lru_cache(maxsize=1024)
def parse_address(text: str) -> Address | None:
    """Return the IP address in a text without its zone (`fe80::1%eth0`). Return None if the text is no IP address.

    An IPv4 address that is mapped to IPv6 (`::ffff:192.0.2.1`) is returned as IPv4.
    """
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return address.ipv4_mapped or address if isinstance(address, IPv6Address) else address


def _forwarded_address(headers: Headers, trusted: tuple[Network, ...]) -> tuple[str, int] | None:
    """Return `(address, port)` of the rightmost X-Forwarded-For entry that is not a trusted proxy.

    If all are trusted, or an entry on the way cannot be read, return the leftmost entry read so far. None if the
    rightmost entry is missing or unreadable. At most 20 entries are read. Each proxy appends the address of its peer.
    So the client can only invent the entries left of the result.
    """
    nearest = None
    for entry in islice(_forwarded_entries(headers), _MOST_HOPS):
        parsed = _parse_host_and_port(entry)
        if parsed is None:
            return nearest
        address, port = parsed
        nearest = str(address), port
        if not is_trusted(address, trusted):
            return nearest
    return nearest


def _forwarded_entries(headers: Headers) -> Iterator[bytes]:
    """Yield the comma-separated entries of all X-Forwarded-For headers from right to left, with their spaces.

    Of a header with more than 20 commas, the last entry is the unsplit rest.
    """
    for value in reversed([value for name, value in headers if name == _FORWARDED_FOR]):
        yield from reversed(value.rsplit(b",", _MOST_HOPS))


def _parse_host_and_port(entry: bytes) -> tuple[Address, int] | None:
    """Return the address and the port of an X-Forwarded-For entry, port 0 if it has none.

    Reads `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:80`. Returns None for anything
    else, for example `unknown`, a name, an address with a zone, or a port over 65535.
    """
    text = entry.strip()
    if not text.isascii() or len(text) > _LONGEST or b"%" in text:
        return None
    host, port = text.decode(), 0
    if match := _HOST_AND_PORT.fullmatch(host):
        host, port = match[1] or match[3], int(match[2] or match[4] or 0)
    address = parse_address(host)
    return (address, port) if address and port < 65536 else None


def _forwarded_scheme(headers: Headers) -> str | None:
    """Return "http" or "https" from the last entry of X-Forwarded-Proto, which the nearest proxy wrote.

    None without the header, or for any other scheme.
    """
    values = [value for name, value in headers if name == _FORWARDED_PROTO]
    return _SCHEMES.get(values[-1].rpartition(b",")[2].strip().lower()) if values else None
