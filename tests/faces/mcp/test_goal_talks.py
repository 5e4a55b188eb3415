"""An agent talks about a goal for its user: the card, the answer, the button."""

from __future__ import annotations

import pytest

from zhixing.faces.http.api.goal_talks import GoalTalk

WHOLE = "/task 修复 PR #1243 的命名问题，交付物：代码 PR，验收标准：CI 通过，约束：不动接口逻辑"


def test_a_goal_is_said_shown_and_executed(agent) -> None:
    said = agent("say", text=WHOLE)
    GoalTalk.model_validate(said)
    assert [each["value"] for each in said["question"]["options"]] == ["execute", "discard", "save"]
    assert said["id"] in [each["id"] for each in agent("goal_talk_list", openOnly=True)["talks"]]
    done = agent("answer", id=said["id"], value="A", revision=said["revision"])
    assert done["state"] == "executed"
    assert agent("goal_talk_show", talk=said["id"]) == done
    assert agent.wrong("answer", id=said["id"], value="丢弃") == "goal_talk_executed"


@pytest.mark.parametrize(
    ("tool", "given"),
    [("goal_talk_show", {"talk": "q999"}), ("goal_talk_show", {"talk": "x"}), ("answer", {"id": "q999", "value": "A"})],
)
def test_what_does_not_exist_is_refused(agent, tool, given) -> None:
    assert agent.wrong(tool, **given) == "goal_talk_unknown"
