"""Every tool over a real process: that it does what it says, and what it says when it cannot."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from uuid import uuid4

import pytest

from zhixing.faces.http.api import home_shapes, household_shapes, shapes
from zhixing.faces.mcp.tools import TOOLS

UNKNOWN = {
    "task_show": {"task": "t999"},
    "task_logs": {"task": "t999"},
    "task_pause": {"task": "nobody_knows"},
    "task_resume": {"task": "t999"},
    "task_done": {"task": "t999"},
    "task_delete": {"task": "t999"},
    "task_restore": {"task": "t999"},
    "task_undo": {"task": "t999"},
    "record_get": {"task": "t999"},
    "record_increment": {"task": "t999"},
    "rule_list": {"task": "t999"},
    "occurrence_list": {"task": "t999"},
    "explain": {"id": "t999"},
}
NUMBERS = count(1)


@pytest.fixture
def made(agent, plan_of):
    """Make a household task with all parts under a name of its own; return it."""

    def make(name="drink_8_daily"):
        plan, slug = plan_of(name), f"{name[:20]}_{next(NUMBERS)}"
        text = slug
        plan["task"]["task_id"] = slug
        for part in (*plan.get("rules", ()), *plan.get("schedules", ())):
            part["name"] = part["name"].replace(f"[{name}]", f"[{text}]")
        return agent("plan_apply", plan=plan)

    return make


def fits(model, wire):
    """Whether the HTTP API could have said the same."""
    model.model_validate(wire)
    return wire


def test_the_tools_are_listed_with_schemas_and_hints(agent):
    listed = agent.tools()
    assert list(listed) == list(TOOLS)
    for name, tool in listed.items():
        assert tool.description, name
        assert tool.input_schema["type"] == "object"
        assert tool.input_schema["additionalProperties"] is False
        assert all("description" in said or "$ref" in said for said in tool.input_schema["properties"].values()), name
    hints = {name: tool.annotations for name, tool in listed.items()}
    assert all(each.read_only_hint for name, each in hints.items() if name.endswith(("_list", "_show", "_get")))
    assert {name for name, each in hints.items() if each.destructive_hint} == {
        "talk_cancel", "graph_proposal_cancel", "device_set", "task_done", "task_delete", "task_undo", "cron_remove",
        "document_run", "document_cancel", "document_delete",
        "mijia_delete_graph", "mijia_graph_draft_discard", "mijia_delete_variable", "mijia_rollback_graph",
        "goal_cancel", "goal_retry",
    }  # fmt: skip
    assert not hints["device_set"].idempotent_hint
    assert not hints["say"].read_only_hint
    assert hints["task_pause"].idempotent_hint


def test_home_status_says_that_nobody_serves(agent):
    status = agent("home_status")
    assert (status["zone"], status["served"], status["model"]) == ("Asia/Shanghai", False, False)
    assert "服务没有在运行" in "".join(status["notes"])


def test_what_is_in_the_home(agent):
    people = fits(home_shapes.People, agent("person_list"))["people"]
    assert [one["role"] for one in people] == ["爸爸", "妈妈", "女儿", "奶奶"]
    assert "cam_living" in [one["did"] for one in agent("camera_list")["cameras"]]
    lights = agent("device_list", room="客厅", category="light")["devices"]
    assert [one["did"] for one in lights] == ["light_living"]
    assert len(agent("device_list")["devices"]) > 20


def test_a_device_is_read_and_written(agent):
    assert fits(home_shapes.Device, agent("device_show", device="书房台灯"))["did"] == "lamp_study"
    after = fits(home_shapes.Device, agent("device_set", device="lamp_study", property="on", value=True))
    assert {one["name"]: one["value"] for one in after["properties"]}["on"] is True
    assert agent.wrong("device_show", device="飞船") == "device_unknown"
    assert agent.wrong("device_set", device="lamp_study", property="wings", value=1) == "capability_unknown"
    assert agent.wrong("device_set", device="lamp_study", property="on", value="maybe") == "value_unfit"
    assert agent.wrong("device_set", device="climate_living", property="temperature", value=20) == "property_read_only"


def test_a_plain_reminder_is_said_shown_and_ended(agent):
    said = fits(shapes.Task, agent("say", text="明天下午3点提醒我交电费"))
    task = said["id"]
    assert [one["task"] for one in agent("reminder_list")["reminders"] if one["task"] == task] == [task]
    assert agent("task_show", task=task[1:])["journal"]
    assert agent("task_done", task=task)["status"] == "completed"
    assert task not in [one["task"] for one in agent("reminder_list")["reminders"]]
    assert agent("task_restore", task=task)["status"] == "active"
    assert agent.wrong("reminder_list", days=0) == "field_wrong"
    assert agent.wrong("task_undo", task=task) == "task_not_household"


def test_one_time_of_what_repeats_is_done(agent):
    task = agent("say", text="每天早上8点提醒我吃早饭")["id"]
    assert agent("task_done", task=task, once=True)["series"]["done"]
    assert agent("task_show", task=task)["status"] == "active"


def test_a_reminder_asks_and_is_answered(agent):
    asked = agent("say", text="明天3点提醒我开会")
    assert asked["question"]["options"]
    question = asked["question"]
    answered = agent("answer", id=asked["id"], value=question["options"][1]["value"], revision=question["revision"])
    assert answered["question"] is None
    assert answered["reminders"]
    again = agent.wrong("answer", id=asked["id"], value="a", revision=question["revision"])
    assert again == "question_closed"


def test_the_same_key_gives_the_first_result(agent):
    first = agent("say", text="后天上午10点提醒我浇花", key="flowers")
    assert agent("say", text="完全不同的话", key="flowers")["id"] == first["id"]
    talk = agent("say", text="走路超过40分钟告诉我", key="walking")
    assert agent("say", text="走路超过40分钟告诉我", key="walking")["id"] == talk["id"]


def test_a_note_is_only_kept(agent):
    note = agent("say", text="明天下午3点", note=True)
    assert (note["state"], note["reminders"]) == ("note", [])
    pasted = agent("say", text="明天下午3点在三楼开会", source="paste", messageDate="2090-10-12")
    assert pasted["nodes"][0]["at"].startswith("2090-10-13T15:00")
    assert agent.wrong("say", text="a", messageDate="gestern") == "date_unreadable"
    assert agent.wrong("say", text="a", zone="Mars/Base") == "zone_unknown"
    assert agent.wrong("say", text="a", cameras=["cam_moon"]) == "camera_unknown"


def test_a_talk_is_listed_shown_and_called_off(agent):
    talk = fits(shapes.Talk, agent("say", text="久坐35分钟提醒一下"))
    assert talk["state"] == "asked"
    assert talk["id"] in [one["id"] for one in fits(shapes.Talks, agent("talk_list", openOnly=True))["talks"]]
    assert agent.wrong("answer", id=talk["id"], value="Z") == "answer_unreadable"
    assert agent("talk_cancel", talk=talk["id"].upper())["state"] == "cancelled"
    assert agent("talk_show", talk=talk["id"])["state"] == "cancelled"
    assert talk["id"] not in [one["id"] for one in agent("talk_list", openOnly=True)["talks"]]
    assert agent.wrong("answer", id=talk["id"], value="A") == "question_closed"
    assert agent.wrong("talk_retry", talk=talk["id"]) == "talk_ended"
    for tool in ("talk_show", "talk_cancel", "talk_retry"):
        assert agent.wrong(tool, talk="s99999") == agent.wrong(tool, talk="t1") == "talk_unknown"
    assert agent.wrong("talk_list", before="t1") == "talk_unknown"


def test_what_waits_for_a_model_can_be_read_again(agent):
    waiting = agent("say", text="孩子要是又在客厅闹腾得不像话就管一管摄像头")
    assert waiting["state"] == "pending_ai"
    assert agent("talk_retry", talk=waiting["id"])["state"] == "pending_ai"
    assert agent("talk_cancel", talk=waiting["id"])["state"] == "cancelled"


def test_tasks_come_in_pages(agent):
    for hour in (8, 9, 10):
        agent("say", text=f"大后天上午{hour}点提醒我喝药")
    first = agent("task_list", limit=2)
    assert len(first["tasks"]) == 2
    second = agent("task_list", limit=2, before=first["more"])
    assert not {one["id"] for one in first["tasks"]} & {one["id"] for one in second["tasks"]}
    assert agent.wrong("task_list", limit=1000) == "field_wrong"
    assert agent.wrong("task_list", status=["lost"]) == "field_wrong"


def test_a_plan_is_made_and_looked_at(agent, made):
    task = fits(household_shapes.HouseholdTask, made())
    slug = task["slug"]
    assert fits(household_shapes.Record, agent("record_get", task=slug))["record"]["target"] == 8
    assert slug in [one.get("slug") for one in agent("task_list", way="household")["tasks"]]
    assert slug not in [one.get("slug") for one in agent("task_list", way="notice")["tasks"]]
    assert agent("task_logs", task=slug, since="7d")["lines"] == []
    shown = agent("task_show", task=slug)
    assert shown["id"] == task["id"]
    assert {entry["who"] for entry in shown["journal"]} == {"mcp"}
    assert agent.wrong("task_logs", task=slug, since="neulich") == "instant_unreadable"


def test_applying_twice_makes_one(agent, plan_of, made):
    plan = plan_of("phone_time_daily")
    plan["task"]["task_id"] = made("phone_time_daily")["slug"]
    plan["rules"][0]["name"] = f"[{plan['task']['task_id']}] 玩手机"
    before = len(agent("task_list", limit=200)["tasks"])
    assert agent.wrong("plan_apply", plan=plan) == "household_task_exists"
    assert len(agent("task_list", limit=200)["tasks"]) == before


def test_what_is_wrong_with_a_plan_is_named(agent):
    assert agent.wrong("plan_apply", plan={}) == agent.wrong("plan_check", plan={})
    assert agent.wrong("plan_apply", plan={"op": "update"}) == "plan_op"
    assert agent.wrong("plan_apply", plan="living_room_off") == "field_wrong"


def test_pausing_and_going_on_twice_is_once(agent, made):
    slug = made()["slug"]
    assert agent("task_pause", task=slug)["status"] == "paused"
    assert agent.wrong("task_pause", task=slug) == "task_is_paused"
    assert agent("task_resume", task=slug)["status"] == "active"
    assert agent.wrong("task_resume", task=slug) == "task_is_active"
    assert all(rule["enabled"] for rule in agent("rule_list", task=slug)["rules"])


def test_deleting_and_bringing_back(agent, made):
    task = made()
    assert agent("task_delete", task=task["slug"])["status"] == "deleted"
    assert task["id"] not in [one["id"] for one in agent("task_list", limit=200)["tasks"]]
    assert task["id"] in [one["id"] for one in agent("task_list", status=["deleted"], limit=200)["tasks"]]
    assert agent("task_restore", task=task["id"])["status"] == "active"


def test_a_change_that_was_said_is_taken_back(agent, made):
    slug = made("drink_8_daily")["slug"]
    rule = agent("rule_list", task=slug)["rules"][0]["id"]
    agent("rule_disable", rule=rule)
    assert agent("task_undo", task=slug)["rules"][0]["enabled"] is True


def test_a_rule_is_stopped_and_explained(agent, made):
    task = made()
    rule = task["rules"][0]["id"]
    assert fits(household_shapes.Rule, agent("rule_disable", rule=rule.upper()))["enabled"] is False
    assert agent("rule_enable", rule=rule)["enabled"] is True
    explained = agent("rule_explain", rule=rule)
    assert explained["words"]
    assert explained["lines"] == []
    assert rule in [one["id"] for one in agent("rule_list")["rules"]]
    for tool in ("rule_enable", "rule_disable", "rule_explain"):
        assert agent.wrong(tool, rule="r999") == "rule_unknown"


def test_counting_with_a_key_counts_once(agent, made):
    slug = made()["slug"]
    first = agent("record_increment", task=slug, delta=2, key="cups")
    again = agent("record_increment", task=slug, delta=2, key="cups")
    assert (first["written"]["applied"], again["written"]["applied"], again["written"]["why"]) == (True, False, "again")
    assert agent("record_increment", task=slug)["record"]["current"] == 3
    assert agent("record_increment", task=slug, delta=-1)["record"]["current"] == 2
    assert agent.wrong("record_increment", task=slug, delta=10**30) == "record_step"
    assert agent.wrong("record_increment", task=slug, delta=0) == "record_step"
    assert agent.wrong("record_increment", task=made("phone_time_daily")["slug"]) == "record_wrong_kind"
    assert agent.wrong("record_get", task=made("living_room_off")["slug"]) == "record_none"


def test_cron_jobs_are_added_listed_and_removed(agent, made):
    slug = made()["slug"]
    name = f"[{slug}] 晚上看一眼"
    job = fits(
        household_shapes.Job,
        agent("cron_add", name=name, schedule={"kind": "cron", "expr": "0 21 * * *"}, message="看一眼", task=slug),
    )
    assert (job["schedule"]["tz"], job["task"]) == ("Asia/Shanghai", slug)
    every = agent("cron_add", name="催", schedule={"kind": "every", "everyMs": 60_000}, message="催一催")
    later = (datetime.now(UTC) + timedelta(days=1)).isoformat()  # noqa: TID251 - the process has the real time
    once = agent("cron_add", name="一次", schedule={"kind": "at", "at": later}, message="一次")
    listed = [one["id"] for one in agent("cron_list")["cron"]]
    assert {job["id"], every["id"], once["id"]} <= set(listed)
    assert agent("cron_remove", job=once["id"]) == {"id": once["id"], "removed": True}
    assert agent.wrong("cron_remove", job=once["id"]) == "job_unknown"
    assert agent.wrong("cron_add", name="a", schedule={"kind": "cron", "expr": "x"}, message="b") == "cron_fields"
    assert agent.wrong("cron_add", name="a", schedule={"kind": "moon"}, message="b") == "field_wrong"
    assert agent.wrong("cron_add", name="a", schedule={"kind": "at", "when": "1"}, message="b") == "field_unknown"


def test_a_push_is_in_the_inbox_and_explained(agent):
    words = f"饭好了 {uuid4().hex[:6]}"
    pushed = agent("notify_push", text=words)
    assert agent("notify_push", text=words) == {**pushed, "pushed": False, "deduplicated": True}
    assert any(words in one["text"] for one in fits(shapes.Inbox, agent("inbox_list"))["messages"])
    assert pushed["occurrence"] in [one["id"] for one in agent("occurrence_list", hours=1)["occurrences"]]
    assert agent("occurrence_list", hours=1, limit=1)["occurrences"][0]["id"] == pushed["occurrence"]
    explained = agent("explain", id=pushed["occurrence"])
    assert explained["explanation"]
    assert explained["messages"]
    assert agent.wrong("notify_push", text="  ") == "text_empty"
    assert agent.wrong("notify_push", text="x" * 5000) == "text_long"
    assert agent.wrong("explain", id="o0000000000") == "occurrence_unknown"
    assert agent("inbox_list", after="m999999")["messages"] == []


def test_tasks_of_both_ways_are_explained(agent, made):
    reminder = agent("say", text="大后天下午2点提醒我寄快递")["id"]
    assert agent("explain", id=reminder)["explanation"]
    household = agent("explain", id=made()["slug"])
    assert household["log"]["lines"] == household["occurrences"] == []


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_nobody_knows_is_refused(agent, name):
    assert agent.wrong(name, **UNKNOWN[name]).endswith("_unknown")


def test_a_tool_that_does_not_exist_names_the_near_ones(agent):
    failed, said = agent.call("task_remove", {"task": "t1"})
    assert failed
    assert said["error"]["code"] == "tool_unknown"
    assert "task_re" in said["error"]["message"]
