"""The Home Assistant that the settings name: the hub, its channels, and what it tells."""

from __future__ import annotations

from zhixing.kernel.clock import Clock
from zhixing.settings.model import HomeAssistant as Wanted
from zhixing.settings.model import HomeAssistantFact
from zhixing.world.devices.joined import part
from zhixing.world.devices.keeping import Keeper
from zhixing.world.devices.port import DeviceHub
from zhixing.world.homeassistant.address import Address
from zhixing.world.homeassistant.facts import SENSING, Fact
from zhixing.world.homeassistant.hub import HomeAssistant
from zhixing.world.homeassistant.link import Patience
from zhixing.world.homeassistant.notifying import Notify
from zhixing.world.homeassistant.watching import Asked, Take, Watcher


def home_assistant_of(
    wanted: Wanted, clock: Clock, keeper: Keeper, *, patience: Patience | None = None
) -> HomeAssistant | None:
    """Make the hub; None when none is named. Asks nothing yet. Raises `BadInput` for an address that is none."""
    if not wanted.url:
        return None
    address = Address(wanted.url, wanted.token.get_secret_value().strip())
    _ = address.base
    return HomeAssistant(address, clock, keeper, speech=wanted.speech, facts=facts_of(wanted), patience=patience)


def notify_channels(wanted: Wanted, hub: HomeAssistant | None) -> dict[str, Notify]:
    """Make the channels of its notify services, each under the name of the service."""
    if hub is None:
        return {}
    return {name: Notify(name, hub.link, name) for name in wanted.notify_services}


def watcher_of(wanted: Wanted, hub: DeviceHub, clock: Clock, *, take: Take, asked: Asked) -> Watcher | None:
    """Let what Home Assistant tells be handed to `take`; None where it tells nothing. Before anybody uses the hub."""
    facts = facts_of(wanted)
    assistant = part(hub, HomeAssistant)
    if not facts or assistant is None:
        return None
    watcher = Watcher(facts, clock, take=take, asked=asked, begin=assistant.link.start)
    assistant.picture.follow(watcher)
    return watcher


def facts_of(wanted: Wanted) -> tuple[Fact, ...]:
    """Read the facts. What is no sensor and no button speaks under the name of the fact."""
    return tuple(_fact(name, each) for name, each in wanted.facts.items())


def _fact(name: str, wanted: HomeAssistantFact) -> Fact:
    speaks = wanted.entity.partition(".")[0] in SENSING
    pairs = (part.partition("=") for part in wanted.data.split(",") if part.strip())
    return Fact(
        source=wanted.entity if speaks else name,
        condition=wanted.condition.strip(),
        entity=wanted.entity,
        states=tuple(text for part in wanted.state.split(",") if (text := part.strip())),
        above=wanted.above,
        below=wanted.below,
        attribute=wanted.attribute.strip(),
        event=wanted.event.strip(),
        data=tuple((key.strip(), value.strip()) for key, _, value in pairs),
    )
