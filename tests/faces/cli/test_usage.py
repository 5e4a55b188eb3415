"""A command line that is none: one line in Chinese that names what was probably meant, and exit code 2."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.faces.cli.commands import COMMANDS
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import parse_instant

NOT_SERVING = [name for name in COMMANDS if name != "serve"]
WORDS = st.text(max_size=20) | st.sampled_from(
    [
        "-",
        "--",
        "t1",
        "1",
        "--json",
        "--help",
        "-n",
        "--limit",
        "--batch",
        "--zone",
        "Asia/Tokyo",
        "show",
        "set",
        "明天下午3点",
    ]
)


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (("sya", "x"), "没有「sya」这个命令，是不是：zhixing say"),
        (("SAY", "x"), "没有「SAY」这个命令，是不是：zhixing say"),
        (("lst",), "没有「lst」这个命令，是不是：zhixing list"),
        (("rm", "t1"), "没有「rm」这个命令，是不是：zhixing delete"),
        (("start",), "没有「start」这个命令，是不是：zhixing serve"),
        (("config", "sho"), "没有「sho」这个命令，是不是：zhixing config show"),
        (("help", "sya"), "没有「sya」这个命令，是不是：zhixing say"),
        (("sya", "--help"), "没有「sya」这个命令，是不是：zhixing say"),
        (
            ("明晚九点提醒我交表",),
            "没有「明晚九点提醒我交表」这个命令；要把它当一句话记下，写：zhixing say 明晚九点提醒我交表",
        ),
        (("--json", "list"), "选项「--json」要写在命令后面，如：zhixing list --json"),
        (("say", "a", "--sorce", "voice"), "zhixing say 没有「--sorce」这个选项，是不是：--source"),
        (("list", "--jsn"), "zhixing list 没有「--jsn」这个选项，是不是：--json"),
        (("list", "--status"), "选项「--status」后面缺一个值，写法：zhixing list [选项]"),
        (("list", "--json", "--json"), "选项「--json」写了两次，写法：zhixing list [选项]"),
        (("list", "--json=maybe"), "选项「--json」不带值，写法：zhixing list [选项]"),
        (("list", "x"), "多了「x」，写法：zhixing list [选项]"),
        (("show",), "还缺 TASK，写法：zhixing show TASK [选项]"),
        (("answer", "t1"), "还缺 VALUE，写法：zhixing answer TASK VALUE… [选项]"),
        (("remind", "t1"), "还缺 AT，写法：zhixing remind TASK AT… [选项]"),
        (("next",), "还缺 EXPRESSION，写法：zhixing next EXPRESSION… [选项]"),
        (("config", "set", "zone"), "还缺 VALUE，写法：zhixing config set KEY VALUE [选项]"),
        (("say",), "要说什么？如：zhixing say 明晚九点提醒我交表；长的用管道：zhixing say -"),
    ],
)
def test_it_names_what_was_probably_meant(terminal, argv, line):
    assert terminal.refused(*argv, code=2) == line
    assert not terminal.home.exists()


def test_where_nothing_is_near_all_commands_are_named(terminal):
    line = terminal.refused("qqqq", code=2)
    assert line.startswith("没有「qqqq」这个命令，zhixing 后面可以写：ack、answer、")
    assert "version" in line


def test_where_no_option_is_near_all_options_are_named(terminal):
    line = terminal.refused("say", "x", "-x", code=2)
    assert "--source、--message-date" in line
    assert "前面加 --" in line


@pytest.mark.parametrize("name", ["x" * 5000, "\x1b[31m", "a\nb"])
def test_what_was_typed_is_quoted_on_one_line_and_not_at_any_length(terminal, name):
    line = terminal.refused(name, code=2)
    assert len(line) < 400
    assert "\x1b" not in line


@pytest.fixture(scope="module")
def playground(tmp_path_factory, terminal_at):
    return terminal_at(tmp_path_factory.mktemp("any") / "home", ManualClock(parse_instant("2026-10-12T10:00:00+08:00")))


@settings(max_examples=150, deadline=None)
@given(command=st.sampled_from(NOT_SERVING) | st.text(max_size=8), words=st.lists(WORDS, max_size=5), stdin=st.binary())
def test_whatever_is_typed_there_is_an_answer_or_one_line(playground, command, words, stdin):
    # No argument can hold a NUL, and results go nowhere else.
    argv = [word.replace("\0", "") for word in (command, *words) if word != "serve"]
    done = playground(*argv, stdin=stdin)
    assert done.code in (0, 1, 2, 3)
    assert "意料之外" not in done.err
    assert done.err.count("\n") == (done.code != 0)
