import stat
import threading
from pathlib import Path

import pytest

from zhixing.kernel.errors import BadInput, Refused
from zhixing.settings import check_binding, ensure_token, is_loopback, read_token, token_file

GOOD = "0123456789abcdef"


def test_the_first_start_makes_a_token_that_only_its_owner_may_read(tmp_path: Path) -> None:
    home = tmp_path / "home"
    token = ensure_token(home, {})
    assert len(token) >= 32
    assert stat.S_IMODE(token_file(home).stat().st_mode) == 0o600
    assert [file.name for file in home.iterdir()] == ["token"]


def test_every_later_start_finds_the_same_token(tmp_path: Path) -> None:
    assert ensure_token(tmp_path, {}) == ensure_token(tmp_path, {}) == read_token(tmp_path, {})


def test_two_homes_have_two_tokens(tmp_path: Path) -> None:
    assert ensure_token(tmp_path / "a", {}) != ensure_token(tmp_path / "b", {})


def test_two_first_starts_at_once_agree_on_one_token(tmp_path: Path) -> None:
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(ensure_token(tmp_path, {}))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2
    assert set(found) == {read_token(tmp_path, {})}


def test_before_the_first_start_there_is_none_and_asking_makes_none(tmp_path: Path) -> None:
    assert read_token(tmp_path, {}) is None
    assert not token_file(tmp_path).exists()


def test_a_token_from_the_variable_wins_and_is_not_written_down(tmp_path: Path) -> None:
    assert ensure_token(tmp_path, {"ZHIXING_SERVER_TOKEN": GOOD}) == GOOD
    assert not token_file(tmp_path).exists()


@pytest.mark.parametrize("text", ["short", "", "\n", "口令" * 16, "0123456789 \x07abcdef"])
def test_a_token_file_that_holds_no_token_is_refused_and_kept(tmp_path: Path, text: str) -> None:
    token_file(tmp_path).write_text(text)
    with pytest.raises(BadInput, match="token 里的口令用不了：至少 16 个字符"):
        ensure_token(tmp_path, {})
    assert token_file(tmp_path).read_text() == text


def test_a_short_token_in_the_variable_is_refused_by_its_name_and_not_printed(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="ZHIXING_SERVER_TOKEN 里的口令用不了") as error:
        read_token(tmp_path, {"ZHIXING_SERVER_TOKEN": "hunter2"})
    assert "hunter2" not in str(error.value)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.8.9.10", "::1", "[::1]", "localhost", "LOCALHOST.", "::ffff:127.0.0.1"]
)
def test_loopback_needs_no_token(tmp_path: Path, host: str) -> None:
    assert is_loopback(host)
    check_binding(host, None, tmp_path)


@pytest.mark.parametrize(
    "host",
    ["0.0.0.0", "::", "192.0.2.7", "home.example", "localhost.example", "::ffff:192.0.2.7"],  # noqa: S104 - refused
)
def test_any_other_address_is_refused_without_a_token(tmp_path: Path, host: str) -> None:
    with pytest.raises(Refused) as error:
        check_binding(host, None, tmp_path)
    assert f"不在 {host} 上启动" in str(error.value)
    assert error.value.exit_code == 3
    check_binding(host, GOOD, tmp_path)
