"""What of a message is news, over time."""

from __future__ import annotations

from datetime import timedelta

from zhixing.kernel.moments import parse_instant
from zhixing.world.mqtt.limits import MOST_EVENTS, MOST_STANDING
from zhixing.world.mqtt.said import Judged, Presence
from zhixing.world.mqtt.standing import Standing
from zhixing.world.perception.verdict import Value, Verdict

NOW = parse_instant("2026-10-12T20:00:00+08:00")
TRUE, FALSE, UNKNOWN = Value.TRUE, Value.FALSE, Value.UNKNOWN


def at(seconds):
    return NOW + timedelta(seconds=seconds)


class Told:
    """Says things to what stands, at instants counted in seconds."""

    def __init__(self):
        self.standing = Standing()

    def level(self, value, seconds, *, told=None, source="door", retained=False, stands=None):
        verdict = Verdict(source, "开着", value, at(seconds if told is None else told), lasting=True)
        span = None if stands is None else timedelta(seconds=stands)
        return self.take(Judged(verdict, retained, span), seconds)

    def event(self, name, seconds, *, told=None):
        verdict = Verdict("cam", "有人来", TRUE, at(seconds if told is None else told), event=name)
        return self.take(Judged(verdict), seconds)

    def take(self, said, seconds):
        news, self.faults = self.standing.take((said,), "t", at(seconds))
        self.keys = [fault.key for fault in self.faults]
        return seen(news)


def seen(news):
    return [(one.source, one.value, (one.at - NOW).total_seconds()) for one in news]


def test_levels_pass_again_and_again():
    told = Told()
    assert told.level(TRUE, 0) == [("door", TRUE, 0)]
    assert told.level(TRUE, 1) == [("door", TRUE, 1)]


def test_a_level_older_than_the_last_one_is_late():
    told = Told()
    told.level(TRUE, 10)
    assert told.level(FALSE, 11, told=9) == []
    assert told.keys == ["late"]


def test_an_event_is_told_once_however_often_the_broker_sends_it():
    told = Told()
    assert told.event("e1", 0) == [("cam", TRUE, 0)]
    assert told.event("e1", 1, told=0) == []
    assert told.keys == ["event_twice"]
    assert told.event("e2", 2) == [("cam", TRUE, 2)]


def test_an_event_that_comes_out_of_order_is_told_behind_the_other_and_not_lost():
    told = Told()
    told.event("e1", 5)
    assert told.event("e2", 6, told=4) == [("cam", TRUE, 5.001)]
    assert told.event("e3", 6, told=5) == [("cam", TRUE, 5.002)]


def test_when_the_connection_was_lost_what_stands_is_unknown_once_and_never_false():
    told = Told()
    told.level(TRUE, 0)
    told.level(FALSE, 0, source="window")
    assert seen(told.standing.lost(at(60))) == [("door", UNKNOWN, 60), ("window", UNKNOWN, 60)]
    assert told.standing.lost(at(61)) == []


def test_what_was_known_before_we_began_is_unknown_until_it_is_told_again():
    standing = Standing([("door", "开着"), ("window", "开着")])
    told = Told()
    told.standing = standing
    told.level(TRUE, 0)
    assert seen(standing.lost(at(1))) == [("window", UNKNOWN, 1), ("door", UNKNOWN, 1)]
    assert standing.lost(at(2)) == []
    # What the broker kept may be older than that, and is how things are all the same.
    assert told.level(TRUE, 3, told=-500, source="window", retained=True) == [("window", TRUE, 3)]


def test_what_the_broker_kept_says_after_a_loss_how_things_are_now():
    told = Told()
    told.level(TRUE, 0)
    told.standing.lost(at(60))
    assert told.level(TRUE, 61, told=0, retained=True) == [("door", TRUE, 61)]
    assert told.level(TRUE, 62, told=0, retained=True) == []
    assert told.keys == ["late"]


def test_an_old_word_that_was_not_kept_does_not_undo_the_unknown():
    told = Told()
    told.level(TRUE, 0)
    told.standing.lost(at(60))
    assert told.level(TRUE, 61, told=30) == []


def test_a_source_that_is_away_is_unknown_and_what_was_kept_of_it_as_well():
    told = Told()
    told.level(TRUE, 0)
    assert told.take(Presence(("door",), there=False), 5) == [("door", UNKNOWN, 5)]
    assert told.level(TRUE, 6, retained=True) == [("door", UNKNOWN, 6)]
    told.take(Presence(("door",), there=True), 7)
    assert told.level(TRUE, 8, retained=True) == [("door", TRUE, 8)]


def test_it_does_not_matter_which_comes_first_the_absence_or_the_kept_state():
    told = Told()
    assert told.take(Presence(("door",), there=False), 0) == []
    assert told.level(TRUE, 0, retained=True) == [("door", UNKNOWN, 0)]


def test_who_speaks_is_heard_although_it_is_said_to_be_away():
    told = Told()
    told.take(Presence(("door",), there=False), 0)
    assert told.level(TRUE, 1) == [("door", TRUE, 1)]


def test_what_expires_is_unknown_unless_it_is_told_again():
    told = Told()
    told.level(TRUE, 0, stands=60)
    told.level(TRUE, 30, stands=60)
    assert told.standing.expired(at(89)) == []
    assert seen(told.standing.expired(at(90))) == [("door", UNKNOWN, 90)]
    assert told.standing.expired(at(200)) == []
    assert told.level(TRUE, 201, stands=60) == [("door", TRUE, 201)]


def test_a_source_whose_clock_is_a_little_ahead_gets_an_unknown_that_is_not_stale():
    told = Told()
    told.level(TRUE, 50, told=100)
    assert seen(told.standing.lost(at(60))) == [("door", UNKNOWN, 100)]


def test_after_the_clock_was_put_back_what_comes_is_news_and_does_not_wait_for_the_clock_to_catch_up():
    told = Told()
    told.level(TRUE, 3_600)
    told.event("e1", 3_600)
    assert told.level(FALSE, 10) == [("door", FALSE, 10)]
    assert told.event("e2", 11) == [("cam", TRUE, 11)]
    assert told.level(TRUE, 12) == [("door", TRUE, 12)]
    assert told.level(FALSE, 13, told=11) == []


def test_what_is_unknown_after_the_clock_was_put_back_is_so_now():
    told = Told()
    told.level(TRUE, 3_600)
    assert seen(told.standing.lost(at(10))) == [("door", UNKNOWN, 10)]


def test_what_is_kept_is_bounded():
    told = Told()
    for number in range(MOST_STANDING):
        told.level(TRUE, 0, source=f"s{number}")
    assert told.level(TRUE, 1, source="one too many") == []
    assert told.keys == ["sources_many"]
    assert told.level(FALSE, 1, source="s0") == [("s0", FALSE, 1)]
    for number in range(MOST_EVENTS + 10):
        told.event(f"e{number}", number)
    assert told.event(f"e{MOST_EVENTS + 9}", MOST_EVENTS + 10) == []
