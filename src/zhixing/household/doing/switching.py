"""Device commands that words ask for: the home is looked at when they are due, and then they are steps.

The commands leave the house like those of a rule (`acting`), in a job of their own with a key of their occurrence; what
they are is written down before anything is done, so that a crash cannot make others of them. The words are the message
of a cron job (`messaging`) or the answer of a rule (`ordering`). The job of a message lives as long as its occurrence,
and looks now and then whether that has ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from zhixing.engine.model import Engine, JobState
from zhixing.household.assembling.request import Device, Home
from zhixing.household.composing.actions import Command
from zhixing.household.composing.orders import KINDS, Aim, Lost, Order, aim, command
from zhixing.household.doing import steps, store
from zhixing.household.doing.errands import job_for, key_of, look_key_of
from zhixing.household.doing.model import Errand
from zhixing.household.doing.telling import NEWS_PAUSE, Telling, moment
from zhixing.household.doing.wishes import Switch
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import NotFound
from zhixing.kernel.moments import zone
from zhixing.kernel.wording import wording
from zhixing.store.connection import Tx
from zhixing.tasks import store as tasks
from zhixing.tasks.occurrence import Occurrence, OccurrenceState
from zhixing.tasks.rules.model import DeviceAction
from zhixing.tasks.scheduling import Scheduling
from zhixing.world.devices.names import check_value, resolve
from zhixing.world.devices.port import DeviceHub, DeviceSpec, PropertySpec

LATEST = timedelta(minutes=30)
"""How late a device may still be commanded: curtains that open at noon were not wanted at noon."""
LOOK_AGAIN = timedelta(seconds=10)
"""After this the home is asked again that did not answer; for as long as a device may be out of reach."""
_WATCH = timedelta(minutes=1)
_UNDER_WAY = (JobState.PENDING, JobState.RUNNING)


@dataclass(frozen=True, slots=True)
class Found:
    """What is to be given to devices."""

    actions: tuple[DeviceAction, ...]


@dataclass(frozen=True, slots=True)
class Unclear:
    """It takes judgement to say what is meant."""


@dataclass(frozen=True, slots=True)
class Away:
    """The home does not answer."""


Seen = Found | Lost | Unclear | Away


def is_under_way(engine: Engine, tx: Tx, occurrence_id: str) -> bool:
    """Whether commands are on their way to devices for that occurrence alone, or will be."""
    rows = (engine.get(tx, key) for key in (look_key_of(occurrence_id), key_of(occurrence_id)))
    return any(row is not None and row.state in _UNDER_WAY for row in rows)


def recognised(wish: Switch, devices: Sequence[Device], specs: dict[str, DeviceSpec]) -> Found | Lost | Unclear:
    """Decide what is to be given to which devices. Pure. All of it is certain, or nothing is given."""
    home = _home(devices)
    given: list[DeviceAction] = []
    for orders in wish.orders:
        found = aim(orders, devices)
        if isinstance(found, Lost):
            return found
        made = None if found is None else command(found, home, specs.get(found.device.did))
        if found is None or made is None:
            return Unclear()
        given += _actions(made, specs[found.device.did])
    actions = tuple(dict.fromkeys(given))
    # 开灯关灯: whatever is meant, it is not both at once.
    sane = len({(one.did, one.iid) for one in actions}) == len(actions)
    return Found(actions) if sane else Unclear()


class Switching:
    """Has the commands of words carried out, and says so where that is not possible."""

    def __init__(
        self, engine: Engine, clock: Clock, *, hub: DeviceHub, scheduling: Scheduling, telling: Telling
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._hub = hub
        self._scheduling = scheduling
        self._telling = telling

    def look(self, wish: Switch) -> Seen:
        """Look at the home for the devices that are meant. Not inside a transaction. Never raises."""
        try:
            devices = [
                Device(one.did, one.name, one.room, KINDS.get(one.category, one.category))
                for one in self._hub.devices()
            ]
            return recognised(wish, devices, self._specs(wish.orders, devices))
        # A driver may raise anything; it may answer a moment later.
        except Exception:  # noqa: BLE001
            return Away()

    def is_late(self, occurrence: Occurrence) -> bool:
        """Whether it is too late to command devices."""
        return self._clock.now() - occurrence.due > LATEST

    def waits(self, occurrence: Occurrence) -> bool:
        """Whether a home that does not answer is asked again."""
        # A beginning that lies ahead was written by a clock that was wrong.
        since = self._clock.now() - (occurrence.claimed_at or occurrence.due)
        return timedelta(0) <= since < steps.REACHABLE_WITHIN

    def look_again_at(self) -> datetime:
        """Return when a home that does not answer is asked again."""
        return self._clock.now() + LOOK_AGAIN

    def begun(self, tx: Tx, occurrence_id: str) -> bool:
        """Whether the commands of an occurrence are written down already."""
        return self._engine.get(tx, key_of(occurrence_id)) is not None

    def begin(self, tx: Tx, occurrence: Occurrence, actions: tuple[DeviceAction, ...]) -> None:
        """Have the commands of a message carried out; the occurrence ends with them."""
        errand = Errand(occurrence.id, occurrence.part, occurrence.task_id, occurrence.due, actions)
        self._scheduling.start_occurrence(tx, occurrence.id)
        self._engine.enqueue(tx, job_for(errand, self._clock.now()))

    def watch(self, tx: Tx, occurrence_id: str) -> datetime | None:
        """Return when to look again for the end of commands under way; None where there is nothing to wait for."""
        if is_under_way(self._engine, tx, occurrence_id):
            return self._clock.now() + _WATCH
        self._scheduling.finish_occurrence(tx, occurrence_id, OccurrenceState.INTERRUPTED, "lost")
        return None

    def miss(self, tx: Tx, occurrence: Occurrence, words: str, *, told: bool) -> None:
        """End what comes too late; `told`: something else of it is done."""
        state, reason = (OccurrenceState.DONE, "partial") if told else (OccurrenceState.MISSED, "too_late")
        self._scheduling.finish_occurrence(tx, occurrence.id, state, reason)
        at = moment(occurrence.due, tasks.get(tx, occurrence.task_id).zone)
        self._news(tx, occurrence, wording("doing.news_late", words=words, at=at))

    def fail(self, tx: Tx, occurrence: Occurrence, seen: Lost | Away, words: str, *, told: bool) -> None:
        """End what certainly does not happen; `told`: something else of it is done."""
        state, reason = (OccurrenceState.DONE, "partial") if told else (OccurrenceState.FAILED, "acts_failed")
        self._scheduling.finish_occurrence(tx, occurrence.id, state, reason)
        if isinstance(seen, Lost):
            text = wording("doing.news_failed", device=seen.what, why=wording("doing.step_no_device"))
        else:
            text = wording("doing.news_failed", device=words, why=wording("doing.home_away"))
        self._news(tx, occurrence, text)

    def _specs(self, wanted: Sequence[tuple[Order, ...]], devices: Sequence[Device]) -> dict[str, DeviceSpec]:
        found: dict[str, DeviceSpec] = {}
        for orders in wanted:
            meant = aim(orders, devices)
            if isinstance(meant, Aim):
                try:
                    found[meant.device.did] = self._hub.spec(meant.device.did)
                except NotFound:
                    continue
        return found

    def _news(self, tx: Tx, occurrence: Occurrence, text: str) -> None:
        if store.is_news(tx, occurrence.part, self._clock.now(), NEWS_PAUSE):
            self._telling.news(tx, occurrence.task_id, occurrence.id, text, due_at=occurrence.due)


def _home(devices: Sequence[Device]) -> Home:
    return Home((), (), tuple(devices), (), (), datetime.fromtimestamp(0, UTC), zone("UTC"))


def _actions(made: Command, spec: DeviceSpec) -> list[DeviceAction]:
    """Return a command with numbers for names, as a rule has it."""
    found = []
    for written in filter(None, (made.before, made.action)):
        member = resolve(spec, str(written["iid"]))
        if isinstance(member, PropertySpec):
            found.append(DeviceAction(str(written["did"]), member.iid, check_value(member, written["value"])))
        else:
            found.append(DeviceAction(str(written["did"]), member.iid, None, tuple(written["params"])))
    return found
