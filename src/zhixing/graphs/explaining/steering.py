"""Why a card with inputs let no pulse through: conditions, queries, counts, waits."""

from __future__ import annotations

from collections.abc import Iterator

from zhixing.graphs.catalogue import inputs_of
from zhixing.graphs.explaining.question import Question
from zhixing.graphs.explaining.sentences import Reason, seconds, value_text, wanted
from zhixing.graphs.explaining.sources import failure
from zhixing.graphs.simulating.cards import duration_prop, whole_prop

Found = Iterator[Reason | Question]


def doing(asked: Question) -> Found:
    """Cards that pulse at everything that arrives, unless something goes wrong: commands, stores, `signalOr`."""
    arrived = [index for pin in inputs_of(asked.node) for index in asked.arrived(pin)]
    if arrived:
        yield from failure(asked, max(arrived))
    else:
        yield from asked.back_to_all()
        if not asked.history.rule.wires_into(asked.node.id):
            yield asked.reason("unwired", next(iter(inputs_of(asked.node)), ""))


def query(asked: Question) -> Found:
    """`deviceGet` and `varGet`: at what they read they go on at the other output, or at none."""
    arrived = asked.arrived("input")
    if not arrived:
        yield from asked.back("input")
        return
    last, history = arrived[-1], asked.history
    told = history.follows(asked.node.id, "told", last)
    if told is None:
        yield from failure(asked, last)
        return
    noted = history.follows(asked.node.id, "noted", last)
    stale = noted is not None and noted.value == "stale_read"
    code = "stale_value" if stale else "query_false" if asked.pin == "output" else "query_true"
    yield asked.reason(code, "input", last, value=value_text(told.value), wanted=wanted(asked.props))


def condition(asked: Question) -> Found:
    """`condition`: the state at its trigger was the other one."""
    triggers = asked.arrived("trigger")
    if not triggers:
        yield from asked.back("trigger")
        return
    last, history, node = triggers[-1], asked.history, asked.node
    state, since = history.state(node.id, "condition", last)
    constant = node.inputs.get("condition")
    if state is None and isinstance(constant, bool):
        yield asked.reason("condition_constant", "condition", last, value=value_text(constant))
    elif state is None and not history.rule.wires_to(node.id, "condition"):
        yield asked.reason("condition_unwired", "condition", last)
    elif asked.pin == "unmet":
        yield asked.reason("condition_true", "condition", last, since=asked.seconds(since))
    else:
        brought = history.indices(node.id, "carried", "condition", since=last)
        late = next((index for index in brought if history.moments[index].value is True), None)
        end = "、".join(f"{wire.source}.{wire.pin}" for wire in history.rule.wires_to(node.id, "condition"))
        if late is not None:
            yield asked.reason("condition_late", "condition", last, end=end, late=asked.seconds(late))
            return
        if state is None:
            yield asked.reason("condition_unknown", "condition", last, end=end)
        else:
            yield asked.reason("condition_false", "condition", last, end=end, since=asked.seconds(since))
        yield from asked.back("condition", before=last)


def only_n_times(asked: Question) -> Found:
    """`onlyNTimes`: it has let all through that it may."""
    arrived = asked.arrived("input")
    if arrived:
        yield asked.reason("only_n_spent", "input", arrived[-1], n=whole_prop(asked.props, "n"))
    else:
        yield from asked.back("input")


def counter(asked: Question) -> Found:
    """`counter`: not there yet, or there since long."""
    history, node = asked.history, asked.node
    arrived = history.indices(node.id, "carried", "input", before=asked.before)
    if not asked.arrived("input") and asked.want == "pulse":
        yield from asked.back("input")
        return
    goal = whole_prop(asked.props, "n")
    zeroed = max(history.indices(node.id, "carried", "zero", before=asked.before), default=-1)
    count = sum(index > zeroed for index in arrived)
    if count >= goal:
        yield asked.reason("counter_held", "input", arrived[-1], n=goal)
        return
    last = max([*arrived[-1:], zeroed])
    code = "counter_zeroed" if zeroed >= 0 and zeroed == last else "counter_short"
    yield asked.reason(code, "input", None if last < 0 else last, count=count, n=goal)
    if not arrived:
        yield from asked.back("input")


def mode_switch(asked: Question) -> Found:
    """`modeSwitch`: it was the turn of other outputs."""
    arrived = asked.arrived("input")
    if not arrived:
        yield from asked.back("input")
        return
    moments = asked.history.moments
    turns = [moments[index].pin for index in asked.history.fired(asked.node.id, None, asked.since, asked.before)]
    yield asked.reason("mode_turn", "input", arrived[-1], count=len(arrived), turn=turns[-1] if turns else "-")


def register(asked: Question) -> Found:
    """`register`: it was set already, or never."""
    history, node = asked.history, asked.node
    arrived = history.indices(node.id, "carried", "setTrue", before=asked.before)
    cleared = max(history.indices(node.id, "carried", "setFalse", before=asked.before), default=-1)
    if not arrived or (asked.want == "pulse" and not asked.arrived("setTrue")):
        yield from asked.back("setTrue")
    elif cleared > arrived[-1]:
        yield asked.reason("register_cleared", "setFalse", cleared)
    else:
        since = next(index for index in arrived if index > cleared)
        yield asked.reason("register_held", "setTrue", arrived[-1], since=asked.seconds(since))


def delay(asked: Question) -> Found:
    """`delay`: it still runs."""
    arrived = asked.arrived("input")
    if not arrived:
        yield from asked.back("input")
        return
    timer = asked.timer()
    if timer is not None:
        yield asked.reason("delay_running", "input", arrived[-1], due=seconds(timer.due_ms), count=len(arrived))
    else:
        yield stopped(asked, arrived[-1])


def stopped(asked: Question, since: int) -> Reason:
    """Say why a timer that was started neither runs nor ran out: the rule was switched off, or the run ended."""
    off = next((index for index, _, on in asked.history.happened(since) if not on), None)
    return (
        asked.dropped("", since)
        if off is None
        else asked.reason("rule_off_after", at=off, started=asked.seconds(since))
    )


def event_sequence(asked: Question) -> Found:
    """`eventSequence`: one of the two is missing, or came too late."""
    first, second = asked.arrived("input1"), asked.arrived("input2")
    within = seconds(duration_prop(asked.props, "timeout"))
    if not first:
        yield asked.reason("sequence_first_missing", "input1", second[-1] if second else None)
        yield from asked.back("input1")
    elif not second:
        yield asked.reason("sequence_second_missing", "input2", first[-1], within=within)
        yield from asked.back("input2")
    elif second[-1] < first[0]:
        yield asked.reason("sequence_order", "input2", second[-1], first=asked.seconds(first[0]))
    else:
        armed = [index for index in first if index < second[-1]][-1]
        yield asked.reason("sequence_late", "input2", second[-1], first=asked.seconds(armed), within=within)


def loop(asked: Question) -> Found:
    """`loop`: never started, stopped before its first round, or still before it."""
    started, stops = asked.arrived("start"), asked.arrived("stop")
    if not started:
        yield asked.reason("loop_never_started", "start", stops[-1] if stops else None)
        yield from asked.back("start")
        return
    timer = asked.timer()
    if timer is not None:
        yield asked.reason("loop_waiting", "start", started[-1], due=seconds(timer.due_ms))
    elif stops and stops[-1] > started[-1]:
        yield asked.reason("loop_stopped", "stop", stops[-1], started=asked.seconds(started[-1]))
    else:
        yield stopped(asked, started[-1])
