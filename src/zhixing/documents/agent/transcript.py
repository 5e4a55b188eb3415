"""The record of an agent run, one JSON object a line, written as it happens: it is there after a crash."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

import msgspec

from zhixing.documents.agent.files import TRANSCRIPT
from zhixing.documents.agent.model import Powers, Turn
from zhixing.documents.performing import Review
from zhixing.kernel.clock import Clock
from zhixing.world.models.usage import Tokens
from zhixing.world.sandbox.redaction import redact


class Transcript:
    """Writes `transcript.jsonl` in the folder of a run. No secret gets in. Raises `OSError`."""

    def __init__(self, folder: Path, secrets: Sequence[str], clock: Clock) -> None:
        self._path = folder / TRANSCRIPT
        self._file: TextIO | None = None
        self._secrets = tuple(secrets)
        self._clock = clock

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def powers(self, powers: Powers) -> None:
        """Write what the run may do."""
        self._write("powers", tools=list(powers.tools), readable=powers.readable, writable=powers.writable)

    def called(self, round_number: int, turn: Turn) -> None:
        """Write what the model wants, before it is done."""
        self._write(
            "call",
            round=round_number,
            turn=turn.number,
            thought=turn.thought,
            tool=turn.tool.value,
            arguments=msgspec.to_builtins(turn.arguments),
            tokens=_tokens(turn.tokens),
        )

    def settled(self, round_number: int, turn: Turn) -> None:
        """Write what became of it."""
        self._write("result", round=round_number, turn=turn.number, state=turn.state.value, result=turn.result)

    def ended(self, round_number: int, error: str) -> None:
        """Write why a round ended without a final text."""
        self._write("ended", round=round_number, error=error)

    def reviewed(self, round_number: int, review: Review, tokens: Tokens) -> None:
        """Write what the reviewer said."""
        self._write(
            "review",
            round=round_number,
            satisfied=review.satisfied,
            reply=review.reply,
            reason=review.reason,
            score=review.score,
            tokens=_tokens(tokens),
        )

    def _write(self, event: str, **values: Any) -> None:
        line = {"at": self._clock.now().isoformat(), "event": event, **self._clean(values)}
        if self._file is None:
            # Where there is nothing to tell, there is no file.
            self._file = _opened(self._path)
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()

    def _clean(self, value: Any) -> Any:
        match value:
            case str():
                return redact(value, self._secrets)
            case dict():
                return {name: self._clean(each) for name, each in value.items()}
            case list() | tuple():
                return [self._clean(each) for each in value]
            case _:
                return value


def _opened(path: Path) -> TextIO:
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(path, flags, 0o600), "a", encoding="utf-8", errors="replace")


def _tokens(tokens: Tokens) -> dict[str, int]:
    return {"read": tokens.read, "written": tokens.written, "cached": tokens.cached}
