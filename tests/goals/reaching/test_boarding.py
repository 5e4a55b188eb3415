"""Bids side by side, the message to the winner, and bots that only answer led through their relay."""

from __future__ import annotations

import json
import threading

import pytest
from tests.goals.reaching.towns import TASK, Owner, Town, Worker, goal, profile

from zhixing.goals.bots.profiles import Availability
from zhixing.goals.loop.limits import Limits, Spent
from zhixing.goals.overlays.folders import load_overlays
from zhixing.goals.reaching.boarding import ReachingBoard
from zhixing.goals.running.ports import NotSent, Question
from zhixing.goals.running.scripted import MISSED, failed, passed, planned
from zhixing.world.bots import port
from zhixing.world.bots.port import Errand, Said, Unclear
from zhixing.world.bots.scripted import Line, ScriptedRemote

OWNER = profile("owner")
SHALLOW = Limits(max_depth=1)


def bid(rate: int) -> str:
    return json.dumps({"completion_rate": rate})


def stuck(*more: str) -> Owner:
    """Give an owner whose leaf nobody can do."""
    return Owner({TASK: [planned("a"), *(more or (planned(),))]}, {"a": [MISSED]})


class Relayer(Worker):
    """A bot that bids, and does the rest as its answers say."""

    def __init__(self, rate: int, *answers: str | Said, **members) -> None:
        super().__init__(*answers, **members)
        self.rate = rate
        self.bids: list[Errand] = []

    def ask(self, errand):
        if errand.text.startswith("[bbs-bid]"):
            self.bids.append(errand)
            return Said(bid(self.rate), tokens=3)
        return super().ask(errand)


class Hanging(Relayer):
    """A bot that does not come back before it is let go."""

    def __init__(self, rate: int) -> None:
        super().__init__(rate)
        self.let_go = threading.Event()

    def ask(self, errand):
        self.let_go.wait(30)
        return super().ask(errand)


def question(prompt: str = "[bbs-bid] how much", bot: str = "") -> Question:
    return Question(f"{TASK}/bid:*#1", TASK, "*", 1, bot, prompt)


def test_every_bot_that_takes_relays_is_asked_in_the_order_of_the_roster(store, clock):
    profiles = [OWNER, *(profile(each, relay=True) for each in "xyz"), profile("bot-no")]
    profiles.append(profile("asleep", relay=True, availability=Availability(enabled=False)))
    bots = {"owner": stuck(), **{each: Relayer(rate) for each, rate in zip("xyz", (5, 9, 7), strict=True)}}
    town = Town(store, clock, profiles, bots)
    town.goals.execute(goal())
    heard = town.reaching.board.bids(question())
    assert [(bot, json.loads(each.content)["completion_rate"]) for bot, each in heard] == [("x", 5), ("y", 9), ("z", 7)]
    assert {each.seconds for bot in "xyz" for each in bots[bot].bids} == {170}
    assert len({each.key for bot in "xyz" for each in bots[bot].bids}) == 3


def test_who_is_too_slow_has_not_bid_and_the_others_have(store, clock):
    slow = Hanging(99)
    bots = {"owner": stuck(), "slow": slow, "quick": Relayer(50)}
    town = Town(store, clock, [OWNER, profile("slow", relay=True), profile("quick", relay=True)], bots)
    town.goals.execute(goal())
    board = town.reaching.board
    in_time = ReachingBoard(
        store,
        clock,
        town.reaching.directory,
        speaking=board._speaking,
        relay_jobs=board._relay_jobs,
        goals_of=lambda: town.goals,
        seconds=1,
    )
    assert [bot for bot, _ in in_time.bids(question())] == ["quick"]
    slow.let_go.set()


@pytest.mark.parametrize("fault", [RuntimeError("x"), port.NotSent("connect"), Unclear("timeout")])
def test_a_bot_that_breaks_at_its_bid_takes_nothing_from_the_others(store, clock, fault):
    bots = {"owner": stuck(), "bad": Worker(broken=[fault]), "good": Relayer(50)}
    town = Town(store, clock, [OWNER, profile("bad", relay=True), profile("good", relay=True)], bots)
    town.run(goal(limits=SHALLOW))
    assert bots["good"].errands


def test_without_bots_that_take_relays_the_goal_waits(store, clock):
    town = Town(store, clock, [OWNER, profile("bot-a")], {"owner": stuck()})
    town.run(goal(limits=SHALLOW))
    assert (town.graph.head.relay.mode, town.graph.head.relay.owner) == (True, None)
    assert town.graph.head.relay.next_offer is not None


