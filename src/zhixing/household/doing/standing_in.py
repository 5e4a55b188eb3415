"""Passing on the words of a cron job as they stand, where nobody judges them in time."""

from __future__ import annotations

from zhixing.household.doing.model import AgentRun, Origin
from zhixing.household.doing.telling import Telling
from zhixing.household.doing.wishes import Judge, Sometimes, SumUp, Switch, read_message
from zhixing.kernel.moments import parse_instant
from zhixing.kernel.wording import wording
from zhixing.store.connection import Tx


def stand_in(tx: Tx, telling: Telling, run: AgentRun) -> bool:
    """Tell the words of a message, once for its occurrence; return whether they make sense to those who live here."""
    if run.origin is not Origin.MESSAGE or not run.prompt.words:
        return False
    wish = read_message(run.prompt.words[0])
    wish = wish.wish if isinstance(wish, Sometimes) else wish
    if not isinstance(wish, Switch | SumUp) and not (isinstance(wish, Judge) and wish.tellable):
        return False
    text = wording("doing.told_plain", text=run.prompt.words[0])
    telling.tell_everywhere(tx, run.task_id, run.occurrence_id, text, due_at=parse_instant(run.prompt.at))
    return True
