"""What a run of a document task costs, how 1,000 that are due at once get through, and how fast files are taken in.

    make bench-runs [ARGS='--rounds 3 --runs 100']

The subjects take turns; the tables show the median of the rounds. Each part runs in a process and a folder of its own.
A run is the whole way of a script that does nothing: accepted, queued, its files written, carried out in the sandbox,
its result in the outbox and with a channel that takes it at once. Beside it, in the same run: bwrap that starts the
same `bash` within walls, and `bash` alone, as `subprocess.run` starts them. "The machine" is one durable small file as
a run writes several of them.

Exit code 1 when ours misses one of the bars it prints.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

from watchfiles import watch

from zhixing.app import App, build
from zhixing.documents import ledger
from zhixing.documents.artifacts.atomic import replace_file
from zhixing.documents.files import tasks_folder
from zhixing.documents.run import RunState
from zhixing.documents.terms import Terms
from zhixing.kernel.clock import SystemClock
from zhixing.settings import home_zone
from zhixing.store.migrations import migrate
from zhixing.store.opening import open_store, sqlite_url
from zhixing.world.channels.port import Delivered, Letter, Receipt
from zhixing.world.sandbox.bare import Unconfined
from zhixing.world.sandbox.bwrap import Bubblewrap
from zhixing.world.sandbox.port import Sandbox
from zhixing.world.sandbox.probing import Wanted, probe

CLOCK = SystemClock()
AT_ONCE = 4
CROWD = 1_000
LEAD = timedelta(seconds=2)
PATIENCE = 600
EDITS = 20
STEP = 50
"""Milliseconds without a change after which a watch reports changes: ours has the same."""
BAR, BAR_MEMORY = 60.0, 120.0


class Doorstep:
    """A channel in memory that takes every letter at once and says so."""

    name = "doorstep"
    idempotent = True

    def __init__(self) -> None:
        self.taken: list[Letter] = []
        self.wanted = 1
        self.all_there = threading.Event()

    def send(self, letter: Letter) -> Receipt:
        """Take a letter."""
        self.taken.append(letter)
        if len(self.taken) >= self.wanted:
            self.all_there.set()
        return Delivered()

    def expect(self, more: int) -> None:
        """Wait for so many more from now on."""
        self.wanted = len(self.taken) + more
        self.all_there.clear()

    def wait(self) -> None:
        """Wait until they are there."""
        if not self.all_there.wait(PATIENCE):
            sys.exit(f"only {len(self.taken)} of {self.wanted} results arrived")


def task_md(title: str, when: str) -> str:
    return (
        f'---\ntitle: "{title}"\nwhen: "{when}"\ndescription: does nothing\nsessionId: {Doorstep.name}\n'
        "kind: script\nstatus: enabled\n---\n\n:\n"
    )


def put(project: Path, name: str, when: str) -> Path:
    """Write a task by hand."""
    folder = tasks_folder(project) / name
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "task.md"
    file.write_text(task_md(name, when), encoding="utf-8")
    return file


@contextmanager
def home(folder: Path, sandbox: Sandbox) -> Iterator[tuple[App, Doorstep, Path]]:
    """Give an app on a disk, its channel, and the project it knows; the engine is not started."""
    project = (folder / "project").resolve()
    project.mkdir(parents=True)
    doorstep = Doorstep()
    with closing(open_store(sqlite_url(folder / "home.db"))) as store:
        migrate(store, CLOCK)
        app = build(
            store,
            CLOCK,
            home_zone("Asia/Shanghai", {}),
            {Doorstep.name: doorstep},
            terms=Terms(project=project, at_once=AT_ONCE),
            sandbox=sandbox,
        )
        app.documents.project(project)
        yield app, doorstep, project


def walls() -> Bubblewrap:
    found = probe(CLOCK, Wanted.BWRAP)
    if not isinstance(found, Bubblewrap):
        sys.exit(f"no sandbox here: {getattr(found, 'reason', found)}")
    return found


def quiet(app: App) -> None:
    """Wait until nothing is left to do but what is due later."""
    while True:
        with app.store.read() as tx:
            now = CLOCK.now().timestamp() * 1_000_000
            row = tx.row("SELECT count(*) FROM jobs WHERE state IN ('pending', 'running') AND ready <= ?", (int(now),))
        if row == (0,):
            return
        time.sleep(0.001)


def one_run(app: App, doorstep: Doorstep, project: Path) -> float:
    """Return the milliseconds from the wish to the letter."""
    doorstep.expect(1)
    began = time.perf_counter()
    app.documents.run(project, "nothing", who="bench")
    doorstep.wait()
    taken = time.perf_counter() - began
    quiet(app)
    return taken * 1000


def overhead(place: Path, runs: int) -> dict[str, float]:
    """Measure single runs, with and without walls, and what starts the same command without us."""
    bwrap = walls()
    bare = [
        *(bwrap.binary, "--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", "/", "/", "--proc"),
        *("/proc", "--dev", "/dev", "--tmpfs", "/tmp", "bash", "-c", "true"),
    ]
    small = place / "small"
    with home(place / "walled", bwrap) as walled, home(place / "open", Unconfined(CLOCK)) as open_:
        for app, _, project in (walled, open_):
            put(project, "nothing", "@manual")
            app.documents.sync_all()
            app.engine.start()
        subjects: dict[str, Callable[[], float]] = {
            "walled": lambda: one_run(*walled),
            "open": lambda: one_run(*open_),
            "bwrap": lambda: clocked(lambda: subprocess.run(bare, check=True)),
            "bash": lambda: clocked(lambda: subprocess.run(["bash", "-c", "true"], check=True)),
            "write": lambda: clocked(lambda: replace_file(small, b"x" * 1024)),
        }
        found: dict[str, list[float]] = {name: [] for name in subjects}
        for number in range(runs + 5):
            for name, subject in subjects.items():
                taken = subject()
                if number >= 5:
                    found[name].append(taken)
        for app, *_ in (walled, open_):
            app.engine.stop()
    return {f"{name} {rank}": value for name, each in found.items() for rank, value in spread(each).items()}


def clocked(what: Callable[[], object]) -> float:
    began = time.perf_counter()
    what()
    return (time.perf_counter() - began) * 1000


def spread(values: list[float]) -> dict[str, float]:
    ranked = sorted(values)
    return {"least": ranked[0], "p50": ranked[len(ranked) // 2], "p95": ranked[int(len(ranked) * 0.95)]}


def crowd(place: Path, _: int) -> dict[str, float]:
    """Take in 1,000 files, let them all be due in one instant, and see them through."""
    with home(place, walls()) as (app, doorstep, project):
        for number in range(CROWD):
            put(project, f"task {number:04}", "@manual")
        settle_files(project)
        first = clocked(lambda: app.documents.sync(project))
        again = statistics.median(clocked(lambda: app.documents.sync(project)) for _ in range(5))
        due = CLOCK.now() + timedelta(seconds=first / 500) + LEAD
        for number in range(CROWD):
            put(project, f"task {number:04}", f"time:{due.isoformat(timespec='milliseconds')}")
        changed = clocked(lambda: app.documents.sync(project))
        before = peak()
        doorstep.expect(CROWD)
        app.engine.start()
        doorstep.wait()
        total = (CLOCK.now() - due).total_seconds()
        quiet(app)
        app.engine.stop()
        check_crowd(app, project)
        return {
            "first": first,
            "again": again,
            "changed": changed,
            "total": total,
            "memory before": before,
            "memory": peak(),
        }


def settle_files(project: Path) -> None:
    """Let files look as if nobody had touched them for an hour: what is new is read twice."""
    old = time.time() - 3600
    for file in tasks_folder(project).glob("*/task.md"):
        os.utime(file, (old, old))


def peak() -> float:
    """Return the most memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def check_crowd(app: App, project: Path) -> None:
    """Each ran once, in turn, never more than the cap at a time, and its file says that it is over."""
    runs = []
    before: str | None = None
    with app.store.read() as tx:
        while page := ledger.page(tx, limit=ledger.LARGEST_PAGE, before=before):
            runs += page
            before = page[-1].id
    assert Counter(run.state for run in runs) == {RunState.SUCCESS: CROWD}, Counter(run.state for run in runs)
    assert len({run.task_id for run in runs}) == CROWD
    order = sorted(runs, key=lambda run: run.id)
    # Those that are promised together may begin in any order among themselves.
    begun = {run.id: number for number, run in enumerate(sorted(runs, key=lambda run: run.started_at))}
    assert all(abs(begun[run.id] - number) <= 2 * AT_ONCE for number, run in enumerate(order))
    moves = sorted([(run.started_at, 1) for run in runs] + [(run.ended_at, -1) for run in runs])
    going = most = 0
    for _, step in moves:
        going += step
        most = max(most, going)
    assert most <= AT_ONCE, most
    for file in tasks_folder(project).glob("*/task.md"):
        text = file.read_text(encoding="utf-8")
        assert {"@manual", "paused"} <= set(text.replace('"', " ").split()), text


