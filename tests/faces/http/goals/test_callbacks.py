"""What executors say over HTTP: taken once, in every shape, and only from who may say it (taskloop §2.6, §8 H4–H6)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.faces.http.goals.conftest import data_of, refused, report, request
from tests.faces.http.goals.scripts import endless, owner

from zhixing.goals.running.ports import Arrived
from zhixing.goals.running.scripted import planned


@pytest.fixture
def house(furnish):
    return furnish(owner("a", "b", a=[planned("a2")]), endless("a", "b", "a2"))


@pytest.fixture
def task(house) -> str:
    task_id = house.execute()
    house.run()
    return task_id


def working(furnish: Any, count: int) -> tuple[Any, str]:
    """Return a home with a goal, at so many leaves of which somebody works."""
    names = [f"n{at}" for at in range(count)]
    house = furnish(owner(*names), endless(*names))
    task_id = house.execute()
    house.run()
    return house, task_id


def versions(house: Any) -> list[Any]:
    with house.store.read() as tx:
        return tx.rows("SELECT task_id, version FROM goals")


def test_h4_a_report_ends_its_leaf(house, task) -> None:
    """L-4.10."""
    answer = house.asked("POST", "/callback/report", report(task, "a", success=True, data={"result": "成稿"}, gaps=[]))
    assert data_of(answer) == {"ok": True}
    node = house.node(task, "a")
    assert (node["status"], node["run_info"]["output"]) == ("DONE", "成稿")
    assert node["run_info"]["acceptance_result"]["verdict"] == "PASS"


def test_h5_what_is_no_report_is_refused_and_changes_nothing(house, task) -> None:
    before = versions(house)
    for body in (
        {},
        {"loop_task_id": f"{task}::a"},
        {"loop_task_id": f"{task}::a", "result": ["x"]},
        {"loop_task_id": 7, "result": {}},
        {"success": True},
        {"task_id": task, "node_id": "a", "status": 7},
        {"task_id": task, "node_id": "a", "status": "DONE", "acceptance_result": "PASS"},
    ):
        refused(house.asked("POST", "/callback/report", body), 422)
    for body in (
        {"loop_task_id": "no-node", "result": {"success": True}},
        {"loop_task_id": f"{task}::", "result": {"success": True}},
        {"loop_task_id": f"{task}::a", "task_id": "other", "result": {"success": True}},
        {"loop_task_id": f"{task}::a", "node_id": "b", "result": {"success": True}},
    ):
        assert refused(house.asked("POST", "/callback/report", body), 400)["message"] == "Bad request"
    refused(house.asked("POST", "/callback/report", report("none", "a", success=True)), 404)
    refused(house.asked("POST", "/callback/report", report(task, "none", success=True)), 404)
    refused(house.asked("POST", "/callback/report", report(task, task, success=True)), 409)
    refused(house.stranger()("POST", "/api/v1/collaboration/tasks/callback/report", json=report(task, "a")), 401)
    assert versions(house) == before


def test_h6_a_flood_of_the_same_report_is_one_transition(house, task) -> None:
    body = report(task, "a", success=True, data="x", gaps=[])
    assert house.asked("POST", "/callback/report", body).json()["message"] == "OK"
    after = versions(house)
    for _ in range(40):
        answer = house.asked("POST", "/callback/report", dict(reversed(body.items())))
        assert (data_of(answer), answer.json()["message"]) == ({"ok": True}, "idempotent")
    assert versions(house) == after


def test_h6_of_the_same_reports_at_once_one_is_applied(house, task) -> None:
    before = versions(house)
    answers = house.at_once("POST", "/callback/report", [report(task, "a", success=True, data="x")] * 12)
    assert sorted(each.json()["message"] for each in answers) == ["OK", *["idempotent"] * 11]
    assert versions(house) == [(task, before[0][1] + 1)]


def test_h6_one_event_id_counts_once_whatever_else_is_said(house, task) -> None:
    first = report(task, "a", success=True, data="x", _ext_info={"event_id": "e1"})
    again = {**report(task, "a", success=False, gaps=["y"]), "event_id": "e1"}
    house.post("/callback/report", first)
    assert house.asked("POST", "/callback/report", again).json()["message"] == "idempotent"
    assert house.node(task, "a")["status"] == "DONE"


def test_a_result_that_contradicts_an_ended_leaf_is_kept_and_never_applied(house, task) -> None:
    house.post("/callback/report", report(task, "a", success=True, data="x"))
    answer = house.asked("POST", "/callback/report", report(task, "a", success=False, gaps=["y"]))
    assert (answer.status_code, answer.json()["message"]) == (200, "recorded")
    node = house.node(task, "a")
    assert (node["status"], node["run_info"]["extend_props"]["late_results"]) == ("DONE", 1)


RESULTS = [
    ({"success": False, "gaps": ["没有数据"]}, "没有数据", ""),
    ({"success": False, "gaps": [], "fail_detail": "没有数据"}, "没有数据", ""),
    ({"exec_error": "崩溃", "success": True}, None, "崩溃"),
    ({"success": "true"}, None, "terminal_result_invalid"),
    ({"success": 1}, None, "terminal_result_invalid"),
    ({"success": False, "gaps": []}, None, "terminal_result_invalid"),
    ({}, None, "terminal_result_invalid"),
    (None, None, "terminal_result_invalid"),
    ("", None, "terminal_result_invalid"),
    ("写完了", None, "terminal_result_invalid"),
    ('好了：{"success": false, "gaps": ["没有数据"]}', "没有数据", ""),
]


def test_a_result_means_what_the_contract_says_and_is_never_a_pass_by_default(furnish) -> None:
    house, task_id = working(furnish, len(RESULTS))
    for at, (result, gap, error) in enumerate(RESULTS):
        house.post("/callback/report", {"loop_task_id": f"{task_id}::n{at}", "result": result})
        run = house.node(task_id, f"n{at}")["run_info"]
        gaps = (run["acceptance_result"] or {}).get("gaps", [])
        assert (gaps, run["extend_props"].get("last_exec_error", "")) == ([gap] if gap else [], error), result


SHAPES = [
    ("report", {"workflow_source": "w", "status": "COMPLETED", "is_success": True, "output": "x"}, "DONE"),
    ("report", {"workflow_source": "w", "status": "RUNNING"}, "EXECUTING"),
    ("report", {"status": "DONE", "output": "x", "acceptance_result": {"verdict": "PASS", "gaps": []}}, "DONE"),
    ("report", {"status": "SUCCESS", "output": "x", "acceptance_result": None, "extend_props": {}}, "DONE"),
    ("report", {"status": "RUNNING"}, "EXECUTING"),
    ("node_start", {}, "EXECUTING"),
    ("node_result", {"is_success": True, "output": "x"}, "DONE"),
    ("node_result", {"result": {"success": True, "data": "x"}}, "DONE"),
]


def test_reports_of_a_node_come_in_every_known_shape(furnish) -> None:
    house, task_id = working(furnish, len(SHAPES))
    for at, (path, body, status) in enumerate(SHAPES):
        house.post(f"/callback/{path}", {"task_id": task_id, "node_id": f"n{at}", **body})
        assert house.node(task_id, f"n{at}")["status"] == status, body


FAILURES = [
    ({"workflow_source": "w", "is_success": False, "failed_info": "没有数据"}, ["没有数据"]),
    ({"workflow_source": "w", "is_success": False, "failed_info": {"code": 1}}, ['{"code": 1}']),
    ({"status": "FAILED", "acceptance_result": {"verdict": "FAIL", "gaps": ["没有数据"]}}, ["没有数据"]),
    ({"status": "FAILED", "extend_props": {"fail_detail": "没有数据"}}, ["没有数据"]),
]


def test_failures_come_in_every_known_shape(furnish) -> None:
    house, task_id = working(furnish, len(FAILURES))
    for at, (body, gaps) in enumerate(FAILURES):
        house.post("/callback/report", {"loop_task_id": f"{task_id}::n{at}", **body})
        assert house.node(task_id, f"n{at}")["run_info"]["acceptance_result"]["gaps"] == gaps


def test_a_goal_that_another_system_drives_ends_as_that_says(furnish) -> None:
    house = furnish(owner("a"), endless())
    house.ports.deliverer.results = {}
    for is_success, status in ((True, "DONE"), (False, "FAILED")):
        task_id = house.post("/execute", request(execution_config={"task_type": "workflow", "workflow_id": "w"}))[
            "task_id"
        ]
        house.post("/callback/workflow_start", {"task_id": task_id})
        house.post("/callback/workflow_result", {"task_id": task_id, "is_success": is_success, "failed_info": "坏了"})
        assert house.get(f"/dashboard?task_id={task_id}")["status"] == status
        refused(house.asked("POST", "/callback/workflow_start", {"task_id": task_id}), 409)


def test_a_start_says_nothing_new_of_what_runs_and_is_refused_after_its_end(house, task) -> None:
    body = {"loop_task_id": f"{task}::a"}
    assert house.asked("POST", "/callback/node_start", body).json()["message"] == "idempotent"
    house.post("/callback/report", report(task, "a", success=True, data="x"))
    refused(house.asked("POST", "/callback/node_start", body), 409)
    refused(house.asked("POST", "/callback/node_start", {}), 400)


class InSessions:
    """Executors whose runs have sessions."""

    def __init__(self) -> None:
        self.scripted = endless("a", "b")

    def deliver(self, delivery: Any) -> Arrived:
        arrived = self.scripted.deliver(delivery)
        return Arrived(run_id=arrived.run_id, session_id=f's_%"{delivery.node_id}')

    def __getattr__(self, name: str) -> Any:
        return getattr(self.scripted, name)


def event(kind: str, session_id: str, **data: Any) -> dict[str, Any]:
    return {"event_type": f"session.{kind}", "scope": {"session_id": session_id}, "data": data}


def test_an_event_finds_its_leaf_by_the_session(furnish) -> None:
    house = furnish(owner("a", "b"), InSessions())
    task_id = house.execute()
    house.run()
    done = event("completed", 's_%"a', output='{"success": true, "data": "x", "gaps": []}')
    house.post("/callback/report", done)
    assert house.node(task_id, "a")["status"] == "DONE"
    assert house.asked("POST", "/callback/report", done).json()["message"] == "recorded"
    house.post("/callback/report", event("completed", 's_%"b'))
    assert house.node(task_id, "b")["status"] == "EXECUTING"
    house.post("/callback/report", event("failed", 's_%"b', error_message="断线"))
    assert house.node(task_id, "b")["run_info"]["extend_props"]["last_exec_error"] == "断线"


@pytest.mark.usefixtures("task")
def test_what_belongs_to_nothing_is_acknowledged_and_kept_once(house) -> None:
    before = versions(house)
    for body in (
        {"workflow_id": "w", "workflow_run_id": "r", "status": "COMPLETED"},
        event("completed", "unknown", output="x"),
        event("progress", "unknown"),
        {"event_type": "x", "data": []},
    ):
        for _ in range(3):
            answer = house.asked("POST", "/callback/report", body)
            assert (data_of(answer), answer.json()["message"]) == ({"ok": True}, "recorded")
    kept = house.room.callbacks.kept()
    assert [each.times for each in kept] == [3, 3, 3, 3]
    assert versions(house) == before


# Bots with tokens of their own


def test_a_bot_reports_for_its_own_leaf_alone(house, task) -> None:
    body = report(task, "a", success=True, data="forged")
    before = versions(house)
    for other in ("bot-b", "owner"):
        answer = house.asked("POST", "/callback/report", body, by=other)
        assert refused(answer, 403)["error"] == "goal_reply_not_the_reporter"
        refused(house.asked("POST", "/callback/node_start", {"loop_task_id": f"{task}::a"}, by=other), 403)
    assert versions(house) == before
    house.post("/callback/report", body, by="bot-a")
    assert house.node(task, "a")["status"] == "DONE"
    assert house.asked("POST", "/callback/report", body, by="bot-a").json()["message"] == "idempotent"
    refused(house.asked("POST", "/callback/report", body, by="bot-b"), 403)
    refused(house.asked("POST", "/callback/report", report(task, "none", success=True), by="bot-a"), 404)


def test_the_reporter_alone_reports_for_a_group_that_existed_before(furnish) -> None:
    group = '{"outcome": "HIT_GROUP", "group_id": "group-g"}'
    house = furnish(owner("a", searches={"a": [group]}), endless("a"))
    task_id = house.execute()
    house.run()
    assert house.node(task_id, "a")["run_info"]["assignee"] == "group-g"
    refused(house.asked("POST", "/callback/report", report(task_id, "a", success=True), by="stray"), 404)
    refused(house.asked("POST", "/callback/report", report(task_id, "a", success=True, data="x"), by="bot-g"), 403)
    house.post("/callback/report", report(task_id, "a", success=True, data="x"), by="bot-a")
    assert house.node(task_id, "a")["status"] == "DONE"


def test_a_bot_learns_nothing_of_goals_that_are_not_its_business(house, task) -> None:
    for path in (f"/dashboard?task_id={task}", f"/dashboard?task_id={task}&node_id=a"):
        refused(house.asked("GET", path, by="stray"), 404)
        house.get(path, by="bot-a")
        house.get(path, by="owner")
    refused(house.asked("POST", "/callback/report", report(task, "a", success=True), by="stray"), 404)
    assert house.get("/list", by="bot-a") == []
    assert house.get("/bbs/list", by="bot-a") == []


CLOSED = [
    *(("POST", path) for path in ("/execute", "/cancel", "/retry", "/resolve", "/budget", "/bbs/list", "/list")),
    *(("GET", "/bots"), ("DELETE", "/list"), ("GET", "/nothing"), ("GET", "/callback/report"), ("PUT", "/bbs/claim")),
]


def test_the_token_of_a_bot_opens_a_few_doors_and_no_others(house, task) -> None:
    for method, path in CLOSED:
        body = None if method == "GET" else {"task_id": task}
        assert refused(house.asked(method, path, body, by="bot-a"), 403)["error"] == "goal_bot_door", path
    for path in ("/api/v1/tasks", "/api/v1/say", "/api/v1/openapi.json", "/api/v1/collaboration/tasksx"):
        answer = house.bot("bot-a")("GET", path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "token_wrong")


def test_a_token_that_was_taken_back_or_replaced_opens_nothing(house) -> None:
    client = house.bot("bot-a")
    path = "/api/v1/collaboration/tasks/list"
    assert client("GET", path).status_code == 200
    house.room.tokens.issue("bot-a")
    refused(client("GET", path), 401)
    house.room.tokens.revoke("bot-a")
    assert house.room.tokens.listed() == ()


def test_a_late_report_of_an_attempt_that_was_replaced_is_not_taken_for_the_new_one(furnish) -> None:
    house = furnish(owner("a"), endless("a"))
    task_id = house.execute(SLA_TIMEOUT=60)
    house.run()
    house.run(timedelta(seconds=61))
    house.run()
    assert house.node(task_id, "a")["run_info"]["extend_props"]["attempt"] == 2
    house.post("/callback/report", report(task_id, "a", success=True, data="x"), by="bot-a")
    assert house.node(task_id, "a")["status"] == "DONE"
