"""Committing to a hub that runs rule graphs: the flow of `graphs.hubs.creating`, told as an outcome."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zhixing.graphs.drafts.committing import Created, Failed, Outcome, Rejected, Taken, Unknown, Unreached
from zhixing.graphs.hubs.creating import Creation, NewRule, Start, execute, prepare_creation
from zhixing.graphs.hubs.new_variables import NewVariable
from zhixing.graphs.hubs.outcomes import Outcome as Written
from zhixing.graphs.rule import Node
from zhixing.graphs.specs.home import Home
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Conflict, Unavailable, ZhixingError
from zhixing.world.hub.port import Hub, HubRefused


class HubCommitting:
    """Makes the rules of drafts on a hub; implements `Committing`.

    `hub` returns the hub that is connected, and raises `Unavailable` when there is none; `home` returns the
    specifications that are known.
    """

    def __init__(self, hub: Callable[[], Hub], home: Callable[[], Home], clock: Clock) -> None:
        self._hub = hub
        self._home = home
        self._clock = clock

    def commit(
        self, rule_id: str, name: str, nodes: Sequence[Node], variables: Sequence[NewVariable], *, enable: bool
    ) -> Outcome:
        """Make the rule; see `Committing`."""
        new = NewRule(name, tuple(nodes), tuple(variables), enable=enable, id=rule_id)
        try:
            hub = self._hub()
            plan = prepare_creation(hub, new, self._home(), self._clock)
        except Conflict as error:
            return Taken() if error.key == "graph_hub_id_taken" else Failed(error)
        except ZhixingError as error:
            return Unreached(error)
        # What an earlier try has made is there, whatever has become of its devices since.
        if plan.start is Start.DONE:
            return Created(plan.verdict.warnings)
        return _made(hub, plan) if plan.verdict.valid else Rejected(plan.verdict)


def _made(hub: Hub, plan: Creation) -> Outcome:
    try:
        made = execute(hub, plan)
    except (HubRefused, Unavailable) as error:
        return Unknown(error) if error.key == "graph_hub_left_behind" else Failed(error)
    return Unknown() if made.outcome is Written.UNKNOWN else Created(plan.verdict.warnings)
