"""A session that a rule began does not outlive it: who stops, removes or changes the rule stops the clock as well."""

from __future__ import annotations

import pytest

from zhixing.world.perception.verdict import Value, Verdict

TASK = "phone_time_daily"
PLAYING = """10-12 12:59:20  0:00:40  phone_time_daily  no
        10-12 13:00:00  0:20:00  phone_time_daily  yes"""
ANSWER_ONCE = (
    "rule update r1 --mode event --clear on_enter_desc --clear on_exit_desc --clear on_target_desc"
    " --action-desc 使用手机推送通知：好"
)


@pytest.mark.parametrize(
    "words",
    [
        "rule disable r1",
        "rule delete r1",
        "rule update r1 --condition 用户看书",
        "rule update r1 --source cam_kids",
        ANSWER_ONCE,
        "rule update r1 --clear on_exit_desc",
    ],
    ids=["stopped", "removed", "watching something else", "watching elsewhere", "without an exit", "without an end"],
)
def test_the_session_ends_when_its_rule_will_not_end_it(live_in, words):
    life = live_in()
    life.script(5)
    life.play(f"{PLAYING}\n10-12 13:20:00  type  {words}", until="10-12 18:00:00")
    assert life.record(TASK) == "0:20:00 of 60 min"
    assert [line for line in life.told() if "达标" in line] == []


@pytest.mark.parametrize(
    "words",
    [
        "rule update r1 --name 新名字",
        "rule update r1 --exit-debounce-seconds 120",
        "task update phone_time_daily --description 新",
    ],
)
def test_it_goes_on_where_the_rule_does(live_in, words):
    life = live_in()
    life.script(5)
    life.play(f"""
        {PLAYING}
        10-12 13:20:00  type  {words}
        10-12 13:20:00  0:10:00  phone_time_daily  yes
        10-12 13:30:00  0:03:00  phone_time_daily  no
    """)
    assert life.record(TASK) == "0:30:00 of 60 min"


def test_a_rule_that_is_stopped_while_its_exit_pends_ends_it_when_that_began(live_in):
    life = live_in()
    life.script(5)
    life.play(
        f"""
        {PLAYING}
        10-12 13:20:00  0:00:30  phone_time_daily  no
        10-12 13:20:30  type  rule disable r1
    """,
        until="10-12 18:00:00",
    )
    assert life.record(TASK) == "0:20:00 of 60 min"


def test_what_was_stopped_and_started_again_counts_from_then(live_in):
    life = live_in()
    life.script(5)
    life.play(f"""
        {PLAYING}
        10-12 13:20:00  type  rule disable r1
        10-12 13:20:00  1:00:00  phone_time_daily  yes
        10-12 14:20:00  type  rule enable r1
        10-12 14:20:04  0:30:00  phone_time_daily  yes
        10-12 14:50:04  0:02:00  phone_time_daily  no
    """)
    assert life.record(TASK) == "0:50:04 of 60 min"


def test_a_change_taken_back_stops_the_clock_as_well(live_in):
    life = live_in()
    life.script(5)
    life.play(
        f"""
        10-12 12:00:00  type  rule update r1 --duration-seconds 60
        {PLAYING}
        10-12 13:20:00  type  task undo phone_time_daily
        10-12 13:20:00  0:02:00  phone_time_daily  no
    """,
        until="10-12 18:00:00",
    )
    assert life.record(TASK) == "0:20:00 of 60 min"


@pytest.mark.parametrize("value", ["no", "yes"])
def test_a_rule_that_began_nothing_ends_nothing(live_in, value):
    life = live_in()
    life.script(5)
    life.play(
        f"""
        10-12 13:00:00  type  task record session-start phone_time_daily
        10-12 13:00:00  0:01:00  phone_time_daily  {value}
        10-12 13:01:00  type  rule disable r1
    """,
        until="10-12 13:30:00",
    )
    assert life.record(TASK) == "0:30:00 of 60 min"


def test_other_tasks_and_records_are_left_alone(live_in):
    life = live_in()
    life.script(5)
    life.script(9)
    life.script(2)
    life.play(f"""
        {PLAYING}
        10-12 13:20:00  type  rule disable r2
        10-12 13:20:00  type  rule disable r3
        10-12 13:20:00  0:10:00  phone_time_daily  yes
        10-12 13:30:00  0:02:00  phone_time_daily  no
    """)
    assert life.record(TASK) == "0:30:00 of 60 min"
    assert life.record("drink_8_daily") == "0 of 8"


@pytest.mark.parametrize(
    ("spans", "spent", "told"),
    [
        ({"妈妈": ("13:00", "13:20"), "爸爸": ("13:10", "13:50")}, "0:50:00", ["10-12 13:35:00"]),
        ({"妈妈": ("13:00", "13:50"), "爸爸": ("13:10", "13:20")}, "0:50:00", ["10-12 13:35:00"]),
        ({"妈妈": ("13:00", "13:20"), "爸爸": ("13:20", "13:30")}, "0:30:00", []),
        ({"妈妈": ("13:00", "13:20"), "爸爸": ("13:40", "13:50")}, "0:30:00", []),
        ({"妈妈": ("13:00", "13:20"), "爸爸": ("13:00", "13:20")}, "0:20:00", []),
    ],
    ids=["overlapping", "one within the other", "one after the other", "apart", "together"],
)
def test_two_people_keep_one_session_open_together(live_in, spans, spent, told):
    """Several people are several rules of one task (§主语取值规则); its record has the time of any of them."""
    life = live_in()
    life.terminal("task", "create", "--task-id", "tv", "--description", "爸妈看电视")
    content = '{"target_minutes":35,"recurring_pattern":{"window":"day"}}'
    life.terminal("task", "record", "init", "tv", "--kind", "duration", "--content", content)
    changes = []
    for person, (start, end) in spans.items():
        words = ["--task-id", "tv", "--name", f"[tv] {person}", "--mode", "state", "--condition", f"{person}看电视"]
        words += ["--source", "cam_living", "--exit-debounce-seconds", "0"]
        words += ["--on-enter-desc", "开始计时", "--on-exit-desc", "结束计时"]
        words += ["--on-target-desc", "使用手机推送通知：够了"]
        life.terminal("rule", "create", *words)
        for at, value in (("12:00", Value.FALSE), (start, Value.TRUE), (end, Value.FALSE)):
            moment = life.at(f"10-12 {at}:00")
            changes.append(Verdict("cam_living", f"{person}看电视", value, moment, firm=True, lasting=True))
    life.live(sorted(changes, key=lambda verdict: verdict.at), [], life.at("10-12 15:00:00"))
    assert life.record("tv").startswith(f"{spent} of 35 min")
    assert [line.removesuffix(" phone 够了") for line in life.told() if "够了" in line] == told


def test_an_answer_that_was_asked_for_by_hand_begins_no_session(live_in):
    life = live_in()
    life.script(5)
    life.play("10-12 12:00:00  type  rule trigger r1", until="10-12 18:00:00")
    assert life.record(TASK) == "0:00:00 of 60 min"
