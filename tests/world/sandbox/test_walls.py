from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from zhixing.kernel.errors import BadInput, Unavailable
from zhixing.world.sandbox.port import Mount


def test_a_folder_is_seen_under_its_own_path_and_read_only_unless_told_otherwise(inside, folder, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    (project / "notes").write_text("hello")
    mounts = (Mount(project), Mount(folder, writable=True))
    finished = inside(f"cat {project}/notes; echo x > {project}/notes; echo y > {folder}/own", mounts=mounts)
    assert finished.stdout.head == b"hello"
    assert b"Read-only file system" in finished.stderr.head
    assert (project / "notes").read_text() == "hello"
    assert (folder / "own").read_text() == "y\n"


def test_a_hidden_folder_looks_empty_but_for_what_is_shown_of_it(inside, tmp_path):
    run = tmp_path / ".downcity" / "task" / "x" / "1"
    run.mkdir(parents=True)
    (tmp_path / ".downcity" / "token").write_text("secret")
    (tmp_path / ".downcity" / "task" / "x" / "task.md").write_text("secret")
    hidden = tmp_path / ".downcity"
    finished = inside(
        f"find {hidden} | sort; touch {run}/done; touch {hidden}/new; touch {hidden}/task/new",
        cwd=run,
        mounts=(Mount(tmp_path, writable=True), Mount(run, writable=True)),
        hidden=(hidden,),
    )
    seen = [hidden, hidden / "task", hidden / "task/x", run]
    assert finished.stdout.head.decode().split() == [str(path) for path in seen]
    assert finished.stderr.head.count(b"Read-only file system") == 2
    assert (run / "done").exists()


def test_a_hidden_file_cannot_be_read(inside, tmp_path):
    (tmp_path / "token").write_text("secret")
    finished = inside(f"cat {tmp_path}/token", cwd=tmp_path, mounts=(Mount(tmp_path),), hidden=(tmp_path / "token",))
    assert finished.stdout.head == b""
    assert b"Permission denied" in finished.stderr.head


def test_a_folder_is_hidden_also_where_a_link_leads_to_it(inside, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "token").write_text("secret")
    (tmp_path / "link").symlink_to("real")
    finished = inside(
        f"cat {tmp_path}/real/token", cwd=tmp_path, mounts=(Mount(tmp_path),), hidden=(tmp_path / "link",)
    )
    assert b"No such file" in finished.stderr.head


def test_the_way_to_a_mount_may_lead_over_a_link_of_the_owner(inside, tmp_path):
    (tmp_path / "disk" / "project").mkdir(parents=True)
    (tmp_path / "home").symlink_to("disk")
    project = tmp_path / "home" / "project"
    assert inside(f"touch {project}/x", cwd=project, mounts=(Mount(project, writable=True),)).succeeded
    assert (tmp_path / "disk" / "project" / "x").exists()


@pytest.mark.parametrize("path", ["missing", "link", "..", "run/../run", "run/inner/out"])
def test_a_mount_that_is_missing_or_leads_elsewhere_is_refused(walled, script, folder, tmp_path, path):
    (tmp_path / "link").symlink_to("/etc")
    (tmp_path / "elsewhere" / "out").mkdir(parents=True)
    (folder / "inner").symlink_to(tmp_path / "elsewhere")
    command = script("true", mounts=(Mount(folder, writable=True), Mount(tmp_path / path)))
    with pytest.raises(BadInput, match="不能把"):
        walled.run(command, None)


@pytest.mark.parametrize("path", ["/", "/proc", "/proc/1", "/dev", "/sys/kernel"])
def test_what_the_kernel_shows_is_never_mounted(walled, script, path):
    command = script("true")
    with pytest.raises(BadInput):
        walled.run(replace(command, mounts=(*command.mounts, Mount(Path(path)))), None)


@pytest.mark.parametrize(
    "changes",
    [
        {"env": {"A=B": "x"}},
        {"env": {"": "x"}},
        {"env": {"A": "x\0--bind\0/\0/"}},
        {"env": {f"A{number}": "x" for number in range(3_000)}},
        {"argv": ("true", "a\0b")},
    ],
    ids=["name with a sign", "no name", "value that would be an option", "too many", "word with a zero"],
)
def test_words_that_no_process_takes_are_refused(walled, script, changes):
    with pytest.raises(BadInput, match="没法运行"):
        walled.run(script("true", **changes), None)


def test_the_environment_is_what_is_given_with_a_home_of_its_own(inside):
    finished = inside("env; echo x > $HOME/x; echo x > $TMPDIR/x", env={"PATH": "/usr/bin:/bin", "GREETING": "你 好"})
    names = dict(line.split("=", 1) for line in finished.stdout.head.decode().splitlines())
    assert names.keys() - {"_", "SHLVL", "OLDPWD"} == {"PATH", "GREETING", "HOME", "TMPDIR", "PWD"}
    assert names["GREETING"] == "你 好"
    assert finished.succeeded


def test_a_working_folder_that_is_not_shown_is_told(walled, script, tmp_path):
    with pytest.raises(Unavailable, match=r"隔离环境没有起来.*chdir"):
        walled.run(script("true", cwd=tmp_path / "nowhere"), None)
