"""The flat fields of a rule: what is refused, what is assumed, and that nothing is lost on the way there and back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.household.rule_reading import read_fields
from zhixing.household.rulebook import RuleFields, fields_of, make_plan, says_nobody, write_rule
from zhixing.kernel.errors import BadInput
from zhixing.tasks.rules.model import (
    Agreement,
    DeviceAction,
    Direction,
    Limit,
    Mode,
    Plan,
    QuietSpan,
    Response,
    Trigger,
)

LAMP = {"did": "l1", "iid": "prop.2.1", "value": False}
EVENT = {"name": "[a] 甲", "condition": "画面中无人", "action": LAMP}
STATE = {"name": "[a] 甲", "mode": "state", "condition": "用户坐在椅子上", "on_enter_desc": "记录计时起点"}


def rule(base: dict[str, Any] = EVENT, **changes: Any) -> Plan:
    return make_plan(read_fields(base | changes))


def test_what_was_not_said_is_as_the_document_has_it() -> None:
    plan = rule(STATE)
    assert plan == Plan(
        "[a] 甲", Trigger("用户坐在椅子上", mode=Mode.STATE), on_enter=Response(descs=("记录计时起点",)), limit=None
    )
    assert (plan.exit_debounce, plan.trigger.duration, plan.cooldown) == (60, 0, 0)
    assert rule(STATE, on_enter_desc="使用手机推送通知：坐下了").limit == Limit(12, 60)
    assert (plan.trigger.tolerance, plan.trigger.expiry) == (30, 180)


@pytest.mark.parametrize(
    ("said", "what", "is_then"),
    [
        ({"exit_debounce_seconds": 0}, "exit_debounce", 0),
        ({"exit_debounce_seconds": None}, "exit_debounce", 60),
        ({"cooldown_seconds": 600}, "cooldown", 600),
        ({"limit": None}, "limit", None),
        ({"limit": {"fires": 3, "seconds": 10}}, "limit", Limit(3, 10)),
        ({"quiet": ["22:00-07:00", "12:30-13:00"]}, "quiet", (QuietSpan(1320, 420), QuietSpan(750, 780))),
        ({"quiet": []}, "quiet", ()),
    ],
)
def test_a_value_is_what_was_said(said, what: str, is_then) -> None:
    assert getattr(rule(**said), what) == is_then


@pytest.mark.parametrize(
    ("said", "what", "is_then"),
    [
        ({"duration_seconds": 1}, "duration", 1),
        ({"duration_seconds": 86_400}, "duration", 86_400),
        ({"duration_seconds": None}, "duration", 0),
        ({"source": "c1"}, "sources", ("c1",)),
        ({"source": ["c2", "c1", "c2"]}, "sources", ("c1", "c2")),
        ({"source": None}, "sources", ()),
        ({"source_expiry_seconds": None}, "expiry", None),
        ({"unknown_tolerance_seconds": 0}, "tolerance", 0),
        ({"agreement": "any"}, "agreement", Agreement.ANY),
        ({"condition": {"query": "有人", "perceive_device_ids": ["c9"]}}, "sources", ("c9",)),
        ({"condition": {"text": "有人", "kind": "presence", "words": []}}, "query", "有人"),
    ],
)
def test_a_value_of_the_trigger_is_what_was_said(said, what: str, is_then) -> None:
    assert getattr(rule(**said).trigger, what) == is_then


@pytest.mark.parametrize(
    ("query", "nobody"),
    [
        ("画面中无人", True),
        ("客厅没人", True),
        ("客厅没有人", True),
        ("房间空无一人", True),
        ("家里没有任何人", True),
        ("无人看电视", True),
        ("有人坐在沙发上", False),
        ("画面中有无人机飞过", False),
        ("无人驾驶车停在门口", False),
        ("婴儿无人看护", False),
        ("老人坐着，没人陪伴", False),
        ("任何人走入；不含画面无人，不含没人经过", False),
        ("陌生人站在门口；不含家庭成员", False),
    ],
)
def test_that_nobody_is_there_must_hold_everywhere(query: str, *, nobody: bool) -> None:
    assert says_nobody(query) is nobody
    assert rule(condition=query).trigger.agreement is (Agreement.ALL if nobody else Agreement.ANY)


REFUSED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (EVENT, {"name": " "}, "name」应是不为空"),
    (EVENT, {"name": "甲" * 101}, "最多 100 个字"),
    (EVENT, {"condition": ""}, "condition」应是不为空"),
    (EVENT, {"condition": None}, "缺少「condition」"),
    (EVENT, {"condition": "检测到有人"}, "不能以「检测到」这类词开头"),
    (EVENT, {"condition": "已发现有人"}, "不能以"),
    (EVENT, {"condition": "长" * 1_001}, "最多 1000 个字"),
    (EVENT, {"mode": "toggle"}, "只能是 event、state"),
    (EVENT, {"duration_seconds": 0}, "1 到 86400 之间，现在是 0"),
    (EVENT, {"duration_seconds": 86_401}, "1 到 86400 之间"),
    (EVENT, {"duration_seconds": True}, "应是整数"),
    (EVENT, {"duration_seconds": 1.5}, "应是整数"),
    (EVENT, {"duration_seconds": "300"}, "应是整数"),
    (EVENT, {"exit_debounce_seconds": -1}, "0 到 86400 之间"),
    (EVENT, {"exit_debounce_seconds": 86_401}, "0 到 86400 之间"),
    (EVENT, {"agreement": "most"}, "只能是 any、all"),
    (EVENT, {"quiet": ["22:00"]}, "22:00-07:00 这样的时段"),
    (EVENT, {"quiet": ["22:00-22:00"]}, "22:00-07:00 这样的时段"),
    (EVENT, {"quiet": "22:00-07:00"}, "应是一个列表"),
    (EVENT, {"quiet": ["1:00-2:00"] * 9}, "最多 8 个"),
    (EVENT, {"limit": {"fires": 0, "seconds": 1}}, "1 到 1000 之间"),
    (EVENT, {"limit": {"fires": 1, "seconds": 1, "x": 1}}, "没有「limit.x」这个字段"),
    (EVENT, {"source": [3]}, "source.0」应是不为空"),
    (EVENT, {"source": ["c"] * 51}, "最多 50 个"),
    (EVENT, {"source": "c1", "condition": {"query": "有人", "perceive_device_ids": ["c2"]}}, "只能写一个"),
    (EVENT, {"colour": 1}, "没有「colour」这个字段"),
    (EVENT, {"durationseconds": 300}, "没有「durationseconds」这个字段，是不是「duration_seconds」？"),
    (EVENT, {"exit_debounce": 60}, "没有「exit_debounce」这个字段，是不是「exit_debounce_seconds」？"),
    (EVENT, {"actions": [LAMP]}, "和「actions」只能写一个"),
    (EVENT, {"on_exit_desc": "复位"}, "一次性规则不能有进入或离开动作"),
    (EVENT, {"on_enter_action": LAMP}, "一次性规则不能有进入或离开动作"),
    (EVENT, {"on_target_desc": "到了"}, "一次性规则不能有达标文案"),
    (EVENT, {"action": None}, "一次性规则缺少响应动作"),
    (EVENT, {"action_desc": "关灯"}, "一次性动作只能在设备动作和文案里选一种"),
    (EVENT, {"action_desc": ""}, "应是不为空"),
    (EVENT, {"action": [LAMP] * 21}, "最多 20 个"),
    (EVENT, {"action": "开灯"}, "应是一个列表"),
    (EVENT, {"action": {"did": "l1", "value": False}}, "缺少「action.iid」"),
    (EVENT, {"action": LAMP | {"colour": 1}}, "没有「action.colour」"),
    (EVENT, {"action": LAMP | {"value": [1]}}, "true/false、数字"),
    (EVENT, {"action": LAMP | {"value": float("nan")}}, "true/false、数字"),
    (EVENT, {"action": LAMP | {"idempotent": False}}, "触发动作第 1 个（l1 prop.2.1）不是幂等的"),
    (EVENT, {"action": LAMP | {"idempotent": 1}}, "true 或 false"),
    (EVENT, {"lifecycle": "temporary"}, "限时的是整个任务"),
    (EVENT, {"terminate_when": "到周五"}, "限时的是整个任务"),
    (EVENT, {"duration_ratio": 0.6}, "不支持按比例"),
    (STATE, {"on_enter_desc": None}, "至少要有进入或离开动作"),
    (STATE, {"on_enter_desc": None, "on_target_desc": "到了"}, "至少要有进入或离开动作"),
    (STATE, {"action_desc": "开灯"}, "状态型规则不能用一次性动作"),
    (STATE, {"action": LAMP}, "状态型规则不能用一次性动作"),
    (STATE, {"on_enter_action": LAMP}, "触发动作只能"),
    (STATE, {"on_exit_action": LAMP, "on_exit_desc": "关"}, "离开动作只能"),
    (STATE, {"on_exit_desc": ""}, "应是不为空"),
    (STATE, {"on_exit_action": [LAMP, LAMP | {"idempotent": False}]}, "离开动作第 2 个"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "said", "reason"), REFUSED, ids=[reason for _, _, reason in REFUSED])
def test_what_does_not_fit_is_refused_with_one_reason(base, said, reason: str) -> None:
    with pytest.raises(BadInput) as caught:
        rule(base, **said)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("said", [[], "x", None, 3, {1: 2}])
def test_a_rule_is_an_object(said) -> None:
    with pytest.raises(BadInput, match="应是一个 JSON 对象"):
        read_fields(said)


def test_where_a_value_came_from_says_nothing_here() -> None:
    about = {"trigger_class": "state", "duration_origin": "user", "duration_recommended": 300, "viewpoint": None}
    about |= {"debounce_origin": "default", "activates": False, "closes": True, "channel": None}
    assert rule(**about) == rule()


def test_what_other_systems_keep_in_a_rule_may_say_nothing() -> None:
    assert rule(lifecycle="permanent", terminate_when=None, duration_ratio=1) == rule()


# Changes


def patched(plan: Plan, **said: Any) -> Plan:
    return make_plan(fields_of(plan).patched(read_fields(said)))


def test_a_change_keeps_what_it_does_not_name() -> None:
    before = rule(STATE, duration_seconds=90, source=["c1"], on_exit_desc="结束计时", exit_debounce_seconds=0)
    after = patched(before, duration_seconds=120)
    assert after.trigger.duration == 120
    assert (after.on_exit, after.exit_debounce, after.trigger.sources) == (before.on_exit, 0, ("c1",))


def test_null_takes_away_what_may_be_missing() -> None:
    before = rule(STATE, duration_seconds=90, on_exit_desc="结束计时", source=["c1"])
    after = patched(before, duration_seconds=None, on_exit_desc=None, source=None)
    assert (after.trigger.duration, after.on_exit, after.trigger.sources) == (0, Response(), ())


def test_an_empty_change_changes_nothing() -> None:
    assert not read_fields({}).said
    assert patched(rule()) == rule()


def test_an_answer_takes_the_place_of_another_only_when_that_is_cleared() -> None:
    with pytest.raises(BadInput, match="选一种"):
        patched(rule(), action_desc="关灯")
    assert patched(rule(), action_desc="关灯", action=None).on_enter == Response(descs=("关灯",))


def test_another_mode_needs_the_answers_of_that_mode() -> None:
    with pytest.raises(BadInput, match="状态型规则不能用一次性动作"):
        patched(rule(), mode="state", on_enter_desc="关灯")
    after = patched(rule(), mode="state", on_enter_action=LAMP, action=None)
    assert after.on_enter == rule().on_enter


def test_the_agreement_follows_a_new_query() -> None:
    assert patched(rule(), condition="有人坐着").trigger.agreement is Agreement.ANY
    assert patched(rule(condition="有人坐着"), condition="画面中无人").trigger.agreement is Agreement.ALL


def test_an_agreement_chosen_against_the_words_stays() -> None:
    assert patched(rule(agreement="any"), condition="卧室没人").trigger.agreement is Agreement.ANY
    assert patched(rule(), condition="有人坐着", agreement="all").trigger.agreement is Agreement.ALL


# There and back

WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P")), min_size=1, max_size=12)
LEVELS = st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | WORDS
ACTIONS = st.builds(
    DeviceAction,
    did=WORDS,
    iid=WORDS,
    value=st.none() | LEVELS,
    params=st.lists(LEVELS, max_size=2).map(tuple),
    idempotent=st.booleans(),
    cooldown_minutes=st.integers(1, 10_080),
)
RESPONSES = st.builds(Response, actions=st.lists(ACTIONS, min_size=1, max_size=3).map(tuple)) | st.builds(
    Response, descs=st.lists(WORDS, min_size=1, max_size=3).map(tuple)
)
SPANS = st.tuples(st.integers(0, 1439), st.integers(0, 1439)).filter(lambda span: span[0] != span[1])


@st.composite
def plans(draw) -> Plan:
    mode = draw(st.sampled_from(Mode))
    state = mode is Mode.STATE
    trigger = Trigger(
        query="问" + draw(WORDS),
        sources=tuple(sorted(draw(st.sets(WORDS, max_size=3)))),
        agreement=draw(st.sampled_from(Agreement)),
        mode=mode,
        duration=draw(st.integers(0, 86_400)),
        tolerance=draw(st.integers(0, 3_600)),
        expiry=draw(st.none() | st.integers(1, 86_400)),
    )
    return Plan(
        name=draw(WORDS),
        trigger=trigger,
        on_enter=draw(RESPONSES),
        on_exit=draw(st.just(Response()) | RESPONSES) if state else Response(),
        on_target=Response(descs=(draw(WORDS),)) if state and draw(st.booleans()) else Response(),
        exit_debounce=draw(st.integers(0, 86_400)),
        cooldown=draw(st.integers(0, 86_400)),
        quiet=tuple(QuietSpan(*span) for span in draw(st.lists(SPANS, max_size=3))),
        limit=draw(st.none() | st.builds(Limit, st.integers(1, 1_000), st.integers(1, 86_400))),
    )


@given(plans())
def test_a_rule_that_is_written_reads_back_as_the_same_rule(plan: Plan) -> None:
    assert make_plan(fields_of(plan)) == plan
    assert make_plan(read_fields(json.loads(json.dumps(write_rule(plan))))) == plan


@given(plans(), plans())
def test_changing_everything_to_another_rule_makes_that_rule(before: Plan, after: Plan) -> None:
    assert make_plan(fields_of(before).patched(fields_of(after))) == after


def test_the_written_rule_has_the_names_of_the_document() -> None:
    written = write_rule(rule(STATE, on_exit_desc="结束计时", duration_seconds=90))
    assert written["condition"] == {"perceive_device_ids": [], "query": "用户坐在椅子上"}
    assert (written["on_enter_desc"], written["on_exit_desc"], written["duration_seconds"]) == (
        "记录计时起点",
        "结束计时",
        90,
    )
    assert (written["actions"], written["action_descriptions"]) == ([], [])


def test_nothing_said_says_nothing() -> None:
    assert RuleFields() == read_fields({})
    assert Direction.ENTER.value == "enter"


@pytest.mark.parametrize(
    ("desc", "limited"),
    [
        ("计数加一", False),
        ("仰卧起坐次数加一；首次达标时使用手机推送通知：恭喜达标", False),
        ("事件追加：咳嗽", False),
        ("计数加一；使用手机推送通知：又一个", True),
        ("使用音箱播报通知：有人摔倒了", True),
        ("计数加一；检查灯是否还亮着", True),
    ],
)
def test_what_only_counts_cannot_trigger_itself_and_has_no_limit(desc, limited):
    plan = make_plan(read_fields({"name": "甲", "mode": "event", "condition": "用户做仰卧起坐", "action_desc": desc}))
    assert (plan.limit is not None) is limited
