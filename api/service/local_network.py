"""The local network: the addresses of this machine, and the URLs at which phones find a server."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address
from socket import AF_INET
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from api.service.certificates import HallCertificate

# Network adapters that programs make for themselves. No phone can reach them.
_VIRTUAL = ("docker", "br-", "veth", "virbr", "vbox", "vmnet", "vethernet")


def addresses() -> list[str]:
    """Return the private IPv4 addresses of this machine, without loopback, sorted as text. Empty if there are none.

    Those of virtual adapters (such as docker and vbox) are last. Among both kinds of adapters, link-local addresses
    (169.254…) come after the others.
    """
    import psutil  # only `serve` needs it

    found = [
        (name.lower().startswith(_VIRTUAL), address.is_link_local, str(address))
        for name, networks in psutil.net_if_addrs().items()
        for address in (IPv4Address(network.address) for network in networks if network.family == AF_INET)
        if address.is_private and not address.is_loopback
    ]
    return [address for *_, address in sorted(found)]


@dataclass(frozen=True)
class HallAddresses:
    """The IPv4 hosts of a server in the local network, the best one first, at least one, with its http and https ports.

    `secure_port` is None if the server has no TLS. `certificate` is None without TLS, or if the organiser has set
    another certificate.
    """

    hosts: tuple[str, ...]
    port: int
    secure_port: int | None = None
    certificate: HallCertificate | None = None

    def plain(self, host: str = "") -> str:
        """Return the http URL of a host with its port and a slash at the end. "" is the best host."""
        return f"http://{host or self.hosts[0]}:{self.port}/"

    def secure(self, host: str = "") -> str:
        """Return the https URL of a host with its port and a slash at the end. Without TLS return the http URL."""
        return f"https://{host or self.hosts[0]}:{self.secure_port}/" if self.secure_port else self.plain(host)
