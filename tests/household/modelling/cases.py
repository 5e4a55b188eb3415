"""Sentences that no dictionary covers, what a good model says about them, and what has to come of it.

A case: the words, the home, the reply, the answers given so far, and the fields that are looked at.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.household.assembling.saying import FAMILY, OLD
from tests.household.modelling.replied import creating, filled


class Case(NamedTuple):
    """One sentence."""

    text: str
    reply: dict[str, Any]
    wanted: dict[str, Any]
    home: str = FAMILY
    answers: dict[str, str] | None = None


def given(*names: str) -> dict[str, Any]:
    """Return people named in the words."""
    return {"how": "given", "names": list(names)}


def how(manner: str, *names: str) -> dict[str, Any]:
    """Return a subject of another sort."""
    return {"how": manner, "names": list(names)}


def knows(behaviour: str, quote: str, subject: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Return a trigger that the dictionary has."""
    return {"behaviour": behaviour, "quote": quote, "subject": subject or {}, **more}


def sees(
    name: str, quote: str, subject: dict[str, Any], body: str, counters: list[str], *,
    objects: list[tuple[list[str], str]] = (), kind: str = "action", **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """Return a trigger with a condition of its own."""
    listed = [{"items": items, "category": category} for items, category in objects]
    condition = {"kind": kind, "body": body, "objects": listed, "counters": counters}
    return {"name": name, "quote": quote, "subject": subject, "condition": condition, **more}


def span(seconds: int | None, quote: str) -> dict[str, Any]:
    """Return a length of time."""
    return {"seconds": seconds, "quote": quote}


def task(words: str, trigger: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    """Return one task."""
    return {"words": words, "trigger": trigger, **more}


DOODLE = sees(
    "draw_on_wall", "孩子在墙上乱画", given("孩子"),
    "手握蜡笔/水彩笔/马克笔等画笔，笔尖贴着墙面来回移动，手臂抬起朝向墙壁",
    ["坐在桌前往纸上画画", "用抹布擦拭墙面", "把贴纸按在墙上"],
    objects=[(["蜡笔", "水彩笔", "马克笔"], "画笔")], steady="posture",
)  # fmt: skip
TEAR = sees(
    "tear_book", "孩子撕书", given("孩子"), "双手捏住书页向两边拉扯，纸张裂开后手臂分开",
    ["用手指翻动书页", "用剪刀裁剪彩纸"], objects=[(["书页"], "")],
)  # fmt: skip
SHAKE = sees(
    "shake_leg", "爸爸在沙发上抖腿", given("爸爸"), "坐在沙发上，脚掌踩地，膝盖上下来回抖动",
    ["站起来原地踏步", "盘腿坐着敲打小腿"], manner="continuous", steady="posture",
)  # fmt: skip
CONVULSE = sees(
    "convulse", "奶奶浑身抽搐", given("奶奶"), "身体倒在地面或床上，四肢绷直并反复抖动，头部后仰",
    ["躺在床上翻身伸懒腰", "坐在椅子上捶打大腿"], manner="safety",
)  # fmt: skip
CURTAIN = sees(
    "claw_curtain", "猫咪抓窗帘", how("animal", "猫咪"), "前爪勾住窗帘布面，身体竖起向下拉扯",
    ["趴在窗台上看窗外", "从窗帘旁边走过"], kind="animal", objects=[(["窗帘"], "")],
)  # fmt: skip
BLOCKS = sees(
    "play_blocks", "玩积木", given("儿子"), "坐在地面，手指捏住积木块往上叠放，目光低头注视积木",
    ["坐在地面翻看图画书", "手里推着玩具车滑动"], manner="continuous", steady="screen", objects=[(["积木块"], "")],
)  # fmt: skip
CALLIGRAPHY = sees(
    "write_characters", "练字", {"how": "user"}, "坐在桌前，手握毛笔/钢笔等书写笔，笔尖在纸面上移动",
    ["手拿画笔给图画涂色", "手指夹着笔转动把玩"], manner="continuous", steady="focus",
    objects=[(["毛笔", "钢笔"], "书写笔")],
)  # fmt: skip
SHOOT = sees(
    "shoot_basket", "孩子每天投篮", given("孩子"), "双手托起篮球举过头顶，手臂伸直把球推向篮筐",
    ["双手抱着球走路", "用脚踢动皮球"], objects=[(["篮球"], "")],
)  # fmt: skip
SHOES = sees(
    "change_shoes", "有人在玄关换鞋", how("anyone", "有人"), "弯腰伸手拉住鞋跟，脚从鞋里抽出或伸入",
    ["蹲在鞋柜前擦鞋面", "站在门口穿外套"], objects=[(["鞋"], "")],
)  # fmt: skip
KNIT = sees(
    "knit", "妈妈织毛衣", given("妈妈"), "坐在沙发上，双手各握一根毛衣针交替挑动毛线，目光低头注视手部",
    ["双手叠放整理衣服", "手拿遥控器看向电视"], manner="continuous", steady="focus",
    objects=[(["毛衣针"], "")],
)  # fmt: skip
JUMP = sees(
    "jump_on_bed", "儿子在床上蹦", given("儿子"), "双脚踩在床面，膝盖弯屈后蹬起，身体腾空离开床面",
    ["坐在床沿晃动双腿", "站在地面伸手拍打被子"], steady="posture",
)  # fmt: skip
KICK = sees(
    "kick_ball", "家里人在客厅踢球", how("members", "家里人"), "一条腿向前摆起，脚背触碰皮球，球在地面滚动",
    ["弯腰把球捡起来抱住", "用拖把来回擦地"], objects=[(["皮球"], "")],
)  # fmt: skip
PHOTO = sees(
    "take_photo", "陌生人在门口拍照", how("stranger", "陌生人"),
    "手臂抬起举着手机/相机等拍摄设备朝向房门，身体站在门前",
    ["低头看着手机屏幕走路", "抬手按门铃"], objects=[(["手机", "相机"], "拍摄设备")],
)  # fmt: skip
HEADSTAND = sees(
    "headstand", "儿子倒立", given("儿子"), "双手撑地，头部朝下，双腿伸直抬到上方贴着墙面",
    ["趴在地面做俯卧撑", "弯腰低头捡起物品"], steady="posture",
)  # fmt: skip
CLOTHES = sees(
    "wet_clothes", "衣服被雨淋", how("object", "衣服"), "挂在晾衣架上，表面淌着雨水，布料颜色变深",
    ["衣服堆在洗衣篮里"], kind="object", manner="object", steady="sudden",
)  # fmt: skip
THERMOMETER = sees(
    "hot_room", "主卧超过28度", how("scene"), "中温度计显示的数字高于 28 度", [],
    kind="scene", manner="scene", rooms=["主卧"],
)  # fmt: skip
STAY = sees(
    "stay_in_bathroom", "奶奶进卫生间", given("奶奶"), "身体出现在卫生间里，站在洗手台前或坐在马桶上",
    ["站在卫生间门口的走廊上", "路过卫生间门前"], manner="continuous", steady="unsure", rooms=["卫生间"],
)  # fmt: skip
CRACK = sees(
    "crack_whip", "外公甩鞭子", given("外公"), "手握鞭子手柄，手臂向上挥动后用力甩下，鞭子弯成弧形",
    ["手拿绳子蹲下捆扎纸箱", "手握晾衣杆举起取衣服"], objects=[(["鞭子"], "")],
)  # fmt: skip

TELL = {"tell": "提醒我"}
EVENT = {"mode": "event", "on_exit": "none", "exit_debounce_seconds": None}


def tells(words: str, trigger: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a reply with one task that tells the user."""
    return creating(task(words, trigger, response={**TELL, **more.pop("response", {})}, **more))


CASES = [
    Case(
        "孩子在墙上乱画就提醒我", tells("孩子在墙上乱画就提醒我", DOODLE),
        {**EVENT, "outcome": "asked", "questions": ["channel"], "subject": "儿子", "duration_seconds": None},
    ),
    Case(
        "孩子在墙上乱画就提醒我", tells("孩子在墙上乱画就提醒我", DOODLE),
        {**EVENT, "outcome": "planned", "channel": "phone", "source": None, "lifecycle": "permanent"},
        answers={"channel": "B"},
    ),
    Case(
        "孩子撕书就用音箱喊他停下",
        creating(task("孩子撕书就用音箱喊他停下", TEAR, response={
            "tell": "喊他", "content": "停下", "channels": [{"channel": "speaker", "quote": "用音箱"}],
        })),
        {**EVENT, "outcome": "planned", "channel": "speaker", "target_device": "spk_lr"},
    ),
    Case(
        "爸爸在沙发上抖腿超过10分钟就推送提醒我",
        tells("爸爸在沙发上抖腿超过10分钟就推送提醒我", {**SHAKE, "hold": span(600, "10分钟")},
              response={"channels": [{"channel": "phone", "quote": "推送"}]}),
        {**EVENT, "outcome": "planned", "duration_seconds": 600, "tips": ["source_broadcast", "single_continuous"]},
    ),
    Case(
        "爸爸在沙发上抖腿就推送提醒我",
        tells("爸爸在沙发上抖腿就推送提醒我", SHAKE, response={"channels": [{"channel": "phone", "quote": "推送"}]}),
        {**EVENT, "duration_seconds": 30, "tips": ["duration_default", "source_broadcast"]},
    ),
    Case(
        "奶奶浑身抽搐就提醒我", tells("奶奶浑身抽搐就提醒我", CONVULSE),
        {**EVENT, "questions": ["channel"], "duration_seconds": None, "subject": "奶奶"}, OLD,
    ),
    Case(
        "奶奶浑身抽搐超过10秒就提醒我", tells("奶奶浑身抽搐超过10秒就提醒我", {**CONVULSE, "hold": span(10, "10秒")}),
        {**EVENT, "duration_seconds": None, "tips": ["source_broadcast", "safety_duration_dropped"]}, OLD,
    ),
    Case(
        "猫咪抓窗帘就用音箱播报一声",
        creating(task("猫咪抓窗帘就用音箱播报一声", CURTAIN, response={
            "tell": "播报一声", "channels": [{"channel": "speaker", "quote": "用音箱播报"}],
        })),
        {**EVENT, "outcome": "planned", "subject": "猫咪"},
    ),
    Case(
        "狗子上餐桌偷吃就给我发个推送",
        creating(task("狗子上餐桌偷吃就给我发个推送", knows("pet_table", "狗子上餐桌偷吃", how("animal", "狗子")),
                      response={
                          "tell": "给我发个推送", "channels": [{"channel": "phone", "quote": "发个推送"}],
                      })),
        {**EVENT, "outcome": "planned", "subject": "狗子", "behavior": "pet_table"},
    ),
    Case(
        "坐了一个半小时了吧 以后一超过就叫我起来",
        creating(task("坐了一个半小时了吧 以后一超过就叫我起来",
                      knows("sit_long", "坐了一个半小时", hold=span(5400, "一个半小时")),
                      response={"tell": "叫我", "content": "起来"})),
        {**EVENT, "questions": ["channel"], "duration_seconds": 5400, "subject": "用户"},
    ),
    Case(
        "爷爷看电视声音大不大我不管 反正看满2小时喊他起来走动",
        creating(task("爷爷看电视声音大不大我不管 反正看满2小时喊他起来走动",
                      knows("watch_tv", "看满2小时", given("爷爷"), hold=span(7200, "2小时")),
                      response={"tell": "喊他", "content": "起来走动"})),
        {**EVENT, "duration_seconds": 7200, "subject": "爷爷"}, OLD,
    ),
    Case(
        "奶奶一个人在家噎着了怎么办 看到就喊人",
        creating(task("奶奶一个人在家噎着了怎么办 看到就喊人",
                      knows("choke", "奶奶一个人在家噎着了", given("奶奶"), manner="safety"),
                      response={"tell": "喊人"})),
        {**EVENT, "questions": ["channel"], "duration_seconds": None}, OLD,
    ),
    Case(
        "奶奶一天吃5顿饭少食多餐 到点喊她吃",
        creating(task("奶奶一天吃5顿饭少食多餐 到点喊她吃", knows("eat", "奶奶一天吃5顿饭", given("奶奶")),
                      response={"tell": "喊她", "content": "吃"}, period={"per": "day", "quote": "一天"},
                      record={"about": "goal", "quote": "5顿", "target": 5, "unit": "顿"})),
        {"record.kind": "progress", "record.target": 5, "record.window": "day",
         "schedule.expr": "0 8,10,12,15,18 * * *"},
        OLD,
    ),
    Case(
        "跟踪一下快递啥时候放门口的",
        creating(task("跟踪一下快递啥时候放门口的",
                      knows("parcel", "快递啥时候放门口", how("object", "快递"), rooms=["门口"]),
                      record={"about": "keep", "quote": "跟踪一下"})),
        {**EVENT, "outcome": "planned", "record.kind": "event", "subject": "快递", "source": ["cam_ent"]},
    ),
    Case(
        "奶奶进卫生间超过20分钟没出来告诉我",
        creating(task("奶奶进卫生间超过20分钟没出来告诉我", {**STAY, "hold": span(None, "20分钟")},
                      response={"tell": "告诉我"})),
        {**EVENT, "questions": ["camera_name", "channel"], "duration_seconds": 1200}, OLD,
    ),
    Case(
        "狗子要上厕所在门口转圈就喊我 十分钟内别重复",
        creating(task("狗子要上厕所在门口转圈就喊我 十分钟内别重复",
                      knows("loiter", "狗子要上厕所在门口转圈", how("animal", "狗子"), rooms=["门口", "厕所"]),
                      response={"tell": "喊我", "gap": span(600, "十分钟内")})),
        {"mode": "state", "exit_debounce_seconds": 600, "on_exit": "none", "questions": ["channel"]},
    ),
    Case(
        "晚上十点提醒睡觉 早上六点半叫醒 每天",
        creating(
            task("晚上十点提醒睡觉", None, response={"tell": "提醒", "content": "睡觉"},
                 clock={"kind": "cron", "quote": "晚上十点", "expr": "0 22 * * *"}),
            task("早上六点半叫醒", None, response={"tell": "叫醒"},
                 clock={"kind": "cron", "quote": "早上六点半", "expr": "30 6 * * *"}),
        ),
        {"outcome": "planned", "tips_optional": ["time_default"], "tasks.0.schedule.expr": "0 22 * * *",
         "tasks.1.schedule.expr": "30 6 * * *"},
    ),
    Case(
        "有人在玄关换鞋就记下来",
        creating(task("有人在玄关换鞋就记下来", {**SHOES, "rooms": ["玄关"]},
                      record={"about": "keep", "quote": "记下来"})),
        {**EVENT, "record.kind": "event", "record.task_type": "longterm", "subject": "任何人", "source": ["cam_ent"]},
    ),
    Case(
        "统计儿子每天玩积木的时间",
        creating(task("统计儿子每天玩积木的时间", BLOCKS, period={"per": "day", "quote": "每天"},
                      record={"about": "how_long", "quote": "统计"})),
        {"outcome": "planned", "mode": "state", "record.kind": "duration", "record.window": "day", "on_exit": "desc",
         "duration_seconds": 90, "exit_debounce_seconds": 60, "record.target_minutes": None},
    ),
    Case(
        "每天累计练字够1小时就用手机夸夸我",
        creating(task("每天累计练字够1小时就用手机夸夸我", CALLIGRAPHY, period={"per": "day", "quote": "每天"},
                      response={"tell": "夸夸我", "channels": [{"channel": "phone", "quote": "用手机"}]},
                      record={"about": "total", "quote": "累计", "span": span(3600, "1小时")})),
        {"outcome": "planned", "mode": "state", "record.kind": "duration", "record.target_minutes": 60,
         "duration_seconds": 180, "exit_debounce_seconds": 180, "channel": "phone"},
    ),
    Case(
        "孩子每天投篮50次",
        creating(task("孩子每天投篮50次", SHOOT, period={"per": "day", "quote": "每天"},
                      record={"about": "goal", "quote": "50次", "target": 50, "unit": "次"})),
        {**EVENT, "outcome": "planned", "record.kind": "progress", "record.target": 50,
         "schedule.expr": "0 10,12,14,16,18,20 * * *"},
    ),
    Case(
        "妈妈织毛衣就开客厅灯",
        creating(task("妈妈织毛衣就开客厅灯", KNIT, response={"act": {"effect": "on", "noun": "灯", "room": "客厅"}})),
        {"outcome": "planned", "mode": "state", "on_exit": "desc", "exit_debounce_seconds": 60, "duration_seconds": 180,
         "target_device": "light_lr", "channel": None},
    ),
    Case(
        "妈妈织毛衣就开客厅灯 走了也别关",
        creating(task("妈妈织毛衣就开客厅灯 走了也别关", KNIT, response={
            "act": {"effect": "on", "noun": "灯", "room": "客厅"}, "stay": "走了也别关",
        })),
        {"mode": "state", "on_exit": "none", "exit_debounce_seconds": 60},
    ),
    Case(
        "儿子倒立就关客厅电视",
        creating(task("儿子倒立就关客厅电视", HEADSTAND,
                      response={"act": {"effect": "off", "noun": "电视", "room": "客厅"}})),
        {**EVENT, "outcome": "planned", "target_device": "tv_lr", "action_type": "json"},
    ),
    Case(
        "今天孩子在墙上乱画就提醒我", tells("今天孩子在墙上乱画就提醒我", DOODLE, life={"quote": "今天"}),
        {"lifecycle": "temporary", "expires_at": "2026-06-13T00:00:00+08:00"},
    ),
    Case(
        "孩子在墙上乱画就提醒我 到下下礼拜五为止",
        tells("孩子在墙上乱画就提醒我 到下下礼拜五为止", DOODLE,
              life={"quote": "到下下礼拜五为止", "until": "2026-06-27T00:00"}),
        {"lifecycle": "temporary", "expires_at": "2026-06-27T00:00:00+08:00"},
    ),
    Case(
        "暑假期间孩子在墙上乱画就提醒我",
        tells("暑假期间孩子在墙上乱画就提醒我", DOODLE, life={"quote": "暑假期间", "until": "2026-09-01T00:00"}),
        {"questions": ["expiry", "channel"], "expires_at": None},
    ),
    Case(
        "暑假期间孩子在墙上乱画就提醒我",
        tells("暑假期间孩子在墙上乱画就提醒我", DOODLE, life={"quote": "八月底", "until": "2026-09-01T00:00"}),
        {"outcome": "planned", "expires_at": "2026-09-01T00:00:00+08:00"},
        answers={"expiry": "到八月底", "channel": "B"},
    ),
    Case(
        "晚上十点以后儿子在床上蹦就提醒我",
        tells("晚上十点以后儿子在床上蹦就提醒我", {**JUMP, "gate": "晚上十点以后"}),
        {**EVENT, "questions": ["channel"], "tips_optional": ["time_gate"], "schedule": None},
    ),
    Case(
        "外公甩鞭子就提醒我", tells("外公甩鞭子就提醒我", CRACK),
        {"questions": ["person", "channel"], "subject": "ask"},
    ),
    Case(
        "家里人在客厅踢球就提醒我", tells("家里人在客厅踢球就提醒我", {**KICK, "rooms": ["客厅"]}),
        {**EVENT, "questions": ["channel"], "subject": "已注册成员", "source": ["cam_lr"],
         "tips": ["subject_registered_members"]},
    ),
    Case(
        "陌生人在门口拍照就提醒我", tells("陌生人在门口拍照就提醒我", {**PHOTO, "rooms": ["门口"]}),
        {**EVENT, "questions": ["channel"], "subject": "陌生人", "source": ["cam_ent"]},
    ),
    Case(
        "阳台的衣服被雨淋了就提醒我收衣服",
        tells("阳台的衣服被雨淋了就提醒我收衣服", {**CLOTHES, "rooms": ["阳台"]}, response={"content": "收衣服"}),
        {**EVENT, "subject": "衣服", "questions": ["camera_name", "channel"], "duration_seconds": None},
    ),
    Case(
        "主卧超过28度就开空调",
        creating(task("主卧超过28度就开空调", THERMOMETER, response={"act": {"effect": "on", "noun": "空调"}})),
        {"mode": "state", "on_exit": "desc", "subject": "画面", "questions": ["camera_name"], "target_device": "ac_lr"},
    ),
    Case(
        "半个钟头以后提醒我关火",
        creating(task("半个钟头以后提醒我关火", None, response={**TELL, "content": "关火"},
                      clock={"kind": "at", "quote": "半个钟头以后", "at": "2026-06-12T15:50"})),
        {"outcome": "planned", "schedule.at": "2026-06-12T15:50:00+08:00", "lifecycle": "temporary", "rule": False},
    ),
    Case(
        "孩子在墙上乱画或者撕书就提醒我",
        creating(task("孩子在墙上乱画或者撕书就提醒我", DOODLE, response=TELL),
                 task("孩子在墙上乱画或者撕书就提醒我", {**TEAR, "quote": "撕书"}, response=TELL)),
        {"questions": ["channel"], "tasks.0.behavior": "draw_on_wall", "tasks.1.behavior": "tear_book"},
    ),
    Case(
        "孩子在墙上乱画的同时电视开着就提醒我",
        filled({"op": "create", "reject": "and_rule", "reject_quote": "同时电视开着"}),
        {"outcome": "rejected", "reject": "and_rule", "tasks": []},
    ),
    Case(
        "孩子连着48小时在墙上乱画就提醒我",
        tells("孩子连着48小时在墙上乱画就提醒我",
              {**DOODLE, "quote": "在墙上乱画", "manner": "continuous", "hold": span(172_800, "48小时")}),
        {"outcome": "rejected", "reject": "duration_over_24h"},
    ),
    Case("灯光亮度你看着办吧", filled({"op": "none"}), {"outcome": "planned", "op": "none", "tasks": []}),
    Case(
        "我设过些啥来着", filled({"op": "list", "quote": "我设过些啥"}), {"outcome": "planned", "op": "list"},
    ),
]  # fmt: skip
"""What has to come of each; `tasks.0.…` looks into one of several tasks."""
