"""All bots of a scenario as one process: they read their lines off its tables and keep a log of what reached them.

    goal_bots.py SCENARIO LOG SERVER_PID_FILE TOKEN_FILE quiet|before|after

With `before` or `after` the server is killed (kill -9) once at every step: when a bot has taken an errand and not yet
answered it, or right after its answer; and so around each call that the relay bot makes. A bot does an errand once.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import sys
import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from zhixing.goals.contracts import bidding, planning, searching
from zhixing.goals.contracts.extracting import json_values
from zhixing.goals.overlays.answering import answer, result
from zhixing.goals.overlays.folders import load_overlays
from zhixing.goals.overlays.planning import plan
from zhixing.goals.overlays.searching import search

RELAY = "relay"
API = "/api/v1/collaboration/tasks"
PATIENCE = 60
PAUSE = 0.05


class Reaper:
    """Kills the server, once at each step."""

    def __init__(self, phase: str, pid_file: Path) -> None:
        self._phase = phase
        self._pid_file = pid_file
        self._turn = threading.Lock()
        self._seen: set[str] = set()
        self._killed = ""

    def step(self, name: str, phase: str) -> None:
        with self._turn:
            if phase != self._phase or name in self._seen:
                return
            pid = self._pid_file.read_text()
            if pid == self._killed:
                # This is the last breath of the one that is dead already; the step will come again.
                return
            self._seen.add(name)
            self._killed = pid
            os.kill(int(pid), signal.SIGKILL)
            say(f"killed {pid} {phase} {name}")


class Cast:
    """What the bots know and have done."""

    def __init__(self, scenario: str, log: Path, reaper: Reaper, token_file: Path) -> None:
        self.overlay = load_overlays((scenario,))[0]
        self.reaper = reaper
        self._token_file = token_file
        self._log = log.open("a", encoding="utf-8")
        self._turn = threading.Lock()
        self._done: dict[str, dict[str, Any]] = {}

    def known(self, key: str) -> dict[str, Any] | None:
        with self._turn:
            return self._done.get(key)

    def take(self, bot: str, errand: dict[str, Any]) -> dict[str, Any]:
        """Do an errand; the same key again is the same errand."""
        key, text = str(errand["key"]), str(errand["text"])
        with self._turn:
            said = self._done.get(key)
            kind = _kind(text)
            self._note("again" if said else "taken", bot, kind, errand)
            if said is None:
                said = self._done[key] = {"content": self._answer(bot, kind, text, errand)}
                if kind == "relay":
                    threading.Thread(target=self._relay, args=(bot, text), daemon=True).start()
        return said

    def _note(self, what: str, bot: str, kind: str, errand: dict[str, Any]) -> None:
        about = {name: errand.get(name) for name in ("key", "loop_task_id", "attempt")}
        self._log.write(json.dumps({"what": what, "bot": bot, "kind": kind, **about}) + "\n")
        self._log.flush()

    def _answer(self, bot: str, kind: str, text: str, errand: dict[str, Any]) -> str:
        node = str(errand.get("loop_task_id", "")).partition("::")[2]
        told = result(self.overlay, node)
        match kind:
            case "plan":
                shown = json_values(text)[0]
                return plan(self.overlay, shown["node_id"], shown) or ""
            case "search":
                return self._search(text)
            case "bid":
                return json.dumps({"completion_rate": 90 if bot == RELAY else 10})
            case "group" if '"done"' in text:
                return f"看过了。\n{json.dumps({'done': json.loads(told or '{}')}, ensure_ascii=False)}"
            case "group":
                return f"{bot} 的那一份做完了。"
            case _:
                return told or json.dumps({"success": True, "data": f"{bot} 补好了", "gaps": []}, ensure_ascii=False)

    def _search(self, text: str) -> str:
        asked = json_values(text)[0]
        catalog = [searching.Candidate(each["bot_id"], each["bot_name"]) for each in asked["catalog"]]
        return search(self.overlay, asked["demand"]["node_id"], catalog) or ""

    # The relay

    def _relay(self, bot: str, text: str) -> None:
        """Do what is left of a goal, as the skill says: dashboard, attach, result."""
        about = dict(re.findall(r"^(task_id|backend)=(.+)$", text, re.MULTILINE))
        task = about["task_id"]
        self._call(about["backend"], "GET", f"{API}/dashboard?task_id={task}")
        spec = {
            "metadata": {"task_id": "rest", "title": "剩余事项", "instruction": "做完剩余事项"},
            "context": {"background": ""},
            "goal": {"objective": "做完剩余事项", "acceptances": [{"id": "ac1", "description": "做完"}]},
        }
        attach = {"task_id": task, "parent_node_id": task, "task_spec": spec, "bot_id": bot}
        attached = self._call(about["backend"], "POST", f"{API}/bbs/attach", attach, key=f"{task}:{bot}")
        said = answer(self.overlay, text)
        output = {"field_interview": "访谈纪要"} if said is None else {"architects": json_values(said)[0]["architects"]}
        result_of = {
            "task_id": task,
            "node_id": attached["data"]["node_id"],
            "bot_id": bot,
            "acceptance_result": {"verdict": "PASS", "acceptances_metric": [], "gaps": []},
            "output_patch": output,
        }
        self._call(about["backend"], "POST", f"{API}/bbs/result", result_of)

    def _call(self, backend: str, method: str, path: str, body: object = None, key: str = "") -> Any:
        """Call the server until it answers, with the same words each time."""
        place, name = urlsplit(backend), f"relay {method} {urlsplit(path).path}"
        headers = {"Authorization": f"Bearer {self._token_file.read_text().strip()}"}
        headers |= {"Content-Type": "application/json"} if body is not None else {}
        headers |= {"Idempotency-Key": key} if key else {}
        rest = threading.Event()
        for _ in range(int(PATIENCE / PAUSE)):
            self.reaper.step(name, "before")
            try:
                with closing(http.client.HTTPConnection(place.hostname or "", place.port, timeout=5)) as connection:
                    connection.request(method, path, None if body is None else json.dumps(body), headers)
                    told = connection.getresponse()
                    status, text = told.status, told.read()
            except (OSError, http.client.HTTPException):
                rest.wait(PAUSE)
                continue
            self.reaper.step(name, "after")
            if status == 200:
                return json.loads(text)
            say(f"refused {status} {method} {path} {text.decode()}")
            return {"data": {"node_id": ""}}
        raise RuntimeError(f"no answer: {method} {path}")


def _kind(text: str) -> str:
    if text.startswith(planning.HEADERS):
        return "plan"
    if text.startswith(searching.HEADERS):
        return "search"
    if text.startswith(bidding.HEADER):
        return "bid"
    if f"skill={bidding.SKILL}" in text:
        return "relay"
    return "group" if text.startswith("[group]") else "leaf"


class Stage(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, cast: Cast) -> None:
        super().__init__(("127.0.0.1", 0), Door)
        self.cast = cast

    def handle_error(self, *_args: object) -> None:
        """Say nothing of those who were killed in the middle of a request."""


class Door(BaseHTTPRequestHandler):
    server: Stage
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        errand = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = self.server.cast.take(self.path.rpartition("/")[2], errand)
        name = f"{self.path} {errand['key']}"
        self.server.cast.reaper.step(name, "before")
        if _kind(str(errand["text"])) == "leaf":
            # It is left here and asked for later.
            self._give(202, {"run_id": errand["key"], "session_id": "s"})
        else:
            self._give(200, said)
        self.server.cast.reaper.step(name, "after")

    def do_GET(self) -> None:
        asked = parse_qs(urlsplit(self.path).query)
        about = "run_id" if "run_id" in asked else "key"
        said = self.server.cast.known(asked[about][0])
        name = f"{urlsplit(self.path).path} {about} {asked[about][0]}"
        self.server.cast.reaper.step(name, "before")
        self._give(200 if said else 404, said or {})
        self.server.cast.reaper.step(name, "after")

    def do_DELETE(self) -> None:
        self._give(200, {})

    def _give(self, status: int, value: object) -> None:
        body = json.dumps(value).encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            self.close_connection = True

    def log_message(self, *_args: object) -> None:
        pass


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(scenario: str, log: str, pid_file: str, token_file: str, phase: str) -> None:
    stage = Stage(Cast(scenario, Path(log), Reaper(phase, Path(pid_file)), Path(token_file)))
    say(str(stage.server_address[1]))
    stage.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
