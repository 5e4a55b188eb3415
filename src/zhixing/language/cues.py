"""Words that change what a sentence as a whole means: repetition, conditions, negation, doubt, changes, other voices.

They only route (document 004 §2): where one is found, the short local grammar steps back. Harmless words that look like
one (别忘了, 不见不散, 不锈钢) are passed over first.
"""

from __future__ import annotations

import re
from enum import StrEnum


class Cue(StrEnum):
    """Why a text is more than one plain statement."""

    REPEAT = "repeat"
    CONDITION = "condition"
    CHANGE = "change"
    QUOTE = "quote"
    TENTATIVE = "tentative"
    OPEN = "open"
    NEGATION = "negation"
    OTHERS = "others"
    ASKING = "asking"


_SPEAKER = (
    r"(?:老师|班主任|教授|导师|辅导员|校长|老板|领导|经理|主管|主任|组长|班长|同事|同学|客户|客服|医生|护士|物业|房东|中介|快递员?|司机|教练|"
    r"妈妈?|爸爸?|爷爷|奶奶|外公|外婆|姥姥|姥爷|老公|老婆|媳妇|哥哥?|姐姐?|弟弟|妹妹|姑姑|舅舅|叔叔|阿姨|孩子|儿子|女儿|朋友|"
    r"他们?|她们?|对方|人家|群里|群主|学校|公司|单位|部门|人事|财务|行政|银行|医院|社区|居委会|秘书|助理|小(?!时|区|组)[一-龥]|老(?!地方|时间)[一-龥]|[一-龥][总哥姐])"
)
_SAID = r"(?:说|讲|回复|告知|催|表示|提到|转告|告诉我|通知说|要求|让|叫(?!车|外卖|号|餐|醒)|喊|发[来了]?(?:通知|消息|信息|微信|短信)|在群里|@|通知(?!书)|布置|叮嘱|嘱咐|交代|提醒(?:我们|大家|同学)|要(?:我|大家|我们|求|全班)|让(?:我|大家|我们|全班))"

