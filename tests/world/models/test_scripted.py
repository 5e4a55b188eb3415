from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest

from zhixing.world.models.exchange import Said
from zhixing.world.models.failures import ModelGarbled, ModelUnavailable, Why
from zhixing.world.models.port import Prompt, Text
from zhixing.world.models.scripted import FunctionModel, ScriptedModel
from zhixing.world.models.usage import Prices, Tokens


def test_the_script_is_followed_and_every_prompt_remembered(clock, prompt, picture, good):
    away = ModelUnavailable(Why.UNREACHABLE)
    model = ScriptedModel(clock, [away, good])

    with pytest.raises(ModelUnavailable):
        model.ask(picture)

    assert model.ask(prompt).value == good
    assert model.asked == [picture, prompt]


def test_a_script_that_is_used_up_is_a_mistake_and_not_an_outage(clock, prompt):
    with pytest.raises(LookupError):
        ScriptedModel(clock).ask(prompt)


def test_what_a_repair_complained_about_is_remembered(clock, prompt, good):
    model = ScriptedModel(clock, ["我看不懂。"])
    model.then(good)

    model.ask(prompt)

    assert model.complaints == ["回答里没有 JSON 对象"]
    assert model.asked == [prompt]


def test_a_function_answers_what_it_is_asked(clock, shape):
    def echo(asked: Prompt) -> dict[str, object]:
        (part,) = asked.parts
        assert isinstance(part, Text)
        return {"title": part.text, "day": None}

    model = FunctionModel(echo, clock)

    assert model.ask(Prompt("", (Text("买菜"),), shape)).value["title"] == "买菜"
    assert model.ask(Prompt("", (Text("浇花"),), shape)).value["title"] == "浇花"


def test_a_function_that_is_wrong_twice_is_garbled(clock, prompt):
    model = FunctionModel(lambda _: {"title": "少了日期"}, clock)

    with pytest.raises(ModelGarbled):
        model.ask(prompt)
    assert len(model.complaints) == 1


def test_time_passes_while_a_twin_thinks_when_its_function_lets_it(clock, prompt, good):
    def slowly(_prompt: Prompt) -> dict[str, object]:
        clock.advance(timedelta(seconds=9))
        return good

    assert FunctionModel(slowly, clock).ask(prompt).elapsed == timedelta(seconds=9)


def test_a_twin_costs_what_its_prices_say(clock, prompt):
    spent = []
    words = Said('{"title": "x", "day": null}', Tokens(10, 5))
    prices = Prices(Decimal(1), Decimal(2))
    ScriptedModel(clock, [words], prices=prices, on_usage=spent.append).ask(prompt)

    assert [each.cost for each in spent] == [20]
