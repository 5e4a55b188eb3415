"""Drafts of document tasks at the command line: what is shown, what an answer makes of it, and how they are listed."""

from __future__ import annotations

import pytest

WISH = "每天早上8点帮我写一份昨天的工作日报发给我"


@pytest.fixture
def draft(terminal) -> str:
    done = terminal("say", WISH)
    assert done.code == 0, done.err
    return done.lines[0].partition(" ")[0]


def test_a_draft_is_shown_with_its_options_and_the_command_that_answers_it(terminal, draft):
    lines = terminal("drafts", draft.upper()).lines
    assert lines[0] == f"{draft}  {WISH}"
    assert [line.strip()[:2] for line in lines if line.startswith("    ")][-3:] == ["A.", "B.", "C."]
    assert f"zhixing answer {draft}" in lines[-1]


def test_whoever_saves_one_is_told_that_tasks_run_only_while_somebody_serves(terminal, draft):
    lines = terminal("answer", draft, "A").lines
    assert any("任务要等 zhixing serve 运行起来才会执行" in line for line in lines)
    saved = terminal("drafts", draft, "--json").json
    assert (saved["state"], saved["document"]["status"]) == ("saved", "enabled")


def test_they_are_listed_the_newest_first(terminal, draft):
    assert terminal("drafts").lines[0].startswith(f"{draft}  ")
    assert [one["id"] for one in terminal("drafts", "--json").json["drafts"]] == [draft]


@pytest.mark.parametrize("written", ["d9", "d", "dd1", "x1", "d" + "1" * 40])
def test_a_draft_that_nobody_made_is_one_line(terminal, written):
    assert "草稿" in terminal.refused("drafts", written)
