"""The calendar feed, read back as a calendar would."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from icalendar import Calendar

from zhixing.kernel.moments import parse_instant
from zhixing.notices.calendar import KEPT, MOST_EVENTS, calendar
from zhixing.notices.feed import CalendarFeed
from zhixing.notices.model import (
    Entry,
    Node,
    NodeKind,
    Outcome,
    Precision,
    Source,
    Submission,
    Understanding,
)
from zhixing.notices.notice import Notice, NoticeState, Reminder, ReminderState
from zhixing.tasks.task import PERMANENT, Status, Task, Way

NOW = parse_instant("2026-10-12T10:00:00+08:00")


def node(kind, at, *, day=None):
    precision = Precision.DATE if day else Precision.MINUTE
    return Node(NodeKind(kind), precision, "x", "x", None if day else parse_instant(at), day)


def notice(*nodes, title="开会", details=(), status=Status.ACTIVE, reminders=(), number=1, **more):
    submitted = Submission(title, Source.DIRECT, NOW, "Asia/Shanghai")
    task = Task(
        id=f"t{number}",
        title=title,
        description="",
        way=Way.NOTICE,
        lifecycle=PERMANENT,
        status=status,
        zone="Asia/Shanghai",
        revision=more.get("revision", 3),
        created_at=NOW,
        updated_at=more.get("updated_at", NOW),
    )
    state = more.get("state", NoticeState.SCHEDULED)
    understood = Understanding(Outcome.SCHEDULED, "planned", title, details=details, nodes=nodes)
    return Notice(task, submitted, submitted, state, "planned", understood, (), tuple(reminders))


def reminder(at, nodes=(0,), number=1, state=ReminderState.PLANNED):
    return Reminder(number, parse_instant(at), "default_start_30", nodes, state, 3)


def events(*notices, now=NOW):
    return Calendar.from_ical(calendar(notices, "home", now)).walk("VEVENT")


MEETING = node("start", "2026-10-13T15:00:00+08:00")


def test_a_time_is_an_event_in_utc_without_an_invented_end():
    (event,) = events(notice(MEETING))

    assert event.decoded("dtstart") == datetime(2026, 10, 13, 7, 0, tzinfo=UTC)
    assert "dtend" not in event
    assert event["uid"] == "t1.0@home"
    assert event["sequence"] == 3
    assert (str(event["summary"]), event["status"]) == ("开会", "CONFIRMED")


def test_an_end_that_was_said_ends_the_event():
    (event,) = events(notice(MEETING, node("end", "2026-10-13T17:00:00+08:00")))

    assert event.decoded("dtend") - event.decoded("dtstart") == timedelta(hours=2)


def test_a_bare_date_is_a_whole_day():
    (event,) = events(notice(node("start", "", day=date(2026, 10, 15))))

    assert (event.decoded("dtstart"), event.decoded("dtend")) == (date(2026, 10, 15), date(2026, 10, 16))


@pytest.mark.parametrize(
    ("kind", "summary"), [("deadline", "报名（截止）"), ("open", "报名（开放）"), ("reminder", "报名")]
)
def test_an_event_says_what_happens_at_its_time(kind, summary):
    (event,) = events(notice(node(kind, "2026-10-13T15:00:00+08:00"), title="报名"))

    assert str(event["summary"]) == summary


@pytest.mark.parametrize("kind", ["unknown", "repeat"])
def test_what_names_no_instant_is_no_event(kind):
    assert events(notice(Node(NodeKind(kind), Precision.UNKNOWN, "x", "x"))) == []


def test_each_time_of_a_notice_keeps_its_own_identity_when_it_moves():
    first = notice(MEETING, node("deadline", "2026-10-14T15:00:00+08:00"))
    moved = notice(
        node("start", "2026-10-20T15:00:00+08:00"), node("deadline", "2026-10-21T15:00:00+08:00"), revision=4
    )

    assert sorted(event["uid"] for event in events(first)) == sorted(event["uid"] for event in events(moved))
    assert {event["sequence"] for event in events(moved)} == {4}


def test_alarms_ring_at_the_planned_reminders_and_only_once():
    planned = [
        reminder("2026-10-13T14:30:00+08:00", (0, 1), 1),
        reminder("2026-10-12T09:00:00+08:00", (0,), 2, ReminderState.TOLD),
    ]

    every = events(notice(MEETING, node("deadline", "2026-10-13T15:30:00+08:00"), reminders=planned))

    alarms = [alarm for event in every for alarm in event.walk("VALARM")]
    assert [alarm["trigger"].dt for alarm in alarms] == [datetime(2026, 10, 13, 6, 30, tzinfo=UTC)]
    assert [str(alarm["action"]) for alarm in alarms] == ["DISPLAY"]


def test_a_reminder_set_by_hand_for_something_without_a_time_is_an_event_itself():
    (event,) = events(notice(reminders=[reminder("2026-10-13T08:00:00+08:00", (), 4)]))

    assert event["uid"] == "t1.r4@home"
    assert event.decoded("dtstart") == datetime(2026, 10, 13, 0, 0, tzinfo=UTC)
    assert len(event.walk("VALARM")) == 1


def test_what_was_deleted_stays_as_cancelled_for_a_month():
    deleted = notice(MEETING, status=Status.DELETED)

    assert [event["status"] for event in events(deleted, now=NOW + KEPT - timedelta(hours=1))] == ["CANCELLED"]
    assert events(deleted, now=NOW + KEPT) == []


def test_what_is_done_stays_as_it_was_for_a_month():
    done = notice(MEETING, status=Status.COMPLETED)

    assert [event["status"] for event in events(done)] == ["CONFIRMED"]
    assert events(done, now=NOW + KEPT) == []


def test_what_is_long_over_is_left_out():
    assert events(notice(MEETING), now=NOW + timedelta(days=32)) == []


def test_notes_are_not_in_the_calendar():
    assert events(notice(MEETING, state=NoticeState.NOTE)) == []


def test_the_feed_is_bounded_and_keeps_what_comes_next():
    many = [
        notice(node("start", (NOW + timedelta(hours=hour)).isoformat()), number=hour)
        for hour in range(1, MOST_EVENTS + 50)
    ]

    found = events(*many)

    assert len(found) == MOST_EVENTS
    assert max(event.decoded("dtstart") for event in found) == (NOW + timedelta(hours=MOST_EVENTS)).astimezone(UTC)


def test_the_same_notices_make_the_same_bytes_at_another_time():
    told = notice(MEETING)

    assert calendar([told], "home", NOW) == calendar([told], "home", NOW + timedelta(hours=1))


# The form


def test_lines_are_folded_at_75_bytes_and_end_in_crlf():
    text = calendar([notice(MEETING, title="⏰" * 60 + "a,b;c\\d", details=("长" * 500,))], "home", NOW)

    assert all(len(line) <= 75 for line in text.split(b"\r\n"))
    assert b"\n" not in text.replace(b"\r\n", b"")
    (event,) = Calendar.from_ical(text).walk("VEVENT")
    assert str(event["summary"]) == "⏰" * 60 + "a,b;c\\d"
    assert str(event["description"]) == "长" * 500


@pytest.mark.parametrize(
    "title",
    [
        "开会\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:假",
        "开会\nATTENDEE:mailto:x@example.org",
        "开会\x00\x0b\x0c\x1b[31m\x85 END:VEVENT",
        "\u2028BEGIN:VALARM",
    ],
)
def test_a_title_cannot_break_out_of_its_line(title):
    text = calendar([notice(MEETING, title=title, details=(title,))], "home", NOW)

    parsed = Calendar.from_ical(text)
    (event,) = parsed.walk("VEVENT")
    assert parsed.walk("VALARM") == []
    assert "attendee" not in event
    assert "\n" not in str(event["summary"])


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=300), st.lists(st.text(max_size=300), max_size=3))
def test_whatever_a_title_and_details_are_the_feed_can_be_read_back(title, details):
    text = calendar([notice(MEETING, title=title, details=tuple(details))], "home", NOW)

    (event,) = Calendar.from_ical(text).walk("VEVENT")
    assert event["uid"] == "t1.0@home"
    assert len(event) <= 12


# In a house


def read(house):
    app = house.app
    return Calendar.from_ical(CalendarFeed(app.store, house.clock).read()).walk("VEVENT")


def test_a_notice_is_in_the_feed_from_saying_to_deleting(house):
    said = house.say("明天下午3点开会")
    (event,) = read(house)
    assert event.decoded("dtstart") == datetime(2026, 10, 13, 7, 0, tzinfo=UTC)
    assert [alarm["trigger"].dt for alarm in event.walk("VALARM")] == [datetime(2026, 10, 13, 6, 30, tzinfo=UTC)]

    house.edit(said, "后天下午3点开会")
    (moved,) = read(house)
    assert moved["uid"] == event["uid"]
    assert moved["sequence"] > event["sequence"]

    house.change(said, "delete")
    (gone,) = read(house)
    assert (gone["uid"], gone["status"], gone.walk("VALARM")) == (event["uid"], "CANCELLED", [])


def test_what_is_still_asked_about_is_not_in_the_feed(house):
    house.say("明天3点开会")

    assert read(house) == []


def test_what_is_only_noted_is_not_in_the_feed(house):
    house.say("明天下午3点开会", entry=Entry.NOTE)

    assert read(house) == []


def test_two_homes_never_share_an_identity(house, fresh_home, clock):
    from zhixing.store.migrations import migrate

    house.say("明天下午3点开会")
    migrate(fresh_home.store, clock)
    other = CalendarFeed(fresh_home.store, clock)
    other.read()

    with fresh_home.store.read() as tx:
        (theirs,) = tx.row("SELECT value FROM identity WHERE name = 'home'")
    assert theirs not in read(house)[0]["uid"]
