"""Scenarios as folders: loaded by name or path, gone without a trace, and no name of theirs in any code."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.goals.overlays.playing import ARCH, STORAGE, catalog_of

import zhixing
from zhixing.goals.overlays.folders import load_overlays, read_folder, shipped_names
from zhixing.goals.overlays.tables import LARGEST_FILE
from zhixing.kernel.errors import BadInput, TooLarge

SOURCE = Path(zhixing.__file__).parent
SHIPPED = SOURCE / "goals" / "overlays" / "scenarios"


def test_nothing_is_loaded_unless_it_is_named() -> None:
    """L-9.1, trap_32."""
    assert load_overlays(()) == ()
    assert shipped_names() == ("arch", "storage")


def test_a_folder_anywhere_is_as_good_as_a_shipped_one_and_an_error_when_it_is_gone(tmp_path: Path) -> None:
    """L-9.2, L-9.3."""
    copy = tmp_path / "copy"
    shutil.copytree(SHIPPED / "arch", copy)
    (copy / "README.md").write_text("about", encoding="utf-8")
    assert load_overlays([str(copy)]) == (ARCH,)
    shutil.rmtree(copy)
    with pytest.raises(BadInput, match="没有叫「copy」的场景"):
        read_folder(copy)


def test_the_trunk_does_not_know_of_scenarios() -> None:
    """L-9.5."""
    trunk = [file for room in ("contracts", "loop", "recognising") for file in (SOURCE / "goals" / room).rglob("*.py")]
    assert trunk
    assert not [file.name for file in trunk if "overlays" in file.read_text("utf-8")]


def test_e16_no_name_of_a_scenario_is_in_any_code() -> None:
    """L-2.14."""
    names: set[str] = set()
    for each in (ARCH, STORAGE):
        assert each.planning is not None
        assert each.searching is not None
        names |= {*each.keywords, *each.planning.tasks, *(pick.group for pick in each.searching.picks.values())}
        names |= {bot.bot_name for bot in catalog_of(each)[2:]}
    names -= {""}
    code = {file: file.read_text("utf-8") for file in SOURCE.rglob("*.py")}
    assert not [(file.name, name) for file, text in code.items() for name in names if name in text]


@pytest.mark.parametrize(
    ("names", "line"),
    [(["arch", "arch"], "有两个场景都叫「arch」。"), (["nowhere"], "没有叫「nowhere」的场景，也没有这个文件夹。")],
)
def test_what_cannot_be_loaded_together_is_one_line(names: list[str], line: str) -> None:
    with pytest.raises(BadInput) as caught:
        load_overlays(names)
    assert str(caught.value) == line


def test_two_scenarios_whose_signals_cannot_be_told_apart_are_refused(tmp_path: Path) -> None:
    """L-9.4."""
    shutil.copytree(SHIPPED / "arch", tmp_path / "other")
    (tmp_path / "other" / "scenario.toml").write_text('name = "other"\nkeywords = ["某某某公司甲"]', encoding="utf-8")
    (tmp_path / "other" / "planning.toml").unlink()
    (tmp_path / "other" / "example.toml").unlink()
    with pytest.raises(BadInput, match="信号词分不清"):
        load_overlays(["arch", str(tmp_path / "other")])


def test_files_are_bounded_and_must_be_known(tmp_path: Path) -> None:
    (tmp_path / "scenario.toml").write_bytes(b"#" * (LARGEST_FILE + 1))
    with pytest.raises(TooLarge, match=r"scenario[.]toml 太大"):
        read_folder(tmp_path)
    (tmp_path / "scenario.toml").write_bytes(b"\xff")
    with pytest.raises(BadInput, match=r"scenario[.]toml 读不了"):
        read_folder(tmp_path)
    (tmp_path / "plan.toml").write_text("", encoding="utf-8")
    with pytest.raises(BadInput, match=r"不认识的文件「plan[.]toml」"):
        read_folder(tmp_path)
