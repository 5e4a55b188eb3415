"""The planner: questions to the owner of a goal, to a scenario, or, where nobody owns it, to the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from zhixing.goals.bots.profiles import Profile
from zhixing.goals.bots.searching import Demand, Found, offered, search
from zhixing.goals.contracts.planning import snapshot
from zhixing.goals.contracts.searching import Candidate
from zhixing.goals.contracts.shapes import compact, criteria_of
from zhixing.goals.loop.events import SearchResult
from zhixing.goals.loop.model import Graph, TaskSpec
from zhixing.goals.loop.tree import parent_of
from zhixing.goals.loop.values import SearchOutcome, Verdict
from zhixing.goals.overlays import planning as plans
from zhixing.goals.overlays import searching as searches
from zhixing.goals.overlays.model import Overlay
from zhixing.goals.overlays.signals import Part, part_of, signals
from zhixing.goals.reaching import rows
from zhixing.goals.reaching.directory import Directory
from zhixing.goals.reaching.grouping import Groups
from zhixing.goals.reaching.speaking import failed, heard
from zhixing.goals.running.operations import Goals
from zhixing.goals.running.ports import Heard, Question
from zhixing.kernel.clock import Clock
from zhixing.kernel.wording import wording
from zhixing.store.connection import Store
from zhixing.world.bots.port import Errand

QUESTION_SECONDS = 180.0
"""How long a question may take (taskloop §4.6)."""
NO_OWNER, NO_PORT = "no_owner_bot", "no_planning_port"


class ReachingPlanner:
    """See `Planner`."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        directory: Directory,
        *,
        overlays: Sequence[Overlay],
        groups: Groups,
        goals_of: Callable[[], Goals],
    ) -> None:
        self._store = store
        self._clock = clock
        self._directory = directory
        self._overlays = overlays
        self._groups = groups
        self._goals_of = goals_of

    def ask(self, question: Question) -> Heard:
        """Put a question; see `Planner`. What keeps it from its bot is raised: then nobody was heard."""
        fixed = self._fixed(question)
        if fixed is not None:
            return Heard(fixed)
        contact = self._directory.contact(question.bot_id) if question.bot_id else None
        bot = self._directory.fallback if contact is None else contact.bot
        if bot is not None:
            seconds = QUESTION_SECONDS if contact is None else min(QUESTION_SECONDS, contact.profile.seconds)
            return heard(bot.ask(Errand(question.key, question.prompt, attempt=question.attempt, seconds=seconds)))
        if part_of(question.prompt) is Part.SEARCHING:
            return self._by_rules(question)
        detail = NO_PORT if question.bot_id else NO_OWNER
        return Heard(compact({"tasks": [], "has_gap": True, "gap_detail": detail}))

    def candidates(self, task_id: str, node_id: str, spec: TaskSpec) -> Sequence[Candidate]:
        """Return the bots that may do a leaf; see `Planner`.

        Who did the leaf above, which failed its acceptance, comes first for what mends it. A scenario finds its bots by
        name, so those that it names are all among them.
        """
        graph = self._goals_of().graph(task_id)
        if graph is None:
            return ()
        found = list(offered(self._searched(graph, node_id, lambda each: bool(each.candidates))))
        original = self._original(graph, node_id)
        if original is not None:
            best = max((each.score for each in found), default=0.0)
            first = next((each for each in found if each.bot_id == original.id), _candidate(original))
            reason = wording("goal_reaching.did_it_before")
            first = replace(first, score=best, reasons=(reason, *first.reasons))
            found = [first, *(each for each in found if each.bot_id != original.id)]
        there = {each.bot_id for each in found}
        named = self._named(graph, node_id, spec)
        return [*found, *(_candidate(each) for each in named if each.id not in there)]

    # Scenarios

    def _fixed(self, question: Question) -> str | None:
        """Return what a scenario answers to a question, None when there is none that does."""
        overlay, part = signals(question.prompt, self._overlays), part_of(question.prompt)
        graph = None if overlay is None else self._goals_of().graph(question.task_id)
        if overlay is None or graph is None or question.subject not in graph.nodes:
            return None
        if part is Part.PLANNING:
            return plans.plan(overlay, question.subject, snapshot(graph, question.subject))
        # What bots say of themselves is no signal.
        near = self._near(question.subject, graph.nodes[question.subject].spec) if part is Part.SEARCHING else []
        everybody = [_candidate(each) for each in self._eligible(graph)]
        return searches.search(near[0], question.subject, everybody) if near else None

    def _named(self, graph: Graph, node_id: str, spec: TaskSpec) -> list[Profile]:
        """Return the bots that scenarios name whose signal is in a leaf."""
        tables = [each.searching for each in self._near(node_id, spec) if each.searching is not None]
        names = {role.bot for table in tables for pick in table.picks.values() for role in pick.members}
        return [each for each in self._eligible(graph) if each.name in names]

    def _near(self, node_id: str, spec: TaskSpec) -> list[Overlay]:
        """Return the scenarios with a search table whose signal is in what is asked about a leaf."""
        told = compact([node_id, spec.objective, spec.instruction, criteria_of(spec)])
        named = [each for each in self._overlays if any(word in told for word in each.keywords)]
        return [each for each in named if each.searching is not None]

    def _eligible(self, graph: Graph) -> list[Profile]:
        owner, now = graph.head.info.owner_bot_id, self._clock.now()
        return [each for each in self._directory.catalog().available(now) if each.id != owner]

    # Rules

    def _by_rules(self, question: Question) -> Heard:
        graph = self._goals_of().graph(question.task_id)
        if graph is None or question.subject not in graph.nodes:
            return heard(failed("task_unknown"))
        original = self._original(graph, question.subject)
        if original is not None:
            return Heard(compact({"outcome": SearchOutcome.HIT_SINGLE.value, "bot_id": original.id}))
        found = self._searched(graph, question.subject, lambda each: each.proposal.outcome is not SearchOutcome.MISS)
        return Heard(rendered(found.proposal))

    def _searched(self, graph: Graph, node_id: str, is_enough: Callable[[Found], bool]) -> Found:
        """Return who fits a leaf and did not try it before; where that is not enough, whoever fits."""
        node, owner = graph.nodes[node_id], graph.head.info.owner_bot_id
        demand = Demand(node_id, node.spec, self._clock.now(), owner)
        with self._store.read() as tx:
            before = rows.bots_before(tx, graph.root.id, node_id, node.run.attempt)
        catalog, groups = self._directory.catalog(), self._groups.known()
        if before:
            found = search(catalog, replace(demand, tried=before), groups)
            if is_enough(found):
                return found
        return search(catalog, demand, groups)

    def _original(self, graph: Graph, node_id: str) -> Profile | None:
        """Return the bot whose work a leaf is to mend (taskloop §5.2), None when it mends nothing or cannot be had."""
        above = parent_of(graph, node_id)
        run = None if above is None else graph.nodes[above].run
        if run is None or run.acceptance is None or run.acceptance.verdict is not Verdict.FAIL or not run.reporter:
            return None
        return next((each for each in self._eligible(graph) if each.id == run.reporter), None)


def rendered(found: SearchResult) -> str:
    """Return the outcome of a search as an owner bot writes it."""
    said: dict[str, object] = {"outcome": found.outcome.value}
    formed = found.formation
    match found.outcome:
        case SearchOutcome.HIT_SINGLE:
            said["bot_id"] = found.bot_id
        case SearchOutcome.HIT_GROUP:
            said["group_id"] = found.group_id
        case SearchOutcome.HIT_MULTI_BOTS if formed is not None:
            said |= {
                "bot_ids": formed.bot_ids,
                "collab_mode": formed.collab_mode.value,
                "group_name": formed.group_name,
                "members_info": [
                    {"bot_id": each.bot_id, "role": each.role, "responsibility": each.responsibility}
                    for each in formed.members
                ],
            }
            said |= {"manager_bot_id": formed.manager_bot_id} if formed.manager_bot_id else {}
            said |= {"definition_yaml": formed.definition_yaml} if formed.definition_yaml else {}
        case _:
            said["miss_reason"] = found.reason
    return compact(said)


def _candidate(profile: Profile) -> Candidate:
    return Candidate(profile.id, profile.name, profile.purpose, 0.0, "、".join(profile.abilities)[:120])
