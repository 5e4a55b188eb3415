"""GET /tasks/{id}/candidate: what was read, in the protocol that the client names."""

from __future__ import annotations

import json

import pytest

from zhixing.app import build
from zhixing.faces.http import create_app
from zhixing.settings import HomeZone, ZoneSource
from zhixing.world.models.scripted import ScriptedModel

LED = "明天下午3点参加会议，提前10分钟提醒我"
QUOTED = "老师说10月20日下午3点开会，10月21日18:00前交报名表"
NODE = {"kind": "start", "expression": "10月20日下午3点", "evidence": "10月20日下午3点开会"}
REPLY = {
    "version": 1,
    "items": [
        {
            "title": "开会",
            "action": "开会",
            "evidence": "10月20日下午3点开会",
            "details": [],
            "nodes": [{**NODE, "leadMinutes": None, "leadEvidence": None}],
            "ambiguities": [],
            "speaker": "other",
            "sentOn": None,
        },
        {
            "title": "交报名表",
            "action": "交报名表",
            "evidence": "10月21日18:00前交报名表",
            "details": [],
            "nodes": [
                {
                    "kind": "deadline",
                    "expression": "10月21日18:00",
                    "evidence": "10月21日18:00前交报名表",
                    "leadMinutes": None,
                    "leadEvidence": None,
                }
            ],
            "ambiguities": [],
            "speaker": "other",
            "sentOn": None,
        },
    ],
    "transcript": None,
}


def read(client, task, protocol=None):
    headers = {} if protocol is None else {"X-Zhixing-Protocol": protocol}
    answer = client("GET", f"/api/v1/tasks/{task}/candidate", headers=headers)
    assert answer.status_code == 200, answer.text
    return answer


def test_protocol_2_has_everything_that_was_read(client):
    task = client.say(LED)["id"]
    answer = read(client, task, "2")
    assert answer.json() == {
        "version": 1,
        "title": "参加会议",
        "action": "参加会议",
        "evidence": "明天下午3点参加会议",
        "details": [],
        "nodes": [
            {
                "kind": "start",
                "expression": "明天下午3点",
                "evidence": "明天下午3点参加会议",
                "leadMinutes": 10,
                "leadEvidence": "提前10分钟",
            }
        ],
        "ambiguities": [],
    }
    assert answer.headers["X-Zhixing-Protocol"] == "2"
    assert "X-Zhixing-Protocol" in answer.headers["Vary"]


@pytest.mark.parametrize("protocol", [None, "1", "0", "two", ""])
def test_protocol_1_and_no_readable_one_have_no_leads(client, protocol):
    answer = read(client, client.say(LED)["id"], protocol)
    (node,) = answer.json()["nodes"]
    assert node == {"kind": "start", "expression": "明天下午3点", "evidence": "明天下午3点参加会议"}
    assert (answer.json()["version"], answer.headers["X-Zhixing-Protocol"]) == (1, "1")


@pytest.mark.parametrize(("protocol", "kind"), [("1", "start"), ("2", "reminder"), ("3", "reminder")])
def test_a_reminder_is_a_start_to_older_clients(client, protocol, kind):
    task = client.say("明天下午3点提醒我交表")["id"]
    assert read(client, task, protocol).json()["nodes"][0]["kind"] == kind


def test_what_repeats_is_a_node_of_its_own_kind(client):
    task = client.say("每天早上8点提醒我吃药")["id"]
    (node,) = read(client, task, "2").json()["nodes"]
    assert (node["kind"], node["expression"]) == ("repeat", "每天早上8点")


def test_what_was_said_aloud_is_quoted_as_it_was_said(client):
    task = client.say("明天呃下午三点开会", source="voice")["id"]
    assert read(client, task, "2").json()["nodes"][0]["expression"] == "明天呃下午三点"


@pytest.mark.parametrize(("text", "more"), [("老师说明天下午3点开会", {}), ("明天下午3点开会", {"entry": "note"})])
def test_what_nobody_read_has_no_candidate(client, text, more):
    task = client.say(text, **more)["id"]
    answer = client("GET", f"/api/v1/tasks/{task}/candidate")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "candidate_unknown")


def test_a_task_that_is_not_there_is_told(client):
    assert client("GET", "/api/v1/tasks/t99/candidate").json()["error"]["code"] == "task_unknown"


def test_several_matters_of_a_model_are_items_until_one_is_chosen(store, clock, connect):
    model = ScriptedModel(clock, [json.dumps(REPLY, ensure_ascii=False)])
    app = build(store, clock, HomeZone("Asia/Shanghai", ZoneSource.CONFIG), {}, model=model)
    client = connect(create_app(app, "a-token-for-tests-0123456789"))
    task = client.say(QUOTED)["id"]
    app.engine.drain()
    found = read(client, task, "2").json()
    assert [item["title"] for item in found["items"]] == ["开会", "交报名表"]
    assert "nodes" not in found
    assert "leadMinutes" not in read(client, task, "1").json()["items"][0]["nodes"][0]
    client.post(f"/api/v1/tasks/{task}/answer", {"value": "2"})
    chosen = read(client, task, "2").json()
    assert (chosen["title"], "items" in chosen) == ("交报名表", False)