_HARMLESS = re.compile(
    r"提醒我?(?:去|们)?(?:取消|改签|更改|变更|调整|退订)|去(?:取消|改签|退订)|不二|不要忘|别忘|不能忘|勿忘|不忘|不见不散|[不][晚迟]于|不得[晚迟]于|不少于|不超过|不低于|不错|不动产|不锈钢|不同|不仅|不但|不断|不管|不久|不过|"
    r"不如|不妨|不然|不论|不止|不再见|对不起|要不要|能不能|会不会|受不了|不得不|别墅|别人|别的|特别|区别|级别|分别|性别|类别|"
    r"识别|告别|个别|鉴别|没收|未来|未央|未婚|非常|非遗|非洲|勿扰|无锡|无印|无线|无人机|无糖|免税|免费|免疫|取消息|若干|当然|当地|当面|"
    r"等等|等级|等于|等候|平等|高等|初等|中等|同等|约会|约定|约见|约谈|预约|签约|合约|节约|条约|契约|大约定|公约|纽约|约饭|约球|约医生|约牙医|"
    r"改善|改天|改卷|改作业|改论文|改稿|改进|改革|改造|改版|更改密码|修改|改密码|每股|听说课|说明书|说明会|小说|说课|解说|演说|学说|说唱|周周转"
)
_CUES: tuple[tuple[Cue, re.Pattern[str]], ...] = (
    (
        Cue.REPEAT,
        re.compile(
            r"每(?:个?(?:小时|钟头|分钟|刻钟|秒)|天|日|周|星期|礼拜|月|年|晚|早|逢|隔|次|季|[0-9一二两三四五六七八九十半]|个|到|当|节)|天天|日日|夜夜|周周|月月|年年|逢(?:周|单|双|[0-9一二三])|"
            r"工作日|双休日|节假日|隔(?:天|日|周|月|[一两二三])|(?:周|星期|礼拜)[一二三四五六日天] *(?:到|至|-|~|、|和|,) *(?:周|星期|礼拜)?[一二三四五六日天]|"
            r"按(?:时段|周期)|连续|接连|接下来.{0,3}天|(?<!提)[这后前][三四五六七八九十几]天|早晚(?=[0-9零一二两三四五六七八九十])|早[中午]晚|一日三|定期|循环|重复|一[日天周][一二两三四五六七八九十0-9]次|长期|一直"
        ),
    ),
    (
        Cue.CONDITION,
        re.compile(
            r"如果|如若|若(?!干)|要是|假如|假使|倘若|万一|除非|否则|一旦|只要|的话|不然|当.{1,16}(?:时候?|后)[,就再提通]|等.{1,12}(?:之?后|以后|了|时)(?:,|就|再|提醒|通知|叫)|等[^到]{1,8}(?:到了|来了|回来|回家|完了|好了)|"
            r"(?:结束|开完|下班|放学|散)(?:会|了|课)?(?:之?后|以后)?(?=提醒|通知我|[叫喊]我)|没人|有人(?:来|在|时)|下雨就|的时候就|视情况|看情况"
        ),
    ),
    (
        Cue.CHANGE,
        re.compile(
            r"改到|改成|改为|改至|改在|改期|改时间|改签|推迟|延期|延后|延迟|延至|延长|顺延|提前[到至]|提早[到至]|挪到|移到|调[到至]|调整|变更|更改|原定|原计划|原本|原来(?:是|的)|"
            r"取消(?![息费])|作废|撤销|更正|勘误|[不]变|(?:删除|删掉|关掉|关闭|取消|停掉).{0,16}(?:提醒|闹钟|闹铃|日程|会议|会$|通知)|终止|算了|黄了|不办"
        ),
    ),
    (
        Cue.QUOTE,
        re.compile(
            rf"(?<![跟和向对与给同]){_SPEAKER}(?:刚才?|今天|已经)? *{_SAID}|{_SPEAKER} *:|(?:群|短信|邮件|微信|电话|HR|hr|人事|教务|学校|单位|公司|物业) *(?:里|上|处)?的?(?:通知|公告|消息)|"
            r"(?:收到|接到?|刚收到)(?:了|一条)?(?:通知|短信|消息|邮件)|群 *:|^(?:原话|转|FWD?|Fwd?|fwd?|引用|摘自) *:|^\[|传说(?=[今明后下周0-9])|^[一-龥A-Za-z]{1,6}(?:说|讲)(?=[,: ]|今|明[天日晚早儿]|后天|下|本|这|周|[0-9])|转发|转自|原通知|原文|据说|听说|说(?=今[天晚早日]|明[天日晚早]|后天|[下本这]周|周[一二三四五六日]|[0-9]{1,2}[月点号:])|通知 *[:]|通知如下|"
            r"各位|同学们|家长们?(?:好|们|注意|请|您)|大家(?:好|注意|请)|尊敬的|亲爱的|【|[「」“”\"]|收到请?回复|^@|@所有人"
        ),
    ),
    (
        Cue.OPEN,
        re.compile(r"待定|另行通知|等通知|再通知|未定|时间不定|尚未确定|待通知|另定|择日|视.{1,6}而定"),
    ),
    (
        Cue.TENTATIVE,
        re.compile(
            r"预计|预期|暂定|初定|待确认|好像|貌似|似乎|大概|大约|约(?=[0-9一二两三四五六七八九十今明后上下本早晚中])|左右|前后|上下(?!班|午|课|楼|车|学|铺|文|册|集)|可能|也许|或许|估计|"
            r"差不多|应该(?:是|会|在)|是不是|拟(?:定|于|(?=[今明后本下周0-9]))|或者?(?=[0-9一二三四五六七八九十今明后周上下])|还是(?=[0-9一二三四五六七八九十今明后周上下])"
        ),
    ),
    (
        Cue.OTHERS,
        re.compile(
            rf"(?:{_SPEAKER}|审核|系统|工作人员|技术人员|官方|平台|商家|卖家)[^,]{{0,6}}将(?:于|在|会|由)|"
            rf"^(?:{_SPEAKER}|审核|系统|工作人员|技术人员|官方|平台|商家|卖家).{{0,14}}前.{{0,4}}(?:公布|公示|发布|回复|答复|反馈|出结果|处理|完成|审核)|"
            r"已(?:于|在|经)|曾(?:于|在|经)|统计.{0,24}(?:记录|数据|情况)|(?:客服|营业|服务|工作|办公|上班|作息|开放)时间(?!表)"
        ),
    ),
    (
        Cue.NEGATION,
        re.compile(
            r"不(?!好意思)|别|勿|莫(?!斯|名|扎)|没(?!关系|事|问题|准)|无需|无须|毋须|毋庸|未|免(?:了|交|去|考|开)|停(?:课|办|开|诊|运|工)|(?:课|会|训练)停了|无课|毋需|暂停|休息一天|甭|不是|并非|除了|除外"
        ),
    ),
    (Cue.ASKING, re.compile(r"\?|[吗呢么]$|什么时候|几点|哪天|哪一天|多久|是否")),
)
_STRONG = frozenset({Cue.REPEAT, Cue.CONDITION, Cue.CHANGE, Cue.OPEN})
"""Cues that mean something about time even where no time is named."""


