"""The port to the devices of a home.

A command is given at most once for each call, in bounded time, and the hub says honestly what became of it: what cannot
be told apart is `Uncertain`. Identifiers follow MIoT-Spec-V2: a property is `prop.<siid>.<piid>`, an action
`action.<siid>.<aiid>`, an event `event.<siid>.<eiid>`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

Level = bool | int | float | str
"""A value of a property or an argument of an action."""


@dataclass(frozen=True, slots=True)
class Device:
    """One device. `category` is the kind in the spec (light, curtain, speaker, air-conditioner, sensor …)."""

    did: str
    name: str
    room: str
    category: str
    model: str
    online: bool


@dataclass(frozen=True, slots=True)
class PropertySpec:
    """One property of a device, or one argument of an action."""

    iid: str
    name: str
    format: str
    """bool, int, float or string."""
    readable: bool
    writable: bool
    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: tuple[tuple[int, str], ...] = ()
    unit: str = ""


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action of a device; `arguments` in order."""

    iid: str
    name: str
    arguments: tuple[PropertySpec, ...] = ()


@dataclass(frozen=True, slots=True)
class DeviceSpec:
    """What a device can do. `transition` is the seconds it may take until a written value shows."""

    did: str
    properties: tuple[PropertySpec, ...]
    actions: tuple[ActionSpec, ...]
    transition: float = 0.0


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera, and whether the home lets it judge (`in_use`)."""

    did: str
    name: str
    room: str
    online: bool
    in_use: bool


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who lives here; `role` (妈妈, 爸爸 …) may be empty."""

    id: str
    name: str
    role: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """It is so; `value` is what was read, or what an action returned."""

    value: Level | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """It certainly did not happen. `reason` is a key of section `devices`, `detail` the one thing its text may name."""

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Uncertain:
    """It may or may not have happened."""

    reason: str
    detail: str = ""


Result = Done | Failed | Uncertain


class DeviceHub(Protocol):
    """The devices of one home. Safe to use from several threads."""

    def devices(self) -> Sequence[Device]:
        """Return all devices, in a stable order."""
        ...

    def spec(self, did: str) -> DeviceSpec:
        """Return what a device can do; raise `NotFound` (`device_unknown`) when there is none of that id."""
        ...

    def cameras(self) -> Sequence[Camera]:
        """Return all cameras."""
        ...

    def people(self) -> Sequence[Person]:
        """Return the people that the hub knows."""
        ...

    def use_camera(self, did: str, *, in_use: bool) -> Camera:
        """Let a camera judge, or not. Raises `NotFound` (`camera_unknown`), `Conflict` where the hub refuses."""
        ...

    def read(self, did: str, iid: str) -> Result:
        """Read a property."""
        ...

    def write(self, did: str, iid: str, value: Level) -> Result:
        """Write a property."""
        ...

    def act(self, did: str, iid: str, params: Sequence[Level]) -> Result:
        """Call an action."""
        ...
