"""The state machine of a group: what is read, and one clear line for each fault."""

from __future__ import annotations

import pytest

from zhixing.goals.bots.definitions import Definition, Move, Role, State, read_definition
from zhixing.kernel.errors import BadInput, TooLarge

LOOP = """\
name: 写作评审
roles:
  作者: 写完整的稿子
  评审:
start: 起草
most_turns: 12
states:
  起草: {role: 作者, task: 写完整的草稿, next: 评审}
  评审:
    role: 评审
    task: |
      看是否答到点上。
      最后一行写结论。
    next: {通过: 定稿, 退回: 起草}
  定稿: {role: 作者, end: true}
"""


def test_a_definition_is_read_whole() -> None:
    assert read_definition(LOOP) == Definition(
        "写作评审",
        (Role("作者", "写完整的稿子"), Role("评审")),
        "起草",
        (
            State("起草", "作者", "写完整的草稿", (Move("评审"),)),
            State("评审", "评审", "看是否答到点上。\n最后一行写结论。", (Move("定稿", "通过"), Move("起草", "退回"))),
            State("定稿", "作者"),
        ),
        12,
    )


def test_an_end_may_have_no_role_and_a_state_may_lead_to_itself() -> None:
    found = read_definition(
        "{roles: {甲: }, start: 做, states: {做: {role: 甲, next: {好: 完, 再来: 做}}, 完: {end: true}}}"
    )
    assert found.state("完") == State("完")
    assert found.state("做").outcomes == ("好", "再来")


@pytest.mark.parametrize(
    ("before", "after", "key"),
    [
        ("start: 起草\n", "", "bot_key_missing"),
        ("start: 起草", "start: 开头", "bot_machine_start"),
        ("name: 写作评审", "title: 写作评审", "bot_key_unknown"),
        ("role: 作者, task: 写完整的草稿", "rolle: 作者", "bot_key_mistyped"),
        ("role: 作者, task: 写完整的草稿, ", "", "bot_key_missing"),
        ("{role: 作者, task: 写完整的草稿, next: 评审}", "{role: 主编, next: 评审}", "bot_machine_role"),
        ("  评审:\nstart", "  评审:\n  旁听:\nstart", "bot_machine_role_idle"),
        ("next: 评审}", "next: 审稿}", "bot_machine_target"),
        ("通过: 定稿", "通过: 出版", "bot_machine_target"),
        ("next: 评审}", "next: [评审]}", "bot_text"),
        ("{通过: 定稿, 退回: 起草}", "{}", "bot_machine_outcomes"),
        ("  定稿: {", "  归档: {end: true}\n  定稿: {", "bot_machine_unreachable"),
        ("{通过: 定稿, 退回: 起草}", "{退回: 起草}", "bot_machine_endless"),
        ("end: true}", "next: 定稿}", "bot_machine_endless"),
        (", end: true", "", "bot_machine_dead_end"),
        ("end: true", "end: true, next: 起草", "bot_machine_end_leads"),
        ("end: true", "end: 是", "bot_not_truth"),
        ("most_turns: 12", "most_turns: 0", "bot_whole"),
        ("most_turns: 12", "most_turns: 201", "bot_whole"),
        ("roles:\n  作者: 写完整的稿子\n  评审:", "roles: [作者, 评审]", "bot_machine_table"),
        ("roles:\n  作者: 写完整的稿子\n  评审:", "roles: {}", "bot_machine_table"),
        ("作者: 写完整的稿子", "作者: [写]", "bot_text"),
        ("定稿: {role: 作者, end: true}", "定稿: 完", "bot_not_table"),
        ("start: 起草", "start: *a", "bot_yaml_alias"),
        ("start: 起草", "start: 起草\nstart: 评审", "bot_yaml_key_twice"),
        ("start: 起草", "start: [", "bot_yaml_broken"),
    ],
)
def test_each_fault_of_a_definition_has_its_line(before: str, after: str, key: str) -> None:
    assert before in LOOP
    with pytest.raises(BadInput) as caught:
        read_definition(LOOP.replace(before, after, 1))
    assert caught.value.key == key
    assert "\n" not in str(caught.value)


def test_all_states_of_a_circle_without_a_way_out_are_refused_even_when_an_end_exists() -> None:
    text = "{roles: {甲: }, start: 一, states: {一: {role: 甲, next: {走: 二, 停: 完}}, 二: {role: 甲, next: 三}, 三: {role: 甲, next: 二}, 完: {end: true}}}"  # noqa: E501
    with pytest.raises(BadInput, match="从状态「二」走不到任何结束状态"):
        read_definition(text)


@pytest.mark.parametrize(
    "text",
    [
        f"# {'长' * 20_000}",
        "start: 完\nroles: {甲: }\nstates:\n" + "".join(f"  s{n}: {{end: true}}\n" for n in range(51)),
        "start: 完\nstates: {}\nroles:\n" + "".join(f"  r{n}:\n" for n in range(21)),
        LOOP.replace("{通过: 定稿, 退回: 起草}", "{" + ", ".join(f"o{n}: 定稿" for n in range(11)) + "}"),
    ],
)
def test_a_definition_is_bounded(text: str) -> None:
    with pytest.raises(TooLarge):
        read_definition(text)
