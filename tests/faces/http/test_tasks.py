"""Everything a program can do to tasks, over both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest

TOMORROW_NINE = "2026-10-13T21:00:00+08:00"


def test_what_is_said_comes_back_understood(client) -> None:
    said = client.say("明晚九点提醒我交表")
    assert (said["title"], said["status"], said["state"], said["zone"]) == (
        "交表",
        "active",
        "scheduled",
        "Asia/Shanghai",
    )
    assert said["submittedAt"] == "2026-10-12T10:00:00+08:00"
    (node,) = said["nodes"]
    assert (node["kind"], node["at"], node["expression"]) == ("reminder", TOMORROW_NINE, "明晚九点")
    assert said["reminders"] == [{"number": 1, "at": TOMORROW_NINE, "reason": "specified", "state": "planned"}]
    assert client.get(f"/api/v1/tasks/{said['id']}") == said


def test_saying_answers_with_201(client) -> None:
    assert client("POST", "/api/v1/say", json={"text": "买牛奶"}).status_code == 201


def test_a_value_nobody_said_is_told(client) -> None:
    said = client.say("10月20日下午两点开班会")
    assert said["nodes"][0]["claims"] == [{"value": "2026", "basis": "inferred", "evidence": "nearest_year"}]
    assert said["mustBeTold"] == ["没写年份，按最近的 2026 年理解；不对就说“改成 …年”"]


def test_the_speakers_own_time_and_zone_are_taken(client) -> None:
    said = client.say("明晚九点提醒我交表", submittedAt="2026-10-12T20:00:00-04:00", zone="America/New_York")
    assert said["submittedAt"] == "2026-10-12T20:00:00-04:00"
    assert said["nodes"][0]["at"] == "2026-10-13T21:00:00-04:00"


def test_a_pasted_message_counts_from_its_own_day(client) -> None:
    said = client.say("请于明天下午五点前交回执", source="paste", messageDate="2026-10-14")
    assert said["nodes"][0]["at"] == "2026-10-15T17:00:00+08:00"
    assert (said["source"], said["messageDate"]) == ("paste", "2026-10-14")


def test_a_pasted_message_without_a_day_is_asked_about(client) -> None:
    assert client.say("请于明天下午五点前交回执", source="paste")["question"]["kind"] == "message_date"


def test_a_note_is_only_kept(client) -> None:
    said = client.say("明晚九点提醒我交表", entry="note")
    assert (said["state"], said["nodes"], said["reminders"]) == ("note", [], [])


def test_what_needs_a_model_is_kept_and_says_so(client) -> None:
    assert client.say("每天三次提醒我吃药")["state"] == "pending_ai"


def test_saying_it_twice_under_one_key_saves_it_once(client) -> None:
    key = {"Idempotency-Key": "7f3a"}
    first = client.post("/api/v1/say", {"text": "买牛奶"}, headers=key)
    assert client.post("/api/v1/say", {"text": "买牛奶"}, headers=key) == first
    assert [task["id"] for task in client.get("/api/v1/tasks")["tasks"]] == [first["id"]]


def test_without_a_key_everything_said_is_saved(client) -> None:
    assert client.say("买牛奶")["id"] != client.say("买牛奶")["id"]


def test_tasks_are_listed_newest_first_page_by_page(client) -> None:
    ids = [client.say(f"买第{number}样东西")["id"] for number in range(5)]
    first = client.get("/api/v1/tasks?limit=2")
    second = client.get(f"/api/v1/tasks?limit=2&before={first['more']}")
    third = client.get(f"/api/v1/tasks?limit=2&before={second['more']}")
    listed = [task["id"] for page in (first, second, third) for task in page["tasks"]]
    assert listed == ids[::-1]
    assert third["more"] is None


def test_tasks_are_listed_by_status_and_state(client) -> None:
    bought, met, done = (client.say(text)["id"] for text in ("买牛奶", "明晚九点提醒我交表", "买米"))
    client.post(f"/api/v1/tasks/{done}/done")

    def listed(query: str) -> set[str]:
        return {task["id"] for task in client.get(f"/api/v1/tasks?{query}")["tasks"]}

    assert listed("status=active") == {bought, met}
    assert listed("status=completed&status=active") == {bought, met, done}
    assert listed("state=scheduled") == {met}
    assert listed("status=completed&state=no_reminder") == {done}
    assert listed("state=note") == set()


def test_an_answer_completes_what_was_asked(client) -> None:
    asked = client.say("明天三点开会")
    question = asked["question"]
    assert question["prompt"] == "是上午还是下午？"
    assert [option["value"] for option in question["options"]] == ["03:00", "15:00", "other"]
    answer = {"value": "15:00", "revision": question["revision"]}
    answered = client.post(f"/api/v1/tasks/{asked['id']}/answer", answer)
    assert (answered["state"], answered["question"]) == ("scheduled", None)
    assert answered["reminders"][0]["at"] == "2026-10-13T14:30:00+08:00"
    assert answered["answers"] == [{"kind": "meridiem", "value": "15:00"}]


def test_a_late_answer_changes_nothing(client) -> None:
    asked = client.say("明天三点开会")
    path = f"/api/v1/tasks/{asked['id']}"
    edited = client("PATCH", path, json={"text": "后天四点开会"}).json()
    late = client("POST", f"{path}/answer", json={"value": "15:00", "revision": asked["question"]["revision"]})
    assert (late.status_code, late.json()["error"]["code"]) == (409, "question_closed")
    assert client.get(path) == edited


def test_a_second_click_on_an_answer_changes_nothing(client) -> None:
    asked = client.say("明天三点开会")
    path = f"/api/v1/tasks/{asked['id']}"
    answer = {"value": "15:00", "revision": asked["question"]["revision"]}
    first = client.post(f"{path}/answer", answer)
    assert client("POST", f"{path}/answer", json={**answer, "value": "03:00"}).status_code == 409
    assert client.get(path) == first


def test_words_that_are_no_answer_are_refused_and_the_question_stays(client) -> None:
    asked = client.say("明天三点开会")
    path = f"/api/v1/tasks/{asked['id']}"
    refused = client("POST", f"{path}/answer", json={"value": "也许吧"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "answer_unreadable")
    assert client.get(path)["question"] == asked["question"]


def test_done_calls_off_what_was_to_come_and_restoring_brings_it_back(client) -> None:
    path = f"/api/v1/tasks/{client.say('明晚九点提醒我交表')['id']}"
    done = client.post(f"{path}/done")
    assert (done["status"], [each["state"] for each in done["reminders"]]) == ("completed", ["cancelled"])
    assert client("POST", f"{path}/done").status_code == 409
    restored = client.post(f"{path}/restore")
    assert restored["status"] == "active"
    assert [each["at"] for each in restored["reminders"] if each["state"] == "planned"] == [TOMORROW_NINE]


def test_a_deleted_task_is_out_of_sight_and_can_be_restored(client) -> None:
    path = f"/api/v1/tasks/{client.say('明晚九点提醒我交表')['id']}"
    assert client("DELETE", path).json()["status"] == "deleted"
    assert client.get("/api/v1/coming")["reminders"] == []
    assert client.post(f"{path}/restore")["status"] == "active"


def test_other_words_are_understood_anew_and_the_first_ones_are_kept(client) -> None:
    path = f"/api/v1/tasks/{client.say('明晚九点提醒我交表')['id']}"
    edited = client("PATCH", path, json={"text": "后天晚上八点提醒我交表"}).json()
    assert (edited["text"], edited["originalText"]) == ("后天晚上八点提醒我交表", "明晚九点提醒我交表")
    assert edited["editedAt"] == "2026-10-12T10:00:00+08:00"
    planned = [each["at"] for each in edited["reminders"] if each["state"] == "planned"]
    assert planned == ["2026-10-14T20:00:00+08:00"]


def test_another_title_changes_the_title_only(client) -> None:
    said = client.say("明晚九点提醒我交表")
    renamed = client("PATCH", f"/api/v1/tasks/{said['id']}", json={"title": "交报名表"}).json()
    changed = {key for key in said if said[key] != renamed[key]}
    assert renamed["title"] == "交报名表"
    assert changed <= {"title", "revision", "updatedAt"}


@pytest.mark.parametrize("body", [{}, {"text": "买米", "title": "米"}])
def test_an_edit_is_of_one_thing(client, body) -> None:
    said = client.say("买牛奶")
    answer = client("PATCH", f"/api/v1/tasks/{said['id']}", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "edit_one_thing")
    assert client.get(f"/api/v1/tasks/{said['id']}") == said


def test_a_reminder_can_be_set_by_hand(client) -> None:
    path = f"/api/v1/tasks/{client.say('买牛奶')['id']}"
    reminded = client.post(f"{path}/reminders", {"at": "2026-10-12T10:30:00Z"})
    assert reminded["reminders"] == [
        {"number": 1, "at": "2026-10-12T18:30:00+08:00", "reason": "manual", "state": "planned"}
    ]


def test_what_waits_for_a_model_can_be_tried_again(client) -> None:
    said = client.say("每天三次提醒我吃药")
    assert client.post(f"/api/v1/tasks/{said['id']}/retry")["state"] == "pending_ai"


def test_a_preview_shows_what_lies_within_the_days_asked_for(client) -> None:
    path = f"/api/v1/tasks/{client.say('10月20日下午两点开班会')['id']}/preview"
    assert client.get(f"{path}?days=7")["reminders"] == []
    preview = client.get(f"{path}?days=30")
    assert preview["zone"] == "Asia/Shanghai"
    assert [each["at"] for each in preview["reminders"]] == ["2026-10-20T13:30:00+08:00"]


def test_a_task_is_explained_from_its_words_to_what_became_of_it(client, pass_time) -> None:
    said = client.say("半小时后提醒我关火")
    path = f"/api/v1/tasks/{said['id']}/explain"
    before = client.get(path)["explanation"]
    assert before[0] == "原话：半小时后提醒我关火"
    assert any(line.startswith("将在 今天（10月12日 周一） 10:30 提醒") for line in before)
    pass_time(timedelta(minutes=30))
    assert any(line.startswith("已在 今天（10月12日 周一） 10:30 提醒") for line in client.get(path)["explanation"])


def test_an_occurrence_is_explained_with_every_message_about_it(client, pass_time) -> None:
    client.say("半小时后提醒我关火")
    pass_time(timedelta(minutes=30))
    (message,) = client.get("/api/v1/inbox")["messages"]
    explained = client.get(f"/api/v1/occurrences/{message['occurrence']}/explain")
    assert (explained["state"], explained["due"]) == ("done", "2026-10-12T10:30:00+08:00")
    assert explained["messages"] == [message]
    assert explained["explanation"][0].startswith(f"{explained['id']}：应在 今天（10月12日 周一） 10:30，已完成")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/tasks/t99", None),
        ("POST", "/tasks/t99/answer", {"value": "15:00"}),
        ("POST", "/tasks/t99/done", None),
        ("POST", "/tasks/t99/restore", None),
        ("DELETE", "/tasks/t99", None),
        ("PATCH", "/tasks/t99", {"text": "买米"}),
        ("PATCH", "/tasks/t99", {"title": "米"}),
        ("POST", "/tasks/t99/reminders", {"at": "2026-10-12T18:30:00+08:00"}),
        ("POST", "/tasks/t99/retry", None),
        ("GET", "/tasks/t99/preview", None),
        ("GET", "/tasks/t99/explain", None),
        ("GET", "/occurrences/o99/explain", None),
        ("POST", "/inbox/m99/read", None),
        ("POST", "/inbox/m99/dismiss", None),
        ("GET", "/inbox?after=m", None),
    ],
)
def test_what_is_not_there_is_said_to_be_unknown(client, method, path, body) -> None:
    answer = client(method, f"/api/v1{path}", json=body) if body else client(method, f"/api/v1{path}")
    assert answer.status_code == 404
    assert answer.json()["error"]["message"].startswith("没有编号为「")


def test_one_time_of_a_series_is_done_a_day_left_out_and_put_back(client) -> None:
    said = client.say("每天早上8点提醒我吃药")
    path = f"/api/v1/tasks/{said['id']}"
    assert said["series"] == {
        "words": "每天早上8点",
        "rule": "每天 08:00",
        "expression": "on day at 08:00",
        "state": "active",
        "next": "2026-10-13T08:00:00+08:00",
        "leftOut": [],
        "done": [],
    }
    done = client.post(f"{path}/done-once", {"revision": said["revision"]})
    assert done["series"]["next"] == "2026-10-14T08:00:00+08:00"
    assert client("POST", f"{path}/done-once", json={"revision": said["revision"]}).status_code == 409
    assert client.post(f"{path}/skip", {"date": "2026-10-14"})["series"]["leftOut"] == ["2026-10-14"]
    ahead = client.get(f"{path}/preview?days=4")["reminders"]
    assert [each["at"][:10] for each in ahead] == ["2026-10-15", "2026-10-16"]
    assert client.post(f"{path}/unskip", {"date": "2026-10-14"})["series"]["leftOut"] == []
    assert client("POST", f"{path}/skip", json={"date": "2026-10-12"}).status_code == 400
    assert client("POST", f"{path}/skip", json={"date": "soon"}).status_code == 400
