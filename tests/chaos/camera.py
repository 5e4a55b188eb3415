"""A camera that goes on judging while the server of its home is being killed.

    camera.py HOME PORT SEED SECONDS

Judges four times a second, and tells all that nobody has acknowledged yet, over HTTP, until somebody does; now and then
it does not believe the acknowledgement, and tells it again. Prints the instant it began at, how many times it had to
try again, and how many times it told what had been acknowledged.
"""

from __future__ import annotations

import http.client
import json
import random
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from zhixing.kernel.clock import SystemClock
from zhixing.world.perception.reading import write_verdict
from zhixing.world.perception.verdict import Value, Verdict

CLOCK = SystemClock()
NAME = "cam_living"
TICK = timedelta(seconds=0.25)
PHONE, CUP, PEOPLE, DOOR = "用户手持手机", "用户举杯喝水", "客厅里有人", "有人敲门"
FLATS = 5
"""How many of each there are, each with days of its own."""
SHORT = 3
"""Ticks of what is not long enough for anything: long enough to be seen twice."""
LONG = (16, 20)
"""Ticks of what is: 3 s are over a second before its end."""
BEFORE, BEHIND = 4, 16
"""Ticks at both ends in which nothing is so."""
PATIENCE = 6_000
PAUSE = 0.02


def seen(seed: int, ticks: int) -> dict[str, str]:
    """Return what is seen of each condition, a letter a tick: true, false, or unknown."""
    queries = [f"{query} {flat}" for flat in range(FLATS) for query in (PHONE, CUP, PEOPLE, DOOR)]
    return {query: "".join(_seen(random.Random(f"{seed} {query}"), ticks)) for query in queries}


def verdicts(seed: int, ticks: int, begin: datetime) -> list[Verdict]:
    """Return every verdict, in order."""
    meanings = {"T": Value.TRUE, "F": Value.FALSE, "U": Value.UNKNOWN}
    days = seen(seed, ticks)
    return [
        Verdict(NAME, query, meanings[days[query][tick]], begin + tick * TICK)
        for tick in range(ticks)
        for query in days
    ]


def _seen(chance: random.Random, ticks: int) -> Iterator[str]:
    left, letter = ticks - BEFORE - BEHIND, "F"
    yield "F" * BEFORE
    while left >= LONG[1]:
        letter = "F" if letter == "T" else "T"
        number = SHORT if chance.random() < 0.4 else chance.randint(*LONG)
        yield letter * SHORT if number == SHORT else _flickering(chance, letter, number)
        left -= number
    yield "F" * (left + BEHIND)


def _flickering(chance: random.Random, letter: str, number: int) -> str:
    """Return a long stretch in which one judgement may be wrong, and one may be none."""
    stretch = [letter] * number
    for wrong in ("U", "F"):
        if chance.random() < 0.5:
            stretch[chance.randrange(6, number - 6)] = wrong
    return "".join(stretch)


def main(home: Path, port: int, seed: int, seconds: float) -> None:
    """Judge and tell until everything is acknowledged."""
    chance = random.Random(seed)
    never = threading.Event()
    begin = CLOCK.now()
    ticks = round(timedelta(seconds=seconds) / TICK)
    coming = verdicts(seed, ticks, begin)
    told: list[Verdict] = []
    waiting: list[Verdict] = []
    tries = doubts = 0
    while coming or waiting:
        now = CLOCK.now()
        while coming and coming[0].at <= now:
            waiting.append(coming.pop(0))
        if waiting:
            if tell(home, port, waiting):
                told, waiting = waiting, []
            else:
                tries += 1
                if tries > PATIENCE:
                    sys.exit("nobody listens")
                never.wait(PAUSE)
        elif told and chance.random() < 0.5:
            doubts += tell(home, port, told)
            told = []
        else:
            never.wait(max(0.0, (coming[0].at - CLOCK.now()).total_seconds()))
    print(begin.isoformat(), tries, doubts)  # noqa: T201 - how the starter learns of it


def tell(home: Path, port: int, said: list[Verdict]) -> bool:
    """Tell verdicts; return whether they were acknowledged."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    with closing(connection):
        try:
            token = (home / "token").read_text().strip()
            headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
            body = json.dumps([write_verdict(each) for each in said])
            connection.request("POST", "/api/v1/perception/verdicts", body, headers)
            answer = connection.getresponse()
            counts: Any = json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError):
            return False
    if answer.status == 503:
        return False
    if answer.status != 200 or counts["taken"] != len(said) or counts["future"]:
        sys.exit(f"{answer.status}: {counts}")
    return True


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
