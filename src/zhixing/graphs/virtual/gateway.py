"""The virtual gateway: a hub of our own that keeps graphs and variables and runs them over the virtual home.

It answers the methods of the real one (mijia §6.2), with the same refusals. What happens in the home arrives as jobs
that are written in the transaction in which it happened; what is due is a job; a command to a device is a job. So
nothing is lost by a crash, and a rule goes on where it was. After a break what was due meanwhile is done once, then;
alarms and windows are not made up for, as with the real one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta

from zhixing.engine.model import Engine, Job, Retry, Run
from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.script import Property, Script, Value
from zhixing.graphs.virtual import commands, rows
from zhixing.graphs.virtual.changes import carry_out, check_room
from zhixing.graphs.virtual.commands import Command, CommandState
from zhixing.graphs.virtual.hearing import HEARD, Heard, heard_job, missed, missed_before, take_in
from zhixing.graphs.virtual.turn import COMMAND, DUE, LANE, Turn
from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.store.connection import Store, Tx
from zhixing.world.devices.homeplan import PlannedDevice
from zhixing.world.devices.keeping import By, Happening
from zhixing.world.devices.port import Done, Failed, Result
from zhixing.world.devices.virtual import VirtualHome
from zhixing.world.hub.port import CALL_SECONDS, READS, HubRefused, Json, Method
from zhixing.world.hub.state import Refusal, State

_ASKING = frozenset({"deviceInput", "deviceGet", "deviceInputSetVar", "deviceGetSetVar"})
_TRIES = Retry(attempts=3)
_SOON = Retry(first=timedelta(milliseconds=100), longest=timedelta(seconds=2))


class VirtualGateway:
    """A `Hub` over the store. Make it before the engine starts; `heard` is to be told of what happens in the home."""

    def __init__(self, store: Store, engine: Engine, clock: Clock, home: VirtualHome, zone_name: str) -> None:
        self._store = store
        self._engine = engine
        self._clock = clock
        self._home = home
        self._zone = zone_name
        self._mirroring = frozenset(each.did for each in home.plan.devices if _mirrors(each))
        engine.register(HEARD, self._take_in, _SOON)
        engine.register(DUE, self._work_off)
        engine.register(COMMAND, self._command, _TRIES)

    def call(self, method: Method, params: Mapping[str, Json], *, seconds: float = CALL_SECONDS) -> Json:  # noqa: ARG002
        """Call a method; see `Hub.call`. It is over when this returns, whatever `seconds`."""
        if method in READS:
            return self._read(method, params)
        asked = list(self._levels(_asked_by(Rule.of(params)))) if method is Method.SET_GRAPH else []
        if method is Method.CHANGE_GRAPH_CONFIG:
            asked = list(self._levels(self._asked(str(params.get("id")))))
        with self._store.write() as tx:
            turn = Turn(tx, self._clock.now(), self._zone)
            turn.move_on()
            check_room(method, params, turn.state)
            answer = _answered(turn.state.answer(method, params))
            # While no rule was on nobody heard what the devices became.
            turn.refresh(asked)
            carry_out(tx, turn, method, params)
            self._engine.enqueue(tx, *turn.finish())
        return answer

    def heard(self, tx: Tx, happening: Happening) -> None:
        """Take note of what happened in the home, in the transaction in which it did."""
        if not happening.iid.startswith(("prop.", "event.", "action.")) or not rows.is_anything_on(tx):
            return
        transition = self._home.spec(happening.did).transition
        at_once = happening.by is By.PERSON or transition == 0
        for wait in (0.0, transition) if transition else (0.0,):
            values = happening.values if at_once and wait == 0 else ()
            due = happening.at + timedelta(seconds=wait)
            self._engine.enqueue(tx, heard_job(tx, happening.did, happening.iid, values, due))

    def take_up(self) -> None:
        """Go on after a break: see what the devices are now, then do what was due. Before the engine starts."""
        with self._store.read() as tx:
            rules = [
                rows.rule_of(name, kept.graph) for name, kept in rows.graphs(tx).items() if kept.memory is not None
            ]
        if not rules:
            return
        found = list(self._levels({about for rule in rules for about in _asked_by(rule)}))
        with self._store.write() as tx:
            now = self._clock.now()
            turn = Turn(tx, now, self._zone)
            turn.ensemble.jump(turn.clock)
            jobs = missed(tx, self._engine, now)
            self._take_in_missed(tx, turn, jobs, found)
            # What was heard of just now may have been asked before it happened.
            known = {Heard.of(job).about for job in jobs}
            turn.refresh((about, value) for about, value in found if about not in known)
            turn.move_on()
            self._engine.enqueue(tx, *turn.finish())

    def commands(self, limit: int) -> list[Command]:
        """Return the last commands to devices and what became of them, the newest first."""
        with self._store.read() as tx:
            return commands.recent_commands(tx, limit)

    def around(self, rule: Rule) -> Script:
        """Return the zone, and the properties that a rule asks for: as devices are, else as they last said."""
        asked = set(_asked_by(rule))
        with self._store.read() as tx:
            said = {about: value for about, value in rows.reports(tx).items() if about in asked}
        return Script(tz=find_zone(self._zone), state=said | dict(self._levels(asked)))

    # Calls

    def _read(self, method: Method, params: Mapping[str, Json]) -> Json:
        devices = self._devices() if method is Method.GET_DEVICES else {}
        with self._store.read() as tx:
            if method is Method.GET_LOG:
                state = State(blocks=_blocks(tx, params.get("num")))
            elif method is Method.GET_BACKUPS:
                state = State(backups=rows.backups(tx))
            else:
                graphs = {name: kept.graph for name, kept in rows.graphs(tx).items()}
                state = State(graphs, rows.variables(tx), devices)
            return _answered(state.answer(method, params))

    def _devices(self) -> dict[str, dict[str, Json]]:
        state = State()
        urns = {each.did: each.kind.urn for each in self._home.plan.devices}
        for each in self._home.devices():
            state.add_device(
                each.did,
                each.name,
                urns[each.did],
                model=each.model,
                online=each.online,
                roomId=each.room,
                roomName=each.room,
            )
        return state.devices

    # Jobs

    def _take_in(self, run: Run) -> None:
        with self._store.read() as tx:
            before = missed_before(tx, self._engine, run.job)
        heard = [Heard.of(job) for job in (*before, run.job)]
        asking = {each.did for each in heard if each.kind != "event"}
        levels = list(self._levels(each for each in self._asked() if each.did in asking)) if asking else []
        with run.commit() as tx:
            turn = Turn(tx, self._clock.now(), self._zone)
            turn.move_on()
            self._take_in_missed(tx, turn, before, levels)
            take_in(turn, heard[-1], self._concerned(heard[-1], levels))
            self._engine.enqueue(tx, *turn.finish())

    def _take_in_missed(self, tx: Tx, turn: Turn, jobs: Iterable[Job], levels: list[tuple[Property, Value]]) -> None:
        for job in jobs:
            if self._engine.cancel(tx, job.key):
                heard = Heard.of(job)
                take_in(turn, heard, self._concerned(heard, levels))

    def _concerned(self, heard: Heard, levels: Iterable[tuple[Property, Value]]) -> list[tuple[Property, Value]]:
        """Return the levels that it may have changed: of a property that it names and no other shows, just that."""
        alone = heard.values and heard.did not in self._mirroring
        return [pair for pair in levels if pair[0].did == heard.did and (not alone or pair[0] == heard.about)]

    def _work_off(self, run: Run) -> None:
        with run.commit() as tx:
            turn = Turn(tx, self._clock.now(), self._zone)
            turn.move_on()
            self._engine.enqueue(tx, *turn.finish())

    def _command(self, run: Run) -> None:
        number = int(run.job.payload["number"])
        with run.checkpoint() as tx:
            command = commands.command(tx, number)
            if command is not None:
                commands.set_state(tx, number, CommandState.SENDING)
        if command is None or command.state not in {CommandState.WAITING, CommandState.SENDING}:
            return
        if command.state is CommandState.SENDING and not command.repeatable:
            # It may have left before the process died, and a second time might do it twice.
            self._end(run, command, CommandState.UNKNOWN, "interrupted")
            return
        result = self._give(command)
        match result:
            case Done():
                self._end(run, command, CommandState.DONE, "")
            case Failed(reason, detail):
                self._end(run, command, CommandState.FAILED, wording(f"devices.{reason}", detail=detail))
            case _:
                self._end(run, command, CommandState.UNKNOWN, wording(f"devices.{result.reason}", detail=result.detail))

    def _give(self, command: Command) -> Result:
        if command.repeatable:
            return self._home.write(command.did, command.iid, command.values[0])
        return self._home.act(command.did, command.iid, command.values)

    def _end(self, run: Run, command: Command, state: CommandState, why: str) -> None:
        """Write down what became of a command; where it is not done, the device is asked what it is."""
        with run.commit() as tx:
            commands.set_state(tx, command.number, state)
            if state is CommandState.DONE:
                return
            turn = Turn(tx, self._clock.now(), self._zone)
            turn.move_on()
            turn.note(command.graph, command.node, f"device_{state.value}", why)
            payload = {"did": command.did, "iid": "action.0.0", "values": []}
            again = Job(HEARD, f"gateway:heard:command:{command.number}", self._clock.now(), payload, LANE)
            self._engine.enqueue(tx, again, *turn.finish())

    # What rules ask about

    def _asked(self, name: str | None = None) -> set[Property]:
        with self._store.read() as tx:
            found = rows.graphs(tx)
        rules = (rows.rule_of(each, kept.graph) for each, kept in found.items() if name in {None, each})
        return {about for rule in rules for about in _asked_by(rule)}

    def _levels(self, asked: Iterable[Property]) -> Iterator[tuple[Property, Value]]:
        for about in sorted(asked):
            result = self._home.read(about.did, f"prop.{about.siid}.{about.piid}")
            if isinstance(result, Done) and result.value is not None:
                yield about, result.value


def _mirrors(device: PlannedDevice) -> bool:
    """Whether a property of a device shows what another one is."""
    return any(each.mirror is not None for service in device.kind.services for each in service.properties)


def _asked_by(rule: Rule) -> Iterator[Property]:
    """Yield the properties that a rule is told of or asks for."""
    for node in rule.nodes:
        numbers = (node.props.get("siid"), node.props.get("piid"))
        if node.type in _ASKING and node.did and all(isinstance(each, int) for each in numbers):
            yield Property(node.did, *numbers)  # type: ignore[arg-type]


def _answered(answer: Json | Refusal) -> Json:
    if isinstance(answer, Refusal):
        raise HubRefused("hub_refused", text=answer.text)
    return answer


def _blocks(tx: Tx, number: Json) -> list[str]:
    """Return the log up to a block, those before it empty."""
    if not isinstance(number, int) or not 0 <= number <= rows.MOST_LINES // rows.LINES_PER_BLOCK:
        return []
    return [""] * number + [rows.block(tx, number)]
