"""Whether a sentence is for the hub: 在网关上：……, 规则图：……. Pure."""

from __future__ import annotations

import re

_HUB = "(?:米家|小米)?(?:自动化)?(?:中枢网关|中枢|网关|极客版)"
_MAKE = "(?:再)?(?:(?:新建|建|写|做|加|画|生成|创建|设)(?:一?[条个张])?(?:规则图|规则|自动化|图)?)?"
_MARK = r"\s*[:：,，]?\s*"
_PLEASE = "(?:请|帮我|麻烦|麻烦你)*"
_ON_IT = re.compile(rf"{_PLEASE}(?:在|用|给|往|让){_HUB}(?:上面|里面|上|里|中){_MAKE}{_MARK}(?P<rest>.+)", re.DOTALL)
_AS_GRAPH = re.compile(
    rf"{_PLEASE}(?:用|画|做|写|建|新建|生成|创建)?(?:一?[条个张])?(?:{_HUB})?(?:的)?规则图\s*[:：,，]\s*(?P<rest>.+)",
    re.DOTALL,
)


def for_hub(text: str) -> str | None:
    """Return what a sentence that names the hub asks of it; None for one that does not."""
    words = text.strip()
    found = _ON_IT.fullmatch(words) or _AS_GRAPH.fullmatch(words)
    return None if found is None else found["rest"].strip() or None
