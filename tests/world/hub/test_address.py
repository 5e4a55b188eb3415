"""Which addresses a hub may have, and that none is looked up twice."""

from __future__ import annotations

import socket

import pytest

from zhixing.kernel.errors import BadInput, Unavailable
from zhixing.world.hub.address import Located, locate

UNREADABLE, OUTSIDE = "hub_address_unreadable", "hub_address_outside"


def refusal(address: str) -> str:
    with pytest.raises(BadInput) as refused:
        locate(address)
    assert "secret" not in str(refused.value)
    return refused.value.key


def answer(*addresses: str):
    def look_up(_host: str, port: int, **_more: object):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    return look_up


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("http://192.168.31.9", Located("192.168.31.9", "192.168.31.9", 80, tls=False)),
        ("http://10.0.0.7:8086/", Located("10.0.0.7", "10.0.0.7", 8086, tls=False)),
        ("https://172.16.0.3", Located("172.16.0.3", "172.16.0.3", 443, tls=True)),
        (" 192.168.31.9:8086 ", Located("192.168.31.9", "192.168.31.9", 8086, tls=False)),
        ("http://[fd00::9]:81", Located("fd00::9", "fd00::9", 81, tls=False)),
    ],
)
def test_a_hub_is_found_in_the_network_of_the_home(address: str, found: Located) -> None:
    assert locate(address) == found


@pytest.mark.parametrize("address", ["", "ftp://192.168.31.9", "http://", "http://me:secret@192.168.31.9", "a b"])
def test_what_is_no_address_is_refused_without_quoting_it(address: str) -> None:
    assert refusal(address) == UNREADABLE


@pytest.mark.parametrize(
    "address",
    [
        "8.8.8.8",
        "169.254.169.254",
        "100.64.0.1",
        "255.255.255.255",
        "224.0.0.1",
        "[2400::1]",
        "[::ffff:8.8.8.8]",
        "[fe80::1]",
    ],
)
def test_an_address_outside_the_home_is_refused(address: str) -> None:
    assert refusal(f"http://{address}/") == OUTSIDE


def test_a_name_with_one_address_outside_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", answer("192.168.31.9", "8.8.8.8"))
    assert refusal("http://hub.home/") == OUTSIDE


def test_a_name_that_nobody_knows_is_told() -> None:
    with pytest.raises(Unavailable) as refused:
        locate("http://hub.invalid/")
    assert str(refused.value) == "找不到主机「hub.invalid」，请检查网关的地址。"


def test_a_name_is_looked_up_once_and_its_address_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name server that names another address later sends nobody there."""
    with socket.create_server(("127.0.0.1", 0)) as there, monkeypatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", answer("127.0.0.1"))
        located = locate(f"http://hub.home:{there.getsockname()[1]}/")
        asked: list[str] = []
        real = socket.create_connection

        def dial(address: tuple[str, int], **more: object) -> socket.socket:
            asked.append(address[0])
            return real(address, **more)

        patch.undo()
        patch.setattr(socket, "create_connection", dial)
        with pytest.raises(TimeoutError):
            located.dial(0.1)
    assert asked == ["127.0.0.1"]
