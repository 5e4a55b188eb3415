from pathlib import Path

import pytest

from zhixing.kernel.errors import Unavailable
from zhixing.settings import home_folder
from zhixing.settings.place import write_whole


def test_the_home_is_where_the_variable_says(tmp_path: Path) -> None:
    assert home_folder({"ZHIXING_HOME": str(tmp_path)}) == tmp_path


def test_a_relative_home_becomes_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert home_folder({"ZHIXING_HOME": "here"}) == tmp_path / "here"


@pytest.mark.parametrize("env", [{}, {"ZHIXING_HOME": ""}, {"ZHIXING_HOME": "~/.zhixing"}])
def test_without_one_it_is_in_the_users_home(
    env: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert home_folder(env) == tmp_path / ".zhixing"


def test_a_home_of_nobody_is_told() -> None:
    with pytest.raises(Unavailable, match="找不到数据目录「~nobody-has-this-name/x」"):
        home_folder({"ZHIXING_HOME": "~nobody-has-this-name/x"})


def test_a_failed_write_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(file, "new \ud800", 0o600)
    assert file.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
