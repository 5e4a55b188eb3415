"""Somebody who says things to a home while its server is being killed: through the store, or over HTTP.

    asker.py HOME NAME COUNT SPREAD SEED [PORT]

Says COUNT sentences that will ring within SPREAD seconds. Each has a key, and is said again with it until it is known
what became of it. One that was understood too late to ring is said anew. Prints the ids of the tasks.
"""

from __future__ import annotations

import http.client
import json
import random
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

from zhixing.app import opened
from zhixing.kernel.clock import SystemClock
from zhixing.kernel.errors import StoreUnavailable
from zhixing.notices.model import Source, Submission
from zhixing.say import say
from zhixing.settings import home_zone, load

CLOCK = SystemClock()
NEXT_MINUTE = timedelta(minutes=1)
SOONEST = 3.0
PATIENCE = 3000
PAUSE = 0.02

Ask = Callable[[str, datetime, str], tuple[str, str] | None]
"""Say a text, said at an instant, under a key; return the task and its state, or None when that is not known."""


def main(home: Path, name: str, count: int, spread: float, *rest: str) -> None:
    """Say everything, and print what became of it."""
    seed, port = int(rest[0]), int(rest[1]) if len(rest) > 1 else None
    chance = random.Random(seed)
    if port is not None:
        ask_all(over_http(home, port), name, count, spread, chance)
        return
    configuration = load(home, {})
    with opened(configuration, CLOCK, home_zone("Asia/Shanghai", {}), home, {}) as app:

        def ask(text: str, said_at: datetime, key: str) -> tuple[str, str] | None:
            submission = Submission(text, Source.DIRECT, said_at, "Asia/Shanghai")
            try:
                notice = say(app.ways, submission, who=name, key=key)
            except StoreUnavailable:
                return None
            return notice.task.id, notice.state.value

        ask_all(ask, name, count, spread, chance)


def ask_all(ask: Ask, name: str, count: int, spread: float, chance: random.Random) -> None:
    """Say `count` things that ring."""
    never = threading.Event()
    said, number = 0, 0
    while said < count:
        number += 1
        due = CLOCK.now() + timedelta(seconds=chance.uniform(SOONEST, spread))
        for _ in range(PATIENCE):
            known = ask(f"1分钟后提醒我交第{number}号表", due - NEXT_MINUTE, f"{name}-{number}")
            if known is not None and known[1] != "received":
                break
            never.wait(PAUSE)
        else:
            sys.exit(f"{name}: nobody says what became of number {number}")
        if known[1] == "scheduled":
            said += 1
            print(known[0], flush=True)  # noqa: T201 - how the starter learns of it


def over_http(home: Path, port: int) -> Ask:
    """Return how to say something to the server, whenever there is one."""

    def ask(text: str, said_at: datetime, key: str) -> tuple[str, str] | None:
        token = (home / "token").read_text().strip()
        headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Idempotency-Key": key,
        }
        body = json.dumps({"text": text, "submittedAt": said_at.isoformat(), "zone": "Asia/Shanghai"})
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        with closing(connection):
            try:
                connection.request("POST", "/api/v1/say", body, headers)
                answer = connection.getresponse()
                told = json.loads(answer.read())
            except (OSError, http.client.HTTPException, ValueError):
                return None
        if answer.status == 503:
            return None
        return told["id"], told["state"]

    return ask


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), float(sys.argv[4]), *sys.argv[5:])
