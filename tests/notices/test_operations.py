"""What users do with notices, on both databases, with and without a restart before every step."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from tests.notices.conftest import at, planned

from zhixing.kernel.errors import BadInput, Conflict, NotFound, TooLarge
from zhixing.notices.notice import NoticeState, ReminderState
from zhixing.tasks.journal import Kind
from zhixing.tasks.task import Status


def test_the_words_are_kept_as_they_came_in(house):
    said = house.say("  明天下午３点開會  ")
    later = house.look(said)
    assert later.original.text == "  明天下午３点開會  "
    assert later.original.submitted_at == house.clock.now()


def test_a_sentence_becomes_a_reminder_that_is_told_once(house):
    notice = house.say("明天下午3点参加会议")
    assert planned(notice) == [("10-13 14:30", "default_start_30")]
    house.let_pass("2026-10-13T14:29:59+08:00")
    assert house.inbox() == []
    house.let_pass("2026-10-13T14:30:00+08:00")
    house.let_pass(timedelta(days=2))
    assert [message.text for message in house.inbox()] == ["参加会议；今天（10月13日 周二） 15:00 开始"]
    assert [occurrence.state for occurrence in house.occurrences(notice)] == ["done"]
    assert house.look(notice).reminders[0].state is ReminderState.TOLD


def test_a_second_submission_with_the_same_key_keeps_one_item(house):
    first = house.say("明天下午3点开会", key="form-1")
    again = house.say("明天下午3点开会", key="form-1")
    assert again.task.id == first.task.id
    assert planned(again) == [("10-13 14:30", "default_start_30")]


def test_without_a_key_two_equal_sentences_are_two_items(house):
    assert house.say("买牛奶").task.id != house.say("买牛奶").task.id


def test_an_answer_finishes_the_same_item_without_a_model(house):
    asked = house.say("明天3点开会")
    assert asked.question is not None
    assert [option.value for option in asked.question.options] == ["03:00", "15:00", "other"]
    done = house.answer(asked, "15:00", asked.question.revision)
    assert done.task.id == asked.task.id
    assert done.question is None
    assert planned(done) == [("10-13 14:30", "default_start_30")]


@pytest.mark.parametrize("words", ["下午", "下午三点", "15:00", "15点", "１５：００"])
def test_an_answer_may_be_given_in_words(house, words):
    asked = house.say("明天3点开会")
    assert planned(house.answer(asked, words)) == [("10-13 14:30", "default_start_30")]


def test_the_second_tap_on_the_same_notification_changes_nothing(house):
    asked = house.say("明天3点开会")
    house.answer(asked, "15:00", asked.question.revision)
    with pytest.raises(Conflict, match="过期"):
        house.answer(asked, "03:00", asked.question.revision)
    assert planned(house.look(asked)) == [("10-13 14:30", "default_start_30")]


@pytest.mark.parametrize(("operation", "status"), [("delete", Status.DELETED), ("complete", Status.COMPLETED)])
def test_deleting_and_completing_win_over_an_older_question(house, operation, status):
    asked = house.say("明天3点开会")
    house.change(asked, operation)
    with pytest.raises(Conflict):
        house.answer(asked, "15:00", asked.question.revision)
    assert house.look(asked).task.status is status
    assert planned(house.look(asked)) == []


def test_editing_wins_over_an_older_question(house):
    asked = house.say("明天3点开会")
    edited = house.edit(asked, "后天上午10点体检")
    assert planned(edited) == [("10-14 09:30", "default_start_30")]
    with pytest.raises(Conflict):
        house.answer(asked, "15:00", asked.question.revision)
    assert house.look(asked).original.text == "明天3点开会"


def test_a_manual_reminder_wins_over_an_older_question(house):
    asked = house.say("明天3点开会")
    set_by_hand = house.remind(asked, "2026-10-12T20:00:00+08:00")
    assert planned(set_by_hand) == [("10-12 20:00", "manual")]
    with pytest.raises(Conflict):
        house.answer(asked, "15:00", asked.question.revision)


def test_an_answer_that_nobody_understands_leaves_the_question_open(house):
    asked = house.say("明天3点开会")
    with pytest.raises(BadInput, match="没看懂"):
        house.answer(asked, "随便")
    with pytest.raises(BadInput, match="请写出"):
        house.answer(asked, "other")
    assert house.look(asked).question == asked.question


def test_two_questions_follow_each_other_and_none_is_asked_twice(house):
    asked = house.say("周五3点开会")
    assert asked.question.kind == "meridiem"
    asked = house.answer(asked, "下午")
    assert asked.question.kind == "date"
    done = house.answer(asked, "2026-10-16")
    assert planned(done) == [("10-16 14:30", "default_start_30")]
    assert house.journal(done).count(Kind.ASKED) == 2


def test_contradictory_answers_are_kept_and_not_asked_about_again(house):
    asked = house.say("10月15日（周五）下午3点开会")
    assert asked.question.kind == "weekday_conflict"
    failed = house.answer(asked, "还是10月15日周五")
    assert failed.state is NoticeState.RETRYABLE_FAILURE
    assert failed.question is None
    assert failed.reminders == ()
    assert [answer.value for answer in failed.answers] == ["还是10月15日周五"]
    assert failed.original.text == "10月15日（周五）下午3点开会"


def test_a_failed_item_can_be_tried_again(house):
    failed = house.answer(house.say("10月15日（周五）下午3点开会"), "还是10月15日周五")
    again = house.app.notices.retry(failed.task.id, who="test")
    assert again.question.kind == "weekday_conflict"
    assert planned(house.answer(again, "2026-10-16")) == [("10-16 14:30", "default_start_30")]


def test_an_answered_tomorrow_stays_the_day_it_was_said_on(house):
    asked = house.say("下午3点开会")
    answered = house.answer(asked, "明天")
    assert [answer.value for answer in answered.answers] == ["2026-10-13"]
    house.let_pass(timedelta(hours=20))
    again = house.app.notices.retry(answered.task.id, who="test")
    assert [at(node.at) for node in again.nodes] == ["10-13 15:00"]


def test_completing_cancels_every_reminder_to_come(house):
    notice = house.say("明天下午3点参加会议")
    house.change(notice, "complete")
    house.let_pass(timedelta(days=3))
    assert house.inbox() == []
    assert house.look(notice).reminders[0].state is ReminderState.CANCELLED


def test_restoring_plans_only_what_lies_ahead(house):
    notice = house.change(house.say("明天下午3点参加会议"), "complete")
    house.let_pass("2026-10-13T14:40:00+08:00")
    assert planned(house.change(notice, "restore")) == [("10-13 15:00", "at_start_lead_passed")]


def test_restoring_after_everything_passed_plans_nothing(house):
    notice = house.change(house.say("明天下午3点参加会议"), "complete")
    house.let_pass("2026-10-13T16:00:00+08:00")
    restored = house.change(notice, "restore")
    assert planned(restored) == []
    assert restored.state is NoticeState.NO_REMINDER
    assert [node.kind for node in restored.nodes] == ["start"]


def test_restoring_a_deleted_question_asks_it_again_at_the_new_revision(house):
    asked = house.say("明天3点开会")
    restored = house.change(house.change(asked, "delete"), "restore")
    assert restored.question.kind == "meridiem"
    assert restored.question.revision == restored.task.revision
    assert planned(house.answer(restored, "15:00", restored.question.revision)) == [("10-13 14:30", "default_start_30")]


def test_looking_and_dismissing_is_not_completing(house):
    notice = house.say("今天下午3点提醒我喝水")
    house.let_pass("2026-10-12T15:00:00+08:00")
    app = house.app
    with app.store.write() as tx:
        message = app.delivery.inbox(tx)[0]
        app.delivery.read(tx, message.id)
        app.delivery.dismiss(tx, message.id)
    assert house.look(notice).task.status is Status.ACTIVE


def test_what_needs_a_model_is_kept_and_says_so(house):
    notice = house.say("每天三次提醒我吃药")
    assert notice.state is NoticeState.PENDING_AI
    assert notice.reminders == ()
    assert house.why(notice)[-1] == "已保存，等待模型理解：是重复的安排。"


def test_a_note_is_kept_and_never_read(house):
    notice = house.say("今晚八点提醒我打电话", entry="note")
    assert notice.state is NoticeState.NOTE
    assert notice.reminders == ()


def test_a_text_without_a_time_is_a_to_do(house):
    notice = house.say("买牛奶")
    assert notice.state is NoticeState.NO_REMINDER
    assert house.why(notice)[-1] == "不提醒：没有提到时间，保存为待办。"


def test_a_pasted_relative_date_counts_from_the_message(house):
    notice = house.say("明天下午3点开会", source="paste", message_date=date(2026, 10, 12))
    assert planned(notice) == [("10-13 14:30", "default_start_30")]
    asked = house.say("明天下午3点开会", source="paste")
    assert asked.question.kind == "message_date"
    assert planned(house.answer(asked, "2026-10-13")) == [("10-14 14:30", "default_start_30")]


def test_a_reminder_by_hand_behind_the_deadline_is_asked_about_once(house):
    notice = house.say("10月20日18:00前提交报告")
    asked = house.remind(notice, "2026-10-20T19:00:00+08:00")
    assert asked.question.kind == "reminder_after_deadline"
    assert planned(asked) == [("10-20 17:00", "deadline_1h")]
    kept = house.answer(asked, asked.question.options[1].value)
    assert planned(kept) == [("10-20 17:00", "deadline_1h"), ("10-20 19:00", "manual")]


def test_a_reminder_by_hand_survives_completing_and_restoring(house):
    notice = house.remind(house.say("买牛奶"), "2026-10-13T08:00:00+08:00")
    restored = house.change(house.change(notice, "complete"), "restore")
    assert planned(restored) == [("10-13 08:00", "manual")]


def test_a_reminder_by_hand_in_the_past_is_refused(house):
    notice = house.say("买牛奶")
    with pytest.raises(BadInput, match="已经过去"):
        house.remind(notice, "2026-10-12T09:59:59+08:00")


def test_an_ended_item_is_neither_edited_nor_reminded(house):
    notice = house.change(house.say("买牛奶"), "complete")
    with pytest.raises(Conflict):
        house.edit(notice, "买豆浆")
    with pytest.raises(Conflict):
        house.remind(notice, "2026-10-13T08:00:00+08:00")


@pytest.mark.parametrize(
    ("text", "error"), [("", BadInput), ("   \n", BadInput), ("好" * 20_001, TooLarge), ("a\x00b", BadInput)]
)
def test_what_cannot_be_kept_is_refused_before_anything_is_written(house, text, error):
    with pytest.raises(error):
        house.say(text)
    app = house.app
    with app.store.read() as tx:
        assert tx.row("SELECT count(*) FROM tasks") == (0,)


def test_a_zone_that_does_not_exist_is_refused(house):
    with pytest.raises(BadInput, match="时区"):
        house.say("明天下午3点开会", zone="Mars/Base")


def test_an_unknown_item_is_not_found(house):
    with pytest.raises(NotFound):
        house.app.notices.get("t99")
    with pytest.raises(NotFound):
        house.app.notices.answer("nonsense", "15:00", revision=None, who="test")


def test_the_journal_tells_the_story(house):
    notice = house.answer(house.say("3点提醒我吃药"), "下午")
    house.let_pass("2026-10-12T15:00:00+08:00")
    assert house.journal(notice) == [
        Kind.CREATED,
        Kind.ASKED,
        Kind.ANSWERED,
        Kind.UNDERSTOOD,
        Kind.OCCURRENCE_CLAIMED,
        Kind.DELIVERED,
        Kind.OCCURRENCE_DONE,
    ]
