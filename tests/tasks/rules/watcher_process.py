"""A process that watches over the rules of a test's database: url, first and last frame come as arguments.

Every frame is a second of a clock of its own, with a verdict of each of two cameras; after each it says which it was.
"""

from __future__ import annotations

import sys
from datetime import timedelta

from tests.tasks.rules.conftest import START, House, verdict

from zhixing.kernel.clock import ManualClock
from zhixing.store.opening import open_store

STREAM = {"cam1": "FTTTFFFTTF", "cam2": "FFTTTTTTFF"}


def frame(number: int) -> list:
    return [verdict(values[number // 3 % 10], number, source) for source, values in STREAM.items()]


class Opened:
    def __init__(self, url: str) -> None:
        self.store = open_store(url)


if __name__ == "__main__":
    url, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    clock = ManualClock(START + timedelta(seconds=first))
    house = House(Opened(url), clock, restarts=False)
    house.rules.take_up()
    for number in range(first, last):
        house.engine.drain()
        house.take(frame(number))
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()
        clock.advance(timedelta(seconds=1))
    house.engine.drain()
