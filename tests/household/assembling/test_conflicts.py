from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from zhixing.household.assembling.assembler import assemble
from zhixing.household.assembling.request import Camera, Device, Home, Known, Request

ZONE = ZoneInfo("Asia/Shanghai")


def asked(text: str, *tasks: Known) -> tuple[str, ...]:
    home = Home(
        persons=(),
        cameras=(Camera("cam_lr", "客厅摄像头", "客厅", in_use=True),),
        devices=(Device("light_lr", "客厅吸顶灯", "客厅", "light"),),
        tasks=tasks,
        sources=(),
        now=datetime(2026, 11, 14, 18, 30, tzinfo=ZONE),
        zone=ZONE,
    )
    return assemble(Request(text, home)).questions


def test_a_task_whose_description_says_nothing_is_known_by_its_rules() -> None:
    """H-DUP-01."""
    assert asked("客厅没人就关灯", Known("a", "省电", True, ("客厅没人就关灯",))) == ("duplicate",)
    assert asked("客厅没人就关灯", Known("a", "省电", False, ("客厅没人就关灯",))) == ("paused",)
    assert asked("客厅没人就关灯", Known("a", "省电", True, ("客厅有人抽烟就播报",))) == ()


def test_what_a_description_says_counts_before_its_rules() -> None:
    assert asked("客厅没人就关灯", Known("a", "客厅有人抽烟就播报", True, ("客厅没人就关灯",))) == ()
