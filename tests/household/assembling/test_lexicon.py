"""The data: everything in it can be read and reached."""

from __future__ import annotations

import pytest
from tests.household.assembling.saying import OLD, flat

from zhixing.household.assembling.words import Kind, behaviours, nouns, people, rooms, typos

SAID = {
    "take_medicine": "奶奶吃降压药", "sneeze": "奶奶打喷嚏", "doorbell": "有人按门铃", "pushup": "奶奶做俯卧撑",
    "wash_hands": "奶奶洗手", "water_plants": "奶奶浇花", "feed_pet": "奶奶喂猫", "pick_nose": "奶奶抠鼻子",
    "dog_bark": "狗叫", "pet_sofa": "猫上沙发", "stand_long": "奶奶久站", "sleep": "奶奶睡着了", "watch_tv": "奶奶睇电视",
    "computer": "奶奶用电脑", "gaming": "爸爸打游戏", "read": "奶奶看书", "piano": "奶奶弹钢琴", "workout": "奶奶锻炼",
    "cook": "奶奶炒菜", "wash_dishes": "奶奶洗碗", "eat": "奶奶恰饭", "drink_alcohol": "爷爷喝酒", "sweep": "奶奶拖地",
    "get_up": "奶奶起床", "loiter": "门口有陌生人徘徊", "fall": "奶奶跌咗", "faint": "奶奶晕倒", "help_call": "奶奶喊救命",
    "fire_flame": "家里着火", "climb_window": "奶奶爬窗台", "bed_fall": "奶奶掉下床", "fridge_open": "冰箱门没关",
    "trash_full": "垃圾桶满了", "dark": "天黑了", "mess": "地上玩具乱扔",
}  # fmt: skip


@pytest.mark.parametrize(("key", "words"), SAID.items(), ids=SAID)
def test_a_behaviour_is_found_by_its_words(key, words) -> None:
    assert flat(f"{words}就推送", OLD)["behavior"] == key


def test_every_behaviour_says_how_long_it_has_to_hold_where_it_lasts() -> None:
    for entry in behaviours().values():
        if entry.kind is Kind.CONTINUOUS:
            assert entry.hold in (30, 45, 60, 90, 180)
            assert entry.gap in (60, 180)
        if entry.kind in (Kind.INSTANT, Kind.SAFETY, Kind.STATE):
            assert entry.hold is None


def test_there_is_enough_of_it() -> None:
    assert len(behaviours()) >= 90
    assert len(people()) >= 60
    assert len(rooms()) >= 30
    assert set(nouns().values()) >= {"light", "ac", "tv", "curtain", "fan"}


def test_undoing_a_typo_never_makes_another() -> None:
    plain = {meant for _, meant in typos()}
    assert "提心" not in plain
    assert all(said != meant for said, meant in typos())
