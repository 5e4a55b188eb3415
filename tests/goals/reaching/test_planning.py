"""Who answers the questions of a goal, and whom it may choose from."""

from __future__ import annotations

import json

import pytest
from tests.goals.reaching.towns import TASK, Owner, Town, TwinGroups, Worker, goal, profile

from zhixing.goals.bots.profiles import Availability
from zhixing.goals.bots.searching import KnownGroup
from zhixing.goals.contracts.searching import Candidate, read_search
from zhixing.goals.loop.events import SearchResult
from zhixing.goals.loop.limits import Limits
from zhixing.goals.loop.model import Criterion, Formation, Member, TaskSpec
from zhixing.goals.loop.values import CollabMode, SearchOutcome
from zhixing.goals.overlays.folders import load_overlays
from zhixing.goals.reaching.planning import rendered
from zhixing.goals.running.ports import Question
from zhixing.goals.running.scripted import failed, planned
from zhixing.world.bots.port import NotSent, Unclear

SHIPPED = {each.name: each for each in load_overlays(("arch", "storage"))}
OWNER = profile("owner")


def asked(bot) -> list[str]:
    return [each.text.partition(" ")[0] for each in bot.errands]


def test_the_owner_answers_every_question_within_its_time(store, clock):
    owner = Owner({TASK: [planned("a"), planned()]})
    town = Town(store, clock, [OWNER, profile("bot-a")], {"owner": owner, "bot-a": Worker()})
    town.run()
    assert asked(owner) == ["[planning]", "[search]", "[planning]"]
    assert {each.seconds for each in owner.errands} == {180}


def test_for_an_owner_that_is_no_bot_the_model_that_is_configured_answers(store, clock):
    model = Owner({TASK: [planned("a"), planned()]})
    town = Town(store, clock, [profile("bot-a")], {"bot-a": Worker()}, fallback=model)
    town.run(goal(owner_bot_id=""))
    assert asked(model) == ["[planning]", "[search]", "[planning]"]
    assert town.states()[TASK] == "DONE"


@pytest.mark.parametrize(("owner", "detail"), [("", "no_owner_bot"), ("gone", "no_planning_port")])
def test_a_goal_that_nobody_plans_says_so_and_is_offered_to_others(store, clock, owner, detail):
    town = Town(store, clock, [profile("bot-a")], {})
    town.run(goal(owner_bot_id=owner))
    assert town.graph.root.run.hung_reason == "root_gap_no_decompose"
    actions = town.goals.dashboard(TASK, log="actions").data["tasks"][0]["run_info"]["action_log"]
    assert detail in json.dumps(actions)
    assert town.graph.head.relay.mode


def test_an_owner_that_cannot_be_reached_is_not_an_owner_that_sees_no_gap(store, clock):
    worker = Worker(broken=[NotSent("connect")] * 9)
    town = Town(store, clock, [OWNER], {"owner": worker})
    town.run()
    assert town.states() == {TASK: "PLANNING"}
    assert len(worker.errands) == 3


def test_without_anybody_to_ask_the_rules_say_who_does_a_leaf(store, clock):
    model = Owner({TASK: [planned("soup"), planned()]})
    profiles = [profile("cook", abilities=("soup",)), profile("other", abilities=("swim",))]
    town = Town(store, clock, profiles, {"cook": Worker()}, fallback=model)
    ask = town.reaching.planner.ask

    def by_rules(question):
        town.reaching.directory.fallback = model if question.prompt.startswith("[planning]") else None
        return ask(question)

    town.reaching.planner.ask = by_rules
    town.run(goal(owner_bot_id=""))
    assert town.graph.nodes["soup"].run.assignee == "cook"
    assert town.states()[TASK] == "DONE"


FORMED = Formation(("x", "y"), CollabMode.MANAGER_WORKER, "the two", "x", (Member("x", "lead", "all"), Member("y")))


@pytest.mark.parametrize(
    "found",
    [
        SearchResult("a", SearchOutcome.HIT_SINGLE, bot_id="x"),
        SearchResult("a", SearchOutcome.HIT_GROUP, group_id="team"),
        SearchResult("a", SearchOutcome.HIT_MULTI_BOTS, formation=FORMED),
        SearchResult("a", SearchOutcome.MISS, reason="nobody"),
    ],
)
def test_what_the_rules_say_reads_as_what_an_owner_says(found):
    assert read_search("a", rendered(found), [Candidate("x", "X"), Candidate("y", "Y")]) == found


# Candidates


def candidates_of(town: Town, node_id: str = "a") -> list[str]:
    spec = town.graph.nodes[node_id].spec
    return [each.bot_id for each in town.reaching.planner.candidates(TASK, node_id, spec)]


def test_who_fits_and_takes_work_is_a_candidate_but_never_the_owner(store, clock):
    profiles = [
        OWNER,
        profile("bot-a"),
        profile("asleep", availability=Availability(enabled=False)),
        profile("other", abilities=("swim",)),
    ]
    town = Town(store, clock, profiles, {"owner": Owner({TASK: [planned("a"), planned()]}), "bot-a": Worker()})
    town.run()
    assert candidates_of(town) == ["bot-a"]


