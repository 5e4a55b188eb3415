from __future__ import annotations

import json
import socket
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from pydantic import SecretStr

from zhixing.doctor import (
    HEALTH,
    Answer,
    Finding,
    State,
    ask_port,
    check_channels,
    check_driver,
    check_home,
    check_model,
    check_python,
    check_server,
    check_settings,
    check_store,
    check_token,
    check_usage,
    check_zone,
    check_zone_data,
    examine,
)
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import StoreUnavailable
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import LANGUAGES
from zhixing.settings import ensure_token, home_zone, load, put, token_file
from zhixing.settings.model import Model, Server
from zhixing.store.opening import open_store
from zhixing.world.models.counting import Counting
from zhixing.world.models.usage import Outcome, Spent, Tokens

TOKEN = "0123456789abcdef"


def nobody(_host: str, _port: int) -> Answer:
    return Answer.NOBODY


def only(findings: Iterator[Finding]) -> Finding:
    (finding,) = findings
    return finding


def test_a_new_home_is_nowhere_broken_and_says_what_to_run(tmp_path: Path, clock: ManualClock) -> None:
    new = tmp_path / "new"
    findings = examine(new, {"TZ": "Asia/Shanghai"}, open_store, clock, nobody)
    assert {finding.name for finding in findings} >= {
        *("python", "tzdata", "home", "settings", "zone", "store", "psycopg", "token", "server", "channels", "model"),
        "mqtt",
    }
    assert State.BROKEN not in {finding.state for finding in findings}
    missing = {finding.name: finding for finding in findings if finding.state is State.MISSING}
    assert {"home", "store", "token", "server", "channels", "model"} <= set(missing)
    assert all(finding.how_to_fix for finding in missing.values())
    assert not new.exists()


def test_every_finding_is_one_line_with_a_label_in_both_languages(tmp_path: Path, clock: ManualClock) -> None:
    for finding in examine(tmp_path, {}, open_store, clock, nobody):
        assert "\n" not in finding.says
        assert finding.says
        assert all(finding.label(language) for language in LANGUAGES)


def test_wrong_settings_are_told_and_what_does_not_need_them_is_still_looked_at(
    tmp_path: Path, clock: ManualClock
) -> None:
    (tmp_path / "config.toml").write_text("[server]\nprot = 1\n")
    found = {finding.name: finding for finding in examine(tmp_path, {}, open_store, clock, nobody)}
    assert found["settings"].state is State.BROKEN
    assert "第 2 行：没有「server.prot」这个设置，是不是「server.port」？" in found["settings"].says
    assert {"python", "tzdata", "home", "token"} <= set(found)


@pytest.mark.parametrize(
    ("version", "state"), [((3, 11, 0), State.OK), ((3, 14, 2), State.OK), ((3, 10, 9), State.BROKEN)]
)
def test_python_must_be_recent(version: tuple[int, ...], state: State) -> None:
    assert only(check_python(version)).state is state


@pytest.mark.parametrize(
    ("first_line", "state"),
    [("# version 2001a\n", State.MISSING), ("# version 2099z\n", State.OK), (None, State.OK)],
)
def test_zone_rules_older_than_ours_are_told(tmp_path: Path, first_line: str | None, state: State) -> None:
    file = tmp_path / "tzdata.zi"
    if first_line is not None:
        file.write_text(first_line)
    assert only(check_zone_data(file)).state is state


def test_a_home_on_a_full_disk_is_broken(tmp_path: Path) -> None:
    finding = only(check_home(tmp_path, least_free=1 << 62))
    assert finding.state is State.BROKEN
    assert "只剩" in finding.says


