"""Public addresses: the addresses of this server that other devices open, in links, codes and printed files."""

from __future__ import annotations

from ipaddress import ip_address
from typing import NamedTuple

from flask import request

from api.web.services import services

_LOCAL_NAME = "localhost"


def public_root(for_staff: bool = False) -> str:
    """Return the address of this server's pages with a slash at the end, for other devices.

    This is DECKPROOF_PUBLIC_URL if it is set. In a hall, players get http, which every phone opens. Staff get https if
    the server has it, because their keys and offline use need it. Elsewhere it is the address of the request.
    """
    here = services()
    if here.settings.public_url:
        return f"{here.settings.public_url}/"
    if here.hall is None:
        return request.url_root
    host = _host() if _host() in here.hall.hosts else ""
    return here.hall.secure(host) if for_staff else here.hall.plain(host)


def event_address(event_id: str, path: str = "", for_staff: bool = False) -> str:
    """Return the whole address of a page of an event, for other devices. `path` begins with a slash or is ""."""
    return f"{public_root(for_staff)}events/{event_id}{path}"


class Reach(NamedTuple):
    """Whether other devices can open the public addresses, and use these pages offline.

    `is_secure`: staff get https. `has_own_authority`: their phones have to trust the certificate of this server first.
    """

    is_reachable: bool
    is_secure: bool
    has_own_authority: bool


def reach() -> Reach:
    """Return the ways in which other devices reach this server."""
    here = services()
    is_reachable = bool(here.settings.public_url) or here.hall is not None or not _is_loopback()
    is_secure = public_root(for_staff=True).startswith("https:")
    has_own_authority = not here.settings.public_url and here.hall is not None and here.hall.certificate is not None
    return Reach(is_reachable, is_secure, has_own_authority)


def is_plain_beside_https() -> bool:
    """Return True if the request came by http to a server that has https at another port of the same host.

    Cookies are shared between ports, and a browser lets no http page replace a cookie of an https page.
    """
    hall = services().hall
    return hall is not None and hall.secure_port is not None and not request.is_secure


def _host() -> str:
    """Return the host of the request without its port, an IPv6 address in brackets."""
    host: str = request.host
    return host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() and ":" in host else host


def _is_loopback() -> bool:
    """Return True if the host of the request is this machine."""
    host = _host().strip("[]").lower()
    if host == _LOCAL_NAME or host.endswith(f".{_LOCAL_NAME}"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
