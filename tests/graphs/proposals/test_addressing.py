"""Which sentences are for the hub."""

from __future__ import annotations

import pytest

from zhixing.graphs.proposals.addressing import for_hub

REST = "玄关有人移动就开玄关灯"


@pytest.mark.parametrize(
    "said",
    [
        f"在网关上：{REST}",
        f"在网关上{REST}",
        f"在中枢网关里建一条规则：{REST}",
        f"帮我在极客版里写个自动化，{REST}",
        f"请在网关上新建一条规则 {REST}",
        f"规则图：{REST}",
        f"做一个规则图：{REST}",
        f"在米家中枢上加一条：{REST}",
    ],
)
def test_a_sentence_that_names_the_hub_is_for_it(said):
    assert for_hub(said) == REST


@pytest.mark.parametrize(
    "said",
    [
        REST,
        "网关掉线了提醒我",
        "每天早上8点看一下网关",
        "规则图是什么",
        "在网关上",
        "明天下午3点去修网关",
        "把网关灯打开",
        "",
    ],
)
def test_any_other_is_not(said):
    assert for_hub(said) is None