# Every match of a cue's pattern contains one of these. Looking for them first leaves most patterns alone in most texts;
# tests/language/test_cues.py compares the outcome with that of the patterns alone.
_SIGNS: dict[Cue, frozenset[str]] = {
    Cue.REPEAT: frozenset("每逢隔按连接循重长直次期工双假周星礼这后前晚三"),
    Cue.CONDITION: frozenset("若如要假倘旦万除否只的然当等束完班学散没有雨情"),
    Cue.CHANGE: frozenset("改迟延期提早挪移调变更原消废销正勘删掉闭算黄止办"),
    Cue.QUOTE: frozenset('说讲示告求让叫喊发群@转原据听各们大尊亲【「」“”"收:要布叮嘱交[FfHh接提通催回家短邮'),
    Cue.OPEN: frozenset("待另通定择视"),
    Cue.TENTATIVE: frozenset("预暂初确好貌似概约右后下能许估差该是拟或"),
    Cue.OTHERS: frozenset("将已曾统间前"),
    Cue.NEGATION: frozenset("不别勿莫没无毋未免停课休甭并除"),
    Cue.ASKING: frozenset("?吗呢么几哪多否"),
}
_DOUBLED = ("天天", "日日", "夜夜", "月月", "年年")
_LOOKED_FOR = tuple((pattern, _SIGNS[cue]) for cue, pattern in _CUES)


def find_cue(text: str) -> Cue | None:
    """Return the first cue of normalised `text`, or None for one plain statement."""
    signs = frozenset(text)
    for pattern, needed in _LOOKED_FOR:
        if not needed.isdisjoint(signs) and pattern.search(text):
            break
    else:
        if not any(double in text for double in _DOUBLED):
            return None
    # Something looks like a cue: is it one, once the harmless words are gone?
    plain = _HARMLESS.sub("", text)
    return next((cue for cue, pattern in _CUES if pattern.search(plain)), None)


def find_cues(text: str) -> frozenset[Cue]:
    """Return every cue of normalised `text`."""
    plain = _HARMLESS.sub("", text)
    return frozenset(cue for cue, pattern in _CUES if pattern.search(plain))


def find_voice(text: str) -> int | None:
    """Return where in normalised `text` another voice begins to speak (老师说), or None.

    Quotation marks alone are none: they may hold the name of a film.
    """
    plain = _HARMLESS.sub(lambda match: " " * len(match[0]), text.translate(_NO_MARKS))
    found = dict(_CUES)[Cue.QUOTE].search(plain)
    return found.start() if found else None


_NO_MARKS = str.maketrans('「」“”"', "     ")


def is_about_time(cue: Cue) -> bool:
    """Whether the cue says something about time by itself: 每天, 改期, 待定, 如果."""
    return cue in _STRONG
