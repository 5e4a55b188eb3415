"""Logs of goals that ended long ago are cleared away, a piece at a time; the goals and their results stay."""

from __future__ import annotations

import pytest
from tests.goals.keeping.houses import TASK, KeptHouse, goal

from zhixing.goals.keeping import pruning
from zhixing.goals.running import rows
from zhixing.goals.running.scripted import ScriptedDeliverer, ScriptedPlanner, planned, scripted_ports
from zhixing.world.channels.memory import MemoryChannel


@pytest.fixture
def home(store, clock) -> KeptHouse:
    plans = {TASK: [planned("a", "b"), planned()], "open": [planned("a")]}
    ports = scripted_ports(ScriptedPlanner(plans), ScriptedDeliverer())
    return KeptHouse(store, clock, ports, MemoryChannel())


def entries(home: KeptHouse, goal_id: str = TASK) -> int:
    with home.store.read() as tx:
        return len(rows.entries(tx, goal_id))


def test_the_log_of_a_goal_is_kept_for_ninety_days_after_its_end(home):
    home.run()
    shown = home.goals.dashboard(TASK).data
    home.keeping.take_up()
    home.later(days=89)
    assert entries(home) > 5
    home.later(days=2)
    assert entries(home) == 0
    assert home.goals.dashboard(TASK).data == shown
    assert home.goals.dashboard(TASK, log="actions").status == 200
    with home.store.read() as tx:
        assert tx.row("SELECT count(*) FROM goal_sendings") == (0,)


def test_what_is_under_way_keeps_all_of_its_log(home):
    home.ports.deliverer.results = {"a": [None], "b": [None]}
    home.run(goal("open"))
    before = entries(home, "open")
    home.clock.advance(pruning.KEPT * 2)
    home.keeping.take_up()
    with home.store.write() as tx:
        assert pruning.prune(tx, 1 << 60) == 0
    assert entries(home, "open") == before


def test_a_long_log_goes_in_pieces(home):
    home.run()
    count = entries(home)
    with home.store.write() as tx:
        taken = []
        while gone := pruning.prune(tx, 1 << 60, 3):
            taken.append(gone)
    assert sum(taken) == count
    assert max(taken) == 3


def test_the_next_day_is_expected_once_however_often_the_program_starts(home):
    for _ in range(3):
        home.keeping.take_up()
    home.engine.drain()
    home.keeping.take_up()
    with home.store.read() as tx:
        states = tx.rows("SELECT state FROM jobs WHERE name = ? ORDER BY key", (pruning.PRUNE,))
    assert [state for (state,) in states] == ["done", "pending"]


def test_a_result_that_comes_after_the_log_is_gone_is_kept(home):
    from zhixing.goals.loop.events import Report

    home.run()
    home.keeping.take_up()
    home.later(days=91)
    assert entries(home) == 0
    assert home.goals.report(TASK, Report("a", success=True, data="late", gaps=[], attempt=1)).why == "recorded"
    assert entries(home) == 1
