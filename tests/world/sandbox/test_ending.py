"""How commands end, and that nothing is left of them. Every test runs with walls and without."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack, suppress
from datetime import timedelta
from pathlib import Path

import pytest
from tests.machine import lacks
from tests.world.sandbox.conftest import CLOCK

from zhixing.kernel.errors import BadInput, Unavailable
from zhixing.world.sandbox.bare import Unconfined
from zhixing.world.sandbox.bwrap import Bubblewrap, how_it_ended
from zhixing.world.sandbox.port import Ended, Limits
from zhixing.world.sandbox.processes import PIDFD_INFO_EXIT, wait_status

WALL = timedelta(minutes=10)
GRACE = timedelta(seconds=5)
MANY_FILES = 1_100
"""More than select(2) can name."""
PRINTING = """
import fcntl, os
fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 1 << 20)
open("here", "w").close()
while True:
    os.write(1, b"s" * (1 << 20))
"""
DIGGING = """
import os
os.chdir(os.environ["HOME"])
for _ in range(2_000):
    os.mkdir("in")
    os.chdir("in")
"""


@pytest.fixture
def timed(sandbox, clock):
    """Give the sandbox with a clock that is moved by hand."""
    return Bubblewrap(sandbox.binary, clock) if isinstance(sandbox, Bubblewrap) else Unconfined(clock)


@pytest.fixture
def knows_signals() -> bool:
    """Tell whether this kernel tells how a process ended that somebody else waited for."""
    child = os.posix_spawn("/bin/true", ["true"], {})
    handle = os.pidfd_open(child)
    os.waitpid(child, 0)
    try:
        return wait_status(handle) == 0 and bool(PIDFD_INFO_EXIT)
    finally:
        os.close(handle)


@pytest.mark.parametrize(
    ("text", "code", "number"),
    [
        ("true", 0, None),
        ("false", 1, None),
        ("exit 125", 125, None),
        ("exit 126", 126, None),
        ("no-such-command", 127, None),
        ("exit 255", 255, None),
        ("set -euo pipefail; false | true", 1, None),
        ("kill -KILL $$", None, signal.SIGKILL),
        ("kill -TERM $$", None, signal.SIGTERM),
        ("kill -SEGV $$", None, signal.SIGSEGV),
        ("kill -PIPE $$", None, signal.SIGPIPE),
    ],
)
def test_the_code_or_the_signal_is_that_of_the_command(sandbox, script, text, code, number):
    finished = sandbox.run(script(text), threading.Event())
    assert (finished.ended, finished.code, finished.signal) == (Ended.EXITED, code, number)
    assert finished.mode is sandbox.mode


def test_a_code_above_128_is_told_from_a_signal(sandbox, script, knows_signals):
    finished = sandbox.run(script("exit 137"), threading.Event())
    told = knows_signals or isinstance(sandbox, Unconfined)
    assert (finished.code, finished.signal) == ((137, None) if told else (None, 9))


@pytest.mark.parametrize(
    ("said", "status", "expected"),
    [
        (0, 0, (0, None)),
        (137, 137 << 8, (137, None)),
        (137, 9, (None, 9)),
        (3, None, (3, None)),
        (137, None, (None, 9)),
        (255, None, (255, None)),
        (-9, None, (None, 9)),
    ],
)
def test_what_bwrap_says_is_enough_where_the_kernel_says_nothing(said, status, expected):
    assert how_it_ended(said, status) == expected


@pytest.mark.parametrize(
    "leaves",
    [
        "sleep {word} &",
        "setsid sleep {word} &",
        "(setsid sh -c 'trap \"\" TERM HUP; sleep {word} & sleep {word}' &)",
        "nohup sleep {word} >/dev/null 2>&1 & disown",
        "coproc sleep {word}",
    ],
    ids=["background", "own session", "twice removed and deaf", "nohup", "coprocess"],
)
def test_the_run_ends_with_the_command_and_what_it_left_is_killed(sandbox, script, is_left, leaves):
    word = f"{os.getpid()}.25"
    finished = sandbox.run(script(leaves.format(word=word) + "\necho done"), threading.Event())
    assert finished.succeeded
    assert finished.stdout.head == b"done\n"
    assert not is_left(f"sleep\0{word}")


def test_after_its_time_a_command_is_asked_to_end(timed, script, folder, running, clock):
    os.mkfifo(folder / "here")
    text = "trap 'echo asked; exit 3' TERM; echo > here; while :; do sleep 0.01; done"
    future = running(timed, script(text, limits=Limits(wall=WALL, grace=GRACE)))
    (folder / "here").read_text()
    clock.advance(WALL)
    finished = future.result(60)
    assert (finished.ended, finished.code) == (Ended.TIMED_OUT, 3)
    assert finished.stdout.head == b"asked\n"
    assert finished.elapsed == WALL


def test_one_that_does_not_listen_is_killed_with_all_its_children(timed, script, running, clock, is_left):
    folder = script("").cwd
    os.mkfifo(folder / "here")
    os.mkfifo(folder / "asked")
    word = f"{os.getpid()}.5"
    text = f"""
        (trap '' TERM; setsid sleep {word}) &
        (trap '' TERM; exec sleep {word}) &
        (trap 'echo > asked' TERM; while :; do sleep 0.01; done) &
        trap '' TERM
        echo > here
        while :; do sleep 0.01; done
    """
    future = running(timed, script(text, limits=Limits(wall=WALL, grace=GRACE)))
    (folder / "here").read_text()
    clock.advance(WALL)
    (folder / "asked").read_text()
    clock.advance(GRACE)
    finished = future.result(60)
    assert (finished.ended, finished.code, finished.signal) == (Ended.TIMED_OUT, None, signal.SIGKILL)
    assert not is_left(f"sleep\0{word}")


def test_a_command_is_cancelled_by_the_request_to_stop(sandbox, script, folder, running, is_left):
    os.mkfifo(folder / "here")
    word = f"{os.getpid()}.75"
    stop = threading.Event()
    future = running(sandbox, script(f"echo so far; echo > here; sleep {word}"), stop)
    (folder / "here").read_text()
    stop.set()
    finished = future.result(60)
    assert (finished.ended, finished.signal) == (Ended.CANCELLED, signal.SIGTERM)
    assert finished.stdout.head == b"so far\n"
    assert not is_left(f"sleep\0{word}")


def test_one_that_is_stopped_before_it_begins_does_not_go_on(sandbox, script):
    stop = threading.Event()
    stop.set()
    assert sandbox.run(script("sleep 1000"), stop).ended is Ended.CANCELLED


DOUBLING = """\
[ $1 -gt 7 ] && sleep 1000
{begin} bash doubling.sh $(($1 + 1)) & {begin} bash doubling.sh $(($1 + 1)) & sleep 1000
"""
"""A bomb that stops at 511 processes: should nobody end it, the machine of the tests is not to fall with it."""


@pytest.mark.parametrize("begin", ["", "setsid"], ids=["one session", "many sessions"])
def test_too_many_processes_end_the_run(sandbox, script, folder, is_left, begin):
    (folder / "doubling.sh").write_text(DOUBLING.format(begin=begin))
    finished = sandbox.run(script("bash doubling.sh 0", limits=Limits(processes=50)), threading.Event())
    assert (finished.ended, finished.signal) == (Ended.TOO_MANY_PROCESSES, signal.SIGKILL)
    assert not is_left("doubling.sh")


def test_threads_count_as_processes_do(walled, script):
    text = "import threading\nfor n in range(99): threading.Thread(target=threading.Event().wait).start()"
    command = script("", argv=("/usr/bin/python3", "-c", text), limits=Limits(processes=50))
    assert walled.run(command, threading.Event()).ended is Ended.TOO_MANY_PROCESSES


def test_two_runs_do_not_meet(sandbox, script, folder, running):
    os.mkfifo(folder / "here")
    stop = threading.Event()
    first = running(sandbox, script("echo > here; sleep 1000"), stop)
    (folder / "here").read_text()
    assert sandbox.run(script("echo second"), threading.Event()).stdout.head == b"second\n"
    assert first.running()
    stop.set()
    assert first.result(60).ended is Ended.CANCELLED


def test_nothing_stays_open_in_the_server(sandbox, script):
    before = sorted(Path("/proc/self/fd").iterdir())
    sandbox.run(script("sleep 1000 & echo done"), threading.Event())
    assert sorted(Path("/proc/self/fd").iterdir()) == before


def test_a_server_with_very_many_open_files_runs_commands(sandbox, script):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < MANY_FILES * 2:
        lacks("open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, MANY_FILES * 2), hard))
    with ExitStack() as stack:
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        for _ in range(MANY_FILES):
            stack.callback(os.close, os.open(os.devnull, os.O_RDONLY))
        assert sandbox.run(script("echo done"), threading.Event()).stdout.head == b"done\n"


@pytest.mark.parametrize("room", range(0, 24, 2))
def test_where_files_run_out_it_is_told_and_nothing_stays_open(sandbox, script, room):
    sandbox.run(script("true"), threading.Event())  # what is opened once is open
    before = sorted(Path("/proc/self/fd").iterdir())
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    with ExitStack() as stack, suppress(Unavailable):
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, limits)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(int(path.name) for path in before) + room, limits[1]))
        sandbox.run(script("true"), threading.Event())
    assert sorted(Path("/proc/self/fd").iterdir()) == before


def test_whoever_gets_away_and_prints_on_keeps_nobody_waiting(script, folder):
    """Without walls a command can kill its guard. This one prints faster than it is read."""
    text = "for i in 1 2; do python3 printing.py & done; until [ -e here ]; do sleep 0.01; done; kill -KILL $PPID; wait"
    (folder / "printing.py").write_text(PRINTING)
    secrets = tuple(f"{number} is secret" for number in range(100))
    finished = Unconfined(CLOCK).run(script(text, secrets=secrets), threading.Event())
    assert (finished.ended, finished.signal) == (Ended.EXITED, signal.SIGKILL)
    assert finished.stdout.total > 0


@pytest.mark.usefixtures("nowhere")
def test_a_bomb_that_bursts_when_it_is_asked_to_end_is_not_waited_for(timed, script, running, clock, is_left):
    folder = script("").cwd
    (folder / "doubling.sh").write_text(DOUBLING.format(begin=""))
    os.mkfifo(folder / "here")
    text = "trap 'bash doubling.sh 0' TERM; echo > here; while :; do sleep 0.01; done"
    future = running(timed, script(text, limits=Limits(wall=WALL, grace=GRACE, processes=50)))
    (folder / "here").read_text()
    clock.advance(WALL)
    finished = future.result(60)
    assert (finished.ended, finished.signal) == (Ended.TIMED_OUT, signal.SIGKILL)
    assert not is_left("doubling.sh")


def test_a_home_is_removed_however_deep_it_is(script, folder):
    (folder / "digging.py").write_text(DIGGING)
    finished = Unconfined(CLOCK).run(script("python3 digging.py; echo $HOME"), threading.Event())
    assert finished.succeeded
    assert not Path(finished.stdout.head.decode().strip()).exists()


SERVER = """
import sys, threading
from pathlib import Path
from zhixing.kernel.clock import SystemClock
from zhixing.world.sandbox.bare import Unconfined
from zhixing.world.sandbox.bwrap import Bubblewrap
from zhixing.world.sandbox.port import Command, Mount

