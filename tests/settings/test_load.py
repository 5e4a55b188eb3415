from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from zhixing.kernel.errors import BadInput, Unavailable, ZhixingError
from zhixing.settings import Source, load
from zhixing.settings.load import LARGEST_FILE

CHANNEL = ("kind", "url", "secret", "idempotent", "quiet", "per_hour")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


def write(home: Path, text: str | bytes) -> Path:
    file = home / "config.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def test_a_home_that_does_not_exist_has_the_defaults_and_is_not_made(tmp_path: Path) -> None:
    home = tmp_path / "new"
    found = load(home, {})
    assert (found.settings.server.host, found.settings.server.port) == ("127.0.0.1", 8420)
    assert found.store_url == f"sqlite://{home}/zhixing.db"
    assert found.settings.limits.body_bytes == 1_048_576
    assert found.settings.limits.text_chars == 20_000
    assert not found.settings.model.is_configured
    assert not home.exists()


def test_a_variable_wins_over_the_file_and_the_file_over_the_default(home: Path) -> None:
    write(home, 'zone = "Asia/Tokyo"\n[server]\nport = 9000\n')
    found = load(home, {"ZHIXING_SERVER_PORT": "9001"})
    assert found.settings.zone == "Asia/Tokyo"
    assert found.settings.server.port == 9001
    assert found.source("zone") is Source.FILE
    assert found.source("server.port") is Source.ENV
    assert found.source("server.host") is Source.DEFAULT


def test_an_empty_variable_sets_nothing(home: Path) -> None:
    write(home, "[server]\nport = 9000\n")
    assert load(home, {"ZHIXING_SERVER_PORT": "", "ZHIXING_ZONE": " "}).settings.server.port == 9000


def test_a_channel_can_come_from_variables_alone(home: Path) -> None:
    env = {"ZHIXING_CHANNELS_MY_PHONE_URL": "https://example.org/hook", "ZHIXING_CHANNELS_MY_PHONE_IDEMPOTENT": "true"}
    channel = load(home, env).settings.channels["my_phone"]
    assert channel.url.get_secret_value() == "https://example.org/hook"
    assert channel.idempotent


def test_a_variable_that_is_no_setting_is_named_but_does_not_stop_anything(home: Path) -> None:
    found = load(home, {"ZHIXING_PROT": "1", "ZHIXING_HOME": str(home), "ZHIXING_SERVER_TOKEN": "x", "OTHER": "1"})
    assert found.strangers == ("ZHIXING_PROT",)


