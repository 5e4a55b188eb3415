"""The connection to the broker: what comes in becomes verdicts, what is to be told goes out.

One thread talks to the broker, another hands over verdicts, so that a slow database does not cost the connection. The
broker keeps our session for `SESSION` seconds after a connection broke, for one running program: a short break loses no
message of QoS 1, and after a long one nothing old comes as if it were new. What the broker sends twice is told once,
because events have names and levels say the same again.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage, MQTTMessageInfo
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Unavailable
from zhixing.kernel.wording import wording
from zhixing.world.mqtt import topics
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
from zhixing.world.mqtt.counting import Faults
from zhixing.world.mqtt.holding import Holding
from zhixing.world.mqtt.limits import MOST_WAITING
from zhixing.world.mqtt.reading import Reader
from zhixing.world.mqtt.said import Fault
from zhixing.world.mqtt.standing import Standing
from zhixing.world.perception.verdict import Verdict

_log = logging.getLogger("zhixing.mqtt")

SESSION = 30
"""Seconds; as old an event may be and still be one (`tasks.rules`), and as long what stood before is believed."""
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0
"""Seconds between two attempts to connect; each pause is twice the one before."""
LEAVING = 1.0
"""Seconds for what is still to be told when we go."""
BATCH = 500
"""Verdicts handed over at once."""
ONLINE, OFFLINE = b"online", b"offline"

WITH_WILL = 0x04
"""The code for leaving in such a way that the broker publishes the last will."""
MOST_UNSENT = 1_000
"""Messages that wait for the broker; with more, `tell` tells nothing."""

Sink = Callable[[Sequence[Verdict]], object]


class Watching:
    """Watches a broker from `start` to `stop`. `sink` is called by a thread of ours, with a batch at a time.

    `pause` are the seconds after a first failure; each further pause is twice as long. `waiting` is how many verdicts
    may wait for the sink. `counts` says how often something could not be used, by its kind.
    """

    def __init__(
        self,
        broker: Broker,
        reader: Reader,
        sink: Sink,
        clock: Clock,
        *,
        prefix: str,
        pause: float = FIRST_PAUSE,
        waiting: int = MOST_WAITING,
    ) -> None:
        self.broker = broker
        self.trouble: Trouble | None = None
        """Why there is no connection; None while there is one, or none was tried yet."""
        self.greetings = 0
        """How many times the broker has greeted us."""
        self.attempts = 0
        """How many times it was tried."""
        self._reader = reader
        self._sink = sink
        self._clock = clock
        self._first_pause = pause
        self._status = topics.status(prefix)
        self._standing = Standing(reader.levels)
        self._faults = Faults()
        self._holding = Holding(waiting)
        self._stopping = threading.Event()
        self._client: Client | None = None
        self._farewell: MQTTMessageInfo | None = None
        self._online = False
        self._refused: str | None = None
        self._lost_at: float | None = None
        self._threads: list[threading.Thread] = []

    @property
    def online(self) -> bool:
        """Whether the broker has greeted us and is there."""
        return self._online

    @property
    def counts(self) -> dict[str, int]:
        """How many messages could not be used, by kind; `left_out` are levels that did not fit."""
        return {**self._faults.counts, "left_out": self._holding.left_out}

    def start(self) -> None:
        """Begin; returns at once, whether the broker is there or not."""
        self._threads = [
            threading.Thread(target=self._watch, name="mqtt", daemon=True),
            threading.Thread(target=self._hand_over, name="mqtt-verdicts", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Say that we are gone, and end; what has come in is handed over first."""
        self._stopping.set()
        if self._client is not None and self._online:
            # This also wakes the thread that waits for the broker.
            self._farewell = self._client.publish(self._status, OFFLINE, qos=1, retain=True)
        self._holding.stirred.set()
        self._holding.room.set()
        for thread in self._threads:
            thread.join(2 * SECONDS)

    def tell(self, topic: str, payload: bytes, *, retained: bool) -> bool:
        """Publish with QoS 1; False while there is no connection. Does not wait for the broker."""
        client = self._client
        if client is None or not self._online:
            return False
        return client.publish(topic, payload, qos=1, retain=retained).rc == MQTTErrorCode.MQTT_ERR_SUCCESS

    # The thread that talks to the broker

    def _watch(self) -> None:
        pause = self._first_pause
        while not self._stopping.is_set():
            before = self.greetings
            self.attempts += 1
            try:
                trouble = self._stay_connected()
            # A broken connection, whatever broke it, is what this loop is for.
            except Exception:  # noqa: BLE001
                _log.exception("the connection to the MQTT broker broke")
                trouble = "connection_lost"
            self._online = False
            if self._stopping.is_set():
                return
            if self.greetings != before:
                pause = self._first_pause
            self._note(Trouble(trouble, self.broker))
            self._pause(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _note(self, trouble: Trouble) -> None:
        if self._lost_at is None:
            self._lost_at = self._clock.monotonic()
        if trouble != self.trouble:
            _log.warning("%s", trouble.text())
        self.trouble = trouble

    def _pause(self, seconds: float) -> None:
        end = self._clock.monotonic() + seconds
        while not self._stopping.is_set() and (left := end - self._clock.monotonic()) > 0:
            self._look_at_time()
            self._clock.wait(self._stopping, left)

    def _look_at_time(self) -> None:
        now = self._clock.now()
        if self._lost_at is not None and self._clock.monotonic() - self._lost_at > SESSION:
            self._bring(self._standing.lost(now))
        self._bring(self._standing.expired(now))

    def _stay_connected(self) -> str:
        """Connect and stay so; return why it is over."""
        self._refused = None
        try:
            client = self._client = self._client or self._new_client()
            client.reconnect()
        except (OSError, ValueError) as error:
            return why_not_connected(error)
        begun, before = self._clock.monotonic(), self.greetings
        while not self._stopping.is_set():
            if client.loop(timeout=1.0) != MQTTErrorCode.MQTT_ERR_SUCCESS:
                break
            if self.greetings == before and self._clock.monotonic() - begun > SECONDS:
                break
            self._look_at_time()
        if self._stopping.is_set():
            self._leave(client)
        if self._refused is not None:
            return self._refused
        return "connection_lost" if self.greetings != before else "no_greeting"

    def _new_client(self) -> Client:
        # The name is new for each run of the program: two programs do not drive each other out.
        client = new_client(self.broker, f"zhixing-{secrets.token_hex(8)}")
        client.will_set(self._status, OFFLINE, qos=1, retain=True)
        client.on_connect = self._greeted
        client.on_subscribe = self._subscribed
        client.on_message = self._came
        client.on_disconnect = self._parted
        # With this, whoever publishes from another thread only wakes ours: two that write would mix their packets.
        client.on_socket_register_write = _left_to_our_thread
        client.max_queued_messages_set(MOST_UNSENT)
        client.connect_async(self.broker.host, self.broker.port, KEEP_ALIVE, properties=greeting(SESSION))
        return client

    def _leave(self, client: Client) -> None:
        end = self._clock.monotonic() + LEAVING
        farewell = self._farewell
        while self._online and farewell is not None and not farewell.is_published() and self._clock.monotonic() < end:
            client.loop(timeout=0.1)
        self._online = False
        # What is said last waits behind all else that the broker has not acknowledged: then our last will says it.
        said = farewell is not None and farewell.rc == MQTTErrorCode.MQTT_ERR_SUCCESS and farewell.is_published()
        client.disconnect(None if said else ReasonCode(PacketTypes.DISCONNECT, identifier=WITH_WILL))
        client.loop(timeout=0.1)

    def _greeted(
        self, client: Client, _data: Any, flags: ConnectFlags, reason: ReasonCode, _properties: Properties | None
    ) -> None:
        if reason.is_failure:
            self._refused = why_refused(reason.value)
            return
        if self.trouble is not None or self.greetings == 0:
            _log.info("%s", Trouble("connected", self.broker).text())
        self.trouble = None
        if not flags.session_present:
            # Messages may have been missed. What the broker keeps follows at once.
            self._bring(self._standing.lost(self._clock.now()))
        self._lost_at = None
        client.subscribe([(each, 1) for each in self._reader.filters])
        client.publish(self._status, ONLINE, qos=1, retain=True)
        self.greetings += 1
        self._online = True

    def _subscribed(
        self, _client: Client, _data: Any, _mid: int, reasons: list[ReasonCode], _properties: Properties | None
    ) -> None:
        for wanted, reason in zip(self._reader.filters, reasons, strict=False):
            if reason.is_failure:
                self._fault(Fault("subscription_refused", wanted), self._clock.now())

    def _parted(
        self, _client: Client, _data: Any, _flags: DisconnectFlags, _reason: ReasonCode, _properties: Properties | None
    ) -> None:
        self._online = False

    def _came(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        now = self._clock.now()
        try:
            topic = message.topic
            said = self._reader.read(topic, bytes(message.payload), retained=message.retain, now=now)
            news, faults = self._standing.take(said, topic, now)
        except UnicodeDecodeError:
            self._fault(Fault("topic_wrong", "?"), now)
            return
        # Whatever somebody sent, the others must be heard.
        except Exception:  # noqa: BLE001
            _log.exception("a message of the MQTT broker could not be read")
            self._faults.counts["failed"] += 1
            return
        for fault in faults:
            self._fault(fault, now)
        self._bring(news)

    def _fault(self, fault: Fault, now: datetime) -> None:
        line = self._faults.note(fault, now)
        if line is not None:
            _log.warning("%s", line)

    def _bring(self, verdicts: Sequence[Verdict]) -> None:
        before = self._holding.left_out
        for verdict in verdicts:
            while not self._holding.bring(verdict) and not self._stopping.is_set():
                self._clock.wait(self._holding.room, 1.0)
        if self._holding.left_out != before:
            self._fault(Fault("levels_left_out", "", str(self._holding.left_out)), self._clock.now())

    # The thread that hands over

    def _hand_over(self) -> None:
        while True:
            batch = self._holding.take(BATCH)
            if batch:
                self._hand(batch)
            elif self._stopping.is_set():
                return
            else:
                self._clock.wait(self._holding.stirred, 1.0)

    def _hand(self, batch: Sequence[Verdict]) -> None:
        pause = self._first_pause
        while True:
            try:
                self._sink(batch)
            except Unavailable as error:
                # It will be there again: nothing is lost, and the broker waits.
                _log.warning("%s", wording("mqtt.not_taken", why=error))
                if self._stopping.is_set():
                    return
                self._clock.wait(self._stopping, pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            # A verdict that cannot be taken must not hold up the others; those around it are taken one by one.
            except Exception:  # noqa: BLE001
                if len(batch) == 1:
                    _log.exception("a verdict could not be taken")
                    self._faults.counts["not_taken"] += 1
                for verdict in batch if len(batch) > 1 else ():
                    self._hand([verdict])
                return
            else:
                return


def _left_to_our_thread(_client: Client, _data: Any, _socket: Any) -> None:
    return None
