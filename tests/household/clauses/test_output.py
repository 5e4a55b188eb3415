"""Chapters 2 and 3 of the clauses: what reaches the user, the report, the tips, and the check of oneself."""

from __future__ import annotations

import re
from functools import cache

import pytest
from tests.household.assembling.saying import ALONE, FAMILY, FLAT, OLD, TASKS
from tests.household.checks.cases import changed, found, rows
from tests.household.composing.writing import plan, request_of, settle, site_of

from zhixing.household.advising import sentence
from zhixing.household.assembling.assembler import Assembly, Outcome, assemble
from zhixing.household.assembling.draft import Condition, inferred
from zhixing.household.assembling.tips import _BY_CLAUSE, _MILD, mild_tips, tips
from zhixing.household.checks import refused
from zhixing.household.checks.lexicon import says
from zhixing.household.composing.asking import ask
from zhixing.household.composing.composer import compose, self_check
from zhixing.household.composing.model import Composed
from zhixing.household.talking.deciding import Ask, AskModel, decide
from zhixing.household.talking.talk import TalkState
from zhixing.kernel.wording import section

VIOLATIONS = {row["id"]: row for row in rows("violations.jsonl")}
SAID = [
    ("客厅没人就关空调", FAMILY),
    ("有人摔倒就推送", FAMILY),
    ("妈妈回家就开灯", FAMILY),
    ("每天累计玩手机超1小时推送", FAMILY),
    ("今天做够50个俯卧撑就播报", FAMILY),
    ("记录妈妈每次打喷嚏", FAMILY),
    ("明天9点提醒我吃药", FAMILY),
    ("爷爷躺了超过13个小时就推送", OLD),
    ("小雨咳嗽就推送", FLAT),
    ("我打游戏超过两小时就播报", ALONE),
]
every_plan = pytest.mark.parametrize(("text", "home"), SAID)


@cache
def made(text: str, home: str) -> Composed:
    return plan(text, home)


def asked(text: str, home: str = FAMILY, **more):
    request = request_of(text, home, **more)
    return ask(assemble(request), site_of(request.home))


# What reaches the user.


def test_there_is_a_question_or_a_report_and_nothing_else(talking) -> None:
    """H-OUT-01, H-OUT-02, H-OUT-07, H-OUT-08: in every round; nothing is pushed, and nothing said, in between."""
    home = talking()
    open_ = home.say("陌生人来了告诉我")
    assert (open_.state, open_.lines, bool(open_.prompt)) == (TalkState.ASKED, (), True)
    half = home.app.talks.answer(open_.id, "B", who="test")
    if half.state is TalkState.ASKED:
        assert (half.lines, bool(half.prompt)) == ((), True)
        half = home.app.talks.answer(half.id, "B", who="test")
    home.run()
    assert (half.state, half.prompt, half.questions) == (TalkState.DONE, "", ())
    view = home.app.household.get(half.tasks[0])
    assert view.rules
    assert half.tasks[0] in half.lines[0]
    assert home.phone.sent == []


def test_what_could_not_be_made_is_not_reported_as_made(talking) -> None:
    """H-OUT-08: the report comes when all of it is there; otherwise one line says no."""
    talk = talking().say("客厅没人而且厨房也没人就关灯")
    assert (talk.state, talk.tasks, len(talk.lines)) == (TalkState.REFUSED, (), 1)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("爸爸抽烟就告诉我", ["channel"]),
        ("爸爸抽烟就推送", []),
        ("陌生人来了就推送", ["trigger_frequency"]),
        ("外公抽烟就告诉我", ["person", "channel"]),
        ("儿子进儿童房就告诉我", ["viewpoint", "channel"]),
    ],
)
def test_only_what_is_missing_is_asked(text, kinds) -> None:
    """H-OUT-03: one line, and not a word about what is known."""
    open_ = asked(text)
    assert sorted(one.kind for one in open_.questions) == sorted(kinds)
    assert "\n" not in open_.prompt


@pytest.mark.parametrize(
    "text", ["爸爸抽烟2分钟就告诉我", "外公抽烟就告诉我", "儿子进儿童房就告诉我", "久坐30分钟提醒"]
)
def test_a_question_carries_nothing_of_the_plan(text) -> None:
    """H-OUT-04, H-TIP-09: no name of a task, no default, no progress, no tip."""
    request = request_of(text)
    prompt = asked(text).prompt
    assembly, settled = settle(request)
    for draft in assembly.drafts:
        composed = compose(draft, site_of(settled.home))
        assert composed.plan.slug not in prompt
        assert not any(tip.reason in prompt or tip.how in prompt for tip in composed.tips)
    assert not re.search(r"已创建|已装配|正在|任务「|默认", prompt.replace("默认 30 分钟以上", ""))


