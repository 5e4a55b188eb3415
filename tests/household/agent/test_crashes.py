"""The power fails at every point, two programs work on one home, and nothing is done or told twice."""

from __future__ import annotations

import shutil
import threading
from contextlib import closing, contextmanager, suppress
from datetime import timedelta

import pytest
from tests.conftest import START, Home
from tests.household.agent.conftest import MINUTE, Agency, ends, wants
from tests.household.doing.conftest import LEASE, Killed

from zhixing.household.doing.model import RunState
from zhixing.kernel.clock import ManualClock
from zhixing.store.opening import sqlite_url

LEVEL = "prop.2.2"
WORDS = "如果客厅没人，把客厅灯关掉，暂停音箱，并使用手机推送通知：客厅没人"
PLAY = wants("act_device", device="speaker", property="play")
DARK = wants("act_device", device="lamp", property="on", value=False)
TELL = wants("notify", medium="phone", text="客厅没人")


def in_turn(prompt):
    """Say what is still to be done, as the transcript in the prompt has it."""
    text = prompt.parts[0].text
    lamp = '⟦{"device":"lamp"' in text
    if " notify " not in text:
        return TELL
    if not lamp:
        return DARK
    return ends() if '{"device":"speaker"' in text else PLAY


def mortal(house, life):
    """Let a house die with its `life`-th transaction: odd ones before they are kept, even ones after."""
    store, write = house.store, house.store.write
    left = [life]

    @contextmanager
    def fragile():
        left[0] -= 1
        if left[0] > 0:
            with write() as tx:
                yield tx
            left[0] -= 1
            if left[0] == 0:
                raise Killed
            return
        with write() as tx:
            yield tx
            raise Killed

    store.write = fragile
    return left


@pytest.fixture
def many(migrated_file, tmp_path):
    """Give as many homes as are asked for, each with its own time."""

    @contextmanager
    def make(script):
        number = len(list(tmp_path.glob("*.db")))
        path = tmp_path / f"{number}.db"
        shutil.copy(migrated_file, path)
        with closing(Home(sqlite_url(path))) as home:
            yield Agency(home, ManualClock(START), restarts=False, script=script)

    return make


def test_wherever_the_power_fails_everything_is_done_once(many):
    unsure = 0
    for life in range(1, 200):
        with many(in_turn) as house:
            house.hub.values["lamp", "prop.2.1"] = True
            ended = house.fire(house.task(), WORDS)
            left = mortal(house, life)
            with suppress(Killed):
                house.engine.drain()
            died = left[0] <= 0
            del house.store.write
            house.restart()
            for _ in range(3):
                house.engine.drain()
                house.clock.advance(timedelta(seconds=10))
            commands = [command[:2] for command in house.hub.commands]
            assert house.inbox() == ["客厅没人"], life
            assert commands.count(("write", "lamp")) == 1, life
            played = commands.count(("act", "speaker"))
            state = house.turns()[2].state.value
            assert (played, state) in ((1, "done"), (0, "unknown"), (1, "unknown")), life
            unsure += state == "unknown"
            assert house.ended(ended) == ("done" if state == "done" else "failed acts_unsure"), life
            assert [turn.number for turn in house.turns()] == [1, 2, 3, 4], life
            if not died:
                break
    assert life > 20
    assert unsure in {2, 3}


@pytest.fixture(params=["restart", "takeover"])
def revive(request):
    """Come back: the same program again, or another worker that waits for the lease to run out."""

    def revive(house):
        if request.param == "restart":
            house.restart()
        else:
            house.home.store = house.home.open()
            house.open()
            house.engine.drain()
            house.clock.advance(LEASE)
        house.engine.drain()

    return revive


def killed(house):
    with pytest.raises(Killed):
        house.engine.drain()


def test_a_command_given_once_is_unknown_afterwards_and_so_the_model_is_told(steady_agency, revive):
    house = steady_agency([PLAY, ends()])
    house.hub.answers["speaker"] = [Killed()]
    ended = house.fire(house.task(), "如果没人就暂停音箱")
    killed(house)
    revive(house)
    assert [command for command in house.hub.commands if command[0] == "act"] == [("act", "speaker", "action.7.3")]
    assert 'act_device ⟦{"device":"speaker","property":"action.7.3"}⟧ → 未知⟦执行中断' in house.asked()
    assert house.ended(ended) == "failed acts_unsure"
    assert house.states(ended) == ["unknown interrupted"]


def test_a_command_whose_fate_is_unknown_is_not_given_again_though_the_model_asks(steady_agency, revive):
    house = steady_agency([PLAY, PLAY, ends()])
    house.hub.answers["speaker"] = [Killed()]
    house.fire(house.task(), "如果没人就暂停音箱")
    killed(house)
    revive(house)
    assert len(house.hub.commands) == 1
    assert house.said_in() == ["1 act_device unknown", "2 act_device failed", "3 finish done"]


