"""Every example of the document's section 「CLI 示例」 runs as it stands there, and its constraints are kept."""

from __future__ import annotations

import shlex
from datetime import timedelta

import pytest

EXAMPLES = (
    "city task list",
    "city task list --status enabled",
    "city task list --status paused",
    "city task list --status disabled",
    "city task create --title '晨报' --description '每天一份' --session-id tg-1",
    (
        "city task create --title '晨报' --description '每天一份' --session-id tg-1 --when '@manual' --kind agent"
        " --status paused"
    ),
    "city task create --title '晨报' --description '每天一份' --session-id tg-1 --when '0 9 * * 1-5' --activate",
    "city task run 每周整理",
    "city task run 每周整理 --reason '用户要看'",
    (
        "city task update 每周整理 --title 每月整理 --description '新的说明' --when '@monthly' --status paused"
        " --session-id tg-2"
    ),
    "city task update 每周整理 --activate",
    "city task delete 每周整理",
)


@pytest.mark.parametrize("line", EXAMPLES)
def test_every_example_of_the_document_runs(city, line):
    """D-6.1, D-6.2, D-6.3, D-6.4, D-6.5."""
    city.create("每周整理")
    assert city(*shlex.split(line)[1:]).data["success"] is True


@pytest.mark.parametrize("action", ["list", "create", "run", "delete", "update", "status", "enable", "disable"])
def test_every_action_of_the_document_is_a_command(city, action):
    assert city("task", action, "--help").out.startswith(f"city task {action}")


def test_a_script_example_with_a_body_runs_too(city):
    made = city.create("清点", kind="script", body="echo 3")
    assert made["status"] == "enabled"
    assert made["when"] == "@manual"


def test_a_new_task_is_enabled_and_manual_and_an_agents_with_the_documents_template(city):
    city.create("晨报")
    task = city("task", "show", "晨报").data
    assert (task["status"], task["when"], task["kind"], task["review"]) == ("enabled", "@manual", "agent", False)
    assert task["body"].startswith("# 任务目标")
    assert city.file("晨报").read_text(encoding="utf-8") == task["text"]


def test_the_session_of_the_surroundings_counts_where_none_is_given(city):
    city.env["DC_SESSION_ID"] = "feishu-7"
    city("task", "create", "--title", "晨报", "--description", "d")
    assert city("task", "show", "晨报").data["sessionId"] == "feishu-7"


def test_a_task_of_exactly_that_title_is_reused_and_not_touched(city):
    first = city.create("晨报", body="# 任务目标\n\n- 一")
    again = city.create("晨报", body="# 任务目标\n\n- 二")
    assert (first["reusedExisting"], again["reusedExisting"]) == (False, True)
    assert again["revision"] == first["revision"]
    assert "--overwrite" in again["message"]
    assert city.create("晨报", "--overwrite", body="# 任务目标\n\n- 二")["reusedExisting"] is False
    assert "- 二" in city.file("晨报").read_text(encoding="utf-8")


def test_run_is_accepted_at_once_and_says_where_its_folder_is(city):
    city.create("清点", kind="script", body="echo 3")
    run = city("task", "run", "清点", "--reason", "用户要看").data
    assert (run["success"], run["accepted"], run["title"]) == (True, True, "清点")
    assert run["runDir"].endswith(f".downcity/task/清点/{run['executionId']}")
    assert "不用等待" in run["message"]
    assert any("zhixing serve" in note for note in run["notes"])


def test_a_task_that_runs_is_not_run_again_unless_it_may_wait(city):
    city.create("清点", kind="script", body="echo 3")
    first = city("task", "run", "清点").data["executionId"]
    assert city.refused("task", "run", "清点") == (
        "document_running",
        f"「清点」正在运行（{first}），没有再启动；想排在它后面，请加 --queue。",
    )
    assert city("task", "run", "清点", "--queue").data["status"] == "queued"
    assert city.refused("task", "run", "清点", "--queue")[0] == "document_waiting"


def test_what_a_script_prints_is_what_is_sent(on_any_store):
    city = on_any_store
    city.create("清点", kind="script", body='echo "共 3 项"\necho 杂音 >&2')
    run = city("task", "run", "清点").data["executionId"]
    assert city.ring() > 0
    shown = city("task", "show", "清点", "--run", run).data["run"]
    assert (shown["status"], shown["record"]["delivery"]["state"]) == ("success", "sent")
    assert {"input.md", "output.md", "result.md", "run.json", "run-progress.json"} <= {
        each["name"] for each in shown["artifacts"]
    }
    assert city("task", "show", "清点", "--artifact", "output.md").data["text"].strip() == "共 3 项"
    logs = {log["name"]: log["lines"] for log in city("task", "logs", run).data["logs"]}
    assert logs == {"stdout.log": ["共 3 项"], "stderr.log": ["杂音"]}


def test_a_failure_leaves_its_reason(city):
    city.create("清点", kind="script", body="echo 坏了 >&2\nexit 3")
    run = city("task", "run", "清点").data["executionId"]
    city.ring()
    [shown] = city("task", "runs", "清点").data["runs"]
    assert (shown["executionId"], shown["status"], shown["inProgress"]) == (run, "failure", False)
    shown = city("task", "show", "清点", "--run", "last").data["run"]
    assert shown["record"]["exit"]["code"] == 3
    assert "坏了" in shown["error"]
    assert "坏了" in city("task", "show", "清点", "--artifact", "error.md").data["text"]


def test_after_its_instant_a_task_is_paused_and_manual(city):
    city.create("一次", kind="script", body="echo 到了", when="time:2026-10-12T10:05:00+08:00")
    assert city("task", "next", "一次").data["nextRuns"] == ["2026-10-12T10:05:00+08:00"]
    city.clock.advance(timedelta(minutes=6))
    city.ring()
    task = city("task", "show", "一次").data
    assert (task["status"], task["when"], task["last"]["trigger"]["type"]) == ("paused", "@manual", "time")
