"""An agent has a sentence made a rule of the hub, and looks after the task that stands for it."""

from __future__ import annotations

import pytest

from zhixing.faces.http.api.proposals import Proposal

WISH = "单击床头无线开关打开主卧的灯"


def test_a_sentence_is_proposed_asked_about_saved_and_explained(agent) -> None:
    asked = agent("graph_propose", text=WISH)
    Proposal.model_validate(asked)
    assert (asked["rule"], [each["label"] for each in asked["question"]["options"]]) == (
        None,
        ["主卧吸顶灯", "主卧床头灯"],
    )
    shown = agent("answer", id=asked["id"], value="B")
    assert shown["lines"] == agent("graph_proposal_show", proposal=asked["id"])["lines"]
    before = agent("mijia_get_graphs")["count"]
    done = agent("answer", id=asked["id"], value="A", revision=shown["revision"])
    assert (done["state"], agent("mijia_get_graphs")["count"]) == ("saved", before + 1)
    task = done["taskId"]
    assert agent("task_list", way="graph")["tasks"][0]["id"] == task
    assert agent("task_show", task=task)["graph"]["enable"] is True
    assert agent("task_pause", task=task)["status"] == "paused"
    assert any(done["ruleId"] in line for line in agent("explain", id=task)["explanation"])
    assert agent.wrong("answer", id=asked["id"], value="A") == "proposal_saved"


def test_say_knows_the_hub_and_what_is_open_can_be_dropped(agent) -> None:
    said = agent("say", text=f"在网关上：{WISH}")
    assert said["way"] == "graph"
    assert said["id"] in [each["id"] for each in agent("graph_proposal_list", openOnly=True)["proposals"]]
    assert agent("graph_proposal_cancel", proposal=said["id"])["state"] == "dropped"
    assert agent("graph_proposal_list", limit=1)["proposals"][0]["id"] == said["id"]


@pytest.mark.parametrize(
    ("tool", "given", "code"),
    [
        ("graph_propose", {"text": "家里要有家的样子"}, "proposal_not_understood"),
        ("graph_proposal_show", {"proposal": "g999"}, "proposal_unknown"),
        ("graph_proposal_cancel", {"proposal": "x"}, "proposal_unknown"),
        ("answer", {"id": "g999", "value": "A"}, "proposal_unknown"),
    ],
)
def test_what_does_not_exist_or_fit_is_refused(agent, tool, given, code) -> None:
    assert agent.wrong(tool, **given) == code
