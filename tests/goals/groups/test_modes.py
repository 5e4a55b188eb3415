"""Groups that work, in each of the three ways, to the end that their reporter gives them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.goals.groups.rooms import (
    ALONE,
    CHAT,
    MACHINE,
    MANAGED,
    ROLES,
    Cast,
    Room,
    ask_for,
    catalog_of,
    done,
    strict,
)
from tests.goals.running.houses import House

from zhixing.goals.bots.profiles import Availability, Catalog, Profile
from zhixing.goals.bots.searching import KnownGroup
from zhixing.goals.contracts.executing import read_execution
from zhixing.goals.groups.model import State
from zhixing.goals.loop.events import Report
from zhixing.goals.loop.limits import Spent
from zhixing.goals.loop.model import Formation
from zhixing.goals.loop.values import CollabMode
from zhixing.goals.running.scripted import ScriptedDeliverer, ScriptedPlanner, planned, scripted_ports
from zhixing.kernel.errors import BadInput, NotFound, TooLarge
from zhixing.world.bots.port import NotSent, Said

OWN_END = Formation(("b", "a"), CollabMode.STATE_MACHINE, members=ROLES, definition_yaml=ALONE)


@pytest.mark.parametrize(
    ("formation", "lines", "told"),
    [
        (CHAT, {"a": [ask_for("说说", "c"), done()], "c": ["我看可以"]}, ("a c a", "成果")),
        (CHAT, {"a": ["大家说说", done()], "b": ["好"], "c": ["也好"]}, ("a b c a", "成果")),
        (CHAT, {"a": [ask_for("说说", "机器人b"), strict("直接")], "b": ["好"]}, ("a b a", "直接")),
        (CHAT, {"a": [done()]}, ("a", "成果")),
        (MANAGED, {"a": [ask_for("做", "b", "c"), done()], "b": ["甲"], "c": ["乙"]}, ("a b c a", "成果")),
        # Done before everybody had a turn: the others come first.
        (MANAGED, {"a": [done("早了"), done()], "b": ["甲"], "c": ["乙"]}, ("a b c a", "成果")),
        (MACHINE, {"a": ["草稿", "再写", strict("定稿")], "b": ["结论：退回", "结论：通过"]}, ("a b a b a", "定稿")),
        (MACHINE, {"a": ["草稿", strict("定稿")], "b": ['{"outcome": "通过", "say": "好"}']}, ("a b a", "定稿")),
        # The word of the one that reports leads to the end, and is the report.
        (OWN_END, {"a": ["草稿"], "b": [strict("看过了")]}, ("a b", "看过了")),
        # It is no result: it is asked for one.
        (OWN_END, {"a": ["草稿"], "b": ["看过了", strict("看过了")]}, ("a b b", "看过了")),
    ],
)
def test_a_group_works_until_its_reporter_hands_in_the_result(store, clock, formation, lines, told):
    order, data = told
    cast = Cast(lines)
    room = Room(store, clock, cast)
    heard = room.play(formation)
    assert heard is not None
    assert sorted(cast.order.split()) == sorted(order.split())
    assert cast.order == order or formation is MANAGED
    report = read_execution("n", heard.content, run_status=heard.run_status, error=heard.error)
    assert (report.success, report.data, report.gaps) == (True, data, [])
    assert heard.spent == Spent(10 * len(cast.asked), 0.5 * len(cast.asked))
    assert room.ends == [("t", "n", 1, heard)]


def test_a_failure_keeps_its_gaps(store, clock):
    heard = Room(store, clock, Cast({"a": [strict("半份", "缺第二章")]})).play()
    report = read_execution("n", heard.content)
    assert (report.success, report.data, report.gaps) == (False, "半份", ["缺第二章"])


def test_each_member_is_told_who_it_is_what_was_said_and_what_to_do_now(store, clock):
    cast = Cast({"a": [ask_for("先看一遍大的市场，再看小的市场", "b"), done()], "b": ["市场很大"]})
    Room(store, clock, cast).play(replace(MANAGED, bot_ids=("a", "b")))
    first, second, third = (errand for _, errand in cast.asked)
    assert "你是 a（机器人a）：群主" in first.text
    assert "- b（机器人b）：成员，分析，看市场" in first.text
    assert "目标：写报告" in first.text
    assert "你要做的：看市场" in second.text
    assert '{"bot": "a", "said": "先看一遍大的市场，再看小的市场"}' in second.text
    assert '{"bot": "b", "said": "市场很大"}' in third.text
    assert first.loop_task_id == "t::n"
    assert len({each.key for _, each in cast.asked}) == 3


def test_the_same_delivery_is_the_same_talk(store, clock):
    room = Room(store, clock, Cast({"a": [done()]}))
    assert room.groups.found("k") is None
    first = room.begin()
    assert room.begin() == first
    assert room.groups.result(first) is None
    room.engine.drain()
    assert room.begin() == first
    assert room.cast.order == "a"
    found = room.groups.found("k")
    assert found is not None
    assert found.run_id == first
    assert room.groups.members(found.group_id) == ("a", "b", "c")


def test_a_group_can_do_more_than_one_leaf(store, clock):
    cast = Cast({"a": [done("一"), done("二")]})
    room = Room(store, clock, cast)
    room.play()
    group_id = room.groups.found("k").group_id
    assert room.groups.known() == (KnownGroup(group_id, ("a", "b", "c")),)
    heard = room.play(None, key="k2", node_id="m", group_id=group_id)
    assert read_execution("m", heard.content).data == "二"
    assert len(room.groups.known()) == 1
    assert room.ends[-1][:3] == ("t", "m", 1)


@pytest.mark.parametrize(
    ("members", "error", "key"),
    [
        ({"formation": None, "group_id": "nobody"}, NotFound, "goal_group_unknown"),
        ({"formation": None}, BadInput, "goal_group_which"),
        ({"group_id": "g"}, BadInput, "goal_group_which"),
        ({"key": ""}, BadInput, "goal_group_key"),
        ({"text": "字" * 200_001}, TooLarge, "goal_group_text"),
        ({"formation": replace(CHAT, bot_ids=("a", "x"))}, NotFound, "bot_group_unknown"),
        ({"formation": replace(MACHINE, definition_yaml="")}, BadInput, "bot_group_no_definition"),
    ],
)
def test_what_is_no_talk_is_refused_and_nothing_is_begun(store, clock, members, error, key):
    room = Room(store, clock, Cast({}))
    with pytest.raises(error) as raised:
        room.begin(**{"formation": CHAT, **members})
    assert raised.value.key == key
    assert room.engine.drain() == 0
    assert room.groups.known() == ()


# Who is not there


@pytest.mark.parametrize(
    "nobody",
    [
        NotSent("no_key"),
        OSError("broken"),
        "",
        "  \n",
        Said("半句", "FAILED", "timeout"),
        Said("半句", "weird"),
    ],
)
def test_a_worker_that_fails_is_silent_and_the_group_goes_on(store, clock, nobody):
    cast = Cast({"a": [ask_for("做"), done()], "b": [nobody], "c": ["乙"]})
    room = Room(store, clock, cast)
    heard = room.play(MANAGED)
    assert read_execution("n", heard.content).success is True
    assert '{"bot": "b", "silent": true}' in cast.asked[-1][1].text


def test_a_bot_that_was_removed_or_takes_no_work_is_silent_and_not_asked(store, clock):
    room = Room(store, clock, Cast({"a": [ask_for("做"), done()]}))
    away = Profile("c", "c", catalog_of().get("c").settings, availability=Availability(enabled=False))
    run_id = room.begin(MANAGED)
    room.catalog = Catalog((catalog_of().get("a"), away))
    room.engine.drain()
    assert room.cast.order == "a a"
    assert room.groups.result(run_id).run_status == "COMPLETED"
    assert [each.note for each in room.groups.lines(run_id) if each.note] == ["bot_not_there"] * 2


@pytest.mark.parametrize(
    ("formation", "lines", "error"),
    [
        (CHAT, {"a": [""]}, "group_silent"),
        (MACHINE, {"a": ["草稿", ""], "b": ["结论：通过"]}, "group_silent"),
        (MACHINE, {"a": ["草稿", "全文如下"], "b": ["结论：通过"]}, "terminal_result_invalid"),
        (MACHINE, {"a": ["草稿", ""], "b": ["不好说"]}, "group_silent"),
    ],
)
def test_a_group_whose_reporter_has_no_result_has_failed(store, clock, formation, lines, error):
    room = Room(store, clock, Cast(lines))
    heard = room.play(formation)
    assert (heard.run_status, heard.error, heard.content) == ("FAILED", error, "")
    assert [each[3] for each in room.ends] == [heard]


def test_a_machine_that_stands_still_ends_with_what_there_is(store, clock):
    cast = Cast({"a": ["草稿", strict("草稿", "没有评审")], "b": ["不好说"]})
    heard = Room(store, clock, cast).play(MACHINE)
    assert cast.order == "a b b a"
    assert read_execution("n", heard.content).gaps == ["没有评审"]
    assert "有人没有回应" in cast.asked[-1][1].text


# Time


def test_a_group_is_asked_for_its_result_before_its_time_is_over(store, clock):
    def slow(_):
        clock.advance(timedelta(seconds=500))
        return "还在想"

    cast = Cast({"a": [slow, slow, strict("到此为止", "没写完")], "b": [slow], "c": [slow]})
    room = Room(store, clock, cast)
    heard = room.play(millis=900_000)
    assert heard.error == "sla_timeout"
    clock.advance(timedelta(seconds=1))
    cast = Cast({"a": [slow, strict("到此为止", "没写完")], "b": [slow], "c": [slow]})
    room = Room(store, clock, cast)
    heard = room.play(key="k2", millis=1_200_000)
    assert cast.order == "a b a"
    assert read_execution("n", heard.content).data == "到此为止"
    assert [each.seconds for _, each in cast.asked] == [600, 460, 200]


def test_a_talk_whose_time_is_over_has_failed_without_another_question(store, clock):
    room = Room(store, clock, Cast({"a": [done()]}))
    run_id = room.begin()
    room.later(901)
    assert room.groups.result(run_id).error == "sla_timeout"
    assert room.cast.asked == []
    assert len(room.ends) == 1


# Being stopped


def test_a_stopped_talk_asks_nobody_else_and_tells_nobody(store, clock):
    room = Room(store, clock, Cast({"a": ["说说"], "b": ["好"]}))
    run_id = room.begin()
    room.groups.stop(run_id)
    room.groups.stop(run_id)
    room.groups.stop("nobody")
    room.engine.drain()
    assert (room.cast.asked, room.ends) == ([], [])
    assert room.groups.result(run_id).error == "group_stopped"


def test_an_answer_after_the_stop_is_kept_and_changes_nothing(store, clock):
    room = Room(store, clock, Cast({"a": [lambda _: (room.groups.stop(run_id), done())[1]]}))
    run_id = room.begin()
    room.engine.drain()
    kept = room.talk(run_id)
    assert (kept.state, kept.result, kept.late) == (State.STOPPED, "", 1)
    assert kept.spent == Spent(10, 0.5)
    assert [each.late for each in room.groups.lines(run_id)] == [True]
    assert room.ends == []


def test_nobody_is_asked_for_what_was_reported_in_another_way(store, clock):
    """A reporter that can may have told the goal itself, as its task says."""
    deliverer = ScriptedDeliverer({"leaf": [None]})
    house = House(store, clock, scripted_ports(ScriptedPlanner({"g": [planned("leaf"), planned()]}), deliverer))
    house.run()
    room = Room(store, clock, Cast({"a": [ask_for("做", "b"), done()], "b": ["好"]}))
    run_id = room.begin(task_id="g", node_id="leaf")
    late = room.begin(key="k2", task_id="g", node_id="leaf", attempt=2)
    house.goals.report("g", Report("leaf", success=True, data="好了", gaps=[]))
    room.engine.drain()
    assert room.cast.asked == []
    assert {room.groups.result(each).error for each in (run_id, late)} == {"group_stopped"}


def test_a_leaf_that_is_under_way_is_worked_on(store, clock):
    deliverer = ScriptedDeliverer({"leaf": [None]})
    house = House(store, clock, scripted_ports(ScriptedPlanner({"g": [planned("leaf"), planned()]}), deliverer))
    house.run()
    heard = Room(store, clock, Cast({"a": [done()]})).play(task_id="g", node_id="leaf")
    assert read_execution("leaf", heard.content).success is True


def test_a_run_that_is_not_there_has_failed(store, clock):
    assert Room(store, clock, Cast({})).groups.result("nobody").error == "group_run_unknown"
