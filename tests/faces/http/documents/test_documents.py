"""Document tasks over HTTP: made, looked at, changed, refused, taken away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.faces.http.documents.conftest import API, DOCUMENTS, EXTRAS, RUNS, SCRIPT, at, fault

FILE = """---
title: 手写
when: "0 9 15 * 1"   # 每月
description: 人写的
sessionId: tg-1
color: red
---

# 任务目标

- 写一句话
"""


def by_hand(project: Path, folder: str, text: str = FILE) -> Path:
    place = project / ".downcity" / "task" / folder
    place.mkdir(parents=True, exist_ok=True)
    (place / "task.md").write_text(text, encoding="utf-8")
    return place / "task.md"


def test_a_task_is_made_and_its_file_is_where_the_document_says(client, project) -> None:
    answer = client("POST", DOCUMENTS, json=SCRIPT)
    made = answer.json()
    assert (answer.status_code, made["reusedExisting"], made["status"]) == (201, False, "enabled")
    assert made["taskMdPath"] == str(project / ".downcity" / "task" / "晨报" / "task.md")
    assert "echo 早" in Path(made["taskMdPath"]).read_text(encoding="utf-8")
    assert made["nextRuns"][0] == "2026-10-13T09:00:00+08:00"


def test_exactly_the_same_title_is_the_same_task_and_nothing_is_changed(client, make) -> None:
    first = make()
    again = client("POST", DOCUMENTS, json={**SCRIPT, "body": "echo 别的"})
    assert (again.status_code, again.json()["reusedExisting"]) == (200, True)
    assert again.json()["revision"] == first["revision"]
    assert client.get(at("晨报"))["body"] == "echo 早"
    assert make("晨报 ")["taskId"] == first["taskId"]
    over = client("POST", DOCUMENTS, json={**SCRIPT, "body": "echo 别的", "overwrite": True})
    assert (over.status_code, over.json()["body"], over.json()["taskId"]) == (201, "echo 别的", first["taskId"])


def test_a_task_needs_little_and_is_run_by_hand_by_default(client) -> None:
    made = client.post(DOCUMENTS, {"title": "周报", "description": "写周报", "sessionId": "tg-1"})
    assert (made["when"], made["kind"], made["status"], made["review"]) == ("@manual", "agent", "enabled", False)
    assert "# 任务目标" in made["body"]
    assert made["nextRuns"] == []


def test_all_fields_are_taken_and_come_back(client, make) -> None:
    options = make(**EXTRAS)["options"]
    assert {name: options[name] for name in EXTRAS} == EXTRAS
    freed = client("PATCH", at("晨报"), json={**dict.fromkeys(EXTRAS), "when": None}).json()
    assert (freed["options"]["retries"], freed["options"]["env"], freed["options"]["missed"]) == (0, [], "once")
    assert (freed["when"], freed["zone"]) == ("@manual", "Asia/Shanghai")


def test_what_many_take_for_something_else_is_remarked_upon_when_it_is_made(client) -> None:
    made = client.post(DOCUMENTS, {**SCRIPT, "when": "0 9 15 * 1"})
    said = {one["code"]: one["message"] for one in made["findings"]}
    assert "或" in said["when_day_or_weekday"]


@pytest.mark.parametrize("title", ["日报 2026/10", "a/run", "50%", "问?号#", "👨‍👩‍👧 家", "é", "x y"])
def test_any_title_is_an_address_once_it_is_encoded(client, make, start, title) -> None:
    made = make(title)
    for address in (at(title), f"{DOCUMENTS}/{made['taskId']}"):
        assert client.get(address)["title"] == title
    assert client.get(at(title, "/text"))["title"] == title
    assert start(title)
    assert client.get(at(title, "/runs"))["runs"][0]["title"] == title
    assert client("DELETE", at(title)).json()["title"] == title
    assert fault(client("GET", at(title))) == (404, "document_unknown")


def test_a_number_comes_before_a_title_that_looks_like_one(client, make) -> None:
    first = make("甲")
    make(first["taskId"])
    assert client.get(f"{DOCUMENTS}/{first['taskId']}")["title"] == "甲"
    make("t999")
    assert client.get(f"{DOCUMENTS}/t999")["title"] == "t999"


def test_tasks_are_listed_by_folder_page_by_page_and_by_status(client, make) -> None:
    for title in ("丙", "甲", "乙"):
        make(title)
    client.post(at("乙", "/disable"))
    folders = sorted(["丙", "甲", "乙"])
    first = client.get(DOCUMENTS, params={"limit": 2})
    rest = client.get(DOCUMENTS, params={"limit": 2, "after": first["more"]})
    assert [one["folder"] for one in (*first["documents"], *rest["documents"])] == folders
    assert rest["more"] is None
    assert [one["title"] for one in client.get(DOCUMENTS, params={"status": "disabled"})["documents"]] == ["乙"]


def test_what_is_written_by_hand_is_a_task_and_what_is_wrong_with_it_is_said(client, project) -> None:
    by_hand(project, "手写")
    by_hand(project, "坏的", "---\ntitle: 坏的\nwhen: 每天\n---\n")
    broken, good = client.get(DOCUMENTS)["documents"]
    assert (good["title"], good["when"], good["error"]) == ("手写", "0 9 15 * 1", None)
    assert broken["title"] == "坏的"
    assert "第 3 行" in broken["error"]
    assert broken["when"] is None
    assert client.get(at("坏的", "/text"))["text"].startswith("---\ntitle: 坏的")
    assert fault(client("POST", at("坏的", "/run")))[0] == 400
    assert fault(client("GET", at("坏的", "/next")))[0] == 400


def test_a_change_leaves_the_rest_of_the_file_as_it_is_written(client, project) -> None:
    file = by_hand(project, "手写")
    changed = client("PATCH", at("手写"), json={"description": "另一句", "status": "paused"}).json()
    assert (changed["status"], changed["body"]) == ("paused", "# 任务目标\n\n- 写一句话")
    text = file.read_text(encoding="utf-8")
    assert "color: red" in text
    assert "# 每月" in text


def test_another_title_moves_the_folder_and_a_title_that_is_taken_does_not(client, make, project) -> None:
    made = make()
    make("夜报")
    moved = client("PATCH", at("晨报"), json={"title": "早报"}).json()
    assert (moved["folder"], moved["taskId"]) == ("早报", made["taskId"])
    assert (project / ".downcity" / "task" / "早报" / "task.md").is_file()
    assert fault(client("PATCH", at("早报"), json={"title": "夜报"})) == (409, "document_title_taken")


def test_who_has_read_another_revision_changes_nothing(client, make) -> None:
    old = make()["revision"]
    new = client("PATCH", at("晨报"), json={"body": "echo 二", "revision": old}).json()["revision"]
    assert fault(client("PATCH", at("晨报"), json={"body": "echo 三", "revision": old})) == (409, "document_changed")
    text = client.get(at("晨报", "/text"))
    assert text["revision"] == new
    put = {"text": text["text"].replace("echo 二", "echo 四"), "revision": old}
    assert fault(client("PUT", at("晨报", "/text"), json=put)) == (409, "document_changed")
    written = client("PUT", at("晨报", "/text"), json={**put, "revision": new}).json()
    assert (written["body"], written["taskId"]) == ("echo 四", client.get(at("晨报"))["taskId"])


def test_a_text_is_kept_to_the_byte(client, project) -> None:
    file = by_hand(project, "手写")
    text = FILE.replace("写一句话", "写两句话").replace("\n", "\r\n")
    assert client("PUT", at("手写", "/text"), json={"text": text}).json()["body"].endswith("写两句话")
    assert file.read_bytes() == text.encode()
    assert client.get(at("手写", "/text"))["text"] == text


@pytest.mark.parametrize(
    ("text", "status", "code"),
    [
        ("没有字段", 400, "document_fence_missing"),
        (FILE.replace("0 9 15 * 1", "0 25 * * *"), 400, "document_field"),
        (FILE.replace("title: 手写", "title: 晨报"), 400, "document_title_taken"),
        (FILE.replace('"0 9 15 * 1"', "time:2020-01-01T00:00:00+08:00"), 400, None),
        (FILE + "x" * 300_000, 413, "document_text_large"),
    ],
)
def test_a_text_that_cannot_be_taken_in_changes_nothing(client, project, text, status, code) -> None:
    client.post(DOCUMENTS, SCRIPT)
    file = by_hand(project, "手写")
    before = client.get(at("手写"))
    found = fault(client("PUT", at("手写", "/text"), json={"text": text}))
    assert found[0] == status
    assert code in (None, found[1])
    assert file.read_text(encoding="utf-8") == FILE
    assert client.get(at("手写")) == before


def test_a_file_that_is_no_text_any_more_can_be_given_one(client, project) -> None:
    file = by_hand(project, "手写")
    client.get(DOCUMENTS)
    file.write_bytes(b"\xff\xfe\x00")
    assert client.get(at("手写"))["error"]
    assert fault(client("GET", at("手写", "/text")))[0] == 400
    assert client("PUT", at("手写", "/text"), json={"text": FILE}).json()["error"] is None


def test_enabling_pausing_and_disabling_are_in_the_file_and_may_be_said_twice(client, make) -> None:
    make()
    for _ in range(2):
        assert client.post(at("晨报", "/disable"))["status"] == "disabled"
    assert 'status: "disabled"' in client.get(at("晨报", "/text"))["text"]
    assert client.post(at("晨报", "/status"), {"status": "paused"})["nextRuns"] == []
    assert client.post(at("晨报", "/enable"))["status"] == "enabled"
    assert fault(client("POST", at("晨报", "/status"), json={"status": "on"})) == (400, "field_wrong")


def test_the_next_instants_are_given_whatever_the_status(client, make) -> None:
    make(timezone="America/New_York", when="30 1 * * *", status="disabled")
    found = client.get(at("晨报", "/next"), params={"count": 30})
    assert (found["zone"], found["status"], len(found["next"])) == ("America/New_York", "disabled", 30)
    assert [one for one in found["next"] if one.startswith("2026-11-01")] == ["2026-11-01T01:30:00-04:00"]


def test_a_text_is_checked_without_being_kept(client) -> None:
    good = client.post(f"{DOCUMENTS}/validate", {"text": FILE})
    assert (good["valid"], good["error"]) == (True, None)
    assert "when_day_or_weekday" in [one["code"] for one in good["findings"]]
    bad = client.post(f"{DOCUMENTS}/validate", {"text": "---\ntitle: x\n---\n"})
    assert (bad["valid"], bad["error"]["code"]) == (False, "document_field_missing")
    assert client.post(f"{DOCUMENTS}/validate", {"text": "x" * 300_000})["error"]["code"] == "document_text_large"
    assert client.get(DOCUMENTS)["documents"] == []


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "field_missing"),
        ({**SCRIPT, "title": ""}, 400, "document_field_empty"),
        ({**SCRIPT, "title": "a\nb"}, 400, "document_field"),
        ({**SCRIPT, "title": "a\0b"}, 400, "text_nul"),
        ({**SCRIPT, "title": "\ud800"}, 400, "text_unstorable"),
        ({**SCRIPT, "title": "长" * 5_000}, 413, "document_value_long"),
        ({**SCRIPT, "when": "*/0 * * * *"}, 400, "document_field"),
        ({**SCRIPT, "when": "0 9 30 2 *"}, 400, "document_field"),
        ({**SCRIPT, "when": "time:2020-01-01T00:00:00+08:00"}, 400, "document_time_past"),
        ({**SCRIPT, "body": " "}, 400, "document_script_empty"),
        ({**SCRIPT, "body": "x" * 300_000}, 413, "document_text_large"),
        ({**SCRIPT, "kind": "robot"}, 400, "field_wrong"),
        ({**SCRIPT, "retries": 9}, 400, "field_wrong"),
        ({**SCRIPT, "retries": "1"}, 400, "field_wrong"),
        ({**SCRIPT, "review": "yes"}, 400, "field_wrong"),
        ({**SCRIPT, "paths": ["../secret"]}, 400, "document_field"),
        ({**SCRIPT, "env": ["A=1"]}, 400, "document_field"),
        ({**SCRIPT, "colour": "red"}, 400, "field_unknown"),
        ({**SCRIPT, "sessionId": "a\tb"}, 400, None),
    ],
)
def test_what_cannot_be_a_task_is_one_line_and_makes_nothing(client, project, body, status, code) -> None:
    content = json.dumps(body).encode()
    found = fault(client("POST", DOCUMENTS, content=content, headers={"Content-Type": "application/json"}))
    assert found[0] == status
    assert code in (None, found[1])
    assert client.get(DOCUMENTS)["documents"] == []
    assert [each.name for each in (project / ".downcity" / "task").iterdir()] == []


def test_a_change_of_nothing_is_refused(client, make) -> None:
    make()
    for body in ({}, {"revision": "x"}):
        assert fault(client("PATCH", at("晨报"), json=body)) == (400, "http_document_nothing")
    assert fault(client("PATCH", at("晨报"), json={"title": None})) == (400, "field_wrong")


def test_another_project_is_only_used_once_its_owner_has_adopted_it(client, app, tmp_path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    assert fault(client("GET", DOCUMENTS, params={"project": str(other)})) == (404, "http_document_project_unknown")
    assert list(other.iterdir()) == []
    assert fault(client("POST", DOCUMENTS, json={**SCRIPT, "project": str(other)})) == (
        404,
        "http_document_project_unknown",
    )
    assert list(other.iterdir()) == []
    app.documents.adopt(other)
    made = client.post(DOCUMENTS, {**SCRIPT, "project": str(other)})
    assert made["project"] == str(other)
    assert fault(client("GET", at("晨报"))) == (404, "document_unknown")
    assert client.get(at("晨报"), params={"project": f"{other}/"})["taskId"] == made["taskId"]
    assert client.get(f"{DOCUMENTS}/{made['taskId']}")["project"] == str(other)


def test_hostile_projects_are_one_line_and_touch_nothing(client, tmp_path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "file").write_text("x")
    cases = {
        f"{tmp_path}/real/../real": (400, "http_document_project_wrong"),
        "relative/folder": (400, "http_document_project_wrong"),
        "~root": (400, "http_document_project_wrong"),
        "": (400, "http_document_project_wrong"),
        f"{tmp_path}/real\0": (400, "http_document_project_wrong"),
        f"{tmp_path}/a\nb": (400, "http_document_project_wrong"),
        f"{tmp_path}/link": (404, "http_document_project_unknown"),
        "/": (404, "http_document_project_unknown"),
        f"{tmp_path}/nothing": (400, "document_project_missing"),
        f"{tmp_path}/file": (400, "document_project_missing"),
        f"{tmp_path}/{'x' * 300}": (400, "document_project_missing"),
        "/" + "x" * 2_000: (400, "field_wrong"),
    }
    for project, expected in cases.items():
        assert fault(client("POST", DOCUMENTS, json={**SCRIPT, "project": project})) == expected, project
        assert fault(client("GET", DOCUMENTS, params={"project": project}))[0] in (400, 404), project
    assert list((tmp_path / "real").iterdir()) == []


@pytest.mark.parametrize("title", ["nobody", "t1", "t99999999999999999999", "a/b", "%00", "x" * 3_000])
def test_a_task_that_nobody_knows_is_not_found(client, title) -> None:
    address = f"{DOCUMENTS}/{title if title == '%00' else at(title).rpartition('/')[2]}"
    for method, rest, body in (
        ("GET", "", None),
        ("GET", "/text", None),
        ("GET", "/next", None),
        ("GET", "/runs", None),
        ("PATCH", "", {"body": "x"}),
        ("PUT", "/text", {"text": FILE}),
        ("POST", "/run", {}),
        ("POST", "/enable", {}),
        ("POST", "/status", {"status": "paused"}),
        ("DELETE", "", None),
    ):
        more = {} if body is None else {"json": body}
        assert fault(client(method, address + rest, **more)) == (404, "document_unknown"), (method, rest)


def test_a_stranger_sees_and_changes_nothing(stranger, client, make, start) -> None:
    make()
    run = start()
    routes = [
        ("GET", DOCUMENTS),
        ("POST", DOCUMENTS),
        ("POST", f"{DOCUMENTS}/validate"),
        ("GET", at("晨报")),
        ("PATCH", at("晨报")),
        ("DELETE", at("晨报")),
        *(("POST", at("晨报", f"/{verb}")) for verb in ("run", "enable", "disable", "status")),
        *(("GET", at("晨报", f"/{what}")) for what in ("next", "text", "runs")),
        ("PUT", at("晨报", "/text")),
        ("GET", RUNS),
        *(("GET", f"{RUNS}/{run}{rest}") for rest in ("", "/artifacts/run.json", "/events")),
        ("POST", f"{RUNS}/{run}/cancel"),
        ("POST", f"{API}/chat/messages"),
        *((method, f"{API}/chat/sessions/x") for method in ("GET", "PUT", "DELETE")),
    ]
    assert [stranger(*route).status_code for route in routes] == [401] * len(routes)
    assert client.get(at("晨报"))["waiting"] == []
    assert client.get(f"{RUNS}/{run}")["inProgress"]
