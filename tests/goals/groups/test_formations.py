"""The group of a goal whose way of working is written down."""

from __future__ import annotations

import pytest
from tests.goals.groups.rooms import LOOP

from zhixing.goals.bots.forming import form_group
from zhixing.goals.groups.formations import formation_of
from zhixing.goals.loop.model import Formation, Member
from zhixing.goals.loop.values import CollabMode
from zhixing.kernel.errors import BadInput

KNOWN = {"o", "a", "b"}
TWO = ["a", "b"]
BOUND = {"作者": "a", "评审": "b"}


@pytest.mark.parametrize(
    ("config", "mode", "bots", "reporter"),
    [
        ({"participant_bot_ids": TWO}, CollabMode.MANAGER_WORKER, ("o", "a", "b"), "o"),
        ({"participant_bot_ids": ["o", "a"]}, CollabMode.MANAGER_WORKER, ("o", "a"), "o"),
        ({"participant_bot_ids": TWO, "group_kind": "chat", "yaml": " "}, CollabMode.CHAT, ("o", "a", "b"), "o"),
        ({"participant_bot_ids": TWO, "group_kind": ""}, CollabMode.MANAGER_WORKER, ("o", "a", "b"), "o"),
        (
            {"participant_bot_ids": TWO, "yaml": LOOP, "participant_bindings": BOUND, "group_kind": "chat"},
            CollabMode.STATE_MACHINE,
            ("a", "b"),
            "a",
        ),
        (
            {"participant_bot_ids": ["a"], "yaml": LOOP, "participant_bindings": {"作者": "a", "评审": "o"}},
            CollabMode.STATE_MACHINE,
            ("o", "a"),
            "o",
        ),
        (
            {
                "yaml": {"roles": {"甲": "做"}, "start": "做", "states": {"做": {"role": "甲", "end": True}}},
                "participant_bindings": {"甲": "o"},
            },
            CollabMode.STATE_MACHINE,
            ("o",),
            "o",
        ),
    ],
)
def test_the_group_that_a_config_asks_for(config, mode, bots, reporter):
    formation = formation_of("o", config)
    assert (formation.collab_mode, formation.bot_ids) == (mode, bots)
    assert form_group(formation, KNOWN).reporter == reporter


def test_bindings_say_what_members_are_there_for():
    config = {"participant_bot_ids": TWO, "participant_bindings": {"分析": "a", "校对": "a"}, "group_name": "小组"}
    members = (Member("a", "分析、校对"),)
    assert formation_of("o", config) == Formation(("o", *TWO), CollabMode.MANAGER_WORKER, "小组", "o", members)


@pytest.mark.parametrize(
    ("config", "key"),
    [
        ({"group_kind": "state_machine"}, "goal_group_no_yaml"),
        ({"group_kind": "state_machine", "yaml": {}}, "goal_group_no_yaml"),
        ({"group_kind": "圆桌"}, "goal_group_kind"),
        ({"group_kind": ["chat"]}, "goal_group_kind"),
        ({"participant_bot_ids": "a"}, "goal_group_participants"),
        ({"participant_bot_ids": ["a", 1]}, "goal_group_participants"),
        ({"participant_bot_ids": ["a"] * 51}, "bot_group_large"),
        ({"participant_bindings": ["a"]}, "goal_group_bindings"),
        ({"participant_bindings": {"甲": 1}}, "goal_group_bindings"),
        ({"yaml": 3}, "goal_group_yaml"),
        ({"group_name": 3}, "goal_group_name"),
    ],
)
def test_a_config_that_is_no_group_is_refused_in_one_line(config, key):
    with pytest.raises(BadInput) as raised:
        formation_of("o", config)
    assert raised.value.key == key
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("config", "key"),
    [
        ({}, "bot_group_alone"),
        ({"participant_bot_ids": ["x"]}, "bot_group_unknown"),
        ({"participant_bot_ids": TWO, "yaml": LOOP}, "bot_group_role_unbound"),
        (
            {"participant_bot_ids": TWO, "yaml": LOOP, "participant_bindings": {"作者": "a", "评审": "a"}},
            "bot_group_idle",
        ),
    ],
)
def test_what_only_the_known_bots_can_tell_is_refused_when_it_is_formed(config, key):
    with pytest.raises(BadInput) as raised:
        form_group(formation_of("o", config), KNOWN)
    assert raised.value.key == key
