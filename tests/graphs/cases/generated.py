"""Rules that are right by construction: every pin is wired to one that fits, every value is one that may stand there.

Cards stand in the order in which pulses pass, so that the only circles are those through `loop.stop`, which passes none
on. What a card watches in variables, no card sets: two cards that set back what the other one sets would never end.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from tests.graphs.checks.structure_rules import ID, node

from zhixing.graphs.catalogue import node_type, outputs_of
from zhixing.graphs.reading import read_rule
from zhixing.graphs.rule import Node, Rule
from zhixing.graphs.writing import write_rule

PROPERTIES = {1: True, 2: 5, 3: 2.5, 4: "a"}
"""By piid: what a property of a device holds, and so of which type it is."""
NUMBERS, TEXTS = ("n0", "n1"), ("s0", "s1")
"""Variables; only the first of each is watched, and only the second set."""
STATE = {f"d{device}": {f"2.{piid}": value for piid, value in PROPERTIES.items()} for device in range(2)}
VARIABLES = {f"global.{name}": 0 for name in NUMBERS} | {f"global.{name}": "" for name in TEXTS}
FORMULAS = [
    "1",
    "2 * (3 + 4)",
    "now() % 1000",
    "hours() * 60 + minutes()",
    "randint(1, 6)",
    "max(1, floor(59700 / 60000))",
]
SOURCES = ["deviceInput", "deviceInputSetVar", "alarmClock", "timeRange", "onLoad", "varChange"]
OTHERS = [
    "deviceGet", "deviceOutput", "deviceGetSetVar", "delay", "statusLast", "eventSequence", "condition", "loop",
    "onlyNTimes", "counter", "modeSwitch", "signalOr", "logicOr", "logicAnd", "logicNot", "register", "varGet",
    "varSetNumber", "varSetString",
]  # fmt: skip
ORDERS = {
    1: ("boolean", ["="]),
    2: ("int", [">=", "<=", "=", "!=", ">", "<", "between", "include"]),
    3: ("float", [">", "<", "between"]),
    4: ("string", ["="]),
}
DID = st.sampled_from(sorted(STATE))
SMALL = st.integers(0, 9)
TIME = st.fixed_dictionaries({"hour": st.integers(0, 23), "minute": st.integers(0, 59), "second": st.integers(0, 59)})
FILTER = st.sampled_from([{}, {"day": [0, 6]}, {"day": [1, 2, 3, 4, 5]}, {"inHoliday": True}, {"inHoliday": False}])
Props = dict[str, Any]


def value_of(piid: int) -> st.SearchStrategy[Any]:
    """Give values of the property's type."""
    return {1: st.booleans(), 2: SMALL, 3: SMALL.map(lambda n: n / 2), 4: st.sampled_from(["a", "b", "|.中"])}[piid]


@st.composite
def compared(draw: st.DrawFn, piid: int) -> Props:
    """Give a comparison that fits the property."""
    dtype, operators = ORDERS[piid]
    operator = draw(st.sampled_from(operators))
    values = value_of(piid)
    first = draw(st.lists(values, min_size=1, max_size=3) if operator == "include" else values)
    return {"dtype": dtype, "operator": operator, "v1": first} | ({"v2": first + 3} if operator == "between" else {})


@st.composite
def asked_of_variable(draw: st.DrawFn, index: int) -> Props:
    """Give a comparison of a variable."""
    if draw(st.booleans()):
        operator = draw(st.sampled_from([">=", "<=", "=", "!=", ">", "<"]))
        return {"scope": "global", "id": NUMBERS[index], "varType": "number", "operator": operator, "v1": draw(SMALL)}
    return {"scope": "global", "id": TEXTS[index], "varType": "string", "operator": "=", "v1": draw(value_of(4))}


@st.composite
def props_for(draw: st.DrawFn, kind: str) -> Props:  # noqa: C901, PLR0912 - one case for each type
    """Give the props of a card; a prop of `...` is one that the card must not have."""
    device = {"did": draw(DID), "siid": 2}
    number = {"scope": "global", "id": NUMBERS[1]}
    bare = dict.fromkeys(("piid", "dtype", "operator", "v1", "value"), ...)
    match kind:
        case "deviceInput" if draw(st.booleans()):
            return bare | device | {"eiid": draw(st.integers(1, 2)), "preload": ...}
        case "deviceInput" | "deviceGet":
            piid = draw(st.integers(1, 4))
            preload = {"preload": draw(st.booleans())} if kind == "deviceInput" else {}
            return device | {"piid": piid} | draw(compared(piid)) | preload
        case "deviceOutput" if draw(st.booleans()):
            return bare | device | {"aiid": 1, "ins": [{"piid": 1, "value": draw(value_of(4))}]}
        case "deviceOutput" if draw(st.booleans()):
            bounds = {"dtype": "number", "min": 0, "max": 9, "step": 1}
            return bare | device | {"piid": 2, "scope": "global", "id": draw(st.sampled_from(NUMBERS))} | bounds
        case "deviceOutput":
            piid = draw(st.integers(1, 4))
            return device | {"piid": piid, "value": draw(value_of(piid))}
        case "deviceInputSetVar" | "deviceGetSetVar":
            piid, dtype = draw(st.sampled_from([(1, "boolean"), (2, "number"), (3, "number")]))
            return device | number | {"piid": piid, "dtype": dtype}
        case "alarmClock":
            return draw(TIME) | {"filter": draw(FILTER)}
        case "timeRange":
            soon = {"hour": 8, "minute": 0, "second": draw(st.integers(0, 20))}
            return {"start": soon, "end": soon | {"second": draw(st.integers(21, 59))}, "filter": draw(FILTER)}
        case "delay" | "statusLast" | "eventSequence":
            return {"timeout": draw(st.integers(1, 9)) * 500}
        case "loop":
            return {"interval": draw(st.integers(1, 9)) * 500}
        case "onlyNTimes" | "counter":
            return {"n": draw(st.integers(1, 4))}
        case "varChange":
            return draw(asked_of_variable(0)) | {"preload": draw(st.booleans())}
        case "varGet":
            return draw(asked_of_variable(draw(st.integers(0, 1))))
        case "varSetNumber":
            read = {"type": "var", "scope": "global", "id": draw(st.sampled_from(NUMBERS))}
            own = draw(st.booleans())
            text = {"type": "const", "value": " % 7 + 1" if own else draw(st.sampled_from(FORMULAS))}
            return number | {"elements": [read, text] if own else [text]}
        case "varSetString":
            name = draw(st.sampled_from([*NUMBERS, TEXTS[0]]))
            return {
                "scope": "global",
                "id": TEXTS[1],
                "elements": [{"type": "const", "value": "现在 "}, {"type": "var", "scope": "global", "id": name}],
            }
    return {}


