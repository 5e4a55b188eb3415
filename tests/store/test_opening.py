"""From an address to a store, or one clear line."""

from __future__ import annotations

import sys
from contextlib import closing

import pytest

from zhixing.kernel.errors import BadInput, StoreUnavailable
from zhixing.store.opening import open_store, sqlite_url


@pytest.mark.parametrize("name", ["知行.db", "100%20 #1?.db"])
def test_a_file_of_any_name_has_a_url(tmp_path, name):
    with closing(open_store(sqlite_url(tmp_path / name))) as store:
        assert store.dialect == "sqlite"
    assert (tmp_path / name).exists()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "zhixing.db",
        "/var/zhixing.db",
        "sqlite://",
        "sqlite:///",
        "sqlite://host/zhixing.db",
        "sqlite:///missing/zhixing.db?mode=ro",
        "sqlite:///missing/zhixing#1.db",
        "mysql://host/zhixing",
        "postgresql://host/zhixing?no_such_option=1",
        "postgresql://[::1/zhixing",
    ],
)
def test_an_address_that_cannot_be_read_is_bad_input(url):
    with pytest.raises(BadInput) as caught:
        open_store(url)
    assert str(caught.value).startswith("看不懂数据库地址")


def test_a_missing_driver_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "zhixing.store.postgresql", raising=False)
    with pytest.raises(StoreUnavailable) as caught:
        open_store("postgresql://127.0.0.1/zhixing")
    assert "uv pip install 'zhixing[postgres]'" in str(caught.value)


def test_a_server_that_is_not_there_gives_one_line_without_the_password():
    with pytest.raises(StoreUnavailable) as caught:
        open_store("postgresql://me:geheim@127.0.0.1:1/zhixing")
    line = str(caught.value)
    assert line.startswith("连不上 PostgreSQL（127.0.0.1/zhixing）")
    assert "geheim" not in line
    assert "\n" not in line
