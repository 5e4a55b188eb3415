"""Cards of flow, logic, variables and the rest (mijia §1.3). Pure."""

from __future__ import annotations

from zhixing.graphs.building.sketch import Comparison, Sketch
from zhixing.graphs.catalogue import operators, v1_fits, v2_fits
from zhixing.graphs.expressions.elements import Const, Element, Variable, stored_elements
from zhixing.graphs.rule import Members
from zhixing.kernel.errors import BadInput

MOST_PINS = 60
"""Numbered pins of one card."""
NOTE_COLOUR = "#80CAFF"

Part = Element | str | float
"""A piece of an expression or a text: a variable, or what is written as it stands."""


def condition() -> Sketch:
    """On `trigger`, pulse `met` if the state at `condition` is true, else `unmet`."""
    return Sketch("condition", {}, ("trigger", "condition"), ("met", "unmet"))


def only_n_times(n: int) -> Sketch:
    """Let the first `n` pulses through, until `zero`."""
    return Sketch("onlyNTimes", {"n": _count(n)}, ("input", "zero"))


def counter(n: int) -> Sketch:
    """Pulse, and be true, at the `n`th pulse; `zero` starts again."""
    return Sketch("counter", {"n": _count(n)}, ("input", "zero"))


def mode_switch(modes: int = 2) -> Sketch:
    """Pulse `output0`, `output1` … in turn; a mode without wires has its turn, too."""
    return Sketch("modeSwitch", {}, ("input",), _numbered("output", modes))


def signal_or(inputs: int = 2) -> Sketch:
    """Pulse with any pulse at `input0`, `input1` and so on."""
    return Sketch("signalOr", {}, _numbered("input", inputs))


def logic_or(inputs: int = 2) -> Sketch:
    """Be true while any of `input0`, `input1` … is."""
    return Sketch("logicOr", {}, _numbered("input", inputs))


def logic_and(inputs: int = 2) -> Sketch:
    """Be true while all of `input0`, `input1` … are."""
    return Sketch("logicAnd", {}, _numbered("input", inputs))


def logic_not() -> Sketch:
    """Be true while `input` is false."""
    return Sketch("logicNot", {}, ("input",))


def register() -> Sketch:
    """Remember true or false, false at first; pulses only when it becomes true."""
    return Sketch("register", {}, ("setTrue", "setFalse"))


def on_load() -> Sketch:
    """Pulse when the rule is enabled."""
    return Sketch("onLoad", {})


def nop(text: str, background: str = NOTE_COLOUR) -> Sketch:
    """Be a note with a text, which the editor keeps as rich text (X13)."""
    return Sketch("nop", {}, cfg={"contents": {"ops": [{"insert": f"{text}\n"}]}, "background": background})


def var_change(variable: Variable, when: Comparison, *, preload: bool = False) -> Sketch:
    """Pulse when a variable begins to compare; be true while it does. `preload` looks once at enabling."""
    asked = _compared(variable, when)
    return Sketch("varChange", {**_at(variable), "varType": when.kind, "preload": preload, **asked})


def var_get(variable: Variable, when: Comparison) -> Sketch:
    """Ask for a variable: `output` when it compares, else `output2`."""
    props: Members = {**_at(variable), "varType": when.kind, **_compared(variable, when)}
    return Sketch("varGet", props, ("input",), ("output", "output2"))


def var_set_number(variable: Variable, *parts: Part) -> Sketch:
    """Set a number to the value of an expression: `var_set_number(n, n, " + 1")`."""
    return Sketch("varSetNumber", {**_at(variable), "elements": stored_elements(map(_element, parts))}, ("input",))


def var_set_string(variable: Variable, *parts: Part) -> Sketch:
    """Set a text to its parts, one after the other."""
    return Sketch("varSetString", {**_at(variable), "elements": stored_elements(map(_element, parts))}, ("input",))


def _numbered(stem: str, count: int) -> tuple[str, ...]:
    if not 1 <= count <= MOST_PINS:
        raise BadInput("building_pins", limit=MOST_PINS)
    return tuple(f"{stem}{number}" for number in range(count))


def _count(n: int) -> int:
    if n < 1:
        raise BadInput("building_count")
    return n


def _at(variable: Variable) -> Members:
    return {"scope": variable.scope, "id": variable.id}


def _element(part: Part) -> Element:
    return part if isinstance(part, Variable | Const) else Const(str(part))


def _compared(variable: Variable, when: Comparison) -> Members:
    members = when.members
    known = operators("variable", when.kind)
    if when.operator not in known:
        raise BadInput("building_operator", member=variable.id, operator=when.operator, known=" ".join(known))
    if not v1_fits("variable", when.kind, when.operator, members["v1"]) or not v2_fits(
        "variable", when.kind, when.operator, members.get("v2")
    ):
        raise BadInput("building_operand", member=variable.id, operator=when.operator)
    return members
