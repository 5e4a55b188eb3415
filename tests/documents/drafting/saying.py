"""What the tests of this room share: when and where they speak, and drafts of sentences."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from zhixing.documents.drafting.composing import Draft, draft
from zhixing.documents.drafting.recognising import recognise
from zhixing.documents.drafting.wanted import Recognised

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 10, 12, 10, tzinfo=ZONE)
"""A Monday."""
CASES = Path(__file__).parent / "cases"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def wish(text: str) -> Recognised:
    found = recognise(text, now=NOW, zone=ZONE)
    assert found is not None, text
    return found


def drafted(text: str, taken: tuple[str, ...] = ()) -> Draft:
    return draft(wish(text), session_id="chat-1", now=NOW, zone=ZONE, taken=taken)
