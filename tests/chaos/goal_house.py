"""Starts servers quickly: it has read all the code, and forks one whenever a line comes in; says its process id."""

from __future__ import annotations

import os
import sys
from io import BytesIO
from pathlib import Path

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.run import run
from zhixing.faces.cli.serving import serve  # noqa: F401 - read here, so that no server has to
from zhixing.kernel.clock import SystemClock


def main(port: str, log: str) -> None:
    for _ in sys.stdin:
        pid = os.fork()
        if pid == 0:
            with Path(log).open("a", encoding="utf-8") as out:
                os.dup2(out.fileno(), 1)
                os.dup2(out.fileno(), 2)
                os._exit(run(["serve", "--port", port], Desk(os.environ, SystemClock(), BytesIO(), out, out)))
        say(str(pid))
        os.waitpid(pid, 0)
        say("ended")


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
