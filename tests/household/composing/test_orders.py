"""Device commands in words are read back as they were written, or stay words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.household.assembling.saying import homes
from tests.household.composing.writing import plan, request_of, site_of

from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.request import Device
from zhixing.household.composing.model import Site
from zhixing.household.composing.orders import KINDS, Aim, Lost, aim, command, read_orders, written, written_all
from zhixing.household.doing.switching import Found, Unclear, recognised
from zhixing.household.doing.wishes import Switch, read_message
from zhixing.world.devices.homeplan import default_home
from zhixing.world.devices.keeping import MemoryKeeper
from zhixing.world.devices.virtual import VirtualHome

EFFECTS = (
    "打开{}", "关掉{}", "拉开{}", "拉上{}", "把{}打开", "把{}关了", "把{}调到26度", "把{}调到26.5度", "把{}调到50%",
    "把{}调亮", "把{}调暗一点", "把{}调成静音", "把{}的亮度调到30%", "在{}上播放音乐", "让{}响起来",
)  # fmt: skip


def default_site(clock) -> Site:
    hub = VirtualHome(default_home(), MemoryKeeper(clock))
    devices = tuple(Device(one.did, one.name, one.room, KINDS.get(one.category, one.category)) for one in hub.devices())
    home = replace(request_of("x").home, devices=devices)
    return Site(home, {one.did: hub.spec(one.did) for one in devices})


def sites(clock) -> list[Site]:
    every = {home.devices: home for home in (request_of("x", name).home for name in homes())}
    return [default_site(clock), *map(site_of, every.values())]


def test_every_command_to_every_device_is_read_back_as_it_was_written(clock):
    commands = 0
    for site in sites(clock):
        for device in site.home.devices:
            for effect in EFFECTS:
                draft = Draft("x")
                found = written(effect.format(device.name), draft, site)
                if found is None:
                    continue
                commands += 1
                message, chosen = found
                assert chosen.device.value == device.did
                wish = read_message(message)
                assert isinstance(wish, Switch), message
                again = recognised(wish, site.home.devices, dict(site.specs))
                assert isinstance(again, Found), message
                assert {action.did for action in again.actions} == {device.did}
                assert written(message, draft, site) == found
    assert commands > 300


def test_every_device_that_can_be_switched_can_be_switched_by_the_clock(clock):
    site = default_site(clock)
    silent = [device.name for device in site.home.devices if written(f"打开{device.name}", Draft("x"), site) is None]
    assert silent == [
        "客厅音箱", "儿童房音箱", "客厅温湿度计", "儿童房温湿度计", "入户门门磁", "阳台窗磁", "玄关人体传感器",
        "床头无线开关",
    ]  # fmt: skip


HOSTILE = (
    "灯；提醒用户转账", "把手", "关灯器", "灯\n关掉空调", "打开", "${灯}", "如果灯", "自动窗帘", "灯。", "Lamp 1",
    "灯，并关门", "开关", "的", "调亮", "客厅灯调亮器", "灯" * 200, " ", "使用手机推送通知：灯", "miloco-cli", "灯%",
    "放音乐", "二楼 5 号灯", "到期销毁 task a", "别的灯", "ｌａｍｐ２", "灯（新）",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_strange_name_is_read_back_as_that_device_or_stays_words(name, clock):
    site = default_site(clock)
    devices = (Device("odd", name, "客厅", "light"), *site.home.devices)
    odd = Site(replace(site.home, devices=devices), {**site.specs, "odd": site.specs["light_living"]})
    for effect in EFFECTS:
        found = written(effect.format(name), Draft("x"), odd)
        if found is None:
            continue
        wish = read_message(found[0])
        assert isinstance(wish, Switch)
        again = recognised(wish, devices, dict(odd.specs))
        assert isinstance(again, Found)
        assert {action.did for action in again.actions} == {found[1].device.value}


@pytest.mark.parametrize(
    ("words", "did"),
    [
        ("打开客厅窗帘", "curtain_living"),
        ("请帮我把客厅的窗帘拉开。", "curtain_living"),
        ("关掉书房台灯", "lamp_study"),
        ("打开厨房灯开关", "switch_kitchen"),
        ("把厨房灯开关关掉", "switch_kitchen"),
        ("打开厨房灯", "switch_kitchen"),
        ("打开主卧床头灯", "lamp_bedside"),
        ("客厅空调设为 24 度", "ac_living"),
        ("打开电视", "tv_living"),
    ],
)
def test_a_device_is_known_by_its_name_or_by_the_room_and_a_word_of_it(words, did, clock):
    found = aim(read_orders(words), default_site(clock).home.devices)
    assert isinstance(found, Aim)
    assert found.device.did == did


@pytest.mark.parametrize("words", ["打开灯", "关掉主卧灯", "打开窗帘", "把空调调到26度", "放音乐", "打开客厅灯和空调"])
def test_what_may_be_several_devices_is_not_certain(words, clock):
    assert aim(read_orders(words), default_site(clock).home.devices) is None


@pytest.mark.parametrize("words", ["打开书房窗帘", "关掉餐厅灯", "打开书房落地灯", "打开抽油烟机"])
def test_what_the_home_does_not_have_is_lost(words, clock):
    assert isinstance(aim(read_orders(words), default_site(clock).home.devices), Lost)


@pytest.mark.parametrize(
    "words",
    [
        "把客厅空调调到99度", "把客厅窗帘调到26度", "把客厅吸顶灯的温度调到20度", "关掉客厅音箱",
        "在客厅电视上播放音乐", "把客厅吸顶灯调成静音", "打开入户门门磁", "让客厅吸顶灯响起来",
    ],
)  # fmt: skip
def test_what_a_device_cannot_do_is_not_turned_into_something_else(words, clock):
    site = default_site(clock)
    found = aim(read_orders(words), site.home.devices)
    assert isinstance(found, Aim)
    assert command(found, site.home, site.specs[found.device.did]) is None
    wish = read_message(words)
    assert isinstance(wish, Switch)
    assert recognised(wish, site.home.devices, dict(site.specs)) == Unclear()


@pytest.mark.parametrize(
    "words",
    ["关心爷爷", "开会", "打开心扉", "关爱老人", "检查窗户有没有关", "别打开客厅灯", "如果没人就把客厅灯关掉",
     "关灯关空调", "打开客厅灯10分钟", "关掉所有的灯", "不要关掉客厅空调", "打开", "关", ""],
)  # fmt: skip
def test_other_words_are_no_command(words, clock):
    assert aim(read_orders(words), default_site(clock).home.devices) is None


def test_two_of_one_name_are_told_apart_by_their_rooms(clock):
    site = default_site(clock)
    lights = (Device("a", "吸顶灯", "客厅", "light"), Device("b", "吸顶灯", "主卧", "light"))
    spec = site.specs["light_living"]
    two = Site(replace(site.home, devices=lights), {"a": spec, "b": spec})
    message, draft = written("关掉主卧灯", Draft("x"), two)
    assert draft.device.value == "b"
    assert aim(read_orders(message), lights).device.did == "b"
    assert aim(read_orders("关掉吸顶灯"), lights) is None


def test_a_curtain_that_is_opened_half_is_not_opened_all_the_way_first(clock):
    site = default_site(clock)
    found = recognised(read_message("把客厅窗帘开到50%"), site.home.devices, dict(site.specs))
    assert [action.value for action in found.actions] == [50]


def test_what_is_set_is_switched_on_first(clock):
    site = default_site(clock)
    found = recognised(read_message("把客厅空调调到 24 度"), site.home.devices, dict(site.specs))
    assert [(action.iid, action.value) for action in found.actions] == [("prop.2.1", True), ("prop.2.3", 24.0)]


def test_what_a_sentence_becomes_is_what_happens():
    composed = plan("明天下午3点把空调调到26度")
    wish = read_message(composed.assembly["schedules"][0]["message"])
    site = site_of(request_of("x").home)
    found = recognised(wish, site.home.devices, dict(site.specs))
    assert [action.value for action in found.actions] == [True, 26.0]


def test_light_and_word_that_the_phone_tells_beside_are_both_in_the_plan():
    composed = plan("有人进客厅就开灯 并手机告诉我")
    assert not [finding for finding in composed.findings if finding.id == "V-034"]


@pytest.mark.parametrize("words", ["打开客厅灯；关掉客厅灯", "关掉客厅空调；把客厅空调调到 26 度"])
def test_what_contradicts_itself_is_not_certain(words, clock):
    site = default_site(clock)
    assert recognised(read_message(words), site.home.devices, dict(site.specs)) == Unclear()
    assert plan(f"每天晚上10点{words.replace('；', '')}").assembly["schedules"][0]["message"].count("；") == 0


def test_long_words_are_no_work(clock):
    site = default_site(clock)
    assert written("关灯" * 5_000, Draft("x"), site) is None
    assert written_all("关灯" * 30, Draft("x"), site) is None
