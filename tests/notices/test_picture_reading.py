"""A picture is kept first, looked at by a model, and believed only as far as its transcript bears (document 004 §1, §3).

Every test runs on both databases, and with the store closed and opened again at every step.
"""

from __future__ import annotations

import hashlib
import json
import random
from datetime import timedelta
from pathlib import Path

import pytest
from tests.notices.conftest import planned
from tests.notices.drawn import heic, png
from tests.notices.replied import item, node, reply

from zhixing.kernel.errors import BadInput
from zhixing.notices import album
from zhixing.notices.model import Source, Submission
from zhixing.notices.notice import NoticeState
from zhixing.notices.pictures import LARGEST_PICTURE, read_picture
from zhixing.world.models.failures import ModelRefused, ModelUnavailable, Why
from zhixing.world.models.port import Effort, Image
from zhixing.world.models.scripted import ScriptedModel

SECOND = timedelta(seconds=1)
REPLIES = {
    line["id"]: line["reply"]
    for line in map(
        json.loads, Path(__file__).with_name("cases").joinpath("replies.jsonl").read_text(encoding="utf-8").splitlines()
    )
}


MEETING = reply(
    "10月20日下午3点开会", item("10月20日下午3点开会", node("start", "10月20日下午3点", "10月20日下午3点开会"))
)


@pytest.fixture
def model(house, clock) -> ScriptedModel:
    house.model = ScriptedModel(clock)
    return house.model


def look(house, notice):
    """Let the model look at the picture, if it is to."""
    house.let_pass(SECOND)
    return house.look(notice)


def test_a_picture_is_kept_and_waits_before_anybody_looks_at_it(house, model):
    picture = png(1080, 2400)
    notice = house.show(picture)
    assert (notice.state, notice.why) == (NoticeState.PENDING_AI, "image")
    assert notice.task.title == "图片"
    assert model.asked == []
    app = house.app
    with app.store.read() as tx:
        kept = album.picture_of(tx, notice.task.id)
    assert kept.data == picture
    assert kept.facts == notice.picture
    assert kept.facts.sha256 == hashlib.sha256(picture).hexdigest()


def test_the_model_for_images_sees_the_picture_as_it_came_and_thinks_hard(house, model):
    model.then(MEETING)
    picture = heic()
    notice = look(house, house.show(picture))
    assert planned(notice) == [("10-20 14:30", "default_start_30")]
    [prompt] = model.asked
    assert [part for part in prompt.parts if isinstance(part, Image)] == [Image(picture, "image/heic")]
    assert prompt.wanted_effort is Effort.HIGH
    assert next(iter(prompt.shape.schema["properties"])) == "version"
    assert list(prompt.shape.schema["properties"]).index("transcript") < list(prompt.shape.schema["properties"]).index(
        "items"
    )


def test_the_model_is_told_what_is_left_out_and_learns_no_time_from_us(house, model):
    model.then(MEETING)
    look(house, house.show(png(), "帮我记一下"))
    [prompt] = model.asked
    said = "\n".join([prompt.system, *(part.text for part in prompt.parts if not isinstance(part, Image))])
    for word in ("状态栏", "群名", "头像", "无关", "分隔线", "折", "帮我记一下"):
        assert word in said, word
    assert "2026" not in said
    assert "Asia/Shanghai" not in said


def test_the_first_submission_stays_the_reference_however_late_the_model_comes(house, clock):
    notice = house.show(png(), "看这个")
    assert look(house, notice).state is NoticeState.PENDING_AI
    house.let_pass(timedelta(days=2))
    house.model = ScriptedModel(clock, [MEETING])
    house.restart()
    house.app.recover()
    read = look(house, notice)
    assert planned(read) == [("10-20 14:30", "default_start_30")]
    assert read.original == notice.original
    assert read.original.source is Source.IMAGE


def test_words_beside_a_picture_are_no_evidence(house, model):
    """Only the transcript of the same reply is (§3)."""
    wrong = reply("下周见", item("10月20日下午3点开会", node("start", "10月20日下午3点", "10月20日下午3点开会")))
    model.then(wrong, wrong)
    notice = look(house, house.show(png(), "10月20日下午3点开会"))
    assert notice.state is NoticeState.RETRYABLE_FAILURE
    assert notice.reminders == ()


