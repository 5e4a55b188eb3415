"""Each card comes out as the document's template of it, and in the shape the checks want."""

from __future__ import annotations

from datetime import time

import pytest
from tests.graphs.building.things import (
    BRIGHTNESS,
    CLIMATE,
    HUMIDITY,
    LIGHT,
    MOTION,
    MOVES,
    ON,
    REMOTE,
    RULE,
    SPEAKER,
    TEMPERATURE,
    action,
    built,
    event,
    found,
    prop,
)
from tests.graphs.document_templates import TEXTS, filled

from zhixing.graphs.building import cards, device_cards, time_cards
from zhixing.graphs.building.builder import GLOBAL, Builder
from zhixing.graphs.building.sketch import Comparison, Sketch, Span, Thing, between, equals, one_of
from zhixing.graphs.catalogue import node_types
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.rule import Node
from zhixing.graphs.specs.meanings import Doing, Happening, Meaning
from zhixing.graphs.times.filters import Holidays, Weekdays
from zhixing.graphs.times.sun import Place, SunEvent
from zhixing.kernel.errors import BadInput, NotFound

SWITCH = {"SIID": "2", "PIID": "1", "VALUE": "true", "DTYPE": "boolean", "V1": "true"}
HUMID = {"SIID": "2", "PIID": "2"}
TEMPLATES: dict[str, tuple[str, Thing | None, dict[str, str]]] = {
    "deviceInput": ("deviceInput - 设备触发（属性变化）", MOTION, SWITCH),
    "deviceInput event": ("deviceInput - 设备触发（事件）", MOTION, {"SIID": "2", "EIID": "1"}),
    "deviceOutput": ("deviceOutput - 控制设备（设置属性）", LIGHT, SWITCH),
    "deviceOutput variable": (
        "deviceOutput - 使用变量动态设置属性",
        LIGHT,
        {**HUMID, "SCOPE": "global", "MIN": "1", "MAX": "100", "STEP": "1"},
    ),
    "deviceOutput action": (
        "deviceOutput - 控制设备（执行动作）",
        SPEAKER,
        {"SIID": "7", "AIID": "3", "PIID": "1", "VALUE": '"你好"'},
    ),
    "deviceGet": ("deviceGet - 查询状态", LIGHT, SWITCH),
    "alarmClock": ("alarmClock - 定时触发（事件源）", None, {"H": "7", "M": "30"}),
    "timeRange": ("timeRange - 时间段（state 节点）", None, {"SH": "22", "SM": "0", "EH": "6", "EM": "30"}),
    "delay": ("delay - 延时", None, {"SEC": "5", "MS": "5000"}),
    "condition": ("condition - 当-如果-就（条件判断）", None, {}),
    "signalOr": ("signalOr - 任一事件", None, {}),
    "logicOr": ("logicOr - 满足任一条件", None, {}),
    "logicAnd": ("logicAnd - 满足全部条件", None, {}),
    "logicNot": ("logicNot - 状态取反", None, {}),
    "loop": ("loop - 循环", None, {"MS": "5000"}),
    "onlyNTimes": ("onlyNTimes - 最多触发N次", None, {"N": "3"}),
    "counter": ("counter - 达到N次时触发", None, {"N": "3"}),
    "modeSwitch": ("modeSwitch - 模式切换", None, {}),
    "register": ("register - 自定义布尔状态", None, {}),
    "onLoad": ("onLoad - 启用时触发（事件源）", None, {}),
    "statusLast": ("statusLast - 状态持续一段时间", None, {"MS": "5000"}),
    "eventSequence": ("eventSequence - 事件先后发生", None, {"MS": "5000"}),
    "varSetNumber": ("varSetNumber - 数值运算", None, {}),
    "varSetString": ("varSetString - 文本拼接", None, {}),
    "deviceInputSetVar": ("deviceInputSetVar - 设备触发赋值（事件源）", CLIMATE, HUMID),
    "deviceGetSetVar": ("deviceGetSetVar - 查询设备赋值", CLIMATE, HUMID),
    "varChange": ("varChange - 变量值更新时触发（事件源）", None, {"V1": "5"}),
    "varGet": ("varGet - 查询变量值", None, {"V1": "5"}),
}
"""For each card the document's template, the device in it, and what is put in, as JSON."""
COUNT = Variable(GLOBAL, "count")
ALL_DAYS = Weekdays(frozenset(range(7)))
FIVE = Comparison(">=", 5)
SKETCHES: dict[str, Sketch] = {
    "deviceInput": device_cards.device_input(MOTION, MOVES, equals(True)),
    "deviceInput event": device_cards.device_event(MOTION, event(MOTION, Happening.MOTION)),
    "deviceOutput": device_cards.device_output(LIGHT, ON, True),
    "deviceOutput variable": device_cards.device_output(LIGHT, BRIGHTNESS, COUNT),
    "deviceOutput action": device_cards.device_action(SPEAKER, action(SPEAKER, Doing.PLAY_TEXT), ["你好"]),
    "deviceGet": device_cards.device_get(LIGHT, ON, equals(True)),
    "alarmClock": time_cards.alarm_clock(time(7, 30), ALL_DAYS),
    "timeRange": time_cards.time_range(time(22), time(6, 30), ALL_DAYS),
    "delay": time_cards.delay(Span(5)),
    "condition": cards.condition(),
    "signalOr": cards.signal_or(),
    "logicOr": cards.logic_or(),
    "logicAnd": cards.logic_and(),
    "logicNot": cards.logic_not(),
    "loop": time_cards.loop(Span.unshown(5000)),
    "onlyNTimes": cards.only_n_times(3),
    "counter": cards.counter(3),
    "modeSwitch": cards.mode_switch(3),
    "register": cards.register(),
    "onLoad": cards.on_load(),
    "statusLast": time_cards.status_last(Span.unshown(5000)),
    "eventSequence": time_cards.event_sequence(Span.unshown(5000)),
    "varSetNumber": cards.var_set_number(COUNT, "$ + 1"),
    "varSetString": cards.var_set_string(COUNT, "文本"),
    "deviceInputSetVar": device_cards.device_input_set_var(CLIMATE, HUMIDITY, COUNT),
    "deviceGetSetVar": device_cards.device_get_set_var(CLIMATE, HUMIDITY, COUNT),
    "varChange": cards.var_change(COUNT, FIVE, preload=True),
    "varGet": cards.var_get(COUNT, FIVE),
}
TARGETS = {"trigger": device_cards.device_output(LIGHT, ON, True), "input": time_cards.delay(Span(1))}
"""What a template's wires may end at, by the name of the pin."""


