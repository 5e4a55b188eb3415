"""Programs of this machine as bots, within real walls and, where the words count, in the twin of a sandbox."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from tests.machine import walls

from zhixing.kernel.clock import SystemClock
from zhixing.kernel.errors import Unavailable
from zhixing.world.bots.commanding import CommandBot
from zhixing.world.bots.port import FAILED, Errand, NotSent, Said, Unclear
from zhixing.world.sandbox.bare import Unconfined
from zhixing.world.sandbox.port import Ended
from zhixing.world.sandbox.scripted import FunctionSandbox, ScriptedSandbox, ending, never_ending, printing

ERRAND = Errand("key\ud800", "要多少灯\n第二行\ud83d\0", "task_1", 2, 30)


@pytest.fixture(params=["bwrap", "none"])
def sandbox(request):
    return walls() if request.param == "bwrap" else Unconfined(SystemClock())


def bash(sandbox, script, folder=None, **changes):
    return CommandBot(("bash", "-c", script), sandbox, folder, **changes)


def test_the_text_comes_in_and_the_answer_goes_out(sandbox, tmp_path):
    script = 'cat; echo; echo "$ZHIXING_KEY $ZHIXING_LOOP_TASK_ID $ZHIXING_ATTEMPT"; pwd'
    told = bash(sandbox, script, tmp_path).ask(ERRAND)
    assert told == Said(f"要多少灯\n第二行?\ufffd\nkey? task_1 2\n{tmp_path}")


def test_nothing_of_our_environment_reaches_it(sandbox, monkeypatch):
    monkeypatch.setenv("ZHIXING_MODEL_KEY", "s3cret")
    told = bash(sandbox, "env").ask(ERRAND)
    assert "s3cret" not in told.content
    assert "ZHIXING_KEY" in told.content


def test_it_may_write_in_its_folder_and_is_found_there(sandbox, tmp_path):
    program = tmp_path / "bot"
    program.write_text("#!/bin/sh\necho $1 > seen\ncat seen\n")
    program.chmod(0o755)
    assert CommandBot(("./bot", "a;b $HOME"), sandbox, tmp_path).ask(ERRAND) == Said("a;b $HOME")
    assert (tmp_path / "seen").exists()


def test_without_a_folder_it_gets_one_that_is_removed(sandbox):
    told = bash(sandbox, "touch x && pwd").ask(ERRAND)
    assert told.run_status != FAILED
    assert not Path(told.content).exists()


def test_who_fails_says_why(sandbox):
    told = bash(sandbox, "echo 半截; echo 没有货 >&2; exit 3").ask(ERRAND)
    assert told == Said("半截", FAILED, "exit_3: 没有货")


def test_who_is_too_slow_is_ended_with_all_its_children(sandbox):
    told = bash(sandbox, "sleep 600 & echo 先; wait", seconds=0.5).ask(ERRAND)
    assert (told.content, told.run_status, told.error) == ("先", FAILED, "timeout")


def test_the_other_folders_of_the_machine_are_not_seen(tmp_path):
    (tmp_path / "secret").write_text("s3cret")
    folder = tmp_path / "bot"
    folder.mkdir()
    assert bash(walls(), "cat ../secret", folder).ask(ERRAND).run_status == FAILED


def test_who_is_put_into_a_hidden_folder_is_not_run_and_one_beside_or_above_sees_nothing_of_it(sandbox, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "token").write_text("s3cret")
    (tmp_path / "link").symlink_to(home)
    for folder in (home, tmp_path / "link"):
        with pytest.raises(NotSent, match="command_folder"):
            bash(sandbox, "cat token; echo x > bots.toml", folder, hidden=(home,)).ask(ERRAND)
    assert not (home / "bots.toml").exists()
    (home / "bot").mkdir()
    assert bash(sandbox, "pwd", home / "bot", hidden=(home,)).ask(ERRAND) == Said(str(home / "bot"))
    for folder in (home / "bot", tmp_path):
        assert "s3cret" not in bash(walls(), f"cat {home}/token 2>&1; true", folder, hidden=(home,)).ask(ERRAND).content


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (printing(b"  \n"), Said("", FAILED, "answer_empty")),
        (printing("灯\0\x1b[31m\xff".encode() + b"\xff\n"), Said("灯ÿ\ufffd")),
        (printing(b"", b"x" * 1000, code=1), Said("", FAILED, "exit_1: " + "x" * 400)),
        (ending(Ended.TOO_MANY_PROCESSES), Said("", FAILED, "too_many_processes")),
    ],
)
def test_what_it_prints_is_kept_plain(answer, told):
    assert CommandBot(("true",), ScriptedSandbox(answer)).ask(ERRAND) == told


def test_an_endless_answer_has_failed():
    told = CommandBot(("true",), ScriptedSandbox(printing(b"x" * 300_000))).ask(ERRAND)
    assert (told.run_status, told.error, len(told.content)) == (FAILED, "answer_large", 200_000)


def test_a_program_that_closes_waits_for_nobody():
    closing = threading.Event()
    closing.set()
    with pytest.raises(Unclear, match=r"^closing$"):
        CommandBot(("true",), FunctionSandbox(never_ending), closing=closing).ask(ERRAND)


@pytest.mark.parametrize(
    ("argv", "folder", "reason"),
    [
        (("no-such-program-at-all",), None, "command_missing"),
        (("./no-such-program",), None, "command_missing"),
        (("./",), None, "command_missing"),
        (("true",), Path("/no/such/folder"), "command_folder"),
        (("true",), Path("/etc/passwd"), "command_folder"),
    ],
)
def test_what_cannot_run_was_not_sent(argv, folder, reason):
    with pytest.raises(NotSent, match=f"^{reason}$"):
        CommandBot(argv, ScriptedSandbox(), folder).ask(ERRAND)


def test_words_that_no_system_takes_were_not_sent(sandbox):
    with pytest.raises(NotSent, match=r"^command_unusable$"):
        CommandBot(("true", "a\0b"), sandbox).ask(ERRAND)


def test_without_a_sandbox_nothing_was_sent():
    def refuse(_command):
        raise Unavailable("sandbox_failed", why="x")

    with pytest.raises(NotSent, match=r"^sandbox_failed$"):
        CommandBot(("true",), FunctionSandbox(refuse)).ask(ERRAND)


def test_the_network_and_what_is_hidden_are_handed_on(tmp_path):
    sandbox = ScriptedSandbox(printing(b"x"), printing(b"x"))
    CommandBot(("true",), sandbox, tmp_path, network=False, hidden=(tmp_path / "h",)).ask(ERRAND)
    CommandBot(("true",), sandbox, tmp_path).ask(ERRAND)
    assert [each.network for each in sandbox.commands] == [False, True]
    assert sandbox.commands[0].hidden == (tmp_path / "h",)
