"""Giving one command to a device, and what it says: the only place that touches the hub."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from zhixing.household.doing import steps
from zhixing.household.doing.model import Step, StepState
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import NotFound
from zhixing.tasks.rules.model import DeviceAction
from zhixing.world.devices.port import DeviceHub, DeviceSpec, PropertySpec


class Commanding:
    """Carries out steps over a hub. Never raises: whatever a driver does ends in the step."""

    def __init__(self, hub: DeviceHub, clock: Clock) -> None:
        self._hub = hub
        self._clock = clock

    def write(self, step: Step, action: DeviceAction) -> Step:
        """Bring a property to its value, unless it has it: read, write, read."""
        value = action.value
        sent = False
        try:
            spec = self._hub.spec(action.did)
            found = _property(spec, action.iid)
            if found is None or value is None:
                return steps.settle(step, StepState.FAILED, "no_property", self._clock.now())
            if found.readable:
                read = self._hub.read(action.did, action.iid)
                known = steps.after_look(step, found, read, value, self._clock.now())
                if known is not None:
                    return known
                step = steps.looked(step, read)
            elif step.tries >= steps.TRIES:
                return steps.settle(step, StepState.UNKNOWN, step.reason or "unconfirmed", self._clock.now())
            sent = True
            result = self._hub.write(action.did, action.iid, value)
            written = steps.after_write(step, result, timedelta(seconds=spec.transition), self._clock.now())
            if written.final or written.reason in steps.OUT_OF_REACH:
                return written
            if not found.readable:
                return steps.unverified(written)
            return steps.after_verify(written, found, self._hub.read(action.did, action.iid), value)
        except NotFound:
            return steps.settle(step, StepState.FAILED, "no_device", self._clock.now())
        # A driver may raise anything, and the next command does not depend on it.
        except Exception as error:  # noqa: BLE001
            return steps.broken(step, error, self._clock.now(), sent=sent)

    def once(self, step: Step, action: DeviceAction) -> Step:
        """Give a command that is not repeated."""
        try:
            if action.iid.startswith("prop.") and action.value is not None:
                result = self._hub.write(action.did, action.iid, action.value)
            else:
                result = self._hub.act(action.did, action.iid, action.params)
            return steps.after_single(step, result, self._clock.now())
        except NotFound:
            return steps.settle(step, StepState.FAILED, "no_device", self._clock.now())
        # As above; whether it left is not known.
        except Exception as error:  # noqa: BLE001
            return steps.broken(step, error, self._clock.now(), sent=True)

    def names(self, dids: Collection[str]) -> dict[str, str]:
        """Return what some devices are called, for people, as far as anybody knows."""
        try:
            return {device.did: device.name for device in self._hub.devices() if device.did in dids} if dids else {}
        # Only names: no reason to lose what they stand in.
        except Exception:  # noqa: BLE001
            return {}


def _property(spec: DeviceSpec, iid: str) -> PropertySpec | None:
    return next((one for one in spec.properties if one.iid == iid), None)
