"""Words as they were typed or heard → the plain form the grammar reads (H-OP-11: meaning, not spelling)."""

from __future__ import annotations

import re

from zhixing.household.assembling.words import fillers, typos
from zhixing.language.text import normalise

_VOICE = re.compile(r"^\s*\[感知引擎\]\s*语音指令\s*(?:来源=\S+)?\s*内容[:：]\s*")
_BREAK = re.compile(r"[\s,;。、!?!？~…\"'“”‘’()\[\]·]+")
_LATIN_GAP = re.compile(r"(?<=[^\s0-9]) (?=\d)|(?<=\d) (?=[^\s\d])")
_WAIT = re.compile(r"(?:^| )(?:那个|就是|然后呢)(?= |$)")


def plain(text: str) -> str:
    """Return `text` without the frame of a voice message, typos, dialect and fillers; blanks stand between clauses."""
    words = _VOICE.sub("", normalise(text))
    for said, meant in typos():
        words = words.replace(said, meant)
    words = _WAIT.sub(" ", _BREAK.sub(" ", words))
    words = _LATIN_GAP.sub("", words) if re.search(r"\d [^\s\d]", words) else words
    return re.sub(" +", " ", re.sub(fillers(), "", words)).strip()
