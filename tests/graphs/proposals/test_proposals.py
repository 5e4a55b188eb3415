"""From a sentence to a rule that runs, and the task that stands for it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.app import App, build
from zhixing.graphs.proposals.proposed import ProposalState
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import BadInput, Conflict, Unavailable
from zhixing.settings import HomeZone, ZoneSource
from zhixing.store.connection import Store
from zhixing.tasks import store as tasks_store
from zhixing.tasks.task import Status, Task, Way
from zhixing.world.devices.homeplan import default_home
from zhixing.world.devices.stored import StoreKeeper
from zhixing.world.devices.virtual import VirtualHome

SAID = "单击床头无线开关打开主卧吸顶灯"
WHO = "test"


class Flat:
    """A home whose engine is driven by hand."""

    def __init__(self, store: Store, clock: ManualClock) -> None:
        self.store = store
        self.clock = clock
        self.home = VirtualHome(default_home(), StoreKeeper(store, clock))
        self.app: App = build(store, clock, HomeZone("Asia/Shanghai", ZoneSource.CONFIG), {}, hub=self.home)

    def click(self) -> None:
        self.home.emit("button_bedside", "click")
        self.app.engine.drain()

    def lamp(self, *, on: bool | None = None) -> bool:
        if on is not None:
            self.home.set_property("light_bedroom", "prop.2.1", on)
            self.app.engine.drain()
        return bool(self.home.read("light_bedroom", "prop.2.1").value)

    def task(self, task_id: str) -> Task:
        with self.store.read() as tx:
            found = tasks_store.find(tx, task_id)
        assert found is not None
        return found

    def saved(self, answer: str = "A") -> Task:
        view = self.app.proposals.say(SAID, who=WHO)
        done = self.app.proposals.answer(view.row.id, answer, who=WHO)
        assert done.row.state is ProposalState.SAVED
        return self.task(done.row.task_id)


@pytest.fixture
def flat(store: Store, clock: ManualClock) -> Flat:
    return Flat(store, clock)


def test_what_a_sentence_becomes_is_shown_and_nothing_is_saved(flat):
    view = flat.app.proposals.say(SAID, who=WHO)
    assert view.composed is not None
    assert view.question.options[0].value == "A"
    assert any("主卧吸顶灯" in line for line in view.lines)
    assert flat.app.graphs.entries() == ()


def test_a_yes_saves_a_rule_that_works_and_a_task_that_stands_for_it(flat):
    task = flat.saved()
    assert (task.way, task.status) == (Way.GRAPH, Status.ACTIVE)
    flat.click()
    assert flat.lamp()


def test_b_saves_it_switched_off(flat):
    task = flat.saved("B")
    assert task.status is Status.PAUSED
    flat.click()
    assert not flat.lamp()


@pytest.mark.parametrize("no", ["C", "c", "不要了", "算了吧"])
def test_no_drops_it(flat, no):
    view = flat.app.proposals.say(SAID, who=WHO)
    assert flat.app.proposals.answer(view.row.id, no, who=WHO).row.state is ProposalState.DROPPED
    with pytest.raises(Conflict):
        flat.app.proposals.answer(view.row.id, "A", who=WHO)


def test_saying_yes_twice_makes_one_rule(flat):
    view = flat.app.proposals.say(SAID, who=WHO)
    flat.app.proposals.answer(view.row.id, "A", who=WHO)
    with pytest.raises(Conflict):
        flat.app.proposals.answer(view.row.id, "A", who=WHO)
    assert len(flat.app.graphs.entries()) == 1


def test_the_same_key_is_said_once(flat):
    first, again = (flat.app.proposals.say(SAID, who=WHO, key="k1") for _ in range(2))
    assert first.row.id == again.row.id


def test_a_question_is_asked_where_several_devices_fit_and_its_answer_goes_on(flat):
    view = flat.app.proposals.say("单击床头无线开关打开主卧的灯", who=WHO)
    assert view.question is not None
    if view.composed is None:
        label = next(each.label for each in view.question.options if "吸顶" in each.label)
        view = flat.app.proposals.answer(view.row.id, label, who=WHO)
    assert view.composed is not None


def test_a_word_that_is_no_answer_changes_nothing(flat):
    view = flat.app.proposals.say(SAID, who=WHO)
    after = flat.app.proposals.answer(view.row.id, "嗯哼", who=WHO)
    assert "嗯哼" in after.lines[0]
    assert after.row.state is ProposalState.OPEN


def test_pausing_and_resuming_the_task_switches_the_rule(flat):
    task = flat.saved()
    with flat.store.write() as tx:
        flat.app.tasks.pause(tx, task.id, who=WHO)
    flat.app.engine.drain()
    flat.click()
    assert not flat.lamp()
    with flat.store.write() as tx:
        flat.app.tasks.resume(tx, task.id, who=WHO)
    flat.app.engine.drain()
    flat.click()
    assert flat.lamp()


def test_a_deleted_task_takes_its_rule_along_and_brings_it_back_when_it_is_restored(flat):
    task = flat.saved()
    with flat.store.write() as tx:
        flat.app.tasks.delete(tx, task.id, who=WHO)
    flat.app.engine.drain()
    assert flat.app.graphs.entries() == ()
    with flat.store.write() as tx:
        flat.app.tasks.restore(tx, task.id, who=WHO)
    flat.app.engine.drain()
    flat.click()
    assert flat.lamp()


def test_a_rule_that_is_switched_or_deleted_on_the_hub_takes_its_task_along(flat):
    task = flat.saved()
    rule = flat.app.graphs.entries()[0].id
    flat.app.graphs.switch(rule, enable=False)
    assert flat.task(task.id).status is Status.PAUSED
    flat.app.graphs.switch(rule, enable=True)
    assert flat.task(task.id).status is Status.ACTIVE
    flat.app.graphs.delete(rule)
    assert flat.task(task.id).status is Status.DELETED


def test_a_rule_survives_a_restart(flat):
    flat.saved()
    again = Flat(flat.store, flat.clock)
    again.app.recover()
    again.click()
    assert again.lamp()


def test_what_no_rule_can_be_made_of_is_refused_in_one_line(flat):
    with pytest.raises(BadInput) as refused:
        flat.app.proposals.say("家里要有家的样子", who=WHO)
    assert refused.value.key == "proposal_not_understood"


def test_an_old_revision_is_refused(flat):
    view = flat.app.proposals.say(SAID, who=WHO)
    with pytest.raises(Conflict):
        flat.app.proposals.answer(view.row.id, "A", who=WHO, revision=view.row.revision + 1)


def test_a_proposal_waits_as_long_as_it_takes(flat):
    view = flat.app.proposals.say(SAID, who=WHO)
    flat.clock.advance(timedelta(days=30))
    assert flat.app.proposals.answer(view.row.id, "好", who=WHO).row.state is ProposalState.SAVED


def test_a_hub_that_does_not_answer_is_asked_once_for_a_whole_page(flat, monkeypatch):
    for _ in range(3):
        flat.app.proposals.say(SAID, who=WHO)
    asked = []

    def away() -> None:
        asked.append(1)
        raise Unavailable("hub_away")

    monkeypatch.setattr(flat.app.graphs, "home", away)
    shown = flat.app.proposals.page()
    assert len(asked) == 1
    assert {view.row.state for view in shown} == {ProposalState.OPEN}
    assert all(view.lines == (str(Unavailable("hub_away")),) for view in shown)
