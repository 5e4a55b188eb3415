"""A whole draft becomes the request that is executed (taskloop §1.7)."""

from __future__ import annotations

import pytest
from tests.goals.recognising.saying import CODE, WHOLE, draft

from zhixing.goals.recognising.mapping import Asker, SourceType, task_request
from zhixing.kernel.errors import BadInput

BOT = Asker("u-1", "bot-1")


def test_every_field_has_its_place() -> None:
    """L-1.28."""
    asker = Asker("u-1", "bot-1", SourceType.COOP_GROUP, "前端小组", {"main_session_id": "s-1"})
    whole = draft(f"{WHOLE}，参考 https://git.example.com/pr/8", "验收标准再加一条 Review 通过")
    assert task_request(whole, asker).to_wire() == {
        "task_spec": {
            "metadata": {
                "title": "修复登录页按钮错位",
                "instruction": "目标：修复登录页按钮错位\n交付物：代码 PR\n验收标准：CI 通过；Review 通过\n约束：不动接口逻辑\n资源：https://git.example.com/pr/8",
            },
            "context": {
                "background": "前端小组",
                "extend_props": {"teamclaw_context": {"main_session_id": "s-1"}},
            },
            "goal": {
                "objective": "修复登录页按钮错位",
                "acceptances": [
                    {"id": "ac1", "acceptance": "CI 通过"},
                    {"id": "ac2", "acceptance": "Review 通过"},
                ],
            },
        },
        "source_type": "coop_group",
        "owner_user_id": "u-1",
        "owner_bot_id": "bot-1",
        "execution_config": {"task_type": "dynamic"},
    }


def test_a_workflow_goes_into_the_configuration_and_nowhere_else() -> None:
    """L-1.29."""
    wire = task_request(draft(f"/task workflow_id='wf_1' {WHOLE[6:]}"), BOT).to_wire()
    assert wire["execution_config"] == {"task_type": "workflow", "workflow_id": "wf_1"}
    assert "wf_1" not in str(wire["task_spec"])


def test_a_dynamic_task_names_no_workflow() -> None:
    assert task_request(draft(WHOLE), BOT).to_wire()["execution_config"] == {"task_type": "dynamic"}


def test_no_constraint_is_no_line_of_the_instruction_and_the_goal_stands_for_a_background() -> None:
    wire = task_request(draft(f"{CODE}，CI 通过", "没有"), BOT).to_wire()
    assert "约束" not in wire["task_spec"]["metadata"]["instruction"]
    assert wire["task_spec"]["context"] == {"background": "修复登录页按钮错位", "extend_props": {}}


def test_a_title_is_short() -> None:
    long = draft(f"/task 目标：{'很长的目标' * 20}；交付物：文档；验收标准：好；约束：无")
    assert len(task_request(long, BOT).title) == 40


@pytest.mark.parametrize(
    ("given", "asker"),
    [
        (CODE, BOT),
        ("/task workflow_id='' 修复登录页按钮错位，CI 通过，今天内", BOT),
        (WHOLE, Asker("", "bot-1")),
        (WHOLE, Asker("u-1", "")),
    ],
)
def test_what_is_not_whole_is_refused(given, asker) -> None:
    with pytest.raises(BadInput):
        task_request(draft(given), asker)


def test_what_the_server_decides_is_in_no_request() -> None:
    """L-1.30."""
    wire = task_request(draft(WHOLE), BOT).to_wire()
    fields = {*wire, *wire["task_spec"], *wire["task_spec"]["metadata"], *wire["execution_config"]}
    assert fields & {"task_id", "status", "create_time", "finish_time"} == set()
