"""A browser without a window that draws pages for tests: one process for all of them, spoken to through two pipes."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 60
"""Seconds until a browser that says nothing is given up."""
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
)


class Browser:
    """Draws pages; nothing in them is loaded from anywhere."""

    def __init__(self, ask: int, heard: int) -> None:
        self._ask, self._heard = ask, heard
        self._number = 0
        self._rest = b""
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._frame = self._call("Page.getFrameTree")["frameTree"]["frame"]["id"]

    def draw(self, html: str, width: int, height: int, scale: float = 2) -> bytes:
        """Return a page as PNG, `scale` times as many pixels wide and high."""
        self._call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False
        )
        self._call("Page.setDocumentContent", frameId=self._frame, html=html)
        return base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"])

    def _call(self, method: str, **given: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": given}
        if not method.startswith("Target."):
            message["sessionId"] = self._session
        os.write(self._ask, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._hear()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]

    def _hear(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._heard], [], [], PATIENCE)
            piece = os.read(self._heard, 1 << 20) if ready else b""
            assert piece, "chromium 没有回答"
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\0")
        return json.loads(line)


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """Run a browser whose files are in `folder`, as long as the block runs."""
    program = shutil.which("chromium")
    assert program, "没有 chromium，请先运行 scripts/services start"
    given, ask = os.pipe()
    heard, told = os.pipe()
    # The pipes have to be numbers 3 and 4 of the program.
    command = ["bash", "-c", f'exec "$@" 3<&{given} 4>&{told}', "bash", program, *FLAGS, f"--user-data-dir={folder}"]
    with subprocess.Popen(
        command,
        pass_fds=(given, told),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(folder)},
    ) as process:
        os.close(given)
        os.close(told)
        try:
            yield Browser(ask, heard)
        finally:
            # Without its pipes it ends by itself.
            os.close(ask)
            os.close(heard)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
