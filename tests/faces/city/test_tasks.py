"""`city task` as somebody uses it who has just installed it."""

from __future__ import annotations

import json

import pytest

MONDAYS = "0 9 * * 1"


def test_looking_makes_nothing(city):
    assert city("task", "list").data == {"success": True, "tasks": []}
    assert city.refused("task", "show", "晨报")[0] == "city_title_unknown"
    assert city.refused("task", "runs", "晨报")[0] == "city_title_unknown"
    assert list(city.project.iterdir()) == []


def test_another_project_is_named_by_its_folder(city, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    city("task", "create", "--path", str(other), "--title", "晨报", "--description", "d", "--session-id", "s")
    assert (other / ".downcity" / "task" / "晨报" / "task.md").is_file()
    assert [each["title"] for each in city("task", "list", f"--path={other}").data["tasks"]] == ["晨报"]
    assert city("--path", str(other), "task", "list", "--json", "false").lines[0].startswith("晨报")
    assert city("task", "list").data["tasks"] == []


def test_a_folder_that_is_not_there_is_one_line(city):
    assert city.refused("task", "list", "--path", "nowhere")[0] == "document_project_missing"


def test_a_project_that_cannot_be_written_is_one_line(city):
    (city.project / ".downcity").write_text("no folder", encoding="utf-8")
    code, line = city.refused("task", "create", "--title", "晨报", "--description", "d", "--session-id", "s", code=2)
    assert (code, str(city.project) in line) == ("document_folder_unusable", True)


def test_a_project_in_which_nobody_may_write_is_one_line(city):
    """Not even root makes a folder there."""
    said = ("--title", "t", "--description", "d", "--session-id", "s")
    code, line = city.refused("task", "create", "--path", "/sys", *said, code=2)
    assert (code, "/sys" in line) == ("document_folder_unusable", True)


def test_the_reply_says_when_it_runs_next_in_words_and_which_zone_counts(city):
    made = city.create("周会", when=MONDAYS, timezone="America/New_York")
    assert made["zone"] == "America/New_York"
    assert made["whenWords"] == "每周一 09:00"
    assert made["nextRuns"] == [
        "2026-10-12T09:00:00-04:00",
        "2026-10-19T09:00:00-04:00",
        "2026-10-26T09:00:00-04:00",
    ]
    assert made["nextRunsWords"][0] == "2026-10-12 周一 09:00（UTC-04:00，America/New_York）"


def test_an_expression_that_is_often_misread_is_warned_about(city):
    made = city.create("月中", when="0 9 15 * 1")
    assert "when_day_or_weekday" in [each["code"] for each in made["warnings"]]
    assert all(set(each) == {"line", "code", "message"} for each in made["warnings"])


@pytest.mark.parametrize(
    ("when", "says"),
    [
        ("0 9 * *", "五段"),
        ("*/0 * * * *", "--when"),
        ("@every 5m", "*/15"),
        ("2026-10-12T10:00:00", "+08:00"),
        ("time:2026-02-30T10:00:00+08:00", "28"),
        ("0 9 30 2 *", "--when"),
        ("每天九点", "触发条件"),
        ("time:2020-01-01T00:00:00+08:00", "已经过去"),
    ],
)
def test_what_can_never_be_due_is_refused_with_what_to_write(city, when, says):
    flags = ("--title", "t", "--description", "d", "--session-id", "s")
    _, line = city.refused("task", "create", *flags, "--when", when)
    assert says in line
    assert city("task", "list").data["tasks"] == []


@pytest.mark.parametrize(
    ("title", "folder"),
    [
        ("../../etc", "etc"),
        ("🎉 party", "party"),
        ("🎉", None),
        ("a" * 70, "a" * 64),
        ("-foo", "task-foo"),
        ("日报（测试）", "日报 测试"),
        ("con", "task-con"),
        ("--title", None),
        ("20261201-013508-058", "20261201-013508-058"),
    ],
)
def test_no_title_leaves_its_folder(city, title, folder):
    made = city("task", "create", f"--title={title}", "--description", "d", "--session-id", "s").data
    assert made["title"] == title
    tasks = city.project / ".downcity" / "task"
    [found] = [each.name for each in tasks.iterdir() if not each.name.startswith(".")]
    assert folder in (None, found)
    assert made["taskMdPath"] == str(tasks / found / "task.md")
    assert city("task", "show", "--", title).data["title"] == title
    assert sorted(each.name for each in city.project.iterdir()) == [".downcity"]


def test_titles_that_share_a_folder_name_are_two_tasks(city):
    assert city.create("a/b")["taskMdPath"] != city.create("a:b")["taskMdPath"]
    assert {each["title"] for each in city("task", "list").data["tasks"]} == {"a/b", "a:b"}


@pytest.mark.parametrize("typed", ["daily-check", "daily check", "Daily chekc", "DAILY CHECK"])
def test_a_title_that_is_nearly_right_is_answered_with_the_right_one(city, typed):
    city.create("Daily check")
    code, line = city.refused("task", "run", typed)
    assert (code, "「Daily check」" in line) == ("city_title_near", True)


@pytest.mark.parametrize(
    "action", [("show",), ("run",), ("update",), ("delete",), ("enable",), ("disable",), ("runs",), ("next",)]
)
def test_every_action_on_a_title_nobody_has_says_so(city, action):
    more = ("--when", "@daily") if action == ("update",) else ()
    assert city.refused("task", *action, "没有的", *more)[0] == "city_title_unknown"


def test_a_broken_file_is_listed_with_what_is_wrong_with_it(city):
    city.create("好的")
    city.file("坏的").parent.mkdir()
    city.file("坏的").write_text("---\ntitle: 坏的\nwhen: 0 9 * *\n---\n", encoding="utf-8")
    tasks = {each["folder"]: each for each in city("task", "list").data["tasks"]}
    assert "第 3 行" in tasks["坏的"]["error"]
    assert tasks["坏的"]["when"] is None
    assert tasks["好的"]["error"] is None
    assert "有误" in "".join(city("task", "list", "--json", "false").lines)
    assert "第 3 行" in city.refused("task", "validate", "坏的")[1]
    assert "第 3 行" in city.refused("task", "run", "坏的")[1]
    assert city.refused("task", "next", "坏的")
    assert city("task", "show", "坏的").data["text"].startswith("---")


def test_a_file_written_by_hand_is_a_task_at_once(city):
    city.create("别的")
    city.file("手写").parent.mkdir()
    city.file("手写").write_text(
        "---\n# 我的注释\ntitle: 手写\nwhen: 0 9 * * *\ndescription: d\nsessionId: s\nmood: good\n---\n\n# 任务目标\n",
        encoding="utf-8",
    )
    assert len(city("task", "next", "手写", "--count", "2").data["nextRuns"]) == 2
    city("task", "update", "手写", "--when", "@daily")
    text = city.file("手写").read_text(encoding="utf-8")
    assert "# 我的注释" in text
    assert "mood: good" in text
    assert '"@daily"' in text


def test_update_changes_what_is_named_and_nothing_else(city):
    city.create("晨报", when=MONDAYS, body="# 任务目标\n\n- 一", timeout="10m", env="API_BASE,LANG", retries="2")
    done = city("task", "update", "晨报", "--clear-when", "--env", "", "--retries", "3").data
    assert (done["changed"], done["when"], done["nextRuns"]) == (True, "@manual", [])
    task = city("task", "show", "晨报").data
    assert (task["options"]["env"], task["options"]["retries"], task["options"]["timeout"]) == ([], 3, "10m")
    assert task["body"] == "# 任务目标\n\n- 一"
    assert city("task", "update", "晨报", "--retries", "3").data["changed"] is False


def test_a_new_title_keeps_the_task_and_its_runs(city):
    city.create("旧的", kind="script", body="echo 1")
    city("task", "run", "旧的")
    city.ring()
    city("task", "update", "旧的", "--title", "新的")
    assert len(city("task", "runs", "新的").data["runs"]) == 1
    assert city.refused("task", "show", "旧的")[0].startswith("city_title")


def test_whoever_has_read_an_older_revision_is_refused(city):
    read = city.create("晨报")["revision"]
    city("task", "update", "晨报", "--revision", read, "--description", "新的")
    assert city.refused("task", "update", "晨报", "--revision", read, "--description", "旧的")[0] == "document_changed"


def test_every_optional_field_goes_in_and_comes_out(city):
    city.create(
        "全部",
        "--network",
        "--paths",
        "data,reports:rw",
        timezone="Europe/Berlin",
        missed="skip",
        overlap="queue",
        timeout="1h30m",
        retries="2",
        env="API_BASE",
        agent_command="my-agent --quiet",
        deliver="on-failure",
        expires_at="2027-01-01T00:00:00+08:00",
    )
    assert city("task", "show", "全部").data["options"] == {
        "timezone": "Europe/Berlin",
        "missed": "skip",
        "overlap": "queue",
        "timeout": "1h30m",
        "retries": 2,
        "env": ["API_BASE"],
        "network": True,
        "paths": ["data", "reports:rw"],
        "agent_command": "my-agent --quiet",
        "deliver": "on-failure",
        "expiresAt": "2027-01-01T00:00:00+08:00",
    }


@pytest.mark.parametrize(
    ("flag", "value", "says"),
    [
        ("--timezone", "Asia/Shangahi", "Asia/Shanghai"),
        ("--missed", "never", "once"),
        ("--overlap", "parallel", "replace"),
        ("--timeout", "forever", "1h30m"),
        ("--retries", "9", "0 到 5"),
        ("--env", "TOKEN=abc", "TOKEN"),
        ("--paths", "../secret", ".."),
        ("--deliver", "sometimes", "on-failure"),
        ("--expires-at", "2027-01-01", "+08:00"),
    ],
)
def test_a_wrong_value_of_an_optional_field_names_its_flag(city, flag, value, says):
    city.create("晨报")
    for command in (("update", "晨报"), ("create", "--title", "t", "--description", "d", "--session-id", "s")):
        code, line = city.refused("task", *command, flag, value)
        assert (code, line.startswith(f"选项 {flag}："), says in line) == ("city_option", True, True), line
        assert "TOKEN=abc" not in line


def test_the_body_comes_from_a_file_or_from_standard_input(city):
    (city.project / "body.md").write_text("\ufeff# 任务目标\n\n- 从文件来\n", encoding="utf-8")
    city.create("一", body_file="body.md")
    assert "从文件来" in city("task", "show", "一").data["body"]
    line = ("task", "create", "--title", "二", "--description", "d", "--session-id", "s", "--body-file", "-")
    city(*line, stdin="# 任务目标\n\n- 从管道来\n".encode())
    assert "从管道来" in city("task", "show", "二").data["body"]
    flags = ("--title", "三", "--description", "d", "--session-id", "s")
    assert city.refused("task", "create", *flags, "--body-file", "none.md")[0] == "file_unreadable"
    assert city.refused("task", "create", *flags, "--body-file", "-", stdin=b"\xff\xfe")[0] == "input_not_utf8"
    assert city.refused("task", "create", *flags, "--body-file", "-", stdin=b"a" * 300_000)[0] == "file_large"


def test_a_body_that_begins_with_a_hyphen_is_a_body(city):
    city.create("列表", body="- 第一条\n- 第二条")
    assert city("task", "show", "列表").data["body"] == "- 第一条\n- 第二条"


def test_a_script_needs_a_body(city):
    """D-4.6."""
    flags = ("--title", "t", "--description", "d", "--session-id", "s", "--kind", "script")
    assert city.refused("task", "create", *flags)[0] == "document_script_empty"
    city.create("清点", kind="script", body="echo 1")
    assert city.refused("task", "update", "清点", "--clear-body")[0] == "document_script_empty"


def test_enable_disable_and_status_say_what_follows(city):
    city.create("周会", when=MONDAYS)
    assert city("task", "disable", "周会").data["nextRuns"] == []
    assert city("task", "enable", "周会").data["nextRuns"][0] == "2026-10-19T09:00:00+08:00"
    assert city("task", "status", "周会", "paused").data["status"] == "paused"
    assert len(city("task", "next", "周会").data["nextRuns"]) == 5
    assert "没有启用" in city("task", "next", "周会", "--json", "false").lines[0]
    assert [each["title"] for each in city("task", "list", "--status", "paused").data["tasks"]] == ["周会"]
    assert city("task", "list", "--status", "enabled").data["tasks"] == []
    assert city.refused("task", "status", "周会", "stopped")[0] == "choice_unknown"


def test_validate_lists_what_is_worth_a_warning_with_its_line(city):
    city.create("晨报", body="# 任务目标\n\n- 看一下\n")
    found = city("task", "validate", "晨报").data
    assert found["usable"] is True
    assert "goal_vague" in [each["code"] for each in found["findings"]]
    assert city("task", "validate", "晨报", "--json", "false").lines[1].startswith("第 ")


def test_validate_reads_a_file_that_is_no_task_yet(city):
    good = "---\ntitle: t\nwhen: '@daily'\ndescription: d\nsessionId: s\n---\n\n# 任务目标\n"
    assert city("task", "validate", "--file", "-", stdin=good.encode()).data["title"] == "t"
    code, line = city.refused("task", "validate", "--file", "-", stdin=good.replace("@daily", "@dayly").encode())
    assert ("第 3 行" in line, "@daily" in line) == (True, True), (code, line)
    assert city.refused("task", "validate", code=2)[0] == "city_validate"
    assert list(city.project.iterdir()) == []


def test_delete_takes_the_task_and_its_runs_away(city):
    city.create("清点", kind="script", body="echo 1")
    run = city("task", "run", "清点").data["executionId"]
    assert city("task", "delete", "清点").data["cancelled"] == [run]
    assert not city.file("清点").exists()
    assert city("task", "list").data["tasks"] == []


def test_a_run_is_cancelled_by_its_id_or_by_the_title(city):
    city.create("清点", kind="script", body="echo 1")
    assert city.refused("task", "cancel", "清点")[0] == "city_not_running"
    first = city("task", "run", "清点").data["executionId"]
    second = city("task", "run", "清点", "--queue").data["executionId"]
    assert [run["status"] for run in city("task", "cancel", second).data["runs"]] == ["cancelled"]
    assert [run["executionId"] for run in city("task", "cancel", "清点").data["runs"]] == [first]
    city.ring()
    assert {run["status"] for run in city("task", "runs", "清点").data["runs"]} == {"cancelled"}
    assert city("task", "cancel", first).data["message"] == f"已取消 {first}。"
    assert city.refused("task", "cancel", "20200101-000000-000")[0] == "document_run_unknown"


def test_a_run_of_another_task_is_not_shown_as_this_ones(city):
    city.create("甲", kind="script", body="echo 1")
    city.create("乙", kind="script", body="echo 1")
    run = city("task", "run", "甲").data["executionId"]
    assert city.refused("task", "show", "乙", "--run", run)[0] == "city_run_elsewhere"
    assert city.refused("task", "show", "乙", "--run", "last")[0] == "city_never_ran"
    assert city.refused("task", "show", "甲", "--run", run, "--artifact", "../task.md")[0] == "artifact_unreadable"


def test_the_end_of_a_long_log_is_shown(city):
    city.create("数数", kind="script", body="seq 1 5000")
    run = city("task", "run", "数数").data["executionId"]
    city.ring()
    log = city("task", "logs", run, "--lines", "3").data["logs"][0]
    assert (log["lines"], log["cut"]) == (["4998", "4999", "5000"], True)


def test_people_read_lines(city):
    city.create("周会", when=MONDAYS)
    assert city("task", "list", "--json", "false").lines[0].split("  ")[0] == "周会"
    text = city("task", "show", "周会", "--json=false").out
    assert all(part in text for part in ("「周会」启用", "会话：tg-1", "每周一 09:00", "接下来：2026-10-19 周一"))
    done = city("task", "run", "没有", "--json", "false")
    assert (done.code, done.out) == (1, "")
    assert done.err.count("\n") == 1


def test_the_json_is_indented_and_has_characters_as_they_are(city):
    city.create("晨报")
    text = city("task", "list").out
    assert '\n  "data": {' in text
    assert "晨报" in text
    assert json.loads(text)["data"]["tasks"][0]["title"] == "晨报"