def test_a_write_that_arrived_is_found_and_not_repeated(steady_agency, revive):
    house = steady_agency([DARK, ends()])
    house.hub.values["lamp", "prop.2.1"] = True

    def arrives():
        house.hub.values["lamp", "prop.2.1"] = False
        raise Killed

    house.hub.answers["lamp"] = [arrives]
    ended = house.fire(house.task(), "如果没人就关掉客厅灯")
    killed(house)
    revive(house)
    assert len(house.hub.commands) == 1
    assert (house.ended(ended), house.said_in()[0]) == ("done", "1 act_device done")


def test_a_reset_goes_on_where_it_was(steady_agency, revive):
    house = steady_agency()
    house.hub.values |= {("curtain", LEVEL): 20.0, ("lamp", "prop.2.1"): False}
    curtain = house.set("curtain", iid=LEVEL, value=100.0)
    ended = house.episode(house.task(), curtain, house.set("lamp"))
    house.hub.log.clear()
    house.hub.answers["curtain"] = [Killed()]
    killed(house)
    revive(house)
    assert house.hub.commands == [
        ("write", "lamp", "prop.2.1", False),
        *[("write", "curtain", LEVEL, 20.0)] * 2,
    ]
    assert house.ended(ended) == "done reset_done"


def test_a_reset_that_was_interrupted_for_long_asks_again_whether_it_is_wanted(steady_agency):
    house = steady_agency()
    house.hub.values |= {("curtain", LEVEL): 20.0, ("lamp", "prop.2.1"): False}
    task = house.task()
    curtain = house.set("curtain", iid=LEVEL, value=100.0)
    ended = house.episode(task, curtain, house.set("lamp"))
    house.hub.answers["lamp"] = [Killed()]
    killed(house)
    house.clock.advance(timedelta(seconds=20))
    house.fire(task, curtain, house.set("lamp"), since=house.clock.now())
    house.restart()
    house.engine.drain()
    assert house.hub.values["curtain", LEVEL] == 100.0
    assert house.said_in() == ["1 act_device dropped", "2 act_device dropped"]
    assert house.ended(ended) == "done reset_dropped"


def test_what_was_interrupted_past_its_deadline_is_not_done_any_more(steady_agency):
    house = steady_agency([DARK, TELL, ends()])
    house.hub.values["lamp", "prop.2.1"] = True
    house.hub.answers["lamp"] = [Killed()]
    ended = house.fire(house.task(), WORDS)
    killed(house)
    house.hub.log.clear()
    house.clock.advance(60 * MINUTE)
    house.restart()
    house.engine.drain()
    assert (house.hub.commands, house.said()) == ([], [])
    assert house.run().state in {RunState.EXPIRED, RunState.FAILED}
    assert not house.occurrence(ended).open
    assert [turn.state.value for turn in house.turns()] == ["dropped"]


def test_a_worker_that_lost_its_run_while_the_model_thought_tells_nothing(steady_agency, home, clock):
    slow = steady_agency([])
    other = Agency(home, clock, restarts=False, script=[TELL, ends()])

    def thinks(_prompt):
        clock.advance(LEASE + timedelta(seconds=1))
        other.engine.drain()
        return TELL

    slow.model._answer = thinks
    slow.fire(slow.task(), WORDS)
    slow.engine.drain()
    assert (slow.said(), other.said()) == ([], ["客厅没人"])
    assert other.said_in() == ["1 notify done", "2 finish done"]


def test_a_task_that_stops_while_the_model_thinks_is_left_alone(steady_agency):
    house = steady_agency([])
    task = house.task()

    def thinks(_prompt):
        house.do("pause", task)
        return DARK

    house.model._answer = thinks
    ended = house.fire(task, WORDS)
    house.engine.drain()
    assert (house.hub.commands, house.turns(), house.ended(ended)) == ([], (), "cancelled paused")


def test_two_programs_share_the_work(home, clock):
    class Door:
        """The same database, opened by another process."""

        def __init__(self):
            self.store = home.open()

    first = Agency(home, clock, restarts=False, script=in_turn)
    second = Agency(Door(), clock, restarts=False, script=in_turn)
    for house in (first, second):
        house.hub.values["lamp", "prop.2.1"] = True
    tasks = [first.task(f"任务{number}") for number in range(4)]
    ended = [first.fire(task, WORDS) for task in tasks]

    def work(house):
        for _ in range(10):
            house.engine.drain()

    workers = [threading.Thread(target=work, args=(house,)) for house in (first, second)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    first.work()
    assert [first.ended(one) for one in ended] == ["done"] * 4
    assert len(first.said()) + len(second.said()) == 4
    plays = [command for house in (first, second) for command in house.hub.commands if command[0] == "act"]
    assert len(plays) == 4
    assert [first.said_in(f"h{number}")[-1] for number in range(1, 5)] == ["4 finish done"] * 4