def test_a_home_below_a_file_is_broken(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert only(check_home(tmp_path / "file" / "home")).state is State.BROKEN


def test_a_home_with_an_impossible_name_is_told_and_not_stumbled_over(tmp_path: Path, clock: ManualClock) -> None:
    findings = examine(tmp_path / ("x" * 5000), {}, open_store, clock, nobody)
    assert State.BROKEN in {finding.state for finding in findings}


def test_a_variable_that_is_no_setting_is_told(tmp_path: Path) -> None:
    finding = only(check_settings(load(tmp_path, {"ZHIXING_PROT": "1"})))
    assert finding.state is State.MISSING
    assert "ZHIXING_PROT" in finding.says


def test_secrets_that_others_can_read_are_told(tmp_path: Path) -> None:
    put(tmp_path, "model.key", "hunter2")
    assert only(check_settings(load(tmp_path, {}))).state is State.OK
    (tmp_path / "config.toml").chmod(0o644)
    finding = only(check_settings(load(tmp_path, {})))
    assert finding.state is State.BROKEN
    assert "chmod 600" in finding.how_to_fix


def test_a_readable_file_without_secrets_is_fine(tmp_path: Path) -> None:
    put(tmp_path, "zone", "Asia/Tokyo")
    (tmp_path / "config.toml").chmod(0o644)
    assert only(check_settings(load(tmp_path, {}))).state is State.OK


@pytest.mark.parametrize(
    ("env", "state", "says"),
    [
        ({"TZ": "Asia/Tokyo"}, State.OK, "Asia/Tokyo（来自环境变量 TZ）"),
        ({"TZ": "JST-9"}, State.MISSING, "JST-9"),
        ({}, State.MISSING, "Asia/Shanghai"),
    ],
)
def test_the_zone_is_told_with_where_it_comes_from(
    tmp_path: Path, env: dict[str, str], state: State, says: str
) -> None:
    finding = only(check_zone(home_zone("", env, tmp_path / "none", tmp_path / "none")))
    assert finding.state is state
    assert says in finding.says


def test_a_migrated_database_is_fine(home) -> None:
    assert only(check_store(home.url, open_store)).state is State.OK


def test_a_database_behind_this_program_is_told_and_left_as_it_is(fresh_home) -> None:
    finding = only(check_store(fresh_home.url, open_store))
    assert finding.state is State.MISSING
    assert "步" in finding.says
    assert only(check_store(fresh_home.url, open_store)) == finding


def test_a_database_that_is_not_there_yet_is_not_made(tmp_path: Path) -> None:
    file = tmp_path / "zhixing.db"
    assert only(check_store(f"sqlite://{file}", open_store)).state is State.MISSING
    assert not file.exists()


def test_a_file_that_is_no_database_is_broken_and_untouched(tmp_path: Path) -> None:
    file = tmp_path / "zhixing.db"
    file.write_bytes(b"not a database, but long enough to be looked at" * 100)
    before = file.read_bytes()
    finding = only(check_store(f"sqlite://{file}", open_store))
    assert finding.state is State.BROKEN
    assert file.read_bytes() == before


def test_a_database_that_cannot_be_reached_says_why() -> None:
    def unreachable(_url: str):
        raise StoreUnavailable("store_closed")

    assert "数据库已经关闭" in only(check_store("postgresql://h.example/x", unreachable)).says


def test_the_driver_is_looked_for() -> None:
    assert only(check_driver("postgresql://h.example/x")).says.startswith("psycopg 3")


def test_a_token_is_missing_then_fine_then_open_to_others(tmp_path: Path) -> None:
    assert only(check_token(tmp_path, {})).state is State.MISSING
    ensure_token(tmp_path, {})
    assert only(check_token(tmp_path, {})).state is State.OK
    token_file(tmp_path).chmod(0o640)
    finding = only(check_token(tmp_path, {}))
    assert finding.state is State.BROKEN
    assert finding.how_to_fix == f"运行：chmod 600 {token_file(tmp_path)}"


def test_a_token_that_cannot_be_used_is_broken(tmp_path: Path) -> None:
    token_file(tmp_path).write_text("short")
    assert only(check_token(tmp_path, {})).state is State.BROKEN


@pytest.mark.parametrize(
    ("answer", "state"), [(Answer.OURS, State.OK), (Answer.NOBODY, State.MISSING), (Answer.STRANGER, State.BROKEN)]
)
def test_the_server_is_running_or_not_or_its_port_is_taken(tmp_path: Path, answer: Answer, state: State) -> None:
    finding = only(check_server(Server(), tmp_path, {}, lambda _host, _port: answer))
    assert finding.state is state
    assert "127.0.0.1:8420" in finding.says


def test_a_server_that_may_not_start_says_why(tmp_path: Path) -> None:
    everywhere = Server(host="0.0.0.0")  # noqa: S104 - refused
    finding = only(check_server(everywhere, tmp_path, {}, nobody))
    assert finding.state is State.BROKEN
    assert "要先有口令" in finding.says
    assert only(check_server(everywhere, tmp_path, {"ZHIXING_SERVER_TOKEN": TOKEN}, nobody)).state is State.MISSING


@pytest.mark.parametrize(("host", "asked"), [("0.0.0.0", "127.0.0.1"), ("::", "::1"), ("192.0.2.7", "192.0.2.7")])  # noqa: S104
def test_a_server_that_listens_everywhere_is_asked_on_loopback(tmp_path: Path, host: str, asked: str) -> None:
    places: list[str] = []

    def ask(where: str, _port: int) -> Answer:
        places.append(where)
        return Answer.OURS

    list(check_server(Server(host=host), tmp_path, {}, ask))
    assert places == [asked]


def test_channels_are_told_one_by_one(tmp_path: Path, clock: ManualClock) -> None:
    put(tmp_path, "channels.phone.url", "https://h.example/hook")
    put(tmp_path, "channels.desk.url", "http://me:hunter2@h.example/hook")
    phone, desk = check_channels(load(tmp_path, {}), clock)
    assert phone.state is State.OK
    assert "phone" in phone.says
    assert desk.state is State.BROKEN
    assert "desk" in desk.says
    assert "hunter2" not in desk.says + desk.how_to_fix


def test_a_service_that_apprise_does_not_know_is_told(tmp_path: Path, clock: ManualClock) -> None:
    put(tmp_path, "channels.phone.url", "ntfy://h.example/topic")
    put(tmp_path, "channels.desk.url", "pigeon://hunter2")
    phone, desk = check_channels(load(tmp_path, {}), clock)
    assert phone.state is State.OK
    assert desk.state is State.BROKEN
    assert "desk" in desk.says
    assert "hunter2" not in desk.says + desk.how_to_fix


def test_a_channel_that_needs_apprise_says_how_to_get_it(
    tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "apprise", None)
    put(tmp_path, "channels.phone.url", "ntfy://h.example/topic")
    finding = only(check_channels(load(tmp_path, {}), clock))
    assert finding.state is State.BROKEN
    assert "pip install 'zhixing[notify]'" in finding.how_to_fix


def test_without_a_model_it_says_that_it_works_without(clock: ManualClock) -> None:
    finding = only(check_model(Model(), clock))
    assert finding.state is State.MISSING
    assert "没有模型也能用：" in finding.says


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (Model(base_url="https://h.example"), "model.text"),
        (Model(text="m-1"), "model.base_url"),
        (Model(base_url="https://me:hunter2@h.example", text="m-1"), "不要写用户名或密码"),
        (Model(base_url="https://h.example", text="m-1", key=SecretStr("hunter2 密钥")), "重新复制一遍"),
    ],
)
def test_a_model_that_cannot_be_asked_is_told_without_its_secrets(clock: ManualClock, model: Model, says: str) -> None:
    finding = only(check_model(model, clock))
    assert finding.state is State.BROKEN
    assert says in finding.says
    assert "hunter2" not in finding.says + finding.how_to_fix


