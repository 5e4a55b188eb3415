"""What the owner of a home has set about document tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from zhixing.world.sandbox.port import MEBIBYTE


@dataclass(frozen=True, slots=True)
class Terms:
    """`project` is the folder of tasks that name none; `at_once` bounds the runs of all tasks together.

    `kept` are the newest runs of a task that are kept. `environment` is where declared variables come from; `secrets`
    are values that may appear in no file and no message.
    """

    project: Path | None = None
    at_once: int = 4
    script_timeout: timedelta = timedelta(seconds=600)
    agent_timeout: timedelta = timedelta(hours=1)
    agent_command: str = ""
    kept: int = 200
    folder_bytes: int = 512 * MEBIBYTE
    """What a run may leave in its folder."""
    hidden: tuple[Path, ...] = ()
    """Files and folders that no run may see: the home itself, its database."""
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
