"""Where a client is, as limits count it."""

import ipaddress
from collections.abc import MutableMapping
from typing import Any, Final

_HOUSEHOLD: Final = 64
"""Bits of an IPv6 address that one household has alone: behind them it may be whoever it likes."""


def address_of(scope: MutableMapping[str, Any]) -> str:
    """The client's address in this ASGI scope, by `counted_as`; empty when there is none."""
    return counted_as(scope["client"][0]) if scope.get("client") else ""


def counted_as(address: str) -> str:
    """An IPv4 address as it is, of an IPv6 address its network (`2001:db8:0:1::/64`); anything else as it is."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    if isinstance(found, ipaddress.IPv4Address) or found.is_loopback:
        return address
    return str(ipaddress.ip_network((int(found), _HOUSEHOLD), strict=False))
