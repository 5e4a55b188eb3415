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
            ord,
            "點週後個兩號時鐘鍾開會報間內將過現從禮約體併預計達請記醫課業應該變調舉辦發務續處當凖準讓聽說話給網結"
            "別無須議遲順為轉暫擬還學鬧鈴單備藥飯買賣樓員師媽爺長謝煩幫幾節國慶聖誕陽農曆陰舊這裡晝條問認確剛訂購領導組隊級屆換樣們來對錯關閉刪終戶寫聯繫頁經總歲滿歸繳遞據場臨傳爾參齋離雙邊選願張頭沒説閑",
        ),
        "点周后个两号时钟钟开会报间内将过现从礼约体并预计达请记医课业应该变调举办发务续处当准准让听说话给网结"
        "别无须议迟顺为转暂拟还学闹铃单备药饭买卖楼员师妈爷长谢烦帮几节国庆圣诞阳农历阴旧这里昼条问认确刚订购领导组队级届换样们来对错关闭删终户写联系页经总岁满归缴递据场临传尔参斋离双边选愿张头没说闲",
        strict=True,
    ),
)
_DIGITS = dict(zip(map(ord, "壹貳贰弍叁肆伍陸柒捌玖拾佰○"), "一二二二三四五六七八九十百〇", strict=True))
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
