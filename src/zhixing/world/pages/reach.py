"""What counts as the public web: pure.

The list is one of what may be reached, not of what may not: IPv4 outside every special-purpose block of RFC 6890 and
its registry, and the part of IPv6 that is handed out to the public (2000::/3) less what is special in it. So
loopback, private, link-local (with the metadata services of clouds), shared (RFC 6598), benchmarking, multicast and
reserved addresses are out, and so is every IPv6 form that carries an IPv4 address: mapped, compatible, 6to4, Teredo,
NAT64.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_SPECIAL_V4 = tuple(
    IPv4Network(block)
    for block in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16"),
        *("192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
    )
)
_PUBLIC_V6 = IPv6Network("2000::/3")
_SPECIAL_V6 = tuple(
    IPv6Network(block) for block in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
)
# What the operating system would take for a number, however it is written: 2130706433, 0x7f.1, 0177.0.0.1, 127.1.
_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0[xX][0-9a-fA-F]*)\.?")


@dataclass(frozen=True, slots=True)
class Reach:
    """What may be visited: these ports, on the public web and in `networks` besides."""

    ports: frozenset[int] = frozenset({80, 443})
    networks: tuple[Network, ...] = ()

    @classmethod
    def with_(cls, *networks: str, ports: tuple[int, ...] = ()) -> Reach:
        """Return the public web, and these networks and ports besides."""
        return cls(frozenset({80, 443, *ports}), tuple(ip_network(network) for network in networks))

    def includes(self, address: Address) -> bool:
        """Whether a connection may be made to `address`."""
        if any(address in network for network in self.networks):
            return True
        return is_public(address)


def is_public(address: Address) -> bool:
    """Whether an address is one of the public web."""
    if isinstance(address, IPv4Address):
        return not any(address in block for block in _SPECIAL_V4)
    return address.scope_id is None and address in _PUBLIC_V6 and not any(address in block for block in _SPECIAL_V6)


def literal(host: str) -> Address | None:
    """Return the address that a host is written as; None for a name.

    Raises `ValueError` for a number that is no plain address: only the four decimal parts, and IPv6.
    """
    if ":" in host:
        return ip_address(host)
    if _NUMBER.fullmatch(host):
        return IPv4Address(host)
    return None