def test_every_template_of_the_document_is_drawn() -> None:
    assert [title for title, _, _ in TEMPLATES.values()] == list(TEXTS)


@pytest.mark.parametrize("name", list(TEMPLATES))
def test_a_template_of_the_document_comes_out_to_the_letter(name: str) -> None:
    title, thing, values = TEMPLATES[name]
    device = {} if thing is None else {"DID": thing.did, "URN": str(thing.spec.urn)}
    wanted = Node.of(filled(TEXTS[title], ID="card", VAR_ID="count", **device, **values))
    builder = Builder(RULE)
    card = builder.add(SKETCHES[name], "card")
    for wire in wanted.wires:
        target = builder.add(TARGETS.get(wire.target_pin, cards.condition()), wire.target)
        builder.wire(card.out(wire.pin), target.pin(wire.target_pin))
    assert built(builder).node("card") == wanted


def test_every_type_has_a_card_that_declares_all_pins_the_checks_ask_for() -> None:
    sketches = [*SKETCHES.values(), cards.nop("夜里不响")]
    assert {each.type for each in sketches} == set(node_types())
    builder = Builder(RULE)
    builder.declare("count", 0, scope=GLOBAL)
    for each in sketches:
        builder.add(each)
    codes = {each.code for each in found(builder)}
    assert not {each for each in codes if each.startswith(("missing", "invalid", "cfg", "nop", "duration"))}
    assert not codes & {"non_contiguous_inputs", "mode_outputs_gap", "source_port_not_declared_type", "dtype_mismatch"}


