"""The board over HTTP (taskloop §2.7, §8 B1–B7)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.faces.http.goals.conftest import data_of, refused, report
from tests.faces.http.goals.scripts import endless, lonely

from zhixing.goals.running.scripted import ScriptedBoard


@pytest.fixture
def house(furnish):
    return furnish(lonely("a"))


def waiting(house: Any, **config: Any) -> str:
    """Return a goal for which somebody outside is looked for."""
    task_id = house.execute(MAX_DEPTH=1, **config)
    house.run()
    assert house.get(f"/dashboard?task_id={task_id}")["extend_props"]["bbs_mode"]
    return str(task_id)


def claim(house: Any, task_id: str, bot: str) -> Any:
    return house.asked("POST", "/bbs/claim", {"task_id": task_id, "bot_id": bot}, by=bot)


def node_of(task_id: str, bot: str, **members: Any) -> dict[str, Any]:
    spec = {
        "metadata": {"task_id": "label", "title": "接力", "instruction": "做完剩下的"},
        "context": {},
        "goal": {"objective": "剩下的", "acceptances": [{"id": "ac1", "description": "完整"}]},
    }
    return {"task_id": task_id, "parent_node_id": task_id, "task_spec": spec, "bot_id": bot, **members}


def attach(house: Any, task_id: str, bot: str, **what: Any) -> Any:
    return house.asked("POST", "/bbs/attach", node_of(task_id, bot), by=bot, **what)


def result(house: Any, task_id: str, node_id: str, bot: str, **members: Any) -> Any:
    body = {"task_id": task_id, "node_id": node_id, "bot_id": bot, **members}
    return house.asked("POST", "/bbs/result", body, by=bot)


PASSED = {"acceptance_result": {"verdict": "PASS", "acceptances_metric": [], "gaps": []}, "output_patch": {"text": "x"}}
FAILED = {"acceptance_result": {"verdict": "FAIL", "gaps": ["没有数据"]}, "output_patch": {"text": "half"}}


def test_b1_one_bot_alone_gets_the_rest_and_keeps_it(house) -> None:
    """L-5.10."""
    task_id = waiting(house)
    assert data_of(claim(house, task_id, "r1")) == {"root_node_id": task_id, "task_id": task_id}
    assert refused(claim(house, task_id, "r2"), 409)["message"] == "Illegal state transition"
    assert data_of(claim(house, task_id, "r1"))["task_id"] == task_id
    assert house.node(task_id, task_id)["run_info"]["extend_props"]["bbs_owner"] == "r1"


def test_b1_of_many_claims_at_once_one_wins(house) -> None:
    task_id = waiting(house)
    answers = house.at_once("POST", "/bbs/claim", [{"task_id": task_id, "bot_id": f"r{n}"} for n in range(10)])
    assert sorted(each.status_code for each in answers) == [200, *[409] * 9]


def test_b1_only_a_goal_that_looks_for_somebody_can_be_claimed(furnish) -> None:
    house = furnish(lonely(), endless())
    refused(claim(house, "none", "r1"), 404)
    task_id = house.execute()
    assert refused(claim(house, task_id, "r1"), 409)["error"] == "goal_reply_not_bbs_mode"


def test_b2_after_a_failure_the_next_bot_gets_a_node_of_its_own(house) -> None:
    task_id = waiting(house)
    claim(house, task_id, "r1")
    first = data_of(attach(house, task_id, "r1"))["node_id"]
    assert first.startswith("bbs-")
    node = house.node(task_id, first)
    assert (node["status"], node["run_info"]["run_mode"], node["run_info"]["assignee"]) == ("EXECUTING", "bbs", "r1")
    assert data_of(result(house, task_id, first, "r1", **FAILED)) == {"ok": True}
    assert house.node(task_id, first)["status"] == "FAILED"
    assert data_of(claim(house, task_id, "r2"))
    second = data_of(attach(house, task_id, "r2"))["node_id"]
    assert second != first
    assert house.get(f"/dashboard?task_id={task_id}")["extend_props"]["bbs_relay_count"] == 2
    assert data_of(result(house, task_id, second, "r2", **PASSED)) == {"ok": True}
    house.run()
    assert house.get(f"/dashboard?task_id={task_id}")["status"] == "DONE"


def test_b3_a_relay_that_is_not_heard_of_loses_the_rest_to_another(house) -> None:
    task_id = waiting(house)
    claim(house, task_id, "r1")
    node_id = data_of(attach(house, task_id, "r1"))["node_id"]
    house.run(timedelta(seconds=601))
    node = house.node(task_id, node_id)
    assert (node["status"], node["run_info"]["acceptance_result"]["gaps"]) == ("FAILED", ["bbs_lease_expired"])
    assert "bbs_owner" not in house.node(task_id, task_id)["run_info"]["extend_props"]
    refused(result(house, task_id, node_id, "r1", **PASSED), 409)
    assert data_of(claim(house, task_id, "r2"))
    second = data_of(attach(house, task_id, "r2"))["node_id"]
    data_of(result(house, task_id, second, "r2", **PASSED))
    house.run()
    assert house.get(f"/dashboard?task_id={task_id}")["status"] == "DONE"


def test_b4_a_goal_that_hangs_as_a_whole_takes_no_more_nodes(house) -> None:
    task_id = house.execute(MAX_DEPTH=1, MAX_LOOP=1)
    house.run()
    board = house.get(f"/dashboard?task_id={task_id}")
    assert (board["status"], board["extend_props"]["hung_reason"]) == ("REVIEWING", "loop_exhausted")
    assert data_of(claim(house, task_id, "r1"))
    refused(attach(house, task_id, "r1"), 409)
    assert len(house.get(f"/dashboard?task_id={task_id}")["tasks"]) == len(board["tasks"])


def test_b5_who_does_not_hold_the_rest_can_neither_add_nor_end_anything(house) -> None:
    task_id = waiting(house)
    claim(house, task_id, "r1")
    assert refused(attach(house, task_id, "r2"), 409)["error"] == "goal_reply_not_owner"
    node_id = data_of(attach(house, task_id, "r1"))["node_id"]
    refused(result(house, task_id, node_id, "r2", **PASSED), 409)
    for other in (task_id, "a"):
        refused(result(house, task_id, other, "r1", **PASSED), 409)
    refused(result(house, task_id, "none", "r1", **PASSED), 404)
    assert house.node(task_id, node_id)["status"] == "EXECUTING"
    refused(house.asked("POST", "/callback/report", report(task_id, node_id, success=True), by="r1"), 409)


def test_b6_the_depth_of_relays_has_an_end(house) -> None:
    task_id = waiting(house, BBS_MAX_DEPTH=1)
    claim(house, task_id, "r1")
    first = data_of(attach(house, task_id, "r1"))["node_id"]
    data_of(result(house, task_id, first, "r1", **FAILED))
    data_of(claim(house, task_id, "r2"))
    assert refused(attach(house, task_id, "r2"), 409)["error"] == "goal_reply_bbs_relay_exhausted"
    board = house.get(f"/dashboard?task_id={task_id}")
    assert (board["status"], board["extend_props"]["hung_reason"]) == ("REVIEWING", "bbs_relay_exhausted")


def test_b7_the_highest_bid_owns_the_rest_and_is_told_what_it_needs(furnish) -> None:
    board = ScriptedBoard({"weak": 50, "strong": 90, "middling": 70})
    house = furnish(lonely("a"), None, board)
    task_id = waiting(house)
    assert house.node(task_id, task_id)["run_info"]["extend_props"]["bbs_owner"] == "strong"
    (told,) = board.told
    assert told.bot_id == "strong"
    for needed in (task_id, "https://goals.example", "strong"):
        assert needed in told.prompt
    refused(claim(house, task_id, "weak"), 409)
    assert data_of(attach(house, task_id, "strong"))


def test_an_attach_whose_answer_was_lost_can_be_sent_again(house) -> None:
    task_id = waiting(house)
    claim(house, task_id, "r1")
    node_ids = {data_of(attach(house, task_id, "r1"))["node_id"] for _ in range(3)}
    assert len(node_ids) == 1
    assert house.get(f"/dashboard?task_id={task_id}")["extend_props"]["bbs_relay_count"] == 1
    other = attach(house, task_id, "r1", headers={"Idempotency-Key": "other"})
    assert refused(other, 409)["error"] == "goal_reply_one_at_a_time"


def test_a_result_that_was_sent_twice_counts_once(house) -> None:
    task_id = waiting(house)
    claim(house, task_id, "r1")
    node_id = data_of(attach(house, task_id, "r1"))["node_id"]
    answers = [result(house, task_id, node_id, "r1", **FAILED) for _ in range(20)]
    assert [each.json()["message"] for each in answers] == ["OK", *["idempotent"] * 19]


def test_a_bot_speaks_in_its_own_name_alone(house) -> None:
    task_id = waiting(house)
    for path, body in (
        ("/bbs/claim", {"task_id": task_id, "bot_id": "r2"}),
        ("/bbs/attach", node_of(task_id, "r2")),
        ("/bbs/result", {"task_id": task_id, "node_id": "a", "bot_id": "r2", **PASSED}),
    ):
        assert refused(house.asked("POST", path, body, by="r1"), 403)["error"] == "goal_bot_other"
    assert data_of(house.asked("POST", "/bbs/claim", {"task_id": task_id, "bot_id": "r2"}))


def test_what_a_relay_sends_wrong_is_named_and_changes_nothing(house) -> None:
    task_id = waiting(house)
    claim(house, task_id, "r1")
    for members, name in (
        ({"task_spec": {"metadata": {"title": "接力"}}}, "task_spec.goal.objective"),
        ({"task_spec": {"goal": {"objective": "x", "acceptances": [{"id": "1"}]}}}, "acceptances[0].acceptance"),
        ({"task_spec": []}, "task_spec"),
        ({"parent_node_id": ""}, "parent_node_id"),
        ({"bot_id": 7}, "bot_id"),
    ):
        answer = house.asked("POST", "/bbs/attach", node_of(task_id, "r1", **members))
        assert name in refused(answer, 422)["detail"]
    refused(house.asked("POST", "/bbs/attach", node_of(task_id, "r1", parent_node_id="none")), 404)
    refused(house.asked("POST", "/bbs/attach", node_of(task_id, "r1", parent_node_id="a")), 409)
    node_id = data_of(attach(house, task_id, "r1"))["node_id"]
    for members in (
        {},
        {"acceptance_result": {"verdict": "FAIL"}},
        {"acceptance_result": {"verdict": "MAYBE", "gaps": ["x"]}},
        {"acceptance_result": {"verdict": "PASS", "acceptances_metric": [{"ac_id": "ac1", "passed": False}]}},
        {"acceptance_result": {"verdict": "PASS", "acceptances_metric": [{"ac_id": "ac1", "passed": "yes"}]}},
        {"acceptance_result": {"verdict": "FAIL", "gaps": [7]}},
        {"acceptance_result": {"verdict": "PASS"}, "output_patch": [1]},
    ):
        refused(result(house, task_id, node_id, "r1", **members), 422)
    assert house.node(task_id, node_id)["status"] == "EXECUTING"
    data_of(result(house, task_id, node_id, "r1", exec_error="断线"))


def test_a_goal_that_ended_is_no_business_of_bots_that_did_nothing_for_it(house) -> None:
    task_id = waiting(house)
    data_of(claim(house, task_id, "r1"))
    data_of(attach(house, task_id, "r1"))
    assert house.get(f"/dashboard?task_id={task_id}", by="r2")["task_id"] == task_id
    house.post("/cancel", {"task_id": task_id})
    refused(house.asked("GET", f"/dashboard?task_id={task_id}", by="r2"), 404)
    assert house.get("/list", by="r2") == house.get("/list?status=CANCELLED", by="r2") == []
    assert house.get("/bbs/list", by="r2") == []
    assert house.get(f"/dashboard?task_id={task_id}", by="r1")["status"] == "CANCELLED"


def test_relay_bots_find_what_they_can_do_and_what_was_done(house) -> None:
    task_id = waiting(house)
    # This one was only just handed in.
    house.execute()
    assert [each["task_id"] for each in house.get("/list", by="r1")] == [task_id]
    assert house.get("/list?page=1&page_size=5", by="r1")["total"] == 1
    claim(house, task_id, "r1")
    node_id = data_of(attach(house, task_id, "r1"))["node_id"]
    (item,) = house.get("/bbs/list", by="r1")
    assert (item["task_id"], item["node_id"], item["status"], item["bbs_owner"]) == (
        task_id,
        node_id,
        "EXECUTING",
        "r1",
    )
    for query, total in (("&status=RUNNING", 1), ("&status=DONE", 0), ("&search_word=接力", 1), ("&search_word=x", 0)):
        assert house.get(f"/bbs/list?page=1&page_size=10{query}")["total"] == total, query
    refused(house.asked("GET", "/bbs/list?page=1"), 400)
    refused(house.asked("GET", "/bbs/list?status=x"), 400)
