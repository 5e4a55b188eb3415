"""What a rule did, as stretches and moments, and where those lie on a line."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from zhixing.faces.web.home.asking import Span, wish_at, wish_of
from zhixing.faces.web.home.drawing import MOST_BARS, MOST_SIGNS, draw
from zhixing.faces.web.home.history import History, Look, Moment, Stretch, history_of
from zhixing.kernel.moments import micros
from zhixing.kernel.moments import zone as find_zone
from zhixing.tasks.journal import Entry, Kind
from zhixing.tasks.rules.machine import Phase, State
from zhixing.tasks.rules.model import Plan, Rule, StoppedBy, Trigger
from zhixing.tasks.rules.truth import NEVER_JUDGED, Truth

NOON = datetime(2026, 10, 12, 4, tzinfo=UTC)
SHANGHAI = find_zone("Asia/Shanghai")
IDLE = State()


def at(minutes: float) -> datetime:
    return NOON + timedelta(minutes=minutes)


def rule(stopped_by: StoppedBy | None = None) -> Rule:
    plan = Plan("关灯", Trigger("没人", duration=300))
    return Rule("r1", "t1", "Asia/Shanghai", plan, stopped_by, 1, at(-600), at(-5))


def entry(kind: Kind, minutes: float, why: str = "", **data: object) -> Entry:
    return Entry(0, "t1", at(minutes), kind, "clock", why, {"rule": "r1", **data})


def answered(direction: str, since: float, due: float, **more: object) -> Entry:
    told = {
        "occurrence": f"o{since}",
        "part": f"rule:r1:{direction}",
        "key": at(since).isoformat(),
        "due": at(due).isoformat(),
        "since": at(since).isoformat(),
        **more,
    }
    return entry(Kind.OCCURRENCE_CLAIMED, due, **told)


def ended(kind: Kind, since: float, minutes: float) -> Entry:
    return Entry(0, "t1", at(minutes), kind, "clock", "", {"occurrence": f"o{since}"})


def told(*entries: Entry, state: State = IDLE, truth: Truth = NEVER_JUDGED, one: Rule | None = None) -> History:
    return history_of(one or rule(), state, truth, entries[::-1], NOON)


def test_an_episode_is_what_held_what_was_answered_and_what_was_waited_for_at_its_end() -> None:
    history = told(
        answered("enter", -60, -55),
        ended(Kind.OCCURRENCE_DONE, -60, -54),
        answered("exit", -60, -9, left=at(-10).isoformat()),
    )
    assert history.stretches == [
        Stretch(Look.HELD, at(-60), at(-55)),
        Stretch(Look.INSIDE, at(-55), at(-10)),
        Stretch(Look.LEAVING, at(-10), at(-9)),
    ]
    assert [(moment.what, moment.ended, moment.sign) for moment in history.moments] == [
        ("enter", "done", "fired"),
        ("exit", "done", "fired"),
    ]


def test_what_is_only_answered_at_its_end_began_to_count_after_its_duration() -> None:
    history = told(answered("exit", -60, -9, left=at(-10).isoformat()))
    assert history.stretches[:2] == [Stretch(Look.HELD, at(-60), at(-55)), Stretch(Look.INSIDE, at(-55), at(-10))]


def test_what_was_asked_for_by_hand_is_a_moment_without_an_episode() -> None:
    history = told(answered("enter", -5, -5, key="asked:now"))
    assert history.stretches == []
    assert [moment.what for moment in history.moments] == ["enter"]


@pytest.mark.parametrize(
    ("why", "sign", "looks"),
    [
        ("held", "short", [Look.HELD]),
        ("unknown", "short", [Look.HELD, Look.UNKNOWN]),
        ("outage", "short", [Look.HELD, Look.UNKNOWN]),
        ("cooldown", "blocked", [Look.HELD]),
        ("quiet", "blocked", [Look.HELD]),
        ("already_true", "blocked", [Look.HELD]),
        ("words nobody knows", "blocked", [Look.HELD]),
    ],
)
def test_near_misses_are_told_apart_by_what_was_missing(why, sign, looks) -> None:
    data = {"at": at(-5).isoformat(), "since": at(-9).isoformat(), "held": 120.0, "needed": 300.0}
    history = told(entry(Kind.NEAR_MISS, -5, why, **data))
    assert [each.look for each in history.stretches] == looks
    assert [(moment.sign, moment.held, moment.needed) for moment in history.moments] == [(sign, 120.0, 300.0)]


def test_a_stop_lasts_until_the_start_or_until_now() -> None:
    history = told(entry(Kind.RULE_STOPPED, -50), entry(Kind.RULE_STARTED, -40))
    assert history.stretches == [Stretch(Look.STOPPED, at(-50), at(-40))]
    history = told(entry(Kind.RULE_STOPPED, -50, "limit"), one=rule(StoppedBy.LIMIT))
    assert history.stretches == [Stretch(Look.STOPPED, at(-50), NOON)]
    assert told(one=rule(StoppedBy.TASK)).stretches == [Stretch(Look.STOPPED, at(-5), NOON)]


@pytest.mark.parametrize(
    ("state", "truth", "expected"),
    [
        (State(), NEVER_JUDGED, []),
        (State(), Truth(True, held_since=micros(at(-3))), [(Look.HELD, -3, 0)]),
        (State(count_from=micros(at(-2))), Truth(True, held_since=micros(at(-3))), [(Look.HELD, -2, 0)]),
        (State(), Truth(False, left_at=micros(at(-3))), []),
        (
            State(),
            Truth(True, unknown_since=micros(at(-1)), held_since=micros(at(-3))),
            [(Look.HELD, -3, -1), (Look.UNKNOWN, -1, 0)],
        ),
        (
            State(Phase.INSIDE, since=micros(at(-9)), entered=micros(at(-4))),
            Truth(True, held_since=micros(at(-9))),
            [(Look.INSIDE, -4, 0)],
        ),
        (State(Phase.SILENT, since=micros(at(-9))), Truth(True, held_since=micros(at(-9))), [(Look.BLOCKED, -9, 0)]),
        (
            State(Phase.LEAVING, since=micros(at(-9)), left_at=micros(at(-1)), entered=micros(at(-4))),
            Truth(False, left_at=micros(at(-1))),
            [(Look.INSIDE, -4, -1), (Look.LEAVING, -1, 0)],
        ),
    ],
)
def test_what_goes_on_now_reaches_to_now(state, truth, expected) -> None:
    history = told(state=state, truth=truth)
    assert history.stretches == [Stretch(look, at(start), at(end)) for look, start, end in expected]


def test_entries_of_other_rules_and_broken_ones_do_no_harm() -> None:
    other = Entry(0, "t1", at(-5), Kind.NEAR_MISS, "clock", "held", {"rule": "r2"})
    broken = entry(Kind.NEAR_MISS, -5, "held", at="nonsense", since=7, held="much")
    history = told(other, broken, entry(Kind.OCCURRENCE_CLAIMED, -4, part="rule:r1:sideways"))
    assert history.stretches == []
    assert [moment.at for moment in history.moments] == [at(-5)]


class TestDrawing:
    def test_places_are_percent_of_the_span_that_ends_now(self) -> None:
        history = History([Stretch(Look.HELD, at(-30), at(-15))], [Moment(at(-15), "enter")])
        drawing = draw(history, Span.HOUR, NOON, SHANGHAI)
        assert [(bar.start, bar.width) for bar in drawing.bars] == [("50.00%", "25.00%")]
        assert [sign.at for sign in drawing.signs] == ["75.00%"]

    def test_what_began_before_is_cut_and_what_was_over_before_is_left_out(self) -> None:
        long, old = Stretch(Look.INSIDE, at(-90), at(-30)), Stretch(Look.HELD, at(-200), at(-100))
        drawing = draw(History([old, long], [Moment(at(-61), "enter")]), Span.HOUR, NOON, SHANGHAI)
        assert [(bar.look, bar.start, bar.width) for bar in drawing.bars] == [("inside", "0.00%", "50.00%")]
        assert drawing.signs == ()

    def test_what_is_very_short_is_still_seen_inside_the_line(self) -> None:
        drawing = draw(History([Stretch(Look.HELD, at(-0.01), NOON)]), Span.WEEK, NOON, SHANGHAI)
        assert [(bar.start, bar.width) for bar in drawing.bars] == [("99.50%", "0.50%")]

    def test_of_too_much_the_latest_is_drawn(self) -> None:
        many = [Stretch(Look.HELD, at(-50 + n / 100), at(-50 + n / 100 + 0.001)) for n in range(2 * MOST_BARS)]
        history = History(many, [Moment(at(-50 + n / 100), "enter") for n in range(2 * MOST_SIGNS)])
        drawing = draw(history, Span.HOUR, NOON, SHANGHAI)
        assert (len(drawing.bars), len(drawing.signs)) == (MOST_BARS, MOST_SIGNS)
        assert drawing.signs[-1].moment.at == history.moments[-1].at

    @pytest.mark.parametrize(
        ("span", "labels"),
        [
            (Span.HOUR, ["11:15", "11:30", "11:45"]),
            (Span.DAY, ["18:00", "00:00", "06:00"]),
            (Span.WEEK, ["10-07", "10-09", "10-11"]),
        ],
    )
    def test_marks_stand_at_round_times_of_the_home(self, span, labels) -> None:
        assert [tick.label for tick in draw(History(), span, NOON, SHANGHAI).ticks] == labels


class TestAddresses:
    def test_a_wish_comes_back_from_its_address(self) -> None:
        wish = wish_of("主卧", "灯 & <b>", "week", "r7")
        assert wish_at(wish.address) == wish

    def test_the_plain_one_has_no_query(self) -> None:
        assert wish_of().address == "/home"

    @pytest.mark.parametrize("address", ["", "/", "?" + "&" * 999, "/home?span=ages&room=", "/home?room=\x00"])
    def test_whatever_an_address_is_it_is_read(self, address) -> None:
        assert wish_at(address) == wish_of()
