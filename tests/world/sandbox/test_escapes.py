"""What a command that means harm tries. Each attempt must fail, and must say so to whoever reads its output."""

from __future__ import annotations

import os
import re
import socket
from contextlib import closing
from pathlib import Path

import pytest
from tests.machine import lacks

from zhixing.kernel.errors import Unavailable
from zhixing.world.sandbox.port import Limits, Mount

PYTHON = "/usr/bin/python3"
TOKEN = "a-token-of-the-server"


@pytest.fixture
def python() -> None:
    """Within the walls is what the machine has, and not every machine has it."""
    if not Path(PYTHON).exists():
        lacks(PYTHON)


@pytest.mark.parametrize(
    ("attempt", "says"),
    [
        pytest.param("ls /root", "No such file", id="the home of root"),
        pytest.param("ls /home", "No such file", id="all homes"),
        pytest.param("cat /etc/shadow", "No such file", id="passwords"),
        pytest.param("ls /etc/ssl/private", "No such file", id="private keys"),
        pytest.param("ls /var/lib", "No such file", id="data of services"),
        pytest.param("ls /sys/kernel", "No such file", id="the kernel"),
        pytest.param("touch /etc/zhixing-was-here", "Read-only file system", id="settings of the machine"),
        pytest.param("touch /usr/bin/zhixing-was-here", "Read-only file system", id="programs of the machine"),
        pytest.param("touch /zhixing-was-here", "Read-only file system", id="the root folder"),
        pytest.param("touch /dev/zhixing-was-here", "Read-only file system", id="devices"),
        pytest.param("mknod disk b 8 0", "Operation not permitted", id="a device of its own"),
        pytest.param("mount -t tmpfs none $TMPDIR", "ermission denied|not permitted|superuser", id="a mount"),
        pytest.param("umount /usr", "umount: ", id="taking a mount away"),
        pytest.param("unshare -U true", "not permitted", id="a namespace of its own"),
        pytest.param(": </dev/tty", "No such device", id="the terminal of the server"),
        pytest.param("chown 0:0 .", "Invalid argument|not permitted", id="giving a file to root"),
        pytest.param("test -w /proc/sys/kernel/core_pattern || { echo no >&2; false; }", "no", id="kernel settings"),
        pytest.param("test -w /proc/sysrq-trigger || { echo no >&2; false; }", "no", id="the emergency switch"),
        pytest.param("kill -9 1 && kill -0 1 && exit 3", "^$", id="the first process of its namespace"),
    ],
)
def test_what_is_not_its_own_is_out_of_reach(inside, attempt, says):
    finished = inside(attempt)
    assert not finished.succeeded
    assert re.search(says, finished.stderr.head.decode())


def test_the_token_of_the_server_is_out_of_reach(inside, tmp_path):
    (tmp_path / "token").write_text(TOKEN)
    finished = inside(f"cat {tmp_path}/token; cat {tmp_path}/run/../token; find / -name token 2>/dev/null")
    assert TOKEN.encode() not in finished.stdout.head
    assert finished.stderr.head.count(b"No such file") == 2


def test_the_environment_of_the_server_is_out_of_reach(inside, monkeypatch):
    monkeypatch.setenv("ZHIXING_TEST_TOKEN", TOKEN)
    finished = inside("cat /proc/1/environ /proc/*/environ /proc/*/cmdline; env")
    printed = finished.stdout.head + finished.stdout.tail
    assert TOKEN.encode() not in printed
    assert b"HOME=" in printed


def test_its_own_environment_is_on_nobodys_command_line(walled, script, folder, running, is_left):
    os.mkfifo(folder / "here")
    running(walled, script("echo > here; sleep 1000", env={"PATH": "/usr/bin:/bin", "API": "a-value-of-the-task"}))
    (folder / "here").read_text()
    assert not is_left("a-value-of-the-task")


def test_processes_of_the_machine_are_out_of_sight_and_out_of_reach(inside):
    finished = inside(
        f"cat /proc/*/cmdline | tr '\\0' ' '; kill -9 {os.getpid()}; kill -9 {os.getppid()}; kill -9 -1; echo alive"
    )
    assert b"pytest" not in finished.stdout.head
    assert b"alive" in finished.stdout.head
    assert b"No such process" in finished.stderr.head


def test_it_sees_only_itself_in_proc(inside):
    finished = inside("echo $$; ls -d /proc/[0-9]* | wc -l")
    number, processes = finished.stdout.head.split()
    assert int(number) == 2
    assert int(processes) <= 4


