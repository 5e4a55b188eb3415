"""A bot that only answers, led through a relay by a job: attach its node, ask it for the rest, hand in the result.

The node and its run come to be in one transaction, the result and the end of the job in another. In between the bot
is asked as any run is: what was cut off is asked again where that changes nothing, else the relay has failed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from zhixing.engine.model import Engine, Job, Run
from zhixing.goals.contracts.bidding import remaining
from zhixing.goals.contracts.executing import execute_prompt
from zhixing.goals.loop.events import Attach, BbsResult
from zhixing.goals.loop.model import Graph, Judgement, TaskSpec
from zhixing.goals.loop.results import Broken, Failed, Passed, result_of
from zhixing.goals.reaching import rows
from zhixing.goals.reaching.rows import KeptRun, RunState, Subject
from zhixing.goals.reaching.runs import Runs, report_of
from zhixing.goals.reaching.speaking import failed, heard
from zhixing.goals.running.operations import Goals
from zhixing.goals.running.ports import Question
from zhixing.goals.running.rows import graph_of
from zhixing.kernel.clock import Clock
from zhixing.kernel.wording import wording
from zhixing.store.connection import Tx
from zhixing.world.bots.port import Said

RELAY = "goal_relay"
LONGEST_GAPS = 4000
"""Characters of what is missing, as the bot is told."""


class Relays:
    """Handler of relays."""

    def __init__(self, engine: Engine, clock: Clock, runs: Runs, goals_of: Callable[[], Goals]) -> None:
        self._engine = engine
        self._clock = clock
        self._runs = runs
        self._goals_of = goals_of

    def add(self, tx: Tx, question: Question) -> None:
        """Have a bot led through the relay that it won; the same message again is the same relay."""
        payload = {"key": question.key, "task_id": question.task_id, "bot_id": question.bot_id}
        self._engine.enqueue(tx, Job(RELAY, _job_key(question), self._clock.now(), payload))

    def is_known(self, tx: Tx, question: Question) -> bool:
        """Whether a bot was told of the relay that it won."""
        return self._engine.get(tx, _job_key(question)) is not None

    def do(self, run: Run) -> None:
        """Lead a bot through its relay."""
        told = run.job.payload
        with run.checkpoint() as tx:
            before = rows.of_key(tx, told["key"])
            kept = before or self._attached(tx, told["key"], told["task_id"], told["bot_id"])
        if kept is None or kept.state is not RunState.ASKING:
            return
        state, said = self._runs.outcome(kept, cut_off=before is not None)
        with run.commit() as tx:
            self._end(tx, kept, state, said)

    def gave_up(self, tx: Tx, job: Job, error: str) -> None:
        """Say of a relay that nobody could bring to an end that it failed."""
        kept = rows.of_key(tx, job.payload["key"])
        if kept is not None:
            self._end(tx, kept, RunState.FAILED, failed(f"run_exception:{error.partition(':')[0]}"))

    def _attached(self, tx: Tx, key: str, task_id: str, bot_id: str) -> KeptRun | None:
        """Hang the node of a relay into the goal, with its run; None when the goal does not want it any more."""
        graph = graph_of(tx, task_id)
        if graph is None:
            return None
        node_id = node_of(key)
        event = Attach(bot_id, graph.root.id, node_id, rest_of(graph), key)
        if self._goals_of().happen(tx, task_id, event).status != HTTPStatus.OK:
            return None
        after = graph_of(tx, task_id)
        if after is None or node_id not in after.nodes:
            return None
        subject = Subject(key, task_id, node_id, after.nodes[node_id].run.attempt)
        text = execute_prompt(after, node_id)
        rows.add(tx, subject, bot_id, text, state=RunState.ASKING, at=self._runs.now())
        return rows.of_key(tx, key)

    def _end(self, tx: Tx, kept: KeptRun, state: RunState, said: Said) -> None:
        subject = kept.subject
        if rows.end(tx, subject.key, state, said, self._runs.now()):
            graph = graph_of(tx, subject.task_id)
            if graph is not None:
                self._goals_of().happen(tx, subject.task_id, relayed(graph, kept, said))
        else:
            self._runs.used(tx, subject.task_id, heard(said).spent)


def _job_key(question: Question) -> str:
    return f"run:{question.key}"


def node_of(key: str) -> str:
    """Return the id of the node of a relay, the same whenever it is led anew."""
    return f"bbs-{hashlib.sha256(key.encode()).hexdigest()[:8]}"


def rest_of(graph: Graph) -> TaskSpec:
    """Return what is left of a goal: the criteria that nothing was found to meet, and the gaps that are known."""
    root = graph.root
    met = {each.ac_id for each in root.run.acceptance.metric if each.passed} if root.run.acceptance else set()
    left = tuple(each for each in root.spec.acceptances if each.id not in met) or root.spec.acceptances
    gaps = "；".join(remaining(graph)["gaps"])[:LONGEST_GAPS]
    background = [root.spec.background, wording("goal_reaching.rest", gaps=gaps) if gaps else ""]
    return TaskSpec(
        root.spec.title,
        root.spec.instruction,
        "\n".join(each for each in background if each),
        root.spec.objective,
        left,
    )


def relayed(graph: Graph, kept: KeptRun, said: Said) -> BbsResult:
    """Return what a relay came to; what is no result has failed with that as its gap."""
    subject, node = kept.subject, graph.nodes.get(kept.subject.node_id)
    report = report_of(subject, said)
    base: dict[str, Any] = {"bot": kept.bot_id, "node": subject.node_id, "spent": report.spent}
    match result_of(report):
        case Passed(output):
            criteria = () if node is None else node.spec.acceptances
            evidence = f"{kept.bot_id}#{subject.attempt}"
            metric = tuple(Judgement(each.id, passed=True, evidence=evidence) for each in criteria)
            return BbsResult(**base, verdict="PASS", metric=metric, output=output)
        case Failed(output, gaps):
            return BbsResult(**base, verdict="FAIL", gaps=gaps, output=output)
        case Broken(error):
            return BbsResult(**base, verdict="FAIL", gaps=(error,), exec_error=error)
