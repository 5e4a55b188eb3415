"""Household tasks over HTTP: made, looked at, stopped, changed back, ended; with their rules, jobs and runs."""

from __future__ import annotations

from datetime import timedelta

import pytest

API = "/api/v1"
TASKS = f"{API}/household/tasks"
JSON = {"Content-Type": "application/json"}
MORNING = {
    "name": "早报",
    "schedule": {"kind": "cron", "expr": "0 8 * * *", "tz": "Asia/Shanghai"},
    "message": "提醒看早报",
}


@pytest.fixture
def apply(client, plan_of):
    """Make a task from its plan; give what is told of it."""
    return lambda name: client.post(TASKS, plan_of(name))


@pytest.fixture
def see(client, clock):
    """Let a camera say something of a condition, at the instant it is."""

    def seen(condition: str, value: object, **more: object):
        said = {"source": "cam_kids", "condition": condition, "value": value, "at": clock.now().isoformat(), **more}
        return client.post(f"{API}/perception/verdicts", said)

    return seen


def test_a_plan_becomes_a_task_with_all_of_its_parts(client, apply) -> None:
    made = apply("drink_8_daily")
    assert (made["id"], made["slug"], made["way"], made["status"]) == ("t1", "drink_8_daily", "household", "active")
    (rule,), (job,) = made["rules"], made["cron"]
    assert (rule["id"], rule["enabled"], rule["rule"]["action_descriptions"][0][:5]) == ("r1", True, "喝水次数加")
    assert (job["task"], job["words"], job["next"][0]) == (
        "drink_8_daily",
        "每天 12:00、18:00",
        "2026-10-12T12:00:00+08:00",
    )
    assert made["record"]["derived"]["remaining"] == 8
    assert made["next"] == "2026-10-12T12:00:00+08:00"
    assert client.get(f"{TASKS}/drink_8_daily") == client.get(f"{TASKS}/t1") == made


def test_making_answers_with_201(client, plan_of) -> None:
    assert client("POST", TASKS, json=plan_of("living_room_off")).status_code == 201


def test_tasks_are_listed_newest_first_page_by_page_and_notices_are_not_among_them(client, apply) -> None:
    for name in ("living_room_off", "drink_8_daily", "phone_time_daily"):
        apply(name)
        client.say("明晚九点提醒我交表")
    first = client.get(f"{TASKS}?limit=2")
    assert [task["slug"] for task in first["tasks"]] == ["phone_time_daily", "drink_8_daily"]
    second = client.get(f"{TASKS}?limit=2&before={first['more']}")
    assert ([task["slug"] for task in second["tasks"]], second["more"]) == (["living_room_off"], None)
    assert {task["way"] for task in client.get(f"{API}/tasks")["tasks"]} == {"notice"}


def test_a_pause_stops_everything_at_once_and_again_changes_nothing(client, apply) -> None:
    apply("drink_8_daily")
    paused = client.post(f"{TASKS}/drink_8_daily/disable")
    assert (paused["status"], paused["rules"][0]["stoppedBy"], paused["next"]) == ("paused", "task", None)
    assert client.post(f"{TASKS}/t1/disable")["status"] == "paused"
    assert [task["id"] for task in client.get(f"{TASKS}?status=paused")["tasks"]] == ["t1"]
    going = client.post(f"{TASKS}/t1/enable")
    assert (going["status"], going["rules"][0]["enabled"]) == ("active", True)
    assert client.post(f"{TASKS}/t1/enable")["status"] == "active"


def test_a_rule_is_stopped_by_itself_and_that_is_taken_back(client, apply) -> None:
    apply("living_room_off")
    assert client.post(f"{API}/rules/r1/disable")["stoppedBy"] == "user"
    client.post(f"{TASKS}/living_room_off/disable")
    assert client.post(f"{TASKS}/living_room_off/enable")["rules"][0]["stoppedBy"] == "user"
    assert client.post(f"{TASKS}/living_room_off/undo")["rules"][0]["enabled"] is True
    assert client.post(f"{TASKS}/living_room_off/undo")["rules"][0]["enabled"] is False
    assert client.post(f"{API}/rules/r1/enable")["enabled"] is True
    assert client.get(f"{API}/rules/r1")["words"][1] == "发生时：客厅吸顶灯 on → false"


def test_rules_of_all_tasks_or_of_one(client, apply) -> None:
    apply("living_room_off")
    apply("drink_8_daily")
    assert {rule["task"] for rule in client.get(f"{API}/rules")["rules"]} == {"t1", "t2"}
    assert [rule["id"] for rule in client.get(f"{API}/rules?task=drink_8_daily")["rules"]] == ["r2"]


@pytest.mark.parametrize(
    ("query", "status"), [("", "deleted"), ("?reason=completed", "completed"), ("?reason=expired", "expired")]
)
def test_an_end_has_a_reason_and_what_ended_is_kept(client, apply, query, status) -> None:
    apply("drink_8_daily")
    assert client("DELETE", f"{TASKS}/drink_8_daily{query}").json()["status"] == status
    assert client("DELETE", f"{TASKS}/drink_8_daily").status_code == 404
    assert client.get(f"{TASKS}/drink_8_daily")["status"] == status
    assert client.get(f"{API}/cron")["cron"] == []
    assert client.get(f"{API}/perception/conditions")["conditions"] == []
    assert apply("drink_8_daily")["id"] == "t2"