def test_a_bot_that_only_answers_is_led_through_its_relay(store, clock):
    owner, bot = stuck(), Relayer(80, passed("all of it"))
    town = Town(store, clock, [OWNER, profile("bot-a"), profile("r", relay=True)], {"owner": owner, "r": bot})
    town.run(goal(limits=SHALLOW))
    (node,) = [each for each in town.graph.nodes.values() if each.id.startswith("bbs-")]
    assert (node.status, node.run.output, node.run.assignee) == ("DONE", {"output": "all of it"}, "r")
    assert town.graph.head.status == "DONE"
    (errand,) = bot.errands
    assert errand.loop_task_id == f"{TASK}::{node.id}"
    assert "it is complete" in errand.text
    assert "还缺：a" in errand.text
    assert town.graph.head.spent == Spent(len(owner.errands) + 3, 0)


@pytest.mark.parametrize(
    ("answer", "gaps"),
    [
        (failed("chapter 2"), ("chapter 2",)),
        ("nothing of use", ("terminal_result_invalid",)),
        (Said("", "FAILED", "exit 1"), ("exit 1",)),
    ],
)
def test_a_relay_that_does_not_end_it_leaves_what_is_missing_and_the_rest_is_offered_again(store, clock, answer, gaps):
    bot = Relayer(80, answer)
    town = Town(store, clock, [OWNER, profile("bot-a"), profile("r", relay=True)], {"owner": stuck(), "r": bot})
    town.run(goal(limits=Limits(max_depth=1, bbs_max_depth=1)))
    (node,) = [each for each in town.graph.nodes.values() if each.id.startswith("bbs-")]
    assert (node.status, node.run.acceptance.gaps) == ("FAILED", gaps)
    assert town.graph.head.relay.owner is None or town.graph.head.status == "HUNG"
    assert len(bot.errands) == 1


def test_a_relay_bot_on_its_own_side_gets_the_message_and_does_the_rest_by_itself(store, clock):
    remote = ScriptedRemote([Line(bid(70), "[bbs-bid]"), Line("ok")])
    town = Town(
        store, clock, [OWNER, profile("bot-a"), profile("r", "http", relay=True)], {"owner": stuck(), "r": remote}
    )
    town.run(goal(limits=SHALLOW))
    message = remote.errands[-1].text
    for each in ("skill=bbs-relay-single-task", f"task_id={TASK}", "bot_id=r", "backend=https://goals.example"):
        assert each in message
    assert town.graph.head.relay.owner == "r"
    assert not any(each.startswith("bbs-") for each in town.graph.nodes)


def test_a_winner_that_cannot_be_told_loses_the_rest(store, clock):
    remote = ScriptedRemote([Line(bid(70), "[bbs-bid]")], [])
    town = Town(
        store, clock, [OWNER, profile("bot-a"), profile("r", "http", relay=True)], {"owner": stuck(), "r": remote}
    )
    send = remote.send

    def refused(errand):
        remote.then(port.NotSent("connect"))
        return send(errand)

    remote.send = refused
    town.run(goal(limits=SHALLOW))
    assert town.graph.head.relay.owner is None
    assert town.graph.head.relay.next_offer is not None


def test_a_winner_that_is_gone_was_not_told(store, clock):
    town = Town(store, clock, [OWNER], {"owner": stuck()})
    with pytest.raises(NotSent, match="bot_unknown"):
        town.reaching.board.message(question("go on", bot="gone"))


def test_a_relay_that_is_not_wanted_any_more_is_not_begun(store, clock):
    bot = Relayer(80, passed("x"))
    town = Town(store, clock, [OWNER, profile("bot-a"), profile("r", relay=True)], {"owner": stuck(), "r": bot})
    town.goals.execute(goal())
    town.reaching.board.message(question("go on", bot="r"))
    town.goals.cancel(TASK)
    town.engine.drain()
    assert town.runs() == {}
    assert not bot.errands


def test_the_relay_of_a_scenario_ends_with_its_roster(store, clock):
    (overlay,) = load_overlays(("arch",))
    spec = min(overlay.example.goals.values(), key=lambda each: len(each.acceptances))
    names = dict.fromkeys(role.bot for pick in overlay.searching.picks.values() for role in pick.members)
    named = [profile(f"b{at}", name=each) for at, each in enumerate(names)]
    bot = Relayer(90)
    town = Town(
        store, clock, [OWNER, profile("r", relay=True), *named], {"owner": Owner({}), "r": bot}, overlays=(overlay,)
    )
    town.run(goal(spec=spec, limits=Limits(max_depth=1)))
    assert town.graph.head.status == "DONE"
    (node,) = [each for each in town.graph.nodes.values() if each.id.startswith("bbs-")]
    assert "architects" in node.run.output["output"]
    assert not bot.errands
