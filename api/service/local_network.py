"""The local network: under which addresses those beside this machine find it."""

from __future__ import annotations

from ipaddress import IPv4Address

import ifaddr

# What programs make for themselves; nobody else is on it.
_VIRTUAL = ("docker", "br-", "veth", "virbr", "vbox", "vmnet", "vethernet")


def addresses() -> list[str]:
    """Return the private IPv4 addresses of this machine, those of real networks first."""
    found = [
        (adapter.nice_name.lower().startswith(_VIRTUAL), address.is_link_local, str(address))
        for adapter in ifaddr.get_adapters()
        for address in (IPv4Address(ip.ip) for ip in adapter.ips if isinstance(ip.ip, str))
        if address.is_private and not address.is_loopback
    ]
    return [address for *_, address in sorted(found)]
