"""Why a state did not become true: logic and `statusLast`."""

from __future__ import annotations

from zhixing.graphs.catalogue import inputs_of
from zhixing.graphs.explaining.question import Question
from zhixing.graphs.explaining.sentences import seconds
from zhixing.graphs.explaining.steering import Found, stopped
from zhixing.graphs.simulating.cards import duration_prop


def status_last(asked: Question) -> Found:
    """`statusLast`: its input is not true, is true since too short a time, or was."""
    history, node = asked.history, asked.node
    state, since = history.state(node.id, "input", asked.before)
    needed = seconds(duration_prop(asked.props, "timeout"))
    if state is True:
        ran_out = [index for index in history.indices(node.id, "due", before=asked.before) if index > since]
        timer = asked.timer()
        if ran_out:
            yield asked.reason("status_held", "input", ran_out[0])
        elif timer is not None:
            due = seconds(timer.due_ms)
            yield asked.reason("status_running", "input", since, due=due, needed=needed)
        else:
            yield stopped(asked, since)
        return
    brought = history.indices(node.id, "carried", "input", before=asked.before)
    true = [index for index in brought if index >= asked.since and history.moments[index].value is True]
    if true:
        _, began = history.state(node.id, "input", true[-1] + 1)
        yield asked.reason("status_broken", "input", since, since=asked.seconds(began), needed=needed)
        return
    if state is None:
        yield asked.reason("status_unknown", "input")
    else:
        yield asked.reason("status_false", "input", since)
    yield from asked.back("input")


def logic(asked: Question) -> Found:
    """`logicAnd` and `logicOr`: some input is not true; when enough are, it was true before."""
    history, node = asked.history, asked.node
    states = {pin: _state(asked, pin) for pin in inputs_of(node)}
    false = [pin for pin, state in states.items() if state is not True]
    if node.type == "logicNot":
        yield from _not(asked)
        return
    enough = not false if node.type == "logicAnd" else len(false) < len(states)
    if enough and states:
        became = history.fired(node.id, before=asked.before)
        yield asked.reason("logic_held", at=became[-1] if became else None)
        return
    brought = [index for pin in states for index in history.indices(node.id, "carried", pin, before=asked.before)]
    yield asked.reason("logic_false", at=max(brought, default=None), pins="、".join(false) or "-")
    for pin in false:
        if not isinstance(node.inputs.get(pin), bool):
            yield from asked.back(pin)


def _not(asked: Question) -> Found:
    """`logicNot`: its input is true, or nothing changed."""
    history, node = asked.history, asked.node
    state, since = history.state(node.id, "input", asked.before)
    if state is True:
        yield asked.reason("not_true", "input", since)
    elif history.rule.wires_to(node.id, "input"):
        became = history.fired(node.id, before=asked.before)
        yield asked.reason("logic_held", at=became[-1] if became else None)
    else:
        yield asked.reason("unwired", "input")


def _state(asked: Question, pin: str) -> bool | None:
    constant = asked.node.inputs.get(pin)
    if isinstance(constant, bool):
        return constant
    return asked.history.state(asked.node.id, pin, asked.before)[0]
