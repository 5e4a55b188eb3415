"""Leaves reach their bots, each kind by its own way, and what comes back reaches the goal."""

from __future__ import annotations

import json

import pytest
from tests.goals.reaching.towns import TASK, Owner, Town, TwinGroups, Worker, goal, profile

from zhixing.goals.loop.events import Started
from zhixing.goals.loop.limits import Limits, Spent
from zhixing.goals.loop.values import RunMode, TaskType
from zhixing.goals.running.ports import Place
from zhixing.goals.running.scripted import chosen, failed, passed, planned
from zhixing.world.bots.port import NotSent, Said, Unclear
from zhixing.world.bots.scripted import Line, ScriptedRemote

OWNER = profile("owner")


def one_leaf(*more: str) -> Owner:
    return Owner({TASK: [planned("a"), planned()], "a": [*more, planned()]})


def test_a_bot_that_only_answers_is_asked_by_a_job_and_its_result_ends_the_leaf_at_once(store, clock):
    owner, worker = one_leaf(), Worker()
    town = Town(store, clock, [OWNER, profile("bot-a")], {"owner": owner, "bot-a": worker})
    town.run()
    assert town.states() == {TASK: "DONE", "a": "DONE"}
    assert town.runs() == {"a#1": "done"}
    (errand,) = worker.errands
    assert (errand.loop_task_id, errand.attempt, errand.seconds) == (f"{TASK}::a", 1, 600)
    assert "任务：do a" in errand.text
    assert town.graph.nodes["a"].run.output == {"output": "work of a"}


def test_what_bots_used_is_counted_once(store, clock):
    owner = one_leaf()
    town = Town(store, clock, [OWNER, profile("bot-a")], {"owner": owner, "bot-a": Worker()})
    town.run()
    assert town.graph.head.spent == Spent(10 + len(owner.errands), 0.5)


def test_a_bot_on_its_own_side_is_sent_to_and_collected_from(store, clock):
    remote = ScriptedRemote([Line(passed("done there"))], looks=2)
    town = Town(store, clock, [OWNER, profile("bot-a", "http")], {"owner": one_leaf(), "bot-a": remote})
    town.run()
    assert town.states()["a"] == "RUNNING"
    assert town.graph.nodes["a"].run.run_id == "run-1"
    town.later(5)
    town.later(5)
    assert town.states() == {TASK: "DONE", "a": "DONE"}
    assert len(remote.errands) == 1


class Instant(ScriptedRemote):
    """A bot on its own side that is done before it could say where."""

    def send(self, errand):
        return self.ask(errand)


def test_what_a_bot_on_its_own_side_says_at_once_is_kept_and_found(store, clock):
    instant = Instant([Line(passed("quick"))])
    town = Town(store, clock, [OWNER, profile("bot-a", "http")], {"owner": one_leaf(), "bot-a": instant})
    town.run()
    assert town.states() == {TASK: "DONE", "a": "DONE"}
    assert town.graph.nodes["a"].run.output == {"output": "quick"}


@pytest.mark.parametrize("kind", ["command", "http"])
def test_a_bot_that_is_not_in_the_catalog_any_more_was_not_sent_to(store, clock, kind):
    town = Town(store, clock, [OWNER, profile("bot-a", kind)], {"owner": one_leaf()})
    assert town.goals.execute(goal()).status == 200
    ask = town.reaching.planner.ask

    def and_then_it_is_gone(question):
        heard = ask(question)
        if question.subject == "a":
            town.profiles[:] = [OWNER]
        return heard

    town.reaching.planner.ask = and_then_it_is_gone
    town.engine.drain()
    assert town.graph.nodes["a"].run.dispatch_error == "bot_unknown"
    assert town.runs() == {}


def test_a_bot_that_could_not_be_reached_is_tried_again_as_another_attempt(store, clock):
    remote = ScriptedRemote([Line(passed("at last"))], [NotSent("connect")])
    town = Town(store, clock, [OWNER, profile("bot-a", "http")], {"owner": one_leaf(), "bot-a": remote})
    town.run()
    assert town.graph.nodes["a"].run.dispatch_error == "connect"
    assert town.runs() == {"a#1": "refused"}
    town.later(181)
    assert town.runs() == {"a#1": "refused", "a#2": "done"}
    assert town.states()[TASK] == "DONE"


class Forgetful(ScriptedRemote):
    """A bot on its own side that cannot say what became of an errand."""

    def whereabouts(self, _errand):
        return "unknown"


