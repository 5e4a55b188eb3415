"""What can go wrong, as one tree.

ZhixingError
├── BadInput            the words or values given cannot be used            exit 1 · HTTP 400
│   ├── NotFound        nothing has that name                               exit 1 · HTTP 404
│   └── TooLarge        a bound was passed                                  exit 1 · HTTP 413
├── Conflict            it changed meanwhile, or the state does not allow it exit 1 · HTTP 409
├── Refused             the caller may not                                  exit 3 · HTTP 403
└── Unavailable         something needed cannot be reached                  exit 2 · HTTP 503
    └── StoreUnavailable   the database is locked, full, corrupt or gone    exit 2 · HTTP 503

An error carries a catalogue key (`kernel.wording`) and the values for it; `str(error)` is the one line a user reads.
"""

from __future__ import annotations

from typing import ClassVar

from zhixing.kernel.wording import wording


class ZhixingError(Exception):
    """Base of every error that is shown to a user."""

    exit_code: ClassVar[int] = 1
    status: ClassVar[int] = 500

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.values = values

    def __str__(self) -> str:
        return wording(f"errors.{self.key}", "zh", **self.values)


class BadInput(ZhixingError):
    """The words or values given cannot be used."""

    status = 400


class NotFound(BadInput):
    """Nothing has that name."""

    status = 404


class TooLarge(BadInput):
    """A bound was passed."""

    status = 413


class Conflict(ZhixingError):
    """It changed meanwhile, or its state does not allow it."""

    status = 409


class Refused(ZhixingError):
    """The caller may not."""

    exit_code = 3
    status = 403


class Unavailable(ZhixingError):
    """Something that is needed cannot be reached."""

    exit_code = 2
    status = 503


class StoreUnavailable(Unavailable):
    """The database is locked, full, corrupt or gone."""
