"""Where pictures come from: addresses and folders, and what is no picture."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.household.watching import eyes
from tests.household.watching.eyes import Network, png

from zhixing.kernel.clock import ManualClock, SystemClock
from zhixing.kernel.errors import BadInput
from zhixing.kernel.wording import LANGUAGES
from zhixing.world.perception.frames import read_frame
from zhixing.world.perception.snapshots import LARGEST_SNAPSHOT, NoPicture, SnapshotFailed
from zhixing.world.vision import folders
from zhixing.world.vision.cameras import ByCamera, words_of
from zhixing.world.vision.folders import FolderSnapshots
from zhixing.world.vision.urls import UrlSnapshots

NOW = datetime(2026, 10, 12, 2, tzinfo=UTC)
JPEG = b"\xff\xd8\xff\xe0" + b"\0" * 64 + b"\xff\xd9"
WEBP = b"RIFF" + (20).to_bytes(4, "little") + b"WEBP" + b"\0" * 16


@pytest.fixture
def network() -> Iterator[Network]:
    with eyes.running() as network:
        network.shows = {"cam": png(10)}
        yield network


@pytest.mark.parametrize(
    ("data", "media_type"),
    [(png(1), "image/png"), (JPEG, "image/jpeg"), (JPEG + b"more", "image/jpeg"), (WEBP, "image/webp")],
)
def test_whole_pictures_are_known_by_their_bytes(data: bytes, media_type: str) -> None:
    snapshot = read_frame(data, NOW)
    assert (snapshot.data, snapshot.media_type, snapshot.taken_at) == (data, media_type, NOW)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", NoPicture.NOT_A_PICTURE),
        (b"<html>", NoPicture.NOT_A_PICTURE),
        (b"GIF89a" + b"\0" * 64, NoPicture.NOT_A_PICTURE),
        (b"\x89PNG\r\n\x1a\n", NoPicture.CUT_OFF),
        (png(1)[:-1], NoPicture.CUT_OFF),
        (JPEG[:-2], NoPicture.CUT_OFF),
        (WEBP[:-1], NoPicture.CUT_OFF),
        (b"RIFF\xff\xff\xff\xffWEBP", NoPicture.CUT_OFF),
        (png(1) + b"\0" * LARGEST_SNAPSHOT, NoPicture.TOO_LARGE),
    ],
)
def test_what_is_none_is_refused(data: bytes, why: NoPicture) -> None:
    with pytest.raises(SnapshotFailed) as failed:
        read_frame(data, NOW)
    assert failed.value.why is why


@pytest.mark.parametrize("why", NoPicture)
def test_every_reason_has_words_in_both_languages(why: NoPicture) -> None:
    for language in LANGUAGES:
        assert words_of(SnapshotFailed(why, "404"), language)


class TestAddress:
    def test_a_camera_gives_what_it_shows(self, network: Network, clock: ManualClock) -> None:
        snapshot = UrlSnapshots("cam", network.camera("cam"), clock).snapshot("cam")
        assert (snapshot.data, snapshot.taken_at) == (png(10), clock.now())
        assert network.passwords == [None]

    def test_a_user_and_a_password_go_with_the_question_and_nowhere_else(
        self, network: Network, clock: ManualClock
    ) -> None:
        camera = UrlSnapshots("cam", network.camera("cam"), clock, user="看家", password="hunter2:)")
        camera.snapshot("cam")
        assert network.passwords == ["Basic 55yL5a62Omh1bnRlcjI6KQ=="]
        assert "hunter2" not in repr(camera)

    @pytest.mark.parametrize(
        ("shown", "why", "detail"),
        [
            (401, NoPicture.STATUS, "401"),
            (404, NoPicture.STATUS, "404"),
            (302, NoPicture.STATUS, "302"),
            (b"hello", NoPicture.NOT_A_PICTURE, ""),
            (png(1) + b"\0" * LARGEST_SNAPSHOT, NoPicture.TOO_LARGE, "8"),
        ],
    )
    def test_what_goes_wrong_is_told(
        self, network: Network, clock: ManualClock, shown: bytes | int, why: NoPicture, detail: str
    ) -> None:
        network.shows["cam"] = shown
        with pytest.raises(SnapshotFailed) as failed:
            UrlSnapshots("cam", network.camera("cam"), clock).snapshot("cam")
        assert (failed.value.why, failed.value.detail) == (why, detail)
        assert len(network.looked_at) == 1

    def test_a_camera_that_is_away_or_never_ends_is_told(self, network: Network, clock: ManualClock) -> None:
        with pytest.raises(SnapshotFailed) as failed:
            UrlSnapshots("cam", "http://127.0.0.1:1/", clock).snapshot("cam")
        assert failed.value.why is NoPicture.UNREACHABLE
        network.drips = True
        with pytest.raises(SnapshotFailed) as failed:
            UrlSnapshots("cam", network.camera("cam"), SystemClock(), seconds=0.05).snapshot("cam")
        assert failed.value.why is NoPicture.NO_ANSWER

    @pytest.mark.parametrize(
        ("url", "key"),
        [
            ("rtsp://cam/stream", "camera_address_unreadable"),
            ("http://", "camera_address_unreadable"),
            ("http://a/\x00b", "camera_address_unreadable"),
            ("http://me:hunter2@cam/", "camera_address_with_password"),
        ],
    )
    def test_an_address_that_is_none_is_refused(self, clock: ManualClock, url: str, key: str) -> None:
        with pytest.raises(BadInput) as refused:
            UrlSnapshots("cam", url, clock)
        assert refused.value.key == key
        assert "hunter2" not in str(refused.value)


def drop(folder: Path, name: str, data: bytes, seconds: float) -> Path:
    file = folder / name
    file.write_bytes(data)
    os.utime(file, (NOW.timestamp() + seconds,) * 2)
    return file


class TestFolder:
    def test_the_newest_picture_counts_with_the_moment_it_was_written(self, tmp_path: Path) -> None:
        drop(tmp_path, "b.png", png(2), 10)
        drop(tmp_path, "a.PNG", png(1), 20)
        drop(tmp_path, "newer.txt", b"no picture", 99)
        (tmp_path / "below.png").mkdir()
        snapshot = FolderSnapshots(tmp_path).snapshot("cam")
        assert (snapshot.data, snapshot.taken_at) == (png(1), datetime(2026, 10, 12, 2, 0, 20, tzinfo=UTC))

    def test_one_that_is_still_written_gives_way_to_the_one_before(self, tmp_path: Path) -> None:
        drop(tmp_path, "whole.png", png(1), 10)
        drop(tmp_path, "half.png", png(2)[:-5], 20)
        drop(tmp_path, "empty.jpg", b"", 30)
        assert FolderSnapshots(tmp_path).snapshot("cam").data == png(1)

    def test_a_folder_without_a_whole_picture_says_what_is_wrong_with_it(self, tmp_path: Path) -> None:
        with pytest.raises(SnapshotFailed) as failed:
            FolderSnapshots(tmp_path).snapshot("cam")
        assert failed.value.why is NoPicture.FOLDER_EMPTY
        drop(tmp_path, "half.png", png(2)[:-5], 20)
        with pytest.raises(SnapshotFailed) as failed:
            FolderSnapshots(tmp_path).snapshot("cam")
        assert failed.value.why is NoPicture.CUT_OFF

    @pytest.mark.parametrize("name", ["none", "a\0b", "file.png"])
    def test_a_folder_that_is_none_is_told(self, tmp_path: Path, name: str) -> None:
        drop(tmp_path, "file.png", png(1), 0)
        with pytest.raises(SnapshotFailed) as failed:
            FolderSnapshots(tmp_path / name).snapshot("cam")
        assert failed.value.why is NoPicture.FOLDER_MISSING

    def test_a_link_is_not_followed(self, tmp_path: Path) -> None:
        inside = tmp_path / "camera"
        inside.mkdir()
        outside = drop(tmp_path, "private.png", png(1), 0)
        (inside / "link.png").symlink_to(outside)
        with pytest.raises(SnapshotFailed) as failed:
            FolderSnapshots(inside).snapshot("cam")
        assert failed.value.why is NoPicture.FOLDER_EMPTY

    def test_no_more_files_are_looked_through_than_a_bound(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(folders, "MOST_FILES", 3)
        for number in range(9):
            drop(tmp_path, f"{number}.png", png(number), number)
        assert FolderSnapshots(tmp_path).snapshot("cam").data in {png(number) for number in range(9)}

    def test_a_file_dated_beyond_all_calendars_is_very_old(self, tmp_path: Path) -> None:
        file = tmp_path / "a.png"
        file.write_bytes(png(1))
        os.utime(file, ns=(2**62, 2**62))
        assert FolderSnapshots(tmp_path).snapshot("cam").taken_at.year in {1970, 2116}


def test_each_camera_has_its_own_pictures_and_the_hub_those_of_the_rest(tmp_path: Path) -> None:
    mine, hubs = tmp_path / "mine", tmp_path / "hub"
    for folder, shade in ((mine, 1), (hubs, 2)):
        folder.mkdir()
        drop(folder, "a.png", png(shade), 0)
    both = ByCamera({"mine": FolderSnapshots(mine)}, FolderSnapshots(hubs))
    assert (both.snapshot("mine").data, both.snapshot("other").data) == (png(1), png(2))
    with pytest.raises(SnapshotFailed) as failed:
        ByCamera({"mine": FolderSnapshots(mine)}).snapshot("other")
    assert failed.value.why is NoPicture.NO_SOURCE
