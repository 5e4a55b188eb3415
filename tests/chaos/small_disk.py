"""What `test_document_files` runs in a namespace of its own: a server whose home is on a disk that fills up.

    small_disk.py FOLDER

One script waits until the disk is full, then ends; an instant comes while it is full. Prints what came of both, as
JSON, once there is room again.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.chaos.pages import LOG, page, put, quick
from tests.chaos.study import CLOCK, Study, leave, until
from tests.chaos.test_server import Theatre, greeted

SIZE = "8m"
FIRST, SECOND = timedelta(seconds=1.5), timedelta(seconds=5)
"""When the two tasks are due, from the beginning."""
WHILE_FULL = timedelta(seconds=2)
HOLDING = f"""\
echo "$DC_RUN_ID" >> "$DC_PROJECT_ROOT/{LOG}/held"
while [ -e "$DC_PROJECT_ROOT/{LOG}/hold" ]; do sleep 0.05; done
echo brought
"""


def main(folder: Path) -> None:
    """Live through it."""
    home = folder / "home"
    home.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "none", str(home)], check=True)
    with ExitStack() as processes:
        theatre = Theatre(folder, processes)
        study = Study(theatre, None, home / "project")
        server = theatre.serve()
        greeted(server)
        found = fill_and_free(study, server)
        leave(server)
    log = (home / "zhixing.log").read_text()
    sys.stdout.write(json.dumps({**found, "log": log}))


def fill_and_free(study: Study, server: subprocess.Popen[str]) -> dict[str, Any]:
    hold, begin = study.project / LOG / "hold", CLOCK.now()
    hold.touch()
    put(study.project, "held", page("held", f"time:{(begin + FIRST).isoformat()}", HOLDING))
    put(study.project, "once", quick("once", f"time:{(begin + SECOND).isoformat()}", "once"))
    (study.project / LOG / "once").write_bytes(b"\n")  # its block is there already
    until(lambda: study.noted("held"))
    filler = fill(study.project)
    hold.unlink()
    until(lambda: CLOCK.now() > begin + SECOND + WHILE_FULL)
    filler.unlink()
    until(lambda: len(study.rows("SELECT 1 FROM document_runs")) == 2 and study.quiet())
    runs = study.rows("SELECT title, document_runs.id FROM document_runs JOIN tasks ON tasks.id = task_id")
    found = {title: what_became(study, title, run_id) for title, run_id in runs}
    text = quick("later", "@manual", "later")
    put(study.project, "later", text)
    until(lambda: study.source("later") == text)
    return {**found, "alive": server.poll() is None}


def fill(disk: Path) -> Path:
    """Take all the room there is; return the file that took it."""
    filler = disk / "filler"
    with filler.open("ab", buffering=0) as file:
        for size in (65_536, 4_096):
            with contextlib.suppress(OSError):
                while True:
                    file.write(b"\0" * size)
    return filler


def what_became(study: Study, title: str, run_id: str) -> dict[str, Any]:
    return {
        "id": run_id,
        "state": study.state(run_id),
        "why": study.rows("SELECT why FROM document_runs WHERE id = ?", (run_id,))[0][0],
        "record": study.record(title, run_id)["status"],
        "noted": study.noted(title),
        "told": sorted(study.letters(run_id)),
        "file": (study.tasks / title / "task.md").read_text(),
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]))
