"""Talking about the home over HTTP: said, asked back, answered, listed, tried again, called off."""

from __future__ import annotations

import pytest
from tests.faces.http.described import check

from zhixing.faces.http.api import shapes
from zhixing.faces.talk_wire import of_talk
from zhixing.household.talking import operations

API = "/api/v1"
SAY, TALKS = f"{API}/say", f"{API}/talks"
SITTING = "久坐30分钟提醒一下"
TEXTS = (SITTING, "客厅没人就关灯", "连续30小时没人就推送手机", "小宝在墙上乱画就提醒我", "我有哪些任务")


@pytest.fixture
def dialect() -> str:
    return "sqlite"


def fault(answer) -> tuple[int, str]:
    error = answer.json()["error"]
    assert set(answer.json()) == {"error"}
    assert "\n" not in error["message"]
    return answer.status_code, error["code"]


def test_saying_something_gives_a_task_or_a_talk_and_says_which(client) -> None:
    notice, talk = client.say("明晚九点提醒我交表"), client.say("客厅没人就关灯")
    assert (notice["way"], notice["id"]) == ("notice", "t1")
    assert (talk["way"], talk["id"], talk["state"], talk["tasks"]) == ("household", "s1", "done", ["living_room_off"])
    assert "title" not in talk
    assert client("POST", SAY, json={"text": SITTING}).status_code == 201


def test_a_question_is_answered_and_the_task_is_made(client) -> None:
    talk = client.say(SITTING)
    assert (talk["state"], talk["op"], talk["lines"]) == ("asked", "create", [])
    (question,) = talk["questions"]
    assert question["kind"] == "channel"
    assert [option["value"] for option in question["options"]] == ["A", "B", "C"]
    done = client.post(f"{TALKS}/s1/answer", {"value": "B", "revision": talk["revision"]})
    assert (done["state"], done["prompt"], done["questions"]) == ("done", "", [])
    assert client.get(f"{TALKS}/s1") == done
    (slug,) = done["tasks"]
    assert client.get(f"{API}/household/tasks/{slug}")["slug"] == slug


def test_the_same_key_changes_nothing_whichever_way_it_went(client) -> None:
    keyed = {"Idempotency-Key": "k"}
    first = client("POST", SAY, json={"text": SITTING}, headers=keyed).json()
    for text in (SITTING, "明晚九点提醒我交表", "客厅没人就关灯"):
        assert client("POST", SAY, json={"text": text}, headers=keyed).json() == first
    assert len(client.get(TALKS)["talks"]) == 1
    assert client.get(f"{API}/tasks")["tasks"] == []


def test_what_cannot_be_answered_is_one_fault(client) -> None:
    client.say(SITTING)
    answer = f"{TALKS}/s1/answer"
    assert fault(client("POST", answer, json={"value": "随便"})) == (400, "answer_unreadable")
    assert fault(client("POST", answer, json={"value": ""})) == (400, "answer_needs_words")
    assert fault(client("POST", answer, json={"value": "A", "revision": 9})) == (409, "question_closed")
    assert fault(client("POST", answer, json={"value": "A" * 201})) == (413, "answer_long")
    assert fault(client("POST", answer, json={"value": "A", "other": 1}))[0] == 400
    client.post(answer, {"value": "A"})
    assert fault(client("POST", answer, json={"value": "A"})) == (409, "question_closed")


@pytest.mark.parametrize("talk", ["s9", "t1", "x", "s", "s٣", "s-1", "s" + "9" * 40])
def test_what_nobody_said_is_not_found(client, talk) -> None:
    for method, path in (("GET", ""), ("POST", "/retry"), ("DELETE", "")):
        assert fault(client(method, f"{TALKS}/{talk}{path}")) == (404, "talk_unknown")
    assert fault(client("POST", f"{TALKS}/{talk}/answer", json={"value": "A"})) == (404, "talk_unknown")


def test_what_ended_is_not_tried_again_and_stays_when_called_off(client) -> None:
    done = client.say("客厅没人就关灯")
    assert fault(client("POST", f"{TALKS}/s1/retry")) == (409, "talk_ended")
    answer = client("DELETE", f"{TALKS}/s1")
    assert (answer.status_code, answer.json()) == (200, done)