def test_the_log_has_what_happened_and_the_counts(client, apply, clock, see, pass_time) -> None:
    apply("drink_8_daily")
    clock.advance(timedelta(minutes=2))
    assert see("妈妈举杯喝水", True, event="cup")["fired"] == 1
    pass_time(timedelta(hours=2))
    log = client.get(f"{TASKS}/drink_8_daily/logs")
    assert [(line["rule"], line["job"], line["occurrence"]["state"]) for line in log["lines"]] == [
        (None, "j1", "done"),
        ("r1", None, "done"),
    ]
    assert (log["counts"], log["nearMisses"]) == ({"done": 2}, 0)
    later = client.get(f"{TASKS}/t1/logs?since=2026-10-12T11:00:00%2B08:00&limit=1")
    assert [line["job"] for line in later["lines"]] == ["j1"]
    assert client.get(f"{TASKS}/t1/record")["record"]["current"] == 1


def test_a_cron_job_lives_as_the_cron_tool_has_it(client, pass_time) -> None:
    added = client("POST", f"{API}/cron", json=MORNING)
    assert (added.status_code, added.json()["id"], added.json()["task"]) == (201, "j1", None)
    path = f"{API}/cron/j1"
    assert client.get(path) == added.json()
    assert [job["id"] for job in client.get(f"{API}/cron")["cron"]] == ["j1"]
    assert client("PATCH", path, json={"enabled": False}).json()["next"] == []
    changed = client("PATCH", path, json={"enabled": True, "schedule": {"kind": "every", "everyMs": 60000}}).json()
    assert (changed["words"], changed["name"]) == ("每 1 分钟", "早报")
    assert client.post(f"{path}/run")["part"] == "cron:j1"
    pass_time(timedelta(seconds=61))
    assert len(client.get(f"{path}/runs")["runs"]) == 2
    assert client("DELETE", path).json() == {"id": "j1", "removed": True}
    assert client("GET", path).status_code == 404
    assert len(client.get(f"{path}/runs?limit=1")["runs"]) == 1


def test_a_job_is_hung_on_a_task_as_it_is_made_or_not_made(client, apply) -> None:
    apply("drink_8_daily")
    assert client.post(f"{API}/cron", MORNING | {"task": "drink_8_daily"})["task"] == "drink_8_daily"
    assert client("POST", f"{API}/cron", json=MORNING | {"task": "nobody"}).status_code == 404
    assert len(client.get(f"{API}/cron")["cron"]) == 2


def test_what_needs_judgement_waits_in_sight(client, apply, clock, see, pass_time) -> None:
    apply("wakeup_curtain")
    clock.advance(timedelta(minutes=2))
    see("用户坐起或离床", True, firm=True)
    clock.advance(timedelta(seconds=30))
    see("用户坐起或离床", False, firm=True)
    pass_time(timedelta(seconds=1))
    (run,) = client.get(f"{API}/runs?state=waiting")["runs"]
    assert (run["task"], run["origin"], run["prompt"]["direction"]) == ("t1", "rule", "exit")
    assert client.get(f"{API}/runs/{run['id']}") == run
    assert client.get(f"{API}/runs/{run['id']}/turns") == {"powers": None, "turns": [], "tokens": 0}
    assert client.get(f"{API}/runs?task=wakeup_curtain")["runs"] == [run]
    assert client.get(f"{TASKS}/t1")["runs"] == [run]
    pass_time(timedelta(minutes=6))
    assert client.get(f"{API}/runs/{run['id']}")["state"] == "expired"
    assert client.get(f"{API}/runs?state=waiting")["runs"] == []


def test_a_fault_in_a_plan_leaves_nothing_behind(client, plan_of) -> None:
    plan = plan_of("drink_8_daily")
    plan["schedules"][0]["expr"] = "61 * * * *"
    assert client("POST", TASKS, json=plan).status_code == 400
    plan = plan_of("drink_8_daily")
    plan["rules"].append(plan["rules"][0])
    assert client("POST", TASKS, json=plan).status_code == 400
    assert client.get(TASKS)["tasks"] == []
    assert client.get(f"{API}/cron")["cron"] == []


def test_a_name_is_taken_while_its_task_lives(client, plan_of, apply) -> None:
    apply("living_room_off")
    answer = client("POST", TASKS, json=plan_of("living_room_off"))
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "household_task_exists")


@pytest.mark.parametrize("path", ["done", "restore", "answer", "retry", "reminders", "skip"])
def test_what_is_for_notices_does_not_touch_a_household_task(client, apply, path) -> None:
    made = apply("living_room_off")
    bodies = {
        "answer": {"value": "1"},
        "reminders": {"at": "2026-10-13T10:00:00+08:00"},
        "skip": {"date": "2026-10-13"},
    }
    answer = (
        client("POST", f"{API}/tasks/t1/{path}", json=bodies.get(path))
        if path in bodies
        else client("POST", f"{API}/tasks/t1/{path}")
    )
    assert answer.status_code in (404, 409), answer.text
    assert client.get(f"{TASKS}/t1") == made


