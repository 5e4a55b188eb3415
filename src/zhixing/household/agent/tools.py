"""What the tools of the household agent do that only look, and telling. Each returns what the model is told of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from zhixing.delivery.model import Timing
from zhixing.household.agent.deciding import media_of
from zhixing.household.agent.model import Arguments, State, Turn, TurnState
from zhixing.household.doing.telling import Telling
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import NotFound
from zhixing.kernel.moments import from_micros, iso, micros, zone
from zhixing.kernel.wording import wording
from zhixing.store.connection import Tx
from zhixing.tasks import store as tasks
from zhixing.tasks.records.operations import Records
from zhixing.tasks.rules import store as rules
from zhixing.tasks.rules.hearing import SECOND, Heard
from zhixing.tasks.rules.truth import Condition
from zhixing.world.devices.names import reason_text
from zhixing.world.devices.port import Device, DeviceHub, Done, PropertySpec

MOST_DEVICES = 60
MOST_PROPERTIES = 12
MOST_VERDICTS = 20
_LONGEST_QUERY = 60

Told = tuple[TurnState, str]
"""What became of a turn, and what it brought."""


class Tools:
    """Looking around, and telling."""

    def __init__(self, hub: DeviceHub, records: Records, telling: Telling, clock: Clock) -> None:
        self._hub = hub
        self._records = records
        self._telling = telling
        self._clock = clock

    def notify(self, tx: Tx, state: State, turn: Turn) -> Told:
        """Tell something, in the transaction that writes down the turn: neither is there without the other."""
        media = media_of(state, turn.arguments)
        self._telling.tell(
            tx,
            state.run.task_id,
            state.run.occurrence_id,
            turn.arguments.text,
            media,
            due_at=self._clock.now(),
            timing=Timing.NAMED,
            again=f"a{turn.number}",
        )
        names = wording("doing.list_separator").join(wording(f"agent.medium_{medium.value}") for medium in media)
        return TurnState.DONE, wording("agent.told", media=names)

    def list_devices(self) -> Told:
        """List the devices of the home."""
        devices = self._hub.devices()
        lines = [_line(device) for device in devices[:MOST_DEVICES]]
        if len(devices) > MOST_DEVICES:
            lines.append(wording("agent.more", count=len(devices) - MOST_DEVICES))
        return TurnState.DONE, "；".join(lines)

    def read_device(self, arguments: Arguments) -> Told:
        """Read one property of a device, or all."""
        try:
            spec = self._hub.spec(arguments.device)
        except NotFound:
            return TurnState.FAILED, wording("agent.device_missing")
        wanted = arguments.property.strip().lower().removeprefix("prop.").replace("_", "-")
        readable = [one for one in spec.properties if one.readable]
        named = [one for one in readable if wanted in {one.name.lower(), one.iid.removeprefix("prop.")}]
        if wanted and not named:
            names = "、".join(one.name for one in readable[:MOST_PROPERTIES])
            return TurnState.FAILED, wording("agent.property_missing", names=names)
        values = [self._value(arguments.device, one) for one in (named or readable)[:MOST_PROPERTIES]]
        return TurnState.DONE, "；".join(values) or wording("agent.nothing_readable")

    def read_record(self, tx: Tx, state: State, arguments: Arguments) -> Told:
        """Read the record of a task that the run may read."""
        task_id = dict(state.powers.records)[arguments.task]
        found = self._records.find(tx, task_id)
        if found is None:
            return TurnState.FAILED, wording("agent.record_missing")
        shape = found.shape()
        told = {"kind": shape["kind"], "record": shape["record"], "derived": shape["derived"]}
        return TurnState.DONE, msgspec.json.encode(told).decode()

    def look(self, tx: Tx, state: State, arguments: Arguments) -> Told:
        """Return what a source said last of each condition; without one, what was said of the task's own."""
        conditions, rows = rules.living(tx)
        own = {row.condition_id for row in rows if row.rule.task_id == state.run.task_id}
        now = micros(self._clock.now())
        tz = zone(tasks.get(tx, state.run.task_id).zone)
        lines = []
        for identity, condition, kept in conditions:
            for source, heard in sorted(kept.heard.items()):
                if source == arguments.source or (not arguments.source and identity in own):
                    value = _verdict(condition, heard, now)
                    at = iso(from_micros(heard.heard), tz)
                    query = condition.query[:_LONGEST_QUERY]
                    lines.append(wording("agent.seen", source=source, query=query, value=value, at=at))
        return TurnState.DONE, "；".join(lines[:MOST_VERDICTS]) or wording("agent.nothing_seen")

    def devices(self) -> Sequence[Device]:
        """Return the devices of the home."""
        return self._hub.devices()

    def _value(self, did: str, spec: PropertySpec) -> str:
        read = self._hub.read(did, spec.iid)
        shown = wording("agent.unreadable", why=reason_text(read)) if not isinstance(read, Done) else str(read.value)
        choice = next((name for number, name in spec.choices if isinstance(read, Done) and number == read.value), "")
        return f"{spec.name}={shown}{f'（{choice}）' if choice else ''}{spec.unit}"


def _line(device: Device) -> str:
    state = "" if device.online else wording("agent.offline")
    return f"{device.did} {device.room}{device.name}（{device.category}）{state}"


def _verdict(condition: Condition, heard: Heard, now: int) -> str:
    """Say what a source knows; what it said too long ago, or is not sure of, it does not know."""
    silent = condition.expiry is not None and not heard.stands and now - heard.heard > condition.expiry * SECOND
    known = None if silent or heard.unknown_since is not None or heard.doubted is not None else heard.known
    return wording("agent.is_unknown" if known is None else "agent.is_true" if known else "agent.is_false")