def edits(place: Path, _: int) -> dict[str, float]:
    """Change files by hand, and wait for the row; beside it, the time until a bare watch hears of it."""
    with home(place, walls()) as (app, _, project):
        files = [put(project, f"task {number:04}", "@manual") for number in range(CROWD)]
        settle_files(project)
        app.documents.sync(project)
        app.engine.start()
        app.watching.start()
        ours, theirs = [], []
        stop, ready = threading.Event(), threading.Event()
        heard: list[float] = []
        news = threading.Event()

        def listen() -> None:
            ready.set()
            for _ in watch(tasks_folder(project), stop_event=stop, step=STEP, raise_interrupt=False):
                heard.append(time.perf_counter())
                news.set()

        threading.Thread(target=listen, daemon=True).start()
        ready.wait()
        time.sleep(1.5)
        for number in range(EDITS):
            file = files[37 * number % CROWD]
            news.clear()
            edited = file.with_suffix(".new")
            edited.write_text(file.read_text().replace("does nothing", f"says {number}"), encoding="utf-8")
            began = time.perf_counter()
            edited.replace(file)
            ours.append(1000 * (taken_in(app, project, file.parent.name, f"says {number}") - began))
            news.wait(5)
            theirs.append(1000 * (heard[-1] - began))
            time.sleep(0.3)
        stop.set()
        app.watching.stop()
        app.engine.stop()
        return {
            **{f"edit {rank}": value for rank, value in spread(ours).items()},
            **{f"watch {rank}": value for rank, value in spread(theirs).items()},
        }