def test_a_household_task_is_no_notice_and_a_notice_no_household_task(client, apply) -> None:
    apply("living_room_off")
    client.say("明晚九点提醒我交表")
    assert client("GET", f"{API}/tasks/t1").json()["error"]["code"] == "notice_unknown"
    assert client("GET", f"{TASKS}/t2").json()["error"]["code"] == "household_task_unknown"
    assert client("DELETE", f"{TASKS}/t2").status_code == 404


@pytest.mark.parametrize(
    ("asked", "body", "refused"),
    [
        ("GET household/tasks/nobody", None, (404, "household_task_unknown")),
        ("GET household/tasks/nobody/logs", None, (404, "household_task_unknown")),
        ("GET household/tasks/nobody/record", None, (404, "household_task_unknown")),
        ("POST household/tasks/nobody/disable", None, (404, "household_task_unknown")),
        ("POST household/tasks/nobody/enable", None, (404, "household_task_unknown")),
        ("POST household/tasks/nobody/undo", None, (404, "household_task_unknown")),
        ("DELETE household/tasks/nobody", None, (404, "household_task_unknown")),
        ("DELETE household/tasks/nobody?reason=bored", None, (400, "field_wrong")),
        ("GET household/tasks?limit=0", None, (400, "field_wrong")),
        ("GET household/tasks?status=lost", None, (400, "field_wrong")),
        ("GET household/tasks?before=last", None, (400, "cursor_unreadable")),
        ("GET household/tasks/nobody/logs?limit=501", None, (400, "field_wrong")),
        ("GET household/tasks/nobody/logs?since=soon", None, (400, "instant_unreadable")),
        ("GET household/tasks/nobody/logs?since=2026-10-12T10:00:00", None, (400, "instant_without_offset")),
        ("GET rules/r9", None, (404, "rule_unknown")),
        ("POST rules/r9/disable", None, (404, "rule_unknown")),
        ("GET rules?task=nobody", None, (404, "household_task_unknown")),
        ("GET cron/j9", None, (404, "job_unknown")),
        ("POST cron/j9/run", None, (404, "job_unknown")),
        ("GET cron/j9/runs", None, (404, "job_unknown")),
        ("DELETE cron/j9", None, (404, "job_unknown")),
        ("PATCH cron/j9", b"{}", (400, "job_nothing_to_change")),
        ("PATCH cron/j9", b'{"name": "x"}', (404, "job_unknown")),
        ("GET runs/h9", None, (404, "agent_run_unknown")),
        ("GET runs?state=lost", None, (400, "field_wrong")),
        ("GET runs?task=nobody", None, (404, "household_task_unknown")),
        ("POST household/tasks", b"", (400, "body_missing")),
        ("POST household/tasks", b"{", (400, "body_unreadable")),
        ("POST household/tasks", b'{"task": "\\ud800"}', (400, "body_unreadable")),
        ("POST household/tasks", b"{}", (400, "field_missing")),
        ("POST household/tasks", b'{"task": {"task_id": "A B"}}', (400, "task_slug")),
        ("POST cron", b"[]", (400, None)),
        ("POST cron", b"null", (400, None)),
        ("POST cron", b"{}", (400, "field_missing")),
        ("POST cron", b'{"task": 7}', (400, "field_wrong")),
        (
            "POST cron",
            b'{"name": "n", "message": "m", "schedule": {"kind": "cron", "expr": "@daily"}}',
            (400, "job_zone_missing"),
        ),
        (
            "POST cron",
            b'{"name": "n", "message": "m", "schedule": {"kind": "at", "at": "2026-10-13T10:00:00"}}',
            (400, "instant_without_offset"),
        ),
    ],
)
def test_what_does_not_exist_or_cannot_be_read_is_refused_with_the_reason(client, asked, body, refused) -> None:
    method, path = asked.split(" ", 1)
    answer = client(method, f"{API}/{path}", **({} if body is None else {"content": body, "headers": JSON}))
    status, code = refused
    assert answer.status_code == status, answer.text
    assert code in (None, answer.json()["error"]["code"])
    assert "\n" not in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "change",
    [
        lambda plan: plan["task"].update(description="喝\0水"),
        lambda plan: plan["rules"][0].update(name="喝\0水"),
        lambda plan: plan["rules"][0].update(condition="喝\0水"),
        lambda plan: plan["rules"][0].update(action_desc="喝\0水"),
        lambda plan: plan["schedules"][0].update(message="喝\0水"),
        lambda plan: plan["record"]["content"].update(unit="\0"),
    ],
)
def test_what_no_database_keeps_is_refused(client, plan_of, change) -> None:
    plan = plan_of("drink_8_daily")
    change(plan)
    answer = client("POST", TASKS, json=plan)
    assert answer.status_code == 400, answer.text
    assert client.get(TASKS)["tasks"] == []