@pytest.mark.parametrize(
    ("clause", "check"),
    [
        ("H-OUT-03", "V-200"), ("H-OUT-04", "V-206"), ("H-OUT-05", "V-207"), ("H-OUT-05", "V-228"),
        ("H-FIN-01", "V-204"), ("H-FIN-01", "V-214"), ("H-FIN-02", "V-220"), ("H-FIN-02", "V-224"),
        ("H-FIN-03", "V-221"), ("H-FIN-04", "V-222"), ("H-FIN-04", "V-225"), ("H-FIN-05", "V-223"),
        ("H-FIN-05", "V-227"), ("H-FIN-06", "V-226"), ("H-TIP-01", "V-130"), ("H-TIP-02", "V-130"),
        ("H-TIP-03", "V-213"), ("H-TIP-03", "V-226"), ("H-TIP-04", "V-210"), ("H-TIP-05", "V-210"),
        ("H-TIP-06", "V-210"), ("H-TIP-07", "V-211"), ("H-TIP-08", "V-212"), ("H-CHK-04", "V-229"),
        ("H-CHK-05", "V-202"), ("H-CHK-06", "V-225"), ("H-CHK-07", "V-212"),
    ],
)  # fmt: skip
def test_a_plan_that_says_it_otherwise_is_refused(clause, check) -> None:
    row = VIOLATIONS[check]
    findings = found(changed(row), row.get("home"))
    assert check in {one.id for one in findings}, clause
    assert refused(findings)


def test_people_are_called_by_their_role_and_by_their_name_only_where_they_have_none() -> None:
    """H-OUT-05, H-OUT-06."""
    mother = plan("李梅咳嗽就推送")
    assert "妈妈" in mother.report.trigger
    assert not any("李梅" in line for line in mother.report.lines[1:])
    assert not any("（李梅）" in line or "(李梅)" in line for line in mother.report.lines)
    assert "小雨" in plan("小雨咳嗽就推送", FLAT).report.trigger
    (person,) = asked("我抽烟就播报").questions
    assert person.options[:3] == ("爸爸", "妈妈", "儿子")


# The report.


@every_plan
def test_the_report_has_its_five_parts(text, home) -> None:
    """H-FIN-02, H-FIN-03, H-FIN-04, H-FIN-05, H-FIN-06."""
    composed = made(text, home)
    report = composed.report
    assert composed.plan.slug in report.task
    assert composed.plan.description in report.task
    assert "启动" in report.trigger
    assert report.response.strip("。")
    assert ("不记录" in report.response) == (composed.plan.record is None)
    assert ("记录" in report.response.replace("不记录", "")) == (composed.plan.record is not None)
    temporary = composed.assembly["task"]["lifecycle"] == "temporary"
    assert report.lifecycle.startswith(("限时", "单次") if temporary else "长期")
    assert len(report.tips) == len(composed.tips)


@every_plan
def test_the_report_is_of_this_plan(text, home) -> None:
    """H-FIN-01: a tip for each decision of the plan and for nothing else; an answer for each part."""
    composed = made(text, home)
    draft = composed.draft
    assert {tip.kind for tip in composed.tips} == {*tips(draft), *mild_tips(draft)}
    assert composed.report.tips == tuple(sentence(tip) for tip in composed.tips)
    assert composed.findings == ()


def test_another_plan_another_report() -> None:
    """H-FIN-01: what was said is in it, and no default in its place."""
    assert "2 分钟" in plan("客厅没人2分钟就关灯").report.trigger
    assert "5 分钟" not in "".join(plan("客厅没人2分钟就关灯").report.lines)
    assert "音箱" in plan("有人摔倒就播报").report.response
    assert "手机" in plan("有人摔倒就推送").report.response


def test_a_report_may_be_written_in_any_form() -> None:
    """H-FIN-07: lines, a list, or one sentence, as long as all of it is there."""
    base = {"id": "form", "base": "doc-6"}
    (tip,) = changed(base)["tips"]
    told = f"按 5 分钟算（{tip['reason']}）{tip['how']}"
    plain = {"task": "living_room_off", "trigger": "5 分钟看不到人", "response": "关灯；不记录", "lifecycle": "长期"}
    listed = {
        "task": "**任务** living_room_off\n客厅没人关灯", "trigger": "- 客厅 5 分钟看不到人",
        "response": "1. 关掉客厅灯\n2. 不记录", "lifecycle": "— 长期常驻 —",
    }  # fmt: skip
    for form in (plain, listed):
        assert found(changed({**base, "set": {"final": {**form, "tips": [told]}}})) == ()


# Tips.


