"""A real server on a real port."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import httpx
import pytest

from zhixing.faces.http import Server, listen
from zhixing.kernel.errors import Unavailable

PATIENCE = 30
TOKEN = {"Authorization": "Bearer a-token-for-tests-0123456789"}


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@contextmanager
def serving(api) -> Iterator[str]:
    """Serve in a thread; give the address. The server has stopped by the end of the block."""
    listening = listen("127.0.0.1", 0)
    server = Server(api)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()
        listening.close()


def test_a_program_says_something_and_sees_it_happen(api) -> None:
    with serving(api) as url, httpx.Client(base_url=url, headers=TOKEN, timeout=PATIENCE) as client:
        assert client.get("/api/v1/health").json()["name"] == "zhixing"
        with client.stream("GET", "/api/v1/events?after=0") as events:
            said = client.post("/api/v1/say", json={"text": "明晚九点提醒我交表"}).json()
            data = (json.loads(line[6:]) for line in events.iter_lines() if line.startswith("data: "))
            assert [(entry["task"], entry["kind"]) for entry in (next(data), next(data))] == [
                (said["id"], "created"),
                (said["id"], "understood"),
            ]


def test_streams_end_whole_when_the_server_stops(api) -> None:
    ends = []

    def follow(url: str, ready: threading.Event) -> None:
        with httpx.stream("GET", f"{url}/api/v1/events", headers=TOKEN, timeout=PATIENCE) as events:
            for _ in events.iter_lines():
                ready.set()
        # Cut off in the middle, httpx would have raised.
        ends.append("whole")

    with serving(api) as url:
        ready = threading.Event()
        follower = threading.Thread(target=follow, args=(url, ready))
        follower.start()
        assert ready.wait(PATIENCE)
    follower.join(PATIENCE)
    assert ends == ["whole"]


def test_ten_megabytes_are_refused_and_the_next_request_is_answered(api) -> None:
    with serving(api) as url, httpx.Client(base_url=url, headers=TOKEN, timeout=PATIENCE) as client:
        refused = client.post("/api/v1/say", content=b"x" * 10_000_000, headers={"Content-Type": "application/json"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (413, "body_large")
        assert client.post("/api/v1/say", json={"text": "买牛奶"}).status_code == 201


def test_many_people_speak_at_once_and_everything_is_kept(api) -> None:
    with serving(api) as url, httpx.Client(base_url=url, headers=TOKEN, timeout=PATIENCE) as client:

        def speak(number: int) -> None:
            for turn in range(5):
                answer = client.post("/api/v1/say", json={"text": f"买第{number}-{turn}样东西"})
                assert answer.status_code == 201

        speakers = [threading.Thread(target=speak, args=(number,)) for number in range(8)]
        for speaker in speakers:
            speaker.start()
        for speaker in speakers:
            speaker.join(PATIENCE)
        kept = client.get("/api/v1/tasks?limit=100").json()["tasks"]
    assert len({task["text"] for task in kept}) == 40


def test_one_key_sent_from_many_places_at_once_is_saved_once(api) -> None:
    with serving(api) as url, httpx.Client(base_url=url, headers=TOKEN, timeout=PATIENCE) as client:
        ids = []

        def speak() -> None:
            answer = client.post("/api/v1/say", json={"text": "买牛奶"}, headers={"Idempotency-Key": "one"})
            ids.append(answer.json()["id"])

        speakers = [threading.Thread(target=speak) for _ in range(8)]
        for speaker in speakers:
            speaker.start()
        for speaker in speakers:
            speaker.join(PATIENCE)
    assert ids == [ids[0]] * 8


def test_a_port_that_is_taken_is_said_in_one_line() -> None:
    with closing(listen("127.0.0.1", 0)) as first:
        port = first.getsockname()[1]
        with pytest.raises(Unavailable) as caught:
            listen("127.0.0.1", port)
        assert str(caught.value).startswith(f"127.0.0.1 的端口 {port} 已被占用")


def test_an_address_this_machine_does_not_have_is_said_in_one_line() -> None:
    with pytest.raises(Unavailable) as caught:
        listen("192.0.2.1", 0)
    assert caught.value.key == "address_unusable"


@pytest.mark.parametrize("host", ["localhost", "[::1]", "::1", "127.0.0.1"])
def test_every_way_to_write_this_machine_can_be_listened_on(host) -> None:
    if ":" in host and not _has_ipv6():
        # Such a machine has no such address to listen on, and says so.
        with pytest.raises(Unavailable):
            listen(host, 0)
        return
    listen(host, 0).close()


def _has_ipv6() -> bool:
    try:
        with closing(socket.socket(socket.AF_INET6)) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True
