"""What people say about devices and the clock, from the sentence to the device, with no model anywhere."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.household.talking.talk import TalkState


def test_the_curtain_is_opened_two_mornings_in_a_row(live_in):
    life = live_in()
    talk = life.say("每天早上7点打开客厅窗帘")
    assert talk.state is TalkState.DONE
    assert any("拉开客厅窗帘" in line for line in talk.lines)
    (slug,) = talk.tasks
    life.play(
        """
        10-13 06:00:00  hand  curtain_living  target-position  0
        10-13 22:00:00  hand  curtain_living  target-position  0
        """,
        until="10-14 09:00:00",
    )
    assert life.commands("curtain_living") == [
        "10-13 07:00:00 prop.2.3=100",
        "10-14 07:00:00 prop.2.3=100",
    ]
    assert life.books(slug) == ["10-13 07:00:00 拉开客厅窗帘 done", "10-14 07:00:00 拉开客厅窗帘 done"]
    assert life.told() == []


def test_one_evening_the_light_goes_out_and_the_task_is_over(live_in):
    life = live_in()
    life.hub.set_property("light_living", "on", True)
    (slug,) = life.say("今晚10点关客厅灯").tasks
    life.restart()
    life.until("10-12 23:00:00")
    assert life.value("light_living", "prop.2.1") is False
    assert life.books(slug) == ["10-12 22:00:00 关掉客厅吸顶灯 done"]
    assert [view.slug for view in life.app.household.list()] == []
    assert [name for name in life.open_jobs() if name in ("household.act", "household.message")] == []


def test_the_air_conditioner_is_set_and_switched_on(live_in):
    life = live_in()
    (slug,) = life.say("明天下午3点把客厅空调调到24度").tasks
    life.until("10-13 16:00:00")
    assert (life.value("ac_living", "prop.2.1"), life.value("ac_living", "prop.2.3")) == (True, 24.0)
    assert life.books(slug) == ["10-13 15:00:00 把客厅空调调到 24 度 done"]


def test_in_ten_minutes_the_first_light_goes_out_and_it_is_said_which(live_in):
    life = live_in()
    life.hub.set_property("light_living", "on", True)
    talk = life.say("10分钟后关灯")
    assert any("客厅吸顶灯" in line for line in talk.lines)
    life.until("10-12 23:00:00")
    assert life.value("light_living", "prop.2.1") is False


def test_a_curtain_and_a_good_morning_are_both_done(live_in):
    life = live_in()
    life.say("每天早上7点打开主卧窗帘 用音箱说早上好")
    life.until("10-13 08:00:00")
    assert life.commands("curtain_bedroom") == ["10-13 07:00:00 prop.2.3=100"]
    assert life.told() == ["10-13 07:00:00 speaker 早上好"]


def test_a_device_that_is_away_is_not_claimed_to_have_done_it(live_in):
    life = live_in()
    (slug,) = life.say("每天早上7点打开客厅窗帘").tasks
    life.until("10-13 06:00:00")
    life.hub.set_property("curtain_living", "target-position", 0)
    life.hub.set_online("curtain_living", online=False)
    life.until("10-13 08:00:00")
    (line,) = life.books(slug)
    assert line.startswith("10-13 07:00:00 拉开客厅窗帘 failed")
    with life.app.store.read() as tx:
        (message,) = life.app.delivery.inbox(tx, limit=10)
    assert "客厅窗帘" in message.text


@pytest.mark.parametrize("text", ["每天晚上9点提醒我检查门窗", "每天晚上9点提醒我关电热毯"])
def test_a_reminder_to_look_is_a_reminder(live_in, text):
    life = live_in()
    talk = life.say(text)
    assert talk.state is TalkState.DONE
    life.until("10-12 22:00:00")
    assert life.told()
    assert "管家" not in "".join(life.told())


@pytest.mark.parametrize(
    ("said", "days", "expected"),
    [
        ("10月13日早上8点提醒我吃药", 3, "10月13日 08:00的「吃药」错过了：{why}"),
        ("10月13日早上8点打开客厅窗帘", 3, "10月13日 08:00的「拉开客厅窗帘」错过了：{why}"),
        ("每周二早上8点提醒我倒垃圾", 3, "10月13日 08:00的「倒垃圾」错过了：{why}"),
        ("每周二早上8点提醒我倒垃圾", 17, "「倒垃圾」错过了 3 次，最近一次是10月27日 08:00：{why}"),
    ],
)
def test_what_nobody_was_there_to_say_is_told_as_missed(live_in, said, days, expected):
    """Days without power: too late to act as if nothing had been, and never silent."""
    life = live_in()
    life.say(said)
    life.clock.jump(timedelta(days=days, minutes=1))
    life.restart()
    life.app.engine.drain()
    life.restart()
    life.app.engine.drain()
    text = expected.format(why="那时程序没有在运行，隔得太久，没有补做")
    assert [line.split(" ", 3)[2:] for line in life.told()] == [["phone", text], ["speaker", text]]
