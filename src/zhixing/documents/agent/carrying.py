"""The built-in agent as a performer: a model, its tools, and a reviewer where the definition wants one."""

from __future__ import annotations

import threading
from functools import partial
from zoneinfo import ZoneInfo

from zhixing.documents.agent.asking import CalledOff
from zhixing.documents.agent.deciding import powers_of
from zhixing.documents.agent.model import BUDGET, Budget
from zhixing.documents.agent.prompting import first_query
from zhixing.documents.agent.reviewing import Reviewer
from zhixing.documents.agent.rounds import once, reviewed
from zhixing.documents.agent.tools import Tools
from zhixing.documents.agent.transcript import Transcript
from zhixing.documents.agent.working import Agent, Run
from zhixing.documents.performing import Order, Outcome, Phase, Progress
from zhixing.documents.processes import declared
from zhixing.documents.scripting import failed, unwritable
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, ZhixingError
from zhixing.kernel.moments import zone
from zhixing.kernel.wording import wording
from zhixing.world.bounded import Deadline
from zhixing.world.models.port import Model
from zhixing.world.pages.port import Web
from zhixing.world.sandbox.port import Sandbox
from zhixing.world.sandbox.redaction import redact


class AgentPerformer:
    """Carries out bodies of kind `agent` with `model`. `home` is the zone of whoever says 「今天」."""

    def __init__(
        self,
        model: Model | None,
        sandbox: Sandbox,
        web: Web,
        clock: Clock,
        home: ZoneInfo,
        *,
        budget: Budget = BUDGET,
    ) -> None:
        self._model = model
        self._sandbox = sandbox
        self._web = web
        self._clock = clock
        self._home = home
        self._budget = budget

    def perform(self, order: Order, progress: Progress, stop: threading.Event) -> Outcome:
        """Carry it out; see `Performer`. `transcript.jsonl` in the folder of the run tells it turn by turn."""
        if self._model is None:
            return failed(wording("document_agent.no_model"))
        progress.note(Phase.PREPARING, wording("document_agent.preparing"))
        try:
            # What is declared and not there is the author's to know before anything else happens.
            declared(order)
            with Transcript(order.folder, order.secrets, self._clock) as transcript:
                deadline = Deadline(self._clock, order.timeout.total_seconds())
                run = Run(order, deadline, progress, stop, transcript)
                transcript.powers(powers_of(order))
                return self._perform(run, self._model)
        except CalledOff:
            return failed(wording("document_agent.cancelled"), cancelled=True)
        except ZhixingError as error:
            return failed(str(error))
        except OSError as error:
            return failed(unwritable(error), retryable=True)

    def _perform(self, run: Run, model: Model) -> Outcome:
        order = run.order
        tools = Tools(self._sandbox, self._web, order, self._budget)
        agent = Agent(model, tools, self._clock, _zone(order, self._home), self._budget)
        execute = partial(agent.work, run)
        query = redact(first_query(order.definition.body), order.secrets)
        if not order.definition.review:
            return once(run, execute, query)
        return reviewed(run, execute, Reviewer(model, self._clock, self._budget), query)


def _zone(order: Order, home: ZoneInfo) -> ZoneInfo:
    try:
        return zone(order.definition.timezone) if order.definition.timezone else home
    except BadInput:
        return home
