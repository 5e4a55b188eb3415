"""Home Assistant as a hub: its entities are devices, each by its own id (`light.living_room`).

What is read is what Home Assistant told last, while there is a connection. A command is a service call that is waited
for: only where it was not sent, or Home Assistant said that it will not begin, is it certain that nothing happened.
Which cameras may judge is kept by us.
"""

from __future__ import annotations

from collections.abc import Sequence

from zhixing.kernel.clock import Clock
from zhixing.world.devices.judging import switched
from zhixing.world.devices.keeping import USE, By, Happening, Held, Keeper, Page
from zhixing.world.devices.names import misfit, quoted, settled, unknown_device
from zhixing.world.devices.port import (
    Camera,
    Device,
    DeviceSpec,
    Done,
    Failed,
    Level,
    Person,
    Result,
    Uncertain,
)
from zhixing.world.homeassistant.address import Address
from zhixing.world.homeassistant.facts import Fact
from zhixing.world.homeassistant.kinds import is_shown, kind_of
from zhixing.world.homeassistant.link import Link, Patience
from zhixing.world.homeassistant.members import AWAY, UNKNOWN, Call, Kind, Surroundings, one_line
from zhixing.world.homeassistant.picture import Picture
from zhixing.world.homeassistant.session import Away, Declined, Unanswered
from zhixing.world.homeassistant.wire import State

LONGEST_PERSON = 32
"""Characters of the name of a person."""
REFUSALS = frozenset({"not_found", "invalid_format", "unauthorized", "not_allowed", "service_validation_error"})
"""What Home Assistant says before anything begins; every other error may come from half-way."""


