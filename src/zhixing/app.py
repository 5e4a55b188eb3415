"""The composition root: opens the store and wires the rooms together. Nothing is decided here."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from zhixing.delivery.model import Message, MessageState
from zhixing.delivery.operations import Deed, Delivery
from zhixing.delivery.policy import Policy
from zhixing.documents import ledger as document_runs
from zhixing.documents.agent.carrying import AgentPerformer
from zhixing.documents.agent.commanding import CommandPerformer
from zhixing.documents.drafted import Drafted
from zhixing.documents.drafts import Drafts
from zhixing.documents.operations import Documents
from zhixing.documents.room import furnish
from zhixing.documents.running import Performers, Running
from zhixing.documents.scripting import ScriptPerformer
from zhixing.documents.terms import Terms
from zhixing.documents.watching import Watching
from zhixing.engine.embedded import EmbeddedEngine
from zhixing.goals.room import OWNER, GoalRoom, GoalTerms
from zhixing.goals.room import furnish as furnish_goals
from zhixing.graphs.operations import Graphs
from zhixing.graphs.proposals.operations import Proposals
from zhixing.graphs.room import Room as RuleGraphs
from zhixing.graphs.room import furnish as furnish_graphs
from zhixing.household.agent.working import HouseholdAgent
from zhixing.household.carrying import Carrying
from zhixing.household.cron import CronJobs
from zhixing.household.descs import Medium
from zhixing.household.doing.operations import Doing
from zhixing.household.doing.stopping import tell_stopped
from zhixing.household.lending import lent
from zhixing.household.operations import Household
from zhixing.household.parts import Parts
from zhixing.household.people import People
from zhixing.household.talking.ground import Ground
from zhixing.household.talking.operating import Operating
from zhixing.household.talking.operations import Talks
from zhixing.household.terminations import Terminations
from zhixing.household.updating.operations import Updating
from zhixing.household.wrapping_up import WrappingUp
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Conflict
from zhixing.kernel.moments import iso
from zhixing.kernel.moments import zone as find_zone
from zhixing.notices.model import Source, Submission
from zhixing.notices.operations import Notices
from zhixing.notices.reading import Reading
from zhixing.notices.reminding import Reminding
from zhixing.notices.repeating import Repeating
from zhixing.say import Ways
from zhixing.settings import Configuration, HomeZone
from zhixing.settings.channels import channels_of, policies_of
from zhixing.settings.documents import terms_of
from zhixing.settings.endpoint import build_model
from zhixing.settings.gateway import session_of
from zhixing.settings.goals import goal_terms_of
from zhixing.settings.home import home_plan, ids_of
from zhixing.settings.homeassistant import home_assistant_of, notify_channels
from zhixing.settings.model import Gateway as GatewaySettings
from zhixing.settings.mqtt import mqtt_devices_of
from zhixing.store.connection import Store, Tx
from zhixing.store.migrations import migrate
from zhixing.store.opening import open_store
from zhixing.tasks import journal, occurrences
from zhixing.tasks import store as tasks_store
from zhixing.tasks.journal import CLOCK, USER, Kind
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.operations import Tasks
from zhixing.tasks.records.model import Period
from zhixing.tasks.records.operations import Records
from zhixing.tasks.records.views import RecordView
from zhixing.tasks.rules.operations import Rules
from zhixing.tasks.scheduling import Scheduling
from zhixing.tasks.task import Status, Task, Way
from zhixing.world.bots.modelled import ModelBot
from zhixing.world.channels.port import Channel
from zhixing.world.channels.speaker import Speaker
from zhixing.world.devices.homeplan import default_home
from zhixing.world.devices.joined import Joined, part
from zhixing.world.devices.port import DeviceHub
from zhixing.world.devices.stored import StoreKeeper
from zhixing.world.devices.virtual import VirtualHome
from zhixing.world.homeassistant.hub import HomeAssistant
from zhixing.world.models.counting import Counting
from zhixing.world.models.port import Model
from zhixing.world.mqtt.devices import MqttDevices
from zhixing.world.pages.fetching import PublicWeb
from zhixing.world.pages.port import Web
from zhixing.world.sandbox.ondemand import OnDemand, whatever_there_is
from zhixing.world.sandbox.port import Sandbox
from zhixing.world.sandbox.probing import Wanted

SPEAKER = "speaker"
"""The channel that reads out on a speaker of the home."""

_TOLD_AS = {
    MessageState.SENT: Kind.DELIVERED,
    MessageState.FAILED: Kind.DELIVERY_FAILED,
    MessageState.UNKNOWN: Kind.DELIVERY_UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class App:
    """Everything that is running for one home."""

    store: Store
    engine: EmbeddedEngine
    clock: Clock
    zone: HomeZone
    tasks: Tasks
    scheduling: Scheduling
    delivery: Delivery
    notices: Notices
    repeating: Repeating
    reading: Reading | None
    """Has a model read what waits for one; None where no model is configured."""
    hub: DeviceHub
    rules: Rules
    records: Records
    doing: Doing
    household: Household
    cron: CronJobs
    people: People
    talks: Talks
    agent: HouseholdAgent
    documents: Documents
    running: Running
    watching: Watching
    drafts: Drafts
    rule_graphs: RuleGraphs
    goals: GoalRoom

    @property
    def graphs(self) -> Graphs:
        """What may be done with rule graphs."""
        return self.rule_graphs.graphs

    @property
    def proposals(self) -> Proposals:
        """Sentences on their way to rule graphs."""
        return self.rule_graphs.proposals

    @property
    def ways(self) -> Ways:
        """Where sentences go."""
        return Ways(self.notices, self.talks, self.drafts, self.proposals, self.goals.talks)

    def recover(self) -> None:
        """Set right what a crash left behind, and take up what waited for a model; before the engine starts."""
        self.documents.sync_all()
        self.scheduling.reconcile()
        self.rules.take_up()
        self.talks.take_up()
        self.drafts.take_up()
        self.agent.take_up()
        self.rule_graphs.take_up()
        self.goals.take_up()
        if self.reading is not None:
            self.reading.take_up()


def build(
    store: Store,
    clock: Clock,
    zone: HomeZone,
    channels: dict[str, Channel],
    *,
    policies: Mapping[str, Policy] | None = None,
    model: Model | None = None,
    hub: DeviceHub | None = None,
    phone: Sequence[str] = (),
    speaker: str = "",
    terms: Terms | None = None,
    sandbox: Sandbox | None = None,
    web: Web | None = None,
    gateway: GatewaySettings | None = None,
    goals: GoalTerms | None = None,
) -> App:
    """Wire the rooms over an open, migrated store; `policies` are by channel. The engine is not started.

    Without a model, what needs one is kept and waits. Without a hub the home is the virtual one that comes with the
    program. `phone` are the channels behind 手机推送 (none: all of them), `speaker` is the device behind 音箱播报
    (none: the first one there is). `terms` are those of document tasks, whose commands run in `sandbox` (none: what the
    machine has) and whose agents read pages through `web` (none: the public ones). `gateway` says which hub runs rule
    graphs (none: the virtual one). `goals` are the terms of goals (none: no bots but the model).
    """
    hub = VirtualHome(default_home(), StoreKeeper(store, clock)) if hub is None else hub
    engine = EmbeddedEngine(store, clock, owner=f"{socket.gethostname()}:{os.getpid()}")
    scheduling = Scheduling(store, engine, clock, held=document_runs.holds)
    # A channel of that name in the settings is what its owner wants to be spoken to by.
    spoken = {} if SPEAKER in channels else {SPEAKER: Speaker(SPEAKER, hub, speaker or None)}

    def settled(tx: Tx, message: Message) -> None:
        _settled(tx, message, delivery, scheduling, doing)
        room.told(tx, message)

    delivery = Delivery(
        engine,
        clock,
        {**channels, **spoken},
        settled,
        policies=policies,
        attended=lambda tx, message, deed: _attended(tx, message, deed, clock),
        zone=find_zone(zone.name),
    )
    repeating = Repeating(store, engine, clock, scheduling=scheduling, delivery=delivery, channels=tuple(channels))

    def read_by_model(tx: Tx, task_id: str, revision: int) -> None:
        if reading is not None:
            reading.expect(tx, task_id, revision)

    notices = Notices(store, engine, clock, repeating, read_by_model)
    reading = (
        None if model is None else Reading(store, engine, clock, model, replied=notices.replied, failed=notices.unread)
    )
    Reminding(engine, clock, delivery, tuple(channels))

    # Rooms that need each other are tied together here; none of these is called before all of them are made.
    def retarget(tx: Tx, task_id: str) -> None:
        rules.retarget(tx, task_id)

    def reached(tx: Tx, task_id: str, period: Period, at: datetime) -> None:
        wrapping_up.first_reached(tx, task_id, period, at)

    def follow(tx: Tx, before: Task, after: Task) -> None:
        rules.on_status_change(tx, before, after)
        records.on_status_change(tx, before, after)
        doing.on_status_change(tx, before, after)
        scheduling.on_status_change(tx, before, after)
        room.on_status_change(tx, before, after)
        wrapping_up.on_status_change(tx, before, after)
        rule_graphs.following.on_status_change(tx, before, after)
        goal_room.keeping.on_status_change(tx, before, after)
        # What a run has brought is brought to its reader, also when it was the last one.
        if before.active and not after.active and (after.way is not Way.DOCUMENT or after.status is Status.DELETED):
            delivery.withdraw(tx, after.id)

    records = Records(engine, clock, renewed=retarget, first_reached=reached)

    tasks = Tasks(
        engine,
        clock,
        (
            notices.status_changed,
            # How a task ended is written down before anything of it is stopped.
            Terminations(records.snapshot).on_status_change,
            follow,
        ),
    )
    lending = lent(tasks)
    doing = Doing(
        store,
        engine,
        clock,
        hub=hub,
        records=records,
        delivery=delivery,
        scheduling=scheduling,
        channels={Medium.SPEAKER: (SPEAKER,), Medium.PHONE: tuple(phone) or tuple(channels)},
        household=lending,
    )
    agent = HouseholdAgent(
        store,
        engine,
        clock,
        hub=hub,
        records=records,
        agents=doing.agents,
        telling=doing.telling,
        task_of=lending.task_of,
        model=model,
    )
    rules = Rules(
        store,
        engine,
        clock,
        cameras=lambda: [camera.did for camera in hub.cameras() if camera.in_use],
        fired=doing.fired,
        target_at=records.target_at,
        stopped=lambda tx, rule: tell_stopped(tx, doing.telling, clock, rule),
    )
    wrapping_up = WrappingUp(engine, clock, tasks)
    carrying = Carrying(engine, clock, tasks=tasks, scheduling=scheduling, wrapping_up=wrapping_up, zone=zone.name)
    parts = Parts(clock, zone.name, tasks, rules, records, carrying)
    household, people = Household(store, hub, parts), People(store, hub)

    def standing(task_id: str) -> RecordView | None:
        with store.read() as tx:
            return records.find(tx, task_id)

    talks = Talks(
        store,
        engine,
        clock,
        hub=hub,
        parts=parts,
        ground=Ground(hub, people, household),
        operating=Operating(household, Updating(store, hub, parts), standing),
        model=model,
    )
    sandbox = sandbox or OnDemand(lambda: whatever_there_is(clock, Wanted.AUTO))
    room = furnish(
        store,
        engine,
        clock,
        tasks=tasks,
        scheduling=scheduling,
        delivery=delivery,
        performers=Performers(
            ScriptPerformer(sandbox),
            AgentPerformer(model, sandbox, web or PublicWeb(clock), clock, find_zone(zone.name)),
            CommandPerformer(sandbox, clock, model),
        ),
        channels=tuple(channels),
        terms=terms or Terms(),
        zone=zone.name,
    )
    rule_graphs = furnish_graphs(
        store,
        engine,
        clock,
        home=part(hub, VirtualHome) or VirtualHome(default_home(), StoreKeeper(store, clock)),
        session_of=lambda place: session_of(gateway or GatewaySettings(), place, clock),
        tasks=tasks,
        model=model,
        zone=zone.name,
    )
    goal_room = furnish_goals(
        store,
        engine,
        clock,
        tasks=tasks,
        delivery=delivery,
        channels=tuple(channels),
        model=model,
        terms=goals or GoalTerms(fallback=None if model is None else ModelBot(model, OWNER)),
        zone=zone.name,
    )
    return App(
        store,
        engine,
        clock,
        zone,
        tasks,
        scheduling,
        delivery,
        notices,
        repeating,
        reading,
        hub,
        rules,
        records,
        doing,
        household,
        CronJobs(store, engine, parts, scheduling),
        people,
        talks,
        agent,
        room.documents,
        room.running,
        room.watching,
        Drafts(
            store,
            engine,
            clock,
            room.documents,
            model=model,
            zone=zone.name,
            elsewhere=lambda row: _as_notice(notices, row),
        ),
        rule_graphs,
        goal_room,
    )


@contextmanager
def opened(
    configuration: Configuration, clock: Clock, zone: HomeZone, home: Path, env: Mapping[str, str]
) -> Iterator[App]:
    """Open the store of `configuration`, bring its schema up to date, and close it at the end of the block.

    `home` is the folder in which a `home.yaml` may describe the virtual home. Tasks may ask for variables of `env`.
    """
    settings = configuration.settings
    store = open_store(configuration.store_url)
    keeper = StoreKeeper(store, clock)
    assistant: HomeAssistant | None = None
    on_topics: MqttDevices | None = None
    try:
        assistant = home_assistant_of(settings.homeassistant, clock, keeper)
        hub: DeviceHub = assistant or VirtualHome(home_plan(settings.household.home_file, home), keeper)
        on_topics = mqtt_devices_of(settings.mqtt, clock, ids_of(configuration, hub))
        migrate(store, clock)
        usage = Counting(store, find_zone(zone.name))
        terms = terms_of(configuration, home, env)
        sandbox = OnDemand(lambda: whatever_there_is(clock, Wanted(settings.documents.sandbox)))
        yield build(
            store,
            clock,
            zone,
            {**notify_channels(settings.homeassistant, assistant), **channels_of(configuration, clock)},
            policies=policies_of(configuration, zone),
            model=build_model(settings.model, clock, on_usage=usage),
            hub=hub if on_topics is None else Joined(hub, on_topics),
            phone=settings.household.phone_channels,
            speaker=settings.household.speaker,
            terms=terms,
            sandbox=sandbox,
            gateway=settings.gateway,
            goals=goal_terms_of(
                configuration, home, clock, on_usage=usage, sandbox=sandbox, hidden=terms.hidden, zone=zone.name
            ),
        )
    finally:
        for each in (assistant, on_topics):
            if each is not None:
                each.close()
        store.close()


def _as_notice(notices: Notices, row: Drafted) -> str:
    """Hand a sentence that asked for no product to notices; return the id of its task."""
    submission = Submission(row.text, Source.DIRECT, row.said_at, row.zone)
    return notices.submit(submission, who=row.who, key=f"draft:{row.id}").task.id


def _settled(tx: Tx, message: Message, delivery: Delivery, scheduling: Scheduling, doing: Doing) -> None:
    """Write what became of a message; when it was the last one of its occurrence, the occurrence ends."""
    told = _TOLD_AS.get(message.state)
    if told is not None:
        why = message.reason.key if message.reason else ""
        data = {"message": message.id, "channel": message.channel, "occurrence": message.occurrence_id}
        if message.digest is not None:
            data["digest"] = message.digest
        at = message.settled_at or message.told_at
        journal.write(tx, message.task_id, told, at=at, who=CLOCK, why=why, data=data)
    every = delivery.messages(tx, message.occurrence_id)
    if not all(one.settled for one in every) or not occurrences.get(tx, message.occurrence_id).open:
        return
    if doing.holds(tx, message.occurrence_id):
        return
    states = {one.state for one in every if one.channel != "inbox"}
    reason = "told_partly" if states & {MessageState.FAILED, MessageState.UNKNOWN} else None
    scheduling.finish_occurrence(tx, message.occurrence_id, OccurrenceState.DONE, reason)


def _attended(tx: Tx, message: Message, deed: Deed, clock: Clock) -> None:
    """Write what the user did about a message. What ended is not told again."""
    task = tasks_store.get(tx, message.task_id)
    if deed is Deed.SNOOZED and not task.active:
        raise Conflict(f"task_is_{task.status.value}", title=task.title)
    data = {"message": message.id, "occurrence": message.occurrence_id}
    if message.snoozed_until is not None:
        data["until"] = iso(message.snoozed_until, find_zone(task.zone))
    journal.write(tx, task.id, Kind(deed.value), at=clock.now(), who=USER, data=data)
