"""Killed in the middle of a talk: the sentence is on disk and dealt with once, or it was never heard."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from tests.household.spoken import Talking

from zhixing.household.talking.talk import TalkState
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import parse_instant

TALKER = Path(__file__).with_name("talker.py")
BEGIN = parse_instant("2026-10-12T10:00:00+08:00")
KILLED = -9
ANSWERING = ("before 1", "after 1", "after 3", "before 4")
DELETING = ("after 1", "after 2", "after 3", "before 4")
"""Its commits: what was said is kept, what is to be done is written down, it is done, that is written down."""


@pytest.fixture(scope="session")
def talker() -> Iterator[subprocess.Popen[str]]:
    """Give the program that says things and is killed; its start is paid once."""
    command = [sys.executable, str(TALKER)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


@pytest.fixture
def say(talker, home) -> Callable[..., int]:
    """Say something, and answer, in a process that is killed at a step; return how it ended."""

    def said(step: str, *words: str) -> int:
        assert talker.stdin is not None
        assert talker.stdout is not None
        talker.stdin.write(json.dumps({"database": home.url, "words": words, "step": step}) + "\n")
        talker.stdin.flush()
        return int(talker.stdout.readline())

    return said


@pytest.fixture
def later(home) -> Callable[[], Talking]:
    """Open the home again, when everything that was left behind has been taken up."""

    def opened() -> Talking:
        found = Talking(home, ManualClock(BEGIN))
        found.run(timedelta(minutes=20))
        return found

    return opened


@pytest.mark.parametrize("step", ANSWERING)
def test_an_answer_makes_one_task_or_the_question_is_still_open(say, later, step) -> None:
    assert say(step, "久坐30分钟提醒一下", "手机") == KILLED
    home = later()
    talks = home.app.talks.list()
    if step == "before 1":
        assert (talks, home.slugs) == ((), [])
        return
    (talk,) = talks
    if talk.state is TalkState.ASKED:
        talk = home.app.talks.answer(talk.id, "手机", who="test")
    assert (talk.state, home.slugs) == (TalkState.DONE, list(talk.tasks))
    assert len(home.slugs) == 1


@pytest.mark.parametrize("step", DELETING)
def test_what_was_meant_is_deleted_and_nothing_else(say, later, step) -> None:
    assert say("never", "儿童房没人就关灯") == 0
    assert say("never", "客厅没人就关灯") == 0
    assert say(step, "删掉客厅关灯任务") == KILLED
    home = later()
    assert home.slugs == ["kids_room_off"]
    assert not any(talk.open for talk in home.app.talks.list())


def test_all_tasks_of_a_sentence_are_made_or_none(say, later) -> None:
    assert say("before 2", "客厅没人就关灯，妈妈回家播报欢迎") == KILLED
    home = later()
    assert set(home.slugs) == {"living_room_off", "mom_arrival"}
    assert [talk.state for talk in home.app.talks.list()] == [TalkState.DONE]
