"""Where a served home has its settings, and how to look whether it works."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from zhixing.doctor import Finding, ask_port, examine
from zhixing.doctor.ground import Ask
from zhixing.kernel.clock import Clock
from zhixing.settings import Configuration, load, put
from zhixing.store.opening import open_store


@dataclass(frozen=True, slots=True)
class Ground:
    """The folder of a home and the variables over its file; `ask` asks a port who answers there."""

    home: Path
    env: Mapping[str, str] = field(repr=False)
    ask: Ask = ask_port

    def load(self) -> Configuration:
        """Read the settings as they are in the file now. Raises `BadInput` and `Unavailable`."""
        return load(self.home, self.env)

    def put(self, name: str, text: str) -> None:
        """Change one setting in the file; an empty text takes it out. Raises `BadInput` and `Unavailable`."""
        put(self.home, name, text)

    def examine(self, clock: Clock) -> list[Finding]:
        """Look at everything; the model is asked a tiny question, where there is one."""
        return examine(self.home, self.env, open_store, clock, self.ask)
