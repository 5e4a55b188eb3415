"""The files a run may use, and every way out that is closed."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.agent.playing import declare, order_in

from zhixing.documents.agent.files import MOST_ENTRIES, NotDone, is_record, list_files, placed, read_file, write_file
from zhixing.documents.agent.model import LONGEST_RESULT
from zhixing.documents.model import Declared, Definition, Manual
from zhixing.documents.performing import Order


@pytest.fixture
def order(tmp_path: Path) -> Order:
    made = declare(order_in(tmp_path), Declared("docs"), Declared("docs/out", writable=True), Declared("one.txt"))
    (made.project / "docs" / "out").mkdir(parents=True)
    (made.project / "docs" / "a.md").write_text("资料", encoding="utf-8")
    (made.project / "one.txt").write_text("一", encoding="utf-8")
    (made.project / "PROFILE.md").write_text("不给看", encoding="utf-8")
    return made


def read(order: Order, path: str, offset: int = 0) -> str:
    return read_file(placed(order, path), offset)


def write(order: Order, path: str, content: str = "x") -> str:
    return write_file(placed(order, path), content)


def test_files_of_the_run_are_written_and_read(order: Order) -> None:
    write(order, "notes/第一.md", "一\n二")
    assert read(order, "notes/第一.md") == "一\n二"
    assert read(order, str(order.folder / "notes" / "第一.md")) == "一\n二"
    write(order, "notes/第一.md", "短")
    assert read(order, "./notes//第一.md") == "短"
    assert list_files(placed(order, "")) == "notes/"
    assert list_files(placed(order, "notes")) == "第一.md 3"
    assert (order.folder / "notes" / "第一.md").stat().st_mode & 0o077 == 0


def test_declared_files_of_the_project_are_read_and_only_writable_ones_written(order: Order) -> None:
    assert read(order, "project:docs/a.md") == "资料"
    assert read(order, "project:one.txt") == "一"
    assert read(order, str(order.project / "docs/a.md")) == "资料"
    assert list_files(placed(order, "project:docs")).split("\n") == ["a.md 6", "out/"]
    with pytest.raises(NotDone, match="只读"):
        write(order, "project:docs/a.md")
    write(order, "project:docs/out/b.md", "新")
    assert (order.project / "docs/out/b.md").read_text(encoding="utf-8") == "新"


@pytest.mark.parametrize(
    "path",
    [
        "../task.md",
        "../../task.md",
        "../../../../PROFILE.md",
        "notes/../../task.md",
        "../20261011-020000-000/output.md",
        "/etc/passwd",
        "/",
        "project:PROFILE.md",
        "project:",
        "project:../x",
        "project:docs/../PROFILE.md",
        "project:.downcity/task/晨读/task.md",
        "project:/etc/passwd",
        "project:docsx/a.md",
        "project:one.txt.bak",
        "{project}/PROFILE.md",
        "{tasks}/晨读/task.md",
        "{project}/docs/../PROFILE.md",
        "a\0b",
        "a\nb",
        "x" * 501,
        "~/.ssh/id_rsa",
    ],
)
def test_no_other_path_leads_anywhere(order: Order, path: str) -> None:
    written = path.format(project=order.project, tasks=order.tasks)
    for use in (lambda: read(order, written), lambda: list_files(placed(order, written))):
        with pytest.raises(NotDone):
            use()
    if not path.startswith("~"):  # a name like any other
        with pytest.raises(NotDone):
            write(order, written)


@given(st.text(st.sampled_from("./a:project ~"), max_size=20))
def test_whatever_is_asked_for_stays_below_its_root(text: str) -> None:
    definition = Definition("t", "d", Manual(), "s", "b", paths=(Declared("a"),))
    project = Path("/p")
    tasks = project / ".downcity" / "task"
    order = Order("r", "t", definition, tasks / "t" / "r", project, tasks, timedelta(hours=1), network=True)
    try:
        place = placed(order, text)
    except NotDone:
        return
    assert not {"..", ".", "", "/"} & set(place.parts)
    assert place.root == order.folder or place.parts[0] == "a"


def test_links_that_a_command_has_planted_are_not_followed(order: Order, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("秘密", encoding="utf-8")
    (order.folder / "file").symlink_to(outside / "secret")
    (order.folder / "folder").symlink_to(outside)
    (order.folder / "task").symlink_to("../task.md")
    (order.project / "docs" / "out" / "up").symlink_to(order.tasks)
    for path in ("file", "folder/secret", "task", "project:docs/out/up/晨读/task.md"):
        with pytest.raises(NotDone):
            read(order, path)
        with pytest.raises(NotDone):
            write(order, path)
    with pytest.raises(NotDone):
        list_files(placed(order, "folder"))
    with pytest.raises(NotDone):
        write(order, "folder/new")
    assert (outside / "secret").read_text(encoding="utf-8") == "秘密"
    assert [each.name for each in outside.iterdir()] == ["secret"]
    assert "folder@" in list_files(placed(order, ""))


def test_pipes_and_folders_are_no_files_and_nobody_waits_for_them(order: Order) -> None:
    os.mkfifo(order.folder / "pipe")
    (order.folder / "folder").mkdir()
    with pytest.raises(NotDone, match="没有这个文件"):
        read(order, "missing")
    for path in ("pipe", "folder", "", "."):
        with pytest.raises(NotDone):
            read(order, path)
        with pytest.raises(NotDone):
            write(order, path)


def test_a_long_file_is_read_in_parts(order: Order) -> None:
    text = "".join(chr(0x4E00 + number % 5_000) for number in range(LONGEST_RESULT * 2 + 7))
    write(order, "long.txt", text)
    first = read(order, "long.txt")
    assert first.startswith(text[:LONGEST_RESULT])
    assert f"offset={LONGEST_RESULT}" in first
    assert read(order, "long.txt", 2 * LONGEST_RESULT) == text[-7:]
    assert read(order, "long.txt", 10**8) == ""


def test_what_is_no_text_or_too_large_is_said_to_be(order: Order) -> None:
    (order.folder / "binary").write_bytes(b"\x7fELF\0\0")
    with pytest.raises(NotDone, match="二进制"):
        read(order, "binary")
    with (order.folder / "huge").open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(NotDone, match="太大"):
        read(order, "huge")
    (order.folder / "bytes").write_bytes(b"\xffabc")
    assert read(order, "bytes") == "\ufffdabc"


def test_a_full_folder_is_listed_up_to_a_bound(order: Order) -> None:
    for number in range(MOST_ENTRIES + 50):
        (order.folder / f"{number}.txt").touch()
    lines = list_files(placed(order, ".")).split("\n")
    assert len(lines) == MOST_ENTRIES + 1
    assert str(MOST_ENTRIES) in lines[-1]


@pytest.mark.parametrize("name", ["transcript.jsonl", "output.md", "run.json", "task-script.sh", "Output.MD"])
def test_what_the_run_is_recorded_in_is_not_its_to_write(order: Order, name: str) -> None:
    assert is_record(order, placed(order, name))
    assert not is_record(order, placed(order, f"sub/{name}"))
