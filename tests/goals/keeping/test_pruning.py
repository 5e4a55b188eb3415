"""What led to goals that ended long ago is cleared away, a piece at a time; the goals and their results stay."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.goals.keeping.houses import TASK, KeptHouse, goal

from zhixing.goals.bots.collaborating import Duty, Word
from zhixing.goals.bots.forming import form_group
from zhixing.goals.bots.profiles import Catalog, ModelSettings, Profile
from zhixing.goals.groups import rows as groups
from zhixing.goals.groups.model import Kept, Line
from zhixing.goals.groups.standing import started
from zhixing.goals.keeping import pruning
from zhixing.goals.loop.model import Formation
from zhixing.goals.loop.values import CollabMode
from zhixing.goals.reaching import rows as runs
from zhixing.goals.running import rows
from zhixing.goals.running.scripted import ScriptedDeliverer, ScriptedPlanner, planned, scripted_ports
from zhixing.goals.talking import rows as talks
from zhixing.goals.talking.talk import GoalTalk, GoalTalkState
from zhixing.kernel.moments import millis
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
        assert pruning.prune(tx, "open", 1 << 60) == 0
    assert entries(home, "open") == before


def test_a_long_log_goes_in_pieces(home):
    home.run()
    count = entries(home)
    with home.store.write() as tx:
        taken = []
        while gone := pruning.prune(tx, TASK, 1 << 60, 3):
            taken.append(gone)
    assert sum(taken) == count
    assert max(taken) == 3


def test_a_home_without_goals_has_nothing_to_clear_away(home):
    home.keeping.take_up()
    with home.store.read() as tx:
        assert tx.rows("SELECT 1 FROM jobs") == []


def test_the_next_day_is_expected_once_however_often_the_program_starts(home):
    home.run()
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


# What bots were given, and the talks of groups

TALKERS = Catalog(tuple(Profile(each, each, ModelSettings()) for each in ("a", "b")))


def given(home: KeptHouse, goal_id: str = TASK) -> None:
    """Keep a run of a goal, a group with a talk of it, and what was said in that."""
    group = form_group(Formation(("a", "b"), CollabMode.CHAT, "g"), TALKERS)
    now = millis(home.clock.now())
    run_id = f"talk-{goal_id}"
    talk = Kept(goal_id, run_id, f"group-{goal_id}", group, goal_id, "a", 1, "", now, now, now, started(group))
    with home.store.write() as tx:
        for attempt in (1, 2):
            subject = runs.Subject(f"{goal_id}/{attempt}", goal_id, "a", attempt)
            runs.add(tx, subject, "bot", "do", state=runs.RunState.DONE, at=now)
        groups.add_group(tx, talk.group_id, group, (goal_id, "a"), now)
        groups.add(tx, talk)
        for seq in range(3):
            groups.add_line(tx, run_id, seq, Line("a", Duty.WORK, Word.SAID, "x"))


def left(home: KeptHouse, *names: str) -> list[int]:
    with home.store.read() as tx:
        return [tx.row(f"SELECT count(*) FROM {name}")[0] for name in names]


OF_BOTS = ("goal_runs", "goal_talks", "goal_talk_lines", "goal_groups")


def test_what_bots_were_given_and_said_goes_ninety_days_after_the_end_of_its_goal(home, monkeypatch):
    monkeypatch.setattr(pruning, "MOST_KNOWN", 0)
    home.run()
    given(home)
    home.keeping.take_up()
    home.later(days=89)
    assert left(home, *OF_BOTS) == [2, 1, 3, 1]
    home.later(days=2)
    assert left(home, *OF_BOTS) == [0, 0, 0, 0]


def test_what_belongs_to_a_goal_that_goes_on_stays_with_its_group(home, monkeypatch):
    monkeypatch.setattr(pruning, "MOST_KNOWN", 0)
    home.ports.deliverer.results = {"a": [None], "b": [None]}
    home.run(goal("open"))
    given(home, "open")
    home.clock.advance(pruning.KEPT * 2)
    home.keeping.take_up()
    with home.store.write() as tx:
        assert pruning.prune(tx, "open", 1 << 60) == 0
        assert groups.forget_groups(tx, 1 << 60, 0, 100) == 0
    assert left(home, *OF_BOTS) == [2, 1, 3, 1]


def test_the_newest_groups_stay_for_more_work(home):
    home.run()
    given(home)
    home.clock.advance(timedelta(seconds=1))
    given(home, "other")
    with home.store.write() as tx:
        tx.execute("DELETE FROM goal_talks")
        assert groups.forget_groups(tx, 1 << 60, 1, 100) == 1
        assert [each.id for each in groups.known_groups(tx, 10)] == ["group-other"]


@pytest.mark.parametrize("most", [1, 2, 3, 100])
def test_runs_and_talks_go_in_pieces_too(home, most):
    home.run()
    with home.store.write() as tx:
        tx.execute("DELETE FROM goal_log")
    given(home)
    with home.store.write() as tx:
        taken = []
        while gone := pruning.prune(tx, TASK, 1 << 60, most):
            taken.append(gone)
    assert sum(taken) == 6
    assert max(taken) == min(most, 6)
    assert left(home, *OF_BOTS) == [0, 0, 0, 1]


# Conversations

STATES = GoalTalkState


def talk(home: KeptHouse, number: int, state: GoalTalkState, **members) -> None:
    row = GoalTalk(f"q{number}", "words", "u", "UTC", home.clock.now(), (), state, **members)
    with home.store.write() as tx:
        talks.insert(tx, row)


def talked(home: KeptHouse) -> list[int]:
    with home.store.read() as tx:
        return [number for (number,) in tx.rows("SELECT number FROM goal_drafts ORDER BY number")]


def test_conversations_of_which_nothing_comes_any_more_go_after_ninety_days(home):
    for number, state in enumerate(STATES):
        talk(home, number, state)
    home.keeping.take_up()
    home.later(days=89)
    assert len(talked(home)) == len(STATES)
    home.later(days=2)
    kept = [each for number, each in enumerate(STATES) if number in talked(home)]
    assert kept == [each for each in STATES if each not in (STATES.FINISHED, STATES.DISCARDED)]


def test_the_head_of_a_list_stays_as_long_as_one_of_it_waits(home):
    talk(home, 1, STATES.DISCARDED)
    talk(home, 2, STATES.QUEUED, root="q1")
    talk(home, 3, STATES.DISCARDED, root="q1")
    home.keeping.take_up()
    home.later(days=91)
    assert talked(home) == [1, 2]
    with home.store.write() as tx:
        talks.save(tx, replace(talks.get(tx, "q2"), state=STATES.DISCARDED))
    for _ in range(2):
        home.later(days=1)
    assert talked(home) == []


def test_a_conversation_stays_as_long_as_its_goal_is_kept_whole(home):
    talk(home, 1, STATES.FINISHED, goal_id=TASK)
    home.clock.advance(timedelta(days=50))
    home.run()
    home.keeping.take_up()
    home.later(days=89)
    assert talked(home) == [1]
    home.later(days=2)
    assert talked(home) == []


def test_goals_are_gone_through_page_by_page(home, monkeypatch):
    monkeypatch.setattr(pruning, "GOALS_AT_ONCE", 2)
    home.ports.planner.plans.update({f"g{number}": [planned("a", "b"), planned()] for number in range(5)})
    for number in range(5):
        home.run(goal(f"g{number}"))
    home.keeping.take_up()
    home.later(days=91)
    assert [entries(home, f"g{number}") for number in range(5)] == [0] * 5
