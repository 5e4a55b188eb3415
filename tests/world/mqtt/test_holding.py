from __future__ import annotations

from zhixing.kernel.moments import parse_instant
from zhixing.world.mqtt.counting import EVERY, Faults
from zhixing.world.mqtt.holding import Holding
from zhixing.world.mqtt.said import Fault
from zhixing.world.perception.verdict import Value, Verdict

NOW = parse_instant("2026-10-12T20:00:00+08:00")


def level(source, value=Value.TRUE):
    return Verdict(source, "c", value, NOW)


def event(name):
    return Verdict("cam", "c", Value.TRUE, NOW, event=name)


def names(verdicts):
    return [one.event or one.source for one in verdicts]


def test_verdicts_are_taken_in_the_order_they_were_brought():
    holding = Holding()
    for each in (level("a"), event("e1"), level("b"), event("e2")):
        assert holding.bring(each)
    assert names(holding.take(3)) == ["a", "e1", "b"]
    assert holding.stirred.is_set()
    assert names(holding.take(3)) == ["e2"]
    assert not holding.stirred.is_set()


def test_when_it_is_full_a_level_that_a_newer_one_follows_goes_first():
    holding = Holding(limit=4)
    for each in (level("a"), level("b"), level("b", Value.FALSE), level("c")):
        holding.bring(each)
    assert holding.bring(level("d"))
    taken = holding.take(9)
    assert names(taken) == ["a", "b", "c", "d"]
    assert taken[1].value is Value.FALSE
    assert holding.left_out == 1


def test_then_the_oldest_level_goes_and_never_an_event():
    holding = Holding(limit=3)
    for each in (event("e1"), level("a"), level("b")):
        holding.bring(each)
    assert holding.bring(event("e2"))
    assert names(holding.take(9)) == ["e1", "b", "e2"]
    assert holding.left_out == 1


def test_an_event_without_room_is_not_left_out_but_has_to_wait():
    holding = Holding(limit=2)
    assert holding.bring(event("e1"))
    assert holding.bring(event("e2"))
    assert not holding.bring(event("e3"))
    assert not holding.room.is_set()
    assert holding.bring(level("a"))
    assert holding.left_out == 1
    assert names(holding.take(1)) == ["e1"]
    assert holding.room.is_set()
    assert holding.bring(event("e3"))
    assert names(holding.take(9)) == ["e2", "e3"]


def test_faults_of_a_kind_are_all_counted_and_told_once_a_minute():
    faults = Faults()
    lines = [faults.note(Fault("not_json", f"t{number}"), NOW) for number in range(1_000)]
    assert lines[0] == "MQTT 消息不是 JSON，没有采用：t0"
    assert not any(lines[1:])
    assert faults.note(Fault("not_json", "t"), NOW + EVERY).endswith("（此前还有 999 条同样的）")
    assert faults.counts["not_json"] == 1_001


def test_what_brokers_do_by_nature_is_counted_and_not_told():
    faults = Faults()
    assert faults.note(Fault("event_twice", "t"), NOW) is None
    assert faults.counts == {"event_twice": 1}
