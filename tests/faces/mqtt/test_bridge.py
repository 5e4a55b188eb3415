"""A whole home at a real broker: what is published fires rules, and what rules do is published."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import pytest
from tests.world.mqtt.conftest import Peer, until

from zhixing.app import build
from zhixing.faces.mqtt.bridge import bridge_of
from zhixing.household.plan import read_plan
from zhixing.kernel.clock import SystemClock
from zhixing.settings import HomeZone, ZoneSource
from zhixing.settings.model import Frigate, FrigateCamera, Mqtt, MqttFact
from zhixing.store.connection import Store
from zhixing.tasks import journal
from zhixing.tasks.journal import Kind

CLOCK = SystemClock()


def task(slug, condition, source):
    action = {"did": "light_living", "iid": "prop.on", "value": True}
    rule = {"name": f"[{slug}] 规则", "condition": condition, "source": [source], "action": action}
    return {"task": {"task_id": slug, "description": slug}, "rules": [rule]}


GREET = task("greet", "有人出现在画面中", "cam_living")
DOOR = task("door_open", "大门开着", "door_entrance")


def settings(server):
    return Mqtt(
        host="127.0.0.1",
        port=server.port,
        frigate=Frigate(cameras={"front": FrigateCamera(source="cam_living")}),
        facts={
            "door": MqttFact(
                topic="z2m/door", field="contact", equals="false", condition="大门开着", source="door_entrance"
            )
        },
    )


class Running:
    """A home whose engine and bridge run."""

    def __init__(self, store: Store, wanted: Mqtt, *plans: dict[str, Any]) -> None:
        self.app = build(store, CLOCK, HomeZone("Asia/Shanghai", ZoneSource.CONFIG), {})
        for plan in plans:
            self.app.household.apply(read_plan(plan), who="test")
        self.app.recover()
        self.app.engine.start()
        self.bridge = bridge_of(wanted, self.app, CLOCK)
        self.bridge.start()
        until(lambda: self.bridge.watching.online)

    def claimed(self):
        with self.app.store.read() as tx:
            return [entry.task_id for entry in journal.since(tx, 0, 1_000) if entry.kind is Kind.OCCURRENCE_CLAIMED]

    def close(self):
        self.bridge.stop()
        self.app.engine.stop()


@pytest.fixture
def living(store, closing_time):
    def start(server):
        return closing_time.enter_context(closing(Running(store, settings(server), GREET, DOOR)))

    return start


def person(name):
    seen = {"id": name, "camera": "front", "label": "person", "frame_time": CLOCK.now().timestamp()}
    return json.dumps({"type": "new", "before": seen, "after": seen})


def test_a_person_at_frigate_fires_a_rule_once_and_the_occurrence_is_published(mosquitto, closing_time, living):
    server = mosquitto()
    other = closing_time.enter_context(closing(Peer(server.broker, "zhixing/occurrence")))
    home = living(server)
    other.publish("frigate/events", person("1.5-a"))
    topic, payload, retained = other.next()
    told = json.loads(payload)
    assert (topic, retained) == ("zhixing/occurrence", False)
    assert (told["kind"], told["slug"], told["title"]) == ("occurrence_claimed", "greet", "greet")
    assert json.loads(other.next()[1])["kind"] == "occurrence_done"

    other.publish("frigate/events", person("1.5-a"))
    other.publish("frigate/events", person("1.7-b"))
    kinds = [json.loads(other.next()[1])["kind"] for _ in range(2)]
    assert kinds == ["occurrence_claimed", "occurrence_done"]
    assert len(home.claimed()) == 2


def test_two_programs_on_one_database_fire_once(mosquitto, closing_time, living, home):
    server = mosquitto()
    first = living(server)
    other = build(home.open(), CLOCK, HomeZone("Asia/Shanghai", ZoneSource.CONFIG), {})
    second = bridge_of(settings(server), other, CLOCK)
    second.start()
    closing_time.callback(second.stop)
    until(lambda: second.watching.online)
    peer = closing_time.enter_context(closing(Peer(server.broker)))
    for number in range(5):
        peer.publish("frigate/events", person(f"{number}.5-a"))
        peer.publish("frigate/events", person(f"{number}.5-a"))
    until(lambda: len(first.claimed()) == 5)
    second.stop()
    first.bridge.stop()
    assert len(first.claimed()) == 5


def test_a_broker_that_comes_back_with_unchanged_states_fires_nothing(mosquitto, closing_time, living):
    server = mosquitto()
    home = living(server)
    other = closing_time.enter_context(closing(Peer(server.broker)))
    other.publish("z2m/door", '{"contact": true}', retained=True)
    other.publish("z2m/door", '{"contact": false}', retained=True)
    until(lambda: len(home.claimed()) == 1)
    other.close()

    server.kill()
    until(lambda: not home.bridge.watching.online)
    server.start()
    until(lambda: home.bridge.watching.online)
    back = closing_time.enter_context(closing(Peer(server.broker, "zhixing/task/+")))
    back.publish("z2m/door", '{"contact": false}', retained=True)
    back.publish("frigate/events", person("2.5-c"))
    # What comes in is taken in order: the person is behind the door.
    until(lambda: len(home.claimed()) == 2)
    assert len(set(home.claimed())) == 2
    # The broker kept nothing, and has the tasks again.
    seen = {back.next()[0] for _ in range(2)}
    assert seen == {"zhixing/task/greet", "zhixing/task/door_open"}


def test_a_program_that_starts_again_in_an_unchanged_house_fires_nothing(mosquitto, closing_time, home):
    server = mosquitto()
    other = closing_time.enter_context(closing(Peer(server.broker)))
    with closing(Running(home.store, settings(server), GREET, DOOR)) as before:
        other.publish("z2m/door", '{"contact": true}', retained=True)
        other.publish("z2m/door", '{"contact": false}', retained=True)
        other.publish("frigate/events", person("3.5-d"), retained=True)
        until(lambda: len(before.claimed()) == 2)
    with closing(Running(home.reopen(), settings(server))) as after:
        other.publish("frigate/events", person("3.5-d"))
        other.publish("frigate/events", person("4.5-e"))
        until(lambda: len(after.claimed()) == 3)
        assert sorted(after.claimed()).count(after.claimed()[-1]) == 2


def test_the_state_of_a_task_is_kept_while_it_lives_and_then_gone(mosquitto, closing_time, living):
    server = mosquitto()
    home = living(server)
    other = closing_time.enter_context(closing(Peer(server.broker, "zhixing/task/greet")))
    state = json.loads(other.next()[1])
    assert (state["slug"], state["status"]) == ("greet", "active")
    home.app.household.disable("greet", who="test")
    assert json.loads(other.next()[1])["status"] == "paused"
    home.app.household.delete("greet", who="test")
    assert json.loads(other.next()[1])["status"] == "completed"
    assert other.next()[1] == b""
    late = closing_time.enter_context(closing(Peer(server.broker, "zhixing/task/+")))
    assert late.next()[0] == "zhixing/task/door_open"
    late.publish("peer/none", "")
    assert late.next()[0] == "peer/none"


def test_a_home_without_a_broker_has_no_bridge(store):
    app = build(store, CLOCK, HomeZone("Asia/Shanghai", ZoneSource.CONFIG), {})
    assert bridge_of(Mqtt(), app, CLOCK) is None
