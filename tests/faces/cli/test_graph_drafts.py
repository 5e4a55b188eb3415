"""Drafts of rules on the command line: what an agent began, a person looks at, finishes or gives up."""

from __future__ import annotations

from io import BytesIO, StringIO

import pytest
from tests.faces.entrance import nodes

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house


@pytest.fixture
def begun(terminal):
    """Begin a draft of the rule of the entrance as an agent does; give its id."""

    def begin(*, value: object = True) -> str:
        with house(Desk(terminal.env, terminal.clock, BytesIO(), StringIO(), StringIO())) as home:
            drafts = home.app.graphs.drafts
            draft = drafts.begin("玄关灯", who="mcp")
            drafts.append(draft.id, nodes(value=value))
        return draft.id

    return begin


def test_a_draft_is_shown_committed_once_and_told_again(terminal, begun) -> None:
    assert terminal("graph", "drafts", "list").lines == ["没有草稿。"]
    draft = begun()
    assert terminal("graph", "drafts", "list").lines == [f"{draft}  在写  2 张卡片  玄关灯"]
    shown = terminal("graph", "drafts", "show", draft)
    assert shown.lines[2] == '  on  控制设备  light_entrance 2.1  {"value": true}'
    made = terminal("graph", "drafts", "commit", draft, "--json").json
    assert terminal("graph", "drafts", "commit", draft, "--json").json["graphId"] == made["graphId"]
    assert terminal("graph", "list").lines == [f"{made['graphId']}  启用  玄关灯"]
    assert terminal("graph", "drafts", "show", draft, "--json").json["status"] == "committed"


def test_a_draft_with_errors_is_kept_with_what_is_wrong(terminal, begun) -> None:
    draft = begun(value="heaven")
    done = terminal("graph", "drafts", "commit", draft)
    assert (done.code, done.lines[0]) == (1, f"草稿 {draft} 有 1 个错误，没有写入：")
    assert done.lines[1].startswith("  错误  on ")
    assert terminal("graph", "drafts", "show", draft, "--json").json["status"] == "building"


def test_a_draft_is_given_up_and_saying_so_twice_is_fine(terminal, begun) -> None:
    draft = begun()
    assert terminal("graph", "drafts", "discard", draft).lines == [f"草稿 {draft} 已放弃"]
    assert terminal("graph", "drafts", "discard", draft, "--json").json == {"draftId": draft, "discarded": False}
