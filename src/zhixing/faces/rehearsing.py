"""A home that is a copy of another one and is forgotten afterwards: where a task is tried out.

Its devices are copies as they stand now, its channels lead nowhere, and its database is a file that goes away. What a
speaker would say is said by the copy.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from zhixing.app import App, build
from zhixing.household.overview import overview
from zhixing.household.replaying import check_instants
from zhixing.household.sight import virtual
from zhixing.household.simulating import Simulated, Stage, simulate, start_of
from zhixing.household.viewing import TaskView
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.moments import settle
from zhixing.kernel.moments import zone as find_zone
from zhixing.settings import Configuration
from zhixing.settings.channels import policies_of
from zhixing.store.migrations import migrate
from zhixing.store.opening import open_store, sqlite_url
from zhixing.world.channels.memory import MemoryChannel
from zhixing.world.devices.keeping import MemoryKeeper
from zhixing.world.devices.port import DeviceHub, Done
from zhixing.world.devices.virtual import VirtualHome
from zhixing.world.perception.verdict import Verdict

LONGEST = timedelta(days=366)
_LOGGERS = ("zhixing.engine", "zhixing.rules")
_IN_MEMORY = Path("/dev/shm")  # noqa: S108 - where it exists, files in it need no disk


def rehearse(
    app: App,
    configuration: Configuration,
    task_id: str,
    verdicts: Sequence[Verdict],
    *,
    span: timedelta | None = None,
    end: datetime | None = None,
) -> Simulated:
    """Let a household task live through recorded verdicts, or through the time to come.

    It begins a little before the first verdict, or now, and lasts for `span` or until `end`; where neither is given,
    until the day of the last verdict is over and all that follows from it has come. Raises `NotFound` for a task that
    is none of ours, `BadInput` where nothing says when to end, `TooLarge` for more than `LONGEST`.
    """
    with app.store.read() as tx:
        seen = overview(tx, app.records, task_id, app.clock.now()).parts
    check_instants([*(verdict.at for verdict in verdicts), *([] if end is None else [end])])
    start = start_of(verdicts, app.clock.now())
    if end is None:
        end = _end(seen, verdicts) if span is None else start + span
    if end - start > LONGEST:
        raise TooLarge("simulation_days", limit=LONGEST.days)
    if end < start:
        raise BadInput("simulation_ends_before")
    with _unheard(), _stage(app, configuration, start) as stage:
        return simulate(stage, seen, verdicts, end)


def _end(seen: TaskView, verdicts: Sequence[Verdict]) -> datetime:
    if not verdicts:
        raise BadInput("simulation_without_end")
    last = max(verdict.at for verdict in verdicts)
    tz = find_zone(seen.task.zone)
    midnight = settle(datetime.combine(last.astimezone(tz).date() + timedelta(days=1), datetime.min.time()), tz)
    pending = max((rule.plan.trigger.duration + rule.plan.exit_debounce for rule in seen.rules), default=0)
    # The day's last second: one later, its record would be the next day's.
    return max(midnight - timedelta(seconds=1), last + timedelta(seconds=pending))


@contextmanager
def _stage(app: App, configuration: Configuration, start: datetime) -> Iterator[Stage]:
    """Make a home of its own whose clock stands at `start`."""
    clock = ManualClock(start)
    folder = _IN_MEMORY if os.access(_IN_MEMORY, os.W_OK) else None
    with (
        TemporaryDirectory(prefix="zhixing-", dir=folder) as place,
        closing(open_store(sqlite_url(Path(place) / "simulation.db"))) as store,
    ):
        migrate(store, clock)
        settings = configuration.settings
        twin = build(
            store,
            clock,
            app.zone,
            {name: MemoryChannel(name) for name in settings.channels},
            policies=policies_of(configuration, app.zone),
            hub=_copy(app.hub, clock),
            phone=settings.household.phone_channels,
            speaker=settings.household.speaker,
        )
        yield Stage(store, clock, twin.engine, twin.household, twin.rules, twin.records, twin.doing, twin.delivery)


@contextmanager
def _unheard() -> Iterator[None]:
    """Keep out of the log what this thread tries out: jobs that come back later are the way of things."""
    thread = threading.get_ident()

    def of_others(record: logging.LogRecord) -> bool:
        return record.thread != thread

    loggers = [logging.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addFilter(of_others)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(of_others)


def _copy(hub: DeviceHub, clock: ManualClock) -> VirtualHome:
    """Copy a virtual home as it stands now."""
    original = virtual(hub)
    copy = VirtualHome(original.plan, MemoryKeeper(clock))
    for device in original.devices():
        for spec in original.spec(device.did).properties:
            result = original.read(device.did, spec.iid) if spec.readable else None
            if isinstance(result, Done) and result.value is not None:
                copy.set_property(device.did, spec.iid, result.value)
        copy.set_online(device.did, online=device.online)
    for camera in sorted(original.cameras(), key=lambda camera: camera.in_use):
        copy.set_online(camera.did, online=True)
        copy.use_camera(camera.did, in_use=camera.in_use)
        copy.set_online(camera.did, online=camera.online)
    return copy
