"""What the household's operations lend to those who do what its tasks ask for."""

from __future__ import annotations

from zhixing.household import job_rows, registry
from zhixing.household.doing.model import CronMessage, Household
from zhixing.store.connection import Tx
from zhixing.tasks import store as tasks_store
from zhixing.tasks.journal import CLOCK
from zhixing.tasks.operations import Tasks


def lent(tasks: Tasks) -> Household:
    """Return it; for `Doing`."""

    def expire(tx: Tx, task_id: str) -> None:
        if tasks_store.get(tx, task_id).status in registry.LIVING:
            tasks.expire(tx, task_id, who=CLOCK, why="termination")

    return Household(message_of=_message_of, task_of=registry.find, expire=expire)


def _message_of(tx: Tx, job_id: str) -> CronMessage | None:
    job = job_rows.find(tx, job_id)
    return None if job is None or job.removed else CronMessage(job.plan.message, job.plan.name)
