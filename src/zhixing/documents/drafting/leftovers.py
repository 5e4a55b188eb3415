"""Words about time that give no time of running: days that no calendar has, amounts beside it, loose words."""

from __future__ import annotations

import re

from zhixing.language.lexicon import NAMED

_CLOCK = r"(?: {0,4}[点:时分号日月])"
_COUNTED = r"[篇个次份条张段封首名位人卦年]|天(?!天)"
_NO_WEEK = (
    rf"(?:[八九十](?![一二三四五六七八九十]{{0,3}}{_CLOCK}|{_COUNTED})|[089](?![0-9]{{0,2}}{_CLOCK}|[0-9]|{_COUNTED}))"
)
"""No weekday; 周8点 names an hour of every week, 周8篇 a number."""
_TOO_HIGH = (
    r"(?:(?<![0-9.第路街巷弄道序车A-Za-z])(?:0{1,2}|3[2-9]|[4-9][0-9]|[1-9][0-9]{2})"
    r"|(?<![一二三四五六七八九十百第])(?:三十[二三四五六七八九]|[四五六七八九]十[一二三四五六七八九]?))"
)
IMPOSSIBLE = re.compile(
    rf"(?:每个?|上|下|这个?|本)?(?:周|星期|礼拜) {{0,4}}{_NO_WEEK}"
    rf"|(?:每个?月|本月|这个?月|下个?月)?{_TOO_HIGH}[号日](?!出口|出入口){NAMED}"
    r"|(?:每年|明年|今年)?(?<![0-9.第])(?:0{1,2}|1[3-9]|[2-9][0-9])月份?(?! {0,4}[0-9一二三四五六七八九十])"
)
"""Days and months that no calendar has."""
AMOUNT = re.compile(
    r"[0-9零一二两三四五六七八九十百半几]{1,8} {0,4}个?"
    r"(?:年|月|日|号|天|周|星期|点|小时|钟头|分钟?|刻钟?|秒)[半后前内]?|(?:小时|分钟)(?:以|之)?后|[隔每](?:一?个?)(?:天|日|周|星期|月|年)"
)
TORN = re.compile(r"小时|分钟|(?:以|之)?后(?![天面台续勤端缀])")
"""What stands behind a time of which it is a part: 8点 + 半小时后 is no 8点半."""
HALF_DAYS = "今明昨后前"
"""What stands before 天 where it is no word of its own: 今天 in 今天天天."""
_ASKED = r"(?=给|帮|写|生|发|来|出|整|早|晚|上|下|[0-9])"
LOOSE = re.compile(
    r"回头|有空|抽空|得空|闲下来|过年|大年|过节|节假日|休息日|法定假日|放假|寒暑假|开学|定期|不定期|时不时|偶尔|经常|平时|随时"
    r"|周中|月中|年中|尽快|尽早|早日|晚些时候|不久|日后|往后|将来|届时|到时候?|午休|饭后|课后|会后|季度初|周初"
    rf"|(?:晚点|立春|春分|清明|夏至|立秋|秋分|冬至|大寒|小寒){_ASKED}"
    rf"|(?:生日|节日|新年|近期|假期|现在|期末|周年|年会|双十一|六一|三八|白天|课间|考前|换季)(?:那天|当天)?{_ASKED}"
)
"""Words that name no day; they may as well be about the product, so they are told and stop nothing."""
