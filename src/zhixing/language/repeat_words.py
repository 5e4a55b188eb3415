"""The words about repetition: patterns for normalised text, and the names of lunar days and festivals."""

from __future__ import annotations

import re

from zhixing.language.numerals import NUMBER

_N = NUMBER
_WEEK = r"(?:周|星期|礼拜)"
_DAY = r"[一二三四五六日天]"
_AND = r"(?:[、,]|和|与|及|以及|还有)"
# A numeral before these counts something and names no day of the week.
_NO_COUNT = r"(?![点时号月个十百:半刻分次遍人起位名家天周年岁本门张条件份杯片粒些])"
_EVERY = r"(?:每(?:个|逢)?|逢)"
_LUNAR = r"(?:农历|阴历|旧历)"
_INTERVAL = rf"(?P<every>每隔?|隔) *(?:(?P<count>{_N}) *)?"

ADVANCE = re.compile(r"(?: *(?:一次|1次))?(?: *(?:都要|都|的(?!士|确)))?")
"""What may follow any rule without a meaning of its own."""
EACH_DAY = re.compile(r" *的?每[天日](?![报记语])")
"""What may follow several days of the week: 周一到周五每天, 工作日每天."""
NOT_A_RULE = re.compile(
    r"各(?!位|种|类|自|地)|分别|(?:[0-9一二两三四五六七八九十几多数]{2,}|[02-9二两三四五六七八九十几多数]) *(?:次|遍|回)|早中?午?晚|除了|除外|除非|以外|例外|除(?=周|星期|节|法定)|"
    r"节后|节前|调休|补班|轮流|交替|整点|闰"
)
"""What shows that the rule is not all there is: how often a day, in turns, except."""

ELAPSED = re.compile(rf"每(?:隔|过)? *(?P<amount>(?:(?:{_N}|半) *)?个?半? *个?(?:小时|钟头|分钟|刻钟))(?! *[半零多几])")
STATUTORY = re.compile(
    rf"(?:(?:{_EVERY} *)?(?:国家)?法定的?(?P<kind>工作日|节假日|假日|假期|休息日)|{_EVERY} *(?P<days>节假日))(?![内后前])"
)
WORK_DAYS = re.compile(rf"(?<![0-9一二三四五六七八九十两几第个定])(?:{_EVERY} *)?工作日(?![志程内后前])")
DAYS = re.compile(rf"{_INTERVAL}(?:天|日)(?![报记语常本程])")
EVERY_DAY = re.compile(r"天天(?!向上)|日日(?!报)")
EVERY_EVENING = re.compile(r"每(?=[早晚夜](?![餐饭会班]))")
"""每晚: the evening is left, it is the part of the day."""

WEEKEND = re.compile(rf"{_EVERY} *(?:周末|双休日)|双休日")
HABIT = re.compile(rf"(?<![上下本这每隔个])(?={_WEEK} *一 *(?:到|至|-|~))")
EVERY_WEEKDAY = re.compile(rf"{_EVERY} *(?={_WEEK} *{_DAY}(?![点时次遍回]))")
WEEKS = re.compile(rf"{_INTERVAL}个? *{_WEEK}(?!末)")
BEFORE_WEEKDAY = re.compile(r"(?: *(?:一次|1次))?(?: *(?:的|在|[,:]|每个?))* *")
WEEKDAY = re.compile(rf"{_WEEK} *(?P<day>{_DAY})(?![点时次遍回])")
WEEKDAY_RANGE = re.compile(rf" *(?:到|至|-|~) *(?:{_WEEK} *)?(?P<day>{_DAY}){_NO_COUNT}")
WEEKDAY_TOO = re.compile(rf" *(?:{_AND} *)?(?P<named>(?:每个?)? *{_WEEK} *)?(?P<day>{_DAY}){_NO_COUNT}")

MONTHS = re.compile(
    rf"(?P<every>每隔?|隔) *(?:(?:(?P<count>{_N}) *)?个)?月(?![饼刊票卡租嫂薪初底末中])(?!上旬|下旬)份?(?: *的)?"
)
MONTH_DAYS = re.compile(rf" *(?:(?:{_N} *(?:[号日] *{_AND}?|{_AND}) *)*{_N} *[号日](?![楼线店厅])|最后一天)")
OTHER_MONTH_DAY = re.compile(rf" *(?:第|最后|头|前|倒数|{_N})")
"""What follows 每月 and names a day in a way that is not read."""
MONTH_DAY = re.compile(rf"最后一天|{_N}")
NTH_WEEKDAY = re.compile(rf" *(?:第 *(?P<nth>[一二三四五1-5])|最后一?) *个? *{_WEEK} *(?P<day>{_DAY})(?![点时])")
YEAR_DATE = re.compile(rf"(?:每年|年年) *的? *(?P<month>{_N}) *月 *(?P<day>{_N}) *[日号]")

_MONTH_NAME = rf"(?P<month>正|冬|腊|{_N}) *月"
_LUNAR_DAY = rf"(?P<day>初[一二三四五六七八九十]|(?>{_N}))(?![点时:分])"
LUNAR_YEAR = re.compile(
    rf"(?:每年 *的? *{_LUNAR}|{_LUNAR} *的? *每年|每年 *的?(?= *[正冬腊]月)) *的? *{_MONTH_NAME} *{_LUNAR_DAY}(?: *[日号])?"
)
LUNAR_MONTH = re.compile(
    rf"(?:{_LUNAR} *的? *每个?月|每个?月 *的? *{_LUNAR}|(?:每逢|逢) *{_LUNAR}|(?:每逢|逢|每个?月) *的?(?= *初[一二三四五六七八九十](?![点时:]))) *的? *{_LUNAR_DAY}"
)
NEXT_LUNAR_DAY = re.compile(rf" *{_AND}? *{_LUNAR_DAY}(?! *[月个次号日人])")
LUNAR_MONTHS = {"正": 1, "冬": 11, "腊": 12}
LUNAR_DAYS = {"初" + name: number for number, name in enumerate("一二三四五六七八九十", 1)}
"""Names that are no plain numbers; the others are read as numerals."""
FESTIVALS = {
    "春": (1, 1),
    "元宵": (1, 15),
    "端午": (5, 5),
    "七夕": (7, 7),
    "中元": (7, 15),
    "中秋": (8, 15),
    "重阳": (9, 9),
    "腊八": (12, 8),
    "除夕": (12, -1),
}
"""Lunar month and day; -1 is the last day."""
FIXED_DAYS = {
    "元旦": (1, 1),
    "情人": (2, 14),
    "妇女": (3, 8),
    "植树": (3, 12),
    "劳动": (5, 1),
    "青年": (5, 4),
    "儿童": (6, 1),
    "建党": (7, 1),
    "建军": (8, 1),
    "教师": (9, 10),
    "国庆": (10, 1),
    "平安夜": (12, 24),
    "圣诞": (12, 25),
}
NAMED_DAY = re.compile(
    rf"(?:每年|每逢|年年) *的? *(?P<name>(?:{'|'.join([*FESTIVALS, *FIXED_DAYS])})(?:节(?!假日|日))?)(?:当天|当日|那天)?(?![前后假])"
)