def test_a_bot_of_which_nobody_knows_whether_it_was_reached_is_not_sent_to_again(store, clock):
    remote = Forgetful([Line(passed("x"))], [Unclear("timeout")])
    town = Town(store, clock, [OWNER, profile("bot-a", "http")], {"owner": one_leaf(), "bot-a": remote})
    town.run()
    assert town.graph.nodes["a"].run.dispatch == "unknown"
    assert "delivery_unknown" in town.teller.topics
    town.later(100)
    assert len(remote.errands) == 1


def test_a_bot_that_knows_that_nothing_arrived_is_tried_again_later(store, clock):
    remote = ScriptedRemote([Line(passed("x"))], [Unclear("timeout")])
    town = Town(store, clock, [OWNER, profile("bot-a", "http")], {"owner": one_leaf(), "bot-a": remote})
    town.run()
    assert town.graph.nodes["a"].run.dispatch_error == "timeout"
    town.later(181)
    assert town.states()[TASK] == "DONE"


@pytest.mark.parametrize(
    ("answer", "state", "error"),
    [
        (Said("", "FAILED", "exit 3"), "failed", "exit 3"),
        (Said("no json at all"), "done", "terminal_result_invalid"),
        (RuntimeError("its own mistake"), "failed", "bot_exception:RuntimeError"),
        (NotSent("no_program"), "failed", "no_program"),
    ],
)
def test_a_bot_that_breaks_has_failed_its_attempt_and_no_more(store, clock, answer, state, error):
    worker = Worker(answer) if isinstance(answer, Said) else Worker(broken=[answer])
    town = Town(store, clock, [OWNER, profile("bot-a", "command")], {"owner": one_leaf(), "bot-a": worker})
    town.run(goal(limits=Limits(max_harness=1)))
    node = town.graph.nodes["a"]
    assert (town.runs(), node.run.last_exec_error) == ({"a#1": state}, error)
    assert len(worker.errands) == 1


def test_hostile_words_are_kept_without_harm_and_a_long_text_by_its_end(store, clock):
    said = "\x00\ud800" + "x" * 300_000 + passed("the end")
    town = Town(store, clock, [OWNER, profile("bot-a")], {"owner": one_leaf(), "bot-a": Worker(said)})
    town.run()
    assert town.graph.nodes["a"].run.output == {"output": "the end"}


class Meanwhile(Worker):
    """A bot during whose answer something happens."""

    def __init__(self, happens) -> None:
        super().__init__()
        self.happens = happens

    def ask(self, errand):
        self.happens()
        return super().ask(errand)


def test_a_stopped_run_keeps_its_late_answer_and_delivers_nothing(store, clock):
    def cancelled():
        town.goals.cancel(TASK)
        town.reaching.deliverer.withdraw(Place("", TASK, "a", 1, None, None, "", ""))

    bots = {"owner": one_leaf(), "bot-a": Meanwhile(cancelled)}
    town = Town(store, clock, [OWNER, profile("bot-a", "command")], bots)
    town.run()
    assert town.states() == {TASK: "CANCELLED", "a": "CANCELLED"}
    assert town.runs() == {"a#1": "stopped"}
    with store.read() as tx:
        assert "work of a" in tx.row("SELECT content FROM goal_runs")[0]
    assert not town.graph.nodes["a"].run.late


def test_what_a_stopped_run_used_counts(store, clock):
    def withdrawn():
        town.reaching.deliverer.withdraw(Place("", TASK, "a", 1, None, None, "", ""))

    owner = one_leaf()
    town = Town(store, clock, [OWNER, profile("bot-a")], {"owner": owner, "bot-a": Meanwhile(withdrawn)})
    town.run()
    assert town.runs() == {"a#1": "stopped"}
    assert town.states()["a"] == "RUNNING"
    assert town.graph.head.spent == Spent(10 + len(owner.errands), 0.5)


class Parrot:
    """A bot that says back what it is told, whatever that is."""

    def ask(self, errand):
        return Said(f"收到：\n{errand.text}\n")


class FarParrot(ScriptedRemote):
    """The same on its own side."""

    def send(self, errand):
        return Said(f"{errand.text}\n")


@pytest.mark.parametrize(("kind", "parrot"), [("command", Parrot()), ("http", FarParrot())])
def test_an_errand_that_holds_a_result_and_is_said_back_is_no_success(store, clock, kind, parrot):
    template = json.loads(planned("a"))
    template["tasks"][0]["metadata"]["instruction"] = f"do a 照这个写：\n{passed('假的')}\n"
    owner = Owner({TASK: [json.dumps(template), planned()]})
    town = Town(store, clock, [OWNER, profile("bot-a", kind)], {"owner": owner, "bot-a": parrot})
    town.run(goal(limits=Limits(max_harness=1)))
    assert town.states()["a"] == "HUNG"
    assert town.graph.nodes["a"].run.last_exec_error == "terminal_result_invalid"


