"""Drafts of rules over HTTP: begun, filled, mended, committed once, given up."""

from __future__ import annotations

import pytest
from tests.faces.entrance import nodes
from tests.faces.http.described import check

from zhixing.faces.http.api import hub_shapes

DRAFTS = "/api/v1/graphs/drafts"


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture
def draft(client) -> str:
    begun = client.post(DRAFTS, {"name": "玄关灯", "variables": [{"id": "count", "type": "number", "value": 0}]})
    check(hub_shapes.GraphDraft, begun)
    return begun["draftId"]


def test_a_draft_is_filled_mended_and_committed_once(client, draft) -> None:
    batch = client.post(f"{DRAFTS}/{draft}/nodes", {"nodes": nodes(value="heaven")})
    check(hub_shapes.DraftBatch, batch)
    assert client("POST", f"{DRAFTS}/{draft}/commit").json()["error"]["code"] == "graph_hub_invalid"
    mended = client("PATCH", f"{DRAFTS}/{draft}/nodes", json={"upsert": nodes()[1:], "removeIds": ["none"]})
    assert (mended.json()["replaced"], mended.json()["missingIds"]) == (1, ["none"])
    made = client.post(f"{DRAFTS}/{draft}/commit")
    check(hub_shapes.CommittedDraft, made)
    assert client.post(f"{DRAFTS}/{draft}/commit")["graphId"] == made["graphId"]
    assert [each["id"] for each in client.get("/api/v1/graphs")["graphs"]] == [made["graphId"]]
    listed = client.get(DRAFTS)
    check(hub_shapes.GraphDrafts, listed)
    assert listed["drafts"] == [client.get(f"{DRAFTS}/{draft}")]
    assert listed["drafts"][0]["status"] == "committed"


def test_a_draft_is_given_up_and_saying_so_twice_is_fine(client, draft) -> None:
    assert client("DELETE", f"{DRAFTS}/{draft}").json() == {"draftId": draft, "discarded": True}
    assert client("DELETE", f"{DRAFTS}/{draft}").json() == {"draftId": draft, "discarded": False}


@pytest.mark.parametrize(
    ("asked", "body", "refused"),
    [
        ("GET gd99", None, (404, "graph_draft_unknown")),
        ("POST gd99/commit", None, (404, "graph_draft_unknown")),
        ("POST gd1/commit", None, (409, "graph_draft_empty")),
        ("POST gd1/nodes", {"nodes": []}, (400, "graph_draft_batch_empty")),
        ("POST gd1/nodes", {"nodes": nodes() * 13}, (400, "field_wrong")),
        ("POST gd1/nodes", {"nodes": [{**nodes()[0], "id": "a b"}]}, (400, "graph_draft_node_id")),
        ("PATCH gd1/nodes", {}, (400, "graph_draft_edit_empty")),
        ("POST ", {"name": ""}, (400, "graph_draft_name")),
        ("POST ", {"name": "x", "variables": [{"id": "x"}]}, (400, "graph_draft_variable")),
    ],
)
def test_what_does_not_exist_or_fit_is_refused_with_the_reason(client, draft, asked, body, refused) -> None:  # noqa: ARG001 - gd1
    method, path = asked.split(" ")
    answer = client(method, f"{DRAFTS}/{path}".rstrip("/"), **({} if body is None else {"json": body}))
    assert (answer.status_code, answer.json()["error"]["code"]) == refused
