"""What quoted words must at least contain to carry what a model reads off them."""

from __future__ import annotations

import re

from zhixing.household.modelling.misreading import Fault, Misread

_SIGNS = {
    "keep": "记|统计|[跟追]踪|数|盯|汇总|算|看看|留意",
    "total": "累计|累积|总|合计|加起来|[一拢]共",
    "how_long": "多久|多长|时间|时长|几个?[小钟分]|多少[小钟分]|记|统计|算",
    "how_many": "几|多少|次数|记|统计|数",
    "starts": "开始|进入|刚|一(?=坐|拿|动|上)|着手",
    "stay": "(?:别|不|甭|勿).*[关动管灭停]|留着|开着|亮着|保持",
    "leave": "关|停|恢复|复位|还原|调回|开|灭",
    "until": "[今明]|后天|周|礼拜|星期|[年月号日天]|假|节|期间|[到前内止]",
    "clock": "[点时分秒刻号日天周月年早晚晨午夜]|礼拜|星期|餐|睡|一会|回头",
    "and_rule": "同时|并且|而且|又|且|都|还|一边|以及|和|与|加上",
    "on": "[开放播调亮响拉升]|启动|通电",
    "off": "关|熄|灭|停|断|拉上|合上|收起|闭",
    "blink": "闪|响",
}
_NEW = re.compile(
    "(?:就|的时候|时|以后|之后|的话|一旦).{0,8}(?:提醒|告诉|通知|播报|推送|报警|记下|打开|关掉|关上|关[灯电空窗]|开[灯电空窗])"
)


def carries(sign: str, words: str) -> bool:
    """Whether `words` have what `sign` needs."""
    return re.search(_SIGNS[sign], words) is not None


def needs(sign: str, words: str, place: str, why: Fault = Fault.EVIDENCE) -> None:
    """Raise `Misread` where `words`, if there are any, do not have what `sign` needs."""
    if words and not carries(sign, words):
        raise Misread(why, place)


def wants_a_task(text: str) -> bool:
    """Whether `text` plainly says what is to happen when."""
    return _NEW.search(text) is not None
