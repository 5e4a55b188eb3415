"""What programs get of a simulated task: the contract of `zhixing simulate --json`. Pure."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from zhixing.faces.wire import Wire
from zhixing.household.simulating import Event, Simulated
from zhixing.kernel.moments import iso
from zhixing.kernel.moments import zone as find_zone


def of_simulation(simulated: Simulated) -> Wire:
    """Write everything a task did, in order, and how it stood at the end."""
    task = simulated.task
    zone = find_zone(task.zone)
    return {
        "task": simulated.slug or task.id,
        "zone": task.zone,
        "from": iso(simulated.start, zone),
        "until": iso(simulated.end, zone),
        "events": [of_event(event, zone) for event in simulated.events],
        "status": task.status.value,
        "record": None if simulated.record is None else simulated.record.shape(),
        "unheard": simulated.unheard,
    }


def of_event(event: Event, zone: ZoneInfo) -> Wire:
    """Write one thing that happened; what belongs to its kind stands beside the instant."""
    data = {name: iso(value, zone) if isinstance(value, datetime) else value for name, value in event.data.items()}
    return {"at": iso(event.at, zone), "what": event.what.value, "part": event.part, **data}
