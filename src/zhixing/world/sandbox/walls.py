"""What a confined command sees of the machine, as arguments of bubblewrap (bwrap(1)).

The system is read-only. Of `/etc` there is what a program needs to start, to find a name and to trust a certificate,
as far as everybody may read it: a server that runs as root owns `/etc/shadow`, and so does what it confines.
`/proc` and `/dev` are new and read-only for the same reason: `/proc/sys` belongs to root in every namespace.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from zhixing.kernel.errors import BadInput
from zhixing.world.sandbox.port import MEBIBYTE, Command, Mount

HOME = "/tmp/home"  # noqa: S108 - a path inside, on a file system that nobody else has
SCRATCH = "/tmp"  # noqa: S108 - as above
VAR_TMP = "/var/tmp"  # noqa: S108 - as above
USER = 1000
"""Who the command is inside, whoever runs the server."""
SCRATCH_BYTES = 512 * MEBIBYTE
"""Of memory, for HOME and TMPDIR together."""
SHARED_BYTES = 64 * MEBIBYTE
"""Of memory, for `/dev/shm`."""
EMPTY_BYTES = 64 * 1024
"""Of memory, for the folders on the way to a mount below a hidden one."""
MOST_ENTRIES = 2_000
"""Mounts, hidden folders and variables together; bwrap itself takes 9,000 arguments."""

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SETTINGS = (
    *("alternatives", "ca-certificates", "ca-certificates.conf", "crypto-policies", "debian_version", "fonts"),
    *("gai.conf", "host.conf", "hosts", "java-17-openjdk", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "locale.alias"),
    *("locale.conf", "localtime", "lsb-release", "magic", "mime.types", "nsswitch.conf", "os-release", "perl"),
    *("pki/ca-trust", "pki/tls/certs", "protocols", "python3", "python3.11", "python3.12", "python3.13", "services"),
    *("ssl/certs", "ssl/openssl.cnf", "terminfo", "timezone"),
)
"""Below `/etc`. Private keys are kept beside the certificates, hence no whole `ssl` and no whole `pki`."""
RESOLVER = "resolv.conf"
"""What is shown of `/etc` besides when there is a network."""
NEVER = ("/proc", "/dev", "/sys")
PASSWD = f"""\
root:x:0:0:root:/:/usr/sbin/nologin
task:x:{USER}:{USER}:task:{HOME}:/bin/bash
nobody:x:65534:65534:nobody:/:/usr/sbin/nologin
""".encode()
GROUP = f"root:x:0:\ntask:x:{USER}:\nnogroup:x:65534:\n".encode()
_VARIABLE = re.compile(r"[^=\0]+")


@dataclass(frozen=True, slots=True)
class Files:
    """Descriptors of what bwrap reads for itself: two files made up for the inside, and the filter of system calls."""

    passwd: int
    group: int
    syscalls: int | None


def arguments(command: Command, files: Files) -> list[str]:
    """Return the options of bwrap for `command`. Raises `BadInput` for a path or variable that cannot be used."""
    if len(command.mounts) + len(command.hidden) + len(command.env) > MOST_ENTRIES:
        raise BadInput("sandbox_command_unusable", what=f"> {MOST_ENTRIES}")
    network = [] if command.network else ["--unshare-net"]
    syscalls = [] if files.syscalls is None else ["--seccomp", str(files.syscalls)]
    given = [
        *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", *network),
        *("--disable-userns", "--die-with-parent", "--new-session", "--cap-drop", "ALL", *syscalls),
        *("--uid", str(USER), "--gid", str(USER), "--hostname", "task", "--clearenv"),
        *_system(),
        *("--perms", "0755", "--dir", "/etc"),
        *_settings(command.network),
        *("--perms", "0644", "--ro-bind-data", str(files.passwd), "/etc/passwd"),
        *("--perms", "0644", "--ro-bind-data", str(files.group), "/etc/group"),
        *("--proc", "/proc", "--dev", "/dev", "--dir", "/run", "--dir", "/var", "--symlink", SCRATCH, VAR_TMP),
        *("--perms", "1777", "--size", str(SCRATCH_BYTES), "--tmpfs", SCRATCH, "--dir", HOME),
        *_shown(command),
        *("--remount-ro", "/proc", "--remount-ro", "/dev"),
        *("--perms", "1777", "--size", str(SHARED_BYTES), "--tmpfs", "/dev/shm"),  # noqa: S108 - inside
        *("--remount-ro", "/", "--chdir", str(command.cwd)),
        *_environment(command),
    ]
    if any("\0" in word for word in given):
        raise BadInput("sandbox_command_unusable", what=r"\0")
    return given


def _system() -> Iterator[str]:
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))


def _settings(network: bool) -> Iterator[str]:  # noqa: FBT001 - a field of the command
    for name in (*SETTINGS, RESOLVER) if network else SETTINGS:
        path = Path("/etc", name)
        try:
            mode = path.stat().st_mode
        except OSError:
            continue
        if mode & (stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) else 0)):
            yield from ("--ro-bind", str(path), str(path))


def _environment(command: Command) -> Iterator[str]:
    for name, value in {**command.env, "HOME": HOME, "TMPDIR": SCRATCH}.items():
        if not _VARIABLE.fullmatch(name):
            raise BadInput("sandbox_command_unusable", what=repr(name))
        yield from ("--setenv", name, value)


def _shown(command: Command) -> Iterator[str]:
    """Yield mounts and covers, outer ones first; what is hidden lies under a mount of the same path."""
    sources = {mount.path: _source(mount) for mount in command.mounts}
    for path, source in sources.items():
        _check_nesting(path, source, sources)
    covered = sorted({inside for hidden in command.hidden for inside in _inside(hidden, sources)})
    steps: list[tuple[int, int, tuple[str, ...]]] = []
    for path in covered:
        cover = ("--size", str(EMPTY_BYTES), "--tmpfs", str(path))
        steps.append((len(path.parts), 0, cover if path.is_dir() else ("--ro-bind", "/dev/null", str(path))))
    for mount in command.mounts:
        option = "--bind" if mount.writable else "--ro-bind"
        steps.append((len(mount.path.parts), 1, (option, str(sources[mount.path]), str(mount.path))))
    for _, _, words in sorted(steps):
        yield from words
    for path in covered:
        if path.is_dir() and path not in sources:
            yield from ("--remount-ro", str(path))


def _source(mount: Mount) -> Path:
    """Return the real file or folder behind a mount. The last step of the way there must not be a link."""
    path = mount.path
    try:
        usable = path.is_absolute() and ".." not in path.parts and not path.is_symlink() and path != Path("/")
        if usable and not any(path.is_relative_to(never) for never in NEVER):
            return path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        pass
    raise BadInput("sandbox_path_unusable", path=path)


def _check_nesting(path: Path, source: Path, sources: dict[Path, Path]) -> None:
    """Refuse a path below another mount that leads out of it: a command may have put a link there."""
    for outer, real in sources.items():
        if outer != path and path.is_relative_to(outer) and source != real / path.relative_to(outer):
            raise BadInput("sandbox_path_unusable", path=path)


def _inside(hidden: Path, sources: dict[Path, Path]) -> Iterator[Path]:
    """Yield where a folder would be seen inside."""
    try:
        real = hidden.resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        return
    for path, source in (*sources.items(), *((Path(system), Path(system)) for system in SYSTEM)):
        if real != source and real.is_relative_to(source):
            yield path / real.relative_to(source)
