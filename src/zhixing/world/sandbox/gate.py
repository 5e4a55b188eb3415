"""How a command is started: behind a gate, so that it is known and bounded before its first instruction."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from zhixing.kernel.errors import Unavailable
from zhixing.kernel.wording import wording
from zhixing.world.sandbox.processes import is_readable

GATE = ("/bin/sh", "-c", 'umask 077; echo; read -r _ && exec "$@"', "sh")
"""Says on standard output that it is there, and becomes the command when a line comes on standard input.

Should the server end before, no line comes and no command begins."""
OPEN = b"\n"
"""What a command at its gate waits for."""
SECONDS_TO_START = 30
"""After which a command is said not to have come as far as its gate."""
MOST_WHY = 300
"""Characters that are handed on of what is said instead."""


def spawn(
    words: Sequence[str | Path], env: Mapping[str, str], cwd: Path, handed: Sequence[int]
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own, with three pipes and the descriptors of `handed`."""
    pipe = subprocess.PIPE
    return subprocess.Popen(  # noqa: S603 - no shell reads it
        words,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        bufsize=0,
        env=env,
        cwd=cwd,
        pass_fds=handed,
        start_new_session=True,
    )


def await_gate(process: subprocess.Popen[bytes]) -> None:
    """Wait until the command is at its gate. Raises `Unavailable` with what was said instead."""
    if process.stdout is None or process.stderr is None:
        raise ValueError("a command is started with three pipes")
    if not is_readable(process.stdout.fileno(), SECONDS_TO_START * 1000):
        raise Unavailable("sandbox_failed", why=wording("sandbox.slow", seconds=SECONDS_TO_START))
    if not process.stdout.read(1):
        said = process.stderr.read(MOST_WHY * 4).decode(errors="replace").strip().splitlines()
        why = said[-1].removeprefix("bwrap: ")[:MOST_WHY] if said else wording("sandbox.silent")
        raise Unavailable("sandbox_failed", why=why)
