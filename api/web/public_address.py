"""Public addresses: the addresses of this server that other devices open, in links, codes and printed files."""

from __future__ import annotations

from ipaddress import ip_address
from typing import NamedTuple

from flask import request

from api.web.services import services

_LOCAL_NAME = "localhost"


def public_root(for_staff: bool = False) -> str:
    """Return the address of this server's pages with a slash at the end, as other devices open it.

    This is the setting `public_url` if it is set. In a local network it has the host of the request, if that is one of
    the server's hosts, else the server's best host. There players get http, which every phone opens. Staff
    (`for_staff`) get https if the server has it, because their keys and offline use need it. Elsewhere it is the
    address of the request.
    """
    here = services()
    if here.settings.public_url:
        return f"{here.settings.public_url}/"
    if here.hall is None:
        return request.url_root
    host = _host() if _host() in here.hall.hosts else ""
    return here.hall.secure(host) if for_staff else here.hall.plain(host)


def event_address(event_id: str, path: str = "", for_staff: bool = False) -> str:
    """Return the whole address of an event's page, as other devices open it: `public_root` + "events/ID" + `path`.

    `path` begins with a slash or is "", the event page itself.
    """
    return f"{public_root(for_staff)}events/{event_id}{path}"


class Reach(NamedTuple):
    """The ways in which other devices reach this server.

    `is_reachable`: they can open its addresses at all. `is_secure`: staff get https, which offline use needs.
    `has_own_authority`: their phones have to trust the certificate authority of this server first.
    """

    is_reachable: bool
    is_secure: bool
    has_own_authority: bool


def reach() -> Reach:
    """Return the ways in which other devices reach this server, by its settings and the host of the current request.

    It is unreachable if the request went to localhost, and it has neither a public address nor serves a local network.
    """
    here = services()
    is_reachable = bool(here.settings.public_url) or here.hall is not None or not _is_loopback()
    is_secure = public_root(for_staff=True).startswith("https:")
    has_own_authority = not here.settings.public_url and here.hall is not None and here.hall.certificate is not None
    return Reach(is_reachable, is_secure, has_own_authority)


def is_plain_beside_https() -> bool:
    """Return True if the current request came by http to a server in a local network that also serves https.

    Both ports are on the same host. Cookies are shared between ports, and a browser lets no http page replace a cookie
    of an https page.
    """
    hall = services().hall
    return hall is not None and hall.secure_port is not None and not request.is_secure


def _host() -> str:
    """Return the host of the current request without its port. An IPv6 address keeps its brackets."""
    host: str = request.host
    return host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() and ":" in host else host


def _is_loopback() -> bool:
    """Return True if the host of the current request is localhost, a name below it, or an address such as 127.0.0.1."""
    host = _host().strip("[]").lower()
    if host == _LOCAL_NAME or host.endswith(f".{_LOCAL_NAME}"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
