"""A whole story, with real processes: a wish, a question, a task, what a camera sees, and why somebody was told."""

from __future__ import annotations

import pytest
from mcp import MCPError

WISH = "有人摔倒了提醒我"


def test_from_a_sentence_to_the_reason_why_somebody_was_told(start_agent, tmp_path):
    with start_agent(tmp_path) as agent:
        asked = agent("say", text=WISH, key="fall")
        assert asked["state"] == "asked"
        assert [question["kind"] for question in asked["questions"]] == ["channel"]
        agent.kill()
        with pytest.raises(MCPError):
            agent("home_status")

    # Everything that was said before is on disk.
    with start_agent(tmp_path) as agent:
        assert agent("say", text=WISH, key="fall")["id"] == asked["id"]
        (waiting,) = agent("talk_list", openOnly=True)["talks"]
        assert waiting["questions"] == asked["questions"]
        done = agent("answer", id=waiting["id"], value="手机推送", revision=waiting["revision"])
        assert done["state"] == "done"
        assert any("手机推送" in line for line in done["lines"])

        task = agent("task_show", task=done["tasks"][0])
        (rule,) = task["rules"]
        for says in ("false", "true"):
            agent.zhixing("home", "verdict", "cam_living", rule["id"], says, "--firm")

        (fired,) = agent("occurrence_list", task=task["slug"], hours=1)["occurrences"]
        explained = agent("explain", id=fired["id"])
        assert explained["task"] == task["id"]
        assert explained["explanation"]
        assert "摔倒" in explained["messages"][0]["text"]
        assert fired["id"] in [line["occurrence"]["id"] for line in agent("rule_explain", rule=rule["id"])["lines"]]
        assert agent("explain", id=task["slug"])["occurrences"][0]["id"] == fired["id"]
        assert any("摔倒" in message["text"] for message in agent("inbox_list")["messages"])
