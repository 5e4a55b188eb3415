from __future__ import annotations

import pytest

from zhixing.household.talking.answers import read_answer
from zhixing.kernel.errors import BadInput
from zhixing.kernel.questions import Option, Question


def ask(kind: str, *labels: str) -> Question:
    return Question(kind, f"{kind}？", tuple(Option("ABCDEFG"[i], label) for i, label in enumerate(labels)), "s1", 1)


CHANNEL = ask("channel", "音箱播报", "手机推送", "AI 对话")
FREQUENCY = ask("trigger_frequency", "每次都提醒", "隔一段时间才提醒（默认 30 分钟以上）")
EXPIRY = ask("expiry")
WHICH = Question(
    "which_task", "哪个？", (Option("久坐 30 分钟提醒", "久坐 30 分钟提醒"), Option("喝水", "喝水")), "s1", 1
)


@pytest.mark.parametrize(
    ("questions", "words", "values"),
    [
        ((CHANNEL,), "A", {"channel": "A"}),
        ((CHANNEL,), "b", {"channel": "B"}),
        ((CHANNEL,), "选C吧", {"channel": "C"}),
        ((CHANNEL,), "我选 A。", {"channel": "A"}),
        ((CHANNEL,), "Ａ", {"channel": "A"}),
        ((CHANNEL,), "手机", {"channel": "B"}),
        ((CHANNEL,), "2", {"channel": "B"}),
        ((CHANNEL,), "３", {"channel": "C"}),
        ((WHICH,), "2", {"which_task": "喝水"}),
        ((CHANNEL,), "\u200bA\u200b", {"channel": "A"}),
        ((CHANNEL,), "\u202e手机\ufeff", {"channel": "B"}),
        ((CHANNEL,), "用音箱播报吧", {"channel": "A"}),
        ((CHANNEL,), "在对话里说", {"channel": "C"}),
        ((CHANNEL,), "手机推送", {"channel": "B"}),
        ((CHANNEL, FREQUENCY), "A B", {"channel": "A", "trigger_frequency": "B"}),
        ((CHANNEL, FREQUENCY), "1A 2B", {"channel": "A", "trigger_frequency": "B"}),
        ((CHANNEL, FREQUENCY), "1.A，2.B", {"channel": "A", "trigger_frequency": "B"}),
        ((CHANNEL, FREQUENCY), "手机，每次都提醒", {"channel": "B", "trigger_frequency": "A"}),
        ((CHANNEL, FREQUENCY), "A", {"channel": "A"}),
        ((EXPIRY,), "到八月底", {"expiry": "到八月底"}),
        ((WHICH,), "B", {"which_task": "喝水"}),
        ((WHICH,), "喝水那个", {"which_task": "喝水"}),
        ((WHICH,), "久坐", {"which_task": "久坐 30 分钟提醒"}),
    ],
)
def test_an_answer_is_read_against_what_is_open(questions, words, values) -> None:
    answered = read_answer(questions, words)
    assert dict(answered.values) == values
    assert not answered.called_off


@pytest.mark.parametrize("words", ["取消", "算了", "不用了", "先不建了", "取消吧。"])
def test_it_can_be_called_off_at_any_question(words) -> None:
    assert read_answer((CHANNEL, FREQUENCY), words).called_off


@pytest.mark.parametrize(
    ("questions", "words"),
    [
        ((CHANNEL,), ""),
        ((CHANNEL,), "　"),
        ((CHANNEL,), "D"),
        ((CHANNEL,), "0"),
        ((CHANNEL,), "4"),
        ((CHANNEL,), "9" * 200),
        ((CHANNEL, FREQUENCY), "1"),
        ((CHANNEL,), "\u200b"),
        ((CHANNEL,), "\x00"),
        ((CHANNEL,), "A" * 200),
        ((CHANNEL,), "1A " * 60),
        ((CHANNEL,), "A B"),
        ((CHANNEL,), "随便"),
        ((CHANNEL,), "微信"),
        ((CHANNEL,), "音箱和手机"),
        ((CHANNEL, FREQUENCY), "B C"),
        ((WHICH,), "。"),
    ],
)
def test_words_that_answer_nothing_get_one_line_with_the_question(questions, words) -> None:
    with pytest.raises(BadInput, match="？") as refused:
        read_answer(questions, words)
    assert "\n" not in str(refused.value)
