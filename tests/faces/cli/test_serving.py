"""A real server in a process of its own, over real HTTP: started, asked, told to stop, killed, started again."""

from __future__ import annotations

import http.client
import json
import queue
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from zhixing.faces.cli.lock import is_served
from zhixing.kernel.clock import ManualClock, SystemClock

COMMAND = Path(sys.executable).parent / "zhixing"
PATIENCE = 60


class Served:
    """A running server. Its first lines are read before anything is asked of it."""

    def __init__(self, env: dict[str, str], *options: str) -> None:
        self.process = subprocess.Popen(
            [COMMAND, "serve", "--port", "0", *options],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self._home = Path(env["ZHIXING_HOME"])
        self.greeting = []
        while not self.greeting or not self.greeting[-1].startswith("按 Ctrl-C"):
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read()
            self.greeting.append(line.rstrip("\n"))
        self.url = next(line for line in self.greeting if "http://" in line).split("：")[1].split("（")[0]
        self.port = int(self.url.rpartition(":")[2])

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Call the API with the token of the home."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with closing(connection):
            connection.request(method, f"/api/v1{path}", None if body is None else json.dumps(body), self.headers())
            answer = connection.getresponse()
            text = answer.read()
        assert answer.status < 300, text
        return json.loads(text)

    def await_entry(self, wanted: Callable[[Any], bool]) -> None:
        """Follow the journal from its beginning until there is an entry of that kind."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with closing(connection):
            connection.request("GET", "/api/v1/events?after=0", headers=self.headers())
            stream = connection.getresponse()
            while line := stream.readline():
                if line.startswith(b"data: ") and wanted(json.loads(line.removeprefix(b"data: "))):
                    return
        raise AssertionError("the stream ended")

    def headers(self) -> dict[str, str]:
        token = (self._home / "token").read_text().strip()
        return {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str, str]:
        """Ask it to stop; return its exit code and the rest of what it said."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


@pytest.fixture
def serve(terminal) -> Iterator[Callable[..., Served]]:
    with ExitStack() as started:

        def start(*options: str, of=terminal) -> Served:
            # A path on which the command is not found, as it is for somebody who has just set up the project.
            served = Served({"PATH": "/usr/bin:/bin", **of.env}, *options)
            started.callback(served.kill)
            return served

        yield start


@pytest.fixture
def received() -> Iterator[tuple[str, queue.Queue[dict[str, Any]]]]:
    """Receive webhooks: the address to post to, and what came."""
    letters: queue.Queue[dict[str, Any]] = queue.Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            letters.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{listening.server_port}/", letters
        listening.shutdown()
        thread.join()


def test_the_first_start_says_where_it_is_where_the_token_is_and_a_sentence_to_try(serve, terminal):
    served = serve()
    hello, url, token, zone, sentence, _ = served.greeting
    assert str(terminal.home) in hello
    assert served.url in url
    assert str(terminal.home / "token") in token
    assert zone.startswith("时间按 Asia/Shanghai 理解（来自环境变量 TZ）")
    assert sentence.endswith(f"{COMMAND} say 明天下午3点提醒我参加部门例会")
    assert (terminal.home / "token").stat().st_mode & 0o777 == 0o600
    assert served.ask("GET", "/health")["name"] == "zhixing"
    # The sentence that it says to try is one that works.
    assert terminal("say", sentence.split("zhixing say ")[1], "--json").json["state"] == "scheduled"

    assert served.stop() == (0, "已停下，没办完的下次启动会接着办。\n", "")
    assert len(serve().greeting) == 5  # from then on without the hello


def test_bots_that_cannot_be_read_are_told_and_keep_nothing_from_serving(serve, terminal):
    terminal.home.mkdir()
    (terminal.home / "bots.toml").write_text("[[bots]]\n", encoding="utf-8")
    served = serve()
    assert any("bot 名录" in line for line in served.greeting)
    assert served.ask("GET", "/health")["name"] == "zhixing"


def test_what_is_said_reaches_the_webhook_and_is_explained(serve, on_any_store, received):
    url, letters = received
    terminal, clock = on_any_store, SystemClock()
    terminal.clock = clock
    terminal("config", "set", "channels.phone.url", url)
    terminal("say", "买牛奶")
    served = serve(of=terminal)
    assert "服务没有在运行" not in terminal("remind", "t1", (clock.now() + timedelta(seconds=1)).isoformat()).out
    letter = letters.get(timeout=PATIENCE)
    assert (letter["title"], letter["task_id"]) == ("买牛奶", "t1")

    served.await_entry(lambda entry: entry["kind"] == "delivered" and entry["data"]["channel"] == "phone")
    (message,) = terminal("inbox", "--json").json["messages"]
    assert message["title"] == "买牛奶"
    assert any(line.startswith("    phone：已送达") for line in terminal("explain", message["occurrence"]).lines)
    assert any(line.startswith("  已在 今天") for line in terminal("explain", "t1").lines)
    assert letters.empty()


def test_what_became_due_while_nobody_served_is_told_once_after_kill_9_and_restart(serve, terminal, received):
    url, letters = received
    now = SystemClock().now()
    terminal.clock = ManualClock(now - timedelta(hours=1))
    terminal("config", "set", "channels.phone.url", url)
    served = serve()
    terminal("say", "买牛奶")
    served.kill()
    assert not is_served(terminal.home)
    terminal("remind", "t1", (now - timedelta(minutes=30)).isoformat())
    served = serve()
    assert "迟到送达" in letters.get(timeout=PATIENCE)["text"]
    served.await_entry(lambda entry: entry["kind"] == "delivered" and entry["data"]["channel"] == "phone")
    served.kill()
    served = serve()
    served.stop()
    assert letters.empty()
    assert len(terminal("inbox", "--json").json["messages"]) == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_cleanly_also_while_somebody_follows_it(serve, number):
    served = serve()
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE)
    with closing(connection):
        connection.request("GET", "/api/v1/events", headers=served.headers())
        stream = connection.getresponse()
        assert stream.readline().startswith(b"id:")
        assert served.stop(number) == (0, "已停下，没办完的下次启动会接着办。\n", "")
        stream.read()


