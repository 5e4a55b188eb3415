"""`/task` and `workflow_id='…'`: how a task begins (taskloop §1.1), and where old drafts hide a workflow (§1.6)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zhixing.goals.recognising.model import LONGEST_ID

_SLASH = re.compile(r"[\s\ufeff]*[/／]task(?![A-Za-z0-9_\-./@\\])", re.IGNORECASE)
_QUOTED = re.compile(
    r"\s*workflow_id\s*=\s*(?:'(?P<plain>[^'\n]*)'|[‘’](?P<curly>[^‘’\n]*)[’‘])[\s，,：:；;]*", re.IGNORECASE
)
_EMPTY = re.compile(r"\s*workflow_id\s*=(?=\s|$)\s*", re.IGNORECASE)
_ANYWHERE = re.compile(
    r"(?:请?(?:用|使用|走|按照?|通过))?[ \t]*workflow_id\s*[=＝]\s*(?:'[^'\n]*'|\"[^\"\n]*\"|[‘’“”][^‘’“”\n]*[’‘”“]|['\"]?[^\s，,；;。]*)\s*",
    re.IGNORECASE,
)
_LEGACY = re.compile(r"\s*[\[\"']*\s*workflow_id\s*[:：=]\s*[\"']?([^\s\"'\]]{1,200})[\"'\]\s]*$", re.IGNORECASE)
_ID = re.compile(r"[A-Za-z0-9_][\w.:\-]{0,199}")


@dataclass(frozen=True, slots=True)
class Command:
    """`/task …`: the text behind it, and the workflow (None: dynamic; empty: to be asked for)."""

    text: str
    workflow_id: str | None


def command(message: str) -> Command | None:
    """Return the command that a message begins with; None where it does not begin with `/task`."""
    slash = _SLASH.match(message)
    if slash is None:
        return None
    text = message[slash.end() :].lstrip(" \t：:，,\u00a0\u3000")
    if quoted := _QUOTED.match(text):
        found = quoted["plain"] if quoted["plain"] is not None else quoted["curly"]
        return Command(text[quoted.end() :], found.strip()[:LONGEST_ID])
    if empty := _EMPTY.match(text):
        return Command(text[empty.end() :], "")
    return Command(text, None)


def without_id(text: str) -> str:
    """Return a text without `workflow_id=…` in it: it names no workflow there, and is no part of a goal."""
    return _ANYWHERE.sub("", text) if "workflow_id" in text.lower() else text


def legacy_id(resource: str) -> str:
    """Return the workflow that an entry of `resources` names the old way (`workflow_id: x`), or ""."""
    found = _LEGACY.match(resource)
    return found[1] if found else ""


def bare_id(text: str) -> str:
    """Return the id that a reply consists of, or ""."""
    quoted = _QUOTED.fullmatch(text.strip())
    one = (
        (quoted["plain"] or quoted["curly"] or "")
        if quoted
        else re.sub(r"^workflow_id\s*[:：=是]*\s*", "", text.strip())
    )
    one = one.strip(" '\"。.")
    return one if _ID.fullmatch(one) else ""
