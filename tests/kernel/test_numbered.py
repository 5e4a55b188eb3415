"""Ids that are a letter and a number."""

from __future__ import annotations

import pytest

from zhixing.kernel.numbered import number_of


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("t12", 12),
        ("t0", 0),
        ("t007", 7),
        ("t", None),
        ("x12", None),
        ("12", None),
        ("T12", None),
        ("t-1", None),
        ("t１２", None),
        ("t²", None),
        ("t1 ", None),
        ("", None),
        ("t" + "9" * 18, 999_999_999_999_999_999),
        ("t" + "9" * 19, None),
    ],
)
def test_only_a_prefix_and_digits_are_an_id(written, number):
    assert number_of(written, "t") == number
