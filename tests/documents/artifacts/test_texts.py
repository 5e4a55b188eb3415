"""Texts in files: bounds, fences, secrets."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from zhixing.documents.artifacts.redacting import redacted
from zhixing.documents.artifacts.texts import HIDDEN, encoded, fenced, hide, moment, one_line, shortened
from zhixing.documents.performing import Execution, Letter, Outcome, Review, Round, Verdict
from zhixing.kernel.clock import ManualClock

SECRET = 'p"ss\nwörd-1234'


@pytest.mark.parametrize(
    ("text", "most", "short"),
    [("abc", 3, "abc"), ("abcd", 3, "..."), (" abcdef ", 5, "ab..."), ("  ", 5, ""), ("今天一切正常", 5, "今天...")],
)
def test_a_text_is_cut_as_downcity_cuts_it(text: str, most: int, short: str) -> None:
    assert shortened(text, most) == short


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    assert len(one_line(text, 20).splitlines()) <= 1
    assert len(one_line(text, 20)) <= 20


def closing_lines(block: str) -> list[int]:
    """Find the lines that end the block, as CommonMark §4.5 says."""
    lines = re.split(r"\r\n|\n|\r", block)
    opening = re.match(r"`{3,}", lines[0])
    assert opening is not None
    closing = re.compile(rf" {{0,3}}`{{{len(opening[0])},}}[ \t]*")
    return [number for number, line in enumerate(lines) if number and closing.fullmatch(line)]


@given(st.text(alphabet=st.sampled_from("`~ \n\r\tab#")))
@example("```\n# 伪造的标题\n```")
@example("````````")
@example("  ```\r```")
@example("")
def test_a_fence_ends_where_it_should_and_nowhere_else(text: str) -> None:
    block = fenced(text)
    last = len(re.split(r"\r\n|\n|\r", block)) - 1
    assert closing_lines(block) == [last]
    assert text in block


def test_half_a_surrogate_pair_does_not_end_the_run() -> None:
    assert encoded("好\ud83d") == "好?".encode()


def test_a_moment_is_read_in_the_zone_of_the_task(clock: ManualClock) -> None:
    assert moment(clock.now(), "Asia/Shanghai") == "2026-10-12T10:00:00.000+08:00"
    assert moment(clock.now(), "America/New_York") == "2026-10-11T22:00:00.000-04:00"


@pytest.mark.parametrize(
    ("text", "secrets", "clean"),
    [
        ("token=abcd1234!", ["abcd1234"], f"token={HIDDEN}!"),
        ("abcd1234 abcd1234", ["abcd1234"], f"{HIDDEN} {HIDDEN}"),
        ("abcd12345678", ["abcd1234", "abcd12345678"], HIDDEN),
        ("1 2 3", ["1", ""], "1 2 3"),
        ('{"key": "p\\"ss\\nw\\u00f6rd-1234"}', [SECRET], f'{{"key": "{HIDDEN}"}}'),
        ('{"key": "p\\"ss\\nwörd-1234"}', [SECRET], f'{{"key": "{HIDDEN}"}}'),
        ("nothing here", [], "nothing here"),
    ],
)
def test_secrets_are_hidden(text: str, secrets: list[str], clean: str) -> None:
    assert hide(text, secrets) == clean


def test_every_text_of_an_outcome_is_redacted_once() -> None:
    said = f"看 {SECRET}"
    review = Review(satisfied=True, reply=said, reason=said, score=None, raw=said)
    each = Round(1, said, said, errors=(said,), reviewer_query=said, review=review, feedback=said)
    outcome = Outcome(
        Execution.FAILURE,
        Verdict.INVALID,
        output=said,
        error=said,
        errors=(said,),
        rounds=(each,),
        letters=(Letter("群", said),),
    )
    clean = redacted(outcome, [SECRET])
    assert SECRET not in repr(clean)
    assert repr(SECRET)[1:-1] not in repr(clean)
    assert redacted(clean, [SECRET]) == clean
    assert redacted(outcome, []) == outcome
