"""The document's cases over HTTP: the real server, and the bots as a process of their own; then killed at every step.

The server is killed (kill -9) and started again once at each thing that a bot is asked, before it has answered or right
after, and around every call of the relay bot. The final graph is that of an undisturbed run, and what reached the bots
stands in their own log.
"""

from __future__ import annotations

import http.client
import json
import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.chaos.goal_bots import API, RELAY

from zhixing.goals.contracts.shapes import criteria_of
from zhixing.goals.overlays.folders import load_overlays
from zhixing.settings import put, token_file

HERE = Path(__file__).parent
PATIENCE = 300
TICK = 0.1
_DRAWN = re.compile("(bbs|group)-[0-9a-f]{8,24}")


class House:
    """A home whose server can be killed, and the bots that it reaches."""

    def __init__(self, folder: Path, processes: ExitStack, scenario: str, phase: str) -> None:
        self.overlay = load_overlays((scenario,))[0]
        self.home, self.log, self._pid_file = folder / "home", folder / "bots.log", folder / "server.pid"
        self._processes = processes
        self.env = {"PATH": os.environ["PATH"], "ZHIXING_HOME": str(self.home), "TZ": "Asia/Shanghai"}
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.home.mkdir()
        self._bots = self._start("goal_bots.py", scenario, self.log, self._pid_file, token_file(self.home), phase)
        self._describe_bots(int(self._bots.stdout.readline()))
        self.killed: list[str] = []
        self._listen(self._bots, self.killed.append)
        self._lives: queue.Queue[str] = queue.Queue()
        self._house = self._start("goal_house.py", self.port, folder / "server.log")
        processes.callback(self.end_server)
        self._listen(self._house, self._lives.put)

    def _describe_bots(self, port: int) -> None:
        put(self.home, "server.port", str(self.port))
        if self.overlay.answer is None:
            put(self.home, "goals.scenarios", self.overlay.name)
        searching = self.overlay.searching
        assert searching is not None
        names = list(dict.fromkeys(role.bot for pick in searching.picks.values() for role in pick.members))
        bots = [("owner", "task-owner-bot", False), (RELAY, "接力Bot", True)]
        bots += [(f"b{number}", name, False) for number, name in enumerate(names)]
        tables = [
            f'[[bots]]\nid = "{bot}"\nname = "{name}"\nkind = "http"\nrelay = {str(relay).lower()}\n'
            f'purpose = "{self.overlay.keywords[0]} 技术栈 双视角 分析 概览"\n'
            f'http = {{ url = "http://127.0.0.1:{port}/bots/{bot}" }}\n'
            for bot, name, relay in bots
        ]
        (self.home / "bots.toml").write_text("\n".join(tables), encoding="utf-8")

    def _start(self, program: str, *argv: object) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, str(HERE / program), *map(str, argv)],
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self._processes.callback(self._end, process)
        return process

    @staticmethod
    def _end(process: subprocess.Popen[str]) -> None:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()

    def _listen(self, process: subprocess.Popen[str], told: Any) -> None:
        def read() -> None:
            for line in process.stdout:
                told(line.strip())

        threading.Thread(target=read, daemon=True).start()

    def live(self) -> None:
        """Start a server, after the one that was killed."""
        self._house.stdin.write("start\n")
        self._house.stdin.flush()
        self._pid_file.write_text(self._lives.get(timeout=PATIENCE))

    def has_died(self) -> bool:
        """Whether the server ended since it was started."""
        try:
            return self._lives.get(timeout=TICK) == "ended"
        except queue.Empty:
            return False

    def end_server(self) -> None:
        """End the server that was started last, if it is still there."""
        with suppress(OSError):
            os.kill(int(self._pid_file.read_text()), signal.SIGKILL)

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """Ask the server; None while nobody answers."""
        try:
            token = token_file(self.home).read_text().strip()
            sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **headers}
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            with closing(connection):
                connection.request(method, path, None if body is None else json.dumps(body), sent)
                answer = connection.getresponse()
                text = answer.read()
        except (OSError, http.client.HTTPException):
            return None
        assert answer.status == 200, (answer.status, text)
        return json.loads(text)["data"]

    def play(self, goal: str) -> Any:
        """Hand a goal in and have servers until it is done; return its dashboard."""
        spec = self.overlay.example.goals[goal]
        request = {
            "task_spec": {
                "metadata": {"title": spec.title, "instruction": spec.instruction},
                "context": {"background": spec.background, "extend_props": {}},
                "goal": {"objective": spec.objective, "acceptances": criteria_of(spec)},
            },
            "source_type": "api",
            "owner_user_id": "u",
            "owner_bot_id": "owner",
            "execution_config": {"task_type": "dynamic", **self.overlay.example.config},
        }
        self.live()
        task, shown = "", None
        for _ in range(int(PATIENCE / TICK)):
            if self.has_died():
                self.live()
            if not task:
                handed_in = self.ask("POST", f"{API}/execute", request, **{"Idempotency-Key": "once"})
                task = "" if handed_in is None else handed_in["task_id"]
                continue
            shown = self.ask("GET", f"{API}/dashboard?task_id={task}&include_action_log=true") or shown
            if shown and shown["status"] in {"DONE", "REVIEWING", "FAILED"}:
                return shown
        pytest.fail(f"not done: {json.dumps(shown, ensure_ascii=False)[:6000]}\n{self.log.read_text()[-3000:]}")

    def received(self) -> list[dict[str, Any]]:
        """Return what reached the bots, in order."""
        return [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]


