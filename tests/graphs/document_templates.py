"""The templates of document 002 by their titles, to the letter, and filled in."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

_LINES = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
TEXTS = dict(zip(_LINES[::2], _LINES[1::2], strict=True))


def filled(text: str, **values: str) -> dict[str, Any]:
    """Put values in for `$NAMES`, as they stand in JSON; `$NEXT1` becomes the card `next1`."""
    named = re.sub(r"\$(?!NEXT)([A-Z][A-Z0-9_]*)", lambda found: values[found[1]], text)
    card: dict[str, Any] = json.loads(named.replace("$NEXT", "next"))
    return card
