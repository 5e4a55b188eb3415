"""A process that works on the database of a test: url, owner and length of lease come as arguments.

Its jobs named "quick" finish at once; those named "slow" say that they have started and wait for "go" on standard
input. Both say when they have finished, and leave a row in `effects` in the transaction that finishes them. The line
"enqueue NAME KEY" enqueues a job.
"""

from __future__ import annotations

import sys
import threading
from datetime import timedelta

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.engine.model import Job, Run, Superseded
from zhixing.kernel.clock import SystemClock
from zhixing.store.opening import open_store

url, owner, lease = sys.argv[1], sys.argv[2], float(sys.argv[3])
clock = SystemClock()
store = open_store(url)
engine = EmbeddedEngine(store, clock, owner=owner, lease=timedelta(seconds=lease), workers=4)
go_on = threading.Event()


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def finish(run: Run) -> None:
    with run.commit() as tx:
        tx.execute("INSERT INTO effects (key, owner, attempt) VALUES (?, ?, ?)", (run.job.key, owner, run.attempt))
    tell(f"finished {run.job.key}")


def slow(run: Run) -> None:
    tell(f"started {run.job.key}")
    go_on.wait()
    try:
        finish(run)
    except Superseded:
        tell(f"superseded {run.job.key}")
        raise


# Before it knows any handler, so that only old rows are forgotten and no such write comes in between later.
engine.drain()
engine.register("quick", finish)
engine.register("slow", slow)
engine.start()
tell("ready")
for line in sys.stdin:
    word, _, key = line.strip().partition(" ")
    if word == "enqueue":
        with store.write() as tx:
            engine.enqueue(tx, Job(*key.split(" ", 1), clock.now()))
    elif word == "go":
        go_on.set()
