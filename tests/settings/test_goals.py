from __future__ import annotations

import pytest

from zhixing.kernel.errors import BadInput
from zhixing.settings import load
from zhixing.settings.model import Goals


def test_without_anything_there_are_no_scenarios_and_no_limits() -> None:
    assert Goals().scenario_names == ()
    assert (Goals().tokens, Goals().cost, Goals().hours) == (None, None, None)


def test_scenarios_stand_between_commas() -> None:
    assert Goals(scenarios=" arch ,, /srv/tea ").scenario_names == ("arch", "/srv/tea")


def test_a_secret_is_never_shown(tmp_path) -> None:
    (tmp_path / "config.toml").write_text('[goals.secrets.market]\nvalue = "hunter2"\n', encoding="utf-8")
    loaded = load(tmp_path, {})
    assert loaded.settings.goals.secrets["market"].value.get_secret_value() == "hunter2"
    shown = {row.key: row.value for row in loaded.shown()}
    assert shown["goals.secrets.market.value"] == "******"
    assert "hunter2" not in repr(loaded.settings)


def test_limits_come_from_variables_as_well(tmp_path) -> None:
    goals = load(tmp_path, {"ZHIXING_GOALS_TOKENS": "0", "ZHIXING_GOALS_HOURS": "1.5"}).settings.goals
    assert (goals.tokens, goals.hours) == (0, 1.5)


@pytest.mark.parametrize(
    "text", ["tokens = -1", "at_once = 0", "at_once = 13", "hours = 169", 'backend = "ftp://x"', "bot = 1"]
)
def test_what_cannot_be_used_is_refused(tmp_path, text: str) -> None:
    (tmp_path / "config.toml").write_text(f"[goals]\n{text}\n", encoding="utf-8")
    with pytest.raises(BadInput):
        load(tmp_path, {})
