"""A server that answers as it is told, for what no honest Home Assistant does."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from zhixing.kernel.clock import SystemClock
from zhixing.world.devices.keeping import MemoryKeeper
from zhixing.world.homeassistant.address import Address
from zhixing.world.homeassistant.hub import HomeAssistant
from zhixing.world.homeassistant.link import Patience

HASTY = Patience(connect=5.0, answer=5.0, first_pause=0.01, longest_pause=0.02)
EMPTY = {
    "get_config": {"state": "RUNNING"},
    "get_states": [],
    "config/area_registry/list": [],
    "config/device_registry/list": [],
    "config/entity_registry/list": [],
}


class Impostor:
    """One connection of the server, as the handler of a test sees it."""

    def __init__(self, connection: ServerConnection) -> None:
        self.connection = connection
        self.asked: list[dict] = []
        self.events: dict[str, int] = {}

    def say(self, *said: object) -> None:
        for each in said:
            self.connection.send(json.dumps(each))

    def hear(self) -> dict:
        heard = json.loads(self.connection.recv())
        self.asked.append(heard)
        return heard

    def let_in(self) -> None:
        self.say({"type": "auth_required", "ha_version": "2026.11"})
        self.hear()
        self.say({"type": "auth_ok", "ha_version": "2026.11"})

    def answer(self, heard: dict, **answers: object) -> None:
        """Answer one command as an empty home does, unless `answers` has another result for it."""
        if heard["type"] == "subscribe_events":
            self.events[heard["event_type"]] = heard["id"]
        result = {**EMPTY, **answers}.get(heard["type"])
        self.say({"id": heard["id"], "type": "result", "success": True, "result": result})

    def begin(self, **answers: object) -> None:
        """Let in, and answer until all states were told."""
        self.let_in()
        while True:
            heard = self.hear()
            self.answer(heard, **answers)
            if heard["type"] == "get_states":
                return

    def change(self, entity_id: str, before: str | None, after: str | None, number: int = 0, **attributes) -> None:
        """Tell of a change."""

        def state(text: str | None) -> dict | None:
            told = {"entity_id": entity_id, "state": text, "attributes": attributes, "context": {"id": f"c{number}"}}
            return None if text is None else told

        data = {"entity_id": entity_id, "old_state": state(before), "new_state": state(after)}
        self.happen("state_changed", data, number)

    def happen(self, kind: str, data: object, number: int = 0) -> None:
        event = {"event_type": kind, "data": data, "time_fired": f"t{number}", "context": {"id": f"c{number}"}}
        self.say({"id": self.events[kind], "type": "event", "event": event})


Handler = Callable[[Impostor], None]
Impose = Callable[..., HomeAssistant]


@pytest.fixture
def impose() -> Iterator[Impose]:
    """Make a hub whose Home Assistant does what a handler does: `impose(handler)`."""
    made: list = []

    def make(handler: Handler, patience: Patience = HASTY, **options) -> HomeAssistant:
        def handle(connection: ServerConnection) -> None:
            with suppress(ConnectionClosed):
                handler(Impostor(connection))

        server = serve(handle, "127.0.0.1", 0, max_size=None, compression=None)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        port = server.socket.getsockname()[1]
        hub = HomeAssistant(
            Address(f"http://127.0.0.1:{port}", "token"), SystemClock(), MemoryKeeper(), patience=patience, **options
        )
        made.append((hub, server, thread))
        return hub

    yield make
    for hub, server, thread in made:
        with closing(hub):
            pass
        server.shutdown()
        thread.join()