def shape(shown: Any) -> Any:
    """Return what must be the same however often the server was killed: all but times, and ids that are drawn."""
    task = shown["tasks"][0]["task_id"]

    def plain(value: Any) -> Any:
        return json.loads(_DRAWN.sub(r"\1-x", json.dumps(value, ensure_ascii=False).replace(task, "TASK")))

    nodes = [
        {
            "id": node["node_id"],
            "status": node["status"],
            "run": {name: node["run_info"][name] for name in ("run_mode", "output", "acceptance_result")},
        }
        for node in shown["tasks"]
    ]
    found = plain({"status": shown["status"], "output": shown["output"], "nodes": nodes})
    relations = plain([(each["src_id"], each["dst_id"]) for each in shown["relations"]])
    return {**found, "nodes": sorted(found["nodes"], key=lambda each: each["id"]), "relations": sorted(relations)}


def check_log(house: House, shown: Any) -> None:
    """Check by the log of the bots that each leaf was delivered once, and that no attempt followed another."""
    leaves = [each for each in house.received() if each["kind"] == "leaf" and each["what"] == "taken"]
    per_leaf = Counter(each["loop_task_id"] for each in leaves)
    assert set(per_leaf.values()) == {1}, per_leaf
    assert {each["attempt"] for each in leaves} == {1}
    relays = [each for each in house.received() if each["kind"] == "relay" and each["what"] == "taken"]
    assert len(relays) == 1
    assert sum(each["run_info"]["run_mode"] == "bbs" for each in shown["tasks"]) == 1
    turns = Counter(each["key"] for each in house.received() if each["kind"] == "group" and each["what"] == "taken")
    assert all(count == 1 for count in turns.values())


@pytest.mark.parametrize(("scenario", "goal"), [("arch", "two"), ("arch", "three"), ("storage", "due_diligence")])
def test_a_case_ends_the_same_however_often_the_server_is_killed(tmp_path: Path, scenario: str, goal: str) -> None:
    ends = {}
    for phase in ("quiet", "before", "after"):
        folder = tmp_path / phase
        folder.mkdir()
        with ExitStack() as processes:
            house = House(folder, processes, scenario, phase)
            shown = house.play(goal)
            assert shown["status"] == "DONE"
            check_log(house, shown)
            assert bool(house.killed) == (phase != "quiet")
            assert not [line for line in house.killed if not line.startswith("killed")], house.killed
        ends[phase] = shape(shown)
    assert ends["before"] == ends["quiet"]
    assert ends["after"] == ends["quiet"]