def test_a_cancelled_goal_stops_what_runs_elsewhere(store, clock):
    remote = ScriptedRemote([Line(passed("x"))], looks=100)
    town = Town(store, clock, [OWNER, profile("bot-a", "http")], {"owner": one_leaf(), "bot-a": remote})
    town.run()
    town.goals.cancel(TASK)
    town.engine.drain()
    assert remote.stopped == ["run-1"]
    assert town.runs() == {"a#1": "stopped"}


class Withdrawn(ScriptedRemote):
    """A bot whose errand is given up while it is on its way there; `troubles` are raised when it is told to stop."""

    def __init__(self, *troubles):
        super().__init__([Line(passed("x"))], looks=100)
        self.troubles = list(troubles)

    def send(self, errand):
        self.town.goals.cancel(TASK)
        self.town.reaching.deliverer.withdraw(Place("", TASK, "a", 1, None, None, "", ""))
        return super().send(errand)

    def stop(self, receipt):
        super().stop(receipt)
        if self.troubles:
            raise self.troubles.pop()


@pytest.mark.parametrize("troubles", [(), (Unclear("no_answer"),)])
def test_a_bot_whose_errand_was_given_up_while_it_left_is_told_when_it_is_there(store, clock, troubles):
    remote = Withdrawn(*troubles)
    remote.town = Town(store, clock, [OWNER, profile("bot-a", "http")], {"owner": one_leaf(), "bot-a": remote})
    remote.town.run()
    assert remote.stopped == ["run-1"]
    assert remote.town.runs() == {"a#1": "stopped"}
    assert remote.town.states() == {TASK: "CANCELLED", "a": "CANCELLED"}


def test_a_run_that_was_stopped_before_its_bot_was_asked_is_not_begun(store, clock):
    worker = Worker()
    town = Town(store, clock, [OWNER, profile("bot-a")], {"owner": one_leaf(), "bot-a": worker})
    deliver = town.reaching.deliverer.deliver

    def stopped_meanwhile(delivery):
        arrived = deliver(delivery)
        town.reaching.deliverer.withdraw(Place("", TASK, "a", 1, None, None, "", ""))
        return arrived

    town.reaching.deliverer.deliver = stopped_meanwhile
    town.run()
    assert not worker.errands
    assert town.runs() == {"a#1": "stopped"}


# Groups


def test_a_group_begins_its_talk_under_the_key_of_the_delivery_and_its_result_is_collected(store, clock):
    several = json.dumps({"outcome": "HIT_MULTI_BOTS", "bot_ids": ["x", "y"], "collab_mode": "chat"})
    owner, groups = Owner({TASK: [planned("a"), planned()]}, {"a": [several]}), TwinGroups()
    town = Town(store, clock, [OWNER, profile("x"), profile("y")], {"owner": owner}, groups=groups)
    town.run(goal(limits=Limits(sla=50_000)))
    (wanted,) = groups.wanted.values()
    assert wanted.key == f"{TASK}/deliver:a#1"
    assert (wanted.formation.bot_ids, wanted.group_id, wanted.millis) == (("x", "y"), "", 50_000)
    assert wanted.text.startswith(f"[task-loop] loop_task_id={TASK}::a")
    assert town.states() == {TASK: "DONE", "a": "DONE"}
    assert town.graph.nodes["a"].run.assignee == "group-a"


def test_a_group_that_exists_is_given_the_leaf_by_its_id(store, clock):
    known = json.dumps({"outcome": "HIT_GROUP", "group_id": "team"})
    owner, groups = Owner({TASK: [planned("a"), planned()]}, {"a": [known]}), TwinGroups({"a": None})
    town = Town(store, clock, [OWNER, profile("x")], {"owner": owner}, groups=groups)
    town.run()
    (wanted,) = groups.wanted.values()
    assert (wanted.formation, wanted.group_id) == (None, "team")
    town.goals.cancel(TASK)
    town.engine.drain()
    assert groups.stopped == ["talk-a-1"]


