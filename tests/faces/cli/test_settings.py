from __future__ import annotations

import pytest


def test_config_show_lists_every_setting_and_where_it_comes_from(terminal):
    terminal.env["ZHIXING_SERVER_PORT"] = "9000"
    terminal("config", "set", "zone", "Asia/Tokyo")
    rows = {line.split()[0]: line.split()[1:] for line in terminal("config", "show").lines}
    assert rows["zone"] == ["文件", "Asia/Tokyo"]
    assert rows["server.port"] == ["环境变量", "9000"]
    assert rows["server.host"] == ["默认", "127.0.0.1"]


def test_a_variable_that_is_no_setting_is_told(terminal):
    terminal.env["ZHIXING_SERVER_PROT"] = "1"
    assert terminal("config", "show").lines[-1] == "这些环境变量不是设置，没有采用：ZHIXING_SERVER_PROT"


def test_config_set_changes_the_file_and_an_empty_value_takes_it_out(terminal):
    assert terminal("config", "set", "server.port", "8421").lines == ["已设置：server.port = 8421"]
    assert "port = 8421" in (terminal.home / "config.toml").read_text()
    assert terminal("config", "set", "server.port", "").lines == ["已取消设置：server.port"]
    assert "port" not in (terminal.home / "config.toml").read_text()


def test_a_secret_comes_from_standard_input_and_is_never_shown(terminal):
    done = terminal("config", "set", "model.key", "-", stdin=b"hunter2\n")
    assert done.lines == ["已设置：model.key = ******"]
    assert 'key = "hunter2"' in (terminal.home / "config.toml").read_text()
    assert "hunter2" not in terminal("config", "show").out + terminal("config", "show", "--json").out


def test_a_variable_that_wins_is_told(terminal):
    terminal.env["ZHIXING_ZONE"] = "Asia/Tokyo"
    assert terminal("config", "set", "zone", "Asia/Seoul").lines[1:] == [
        "环境变量 ZHIXING_ZONE 也设了它，以环境变量为准。"
    ]


def test_config_path_says_where(terminal):
    assert terminal("config", "path").lines == [str(terminal.home / "config.toml")]


def test_settings_for_programs(terminal):
    told = terminal("config", "show", "--json").json
    assert {"key": "server.port", "value": 8420, "source": "default"} in told["settings"]
    assert terminal("config", "set", "zone", "Asia/Tokyo", "--json").json == {
        "key": "zone",
        "value": "Asia/Tokyo",
        "source": "file",
    }
    assert terminal("config", "path", "--json").json == {"file": told["file"]}


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (("server.prot", "1"), "命令里：没有「server.prot」这个设置，是不是「server.port」？"),
        (("server.port", "x"), "命令里：「server.port」应为整数，现在是「x」。"),
        (("zone", "Mars"), "命令里：「zone」应为 IANA 时区名，如 Asia/Shanghai，现在是「Mars」。"),
    ],
)
def test_a_wrong_setting_changes_nothing(terminal, argv, line):
    assert terminal.refused("config", "set", *argv) == line
    assert not (terminal.home / "config.toml").exists()


def test_a_group_of_commands_alone_lists_them(terminal):
    assert [line.split()[:2] for line in terminal("config").lines[2:5]] == [
        ["config", "show"],
        ["config", "set"],
        ["config", "path"],
    ]


def test_the_doctor_says_how_it_is_and_what_to_run(terminal):
    done = terminal("doctor")
    assert done.code == 0
    assert "✓ 时区：Asia/Shanghai（来自环境变量 TZ）" in done.lines
    assert "    运行：zhixing serve" in done.lines
    assert done.lines[-1] == "没有坏的。"


def test_the_doctor_ends_with_2_when_something_is_broken(terminal):
    terminal.home.mkdir()
    (terminal.home / "zhixing.db").write_bytes(b"no database" * 1000)
    done = terminal("doctor")
    assert done.code == 2
    assert any(line.startswith("✗ 数据库：") for line in done.lines)
    assert done.lines[-1] == "有 1 处要修。"
    assert terminal("doctor", "--json").code == 2


def test_the_doctor_for_programs(terminal):
    told = terminal("doctor", "--json").json
    assert told["broken"] == 0
    assert {each["state"] for each in told["findings"]} <= {"ok", "missing"}


def test_the_version(terminal):
    assert terminal("version").lines == terminal("--version").lines
    assert terminal("version").out.startswith("知行 ")
    assert set(terminal("version", "--json").json) == {"zhixing", "python", "sqlite"}
