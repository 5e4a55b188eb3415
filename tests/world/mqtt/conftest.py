"""A mosquitto of our own on a free port of the loopback, which can be killed and started again."""

from __future__ import annotations

import queue
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from zhixing.kernel.clock import SystemClock
from zhixing.world.mqtt.broker import Broker
from zhixing.world.perception.verdict import Verdict

PATIENCE = 20.0
"""Seconds after which a test gives up on something that is to come."""
MOSQUITTO = next(
    (path for path in ("/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto") if Path(path).exists()), "mosquitto"
)


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Mosquitto:
    """The broker. What it keeps is gone when it is killed: it has no disk."""

    def __init__(self, folder: Path, *lines: str) -> None:
        self.port = free_port()
        self._config = folder / f"mosquitto-{self.port}.conf"
        text = (f"listener {self.port} 127.0.0.1", "persistence false", "log_dest stderr", *lines)
        self._config.write_text("\n".join(text) + "\n", encoding="utf-8")
        self.start()

    @property
    def broker(self) -> Broker:
        return Broker("127.0.0.1", self.port)

    def start(self) -> None:
        with self._config.with_suffix(".log").open("ab") as log:
            try:
                self._process = subprocess.Popen([MOSQUITTO, "-c", self._config], stdout=log, stderr=log)
            except FileNotFoundError:
                pytest.fail("没有 mosquitto，请先运行：make services", pytrace=False)
        until(self._answers)

    def _answers(self) -> bool:
        assert self._process.poll() is None, self._config.with_suffix(".log").read_text()
        with closing(socket.socket()) as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def pause(self) -> None:
        """Let it answer nobody, with all connections open, until it is killed."""
        self._process.send_signal(signal.SIGSTOP)

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()


class Peer:
    """Somebody else at the broker."""

    def __init__(self, broker: Broker, *topics: str) -> None:
        self.came: queue.Queue[MQTTMessage] = queue.Queue()
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        self._client.username_pw_set(broker.user or None, broker.password or None)
        ready = threading.Event()
        self._client.on_message = lambda _client, _data, message: self.came.put(message)
        self._client.on_subscribe = lambda *_: ready.set()
        self._client.on_connect = lambda client, *_: client.subscribe([(each, 1) for each in (*topics, "peer/none")])
        self._client.connect(broker.host, broker.port)
        self._client.loop_start()
        assert ready.wait(PATIENCE)

    def publish(self, topic: str, payload: str | bytes, *, retained: bool = False, qos: int = 1) -> None:
        told = self._client.publish(topic, payload, qos=qos, retain=retained)
        told.wait_for_publish(PATIENCE)

    def next(self) -> tuple[str, bytes, bool]:
        message = self.came.get(timeout=PATIENCE)
        return message.topic, message.payload, message.retain

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


class Taker:
    """Takes verdicts as the rules do, and keeps them."""

    def __init__(self) -> None:
        self.came: queue.Queue[Verdict] = queue.Queue()

    def __call__(self, verdicts: Sequence[Verdict]) -> None:
        for verdict in verdicts:
            self.came.put(verdict)

    def next(self) -> Verdict:
        return self.came.get(timeout=PATIENCE)


def until(so: Callable[[], object]) -> None:
    """Wait until something is so."""
    clock, never = SystemClock(), threading.Event()
    end = clock.monotonic() + PATIENCE
    while not so():
        assert clock.monotonic() < end
        clock.wait(never, 0.01)


@pytest.fixture
def closing_time() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def mosquitto(tmp_path: Path, closing_time: ExitStack) -> Callable[..., Mosquitto]:
    """Start a broker with more lines of configuration; those of one test end with it."""

    def start(*lines: str) -> Mosquitto:
        broker = Mosquitto(tmp_path, *(lines or ("allow_anonymous true",)))
        closing_time.callback(broker.kill)
        return broker

    return start
