"""The process as it is: what comes in, what goes out, how it ends, and what it says where the package is missing."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import anyio
import pytest

from zhixing.faces.mcp.stdio import LARGEST_MESSAGE, Lines

COMMAND = Path(sys.executable).parent / "zhixing"
PATIENCE = 60
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
HOSTILE = [
    b"",
    b"garbage",
    b"\x00\xff\xfe",
    b"[]",
    b"{}",
    b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"say","arguments":{"text":"\\ud800"}}}',
    b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"plan_apply","arguments":{"plan":'
    + b'{"a":' * 5_000
    + b"1"
    + b"}" * 5_000
    + b"}}}",
    b"x" * (LARGEST_MESSAGE + 1),
]


@pytest.fixture
def server(tmp_path):
    env = {"HOME": str(tmp_path), "ZHIXING_HOME": str(tmp_path / "home"), "TZ": "Asia/Shanghai", "LC_ALL": "C"}
    with subprocess.Popen(
        [COMMAND, "mcp"], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        yield process
        process.kill()


def asked(server, message):
    """Send a line; return the line that comes back."""
    line = message if isinstance(message, bytes) else json.dumps(message).encode()
    server.stdin.write(line + b"\n")
    server.stdin.flush()
    return json.loads(server.stdout.readline())


def called(server, number, name, **arguments):
    params = {"name": name, "arguments": arguments}
    return asked(server, {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})


def test_whatever_comes_is_answered_in_one_line_until_an_interrupt_ends_it(server):
    for line in HOSTILE:
        answer = asked(server, line)
        assert (answer["id"], answer["error"]["code"]) == (None, -32700), line[:80]
    assert asked(server, HELLO)["result"]["serverInfo"]["title"] == "知行"
    server.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    odd = called(server, 2, "say", text="\u202e明天3点\u0007开会\x1b[31m")["result"]
    assert odd["isError"] or odd["structuredContent"]["id"]
    for number, text, code in (
        (3, "a\0b", "text_nul"),
        (4, "x" * 20_001, "text_long"),
        (5, "x" * 2_000_000, "body_large"),
    ):
        assert called(server, number, "say", text=text)["result"]["structuredContent"]["error"]["code"] == code
    for number, wrong in enumerate((5, None, [], {}, True), start=6):
        error = called(server, number, "say", text=wrong)["result"]["structuredContent"]["error"]
        assert error["code"] == "field_wrong"
    deep = {"op": "create"}
    for _ in range(150):
        deep = {"task": deep}
    assert called(server, 20, "plan_check", plan=deep)["result"]["isError"]
    assert called(server, 21, "device_set", device="light_living", property="on", value=1e400)["result"]["isError"]
    assert "error" in asked(server, {"jsonrpc": "2.0", "id": 22, "method": "tools/call", "params": {"name": 5}})
    assert "error" in asked(server, {"jsonrpc": "2.0", "id": 23, "method": "home/burn"})
    assert called(server, 24, "task_list")["id"] == 24

    server.send_signal(signal.SIGINT)
    assert server.wait(PATIENCE) == 130
    assert (server.stdout.read(), server.stderr.read().decode()) == (b"", "已中断。\n")


@pytest.mark.parametrize(
    ("argv", "code", "says"),
    [
        ("mcp", 2, "缺少 MCP 的部件，请先运行：pip install 'zhixing[mcp]'\n"),
        ("version", 0, ""),
    ],
)
def test_without_the_package_only_this_command_is_missing(tmp_path, argv, code, says):
    program = (
        "import sys\n"
        "for name in ('mcp', 'mcp_types'): sys.modules[name] = None\n"
        f"sys.argv = ['zhixing', '{argv}']\n"
        "from zhixing.faces.cli.__main__ import main\n"
        "main()\n"
    )
    env = {"ZHIXING_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr.decode()) == (code, says)


@pytest.mark.parametrize(
    ("given", "lines"),
    [
        (b"", []),
        (b"a\nb\n", ["a", "b"]),
        (b"a\nunfinished", ["a"]),
        (b"12345678\n", ["12345678"]),
        (b"123456789\na\n", ["!", "a"]),
        (b"123456789" * 50_000 + b"\na\n", ["!", "a"]),
        ("明\n".encode()[:2] + b"\n", ["\ufffd"]),
    ],
)
def test_lines_have_a_bound_also_those_of_a_file(given, lines, tmp_path):
    async def read(source):
        return [line async for line in Lines(source, largest=8)]

    assert anyio.run(read, BytesIO(given)) == lines
    (tmp_path / "said").write_bytes(given)
    with (tmp_path / "said").open("rb") as file:
        assert anyio.run(read, file) == lines