def test_a_byte_order_mark_is_no_mistake(home: Path) -> None:
    write(home, '\ufeffzone = "Asia/Tokyo"\n'.encode())
    assert load(home, {}).settings.zone == "Asia/Tokyo"


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("prot = 1\n", 1, "没有「prot」这个设置，是不是「server.port」？"),
        ("[server]\n\nprot = 1\n", 3, "没有「server.prot」这个设置，是不是「server.port」？"),
        ("[sever]\nport = 1\n", 1, "没有「sever」这个设置，是不是「server」？"),
        ("\n[chanels.phone]\nurl = 'https://example.org'\n", 2, "是不是「channels」？"),
        ("[channels.phone]\nurll = 'https://example.org'\n", 2, "是不是「channels.phone.url」？"),
        (
            "[elsewhere]\nx = 1\n",
            1,
            "没有「elsewhere」这个设置，可用的有 zone、store、server、channels、model、household、",
        ),
        ('[server]\nport = "8420"\n', 2, '「server.port」应为整数，现在是「"8420"」'),
        ("[server]\nport = true\n", 2, "「server.port」应为整数，现在是「true」"),
        ("[server]\nport = 1.5\n", 2, "「server.port」应为整数，现在是「1.5」"),
        ("[server]\nport = 0\n", 2, "「server.port」不能小于 1，现在是「0」"),
        ("[server]\nport = 70000\n", 2, "「server.port」不能大于 65535，现在是「70000」"),
        ("zone = 8\n", 1, "「zone」应为文字，要加引号，现在是「8」"),
        ('zone = "Asia/Beijing"\n', 1, "「zone」应为 IANA 时区名，如 Asia/Shanghai，现在是「Asia/Beijing」"),
        ('zone = """\nAsia/\n8"""\n', 1, "「zone」应为 IANA 时区名"),
        ('server = "x"\n', 1, "「server」是一组设置，不能直接给值"),
        ("channels = [1]\n", 1, "「channels」是一组设置，不能直接给值"),
        ("server = { host = '127.0.0.1', port = 'x' }\n", 1, "「server.port」应为整数"),
        ("[server]\nhost = 'http://127.0.0.1'\n", 2, "「server.host」应为 IP 地址或主机名，不带端口"),
        ("[server]\nhost = '127.0.0.1:80'\n", 2, "「server.host」应为 IP 地址或主机名，不带端口"),
        ("[channels.phone]\nidempotent = false\n", 1, "缺少「channels.phone.url」"),
        ("[channels.phone]\nurl = ''\n", 2, "缺少「channels.phone.url」"),
        (
            "[channels.phone]\nurl = 'https://h.example'\nkind = 'pigeon'\n",
            3,
            "「channels.phone.kind」只能是 auto / webhook / apprise",
        ),
        ("[channels.phone]\nurl = 'https://h.example'\nidempotent = 1\n", 3, "应为 true 或 false，现在是「1」"),
        ('[channels."a b"]\nurl = "https://h.example"\n', 1, "「channels.a b」的名字只能用文字、数字、_ 和 -"),
        ("[channels.inbox]\nurl = 'https://h.example'\n", 1, "「channels.inbox」这个名字留给收件箱，请换一个"),
        ("[limits]\ntext_chars = 30000\n", 2, "「limits.text_chars」不能大于 20000"),
        ("[model]\nbase_url = 'ftp://h.example'\n", 2, "「model.base_url」应为 http:// 或 https:// 开头的完整地址"),
        ("[model]\nbase_url = 'https://'\n", 2, "「model.base_url」应为 http:// 或 https:// 开头的完整地址"),
        (
            "[store]\nurl = 'mysql://h.example/x'\n",
            2,
            "「store.url」应为 sqlite:///文件路径 或 postgresql:// 开头的地址",
        ),
        ("[limits]\nbody_bytes = 1\n", 2, "「limits.body_bytes」不能小于 1024"),
        ('[server]\ntoken = "0123456789abcdef"\n', 2, "口令不写在设置里"),
        ("# comment about port\n[server]\n# port\nhost = '::1'\nport = 'a'\n", 5, "「server.port」应为整数"),
        ("zone = \n", 1, "写法不对（不是合法的 TOML）"),
        ("zone = 'a'\n[server\n", 2, "写法不对（不是合法的 TOML）"),
        ("[server]\nport = 1\nport = 2\n", 3, "写法不对（不是合法的 TOML）"),
        ("a = " + "[" * 5000, 1, "写法不对（不是合法的 TOML）"),
        (b"\nzone = '\xc9\xcf\xba\xa3'\n", 2, "不是 UTF-8 编码"),
    ],
)
def test_a_mistake_is_one_chinese_line_with_file_line_and_key(
    home: Path, text: str | bytes, line: int, says: str
) -> None:
    file = write(home, text)
    with pytest.raises(BadInput) as error:
        load(home, {})
    said = str(error.value)
    assert f"{file} 第 {line} 行" in said
    assert says in said
    assert "\n" not in said
    assert error.value.exit_code == 1
    assert file.read_bytes() == (text.encode() if isinstance(text, str) else text)