binary, folder, text = sys.argv[1:]
sandbox = Bubblewrap(Path(binary), SystemClock()) if binary else Unconfined(SystemClock())
here = Path(folder)
command = Command(("bash", "-c", text), here, {"PATH": "/usr/bin:/bin"}, (Mount(here, writable=True),))
sandbox.run(command, threading.Event())
"""


def test_a_command_does_not_outlive_its_server(sandbox, folder, is_left, until):
    os.mkfifo(folder / "here")
    word = f"{os.getpid()}.125"
    text = f"(trap '' TERM HUP; setsid sleep {word} &); echo > here; sleep {word}"
    binary = str(sandbox.binary) if isinstance(sandbox, Bubblewrap) else ""
    server = subprocess.Popen([sys.executable, "-c", SERVER, binary, folder, text])
    (folder / "here").read_text()
    server.kill()
    server.wait()
    until(lambda: not is_left(f"sleep\0{word}"))


@pytest.mark.parametrize("words", [("a\0b",), ("\ud800",)], ids=["a zero", "half a character"])
def test_words_that_no_process_takes_are_refused(sandbox, script, words):
    with pytest.raises(BadInput, match="没法运行"):
        sandbox.run(script("", argv=words), threading.Event())


def test_more_words_than_the_machine_takes_are_told(sandbox, script):
    with pytest.raises(Unavailable, match="Argument list too long"):
        sandbox.run(script("x" * 3_000_000), threading.Event())
