"""Whatever anybody publishes, in whatever order: nothing raises, levels are in order, events come once."""

from __future__ import annotations

import itertools
import json
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.world.mqtt.test_reading import NOW, READER

from zhixing.world.mqtt.said import Fault, Judged
from zhixing.world.mqtt.standing import Standing
from zhixing.world.perception.verdict import Value

TOPICS = st.sampled_from([each.replace("+", "cam") for each in READER.filters]) | st.text(max_size=40)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3),
)
NAMES = st.sampled_from(
    ["source", "did", "condition", "query", "value", "at", "event", "lasting", "firm", "reason", "contact", "climate",
     "temperature", "w", "seen", "state", "type", "after", "id", "camera", "label", "frame_time"]
)  # fmt: skip
OBJECTS = st.recursive(
    st.dictionaries(NAMES, VALUES, max_size=8), lambda inner: st.dictionaries(NAMES, inner, max_size=4)
)
PAYLOADS = (
    OBJECTS.map(lambda said: json.dumps(said).encode())
    | st.binary(max_size=60)
    | st.text(max_size=30).map(lambda text: text.encode("utf-8", "surrogatepass"))
)


@settings(max_examples=100, deadline=None)
@given(TOPICS, PAYLOADS, st.booleans())
def test_no_message_raises_and_every_fault_is_one_line(topic, payload, retained):
    for said in READER.read(topic, payload, retained=retained, now=NOW):
        if isinstance(said, Fault):
            assert len(said.text().splitlines()) == 1
            assert said.text("en")
        elif isinstance(said, Judged):
            assert said.verdict.at <= NOW + timedelta(seconds=60)
            assert not (retained and said.verdict.event)


LEVEL = st.tuples(
    st.sampled_from(["a", "b"]), st.sampled_from([True, False, None]), st.integers(-30, 30), st.booleans()
)
EVENT = st.tuples(st.sampled_from(["a", "b"]), st.sampled_from(["e1", "e2", "e3"]), st.integers(-30, 30))
DEED = st.sampled_from(["lost", "offline", "online"])


@settings(max_examples=80, deadline=None)
@given(st.lists(LEVEL | EVENT | DEED, max_size=30))
def test_in_whatever_order_levels_go_forward_and_an_event_comes_once(deeds):
    standing, told = Standing(), []
    for number, deed in enumerate(deeds):
        now = NOW + timedelta(seconds=number)
        if deed == "lost":
            told += standing.lost(now)
            continue
        retained = False
        if isinstance(deed, str):
            topic, said = "zhixing/availability/a", deed
        elif len(deed) == 4:
            source, value, shift, retained = deed
            topic = f"zhixing/verdict/{source}"
            at = (now + timedelta(seconds=shift)).isoformat()
            said = json.dumps({"condition": "开着", "value": value, "at": at, "lasting": True})
        else:
            source, event, shift = deed
            topic = f"zhixing/verdict/{source}"
            at = (now + timedelta(seconds=shift)).isoformat()
            said = json.dumps({"condition": "来了", "value": True, "event": event, "at": at})
        read = READER.read(topic, said.encode(), retained=retained, now=now)
        told += standing.take(read, topic, now)[0]
    for source in "ab":
        events = [one for one in told if one.event and one.source == source]
        assert len({one.event for one in events}) == len(events)
        assert all(before.at < after.at for before, after in itertools.pairwise(events))
    standing.lost(NOW + timedelta(hours=1))
    assert standing.lost(NOW + timedelta(hours=2)) == []
    assert all(one.value in Value for one in told)