def test_who_failed_at_a_leaf_comes_again_only_where_there_is_nobody_else(store, clock):
    owner = Owner({TASK: [planned("a"), planned()]})
    bad, good = Worker("no result"), Worker()
    bots = {"owner": owner, "bot-a": bad, "spare": good}
    town = Town(store, clock, [OWNER, profile("bot-a"), profile("spare")], bots)
    town.run(goal(limits=Limits(max_harness=2)))
    searches = [each.text for each in owner.errands if each.text.startswith("[search]")]
    assert '"bot_id": "bot-a"' in searches[0]
    assert '"bot_id": "bot-a"' not in searches[1]
    alone = Town(store, clock, [OWNER, profile("bot-a")], bots)
    assert candidates_of(alone) == ["bot-a"]


def test_who_was_only_cut_off_at_a_leaf_is_among_those_that_may_do_it(store, clock):
    """What our own end did is not held against a bot: it may be the only one that can."""
    owner = Owner({TASK: [planned("a"), planned()]})
    cut_off = Worker(broken=[Unclear("closing")])
    bots = {"owner": owner, "bot-a": cut_off, "spare": Worker()}
    town = Town(store, clock, [OWNER, profile("bot-a", "command"), profile("spare")], bots)
    town.run(goal(limits=Limits(max_harness=2)))
    searches = [each.text for each in owner.errands if each.text.startswith("[search]")]
    assert len(searches) == len(cut_off.errands) == 2
    assert '"bot_id": "bot-a"' in searches[1]
    assert town.runs() == {"a#1": "interrupted", "a#2": "done"}


def test_what_mends_a_leaf_goes_to_the_bot_that_did_it(store, clock):
    owner = Owner({TASK: [planned("a"), planned()], "a": [planned("fix"), planned()]})
    first = Worker(failed("chapter 2"))
    town = Town(
        store, clock, [OWNER, profile("zed"), profile("bot-a")], {"owner": owner, "bot-a": first, "zed": Worker()}
    )
    town.run()
    assert candidates_of(town, "fix")[0] == "bot-a"
    (question,) = [each.text for each in owner.errands if "[search]" in each.text and '"node_id": "fix"' in each.text]
    assert question.index('"bot_id": "bot-a"') < question.index('"bot_id": "zed"')


def test_groups_that_exist_are_proposed_by_the_rules(store, clock):
    groups = TwinGroups(groups=(KnownGroup("team", ("x", "y")),))
    profiles = [profile("x", abilities=("cook soup",)), profile("y", abilities=("paint walls",))]
    model = Owner({TASK: [planned("a")]})
    town = Town(store, clock, profiles, {}, fallback=model, groups=groups)
    spec = TaskSpec("t", "cook soup and paint walls", "", "cook soup, paint walls", (Criterion("ac1", "ok"),))
    town.run(goal(spec=spec, owner_bot_id=""))
    town.reaching.directory.fallback = None
    planner = town.reaching.planner
    question = model.errands[0]
    heard = planner.ask(Question(question.key, TASK, TASK, 1, "", "[search] who"))
    assert json.loads(heard.content) == {"outcome": "HIT_GROUP", "group_id": "team"}


# Scenarios


def test_a_scenario_plans_and_chooses_from_all_bots_however_many_fit_better(store, clock):
    overlay = SHIPPED["arch"]
    names = dict.fromkeys(role.bot for pick in overlay.searching.picks.values() for role in pick.members)
    spec = next(iter(overlay.example.goals.values()))
    crowd = [profile(f"n{at}", abilities=(spec.objective[:6], overlay.keywords[0])) for at in range(30)]
    named = [profile(f"b{at}", name=each, abilities=("无关",)) for at, each in enumerate(names)]
    groups = TwinGroups()
    bots = {each.id: Worker() for each in (*crowd, *named)}
    town = Town(store, clock, [OWNER, *crowd, *named], bots, overlays=(overlay,), groups=groups)
    wanted = max(overlay.example.goals.values(), key=lambda each: len(each.acceptances))
    town.run(goal(spec=wanted, limits=Limits(max_depth=1)))
    assigned = {each.id: each.run for each in town.graph.nodes.values() if each.run.assignee}
    for node_id, run in assigned.items():
        assert {run.reporter} <= {each.id for each in named}, node_id
    assert groups.wanted
    assert any(run.run_mode == "single_bot" for run in assigned.values())


def test_a_model_answers_a_leaf_of_a_scenario_as_that_says_and_other_bots_do_not(store, clock):
    overlay = SHIPPED["arch"]
    spec = TaskSpec("t", f"do {overlay.keywords[0]}", "", "it", (Criterion("ac1", "ok"),))
    child = json.dumps(
        {
            "tasks": [
                {"metadata": {"task_id": each, "title": each, "instruction": f"do {overlay.keywords[0]}"}}
                for each in ("a", "b")
            ],
            "has_gap": True,
        }
    )
    only_answers = type(overlay)(overlay.name, overlay.keywords, answer=overlay.answer)
    worker, command = Worker(), Worker()
    profiles = [OWNER, profile("bot-a"), profile("bot-b", "command")]
    bots = {"owner": Owner({TASK: [child, planned()]}), "bot-a": worker, "bot-b": command}
    town = Town(store, clock, profiles, bots, overlays=(only_answers,))
    town.run(goal(spec=spec))
    assert not worker.errands
    assert "architects" in town.graph.nodes["a"].run.output["output"]
    assert town.graph.nodes["b"].run.output == {"output": "work of b"}
    assert town.states() == {TASK: "DONE", "a": "DONE", "b": "DONE"}