def shown(props: Props) -> Props:
    """Give what the card shows of a duration."""
    duration = props.get("timeout", props.get("interval"))
    return {} if duration is None else {"unit": "ms", "value": duration}


@st.composite
def rules(draw: st.DrawFn, most: int = 12) -> Rule:
    """Give a rule of sources first and cards behind them, every one wired."""
    # first one that pulses at once and one that is a state, so that every pin finds a source
    kinds = ["onLoad", "timeRange", *(draw(st.sampled_from(SOURCES)) for _ in range(draw(st.integers(1, 3))))]
    kinds += [draw(st.sampled_from(OTHERS)) for _ in range(draw(st.integers(3, most - 5)))]
    cards: list[dict[str, Any]] = []
    for number, kind in enumerate(kinds):
        props = draw(props_for(kind))
        card = node(f"n{number}", kind, props=props, cfg=shown(props))
        for pin in card["inputs"]:
            draw(wire_into(cards, card, pin))
        cards.append(card)
    raw = {"id": ID, "nodes": cards, "cfg": {"id": ID, "enable": True, "uiType": "graph", "userData": {"name": "生成"}}}
    return Rule.of(raw)


@st.composite
def wire_into(draw: st.DrawFn, cards: list[dict[str, Any]], card: dict[str, Any], pin: str) -> None:
    """Wire a pin from one of the cards before it, or put a truth value in its place where it takes one."""
    kind = node_type(card["type"])
    assert kind is not None
    if kind.takes_constant(pin) and draw(st.integers(0, 5)) == 0:
        card["inputs"][pin] = draw(st.booleans())
        return
    colour = {**kind.inputs, **(kind.numbered_inputs.among(card["inputs"]) if kind.numbered_inputs else {})}[pin]
    ends = [(each, out) for each in cards for out, sent in outputs_of(Node.of(each)).items() if sent.reaches(colour)]
    source, out = draw(st.sampled_from(ends))
    source["outputs"][out].append(f"{card['id']}.{pin}")


@st.composite
def scripts(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Give what happens around a rule: reports, events, variables, switches, a clock that is set."""
    lines: list[dict[str, Any]] = []
    at_ms = 0
    for _ in range(draw(st.integers(3, 12))):
        at_ms += draw(st.sampled_from([0, 1, 500, 3000]))
        match draw(st.integers(0, 5)):
            case 0 | 1:
                piid = draw(st.integers(1, 4))
                said: dict[str, Any] = {
                    "event": {"did": draw(DID), "siid": 2, "piid": piid, "value": draw(value_of(piid))}
                }
            case 2:
                said = {"event": {"did": draw(DID), "siid": 2, "eiid": draw(st.integers(1, 2)), "arguments": []}}
            case 3:
                text = draw(st.booleans())
                name, value = (TEXTS[0], draw(value_of(4))) if text else (NUMBERS[0], draw(SMALL))
                said = {"var_set": {"scope": "global", "id": name, "value": value}}
            case 4:
                said = {draw(st.sampled_from(["enable", "disable"])): True}
            case _:
                said = {"clock": f"2025-03-0{draw(st.integers(1, 9))}T{draw(st.integers(10, 23))}:59:58+08:00"}
        lines.append({"at_ms": at_ms, **said})
    return lines


@st.composite
def broken(draw: st.DrawFn) -> Rule:
    """Give a rule that was right, with wires to anywhere, ids twice, and props of another card."""
    raw: Any = read_rule(write_rule(draw(rules()))).raw
    nodes = raw["nodes"]
    names = [each["id"] for each in nodes]
    pins = ["input", "trigger", "condition", "start", "stop", "zero", "setTrue", "input0", "input1", "nowhere"]
    for _ in range(draw(st.integers(1, 8))):
        some, other = (draw(st.sampled_from(nodes)) for _ in range(2))
        match draw(st.integers(0, 4)):
            case 0:
                some["id"] = other["id"]
            case 1:
                some["props"] = other["props"]
            case 2:
                some["type"] = other["type"]
            case _ if some["outputs"]:
                end = f"{draw(st.sampled_from(names))}.{draw(st.sampled_from(pins))}"
                some["outputs"][draw(st.sampled_from(sorted(some["outputs"])))].append(end)
    return Rule.of(raw)
