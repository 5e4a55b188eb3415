"""What messages say: a table, with as many that say nothing as say something."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from zhixing.kernel.moments import parse_instant
from zhixing.world.mqtt.facts import Fact
from zhixing.world.mqtt.frigate import Frigate
from zhixing.world.mqtt.limits import LARGEST_PAYLOAD
from zhixing.world.mqtt.reading import Reader
from zhixing.world.mqtt.said import Fault, Judged, Presence
from zhixing.world.perception.verdict import Value

NOW = parse_instant("2026-10-12T20:00:00+08:00")
BEFORE = NOW - timedelta(minutes=5)
DOOR = Fact(
    "door",
    "zigbee2mqtt/大门",
    "大门开着",
    "door",
    field="contact",
    equals="false",
    availability="zigbee2mqtt/大门/availability",
)
HOT = Fact("hot", "zigbee2mqtt/thermo", "室温高于 30 度", "thermo", field="climate.temperature", above=30.0)
MILD = Fact("mild", "zigbee2mqtt/thermo", "室温适宜", "thermo", field="climate.temperature", above=18.0, below=26.0)
PLAIN = Fact("plain", "plug/state", "插座开着", "plug", equals="ON")
FRESH = Fact("fresh", "meter", "功率高", "meter", field="w", above=100.0, time="seen", expires=timedelta(seconds=60))
FRIGATE = Frigate({"front": "cam_entrance"})
READER = Reader("zhixing", (DOOR, HOT, MILD, PLAIN, FRESH), FRIGATE)
TRUE, FALSE, UNKNOWN = Value.TRUE, Value.FALSE, Value.UNKNOWN


def read(topic, payload, *, retained=False):
    data = (
        payload
        if isinstance(payload, bytes)
        else payload.encode()
        if isinstance(payload, str)
        else json.dumps(payload).encode()
    )
    return READER.read(topic, data, retained=retained, now=NOW)


def verdicts(topic, payload, *, retained=False):
    said = read(topic, payload, retained=retained)
    return [(one.verdict.source, one.verdict.query, one.verdict.value) for one in said if isinstance(one, Judged)]


def faults(topic, payload, *, retained=False):
    return [one.key for one in read(topic, payload, retained=retained) if isinstance(one, Fault)]


@pytest.mark.parametrize(
    ("topic", "payload", "says"),
    [
        ("zhixing/verdict", {"source": "cam", "condition": "c", "value": True}, [("cam", "c", TRUE)]),
        ("zhixing/verdict/cam", {"condition": "c", "value": False}, [("cam", "c", FALSE)]),
        ("zhixing/verdict/cam", {"did": "cam", "query": "c", "value": None}, [("cam", "c", UNKNOWN)]),
        ("zhixing/verdict", {"condition": "c", "value": True}, []),
        ("zhixing/verdict/cam", {"source": "other", "condition": "c", "value": True}, []),
        ("zhixing/verdict/cam/x", {"condition": "c", "value": True, "oops": 1}, []),
        ("zhixing/verdict/cam", [], []),
        ("zhixing/verdict/cam", "true", []),
        ("zhixing/verdicts", {"source": "cam", "condition": "c", "value": True}, []),
        ("zigbee2mqtt/大门", {"contact": False, "battery": 90}, [("door", "大门开着", TRUE)]),
        ("zigbee2mqtt/大门", {"contact": True}, [("door", "大门开着", FALSE)]),
        ("zigbee2mqtt/大门", {"contact": None}, [("door", "大门开着", UNKNOWN)]),
        ("zigbee2mqtt/大门", {"battery": 90}, []),
        ("zigbee2mqtt/大门", [1], []),
        ("zigbee2mqtt/大门", {"contact": {"a": 1}}, [("door", "大门开着", UNKNOWN)]),
        (
            "zigbee2mqtt/thermo",
            {"climate": {"temperature": 31}},
            [("thermo", HOT.condition, TRUE), ("thermo", MILD.condition, FALSE)],
        ),
        (
            "zigbee2mqtt/thermo",
            {"climate": {"temperature": 20.5}},
            [("thermo", HOT.condition, FALSE), ("thermo", MILD.condition, TRUE)],
        ),
        (
            "zigbee2mqtt/thermo",
            {"climate": {"temperature": "31"}},
            [("thermo", HOT.condition, TRUE), ("thermo", MILD.condition, FALSE)],
        ),
        (
            "zigbee2mqtt/thermo",
            {"climate": {"temperature": "nan"}},
            [("thermo", HOT.condition, UNKNOWN), ("thermo", MILD.condition, UNKNOWN)],
        ),
        ("zigbee2mqtt/thermo", {"climate": 31}, []),
        ("plug/state", "ON", [("plug", "插座开着", TRUE)]),
        ("plug/state", " OFF\n", [("plug", "插座开着", FALSE)]),
        ("plug/state", '"ON"', [("plug", "插座开着", TRUE)]),
        ("frigate/front/person", "0", [("cam_entrance", "画面中无人", TRUE), ("cam_entrance", "画面中有人", FALSE)]),
        ("frigate/front/person", "2", [("cam_entrance", "画面中无人", FALSE), ("cam_entrance", "画面中有人", TRUE)]),
        ("frigate/front/person", "-1", []),
        ("frigate/front/person", "²", []),
        ("frigate/back/person", "1", []),
        ("frigate/front/car", "1", []),
    ],
)
def test_a_message_says(topic, payload, says):
    assert verdicts(topic, payload) == says


def frigate_event(kind="new", **after):
    seen = {
        "id": "1697.5-abc",
        "camera": "front",
        "label": "person",
        "false_positive": False,
        "frame_time": NOW.timestamp() - 2,
    }
    return {"type": kind, "before": seen, "after": {**seen, **after}}


def test_a_new_person_is_momentary_under_the_id_of_frigate_at_the_instant_of_the_picture():
    (said,) = read("frigate/events", frigate_event(top_score=0.87))
    verdict = said.verdict
    assert (verdict.source, verdict.query, verdict.value) == ("cam_entrance", "有人出现在画面中", TRUE)
    assert (verdict.event, verdict.at) == ("1697.5-abc", NOW - timedelta(seconds=2))
    assert verdict.reason == "Frigate front: person 0.87"


@pytest.mark.parametrize(
    "event",
    [
        frigate_event("update"),
        frigate_event("end"),
        frigate_event(label="car"),
        frigate_event(camera="back"),
        frigate_event(false_positive=True),
    ],
)
def test_the_rest_of_what_frigate_tells_is_no_event(event):
    assert read("frigate/events", event) == ()


@pytest.mark.parametrize("instant", [None, NOW.timestamp() + 3600, 1e300, -1e300])
def test_an_impossible_instant_of_frigate_is_when_it_came(instant):
    (said,) = read("frigate/events", frigate_event(frame_time=instant, start_time=instant))
    assert said.verdict.at == NOW


def test_without_an_instant_a_verdict_is_of_when_it_came():
    (said,) = read("zhixing/verdict/cam", {"condition": "c", "value": True})
    assert said.verdict.at == NOW


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ({"value": True, "lasting": True}, TRUE),
        ({"value": True, "at": BEFORE.isoformat()}, TRUE),
        ({"value": True}, UNKNOWN),
    ],
)
def test_a_retained_verdict_sets_a_level_unless_nobody_knows_how_old_it_is(said, value):
    assert verdicts("zhixing/verdict/cam", {"condition": "c", **said}, retained=True) == [("cam", "c", value)]


def test_a_retained_level_keeps_its_own_instant():
    (said,) = read("zhixing/verdict/cam", {"condition": "c", "value": True, "at": BEFORE.isoformat()}, retained=True)
    assert said.verdict.at == BEFORE


def test_nothing_retained_is_an_event():
    assert faults("frigate/events", frigate_event(), retained=True) == ["event_retained"]
    assert verdicts("frigate/events", frigate_event(), retained=True) == []
    ring = {"condition": "门铃响了", "value": True, "event": "r1"}
    assert faults("zhixing/verdict/bell", ring, retained=True) == ["event_retained"]
    assert verdicts("zhixing/verdict/bell", ring) == [("bell", "门铃响了", TRUE)]


@pytest.mark.parametrize(
    ("payload", "retained", "value"),
    [
        ({"w": 200, "seen": BEFORE.isoformat()}, True, UNKNOWN),
        ({"w": 200, "seen": BEFORE.isoformat()}, False, UNKNOWN),
        ({"w": 200, "seen": (NOW - timedelta(seconds=30)).isoformat()}, True, TRUE),
        ({"w": 200, "seen": int((NOW - timedelta(seconds=30)).timestamp() * 1000)}, True, TRUE),
        ({"w": 200}, True, UNKNOWN),
        ({"w": 200}, False, TRUE),
        ({"w": 200, "seen": "yesterday"}, False, TRUE),
    ],
)
def test_a_fact_that_expires_is_unknown_when_it_is_too_old_or_of_unknown_age(payload, retained, value):
    assert verdicts("meter", payload, retained=retained) == [("meter", "功率高", value)]


@pytest.mark.parametrize(
    ("topic", "payload", "says"),
    [
        ("zigbee2mqtt/大门/availability", "offline", Presence(("door",), there=False)),
        ("zigbee2mqtt/大门/availability", {"state": "online"}, Presence(("door",), there=True)),
        ("frigate/available", "offline", Presence(("cam_entrance",), there=False)),
        ("zhixing/availability/cam", "OFFLINE", Presence(("cam",), there=False)),
    ],
)
def test_a_source_says_whether_it_is_there(topic, payload, says):
    assert read(topic, payload) == (says,)


DEEP = b"[" * 200_000
HOSTILE = [
    b"\xff\xfe\x00",
    DEEP,
    b'{"a":' * 30_000,
    b"NaN",
    b'{"contact": NaN, "condition": "c", "value": true}',
    b'{"contact": 1e999}',
    b'{"contact": ' + b"9" * 5_000 + b"}",
    b"\x00" * 100,
    b'"\\ud800"',
    b"x" * (LARGEST_PAYLOAD + 1),
    b"x" * 10_000_000,
]


@pytest.mark.parametrize("topic", READER.filters)
@pytest.mark.parametrize("payload", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("retained", [False, True])
def test_hostile_payloads_are_faults_and_never_true(topic, payload, retained):
    topic = topic.replace("+", "cam")
    said = READER.read(topic, payload, retained=retained, now=NOW)
    assert any(isinstance(one, Fault) for one in said) or topic == "plug/state" or not said
    assert all(one.verdict.value is not TRUE for one in said if isinstance(one, Judged))
    for one in said:
        if isinstance(one, Fault):
            assert "\n" not in one.text()
            assert len(one.text()) < 1_000


@pytest.mark.parametrize("topic", ["zhixing/verdict/" + "长" * 300, "zhixing/verdict/a\nb", "", "zhixing/verdict/"])
def test_topics_that_cannot_be_ours_say_nothing(topic):
    assert verdicts(topic, {"condition": "c", "value": True}) == []


def test_a_verdict_from_the_future_is_not_believed_lest_it_hold_up_all_later_ones():
    late = {"condition": "c", "value": True, "at": (NOW + timedelta(days=300)).isoformat()}
    assert faults("zhixing/verdict/cam", late) == ["in_future"]
    assert verdicts("zhixing/verdict/cam", late) == []


def test_a_kept_message_that_is_taken_back_says_nothing():
    assert read("zigbee2mqtt/大门", b"", retained=True) == ()


def test_what_is_said_in_wrong_words_is_told_in_one_line():
    (fault,) = read("zhixing/verdict/cam", {"condition": "c", "value": "ja"})
    assert fault.text().startswith("MQTT 判断没有采用（zhixing/verdict/cam）：")
