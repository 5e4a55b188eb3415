"""Somebody who writes, starts and calls off tasks through the store while the server of the home is at work.

    author.py HOME NAME COUNT SEED

Makes COUNT tasks named NAME-0, NAME-1 …, changes each of them once, runs it, and calls a third of the runs off, as in a
second window of the command line. Prints a line for each: its title and the id of the run. Whatever is refused because
somebody else was faster is tried again.
"""

from __future__ import annotations

import os
import random
import sys
import threading
from pathlib import Path

from tests.chaos.pages import quick

from zhixing.app import App, opened
from zhixing.documents.operations import Change
from zhixing.documents.reading import read_definition
from zhixing.kernel.clock import SystemClock
from zhixing.settings import home_zone, load

CLOCK = SystemClock()
LONGEST_PAUSE = 0.1


def main(home: Path, name: str, count: int, seed: int) -> None:
    """Do everything, and print what came of it."""
    chance, never, env = random.Random(seed), threading.Event(), dict(os.environ)
    configuration = load(home, env)
    with opened(configuration, CLOCK, home_zone("Asia/Shanghai", env), home, env) as app:
        for number in range(count):
            run_id = write_and_run(app, f"{name}-{number}", chance.random() < 1 / 3)
            print(f"{name}-{number} {run_id}", flush=True)  # noqa: T201 - how the starter learns of it
            never.wait(chance.uniform(0, LONGEST_PAUSE))


def write_and_run(app: App, title: str, call_off: bool) -> str:  # noqa: FBT001 - what chance says
    """Make a task, change it, run it, and perhaps call the run off."""
    documents = app.documents
    project = documents.project(None)
    documents.create(project, read_definition(quick(title, "@manual", "old")), who="author")
    documents.update(project, title, Change(body=read_definition(quick(title, "@manual", "new")).body), who="author")
    accepted = documents.run(project, title, who="author")
    if call_off:
        documents.cancel(accepted.run.id, who="author")
    return accepted.run.id


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
