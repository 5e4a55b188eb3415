"""What a reported result means (taskloop §2.6), as a table."""

from __future__ import annotations

import pytest

from zhixing.goals.loop.events import Report
from zhixing.goals.loop.results import Broken, Failed, Passed, Result, digest_of, result_of, verdict_of

INVALID = Broken("terminal_result_invalid")


@pytest.mark.parametrize(
    ("report", "result"),
    [
        (Report("a", success=True, data="text"), Passed({"output": "text"})),
        (Report("a", success=True, data={"result": "text"}), Passed({"output": "text"})),
        (Report("a", success=True, data={"x": 1, "y": 2}), Passed({"output": {"x": 1, "y": 2}})),
        (Report("a", success=True), Passed({})),
        (Report("a", success=True, gaps=["and yet"]), Passed({})),
        (Report("a", success=False, gaps=["x", "", 3, "y"]), Failed({}, ("x", "y"))),
        (Report("a", success=False, data="half", fail_detail="old words"), Failed({"output": "half"}, ("old words",))),
        (Report("a", success=False, gaps=["x"], fail_detail="y"), Failed({}, ("x",))),
        (Report("a", success=False), INVALID),
        (Report("a", success=False, gaps=[]), INVALID),
        (Report("a", success=False, gaps="x"), INVALID),
        (Report("a", success=False, gaps=[" "], fail_detail=" "), INVALID),
        (Report("a"), INVALID),
        (Report("a", success=None, data="looks done"), INVALID),
        (Report("a", success="true"), INVALID),
        (Report("a", success=1), INVALID),
        (Report("a", success=True, exec_error="oom"), Broken("oom")),
        (Report("a", success=True, exec_error={"code": 1}), Broken('{"code": 1}')),
        (Report("a", success=True, exec_error=""), Passed({})),
        (Report("a", verdict="PASS"), Passed({})),
        (Report("a", verdict="DONE"), Passed({})),
        (Report("a", verdict="FAILED", gaps=["x"]), Failed({}, ("x",))),
        (Report("a", verdict="maybe"), INVALID),
        (Report("a", success=True, verdict="FAIL"), INVALID),
    ],
)
def test_a_report_means(report: Report, result: Result) -> None:
    """L-4.4."""
    assert result_of(report) == result


@pytest.mark.parametrize(("word", "meaning"), [("pass", True), ("SUCCESS", True), ("Fail", False), ("", None)])
def test_old_and_new_words_of_verdicts_are_known(word: str, meaning: bool | None) -> None:  # noqa: FBT001 - a row
    assert verdict_of(word) is meaning


def test_the_same_message_has_the_same_digest_whatever_the_order_of_its_keys() -> None:
    one = digest_of("a", "result", 1, {"success": True, "data": {"x": 1, "y": "是"}})
    assert one == digest_of("a", "result", 1, {"data": {"y": "是", "x": 1}, "success": True})
    others = [("b", "result", 1), ("a", "start", 1), ("a", "result", 2)]
    assert one not in {digest_of(*each, {"success": True, "data": {"x": 1, "y": "是"}}) for each in others}
