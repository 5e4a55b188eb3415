"""notify push: something is told now."""

from __future__ import annotations

from zhixing.faces.cli.desk import WHO
from zhixing.faces.cli.options import AtDesk
from zhixing.faces.miloco.envelope import Wire
from zhixing.faces.miloco.house import backend
from zhixing.faces.miloco.options import Text
from zhixing.household.pushing import Pushing


def push(*, text: Text, desk: AtDesk) -> Wire:
    """Push a notification; the same words just before are not pushed again."""
    with backend(desk) as app:
        pushing = Pushing(app.tasks, app.doing.telling, app.clock, app.zone.name)
        with app.store.write() as tx:
            pushed = pushing.push(tx, text, who=WHO)
        return {"pushed": pushed.fresh, "deduplicated": not pushed.fresh, "occurrence_id": pushed.occurrence_id}
