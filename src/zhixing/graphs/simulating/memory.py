"""What a running rule remembers, to be kept while no process runs it.

Variables and what devices said are not part of it: those are the hub's, not one rule's.
"""

from __future__ import annotations

from typing import Any

import msgspec

from zhixing.graphs.simulating.agenda import CardTimer, LateSignal
from zhixing.graphs.simulating.effects import TimerKind
from zhixing.graphs.simulating.machine import Machine
from zhixing.graphs.simulating.script import DeviceEvent, Value


class Timer(msgspec.Struct, frozen=True, array_like=True):
    """A timer of a card."""

    due_ms: int
    node: str
    kind: TimerKind


class Turn(msgspec.Struct, frozen=True, array_like=True):
    """An event of a remote control that waits for its turn."""

    due_ms: int
    did: str
    siid: int
    eiid: int
    arguments: dict[int, Value]


class Memory(msgspec.Struct, frozen=True):
    """All of it. `cards` holds what each card remembers, `published` the last state of each `node.pin`."""

    cards: dict[str, dict[str, Any]]
    published: dict[str, bool]
    timers: tuple[Timer, ...]
    turns: tuple[Turn, ...]
    turns_ms: dict[str, int]


def remembered(machine: Machine) -> Memory:
    """Return what a machine remembers; what the hub is still to learn of its own writes counts as learned."""
    waiting = tuple(machine.agenda.waiting())
    cards = {card.node.id: {name: getattr(card, name) for name in card.MEMORY} for card in machine.deck.cards}
    return Memory(
        {name: held for name, held in cards.items() if held},
        {f"{node}.{pin}": state for (node, pin), state in machine.flow.published.items()},
        tuple(Timer(due, entry.node, entry.kind) for due, entry in waiting if isinstance(entry, CardTimer)),
        tuple(
            Turn(due, entry.signal.did, entry.signal.siid, entry.signal.eiid, dict(entry.signal.arguments))
            for due, entry in waiting
            if isinstance(entry, LateSignal) and isinstance(entry.signal, DeviceEvent)
        ),
        dict(machine.turns_ms),
    )


def recall(machine: Machine, memory: Memory) -> None:
    """Let a machine that was just made be the one whose memory this is; the rule is on.

    What the memory says of cards that are no more is left out.
    """
    machine.flow.on = True
    for name, held in memory.cards.items():
        card = machine.card(name)
        for attribute in () if card is None else card.MEMORY:
            if attribute in held:
                setattr(card, attribute, held[attribute])
    for pin, state in memory.published.items():
        node, _, name = pin.rpartition(".")
        machine.flow.published[node, name] = state
    entries: list[tuple[int, CardTimer | LateSignal]] = [
        (each.due_ms, CardTimer(each.node, each.kind)) for each in memory.timers if machine.card(each.node) is not None
    ]
    entries += [
        (each.due_ms, LateSignal(DeviceEvent(each.did, each.siid, each.eiid, each.arguments))) for each in memory.turns
    ]
    # at one instant timers of cards come before turns; which of them was appointed first is not kept
    for due_ms, entry in sorted(entries, key=lambda pair: pair[0]):
        machine.agenda.add(due_ms, entry)
    machine.turns_ms.update(memory.turns_ms)


def write_memory(memory: Memory) -> str:
    """Return it as JSON."""
    return msgspec.json.encode(memory).decode()


def read_memory(text: str) -> Memory:
    """Return what `write_memory` wrote."""
    return msgspec.json.decode(text, type=Memory)
