"""What the page about bots says of groups is so: its state machine can be used, its replies are read as it says."""

from __future__ import annotations

import re
from pathlib import Path

from zhixing.goals.bots.collaborating import Duty, Turn, Word
from zhixing.goals.bots.definitions import MOST_TURNS, read_definition
from zhixing.goals.bots.forming import MOST_TALK, form_group
from zhixing.goals.groups.answering import is_result, read_turn
from zhixing.goals.groups.formations import formation_of
from zhixing.goals.loop.model import Formation
from zhixing.goals.loop.values import CollabMode

PAGE = (Path(__file__).parents[2] / "docs" / "goal-bots.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("\n## 几个机器人一起做\n")[2].partition("\n## ")[0]
FILES = dict(re.findall(r"^```\w+ ([\w.-]+\.\w+)\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL))
GROUP = form_group(Formation(("planner", "market")), {"planner", "market"})
NAMES = {"planner": "规划员", "market": "市场分析员"}


def test_the_state_machine_can_be_used_as_it_stands():
    assert read_definition(FILES["review.yaml"]).most_turns <= MOST_TURNS
    config = {
        "yaml": FILES["review.yaml"],
        "participant_bot_ids": ["market"],
        "participant_bindings": {"作者": "planner", "评审": "market"},
    }
    assert form_group(formation_of("planner", config), NAMES).reporter == "planner"


def test_the_replies_are_read_as_the_page_says():
    lead = Turn("planner", Duty.LEAD)
    asked = read_turn(GROUP, lead, FILES["next.json"], "?", NAMES)
    assert (asked.word, asked.to, asked.text) == (Word.SAID, ("market",), "先看明年要多少灯")
    handed_in = read_turn(GROUP, lead, FILES["done.json"], "?", NAMES)
    assert handed_in.word is Word.DONE
    assert is_result(handed_in.text)
    for reply in re.findall(r"`(结论：通过|\{\"outcome\".*?\})`", SECTION):
        judged = Turn("market", Duty.WORK, outcomes=("通过", "退回"))
        assert read_turn(GROUP, judged, reply, "?", NAMES).outcome == "通过"


def test_the_page_names_every_way_and_the_bound():
    assert all(f"| `{mode}` |" in SECTION for mode in CollabMode)
    assert f"最多说 {MOST_TALK} 轮" in SECTION
