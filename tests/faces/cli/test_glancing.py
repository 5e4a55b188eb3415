"""home look, and a server that looks: the whole way from a camera to a rule."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from tests.faces.cli.test_serving import Served
from tests.household.watching import eyes
from tests.household.watching.eyes import Network, always, judgements, png

NOBODY = "画面中无人"


@pytest.fixture
def network() -> Iterator[Network]:
    with eyes.running() as network:
        network.shows["cam_living"] = png(10)
        yield network


@pytest.fixture
def looking(terminal, plan_of, network: Network):
    """Give a terminal in whose home the living room is watched and can be seen."""
    terminal.home.mkdir(parents=True)
    (terminal.home / "config.toml").write_text(
        f'[model]\nbase_url = "{network.model}"\ntext = "words"\nvision = "eyes"\n[vision]\ninterval = 2\nhold = 0\n'
        f'[vision.cameras.cam_living]\nurl = "{network.camera("cam_living")}"\n',
        encoding="utf-8",
    )
    terminal("apply", "-", stdin=json.dumps(plan_of("living_room_off")).encode())
    return terminal


@pytest.mark.parametrize("camera", ["cam_living", "客厅摄像头"])
def test_a_look_says_what_the_model_makes_of_each_condition(looking, network: Network, camera: str) -> None:
    network.judge = lambda question: judgements(dict.fromkeys(question.conditions, True), "沙发\n空着")
    lines = looking("home", "look", camera).lines
    assert lines[0].startswith("客厅摄像头 · ")
    assert lines[1:] == ["  画面中无人", "    成立：沙发⏎空着"]
    # No rule heard of it.
    assert looking("logs", "living_room_off", "--json").json["counts"] == {}


def test_a_program_gets_the_same(looking, network: Network) -> None:
    network.judge = always("unknown")
    said = looking("home", "look", "cam_living", "--json").json
    assert (said["did"], said["mediaType"], said["bytes"]) == ("cam_living", "image/png", len(png(10)))
    assert said["judgements"] == [{"condition": NOBODY, "value": None, "reason": "看到了"}]


def test_what_stands_in_the_way_is_one_line(looking, network: Network) -> None:
    network.shows["cam_living"] = 503
    assert "HTTP 503" in looking.refused("home", "look", "cam_living", code=2)
    network.shows["cam_living"] = png(1)
    network.judge = lambda _question: (401, {})
    assert "密钥" in looking.refused("home", "look", "cam_living", code=2)
    looking("home", "camera", "cam_living", "off")
    assert "没有启用" in looking.refused("home", "look", "cam_living")
    assert "cam_living" in looking.refused("home", "look", "cam_nowhere")


def test_without_a_camera_or_a_model_it_says_what_to_set(terminal) -> None:
    assert "model.vision" in terminal.refused("home", "look", "cam_living")


def test_a_server_looks_until_it_is_stopped(looking, network: Network) -> None:
    network.judge = always(True)
    served = Served({"PATH": "/usr/bin:/bin", **looking.env})
    try:
        assert network.answered.acquire(timeout=60)
        assert network.answered.acquire(timeout=60)
        code, out, err = served.stop()
    finally:
        served.kill()
    assert (code, err) == (0, ""), out
    counted = looking("usage", "--json").json
    assert counted["total"]["calls"] >= 2
