"""Run ids and run folders (downcity.md §3.1, §6.2 no. 13, §8.3 no. 9)."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.documents.artifacts.folders import later, make_run_folder, read_run_id, run_folders, run_id_of
from zhixing.kernel.errors import BadInput, Conflict, Refused, Unavailable

ID = "20261012-020000-000"


def test_a_run_is_named_by_its_instant_in_utc() -> None:
    at = datetime(2026, 10, 12, 10, 0, 0, 7_999, tzinfo=timezone(timedelta(hours=8)))
    assert run_id_of(at) == "20261012-020000-007"


def test_a_year_of_three_digits_still_sorts() -> None:
    assert run_id_of(datetime(987, 1, 2, tzinfo=UTC)) == "09870102-000000-000"


@given(st.datetimes(timezones=st.just(UTC)))
def test_an_id_is_read_back_to_the_millisecond(at: datetime) -> None:
    read = read_run_id(run_id_of(at))
    assert read == at.replace(microsecond=at.microsecond // 1000 * 1000)


@given(st.datetimes(timezones=st.just(UTC)), st.datetimes(timezones=st.just(UTC)))
def test_ids_sort_as_their_instants_do(one: datetime, other: datetime) -> None:
    if run_id_of(one) < run_id_of(other):
        assert one < other


@pytest.mark.parametrize(
    "text",
    [
        "",
        "latest",
        "20261012-020000",
        "20261012-020000-0000",
        "20261012-020000-000\n",
        " 20261012-020000-000",
        "20261312-020000-000",
        "20260230-020000-000",
        "20261012-240000-000",
        "20261012-020060-000",
        "２０２６1012-020000-000",
        "../20261012-020000-000",
    ],
)
def test_anything_else_is_no_id(text: str) -> None:
    assert read_run_id(text) is None


@given(st.text(max_size=30))
def test_reading_an_id_never_fails(text: str) -> None:
    assert read_run_id(text) is None or run_id_of(read_run_id(text) or datetime.min.replace(tzinfo=UTC)) == text


def test_two_runs_in_one_millisecond_get_two_ids() -> None:
    assert later("20261231-235959-999") == "20270101-000000-000"


@pytest.mark.parametrize("text", ["latest", "99991231-235959-999"])
def test_there_is_no_later_id_than_the_last_and_none_after_nonsense(text: str) -> None:
    with pytest.raises(BadInput, match="不是运行编号"):
        later(text)


def test_the_folder_of_a_run_is_its_owners_alone(tmp_path: Path) -> None:
    made = make_run_folder(tmp_path, ID)
    assert made == tmp_path / ID
    assert stat.S_IMODE(made.stat().st_mode) == 0o700


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    made = make_run_folder(tmp_path, ID)
    (made / "output.md").write_text("早先的")
    with pytest.raises(Conflict, match=ID):
        make_run_folder(tmp_path, ID)
    assert (made / "output.md").read_text() == "早先的"


def test_a_link_in_the_place_of_a_run_is_a_run_that_is_there(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    task = tmp_path / "task"
    task.mkdir()
    (task / ID).symlink_to(elsewhere)
    with pytest.raises(Conflict):
        make_run_folder(task, ID)
    assert list(elsewhere.iterdir()) == []


def test_a_task_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    task = tmp_path / "日报"
    task.symlink_to(elsewhere)
    with pytest.raises(Refused, match="日报"):
        make_run_folder(task, ID)
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize("task_id", ["..", "../other"])
def test_a_task_folder_that_leads_out_of_the_tasks_is_refused(tmp_path: Path, task_id: str) -> None:
    (tmp_path / "task").mkdir()
    (tmp_path / "other").mkdir()
    with pytest.raises(Refused):
        make_run_folder(tmp_path / "task" / task_id, ID)
    assert {each.name for each in tmp_path.rglob("*")} == {"task", "other"}


def test_no_run_is_made_under_another_name_than_an_id(tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        make_run_folder(tmp_path, "../20261012-020000-000")
    assert list(tmp_path.iterdir()) == []


def test_a_task_folder_that_is_gone_or_a_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="不在了"):
        make_run_folder(tmp_path / "gone", ID)
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="不是文件夹"):
        make_run_folder(tmp_path / "file", ID)


def test_runs_are_listed_newest_first_and_nothing_else_is(tmp_path: Path) -> None:
    older, newer = make_run_folder(tmp_path, ID), make_run_folder(tmp_path, later(ID))
    (tmp_path / "task.md").write_text("")
    (tmp_path / "notes").mkdir()
    (tmp_path / "20261013-000000-000").write_text("a file")
    (tmp_path / "20261014-000000-000").symlink_to(older)
    assert run_folders(tmp_path) == [newer.name, older.name]


def test_a_task_without_a_folder_has_no_runs(tmp_path: Path) -> None:
    assert run_folders(tmp_path / "gone") == []


def test_a_folder_that_cannot_be_listed_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="读不了 file"):
        run_folders(tmp_path / "file")


def test_making_a_folder_leaves_no_descriptor_open(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - counted, not walked
    make_run_folder(tmp_path, ID)
    with pytest.raises(Conflict):
        make_run_folder(tmp_path, ID)
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
