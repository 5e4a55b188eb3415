"""From a submission to its outcome, and on again with every answer; nothing but the inputs decides."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest

from zhixing.kernel.moments import parse_instant
from zhixing.language.expressions import read_times
from zhixing.notices.model import (
    Answer,
    Candidate,
    CandidateNode,
    Entry,
    NodeKind,
    Outcome,
    Source,
    Submission,
    Understanding,
)
from zhixing.notices.understand import LONGEST_TEXT, decide, understand

MONDAY_TEN = parse_instant("2026-10-12T10:00:00+08:00")


def submission(
    text: str,
    source: Source = Source.DIRECT,
    submitted: datetime = MONDAY_TEN,
    entry: Entry = Entry.SCHEDULE,
    heard: date | None = None,
) -> Submission:
    return Submission(text, source, submitted, "Asia/Shanghai", heard, entry)


def hear(text: str, *answers: tuple[str, str], now: datetime = MONDAY_TEN, **rest) -> Understanding:
    return understand(submission(text, **rest), now, [Answer(*answer) for answer in answers])


def node(kind: NodeKind, expression: str, lead: int | None = None) -> CandidateNode:
    (time,) = read_times(expression).expressions
    return CandidateNode(kind, expression, expression, time, lead, "提前" if lead is not None else None)


def judge(nodes: Sequence[CandidateNode], *answers: tuple[str, str]) -> Understanding:
    """Decide a candidate of several nodes, as a model reads them in longer notices."""
    candidate = Candidate("报名", "报名", "报名", (), tuple(nodes))
    return decide(candidate, submission("报名"), MONDAY_TEN, [Answer(*answer) for answer in answers])


def told(found: Understanding) -> list[tuple[str, str]]:
    return [(reminder.at.isoformat() if reminder.at else "asap", reminder.reason) for reminder in found.reminders]


# Outcomes.


@pytest.mark.parametrize(
    ("text", "outcome", "why"),
    [
        ("明天下午3点开会", Outcome.SCHEDULED, "planned"),
        ("今天交报告", Outcome.SCHEDULED, "planned"),
        ("买菜", Outcome.NO_REMINDER, "no_time"),
        ("提醒我喝水", Outcome.NO_REMINDER, "no_time"),
        ("昨天下午3点开会", Outcome.NO_REMINDER, "nothing_ahead"),
        ("10月20日17:00散会", Outcome.NO_REMINDER, "nothing_ahead"),
        ("今天上午10点05分开会，提前10分钟提醒我", Outcome.NO_REMINDER, "nothing_ahead"),
        ("明天3点开会", Outcome.NEEDS_CONFIRMATION, "meridiem"),
        ("周五下午3点开会", Outcome.NEEDS_CONFIRMATION, "date"),
        ("每天早上8点提醒我吃药", Outcome.NEEDS_MODEL, "repeat"),
        ("老师说明天下午3点开会", Outcome.NEEDS_MODEL, "quote"),
    ],
)
def test_what_becomes_of_a_text(text: str, outcome: Outcome, why: str):
    found = hear(text)
    assert (found.outcome, found.why) == (outcome, why)
    assert (found.question is not None) is (outcome is Outcome.NEEDS_CONFIRMATION)
    assert bool(found.reminders) is (outcome is Outcome.SCHEDULED)


@pytest.mark.parametrize("text", ["", " ", "\n", "\u3000\t"])
def test_an_empty_text_is_rejected(text: str):
    assert hear(text).outcome is Outcome.REJECTED
    assert hear(text, entry=Entry.NOTE).outcome is Outcome.REJECTED


def test_a_text_has_its_longest_length():
    assert hear("长" * (LONGEST_TEXT + 1)).outcome is Outcome.REJECTED
    assert hear("长" * LONGEST_TEXT).outcome is Outcome.NEEDS_MODEL


@pytest.mark.parametrize("text", ["明天下午3点开会", "每天提醒我喝水", "老师说明天交作业", "长" * LONGEST_TEXT])
@pytest.mark.parametrize("source", Source)
def test_a_note_is_kept_and_never_read(text: str, source: Source):
    found = hear(text, source=source, entry=Entry.NOTE)
    assert (found.outcome, found.why) == (Outcome.NO_REMINDER, "note")
    assert (found.nodes, found.reminders, found.question) == ((), (), None)
    assert found.evidence == text


@pytest.mark.parametrize("source", [Source.IMAGE, Source.QUOTE])
@pytest.mark.parametrize("text", ["明天下午3点开会", "买菜", "明天3点开会"])
def test_pictures_and_quotes_are_left_to_a_model(source: Source, text: str):
    found = hear(text, source=source)
    assert (found.outcome, found.reminders, found.question) == (Outcome.NEEDS_MODEL, (), None)


@pytest.mark.parametrize(
    ("source", "kind"),
    [(Source.DIRECT, None), (Source.VOICE, None), (Source.PASTE, "message_date"), (Source.SHARE, "message_date")],
)
def test_only_the_users_own_words_count_from_today(source: Source, kind: str | None):
    found = hear("明天下午3点开会", source=source)
    assert (found.question and found.question.kind) == kind


def test_a_title_and_an_action_are_given_with_every_reading():
    found = hear("明天下午3点参加会议，带上电脑")
    assert (found.title, found.action, found.details) == ("参加会议", "参加会议", ("带上电脑",))
    assert hear("老师说明天下午3点开会").title == "老师说明天下午3点开会"


# Answers.


def test_an_answer_is_rebuilt_into_the_same_matter():
    before = hear("明天三点半开会")
    after = hear("明天三点半开会", ("meridiem", "15:30"))
    assert before.outcome is Outcome.NEEDS_CONFIRMATION
    assert (after.outcome, told(after)) == (Outcome.SCHEDULED, [("2026-10-13T15:00:00+08:00", "default_start_30")])
    assert (before.title, before.action, before.evidence) == (after.title, after.action, after.evidence)


def test_every_quick_answer_of_every_question_leads_on():
    texts = [
        "明天3点开会",
        "今晚12点提醒我",
        "周五下午3点开会",
        "5月1日开会",
        "10月15日（周五）开会",
        "2027年4月31日开会",
    ]
    for text in texts:
        question = hear(text).question
        assert question is not None
        for option in question.options[:-1]:
            found = hear(text, (question.kind, option.value))
            assert found.outcome in (Outcome.SCHEDULED, Outcome.NO_REMINDER), (text, option)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("明天3点开会", "meridiem"),
        ("明天中午3点开会", "clock_time"),
        ("周五下午3点开会", "date"),
        ("5月1日开会", "year"),
        ("10月15日（周五）开会", "weekday_conflict"),
        ("2027年4月31日开会", "invalid_date"),
        ("10月15日体检，提前30分钟提醒我", "lead_needs_clock"),
    ],
)
@pytest.mark.parametrize("answer", ["other", "不知道", ""])
def test_a_question_is_never_asked_twice(text: str, kind: str, answer: str):
    assert hear(text).why == kind
    found = hear(text, (kind, answer))
    assert (found.outcome, found.why) == (Outcome.RETRYABLE_FAILURE, f"answered_{kind}")
    assert (found.question, found.reminders) == (None, ())


def test_a_better_answer_comes_after_a_useless_one():
    found = hear("明天3点开会", ("meridiem", "不知道"), ("meridiem", "下午"))
    assert told(found) == [("2026-10-13T14:30:00+08:00", "default_start_30")]


def test_questions_follow_one_another_until_all_is_known():
    text, answers = "周五3点开会", []
    for kind, value in [("meridiem", "15:00"), ("date", "2026-10-16")]:
        found = hear(text, *answers)
        assert found.question is not None
        assert found.question.kind == kind
        answers.append((kind, value))
    assert told(hear(text, *answers)) == [("2026-10-16T14:30:00+08:00", "default_start_30")]


def test_a_question_is_bound_to_its_subject_and_revision():
    question = understand(submission("明天3点开会"), MONDAY_TEN, subject="n7", revision=4).question
    assert question is not None
    assert (question.subject, question.revision) == ("n7", 4)


def test_an_answer_to_a_question_that_was_not_asked_changes_nothing():
    assert hear("明天下午3点开会", ("meridiem", "03:00")) == hear("明天下午3点开会")
    assert hear("买菜", ("date", "2026-10-14")) == hear("买菜")
    assert hear("每天提醒我喝水", ("date", "2026-10-14")) == hear("每天提醒我喝水")


# Later.


@pytest.mark.parametrize(
    ("now", "reminders"),
    [
        ("2026-10-12T10:00:00+08:00", [("2026-10-13T14:30:00+08:00", "default_start_30")]),
        ("2026-10-13T14:45:00+08:00", [("2026-10-13T15:00:00+08:00", "at_start_lead_passed")]),
        ("2026-10-13T15:00:01+08:00", []),
    ],
)
def test_the_time_of_a_matter_stays_while_its_reminder_follows_the_present(now: str, reminders: list[object]):
    found = hear("明天下午3点开会", now=parse_instant(now))
    assert [one.at for one in found.nodes] == [parse_instant("2026-10-13T15:00:00+08:00")]
    assert told(found) == reminders


def test_the_zone_in_which_now_is_written_does_not_matter():
    assert hear("明天下午3点开会", now=MONDAY_TEN.astimezone(UTC)) == hear("明天下午3点开会")
    assert hear("今天交报告", now=MONDAY_TEN.astimezone(UTC)) == hear("今天交报告")


# Several nodes.


def test_every_node_has_its_reminder():
    found = judge([node(NodeKind.OPEN, "10月20日9:00"), node(NodeKind.DEADLINE, "10月25日18:00")])
    assert told(found) == [("2026-10-20T09:00:00+08:00", "open"), ("2026-10-25T17:00:00+08:00", "deadline_1h")]


def test_reminders_of_two_nodes_at_one_instant_are_one():
    found = judge([node(NodeKind.OPEN, "10月20日9:00"), node(NodeKind.DEADLINE, "10月20日10:00")])
    assert told(found) == [("2026-10-20T09:00:00+08:00", "open+deadline_1h")]
    assert found.reminders[0].nodes == (0, 1)


@pytest.mark.parametrize("unclear", ["周五", "3点", "10月32日", "5月1日"])
def test_one_unclear_time_stops_all_reminders(unclear: str):
    found = judge([node(NodeKind.OPEN, "10月20日9:00"), node(NodeKind.DEADLINE, unclear)])
    assert (found.outcome, found.reminders) == (Outcome.NEEDS_CONFIRMATION, ())


def test_a_reminder_behind_its_deadline_is_asked():
    nodes = [node(NodeKind.DEADLINE, "10月20日18:00"), node(NodeKind.REMINDER, "10月20日19:00")]
    found = judge(nodes)
    assert (found.outcome, found.why, found.reminders) == (Outcome.NEEDS_CONFIRMATION, "reminder_after_deadline", ())
    assert [one.kind for one in found.nodes] == [NodeKind.DEADLINE, NodeKind.REMINDER]


@pytest.mark.parametrize("reminder", ["10月20日18:00", "10月20日17:59", "10月19日19:00"])
def test_a_reminder_up_to_its_deadline_is_not_asked(reminder: str):
    nodes = [node(NodeKind.DEADLINE, "10月20日18:00"), node(NodeKind.REMINDER, reminder)]
    assert judge(nodes).outcome is Outcome.SCHEDULED


def test_a_candidate_without_nodes_needs_no_reminder():
    assert judge([]).outcome is Outcome.NO_REMINDER
