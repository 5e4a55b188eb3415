"""What anybody can see of a run: on the command line, and over HTTP."""

from __future__ import annotations

from tests.household.agent.conftest import ends, wants

from zhixing.faces import agent_words
from zhixing.faces.http.api import household_shapes
from zhixing.household.agent import transcript
from zhixing.kernel.moments import zone

CHINA = zone("Asia/Shanghai")
WORDS = "如果客厅没人就关掉客厅灯，并使用手机推送通知：客厅没人"


def shown(house, run_id="h1"):
    with house.store.read() as tx:
        return transcript.powers(tx, run_id), transcript.turns(tx, run_id)


def test_a_run_says_turn_by_turn_what_was_allowed_done_and_spent(quick_agency):
    script = [
        wants("read_device", "先看灯", device="lamp", property="on"),
        wants("act_device", "关灯", device="lamp", property="on", value=False),
        wants("act_device", "顺便开锁", device="lock", property="on", value=True),
        wants("notify", "告诉一声", text="客厅没人"),
        ends(),
    ]
    house = quick_agency(script)
    house.hub.values["lamp", "prop.2.1"] = True
    house.fire(house.task(), WORDS)
    house.work()
    powers, turns = shown(house)
    assert agent_words.turn_lines(powers, turns) == [
        "  由模型判断；可用：动设备、结束、列出设备、看最近的判断、通知、读设备、读记录",
        "  可动的设备：lamp",
        "  可用的渠道：手机推送",
        "  1. 读设备 lamp on：做了",
        "    先看灯",
        "    on=True",
        "  2. 动设备 lamp prop.2.1 False：做了",
        "    关灯",
        "    现在是 False",
        "  3. 动设备 lock on True：不许",
        "    顺便开锁",
        "    不许动这台设备",
        "  4. 通知 客厅没人：做了",
        "    告诉一声",
        "    已通知：手机推送",
        "  5. 结束 办完了 done：做了",
        "    想一下",
        "  共用 600 个 token，模型用时 0.0 秒",
    ]
    shape = agent_words.of_turns(powers, turns, CHINA)
    household_shapes.Turns.model_validate(shape)
    assert (shape["tokens"], shape["powers"]["devices"]) == (600, ["lamp"])
    assert [turn["state"] for turn in shape["turns"]] == ["done", "done", "refused", "done", "done"]


def test_a_run_decided_by_rule_says_so(quick_agency):
    house = quick_agency()
    house.hub.values["curtain", "prop.2.2"] = 20.0
    house.episode(house.task(), house.set("curtain", iid="prop.2.2", value=100.0))
    house.work()
    assert agent_words.turn_lines(*shown(house)) == [
        "  按规则判断，没有用模型；可用：动设备",
        "  可动的设备：curtain",
        "  1. 动设备 curtain prop.2.2 20.0：做了",
        "    触发时改的，之后没人动过，恢复原来的值",
        "    现在是 20.0",
    ]


def test_before_its_first_turn_there_is_nothing_to_say(quick_agency):
    house = quick_agency()
    house.fire(house.task(), WORDS)
    assert agent_words.turn_lines(*shown(house)) == []
    assert agent_words.of_turns(*shown(house), CHINA) == {"powers": None, "turns": [], "tokens": 0}
