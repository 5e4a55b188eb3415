"""What the settings say of MQTT, put together."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from zhixing.app import App
from zhixing.faces.mqtt.telling import Telling
from zhixing.faces.perception_wire import take
from zhixing.kernel.clock import Clock
from zhixing.settings.model import Mqtt, MqttFact
from zhixing.settings.mqtt import broker_of
from zhixing.world.mqtt.facts import Fact
from zhixing.world.mqtt.frigate import Frigate
from zhixing.world.mqtt.reading import Reader
from zhixing.world.mqtt.watching import Watching


@dataclass(frozen=True, slots=True)
class Bridge:
    """Runs from `start` to `stop`, beside the engine; between them it comes back by itself."""

    watching: Watching
    telling: Telling

    def start(self) -> None:
        """Begin; returns at once, whether the broker is there or not."""
        self.telling.start()
        self.watching.start()

    def stop(self) -> None:
        """End; what came in is taken first."""
        self.telling.stop()
        self.watching.stop()


def bridge_of(wanted: Mqtt, app: App, clock: Clock) -> Bridge | None:
    """Return the bridge that the settings ask for; None where they name no broker. It is not started."""
    broker = broker_of(wanted)
    if broker is None:
        return None
    watching = Watching(
        broker, reader_of(wanted), lambda verdicts: take(app.rules, verdicts), clock, prefix=wanted.prefix
    )
    return Bridge(watching, Telling(app.store, watching, clock, prefix=wanted.prefix))


def reader_of(wanted: Mqtt) -> Reader:
    """Return who knows what the topics say."""
    seen = wanted.frigate
    cameras = {name: camera.source for name, camera in seen.cameras.items()}
    frigate = Frigate(cameras, seen.prefix, seen.absent, seen.present, seen.arrives)
    return Reader(wanted.prefix, [_fact(name, fact) for name, fact in wanted.facts.items()], frigate)


def _fact(name: str, fact: MqttFact) -> Fact:
    return Fact(
        name=name,
        topic=fact.topic,
        condition=fact.condition,
        source=fact.source,
        field=fact.field,
        equals=fact.equals,
        above=fact.above,
        below=fact.below,
        time=fact.time,
        expires=timedelta(seconds=fact.expires) if fact.expires else None,
        availability=fact.availability,
    )
