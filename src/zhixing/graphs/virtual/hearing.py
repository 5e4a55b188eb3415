"""What happened in the home, on its way to the rules: jobs, each taken in once, in the order of what happened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from zhixing.engine.model import Engine, Job, JobState
from zhixing.graphs.simulating.script import DeviceEvent, Property, Value
from zhixing.graphs.virtual.turn import LANE, Turn
from zhixing.store.connection import Tx
from zhixing.store.counters import next_number

HEARD = "gateway.heard"
"""The name of the job that takes in what happened to a device. Its payload is that of `Heard`."""
MOST_WAITING = 2_000
"""Happenings that are looked back upon."""

_COUNTER = "gateway_heard"
_MOST_BEHIND = 20
"""Happenings in a row that may have been taken in while an earlier one was not."""
_OPEN = frozenset({JobState.PENDING, JobState.RUNNING})


@dataclass(frozen=True, slots=True)
class Heard:
    """Something that happened to a device. `iid` is `prop.2.1`, `event.2.1` or `action.2.1`.

    `values` has what a property showed at once; it is empty where the device has to be asked what it shows.
    """

    number: int
    did: str
    iid: str
    values: tuple[Any, ...]

    @classmethod
    def of(cls, job: Job) -> Heard:
        """Read the payload of a job."""
        given = job.payload
        return cls(int(given.get("number", 0)), str(given["did"]), str(given["iid"]), tuple(given.get("values", ())))

    @property
    def kind(self) -> str:
        """What happened: a `prop`, an `event` or an `action`."""
        return self.iid.partition(".")[0]

    @property
    def about(self) -> Property:
        """The property, or what has its numbers."""
        siid, number = map(int, self.iid.split(".")[1:])
        return Property(self.did, siid, number)


def heard_job(tx: Tx, did: str, iid: str, values: Iterable[Any], due: datetime) -> Job:
    """Return the job for what happened; it has the next number."""
    number = next_number(tx, _COUNTER)
    payload = {"number": number, "did": did, "iid": iid, "values": list(values)}
    return Job(HEARD, _key(number), due, payload, LANE)


def missed_before(tx: Tx, engine: Engine, job: Job) -> list[Job]:
    """Return what happened before and is still to be taken in, in order; as a rule that is nothing.

    A job whose process died comes back behind others of its lane, and a door that is closed before it is opened stays
    open.
    """
    number = Heard.of(job).number
    earlier = (engine.get(tx, _key(each)) for each in range(number - 1, number - _MOST_BEHIND, -1))
    last = next((row for row in earlier if row is not None and row.job.due <= job.due), None)
    if last is None or last.state not in _OPEN:
        return []
    return [each for each in _waiting(tx, engine, number - 1) if each.due <= job.due]


def missed(tx: Tx, engine: Engine, now: datetime) -> list[Job]:
    """Return what happened by now and has not been taken in, in order."""
    row = tx.row("SELECT value FROM counters WHERE name = ?", (_COUNTER,))
    return [] if row is None else [each for each in _waiting(tx, engine, int(row[0])) if each.due <= now]


def take_in(turn: Turn, heard: Heard, levels: Iterable[tuple[Property, Value]]) -> None:
    """Let the rules hear of it; `levels` are what the properties of the device are by now, as far as it was asked."""
    if heard.kind == "event":
        turn.hear(DeviceEvent(heard.did, heard.about.siid, heard.about.piid, {}))
        return
    turn.refresh(_as_it_was(heard, levels), heard.about if heard.kind == "prop" else None)


def _as_it_was(heard: Heard, levels: Iterable[tuple[Property, Value]]) -> Iterator[tuple[Property, Value]]:
    """Yield the levels, but of the property itself what it showed when it happened."""
    for about, now in levels:
        yield about, heard.values[0] if heard.values and about == heard.about else now


def _key(number: int) -> str:
    return f"gateway:heard:{number}"


def _waiting(tx: Tx, engine: Engine, last: int) -> list[Job]:
    found: list[Job] = []
    done = 0
    for number in range(last, max(0, last - MOST_WAITING), -1):
        row = engine.get(tx, _key(number))
        if row is not None and row.state in _OPEN:
            found.append(row.job)
            done = 0
        elif (done := done + 1) > _MOST_BEHIND:
            break
    # What shows late has its number early.
    return sorted(found, key=lambda job: (job.due, Heard.of(job).number))