@pytest.mark.parametrize(
    ("env", "says"),
    [
        ({"ZHIXING_SERVER_PORT": "http"}, "环境变量 ZHIXING_SERVER_PORT：「server.port」应为整数，现在是「http」"),
        ({"ZHIXING_ZONE": "Mars/Base"}, "环境变量 ZHIXING_ZONE：「zone」应为 IANA 时区名"),
        ({"ZHIXING_CHANNELS_PHONE_IDEMPOTENT": "perhaps"}, "应为 true 或 false，现在是「perhaps」"),
        ({"ZHIXING_CHANNELS_PHONE_SECRET": "s"}, "环境变量 ZHIXING_CHANNELS_PHONE_SECRET：缺少「channels.phone.url」"),
    ],
)
def test_a_mistake_in_a_variable_names_the_variable(home: Path, env: dict[str, str], says: str) -> None:
    write(home, "[server]\nport = 1\n")
    with pytest.raises(BadInput) as error:
        load(home, env)
    assert says in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        '[channels.phone]\nurl = "hunter2 hunter2"\n',
        "[channels.phone]\nurl = 'https://h.example'\nsecret = ['hunter2']\n",
        '[store]\nurl = "mysql://u:hunter2@h.example/x"\n',
        "[model]\nkey = { a = 'hunter2' }\n",
    ],
)
def test_a_mistake_in_a_secret_does_not_print_it(home: Path, text: str) -> None:
    write(home, text)
    with pytest.raises(BadInput) as error:
        load(home, {})
    assert "hunter2" not in str(error.value)


def test_what_is_shown_has_every_setting_in_order_with_its_source_and_no_secret(home: Path) -> None:
    write(
        home,
        '[store]\nurl = "postgresql://me:hunter2@db.example:5432/zx?password=hunter2"\n'
        '[channels.b]\nurl = "https://b.example/hunter2?key=hunter2"\nsecret = "hunter2"\n'
        '[channels.a]\nurl = "https://a.example"\n'
        '[model]\nkey = "hunter2"\n',
    )
    rows = load(home, {"ZHIXING_ZONE": "Asia/Tokyo"}).shown()
    # The groups below have tests of their own.
    apart = ("documents.", "vision.", "mqtt.", "homeassistant.", "gateway.", "goals.")
    assert [row.key for row in rows if not row.key.startswith(apart)] == [
        "zone",
        "store.url",
        "server.host",
        "server.port",
        *(f"channels.{name}.{part}" for name in "ba" for part in CHANNEL),
        "model.base_url",
        "model.key",
        "model.text",
        "model.vision",
        "household.home_file",
        "household.speaker",
        "household.phone",
        "limits.body_bytes",
        "limits.text_chars",
    ]
    shown = {row.key: (row.value, row.source) for row in rows}
    assert shown["zone"] == ("Asia/Tokyo", Source.ENV)
    assert shown["store.url"] == ("postgresql://me:******@db.example:5432/zx?******", Source.FILE)
    assert shown["server.port"] == (8420, Source.DEFAULT)
    assert shown["channels.b.url"] == ("https://b.example/******", Source.FILE)
    assert shown["channels.b.secret"] == ("******", Source.FILE)
    assert shown["channels.a.url"] == ("https://a.example", Source.FILE)
    assert shown["channels.a.secret"] == (None, Source.DEFAULT)
    assert shown["model.key"] == ("******", Source.FILE)
    assert "hunter2" not in repr(rows)


def test_the_settings_do_not_print_their_secrets(home: Path) -> None:
    write(home, '[model]\nkey = "hunter2"\n')
    assert "hunter2" not in repr(load(home, {}))


def test_the_default_database_is_shown_with_its_path(home: Path) -> None:
    shown = {row.key: row.value for row in load(home, {}).shown()}
    assert shown["store.url"] == f"sqlite://{home}/zhixing.db"


def test_a_home_with_odd_letters_still_has_a_readable_database_address(tmp_path: Path) -> None:
    home = tmp_path / "我的 家#1?"
    url = load(home, {}).store_url
    assert unquote(urlsplit(url).path) == str(home / "zhixing.db")


def test_a_settings_file_that_is_a_folder_is_told(home: Path) -> None:
    (home / "config.toml").mkdir()
    with pytest.raises(Unavailable, match=r"config\.toml：它不是文件"):
        load(home, {})


def test_a_settings_file_beyond_the_bound_is_refused(home: Path) -> None:
    write(home, "#" * (LARGEST_FILE + 1))
    with pytest.raises(ZhixingError, match="太大了"):
        load(home, {})
