"""What commands print and read. Every test runs with walls and without."""

from __future__ import annotations

import os
import resource
import signal
import threading
from datetime import timedelta

import pytest

from zhixing.world.sandbox.port import MEBIBYTE, Limits

KEPT = Limits().kept_bytes


@pytest.fixture
def run(sandbox, script):
    return lambda text, **changes: sandbox.run(script(text, **changes), threading.Event())


def test_both_streams_are_kept_apart(run):
    finished = run("echo out; echo err >&2; echo out again")
    assert (finished.stdout.head, finished.stderr.head) == (b"out\nout again\n", b"err\n")


def test_500_megabytes_are_counted_and_bounded(run, folder):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    finished = run("yes | head -c 500M; echo end", out=folder / "out")
    assert finished.succeeded
    assert finished.stdout.total == 500 * MEBIBYTE + 4
    assert len(finished.stdout.head) == len(finished.stdout.tail) == KEPT // 2
    assert finished.stdout.tail.endswith(b"y\nend\n")
    assert finished.stdout.dropped == 499 * MEBIBYTE + 4
    assert finished.stdout.logged == Limits().logged_bytes
    assert (folder / "out").stat().st_size < Limits().logged_bytes + 200
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 32 * 1024


def test_one_line_of_50_megabytes_is_bounded(run):
    finished = run("head -c 50M /dev/zero | tr '\\0' x >&2; echo end >&2")
    assert finished.stderr.total == 50 * MEBIBYTE + 4
    assert finished.stderr.head == b"x" * (KEPT // 2)
    assert finished.stderr.tail.endswith(b"xend\n")


def test_bytes_that_are_no_text_are_kept_as_they_are(run):
    assert run("printf '\\x00\\xff\\xfe\\r\\n'").stdout.head == b"\x00\xff\xfe\r\n"


def test_standard_input_is_at_its_end(run):
    finished = run('read -r line; echo "got $? $line"; cat')
    assert finished.stdout.head == b"got 1 \n"


def test_standard_input_is_what_is_given(run):
    finished = run("wc -c; echo done", stdin=b"\nline\n" * 100_000)
    assert finished.stdout.head.split() == [b"600000", b"done"]


def test_input_that_nobody_reads_holds_nothing_up(run):
    assert run("exec 0<&-; echo done", stdin=b"x" * 1_000_000).stdout.head == b"done\n"


def test_a_command_may_close_what_it_prints_to(run):
    assert run("exec 1>&- 2>&-; exit 4").code == 4


def test_a_file_has_what_was_printed_while_the_command_runs(sandbox, script, folder, running, until):
    os.mkfifo(folder / "go")
    future = running(sandbox, script("echo first; read -r _ < go; echo second", out=folder / "out"))
    until(lambda: (folder / "out").exists() and (folder / "out").read_text() == "first\n")
    (folder / "go").write_text("\n")
    assert future.result(60).stdout.logged == (folder / "out").stat().st_size == len("first\nsecond\n")


def test_secrets_are_covered_in_memory_and_in_files(run, folder):
    finished = run(
        'echo "key $KEY"; printf "$KEY" | head -c 9; sleep 0.01; printf "$KEY" | tail -c +10; echo "$KEY" >&2',
        env={"PATH": "/usr/bin:/bin", "KEY": "sk-12345-67890"},
        secrets=("sk-12345-67890",),
        out=folder / "out",
        err=folder / "err",
    )
    assert finished.stdout.head == (folder / "out").read_bytes() == b"key ***\n***"
    assert finished.stderr.head == (folder / "err").read_bytes() == b"***\n"


def test_a_script_with_the_line_ends_of_windows_says_what_is_wrong(run, folder):
    (folder / "task.sh").write_bytes(b"set -euo pipefail\r\necho hi\r\n")
    finished = run("bash task.sh")
    assert b"line 1: set: pipefail" in finished.stderr.head
    assert b"invalid option name" in finished.stderr.head


@pytest.mark.parametrize(
    ("text", "limits", "says"),
    [
        ("x=$(head -c 300M /dev/zero | tr '\\0' x)", Limits(memory_bytes=128 * MEBIBYTE), b"cannot allocate"),
        ("exec head -c 3M /dev/zero > big", Limits(file_bytes=MEBIBYTE), b""),
        ('for n in $(seq 3 60); do eval "exec $n</dev/null"; done', Limits(open_files=30), b"Too many open files"),
    ],
    ids=["memory", "file", "open files"],
)
def test_a_bound_that_is_passed_fails_the_command(run, folder, text, limits, says):
    finished = run(text, limits=limits)
    assert not finished.succeeded
    assert says in finished.stderr.head
    assert not (folder / "big").exists() or (folder / "big").stat().st_size == MEBIBYTE


def test_processor_time_is_bounded(run):
    assert run("while :; do :; done", limits=Limits(cpu=timedelta(seconds=1))).signal == signal.SIGXCPU


def test_the_server_keeps_its_own_limits(run):
    before = [resource.getrlimit(which) for which in (resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE)]
    assert run("ulimit -c").stdout.head == b"0\n"
    after = [resource.getrlimit(which) for which in (resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE)]
    assert after == before
