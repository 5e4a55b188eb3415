"""`[待处理任务]`: the tasks that were not chosen, for the platform to keep (taskloop §1.4)."""

from __future__ import annotations

from zhixing.goals.recognising.texts import PENDING, line

CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩"


def pending_block(number: int, summary: str, source: str) -> str:
    """Return the block for one task; `number` is its place, from 1, in the list that was shown."""
    quoted = line(source).replace('"', "”")
    return f'{PENDING}\n  {CIRCLED[number - 1]} {line(summary)}\n  source: "{quoted}"'
