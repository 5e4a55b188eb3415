"""The folder of a task, from its title (downcity.md §1.4).

The document's rules, made total: a title of which nothing remains, or that no disk takes, gets a name all the same.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection
from itertools import count

LONGEST_NAME = 64
"""UTF-16 units of a name."""

_RESERVED = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}
)
"""Names of devices on Windows, where no folder may have one."""


def folder_name(title: str) -> str:
    """Return the name of the folder: letters, digits, `_`, `-` and single spaces; it begins with a letter or digit.

    Two titles may have one name; `free_name` tells them apart.
    """
    kept = "".join(each if each.isalnum() or each in "_-" else " " for each in unicodedata.normalize("NFKC", title))
    name = _cut(" ".join(kept.split()), LONGEST_NAME)
    if name and name[0].isalnum() and name.lower() not in _RESERVED:
        return name
    rest = name.lstrip("_- ")
    return _cut(f"task-{rest or _digest(title)}", LONGEST_NAME)


def free_name(title: str, taken: Collection[str]) -> str:
    """Return the name of the folder, with `-2`, `-3` … behind it while a folder of that name is there.

    Names that differ only in case, or in how an accent is encoded, are one on some disks, so they are here.
    """
    name = folder_name(title)
    known = {_folded(each) for each in taken}
    if _folded(name) not in known:
        return name
    candidates = (_cut(name, LONGEST_NAME - len(tail := f"-{n}")) + tail for n in count(2))
    return next(candidate for candidate in candidates if _folded(candidate) not in known)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _cut(name: str, units: int) -> str:
    """Return the start of it that has at most so many UTF-16 units."""
    whole = name.encode("utf-16-le", "surrogatepass")[: 2 * units]
    return re.sub("[\ud800-\udfff]", "", whole.decode("utf-16-le", "surrogatepass")).rstrip()


def _digest(title: str) -> str:
    return hashlib.sha256(unicodedata.normalize("NFC", title).encode("utf-8", "replace")).hexdigest()[:8]
