"""Whose turn it is in a group, when a talk is over, and who reports."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.goals.bots.test_definitions import LOOP

from zhixing.goals.bots.collaborating import Duty, Ended, Message, Talk, Turn, Word, begin, outcome_in, step
from zhixing.goals.bots.forming import Group, form_group
from zhixing.goals.loop.model import Formation, Member
from zhixing.goals.loop.values import CollabMode

KNOWN = {"a", "b", "c"}
CHAT = form_group(Formation(("a", "b", "c"), CollabMode.CHAT), KNOWN)
MANAGED = form_group(
    Formation(("a", "b", "c"), CollabMode.MANAGER_WORKER, members=(Member("b", "分析", "看市场"),)), KNOWN
)
MACHINE = form_group(
    Formation(
        ("a", "b"), CollabMode.STATE_MACHINE, members=(Member("a", "作者"), Member("b", "评审")), definition_yaml=LOOP
    ),
    KNOWN,
)
REVIEWED = form_group(
    Formation(
        ("b", "a"), CollabMode.STATE_MACHINE, members=(Member("a", "作者"), Member("b", "评审")), definition_yaml=LOOP
    ),
    KNOWN,
)
SILENT = Word.SILENT


def done(bot: str, text: str = "成果") -> Message:
    return Message(bot, Word.DONE, text)


def said(bot: str, outcome: str = "", to: tuple[str, ...] = ()) -> Message:
    return Message(bot, text=f"{bot} 说", to=to, outcome=outcome)


def turns(talk: Talk) -> str:
    return " ".join(f"{each.bot_id}:{each.duty}" for each in talk.awaited)


def after(group: Group, *messages: Message) -> Talk:
    talk = begin(group)
    for each in messages:
        talk = step(group, talk, each)
    return talk


@pytest.mark.parametrize(
    ("group", "messages", "next_turns"),
    [
        (CHAT, (), "a:lead"),
        (CHAT, (said("a"),), "b:work"),
        (CHAT, (said("a"), said("b")), "c:work"),
        (CHAT, (said("a"), said("b"), said("c")), "a:lead"),
        (CHAT, (said("a", to=("c",)),), "c:work"),
        (CHAT, (said("a", to=("c",)), said("c")), "a:lead"),
        (CHAT, (said("a", to=("a", "x")),), "b:work"),
        (CHAT, (said("a"), Message("b", SILENT)), "c:work"),
        (CHAT, (said("a"), done("b")), "c:work"),
        (CHAT, (Message("a", SILENT),), "a:lead"),
        (CHAT, (said("b"),), "a:lead"),
        (CHAT, (said("a"), said("c")), "b:work"),
        (MANAGED, (), "a:lead"),
        (MANAGED, (said("a"),), "b:work c:work"),
        (MANAGED, (said("a", to=("b",)),), "b:work"),
        (MANAGED, (said("a"), said("c")), "b:work"),
        (MANAGED, (said("a"), said("c"), said("c")), "b:work"),
        (MANAGED, (said("a"), said("c"), said("b")), "a:lead"),
        (MANAGED, (said("a"), Message("c", SILENT), said("b")), "a:lead"),
        # Done before everybody had a turn: the others come first.
        (MANAGED, (done("a"),), "b:work c:work"),
        (MANAGED, (said("a", to=("b",)), said("b"), done("a")), "c:work"),
        (MACHINE, (), "a:work"),
        (MACHINE, (said("a"),), "b:work"),
        (MACHINE, (said("a"), said("b", "退回")), "a:work"),
        (MACHINE, (said("a"), said("b", "也许")), "b:work"),
        (MACHINE, (said("a"), said("b", "通过")), "a:report"),
        (MACHINE, (said("a"), Message("b", SILENT), Message("b", SILENT)), "a:report"),
        (MACHINE, (said("b", "通过"),), "a:work"),
        (REVIEWED, (said("a"), said("b", "通过")), "a:work"),
        (REVIEWED, (said("a"), said("b", "通过"), said("a")), "b:report"),
    ],
)
def test_whose_turn_it_is(group: Group, messages: tuple[Message, ...], next_turns: str) -> None:
    assert turns(after(group, *messages)) == next_turns


@pytest.mark.parametrize(
    ("group", "messages", "ended", "result"),
    [
        (CHAT, (done("a"),), Ended.DONE, "成果"),
        (CHAT, (said("a"), said("b"), said("c"), done("a")), Ended.DONE, "成果"),
        (CHAT, (Message("a", SILENT), Message("a", SILENT)), Ended.SILENT, ""),
        (MANAGED, (said("a"), said("b"), said("c"), done("a")), Ended.DONE, "成果"),
        (MANAGED, (said("a"), said("b"), Message("c", SILENT), done("a")), Ended.DONE, "成果"),
        (MANAGED, (done("a", "早了"), said("b"), said("c"), done("a")), Ended.DONE, "成果"),
        (MACHINE, (said("a"), said("b", "通过"), said("a")), Ended.DONE, "a 说"),
        (MACHINE, (said("a"), *[Message("b", SILENT)] * 2, done("a", "半成品")), Ended.SILENT, "半成品"),
        (MACHINE, (said("a"), said("b", "通过"), *[Message("a", SILENT)] * 2), Ended.SILENT, ""),
        (REVIEWED, (said("a"), said("b", "通过"), said("a"), done("b")), Ended.DONE, "成果"),
        (REVIEWED, (*[Message("a", SILENT)] * 2, done("b", "没写成")), Ended.SILENT, "没写成"),
    ],
)
def test_how_a_talk_ends(group: Group, messages: tuple[Message, ...], ended: Ended, result: str) -> None:
    talk = after(group, *messages)
    assert (talk.awaited, talk.ended, talk.result) == ((), ended, result)


def test_an_answer_in_between_makes_up_for_a_silence() -> None:
    talk = after(CHAT, Message("a", SILENT), said("a", to=("b",)), said("b"), Message("a", SILENT))
    assert (talk.ended, turns(talk)) == (None, "a:lead")


def test_the_end_without_a_role_is_over_when_the_reporter_reaches_it() -> None:
    states = "{一: {role: 甲, next: 二}, 二: {role: 乙, next: 完}, 完: {end: true}}"
    text = f"{{roles: {{甲: , 乙: }}, start: 一, states: {states}}}"
    members = (Member("a", "甲"), Member("b", "乙"))
    by_b = form_group(Formation(("b", "a"), CollabMode.STATE_MACHINE, members=members, definition_yaml=text), KNOWN)
    assert after(by_b, said("a"), said("b")).result == "b 说"
    by_a = form_group(Formation(("a", "b"), CollabMode.STATE_MACHINE, members=members, definition_yaml=text), KNOWN)
    assert turns(after(by_a, said("a"), said("b"))) == "a:report"
    assert after(by_a, said("a"), said("b"), done("a")).ended is Ended.DONE


def test_a_talk_that_takes_too_long_ends_with_a_last_word_of_the_reporter() -> None:
    messages = [said("a"), said("b", "退回")] * 6
    talk = after(MACHINE, *messages)
    assert (talk.turns, turns(talk), talk.ended) == (12, "a:report", None)
    over = step(MACHINE, talk, done("a", "写到第六稿"))
    assert (over.ended, over.result, over.awaited) == (Ended.EXHAUSTED, "写到第六稿", ())


def test_a_turn_says_what_it_is_about_and_what_may_come_of_it() -> None:
    assert after(MACHINE, said("a")).awaited == (
        Turn("b", Duty.WORK, "看是否答到点上。\n最后一行写结论。", ("通过", "退回")),
    )
    assert after(MANAGED, said("a", to=("b",))).awaited == (Turn("b", Duty.WORK, "看市场"),)


@pytest.mark.parametrize("group", [CHAT, MANAGED, MACHINE])
def test_a_message_out_of_turn_changes_nothing(group: Group) -> None:
    talk = begin(group)
    for forged in (done("b"), done("c"), done("x"), Message("", SILENT)):
        assert step(group, talk, forged) is talk


def test_nothing_follows_the_end() -> None:
    talk = after(CHAT, done("a"))
    assert step(CHAT, talk, done("a", "又来")) is talk


def test_a_result_is_bounded() -> None:
    assert len(after(CHAT, done("a", "长" * 30_000)).result) == 20_000


@pytest.mark.parametrize("group", [CHAT, MANAGED, MACHINE, REVIEWED])
@given(data=st.data())
def test_a_talk_always_ends_and_only_by_its_reporter(group: Group, data: st.DataObject) -> None:
    talk = begin(group)
    last = ""
    for _ in range(group.most_turns + 3):
        if talk.ended is not None:
            break
        last = data.draw(st.sampled_from([each.bot_id for each in talk.awaited]))
        word = data.draw(st.sampled_from(Word))
        outcome = data.draw(st.sampled_from(["", "通过", "退回", "别的"]))
        talk = step(group, talk, Message(last, word, "话", outcome=outcome))
        assert len({each.bot_id for each in talk.awaited}) == len(talk.awaited)
        assert (talk.ended is None) == bool(talk.awaited)
        assert msgspec.json.decode(msgspec.json.encode(talk), type=Talk) == talk
    assert talk.ended is not None
    assert last == group.reporter


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("稿子不错。\n通过", "通过"),
        ("理由若干\n结论：通过。\n\n", "通过"),
        ("**结论：** 退回", "退回"),
        ("result: 「退回」", "退回"),
        ("不通过", ""),
        ("通过\n还有一处要改", ""),
        ("通过还是退回，我再想想", ""),
        ("", ""),
    ],
)
def test_an_outcome_is_read_only_where_it_stands_alone_at_the_end(text: str, outcome: str) -> None:
    assert outcome_in(text, ("通过", "退回")) == outcome
