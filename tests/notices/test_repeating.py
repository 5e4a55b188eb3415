"""What repeats: read locally, asked about where something is missing, told at each of its times, ended in two layers."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from zhixing.kernel.errors import BadInput, Conflict
from zhixing.kernel.moments import parse_instant
from zhixing.kernel.moments import zone as find_zone
from zhixing.notices import listing, store
from zhixing.notices.notice import NoticeState
from zhixing.tasks.journal import Kind
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.world.channels.port import NotSent, Reason


def repeating(house):
    return house.app.repeating


def next_at(house, notice) -> str | None:
    found = house.look(notice)
    return None if found.series.next is None else clock(found.series.next, found.task.zone)


def clock(instant, zone: str = "Asia/Shanghai") -> str:
    return f"{instant.astimezone(find_zone(zone)):%m-%d %H:%M}"


def told(house) -> list[str]:
    return [f"{clock(message.due_at)} {message.text}" for message in house.inbox()]


def day_by_day(house, days: int) -> None:
    for _ in range(days):
        house.let_pass(timedelta(days=1))


def test_what_repeats_is_scheduled_without_a_model(house):
    notice = house.say("每天早上8点提醒我吃药")
    assert notice.state is NoticeState.SCHEDULED
    assert notice.task.title == "吃药"
    assert next_at(house, notice) == "10-13 08:00"
    assert any("每天 08:00" in line for line in house.why(notice))
    assert Kind.SCHEDULED in house.journal(notice)


def test_each_time_is_told_once_and_the_next_one_is_ahead(house):
    notice = house.say("每天早上8点提醒我吃药")
    day_by_day(house, 3)
    assert told(house) == [
        "10-13 08:00 吃药（原定 今天（10月13日 周二） 08:00，迟到送达）",
        "10-14 08:00 吃药（原定 今天（10月14日 周三） 08:00，迟到送达）",
        "10-15 08:00 吃药（原定 今天（10月15日 周四） 08:00，迟到送达）",
    ]
    assert next_at(house, notice) == "10-16 08:00"
    assert {one.state for one in house.occurrences(notice)} == {OccurrenceState.DONE}


def test_a_time_told_on_time_is_just_the_matter(house):
    house.say("每天早上8点提醒我吃药")
    house.let_pass("2026-10-13T08:00:00+08:00")
    assert told(house) == ["10-13 08:00 吃药"]


def test_a_start_is_told_half_an_hour_before_with_its_time(house):
    house.say("每周三下午3点开会")
    house.let_pass("2026-10-14T14:30:00+08:00")
    assert told(house) == ["10-14 14:30 开会；今天（10月14日 周三） 15:00 开始"]


def test_a_bare_day_is_told_at_nine_and_keeps_the_precision_of_a_date(house):
    notice = house.say("每月15号交房租")
    assert "没说几点，当天 09:00 提醒" in house.why(notice)
    house.let_pass("2026-10-15T09:00:00+08:00")
    assert told(house) == ["10-15 09:00 交房租；今天（10月15日 周四） 截止"]


def test_a_missing_part_of_the_day_is_asked_once(house):
    notice = house.say("每天8点吃药")
    assert notice.question.kind == "meridiem"
    answered = house.answer(notice, "晚上")
    assert answered.state is NoticeState.SCHEDULED
    assert next_at(house, notice) == "10-12 19:30"
    with pytest.raises(Conflict):
        house.answer(notice, "早上", revision=notice.question.revision)


def test_an_answer_to_an_older_question_changes_nothing(house):
    notice = house.say("每天8点吃药")
    edited = house.edit(notice, "每天9点吃药")
    with pytest.raises(Conflict):
        house.answer(edited, "08:00", revision=notice.question.revision)
    assert house.look(notice).question.revision == edited.task.revision


@pytest.mark.parametrize(
    ("text", "kind", "answer", "rule"),
    [
        ("每隔两天晚上8点提醒我浇花", "repeat_interval", "3", "每 3 天（从 2026-10-12 算起） 20:00"),
        ("每隔两天晚上8点提醒我浇花", "repeat_interval", "每两天一次", "每 2 天（从 2026-10-12 算起） 20:00"),
        ("每周提醒我给花浇水", "repeat_weekday", "周二和周五", "每周二、周五 09:00"),
        ("每月提醒我交房租", "repeat_day", "最后一天", "每月最后一天 09:00"),
        ("每天提醒我背单词", "clock_time", "晚上8点半", "每天 20:30"),
        ("每天早上提醒我背单词", "clock_time", "7:15", "每天 07:15"),
    ],
)
def test_the_one_missing_thing_is_asked_and_the_answer_completes_it(house, text, kind, answer, rule):
    notice = house.say(text)
    assert notice.state is NoticeState.NEEDS_CONFIRMATION
    assert notice.question.kind == kind
    assert house.answer(notice, answer).series.rule == rule


@pytest.mark.parametrize("answer", ["随便", "大概吧", "每天"])
def test_an_answer_that_is_none_is_refused(house, answer):
    notice = house.say("每隔两天晚上8点提醒我浇花")
    with pytest.raises(BadInput):
        house.answer(notice, answer)
    assert house.look(notice).question is not None


@pytest.mark.parametrize(
    "text", ["每天三次提醒我吃药", "每天晚上8点提醒我跑步，周末除外", "每月底提醒我交报表", "每天下班后提醒我跑步"]
)
def test_what_is_not_read_whole_waits_for_a_model_as_before(house, text):
    notice = house.say(text)
    assert (notice.state, notice.why) == (NoticeState.PENDING_AI, "repeat")
    assert notice.series is None


def test_one_time_is_done_and_the_series_goes_on(house):
    notice = house.say("每天早上8点提醒我吃药")
    house.let_pass("2026-10-13T08:00:00+08:00")
    after, due = repeating(house).done_once(notice.task.id, who="test")
    assert clock(due) == "10-13 08:00"
    assert after.task.active
    assert next_at(house, notice) == "10-14 08:00"
    assert house.journal(notice)[-1] is Kind.DONE_ONCE
    house.let_pass("2026-10-14T08:00:00+08:00")
    assert len(told(house)) == 2


def test_the_next_time_done_ahead_is_not_told(house):
    notice = house.say("每天早上8点提醒我吃药")
    _, due = repeating(house).done_once(notice.task.id, who="test")
    assert clock(due) == "10-13 08:00"
    assert next_at(house, notice) == "10-14 08:00"
    house.let_pass("2026-10-13T08:00:00+08:00")
    assert told(house) == []
    assert [one.reason for one in house.occurrences(notice)] == ["done_ahead"]
    house.let_pass("2026-10-14T08:00:00+08:00")
    assert told(house) == ["10-14 08:00 吃药"]


def test_a_second_click_does_not_do_the_next_time(house):
    notice = house.say("每天早上8点提醒我吃药")
    house.let_pass("2026-10-13T08:00:00+08:00")
    revision = house.look(notice).task.revision
    repeating(house).done_once(notice.task.id, who="test", revision=revision)
    with pytest.raises(Conflict):
        repeating(house).done_once(notice.task.id, who="test", revision=revision)
    occurrence = house.occurrences(notice)[0].id
    repeating(house).done_once(notice.task.id, who="test", occurrence=occurrence)
    assert next_at(house, notice) == "10-14 08:00"


def test_the_series_is_over_when_its_task_is_completed_and_restoring_goes_on_without_what_lay_between(house):
    notice = house.say("每天早上8点提醒我吃药")
    house.let_pass("2026-10-13T08:00:00+08:00")
    house.change(notice, "complete")
    assert next_at(house, notice) is None
    day_by_day(house, 3)
    assert len(told(house)) == 1
    restored = house.change(notice, "restore")
    assert restored.state is NoticeState.SCHEDULED
    house.let_pass("2026-10-17T08:00:00+08:00")
    assert [line[:11] for line in told(house)] == ["10-13 08:00", "10-17 08:00"]
    skipped = [one for one in house.occurrences(notice) if one.state is OccurrenceState.SKIPPED]
    assert [one.count for one in skipped] == [3]


def test_one_operation_on_single_times_is_refused_once_the_series_is_over(house):
    notice = house.say("每天早上8点提醒我吃药")
    house.change(notice, "complete")
    with pytest.raises(Conflict):
        repeating(house).done_once(notice.task.id, who="test")
    with pytest.raises(Conflict):
        repeating(house).skip(notice.task.id, date(2026, 10, 13), who="test")


def test_a_day_ahead_is_left_out_and_put_back(house):
    notice = house.say("每天早上8点和晚上8点提醒我吃药")
    skipped = repeating(house).skip(notice.task.id, date(2026, 10, 13), who="test")
    assert "2026-10-13 除外" in skipped.series.rule
    repeating(house).skip(notice.task.id, date(2026, 10, 14), who="test")
    repeating(house).put_back(notice.task.id, date(2026, 10, 14), who="test")
    for until in ("2026-10-12T20:00:00+08:00", "2026-10-13T23:00:00+08:00", "2026-10-14T08:00:00+08:00"):
        house.let_pass(until)
    assert [line[:11] for line in told(house)] == ["10-12 20:00", "10-14 08:00"]
    assert {Kind.LEFT_OUT, Kind.PUT_BACK} <= set(house.journal(notice))


def test_a_day_without_anything_ahead_cannot_be_left_out(house):
    notice = house.say("每周三下午3点提醒我开会")
    for day in (date(2026, 10, 13), date(2026, 10, 7)):
        with pytest.raises(BadInput):
            repeating(house).skip(notice.task.id, day, who="test")
    with pytest.raises(BadInput):
        repeating(house).put_back(notice.task.id, date(2026, 10, 14), who="test")
    hourly = house.say("每两小时提醒我喝水")
    with pytest.raises(Conflict):
        repeating(house).skip(hourly.task.id, date(2026, 10, 13), who="test")
    single = house.say("明天下午3点开会")
    with pytest.raises(Conflict):
        repeating(house).done_once(single.task.id, who="test")


def test_an_edit_ends_the_series_and_keeps_its_history(house):
    notice = house.say("每天早上8点提醒我吃药")
    house.let_pass("2026-10-13T08:00:00+08:00")
    edited = house.edit(notice, "每天晚上9点提醒我吃药")
    assert edited.series.number == 2
    assert next_at(house, notice) == "10-13 21:00"
    house.let_pass("2026-10-13T21:00:00+08:00")
    house.let_pass("2026-10-14T08:00:00+08:00")
    assert [line[:11] for line in told(house)] == ["10-13 08:00", "10-13 21:00"]
    app = house.app
    with app.store.read() as tx:
        rows = tx.rows("SELECT expression, state FROM series WHERE task_id = ? ORDER BY number", (notice.task.id,))
    assert rows == [("on day at 08:00", "replaced"), ("on day at 21:00", "running")]
    assert house.edit(notice, "明天下午3点提醒我吃药").series is None
    house.let_pass("2026-10-14T21:00:00+08:00")
    assert "10-14 21:00" not in [line[:11] for line in told(house)]


def test_a_server_that_was_down_tells_the_newest_time_late_and_only_that(house):
    notice = house.say("每天早上8点提醒我吃药")
    house.let_pass("2026-10-17T12:00:00+08:00")
    assert told(house) == ["10-17 08:00 吃药（原定 今天（10月17日 周六） 08:00，迟到送达）"]
    missed = [one for one in house.occurrences(notice) if one.state is OccurrenceState.MISSED]
    assert [one.count for one in missed] == [4]


def test_a_time_older_than_a_day_is_recorded_and_not_told(house):
    notice = house.say("每周三下午3点提醒我开会")
    house.let_pass("2026-10-16T12:00:00+08:00")
    assert told(house) == []
    assert [one.state for one in house.occurrences(notice)] == [OccurrenceState.MISSED]
    assert next_at(house, notice) == "10-21 15:00"


def test_a_clock_that_is_put_back_does_not_tell_twice(house):
    house.say("每天早上8点提醒我吃药")
    house.let_pass("2026-10-13T08:00:00+08:00")
    house.clock.jump(timedelta(hours=-2))
    house.let_pass(timedelta(hours=3))
    assert [line[:11] for line in told(house)] == ["10-13 08:00"]
    house.let_pass("2026-10-14T08:00:00+08:00")
    assert len(told(house)) == 2


def test_the_wall_clock_of_its_zone_is_kept_over_summer_time(house):
    house.clock.jump(parse_instant("2026-10-31T12:00:00-04:00") - house.clock.now())
    notice = house.say("每天早上8点提醒我吃药", zone="America/New_York")
    instants = []
    for _ in range(2):
        instants.append(house.look(notice).series.next)
        house.let_pass(instants[-1] - house.clock.now())
    # The clocks go back on the 1st of November.
    assert [clock(one, "America/New_York") for one in instants] == ["11-01 08:00", "11-02 08:00"]
    assert (instants[1] - instants[0]) == timedelta(hours=24)
    assert instants[0] == parse_instant("2026-11-01T08:00:00-05:00")


def test_a_counted_series_says_that_it_is_the_last_time_and_stays_to_be_completed(house):
    notice = house.say("每天早上8点提醒我吃药，共2次")
    house.let_pass("2026-10-13T08:00:00+08:00")
    house.let_pass("2026-10-14T08:00:00+08:00")
    day_by_day(house, 2)
    assert told(house) == ["10-13 08:00 吃药", "10-14 08:00 吃药（这是最后一次）"]
    assert house.look(notice).task.active
    assert "已经没有下一次" in house.why(notice)
    app = house.app
    with app.store.read() as tx:
        assert [one.task.id for one in listing.to_do(tx).notices] == [notice.task.id]


def test_behind_the_last_day_of_the_holiday_table_nothing_is_invented(house):
    house.clock.jump(parse_instant("2026-12-30T10:00:00+08:00") - house.clock.now())
    notice = house.say("法定工作日早上8点提醒我打卡")
    assert any("2026-12-31" in line for line in house.why(notice))
    house.let_pass("2026-12-31T08:00:00+08:00")
    day_by_day(house, 10)
    assert [line[:11] for line in told(house)] == ["12-31 08:00"]
    assert "2026-12-31" in told(house)[0]
    assert Kind.OUT_OF_TABLE in house.journal(notice)
    assert any("表到 2026-12-31 为止" in line for line in house.why(notice))
    assert house.look(notice).task.active
    house.app.scheduling.reconcile()
    assert next_at(house, notice) is None


def test_what_is_coming_holds_the_times_of_series(house):
    single = house.say("明天下午3点提醒我开会")
    notice = house.say("每天早上8点提醒我吃药")
    repeating(house).skip(notice.task.id, date(2026, 10, 14), who="test")
    now = house.clock.now()
    app = house.app
    with app.store.read() as tx:
        coming = store.coming(tx, now, now + timedelta(days=4), 10)
        assert listing.to_do(tx).notices == ()
    assert [(task.id, clock(reminder.at)) for task, reminder in coming] == [
        (notice.task.id, "10-13 08:00"),
        (single.task.id, "10-13 15:00"),
        (notice.task.id, "10-15 08:00"),
        (notice.task.id, "10-16 08:00"),
    ]
    month = listing.within(house.look(notice), now, now + timedelta(days=30))
    assert len(month) == 29
    assert clock(month[0].at) == "10-13 08:00"


def test_a_channel_gets_each_time_once(house):
    house.channels["phone"] = house.phone
    house.say("每天早上8点提醒我吃药")
    for day in (13, 14):
        house.let_pass(f"2026-10-{day}T08:00:00+08:00")
    assert [letter.text for letter in house.phone.arrived] == ["吃药", "吃药"]


def test_a_manual_reminder_and_the_series_go_side_by_side(house):
    notice = house.say("每天早上8点提醒我吃药")
    house.remind(notice, "2026-10-12T12:00:00+08:00")
    house.let_pass("2026-10-12T12:00:00+08:00")
    house.let_pass("2026-10-13T08:00:00+08:00")
    assert [line[:11] for line in told(house)] == ["10-12 12:00", "10-13 08:00"]


def test_a_page_can_have_only_the_next_time_of_each_series(house):
    notice = house.say("每天早上8点提醒我吃药")
    hourly = house.say("每两小时提醒我喝水")
    now = house.clock.now()
    app = house.app
    with app.store.read() as tx:
        coming = store.coming(tx, now, now + timedelta(days=9), 10, of_each=1)
    assert [(task.id, clock(reminder.at)) for task, reminder in coming] == [
        (hourly.task.id, "10-12 12:00"),
        (notice.task.id, "10-13 08:00"),
    ]


def test_a_channel_that_does_not_answer_holds_up_no_later_time(house):
    house.channels["phone"] = house.phone
    house.phone.then(*[NotSent(Reason("unreachable"))] * 50)
    notice = house.say("每天早上8点提醒我吃药")
    for day in (13, 14):
        house.let_pass(f"2026-10-{day}T08:00:00+08:00")
    assert [line[:11] for line in told(house)] == ["10-13 08:00", "10-14 08:00"]
    # A restart takes neither for lost: they are told, and their messages wait in the outbox.
    house.app.scheduling.reconcile()
    assert {one.state for one in house.occurrences(notice)} == {OccurrenceState.DONE}
