"""What OpenAPI says of document tasks is what is written: no field more, none less."""

from __future__ import annotations

from tests.faces.http.described import check
from tests.faces.http.documents.conftest import DOCUMENTS, EXTRAS, RUNS, at

from zhixing.faces.http.api import document_shapes as shapes


def test_everything_about_tasks_and_runs_is_described(client, app, make, start, stage) -> None:
    stage.leaves = {"note.txt": b"x"}
    made = make(**{**EXTRAS, "paths": []})
    ended = start()
    app.engine.drain()
    start()
    start(queue=True)
    check(shapes.CreatedDocument, made)
    shown = client.get(at("晨报"))
    assert shown["active"] is not None
    assert shown["waiting"]
    assert shown["last"] is not None
    check(shapes.Document, shown)
    check(shapes.Documents, client.get(DOCUMENTS))
    check(shapes.DocumentText, client.get(at("晨报", "/text")))
    check(shapes.NextRuns, client.get(at("晨报", "/next")))
    check(shapes.DocumentRuns, client.get(RUNS))
    run = client.get(f"{RUNS}/{ended}")
    assert run["record"]["exit"] is not None
    assert run["events"]
    check(shapes.DocumentRun, run)
    for text in ("x", "---\ntitle: a\n---\n"):
        check(shapes.Validated, client.post(f"{DOCUMENTS}/validate", {"text": text}))


def test_every_route_is_described_with_its_shape_and_its_faults(client) -> None:
    paths = client.get("/api/v1/openapi.json")["paths"]
    own = {path: ways for path, ways in paths.items() if "/document" in path or "/chat/" in path}
    assert len(own) == 18
    for path, ways in own.items():
        for method, way in ways.items():
            good = [code for code in way["responses"] if code.startswith("2")]
            assert good, (method, path)
            assert "default" in way["responses"], (method, path)
            assert way["summary"], (method, path)
