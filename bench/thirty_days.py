"""How long thirty days of a home with twenty tasks take on a clock that jumps from one instant to the next.

    make bench-thirty_days [ARGS='--rounds 3']

It is the home that the tests live in, with its four restarts: every verdict is a transaction of its own, and so is the
start and the end of every job. The bar is for a database in memory, where `zhixing simulate` has its own; on a disk the
same run waits for the disk besides, once for every transaction. The table shows the median of the rounds.

Exit code 1 when ours misses the bar it prints.
"""

from __future__ import annotations

import argparse
import logging
import os
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.household import family
from tests.household.living import Life

from zhixing.kernel.clock import ManualClock
from zhixing.store.connection import Store
from zhixing.store.migrations import migrate
from zhixing.store.opening import open_store, sqlite_url

BAR = 10.0
MEMORY = Path("/dev/shm")
RESTARTS = (5.3, 6.8, 11.5, 19.1)


class Place:
    """A database that can be closed and opened again."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.store = open_store(url)

    def reopen(self) -> Store:
        self.store.close()
        self.store = open_store(self.url)
        return self.store

    def close(self) -> None:
        self.store.close()


def one_run(folder: Path | None) -> dict[str, float]:
    """Live through it once; return the seconds it took and what happened."""
    with tempfile.TemporaryDirectory(prefix="zhixing-bench-", dir=folder) as place:
        url = sqlite_url(Path(place) / "home.db")
        with closing(Place(url)) as home:
            migrate(home.store, ManualClock(family.START))
            life = Life(home, ManualClock(family.START))
            began = time.perf_counter()
            cpu = time.process_time()
            family.live(life, restarts=RESTARTS)
            taken = {"seconds": time.perf_counter() - began, "cpu": time.process_time() - cpu}
            return taken | {name: count(life, name) for name in ("occurrences", "jobs", "messages")}


def count(life: Life, table: str) -> float:
    with life.app.store.read() as tx:
        (row,) = tx.rows(f"SELECT count(*) FROM {table}")
    return float(row[0])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    logging.disable(logging.WARNING)
    memory = MEMORY if os.access(MEMORY, os.W_OK) else None
    runs = {"in memory": memory, "on disk": None}
    found: dict[str, list[dict[str, float]]] = {name: [] for name in runs}
    for _ in range(chosen.rounds):
        for name, folder in runs.items():
            found[name].append(one_run(folder))
    episodes = [family.lived(member, family.SEED) for member in family.MEMBERS]
    verdicts = sum(1 for each in episodes for _ in family.verdicts(each, "", ""))
    one = found["in memory"][0]
    amounts = ", ".join(f"{one[name]:,.0f} {name}" for name in ("occurrences", "jobs", "messages"))
    print(f"{family.DAYS} days, {len(family.MEMBERS)} tasks, {verdicts:,} verdicts, {amounts}")
    print(f"(median of {chosen.rounds})\n")
    print("| database | seconds | of processor |\n|---|---|---|")
    middle = {name: {key: statistics.median(run[key] for run in taken) for key in one} for name, taken in found.items()}
    for name, figures in middle.items():
        print(f"| {name} | {figures['seconds']:.1f} | {figures['cpu']:.1f} |")
    missed = middle["in memory"]["seconds"] >= BAR
    print(f"\n- under {BAR:g} s in memory: {'NOT REACHED' if missed else 'reached'}")
    sys.exit(missed)


if __name__ == "__main__":
    main()