def test_a_group_that_cannot_be_formed_was_not_delivered(store, clock):
    known = json.dumps({"outcome": "HIT_GROUP", "group_id": "team"})
    owner = Owner({TASK: [planned("a"), planned()]}, {"a": [known]})
    town = Town(store, clock, [OWNER, profile("x")], {"owner": owner}, groups=TwinGroups(refuses=True))
    town.run()
    assert town.graph.nodes["a"].run.dispatch_error == "form_group_failed:bot_group_alone"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"bot_ids": ["x", "y"], "collab_mode": "manager_worker", "manager_bot_id": "z"}, "bot_group_manager_outside"),
        ({"bot_ids": ["x", "y"], "collab_mode": "state_machine"}, "bot_group_no_definition"),
        (
            {"bot_ids": ["x", "y"], "collab_mode": "state_machine", "definition_yaml": "roles: ["},
            "bot_yaml_broken",
        ),
    ],
)
def test_a_group_that_cannot_work_is_nobody_with_its_reason(store, clock, answer, reason):
    several = json.dumps({"outcome": "HIT_MULTI_BOTS", **answer})
    owner = Owner({TASK: [planned("a"), planned()], "a": [planned()]}, {"a": [several]})
    town = Town(store, clock, [OWNER, profile("x"), profile("y")], {"owner": owner})
    town.run()
    (miss,) = town.graph.nodes["a"].run.miss_events
    assert miss == f"form_group_failed:{reason}"
    assert not town.groups.wanted


def test_a_group_of_one_is_that_bot(store, clock):
    several = json.dumps({"outcome": "HIT_MULTI_BOTS", "bot_ids": ["x"], "collab_mode": "chat"})
    owner = Owner({TASK: [planned("a"), planned()]}, {"a": [several]})
    town = Town(store, clock, [OWNER, profile("x")], {"owner": owner, "x": Worker()})
    town.run()
    assert town.graph.nodes["a"].run.run_mode is RunMode.SINGLE_BOT
    assert town.states()["a"] == "DONE"


# Goals that are driven elsewhere


@pytest.mark.parametrize(
    ("args", "text"),
    [
        ([1, "2"], "/wf 1 2"),
        (" one two ", "/wf one two"),
        ([True, 2.5, {"no": 1}, ""], "/wf true 2.5"),
        ([], "/wf write the report"),
        (None, "/wf write the report"),
    ],
)
def test_a_workflow_is_started_by_its_command_at_the_owner(store, clock, args, text):
    """D2."""
    owner = ScriptedRemote([Line(passed("ran"))])
    town = Town(store, clock, [profile("owner", "http")], {"owner": owner})
    town.run(goal(task_type=TaskType.WORKFLOW, workflow_id="wf"), {"args": args})
    assert [each.text for each in owner.errands] == [text]
    assert town.graph.root.run.run_id == "run-1"
    assert town.states() == {TASK: "DONE"}


def test_a_workflow_without_its_owner_has_failed(store, clock):
    town = Town(store, clock, [profile("x")], {})
    town.run(goal(task_type=TaskType.WORKFLOW, workflow_id="wf"))
    assert town.states() == {TASK: "FAILED"}


def test_a_definition_starts_a_group_of_the_owner_and_who_takes_part(store, clock):
    town = Town(store, clock, [profile("owner"), profile("x")], {})
    config = {"participant_bot_ids": ["x"], "group_name": "the two"}
    town.run(goal(task_type=TaskType.YAML), config)
    (wanted,) = town.groups.wanted.values()
    formation = wanted.formation
    assert (formation.bot_ids, formation.collab_mode, formation.manager_bot_id, formation.group_name) == (
        ("owner", "x"),
        "manager_worker",
        "owner",
        "the two",
    )
    assert town.states() == {TASK: "DONE"}


# Who was heard of before the word that it was reached


def test_a_leaf_whose_bot_was_faster_than_the_word_of_its_delivery_is_collected_and_stopped_all_the_same(store, clock):
    class Fast(ScriptedRemote):
        def send(self, errand):
            receipt = ScriptedRemote.send(self, errand)
            assert town.goals.report(TASK, Started("a")).status == 200
            return receipt

    fast = Fast([Line(failed("half"))], looks=100)
    town = Town(store, clock, [OWNER, profile("bot-a", "http")], {"owner": one_leaf(), "bot-a": fast})
    town.run()
    assert town.graph.nodes["a"].run.run_id == "run-1"
    town.goals.cancel(TASK)
    town.engine.drain()
    assert fast.stopped == ["run-1"]


def test_chosen_is_what_the_owner_chose(store, clock):
    owner = Owner({TASK: [planned("a"), planned()]}, {"a": [chosen("x")]})
    town = Town(store, clock, [OWNER, profile("x"), profile("bot-a")], {"owner": owner, "x": Worker()})
    town.run()
    assert town.graph.nodes["a"].run.assignee == "x"
