from __future__ import annotations

import os

import pytest

from zhixing.faces.cli.lock import is_served, lock_file, serve_lock
from zhixing.kernel.errors import Unavailable


def test_a_home_is_served_while_somebody_holds_its_lock(tmp_path, clock):
    assert not is_served(tmp_path)
    with serve_lock(tmp_path, clock):
        assert is_served(tmp_path)
        assert is_served(tmp_path)
    assert not is_served(tmp_path)


def test_a_second_one_is_told_who_holds_it(tmp_path, clock):
    with serve_lock(tmp_path, clock) as lock:
        with pytest.raises(Unavailable, match="它正在启动"), serve_lock(tmp_path, clock):
            pass
        lock.tell("http://127.0.0.1:8420")
        with (
            pytest.raises(Unavailable, match=f"http://127.0.0.1:8420，进程 {os.getpid()}"),
            serve_lock(tmp_path, clock),
        ):
            pass


def test_what_an_earlier_holder_wrote_means_nothing(tmp_path, clock):
    with serve_lock(tmp_path, clock) as lock:
        lock.tell("http://127.0.0.1:8420/a/long/address")
    with (
        serve_lock(tmp_path, clock),
        pytest.raises(Unavailable, match="它正在启动"),
        serve_lock(tmp_path, clock),
    ):
        pass


def test_the_lock_is_its_owners_alone(tmp_path, clock):
    with serve_lock(tmp_path, clock):
        assert lock_file(tmp_path).stat().st_mode & 0o777 == 0o600


def test_a_home_that_is_not_there_cannot_be_locked(tmp_path, clock):
    with pytest.raises(Unavailable), serve_lock(tmp_path / "none", clock):
        pass
    assert not is_served(tmp_path / "none")