@pytest.mark.parametrize(
    ("span", "cfg"),
    [
        (Span(90), {"unit": "s", "value": 90}),
        (Span(2, "hour"), {"unit": "hour", "value": 2}),
        (Span.of_ms(120_000), {"unit": "min", "value": 2}),
        (Span.of_ms(1_500), {"unit": "ms", "value": 1500}),
    ],
)
def test_a_timer_shows_what_it_runs(span: Span, cfg: dict[str, object]) -> None:
    for make in (time_cards.delay, time_cards.status_last, time_cards.loop):
        raw = make(span).raw("card", {}, {})
        assert {key: raw["cfg"][key] for key in cfg} == cfg
        assert list(raw["props"].values()) == [span.ms]


@pytest.mark.parametrize("value", [0, -1])
@pytest.mark.parametrize("make", [Span, Span.of_ms, Span.unshown])
def test_no_timer_runs_for_nothing(make: type[Span], value: int) -> None:
    with pytest.raises(BadInput):
        make(value)


@pytest.mark.parametrize(
    ("offset", "cfg"),
    [(0, ("now", 0)), (-30, ("before", 30)), (15, ("after", 15))],
)
def test_the_sun_is_shown_as_it_runs(offset: int, cfg: tuple[str, int]) -> None:
    sketch = time_cards.sun_alarm(Place(31.2, 121.5), SunEvent.SUNRISE, offset, Holidays(wanted=False))
    raw = sketch.raw("card", {}, {})
    assert (raw["cfg"]["happenType"], raw["cfg"]["tempOffset"]) == cfg
    assert raw["props"] == {
        "type": "sunset",
        "latitude": 31.2,
        "longitude": 121.5,
        "isSunset": False,
        "offset": offset,
        "filter": {"inHoliday": False},
    }


def test_one_value_of_a_list_is_asked_for_as_the_editor_can_show_it() -> None:
    mode = prop(LIGHT, Meaning.MODE)
    props = device_cards.device_get(LIGHT, mode, equals(5)).props
    assert (props["operator"], props["v1"]) == ("include", [5])


def test_arguments_of_events_are_filtered_by_the_type_in_the_specification() -> None:
    given = event(REMOTE, Happening.CLICK)
    assert device_cards.device_event(REMOTE, given, {}).props["arguments"] == []
    with pytest.raises(NotFound):
        device_cards.device_event(REMOTE, given, {99: equals(1)})


@pytest.mark.parametrize(
    "make",
    [
        lambda: device_cards.device_input(CLIMATE, TEMPERATURE, equals(20.5)),
        lambda: device_cards.device_input(CLIMATE, TEMPERATURE, one_of(20, 21)),
        lambda: device_cards.device_input(CLIMATE, HUMIDITY, equals(True)),
        lambda: device_cards.device_input(CLIMATE, HUMIDITY, Comparison("between", 20)),
        lambda: cards.var_change(COUNT, one_of(1, 2)),
        lambda: cards.var_get(COUNT, Comparison(">", "a")),
        lambda: device_cards.device_input(LIGHT, HUMIDITY, between(20, 60)),
        lambda: device_cards.device_action(SPEAKER, action(SPEAKER, Doing.DIRECTIVE), ["开灯"]),
        lambda: time_cards.alarm_clock(time(7), Weekdays(frozenset())),
        lambda: time_cards.time_range(time(7), time(7)),
        lambda: time_cards.sun_alarm(Place(0, 0), SunEvent.SUNSET, 1441),
        lambda: cards.counter(0),
        lambda: cards.mode_switch(0),
    ],
)
def test_what_no_card_can_say_is_refused(make: object) -> None:
    with pytest.raises(BadInput) as refused:
        make()  # type: ignore[operator]
    assert "{" not in str(refused.value)
