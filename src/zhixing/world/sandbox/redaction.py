"""Values of secrets are taken out of what a command prints, before anybody keeps or writes it.

`***` stands for a value. It is shorter than any value that is looked for, so nothing grows.
"""

from __future__ import annotations

import re
from typing import overload

SHORTEST = 6
"""Characters below which a value is no secret: taking out every `1234` would ruin the text and hide nothing."""
COVER = b"***"


class Redactor:
    """Takes values out of a stream that comes in pieces, also where a value lies across two of them.

    Of several values that begin at one place the longest is taken out. Held back at most: the longest value.
    """

    def __init__(self, secrets: tuple[str, ...]) -> None:
        values = {secret.encode("utf-8", "surrogateescape") for secret in secrets if len(secret) >= SHORTEST}
        self._values = sorted(values, key=len, reverse=True)
        self._any = re.compile(b"|".join(re.escape(value) for value in self._values))
        self._held = b""

    def feed(self, data: bytes) -> bytes:
        """Return what can be told by now."""
        if not self._values:
            return data
        data = self._held + data
        safe = min(_partial(data, value) for value in self._values)
        told, safe = self._covered(data, safe)
        self._held = data[safe:]
        return told

    def rest(self) -> bytes:
        """Return what was held back, at the end of the stream."""
        rest, self._held = self._held, b""
        return self._covered(rest, len(rest))[0] if rest else rest

    def _covered(self, data: bytes, safe: int) -> tuple[bytes, int]:
        """Cover every value that begins before `safe`; return the text and where it ends in `data`."""
        if not any(value in data for value in self._values):
            return data[:safe], safe
        told: list[bytes] = []
        end = 0
        for found in self._any.finditer(data):
            if found.start() >= safe:
                break
            told += [data[end : found.start()], COVER]
            end = found.end()
        told.append(data[end:safe])
        return b"".join(told), max(end, safe)


def _partial(data: bytes, value: bytes) -> int:
    """Return where `data` ends in the beginning of `value`; its length if it does not."""
    start = data.find(value[:1], max(0, len(data) - len(value) + 1))
    while start >= 0:
        if value.startswith(data[start:]):
            return start
        start = data.find(value[:1], start + 1)
    return len(data)


@overload
def redact(data: bytes, secrets: tuple[str, ...]) -> bytes: ...
@overload
def redact(data: str, secrets: tuple[str, ...]) -> str: ...
def redact(data: bytes | str, secrets: tuple[str, ...]) -> bytes | str:
    """Take the values of `secrets` out of a whole text."""
    redactor = Redactor(secrets)
    if isinstance(data, bytes):
        return redactor.feed(data) + redactor.rest()
    encoded = data.encode("utf-8", "surrogateescape")
    return (redactor.feed(encoded) + redactor.rest()).decode("utf-8", "surrogateescape")
