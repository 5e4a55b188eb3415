"""Action and title, cut out of the user's own words (document 004 §3: title usually 6–16 characters)."""

from __future__ import annotations

import re

from zhixing.language.timex import Span

LONGEST_TITLE = 16
LONGEST_ACTION = 35

_HEAD = re.compile(
    r"^(?:[ ,:、。!;~\-()]|在(?=[ ,]|$)|于(?=[ ,]|$)|的(?!士)|请你?(?![假客教帖柬])|麻烦你?|帮我|记得要?|别忘了?|不要忘记?|我要|我得|我想|需要|要(?![求点闻]))+"
)
_TAIL = " ,:、。!;~-()的"


def action_words(text: str, plain: str, used: list[Span]) -> str:
    """Return what is left of `text` when the used spans are cut out: the words for what is to be done."""
    pieces: list[str] = []
    position = 0
    for start, end in sorted(used):
        pieces.append(text[position:start] if start > position else "")
        position = max(position, end)
    pieces.append(text[position:])
    cleaned = [_trim(piece) for piece in pieces if piece]
    return "".join(piece for piece in cleaned if piece)[:200] or _trim(text) or plain.strip()


def title_of(action: str) -> str:
    """Return a title of at most 16 characters; a cut is marked."""
    flat = " ".join(action.split())
    return flat if len(flat) <= LONGEST_TITLE else flat[: LONGEST_TITLE - 1] + "…"


def _trim(piece: str) -> str:
    return _HEAD.sub("", piece.strip().translate(_STOPS)).rstrip(_TAIL)


_STOPS = str.maketrans({"，": ",", "。": "。", "！": "!", "；": ";", "：": ":", "（": "(", "）": ")", "　": " "})
