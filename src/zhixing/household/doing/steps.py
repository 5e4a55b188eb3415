"""What becomes of a command, given what the device said: pure.

A property write that may be repeated is read first and verified after. A device may be on its way (a curtain), so what
does not show yet is looked at again after the device's declared transition and a growing pause, and written again, at
most `TRIES` times in all. One that cannot be reached is tried as often, within `REACHABLE_WITHIN`. Everything else is
given once: what is not known to have failed is never repeated (rule_complaints 35–37).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from zhixing.household.doing.model import Step, StepState
from zhixing.tasks.rules.model import DeviceAction
from zhixing.world.devices.port import Done, Failed, Level, PropertySpec, Result, Uncertain

TRIES = 3
"""Times that one write leaves the house."""
PAUSES = (timedelta(seconds=1), timedelta(seconds=3), timedelta(seconds=9))
"""After the first, second and third try, beyond the transition of the device."""
LONGEST_TRANSITION = timedelta(minutes=5)
REACHABLE_WITHIN = timedelta(seconds=60)
"""How long after the first try a device that was offline may still be written to."""
OUT_OF_REACH = frozenset({"offline", "hub_unreachable"})
"""The reasons by which a hub says that nothing left for a device: it, or the hub itself, cannot be reached just now."""

_YES = frozenset({"true", "on", "1", "yes"})
_NO = frozenset({"false", "off", "0", "no"})


def repeatable(action: DeviceAction) -> bool:
    """Whether giving a command twice does what giving it once does."""
    return action.idempotent and action.value is not None and action.iid.startswith("prop.")


def begin(action: DeviceAction, occurrence_id: str, number: int, now: datetime) -> Step:
    """Return the step of a command that was not tried yet."""
    wanted = action.params if action.value is None else action.value
    return Step(occurrence_id, number, action.did, action.iid, wanted, StepState.WAITING, now, now)


def same(spec: PropertySpec, seen: Level | None, wanted: Level) -> bool:
    """Whether a value that was read is the one that is wanted, by the type of the property: 1 and "on" are true."""
    if seen is None:
        return False
    match spec.format:
        case "bool":
            return _truth(seen) is not None and _truth(seen) == _truth(wanted)
        case "int" | "float":
            one, other = _number(seen), _number(wanted)
            if one is None or other is None:
                return False
            # A device may round to its own step, never further.
            near = 1e-6 * max(1.0, abs(other)) if spec.format == "int" or not spec.step else spec.step / 2
            return abs(one - other) <= near
    return str(seen) == str(wanted)


def cooled(action: DeviceAction, last: datetime | None, now: datetime) -> bool:
    """Whether a command may be given again; a last time that lies ahead was written by a wrong clock."""
    if action.cooldown_minutes is None or last is None:
        return True
    return not timedelta(0) <= now - last < timedelta(minutes=action.cooldown_minutes)


def after_look(step: Step, spec: PropertySpec, read: Result, wanted: Level, now: datetime) -> Step | None:
    """Decide by what was read before a write; None: write."""
    seen = read.value if isinstance(read, Done) else None
    if same(spec, seen, wanted):
        if step.tries == 0:
            return replace(step, state=StepState.SKIPPED, reason="already", seen=seen, at=now, next_at=None)
        return replace(step, state=StepState.DONE, reason="", detail="", seen=seen, at=now, next_at=None)
    if step.tries < TRIES:
        return None
    return replace(step, state=StepState.UNCONFIRMED, reason="unconfirmed", detail="", seen=seen, at=now, next_at=None)


def looked(step: Step, read: Result) -> Step:
    """Note what a property shows before the first write to it."""
    return replace(step, was=read.value) if step.tries == 0 and isinstance(read, Done) else step


def after_write(step: Step, result: Result, transition: timedelta, now: datetime) -> Step:
    """Decide by the answer to a write. What the device took waits to be seen, at once and then at `next_at`."""
    tries = step.tries + 1
    pause = PAUSES[min(tries, TRIES) - 1]
    state, reason, detail = step.state, "", ""
    following: datetime | None = now + min(transition, LONGEST_TRANSITION) + pause
    if isinstance(result, Failed | Uncertain):
        reason, detail = result.reason, result.detail
    if isinstance(result, Failed):
        again = result.reason in OUT_OF_REACH and tries < TRIES and now + pause <= step.began_at + REACHABLE_WITHIN
        state, following = (state, now + pause) if again else (StepState.FAILED, None)
    return replace(step, state=state, reason=reason, detail=detail, tries=tries, at=now, next_at=following)


def after_verify(step: Step, spec: PropertySpec, read: Result, wanted: Level) -> Step:
    """Decide by what was read right after a write: it is so, or it is looked at again later."""
    seen = read.value if isinstance(read, Done) else None
    if same(spec, seen, wanted):
        return replace(step, state=StepState.DONE, reason="", detail="", seen=seen, next_at=None)
    return replace(step, seen=seen)


def unverified(step: Step) -> Step:
    """Settle a write to a property that cannot be read."""
    if step.final:
        return step
    if step.reason:
        return replace(step, state=StepState.UNKNOWN, next_at=None)
    return replace(step, state=StepState.DONE, next_at=None)


def after_single(step: Step, result: Result, now: datetime) -> Step:
    """Decide by the answer to a command that is given once."""
    step = replace(step, tries=step.tries + 1, at=now, next_at=None)
    match result:
        case Done(value):
            return replace(step, state=StepState.DONE, reason="", seen=value)
        case Failed(reason, detail):
            return replace(step, state=StepState.FAILED, reason=reason, detail=detail)
        case Uncertain(reason, detail):
            return replace(step, state=StepState.UNKNOWN, reason=reason, detail=detail)


def broken(step: Step, error: Exception, now: datetime, *, sent: bool) -> Step:
    """Settle a step whose driver raised something; `sent`: the command may have left. Its text is not kept."""
    state = StepState.UNKNOWN if sent else StepState.FAILED
    return replace(step, state=state, reason="broken", detail=type(error).__name__, at=now, next_at=None)


def settle(step: Step, state: StepState, reason: str, now: datetime) -> Step:
    """End a step for a reason of ours."""
    return replace(step, state=state, reason=reason, detail="", at=now, next_at=None)


def _truth(value: Level) -> bool | None:
    word = str(value).strip().lower()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return bool(value) if value in {0, 1} else None
    return True if word in _YES else False if word in _NO else None


def _number(value: Level) -> float | None:
    if isinstance(value, bool):
        return float(value)
    try:
        return float(value)
    except ValueError:
        return None
