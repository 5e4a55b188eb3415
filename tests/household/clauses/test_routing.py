"""Chapters 1, 4 and 5 of the clauses: what is wanted, what is refused, and what is looked at first."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.household.assembling.saying import ALONE, FAMILY, FLAT, OLD, TASKS, decided, flat
from tests.household.checks.cases import changed, found, rows
from tests.household.clauses.telling import Row, differs, named
from tests.household.composing.writing import plan, request_of, settle, site_of

from zhixing.household.assembling.assembler import assemble
from zhixing.household.assembling.request import Person
from zhixing.household.composing.asking import ask
from zhixing.household.composing.composer import compose
from zhixing.tasks.task import Status

FRAME = "[感知引擎] 语音指令 来源=玄关摄像头 内容：{}"

OPERATIONS = [
    ("H-OP-02", "爸爸抽烟就播报", "create"),
    ("H-OP-02", FRAME.format("爸爸抽烟就播报"), "create"),
    ("H-OP-02", "每周五下午4点提醒我买菜", "create"),
    ("H-OP-02", "统计儿子每天看电视多久", "create"),
    ("H-OP-03", "我现在都有哪些任务", "list"),
    ("H-OP-04", "喝水任务今天触发了几次", "logs"),
    ("H-OP-05", "把久坐提醒暂停一下", "disable"),
    ("H-OP-06", "恢复玩手机的任务", "enable"),
    ("H-OP-07", "把喝水的目标改成10杯", "update"),
    ("H-OP-08", "删掉久坐提醒", "delete"),
    ("H-OP-09", FRAME.format("把久坐提醒暂停一下"), "disable"),
    ("H-OP-09", FRAME.format("我现在都有哪些任务"), "list"),
    ("H-OP-11", "久坐那个先歇两天", "disable"),  # none of the words that the clause lists
]

REFUSED: list[Row] = [
    ("H-IN-01", FAMILY, "每天早上7点提醒我吃药 另外客厅没人就关空调", {"tasks#": 2, "outcome": "planned"}),
    ("H-IN-02", FAMILY, "爸爸在客厅而且妈妈在厨房就播报", {"reject": "and_rule", "tasks#": 0}),
    ("H-IN-02", FAMILY, "儿子一个人在客厅看电视就播报", {"reject": None}),
    ("H-IN-02", FAMILY, "爸爸和妈妈抽烟都播报", {"reject": None, "rules": 2}),
    ("H-CAM-01", FAMILY, "家里有人抽烟就推送", {"source": None}),
    ("H-CAM-01", FAMILY, "主卧有人咳嗽就推送", {"source": None, "questions": ["camera_name"]}),
]
SAID = [
    ("客厅没人就关空调", FAMILY),
    ("有人摔倒就推送", FAMILY),
    ("妈妈回家就开灯", FAMILY),
    ("每天累计玩手机超1小时推送", FAMILY),
    ("明天9点提醒我吃药", FAMILY),
    ("爷爷躺了超过13个小时就推送", OLD),
    ("小雨咳嗽就推送", FLAT),
    ("我打游戏超过两小时就播报", ALONE),
]
VIOLATIONS = {row["id"]: row for row in rows("violations.jsonl")}


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_words_are_first_of_all_for_one_of_the_six_paths(row) -> None:
    """H-OP-02 … H-OP-09, H-OP-11."""
    _, text, op = row
    assert decided(text, tasks=TASKS)["op"] == op


@pytest.mark.parametrize("text", [row[1] for row in OPERATIONS if row[2] != "create"])
def test_what_is_for_existing_tasks_is_judged_by_nothing_else(text) -> None:
    """H-OP-01, H-OP-10: no channel is asked for, nothing is refused or decided, no default is told."""
    answer = decided(text, tasks=TASKS)
    assert (answer["tasks"], answer["questions"], answer["tips"], answer["reject"]) == ([], [], [], None)


def test_an_amount_that_no_new_task_may_have_is_no_reason_to_refuse_a_change() -> None:
    """H-OP-10: more than a day in one stretch is refused where it is new."""
    assert decided("儿子看电视超过30小时就播报")["reject"] == "duration_over_24h"
    changing = decided("把久坐提醒改成30小时", tasks=TASKS)
    assert (changing["op"], changing["reject"]) == ("update", None)


@pytest.mark.parametrize(
    "text",
    ["儿子写作业的时候把电视关掉 写完恢复", "记录妈妈喝了几次水 不用提醒", "妈妈回家就开客厅灯 走了也别关"],
)
def test_words_are_taken_by_what_they_mean(text) -> None:
    """H-OP-11: 恢复, 不用, 别 and 关掉 stand in a new task and change none."""
    assert decided(text, tasks=TASKS)["op"] == "create"


@pytest.mark.parametrize("row", REFUSED, ids=named(REFUSED))
def test_what_is_taken_apart_refused_or_never_matched(row) -> None:
    assert differs(row) == {}


def test_an_event_and_another_are_a_rule_each_and_no_condition_of_both() -> None:
    """H-IN-02: any of them, not both at once (A-28)."""
    heard = flat("有人摔倒或者喊救命就推送")
    assert (heard["reject"], heard["outcome"]) == (None, "planned")
    assert heard["rules"] == 2


def test_cameras_people_and_tasks_are_looked_at_before_anything_is_decided() -> None:
    """H-PRE-01: without a camera, or with a task of that kind, nothing else is asked or told."""
    dark = {"cameras": [{"did": "c", "name": "客厅", "room_name": "客厅", "in_use": False}], "persons": []}
    assert ask(assemble(request_of("外公咳嗽就告诉我", dark)), site_of(request_of("", dark).home)).questions[
        0
    ].kind == ("camera")
    assert decided("久坐30分钟提醒我", tasks=TASKS)["questions"] == ["duplicate"]


def test_they_are_one_picture_of_the_home(talking) -> None:
    """H-PRE-02: cameras, people and tasks of one instant."""
    home = talking()
    home.say("客厅没人就关灯")
    seen = home.app.talks.home()
    assert [camera.did for camera in seen.eyes]
    assert [person.name for person in seen.persons]
    assert [task.id for task in seen.tasks] == home.slugs


def test_who_somebody_is_only_the_list_of_people_says() -> None:
    """H-PER-01: the same words with other people in the list are about somebody else."""
    request = request_of("妈妈咳嗽就推送")
    (draft,) = assemble(request).drafts
    assert draft.subject is not None
    assert draft.subject.value == "妈妈"
    renamed = replace(request, home=replace(request.home, persons=(Person("妈妈", ""),)))
    assert assemble(renamed).questions == ()
    alone = replace(request, home=replace(request.home, persons=(Person("王强", "爸爸"),)))
    assert assemble(alone).questions == ("person",)


@pytest.mark.parametrize(("text", "home"), SAID)
def test_a_task_gets_a_name_that_says_what_it_does(text, home) -> None:
    """H-ID-01, H-ID-02, H-ID-03, H-ID-04, H-ID-05."""
    assembly, _ = settle(request_of(text, home))
    assert not {"name", "task_id"} & {*assembly.asked, *assembly.questions}
    name = plan(text, home).assembly["task"]["task_id"]
    assert re.fullmatch(r"[a-z0-9_]{1,32}", name)
    assert not name.isdigit()
    assert len(name) >= 4
    assert re.search(r"[a-z]{3}", name)


def test_names_follow_what_happens() -> None:
    """H-ID-03: the same happening, the same word in the name; another one, another."""
    assert "fall" in plan("有人摔倒就推送").assembly["task"]["task_id"]
    assert "drink" in plan("每天喝8杯水").assembly["task"]["task_id"]
    assert plan("妈妈咳嗽就推送").plan.slug != plan("爸爸打喷嚏就推送").plan.slug


@pytest.mark.parametrize(
    ("clause", "check"),
    [("H-ID-02", "V-010"), ("H-ID-04", "V-011"), ("H-ID-05", "V-012"), ("H-DUP-02", "V-013"), ("H-DUP-05", "V-014")],
)
def test_another_name_is_not_let_through(clause, check) -> None:
    """H-ID-02, H-ID-04, H-ID-05, H-DUP-02, H-DUP-05: whoever wrote the plan."""
    assert check in {one.id for one in found(changed(VIOLATIONS[check]))}, clause


def test_a_task_is_recognised_by_its_description_whatever_it_is_called() -> None:
    """H-DUP-01."""
    same = {"id": "x1", "description": "久坐半小时就提醒我", "status": "active", "rule_briefs": []}
    other = {**same, "description": "猫上沙发就提醒我"}
    assert decided("久坐30分钟提醒我", tasks=[same])["questions"] == ["duplicate"]
    assert "duplicate" not in decided("久坐30分钟提醒我", tasks=[other])["questions"]


def test_a_name_that_is_taken_becomes_a_more_exact_one() -> None:
    """H-DUP-02: by itself first (A-53)."""
    assembly, request = settle(request_of("客厅没人就关灯"))
    (draft,) = assembly.drafts
    first = compose(draft, site_of(request.home)).plan.slug
    second = compose(draft, site_of(request.home, taken=frozenset((first,)))).plan.slug
    assert second != first
    assert re.fullmatch(r"[a-z0-9_]{1,32}", second)


@pytest.mark.parametrize(
    ("clause", "text", "task", "asked"),
    [
        ("H-DUP-03", "客厅没人就关灯", "客厅没有人时把灯关掉", ["duplicate"]),
        ("H-DUP-04", "久坐45分钟提醒我", "久坐30分钟提醒我", ["duplicate"]),
        ("H-DUP-06", "儿童房没人就关灯", "客厅没人就关灯", []),
        ("H-DUP-06", "客厅没人就关空调", "客厅没人就关灯", []),
        ("H-DUP-07", "客厅有人就把灯的色温调到3000", "客厅有人就把灯的亮度调到50", []),
    ],
)
def test_what_is_a_conflict_and_what_is_none(clause, text, task, asked) -> None:
    """H-DUP-03, H-DUP-04, H-DUP-06, H-DUP-07."""
    known = {"id": "known", "description": task, "status": "active", "rule_briefs": []}
    assert decided(text, tasks=[known])["questions"] == asked, clause


def test_a_paused_one_is_enabled_or_goes_and_is_no_conflict() -> None:
    """H-DUP-05."""
    known = {"id": "off", "description": "客厅没人就关灯", "status": "paused", "rule_briefs": []}
    request = request_of("客厅没人就关灯", tasks=[known])
    (question,) = ask(assemble(request), site_of(request.home)).questions
    assert question.kind == "paused"
    assert len(question.options) == 2
    assert "启用" in question.options[0]
    assert "删" in question.options[1]


def test_the_three_ways_out_of_a_conflict() -> None:
    """H-DUP-03, H-DUP-04: replace, make anyway or pause the old one, call it off."""
    known = {"id": "sit", "description": "久坐30分钟提醒", "status": "active", "rule_briefs": []}
    for text, second in (("久坐30分钟提醒", "仍然新建"), ("久坐45分钟提醒", "暂停")):
        request = request_of(text, tasks=[known])
        (question,) = ask(assemble(request), site_of(request.home)).questions
        assert len(question.options) == 3
        assert "替换" in question.options[0]
        assert second in question.options[1]
        assert "取消" in question.options[2]


def test_nothing_that_exists_is_touched_until_the_answer(talking) -> None:
    """H-DUP-08."""
    home = talking()
    (slug,) = home.say("久坐30分钟提醒一下", "A").tasks
    before = home.app.household.get(slug)
    talk = home.say("久坐45分钟用音箱提醒一下")
    assert [question.kind for question in talk.questions] == ["duplicate"]
    assert home.app.household.get(slug) == before
    assert home.slugs == [slug]
    home.app.talks.answer(talk.id, "B", who="test")
    assert home.app.household.get(slug).task.status is Status.PAUSED
