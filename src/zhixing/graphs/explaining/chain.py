"""The way from what started a rule to a card that fired."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from zhixing.graphs.checks.finding import Phrase
from zhixing.graphs.explaining.history import History
from zhixing.graphs.explaining.sentences import event_text, named, said, seconds, value_text
from zhixing.graphs.simulating.moments import UNCAUSED, Kind, Moment
from zhixing.kernel.wording import Language

MOST_STEPS = 1_000
"""Steps of one way; of a longer one the last are kept."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step. `kind` is `happened`, `heard`, `due`, `carried` or `pulsed`; `node` and `pin` are where it was.

    `source` is the output from which a wire carried, as `node.pin`. `value` is the state or what was heard.
    """

    at_ms: int
    kind: Kind
    node: str
    pin: str
    value: object
    source: str = ""
    values: Mapping[str, object] = field(default_factory=dict)

    def text(self, language: Language = "zh") -> str:
        """Say it in one line."""
        key = "step_said" if "said" in self.values else f"step_{self.kind}"
        return said(f"graph_why.{key}", language, self.values)


def chain(history: History, last: int) -> tuple[tuple[Step, ...], bool]:
    """Return the steps to a moment, first things first, and whether earlier ones were left out."""
    found: list[Step] = []
    index = last
    while index != UNCAUSED:
        if len(found) >= MOST_STEPS:
            return tuple(reversed(found)), True
        moment = history.moments[index]
        began = _first_round(history, index)
        if moment.kind != "published" and (moment.kind != "pulsed" or index == last) and not _doubled(moment, found):
            found.append(_step(history, index, began))
        index = history.moments[began].cause
    return tuple(reversed(found)), False


def _doubled(moment: Moment, found: list[Step]) -> bool:
    """Whether a line of the script was told already, by the source that heard it."""
    return moment.kind == "happened" and bool(found) and found[-1].kind == "heard" and found[-1].value is moment.value


def _first_round(history: History, index: int) -> int:
    """Return the first of the rounds of a timer that each started the next; of anything else the moment itself."""
    moments = history.moments
    if moments[index].kind == "due":
        while (cause := moments[index].cause) != UNCAUSED and moments[cause].kind == "due":
            if moments[cause].node != moments[index].node:
                break
            index = cause
    return index


def _step(history: History, index: int, began: int) -> Step:
    rule, moment = history.rule, history.moments[index]
    values: dict[str, object] = {"at": seconds(moment.at_ms), "pin": moment.pin}
    if moment.node:
        values["card"] = named(rule.node(moment.node), moment.node)
    source = ""
    match moment.kind:
        case "happened" | "heard":
            values["event"] = event_text(moment.value)  # type: ignore[arg-type]
        case "carried":
            sent = history.moments[moment.cause]
            source = f"{sent.node}.{sent.pin}"
            values |= {"source": named(rule.node(sent.node), sent.node), "out": sent.pin, "state": _state(moment.value)}
            told = history.follows(moment.node, "told", index)
            if told is not None:
                values["said"] = value_text(told.value)
        case "due":
            cause = history.moments[began].cause
            values["since"] = "-" if cause == UNCAUSED else seconds(history.moments[cause].at_ms)
        case _:
            values["state"] = _state(moment.value)
    return Step(moment.at_ms, moment.kind, moment.node, moment.pin, moment.value, source, values)


def _state(value: object) -> Phrase:
    return Phrase("graph_why.pulse" if value is None else "graph_why.true" if value else "graph_why.false")