def taken_in(app: App, project: Path, folder: str, text: str) -> float:
    """Wait for the row; return when it was there."""
    until = time.perf_counter() + 10
    while time.perf_counter() < until:
        with app.store.read() as tx:
            row = tx.row("SELECT source FROM documents WHERE project = ? AND folder = ?", (str(project), folder))
        if row is not None and text in row[0]:
            return time.perf_counter()
        time.sleep(0.001)
    sys.exit("a file that was changed was not taken in")


PARTS: dict[str, Callable[[Path, int], dict[str, float]]] = {"overhead": overhead, "crowd": crowd, "edits": edits}


def measure(part: str, runs: int, disk: str | None) -> dict[str, float]:
    """Run one part in a process and a folder of its own."""
    with tempfile.TemporaryDirectory(dir=disk, prefix="zhixing-bench-") as folder:
        done = subprocess.run(
            [sys.executable, __file__, "--part", part, "--runs", str(runs), "--disk", folder],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    return json.loads(done.stdout)


def show(rounds: list[dict[str, float]], runs: int) -> bool:
    """Print the tables, the ratios and whether the bars are reached."""
    middle = {key: statistics.median(one[key] for one in rounds) for key in rounds[0]}
    print(
        f"\n{runs} runs of a script that does nothing, Python {sys.version.split()[0]}, {os.cpu_count()} cores,"
        f" load {os.getloadavg()[0]:.1f}, median of {len(rounds)} round(s)\n"
    )
    subjects = {
        "walled": "a run, accepted → delivered, in bwrap",
        "open": "a run, accepted → delivered, sandbox none",
        "bwrap": "`bwrap … bash -c true` alone",
        "bash": "`bash -c true` alone",
        "write": "the machine: one durable file",
    }
    print("| subject | p50 ms | p95 ms | × bwrap alone | × bash alone |\n|---|---|---|---|---|")
    for name, words in subjects.items():
        p50, p95 = middle[f"{name} p50"], middle[f"{name} p95"]
        print(f"| {words} | {p50:.1f} | {p95:.1f} | {p50 / middle['bwrap p50']:.1f} | {p50 / middle['bash p50']:.1f} |")
    print(
        f"\n{CROWD:,} tasks due in one instant, {AT_ONCE} at a time: {middle['total']:.1f} s until the last result was"
        f" delivered ({1000 * middle['total'] / CROWD:.0f} ms each), peak memory {middle['memory']:.0f} MB"
        f" ({middle['memory before']:.0f} before the first ran); each once, in turn\n"
        f"{CROWD:,} files taken in: first time {middle['first']:.0f} ms, all changed {middle['changed']:.0f} ms,"
        f" nothing changed {middle['again']:.1f} ms\n"
        f"one file of {CROWD:,} changed by hand → taken in: p50 {middle['edit p50']:.0f} ms, p95"
        f" {middle['edit p95']:.0f} ms (a bare watch with the same pause hears of it after"
        f" {middle['watch p50']:.0f} / {middle['watch p95']:.0f} ms)\n"
    )
    bars = {
        f"p50 of a run in bwrap ≤ {BAR:.0f} ms": middle["walled p50"] <= BAR,
        f"peak memory with {CROWD:,} due at once ≤ {BAR_MEMORY:.0f} MB": middle["memory"] <= BAR_MEMORY,
    }
    for bar, reached in bars.items():
        print(f"- {bar}: {'reached' if reached else 'NOT REACHED'}")
    return all(bars.values())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--runs", type=int, default=100)
    options.add_argument("--disk", help="folder to keep everything in (default: the temporary one)")
    options.add_argument("--part", choices=PARTS, help="measure one here and print JSON")
    chosen = options.parse_args()
    if chosen.part:
        logging.disable(logging.WARNING)
        print(json.dumps(PARTS[chosen.part](Path(chosen.disk) / chosen.part, chosen.runs)))
        return
    rounds: list[dict[str, float]] = []
    for number in range(chosen.rounds):
        figures = {key: value for part in PARTS for key, value in measure(part, chosen.runs, chosen.disk).items()}
        rounds.append(figures)
        print(f"round {number + 1}: {json.dumps(figures)}", file=sys.stderr)
    sys.exit(not show(rounds, chosen.runs))


if __name__ == "__main__":
    main()
