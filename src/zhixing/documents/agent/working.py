"""One round of the built-in agent: ask, do, ask again, within bounds, until there is a final text or none will come.

Source: downcity.md §3.5. The history is fresh every round; only what the tools left in the folder of the run stays.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from zhixing.documents.agent.asking import patiently
from zhixing.documents.agent.deciding import Ask, Ended, Finished, letters, next_step, powers_of, taken
from zhixing.documents.agent.model import Budget, Turn, TurnState
from zhixing.documents.agent.prompting import complaint, question, read_reply
from zhixing.documents.agent.tools import Tools
from zhixing.documents.agent.transcript import Transcript
from zhixing.documents.performing import Execution, Order, Outcome, Phase, Progress, Verdict
from zhixing.documents.scripting import failed
from zhixing.kernel.clock import Clock
from zhixing.kernel.wording import wording
from zhixing.world.bounded import Deadline
from zhixing.world.models.failures import ModelFailure, ModelUnavailable
from zhixing.world.models.port import Model
from zhixing.world.models.usage import Tokens
from zhixing.world.sandbox.redaction import redact


@dataclass(frozen=True, slots=True)
class Run:
    """What a run brings along: its order, its end, where it reports to, its record."""

    order: Order
    deadline: Deadline
    progress: Progress
    stop: threading.Event
    transcript: Transcript


class Agent:
    """Works off rounds with a model and tools."""

    def __init__(self, model: Model, tools: Tools, clock: Clock, zone: ZoneInfo, budget: Budget) -> None:
        self._model = model
        self._tools = tools
        self._clock = clock
        self._zone = zone
        self._budget = budget

    def work(self, run: Run, query: str, number: int, used: Tokens) -> Outcome:
        """Work off round `number`; `used` are the tokens of the run before. Raises `CalledOff`, and `OSError`."""
        turns: list[Turn] = []
        while True:
            spent = _sum(turns)
            step = next_step(turns, used=used + spent, left=run.deadline.seconds(), budget=self._budget)
            match step:
                case Finished(text):
                    output = redact(text, run.order.secrets)
                    return Outcome(
                        Execution.SUCCESS,
                        Verdict.VALID,
                        output,
                        tokens=spent,
                        steps=len(turns),
                        letters=letters(turns),
                    )
                case Ended(why):
                    return self._ended(run, number, turns, self._why(why, run))
                case Ask():
                    failure = self._turn(run, query, number, turns)
                    if failure is not None:
                        return self._gave_up(run, number, turns, failure)

    def _turn(self, run: Run, query: str, number: int, turns: list[Turn]) -> ModelFailure | None:
        """Add the next turn, done; or return why the model says nothing that could be used."""
        order = run.order
        powers = powers_of(order)
        step = len(turns) + 1
        run.progress.note(Phase.EXECUTOR, wording("document_agent.thinking", step=step), round_number=number)
        try:
            reply = patiently(
                self._model,
                lambda seconds: question(
                    order,
                    powers,
                    query,
                    turns,
                    now=self._clock.now(),
                    zone=self._zone,
                    steps_left=self._budget.steps - len(turns),
                    seconds=seconds,
                ),
                complaint,
                clock=self._clock,
                deadline=run.deadline,
                stop=run.stop,
                budget=self._budget,
            )
        except ModelFailure as failure:
            return failure
        tool, thought, arguments = read_reply(reply.value)
        turn = taken(order, powers, turns, Turn(step, tool, TurnState.CALLED, thought, arguments, tokens=reply.tokens))
        run.transcript.called(number, turn)
        if turn.state is TurnState.CALLED:
            what = wording(f"document_agent.tool_{tool.value}")
            run.progress.note(
                Phase.EXECUTOR, wording("document_agent.doing", step=step, what=what), round_number=number
            )
            turn = self._tools.work(turn, run.deadline, run.stop)
        turns.append(turn)
        run.transcript.settled(number, turn)
        return None

    def _gave_up(self, run: Run, number: int, turns: list[Turn], failure: ModelFailure) -> Outcome:
        is_away = isinstance(failure, ModelUnavailable)
        if is_away and run.deadline.seconds() <= 0:
            return self._ended(run, number, turns, self._why("out_of_time", run))
        why = f"{failure.text()}{failure.how_to_fix()}"
        return self._ended(run, number, turns, wording("document_agent.model_failed", why=why), retryable=is_away)

    def _why(self, why: str, run: Run) -> str:
        return wording(
            f"document_agent.{why}",
            steps=self._budget.steps,
            tokens=self._budget.tokens,
            seconds=round(run.order.timeout.total_seconds()),
            refusals=self._budget.refusals,
        )

    def _ended(self, run: Run, number: int, turns: list[Turn], error: str, *, retryable: bool = False) -> Outcome:
        run.transcript.ended(number, error)
        return replace(failed(error, retryable=retryable), tokens=_sum(turns), steps=len(turns))


def _sum(turns: list[Turn]) -> Tokens:
    return sum((turn.tokens for turn in turns), Tokens())
