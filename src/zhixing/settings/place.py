"""The home folder: where it is, and what its files are called."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from zhixing.kernel.errors import Unavailable
from zhixing.kernel.wording import wording

DEFAULT_HOME = "~/.zhixing"
_WHY = {
    errno.EACCES: "denied",
    errno.EPERM: "denied",
    errno.EROFS: "read_only",
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.ENOTDIR: "not_a_folder",
    errno.EEXIST: "not_a_folder",
    errno.EISDIR: "not_a_file",
    errno.ENAMETOOLONG: "too_long",
    errno.ELOOP: "loop",
    errno.ENOENT: "missing",
}


def home_folder(env: Mapping[str, str]) -> Path:
    """Return `$ZHIXING_HOME`, absolute, or the default; it need not exist yet."""
    text = env.get("ZHIXING_HOME", "").strip() or DEFAULT_HOME
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError as error:  # no HOME, or a ~name that nobody has
        raise Unavailable("home_unknown", text=text) from error


def config_file(home: Path) -> Path:
    """Return where the settings of that home are written."""
    return home / "config.toml"


def why(error: OSError) -> str:
    """Say in words why the system refused."""
    reason = _WHY.get(error.errno or 0)
    return wording(f"settings.os_{reason}") if reason else (error.strerror or type(error).__name__)


def make_home(home: Path) -> None:
    """Make the home folder, for its owner alone, unless it is there."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable("home_unusable", home=home, why=why(error)) from error


@contextlib.contextmanager
def one_writer(home: Path) -> Iterator[None]:
    """Keep other processes from writing the home's settings meanwhile."""
    folder = os.open(home, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def write_whole(file: Path, text: str, mode: int) -> None:
    """Replace `file` by `text` so that a crash leaves the old or the new, never a piece. Raises `OSError`.

    A link is followed: it stays and its target is replaced. An existing file keeps its mode.
    """
    target = file.resolve()
    with contextlib.suppress(FileNotFoundError):
        mode = target.stat().st_mode & 0o777
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with open(handle, "w", encoding="utf-8", newline="") as new:  # noqa: PTH123 - a descriptor, not a path
            new.write(text)
            new.flush()
            os.fchmod(new.fileno(), mode)
            os.fsync(new.fileno())
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
