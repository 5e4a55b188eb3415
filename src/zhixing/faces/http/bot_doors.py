"""Which doors open to the token of a bot: looking at goals, reporting, the board. Everything else is the home's."""

from __future__ import annotations

from collections.abc import Callable

from zhixing.faces.http.api.goal_envelope import PREFIX, belongs_here
from zhixing.kernel.errors import Refused

BotOf = Callable[[str], str | None]
"""Tells whose token it is, None for no token that is known."""

BOT = "zhixing.bot"
"""Where a request keeps the bot in whose name it came; the home's own has none."""

_READ = frozenset({f"{PREFIX}/dashboard", f"{PREFIX}/list", f"{PREFIX}/bbs/list"})
_WRITTEN = (f"{PREFIX}/callback/", f"{PREFIX}/bbs/")


def may_know(path: str) -> bool:
    """Whether a token that is not the home's is looked up at all for a path."""
    return belongs_here(path)


def must_open(method: str, path: str) -> None:
    """Raise `Refused` where a bot has no business."""
    if path in _READ and method in {"GET", "HEAD"}:
        return
    if path.startswith(_WRITTEN) and path not in _READ and method == "POST":
        return
    raise Refused("goal_bot_door")
