"""Words that mean something only in the talk they were said in: 这个网页, 刚才说的. A body may not rest on them."""

from __future__ import annotations

import re

_POINTING = re.compile(
    r"(?:这|那)(?:[几一二两三四五六]?[款个份篇种封张]|些)(?!季度|月|星期|周)|(?:上面|刚才|前面|之前)(?:说|提到|发)的?|以上(?:内容|这些)?"
)


def pointing_in(text: str) -> str:
    """Return the first such words with what they point at, or ""."""
    found = _POINTING.search(text)
    return "" if found is None else re.split(r"[,，。；;]", text[found.start() : found.end() + 6])[0]


def without_pointing(text: str) -> str:
    """Return `text` without them."""
    return _POINTING.sub("", text)
