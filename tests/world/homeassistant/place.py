"""The house of `house.py` behind the hub, with the names that the contract of hubs uses, and hands that reach it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec
from tests.world.conftest import Assistant

from zhixing.kernel.clock import SystemClock
from zhixing.world.devices.keeping import MemoryKeeper
from zhixing.world.devices.port import Camera, Device, DeviceSpec, Level, Person, Result
from zhixing.world.homeassistant.hub import HomeAssistant
from zhixing.world.homeassistant.link import Patience

IDS = {
    "lamp": "light.lamp",
    "lamq": "light.lamq",
    "unplugged": "light.unplugged",
    "unreachable": "light.unreachable",
    "jammed": "light.jammed",
    "silent": "light.silent",
    "curtain": "cover.curtain",
    "speaker": "media_player.speaker",
    "ac": "climate.ac",
    "climate": "sensor.climate",
    "door": "binary_sensor.door",
    "button": "event.button",
    "cam_living": "camera.living",
    "cam_entrance": "camera.entrance",
    "cam_bedroom": "camera.bedroom",
    "cam_wide:ch1": "camera.wide_1",
    "cam_wide:ch2": "camera.wide_2",
    "cam_away": "camera.away",
}
NAMES = {entity_id: name for name, entity_id in IDS.items()}
SOON = Patience(connect=20.0, answer=20.0, first_pause=0.05, longest_pause=0.2)


class Renamed:
    """The hub under the names of the contract. The lamp that never answers is waited for by an impatient one."""

    def __init__(self, hub: HomeAssistant, impatient: HomeAssistant) -> None:
        self._patient, self._impatient = hub, impatient

    def devices(self) -> Sequence[Device]:
        return [replace(each, did=NAMES.get(each.did, each.did)) for each in self._patient.devices()]

    def spec(self, did: str) -> DeviceSpec:
        return replace(self._patient.spec(IDS.get(did, did)), did=did)

    def cameras(self) -> Sequence[Camera]:
        return [replace(each, did=NAMES.get(each.did, each.did)) for each in self._patient.cameras()]

    def people(self) -> Sequence[Person]:
        return self._patient.people()

    def use_camera(self, did: str, *, in_use: bool) -> Camera:
        return replace(self._patient.use_camera(IDS.get(did, did), in_use=in_use), did=did)

    def read(self, did: str, iid: str) -> Result:
        return self._hub(did).read(IDS.get(did, did), iid)

    def write(self, did: str, iid: str, value: Level) -> Result:
        return self._hub(did).write(IDS.get(did, did), iid, value)

    def act(self, did: str, iid: str, params: Sequence[Level]) -> Result:
        return self._hub(did).act(IDS.get(did, did), iid, params)

    def _hub(self, did: str) -> HomeAssistant:
        return self._impatient if did == "silent" else self._patient


class AssistantPlace:
    """The house, and somebody in it."""

    away = ("unplugged", "unreachable")
    people = (("person.lin_zhi_xia", "林知夏", ""), ("person.xiao_ke_ren", "小客人", ""))

    def __init__(self, assistant: Assistant) -> None:
        self.assistant = assistant
        self.home = HomeAssistant(assistant.address, SystemClock(), MemoryKeeper(), patience=SOON)
        self.impatient = HomeAssistant(
            assistant.address, SystemClock(), MemoryKeeper(), patience=Patience(connect=20.0, answer=0.3)
        )
        self.hub = Renamed(self.home, self.impatient)

    def begin(self) -> None:
        """Put everything back."""
        self.home._keeper = MemoryKeeper()
        self.call("house", "reset")
        for each in ("cam_living", "cam_entrance", "cam_wide:ch1", "cam_wide:ch2"):
            self.hub.use_camera(each, in_use=True)

    def close(self) -> None:
        self.home.close()
        self.impatient.close()

    def id(self, name: str) -> str:
        return IDS[name]

    def pass_time(self, seconds: float) -> None:
        """Let the curtain arrive."""
        assert seconds
        self.let("cover.curtain", "arrived", True)

    def let(self, entity_id: str, name: str, value: object) -> None:
        """Change something as hands do."""
        self.call("house", "set", thing=entity_id, name=name, value=value)

    def call(self, domain: str, service: str, **data: object) -> None:
        self.home.link.ask("call_service", domain=domain, service=service, service_data=data)

    def commands(self, name: str) -> list[tuple[str, tuple[Level, ...]]]:
        """Say what arrived at a device, as the contract calls it."""
        return [_translated(*each) for each in self.told(IDS.get(name, name), self.hub._hub(name))]

    def told(self, entity_id: str, hub: HomeAssistant | None = None) -> list[tuple[str, list[Level]]]:
        """Say what arrived at an entity, through the connection it was sent over, so that nothing is on its way."""
        raw = (hub or self.home).link.ask(
            "call_service",
            domain="house",
            service="commands",
            service_data={"thing": entity_id},
            return_response=True,
        )
        return [(what, values) for what, values in msgspec.json.decode(raw)["response"]["commands"]]


def _translated(service: str, values: list[Level]) -> tuple[str, tuple[Level, ...]]:
    match service, values:
        case "toggle", _:
            return ("action.2.1", ())
        case "turn_on", [int(brightness)]:
            return ("prop.2.2", (round(brightness * 100 / 255),))
        case (("turn_on" | "turn_off"), []):
            return ("prop.2.1", (service == "turn_on",))
        case "play_media", [text]:
            return ("action.5.1", (text,))
    raise AssertionError((service, values))


def wait_for(holds: Callable[[], bool]) -> None:
    """Wait until something that another thread is told of has come."""
    clock, never = SystemClock(), threading.Event()
    end = clock.monotonic() + 60
    while not holds():
        assert clock.monotonic() < end, "it never came"
        clock.wait(never, 0.01)
