"""A command line that cannot be run: exit code 1, one line of JSON that names what was probably meant."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.faces.miloco.commands import COMMANDS
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import parse_instant

CHAINS = list(COMMANDS.chains())
WORDS = st.text(max_size=12) | st.sampled_from(
    [
        "-",
        "--",
        "--pretty",
        "--help",
        "-h",
        "drink_8_today",
        "t1",
        "r1",
        "--task-id",
        "--delta",
        "-1",
        "1.5",
        "--at",
        "2026-10-12",
        "--kind",
        "progress",
        "--content",
        "{}",
        '{"target":8}',
        "--source",
        "--action",
        "[]",
        "--set",
        "on=true",
        "camera-1",
        "light-living",
        "--text",
        "喝水",
    ]
)


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (("tsk",), "没有「tsk」这个命令，是不是：miloco-cli task"),
        (("task", "crate"), "没有「crate」这个命令，是不是：miloco-cli task create"),
        (("task", "record", "ini", "x"), "没有「ini」这个命令，是不是：miloco-cli task record init"),
        (("--version",), "没有「--version」这个命令，是不是：miloco-cli version"),
        (("rule", "remove", "r1"), "没有「remove」这个命令，是不是：miloco-cli rule delete"),
        (("person", "create"), "没有「create」这个命令，是不是：miloco-cli person add"),
        (("task", "pause", "x"), "没有「pause」这个命令，是不是：miloco-cli task disable"),
        (("rule", "qqq", "r1"), "没有「qqq」这个命令，miloco-cli rule 后面可以写：create、delete、disable、"),
        (("task", "create", "--taskid", "x"), "miloco-cli task create 没有「--taskid」这个选项，是不是：--task-id"),
        (("task", "create", "--task-id"), "选项「--task-id」后面缺一个值，写法：miloco-cli task create "),
        (("task", "create", "--task-id", "--description", "x"), "选项「--task-id」后面缺一个值，写法："),
        (("task", "create", "--task-id", "--pretty"), "选项「--task-id」后面缺一个值，写法："),
        (("task", "create", "--description", "x"), "还缺 --task-id，写法：miloco-cli task create "),
        (("task", "get"), "还缺 TASK，写法：miloco-cli task get TASK"),
        (("task", "get", "a", "b"), "多了「b」，写法：miloco-cli task get TASK"),
        (
            ("task", "get", "a", "--description", "x"),
            "miloco-cli task get 没有「--description」这个选项，可用：--pretty",
        ),
        (("task", "delete", "a", "--reason", "done"), "--reason 不能是「done」，可用：completed、expired、abandoned。"),
        (("task", "delete", "a", "--reason=expired", "--reason=expired"), "选项「--reason」写了两次"),
        (("task", "summary", "--window", "week"), "--window 不能是「week」，可用：day、all。"),
        (("task", "record", "init", "a", "--kind", "count", "--content", "{}"), "--kind 不能是「count」，可用："),
        (("task", "record", "progress-inc", "a", "--delta", "1.5"), "--delta 应为整数，现在是「1.5」。"),
        (("task", "record", "progress-inc", "a", "--delta", "1e3"), "--delta 应为整数，现在是「1e3」。"),
        (("task", "record", "progress-inc", "a", "--delta="), "--delta 应为整数，现在是「」。"),
        (("device", "spec"), "还缺 DID，写法：miloco-cli device spec DID…"),
        (("device", "list", "--online=maybe"), "选项「--online」不带值"),
    ],
)
def test_it_names_what_was_probably_meant(miloco, argv, line):
    assert miloco.wrong(*argv).startswith(line)
    assert not miloco.home.exists()


@pytest.mark.parametrize("name", ["x" * 5000, "\x1b[31m", "a\nb", "-"])
def test_what_was_typed_is_quoted_on_one_line_and_not_at_any_length(miloco, name):
    assert len(miloco.wrong(name)) < 300
    assert "\x1b" not in miloco(name).err


@pytest.mark.parametrize("argv", [(), ("--help",), ("-h",), ("--pretty",), ("task",), ("task", "record", "--help")])
def test_a_group_lists_what_it_holds(miloco, argv):
    done = miloco(*argv)
    assert (done.code, done.err) == (0, "")
    assert "\n  " in done.out
    assert not miloco.home.exists()


@pytest.mark.parametrize("chain", CHAINS, ids=" ".join)
def test_every_command_explains_itself_in_chinese(miloco, chain):
    done = miloco(*chain, "--help")
    assert done.code == 0
    assert done.out.startswith(f"miloco-cli {' '.join(chain)}")
    assert any("\u4e00" <= character <= "\u9fff" for character in done.out.splitlines()[2])


@pytest.fixture(scope="module")
def playground(tmp_path_factory, terminal_at):
    return terminal_at(tmp_path_factory.mktemp("any") / "home", ManualClock(parse_instant("2026-10-12T10:00:00+08:00")))


@settings(max_examples=150, deadline=None)
@given(chain=st.sampled_from(CHAINS) | st.just(()), words=st.lists(WORDS, max_size=5), stdin=st.binary(max_size=64))
def test_whatever_is_typed_there_is_an_answer_or_one_line_of_json(playground, chain, words, stdin):
    # No argument can hold a NUL.
    done = playground(*chain, *(word.replace("\0", "") for word in words), stdin=stdin)
    assert done.code in (0, 1, 2, 3)
    assert "意料之外" not in done.err
    assert done.err.count("\n") == (done.code != 0)
    if done.code and not done.err.startswith("error: "):
        assert set(json.loads(done.err)) in ({"error"}, {"code", "message", "data"})
