"""The sample of requests: what is firm and decided here is right, and enough of it is decided."""

from __future__ import annotations

import pytest
from tests.household.assembling.comparing import answer, cases, differences
from tests.household.assembling.saying import CASES

ALL = cases(CASES / "requests.jsonl")


@pytest.mark.parametrize("case", [case for case in ALL if not case["judgement"]], ids=lambda case: case["id"])
def test_what_is_firm_is_right_or_left_to_a_model(case) -> None:
    ours = answer(case)
    assert ours["outcome"] == "needs_model" or differences(case, ours) == [], ours


def test_at_least_95_of_100_firm_requests_are_decided_here() -> None:
    firm = [case for case in ALL if not case["judgement"]]
    decided = [case for case in firm if answer(case)["outcome"] != "needs_model"]
    assert len(decided) >= 0.95 * len(firm)


def test_at_least_85_of_100_judgements_are_among_the_accepted() -> None:
    judged = [case for case in ALL if case["judgement"]]
    good = [
        case for case in judged if (ours := answer(case))["outcome"] != "needs_model" and not differences(case, ours)
    ]
    assert len(good) >= 0.85 * len(judged)


def test_the_same_request_is_always_decided_the_same_way() -> None:
    assert [answer(case) for case in ALL[::7]] == [answer(case) for case in ALL[::7]]
