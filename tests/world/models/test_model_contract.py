"""What every model promises, over the scripted twin and over the real thing against a real server."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from zhixing.kernel.wording import LANGUAGES
from zhixing.world.models.chat import ChatModel
from zhixing.world.models.exchange import Said
from zhixing.world.models.failures import ModelFailure, ModelGarbled, ModelRefused, ModelUnavailable, Why
from zhixing.world.models.port import Model, Prompt, Text
from zhixing.world.models.scripted import ScriptedModel
from zhixing.world.models.usage import Outcome, Spent, Tokens

ONE_CALL = Tokens(read=100, written=20)


class TwinSide:
    """The twin's other side."""

    def __init__(self, clock) -> None:
        self.spent: list[Spent] = []
        self.twin = ScriptedModel(clock, on_usage=self.spent.append)
        self.model: Model = self.twin
        self.blind: Model = ScriptedModel(clock, sees=False)

    def says(self, content: Any) -> None:
        self.twin.then(content)

    def runs_out_of_room(self) -> None:
        self.twin.then(Said('{"title": "交', ONE_CALL, whole=False))

    def is_away(self) -> None:
        self.twin.then(ModelUnavailable(Why.SERVER_FAILED, "503"))

    def refuses(self) -> None:
        self.twin.then(ModelRefused(Why.KEY, "401"))


class ChatSide:
    """The other side of a real one."""

    def __init__(self, clock, provider) -> None:
        self.spent: list[Spent] = []
        self._provider = provider
        self.model: Model = ChatModel(provider.url, "m-text", clock, vision="m-vision", on_usage=self.spent.append)
        self.blind: Model = ChatModel(provider.url, "m-text", clock)

    def says(self, content: Any) -> None:
        self._provider.says(content)

    def runs_out_of_room(self) -> None:
        self._provider.says('{"title": "交', finish="length")

    def is_away(self) -> None:
        for _ in range(4):
            self._provider.refuses(503)

    def refuses(self) -> None:
        self._provider.refuses(401)


@pytest.fixture(params=["scripted", "chat"])
def side(request, clock, provider):
    return TwinSide(clock) if request.param == "scripted" else ChatSide(clock, provider)


def misread(value: dict[str, Any]) -> str:
    return "" if value["day"] else "day 应照抄原文里的日期"


def in_chinese(value: dict[str, Any]) -> str:
    return "" if any("\u4e00" <= character <= "\u9fff" for character in value["title"]) else "title 要用中文"


def test_a_reply_is_the_value_that_was_asked_for(side, prompt, good):
    side.says(good)

    reply = side.model.ask(prompt)

    assert reply.value == good
    assert json.loads(reply.text) == good
    assert reply.tokens == ONE_CALL
    assert reply.model
    assert not reply.was_repaired


def test_without_a_shape_the_words_themselves_are_the_reply(side, prompt):
    side.says("今天没有通知。")

    reply = side.model.ask(replace(prompt, shape=None))

    assert (reply.text, reply.value) == ("今天没有通知。", {})


def test_an_image_can_be_asked_about(side, picture, good):
    side.says(good)

    assert side.model.sees
    assert side.model.ask(picture).value == good


def test_without_a_model_for_images_an_image_is_refused_until_somebody_configures_one(side, picture):
    assert not side.blind.sees
    with pytest.raises(ModelRefused) as refused:
        side.blind.ask(picture)

    assert refused.value.why is Why.NO_VISION
    assert not refused.value.concerns_prompt


@pytest.mark.parametrize(
    "said",
    [
        '好的，结果如下：\n{"title": "交化学作业", "day": "10月12日"}\n希望有帮助！',
        '```json\n{"title": "交化学作业", "day": "10月12日"}\n```',
        '{"title": "交化学作业", "day": "10月12日",}',
        '<think>要不要写 {"title": "?"}？</think>{"title": "交化学作业", "day": "10月12日"}',
    ],
)
def test_what_leaves_no_doubt_needs_no_repair(side, prompt, good, said):
    side.says(said)

    reply = side.model.ask(prompt)

    assert reply.value == good
    assert not reply.was_repaired


BAD = [
    ('{"title": "交化学', Why.UNREADABLE),
    ("我看不懂这个通知。", Why.UNREADABLE),
    ('{"title": "交作业", "title": "交化学作业", "day": null}', Why.UNREADABLE),
    ('{"title": "交化学作业"}', Why.MISSHAPEN),
    ('{"title": 7, "day": null}', Why.MISSHAPEN),
    ('{"items": []}', Why.MISSHAPEN),
    ("", Why.EMPTY),
    (" \n", Why.EMPTY),
]


@pytest.mark.parametrize(("said", "_why"), BAD)
def test_a_bad_reply_may_be_repaired_once_and_both_are_paid_for(side, prompt, good, said, _why):
    side.says(said)
    side.says(good)

    reply = side.model.ask(prompt)

    assert reply.value == good
    assert reply.was_repaired
    assert reply.tokens == ONE_CALL + ONE_CALL


