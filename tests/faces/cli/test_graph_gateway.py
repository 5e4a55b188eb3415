"""Commands on a real hub: connected to for one command with a passcode, and left again."""

from __future__ import annotations

import pytest
from tests.faces.entrance import ID, nodes

from zhixing.kernel.clock import SystemClock
from zhixing.world.hub.fake import FakeGateway
from zhixing.world.hub.state import Graph, State

PASSCODE = "246810"


@pytest.fixture
def terminal(terminal_at, tmp_path):
    """Give a terminal whose clock goes: the hub answers in its own time."""
    return terminal_at(tmp_path / "home", SystemClock())


@pytest.fixture
def state() -> State:
    return State(graphs={ID: Graph(nodes(), enable=True, ui_type="graph", user_data={"name": "玄关灯"})})


def test_a_command_reads_a_real_hub_and_a_passcode_is_used_up(terminal, state) -> None:
    with FakeGateway(PASSCODE, state) as gateway:
        place = ("--gateway", gateway.url, "--passcode", PASSCODE)
        assert terminal("graph", "list", *place).lines == [f"{ID}  启用  玄关灯"]
        assert "配对码" in terminal.refused("graph", "list", *place, code=3)
    assert terminal("graph", "list").lines == ["网关里没有规则。"]


def test_a_home_whose_hub_is_real_asks_for_the_passcode(terminal, state) -> None:
    with FakeGateway(PASSCODE, state) as gateway:
        terminal.env["ZHIXING_GATEWAY_ADDRESS"] = gateway.url
        assert gateway.url in terminal.refused("graph", "list", code=2)
        assert terminal("graph", "hub").lines[0].startswith(f"网关 {gateway.url} 还没有连上")
        assert terminal("graph", "list", "--passcode", PASSCODE, "--json").json["count"] == 1


def test_receipts_of_a_real_hub_are_its_own(terminal, state) -> None:
    with FakeGateway(PASSCODE, state) as gateway:
        assert terminal("graph", "delete", ID, "--gateway", gateway.url, "--passcode", PASSCODE).code == 0
        assert gateway.state.graphs == {}
    assert terminal.refused("graph", "rollback", "1") == "没有编号为 1 的备份。"
