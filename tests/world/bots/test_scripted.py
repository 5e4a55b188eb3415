from __future__ import annotations

import pytest

from zhixing.world.bots.port import FAILED, Errand, NotSent, Receipt, Said, Unclear
from zhixing.world.bots.scripted import Line, ScriptedBot, ScriptedRemote

LINES = (Line("三千盏", "灯"), Line("不知道"))


def test_it_replies_the_first_line_that_fits():
    bot = ScriptedBot(LINES)
    errands = [Errand("a", "要多少灯"), Errand("b", "要多少船")]
    assert [bot.ask(each).content for each in errands] == ["三千盏", "不知道"]
    assert bot.errands == errands


def test_without_a_line_it_has_failed():
    assert ScriptedBot().ask(Errand("a", "x")) == Said("", FAILED, "no_line")


def test_faults_come_first():
    bot = ScriptedBot(LINES, [NotSent("unreachable"), Unclear("no_answer")])
    bot.then(Said("坏了", FAILED, "broken"))
    with pytest.raises(NotSent):
        bot.ask(Errand("a", "x"))
    with pytest.raises(Unclear):
        bot.ask(Errand("a", "x"))
    assert bot.ask(Errand("a", "x")).error == "broken"
    assert bot.ask(Errand("a", "x")) == Said("不知道")


def test_a_remote_does_an_errand_once():
    bot = ScriptedRemote(LINES, looks=1)
    errand = Errand("a", "灯")
    assert bot.whereabouts(errand) == "not_sent"
    receipt = bot.send(errand)
    assert bot.send(errand) == bot.whereabouts(errand) == receipt
    assert len(bot.errands) == 1
    assert bot.collect(receipt) is None
    assert bot.collect(receipt) == Said("三千盏")


def test_a_remote_that_was_stopped_has_failed():
    bot = ScriptedRemote(LINES, looks=9)
    receipt = bot.send(Errand("a", "灯"))
    bot.stop(receipt)
    assert bot.collect(receipt) == Said("", FAILED, "stopped")
    assert bot.stopped == [receipt.run_id]
    assert bot.collect(Receipt("other")).error == "run_unknown"


def test_a_remote_that_was_not_sent_it_has_not_got_it():
    bot = ScriptedRemote(LINES, [NotSent("unreachable")])
    with pytest.raises(NotSent):
        bot.send(Errand("a", "灯"))
    assert bot.whereabouts(Errand("a", "灯")) == "not_sent"
