"""Who puts the questions: the gap of a node, who does a leaf, what relay bots bid.

A question is put once a job. What fails becomes the event that says so; trying again is the decider's.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from zhixing.engine.model import Job, Run
from zhixing.goals.bots.forming import form_group
from zhixing.goals.contracts.bidding import bid_prompt, read_bid
from zhixing.goals.contracts.planning import planning_prompt, read_plan
from zhixing.goals.contracts.searching import read_search, search_prompt
from zhixing.goals.loop.effects import BidRound, Effect, Plan, Search
from zhixing.goals.loop.events import Bids, Event, PlanResult, SearchResult
from zhixing.goals.loop.limits import NO_SPENDING
from zhixing.goals.loop.model import Graph
from zhixing.goals.loop.values import CollabMode, DispatchError, SearchOutcome
from zhixing.goals.running.jobs import effect_in
from zhixing.goals.running.operations import Goals
from zhixing.goals.running.ports import Board, Planner, Question
from zhixing.kernel.errors import BadInput
from zhixing.store.connection import Tx


class Asking:
    """Handlers of questions. `closing` is a last line of the prompts for the owner bot, empty for none."""

    def __init__(self, goals: Goals, planner: Planner, board: Board, closing: str = "") -> None:
        self._goals = goals
        self._planner = planner
        self._board = board
        self._closing = closing

    def plan(self, run: Run) -> None:
        """Ask the owner bot for the gap of a node."""
        effect = effect_in(run.job, Plan)
        graph = self._goals.awaiting(effect)
        if graph is None:
            return
        prompt = planning_prompt(graph, effect.subject, self._closing)
        heard = self._planner.ask(_question(graph, effect, prompt))
        status, target = heard.run_status, effect.subject
        self._answer(
            run,
            effect,
            read_plan(target, heard.content, run_status=status, attempt=effect.attempt, spent=heard.spent),
        )

    def plan_failed(self, tx: Tx, job: Job, _error: str) -> None:
        """Say that the owner bot was not heard."""
        effect = effect_in(job, Plan)
        unheard = PlanResult(effect.subject, gap_detail="plan_not_completed", attempt=effect.attempt)
        self._goals.happen(tx, effect.task_id, unheard)

    def search(self, run: Run) -> None:
        """Ask the owner bot who does a leaf; without candidates nobody is asked."""
        effect = effect_in(run.job, Search)
        graph = self._goals.awaiting(effect)
        if graph is None:
            return
        node_id, attempt = effect.subject, effect.attempt
        catalog = self._planner.candidates(effect.task_id, node_id, graph.nodes[node_id].spec)
        if not catalog:
            self._answer(run, effect, read_search(node_id, "", catalog, attempt=attempt))
            return
        heard = self._planner.ask(_question(graph, effect, search_prompt(graph, node_id, catalog, self._closing)))
        status = heard.run_status
        self._answer(
            run,
            effect,
            formed(
                read_search(node_id, heard.content, catalog, run_status=status, attempt=attempt, spent=heard.spent),
                {each.bot_id for each in catalog},
            ),
        )

    def search_failed(self, tx: Tx, job: Job, error: str) -> None:
        """Say that there was no answer, which is not the same as nobody."""
        effect = effect_in(job, Search)
        reason = error.partition(":")[0]
        unheard = SearchResult(effect.subject, SearchOutcome.EXCEPTION, reason=reason, attempt=effect.attempt)
        self._goals.happen(tx, effect.task_id, unheard)

    def bid(self, run: Run) -> None:
        """Ask the bots that take relays what they could do of the rest."""
        effect = effect_in(run.job, BidRound)
        graph = self._goals.awaiting(effect)
        if graph is None:
            return
        heard = self._board.bids(_question(graph, effect, bid_prompt(graph), ""))
        rates = tuple((bot, read_bid(each.content, run_status=each.run_status)) for bot, each in heard)
        spent = sum((each.spent for _, each in heard), NO_SPENDING)
        self._answer(run, effect, Bids(rates, effect.attempt, spent))

    def bid_failed(self, tx: Tx, job: Job, _error: str) -> None:
        """Say that nobody bid."""
        effect = effect_in(job, BidRound)
        self._goals.happen(tx, effect.task_id, Bids(round=effect.attempt))

    def _answer(self, run: Run, effect: Effect, event: Event) -> None:
        with run.commit() as tx:
            self._goals.happen(tx, effect.task_id, event)


def formed(found: SearchResult, known: Collection[str]) -> SearchResult:
    """Return a search whose group can work: one that cannot is a MISS that says why, and one of one bot is that bot."""
    group = found.formation
    if found.outcome is not SearchOutcome.HIT_MULTI_BOTS or group is None:
        return found
    if len(group.bot_ids) == 1 and group.collab_mode is not CollabMode.STATE_MACHINE:
        return replace(found, outcome=SearchOutcome.HIT_SINGLE, bot_id=group.bot_ids[0], formation=None)
    try:
        form_group(group, known)
    except BadInput as error:
        reason = f"{DispatchError.FORM_GROUP_FAILED}:{error.key}"
        return replace(found, outcome=SearchOutcome.MISS, formation=None, reason=reason)
    return found


def _question(graph: Graph, effect: Effect, prompt: str, bot: str | None = None) -> Question:
    asked = graph.head.info.owner_bot_id if bot is None else bot
    return Question(effect.key, effect.task_id, effect.subject, effect.attempt, asked, prompt)
