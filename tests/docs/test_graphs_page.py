"""The page on rule graphs: its example is a rule, and its commands say what the page says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.faces.cli.conftest import Terminal

PAGE = (Path(__file__).parents[2] / "docs" / "graphs.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(json|console)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
RULE, SCRIPT = [text for kind, text in BLOCKS if kind == "json"]
SESSIONS = [text for kind, text in BLOCKS if kind == "console"]


@pytest.mark.parametrize("session", SESSIONS, ids=lambda text: text.split()[3])
def test_what_is_shown_is_what_comes(session, clock, tmp_path, monkeypatch):
    terminal = Terminal(tmp_path / "home", clock)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hall.json").write_text(RULE, encoding="utf-8")
    (tmp_path / "hall.events.jsonl").write_text(SCRIPT, encoding="utf-8")
    command, _, shown = session.partition("\n")
    words = shlex.split(command.removeprefix("$ zhixing "))
    kept = words[: words.index(">")] if ">" in words else words
    result = terminal(*kept)
    assert result.code == 0
    if kept == words:
        assert "\n".join(result.lines) == shown.strip()
    else:
        assert '"pos"' in result.lines[0]
