"""Words as they were typed or heard → the plain form the grammar reads (H-OP-11: meaning, not spelling)."""

from __future__ import annotations

import re

from zhixing.household.assembling.amounts import SPAN
from zhixing.household.assembling.response import head
from zhixing.household.assembling.words import any_of, fillers, people, typos
from zhixing.language.text import normalise

_VOICE = re.compile(r"^\s*\[感知引擎\]\s*语音指令\s*(?:来源=\S+)?\s*内容[:：]\s*")
_BREAK = re.compile(r"[\s,;。、!?！？~…\"'“”‘’()\[\]·]+")
_LATIN_GAP = re.compile(r"(?<=[^\s0-9]) (?=\d)|(?<=\d) (?=[^\s\d])")
_WAIT = re.compile(r"(?:^| )(?:那个|就是|然后呢)(?= |$)")
_LISTED = re.compile(r"(周[一二三四五六日]) (?=周[一二三四五六日])")
_BEHIND = re.compile(r"^(\S+) (每天|工作日|周末|天天)(?:都|也)?(?:要|这样|如此|提醒|是)*$")
_DAILY = re.compile(r"(?<![今明后昨前每半整白])天天(?![气黑亮晴下冷热色])")
_CURLED = re.compile(r"(?<=一[声下句])儿(?=$|[ ,，。!！])")
_SOFT = re.compile(r"(?:吧|啊|呀)(?= |$)")
_CALL = re.compile(r"^(?:(?:你好|您好|喂(?= )|在吗|小爱同学|小爱|管家|拜托|唔该|请问|听着|对了)[ 啊呀]?)+(?=\S{4})")
_WISH = re.compile(
    r"^(?:(?:我(?:想|要|希望|想要)(?:让)?你|(?:想让|希望|想要)你|你?(?:能不能|有没有办法|看能不能|可不可以|是否可以|能否|可否|可以|能)(?!\S{0,3}[做干]\S?$))"
    r"(?:帮我|帮忙|给我)?(?=\S{4}))"
)
_KNOW = re.compile(r"^我?(?:想|要)(?:知道|看看?|了解)(?:一下)?(?=\S*(?:多久|多长|多少|几))")
_WATCH = re.compile(
    r"^(?P<while>(?:这[周个]\S?|本周|本月|今[天晚]|这两天|周末|平时)?(?:都)?)(?:(?:帮我|给我|替我)(?:盯着?|看着?|看好|盯紧|留意|注意|关注)|盯着|盯紧|看好|留意|注意|关注)(?:一下|着|点)? ?(?=\S{2})(?!\S*(?:多久|多长|几|多少|记))(?=\S+(?: |就|了|的时候|时))"
)
_AIM = re.compile(
    r"^(?:我的|给自己|定个|给自己定个|今年的?)?(?:小)?目标(?:就)?(?:是|为)?(?=每|今[天晚]|[这本]周|[这本]个?月|一[天周])"
)
_WANT = re.compile(r"^我(?:想要|想|要|希望|打算)(?=每|一天|今天|这周|本周)")
_FRAME = re.compile(
    r"^(?:帮我|帮忙|给我|替我)*(?:再)?(?:设置?|定|建|新建|创建|加|添加|新增|弄|来|安排|搞)(?:上|好)?(?:一个|个|一条|条|下)?(?:新的?)?(?:任务|提醒|规则|自动化|定时)(?: |:|：)?(?:就是|内容是)? ?(?=\S{4})"
)
_AT_MOST = re.compile(
    rf"^提醒(?P<who>(?:我家|我|咱)?{any_of(word for word, called in people().items() if called.how in ('role', 'class'))})(?P<what>\S{{2,6}}?)(?:的?时间)?(?:不要|别|不能|不许|不可以|不得)(?:超过|超)(?P<span>{SPAN})$"
)
"""提醒儿子看手机不要超过30分钟: he is told when he does."""
_TAIL = re.compile(
    r"(?<=\S\S)(?: ?(?:好吗|可以吗|行吗|行不行|好不好|可不可以|可以不|好不|成不|成吗|谢谢(?:你|啦|了)?|多谢|拜托(?:了|啦|你)?|(?<!说)辛苦(?:了|啦)|谢啦|麻烦了|知道吗|听到没|记住了?|别忘了|千万别忘))+$"
)


def plain(text: str) -> str:
    """Return `text` without the frame of a voice message, typos, dialect and fillers; blanks stand between clauses."""
    words = _VOICE.sub("", normalise(text))
    for said, meant in typos():
        words = words.replace(said, meant)
    words = _CURLED.sub("", _DAILY.sub("每天", words))
    words = _WAIT.sub(" ", _BREAK.sub(" ", words))
    words = _LATIN_GAP.sub("", words) if re.search(r"\d [^\s\d]", words) else words
    words = re.sub(" +", " ", re.sub(fillers(), "", words)).strip()
    words = _BEHIND.sub(r"\2\1", _LISTED.sub(r"\1", _SOFT.sub("", words).strip()))
    return _unframed(words)


def _unframed(words: str) -> str:
    """Take the polite frame off: 能不能帮我设个提醒 …, … 好吗."""
    bare = _TAIL.sub("", _CALL.sub("", words))
    asked = _WISH.sub("", bare)
    if asked != bare:
        asked = asked.removesuffix("吗").removesuffix("么")
    asked = _KNOW.sub("看看", _WANT.sub("我", _AIM.sub("", asked)))
    watched = _WATCH.match(asked)
    if watched is not None and head(asked) is not None:
        asked = watched["while"] + re.sub(r"^(\S{1,5}) ", r"\1", asked[watched.end() :])
    asked = _AT_MOST.sub(r"\g<who>\g<what>超过\g<span>就提醒", asked)
    made = _FRAME.sub("", asked)
    if made != asked and head(made) is None:
        made = f"提醒我{made}"
    return made.strip()
