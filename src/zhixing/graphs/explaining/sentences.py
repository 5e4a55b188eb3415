"""How what is found is said; the words are in the section `graph_why`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from zhixing.graphs.checks.finding import Phrase
from zhixing.graphs.checks.survey import card
from zhixing.graphs.logs import info_text
from zhixing.graphs.rule import Members, Node
from zhixing.graphs.simulating.script import (
    ClockSet,
    DeviceEvent,
    Event,
    Forced,
    PropertyReport,
    Reconnected,
    Switch,
    VariableSet,
)
from zhixing.graphs.specs.jsontext import shown
from zhixing.kernel.wording import Language, wording


@runtime_checkable
class _Said(Protocol):
    def text(self, language: Language) -> str: ...


@dataclass(frozen=True, slots=True)
class Reason:
    """Why nothing left a card. `code` is stable and names the text; `at_ms` is when it decided, None when at no time.

    `pin` is the input or output it is about, empty for the whole card; an empty `node` means the whole rule.
    """

    code: str
    node: str = ""
    pin: str = ""
    at_ms: int | None = None
    values: Mapping[str, object] = field(default_factory=dict)

    def text(self, language: Language = "zh") -> str:
        """Say it in one line."""
        return said(f"graph_why.{self.code}", language, self.values)


def said(key: str, language: Language, values: Mapping[str, object]) -> str:
    """Return a text; values that have words of their own are said in the same language."""
    spoken = {name: value.text(language) if isinstance(value, _Said) else value for name, value in values.items()}
    return wording(key, language, **spoken)


def named(node: Node | None, name: str) -> Phrase | str:
    """Return what people call a card; its id alone when it is not in the rule."""
    return shown(name) if node is None else card(node)


def seconds(at_ms: float) -> str:
    """Return milliseconds as seconds, without needless zeros: 1500 → `1.5`."""
    return f"{at_ms / 1000:.3f}".rstrip("0").rstrip(".")


def value_text(value: object) -> str:
    """Return a value as the log has it, shortened."""
    return shown(info_text(value))


def wanted(props: Members) -> str:
    """Return what a predicate asks for, as `>= 50` or `between 1 … 5`."""
    operator = props.get("operator")
    low = value_text(props.get("v1"))
    return f"{shown(str(operator))} {low}" + (f" … {value_text(props.get('v2'))}" if operator == "between" else "")


def arguments_text(arguments: Mapping[int, object]) -> str:
    """Return the arguments of an event by their piid."""
    return "、".join(f"{piid}={value_text(value)}" for piid, value in arguments.items()) or "-"


def event_text(event: Event) -> Phrase:
    """Return what happened."""
    match event:
        case PropertyReport(about, value):
            return Phrase("graph_why.event_report", {"about": f"{about.did} {about.key}", "value": value_text(value)})
        case DeviceEvent(did, siid, eiid, arguments):
            key = "graph_why.event_given" if arguments else "graph_why.event_device"
            return Phrase(key, {"about": f"{did} {siid}.{eiid}", "values": arguments_text(arguments)})
        case VariableSet(variable, value):
            return Phrase("graph_why.event_variable", {"variable": variable.key, "value": value_text(value)})
        case Switch(on):
            return Phrase("graph_why.event_on" if on else "graph_why.event_off")
        case ClockSet(at):
            return Phrase("graph_why.event_clock", {"at": at.isoformat(timespec="seconds")})
        case Reconnected(did):
            return Phrase("graph_why.event_reconnected", {"did": did})
        case Forced(node, pin, state):
            shown_state = "null" if state is None else value_text(state)
            return Phrase("graph_why.event_forced", {"end": f"{node}.{pin}", "value": shown_state})
