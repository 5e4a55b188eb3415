"""The `zhixing` command, and the process around one run of any command line of ours."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from io import BytesIO, TextIOWrapper
from typing import BinaryIO, TextIO


def main() -> None:
    """Run the command line of this process and end it with the right exit code."""
    sys.exit(process("zhixing.faces.cli.run", "已中断。"))


def process(place: str, interrupted: str) -> int:
    """Run the command line that the module at `place` reads (`run(argv, desk)`); return the exit code.

    `interrupted` is the line for whoever loses patience before that module can speak for itself.
    """
    out, err = _utf8(sys.stdout), _utf8(sys.stderr)
    try:
        from zhixing.faces.cli.desk import Desk, width_of  # noqa: PLC0415 - an interrupt may come while this is read
        from zhixing.kernel.clock import SystemClock  # noqa: PLC0415 - as above

        stdin: BinaryIO = sys.stdin.buffer if sys.stdin is not None else BytesIO()
        desk = Desk(os.environ, SystemClock(), stdin, out, err, width_of(out, os.environ), sys.argv[0])
        code: int = import_module(place).run([_typed(word) for word in sys.argv[1:]], desk)
    except BrokenPipeError:
        # Whoever read our output has had enough.
        return 0
    except KeyboardInterrupt:
        err.write(f"{interrupted}\n")
        return 130
    else:
        return code
    finally:
        _let_go(out)
        _let_go(err)


def _utf8(stream: TextIO | None) -> TextIO:
    """Make a stream write UTF-8 whatever the locale says; a closed one leads nowhere."""
    if not isinstance(stream, TextIOWrapper):
        return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - for the life of the process
    stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return stream


def _let_go(stream: TextIO) -> None:
    """Leave nothing in the stream that could fail, and be told of, when the process ends."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _typed(word: str) -> str:
    """Return an argument as it was typed: terminals send UTF-8, also where the locale says otherwise."""
    try:
        return os.fsencode(word).decode()
    except UnicodeError:
        return word


if __name__ == "__main__":
    main()