def test_a_server_of_this_machine_is_out_of_reach_without_network(inside):
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        server.setblocking(False)
        attempt = f"exec 3<>/dev/tcp/127.0.0.1/{server.getsockname()[1]} && echo connected"
        finished = inside(attempt)
        assert b"Connection refused" in finished.stderr.head
        with pytest.raises(BlockingIOError):
            server.accept()
        assert inside(attempt, network=True).stdout.head == b"connected\n"


def test_names_of_the_network_are_found_only_with_it(inside):
    attempt = "test -e /etc/resolv.conf"
    assert inside(attempt).code == 1
    assert inside(attempt, network=True).code == (0 if Path("/etc/resolv.conf").exists() else 1)


@pytest.mark.usefixtures("python")
def test_an_abstract_socket_of_this_machine_is_out_of_reach(inside):
    name = f"\0zhixing-test-{os.getpid()}"
    with closing(socket.socket(socket.AF_UNIX)) as server:
        server.bind(name)
        server.listen()
        finished = inside(f"{PYTHON} -c \"import socket; socket.socket(socket.AF_UNIX).connect('\\0{name[1:]}')\"")
    assert b"ConnectionRefusedError" in finished.stderr.head


@pytest.mark.usefixtures("python")
@pytest.mark.parametrize(
    "attempt",
    [
        pytest.param("libc.ptrace(16, 1, 0, 0)", id="ptrace"),
        pytest.param("libc.unshare(0x10000000)", id="unshare"),
        pytest.param("libc.mount(b'none', b'/tmp', b'tmpfs', 0, None)", id="mount"),
        pytest.param("libc.setns(os.open('/proc/1/ns/mnt', 0), 0)", id="setns"),
        pytest.param("libc.syscall({'x86_64': 250}.get(os.uname().machine, 219), 0, -4, 0)", id="keyctl"),
        pytest.param("libc.ioctl(0, 0x5412, b'x')", id="TIOCSTI"),
        pytest.param("libc.setuid(0)", id="setuid"),
    ],
)
def test_a_system_call_that_leads_out_is_refused(inside, attempt):
    finished = inside(
        f'{PYTHON} -c "import ctypes, os; libc = ctypes.CDLL(None, use_errno=True); print({attempt}); '
        'print(ctypes.get_errno())"'
    )
    said = finished.stdout.head.split() or finished.stderr.head.split()
    assert said in ([b"-1", b"1"], [b"-1", b"22"]) or b"PermissionError:" in said


def test_a_link_in_the_place_of_its_log_leads_nowhere(inside, walled, script, folder, tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("mine")
    inside(f"ln -sf {precious} {folder}/script.out", out=folder / "script.out")
    with pytest.raises(Unavailable, match="写不了输出文件"):
        walled.run(script("echo overwritten", out=folder / "script.out"), None)
    assert precious.read_text() == "mine"


def test_a_link_in_a_folder_it_may_write_to_shows_nothing_of_the_machine(inside, tmp_path):
    (tmp_path / "token").write_text(TOKEN)
    finished = inside(f"ln -s {tmp_path} way; cat way/token; echo x > way/token")
    assert finished.stderr.head.count(b"No such file") == 1
    assert (tmp_path / "token").read_text() == TOKEN


def test_memory_of_scratch_folders_is_bounded(inside):
    finished = inside("head -c 70M /dev/zero > /dev/shm/x")
    assert b"No space left" in finished.stderr.head


def test_it_has_no_capability_and_gets_none(inside):
    finished = inside("grep -E 'Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs' /proc/self/status")
    values = dict(line.split(":\t") for line in finished.stdout.head.decode().splitlines())
    assert values.pop("NoNewPrivs") == "1"
    assert set(values.values()) == {"0" * 16}


def test_what_it_may_write_is_written_as_the_server_and_for_nobody_else(inside, folder):
    assert inside("echo x > mine").succeeded
    made = (folder / "mine").stat()
    assert (made.st_uid, made.st_mode & 0o777) == (os.geteuid(), 0o600)


def test_a_mount_that_is_read_only_stays_so(inside, tmp_path):
    (tmp_path / "notes").write_text("mine")
    finished = inside(
        f"mount -o remount,rw {tmp_path}; echo x > {tmp_path}/notes",
        cwd=tmp_path,
        mounts=(Mount(tmp_path),),
        limits=Limits(),
    )
    assert b"Read-only file system" in finished.stderr.head
    assert (tmp_path / "notes").read_text() == "mine"
