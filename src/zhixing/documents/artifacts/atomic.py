"""Files that are whole or not there: whoever reads one sees what was before or what is now, never a piece of it.

The folder of a file is opened as it is and not through a link, and everything happens inside what was opened: a folder
that is moved or replaced by a link meanwhile leads nowhere else. A link in the place of the file is replaced, not
followed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from zhixing.kernel.errors import Unavailable
from zhixing.kernel.wording import wording

Replace = Callable[[Path, bytes], None]
"""How a file gets new contents: whole, or `Unavailable` and nothing has changed."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_PENDING = re.compile(r"\.zhixing-[0-9a-f]{16}\.new", re.ASCII)
_WHY = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EFBIG: "limit",
    errno.ENOENT: "gone",
    errno.ENOTDIR: "not_folder",
    errno.ELOOP: "link",
    errno.EACCES: "forbidden",
    errno.EPERM: "forbidden",
    errno.EROFS: "read_only",
    errno.EISDIR: "folder_there",
    errno.EIO: "broken",
    errno.EMFILE: "too_many",
    errno.ENFILE: "too_many",
}


def why(error: OSError) -> str:
    """Say in words why the system refused."""
    reason = _WHY.get(error.errno or 0)
    return wording(f"document_runs.why_{reason}") if reason else (error.strerror or type(error).__name__)


@contextlib.contextmanager
def open_folder(path: Path) -> Iterator[int]:
    """Give a descriptor of the folder `path`, which must not be a link. Raises `OSError`."""
    descriptor = os.open(path, _FOLDER)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def replace_file(path: Path, data: bytes) -> None:
    """Give `path` new contents that outlast a power failure; only its owner may read it.

    Raises `Unavailable("artifact_unwritable")`: what was there is untouched and nothing else is left behind, unless the
    disk failed after the last step, when the file is the old or the new one.
    """
    with _explained(path), open_folder(path.parent) as folder:
        _replace(folder, path.name, data, settle=os.fsync)
        os.fsync(folder)


def swap_file(path: Path, data: bytes) -> None:
    """Give `path` new contents as `replace_file` does, without waiting for the disk.

    For what is rewritten many times a minute and is worth nothing after a power failure.
    """
    with _explained(path), open_folder(path.parent) as folder:
        _replace(folder, path.name, data, settle=_leave)


def remove_file(path: Path) -> None:
    """Remove `path`, itself and not what it leads to, if it is there. Raises `Unavailable`."""
    with _explained(path), open_folder(path.parent) as folder, contextlib.suppress(FileNotFoundError):
        os.unlink(path.name, dir_fd=folder)


def regain(path: Path, names: tuple[str, ...]) -> None:
    """Make the folder `path` writable for its owner again, and move folders out of the way of files called `names`.

    A script may do to its own folder what it likes; its record is written all the same. Raises `Unavailable`.
    """
    with _explained(path):
        if not stat.S_ISDIR(path.lstat().st_mode):
            raise NotADirectoryError(errno.ENOTDIR, "not a folder")
        path.chmod(0o700)
        with open_folder(path) as folder:
            for name in names:
                _move_aside(folder, name)


def sweep(path: Path) -> None:
    """Remove what writers that died left behind in the folder `path`. Nobody may be writing there."""
    with contextlib.suppress(OSError), open_folder(path) as folder:
        for name in os.listdir(folder):  # noqa: PTH208 - a descriptor, not a path
            if _PENDING.fullmatch(name):
                os.unlink(name, dir_fd=folder)


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Unavailable("artifact_unwritable", file=path.name, why=why(error)) from error


def _replace(folder: int, name: str, data: bytes, settle: Callable[[int], None]) -> None:
    pending = f".zhixing-{secrets.token_hex(8)}.new"
    descriptor = os.open(pending, _NEW, 0o600, dir_fd=folder)
    try:
        with open(descriptor, "wb") as new:  # noqa: PTH123 - a descriptor, not a path
            new.write(data)
            new.flush()
            settle(new.fileno())
        os.rename(pending, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(pending, dir_fd=folder)
        raise


def _leave(_descriptor: int) -> None:
    """Leave it to the system when the disk gets it."""


def _move_aside(folder: int, name: str) -> None:
    try:
        if not stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            return
    except FileNotFoundError:
        return
    os.rename(name, f"{name}.{secrets.token_hex(4)}", src_dir_fd=folder, dst_dir_fd=folder)
