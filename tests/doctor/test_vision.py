"""What the doctor says about looking; it looks at no camera itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from zhixing.doctor import Finding, State, check_vision
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import zone as find_zone
from zhixing.settings import home_zone, load
from zhixing.store.opening import open_store
from zhixing.world.models.counting import Counting
from zhixing.world.models.usage import Outcome, Spent, Tokens

MODEL = '[model]\nbase_url = "https://h.example/v1"\ntext = "words"\nvision = "eyes"\n'
CAMERA = '[vision.cameras.cam_living]\nurl = "http://127.0.0.1:1/a.jpg"\n'
ZONE = home_zone("Asia/Shanghai", {})


@pytest.fixture
def told(tmp_path: Path, home, clock: ManualClock):
    """Say what is found with a text of settings."""

    def tell(text: str) -> list[Finding]:
        (tmp_path / "config.toml").write_text(text, encoding="utf-8")
        settings = load(tmp_path, {}).settings
        return list(check_vision(settings, home.url, open_store, clock, ZONE))

    return tell


def test_without_cameras_it_says_what_judges_instead_and_how_to_set_one(told) -> None:
    (finding,) = told("")
    assert finding.state is State.MISSING
    assert "vision.cameras" in finding.how_to_fix


def test_cameras_without_a_model_that_sees_are_no_use(told) -> None:
    for model in ("", MODEL.replace('vision = "eyes"\n', "")):
        (finding,) = told(model + CAMERA)
        assert finding.state is State.BROKEN
        assert "model.vision" in finding.how_to_fix


def test_what_the_model_was_asked_today_is_told(told, home, clock: ManualClock) -> None:
    count(home, clock, 3)
    (finding,) = told(MODEL + CAMERA)
    assert (finding.state, finding.says) == (State.OK, "1 个摄像头，今天问了 3 次")


@pytest.mark.parametrize(
    ("budget", "says"), [("per_day = 3", "今天看图的次数用完了"), ("cost_per_day = 1.5", "今天看图的花费到上限了")]
)
def test_a_budget_that_is_used_up_is_told(told, home, clock: ManualClock, budget: str, says: str) -> None:
    count(home, clock, 3)
    (finding,) = told(f"{MODEL}[vision]\n{budget}\n{CAMERA}")
    assert finding.state is State.MISSING
    assert says in finding.says
    assert "vision.per_day" in finding.how_to_fix


def test_places_that_pictures_cannot_come_from_are_told(told, tmp_path: Path) -> None:
    wrong = told(
        f'{MODEL}[vision.cameras.a]\nurl = "http://me:hunter2@cam/"\n'
        f'[vision.cameras.b]\nfolder = "{tmp_path}/none"\n[vision.cameras.c]\nfolder = "{tmp_path}"\n'
    )
    assert [finding.state for finding in wrong] == [State.BROKEN, State.BROKEN, State.OK]
    assert "「a」" in wrong[0].says
    assert "hunter2" not in wrong[0].says
    assert wrong[1].says == f"b：打不开文件夹 {tmp_path}/none。"


def count(home, clock: ManualClock, calls: int) -> None:
    counting = Counting(home.store, find_zone(ZONE.name))
    for _ in range(calls):
        counting(Spent("eyes", clock.now(), Outcome.ANSWERED, Tokens(900, 40), 500_000))
    counting(Spent("words", clock.now(), Outcome.ANSWERED, Tokens(900, 40), 500_000))
