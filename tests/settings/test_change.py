import stat
import threading
from pathlib import Path

import pytest

from zhixing.kernel.errors import BadInput, Unavailable
from zhixing.settings import load, put


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def write(home: Path, text: str) -> Path:
    home.mkdir(exist_ok=True)
    file = home / "config.toml"
    file.write_text(text)
    return file


def test_the_first_setting_makes_a_home_that_only_its_owner_may_enter(home: Path) -> None:
    put(home, "zone", "Asia/Tokyo")
    assert load(home, {}).settings.zone == "Asia/Tokyo"
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE((home / "config.toml").stat().st_mode) == 0o600


def test_comments_and_order_are_kept(home: Path) -> None:
    file = write(home, "# mine\n[server]\nport = 1  # the old one\n\n[model]\n# later\n")
    put(home, "server.port", "9000")
    put(home, "zone", "Asia/Tokyo")
    text = file.read_text()
    assert text.startswith("# mine\n")
    assert "port = 9000  # the old one" in text
    assert "# later" in text
    found = load(home, {}).settings
    assert (found.zone, found.server.port) == ("Asia/Tokyo", 9000)


@pytest.mark.parametrize(
    "before",
    [
        "",
        "server.port = 1\n",
        "server = { port = 1 }\n",
        "[channels]\nphone = { url = 'http://x.example' }\n",
        "[channels.a]\nurl = 'http://a.example'\n[server]\nport = 1\n[channels.b]\nurl = 'http://b.example'\n",
        "\r\n[server]\r\nport = 1\r\n",
    ],
)
def test_whatever_way_the_file_is_written_a_plain_reader_finds_the_new_values(home: Path, before: str) -> None:
    write(home, before)
    put(home, "server.host", "::1")
    put(home, "channels.phone.url", "https://h.example/hook")
    put(home, "channels.phone.secret", "hunter2")
    put(home, "limits.text_chars", "3000")
    found = load(home, {}).settings
    assert found.server.host == "::1"
    assert found.channels["phone"].secret.get_secret_value() == "hunter2"
    assert found.limits.text_chars == 3000


def test_an_empty_value_takes_a_setting_or_a_whole_channel_out(home: Path) -> None:
    put(home, "zone", "Asia/Tokyo")
    put(home, "channels.a.url", "https://a.example")
    put(home, "channels.b.url", "https://b.example")
    put(home, "zone", "")
    put(home, "channels.a", "")
    found = load(home, {}).settings
    assert found.zone == ""
    assert list(found.channels) == ["b"]


def test_taking_out_what_was_not_set_changes_nothing(home: Path) -> None:
    file = write(home, "# only this\n")
    put(home, "channels.gone", "")
    assert file.read_text() == "# only this\n"


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("server.prot", "1", "命令里：没有「server.prot」这个设置，是不是「server.port」？"),
        ("", "1", "没有「」这个设置"),
        ("server.port", "many", "命令里：「server.port」应为整数，现在是「many」"),
        ("server", "1", "命令里：「server」是一组设置"),
        ("server.token", "0123456789abcdef", "口令不写在设置里"),
        ("channels.phone.secret", "s", "命令里：缺少「channels.phone.url」"),
        ("zone", "Asia/Beijing", "应为 IANA 时区名"),
        ("nothing", "", "没有「nothing」这个设置"),
    ],
)
def test_a_wrong_change_is_told_and_leaves_the_file_as_it_was(home: Path, name: str, text: str, says: str) -> None:
    file = write(home, "[server]\nport = 1 # mine\n")
    with pytest.raises(BadInput) as error:
        put(home, name, text)
    assert says in str(error.value)
    assert file.read_text() == "[server]\nport = 1 # mine\n"


@pytest.mark.parametrize(("text", "line"), [("[server\n", 1), ("\n[model]\ntxet = 'x'\n", 3)])
def test_a_file_that_is_wrong_is_not_overwritten(home: Path, text: str, line: int) -> None:
    file = write(home, text)
    with pytest.raises(BadInput, match=f"第 {line} 行"):
        put(home, "zone", "Asia/Tokyo")
    assert file.read_text() == text


def test_a_wrong_setting_can_be_mended_by_setting_it(home: Path) -> None:
    write(home, "[server]\nport = 'x'\n")
    put(home, "server.port", "9000")
    assert load(home, {}).settings.server.port == 9000


def test_a_linked_file_stays_a_link_and_keeps_its_mode(home: Path, tmp_path: Path) -> None:
    home.mkdir()
    real = tmp_path / "dotfiles.toml"
    real.write_text("")
    real.chmod(0o640)
    (home / "config.toml").symlink_to(real)
    put(home, "zone", "Asia/Tokyo")
    assert (home / "config.toml").is_symlink()
    assert "Asia/Tokyo" in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_nothing_is_left_beside_the_file(home: Path) -> None:
    put(home, "zone", "Asia/Tokyo")
    assert [each.name for each in home.iterdir()] == ["config.toml"]


def test_several_changes_at_once_are_all_kept(home: Path) -> None:
    threads = [
        threading.Thread(target=put, args=(home, f"channels.c{number}.url", f"https://c{number}.example"))
        for number in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(load(home, {}).settings.channels) == 8


def test_a_home_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match=r"用不了数据目录 .*：路径中有一段不是文件夹"):
        put(tmp_path / "file" / "home", "zone", "Asia/Tokyo")
