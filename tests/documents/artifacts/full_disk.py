"""What `test_full_disk` runs in a process of its own: a run on a disk that is really full, or under a real size limit.

Arguments: the way (`room_for_one`, `no_room`, `size_limit`) and an empty folder. Prints what was found, as JSON.
"""

from __future__ import annotations

import contextlib
import json
import resource
import subprocess
import sys
from pathlib import Path, PurePosixPath

from zhixing.delivery.model import MessageState
from zhixing.documents.artifacts.atomic import replace_file, swap_file
from zhixing.documents.artifacts.facts import Delivery, DeliveryState, RunFacts, RunStatus, Told, Trigger, TriggerType
from zhixing.documents.artifacts.folders import make_run_folder, run_id_of
from zhixing.documents.artifacts.names import RUN
from zhixing.documents.artifacts.reading import read_run
from zhixing.documents.artifacts.writer import RunFolder
from zhixing.documents.model import Definition, Kind, Manual, Standing
from zhixing.documents.performing import Execution, Outcome, Verdict
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import Unavailable
from zhixing.kernel.moments import parse_instant


def fill(place: Path) -> None:
    """Take all the room there is."""
    with contextlib.suppress(OSError), (place / "filler").open("ab", buffering=0) as filler:
        while True:
            filler.write(b"\0" * 4096)


def main(way: str, place: Path) -> None:
    if way != "size_limit":
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "none", str(place)], check=True)
    now = parse_instant("2026-10-12T10:00:00+08:00")
    facts = RunFacts(
        run_id=run_id_of(now),
        task_id="task",
        title="task",
        session_id="home",
        kind=Kind.SCRIPT,
        when="@manual",
        task_status=Standing.ENABLED,
        trigger=Trigger(TriggerType.MANUAL),
        review=False,
        max_rounds=1,
        queued_at=now,
        started_at=now,
        ended_at=None,
        attempt=1,
        zone="Asia/Shanghai",
        run_dir=PurePosixPath("task"),
    )
    armed, filled = False, 0

    def before(path: Path) -> None:
        nonlocal filled
        if not armed:
            return
        if way == "room_for_one" and path.name == RUN and not filled:
            filled += 1
            fill(place)
        if way == "no_room" and (path.name == RUN or filled):
            filled += 1
            fill(place)

    def keep(path: Path, data: bytes) -> None:
        before(path)
        replace_file(path, data)

    def show(path: Path, data: bytes) -> None:
        before(path)
        swap_file(path, data)

    folder = make_run_folder(place, facts.run_id)
    run = RunFolder(folder, facts, ManualClock(now), keep=keep, show=show)
    run.prepare(Definition("task", "task", Manual(), "home", "echo ok", kind=Kind.SCRIPT))
    armed = True
    if way == "size_limit":
        resource.setrlimit(resource.RLIMIT_FSIZE, (8_192, 8_192))
    many = tuple(Told(f"message-{number}", "home", MessageState.PENDING) for number in range(100))
    delivery = Delivery(DeliveryState.PENDING, many if way == "size_limit" else ())
    said = ""
    try:
        run.finish(Outcome(Execution.SUCCESS, Verdict.VALID, output="ok\n"), RunStatus.SUCCESS, now, delivery)
    except Unavailable as error:
        said = str(error)
    view = read_run(folder)
    result = folder / "result.md"
    answer = {
        "said": said,
        "status": view.status,
        "error": view.record.error if view.record else None,
        "problems": view.problems,
        "result": result.read_text() if result.exists() else "",
        "output": (folder / "output.md").read_text(),
        "pending": [each.name for each in folder.iterdir() if each.name.startswith(".")],
    }
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
