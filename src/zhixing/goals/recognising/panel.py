"""The tag that opens the side panel (taskloop §7.3): a message that holds nothing else is met with silence."""

from __future__ import annotations

import re

_PANEL = re.compile(r"""type=(["'])panel\1""")
_COMPONENT = re.compile(r"""component=(["'])(?:taskPanel\.TaskLoopView|task-loop)\1""")


def is_panel(text: str) -> bool:
    """Whether a message is nothing but the tag that opens the side panel; it is no input of the user."""
    stripped = text.strip()
    if not (stripped.startswith("<AixUI") and stripped.endswith("</AixUI>")):
        return False
    return bool(_PANEL.search(stripped) and _COMPONENT.search(stripped))
