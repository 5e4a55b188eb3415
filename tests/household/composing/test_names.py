"""Names of tasks and their parts: they say what the task does, fit the document, and are nobody else's."""

from __future__ import annotations

import re

import pytest
from tests.household.composing.writing import cases, drafts_of, plan, request_of, settle, site_of

from zhixing.household.composing.composer import compose
from zhixing.household.composing.model import Unwritable

SLUG = re.compile(r"[a-z0-9_]{1,32}")


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("久坐45分钟手机提醒", "sit_45min"),
        ("妈妈每天喝6杯水", "drink_6_daily"),
        ("这周每天喝8杯水", "drink_8_week"),
        ("后天下午三点提醒我交电费", "electricity_bill_0614_3pm"),
        ("工作日早上7点20提醒我打卡", "clock_in_workdays_720am"),
        ("每隔6小时提醒我喝水", "drink_every_6h"),
        ("妈妈回家就开灯", "mom_arrival_light"),
        ("奶奶摔倒就推送", "grandma_fall_alert"),
        ("主卧没人就关空调", "master_bedroom_off"),
    ],
)
def test_a_name_says_what_the_task_does(text, slug):
    assert plan(text, {"奶奶": "old", "主卧": "large"}.get(text[:2], "family")).plan.slug == slug


def _again(text, taken):
    assembly, request = settle(request_of(text))
    return compose(assembly.drafts[0], site_of(request.home, taken=frozenset(taken))).plan.slug


def test_a_taken_name_becomes_more_telling_and_then_numbered():
    taken: set[str] = set()
    for _ in range(5):
        slug = _again("客厅没人就关灯", taken)
        assert slug not in taken
        assert SLUG.fullmatch(slug)
        taken.add(slug)
    assert "living_room_off" in taken
    assert any("light" in name for name in taken)
    assert any(name.endswith("_2") for name in taken)


def test_no_name_of_the_sample_is_short_numeric_or_too_long():
    for case in cases():
        drafts, site = drafts_of(case["id"])
        for draft in drafts:
            try:
                slug = compose(draft, site).plan.slug
            except Unwritable:
                continue
            assert SLUG.fullmatch(slug), slug
            assert re.search("[a-z]{3}", slug), slug


def test_a_paused_task_keeps_its_name_too():
    tasks = [{"id": "sit_30min", "description": "久坐", "status": "paused"}]
    assembly, request = settle(request_of("久坐30分钟手机提醒", tasks=tasks))
    if assembly.drafts:
        assert compose(assembly.drafts[0], site_of(request.home)).plan.slug != "sit_30min"


def test_parts_bear_the_name_of_their_task():
    composed = plan("今天喝够8杯水提醒").assembly
    prefix = f"[{composed['task']['task_id']}] "
    for part in (*composed["rules"], *composed["schedules"]):
        assert part["name"].startswith(prefix)
        assert part["name"] != prefix


def test_the_description_is_what_was_said():
    assert plan("二十分钟后提醒我把火关了哈").plan.description == "二十分钟后提醒我把火关了"
    assert plan("三刻钟后帮我提个醒 锅里炖着汤").plan.description.endswith("锅里炖着汤")
    assert "收拾" in plan("地上玩具乱扔超过一小时提醒收拾").plan.description
