from __future__ import annotations

import os
import resource

import pytest

from zhixing.kernel.errors import Unavailable
from zhixing.world.sandbox.port import Limits
from zhixing.world.sandbox.recording import record

SMALL = Limits(kept_bytes=10, logged_bytes=20)


def taken(pieces, limits=SMALL, secrets=(), path=None):
    with record(limits, secrets, path) as recording:
        for piece in pieces:
            recording.feed(piece)
        return recording.finish()


@pytest.mark.parametrize(
    ("printed", "head", "tail", "dropped"),
    [
        (b"", b"", b"", 0),
        (b"12345", b"12345", b"", 0),
        (b"1234567890", b"12345", b"67890", 0),
        (b"12345678901", b"12345", b"78901", 1),
        (b"a" * 5 + b"b" * 1000 + b"c" * 5, b"aaaaa", b"ccccc", 1000),
    ],
)
@pytest.mark.parametrize("piece", [1, 3, 7, 2000])
def test_the_beginning_and_the_end_are_kept_and_the_rest_is_counted(printed, head, tail, dropped, piece):
    captured = taken([printed[place : place + piece] for place in range(0, len(printed), piece)])
    assert (captured.head, captured.tail, captured.dropped) == (head, tail, dropped)
    assert captured.total == len(printed)


def test_nothing_is_kept_where_nothing_is_wanted():
    captured = taken([b"12345"], Limits(kept_bytes=0))
    assert (captured.head, captured.tail, captured.total) == (b"", b"", 5)


def test_a_file_gets_all_that_fits(tmp_path):
    assert taken([b"12345", b"67890"], path=tmp_path / "out").logged == 10
    assert (tmp_path / "out").read_bytes() == b"1234567890"
    assert (tmp_path / "out").stat().st_mode & 0o077 == 0


def test_a_file_that_is_full_says_how_much_is_missing(tmp_path):
    captured = taken([b"x" * 15, b"y" * 15], path=tmp_path / "out")
    assert captured.logged == 20
    assert (tmp_path / "out").read_text() == "x" * 15 + "y" * 5 + "\n[……后面还有 10 字节没有写进来：最多写 20 字节]\n"


def test_a_new_run_leaves_nothing_of_the_old_file(tmp_path):
    (tmp_path / "out").write_text("old " * 100)
    taken([b"new"], path=tmp_path / "out")
    assert (tmp_path / "out").read_text() == "new"


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_an_earlier_command_put_in_the_place_of_the_file_is_not_written_to(tmp_path, kind):
    precious = tmp_path / "precious"
    precious.write_text("mine")
    {
        "link": lambda path: path.symlink_to(precious),
        "pipe": os.mkfifo,
        "folder": os.mkdir,
    }[kind](tmp_path / "out")
    with pytest.raises(Unavailable, match="写不了输出文件"):
        taken([b"x"], path=tmp_path / "out")
    assert precious.read_text() == "mine"


def test_a_disk_that_is_full_ends_the_writing_and_the_file_says_so(tmp_path):
    """A bound on the size of files stands in for the disk: it, too, refuses what goes beyond."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        captured = taken([b"x" * 3000] * 4, Limits(), path=tmp_path / "out")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    written = (tmp_path / "out").read_text()
    assert captured.total == len(captured.head) == 12_000
    assert captured.logged == written.count("x") < 4096
    assert f"后面的 {12_000 - captured.logged} 字节没有写" in written


def test_secrets_are_neither_kept_nor_written_nor_counted(tmp_path):
    captured = taken([b"a hunter2", b"hunter2 b"], Limits(), ("hunter2hunter2",), tmp_path / "out")
    assert captured.head == (tmp_path / "out").read_bytes() == b"a *** b"
    assert captured.dropped == 0
