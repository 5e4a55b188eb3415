"""`zhixing serve` as a process, at a real broker."""

from __future__ import annotations

import json
from contextlib import closing

from tests.faces.cli.test_serving import Served
from tests.world.mqtt.conftest import Peer

DOORBELL = {
    "task": {"task_id": "bell", "description": "有人来就亮灯"},
    "rules": [
        {
            "name": "[bell] 有人来",
            "condition": "有人按门铃",
            "source": ["cam_entrance"],
            "action": {"did": "light_living", "iid": "prop.on", "value": True},
        }
    ],
}


def test_a_message_fires_a_rule_of_a_running_server_and_the_occurrence_is_published(mosquitto, closing_time, tmp_path):
    server = mosquitto()
    env = {
        "PATH": "/usr/bin:/bin",
        "ZHIXING_HOME": str(tmp_path / "home"),
        "TZ": "Asia/Shanghai",
        "ZHIXING_MQTT_HOST": "127.0.0.1",
        "ZHIXING_MQTT_PORT": str(server.port),
        "ZHIXING_CHANNELS_PHONE_KIND": "mqtt",
        "ZHIXING_CHANNELS_PHONE_URL": "mqtt:///home/phone",
    }
    other = closing_time.enter_context(closing(Peer(server.broker, "zhixing/status", "zhixing/occurrence")))
    served = Served(env)
    closing_time.callback(served.kill)
    assert other.next()[:2] == ("zhixing/status", b"online")
    served.ask("POST", "/household/tasks", DOORBELL)

    other.publish("zhixing/verdict/cam_entrance", json.dumps({"condition": "有人按门铃", "value": True, "event": "r1"}))
    told = json.loads(other.next()[1])
    assert (told["kind"], told["slug"]) == ("occurrence_claimed", "bell")
    assert json.loads(other.next()[1])["kind"] == "occurrence_done"

    code, _, err = served.stop()
    assert (code, err) == (0, "")
    assert other.next()[:2] == ("zhixing/status", b"offline")


def test_a_server_that_is_killed_is_said_to_be_gone_by_the_broker(mosquitto, closing_time, tmp_path):
    server = mosquitto()
    env = {"PATH": "/usr/bin:/bin", "ZHIXING_HOME": str(tmp_path / "home"), "TZ": "Asia/Shanghai"}
    broker = {"ZHIXING_MQTT_HOST": "127.0.0.1", "ZHIXING_MQTT_PORT": str(server.port)}
    other = closing_time.enter_context(closing(Peer(server.broker, "zhixing/status")))
    served = Served({**env, **broker})
    assert other.next()[1] == b"online"
    served.kill()
    assert other.next()[1] == b"offline"
