"""The log of a hub, block by block from the newest, put into one in the order of time (mijia §6.2)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from zhixing.graphs.hubs.entries import strange
from zhixing.graphs.logs import MOST_LINES, Line, read_log
from zhixing.world.hub.port import Hub, Method

MOST_BLOCKS: Final = 200
"""Blocks that are asked for."""
MOST_CHARACTERS: Final = 16 * 1024 * 1024
"""Characters of all blocks together."""


@dataclass(frozen=True, slots=True)
class HubLog:
    """Lines in the order of time. `complete` tells whether the log was read to its end and all of it was kept."""

    lines: tuple[Line, ...]
    unread: int
    """Lines of any rule that could not be read."""
    blocks: int
    complete: bool


def read_hub_log(hub: Hub, rule: str | None = None, blocks: int = MOST_BLOCKS) -> HubLog:
    """Read up to so many of the newest blocks, until one is empty or repeats another; keep the lines of one rule.

    The log is that of the whole hub, which cannot be asked for one rule.
    """
    found: list[str] = []
    seen: set[bytes] = set()
    characters, ended = 0, False
    for number in range(min(blocks, MOST_BLOCKS)):
        block = hub.call(Method.GET_LOG, {"num": number})
        if not isinstance(block, str):
            raise strange(Method.GET_LOG)
        mark = hashlib.sha256(block.encode(errors="replace")).digest()
        if not block.strip() or mark in seen:
            ended = True
            break
        characters += len(block)
        if characters > MOST_CHARACTERS:
            break
        seen.add(mark)
        found.append(block)
    written = [line for block in reversed(found) for line in block.split("\n")]
    log = read_log(written[-MOST_LINES:])
    lines = tuple(line for line in log.lines if rule is None or line.graph == rule)
    return HubLog(lines, log.unread_count, len(found), ended and len(written) <= MOST_LINES)
