"""Span-preserving normalisation: one character in, one character out, so that a span means the same in both texts.

Full-width forms become ASCII, the Traditional and financial spellings of words about time become Simplified, every kind
of dash and blank becomes the plain one. What a user is shown is always cut from the original.
"""

from __future__ import annotations

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_BLANKS = dict.fromkeys(
    [0x09, 0x0B, 0x0C, 0xA0, 0x1680, *range(0x2000, 0x200C), 0x202F, 0x205F, 0x2060, 0x3000, 0xFEFF],
    " ",
)
_LINES = dict.fromkeys([0x0D, 0x85, 0x2028, 0x2029], "\n")
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−─﹣"), "-")
_TILDES = dict.fromkeys(map(ord, "〜∼˜"), "~")
_COLONS = dict.fromkeys(map(ord, "︰﹕∶ː"), ":")
_WORDS = dict(
    zip(
        map(
            ord, "點週後個兩號時鐘鍾開會報間內將過現從禮約體併預計達請記醫課業應該變調舉辦發務續處當凖準讓聽說話給網結"
        ),
        "点周后个两号时钟钟开会报间内将过现从礼约体并预计达请记医课业应该变调举办发务续处当准准让听说话给网结",
        strict=True,
    ),
)
_DIGITS = dict(zip(map(ord, "壹貳贰弍叁參肆伍陸柒捌玖拾佰○"), "一二二二三三四五六七八九十百〇", strict=True))
_TABLE: dict[int, int | str] = {
    **_FULL_WIDTH,
    **_BLANKS,
    **_LINES,
    **_DASHES,
    **_TILDES,
    **_COLONS,
    **_WORDS,
    **_DIGITS,
}


def normalise(text: str) -> str:
    """Return `text` with every character folded to its plain form; the length never changes."""
    return text.translate(_TABLE)
