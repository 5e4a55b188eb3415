"""Chapters 11 to 13 of the clauses: what is looked for, about whom, in which words."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from tests.household.assembling.saying import ALONE, BABY, FAMILY, FLAT, LARGE, OLD
from tests.household.checks.cases import changed, found, rows
from tests.household.clauses.telling import Row, differs, named
from tests.household.composing.writing import plan, request_of, rule, site_of

from zhixing.household.assembling.assembler import assemble
from zhixing.household.checks import Level
from zhixing.household.checks.lexicon import says
from zhixing.household.composing.asking import ask
from zhixing.household.composing.dictionary import entries

VIOLATIONS = {row["id"]: row for row in rows("violations.jsonl")}
ACTIONS = [
    ("爸爸抽烟超过2分钟就播报", FAMILY),
    ("每天喝8杯水", FAMILY),
    ("久坐30分钟就推送", FAMILY),
    ("妈妈每天做20个深蹲", FAMILY),
    ("每天累计玩手机超1小时推送", FAMILY),
    ("儿子写作业就关电视", FAMILY),
    ("有人摔倒就推送", FAMILY),
    ("妈妈回家就播放欢迎曲", FAMILY),
    ("爸爸打喷嚏就播报", FAMILY),
    ("宝宝踢被子就播报", BABY),
    ("奶奶吃药了就播报", OLD),
    ("我打游戏超过两小时就播报", ALONE),
    ("晚上10点以后儿子看电视就推送", FAMILY),
    ("今天有人敲门就推送", FAMILY),
    ("每次妈妈咳嗽就播报", FAMILY),
]
every_action = pytest.mark.parametrize(("text", "home"), ACTIONS)

SUBJECTS: list[Row] = [
    ("H-SUBJ-01", FAMILY, "李梅打喷嚏就播报", {"subject": "妈妈"}),
    ("H-SUBJ-01", FAMILY, "孩子打喷嚏就播报", {"subject": "儿子"}),
    ("H-SUBJ-01", ALONE, "我打喷嚏就播报", {"subject": "陈晨"}),
    ("H-SUBJ-02", FAMILY, "爸爸和儿子打喷嚏都播报", {"subject": ["爸爸", "儿子"], "rules": 2, "tasks#": 1}),
    ("H-SUBJ-03", FAMILY, "家里人打喷嚏就播报", {"subject": "已注册成员", "tips+": "subject_registered_members"}),
    ("H-SUBJ-03", FAMILY, "家庭成员抽烟就播报", {"subject": "已注册成员"}),
    ("H-SUBJ-04", FAMILY, "家人抽烟就播报", {"subject": "已注册成员", "rules": 1}),
    ("H-SUBJ-05", FAMILY, "谁抽烟就播报", {"subject": "任何人", "tips+": "subject_any_person"}),
    ("H-SUBJ-05", FAMILY, "任何人抽烟都播报", {"subject": "任何人", "tips+": "subject_any_person"}),
    ("H-SUBJ-06", FAMILY, "外人进门就播报", {"subject": "陌生人"}),
    ("H-SUBJ-07", FAMILY, "客厅冒烟就推送", {"subject": "烟雾"}),
    ("H-SUBJ-07", FAMILY, "垃圾桶满了就推送", {"subject": "垃圾桶"}),
    ("H-SUBJ-08", FAMILY, "没人在客厅就关灯", {"subject": "画面"}),
    ("H-SUBJ-09", FAMILY, "久坐30分钟就推送", {"subject": "用户", "tips+": "subject_default_user"}),
    ("H-SUBJ-10", FAMILY, "爷爷抽烟就播报", {"subject": "ask", "questions": ["person"]}),
    ("H-SUBJ-11", OLD, "张桂兰抽烟就播报", {"subject": "奶奶"}),
    ("H-SUBJ-12", FLAT, "小雨抽烟就播报", {"subject": "小雨"}),
    ("H-SUBJ-13", ALONE, "我抽烟就播报", {"subject": "陈晨", "tips+": "subject_first_person"}),
    ("H-SUBJ-14", LARGE, "孩子打喷嚏就播报", {"subject": "ask", "questions": ["person"]}),
    ("H-SUBJ-15", FAMILY, "我抽烟就播报", {"subject": "ask", "questions": ["person"]}),
]


@cache
def query(text: str, home: str) -> dict[str, Any]:
    return dict(rule(text, home)["query"])


def body(one: dict[str, Any]) -> str:
    return str(one["text"]).partition("；")[0].removeprefix(one["subject"])


def counters(one: dict[str, Any]) -> list[str]:
    return [part for part in re.split(r"，?不含", str(one["text"]).partition("；")[2]) if part]


def written(one: dict[str, Any]) -> bool:
    """Whether all three parts stand word for word in the text."""
    parts = one["segments"]
    listed = [item for objects in parts["objects"] for item in objects["items"]]
    return all(word in one["text"] for word in (*parts["posture"], *listed, *parts["counters"]))


def near(one: dict[str, Any]) -> bool:
    """Whether things that are easily taken for each other are several, with the kind they are of behind 等."""
    several = [objects for objects in one["segments"]["objects"] if len(objects["items"]) > 1]
    return all(f"{'/'.join(each['items'])}等{each['category']}" in one["text"] for each in several)


def single(one: dict[str, Any]) -> bool:
    """Whether one thing alone stands there by its own name, without a kind."""
    alone = [objects for objects in one["segments"]["objects"] if len(objects["items"]) == 1]
    return all(not each["category"] and each["items"][0] in one["text"] for each in alone)


def reversed_(one: dict[str, Any]) -> bool:
    return any(
        part.startswith(("未", "没", "无", "不")) or part == body(one) or part in body(one) for part in counters(one)
    )


HOLDS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "H-QRY-01": lambda one: one["text"].startswith(one["subject"]) and len(body(one)) > 4,
    "H-QRY-02": lambda one: not re.search("习惯|喜欢|平时|常用|偏好|通常", one["text"]),
    "H-QRY-03": lambda one: len(one["segments"]["posture"]) >= 2,
    "H-QRY-04": lambda one: not re.search("今天|每天|每次|晚上|早上|10点|以后", one["text"]),
    "H-QRY-05": lambda one: not re.search("并且|而且|同时|以及|或者|且|AND|OR", one["text"]),
    "H-QRY-06": lambda one: not re.search("检测到|识别到|感知到|已(?!注册成员)", one["text"]),
    "H-QRY-07": lambda one: not re.search("持续|累计|连续|分钟|小时|超过", one["text"]),
    "H-QRY-08": lambda one: not re.search("存在态|瞬时|稳定窗|主语|反例|视角|覆盖|event|state", one["text"]),
    "H-SEG-01": lambda one: bool(one["segments"]["posture"]) and len(one["segments"]["counters"]) >= 2,
    "H-SEG-02": lambda one: all(word["origin"] in ("用户原话", "视觉常识") for word in one["words"]),
    "H-SEG-03": lambda one: not any(word["origin"] == "profile" for word in one["words"]),
    "H-SEG-04": lambda one: re.fullmatch(r"[^；]+；不含[^，；]+(?:[，、][^；]+)*", one["text"]) is not None,
    "H-SEG-05": written,
    "H-SEG-06": lambda one: one["text"].count("；") == 1 and ";" not in one["text"],
    "H-SEG-07": lambda one: one["text"].count("不含") >= 2,
    "H-SEG-08": lambda one: says("condition.bodies", body(one)),
    "H-SEG-09": lambda one: says("condition.postures", body(one)),
    "H-SEG-10": lambda one: len(body(one)) >= 10,
    "H-SEG-11": single,
    "H-SEG-12": near,
    "H-SEG-14": lambda one: len(set(counters(one))) >= 2 and not re.search("其他|别的|其它", "".join(counters(one))),
    "H-SEG-15": lambda one: not reversed_(one),
    "H-SEG-17": lambda one: not re.search(r"\d+ ?(?:度角?|毫米|厘米)", one["text"]),
    "H-SEG-18": lambda one: near(one) and single(one),
}
"""What must be so of every condition of an action, by clause."""


@pytest.mark.parametrize("row", SUBJECTS, ids=named(SUBJECTS))
def test_who_it_is_about(row) -> None:
    assert differs(row) == {}


@pytest.mark.parametrize("clause", HOLDS)
def test_every_condition_is_so(clause) -> None:
    assert [text for text, home in ACTIONS if not HOLDS[clause](query(text, home))] == []


@pytest.mark.parametrize(
    ("clause", "check"),
    [
        ("H-QRY-01", "V-073"), ("H-QRY-02", "V-069"), ("H-QRY-04", "V-067"), ("H-QRY-05", "V-064"),
        ("H-QRY-06", "V-065"), ("H-QRY-07", "V-066"), ("H-QRY-08", "V-068"), ("H-QRY-03", "V-082"),
        ("H-SUBJ-02", "V-091"), ("H-SUBJ-04", "V-089"), ("H-SUBJ-06", "V-088"), ("H-SUBJ-10", "V-092"),
        ("H-SUBJ-11", "V-090"), ("H-SUBJ-12", "V-092"), ("H-SUBJ-13", "V-130"),
        ("H-SEG-01", "V-074"), ("H-SEG-02", "V-120"), ("H-SEG-03", "V-087"), ("H-SEG-04", "V-072"),
        ("H-SEG-04", "V-076"), ("H-SEG-05", "V-086"), ("H-SEG-06", "V-074"), ("H-SEG-07", "V-075"),
        ("H-SEG-08", "V-080"), ("H-SEG-09", "V-081"), ("H-SEG-10", "V-082"), ("H-SEG-11", "V-084"),
        ("H-SEG-12", "V-084"), ("H-SEG-12", "V-085"), ("H-SEG-14", "V-079"), ("H-SEG-14", "V-083"),
        ("H-SEG-15", "V-077"), ("H-SEG-15", "V-078"), ("H-SEG-16", "V-078"), ("H-SEG-17", "V-070"),
        ("H-SEG-18", "V-085"),
    ],
)  # fmt: skip
def test_a_condition_that_is_otherwise_is_found(clause, check) -> None:
    row = VIOLATIONS[check]
    findings = {one.id: one.level for one in found(changed(row), row.get("home"))}
    assert check in findings, clause
    assert findings[check] is Level.ERROR or check in ("V-080", "V-081")


def test_only_what_has_no_things_leaves_them_out() -> None:
    """H-SEG-13, H-SEG-11, H-SEG-12."""
    assert query("妈妈每天做20个深蹲", FAMILY)["segments"]["objects"] == []
    assert "手机" in query("每天累计玩手机超1小时推送", FAMILY)["text"]
    (cups,) = query("每天喝8杯水", FAMILY)["segments"]["objects"]
    assert len(cups["items"]) >= 2
    assert cups["category"]


def test_what_it_is_not_to_be_taken_for_cannot_be_so_as_well() -> None:
    """H-SEG-16: of the dictionary: no counterexample is the condition, or all of it, and two always remain."""
    for key, entry in entries().items():
        seen = entry.seen("任何人", "", covered=True)
        if seen.kind != "action":
            continue
        assert len(seen.counters) >= 2, key
        parts = [part for part in seen.body.split("，") if part]
        assert not [one for one in seen.counters if one in seen.body or all(part in one for part in parts)], key


def test_nothing_of_the_past_is_in_a_condition() -> None:
    """H-QRY-02, H-SEG-03: other tasks of the home, and what people do there, change no word of it."""
    known = [
        {"id": "cup", "description": "妈妈每天用蓝色马克杯喝水", "status": "active", "rule_briefs": ["蓝色马克杯"]}
    ]
    with_past = rule("儿子喝水就播报", tasks=known)["query"]["text"]
    assert with_past == rule("儿子喝水就播报")["query"]["text"]


def test_two_happenings_are_two_conditions() -> None:
    """H-QRY-05: 或者 and 并且 stand in none."""
    both = plan("有人摔倒或者喊救命就推送").assembly["rules"]
    assert len(both) == 2
    assert not any("或者" in one["query"]["text"] for one in both)


def test_what_the_words_say_about_time_or_finding_is_not_in_the_condition() -> None:
    """H-QRY-04, H-QRY-06, H-QRY-07."""
    bare = query("爸爸抽烟就播报", FAMILY)["text"]
    for text in ("今天爸爸抽烟就播报", "每次爸爸抽烟都播报", "爸爸抽烟超过2分钟就播报"):
        assert query(text, FAMILY)["text"] == bare


def test_a_scene_or_a_thing_is_said_in_one_clause() -> None:
    """H-QRY-01, H-SUBJ-07, H-SUBJ-08."""
    scene, thing = query("客厅没人就关空调", FAMILY), query("客厅冒烟就推送", FAMILY)
    assert (scene["kind"], scene["subject"]) == ("scene", "画面")
    assert (thing["kind"], thing["subject"]) == ("object", "烟雾")


def test_a_stranger_is_nobody_of_the_family() -> None:
    """H-SUBJ-06."""
    assert "；不含家庭成员" in query("陌生人进门就播报", FAMILY)["text"]


def test_the_family_is_never_a_list_of_people() -> None:
    """H-SUBJ-03, H-SUBJ-04."""
    text = query("家里人抽烟就播报", FAMILY)["text"]
    assert text.startswith("已注册成员")
    assert not re.search("爸爸|妈妈|儿子|王强|李梅|王小明", text)


@pytest.mark.parametrize(
    ("clause", "text", "home", "asked", "options"),
    [
        ("H-SUBJ-10", "爷爷抽烟就播报", FAMILY, "还没有登记「爷爷」", ("先登记「爷爷」再建", "不指定，任何人都算")),
        ("H-SUBJ-14", "孩子打喷嚏就播报", LARGE, "「孩子」说的是哪一位", ("女儿", "儿子", "不指定，任何人都算")),
        ("H-SUBJ-15", "我抽烟就播报", FAMILY, "选哪位是你自己", ("爸爸", "妈妈", "儿子", "不指定，任何人都算")),
    ],
)
def test_who_is_not_certain_is_asked(clause, text, home, asked, options) -> None:
    """H-SUBJ-10, H-SUBJ-14, H-SUBJ-15."""
    request = request_of(text, home)
    (one,) = ask(assemble(request), site_of(request.home)).questions
    assert asked in one.text, clause
    assert one.options == options