def test_what_is_open_is_called_off(client) -> None:
    for number, text in enumerate((SITTING, "小宝在墙上乱画就提醒我"), 1):
        client.say(text)
        assert client("DELETE", f"{TALKS}/s{number}").json()["state"] == "cancelled"
    assert client.get(f"{API}/household/tasks")["tasks"] == []


def test_what_waits_for_a_model_is_tried_again(client) -> None:
    waiting = client.say("小宝在墙上乱画就提醒我")
    assert waiting["state"] == "pending_ai"
    again = client.post(f"{TALKS}/s1/retry")
    assert (again["state"], again["revision"]) == ("pending_ai", waiting["revision"] + 1)


def test_talks_are_listed_newest_first_page_by_page(client) -> None:
    for text in TEXTS:
        client.say(text)
    first = client.get(f"{TALKS}?limit=3")
    second = client.get(f"{TALKS}?limit=2&before={first['more']}")
    assert [talk["id"] for talk in (*first["talks"], *second["talks"])] == ["s5", "s4", "s3", "s2", "s1"]
    assert second["more"] is None
    states = client.get(f"{TALKS}?state=asked&state=pending_ai")
    assert [talk["id"] for talk in states["talks"]] == ["s4", "s1"]


def test_a_page_that_is_not_there_is_one_fault(client) -> None:
    for before in ("x", "s", "s" + "9" * 40, "t1"):
        assert fault(client("GET", f"{TALKS}?before={before}")) == (400, "cursor_unreadable")
    for query in ("limit=0", "limit=501", "state=none"):
        assert fault(client("GET", f"{TALKS}?{query}"))[0] == 400


def test_a_camera_of_the_room_is_named_by_id_or_name(client) -> None:
    for number, camera in enumerate(("cam_kids", "儿童房摄像头"), 1):
        talk = client.say("没人就关灯", cameras=[camera])
        assert talk["way"] == "household"
        assert talk["id"] == f"s{number}"
    (rule,) = client.get(f"{API}/household/tasks/{client.get(f'{TALKS}/s1')['tasks'][0]}")["rules"]
    assert "cam_kids" in str(rule)


def test_a_camera_that_is_not_there_keeps_nothing(client) -> None:
    assert fault(client("POST", SAY, json={"text": "没人就关灯", "cameras": ["cam_moon"]}))[0] == 404
    assert fault(client("POST", SAY, json={"text": "没人就关灯", "cameras": ["cam_kids"] * 21}))[0] in (400, 413)
    assert client.get(TALKS)["talks"] == []


def test_too_many_open_questions_are_one_fault(client, monkeypatch) -> None:
    monkeypatch.setattr(operations, "MOST_OPEN", 1)
    client.say(SITTING)
    assert fault(client("POST", SAY, json={"text": "客厅没人就关灯"})) == (413, "talks_many")


def test_what_is_too_long_for_this_home_is_not_kept(client, limits) -> None:
    assert fault(client("POST", SAY, json={"text": "灯" * (limits.text_chars + 1)}))[0] == 413
    assert client.get(TALKS)["talks"] == []


def test_a_stranger_sees_and_changes_nothing(stranger, client) -> None:
    client.say(SITTING)
    routes = (("GET", TALKS), ("GET", f"{TALKS}/s1"), ("POST", f"{TALKS}/s1/retry"), ("DELETE", f"{TALKS}/s1"))
    assert [stranger(*route).status_code for route in routes] == [401] * 4
    assert stranger("POST", f"{TALKS}/s1/answer", json={"value": "A"}).status_code == 401
    assert client.get(f"{TALKS}/s1")["state"] == "asked"


def test_everything_that_is_written_of_a_talk_is_described(app, client) -> None:
    for text in TEXTS:
        client.say(text)
    talks = app.talks.list()
    assert {talk.state.value for talk in talks} == {"asked", "done", "refused", "pending_ai"}
    for talk in talks:
        check(shapes.Talk, of_talk(talk))


def test_all_things_that_saying_gives_are_described(client) -> None:
    described = client.get(f"{API}/openapi.json")
    good = described["paths"][SAY]["post"]["responses"]["201"]["content"]["application/json"]["schema"]
    named = {one["$ref"].rpartition("/")[2] for one in good["anyOf"]}
    assert named == {"Task", "Talk", "Draft", "Proposal", "GoalTalk", "Silence"}
    assert described["components"]["schemas"]["Draft"]["properties"]["way"]["const"] == "document"
    assert described["components"]["schemas"]["Talk"]["properties"]["way"]["const"] == "household"
