"""Resets by rule: looking at what a rule had changed, and the turns that putting it back takes."""

from __future__ import annotations

from datetime import datetime

from zhixing.household.agent.model import Arguments, Powers, Purpose, Tool, Turn, TurnState, Who
from zhixing.household.agent.resetting import (
    LOOK_AGAIN,
    Episode,
    Leave,
    LookAgain,
    Resetting,
    Restore,
    Sight,
    decide,
    to_be_seen,
)
from zhixing.household.doing.model import AgentRun, Step
from zhixing.kernel.errors import NotFound
from zhixing.kernel.moments import micros
from zhixing.kernel.wording import wording
from zhixing.world.devices.port import DeviceHub


def look_and_decide(hub: DeviceHub, episode: Episode, now: datetime) -> Resetting:
    """Look at what a rule had changed, and decide whether to put it back."""
    try:
        sights = {(step.did, step.iid): _sight(hub, step) for step in to_be_seen(episode)}
    # A driver may raise anything; what cannot be seen now may be seen in a while.
    except Exception:  # noqa: BLE001
        return LookAgain(now + LOOK_AGAIN)
    return decide(episode, {place: sight for place, sight in sights.items() if sight is not None}, now)


def powers_by_rule(run: AgentRun, resetting: Restore | Leave) -> Powers:
    """Return what a run that is decided by rule may do: what was decided."""
    back = resetting.properties if isinstance(resetting, Restore) else ()
    dids = tuple(dict.fromkeys(one.did for one in back))
    tools = (Tool.ACT_DEVICE,) if back else ()
    return Powers(Purpose.RESET, Who.RULE, tools, (), dids, (), micros(run.deadline))


def turns_by_rule(resetting: Restore | Leave, now: datetime) -> list[Turn]:
    """Return the turns of a reset: what is put back, and why the rest is not."""
    act, note = (Tool.ACT_DEVICE, TurnState.CALLED), (Tool.NOTE, TurnState.DONE)
    unchanged, changed = wording("agent.unchanged_since"), wording("agent.changed_since")
    back = resetting.properties if isinstance(resetting, Restore) else ()
    said = [(act, unchanged, Arguments(device=one.did, property=one.iid, value=one.value)) for one in back]
    said += [(note, changed, Arguments(device=step.did, property=step.iid)) for step in resetting.kept]
    if isinstance(resetting, Leave):
        said.append((note, wording(f"tasks.reason_{resetting.why}"), Arguments(outcome=resetting.why)))
    return [
        Turn(number, Who.RULE, tool, state, now, thought, arguments)
        for number, ((tool, state), thought, arguments) in enumerate(said, 1)
    ]


def _sight(hub: DeviceHub, step: Step) -> Sight | None:
    try:
        spec = next((one for one in hub.spec(step.did).properties if one.iid == step.iid), None)
        return None if spec is None or not spec.readable else Sight(spec, hub.read(step.did, step.iid))
    except NotFound:
        return None
