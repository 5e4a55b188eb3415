"""Runs over HTTP: accepted at once, looked at, called off, and what is in their folders."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from tests.faces.http.documents.conftest import DOCUMENTS, RUNS, SCRIPT, at, fault

from zhixing.documents.artifacts.reading import LONGEST_TEXT


def test_a_run_is_accepted_at_once_and_its_result_is_told_by_itself(client, app, make, project) -> None:
    make()
    answer = client("POST", at("晨报", "/run"), json={"reason": "试一试"})
    said = answer.json()
    assert (answer.status_code, said["accepted"], said["status"]) == (202, True, "queued")
    assert said["message"]
    run = said["executionId"]
    assert said["runDir"] == str(project / ".downcity" / "task" / "晨报" / run)
    assert client.get(f"{RUNS}/{run}")["inProgress"]
    app.engine.drain()
    shown = client.get(f"{RUNS}/{run}")
    assert (shown["status"], shown["title"], shown["trigger"]["reason"]) == ("success", "晨报", "试一试")
    assert shown["record"]["exit"]["code"] == 0
    assert {"input.md", "output.md", "result.md", "run.json", "run-progress.json"} <= {
        one["name"] for one in shown["artifacts"]
    }
    assert [line["phase"] for line in shown["events"]][-1] == "completed"
    assert shown["resultStatus"] == "valid"
    assert [one["text"] for one in client.get("/api/v1/inbox")["messages"]] == ["早上好"]
    assert client.get(at("晨报"))["last"]["executionId"] == run


def test_a_run_needs_no_body(client, make) -> None:
    make()
    assert client("POST", at("晨报", "/run")).status_code == 202


def test_a_second_run_is_refused_with_the_first_one_named_or_waits(client, make, start) -> None:
    make()
    first = start()
    answer = client("POST", at("晨报", "/run"), json={})
    assert fault(answer) == (409, "document_running")
    assert first in answer.json()["error"]["message"]
    second = start(queue=True)
    assert fault(client("POST", at("晨报", "/run"), json={"queue": True})) == (409, "document_waiting")
    shown = client.get(at("晨报"))
    assert (shown["running"], shown["active"]["executionId"]) == (True, first)
    assert [one["executionId"] for one in shown["waiting"]] == [second]
    assert fault(client("POST", at("晨报", "/run"), json={"reason": "x" * 501})) == (413, "document_reason_long")
    assert fault(client("POST", at("晨报", "/run"), json={"sessionId": "a\nb", "queue": True}))[0] in (400, 409)


def test_a_run_keeps_what_it_began_with_when_the_file_is_changed_meanwhile(
    client, app, begun, stage, under_way
) -> None:
    run = begun
    with under_way(app):
        text = client.get(at("晨报", "/text"))
        edited = text["text"].replace("echo 早", "echo 晚").replace("每天一份", "改过了")
        written = client("PUT", at("晨报", "/text"), json={"text": edited, "revision": text["revision"]}).json()
        assert (written["running"], written["active"]["executionId"]) == (True, run)
        assert fault(client("PATCH", at("晨报"), json={"title": "别名"})) == (409, "document_busy_rename")
    assert client.get(f"{RUNS}/{run}")["status"] == "success"
    shown = client.get(at("晨报"))
    assert (shown["body"], shown["description"], shown["revision"]) == ("echo 晚", "改过了", written["revision"])
    client("POST", at("晨报", "/run"))
    app.engine.drain()
    assert ["echo 早" in stage.bodies[0], "echo 晚" in stage.bodies[1]] == [True, True]


def test_a_run_under_way_and_one_that_waits_are_called_off(client, app, make, start, under_way) -> None:
    make()
    run, waiting = start(), start(queue=True)
    assert client.post(f"{RUNS}/{waiting}/cancel")["status"] == "cancelled"
    with under_way(app):
        asked = client.post(f"{RUNS}/{run}/cancel")
        assert (asked["status"], asked["cancelAsked"]) == ("running", True)
    ended = client.get(f"{RUNS}/{run}")
    assert ended["status"] == "cancelled"
    assert client.post(f"{RUNS}/{run}/cancel") == ended


def test_a_task_that_is_taken_away_takes_its_run_with_it(client, app, begun, under_way, project) -> None:
    run = begun
    with under_way(app):
        assert client("DELETE", at("晨报")).json()["active"]["executionId"] == run
    shown = client.get(f"{RUNS}/{run}")
    assert (shown["status"], shown["title"], shown["runDir"], shown["artifacts"]) == ("cancelled", "晨报", None, None)
    assert not (project / ".downcity" / "task" / "晨报").exists()


def test_runs_come_page_by_page_the_newest_first(client, app, make, start) -> None:
    for title in ("甲", "乙"):
        make(title)
    ids = []
    for title in ("甲", "乙", "甲", "甲"):
        ids.append((title, start(title)))
        app.engine.drain()
    newest = [run for _, run in reversed(ids)]
    first = client.get(RUNS, params={"limit": 3})
    rest = client.get(RUNS, params={"limit": 3, "before": first["more"]})
    assert [one["executionId"] for one in (*first["runs"], *rest["runs"])] == newest
    assert rest["more"] is None
    assert {one["title"] for one in first["runs"]} == {"甲", "乙"}
    of_one = client.get(at("甲", "/runs"), params={"limit": 2})
    assert [one["executionId"] for one in of_one["runs"]] == [newest[0], newest[1]]
    assert of_one["more"] == newest[1]
    for query in ({"limit": 0}, {"limit": 201}, {"before": "x"}, {"before": "20261340-020000-000"}):
        assert fault(client("GET", RUNS, params=query))[0] == 400


def test_the_files_of_a_run_are_given_as_text_to_be_looked_at(client, app, make, start, stage) -> None:
    make()
    stage.leaves = {"图 <b>.html": b"<script>alert(1)</script>", "big.txt": b"x" * (LONGEST_TEXT + 1)}
    run = start()
    app.engine.drain()
    answer = client("GET", f"{RUNS}/{run}/artifacts/output.md")
    assert (answer.status_code, answer.text.strip()) == (200, "早上好")
    page = client("GET", f"{RUNS}/{run}/artifacts/图 <b>.html")
    assert page.headers["content-type"] == "text/plain; charset=utf-8"
    assert page.headers["content-disposition"].startswith("attachment; filename*=UTF-8''%E5%9B%BE%20%3Cb%3E")
    assert page.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in page.headers["content-security-policy"]
    big = client("GET", f"{RUNS}/{run}/artifacts/big.txt")
    assert (len(big.text), big.headers["x-zhixing-cut"]) == (LONGEST_TEXT, "true")
    assert big.headers["x-zhixing-bytes"] == str(LONGEST_TEXT + 1)


@pytest.mark.parametrize("name", ["nothing.md", ".env", "%2e%2e", "..%2ftask.md", "%00", "x" * 300, "link"])
def test_nothing_but_the_files_of_a_run_is_given(client, ended, tmp_path, name) -> None:
    (tmp_path / "secret").write_text("geheim")
    (ended / "link").symlink_to(tmp_path / "secret")
    (ended / ".env").write_text("geheim")
    answer = client("GET", f"{RUNS}/{ended.name}/artifacts/{name}")
    assert answer.status_code in (404, 503)
    assert "geheim" not in answer.text


def test_what_a_script_wrote_about_itself_breaks_no_answer(client, ended) -> None:
    progress = json.loads((ended / "run-progress.json").read_text(encoding="utf-8"))
    progress["events"][0]["message"] = "\ud800 half"
    (ended / "run-progress.json").write_text(json.dumps(progress), encoding="utf-8")
    (ended / "run.json").write_text("[" * 100_000, encoding="utf-8")
    (ended / "\udcff.txt").write_text("x")
    shown = client.get(f"{RUNS}/{ended.name}")
    assert shown["status"] == "success"
    assert shown["events"][0]["message"] == "? half"
    assert shown["record"] is None
    assert len(shown["problems"]) == 1
    assert "?.txt" in [one["name"] for one in shown["artifacts"]]


@pytest.mark.parametrize("run", ["x", "20261012-020000-001", "t1", "%00", "20269999-020000-000"])
def test_a_run_that_nobody_knows_is_not_found(client, run) -> None:
    routes = (("GET", ""), ("POST", "/cancel"), ("GET", "/events"), ("GET", "/artifacts/output.md"))
    for method, rest in routes:
        answer = client(method, f"{RUNS}/{run}{rest}")
        assert answer.status_code == 404
        assert answer.json()["error"]["code"] in ("document_run_unknown", "route_unknown")


def test_a_one_shot_comes_once_and_then_waits_for_hands(client, app, make, pass_time) -> None:
    make(when="time:2026-10-12T10:05:00+08:00")
    pass_time(timedelta(minutes=6))
    app.engine.drain()
    shown = client.get(at("晨报"))
    assert (shown["when"], shown["status"], shown["last"]["status"]) == ("@manual", "paused", "success")
    assert shown["last"]["trigger"]["due"] == "2026-10-12T10:05:00+08:00"
    assert client.post(DOCUMENTS, {**SCRIPT, "title": "别的"})["taskId"] != shown["taskId"]