@pytest.mark.parametrize(("said", "why"), BAD)
def test_a_reply_that_is_bad_twice_is_garbled(side, prompt, said, why):
    side.says(said)
    side.says(said)

    with pytest.raises(ModelGarbled) as garbled:
        side.model.ask(prompt)

    assert garbled.value.why is why
    assert garbled.value.complaint


def test_the_askers_own_check_is_worth_one_repair_too(side, prompt, good):
    side.says({**good, "day": None})
    side.says(good)

    reply = side.model.ask(prompt, misread)

    assert reply.value == good
    assert reply.was_repaired


def test_the_check_and_the_shape_share_the_one_repair(side, prompt, good):
    side.says('{"title": "交化学作业"}')
    side.says({**good, "day": None})

    with pytest.raises(ModelGarbled) as garbled:
        side.model.ask(prompt, misread)

    assert garbled.value.why is Why.UNCONVINCING
    assert garbled.value.complaint == "day 应照抄原文里的日期"


def test_what_a_check_complains_about_is_told_on_one_bounded_line(side, prompt, good):
    for _ in range(2):
        side.says(good)

    with pytest.raises(ModelGarbled) as garbled:
        side.model.ask(prompt, lambda _: "依据不在原文里：\n" + "x" * 5_000)

    assert garbled.value.complaint.startswith("依据不在原文里：⏎x")
    assert len(garbled.value.complaint) == 1_000


def test_a_reply_in_the_wrong_language_is_what_the_check_says_it_is(side, prompt):
    for _ in range(2):
        side.says({"title": "Hand in chemistry homework", "day": "10月12日"})

    with pytest.raises(ModelGarbled) as garbled:
        side.model.ask(prompt, in_chinese)

    assert garbled.value.why is Why.UNCONVINCING


def test_the_check_never_sees_a_value_of_another_shape(side, prompt, good):
    seen = []
    side.says('{"day": "10月12日"}')
    side.says(good)

    side.model.ask(prompt, lambda value: seen.append(value) or "")

    assert seen == [good]


def test_what_ran_out_of_room_is_garbled_and_not_asked_for_again(side, prompt):
    side.runs_out_of_room()

    with pytest.raises(ModelGarbled) as garbled:
        side.model.ask(prompt)

    assert garbled.value.why is Why.TRUNCATED
    assert len(side.spent) == 1


def test_somebody_who_is_away_is_asked_again_later(side, prompt, good):
    side.is_away()
    with pytest.raises(ModelUnavailable):
        side.model.ask(prompt)
    side.says(good)

    assert side.model.ask(prompt).value == good


def test_who_refuses_is_told_apart_from_who_is_away(side, prompt):
    side.refuses()

    with pytest.raises(ModelRefused) as refused:
        side.model.ask(prompt)

    assert refused.value.why is Why.KEY
    assert not isinstance(refused.value, ModelUnavailable)
    assert len(side.spent) == 1


def test_a_repair_can_fail_like_a_question(side, prompt):
    side.says("我看不懂。")
    side.refuses()

    with pytest.raises(ModelRefused):
        side.model.ask(prompt)


def test_every_call_is_counted_with_what_became_of_it(side, prompt, good, clock):
    side.says("我看不懂。")
    side.says(good)
    side.model.ask(prompt)
    side.refuses()
    with pytest.raises(ModelRefused):
        side.model.ask(prompt)

    assert [spent.outcome for spent in side.spent] == [Outcome.GARBLED, Outcome.ANSWERED, Outcome.FAILED]
    assert [spent.tokens for spent in side.spent] == [ONE_CALL, ONE_CALL, Tokens()]
    assert {spent.at for spent in side.spent} == {clock.now()}
    assert {spent.cost for spent in side.spent} == {None}


def failing(side, prompt: Prompt, scene: Callable[[], None]) -> ModelFailure:
    scene()
    with pytest.raises(ModelFailure) as failure:
        side.model.ask(prompt, misread)
    return failure.value


@pytest.mark.parametrize("does", ["is_away", "refuses", "runs_out_of_room"])
def test_whatever_went_wrong_has_one_line_and_advice_in_both_languages(side, prompt, does):
    failure = failing(side, prompt, getattr(side, does))

    assert str(failure) == failure.text("zh")
    for language in LANGUAGES:
        for line in (failure.text(language), failure.how_to_fix(language)):
            assert line
            assert "\n" not in line


def test_neither_the_prompt_nor_the_reply_is_in_an_error_or_a_repr(side, shape):
    secret = Prompt("系统机密", (Text("通知机密"),), shape)
    side.says({"title": "回答机密", "day": "x"})
    told = repr(secret) + repr(side.model.ask(secret))
    for _ in range(2):
        side.says({"title": "回答机密", "day": None})
    with pytest.raises(ModelGarbled) as garbled:
        side.model.ask(secret, misread)

    assert "机密" not in told + str(garbled.value) + repr(garbled.value) + repr(side.model)


def test_several_threads_may_ask_at_once(side, prompt, good):
    for _ in range(8):
        side.says(good)
    values = []
    threads = [threading.Thread(target=lambda: values.append(side.model.ask(prompt).value)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert values == [good] * 8
