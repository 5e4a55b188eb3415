"""The virtual gateway over the virtual home: what a person would see who has a rule on it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from tests.graphs.simulating.small import node

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.graphs.virtual.commands import MOST_A_MINUTE, CommandState
from zhixing.graphs.virtual.gateway import VirtualGateway
from zhixing.kernel.clock import ManualClock
from zhixing.store.connection import Store
from zhixing.world.devices.homeplan import HomePlan, read_home
from zhixing.world.devices.stored import StoreKeeper
from zhixing.world.devices.virtual import VirtualHome
from zhixing.world.hub.port import HubRefused, Method

RULE = "1764000000001"
PLAN = """
home: 家
rooms: [客厅, 玄关]
people: []
cameras: []
devices:
  - {did: lamp, name: 灯, room: 客厅, kind: light}
  - {did: curtain, name: 窗帘, room: 客厅, kind: curtain, transition: 5}
  - {did: button, name: 开关, room: 玄关, kind: button}
  - {did: speaker, name: 音箱, room: 客厅, kind: speaker}
  - {did: motion, name: 人体, room: 玄关, kind: motion-sensor}
  - {did: away, name: 坏灯, room: 玄关, kind: light, online: false}
"""
PLANNED: HomePlan = read_home(PLAN)


class Flat:
    """A gateway with its home; `again` is the same after a restart of the program."""

    def __init__(self, store: Store, clock: ManualClock) -> None:
        self.store = store
        self.clock = clock
        self.again()

    def again(self) -> None:
        keeper = StoreKeeper(self.store, self.clock)
        self.home = VirtualHome(PLANNED, keeper)
        self.engine = EmbeddedEngine(self.store, self.clock, owner="test")
        self.gateway = VirtualGateway(self.store, self.engine, self.clock, self.home, "Asia/Shanghai")
        keeper.tell(self.gateway.heard)

    def put(self, *nodes: dict[str, Any], enable: bool = True, name: str = RULE) -> None:
        cfg = {"id": name, "enable": enable, "uiType": "graph", "userData": {"name": "试试"}}
        self.call(Method.SET_GRAPH, id=name, nodes=[declared(each) for each in nodes], cfg=cfg)

    def call(self, method: Method, **params: Any) -> Any:
        answer = self.gateway.call(method, params)
        self.engine.drain()
        return answer

    def hands(self, did: str, name: str, value: object) -> None:
        self.home.set_property(did, name, value)
        self.engine.drain()

    def click(self, name: str = "click") -> None:
        self.home.emit("button", name)
        self.engine.drain()

    def later(self, seconds: float) -> None:
        self.clock.advance(timedelta(seconds=seconds))
        self.engine.drain()

    def value(self, did: str, iid: str) -> object:
        return self.home.read(did, iid).value

    def variable(self, name: str) -> object:
        return self.call(Method.GET_VARIABLE_VALUE, scope="global", id=name)["value"]

    def log(self) -> list[str]:
        return self.call(Method.GET_LOG, num=0).splitlines()


def declared(given: dict[str, Any]) -> dict[str, Any]:
    pins = {"delay": "input", "varSetNumber": "input", "deviceOutput": "trigger", "deviceGet": "input"}
    inputs = {pins[given["type"]]: None} if given["type"] in pins else given["inputs"]
    return {**given, "inputs": inputs}


def pressed(ends: str, eiid: int = 1) -> dict[str, Any]:
    return node("in", "deviceInput", {"did": "button", "siid": 2, "eiid": eiid}, output=ends)


def light(did: str = "lamp", *, on: bool = True, name: str = "out") -> dict[str, Any]:
    return node(name, "deviceOutput", {"did": did, "siid": 2, "piid": 1, "value": on}, output="")


def is_on(did: str, ends: str, *, value: bool = True) -> dict[str, Any]:
    props = {"did": did, "siid": 2, "piid": 1, "preload": False, "dtype": "boolean", "operator": "=", "v1": value}
    return node("in", "deviceInput", props, output=ends)


def wait(ms: int, ends: str = "out.trigger") -> dict[str, Any]:
    return node("wait", "delay", {"timeout": ms}, output=ends)


def counts(ends: str = "", variable: str = "n") -> dict[str, Any]:
    props = {"scope": "global", "id": variable, "elements": [{"type": "const", "value": "$ + 1"}]}
    return node("count", "varSetNumber", props, output=ends)


@pytest.fixture
def flat(store: Store, clock: ManualClock) -> Flat:
    return Flat(store, clock)


def test_a_click_switches_the_lamp_on(flat):
    flat.put(pressed("out.trigger"), light())
    flat.click()
    assert flat.value("lamp", "prop.2.1") is True
    assert [each.state for each in flat.gateway.commands(5)] == [CommandState.DONE]


def test_a_rule_that_is_off_does_nothing_and_hears_nothing(flat):
    flat.put(pressed("out.trigger"), light(), enable=False)
    flat.click()
    assert flat.value("lamp", "prop.2.1") is False
    assert flat.log() == []


def test_a_rule_that_is_switched_on_keeps_its_name_and_works(flat):
    flat.put(pressed("out.trigger"), light(), enable=False)
    flat.call(Method.CHANGE_GRAPH_CONFIG, id=RULE, enable=True, userData={"name": "试试"})
    flat.click()
    assert flat.value("lamp", "prop.2.1") is True
    assert flat.call(Method.GET_GRAPHS)[0]["userData"]["name"] == "试试"


def test_what_hands_do_is_heard(flat):
    flat.put(is_on("motion", "out.trigger"), light())
    flat.hands("motion", "prop.2.1", value=True)
    assert flat.value("lamp", "prop.2.1") is True


def test_a_delay_goes_on_across_a_restart(flat):
    flat.put(pressed("wait.input"), wait(60_000), light())
    flat.click()
    flat.clock.advance(timedelta(seconds=30))
    flat.again()
    flat.gateway.take_up()
    flat.engine.drain()
    assert flat.value("lamp", "prop.2.1") is False
    flat.later(30)
    assert flat.value("lamp", "prop.2.1") is True


def test_what_was_due_while_nothing_ran_is_done_once_at_the_start(flat):
    flat.call(Method.CREATE_VARIABLE, scope="global", id="n", type="number", value=0, userData={"name": "次数"})
    flat.put(
        pressed("tick.start"),
        node("tick", "loop", {"interval": 1000}, inputs={"start": None, "stop": None}, output="count.input"),
        counts(),
    )
    flat.click()
    flat.clock.advance(timedelta(seconds=3600))
    flat.again()
    flat.gateway.take_up()
    flat.engine.drain()
    assert flat.variable("n") == 1
    flat.later(1)
    assert flat.variable("n") == 2


def test_what_changed_while_nothing_ran_is_heard_at_the_start(flat):
    flat.put(is_on("motion", "out.trigger"), light())
    VirtualHome(PLANNED, StoreKeeper(flat.store, flat.clock)).set_property("motion", "prop.2.1", True)
    flat.again()
    flat.gateway.take_up()
    flat.engine.drain()
    assert flat.value("lamp", "prop.2.1") is True


def test_changes_that_come_faster_than_they_are_taken_in_are_all_heard(flat):
    flat.call(Method.CREATE_VARIABLE, scope="global", id="n", type="number", value=0, userData={"name": "次数"})
    flat.put(is_on("motion", "count.input"), counts())
    for value in (True, False, True, False):
        flat.home.set_property("motion", "prop.2.1", value)
    flat.engine.drain()
    assert flat.variable("n") == 2


def test_a_door_that_was_opened_and_closed_during_a_restart_was_opened(flat):
    flat.call(Method.CREATE_VARIABLE, scope="global", id="n", type="number", value=0, userData={"name": "次数"})
    flat.put(is_on("motion", "count.input"), counts())
    for value in (True, False, True):
        flat.home.set_property("motion", "prop.2.1", value)
    flat.clock.advance(timedelta(seconds=1))
    flat.again()
    flat.gateway.take_up()
    flat.engine.drain()
    assert flat.variable("n") == 2


def test_a_number_that_rose_in_steps_during_a_restart_passes_a_mark_once(flat):
    flat.call(Method.CREATE_VARIABLE, scope="global", id="n", type="number", value=0, userData={"name": "次数"})
    props = {"did": "lamp", "siid": 2, "piid": 2, "preload": False, "dtype": "int", "operator": ">", "v1": 70}
    flat.hands("lamp", "prop.2.2", value=10)
    flat.put(node("in", "deviceInput", props, output="count.input"), counts())
    for value in (50, 90):
        flat.home.set_property("lamp", "prop.2.2", value)
    flat.clock.advance(timedelta(seconds=1))
    flat.again()
    flat.gateway.take_up()
    flat.engine.drain()
    assert flat.variable("n") == 1


def test_what_a_process_died_over_is_taken_in_before_what_happened_later(flat):
    flat.call(Method.CREATE_VARIABLE, scope="global", id="n", type="number", value=0, userData={"name": "次数"})
    flat.put(is_on("motion", "count.input"), counts())
    for value in (True, False, True):
        flat.home.set_property("motion", "prop.2.1", value)
    flat.home.read = raising(PowerCut)  # type: ignore[method-assign]
    with pytest.raises(PowerCut):
        flat.engine.drain()
    flat.clock.advance(timedelta(seconds=3600))
    flat.again()
    flat.engine.drain()  # as another server does that has been up all the while
    assert flat.variable("n") == 2


def test_a_rule_does_not_set_itself_off_by_what_it_writes(flat):
    flat.call(Method.CREATE_VARIABLE, scope="global", id="n", type="number", value=0, userData={"name": "次数"})
    flat.put(is_on("lamp", "count.input", value=False), counts("on.trigger"), light(name="on"))
    flat.hands("lamp", "prop.2.1", value=True)
    flat.hands("lamp", "prop.2.1", value=False)
    assert flat.value("lamp", "prop.2.1") is True
    assert flat.variable("n") == 1


def test_a_lamp_that_a_rule_puts_out_after_a_while_is_put_out_each_time_somebody_lights_it(flat):
    flat.put(is_on("lamp", "wait.input"), wait(5000), light(on=False))
    for _ in range(3):
        flat.hands("lamp", "prop.2.1", value=True)
        flat.later(6)
        assert flat.value("lamp", "prop.2.1") is False


def test_a_lamp_that_has_been_on_for_a_while_is_put_out_each_time(flat):
    lasting = node("long", "statusLast", {"timeout": 5000}, inputs={"input": None}, output="out.trigger")
    flat.put(is_on("lamp", "long.input"), lasting, light(on=False))
    for _ in range(3):
        flat.hands("lamp", "prop.2.1", value=True)
        flat.later(6)
        assert flat.value("lamp", "prop.2.1") is False


def test_what_one_rule_writes_another_hears(flat):
    flat.call(Method.CREATE_VARIABLE, scope="global", id="n", type="number", value=0, userData={"name": "次数"})
    flat.put(pressed("out.trigger"), light())
    flat.put(is_on("lamp", "count.input"), counts(), name="1764000000002")
    flat.click()
    assert flat.variable("n") == 1


def test_a_device_that_moves_is_heard_again_when_it_has_arrived(flat):
    props = {"did": "curtain", "siid": 2, "piid": 2, "preload": False, "dtype": "int", "operator": ">=", "v1": 50}
    flat.put(node("in", "deviceInput", props, output="out.trigger"), light())
    flat.hands("curtain", "target-position", value=100)
    flat.later(6)
    assert flat.value("lamp", "prop.2.1") is True


def test_a_loop_that_is_too_fast_gives_so_many_commands_a_minute_and_the_log_says_so(flat):
    loop = node("tick", "loop", {"interval": 1}, inputs={"start": None, "stop": None}, output="out.trigger")
    flat.put(pressed("tick.start"), loop, light())
    flat.click()
    flat.later(3)
    given = flat.gateway.commands(2 * MOST_A_MINUTE)
    assert len(given) == MOST_A_MINUTE
    assert sum("commands_many" in line for line in flat.call(Method.GET_LOG, num=0).splitlines()) >= 1
    flat.later(61)
    assert len(flat.gateway.commands(3 * MOST_A_MINUTE)) > MOST_A_MINUTE


def test_a_query_reads_what_the_device_is(flat):
    flat.hands("lamp", "prop.2.1", value=True)
    props = {"did": "lamp", "siid": 2, "piid": 1, "dtype": "boolean", "operator": "=", "v1": True}
    flat.put(
        pressed("ask.input"),
        node("ask", "deviceGet", props, output="off.trigger", output2=""),
        light(on=False, name="off"),
    )
    flat.click()
    assert flat.value("lamp", "prop.2.1") is False


def test_what_changed_while_no_rule_was_on_is_known_when_one_is_switched_on(flat):
    props = {"did": "lamp", "siid": 2, "piid": 1, "dtype": "boolean", "operator": "=", "v1": True}
    ask = node("ask", "deviceGet", props, output="off.trigger", output2="")
    flat.put(pressed("ask.input"), ask, light(on=False, name="off"))
    flat.call(Method.CHANGE_GRAPH_CONFIG, id=RULE, enable=False, userData={})
    flat.hands("lamp", "prop.2.1", value=True)
    flat.call(Method.CHANGE_GRAPH_CONFIG, id=RULE, enable=True, userData={})
    flat.click()
    assert flat.value("lamp", "prop.2.1") is False


def test_a_command_that_a_device_refuses_is_in_the_log_and_no_more_believed(flat):
    flat.put(pressed("out.trigger"), light("away"))
    flat.click()
    assert [each.state for each in flat.gateway.commands(5)] == [CommandState.FAILED]
    assert any("|e|" in line and "device_failed" in line for line in flat.log())


def test_an_action_that_may_have_left_before_the_process_died_is_not_done_twice(flat):
    say = node(
        "say",
        "deviceOutput",
        {"did": "speaker", "siid": 5, "aiid": 1, "ins": [{"piid": 1, "value": "到了"}]},
        output="",
    )
    flat.put(pressed("say.trigger"), say)
    flat.home.emit("button", "click")
    cut_off_after_sending(flat)
    flat.again()
    flat.engine.drain()
    assert [each.state for each in flat.gateway.commands(5)] == [CommandState.UNKNOWN]
    assert len(flat.home.said("speaker", 10)) == 1


def test_a_variable_that_is_set_from_outside_starts_a_rule_and_is_kept(flat):
    flat.call(Method.CREATE_VARIABLE, scope="global", id="n", type="number", value=0, userData={"name": "次数"})
    props = {"scope": "global", "id": "n", "varType": "number", "operator": ">=", "v1": 3, "preload": False}
    flat.put(node("in", "varChange", props, output="out.trigger"), light())
    flat.call(Method.SET_VARIABLE_VALUE, scope="global", id="n", value=3)
    assert flat.value("lamp", "prop.2.1") is True
    flat.again()
    assert flat.variable("n") == 3


def test_a_deleted_graph_stops_and_its_variables_stay_until_they_are_deleted(flat):
    scope = f"R{RULE}"
    flat.call(Method.CREATE_VARIABLE, scope=scope, id="x", type="number", value=1, userData={"name": "x"})
    flat.put(pressed("wait.input"), wait(1000), light())
    flat.click()
    flat.call(Method.DELETE_GRAPH, id=RULE)
    flat.later(5)
    assert flat.value("lamp", "prop.2.1") is False
    assert flat.call(Method.GET_SCOPES)["scopes"] == ["global", scope]
    flat.call(Method.DELETE_VARIABLE, scope=scope, all=True)
    assert flat.call(Method.GET_SCOPES)["scopes"] == ["global"]


def test_the_log_has_the_newest_block_first_and_an_empty_one_behind_the_end(flat):
    flat.put(pressed("out.trigger"), light())
    flat.click()
    assert [line.split("|")[2] for line in flat.log()] == ["r", "l", "i"]
    assert flat.call(Method.GET_LOG, num=1) == ""
    assert flat.call(Method.GET_LOG, num=10_000_000_000) == ""


@pytest.mark.parametrize(
    ("method", "params", "text"),
    [
        (Method.SET_GRAPH, {"id": RULE, "nodes": [{"id": "a_b"}], "cfg": {}}, "Invalid charactor in id"),
        (Method.GET_GRAPH, {"id": "1"}, "error: 2"),
        (Method.CREATE_VARIABLE, {"scope": "global", "id": "a_b", "type": "number", "value": 1}, "Invalid id format"),
        (
            Method.CREATE_VARIABLE,
            {"scope": "global", "id": "a", "type": "number", "value": float("nan")},
            "Invalid value",
        ),
        (Method.SET_VARIABLE_VALUE, {"scope": "global", "id": "a", "value": 1}, "not found"),
    ],
)
def test_what_the_real_one_refuses_is_refused_and_changes_nothing(flat, method, params, text):
    with pytest.raises(HubRefused) as refused:
        flat.gateway.call(method, params)
    assert text in refused.value.values["text"]
    assert flat.call(Method.GET_GRAPHS) == []


def test_the_devices_are_those_of_the_home(flat):
    listed = flat.call(Method.GET_DEVICES)["devList"]
    assert set(listed) == {"lamp", "curtain", "button", "speaker", "motion", "away"}
    assert listed["away"]["online"] is False
    assert listed["lamp"]["roomName"] == "客厅"


def test_a_backup_holds_the_graphs_and_variables(flat):
    flat.put(pressed("out.trigger"), light())
    flat.call(Method.CREATE_BACKUP)
    assert [each["id"] for each in flat.call(Method.GET_BACKUPS)] == ["1"]


def test_a_clock_that_is_put_back_does_not_stop_a_delay(flat):
    flat.put(pressed("wait.input"), wait(10_000), light())
    flat.click()
    flat.clock.jump(timedelta(hours=-1))
    flat.again()
    flat.gateway.take_up()
    flat.later(11)
    assert flat.value("lamp", "prop.2.1") is True


def test_a_storm_inside_a_rule_ends_and_is_in_the_log(flat):
    again = node("again", "signalOr", {}, inputs={"input0": None, "input1": None}, output="again.input1")
    flat.put(pressed("again.input0"), again)
    flat.click()
    assert any("event_storm" in line for line in flat.log())


def test_two_processes_that_set_one_off_lose_nothing(flat, home):
    flat.call(Method.CREATE_VARIABLE, scope="global", id="n", type="number", value=0, userData={"name": "次数"})
    flat.put(pressed("count.input"), counts())
    other = Flat(home.open(), flat.clock)
    clicking = [
        threading.Thread(target=lambda one=one: [one.home.emit("button", "click") for _ in range(20)])
        for one in (flat, other)
    ]
    for each in clicking:
        each.start()
    for each in clicking:
        each.join()
    draining = [threading.Thread(target=one.engine.drain) for one in (flat, other)]
    for each in draining:
        each.start()
    for each in draining:
        each.join()
    flat.engine.drain()
    assert flat.variable("n") == 40


def cut_off_after_sending(flat: Flat) -> None:
    """Let the process end right after the device obeyed, before that could be written down."""
    act: Callable[..., Any] = flat.home.act

    def obey_and_die(*given: Any) -> Any:
        act(*given)
        raise PowerCut

    flat.home.act = obey_and_die  # type: ignore[method-assign]
    with pytest.raises(PowerCut):
        flat.engine.drain()
    flat.clock.advance(timedelta(seconds=3600))


def raising(error: type[BaseException]) -> Callable[..., Any]:
    def fail(*_given: Any) -> Any:
        raise error

    return fail


class PowerCut(BaseException):
    """The process ends here."""
