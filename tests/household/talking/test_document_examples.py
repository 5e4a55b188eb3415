"""The nine examples of document 000, said as they stand there, answered, and lived through for several days.

What cameras see and what has to come of it are the days of `tests/household/days`: the same as for the commands.
"""

from __future__ import annotations

import re

import pytest
from tests.household.test_document_examples import END, NUMBERS, read_day

from zhixing.household.talking.talk import TalkState

SAID = {
    1: ("家里有人摔倒就报警", "A"),
    2: ("起床后自动开窗帘",),
    3: ("明天 9 点提醒吃药",),
    4: ("今天喝够 8 杯水提醒", "B"),
    5: ("每天累计玩手机超 1 小时提醒", "B"),
    6: ("客厅没人就关灯",),
    7: ("久坐 30 分钟提醒一下", "B"),
    8: ("妈妈回家就播放欢迎曲",),
    9: ("提醒我每天喝 8 杯水", "妈妈", "B"),
}
DEVICES = {"light_living": "light_living", "curtain_living": "curtain_bedroom"}
"""The devices of the commands, and those that the sentences choose: the first curtain there is."""


def without_words(rows: list[str]) -> list[tuple[str, str]]:
    """Return instant and channel: what is said is worded from the sentence, not from the document's command."""
    return [(row[:14], row.split()[2]) for row in rows]


@pytest.mark.parametrize("live_in", ["in one go"], indirect=True)
@pytest.mark.parametrize("number", NUMBERS)
def test_a_sentence_does_what_the_document_says(live_in, number) -> None:
    day = read_day(number)
    life = live_in()
    talk = life.say(*SAID[number])
    assert talk.state is TalkState.DONE, talk
    (slug,) = talk.tasks
    script = re.sub(rf"\b{day.slug}\b", slug, day.script)
    life.play(script, until=END)
    assert [row for row in life.books(slug) if "到期" not in row] == [row for row in day["books"] if "到期" not in row]
    assert without_words(life.told()) == without_words(day["told"])
    assert [row.split()[3:] for row in life.ends()] == [row.split()[3:] for row in day["ends"]]
    if not day["ends"] and day["days"]:
        assert life.days(slug) == day["days"]
    for commanded, did in DEVICES.items():
        if commanded in day.expected:
            assert [row[:14] for row in life.commands(did)] == [row[:14] for row in day[commanded]]
