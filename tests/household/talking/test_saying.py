"""The one door: a sentence is said, and becomes a notice or a talk; again with its key, it changes nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from zhixing import say as door
from zhixing.household.talking.talk import Talk, TalkState
from zhixing.kernel.errors import Unavailable
from zhixing.notices.model import Entry, Source, Submission
from zhixing.notices.notice import Notice
from zhixing.world.devices.virtual import VirtualHome


def said(home: Any, text: str, key: str | None = None, source: Source = Source.DIRECT, **more: Any) -> Notice | Talk:
    at = more.pop("at", home.clock.now())
    entry, sent_on = more.pop("entry", Entry.SCHEDULE), more.pop("sent_on", None)
    submission = Submission(text, source, at, "Asia/Shanghai", sent_on, entry)
    return door.say(home.app.ways, submission, who="test", key=key, **more)


def test_a_sentence_goes_its_way(talking) -> None:
    home = talking()
    assert isinstance(said(home, "明晚九点提醒我交表"), Notice)
    assert isinstance(said(home, "客厅没人就关灯"), Talk)


@pytest.mark.parametrize("first", ["明晚九点提醒我交表", "客厅没人就关灯"])
def test_a_key_belongs_to_the_first_sentence_whatever_comes_with_it(talking, first) -> None:
    home = talking()
    kept = said(home, first, "k")
    for text in ("明晚九点提醒我交表", "客厅没人就关灯"):
        assert said(home, text, "k") == kept
    assert len(home.slugs) <= 1


def test_what_was_pasted_noted_or_dated_is_no_wish_of_somebody_at_home(talking) -> None:
    home = talking()
    text = "客厅没人就关灯"
    assert isinstance(said(home, text, source=Source.PASTE), Notice)
    assert isinstance(said(home, text, entry=Entry.NOTE), Notice)
    assert isinstance(said(home, text, sent_on=home.clock.now().date()), Notice)
    assert isinstance(said(home, text, source=Source.VOICE), Talk)


def test_the_instant_at_which_it_was_said_is_the_reference(talking) -> None:
    home = talking()
    talk = said(home, "今天久坐30分钟提醒一下", at=home.clock.now() - timedelta(days=2))
    assert isinstance(talk, Talk)
    late = home.app.talks.answer(talk.id, "A", who="test")
    assert (late.state, late.why) == (TalkState.REFUSED, "past")


def test_the_cameras_of_the_room_are_those_that_look(talking) -> None:
    home = talking()
    talk = said(home, "没人就关灯", sources=["cam_kids"])
    assert isinstance(talk, Talk)
    assert talk.sources == ("cam_kids",)
    if talk.state is TalkState.DONE:
        (rule,) = home.app.household.get(talk.tasks[0]).rules
        assert rule.plan.trigger.sources == ("cam_kids",)


class Away:
    """A home that cannot be reached while it is `away`."""

    def __init__(self, hub: VirtualHome) -> None:
        self._hub = hub
        self.away = True

    def __getattr__(self, name: str) -> Any:
        if self.away:
            raise Unavailable("homeassistant_unreachable", why="关机了")
        return getattr(self._hub, name)


def test_while_the_home_is_away_everything_is_kept_and_notices_are_understood(talking) -> None:
    home = talking()
    hub = home.reopen_with_hub(Away)
    notice, talk = said(home, "明晚九点提醒我交表"), said(home, "客厅没人就关灯")
    assert isinstance(notice, Notice)
    assert notice.planned
    assert isinstance(talk, Talk)
    assert talk.state is TalkState.KEPT
    home.run(timedelta(hours=3))
    assert home.app.talks.get(talk.id).state is TalkState.KEPT
    hub.away = False
    home.run(timedelta(minutes=2))
    assert home.app.talks.get(talk.id).state is TalkState.DONE
