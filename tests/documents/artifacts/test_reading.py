"""Runs read again: missing, broken, foreign and hostile files (downcity.md §4.3; T14)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zhixing.delivery.model import MessageState
from zhixing.documents.artifacts.facts import Delivery, DeliveryState, RunStatus, Told
from zhixing.documents.artifacts.names import OUTPUT, PROGRESS, RUN
from zhixing.documents.artifacts.reading import (
    LARGEST_RECORD,
    LONGEST_TEXT,
    MOST_FILES,
    list_artifacts,
    read_artifact,
    read_run,
)
from zhixing.documents.artifacts.writer import RunFolder
from zhixing.documents.model import Definition
from zhixing.documents.performing import Execution, Outcome, Phase, Verdict
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import BadInput, NotFound, Unavailable
from zhixing.world.models.usage import Tokens

FOREIGN = {
    "v": 1,
    "taskId": "Daily check",
    "timestamp": "20260512-010203-004",
    "executionId": "Daily check:1778547723004",
    "sessionId": "tg-1",
    "trigger": {"type": "manual", "reason": "try"},
    "status": "failure",
    "executionStatus": "success",
    "resultStatus": "invalid",
    "resultErrors": ["empty"],
    "dialogueRounds": 1,
    "userSimulatorSatisfied": False,
    "startedAt": 1778547723004,
    "endedAt": 1778547725004,
    "error": "empty",
}


def test_a_finished_run_is_read_as_it_was_written(
    a_run: Callable[..., RunFolder], folder: Path, clock: ManualClock, definition: Definition, done: Outcome
) -> None:
    run = a_run()
    run.prepare(definition)
    run.note(Phase.EXECUTOR, "第 2 轮", round_number=2)
    clock.advance(timedelta(seconds=2))
    delivery = Delivery(
        DeliveryState.FAILED, (Told("m1", "家庭群", MessageState.FAILED, clock.now(), "连不上"),), "没送到"
    )
    run.finish(done, RunStatus.SUCCESS, clock.now(), delivery)
    view = read_run(folder)
    record = view.record
    assert record is not None
    assert (view.run_id, view.status, view.problems, view.unlisted) == (folder.name, RunStatus.SUCCESS, (), 0)
    assert (record.execution, record.verdict) == (Execution.SUCCESS, Verdict.VALID)
    assert (record.trigger, record.late_seconds, record.due) == ("cron", 3, clock.now() - timedelta(seconds=5))
    assert (record.started_at, record.ended_at) == (clock.now() - timedelta(seconds=2), clock.now())
    assert (record.rounds, record.satisfied, record.score, record.steps) == (2, True, 9, 7)
    assert (record.tokens, record.delivery, record.foreign) == (Tokens(1_200, 300, 100), delivery, False)
    assert view.progress is not None
    assert [event.round_number for event in view.progress.events] == [None, 2, None, None]
    assert [listed.name for listed in view.artifacts] == [
        "input.md",
        "output.md",
        "result.md",
        "run.json",
        "run-progress.json",
        "dialogue.md",
        "dialogue.json",
    ]
    assert view.artifacts[1].size == len(done.output.encode())


def test_a_folder_of_the_original_program_is_read(folder: Path) -> None:
    (folder / RUN).write_text(json.dumps(FOREIGN))
    (folder / OUTPUT).write_text("# Task Output\n\nfine\n")
    view = read_run(folder)
    assert view.record is not None
    assert view.record.foreign
    assert (view.status, view.record.errors, view.record.delivery) == (RunStatus.FAILURE, ("empty",), None)
    assert read_artifact(folder, OUTPUT).text == "# Task Output\n\nfine\n"


def test_a_run_of_the_original_that_never_ended_says_what_its_progress_says(folder: Path) -> None:
    (folder / PROGRESS).write_text(json.dumps({"v": 1, "status": "running", "phase": "script_running", "events": []}))
    view = read_run(folder)
    assert view.record is None
    assert view.status is RunStatus.RUNNING


def test_an_empty_folder_says_nothing(folder: Path) -> None:
    view = read_run(folder)
    assert (view.status, view.artifacts, view.problems) == (None, (), ())


@pytest.mark.parametrize(
    "contents",
    [b"", b"{", b"[1]", b"\xff\xfe", b'"text"', b"[" * 100_000, b'{"v": ' + b"9" * 5_000 + b"}"],
)
def test_a_broken_record_is_a_problem_and_not_an_error(folder: Path, contents: bytes) -> None:
    (folder / RUN).write_bytes(contents)
    (folder / PROGRESS).write_text('{"status": "running"}')
    view = read_run(folder)
    assert view.problems == ("读不了 run.json：内容读不懂。",)
    assert view.status is RunStatus.RUNNING


def test_a_record_that_is_too_large_is_not_read(folder: Path) -> None:
    (folder / RUN).write_text(json.dumps({"status": "success", "fill": " " * LARGEST_RECORD}))
    assert read_run(folder).problems == (f"读不了 run.json：太大了，最多 {LARGEST_RECORD} 字节。",)


def test_values_of_other_types_are_values_that_are_not_there(folder: Path) -> None:
    odd: dict[str, Any] = {key: [{"state": 1}] for key in (*FOREIGN, "exit", "tokens", "delivery", "attempt")}
    (folder / RUN).write_text(json.dumps(odd))
    record = read_run(folder).record
    assert record is not None
    assert (record.status, record.started_at, record.error, record.exit, record.delivery) == (
        None,
        None,
        "",
        None,
        None,
    )
    assert (record.attempt, record.tokens, record.errors) == (1, Tokens(), ())


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(list(RunStatus)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["at", "state", "read"]), inner),
    max_leaves=6,
)
KEYS = st.sampled_from([*FOREIGN, "exit", "tokens", "delivery", "events", "updatedAt", "round", "queuedAt", "phase"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.dictionaries(KEYS, VALUES), st.dictionaries(KEYS, VALUES))
def test_no_json_keeps_a_run_from_being_read(folder: Path, record: dict[str, Any], progress: dict[str, Any]) -> None:
    (folder / RUN).write_text(json.dumps(record))
    (folder / PROGRESS).write_text(json.dumps(progress))
    assert read_run(folder).problems == ()


def test_a_run_that_is_not_there_is_told(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "20261012-030000-000").symlink_to(folder)
    (tmp_path / "20261012-040000-000").write_text("")
    for name in ("20261012-030000-000", "20261012-040000-000", "20261012-050000-000"):
        with pytest.raises(NotFound, match=f"没有编号为「{name}」的运行"):
            read_run(tmp_path / name)


def test_links_pipes_and_folders_are_neither_listed_nor_read(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (folder / OUTPUT).symlink_to(tmp_path / "secret")
    (folder / "sub").mkdir()
    os.mkfifo(folder / RUN)
    view = read_run(folder)
    assert view.artifacts == ()
    assert view.problems == ("读不了 run.json：它不是普通文件。",)
    with pytest.raises(Unavailable, match="是一个链接"):
        read_artifact(folder, OUTPUT)
    with pytest.raises(Unavailable):
        read_artifact(folder, "sub")


@pytest.mark.parametrize("name", ["", ".", "..", "../secret", "sub/x", "a\0b"])
def test_a_name_that_leads_elsewhere_is_no_artifact(tmp_path: Path, folder: Path, name: str) -> None:
    (tmp_path / "secret").write_text("secret")
    with pytest.raises(BadInput, match="没有这个文件"):
        read_artifact(folder, name)


def test_an_artifact_that_is_not_there_is_told(folder: Path) -> None:
    with pytest.raises(NotFound, match=r"读不了 error\.md：没有这个文件"):
        read_artifact(folder, "error.md")


@pytest.mark.parametrize("letter", ["a", "好", "😀"])
@pytest.mark.parametrize(("extra", "cut"), [(0, False), (1, True), (1_000_000, True)])
def test_a_long_artifact_is_read_to_a_bound(folder: Path, letter: str, extra: int, *, cut: bool) -> None:
    (folder / OUTPUT).write_text(letter * (LONGEST_TEXT + extra))
    read = read_artifact(folder, OUTPUT)
    assert read.text == letter * LONGEST_TEXT
    assert read.cut is cut
    assert read.size == len(letter.encode()) * (LONGEST_TEXT + extra)


def test_bytes_that_are_no_text_are_shown_as_far_as_they_are(folder: Path) -> None:
    (folder / OUTPUT).write_bytes(b"ok \xff\xfe")
    assert read_artifact(folder, OUTPUT).text == "ok \ufffd\ufffd"


def test_of_very_many_files_the_artifacts_are_listed_first(folder: Path) -> None:
    for number in range(MOST_FILES + 5):
        (folder / f"a{number:04}").write_text("")
    (folder / RUN).write_text("{}")
    (folder / ".hidden").write_text("")
    view = read_run(folder)
    assert view.artifacts[0].name == RUN
    assert len(view.artifacts) == MOST_FILES
    assert view.unlisted == 6
    assert list_artifacts(folder) == view.artifacts
