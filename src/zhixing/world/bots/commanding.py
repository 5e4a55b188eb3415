"""A program of this machine as a bot: the errand on its standard input, its answer on its standard output.

It runs in the sandbox. Of the machine it sees the system and the folder of the bot, where it may write; of our
environment it sees nothing.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import threading
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

from zhixing.kernel.errors import BadInput, Unavailable
from zhixing.world.bots.hearing import failed, plain, said
from zhixing.world.bots.port import Errand, NotSent, Said, Unclear
from zhixing.world.sandbox.port import Command, Ended, Finished, Limits, Mount, Sandbox

MOST_PRINTED = 200_000
"""Bytes of an answer."""
MOST_WHY = 400
"""Characters that an error repeats of what was printed on standard error last."""
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_CONTROLS = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class CommandBot:
    """Runs `argv` without a shell, once for each errand, `seconds` long at most.

    A program is looked for in `folder` when its name has a slash, otherwise where the system keeps programs. Without a
    folder every errand gets one of its own, which is removed afterwards. `hidden` are folders it must not see into,
    and cannot live in itself.
    Programs that ask others for help need the network; take it from those that do not.
    """

    def __init__(
        self,
        argv: tuple[str, ...],
        sandbox: Sandbox,
        folder: Path | None = None,
        *,
        seconds: float = 600.0,
        network: bool = True,
        hidden: tuple[Path, ...] = (),
        closing: threading.Event | None = None,
    ) -> None:
        if not argv:
            raise ValueError("a command has words")
        self._argv = argv
        self._sandbox = sandbox
        self._folder = folder
        self._seconds = seconds
        self._network = network
        self._hidden = hidden
        self._closing = closing or threading.Event()

    def ask(self, errand: Errand) -> Said:
        """Run the program; see `Bot`."""
        with ExitStack() as stack:
            command = self._command(errand, self._place(stack))
            try:
                finished = self._sandbox.run(command, self._closing)
            except Unavailable:
                # Said of what could not be started.
                raise NotSent("sandbox_failed") from None
            except BadInput:
                raise NotSent("command_unusable") from None
        return _said(finished)

    def _place(self, stack: ExitStack) -> Path:
        try:
            if self._folder is None:
                made = tempfile.TemporaryDirectory(prefix="zhixing-bot-", ignore_cleanup_errors=True)
                return Path(stack.enter_context(made)).resolve()
            folder = self._folder.resolve(strict=True)
        except (OSError, RuntimeError):
            raise NotSent("command_folder") from None
        # What is mounted is seen: a bot that lived in a hidden folder would see all of it.
        if not folder.is_dir() or folder in {each.resolve() for each in self._hidden}:
            raise NotSent("command_folder")
        return folder

    def _command(self, errand: Errand, folder: Path) -> Command:
        program = _found(self._argv[0], folder)
        given = {
            "ZHIXING_KEY": errand.key,
            "ZHIXING_LOOP_TASK_ID": errand.loop_task_id,
            "ZHIXING_ATTEMPT": str(errand.attempt),
        }
        surroundings = {"PATH": PATH, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TERM": "dumb"}
        return Command(
            argv=(program, *self._argv[1:]),
            cwd=folder,
            env={**surroundings, **{name: plain(value) for name, value in given.items()}},
            mounts=(Mount(folder, writable=True),),
            hidden=self._hidden,
            network=self._network,
            stdin=plain(errand.text).encode(),
            limits=Limits(
                wall=timedelta(seconds=min(errand.seconds, self._seconds)),
                # Kept are the beginning and the end: half of it each.
                kept_bytes=MOST_PRINTED,
            ),
        )


def _found(name: str, folder: Path) -> str:
    if os.sep in name:
        path = os.path.normpath(folder / name)
        found = path if os.access(path, os.X_OK) and not Path(path).is_dir() else None
    else:
        found = shutil.which(name, path=PATH)
    if found is None:
        raise NotSent("command_missing")
    return found


def _said(finished: Finished) -> Said:
    content = _text(finished.stdout.head + finished.stdout.tail)
    match finished.ended:
        case Ended.CANCELLED:
            raise Unclear("closing")
        case Ended.TIMED_OUT:
            return failed("timeout", content)
        case Ended.TOO_MANY_PROCESSES:
            return failed("too_many_processes", content)
    if not finished.succeeded:
        end = f"exit_{finished.code}" if finished.signal is None else f"signal_{finished.signal}"
        last = _text(finished.stderr.tail or finished.stderr.head)[-MOST_WHY:]
        return failed(f"{end}: {last}" if last else end, content)
    if finished.stdout.dropped:
        return failed("answer_large", content)
    return said(content) if content else failed("answer_empty")


def _text(printed: bytes) -> str:
    return _CONTROLS.sub("", printed.decode("utf-8", "replace")).strip()
