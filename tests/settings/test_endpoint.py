from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import BadInput
from zhixing.settings import load, put
from zhixing.settings.endpoint import build_model
from zhixing.settings.model import Model
from zhixing.world.models.chat import Patience
from zhixing.world.models.failures import ModelUnavailable
from zhixing.world.models.port import Prompt, Text
from zhixing.world.models.usage import Spent


@pytest.mark.parametrize("model", [Model(), Model(text="m-1"), Model(base_url="https://h.example/v1", vision="m-2")])
def test_without_an_address_and_a_name_there_is_no_model(clock: ManualClock, model: Model) -> None:
    assert build_model(model, clock) is None


def test_the_model_of_the_settings_is_made_without_showing_its_secrets(tmp_path: Path, clock: ManualClock) -> None:
    put(tmp_path, "model.base_url", "https://h.example/path-password/v1")
    put(tmp_path, "model.text", "m-1")
    put(tmp_path, "model.key", "hunter2")
    model = build_model(load(tmp_path, {}).settings.model, clock)
    assert model is not None
    assert repr(model) == "ChatModel('m-1', vision='')"
    assert not model.sees


def test_with_a_name_for_images_it_sees(clock: ManualClock) -> None:
    model = build_model(Model(base_url="https://h.example/v1", text="m-1", vision="m-2"), clock)
    assert model is not None
    assert model.sees


def test_a_key_that_cannot_be_sent_is_refused_at_once(clock: ManualClock) -> None:
    with pytest.raises(BadInput):
        build_model(Model(base_url="https://h.example/v1", text="m-1", key=SecretStr("密钥")), clock)


def test_prices_are_set_one_by_one_under_the_name_of_the_model(tmp_path: Path) -> None:
    put(tmp_path, "model.prices.m-1.input", "2.5")
    put(tmp_path, "model.prices.m-1.output", "10")
    price = load(tmp_path, {}).settings.model.prices["m-1"]
    assert (price.input, price.output, price.cached) == (2.5, 10.0, None)


def test_the_name_of_a_priced_model_may_have_dots_and_slashes(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[model.prices."house/m-1.5"]\ninput = 2\ncached = 0.5\n', encoding="utf-8")
    configuration = load(tmp_path, {})
    assert configuration.settings.model.prices["house/m-1.5"].cached == 0.5
    assert "model.prices.house/m-1.5.cached" in {row.key for row in configuration.shown()}


@pytest.mark.parametrize(("value", "says"), [("-1", "0"), ("free", "数字"), ("nan", "model.prices")])
def test_a_price_is_a_number_from_nothing_up(tmp_path: Path, value: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        put(tmp_path, "model.prices.m-1.input", value)


def test_a_call_costs_what_the_settings_say(tmp_path: Path, clock: ManualClock) -> None:
    put(tmp_path, "model.base_url", "http://127.0.0.1:9/v1")
    put(tmp_path, "model.text", "m-1")
    put(tmp_path, "model.prices.m-1.input", "2.5")
    spent: list[Spent] = []
    model = build_model(load(tmp_path, {}).settings.model, clock, on_usage=spent.append, patience=Patience(tries=1))
    assert model is not None
    with pytest.raises(ModelUnavailable):
        model.ask(Prompt("s", (Text("t"),)))
    assert [(one.model, one.cost) for one in spent] == [("m-1", 0)]
