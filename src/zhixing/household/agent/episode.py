"""Reading what a rule did in the episode that a run is about, and what became of that since."""

from __future__ import annotations

from zhixing.household.agent.resetting import Change, Episode
from zhixing.household.doing import store
from zhixing.household.doing.model import AgentRun, Step, StepState
from zhixing.kernel.moments import parse_instant
from zhixing.store.connection import Tx
from zhixing.tasks import occurrences
from zhixing.tasks.rules.model import Direction

_MOST_ENTERS = 20
"""Entries of a rule that are looked at: those of one episode are one, and those that were asked for by hand."""
_MOST_COMMANDS = 50


def episode_of(tx: Tx, run: AgentRun) -> Episode:
    """Return what the rule of a run commanded between `since` and `at`, in order."""
    prompt = run.prompt
    if not prompt.rule or not prompt.since:
        return Episode(found=False)
    since, at = parse_instant(prompt.since), parse_instant(prompt.at)
    part = f"rule:{prompt.rule}:{Direction.ENTER.value}"
    entries = occurrences.of_part(tx, run.task_id, part, _MOST_ENTERS)
    inside = [one for one in entries if since <= one.due <= at]
    ids = [one.id for one in reversed(inside)]
    given: dict[str, list[Step]] = {identity: [] for identity in ids}
    for step in store.of_occurrences(tx, ids):
        given[step.occurrence_id].append(step)
    changes = [Change(step, _claimed(tx, step, ids)) for identity in ids for step in given[identity]]
    return Episode(
        tuple(changes),
        again=any(one.due > at for one in entries),
        found=bool(inside),
        under_way=any(one.open for one in inside),
    )


def has_begun_again(tx: Tx, run: AgentRun) -> bool:
    """Whether the condition of a run's rule has begun to hold since."""
    if not run.prompt.rule:
        return False
    part = f"rule:{run.prompt.rule}:{Direction.ENTER.value}"
    newest = occurrences.of_part(tx, run.task_id, part, 1)
    return bool(newest) and newest[0].due > parse_instant(run.prompt.at)


def touched(episode: Episode) -> set[str]:
    """Return the devices that an episode changed, or may have changed."""
    sure_not = (StepState.SKIPPED, StepState.FAILED)
    return {change.step.did for change in episode.changes if change.step.state not in sure_not}


def _claimed(tx: Tx, step: Step, ours: list[str]) -> bool:
    """Whether another answer has commanded the same since, or found it as it wanted it."""
    others = store.of_device(tx, step.did, step.iid, _MOST_COMMANDS)
    return any(
        one.occurrence_id not in ours
        and one.at > step.at
        and one.state is not StepState.FAILED
        and (one.tries > 0 or one.reason == "already" or one.state is StepState.SENDING)
        for one in others
    )
