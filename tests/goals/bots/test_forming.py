"""A group before it begins: members, roles, one manager at most, exactly one reporter."""

from __future__ import annotations

from typing import Any

import pytest
from tests.goals.bots.test_definitions import LOOP

from zhixing.goals.bots.forming import Part, Seat, form_group
from zhixing.goals.loop.model import Formation, Member
from zhixing.goals.loop.values import CollabMode
from zhixing.kernel.errors import BadInput

KNOWN = {"a", "b", "c", *(f"m{n}" for n in range(60))}
CHAT, MANAGED, MACHINE = CollabMode.CHAT, CollabMode.MANAGER_WORKER, CollabMode.STATE_MACHINE
BOUND = (Member("a", "作者"), Member("b", "评审", "把关"))


def test_the_first_bot_drives_a_chat_and_reports() -> None:
    group = form_group(Formation(("a", "b"), CHAT, "讨论", members=(Member("b", "顾问", "挑毛病"),)), KNOWN)
    assert group.seats == (Seat("a", Part.DRIVER), Seat("b", Part.CONSULTANT, "顾问", "挑毛病"))
    assert (group.name, group.reporter, group.others) == ("讨论", "a", ("b",))


@pytest.mark.parametrize(("named", "manager"), [("b", "b"), ("", "a")])
def test_the_manager_reports_and_is_the_first_bot_when_none_is_named(named: str, manager: str) -> None:
    group = form_group(Formation(("a", "b", "c"), MANAGED, manager_bot_id=named), KNOWN)
    assert group.reporter == manager
    assert [each.bot_id for each in group.seats if each.part is Part.MANAGER] == [manager]
    assert len(group.others) == 2
    assert group.name == "协作群"


def test_the_roles_of_a_state_machine_are_bound_to_bots() -> None:
    group = form_group(Formation(("b", "a"), MACHINE, members=BOUND, definition_yaml=LOOP), KNOWN)
    assert group.seats == (
        Seat("a", Part.ACTOR, "作者", "写完整的稿子"),
        Seat("b", Part.ACTOR, "评审", "把关"),
    )
    assert (group.reporter, group.most_turns) == ("b", 12)


def test_one_bot_may_play_several_roles() -> None:
    members = (Member("a", "作者"), Member("a", "评审"))
    group = form_group(Formation(("a",), MACHINE, members=members, definition_yaml=LOOP), KNOWN)
    assert [each.role for each in group.seats] == ["作者", "评审"]
    assert group.others == ()


@pytest.mark.parametrize(
    ("members", "key"),
    [
        ({"bot_ids": ()}, "bot_group_empty"),
        ({"bot_ids": tuple(f"m{n}" for n in range(51))}, "bot_group_large"),
        ({"bot_ids": ("a",)}, "bot_group_alone"),
        ({"bot_ids": ("a", "a")}, "bot_group_member_twice"),
        ({"bot_ids": ("a", "x")}, "bot_group_unknown"),
        ({"members": (Member("c"),)}, "bot_group_member_outside"),
        ({"members": (Member("a"), Member("a"))}, "bot_group_member_twice"),
        ({"members": (Member("a", "角" * 201),)}, "bot_group_text"),
        ({"members": (Member("a", "角", "\x07"),)}, "bot_group_text"),
        ({"group_name": "群" * 201}, "bot_group_text"),
        ({"manager_bot_id": "a"}, "bot_group_manager_stray"),
        ({"collab_mode": MANAGED, "manager_bot_id": "c"}, "bot_group_manager_outside"),
        ({"definition_yaml": LOOP}, "bot_group_definition_stray"),
        ({"collab_mode": MACHINE}, "bot_group_no_definition"),
        ({"collab_mode": MACHINE, "members": BOUND, "definition_yaml": "start: 一"}, "bot_key_missing"),
        ({"collab_mode": MACHINE, "definition_yaml": LOOP}, "bot_group_role_unbound"),
        (
            {"collab_mode": MACHINE, "definition_yaml": LOOP, "members": (Member("a", "主编"),)},
            "bot_group_role_unknown",
        ),
        (
            {"collab_mode": MACHINE, "definition_yaml": LOOP, "members": (*BOUND, Member("b", "作者"))},
            "bot_group_role_twice",
        ),
        (
            {"bot_ids": ("a", "b", "c"), "collab_mode": MACHINE, "definition_yaml": LOOP, "members": BOUND},
            "bot_group_idle",
        ),
        (
            {"collab_mode": MACHINE, "definition_yaml": LOOP, "members": BOUND, "manager_bot_id": "a"},
            "bot_group_manager_stray",
        ),
    ],
)
def test_each_fault_of_a_formation_has_its_line(members: dict[str, Any], key: str) -> None:
    with pytest.raises(BadInput) as caught:
        form_group(Formation(**{"bot_ids": ("a", "b"), **members}), KNOWN)
    assert caught.value.key == key
    assert "\n" not in str(caught.value)
