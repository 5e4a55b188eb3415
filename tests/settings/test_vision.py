"""The cameras and terms of looking, as the settings name them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.household.watching.eyes import png

from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import BadInput
from zhixing.settings import load, put
from zhixing.settings.model import Vision
from zhixing.settings.vision import build_snapshots, terms_of, watched_cameras
from zhixing.world.perception.snapshots import SnapshotFailed


def written(home: Path, text: str) -> Vision:
    (home / "config.toml").write_text(text, encoding="utf-8")
    return load(home, {}).settings.vision


def test_nobody_is_looked_at_unless_named(tmp_path: Path) -> None:
    assert watched_cameras(written(tmp_path, "")) == ()


def test_a_camera_goes_by_its_name_or_by_the_id_that_is_given(tmp_path: Path, clock: ManualClock) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "a.png").write_bytes(png(1))
    wanted = written(
        tmp_path,
        f'[vision.cameras.cam_living]\nfolder = "{folder}"\n[vision.cameras.porch]\ndid = "camera.porch"\n',
    )
    assert watched_cameras(wanted) == ("cam_living", "camera.porch")
    snapshots = build_snapshots(wanted, clock)
    assert snapshots.snapshot("cam_living").data == png(1)
    with pytest.raises(SnapshotFailed):
        snapshots.snapshot("camera.porch")


def test_cameras_are_set_one_by_one_and_their_secrets_are_not_shown(tmp_path: Path) -> None:
    put(tmp_path, "vision.cameras.cam_living.url", "http://192.168.1.20/hunter2.jpg")
    put(tmp_path, "vision.cameras.cam_living.password", "hunter2")
    put(tmp_path, "vision.interval", "30")
    put(tmp_path, "vision.cost_per_day", "1.5")
    configuration = load(tmp_path, {})
    assert terms_of(configuration.settings.vision).interval == 30
    assert terms_of(configuration.settings.vision).cost_per_day == 1_500_000
    shown = {row.key: str(row.value) for row in configuration.shown()}
    assert shown["vision.cameras.cam_living.url"] == "http://192.168.1.20/******"
    assert "hunter2" not in " ".join(shown.values())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('url = "http://a/"\nfolder = "/b"', "folder"),
        ('url = "rtsp://a/"', "http://"),
        ('ur = "http://a/"', "url"),
    ],
)
def test_what_is_wrong_with_a_camera_is_told(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BadInput) as refused:
        written(tmp_path, f"[vision.cameras.cam]\n{text}\n")
    assert says in str(refused.value)


def test_an_address_with_a_password_in_it_names_the_camera_and_not_the_password(
    tmp_path: Path, clock: ManualClock
) -> None:
    wanted = written(tmp_path, '[vision.cameras.cam_living]\nurl = "http://me:hunter2@a/"\n')
    with pytest.raises(BadInput) as refused:
        build_snapshots(wanted, clock)
    assert "cam_living" in str(refused.value)
    assert "hunter2" not in str(refused.value)