class HomeAssistant:
    """A `DeviceHub` over Home Assistant.

    `speech` is the entity that turns text into speech; "": the first there is. `facts` that no sensor tells are listed
    as sensors of their own, so that rules may name them. Listing devices raises `Unavailable` while there never was a
    connection; later they are listed as they were last known, and as away.
    """

    def __init__(
        self,
        address: Address,
        clock: Clock,
        keeper: Keeper,
        *,
        speech: str = "",
        facts: Sequence[Fact] = (),
        patience: Patience | None = None,
    ) -> None:
        self.address = address
        self.picture = Picture()
        self.link = Link(address, clock, self.picture, patience)
        self._clock = clock
        self._keeper = keeper
        self._speech = speech
        self._told = {fact.source: fact for fact in facts if fact.source != fact.entity}

    def devices(self) -> Sequence[Device]:
        """Return all devices, in the order of their ids; then what is told of under a name of its own."""
        self._look()
        around, is_up = self._around(), self.link.is_up
        entities = [
            Device(
                state.entity_id,
                name_of(state),
                one_line(self.picture.room(state.entity_id)),
                kind.category,
                self._model(state.entity_id),
                online=is_up and state.state != AWAY,
            )
            for state in self.picture.states()
            if (kind := self._kind(state, around)) is not None
        ]
        told = [
            Device(name, one_line(fact.condition), "", "button" if fact.is_moment else "sensor", "", online=is_up)
            for name, fact in self._told.items()
        ]
        return (*entities, *told)

    def spec(self, did: str) -> DeviceSpec:
        """Return what a device can do; raise `NotFound` when there is none of that id."""
        self._look()
        found = self._device(did)
        if found is None and did in self._told:
            return DeviceSpec(did, (), ())
        if found is None:
            raise unknown_device(did, self.devices())
        return found[1].spec(did)

    def cameras(self) -> Sequence[Camera]:
        """Return all cameras, in the order of their ids."""
        self._look()
        return self._keeper.read(self._seen_cameras)

    def people(self) -> Sequence[Person]:
        """Return the people of the home."""
        self._look()
        return tuple(Person(state.entity_id, name_of(state)[:LONGEST_PERSON]) for state in self._of("person"))

    def use_camera(self, did: str, *, in_use: bool) -> Camera:
        """Let a camera judge, or not: at most `MOST_IN_USE` at once, and none that is offline begins to."""
        self._look()

        def act(page: Page) -> Camera:
            camera, is_news = switched(self._seen_cameras(page), did, in_use=in_use)
            if is_news:
                now = self._clock.now()
                page.put(did, USE, Held(in_use, in_use, now, now))
                page.note(Happening(now, did, USE, (in_use,), By.COMMAND))
            return camera

        return self._keeper.write(act)

    def read(self, did: str, iid: str) -> Result:
        """Read a property, as Home Assistant last told it."""
        found = self._reached(did)
        if isinstance(found, Failed):
            return found
        state, kind = found
        member = kind.property(iid)
        if member is None:
            return Failed("property_missing", quoted(iid))
        if member.read is None:
            return Failed("write_only", member.spec.name)
        away = self._away(state)
        if away is not None:
            return away
        if state.state == UNKNOWN:
            return Uncertain("no_answer")
        level = member.read(state)
        if level is None or misfit(member.spec, level) == ("wrong_type", member.spec.format):
            return Failed("not_reported", member.spec.name)
        return Done(settled(member.spec, level))

    def write(self, did: str, iid: str, value: Level) -> Result:
        """Write a property."""
        found = self._reached(did)
        if isinstance(found, Failed):
            return found
        state, kind = found
        member = kind.property(iid)
        if member is None:
            return Failed("property_missing", quoted(iid))
        if member.write is None:
            return Failed("read_only", member.spec.name)
        fault = misfit(member.spec, value)
        if fault is not None:
            return Failed(*fault)
        return self._away(state) or self._called(did, member.write(settled(member.spec, value)))

    def act(self, did: str, iid: str, params: Sequence[Level]) -> Result:
        """Call an action."""
        found = self._reached(did)
        if isinstance(found, Failed):
            return found
        state, kind = found
        member = kind.action(iid)
        if member is None:
            return Failed("action_missing", quoted(iid))
        arguments = member.spec.arguments
        if len(params) != len(arguments):
            return Failed("arguments_count", str(len(arguments)))
        for spec, value in zip(arguments, params, strict=True):
            fault = misfit(spec, value)
            if fault is not None:
                return Failed(*fault)
        levels = [settled(spec, value) for spec, value in zip(arguments, params, strict=True)]
        return self._away(state) or self._called(did, member.call(levels))

    def close(self) -> None:
        """End the connection for good."""
        self.link.close()

    def _look(self) -> None:
        """Make sure that something is known; raise `Unavailable` where nothing ever was."""
        if not self.link.ready() and not self.picture.complete:
            raise self.link.trouble()

    def _reached(self, did: str) -> tuple[State, Kind] | Failed:
        self.link.ready()
        if not self.picture.complete:
            return Failed("hub_unreachable")
        return self._device(did) or Failed("device_missing", quoted(did))

    def _away(self, state: State) -> Failed | None:
        if not self.link.is_up:
            return Failed("hub_unreachable")
        return Failed("offline") if state.state == AWAY else None

    def _called(self, did: str, call: Call) -> Result:
        try:
            self.link.ask(
                "call_service",
                domain=call.domain,
                service=call.service,
                service_data=dict(call.data),
                target={"entity_id": call.target or did},
            )
        except Away:
            return Failed("hub_unreachable")
        except Declined as error:
            return Failed("device_refused") if error.code in REFUSALS else Uncertain("no_answer")
        except Unanswered:
            return Uncertain("no_answer")
        return Done()

    def _device(self, did: str) -> tuple[State, Kind] | None:
        state = self.picture.state(did)
        kind = None if state is None else self._kind(state, self._around())
        return None if state is None or kind is None else (state, kind)

    def _kind(self, state: State, around: Surroundings) -> Kind | None:
        return kind_of(state, around) if is_shown(self.picture.entry(state.entity_id)) else None

    def _around(self) -> Surroundings:
        return Surroundings(self._speech or next((each.entity_id for each in self._of("tts")), None))

    def _of(self, domain: str) -> list[State]:
        shown = self.picture
        return [each for each in shown.states(domain) if is_shown(shown.entry(each.entity_id))]

    def _model(self, entity_id: str) -> str:
        found = self.picture.appliance(entity_id)
        if found is not None and found.model:
            return one_line(f"{found.manufacturer or ''} {found.model}")
        entry = self.picture.entry(entity_id)
        return one_line(entry.platform) if entry else ""

    def _seen_cameras(self, page: Page) -> tuple[Camera, ...]:
        in_use, is_up = page.everywhere(USE), self.link.is_up
        return tuple(
            Camera(
                state.entity_id,
                name_of(state),
                one_line(self.picture.room(state.entity_id)),
                online=is_up and state.state != AWAY,
                in_use=bool(in_use[state.entity_id].value) if state.entity_id in in_use else False,
            )
            for state in self._of("camera")
        )


def name_of(state: State) -> str:
    """Return what people call an entity."""
    found = state.attributes.get("friendly_name")
    return (one_line(found) if isinstance(found, str) else "") or state.entity_id
