"""docs/mcp.md, written from the tools themselves (`make docs`). Needs nothing of the protocol's package."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from zhixing.faces.mcp.tool import Effect, Tool
from zhixing.faces.mcp.tools import CHAPTERS

_HEAD = """\
# Tools for agents (MCP)

<!-- Written by `make docs` from src/zhixing/faces/mcp. Change it there. -->

`zhixing mcp` serves this home to an agent as tools of the
[Model Context Protocol](https://modelcontextprotocol.io): a JSON-RPC message on each line of standard input and output.
It needs the extra `mcp` (`pip install 'zhixing[mcp]'`; `make setup` has it). A client starts it itself:

```json
{"mcpServers": {"zhixing": {"command": "zhixing", "args": ["mcp"]}}}
```

The home is the one of every other command; another one is named by `ZHIXING_HOME` in the client's `env`.

Like every other command it opens the home and starts no engine: reminders ring and rules act while `zhixing serve`
runs. `home_status` says whether it does. Several clients may work at one home at once.

How an agent goes about it is told by
[skills/zhixing-household/SKILL.md](../skills/zhixing-household/SKILL.md), about document tasks by
[skills/zhixing-documents/SKILL.md](../skills/zhixing-documents/SKILL.md), about rule graphs of a smart-home hub by
[skills/zhixing-graphs/SKILL.md](../skills/zhixing-graphs/SKILL.md), and about goals by
[skills/zhixing-goals/SKILL.md](../skills/zhixing-goals/SKILL.md). What bots answer when a goal asks them is told by
[skills/zhixing-goal-bots/SKILL.md](../skills/zhixing-goal-bots/SKILL.md), and how one takes over the rest of a goal by
[skills/bbs-relay-single-task/SKILL.md](../skills/bbs-relay-single-task/SKILL.md).

- A result is one JSON object, as `structuredContent` and as text, in the shapes of `zhixing … --json` and of the
  [HTTP API](http.md).
- An error has `isError` and one line, `code: message`; structured, it is `{"error": {"code", "message"}}` as in the
  HTTP API. A rule graph that is refused for what is in it comes with all findings, as a second text and beside
  `error`. A line that is no message is answered with the id null.
- Arguments are not converted, and one that is not in the schema is refused by name. All arguments of a call together
  are at most `limits.body_bytes`, a text `limits.text_chars` ([settings.md](settings.md)).
- `key` is an idempotency key: the same key again changes nothing and gives the first result.
- A call that was begun is finished, also when it is cancelled or the client is gone.
- What the hints say stands beside each tool. *adds*: something new comes of each call. *sets*: may be repeated, the
  second call changes nothing and may say so as an error. *ends*: takes something away. *acts*: acts on the world, or
  takes something back; not to be repeated unseen.
"""

_EFFECTS = {
    Effect.READS: "reads",
    Effect.ADDS: "adds",
    Effect.SETS: "sets",
    Effect.ENDS: "ends",
    Effect.ACTS: "acts",
}


def reference() -> str:
    """Return docs/mcp.md."""
    return "".join([_HEAD, *_index(), *(part for tools in CHAPTERS.items() for part in _chapter(*tools))])


def _index() -> Iterator[str]:
    yield "\n| | tools |\n|---|---|\n"
    for title, tools in CHAPTERS.items():
        named = ", ".join(f"`{tool.name}`" for tool in tools)
        yield f"| {title} | {named} |\n"


def _chapter(title: str, tools: tuple[Tool, ...]) -> Iterator[str]:
    yield f"\n## {title}\n"
    for tool in tools:
        yield f"\n### `{tool.name}` ({_EFFECTS[tool.effect]})\n\n{tool.about}\n"
        rows = list(_rows(tool.schema))
        if rows:
            yield "\n| | | |\n|---|---|---|\n"
            yield from rows


def _rows(schema: dict[str, Any], above: str = "", defs: dict[str, Any] | None = None) -> Iterator[str]:
    known = schema.get("$defs", {}) if defs is None else defs
    needed = schema.get("required", [])
    for name, said in schema["properties"].items():
        inner = known.get(said.get("$ref", "").rpartition("/")[2])
        about = said.get("description", "" if inner is None else inner.get("description", ""))
        default = said.get("default")
        if default not in (None, [], False, "") and inner is None:
            about += f" Default {default}."
        must = "" if name in needed else "optional"
        yield f"| `{above}{name}` | {' '.join(filter(None, (_type(said), must)))} | {about} |\n"
        if inner is not None:
            yield from _rows(inner, f"{above}{name}.", known)


def _type(said: dict[str, Any]) -> str:
    if "enum" in said:
        return " / ".join(f"`{one}`" for one in said["enum"])
    if "anyOf" in said:
        return " or ".join(_type(one) for one in said["anyOf"] if one.get("type") != "null")
    if said.get("type") == "array":
        return f"list of {_type(said['items'])}"
    words = str(said.get("type", "object"))
    low, high = said.get("minimum"), said.get("maximum")
    if low is None and high is None:
        return words
    return f"{words} {low}–{high}" if high is not None else f"{words} ≥ {low}"


if __name__ == "__main__":
    sys.stdout.write(reference())
