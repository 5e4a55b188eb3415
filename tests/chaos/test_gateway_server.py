"""The real server is killed (kill -9) at random moments while rules of the virtual gateway count and wait.

Another process clicks a button and opens a door all the while. Each click and each opening is counted once; delays that
began before the first kill act once.
"""

from __future__ import annotations

import http.client
import json
import random
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from tests.chaos.presser import BUTTON, DOOR
from tests.chaos.test_server import Theatre, greeted

from zhixing.settings import load, token_file
from zhixing.store.opening import open_store

HERE = Path(__file__).parent
SEED = 20261201
PATIENCE = 60
LAMP = "light_living"
CONTACT = "urn:miot-spec-v2:device:magnet-sensor:0000A016:zhixing-contact-v1:1"
PRESS = "urn:miot-spec-v2:device:remote-control:0000A021:zhixing-button-v1:1"
LIGHT = "urn:miot-spec-v2:device:light:0000A001:zhixing-light-v1:1"


KILLS = 10
DELAYS = (1.5, 12)
"""Seconds of the delays: one ends between kills, the other behind them if the machine is not too busy."""


def card(
    name: str, kind: str, props: dict[str, Any], *, urn: str = "", pins: str = "", **outputs: str
) -> dict[str, Any]:
    """Return a card; `outputs` are the ends of its wires."""
    cfg = {"name": kind, "version": 1, **({"urn": urn} if urn else {})}
    ends = {pin: said.split() for pin, said in outputs.items()}
    return {
        "id": name,
        "type": kind,
        "inputs": dict.fromkeys(pins.split()),
        "outputs": ends,
        "props": props,
        "cfg": cfg,
    }


def counting(name: str, variable: str) -> dict[str, Any]:
    """Return a card that adds one to a variable."""
    props = {"scope": "global", "id": variable, "elements": [{"type": "const", "value": "$ + 1"}]}
    return card(name, "varSetNumber", props, pins="input", output="")


def clicks() -> list[dict[str, Any]]:
    click = {"did": BUTTON, "siid": 2, "eiid": 1, "arguments": []}
    return [card("click", "deviceInput", click, urn=PRESS, output="count.input"), counting("count", "clicks")]


def openings() -> list[dict[str, Any]]:
    opened = {"did": DOOR, "siid": 2, "piid": 1, "dtype": "boolean", "operator": "=", "v1": True, "preload": False}
    return [card("open", "deviceInput", opened, urn=CONTACT, output="count.input"), counting("count", "openings")]


def later(seconds: float) -> list[dict[str, Any]]:
    """Return cards that light a lamp so long after the rule was switched on, and count that."""
    lit = {"did": LAMP, "siid": 2, "piid": 1, "value": True}
    return [
        card("begin", "onLoad", {}, output="wait.input"),
        card("wait", "delay", {"timeout": int(seconds * 1000)}, pins="input", output="lit.trigger count.input"),
        card("lit", "deviceOutput", lit, urn=LIGHT, pins="trigger", output=""),
        counting("count", "delays"),
    ]


class Hub:
    """A theatre with a gateway in it."""

    def __init__(self, theatre: Theatre, url: str | None) -> None:
        self.theatre = theatre
        if url is not None:
            theatre.env["ZHIXING_STORE_URL"] = url
        self.url = load(theatre.home, theatre.env).store_url

    def post(self, path: str, body: Any) -> None:
        """Ask the server to do something."""
        headers = {"Authorization": f"Bearer {token_file(self.theatre.home).read_text().strip()}"}
        connection = http.client.HTTPConnection("127.0.0.1", self.theatre.port, timeout=PATIENCE)
        with closing(connection):
            connection.request("POST", path, json.dumps(body), {**headers, "Content-Type": "application/json"})
            answer = connection.getresponse()
            assert answer.status == 201, answer.read()

    def begin(self) -> None:
        """Give the gateway its variables and rules."""
        for name in ("clicks", "openings", "delays"):
            about = {"scope": "global", "id": name, "type": "number", "value": 0, "name": name}
            self.post("/api/v1/graphs/variables", about)
        for name, nodes in (("点击", clicks()), ("开门", openings()), *(("以后", later(each)) for each in DELAYS)):
            self.post("/api/v1/graphs", {"name": name, "nodes": nodes, "enable": True})

    def rows(self, sql: str) -> list[Any]:
        with closing(open_store(self.url)) as store, store.read() as tx:
            return tx.rows(sql)

    def await_settled(self) -> None:
        """Wait until nothing is left to do."""
        tick = threading.Event()
        for _ in range(int(PATIENCE / 0.1)):
            if not self.rows("SELECT 1 FROM jobs WHERE finished_at IS NULL AND name LIKE 'gateway.%'"):
                return
            tick.wait(0.1)
        pytest.fail(f"left to do: {self.rows('SELECT name, state, error FROM jobs WHERE finished_at IS NULL')}")


@pytest.fixture
def gateway(dialect: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Hub]:
    url = None if dialect == "sqlite" else request.getfixturevalue("fresh_url")
    with ExitStack() as processes:
        yield Hub(Theatre(tmp_path, processes), url)


def kill_again_and_again(theatre: Theatre, pressing: subprocess.Popen[str], chance: random.Random) -> None:
    """Start the server and kill it at a random moment, while the button is pressed."""
    pause = threading.Event()
    for _ in range(KILLS):
        assert pressing.poll() is None, "nobody presses"
        server = theatre.serve()
        if chance.random() < 0.4:
            greeted(server)
        pause.wait(chance.uniform(0, 0.7))
        assert server.poll() is None, "it ended by itself"
        theatre.end(server)


def test_every_click_is_counted_once_and_no_delay_is_forgotten_however_often_the_server_is_killed(gateway):
    theatre = gateway.theatre
    server = theatre.serve()
    greeted(server)
    gateway.begin()
    pressing = theatre.start(HERE / "presser.py", theatre.home, SEED)
    assert pressing.stdout.readline() == "begins\n"
    theatre.end(server)
    kill_again_and_again(theatre, pressing, random.Random(SEED))
    server = theatre.serve()
    greeted(server)
    pressing.send_signal(signal.SIGTERM)
    told, _ = pressing.communicate(timeout=PATIENCE)
    assert pressing.returncode == 0
    gateway.await_settled()
    server.send_signal(signal.SIGTERM)
    server.communicate(timeout=PATIENCE)
    assert server.returncode == 0

    counted = dict(gateway.rows("SELECT id, value FROM gateway_variables"))
    assert {name: float(counted[name]) for name in counted} == {**json.loads(told), "delays": len(DELAYS)}
    assert gateway.rows(f"SELECT value FROM virtual_values WHERE did = '{LAMP}' AND iid = 'prop.2.1'") == [("true",)]
    assert gateway.rows("SELECT state FROM gateway_commands") == [("done",)] * len(DELAYS)
