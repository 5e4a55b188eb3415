"""Document tasks over a real process: made, shown, run, looked at, changed, refused, taken away."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from zhixing.faces.http.api import document_shapes as shapes

NUMBERS = count(1)
BODY = "# 目的：早上好\n# 输入：没有\n# 失败：没有\nset -euo pipefail\necho 早上好\n"


@pytest.fixture
def title() -> str:
    return f"晨报 {next(NUMBERS)}"


def create(agent: Any, title: str, **more: Any) -> Any:
    given = {"title": title, "description": "一份", "sessionId": "tg-1", "kind": "script", "body": BODY, **more}
    return agent("document_create", **given)


def test_a_task_is_made_listed_shown_and_taken_away(agent, title) -> None:
    made = create(agent, title, when="0 9 * * 1-5", options={"timeout": "5m", "paths": ["data:rw"], "retries": 1})
    shapes.CreatedDocument.model_validate(made)
    assert (made["options"]["timeout"], made["options"]["paths"], made["options"]["retries"]) == ("5m", ["data:rw"], 1)
    assert "没有服务在运行" in made["notes"][0]
    listed = {one["title"]: one for one in agent("document_list", status="enabled", limit=200)["documents"]}
    assert listed[title]["nextRuns"] == made["nextRuns"]
    assert not {"body", "text", "options"} & set(listed[title])
    shown = agent("document_show", title=made["taskId"])
    assert shown["text"] == Path(made["taskMdPath"]).read_text(encoding="utf-8")
    assert (shown["revision"], shown["body"]) == (made["revision"], BODY.strip())
    assert len(agent("document_next", title=title, count=7)["next"]) == 7
    assert agent("document_delete", title=title)["title"] == title
    assert agent.wrong("document_show", title=title) == "document_unknown"


def test_exactly_the_same_title_is_the_same_task(agent, title) -> None:
    create(agent, title)
    again = create(agent, title, body="echo 别的")
    assert (again["reusedExisting"], again["body"]) == (True, BODY.strip())


def test_a_list_comes_page_by_page(agent) -> None:
    for _ in range(3):
        create(agent, f"页 {next(NUMBERS)}")
    first = agent("document_list", limit=2)
    second = agent("document_list", limit=2, after=first["more"])
    assert not {one["title"] for one in first["documents"]} & {one["title"] for one in second["documents"]}


def test_a_change_keeps_what_is_not_named_and_gives_way_to_a_newer_one(agent, title) -> None:
    old = create(agent, title, options={"timezone": "Asia/Tokyo"})["revision"]
    changed = agent("document_update", title=title, when="0 8 * * *", status="paused", revision=old)
    assert (changed["when"], changed["status"], changed["zone"]) == ("0 8 * * *", "paused", "Asia/Tokyo")
    assert agent.wrong("document_update", title=title, body="echo x", revision=old) == "document_changed"
    freed = agent("document_update", title=title, newTitle=f"{title} 二", options={"timezone": None})
    assert (freed["title"], freed["zone"], freed["taskId"]) == (f"{title} 二", "Asia/Shanghai", changed["taskId"])
    assert agent.wrong("document_update", title=f"{title} 二") == "http_document_nothing"


def test_a_run_is_accepted_at_once_looked_at_and_called_off(agent, title) -> None:
    create(agent, title)
    accepted = agent("document_run", title=title, reason="试一试")
    shapes.AcceptedRun.model_validate(accepted)
    assert accepted["accepted"] is True
    run = accepted["executionId"]
    assert agent.wrong("document_run", title=title) == "document_running"
    waiting = agent("document_run", title=title, queue=True)["executionId"]
    runs = agent("document_runs", title=title)["runs"]
    assert [one["executionId"] for one in runs] == [waiting, run]
    assert agent("document_runs", limit=1)["more"] is not None
    shown = agent("document_run_show", run=run)
    assert (shown["title"], shown["trigger"]["reason"], shown["who"]) == (title, "试一试", "mcp")
    assert agent.wrong("document_run_show", run=run, artifact="output.md") == "http_document_artifact_unknown"
    assert agent.wrong("document_run_show", run=run, artifact="../task.md") == "http_document_artifact_unknown"
    assert agent("document_cancel", run=waiting)["status"] == "cancelled"
    assert agent("document_cancel", run=run)["status"] == "cancelled"


def test_a_file_of_a_run_is_read_when_it_is_asked_for(agent, title) -> None:
    made = create(agent, title)
    run = agent("document_run", title=title)["executionId"]
    folder = Path(made["taskMdPath"]).parent / run
    folder.mkdir()
    (folder / "output.md").write_text("早上好\n", encoding="utf-8")
    artifact = agent("document_run_show", run=run, artifact="output.md")["artifact"]
    assert artifact == {"name": "output.md", "bytes": 10, "text": "早上好\n", "cut": False}


def test_a_file_is_checked(agent) -> None:
    good = agent(
        "document_validate", text="---\ntitle: 甲\ndescription: 乙\nwhen: 0 9 15 * 1\nsessionId: tg\n---\n看一下\n"
    )
    assert good["valid"] is True
    assert "when_day_or_weekday" in [one["code"] for one in good["findings"]]
    assert agent("document_validate", text="x")["error"]["code"] == "document_fence_missing"


def test_a_message_is_sent_now_or_later(agent) -> None:
    words = f"饭好了 {next(NUMBERS)}"
    sent = agent("chat_send", sessionId="tg-1", text=words)
    shapes.SentMessage.model_validate(sent)
    assert words in [one["text"] for one in agent("inbox_list", limit=200)["messages"]]
    assert agent("chat_send", sessionId="tg-1", text="晚点", at="2020-01-01T00:00:00+08:00")["messageId"]
    assert agent.wrong("chat_send", sessionId="tg-1", text=" ") == "text_empty"
    assert agent.wrong("chat_send", sessionId="a\nb", text="x") == "chat_session_wrong"
    assert agent.wrong("chat_send", sessionId="a", text="x", at="bald") == "instant_unreadable"


def test_another_project_is_only_used_once_its_owner_has_adopted_it(agent, title, tmp_path) -> None:
    (tmp_path / ".downcity" / "task").mkdir(parents=True)
    assert agent.wrong("document_list", project=str(tmp_path)) == "http_document_project_unknown"
    wanted = {"title": title, "description": "一份", "sessionId": "tg-1", "project": str(tmp_path)}
    assert agent.wrong("document_create", **wanted) == "http_document_project_unknown"
    assert list((tmp_path / ".downcity" / "task").iterdir()) == []
    assert agent.wrong("document_list", project=f"{tmp_path}/../x") == "http_document_project_wrong"
    assert agent.wrong("document_list", project="x") == "http_document_project_wrong"


def test_what_cannot_be_a_task_is_refused(agent, title) -> None:
    good = {"title": title, "description": "一份", "sessionId": "tg-1"}
    assert agent.wrong("document_create", **{**good, "when": "0 25 * * *"}) == "document_field"
    assert agent.wrong("document_create", **{**good, "kind": "robot"}) == "field_wrong"
    assert agent.wrong("document_create", **{**good, "kind": "script"}) == "document_script_empty"
    assert agent.wrong("document_create", **{**good, "options": {"retries": 9}}) == "field_wrong"
    assert agent.wrong("document_create", **{**good, "options": {"colour": "red"}}) == "field_unknown"
    assert agent.wrong("document_create", **{**good, "session_id": "x"}) == "field_unknown"
    assert title not in [one["title"] for one in agent("document_list", limit=200)["documents"]]


@pytest.mark.parametrize(
    "name", ["document_show", "document_run", "document_next", "document_delete", "document_update", "document_runs"]
)
def test_a_task_that_nobody_knows_is_refused(agent, name) -> None:
    more = {"body": "x"} if name == "document_update" else {}
    assert agent.wrong(name, title="没有这个", **more) == "document_unknown"
    for tool in ("document_run_show", "document_cancel"):
        assert agent.wrong(tool, run="20201012-020000-000") == agent.wrong(tool, run="x") == "document_run_unknown"
