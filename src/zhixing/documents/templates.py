"""The document's templates for bodies, and bodies built from their parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from zhixing.documents.model import Kind

CONTRACT = (
    "最后一条 assistant 返回会被直接写入 `output.md` 并发送给用户，因此只输出成品正文本身。",
    "不要输出任务管理过程、发送过程或状态汇报，不要使用“我来为你…… / 首先让我…… / 已发送……”这类元话术。",
    "默认不要再次调用 `city chat send`。",
)
"""What the document wants every agent's output section to say."""


@cache
def template(kind: Kind) -> str:
    """Return the document's template for a body of that kind."""
    name = "agent.md" if kind is Kind.AGENT else "script.sh"
    return files("zhixing.documents").joinpath("bodies", name).read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class AgentBody:
    """What an agent's body says, section by section; a text is one line of it, without marks of a list."""

    goal: str
    inputs: tuple[str, ...]
    steps: tuple[str, ...]
    output: tuple[str, ...]
    schedule: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()


def write_body(body: AgentBody) -> str:
    """Return the Markdown, in the document's sections; the output section ends with the `CONTRACT`.

    The last two sections are left out where they are empty.
    """
    output = (*body.output, *(line for line in CONTRACT if line not in body.output))
    sections = (
        _section("任务目标", _bullets((body.goal,))),
        _section("背景与输入", _bullets(body.inputs)),
        _section("执行步骤", (f"{n}. {text}" for n, text in enumerate(_lines(body.steps), 1))),
        _section("输出要求", _bullets(output)),
        _section("触发与状态建议", _bullets(body.schedule)) if body.schedule else "",
        _section("注意事项", _bullets(body.cautions)) if body.cautions else "",
    )
    return "\n".join(section for section in sections if section)


def _section(title: str, lines: Iterator[str]) -> str:
    return "\n".join((f"# {title}", "", *lines, ""))


def _bullets(texts: tuple[str, ...]) -> Iterator[str]:
    return (f"- {text}" for text in _lines(texts))


def _lines(texts: tuple[str, ...]) -> Iterator[str]:
    """Give each text on one line: a break inside of one would begin something new."""
    return (line for text in texts if (line := " ".join(text.split())))