@every_plan
def test_whatever_nobody_said_is_told(text, home) -> None:
    """H-TIP-01, H-TIP-02: every claim that is a default or was inferred and has words of its own."""
    draft = made(text, home).draft
    claims = [
        draft.subject, draft.duration, draft.debounce, draft.schedule, draft.record, draft.viewpoint, draft.device,
        draft.source, draft.on_exit, draft.lifecycle, draft.window, draft.gate,
    ]  # fmt: skip
    assumed = {one.evidence for one in claims if one is not None and one.must_be_told}
    kinds = {tip.kind for tip in made(text, home).tips}
    assert {(_BY_CLAUSE | _MILD)[clause] for clause in assumed if clause in _BY_CLAUSE | _MILD} <= kinds
    defaults = {one.evidence for one in claims if one is not None and one.basis.value == "default"}
    assert defaults - {"H-LIFE-05"} <= {*_BY_CLAUSE, *_MILD}  # a life without a word about it is no guess


@every_plan
def test_a_tip_is_one_sentence_of_three_parts(text, home) -> None:
    """H-TIP-03, H-TIP-04, H-TIP-05, H-TIP-06, H-TIP-07, H-TIP-08."""
    composed = made(text, home)
    assert len(set(composed.report.tips)) == len(composed.tips)
    for tip, line in zip(composed.tips, composed.report.tips, strict=True):
        assert line.endswith("。")
        assert line.count("。") == 1
        assert all(part.strip() and part in line for part in tip.parts)
        assert re.search(r"「[^「」]{2,}」", tip.how)
        assert not any(says("talk.internal_patterns", part) for part in tip.parts)
        assert composed.plan.slug not in line


def test_what_a_tip_says_to_say_is_understood_as_a_change() -> None:
    """H-TIP-08: the words between 「」, said back about this task."""
    composed = plan("每天累计玩手机超1小时推送")
    known = [{"id": composed.plan.slug, "description": composed.plan.description, "status": "active"}]
    for tip in composed.tips:
        (phrase,) = re.findall(r"「([^「」]+)」", tip.how)
        assembly = assemble(request_of(phrase, tasks=known))
        assert (assembly.op, assembly.target) == ("update", (composed.plan.slug,)), phrase


def test_a_decision_only_names_its_clause_and_one_rule_has_the_words() -> None:
    """H-TIP-10: for every kind that any decision can mark there are words in one place."""
    words = section("advising", "zh")
    for kind in {*_BY_CLAUSE.values(), *_MILD.values()}:
        assert words[f"{kind}_value"]
        assert words[f"{kind}_reason"]


def test_tips_come_with_the_report_and_never_with_a_question(talking) -> None:
    """H-TIP-09."""
    home = talking()
    open_ = home.say("爸爸抽烟就告诉我")
    assert open_.lines == ()
    assert "要改就说" not in open_.prompt
    assert any("要改就说" in line for line in home.app.talks.answer(open_.id, "B", who="test").lines)


# The check of oneself.


@every_plan
def test_three_lines_are_checked_of_every_plan(text, home) -> None:
    """H-CHK-01, H-CHK-02, H-CHK-05, H-CHK-06, H-CHK-07: yes or no, the first may not apply."""
    composed = made(text, home)
    (order, ordered), (answer, told), (sayable, said_back) = self_check(composed)
    assert (order, answer, sayable) == ("order", "response_and_record", "tips_sayable")
    with_target = any(rule["on_target_desc"] for rule in composed.assembly["rules"])
    assert ordered is (True if with_target else None)
    assert told is True
    assert said_back is True


def test_no_line_of_the_check_reaches_the_user() -> None:
    """H-CHK-04."""
    for text, home in SAID:
        composed = made(text, home)
        assert not any(re.search(r"自检|\[Y\]|\bNA\b|response_and_record", line) for line in composed.report.lines)


def test_a_plan_that_fails_its_check_is_not_made() -> None:
    """H-CHK-01, H-CHK-03: the whole of it is gone over again, by a model."""
    assembly, request = settle(request_of("久坐30分钟手机推送"))
    (draft,) = assembly.drafts
    body = "检测到臀部压着椅面，上身靠着椅背"
    draft.condition = inferred(Condition("action", body, (), ("握笔在纸上写字", "蹲在地面系鞋带")), "H-SEG-02")
    site = site_of(request.home)
    assert refused(compose(draft, site).findings)
    assert decide(Assembly("create", Outcome.PLANNED, drafts=(draft,)), site, {}, now=request.home.now) == AskModel(
        "findings"
    )


def test_a_question_comes_before_any_plan() -> None:
    """H-OUT-03, H-CHK-01: while something is open there is nothing to check and nothing to make."""
    request = request_of("爸爸抽烟就告诉我", tasks=TASKS)
    assert isinstance(decide(assemble(request), site_of(request.home), {}, now=request.home.now), Ask)
