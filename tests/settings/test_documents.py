"""What the settings say about document tasks, as their rooms get it."""

from __future__ import annotations

from pathlib import Path

import pytest

from zhixing.settings import load
from zhixing.settings.documents import terms_of
from zhixing.store.opening import sqlite_url


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def test_the_home_and_its_database_are_hidden_from_every_run(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "别处 x" / "zhixing.db"
    env = {"ZHIXING_STORE_URL": sqlite_url(file)}
    hidden = terms_of(load(home, env), home, env).hidden
    assert hidden == (home, file, Path(f"{file}-wal"), Path(f"{file}-shm"))
    inside = terms_of(load(home, {}), home, {}).hidden
    assert inside[0] == home
    assert all(path.parent == home for path in inside[1:])


def test_a_database_that_is_no_file_adds_nothing_to_hide(home: Path) -> None:
    env = {"ZHIXING_STORE_URL": "postgresql://u:p@127.0.0.1/name"}
    assert terms_of(load(home, env), home, env).hidden == (home,)


def test_what_the_settings_keep_secret_is_kept_out_of_runs(home: Path) -> None:
    (home / "config.toml").write_text(
        '[model]\nkey = "key-of-a-model"\n[channels.hook]\nurl = "https://127.0.0.1:1/x"\nsecret = "signs-messages"\n',
        encoding="utf-8",
    )
    secrets = terms_of(load(home, {}), home, {}).secrets
    assert {"key-of-a-model", "signs-messages", "https://127.0.0.1:1/x"} <= set(secrets)
    assert "" not in secrets


def test_without_a_project_of_its_own_the_home_has_one(home: Path, tmp_path: Path) -> None:
    assert terms_of(load(home, {}), home, {}).project == home / "documents"
    (home / "config.toml").write_text(f'[documents]\nproject = "{tmp_path}"\n', encoding="utf-8")
    assert terms_of(load(home, {}), home, {}).project == tmp_path