@pytest.mark.parametrize("transcript", [None, "", "  \n", "10月21日下午3点开会", "10月20日 下午3点开会"])
def test_evidence_that_is_not_in_the_transcript_makes_no_reminder(house, model, transcript):
    wrong = {**MEETING, "transcript": transcript}
    model.then(wrong, wrong)
    notice = look(house, house.show(png()))
    assert notice.state is NoticeState.RETRYABLE_FAILURE
    assert notice.reminders == ()


def test_one_repair_is_asked_for_and_then_believed(house, model):
    model.then({**MEETING, "transcript": "开会"}, MEETING)
    assert planned(look(house, house.show(png()))) == [("10-20 14:30", "default_start_30")]


def test_img_02_the_date_over_a_message_dates_it(house, model):
    model.then(REPLIES["img-02"])
    assert planned(look(house, house.show(png()))) == [("10-12 14:30", "default_start_30")]


def test_img_03_the_date_over_another_message_does_not(house, model):
    model.then(REPLIES["img-03"])
    asked = look(house, house.show(png()))
    assert asked.question.kind == "message_date"
    assert asked.reminders == ()
    assert planned(house.answer(asked, "2026-10-11")) == [("10-12 14:30", "default_start_30")]


def test_img_04_a_poster_needs_no_message_date(house, model):
    model.then(REPLIES["img-04"])
    assert planned(look(house, house.show(png()))) == [("10-20 13:30", "default_start_30")]


@pytest.mark.parametrize("bar", ["9:41", "09:41", "21:05 5G 87%", "9:41 AM"])
def test_the_clock_of_the_status_bar_is_no_time_of_the_matter(house, model, bar):
    """§1: should a model copy the status bar all the same, no node may rest on it."""
    clock = bar.split()[0]
    wrong = reply(f"{bar}\n记得交表", item("记得交表", node("deadline", clock, bar), title="交表"))
    model.then(wrong, wrong)
    notice = look(house, house.show(png()))
    assert notice.state is NoticeState.RETRYABLE_FAILURE
    assert notice.reminders == ()


def test_a_network_that_is_away_only_delays(house, model):
    model.then(ModelUnavailable(Why.UNREACHABLE), MEETING)
    notice = house.show(png())
    house.let_pass(SECOND)
    assert house.look(notice).state is NoticeState.PENDING_AI
    house.let_pass(timedelta(minutes=1))
    assert planned(house.look(notice)) == [("10-20 14:30", "default_start_30")]


def test_a_model_that_cannot_see_leaves_it_waiting_and_one_that_can_takes_it_up(house, clock):
    house.model = ScriptedModel(clock, sees=False)
    notice = look(house, house.show(png()))
    assert (notice.state, notice.why) == (NoticeState.PENDING_AI, "model_no_vision")
    assert any("model.vision" in line for line in house.why(notice))
    house.restart()
    house.app.recover()
    assert look(house, notice).task.revision == notice.task.revision
    house.model = ScriptedModel(clock, [MEETING])
    house.restart()
    house.app.recover()
    assert planned(look(house, notice)) == [("10-20 14:30", "default_start_30")]


def test_a_refusal_keeps_the_picture_and_can_be_tried_again(house, model):
    model.then(ModelRefused(Why.NO_IMAGES), MEETING)
    notice = look(house, house.show(png()))
    assert (notice.state, notice.why) == (NoticeState.RETRYABLE_FAILURE, "model_no_images")
    house.app.notices.retry(notice.task.id, who="test")
    assert planned(look(house, notice)) == [("10-20 14:30", "default_start_30")]


def test_an_edit_is_words_of_the_users_own_and_asks_no_model(house, model):
    notice = house.show(png())
    edited = house.edit(notice, "明天下午3点开会")
    house.let_pass(SECOND)
    assert planned(house.look(edited)) == [("10-13 14:30", "default_start_30")]
    assert edited.current.source is Source.DIRECT
    assert edited.original.source is Source.IMAGE
    assert model.asked == []


