"""The JSON shapes, from rows that were never in a database."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import replace as changed

from zhixing.delivery.model import Message, MessageState
from zhixing.faces import wire
from zhixing.kernel.moments import parse_instant
from zhixing.notices.model import Outcome, Source, Submission
from zhixing.notices.notice import Notice, NoticeState, Reminder, ReminderState
from zhixing.notices.understand import understand
from zhixing.tasks.journal import Entry, Kind
from zhixing.tasks.occurrence import Occurrence, OccurrenceState
from zhixing.tasks.task import PERMANENT, Way, complete, new_task
from zhixing.world.channels.port import Reason

NOW = parse_instant("2026-10-12T10:00:00+08:00")
ZONE = ZoneInfo("Asia/Shanghai")
STATES = {Outcome.SCHEDULED: NoticeState.SCHEDULED, Outcome.NEEDS_CONFIRMATION: NoticeState.NEEDS_CONFIRMATION}


def notice(text: str) -> Notice:
    """Return a notice as it stands right after it was understood."""
    said = Submission(text, Source.DIRECT, NOW, "Asia/Shanghai")
    found = understand(said, NOW, subject="t1", revision=1)
    task = new_task(
        "t1",
        title=found.title,
        description=text,
        way=Way.NOTICE,
        lifecycle=PERMANENT,
        zone_name="Asia/Shanghai",
        now=NOW.astimezone(UTC),
    )
    reminders = tuple(
        Reminder(number, planned.at, planned.reason, planned.nodes, ReminderState.PLANNED, 1)
        for number, planned in enumerate(found.reminders, start=1)
    )
    return Notice(task, said, said, STATES[found.outcome], found.why, found, (), reminders)


def test_every_shape_is_json() -> None:
    shapes = [
        wire.of_notice(notice("10月20日下午两点开班会"), ["一行"]),
        wire.of_notice(notice("明天三点开会")),
        wire.of_occurrence(occurrence(), ZONE, ["一行"]),
        wire.of_message(message(), ZONE),
        wire.of_entry(entry(), ZONE),
    ]
    assert json.loads(json.dumps(shapes)) == shapes


def test_instants_have_the_offset_of_the_tasks_zone() -> None:
    shape = wire.of_notice(notice("明晚九点提醒我交表"))
    assert shape["createdAt"] == "2026-10-12T10:00:00+08:00"
    assert shape["reminders"][0]["at"] == "2026-10-13T21:00:00+08:00"
    assert wire.of_occurrence(occurrence(), ZoneInfo("Europe/Paris"))["due"] == "2026-10-12T04:00:00+02:00"


def test_only_an_open_question_is_shown() -> None:
    asked = notice("明天三点开会")
    assert wire.of_notice(asked)["question"]["revision"] == 1
    done = changed(asked, task=complete(asked.task, NOW))
    assert wire.of_notice(done)["question"] is None


def test_an_edit_shows_beside_the_first_words() -> None:
    first = notice("明晚九点提醒我交表")
    later = changed(first.current, text="后天交表", submitted_at=NOW + timedelta(hours=1))
    shape = wire.of_notice(changed(first, current=later))
    assert (shape["text"], shape["originalText"]) == ("后天交表", "明晚九点提醒我交表")
    assert (shape["submittedAt"], shape["editedAt"]) == ("2026-10-12T10:00:00+08:00", "2026-10-12T11:00:00+08:00")
    assert wire.of_notice(first)["editedAt"] is None


def test_what_was_not_understood_yet_has_no_times() -> None:
    shape = wire.of_notice(changed(notice("明晚九点提醒我交表"), understood=None, state=NoticeState.RECEIVED))
    assert (shape["nodes"], shape["mustBeTold"], shape["question"]) == ([], [], None)


def test_lines_are_there_only_where_they_were_asked_for() -> None:
    assert "explanation" not in wire.of_notice(notice("明晚九点提醒我交表"))
    assert wire.of_notice(notice("明晚九点提醒我交表"), [])["explanation"] == []
    assert wire.of_occurrence(occurrence(), ZONE, ["一行"])["explanation"] == ["一行"]


def test_a_message_that_was_not_sent_says_why() -> None:
    failed = replace(message(), state=MessageState.FAILED, reason=Reason("refused", "410"))
    assert wire.of_message(failed, ZONE)["reason"] == "接收方不收（HTTP 410）"
    assert wire.of_message(message(), ZONE)["reason"] is None


def test_a_reminder_to_come_says_what_it_is_about() -> None:
    told = notice("明晚九点提醒我交表")
    assert wire.of_coming(told.task, told.reminders[0]) == {
        "task": "t1",
        "title": "交表",
        "number": 1,
        "at": "2026-10-13T21:00:00+08:00",
        "reason": "specified",
        "state": "planned",
    }


def occurrence() -> Occurrence:
    due = datetime(2026, 10, 12, 2, 0, tzinfo=UTC)
    return Occurrence("o1", "t1", "reminder1", due.isoformat(), due, OccurrenceState.CLAIMED, claimed_at=due)


def message() -> Message:
    due = datetime(2026, 10, 12, 2, 0, tzinfo=UTC)
    return Message(
        "m1", "o1:inbox", "inbox", "t1", "o1", "关火", "关火", due, due, MessageState.SENT, due, settled_at=due
    )


def entry() -> Entry:
    return Entry(1, "t1", datetime(2026, 10, 12, 2, 0, tzinfo=UTC), Kind.CREATED, "http", data={"source": "direct"})
