"""How late timers fire, how fast they are stored and what waiting for them costs: our engine and APScheduler 3.

    make bench-timers [ARGS='--rounds 3']

The subjects take turns; the table shows the median of the rounds.

Every subject runs in a process of its own on the same disk: timers far away are stored, 2,000 fall due evenly within
ten seconds, then the process is left alone for twenty. Lateness is the wall time at which the handler begins, minus
due. "The machine" is no engine: a thread that waits for the same instants and makes one small durable write each time,
which is the least anybody can need who notes down a start before it happens.

Exit code 1 when ours misses one of the bars it prints.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path

FAR, FAR_OF_PEER, BATCH = 100_000, 10_000, 1_000
NEAR, SPREAD = 2_000, 10.0
LEAD = 3.0
IDLE = 20.0
LATE: list[float] = []
ALL_FIRED = threading.Event()


def fired(due: datetime) -> None:
    """Note how late the timer is that was due then."""
    LATE.append((datetime.now(UTC) - due).total_seconds() * 1000)
    if len(LATE) == NEAR:
        ALL_FIRED.set()


def near(begin: datetime) -> list[datetime]:
    return [begin + timedelta(seconds=SPREAD * n / NEAR) for n in range(NEAR)]


def wait_and_rest(insert_rate: float) -> dict[str, float]:
    """Wait until every timer has fired, then measure what doing nothing costs."""
    if not ALL_FIRED.wait(SPREAD + 120):
        sys.exit(f"only {len(LATE)} of {NEAR} timers fired")
    time.sleep(1)
    cpu, wall = time.process_time(), time.perf_counter()
    time.sleep(IDLE)
    idle = 100 * (time.process_time() - cpu) / (time.perf_counter() - wall)
    return {"insert": insert_rate, "idle": idle} | spread(LATE)


def spread(late: list[float]) -> dict[str, float]:
    ranked = sorted(late)
    return {
        "least": ranked[0],
        "p50": ranked[len(ranked) // 2],
        "p99": ranked[int(len(ranked) * 0.99)],
        "max": ranked[-1],
    }


def ours(folder: Path) -> dict[str, float]:
    from zhixing.engine.embedded import EmbeddedEngine
    from zhixing.engine.model import Job
    from zhixing.kernel.clock import SystemClock
    from zhixing.store.migrations import migrate
    from zhixing.store.opening import open_store

    clock = SystemClock()
    store = open_store(f"sqlite://{folder}/ours.db")
    migrate(store, clock)
    engine = EmbeddedEngine(store, clock, owner="bench")

    def handler(run) -> None:
        fired(run.job.due)
        with run.commit():
            pass

    engine.register("timer", handler)
    tomorrow = clock.now() + timedelta(days=1)
    began = time.perf_counter()
    for first in range(0, FAR, BATCH):
        with store.write() as tx:
            engine.enqueue_all(
                tx,
                [
                    Job("timer", f"far/{n}", tomorrow + timedelta(seconds=n), {"task": n})
                    for n in range(first, first + BATCH)
                ],
            )
    rate = FAR / (time.perf_counter() - began)
    engine.start()
    with store.write() as tx:
        dues = near(clock.now() + timedelta(seconds=LEAD))
        engine.enqueue_all(tx, [Job("timer", f"near/{n}", due, {"task": n}) for n, due in enumerate(dues)])
    measured = wait_and_rest(rate)
    engine.stop()
    store.close()
    return measured


def apscheduler(folder: Path) -> dict[str, float]:
    from apscheduler.executors.pool import ThreadPoolExecutor
    from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
    from apscheduler.schedulers.background import BackgroundScheduler
    from sqlalchemy import create_engine, event

    database = create_engine(f"sqlite:///{folder}/apscheduler.db")

    @event.listens_for(database, "connect")
    def _(connection, _record) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")

    scheduler = BackgroundScheduler(
        jobstores={"default": SQLAlchemyJobStore(engine=database)},
        executors={"default": ThreadPoolExecutor(16)},
        job_defaults={"misfire_grace_time": None, "coalesce": False, "max_instances": 16},
        timezone=UTC,
    )
    scheduler.start(paused=True)
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    began = time.perf_counter()
    for n in range(FAR_OF_PEER):
        run_date = tomorrow + timedelta(seconds=n)
        scheduler.add_job(fired, "date", run_date=run_date, args=[run_date], id=f"far/{n}")
    rate = FAR_OF_PEER / (time.perf_counter() - began)
    for n, due in enumerate(near(datetime.now(UTC) + timedelta(seconds=LEAD + NEAR / rate))):
        scheduler.add_job(fired, "date", run_date=due, args=[due], id=f"near/{n}")
    scheduler.resume()
    measured = wait_and_rest(rate)
    scheduler.shutdown()
    return measured


def machine(folder: Path) -> dict[str, float]:
    wake = threading.Event()
    file = os.open(folder / "machine", os.O_CREAT | os.O_WRONLY)
    for due in near(datetime.now(UTC) + timedelta(seconds=0.2)):
        while (rest := (due - datetime.now(UTC)).total_seconds()) > 0:
            wake.wait(rest)
        os.pwrite(file, b"x" * 4096, 0)
        os.fdatasync(file)
        fired(due)
    return spread(LATE)


SUBJECTS: dict[str, Callable[[Path], dict[str, float]]] = {"ours": ours, "apscheduler": apscheduler, "machine": machine}


def measure(subject: str, disk: str | None) -> dict[str, float]:
    """Run one subject in a process and a folder of its own."""
    with tempfile.TemporaryDirectory(dir=disk) as folder:
        done = subprocess.run(
            [sys.executable, __file__, "--subject", subject, "--disk", folder],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    return json.loads(done.stdout)


def late(measured: dict[str, float]) -> str:
    return " / ".join(f"{measured[key]:.1f}" for key in ("p50", "p99", "max"))


def show(rounds: list[dict[str, dict[str, float]]]) -> bool:
    """Print the table, the ratios and whether the bars are reached."""
    middle = {
        subject: {key: statistics.median(one[subject][key] for one in rounds) for key in rounds[0][subject]}
        for subject in SUBJECTS
    }
    our, their, bare = middle["ours"], middle["apscheduler"], middle["machine"]
    print(
        f"\n{NEAR:,} timers due within {SPREAD:.0f} s, Python {sys.version.split()[0]}, {os.cpu_count()} cores,"
        f" load {os.getloadavg()[0]:.1f}, median of {len(rounds)} round(s)\n"
    )
    print("| subject | timers far away | stored per second | late p50 / p99 / max, ms | idle CPU |")
    print("|---|---|---|---|---|")
    print(
        f"| zhixing {version('zhixing')}, SQLite WAL, synchronous=FULL | {FAR:,} | {our['insert']:,.0f}"
        f" (batches of {BATCH:,}) | {late(our)} | {our['idle']:.3f} % |"
    )
    print(
        f"| APScheduler {version('apscheduler')}, SQLAlchemy, SQLite WAL, synchronous=FULL | {FAR_OF_PEER:,}"
        f" | {their['insert']:,.0f} (one by one, it has no batches)"
        f" | {late(their)} | {their['idle']:.3f} % |"
    )
    print(f"| the machine: wait, one durable write | – | – | {late(bare)} | – |")
    print(
        f"\nAPScheduler / ours: lateness p50 {their['p50'] / our['p50']:.1f}, p99 {their['p99'] / our['p99']:.1f};"
        f" ours / APScheduler: stored per second {our['insert'] / their['insert']:.0f}."
        f" APScheduler has {FAR // FAR_OF_PEER} times fewer timers waiting, to keep the run short."
    )
    print("It deletes a timer before running it; ours notes the start, holds a lease, and notes the end.\n")
    bars = {
        "never early": min(one["ours"]["least"] for one in rounds) >= 0,
        "p99 lateness ≤ 15 ms": our["p99"] <= 15,
        "≥ 5,000 durable inserts/s": our["insert"] >= 5000,
        "idle CPU < 0.2 %": our["idle"] < 0.2,
    }
    for bar, reached in bars.items():
        print(f"- {bar}: {'reached' if reached else 'NOT REACHED'}")
    return all(bars.values())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--disk", help="folder to keep the databases in (default: the temporary one)")
    options.add_argument("--subject", choices=SUBJECTS, help="measure one here and print JSON")
    chosen = options.parse_args()
    if chosen.subject:
        print(json.dumps(SUBJECTS[chosen.subject](Path(chosen.disk))))
        return
    rounds = []
    for number in range(chosen.rounds):
        rounds.append({subject: measure(subject, chosen.disk) for subject in SUBJECTS})
        print(f"round {number + 1}: {json.dumps(rounds[-1])}", file=sys.stderr)
    sys.exit(not show(rounds))


if __name__ == "__main__":
    main()