def test_an_edit_to_nothing_is_refused_also_where_no_words_came(house):
    notice = house.show(png())
    with pytest.raises(BadInput, match="空的"):
        house.edit(notice, " ")


def test_several_matters_of_one_screenshot_are_asked_about_once(house, model):
    first, second = "10月20日下午3点开会", "10月22日上午10点前交报告"
    model.then(
        reply(
            f"{first}\n{second}",
            item(first, node("start", "10月20日下午3点", first)),
            item(second, node("deadline", "10月22日上午10点前", second), title="交报告"),
        )
    )
    asked = look(house, house.show(png()))
    assert asked.question.kind == "item_selection"
    assert asked.reminders == ()
    kept = house.answer(asked, "1、2")
    assert planned(kept) == [("10-20 14:30", "default_start_30")]
    [beside] = [task for task in house.tasks() if task.id != kept.task.id]
    other = house.app.notices.get(beside.id)
    assert planned(other) == [("10-22 09:00", "deadline_1h")]
    assert other.picture == kept.picture
    app = house.app
    with app.store.read() as tx:
        assert tx.row("SELECT count(*) FROM pictures")[0] == 1
        assert album.picture_of(tx, beside.id).data == png()


def test_the_same_key_again_keeps_nothing_twice(house, model):
    model.then(MEETING)
    first = house.show(png(), key="shot-1")
    again = house.show(png(), key="shot-1")
    assert again.task.id == first.task.id
    look(house, first)
    assert len(model.asked) == 1


def test_the_same_picture_for_two_matters_is_kept_once(house):
    first, second = house.show(png()), house.show(png(), "再看一次")
    assert first.task.id != second.task.id
    with house.app.store.read() as tx:
        assert tx.row("SELECT count(*) FROM pictures")[0] == 1


def test_why_shows_the_picture_and_what_was_read_in_it(house, model):
    model.then(REPLIES["img-02"])
    notice = house.show(png(1080, 2400), "看一下")
    assert house.why(notice)[:2] == ("图片：PNG，1080×2400 像素", "附言：看一下")
    assert "图片转写：10月11日 星期日 明天下午3点开会" in house.why(look(house, notice))


@pytest.mark.parametrize("operation", ["complete", "delete"])
def test_a_picture_whose_matter_ended_is_not_looked_at(house, model, operation):
    notice = house.show(png())
    house.change(notice, operation)
    assert look(house, notice).reminders == ()
    assert model.asked == []


def test_words_that_only_name_a_picture_wait_without_asking_anybody(house, model):
    notice = look(house, house.say("[截图] 明天下午3点开会", source="image"))
    assert notice.state is NoticeState.PENDING_AI
    assert notice.picture is None
    assert model.asked == []


def test_the_largest_picture_arrives_at_the_model_byte_for_byte(house, model):
    model.then(MEETING)
    largest = png() + random.Random(20261012).randbytes(LARGEST_PICTURE - len(png()))
    notice = look(house, house.show(largest))
    assert planned(notice) == [("10-20 14:30", "default_start_30")]
    assert model.asked[0].parts[-1] == Image(largest, "image/png")


def test_a_picture_whose_process_died_before_it_was_understood_is_taken_up_again(house, model):
    model.then(MEETING)
    app, given_at = house.app, house.clock.now()
    with app.store.write() as tx:
        given = Submission("", Source.IMAGE, given_at, "Asia/Shanghai")
        task_id = app.notices._keep(tx, given, "test", None, read_picture(png())).task.id
    house.restart()
    house.let_pass(timedelta(minutes=10))
    found = house.app.notices.get(task_id)
    assert planned(found) == [("10-20 14:30", "default_start_30")]
    assert found.original.submitted_at == given_at


def test_of_picture_and_words_both_are_kept_or_neither(house):
    def die_before_the_end() -> None:
        app, given = house.app, Submission("看", Source.IMAGE, house.clock.now(), "Asia/Shanghai")
        with app.store.write() as tx:
            app.notices._keep(tx, given, "test", None, read_picture(png()))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        die_before_the_end()
    with house.app.store.read() as tx:
        for table in ("pictures", "notice_pictures", "notices", "tasks"):
            assert tx.row(f"SELECT count(*) FROM {table}")[0] == 0, table
