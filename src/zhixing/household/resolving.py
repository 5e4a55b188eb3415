"""The names in a rule, looked up in the home: which device, which property, which camera (design §10).

Done once, when a rule is made or changed, and outside of any transaction: a hub may be slow, or keep its things in our
own store.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches

from msgspec import UNSET, UnsetType

from zhixing.household.rulebook import RuleFields
from zhixing.kernel.errors import BadInput
from zhixing.tasks.rules.model import DeviceAction
from zhixing.world.devices.names import check_value, fitting, resolve, unknown_device
from zhixing.world.devices.port import ActionSpec, DeviceHub, DeviceSpec, PropertySpec

_SENSING = ("sensor", "button")


class Lookup:
    """The names of one home, for one request: each device is asked for its spec once."""

    def __init__(self, hub: DeviceHub) -> None:
        self._hub = hub
        self._specs: dict[str, DeviceSpec] = {}

    def resolved(self, said: RuleFields) -> RuleFields:
        """Return the fields with numeric iids and checked values; unknown names raise `BadInput` with near ones."""
        if said.sources:
            self._check_sources(said.sources)
        return replace(
            said,
            actions=self._actions(said.actions),
            enter_actions=self._actions(said.enter_actions),
            exit_actions=self._actions(said.exit_actions),
        )

    def _actions(self, said: tuple[DeviceAction, ...] | UnsetType) -> tuple[DeviceAction, ...] | UnsetType:
        return said if said is UNSET else tuple(self._action(action) for action in said)

    def _action(self, said: DeviceAction) -> DeviceAction:
        found = resolve(self._spec(said.did), said.iid)
        return _property(said, found) if isinstance(found, PropertySpec) else _call(said, found)

    def _spec(self, did: str) -> DeviceSpec:
        if did not in self._specs:
            devices = self._hub.devices()
            if all(device.did != did for device in devices):
                error = unknown_device(did, devices)
                raise BadInput(error.key, **error.values)
            self._specs[did] = self._hub.spec(did)
        return self._specs[did]

    def _check_sources(self, sources: tuple[str, ...]) -> None:
        """Raise `BadInput` for what is neither a camera, in use or not, nor a sensor or a button."""
        known = {camera.did: camera.name for camera in self._hub.cameras()}
        known |= {device.did: device.name for device in self._hub.devices() if device.category.endswith(_SENSING)}
        for source in sources:
            if source not in known:
                raise BadInput("rule_source_unknown", did=source[:64], near=_near(source, known))


def _property(said: DeviceAction, found: PropertySpec) -> DeviceAction:
    if said.value is None:
        raise BadInput("rule_value_missing", did=said.did, name=found.name)
    if said.params:
        raise BadInput("rule_params_of_property", did=said.did, name=found.name)
    return replace(said, iid=found.iid, value=check_value(found, said.value))


def _call(said: DeviceAction, found: ActionSpec) -> DeviceAction:
    # A single argument may be given as the value, as plans do.
    given = said.params if said.value is None else (said.value, *said.params)
    if len(given) != len(found.arguments):
        raise BadInput(
            "rule_params_count", did=said.did, name=found.name, needed=len(found.arguments), given=len(given)
        )
    params = tuple(fitting(spec, value) for spec, value in zip(found.arguments, given, strict=True))
    return replace(said, iid=found.iid, value=None, params=params)


def _near(name: str, known: Mapping[str, str]) -> str:
    """Name a few that are there, those written like it first."""
    close = get_close_matches(name, known, n=3, cutoff=0.3)
    shown = [*close, *(did for did in known if did not in close)][:5]
    return "、".join(f"{did}（{known[did]}）" for did in shown) or "—"
