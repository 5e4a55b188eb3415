"""What the machine contract says of scripts that are odd."""

from __future__ import annotations

from typing import Any

import pytest

from zhixing.goals.loop.replaying import replayed
from zhixing.kernel.errors import BadInput, TooLarge


def script(*events: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {"id": "s", "task_id": "g", "config": {}, "events": list(events), **members}


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"events": "execute"},
        {"events": ["execute"]},
        script({"ev": "dance"}),
        script({}),
        script({"ev": "duplicate_report", "of": 0}),
        script({"ev": "execute"}, {"ev": "duplicate_report", "of": "0"}),
    ],
)
def test_what_is_no_script_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        replayed(given)


def test_a_script_has_a_bound() -> None:
    with pytest.raises(TooLarge):
        replayed(script(*({"ev": "tick"} for _ in range(5001))))


def test_members_of_the_wrong_kind_are_as_if_they_were_not_there() -> None:
    events = [
        {"ev": "execute", "acceptances": "ac1", "key": 7, "at": "soon"},
        {"ev": "plan_result", "target": "*", "children": [None, 3, "a", {"id": "b"}], "verdicts": "none"},
        {"ev": "search_result", "node": "a", "outcome": 5},
        {"ev": "bids", "bids": ["r1"]},
        {"ev": "restart", "in_flight": "all"},
        {"ev": "budget", "left": "0"},
        {"ev": "attach", "bot": 3, "parent": None},
        {"ev": "bbs_result", "output": "x"},
    ]
    out = replayed(script(*events, config=[]))
    assert out["replies"] == [200, 200, 200, 200, 200, 422, 404, 404]
    assert out["observed"]["nodes"] == {"g": "PLANNING", "a": "PLANNING"}


@pytest.mark.parametrize(
    ("event", "status"),
    [
        ({"ev": "execute", "task_type": "magic"}, 422),
        ({"ev": "execute", "task_type": "workflow"}, 422),
        ({"ev": "execute", "acceptances": ["x", "x"]}, 422),
        ({"ev": "execute", "acceptances": [{"id": "x", "acceptance": "y"}]}, 200),
    ],
)
def test_what_is_handed_in_is_checked(event: dict[str, Any], status: int) -> None:
    assert replayed(script(event))["replies"] == [status]
