"""A run of 10:00 in Shanghai, its folder, and what may come of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from zhixing.documents.artifacts.facts import RunFacts, Trigger, TriggerType
from zhixing.documents.artifacts.folders import make_run_folder, run_id_of
from zhixing.documents.artifacts.writer import RunFolder
from zhixing.documents.model import Definition, Kind, Manual, Standing
from zhixing.documents.performing import Execution, Outcome, Review, Round, Verdict
from zhixing.kernel.clock import ManualClock
from zhixing.world.models.usage import Tokens

REPORT = "# 日报\n\n今天一切正常。\n"


@pytest.fixture
def facts(clock: ManualClock) -> RunFacts:
    """Give an agent run of a schedule, three seconds late, with review."""
    now = clock.now()
    return RunFacts(
        run_id=run_id_of(now),
        task_id="日报",
        title="日报",
        session_id="家庭群",
        kind=Kind.AGENT,
        when="0 9 * * 1-5",
        task_status=Standing.ENABLED,
        trigger=Trigger(TriggerType.CRON, due=now - timedelta(seconds=3), late_seconds=3),
        review=True,
        max_rounds=3,
        queued_at=now - timedelta(seconds=1),
        started_at=now,
        ended_at=None,
        attempt=1,
        zone="Asia/Shanghai",
        run_dir=PurePosixPath(".downcity/task/日报", run_id_of(now)),
    )


@pytest.fixture
def definition() -> Definition:
    return Definition(
        title="日报", description="写日报", when=Manual(), session_id="家庭群", body="# 任务目标\n\n- 日报"
    )


@pytest.fixture
def done() -> Outcome:
    """Give an outcome whose second round satisfied the reviewer."""
    first = Review(satisfied=False, reply="太短", reason="缺少昨天", score=4.5, raw='{"satisfied": false}')
    second = Review(satisfied=True, reply="可以", reason="齐全", score=9, raw='{"satisfied": true}')
    return Outcome(
        Execution.SUCCESS,
        Verdict.VALID,
        output=REPORT,
        rounds=(
            Round(1, "写日报", "好", errors=("太短",), reviewer_query="看看", review=first, feedback="补上昨天"),
            Round(2, "再写", REPORT, reviewer_query="看看", review=second),
        ),
        tokens=Tokens(1_200, 300, 100),
        steps=7,
    )


@pytest.fixture
def folder(tmp_path: Path, facts: RunFacts) -> Path:
    task = tmp_path / "日报"
    task.mkdir()
    return make_run_folder(task, facts.run_id)


@pytest.fixture
def a_run(folder: Path, facts: RunFacts, clock: ManualClock) -> Callable[..., RunFolder]:
    """Open the folder of the run, as the program and then another program after a crash do."""

    def opened(kind: Kind = Kind.AGENT, **ports: Any) -> RunFolder:
        return RunFolder(folder, replace(facts, kind=kind), clock, **ports)

    return opened
