"""The line about goals: bots, scenarios, secrets, and who plans."""

from __future__ import annotations

import pytest

from zhixing.doctor import Finding, State, check_goals
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.wording import LANGUAGES
from zhixing.settings import Settings
from zhixing.settings.model import Goals, Model

ZONE = "Asia/Shanghai"
SCRIPTED = """
[[bots]]
id = "planner"
name = "规划员"
kind = "scripted"
scripted = { lines = [{ reply = "好" }] }
"""
MARKET = """
[[bots]]
id = "market"
name = "市场"
kind = "http"
relay = true
http = { url = "https://bots.example.com/market", secret = "market_key" }
"""
MINDED = """
[[bots]]
id = "minded"
name = "模型"
kind = "model"
model = {}
"""
PROGRAM = """
[[bots]]
id = "program"
name = "程序"
kind = "command"
command = { command = ["./run"], folder = "/nowhere/at/all" }
"""
SET = Model(base_url="http://127.0.0.1:9", text="small")


@pytest.fixture
def look(tmp_path, clock: ManualClock):
    def looked(text: str | None, goals: Goals | None = None, model: Model | None = None) -> list[Finding]:
        if text is not None:
            (tmp_path / "bots.toml").write_text(text, encoding="utf-8")
        settings = Settings(goals=goals or Goals(), model=model or Model())
        return list(check_goals(settings, tmp_path, ZONE, clock))

    return looked


@pytest.mark.parametrize(
    ("text", "settings", "states", "part"),
    [
        (None, (Goals(), Model()), [State.MISSING], "没有 bot"),
        (SCRIPTED, (Goals(), Model()), [State.OK], "1 个 bot，0 个愿意接力；「planner」负责规划"),
        (SCRIPTED + PROGRAM, (Goals(), Model()), [State.BROKEN, State.OK], "program（文件夹不在）"),
        (MINDED, (Goals(), SET), [State.OK], "由模型 small 规划"),
        (MINDED, (Goals(), Model()), [State.BROKEN, State.MISSING], "minded（没有配模型）"),
        (SCRIPTED + MARKET, (Goals(), Model()), [State.BROKEN, State.OK], "market（它的密钥没有设）"),
        (
            SCRIPTED + MARKET,
            (Goals.model_validate({"secrets": {"market_key": {"value": "s"}}}), Model()),
            [State.OK],
            "1 个愿意接力",
        ),
        (SCRIPTED, (Goals(owner="nobody"), SET), [State.BROKEN, State.OK], "nobody"),
        (SCRIPTED, (Goals(scenarios="no_such_one"), Model()), [State.BROKEN, State.OK], "演示场景"),
        ("[[bots]]\nid = 1\n", (Goals(), Model()), [State.BROKEN], "bot 名录"),
        (None, (Goals(bots="/nowhere/bots.toml"), Model()), [State.BROKEN], "/nowhere/bots.toml"),
    ],
)
def test_it_says_what_is_there_and_what_is_missing(look, text, settings, states, part) -> None:
    found = look(text, *settings)
    assert [each.state for each in found] == states
    assert part in " ".join(each.says for each in found)
    assert all(bool(each.how_to_fix) == (each.state is not State.OK) for each in found)


def test_no_secret_and_no_address_is_told(look) -> None:
    goals = Goals.model_validate({"secrets": {"other": {"value": "very-secret"}}})
    told = " ".join(each.says + each.how_to_fix for each in look(SCRIPTED + MARKET, goals))
    assert "very-secret" not in told
    assert "example.com" not in told


def test_it_has_a_name_in_each_language(look) -> None:
    assert {look(SCRIPTED)[0].label(language) for language in LANGUAGES} == {"目标", "Goals"}
