from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import BadInput
from zhixing.settings import load, put
from zhixing.settings.endpoint import build_model
from zhixing.settings.model import Model


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
