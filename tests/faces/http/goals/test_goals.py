"""Goals over HTTP: handed in, looked at, listed; in the one shape, whatever goes wrong (taskloop §2, §8 H1–H3)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.faces.http.conftest import TOKEN
from tests.faces.http.goals.conftest import PREFIX, SECRET, data_of, refused, report, request
from tests.faces.http.goals.scripts import endless, lonely, owner

from zhixing.goals.running.scripted import failed

LARGE = 2_000_000


@pytest.fixture
def house(furnish):
    return furnish(owner("a", "b"), endless("a", "b"))


def test_h1_a_goal_that_is_taken_can_be_looked_at(house) -> None:
    """L-1.35."""
    data = house.post("/execute", request())
    assert set(data) == {"task_id", "success", "run_id", "status", "message", "extend_props"}
    assert (data["success"], data["status"], data["message"]) == (True, "EXECUTING", None)
    assert data["run_id"] > 0
    assert house.get(f"/dashboard?task_id={data['task_id']}")["run_id"] == data["run_id"]


def test_h1_the_id_of_a_goal_is_the_servers(house) -> None:
    assert house.post("/execute", request(task_id="mine"))["task_id"] != "mine"


def test_h2_goals_are_listed_with_all_that_is_known_of_them(house) -> None:
    config = {"task_type": "dynamic", "MAX_DEPTH": 1, "panel_component_name": "p"}
    first, second = house.execute(**config), house.execute()
    newest, oldest = house.get("/list")
    assert {newest["task_id"], oldest["task_id"]} == {first, second}
    one = next(each for each in (newest, oldest) if each["task_id"] == first)
    assert set(one) == {
        *("id", "task_id", "source_type", "owner_user_id", "owner_user_name", "owner_bot_id", "owner_bot_name"),
        *("execution_config", "task_spec", "status", "bbs_mode", "gmt_create", "gmt_modified"),
    }
    assert (one["execution_config"], one["owner_bot_name"], one["bbs_mode"]) == (config, "负责人", False)
    assert one["task_spec"]["goal"]["acceptances"] == [{"id": "ac1", "description": "完整"}]
    assert one["gmt_create"].endswith("+08:00")


def test_h2_the_newest_goal_comes_first(house) -> None:
    ids = []
    for _ in range(3):
        ids.append(house.execute())
        house.clock.advance(timedelta(milliseconds=5))
    assert [each["task_id"] for each in house.get("/list")] == ids[::-1]


def test_h2_lists_are_filtered_by_owner_and_by_states(house) -> None:
    mine = house.execute()
    house.post("/execute", request(owner_user_id="u2"))
    house.post("/cancel", {"task_id": mine})
    assert [each["task_id"] for each in house.get("/list?user_id=u1")] == [mine]
    assert [each["task_id"] for each in house.get("/list?status=CANCELLED,DONE")] == [mine]
    assert len(house.get("/list?status=RUNNING,CANCELLED")) == 2
    assert house.get("/list?status=PENDING") == []
    assert house.get("/list?user_id=nobody") == []


def test_h2_a_page_has_its_total(house) -> None:
    every = {house.execute() for _ in range(3)}
    pages = [house.get(f"/list?page={page}&page_size=2") for page in (1, 2, 3)]
    assert [page["total"] for page in pages] == [3, 3, 3]
    assert [len(page["items"]) for page in pages] == [2, 1, 0]
    assert {each["task_id"] for page in pages for each in page["items"]} == every


QUERIES = [
    *("page=1", "page_size=10", "page=0&page_size=10", "page=1&page_size=0", "page=1&page_size=101"),
    *("page=x&page_size=1", "page=1&page_size=1.5", "page=99999999999999999999&page_size=1"),
    *("status=NOTHING", "status=RUNNING,NOTHING", "status=,", "status=RUNNING%00", "user_id=a%00b", "user_id=%20"),
    *("status=" + "x" * 300, "user_id=" + "x" * 200),
]


def test_h2_a_query_that_cannot_be_used_is_refused(house) -> None:
    for query in QUERIES:
        refused(house.asked("GET", f"/list?{query}"), 413 if query.startswith("user_id=xx") else 400)


def test_h3_the_dashboard_shows_the_tree_in_states_for_people(house) -> None:
    task_id = house.execute(MAX_DEPTH=1)
    house.run()
    board = house.get(f"/dashboard?task_id={task_id}")
    states = {each["node_id"]: each["status"] for each in board["tasks"]}
    assert states == {task_id: "EXECUTING", "a": "EXECUTING", "b": "EXECUTING"}
    assert [(each["src_id"], each["dst_id"], each["type"]) for each in board["relations"]] == [
        (task_id, "a", "DEPENDENCY"),
        (task_id, "b", "DEPENDENCY"),
    ]
    assert (board["execution_config"], board["execution_graph"]) == ({"MAX_DEPTH": 1}, None)
    assert "execution_config" not in board["extend_props"]
    assert all("action_log" not in each["run_info"] for each in board["tasks"])


def test_h3_the_log_comes_on_request_and_counts_up(house) -> None:
    task_id = house.execute()
    house.run()
    board = house.get(f"/dashboard?task_id={task_id}&include_action_log=true")
    for each in board["tasks"]:
        numbers = [entry["seq"] for entry in each["run_info"]["action_log"]]
        assert numbers == list(range(1, len(numbers) + 1))


def test_h3_a_part_of_the_graph_can_be_asked_for(house) -> None:
    task_id = house.execute()
    house.run()
    board = house.get(f"/dashboard?task_id={task_id}&node_id=a")
    assert [each["node_id"] for each in board["tasks"]] == ["a"]


def test_h3_what_is_not_there_is_not_found(house) -> None:
    for query in ("task_id=nothing", f"task_id={house.execute()}&node_id=nothing"):
        assert refused(house.asked("GET", f"/dashboard?{query}"), 404)["message"] == "Not found"


def test_h3_a_dashboard_needs_an_id_that_can_be_one(house) -> None:
    for query in ("", "task_id=", "task_id=%00", "task_id=a%0ab", "task_id=x&include_action_log=maybe"):
        refused(house.asked("GET", f"/dashboard?{query}"), 400)


@pytest.mark.parametrize("place", ["header", "body"])
def test_the_same_key_again_is_the_same_goal(house, place) -> None:
    def again(**members):
        if place == "header":
            return house.asked("POST", "/execute", request(**members), headers={"Idempotency-Key": "k1"})
        config = {**members.pop("execution_config", {}), "idempotency_key": "k1"}
        return house.asked("POST", "/execute", request(execution_config=config, **members))

    first, second = again(), again()
    assert data_of(first) == data_of(second)
    assert second.json()["message"] == "idempotent"
    for other in ({"source_type": "bot"}, {"execution_config": {"note": "other"}}):
        assert refused(again(**other), 409)["message"] == "Task graph already exists"
    assert len(house.get("/list")) == 1


def test_a_key_means_the_same_in_both_places(house) -> None:
    in_header = house.asked("POST", "/execute", request(execution_config={}), headers={"Idempotency-Key": "k"})
    in_body = house.asked("POST", "/execute", request(execution_config={"idempotency_key": "k"}))
    assert data_of(in_header)["task_id"] == data_of(in_body)["task_id"]
    both = request(execution_config={"idempotency_key": "other"})
    refused(house.asked("POST", "/execute", both, headers={"Idempotency-Key": "k"}), 422)


def test_one_key_at_the_same_time_is_one_goal(house) -> None:
    answers = house.at_once("POST", "/execute", [request(execution_config={"idempotency_key": "k"})] * 10)
    assert len({data_of(each)["task_id"] for each in answers}) == len(house.get("/list")) == 1


def test_without_a_key_the_same_words_are_two_goals(house) -> None:
    assert house.execute() != house.execute()


UNFIT = [
    ({}, 422),
    (request(owner_bot_id=""), 422),
    (request(source_type="mail"), 422),
    (request(execution_config={"task_type": "workflow"}), 422),
    (request(execution_config={"MAX_DEPTH": 0}), 422),
    (request(execution_config={"MAX_LOOP": "3"}), 422),
    (request(owner_user_id="a\x00b"), 422),
    ([], 422),
    (request(owner_user_id="x" * 200), 413),
    (request(execution_config={"note": "x" * 100_000}), 413),
]


def test_a_goal_that_cannot_be_run_is_refused_and_not_kept(house) -> None:
    for body, status in UNFIT:
        refused(house.asked("POST", "/execute", body), status)
    assert house.get("/list") == []


UNREADABLE = [
    (b"", 422),
    (b"{", 422),
    (b"\xff\xfe", 422),
    (b'{"a": "\\ud800x"}', 422),
    (b"[" * 200_000, 422),
    (b'{"a":' + b"[" * 500 + b"]" * 500 + b"}", 413),
    (b'{"a": 1e999}', 422),
    (b'{"a": [' + b"0," * 30_000 + b"0]}", 413),
    (b'"' + b"x" * LARGE + b'"', 413),
]


def test_a_body_that_nobody_can_read_is_refused_in_one_line(house) -> None:
    for path in ("/execute", "/callback/report", "/bbs/claim", "/cancel"):
        for content, status in UNREADABLE:
            answer = house.asked("POST", path, content=content, headers={"Content-Type": "application/json"})
            refused(answer, status)


def test_errors_of_the_door_have_the_same_shape(house) -> None:
    stranger = house.stranger()
    answer = stranger("GET", f"{PREFIX}/list")
    assert refused(answer, 401)["message"] == "Unauthorized"
    assert answer.headers["www-authenticate"] == "Bearer"
    wrong = house.stranger({"Authorization": f"Bearer zxb_{'x' * 43}"})
    refused(wrong("POST", f"{PREFIX}/callback/report", json={}), 401)
    refused(house.client("POST", f"{PREFIX}/cancel", content=b"{}", headers={"Content-Type": "text/plain"}), 415)
    refused(house.asked("GET", "/nothing"), 404)
    refused(house.asked("GET", ""), 404)
    refused(house.asked("GET", "/execute"), 405)
    refused(house.client("GET", f"{PREFIX}/list", headers={"Host": "evil.example"}), 403)


def test_other_paths_keep_their_own_shape(house) -> None:
    for path in (f"{PREFIX}x/list", "/api/v1/collaboration", "/api/v1/nothing"):
        assert house.client("GET", path).json()["error"]["code"] == "route_unknown"


def test_a_request_keeps_the_id_that_came_with_it_when_that_can_be_one(house) -> None:
    for given in ("trace-1", "a" * 128):
        for path in ("/list", "/nothing", "/list?page=1"):
            answer = house.asked("GET", path, headers={"X-Request-Id": given})
            assert answer.json()["request_id"] == answer.headers["x-request-id"] == given
    for given in ("", "a b", "a" * 129, "é"):
        headers = {"X-Request-Id": given.encode("latin-1")}
        found = {house.asked("GET", "/list", headers=headers).json()["request_id"] for _ in range(2)}
        assert len(found) == 2
        assert given not in found


def test_our_own_mistakes_are_told_in_the_same_shape(house, monkeypatch) -> None:
    def break_down(*_: object) -> None:
        raise RuntimeError(SECRET)

    monkeypatch.setattr(type(house.room.goals), "dashboard", break_down)
    body = refused(house.asked("GET", f"/dashboard?task_id={house.execute()}"), 500)
    assert (body["message"], SECRET in str(body)) == ("Internal error", False)


def test_bots_are_listed_with_nothing_of_how_they_are_reached(house) -> None:
    house.bot("bot-a")
    answer = house.asked("GET", "/bots")
    bots = {each["bot_id"]: each for each in data_of(answer)["items"]}
    assert [(each["available"], each["has_token"], each["relay"]) for each in bots.values()] == [
        (True, False, False),
        (True, True, True),
        (False, False, False),
    ]
    assert (bots["owner"]["abilities"], bots["owner"]["kind"]) == (["规划"], "model")
    assert SECRET not in answer.text
    assert TOKEN not in answer.text


# People


def test_a_goal_is_given_up_once_and_for_all(house) -> None:
    task_id = house.execute()
    house.run()
    for message in ("OK", "idempotent"):
        answer = house.asked("POST", "/cancel", {"task_id": task_id})
        assert data_of(answer) == {"ok": True, "task_id": task_id, "status": "CANCELLED"}
        assert answer.json()["message"] == message
    assert house.get(f"/dashboard?task_id={task_id}")["status"] == "CANCELLED"
    for path in ("/retry", "/budget", "/resolve"):
        body = {"task_id": task_id, "node_id": "a", "output": "x", "MAX_TOKENS": 1}
        assert refused(house.asked("POST", path, body), 409)["message"] == "Illegal state transition"


def test_what_hangs_is_tried_again(furnish) -> None:
    house = furnish(lonely("a"))
    task_id = house.execute(MAX_DEPTH=1)
    house.run()
    assert house.node(task_id, "a")["status"] == "REVIEWING"
    assert refused(house.asked("POST", "/retry", {"task_id": task_id, "node_id": "none"}), 404)
    house.ports.planner.searches = {}
    house.post("/retry", {"task_id": task_id, "node_id": "a"})
    house.run()
    assert house.node(task_id, "a")["status"] in {"EXECUTING", "DONE"}


def test_a_person_answers_for_a_node_that_hangs(furnish) -> None:
    house = furnish(lonely("a"))
    task_id = house.execute(MAX_DEPTH=1)
    house.run()
    body = {"task_id": task_id, "node_id": "a", "output": {"result": "由人完成"}}
    for _ in range(2):
        house.post("/resolve", body)
    house.run()
    node = house.node(task_id, "a")
    assert (node["status"], node["run_info"]["output"]) == ("DONE", "由人完成")
    assert house.get(f"/dashboard?task_id={task_id}")["status"] == "DONE"
    refused(house.asked("POST", "/resolve", {"task_id": task_id, "node_id": "a"}), 422)


def test_a_budget_of_nothing_stops_a_goal(house) -> None:
    task_id = house.execute()
    house.run()
    assert house.post("/budget", {"task_id": task_id, "MAX_TOKENS": 1000})["status"] == "EXECUTING"
    assert house.post("/budget", {"task_id": task_id, "tokens_left": 0})["status"] == "REVIEWING"
    assert house.get(f"/dashboard?task_id={task_id}")["extend_props"]["hung_reason"] == "budget_exhausted"


BUDGETS = [
    *({}, {"MAX_TOKENS": -1}, {"MAX_TOKENS": "9"}, {"MAX_TOKENS": 1.5}, {"MAX_COST": True}),
    *({"tokens_left": -1}, {"tokens_left": True}, {"MAX_TOKENS": 1, "tokens_left": 1}, {"MAX_WALL_CLOCK": "1h"}),
]


def test_a_budget_is_never_guessed(house) -> None:
    task_id = house.execute()
    for given in BUDGETS:
        refused(house.asked("POST", "/budget", {"task_id": task_id, **given}), 422)


def test_nobody_steers_a_goal_that_is_not_there(house) -> None:
    body = {"task_id": "none", "node_id": "a", "output": "x", "MAX_TOKENS": 1}
    for path in ("/cancel", "/retry", "/budget", "/resolve"):
        refused(house.asked("POST", path, body), 404)
        refused(house.asked("POST", path, {**body, "task_id": 7}), 422)


def test_a_goal_runs_to_its_end(furnish) -> None:
    house = furnish(owner("a", "b"))
    task_id = house.execute()
    house.run()
    board = house.get(f"/dashboard?task_id={task_id}")
    assert (board["status"], board["output"]["result"]) == ("DONE", "all_done")
    assert house.get("/list?status=DONE")[0]["task_id"] == task_id
    house.post("/callback/report", report(task_id, "a", success=False, gaps=["late"]))
    assert house.get(f"/dashboard?task_id={task_id}")["status"] == "DONE"


def test_failures_are_seen_with_their_gaps(furnish) -> None:
    deliverer = endless()
    deliverer.results = {"a": [failed("没有数据")]}
    house = furnish(owner("a", a=[]), deliverer)
    task_id = house.execute()
    house.run()
    assert house.node(task_id, "a")["run_info"]["acceptance_result"]["gaps"] == ["没有数据"]
