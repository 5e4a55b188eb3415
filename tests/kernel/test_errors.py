from __future__ import annotations

import pytest

from zhixing.kernel import errors
from zhixing.kernel.errors import (
    BadInput,
    Conflict,
    NotFound,
    Refused,
    StoreUnavailable,
    TooLarge,
    Unavailable,
    ZhixingError,
)


@pytest.mark.parametrize(
    ("kind", "exit_code", "status"),
    [
        (BadInput, 1, 400),
        (NotFound, 1, 404),
        (TooLarge, 1, 413),
        (Conflict, 1, 409),
        (Refused, 3, 403),
        (Unavailable, 2, 503),
        (StoreUnavailable, 2, 503),
    ],
)
def test_every_kind_of_error_has_its_exit_code_and_status(
    kind: type[ZhixingError], exit_code: int, status: int
) -> None:
    error = kind("zone_unknown", zone="Mars")
    assert (error.exit_code, error.status) == (exit_code, status)


def test_an_error_reads_as_its_chinese_line() -> None:
    assert str(BadInput("zone_unknown", zone="Mars")) == "不认识的时区「Mars」，请用 IANA 名称，如 Asia/Shanghai。"


def test_braces_in_what_a_user_wrote_are_only_text() -> None:
    assert "「{zone.x[0]}」" in str(BadInput("zone_unknown", zone="{zone.x[0]}"))


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    assert errors.__doc__ is not None
    for kind in vars(errors).values():
        if isinstance(kind, type) and issubclass(kind, ZhixingError):
            (line,) = [
                line for line in errors.__doc__.splitlines() if line.strip("├└─│ ").split(" ")[0] == kind.__name__
            ]
            if kind is not ZhixingError:
                assert f"exit {kind.exit_code} · HTTP {kind.status}" in line
