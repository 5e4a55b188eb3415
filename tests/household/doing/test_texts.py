"""Everything that can be said has words, in both languages."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import zhixing.household.doing
from zhixing.household.descs import Medium
from zhixing.household.doing.model import GOOD, UNDECIDED, StepState, step_reason
from zhixing.kernel.wording import LANGUAGES, section

ROOM = Path(zhixing.household.doing.__file__).parent


@pytest.mark.parametrize("language", LANGUAGES)
def test_media_and_bad_ends_have_words(language):
    words = section("doing", language)
    assert {f"medium_{medium.value}" for medium in Medium if medium is not Medium.CHAT} <= set(words)
    assert {f"news_{state.value}" for state in set(StepState) - GOOD - UNDECIDED} <= set(words)


def reasons() -> set[str]:
    """Give the reasons that are written where a step is settled."""
    found = set()
    for name in ("acting.py", "commanding.py", "steps.py"):
        for node in ast.walk(ast.parse((ROOM / name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "settle":
                found |= {one.value for one in node.args[2:3] if isinstance(one, ast.Constant) and one.value}
            if isinstance(node, ast.keyword) and node.arg == "reason" and isinstance(node.value, ast.Constant):
                found |= {node.value.value} - {""}
    return found


def test_every_reason_of_ours_has_words():
    found = reasons()
    assert {"already", "cooldown", "unconfirmed", "interrupted", "broken", "no_device"} <= found
    for language in LANGUAGES:
        assert {f"step_{reason}" for reason in found} <= set(section("doing", language))


def test_reasons_of_a_hub_are_said_in_its_words_and_unknown_ones_as_they_are():
    assert step_reason("offline", "") == section("devices", "zh")["offline"].format(detail="")
    assert step_reason("broken", "OSError") == "驱动出错（OSError）"
    assert step_reason("never_heard_of", "") == "never_heard_of"
