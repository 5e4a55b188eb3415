"""What counts as the public web."""

from __future__ import annotations

from ipaddress import IPv4Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.world.pages.reach import Address, Reach, is_public, literal


@pytest.mark.parametrize(
    "address",
    [
        *("1.1.1.1", "8.8.8.8", "114.114.114.114", "172.15.255.255", "172.32.0.1", "100.63.255.255", "100.128.0.0"),
        *("223.255.255.255", "2606:4700::1111", "2400:3200::1", "240e::1"),
    ],
)
def test_the_public_web_is_reached(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        *("0.0.0.0", "0.1.2.3", "10.0.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1"),  # noqa: S104 - nobody binds
        *("172.31.255.255", "192.168.1.1", "100.64.0.1", "100.127.255.255", "192.0.0.8", "192.0.2.1", "198.18.0.1"),
        *("198.19.255.255", "198.51.100.7", "203.0.113.9", "192.88.99.1", "224.0.0.1", "239.255.255.255"),
        *("240.0.0.1", "255.255.255.255"),
        *("::", "::1", "fe80::1", "fec0::1", "fc00::1", "fd12:3456::1", "ff02::1", "::ffff:127.0.0.1"),
        *("::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "2002:7f00:1::"),
        *("2002:808:808::1", "2001::1", "2001:db8::1", "3fff::1", "100::1", "5f00::1", "fd00:ec2::254"),
        *("fe80::1%eth0", "2606:4700::1%eth0"),
    ],
)
def test_everything_else_is_not(address: str) -> None:
    assert not is_public(ip_address(address))


@given(st.ip_addresses())
def test_what_is_reached_is_public_to_the_standard_library_too(address: Address) -> None:
    assert not is_public(address) or (address.is_global and not address.is_multicast)


@pytest.mark.parametrize(
    "host",
    [
        *("2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "127.0.1", "1.2.3.4.5", "0", "a.1", "0x"),
        *("256.1.1.1", "127.0.0.1."),
    ],
)
def test_a_number_written_otherwise_is_no_host(host: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        literal(host)


@pytest.mark.parametrize("host", ["a.cn", "1e100.net", "0x7f.example.com", "127.0.0.1.nip.io", "123.com", "localhost"])
def test_a_name_is_looked_up(host: str) -> None:
    assert literal(host) is None


def test_an_address_is_what_it_says() -> None:
    assert literal("127.0.0.1") == IPv4Address("127.0.0.1")
    assert literal("::1") == ip_address("::1")


def test_more_is_reached_only_where_somebody_says_so() -> None:
    reach = Reach.with_("192.168.1.0/24", ports=(8080,))
    assert reach.includes(ip_address("192.168.1.7"))
    assert reach.includes(ip_address("1.1.1.1"))
    assert not reach.includes(ip_address("192.168.2.7"))
    assert reach.ports == {80, 443, 8080}
    assert not Reach().includes(ip_address("192.168.1.7"))