GOOD = {
    "choices": [{"message": {"content": '{"ok": true}'}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 61, "completion_tokens": 7},
}


@pytest.mark.parametrize("provider", [(200, GOOD)], indirect=True)
def test_a_model_that_answers_is_told_with_its_name_and_what_that_took(provider: Provider, clock: ManualClock) -> None:
    finding = only(check_model(provider.model, clock))
    assert finding == Finding("model", State.OK, "m-1：0.0 秒答复，读 61、写 7 个 token")
    assert len(provider.asked) == 1


@pytest.mark.parametrize(
    ("provider", "says", "fix"),
    [
        ((401, {"error": {"message": "Incorrect API key: hunter2"}}), "不认这个密钥（HTTP 401）", "model.key"),
        ((404, {"error": {"message": "model not found"}}), "没有这个地址或这个模型", "/v1"),
        ((429, {"error": {"code": "insufficient_quota"}}), "额度或余额用完了", "充值"),
        ((503, {}), "出了错（HTTP 503）", "状态页"),
        ((200, "<html>"), "不是模型的回答", "model.base_url"),
        ((200, {"choices": [{"message": {"content": "好"}}]}), "读不懂", "换一个"),
    ],
    indirect=["provider"],
)
def test_a_model_that_fails_is_told_in_one_line_with_what_to_do(
    provider: Provider, clock: ManualClock, says: str, fix: str
) -> None:
    start = clock.monotonic()
    finding = only(check_model(provider.model, clock))
    assert finding.state is State.BROKEN
    assert finding.says.startswith("m-1：")
    assert says in finding.says
    assert fix in finding.how_to_fix
    assert "hunter2" not in finding.says + finding.how_to_fix
    assert clock.monotonic() == start  # a person is waiting: nothing is tried again


def test_what_asking_a_model_cost_lately_is_told_once_something_was_asked(home, clock: ManualClock) -> None:
    zone = home_zone("Asia/Shanghai", {})
    assert not list(check_usage(home.url, open_store, clock, zone))
    spent = Spent("m-1", clock.now(), Outcome.ANSWERED, Tokens(61, 7), 1_500_000)
    Counting(home.store, find_zone(zone.name))(spent)
    finding = only(check_usage(home.url, open_store, clock, zone))
    assert (finding.name, finding.state) == ("usage", State.OK)
    assert "1 次调用（0 次没成），读 61、写 7 个 token，花费 1.5000" in finding.says


def test_without_a_database_no_usage_is_told_and_none_is_made(tmp_path: Path, clock: ManualClock) -> None:
    file = tmp_path / "zhixing.db"
    assert not list(check_usage(f"sqlite://{file}", open_store, clock, home_zone("Asia/Shanghai", {})))
    assert not file.exists()


def test_a_model_nobody_serves_is_told(clock: ManualClock) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        model = Model(base_url=f"http://127.0.0.1:{free.getsockname()[1]}/v1", text="m-1")
        assert "连不上模型服务" in only(check_model(model, clock)).says


@dataclass
class Provider:
    """A model service that always answers the same, and whoever has asked it."""

    model: Model
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def provider(request: pytest.FixtureRequest) -> Iterator[Provider]:
    status, answer = request.param

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            provider.asked.append(self.path)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as listening:
        provider = Provider(Model(base_url=f"http://127.0.0.1:{listening.server_port}/v1", text="m-1"))
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield provider
        listening.shutdown()
        thread.join()


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[int]:
    """Serve the parameter as the answer to everything, on a free port of loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == HEALTH else 404)
            self.end_headers()
            self.wfile.write(request.param)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield listening.server_port
        listening.shutdown()
        thread.join()


@pytest.mark.parametrize("server", [b'{"name": "zhixing"}'], indirect=True)
def test_our_own_server_is_known_by_its_answer(server: int) -> None:
    assert ask_port("127.0.0.1", server) is Answer.OURS


@pytest.mark.parametrize("server", [b"", b"<html>", b'{"name": "other"}', b'["zhixing"]'], indirect=True)
def test_any_other_server_is_a_stranger(server: int) -> None:
    assert ask_port("127.0.0.1", server) is Answer.STRANGER


def test_nobody_answers_on_a_free_port() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert ask_port("127.0.0.1", port) is Answer.NOBODY
