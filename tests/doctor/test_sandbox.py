"""The line about the sandbox: tried in earnest, refused, or left out by the owner."""

from __future__ import annotations

from zhixing.doctor import State, check_sandbox
from zhixing.kernel.clock import SystemClock
from zhixing.settings.model import Documents
from zhixing.world.sandbox.probing import Unready


def test_walls_that_stand_are_fine():
    (found,) = check_sandbox(Documents(), SystemClock())
    assert (found.state, found.says) == (State.OK, "脚本在 bwrap 里运行，试跑通过")


def test_walls_that_do_not_stand_are_told_with_the_reason_and_the_way_out():
    (found,) = check_sandbox(Documents(), SystemClock(), lambda _clock, _wanted: Unready("没有 bwrap。"))
    assert (found.state, found.says) == (State.MISSING, "脚本任务不能运行：没有 bwrap。")
    assert "documents.sandbox" in found.how_to_fix


def test_an_owner_who_wants_no_walls_is_reminded_of_it():
    (found,) = check_sandbox(Documents(sandbox="none"), SystemClock())
    assert found.state is State.MISSING
    assert "不隔离" in found.says
