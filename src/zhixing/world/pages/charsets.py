"""Bytes of a page to text: as the page says they are written, where it says something that can be."""

from __future__ import annotations

import codecs
import re

_KNOWN = re.compile(
    r"utf-?8|utf-?16(?:le|be)?|gb2312|gbk|gb18030|big5(?:-hkscs)?|iso-8859-\d{1,2}|windows-125\d|us-ascii|ascii"
    r"|shift_jis|euc-jp|iso-2022-jp|euc-kr|koi8-[ru]"
)
"""Charsets of the web. Python knows more under this name, and some of them are no charsets."""
# The labels that the Encoding Standard takes for a larger set.
_LARGER = {"gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "windows-1252", "ascii": "windows-1252"}
_IN_PAGE = re.compile(rb"""<meta[^>]{0,300}?charset\s*=\s*["']?([A-Za-z0-9_-]{1,40})""", re.IGNORECASE)
_LOOKED_AT = 4_096
"""Bytes of a page in which it may name its charset; the standard looks at 1,024."""


def decoded(body: bytes, named: str, *, is_page: bool) -> str:
    """Return the text of `body`. `named` is what the header says; `is_page`: it may say so itself, as HTML does.

    A byte order mark counts most. Without a word about it, it is UTF-8, or GB 18030 where it is not.
    """
    if body.startswith(codecs.BOM_UTF8):
        return body[3:].decode("utf-8", "replace")
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return body.decode("utf-16", "replace")
    charset = _known(named)
    if not charset and is_page and (found := _IN_PAGE.search(body, 0, _LOOKED_AT)):
        charset = _known(found[1].decode("ascii"))
    if charset:
        return body.decode(charset, "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body.decode("gb18030", "replace")


def _known(name: str) -> str:
    name = name.lower()
    if _KNOWN.fullmatch(name) is None:
        return ""
    name = _LARGER.get(name, name)
    try:
        return codecs.lookup(name).name
    except LookupError:
        return ""
