"""Why a source did not fire: what it heard, and what it asked for."""

from __future__ import annotations

from collections.abc import Iterator

from zhixing.graphs.explaining.question import Question
from zhixing.graphs.explaining.sentences import Reason, arguments_text, seconds, value_text, wanted
from zhixing.graphs.expressions.faults import Fault
from zhixing.graphs.simulating.cards import NotRunnable, event_of, property_of, rows_of, variable_of
from zhixing.graphs.simulating.effects import Fail
from zhixing.graphs.simulating.predicates import Predicate
from zhixing.graphs.simulating.script import DeviceEvent, PropertyReport, Topic, VariableSet, topic_of


def property_source(asked: Question) -> Iterator[Reason]:
    """`deviceInput` of a property."""
    about = property_of(asked.props)
    yield from _watch(asked, about, "no_report", about=f"{about.did} {about.key}")


def variable_source(asked: Question) -> Iterator[Reason]:
    """`varChange`."""
    about = variable_of(asked.props)
    missing = asked.history.indices(asked.node.id, "failed")
    if missing and about not in asked.history.result.variables:
        yield asked.reason("variable_missing", at=missing[-1], variable=about.key)
    else:
        yield from _watch(asked, about, "no_write", variable=about.key)


def event_source(asked: Question) -> Iterator[Reason]:
    """`deviceInput` of an event."""
    heard = _in_stretch(asked)
    if not heard:
        yield from _nothing(asked, event_of(asked.props), "no_event", about=_event(asked))
        return
    signal = asked.history.moments[heard[-1]].value
    given = signal.arguments if isinstance(signal, DeviceEvent) else {}
    filters = [row for row in rows_of(asked.props.get("arguments")) if "operator" in row]
    failing = [row for row in filters if not (row.get("piid") in given and Predicate.of(row).holds(given[row["piid"]]))]
    yield asked.reason(
        "arguments_differ",
        at=heard[-1],
        given=arguments_text(given),
        wanted="、".join(f"{row.get('piid')} {wanted(row)}" for row in failing),
        count=len(heard),
    )


def to_variable(asked: Question) -> Iterator[Reason]:
    """`deviceInputSetVar`: it fires at everything that it hears and can store."""
    heard = _in_stretch(asked)
    if heard:
        yield from failure(asked, heard[-1])
    elif "piid" in asked.props:
        about = property_of(asked.props)
        yield from _nothing(asked, about, "no_report", about=f"{about.did} {about.key}")
    else:
        yield from _nothing(asked, event_of(asked.props), "no_event", about=_event(asked))


def alarm(asked: Question) -> Iterator[Reason]:
    """`alarmClock`."""
    waiting = next((each for each in asked.history.result.appointed if each.node == asked.node.id), None)
    if waiting is not None:
        yield asked.reason("alarm_waits", due=seconds(waiting.due_ms))
    else:
        noted = asked.history.indices(asked.node.id, "noted")
        known = noted and asked.history.moments[noted[-1]].value == "calendar_unknown"
        yield asked.reason("calendar_unknown" if known else "never_rings")


def window(asked: Question) -> Iterator[Reason]:
    """`timeRange`: only its start pulses."""
    published = asked.history.indices(asked.node.id, "published", before=asked.before)
    passed = asked.history.fired(asked.node.id, before=asked.before)
    last = max(published[-1:] + passed[-1:], default=None)
    inside = last is not None and asked.history.moments[last].value is True
    waiting = next((each for each in asked.history.result.appointed if each.node == asked.node.id), None)
    due = "-" if waiting is None else seconds(waiting.due_ms)
    yield asked.reason("window_open" if inside else "window_closed", at=last, due=due)


def start(asked: Question) -> Iterator[Reason]:
    """`onLoad`."""
    pulsed = asked.history.fired(asked.node.id)
    saved = not pulsed and not asked.history.result.options.onload_on_save
    yield asked.reason("onload_saved" if saved else "onload_once", at=pulsed[-1] if pulsed else None)


def failure(asked: Question, cause: int) -> Iterator[Reason]:
    """Say what went wrong at a card when it was told something."""
    failed = asked.history.follows(asked.node.id, "failed", cause)
    if failed is None:
        yield asked.dropped("", cause)
        return
    match failed.value:
        case Fail(_, _, Fault() as fault):
            yield asked.reason("expression_failed", at=cause, said=fault)
        case Fail(code, values):
            yield asked.made(code, values, at=cause)


def _watch(asked: Question, about: Topic, silent: str, /, **values: object) -> Iterator[Reason]:
    """Tell of a predicate that is watched."""
    history, heard = asked.history, asked.heard()
    if not heard or (asked.want == "pulse" and heard[-1] < asked.since):
        yield from _nothing(asked, about, silent, **values)
        return
    predicate = Predicate.of(asked.props)
    last = heard[-1]
    value = _value(history.moments[last].value)
    if not predicate.holds(value):
        yield asked.reason("predicate_false", at=last, value=value_text(value), wanted=wanted(asked.props))
        return
    true_since = last
    for index in reversed(heard):
        if not predicate.holds(_value(history.moments[index].value)):
            break
        true_since = index
    yield asked.reason(
        "already_true",
        at=last,
        value=value_text(value),
        wanted=wanted(asked.props),
        since=asked.seconds(true_since),
    )


def _nothing(asked: Question, about: Topic, code: str, /, **values: object) -> Iterator[Reason]:
    """Tell that a source heard nothing: it did not happen, or the rule was off."""
    for index, event, on in asked.history.happened(asked.since):
        if not on and isinstance(event, PropertyReport | DeviceEvent | VariableSet) and topic_of(event) == about:
            yield asked.reason("rule_off_then", at=index)
            return
    yield asked.made(code, values)


def _in_stretch(asked: Question) -> list[int]:
    return [index for index in asked.heard() if index >= asked.since]


def _value(signal: object) -> bool | int | float | str:
    return signal.value if isinstance(signal, PropertyReport | VariableSet) else ""


def _event(asked: Question) -> str:
    try:
        did, siid, eiid = event_of(asked.props)
    except NotRunnable:
        return "-"
    return f"{did} {siid}.{eiid}"
