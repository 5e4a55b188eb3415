"""What the fake gateway does not let through, and what the client does on the wire beneath its calls."""

from __future__ import annotations

import random
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection
from websockets.utils import accept_key

from zhixing.kernel.clock import SystemClock
from zhixing.world.hub.address import Located, locate
from zhixing.world.hub.client import HubClient
from zhixing.world.hub.fake import FakeGateway
from zhixing.world.hub.frames import FrameBroken, Kind, Opener, Sealer, pack
from zhixing.world.hub.opening import open_hub
from zhixing.world.hub.pairing import Channel, pair
from zhixing.world.hub.payload import encode
from zhixing.world.hub.port import Method, Unconfirmed

PASSCODE = "246810"
ERROR = b"\x04"


@pytest.fixture
def wire(gateway: FakeGateway) -> Iterator[ClientConnection]:
    with closing(locate(gateway.url).dial(5)) as connection:
        yield connection


@pytest.fixture
def channel(wire: ClientConnection) -> Channel:
    """Pair, and give what seals and opens frames on `wire`."""

    def exchange(frame: bytes) -> bytes:
        wire.send(frame)
        answer = wire.recv()
        assert isinstance(answer, bytes)
        return answer

    key, finish = pair(exchange, PASSCODE)
    return finish(exchange(key))


def request(number: int = 1) -> bytes:
    return encode({"jsonrpc": "2.0", "id": number, "method": "/api/getGraphList", "params": {}})


def test_a_frame_of_a_client_is_answered(wire: ClientConnection, channel: Channel) -> None:
    wire.send(pack(Kind.DATA, channel.sealer.seal(request())))
    answer = wire.recv()
    assert channel.opener.open(answer[1:]) == encode({"jsonrpc": "2.0", "id": 1, "result": []})


def test_a_frame_of_a_client_counts_once(wire: ClientConnection, channel: Channel, gateway: FakeGateway) -> None:
    frame = pack(Kind.DATA, channel.sealer.seal(request()))
    for _ in range(2):
        wire.send(frame)
    assert [each[0] for each in (wire.recv(), wire.recv())] == [Kind.DATA, Kind.ERROR]
    with pytest.raises(ConnectionClosed):
        wire.recv()
    assert len(gateway.calls) == 1


@pytest.mark.parametrize("kind", ["tampered", "unsealed", "foreign", "text", "no call", "no payload"])
def test_what_is_no_frame_of_a_call_ends_the_session(
    wire: ClientConnection, channel: Channel, gateway: FakeGateway, kind: str
) -> None:
    sealed = channel.sealer.seal({"no call": encode([]), "no payload": b"call"}.get(kind, request()))
    frames = {
        "tampered": pack(Kind.DATA, sealed[:-1] + bytes((sealed[-1] ^ 1,))),
        "unsealed": pack(Kind.DATA, request()),
        "foreign": b"\x09" + sealed,
        "text": "call",
    }
    wire.send(frames.get(kind, pack(Kind.DATA, sealed)))
    assert wire.recv() == ERROR
    with pytest.raises(ConnectionClosed):
        wire.recv()
    assert gateway.calls == []


@pytest.mark.parametrize("first", [b"\x01[]", b"\x01{}", b"\x01[", b"\x05", b"\x20" + bytes(330), b"", "text"])
def test_a_client_that_begins_wrongly_is_sent_away(wire: ClientConnection, first: str | bytes) -> None:
    wire.send(first)
    assert wire.recv() == ERROR


def test_a_frame_that_our_side_sealed_is_not_taken_for_one_of_the_hub(channel: Channel) -> None:
    """Each direction has a key of its own: what we send cannot be sent back to us."""
    with pytest.raises(FrameBroken):
        channel.opener.open(channel.sealer.seal(request()))


def test_a_hub_that_signs_for_itself_is_reached_by_https(tmp_path: Path) -> None:
    """What proves it is the passcode: a wrong one is refused over TLS too."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "hub")])
    today = datetime(2026, 1, 1, tzinfo=UTC)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, today, today + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.2"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path / "hub.pem"
    file.write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()) + signed.public_bytes(Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    with FakeGateway(PASSCODE, tls=context) as hub, closing(open_hub(hub.url, PASSCODE, SystemClock())) as opened:
        assert hub.url.startswith("https://")
        assert opened.call(Method.GET_GRAPHS, {}) == []


def test_a_hub_that_reads_no_more_does_not_hold_who_sends() -> None:
    """The bytes beyond what both systems keep in between cannot leave; then the outcome is not known."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        held: list[socket.socket] = []

        def greet() -> None:
            accepted, _ = server.accept()
            asked = accepted.recv(4096).decode()
            accepted.sendall(_greeting(asked))
            held.append(accepted)

        greeting = threading.Thread(target=greet)
        greeting.start()
        port = server.getsockname()[1]
        connection = Located("127.0.0.1", "127.0.0.1", port, tls=False).dial(0.2)
        greeting.join()
        material = bytes(24)
        with closing(HubClient(connection, Channel(Sealer(material), Opener(material)), SystemClock())) as client:
            noise = random.Random(1).randbytes(6 * 2**20).hex()
            with pytest.raises(Unconfirmed):
                client.call(Method.SET_VARIABLE_VALUE, {"value": noise}, seconds=5)
            assert not client.is_open
        held[0].close()


def _greeting(asked: str) -> bytes:
    """Answer the upgrade to a WebSocket."""
    key = next(line.split(": ", 1)[1] for line in asked.split("\r\n") if line.startswith("Sec-WebSocket-Key"))
    lines = ("HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade")
    return ("\r\n".join((*lines, f"Sec-WebSocket-Accept: {accept_key(key)}")) + "\r\n\r\n").encode()
