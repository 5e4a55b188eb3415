"""Chapters 25, 27 and 28 of the clauses: what is made in which order, what is left of a failure, and examples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from tests.household import examples
from tests.household.assembling.saying import BABY, FAMILY, OLD, flat
from tests.household.checks.cases import changed, found, rows
from tests.household.composing.writing import plan, request_of, rule
from tests.household.conftest import WHO

import zhixing
from zhixing.household.anchors import compute
from zhixing.household.checks import Level
from zhixing.household.plan import read_plan
from zhixing.kernel.errors import Conflict, NotFound, ZhixingError
from zhixing.kernel.moments import zone

VIOLATIONS = {row["id"]: row for row in rows("violations.jsonl")}
SAID = [
    ("爸爸抽烟就播报", FAMILY),
    ("客厅没人就关空调", FAMILY),
    ("妈妈回家就开灯", FAMILY),
    ("爸爸和妈妈抽烟都播报", FAMILY),
    ("今天做够50个俯卧撑就播报", FAMILY),
    ("每天累计看书2小时就播报", FAMILY),
    ("每天早上8点提醒我吃药", FAMILY),
    ("记录儿子每次打喷嚏", FAMILY),
    ("宝宝踢被子就播报", BABY),
    ("奶奶一天吃3次药", OLD),
]
every_plan = pytest.mark.parametrize(("text", "home"), SAID)
ANSWERS = ("action", "action_desc", "on_enter_action", "on_enter_desc", "on_exit_action", "on_exit_desc")


def given(one: dict[str, Any]) -> set[str]:
    return {field for field in ANSWERS if one[field] is not None}


@every_plan
def test_parts_are_made_one_after_the_other(text, home) -> None:
    """H-MAP-01: the task, then its record, each job and its link, then the rules."""
    made = plan(text, home).assembly
    order = ["task", *(["record"] if made["record"] else [])]
    order += [f"{step}:{number}" for number in range(len(made["schedules"])) for step in ("cron", "link")]
    assert made["steps"] == [*order, *(f"rule:{number}" for number in range(len(made["rules"])))]


@every_plan
def test_every_part_bears_the_name_of_its_task_and_hangs_on_it(text, home) -> None:
    """H-MAP-02, H-MAP-06, H-MAP-07, H-MAP-08, H-FLAG-01."""
    made = plan(text, home).assembly
    slug = made["task"]["task_id"]
    for one in (*made["rules"], *made["schedules"]):
        assert one["name"].startswith(f"[{slug}] ")
        assert one["name"].removeprefix(f"[{slug}] ").strip()
    assert slug
    assert made["task"]["description"].strip()
    assert all(job["linked"] for job in made["schedules"])
    assert [step for step in made["steps"] if step.startswith("link")] == [
        f"link:{number}" for number in range(len(made["schedules"]))
    ]
    if made["record"] is not None:
        assert made["record"]["kind"] in ("progress", "duration", "event")
        assert isinstance(made["record"]["content"], dict)


@every_plan
def test_a_rule_has_the_flags_of_its_mode(text, home) -> None:
    """H-FLAG-02, H-FLAG-03, H-FLAG-04, H-FLAG-05, H-FLAG-06, H-FLAG-07, H-FLAG-08."""
    made = plan(text, home)
    for one in made.assembly["rules"]:
        assert one["mode"] in ("event", "state")
        assert one["query"]["text"].strip()
        assert one["source"] is None or (one["source"] and len(set(one["source"])) == len(one["source"]))
        if one["mode"] == "event":
            assert given(one) in ({"action"}, {"action_desc"})
            assert one["on_target_desc"] is None
        else:
            assert len(given(one) & {"on_enter_action", "on_enter_desc"}) == 1
            assert len(given(one) & {"on_exit_action", "on_exit_desc"}) <= 1
            assert not given(one) & {"action", "action_desc"}
    for written, one in zip(made.plan.rules, made.assembly["rules"], strict=True):
        assert (written.sources or ()) == tuple(one["source"] or ()) or written.sources is UNSET


def test_a_command_names_device_property_value_and_whether_it_may_be_repeated() -> None:
    """H-FLAG-09."""
    assert set(rule("客厅没人就关空调")["action"]) == {"did", "iid", "value", "idempotent"}
    assert set(rule("妈妈回家就开灯")["on_enter_action"]) == {"did", "iid", "value", "idempotent"}


@pytest.mark.parametrize(
    ("clause", "check"),
    [
        ("H-MAP-01", "V-201"), ("H-MAP-02", "V-020"), ("H-MAP-02", "V-170"), ("H-MAP-06", "V-006"),
        ("H-MAP-07", "V-174"), ("H-MAP-07", "V-203"), ("H-MAP-08", "V-140"), ("H-MAP-09", "V-161"),
        ("H-MAP-09", "V-165"), ("H-MAP-09", "V-166"), ("H-MAP-09", "V-158"), ("H-MAP-10", "V-164"),
        ("H-FLAG-01", "V-021"), ("H-FLAG-02", "V-022"), ("H-FLAG-03", "V-063"), ("H-FLAG-04", "V-023"),
        ("H-FLAG-04", "V-024"), ("H-FLAG-05", "V-025"), ("H-FLAG-05", "V-026"), ("H-FLAG-06", "V-027"),
        ("H-FLAG-07", "V-028"), ("H-FLAG-08", "V-110"), ("H-FLAG-09", "V-036"),
    ],
)  # fmt: skip
def test_a_plan_that_is_put_together_otherwise_is_refused(clause, check) -> None:
    row = VIOLATIONS[check]
    findings = {one.id: one.level for one in found(changed(row), row.get("home"))}
    assert findings.get(check) is Level.ERROR, clause


def test_what_is_for_a_time_has_a_job_that_ends_it() -> None:
    """H-MAP-09: at its end, in the words of the document, linked; a single moment needs none (A-11)."""
    made = plan("今天做够50个俯卧撑就播报").assembly
    end = made["schedules"][-1]
    assert (end["kind"], end["purpose"], end["linked"]) == ("at", "terminate", True)
    assert end["at"] == made["task"]["expires_at"] == made["record"]["content"]["expires_at"]
    assert end["message"] == f"到期销毁 task {made['task']['task_id']}"
    assert [job["purpose"] for job in plan("明天9点提醒我吃药").assembly["schedules"]] == ["remind"]
    assert [job["purpose"] for job in plan("每天早上8点提醒我吃药").assembly["schedules"]] == ["remind"]


def test_instants_are_those_of_time_compute() -> None:
    """H-MAP-10."""
    now, shanghai = request_of("").home.now, zone("Asia/Shanghai")
    tomorrow = compute({"kind": "tomorrow_at", "time": "09:00:00"}, now, shanghai)
    assert plan("明天9点提醒我吃药").assembly["schedules"][0]["at"] == tomorrow.isoformat(timespec="seconds")
    midnight = compute({"kind": "tomorrow_at", "time": "00:00:00"}, now, shanghai)
    assert plan("今天有人敲门就播报").assembly["task"]["expires_at"] == midnight.isoformat(timespec="seconds")


def test_several_tasks_are_made_in_the_order_they_were_said(talking) -> None:
    """H-MAP-03, H-MAP-04: one behind the other, all of them or none."""
    home = talking()
    talk = home.say("客厅没人就关灯 另外明天早上9点提醒我吃药")
    assert len(talk.tasks) == 2
    assert home.slugs == list(reversed(talk.tasks))


def test_of_several_tasks_none_is_made_while_one_is_open(talking) -> None:
    """H-MAP-03, H-CHAN-07."""
    home = talking()
    talk = home.say("客厅没人就关灯 另外爸爸抽烟就告诉我")
    assert talk.questions
    assert home.slugs == []


def test_what_does_not_fit_is_refused_as_a_whole_and_looked_at_anew_as_a_whole(steady_house) -> None:
    """H-MAP-05: a mistake in one parameter leaves nothing behind to be patched; the whole plan is read again."""
    wrong = examples.changed(examples.lights_off(), "rules.0.action.did", "light_nowhere")
    with pytest.raises(ZhixingError):
        steady_house.apply(wrong)
    assert steady_house.household.list() == ()
    assert steady_house.apply(examples.lights_off()) == "living_room_off"


# What is left of a failure.


def half(house: Any) -> str:
    """Make the task of the ninth example up to its job, step by step; the job is not linked yet."""
    plan_ = examples.drink_daily()
    house.household.create_task("drink_8_daily", "妈妈每天喝 8 杯水", who=WHO)
    house.household.init_record("drink_8_daily", "progress", plan_["record"]["content"], who=WHO)
    house.household.create_rule("drink_8_daily", plan_["rules"][0], who=WHO)
    job = {"name": "[drink_8_daily] 喝水提醒", "message": "催", "schedule": {"kind": "every", "every_ms": 7_200_000}}
    return str(house.cron.add(job, who=WHO).job.id)


def test_a_task_that_stays_half_made_is_abandoned_with_all_it_has(steady_house) -> None:
    """H-RB-01, H-RB-02: one deletion takes rules, record and links; doing it again finds nothing."""
    half(steady_house)
    steady_house.household.delete("drink_8_daily", reason="abandoned", who=WHO)
    assert steady_house.household.list() == ()
    assert steady_house.ends("drink_8_daily") == ["abandoned"]
    with pytest.raises(NotFound):
        steady_house.household.delete("drink_8_daily", who=WHO)


def test_a_job_that_hangs_on_the_task_goes_with_it(steady_house) -> None:
    """H-RB-03: nothing is left for an agent to remove."""
    job = half(steady_house)
    steady_house.household.link("drink_8_daily", "cron", job, who=WHO)
    steady_house.household.delete("drink_8_daily", reason="abandoned", who=WHO)
    assert steady_house.cron.list() == ()


def test_a_job_that_hangs_on_nothing_is_removed_by_its_id(steady_house) -> None:
    """H-RB-04."""
    job = half(steady_house)
    steady_house.household.delete("drink_8_daily", reason="abandoned", who=WHO)
    assert [view.job.id for view in steady_house.cron.list()] == [job]
    steady_house.cron.remove(job, who=WHO)
    assert steady_house.cron.list() == ()
    assert steady_house.pending() == []


def test_a_task_that_could_not_be_made_is_nothing_to_delete(steady_house) -> None:
    """H-RB-05: and the one that has the name already stays as it is."""
    steady_house.apply(examples.lights_off())
    with pytest.raises(Conflict):
        steady_house.household.create_task("living_room_off", "又一个", who=WHO)
    assert [view.slug for view in steady_house.household.list()] == ["living_room_off"]
    with pytest.raises(ZhixingError):
        steady_house.household.create_task("Bad Name", "x", who=WHO)
    with pytest.raises(ZhixingError):
        steady_house.household.delete("Bad Name", who=WHO)
    assert read_plan(examples.lights_off()).slug == "living_room_off"


# Examples.


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("客厅没人10分钟就关灯", {"duration_seconds": 600}),  # example 6 has 300
        ("儿童房没人就关灯", {"source": ["cam_kid"], "target_device": "lamp_kid"}),
        ("今天喝够3杯水就播报", {"record.target": 3, "schedule.expr": "0 10,15,20 * * *", "channel": "speaker"}),
        ("每周累计玩手机超3小时就播报", {"record.target_minutes": 180, "record.window": "week"}),
        ("爸爸回家就推送", {"subject": "爸爸", "channel": "phone", "exit_debounce_seconds": 1800}),
        ("明天7点提醒我跑步", {"schedule.at": "2026-06-13T07:00:00+08:00"}),
        ("儿子起床后关窗帘", {"mode": "event", "subject": "儿子", "on_exit": "none"}),
    ],
)
def test_what_is_like_an_example_is_decided_for_itself(text, wanted) -> None:
    """H-EX-01, H-EX-02: no value of the example it resembles stands in it."""
    answer = flat(text)
    assert {key: answer.get(key) for key in wanted} == wanted


def test_no_sentence_of_an_example_is_known_to_the_program() -> None:
    """H-EX-02: the rules know signs of language and of sight, and no example by heart."""
    house = Path(zhixing.__file__).parent / "household"
    known = "".join(
        file.read_text(encoding="utf-8")
        for room in ("assembling", "composing", "advising", "updating")
        for file in (house / room).rglob("*.*")
        if file.suffix in (".py", ".toml")
    )
    said = (
        "家里有人摔倒就报警",
        "起床后自动开窗帘",
        "9 点提醒吃药",
        "喝够 8 杯水提醒",
        "累计玩手机超 1 小时提醒",
        "客厅没人就关灯",
        "久坐 30 分钟提醒一下",
        "妈妈回家就播放欢迎曲",
    )
    assert [one for one in said if one in known] == []
