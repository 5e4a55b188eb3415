"""A power cut at any write: the talk comes to the same end, and no bot with effects is asked twice for a turn."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import timedelta

import pytest
from tests.goals.groups.rooms import (
    CHAT,
    COMMAND,
    MACHINE,
    MANAGED,
    MODEL,
    SCRIPTED,
    Cast,
    Room,
    catalog_of,
    done,
    strict,
)
from tests.goals.running.test_crashes import STRIDE, Breaking, OneCut, PowerCut

from zhixing.engine.embedded import EmbeddedEngine
from zhixing.goals.contracts.executing import read_execution
from zhixing.goals.groups.operations import Groups
from zhixing.goals.running.ports import Heard
from zhixing.world.bots.port import Said, Unclear

MODES = {
    "chat": (CHAT, {"a": ["大家说说", done()], "b": ["甲"], "c": ["乙"]}, 4),
    "manager_worker": (MANAGED, {"a": ["做", done()], "b": ["甲"], "c": ["乙"]}, 4),
    "state_machine": (MACHINE, {"a": ["草稿", strict()], "b": ["结论：通过"]}, 3),
}


def play_on(house, fate, cast, wanted, settings=MODEL) -> tuple[Heard, list]:
    """Start the program again and again until the talk is over; return what it came to, and how its turns went."""
    (store, clock), (formation, key) = house, wanted
    for _ in range(50):
        room = Room(Breaking(store, fate), clock, cast, catalog_of(settings))
        with suppress(PowerCut):
            room.engine.reclaim_all()
            run_id = room.begin(formation, key=key)
            room.groups.take_up()
            room.engine.drain()
            heard = room.groups.result(run_id)
            if heard is not None:
                return heard, [each.word for each in room.groups.lines(run_id)]
        clock.advance(timedelta(seconds=1))
    return pytest.fail("it never came to an end")


def twice(cast: Cast) -> list[str]:
    return [key for key, count in Counter(errand.key for _, errand in cast.asked).items() if count > 1]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("mode", MODES)
def test_a_cut_at_any_write_leads_to_the_same_end(store, clock, dialect, mode, when):
    formation, lines, turns = MODES[mode]
    at, again = 1 - STRIDE[dialect], 0
    while True:
        at += STRIDE[dialect]
        cast, fate = Cast(lines), OneCut(at, when)
        heard, words = play_on((store, clock), fate, cast, (formation, f"{mode}{at}"))
        assert read_execution("n", heard.content).data == "成果", at
        assert words == ["said"] * (turns - 1) + ["done"], at
        assert len({errand.key for _, errand in cast.asked}) == turns, at
        again += bool(twice(cast))
        if fate.count < at:
            break
    assert at > 2 * turns
    assert again > 0 or dialect != "sqlite" or when == "after"


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("mode", MODES)
def test_bots_with_effects_are_asked_once_a_turn_wherever_the_power_fails(store, clock, dialect, mode, when):
    formation, lines, _ = MODES[mode]
    # Who was interrupted goes on in its next turn, and says so.
    lines = {bot: [*said, said[-1]] for bot, said in lines.items()}
    at, interrupted = 1 - STRIDE[dialect], 0
    while True:
        at += STRIDE[dialect]
        cast, fate = Cast(lines), OneCut(at, when)
        heard, words = play_on((store, clock), fate, cast, (formation, f"{mode}{at}"), COMMAND)
        assert not twice(cast), at
        assert heard.error == "" or "silent" in words, at
        interrupted += "silent" in words
        if fate.count < at:
            break
    assert interrupted > 0 or dialect != "sqlite"


def test_an_interrupted_bot_is_told_so_in_its_next_turn(store, clock):
    cast = Cast({"a": [PowerCut(), done()]})
    heard, words = play_on((store, clock), lambda: "never", cast, (CHAT, "k"), COMMAND)
    assert words == ["silent", "done"]
    assert read_execution("n", heard.content).success is True
    assert "中断了" not in cast.asked[0][1].text
    assert "中断了" in cast.asked[1][1].text


def test_a_bot_that_can_say_what_became_of_its_turn_is_asked_that_and_nothing_else(store, clock):
    cast, found = Cast({"a": [PowerCut()]}), []

    def take_up(profile, errand):
        found.append((profile.id, errand.key))
        return Said(done())

    with suppress(PowerCut):
        Room(store, clock, cast, catalog_of(COMMAND)).play(CHAT)
    clock.advance(timedelta(minutes=1))
    engine = EmbeddedEngine(store, clock, owner="乙")
    bots = catalog_of(COMMAND)
    groups = Groups(store, engine, clock, catalog=lambda: bots, ask=cast, take_up=take_up, ended=lambda *_: None)
    engine.reclaim_all()
    groups.take_up()
    engine.drain()
    run_id = groups.found("k").run_id
    assert [each.word.value for each in groups.lines(run_id)] == ["done"]
    assert found == [("a", cast.asked[0][1].key)]
    assert len(cast.asked) == 1


def test_a_turn_of_which_nobody_knows_whether_it_arrived_counts_as_interrupted(store, clock):
    cast = Cast({"a": [Unclear("line_broke"), done()]})
    _, words = play_on((store, clock), lambda: "never", cast, (CHAT, "k"), COMMAND)
    assert words == ["silent", "done"]
    assert "中断了" in cast.asked[1][1].text


def test_a_bot_without_effects_is_simply_asked_again(store, clock):
    cast = Cast({"a": [PowerCut(), done()]})
    asked = []

    def ask(profile, errand):
        asked.append(errand.key)
        if len(asked) == 1:
            raise PowerCut
        return Cast({"a": [done()]})(profile, errand)

    _, words = play_on((store, clock), lambda: "never", ask, (CHAT, "k"), SCRIPTED)
    assert words == ["done"]
    assert asked == [asked[0]] * 2
    assert cast.asked == []


def test_a_talk_whose_jobs_are_gone_is_taken_up_where_it_was(store, clock):
    for at in range(1, 12):
        cast, key = Cast({"a": ["说说", done()], "b": ["甲"], "c": ["乙"]}), f"k{at}"
        with suppress(PowerCut):
            Room(Breaking(store, OneCut(at, "after")), clock, cast).play(CHAT, key=key)
        with store.write() as tx:
            tx.execute("DELETE FROM jobs")
        heard, _ = play_on((store, clock), lambda: "never", cast, (CHAT, key))
        assert read_execution("n", heard.content).success is True, at


def test_the_goal_is_told_in_the_transaction_in_which_the_talk_ends(store, clock):
    """When the goal cannot take it, the talk is not over, and the turn is asked for again."""
    room = Room(store, clock, Cast({"a": [done()]}))
    refusals = [OSError("the goal is busy")]
    told = room.groups._turns._ended

    def ended(*news):
        if refusals:
            raise refusals.pop()
        told(*news)

    room.groups._turns._ended = ended
    run_id = room.begin()
    room.engine.drain()
    assert room.groups.result(run_id) is None
    room.later(60)
    assert room.groups.result(run_id) is not None
    assert len(room.ends) == 1
