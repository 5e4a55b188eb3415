"""A connection to the broker for devices: what they say is handed on, and what is told them is acknowledged or unsure.

Every connection is a new client without a session: what was not acknowledged on one never leaves on the next. It begins
when it is first needed or told to, in a thread of its own, and ends with `close`.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Sequence
from typing import Any

from paho.mqtt.client import Client, ConnectFlags, MQTTMessage
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from zhixing.kernel.clock import Clock
from zhixing.world.devices.port import Done, Failed, Result, Uncertain
from zhixing.world.mqtt.broker import (
    KEEP_ALIVE,
    SECONDS,
    Broker,
    Trouble,
    greeting,
    new_client,
    why_not_connected,
    why_refused,
)

_log = logging.getLogger("zhixing.mqtt")

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0
"""Seconds between two attempts to connect; each pause is twice the one before."""
FIRST_LOOK = 5.0
"""Seconds that the first who asks waits for the connection and for what the broker keeps."""
LEAVING = 2.0
"""Seconds that `close` waits: an attempt to connect to somebody who does not answer takes longer, and is let be."""
NOBODY = 0x10
"""The code of an acknowledgement: nobody listens to that topic."""
REFUSED = 0x80
"""From here on, codes say no."""
_NO_RETAINED = 2

Heard = Callable[[str, bytes], None]


class _Answer:
    """What is still to be said to one message; `code` is None where nothing will be."""

    def __init__(self) -> None:
        self.settled = threading.Event()
        self.code: int | None = None


class Link:
    """Keeps a connection that listens to `topics`. Safe to use from several threads.

    `began` is called when a connection begins, before anything is heard on it; `heard` with each message. Both are
    called by the thread of the link.
    """

    def __init__(
        self,
        broker: Broker,
        topics: Sequence[str],
        clock: Clock,
        *,
        began: Callable[[], None],
        heard: Heard,
        seconds: float = SECONDS,
        pause: float = FIRST_PAUSE,
    ) -> None:
        self._broker = broker
        self._topics = topics
        self._clock = clock
        self._began = began
        self._heard = heard
        self._seconds = seconds
        self._first_pause = pause
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._session: _Session | None = None
        self._tried = threading.Event()
        self._stopping = threading.Event()
        self._trouble: str | None = None

    @property
    def is_up(self) -> bool:
        """Whether there is a connection, and what the broker keeps was heard."""
        return self._session is not None

    def start(self) -> None:
        """Begin to connect, unless that has begun."""
        with self._lock:
            if self._thread is None and not self._stopping.is_set():
                self._thread = threading.Thread(target=self._run, name="mqtt-devices", daemon=True)
                self._thread.start()

    def ready(self) -> bool:
        """Whether there is a connection; until the first attempt has an outcome, that is waited for, bounded."""
        if self._session is None and not self._tried.is_set():
            self.start()
            _wait(self._clock, self._tried, FIRST_LOOK)
            self._tried.set()
        return self._session is not None

    def tell(self, topic: str, payload: bytes) -> Result:
        """Publish once with QoS 1, not retained, and wait for the acknowledgement."""
        self.ready()
        session = self._session
        return Failed("hub_unreachable") if session is None else session.tell(topic, payload)

    def close(self) -> None:
        """End for good. What still waits for an acknowledgement is told that none will come."""
        self._stopping.set()
        thread = self._thread
        if thread is not None:
            thread.join(LEAVING)

    def _run(self) -> None:
        pause = self._first_pause
        while not self._stopping.is_set():
            came = False
            try:
                came, trouble = self._live()
            # A broken connection, whatever broke it, is what this loop is for.
            except Exception:  # noqa: BLE001
                _log.exception("the connection to the MQTT broker broke")
                trouble = "connection_lost"
            self._tried.set()
            if self._stopping.is_set():
                return
            if trouble != self._trouble:
                _log.warning("%s", Trouble(trouble, self._broker).text())
            self._trouble = trouble
            pause = self._first_pause if came else pause
            _wait(self._clock, self._stopping, pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _live(self) -> tuple[bool, str]:
        """Connect and stay so; return whether that succeeded, and why it is over."""
        try:
            client = new_client(self._broker, f"zhixing-devices-{secrets.token_hex(8)}")
            session = _Session(client, self._topics, self._clock, self._heard, self._seconds)
            self._began()
            client.connect(self._broker.host, self._broker.port, KEEP_ALIVE, properties=greeting(0))
        except (OSError, ValueError) as error:
            return False, why_not_connected(error)
        begun = self._clock.monotonic()
        try:
            while not self._stopping.is_set() and not session.broken:
                if client.loop(timeout=0.25) != MQTTErrorCode.MQTT_ERR_SUCCESS:
                    break
                if session.ready and self._session is None:
                    self._session, self._trouble = session, None
                    self._tried.set()
                if not session.ready and self._clock.monotonic() - begun > SECONDS:
                    break
        finally:
            self._session = None
            session.end()
            client.disconnect()
            client.loop(timeout=0.0)
        if session.refused is not None:
            return False, why_refused(session.refused)
        return session.ready, "connection_lost" if session.ready else "no_greeting"


class _Session:
    """One connection."""

    def __init__(self, client: Client, topics: Sequence[str], clock: Clock, heard: Heard, seconds: float) -> None:
        self.refused: int | None = None
        self.ready = False
        self.broken = False
        """Set where the connection must not go on: what was given up must not leave later."""
        self._client = client
        self._topics = topics
        self._clock = clock
        self._heard = heard
        self._seconds = seconds
        self._ended = False
        self._fence: int | None = None
        self._answers: dict[int, _Answer] = {}
        client.on_connect = self._greeted
        client.on_subscribe = self._subscribed
        client.on_message = self._came
        client.on_publish = self._acknowledged
        # With this, whoever publishes from another thread only wakes ours: two that write would mix their packets.
        client.on_socket_register_write = _left_to_our_thread

    def tell(self, topic: str, payload: bytes) -> Result:
        """Publish once; what became of it."""
        told = self._client.publish(topic, payload, qos=1, retain=False)
        if told.rc != MQTTErrorCode.MQTT_ERR_SUCCESS:
            # Nothing of it has left, and with the connection goes what waits in the client.
            self.broken = True
            return Failed("hub_unreachable")
        # The acknowledgement may be faster than we are; whoever comes first lays the answer out. No lock: the client
        # holds one of its own when it tells us.
        answer = self._answers.setdefault(told.mid, _Answer())
        if not self._ended:
            _wait(self._clock, answer.settled, self._seconds)
        code = answer.code
        self._answers.pop(told.mid, None)
        if code is None:
            self.broken = True
            return Uncertain("no_answer")
        if code == NOBODY:
            return Failed("offline")
        return Failed("device_refused") if code >= REFUSED else Done()

    def end(self) -> None:
        """Tell all who wait that nothing more will come."""
        self._ended = True
        for answer in tuple(self._answers.values()):
            answer.settled.set()

    def _greeted(
        self, client: Client, _data: Any, _flags: ConnectFlags, reason: ReasonCode, _properties: Properties | None
    ) -> None:
        if reason.is_failure:
            self.refused, self.broken = reason.value, True
            return
        # QoS 1 would promise nothing more without a session, and holds back what goes beyond a few messages at once.
        client.subscribe([(each, SubscribeOptions(qos=0)) for each in self._topics])
        # Answered behind what the broker keeps: from then on, silence means that nothing is known.
        again = [(self._topics[0], SubscribeOptions(qos=0, retainHandling=_NO_RETAINED))]
        self._fence = client.subscribe(again)[1]

    def _subscribed(
        self, _client: Client, _data: Any, mid: int, reasons: list[ReasonCode], _properties: Properties | None
    ) -> None:
        if mid == self._fence:
            self.ready = True
            return
        for topic, reason in zip(self._topics, reasons, strict=False):
            if reason.is_failure:
                _log.warning("the MQTT broker refused to let us listen to %s", topic)

    def _came(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        try:
            self._heard(message.topic, bytes(message.payload))
        # Whatever somebody sent, the others must be heard.
        except Exception:  # noqa: BLE001
            _log.exception("a message of the MQTT broker could not be read")

    def _acknowledged(
        self, _client: Client, _data: Any, mid: int, reason: ReasonCode, _properties: Properties | None
    ) -> None:
        answer = self._answers.setdefault(mid, _Answer())
        answer.code = reason.value
        answer.settled.set()


def _wait(clock: Clock, event: threading.Event, seconds: float) -> None:
    end = clock.monotonic() + seconds
    while (left := end - clock.monotonic()) > 0 and not clock.wait(event, left):
        pass


def _left_to_our_thread(_client: Client, _data: Any, _socket: Any) -> None:
    return None
