"""What the document's commands set up does its work, and the document's commands show it."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO, StringIO

import pytest
from tests.faces.miloco.scripts import run_example

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house
from zhixing.world.perception.verdict import Value, Verdict

EVERY = timedelta(seconds=20)
DRINKING = (
    "用户手持水杯/水瓶/茶杯/保温杯等饮品容器，杯口贴近嘴边并伴随仰头吞咽动作；"
    "不含手持牙刷/麦克风/纸盒/食物/餐盒等非饮品物品，不含举杯凑近鼻子闻、吹凉、展示等动作"
)
PHONE = "用户手持手机，屏幕亮起朝向脸部，目光低头注视屏幕；不含手持平板/书本/遥控器，不含手机贴耳通话"
NOBODY = "画面中无人"


class Camera:
    """The living room's camera over a home that somebody serves: it judges every twenty seconds."""

    def __init__(self, terminal) -> None:
        self.terminal = terminal

    def sees(self, query: str, value: Value, span: timedelta) -> None:
        """Say the same of a condition for a while, as a server hears it. Each call is a new life of the server."""
        clock = self.terminal.clock
        end = clock.now() + span
        desk = Desk(self.terminal.env, clock, BytesIO(), StringIO(), StringIO())
        with house(desk) as home:
            home.app.recover()
            while clock.now() < end:
                home.app.rules.ingest([Verdict("cam_living", query, value, clock.now(), firm=True)])
                home.app.engine.drain()
                clock.advance(EVERY)
            home.app.engine.drain()

    def inbox(self) -> list[str]:
        desk = Desk(self.terminal.env, self.terminal.clock, BytesIO(), StringIO(), StringIO())
        with house(desk) as home, home.app.store.read() as tx:
            return [message.text for message in home.app.delivery.inbox(tx)]


@pytest.fixture
def camera(on_any_store) -> Camera:
    return Camera(on_any_store)


def test_eight_cups_are_counted_and_the_eighth_is_told_once(camera):
    run_example(4, camera.terminal)
    minute = timedelta(minutes=1)
    for _ in range(9):
        camera.sees(DRINKING, Value.FALSE, minute)
        camera.sees(DRINKING, Value.TRUE, minute)
    camera.sees(DRINKING, Value.FALSE, minute)
    record = camera.terminal("task", "record", "get", "drink_8_today").data
    assert (record["record"]["current"], record["derived"]["remaining"]) == (9, 0)
    assert record["record"]["status"] == "completed"
    assert [text for text in camera.inbox() if "恭喜达标" in text] == [camera.inbox()[0]]
    logs = camera.terminal("rule", "logs", "--rule", "r1", "--limit", "100").data
    assert logs["total_items"] == 9


def test_what_is_for_today_is_over_with_the_day(camera, clock):
    run_example(4, camera.terminal)
    clock.advance(timedelta(hours=14))
    camera.terminal.ring()
    assert camera.terminal.refused("task", "get", "drink_8_today")[0] == 2001
    assert camera.terminal("task", "list").data == []


def test_the_light_goes_off_when_nobody_was_there_for_five_minutes(camera):
    run_example(6, camera.terminal)
    light = ("device", "props", "light_living", "on")
    camera.terminal("device", "control", "light_living", "on", "true")
    camera.sees(NOBODY, Value.FALSE, timedelta(minutes=1))
    camera.sees(NOBODY, Value.TRUE, timedelta(minutes=4))
    assert camera.terminal(*light).data["props"][0]["value"] is True
    camera.sees(NOBODY, Value.TRUE, timedelta(minutes=2))
    assert camera.terminal(*light).data["props"][0]["value"] is False
    (line,) = camera.terminal("rule", "logs").data["rule_logs"]
    assert (line["kind"], line["execute_result"]["action_results"][0]["result"]) == ("RULE_TRIGGER_SUCCESS", True)


def test_a_paused_task_leaves_the_light_on(camera):
    run_example(6, camera.terminal)
    camera.terminal("device", "control", "light_living", "on", "true")
    camera.sees(NOBODY, Value.FALSE, timedelta(minutes=1))
    camera.sees(NOBODY, Value.TRUE, timedelta(minutes=4))
    camera.terminal("task", "disable", "living_room_off")
    camera.sees(NOBODY, Value.TRUE, timedelta(minutes=10))
    assert camera.terminal("device", "props", "light_living", "on").data["props"][0]["value"] is True
    assert camera.terminal("rule", "logs").data["rule_logs"] == []


def test_an_hour_on_the_phone_is_told_once_a_day(camera):
    run_example(5, camera.terminal)
    camera.sees(PHONE, Value.FALSE, timedelta(minutes=1))
    camera.sees(PHONE, Value.TRUE, timedelta(minutes=40))
    camera.sees(PHONE, Value.FALSE, timedelta(minutes=10))
    assert camera.terminal("task", "record", "get", "phone_time_daily").data["derived"]["remaining_minutes"] > 0
    camera.sees(PHONE, Value.TRUE, timedelta(minutes=40))
    camera.sees(PHONE, Value.FALSE, timedelta(minutes=10))
    record = camera.terminal("task", "record", "get", "phone_time_daily").data
    assert record["derived"]["accumulated_minutes_today"] in range(78, 83)
    assert len(record["sessions"]) == 2
    assert len([text for text in camera.inbox() if "休息一下" in text]) == 1
