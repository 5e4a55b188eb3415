"""The home as Home Assistant last told it: rooms, devices, entities and their states, kept up to date by its events.

States that come with a connection say how things are; only a change that came as one, of an entity that was there
before and could be told of, is a change (`Follower.changed`).
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from zhixing.world.homeassistant.members import AWAY
from zhixing.world.homeassistant.session import Broken, Declined, Session
from zhixing.world.homeassistant.wire import (
    APPLIANCES,
    AREAS,
    CHANGED,
    CONFIGURED,
    ENTRIES,
    RUNNING,
    STATES,
    Appliance,
    Changed,
    Entry,
    Happened,
    State,
)

MOST_ENTITIES = 20_000
LARGEST_CHANGE = 262_144
"""Bytes that tell of the change of one entity: both states of it, with all they say."""
_MOST_HELD_BACK = 50_000
_LASTS = ("brightness", "color_temp_kelvin")
"""What a lamp that is off does not tell, and has when it is turned on again."""
_ENTITY = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+")
_REGISTRIES = ("area_registry_updated", "device_registry_updated", "entity_registry_updated")
_log = logging.getLogger(__name__)

T = TypeVar("T")


class Follower(Protocol):
    """Who follows what happens. Called by the thread that reads, so it may not wait for anybody."""

    @property
    def events(self) -> Sequence[str]:
        """The events of the bus it wants to hear of, besides states."""
        ...

    def came(self, states: Mapping[str, State]) -> None:
        """Begin with how everything is."""
        ...

    def changed(self, changed: Changed) -> None:
        """Take the change of one entity."""
        ...

    def happened(self, event: Happened) -> None:
        """Take an event of the bus."""
        ...

    def went(self) -> None:
        """End: nothing more will be told."""
        ...


class Picture:
    """The picture. Reading is safe from every thread, and shows the last of what was known."""

    def __init__(self) -> None:
        self.complete = False
        """Whether it was ever told whole."""
        self._followers: list[Follower] = []
        self._lock = threading.Lock()
        self._states: dict[str, State] = {}
        self._ids: dict[str, list[str]] | None = None
        """The ids of entities by domain, in order; None: to be sorted out again."""
        self._areas: dict[str, str] = {}
        self._appliances: dict[str, Appliance] = {}
        self._entries: dict[str, Entry] = {}
        self._session: Session | None = None
        self._held_back: list[Happened] | None = None
        """What happens before all states are known; None: they are."""
        self._refreshing = self._stale = False

    def follow(self, follower: Follower) -> None:
        """Let somebody follow, from the next connection on: before anybody uses the hub."""
        self._followers.append(follower)

    def state(self, entity_id: str) -> State | None:
        """Return an entity as it was last told."""
        return self._states.get(entity_id)

    def states(self, domain: str | None = None) -> list[State]:
        """Return every entity, or those of one domain, in the order of their ids."""
        with self._lock:
            if self._ids is None:
                self._ids = {}
                for each in sorted(self._states):
                    self._ids.setdefault(each.partition(".")[0], []).append(each)
            wanted = self._ids if domain is None else (domain,)
            return [self._states[each] for name in wanted for each in self._ids.get(name, ())]

    def entry(self, entity_id: str) -> Entry | None:
        """Return what the registry says of an entity."""
        return self._entries.get(entity_id)

    def appliance(self, entity_id: str) -> Appliance | None:
        """Return the device that an entity belongs to."""
        entry = self._entries.get(entity_id)
        return self._appliances.get(entry.device_id) if entry and entry.device_id else None

    def room(self, entity_id: str) -> str:
        """Return the room of an entity, or of its device; "" where it has none."""
        entry, appliance = self._entries.get(entity_id), self.appliance(entity_id)
        area = (entry and entry.area_id) or (appliance and appliance.area_id) or ""
        return self._areas.get(area, "")

    # What the thread that reads does

    def came(self, session: Session) -> None:
        """Subscribe, then ask for everything; what happens meanwhile is taken afterwards."""
        self._session, self._held_back = session, []
        session.command("subscribe_events", event_type="state_changed")
        for each in _REGISTRIES:
            session.command("subscribe_events", event_type=each)
        for each in dict.fromkeys(name for follower in self._followers for name in follower.events):
            try:
                session.command("subscribe_events", event_type=each)
            except Declined:
                # Only administrators may hear of some.
                _log.warning("Home Assistant does not let us hear of %s", each[:64])
        self._look_up()
        starting = _read(CONFIGURED, session.command("get_config")).state != RUNNING
        states = _read(STATES, session.command("get_states"))
        if len(states) > MOST_ENTITIES:
            raise Broken("too_large")
        with self._lock:
            before = self._states
            self._states = {
                each.entity_id: _lasting(before.get(each.entity_id), each)
                for each in states
                if _ENTITY.fullmatch(each.entity_id)
            }
            if starting:
                # What it has not come to yet is away, not gone.
                gone = before.keys() - self._states.keys()
                self._states |= {each: msgspec.structs.replace(before[each], state=AWAY) for each in gone}
            self._ids = None
            self.complete = True
        held_back, self._held_back = self._held_back, None
        # What is older than the states we have is in them.
        for event in held_back:
            self._take(event, late=True)
        for follower in self._followers:
            follower.came(self._states)

    def happened(self, event: Happened) -> None:
        """Take an event, or keep it until all states are known."""
        if event.event_type in _REGISTRIES:
            self._stale = True
            if not self._refreshing and self._held_back is None:
                self._look_up()
        elif self._held_back is None:
            self._take(event, late=False)
        elif len(self._held_back) < _MOST_HELD_BACK:
            self._held_back.append(event)
        else:
            raise Broken("too_large")

    def went(self) -> None:
        """Keep what was known; everybody is told that it may not be so any more."""
        self._session = self._held_back = None
        for follower in self._followers:
            follower.went()

    def _look_up(self) -> None:
        """Ask for the registries, again where they change while they are read, but not for ever."""
        session = self._session
        if session is None:
            return
        self._refreshing = True
        try:
            for _ in range(3):
                self._stale = False
                areas = _read(AREAS, session.command("config/area_registry/list"))
                appliances = _read(APPLIANCES, session.command("config/device_registry/list"))
                entries = _read(ENTRIES, session.command("config/entity_registry/list"))
                self._areas = {each.area_id: each.name for each in areas}
                self._appliances = {each.id: each for each in appliances}
                self._entries = {each.entity_id: each for each in entries}
                if not self._stale:
                    return
        finally:
            self._refreshing = False

    def _take(self, event: Happened, *, late: bool) -> None:
        if event.event_type == "state_changed":
            changed = _change(event)
            if changed is None or not self._keep(changed, late=late):
                return
            for follower in () if late else self._followers:
                follower.changed(changed)
        else:
            for follower in () if late else self._followers:
                follower.happened(event)

    def _keep(self, changed: Changed, *, late: bool) -> bool:
        """Keep an entity as it is now; return whether that is news."""
        known, after = self._states.get(changed.entity_id), changed.new_state
        if late and known and after and after.last_updated <= known.last_updated:
            return False
        with self._lock:
            if (known is None) is not (after is None):
                self._ids = None
            if after is None:
                self._states.pop(changed.entity_id, None)
            elif known is not None or len(self._states) < MOST_ENTITIES:
                self._states[changed.entity_id] = _lasting(known, after)
        return True


def _change(event: Happened) -> Changed | None:
    """Read the change of one entity; None where it is of none that could be."""
    if len(event.data) > LARGEST_CHANGE:
        raise Broken("too_large")
    changed = _read(CHANGED, event.data)
    after = changed.new_state
    is_one = _ENTITY.fullmatch(changed.entity_id) and (after is None or after.entity_id == changed.entity_id)
    return changed if is_one else None


def _read(decoder: msgspec.json.Decoder[T], raw: msgspec.Raw) -> T:
    try:
        return decoder.decode(raw)
    except (msgspec.MsgspecError, RecursionError):
        raise Broken("answer_broken") from None


def _lasting(before: State | None, after: State) -> State:
    """Return a lamp as it is, with what it told when it was on."""
    if before is None or after.domain != "light" or after.state == "on":
        return after
    kept: dict[str, Any] = {
        name: before.attributes[name]
        for name in _LASTS
        if after.attributes.get(name) is None and before.attributes.get(name) is not None
    }
    return msgspec.structs.replace(after, attributes=after.attributes | kept) if kept else after
