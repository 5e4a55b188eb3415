"""From a right reply to the decision: the samples of the requirement, several matters, and the user's answers to them."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from zhixing.kernel.moments import parse_instant
from zhixing.kernel.questions import MAX_OPTIONS
from zhixing.notices.model import Answer, Entry, Outcome, Source, Submission, Understanding
from zhixing.notices.replies import chosen_items, read_candidates, understand_reply
from zhixing.notices.understand import LONGEST_TEXT

FOLDER = Path(__file__).parent / "cases"
NOW = parse_instant("2026-10-12T10:00:00+08:00")


def lines(name: str) -> list[Any]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines() if line.strip()]


REPLIES = {line["id"]: line["reply"] for line in lines("replies.jsonl")}
CASES = {case["id"]: case for case in lines("notices.jsonl")}


def submission_of(case: dict[str, Any]) -> Submission:
    day = date.fromisoformat(case["messageDate"]) if case["messageDate"] else None
    return Submission(case["text"], Source(case["source"]), parse_instant(case["submittedAt"]), case["tz"], day)


def moment(words: str) -> object:
    return datetime.fromisoformat(words) if "T" in words else words


def nodes_of(found: Understanding) -> list[tuple[object, ...]]:
    return sorted(
        (
            node.kind.value,
            node.at or (node.day.isoformat() if node.day else None),
            node.precision.value,
            node.lead_minutes,
        )
        for node in found.nodes
    )


def check(found: Understanding, expected: dict[str, Any]) -> None:
    # A rule that repeats is kept as a to-do that waits to be planned.
    pending = expected["outcome"] == "pending_plan"
    assert found.outcome.value == ("no_reminder" if pending else expected["outcome"])
    assert not pending or found.why == "pending_plan"
    kind = expected.get("question_kind") or expected.get("questionKind")
    assert (found.question.kind if found.question else None) == kind
    assert sorted((one.at, one.reason) for one in found.reminders) == sorted(
        (moment(one["at"]), one["reason"]) for one in expected["reminders"]
    )
    if kind is None:
        # While something is asked, the time that was asked about has no value yet.
        assert nodes_of(found) == sorted(
            (
                node["kind"],
                moment(node["datetime"]) if "datetime" in node else node.get("date"),
                node["precision"],
                node.get("leadMinutes"),
            )
            for node in expected["nodes"]
        )
    forbidden = {moment(at) for at in expected.get("forbid", []) + expected.get("forbid_reminders_at", [])}
    assert forbidden.isdisjoint(one.at for one in found.reminders)


AFTER_MODEL = [case for case in CASES.values() if "after_model" in case["expected"]]
RESPONSES = [case for case in CASES.values() if any(op["op"] == "model_response" for op in case.get("ops") or [])]


@pytest.mark.parametrize("case", AFTER_MODEL, ids=lambda case: case["id"])
def test_a_right_reply_leads_to_what_the_case_requires(case: dict[str, Any]):
    submission = submission_of(case)
    check(understand_reply(submission, REPLIES[case["id"]], NOW), case["expected"]["after_model"])


@pytest.mark.parametrize("case", RESPONSES, ids=lambda case: case["id"])
def test_a_reply_is_accepted_or_rejected_as_the_case_requires(case: dict[str, Any]):
    (op,) = case["ops"]
    reply = {name: op[name] for name in ("nodes", "confidence") if name in op}
    found = understand_reply(submission_of(case), reply, NOW, client_protocol=op.get("client_protocol", 2))
    check(found, case["expected"])


def test_the_samples_are_all_here():
    assert (len(AFTER_MODEL), len(RESPONSES)) == (31, 17)


# Helpers for texts of our own.


def node(kind: str, expression: str, evidence: str = "", **more: Any) -> dict[str, Any]:
    return {"kind": kind, "expression": expression, "evidence": evidence or expression, **more}


def hear(text: str, *nodes: dict[str, Any], source: str = "direct", **more: Any) -> Understanding:
    """Decide about a reply of one matter; `answers` and `message_date` go to the submission, the rest into the item."""
    answers = [Answer(*answer) for answer in more.pop("answers", ())]
    submission = Submission(
        text, Source(source), NOW, more.pop("zone", "Asia/Shanghai"), more.pop("message_date", None)
    )
    return understand_reply(submission, {"nodes": list(nodes), **more}, NOW, answers)


def told(found: Understanding) -> list[tuple[str, str]]:
    return [(f"{one.at:%m-%d %H:%M}" if one.at else "asap", one.reason) for one in found.reminders]


def asked(found: Understanding) -> str | None:
    assert (found.question is None) is (found.outcome is not Outcome.NEEDS_CONFIRMATION)
    return found.question.kind if found.question else None


# Several matters.

TWO = "明天下午3点开会，后天上午10点交报告"
MEETING = {"title": "开会", "evidence": "明天下午3点开会", "nodes": [node("start", "明天下午3点", "明天下午3点开会")]}
REPORT = {
    "title": "交报告",
    "evidence": "后天上午10点交报告",
    "nodes": [node("deadline", "后天上午10点", "后天上午10点交报告")],
}
BOTH = {"version": 1, "items": [MEETING, REPORT]}


def choose(answer: str | None, item: int | None = None) -> Understanding:
    answers = [] if answer is None else [Answer("item_selection", answer)]
    return understand_reply(Submission(TWO, Source.DIRECT, NOW, "Asia/Shanghai"), BOTH, NOW, answers, item=item)


def test_several_matters_are_asked_about_once_and_nothing_is_built():
    found = choose(None)
    assert found.question is not None
    assert [(option.value, option.label) for option in found.question.options] == [("1", "开会"), ("2", "交报告")]
    assert (found.nodes, found.reminders, found.title) == ((), (), "开会、交报告")


@pytest.mark.parametrize(
    ("answer", "reminders"),
    [
        ("1", [("10-13 14:30", "default_start_30")]),
        ("2", [("10-14 09:00", "deadline_1h")]),
        ("2,1", [("10-13 14:30", "default_start_30")]),
        ("全部", [("10-13 14:30", "default_start_30")]),
    ],
)
def test_the_first_matter_that_was_chosen_is_decided(answer: str, reminders: list[tuple[str, str]]):
    assert told(choose(answer)) == reminders


def test_each_matter_that_was_chosen_can_be_decided_on_its_own():
    assert told(choose("1,2", item=0)) == [("10-13 14:30", "default_start_30")]
    assert told(choose("1,2", item=1)) == [("10-14 09:00", "deadline_1h")]


@pytest.mark.parametrize("answer", ["0", "都不要"])
def test_nothing_is_told_where_nothing_is_kept(answer: str):
    found = choose(answer)
    assert (found.outcome, found.why, found.reminders) == (Outcome.NO_REMINDER, "none_kept", ())


@pytest.mark.parametrize("answer", ["3", "", "随便", "开会", "1和", "0,1"])
def test_an_answer_that_chooses_none_of_them_is_no_answer(answer: str):
    assert asked(choose(answer)) == "item_selection"


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [
        ("1", (0,)),
        ("1、2", (0, 1)),
        ("1 2", (0, 1)),
        ("2和1", (0, 1)),
        ("1,1,9", (0,)),
        ("all", (0, 1)),
        ("0", ()),
        ("9", None),
    ],
)
def test_items_are_chosen_by_number(answer: str, chosen: tuple[int, ...] | None):
    candidates = read_candidates(Submission(TWO, Source.DIRECT, NOW, "Asia/Shanghai"), BOTH)
    assert isinstance(candidates, tuple)
    assert chosen_items(candidates, [Answer("item_selection", "2"), Answer("item_selection", answer)]) == chosen


def test_at_most_seven_matters_are_offered_and_the_question_says_so():
    text = "".join(f"买菜{letter}。" for letter in "甲乙丙丁戊己庚辛")
    items = [{"title": f"买菜{letter}", "evidence": f"买菜{letter}", "nodes": []} for letter in "甲乙丙丁戊己庚辛"]
    found = understand_reply(Submission(text, Source.PASTE, NOW, "Asia/Shanghai"), {"items": items}, NOW)
    assert found.question is not None
    assert len(found.question.options) == MAX_OPTIONS
    assert "7" in found.question.prompt


def test_matters_of_the_same_name_are_told_apart_by_their_times():
    text = "A组10月20日下午2点开会，B组10月21日下午2点开会"
    items = [
        {"title": "开会", "evidence": f"{day}下午2点开会", "nodes": [node("start", f"{day}下午2点")]}
        for day in ("10月20日", "10月21日")
    ]
    found = understand_reply(Submission(text, Source.PASTE, NOW, "Asia/Shanghai"), {"items": items}, NOW)
    assert found.question is not None
    assert [option.label for option in found.question.options] == ["开会（10月20日下午2点）", "开会（10月21日下午2点）"]


@pytest.mark.parametrize("about", ["subject", "identity"])
def test_one_matter_that_only_the_user_can_settle_is_asked_about_as_well(about: str):
    at = node("start", "10月20日下午3点")
    doubts = [{"about": about}]
    found = hear("10月20日下午3点开会", at, title="开会", ambiguities=doubts)
    assert found.question is not None
    assert (asked(found), [option.value for option in found.question.options]) == ("item_selection", ["1", "0"])
    kept = hear("10月20日下午3点开会", at, ambiguities=doubts, answers=[("item_selection", "1")])
    assert told(kept) == [("10-20 14:30", "default_start_30")]


# Several times of one matter.


def test_a_day_explained_by_the_user_does_not_move_the_day_beside_it():
    at = node("open", "10月20日9:00"), node("deadline", "周五")
    found = hear("报名10月20日9:00开放，周五截止", *at, answers=[("date", "2026-10-23")])
    assert told(found) == [("10-20 09:00", "open"), ("10-23 09:00", "date_0900")]


def test_a_year_explained_by_the_user_does_not_move_the_year_that_was_clear():
    at = node("open", "10月20日9:00"), node("deadline", "5月1日18:00")
    text = "10月20日9:00开始报名，5月1日18:00截止"
    assert asked(hear(text, *at)) == "year"
    found = hear(text, *at, answers=[("year", "2027")])
    assert [f"{one.at:%Y-%m-%d}" for one in found.nodes] == ["2026-10-20", "2027-05-01"]


def test_one_date_of_the_message_counts_for_all_its_times():
    at = node("open", "明天9:00"), node("deadline", "后天18:00")
    text = "各位同学：明天9:00开始报名，后天18:00截止"
    assert asked(hear(text, *at)) == "message_date"
    found = hear(text, *at, answers=[("message_date", "2026-10-15")])
    assert told(found) == [("10-16 09:00", "open"), ("10-17 17:00", "deadline_1h")]


def test_a_second_question_of_the_same_kind_is_not_answered_by_the_first_answer():
    at = node("open", "周三"), node("deadline", "周五")
    text = "周三开始报名，周五截止"
    assert asked(hear(text, *at)) == "date"
    found = hear(text, *at, answers=[("date", "2026-10-14")])
    assert (found.outcome, found.reminders) == (Outcome.NEEDS_CONFIRMATION, ())
    assert found.question.prompt == "“周五”：这件事是哪天？"
    both = [("date", "2026-10-14"), (found.question.kind, "2026-10-16")]
    assert told(hear(text, *at, answers=both)) == [("10-14 09:00", "date_0900"), ("10-16 09:00", "date_0900")]


def test_the_end_of_a_range_follows_the_half_of_the_day_of_its_beginning():
    at = node("start", "明天3点"), node("end", "5点")
    assert asked(hear("明天3点到5点开会", *at)) == "meridiem"
    found = hear("明天3点到5点开会", *at, answers=[("meridiem", "15:00")])
    assert [f"{one.at:%m-%d %H:%M}" for one in found.nodes] == ["10-13 15:00", "10-13 17:00"]
    assert {claim.evidence for claim in found.nodes[1].claims} == {"day_carried", "range_order"}


@pytest.mark.parametrize(
    ("text", "left", "right", "ends"),
    [
        ("明天下午3点到5点开会", "明天下午3点", "5点", "10-13 17:00"),
        ("明天上午10点到12点开会", "明天上午10点", "12点", "10-13 12:00"),
        ("明天上午9点到3点值班", "明天上午9点", "3点", "10-13 15:00"),
        ("明天晚上10点到凌晨2点值班", "明天晚上10点", "凌晨2点", "10-14 02:00"),
        ("明天22:00-02:00值班", "明天22:00", "02:00", "10-14 02:00"),
        ("10月31日22:00到凌晨2点值班", "10月31日22:00", "凌晨2点", "11-01 02:00"),
        ("12月31日22:00到凌晨2点值班", "12月31日22:00", "凌晨2点", None),
        ("本周日22:00到凌晨2点值班", "本周日22:00", "凌晨2点", "10-19 02:00"),
        ("10月15日9:00至17:00培训", "10月15日9:00", "17:00", "10-15 17:00"),
        ("10月15日9:00至10月17日17:00培训", "10月15日9:00", "10月17日17:00", "10-17 17:00"),
        ("下午3点到明天下午5点", "下午3点", "明天下午5点", None),
        ("明天下午3点到2点", "明天下午3点", "2点", None),
        ("明天下午3点到下午2点", "明天下午3点", "下午2点", None),
    ],
)
def test_a_range_ends_behind_its_beginning_or_is_asked_about(text: str, left: str, right: str, ends: str | None):
    found = hear(text, node("start", left, text), node("end", right, text))
    if ends is None:
        assert found.outcome is Outcome.NEEDS_CONFIRMATION
    else:
        assert f"{found.nodes[1].at:%m-%d %H:%M}" == ends


def test_the_end_of_a_range_before_its_beginning_is_corrected_by_the_user_alone():
    at = node("open", "10月28日"), node("deadline", "3日")
    found = hear("10月28日至3日报名", *at, answers=[("invalid_date", "2026-11-03")])
    assert told(found) == [("10-28 09:00", "date_0900"), ("11-03 09:00", "date_0900")]
    still = hear("10月28日至3日报名", *at, answers=[("invalid_date", "2026-10-03")])
    assert (still.outcome, still.reminders) == (Outcome.RETRYABLE_FAILURE, ())


@pytest.mark.parametrize(
    ("text", "first", "second", "day"),
    [
        ("10月20日9:00开始报名，10:00截止", "10月20日9:00", "10:00", date(2026, 10, 20)),
        ("10月20日9:00开始报名。10:00截止", "10月20日9:00", "10:00", None),
        ("10月20日开始报名，10:00截止", "10月20日", "10:00", None),
    ],
)
def test_a_clock_leans_on_the_day_before_it_only_in_one_sentence(text: str, first: str, second: str, day: date | None):
    found = hear(text, node("open", first), node("deadline", second))
    assert (asked(found) == "date") is (day is None)
    if day is not None:
        node_found = found.nodes[1]
        assert node_found.at is not None
        assert node_found.at.date() == day
        assert "day_carried" in {claim.evidence for claim in node_found.claims if claim.must_be_told}


def test_a_reminder_behind_the_deadline_is_asked_about_and_only_that_one_moves():
    text = "10月20日18:00截止交报告，10月20日15:00提醒我，10月20日19:00提醒我"
    at = node("deadline", "10月20日18:00"), node("reminder", "10月20日15:00"), node("reminder", "10月20日19:00")
    assert asked(hear(text, *at)) == "reminder_after_deadline"
    found = hear(text, *at, answers=[("reminder_after_deadline", "2026-10-20T17:30:00+08:00")])
    assert told(found) == [
        ("10-20 15:00", "specified"),
        ("10-20 17:00", "deadline_1h"),
        ("10-20 17:30", "specified"),
    ]


# Open times beside certain ones.

HALF_OPEN = "10月20日9:00开始报名，截止时间待定"
HALF_NODES = node("open", "10月20日9:00"), node("unknown", "截止时间待定")


def test_certain_times_beside_an_open_one_wait_for_the_users_word():
    found = hear(HALF_OPEN, *HALF_NODES)
    assert asked(found) == "partial_nodes"
    assert found.reminders == ()


@pytest.mark.parametrize(("answer", "reminders"), [("yes", [("10-20 09:00", "open")]), ("no", [])])
def test_certain_times_are_planned_once_the_user_agrees(answer: str, reminders: list[tuple[str, str]]):
    assert told(hear(HALF_OPEN, *HALF_NODES, answers=[("partial_nodes", answer)])) == reminders


def test_an_open_time_alone_is_kept_without_a_question():
    found = hear("讲座延期，时间待定", node("unknown", "时间待定"))
    assert (found.outcome, found.why) == (Outcome.NO_REMINDER, "time_open")


def test_a_rule_beside_a_single_time_waits_while_that_is_told():
    text = "每周三下午3点例会，本周改到周四下午3点"
    found = hear(text, node("repeat", "每周三下午3点"), node("start", "周四下午3点"))
    assert told(found) == [("10-15 14:30", "default_start_30")]
    assert [one.kind.value for one in found.nodes] == ["repeat", "start"]


# What is no matter of a model.


def test_a_note_stays_a_note():
    submission = Submission("明天下午3点开会", Source.DIRECT, NOW, "Asia/Shanghai", None, Entry.NOTE)
    found = understand_reply(submission, {"nodes": [node("start", "明天下午3点")]}, NOW)
    assert (found.outcome, found.why, found.reminders) == (Outcome.NO_REMINDER, "note", ())


def test_a_text_without_end_is_refused():
    submission = Submission("啊" * (LONGEST_TEXT + 1), Source.PASTE, NOW, "Asia/Shanghai")
    assert understand_reply(submission, {"nodes": []}, NOW).outcome is Outcome.REJECTED


@pytest.mark.parametrize("reply", ["", "{", '{"nodes": [', None, {"nodes": [{}]}, {"items": []}])
def test_a_reply_that_cannot_be_read_is_rejected_and_plans_nothing(reply: object):
    found = understand_reply(Submission("10月20日下午3点开会", Source.PASTE, NOW, "Asia/Shanghai"), reply, NOW)
    assert (found.outcome, found.why, found.nodes, found.reminders) == (Outcome.REJECTED, "reply_unverified", (), ())


def test_the_question_belongs_to_the_revision_it_was_asked_at():
    submission = Submission(TWO, Source.DIRECT, NOW, "Asia/Shanghai")
    found = understand_reply(submission, BOTH, NOW, subject="t7", revision=3)
    assert found.question is not None
    assert (found.question.subject, found.question.revision) == ("t7", 3)