def test_a_home_has_one_server_and_the_second_says_which(serve, terminal):
    served = serve()
    line = terminal.refused("serve", "--port", "0", code=2)
    assert line == f"这个数据目录（{terminal.home}）已有一个服务在运行：{served.url}，进程 {served.process.pid}。"
    terminal("config", "set", "server.port", str(served.port))
    assert any(line.startswith("✓ 服务：在运行") for line in terminal("doctor").lines)
    assert terminal("config", "set", "zone", "Asia/Tokyo").lines[-1] == "服务正在运行，重新启动后生效。"


def test_a_port_that_is_taken_is_told(terminal):
    with socket.create_server(("127.0.0.1", 0)) as other:
        line = terminal.refused("serve", "--port", str(other.getsockname()[1]), code=2)
    assert "已被占用" in line
    assert not is_served(terminal.home)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])  # noqa: S104 - refused
def test_without_a_token_it_listens_to_nobody_but_this_machine(terminal, host):
    line = terminal.refused("serve", "--host", host, "--port", "0", code=3)
    assert "要先有口令" in line
    assert not terminal.home.exists()


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (("--port", "65536"), 1, "--port 应在 0 到 65535 之间，现在是 65536。"),
        (("--port", "x"), 1, "--port 应为整数，现在是「x」。"),
        (("--host", "127.0.0.1.5"), 3, "要先有口令"),
    ],
)
def test_addresses_that_cannot_be(terminal, argv, code, said):
    assert said in terminal.refused("serve", *argv, code=code)


def test_a_token_of_ones_own_lets_it_listen_anywhere_it_can(terminal):
    terminal.env["ZHIXING_SERVER_TOKEN"] = "0123456789abcdef"
    # An address of documentation: no machine has it.
    assert "192.0.2.1" in terminal.refused("serve", "--host", "192.0.2.1", "--port", "0", code=2)
    assert not (terminal.home / "token").exists()


def test_a_database_that_cannot_be_used_is_told_before_anything_is_promised(terminal):
    terminal.home.mkdir()
    (terminal.home / "zhixing.db").write_bytes(b"precious " * 1000)
    assert "已损坏" in terminal.refused("serve", "--port", "0", code=2)
    assert not is_served(terminal.home)
