"""Several processes at the same goals, one of which is killed while its deliveries are leaving."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.goals.running.houses import House, goal, is_done, twice

from zhixing.goals.loop.events import Report
from zhixing.goals.running.scripted import ScriptedDeliverer, ScriptedPlanner, planned, scripted_ports
from zhixing.kernel.clock import SystemClock

SOON = 30
GOALS = [f"g{number}" for number in range(8)]
PROGRAM = Path(__file__).with_name("worker_process.py")


@contextmanager
def worker(url: str, deliveries: Path, most: int, heard: queue.Queue) -> Iterator[subprocess.Popen]:
    """Run a process until the end of the block; what it says is put into `heard`."""
    command = [sys.executable, "-W", "error", str(PROGRAM), url, str(deliveries), str(most)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        listener = threading.Thread(target=lambda: [heard.put(line.strip()) for line in process.stdout])
        listener.start()
        yield process
        process.kill()
        listener.join()


def until(heard: queue.Queue, *lines: str) -> None:
    """Wait until all of these were said, in any order."""
    left = set(lines)
    while left:
        left.discard(heard.get(timeout=SOON))


def test_goals_of_a_killed_process_are_finished_by_another_and_nothing_is_delivered_twice(home, tmp_path):
    """B9, trap_08, theme_03."""
    deliveries, heard = tmp_path / "deliveries", queue.Queue()
    deliveries.touch()
    goals = House(home.store, SystemClock(), scripted_ports(ScriptedPlanner({}))).goals
    with ExitStack() as processes:
        doomed = processes.enter_context(worker(home.url, deliveries, 3, heard))
        until(heard, "ready")
        for task in GOALS:
            assert goals.execute(goal(task)).status == 200
        until(heard, "stalled")
        processes.enter_context(worker(home.url, deliveries, 1000, heard))
        until(heard, "ready")
        doomed.kill()
        until(heard, *(f"done {task}" for task in GOALS))
    assert all(is_done(goals.graph(task)) for task in GOALS)
    sent = deliveries.read_text().splitlines()
    assert len(sent) == 2 * len(GOALS)
    assert not twice(sent)


def test_reports_that_come_at_once_are_all_taken_each_once(home, clock):
    """P2, trap_03: The same report from several threads, for every leaf of one goal, over connections of their own."""
    leaves = [f"n{number}" for number in range(6)]
    planner = ScriptedPlanner({"g": [planned(*leaves), planned()]})
    house = House(home.store, clock, scripted_ports(planner, ScriptedDeliverer({leaf: [None] for leaf in leaves})))
    house.run()
    with ThreadPoolExecutor(6) as threads:
        reports = [Report(leaf, success=True, data=leaf, gaps=[]) for leaf in leaves for _ in range(4)]
        replies = list(threads.map(lambda each: house.goals.report("g", each), reports))
    assert {each.status for each in replies} == {200}
    house.engine.drain()
    assert is_done(house.graph)
    assert house.graph.root.run.plan_calls == 2
    house.check_log()


def test_the_same_goal_handed_in_at_once_is_one(home, clock):
    house = House(home.store, clock, scripted_ports(ScriptedPlanner({})))
    with ThreadPoolExecutor(6) as threads:
        replies = list(threads.map(lambda _: house.goals.execute(goal("", key="click")), range(12)))
    assert len({each.data["task_id"] for each in replies}) == 1
    assert len(house.goals.listed()) == 1
