"""Sentences on their way to rules over HTTP, and the tasks that stand for these."""

from __future__ import annotations

import pytest
from tests.faces.http.described import check

from zhixing.faces.http.api.graph_tasks import GraphTask, GraphTasks
from zhixing.faces.http.api.proposals import Proposal, Proposals

PROPOSALS = "/api/v1/graphs/proposals"
TASKS = "/api/v1/graphs/tasks"
WISH = "玄关有人就打开玄关灯，3分钟后关掉"
OPEN = "单击床头无线开关打开主卧的灯"


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture
def saved(client) -> str:
    """Have a rule saved; return the id of its task."""
    proposed = client.post(PROPOSALS, {"text": WISH})
    return client.post(f"{PROPOSALS}/{proposed['id']}/answer", {"value": "A"})["taskId"]


def rules(client) -> list[tuple[str, bool]]:
    return [(each["name"], each["enable"]) for each in client.get("/api/v1/graphs")["graphs"]]


def test_what_names_the_hub_is_a_proposal_until_it_is_answered(client) -> None:
    said = client.say(f"在网关上：{WISH}")
    check(Proposal, said)
    assert (said["way"], said["state"], said["text"]) == ("graph", "open", WISH)
    assert [each["value"] for each in said["question"]["options"]] == ["A", "B", "C"]
    assert (len(said["rule"]["nodes"]), rules(client)) == (4, [])
    done = client.post(f"{PROPOSALS}/{said['id']}/answer", {"value": "A", "revision": said["revision"]})
    check(Proposal, done)
    assert (done["state"], done["rule"], rules(client)) == ("saved", None, [(WISH, True)])


def test_what_is_open_is_asked_first_and_shown_again_by_its_id(client) -> None:
    asked = client.post(PROPOSALS, {"text": OPEN})
    check(Proposal, asked)
    assert (asked["rule"], asked["question"]["kind"]) == (None, "which")
    shown = client.post(f"{PROPOSALS}/{asked['id']}/answer", {"value": "主卧床头灯"})
    assert shown["design"]
    assert client.get(f"{PROPOSALS}/{asked['id'].upper()}") == shown


def test_proposals_are_listed_the_newest_first_and_dropped(client, saved) -> None:  # noqa: ARG001 - the first one
    client.post(PROPOSALS, {"text": OPEN})
    found = client.get(PROPOSALS)
    check(Proposals, found)
    assert [each["id"] for each in found["proposals"]] == ["g2", "g1"]
    assert [each["id"] for each in client.get(f"{PROPOSALS}?state=saved")["proposals"]] == ["g1"]
    assert client("DELETE", f"{PROPOSALS}/g2").json()["state"] == "dropped"


@pytest.mark.parametrize(
    ("asked", "body", "refused"),
    [
        ("POST ", {"text": "家里要有家的样子"}, (400, "proposal_not_understood")),
        ("POST ", {"text": "灯" * 501}, (413, "composing_long")),
        ("POST ", {"text": " "}, (400, "composing_empty")),
        ("GET /g9", None, (404, "proposal_unknown")),
        ("GET /x", None, (404, "proposal_unknown")),
        ("POST /g1/answer", {"value": "A"}, (409, "proposal_saved")),
        ("POST /g9/answer", {"value": "A"}, (404, "proposal_unknown")),
        ("POST /g1/answer", {}, (400, "field_missing")),
        ("DELETE /g1", None, (409, "proposal_saved")),
    ],
)
def test_what_does_not_exist_or_fit_is_refused_with_the_reason(client, saved, asked, body, refused) -> None:  # noqa: ARG001 - g1
    method, path = asked.split(" ")
    answer = client(method, f"{PROPOSALS}{path}", **({} if body is None else {"json": body}))
    assert (answer.status_code, answer.json()["error"]["code"]) == refused


def test_a_task_of_a_rule_is_listed_shown_and_renamed(client, saved) -> None:
    found = client.get(TASKS)
    check(GraphTasks, found)
    assert [each["id"] for each in found["tasks"]] == [saved]
    shown = client.get(f"{TASKS}/{saved}")
    check(GraphTask, shown)
    assert (shown["graph"]["enable"], shown["graph"]["nodeCount"]) == (True, 4)
    assert client("PATCH", f"{TASKS}/{saved}", json={"title": "玄关灯"}).json()["title"] == "玄关灯"


def test_its_rule_follows_what_is_done_to_it(client, saved, app) -> None:
    check(GraphTask, client.post(f"{TASKS}/{saved}/pause"))
    app.engine.drain()
    assert rules(client) == [(WISH, False)]
    client.post(f"{TASKS}/{saved}/resume")
    client("DELETE", f"{TASKS}/{saved}")
    app.engine.drain()
    assert rules(client) == []
    assert client.get(f"{TASKS}/{saved}")["graph"]["why"]
    assert client.post(f"{TASKS}/{saved}/restore")["status"] == "active"
    app.engine.drain()
    assert rules(client) == [(WISH, True)]


def test_a_task_of_another_way_is_none_of_these(client, saved) -> None:  # noqa: ARG001 - beside it
    task = client.say("明晚九点提醒我交表")["id"]
    for method, path in (("GET", ""), ("POST", "/pause"), ("DELETE", "")):
        assert client(method, f"{TASKS}/{task}{path}").status_code == 404
    assert client.get(f"/api/v1/tasks/{task}")["status"] == "active"
