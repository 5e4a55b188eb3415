"""The run itself: a virtual clock that jumps from one thing that is due to the next.

At one instant the lines of the script come first, then what is due, in the order it was appointed (mijia §1.8).
"""

from __future__ import annotations

from collections.abc import Mapping

from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.deck import NO_MAKERS, Maker
from zhixing.graphs.simulating.flow import MOST_STEPS
from zhixing.graphs.simulating.machine import Machine
from zhixing.graphs.simulating.result import Active, Result
from zhixing.graphs.simulating.script import Script
from zhixing.graphs.simulating.world import World

_LISTED = ("delay", "loop", "statusLast")


def simulate(rule: Rule, script: Script, makers: Mapping[str, Maker] = NO_MAKERS) -> Result:
    """Run a rule, also one that is badly wired, as the gateway does. Nothing it holds raises, or runs forever.

    `makers` are cards that take the place of a node's own, by its id.
    """
    machine = Machine(rule, World(script), makers)
    machine.save()
    _follow(machine, script)
    return result_of(machine)


def result_of(machine: Machine) -> Result:
    """Return what a machine did so far."""
    record, world = machine.record, machine.world
    running = [Active(timer.node, timer.kind, due_ms, timer.cause) for due_ms, timer in machine.agenda.running()]
    return Result(
        trace=tuple(record.trace),
        outputs=tuple(record.outputs),
        variables=dict(world.variables),
        devices=dict(world.devices),
        fired=dict(record.fired),
        active=tuple(each for each in running if each.kind in _LISTED),
        diagnostics=tuple(record.diagnostics),
        options=world.options,
        appointed=tuple(each for each in running if each.kind not in _LISTED),
        moments=tuple(record.moments),
    )


def _follow(machine: Machine, script: Script) -> None:
    """Work off the script and what is due, up to the end of the run."""
    done = 0
    for line in script.lines:
        if line.at_ms > script.until_ms:
            break
        machine.advance(line.at_ms)
        if machine.flow.spent:
            break
        machine.take(line.at_ms, line.event)
        done += 1
    machine.advance(script.until_ms + 1)
    if machine.flow.spent:
        machine.record.note("steps_spent", values={"limit": MOST_STEPS})
    elif done < len(script.lines):
        machine.record.note("script_cut", values={"count": len(script.lines) - done})
