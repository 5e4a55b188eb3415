"""One row for each thing a clause demands, and for what looks like it and is not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.household.assembling.saying import ALONE, BABY, COUPLE, FAMILY, FLAT, LARGE, OLD, decided, flat, homes

MODEL = {"outcome": "needs_model"}
Row = tuple[str, str, str, dict[str, Any]]

ROWS: list[Row] = [
    # §6, §7: rule and schedule, each judged on its own
    ("H-RULE-01", FAMILY, "客厅没人就关空调", {"rule": True, "schedule": None}),
    ("H-RULE-02", FAMILY, "儿子咳嗽了提醒我", {"rule": True, "behavior": "cough"}),
    ("H-RULE-05", FAMILY, "明天9点提醒我吃药", {"rule": False, "record": None}),
    ("H-RULE-05", FAMILY, "每天提醒我喝水", {"rule": False, "schedule.expr": "0 9 * * *"}),
    ("H-SCH-02", FAMILY, "一个半小时后提醒我关烤箱", {"schedule.at": "2026-06-12T16:50:00+08:00"}),
    ("H-SCH-03", FAMILY, "每周三晚上7点提醒我倒垃圾", {"schedule.expr": "0 19 * * 3", "rule": False}),
    ("H-SCH-04", FAMILY, "每2小时提醒我喝水", {"schedule.every_ms": 7_200_000, "rule": False}),
    ("H-SCH-05", FAMILY, "每天喝8杯水", {"rule": True, "schedule.default": True}),
    ("H-SCH-06", FAMILY, "每天累计玩平板超过1小时就播报", {"schedule": None, "record.target_minutes": 60}),
    ("H-SCH-07", FAMILY, "儿子连续看电视2小时就播报", {"schedule": None, "duration_seconds": 7200}),
    ("H-SCH-08", FAMILY, "今天有人敲门就推送", {"schedule": None, "lifecycle": "temporary"}),
    ("H-SCH-09", FAMILY, "爸爸打喷嚏就播报一下", {"schedule": None, "lifecycle": "permanent"}),
    # §8, §19, §20: record
    ("H-REC-01", FAMILY, "今天喝够6杯水告诉我", {"record.kind": "progress", "record.target": 6, "record.unit": "杯"}),
    ("H-REC-02", FAMILY, "记录一下妈妈每天喝几杯水", {"record.kind": "event", "record.task_type": "longterm"}),
    ("H-REC-03", FAMILY, "这周累计健身5小时告诉我", {"record.kind": "duration", "record.task_type": "oneshot"}),
    ("H-REC-04", FAMILY, "统计儿子每天看电视多久", {"record.kind": "duration", "record.window": "day"}),
    ("H-REC-07", FAMILY, "爸爸抽烟就播报", {"record": None}),
    ("H-REC-08", FAMILY, "久坐一小时提醒我", {"record": None, "duration_seconds": 3600}),
    ("H-KIND-03", FAMILY, "妈妈看电视帮我记录下来", {"record.kind": "duration", "tips+": "record_kind_duration"}),
    ("H-KIND-06", FAMILY, "数一下儿子今天做了多少个俯卧撑", {"record.kind": "event", "record.target": None}),
    ("H-KIND-01", FAMILY, "统计儿子每天看电视多久", {"tips-": "record_kind_duration"}),
    ("H-TYPE-01", FAMILY, "每周跑步3次提醒我", {"record.task_type": "recurring", "record.window": "week"}),
    ("A-37", FAMILY, "累计看书超过3小时告诉我", {"record.window": "day", "record.target_minutes": 180}),
    # §9: lifecycle
    ("H-LIFE-02", FAMILY, "今晚有人按门铃就播报", {"expires_at": "2026-06-13T00:00:00+08:00"}),
    ("H-LIFE-02", FAMILY, "本月累计健身20小时提醒我", {"expires_at": "2026-07-01T00:00:00+08:00"}),
    ("H-LIFE-02", FAMILY, "接下来两小时门口有人按门铃就推我", {"expires_at": "2026-06-12T17:20:00+08:00"}),
    ("H-LIFE-04", FAMILY, "后天提醒我交电费", {"lifecycle": "temporary", "expires_at": None}),
    ("H-LIFE-05", FAMILY, "妈妈回家就播报", {"lifecycle": "permanent", "expires_at": None}),
    ("H-LIFE-07", FAMILY, "客厅有人抽烟就播报", {"lifecycle": "permanent"}),
    ("H-LIFE-08", FAMILY, "儿子看电视超过1小时就播报", {"lifecycle": "permanent"}),
    ("A-29", FAMILY, "这周每天晚上9点提醒我抹药膏", {"lifecycle": "temporary", "mild+": "lifecycle_conflict"}),
    ("A-59", FAMILY, "周末上午十点提醒大扫除", {"lifecycle": "permanent", "schedule.expr": "0 10 * * 0,6"}),
    ("A-68", FAMILY, "暑假期间儿子看电视超过1小时就播报", {"questions": ["expiry"], "expires_at": None}),
    # §10: event or state
    ("H-MODE-01", FAMILY, "每天累计看手机超过1小时就推送", {"mode": "state", "on_exit": "desc"}),
    ("H-MODE-02", FAMILY, "儿子摔倒了就播报", {"mode": "event", "duration_seconds": None}),
    ("H-MODE-03", FAMILY, "客厅有人就开灯 没人就关灯", {"mode": "state", "on_exit": "action", "tasks#": 1}),
    ("H-MODE-04", FAMILY, "客厅有人就开灯", {"mode": "state", "on_exit": "desc", "exit_debounce_seconds": 60}),
    ("H-MODE-05", FAMILY, "爸爸开始打游戏就告诉我", {"mode": "state", "exit_debounce_seconds": 1800, "on_exit": "none"}),
    ("H-MODE-06", FAMILY, "妈妈回家就播报", {"mode": "state", "exit_debounce_seconds": 1800}),
    ("H-MODE-10", FAMILY, "妈妈咳嗽就播报", {"mode": "event", "exit_debounce_seconds": None}),
    ("H-MODE-11", FAMILY, "儿子睡觉就关掉电视", {"mode": "event", "on_exit": "none"}),
    ("H-MODE-12", FAMILY, "儿子写作业的时候告诉我", {"mode": "event", "duration_seconds": 90}),
    ("A-16", FAMILY, "每次儿子回家都告诉我", {"mode": "state", "exit_debounce_seconds": 1800, "questions": ["channel"]}),
    # §12: who
    ("H-SUBJ-02", FAMILY, "爸爸妈妈回家都播报一声", {"subject": ["爸爸", "妈妈"], "rules": 2}),
    ("H-SUBJ-03", FAMILY, "家里人在客厅抽烟就播报", {"subject": "已注册成员", "tips+": "subject_registered_members"}),
    ("H-SUBJ-05", FAMILY, "有人敲门就推送", {"subject": "任何人", "tips+": "subject_any_person"}),
    ("H-SUBJ-06", FAMILY, "每次有陌生人出现都推送", {"subject": "陌生人", "tips-": "subject_any_person"}),
    ("H-SUBJ-08", FAMILY, "客厅没人就关空调", {"subject": "画面"}),
    ("H-SUBJ-09", FAMILY, "玩手机超过40分钟就推送", {"subject": "用户", "tips+": "subject_default_user"}),
    ("H-SUBJ-10", FAMILY, "外公咳嗽就推送", {"subject": "ask", "questions": ["person"]}),
    ("H-SUBJ-11", FAMILY, "王小明咳嗽就推送", {"subject": "儿子"}),
    ("H-SUBJ-12", FLAT, "小雨咳嗽就推送", {"subject": "小雨"}),
    ("H-SUBJ-13", ALONE, "我打游戏超过两小时就播报", {"subject": "陈晨", "tips+": "subject_first_person"}),
    ("H-SUBJ-14", FAMILY, "我坐满50分钟就播报", {"subject": "ask", "questions": ["person"]}),
    ("H-SUBJ-14", LARGE, "孩子看电视就播报", {"subject": "ask"}),
    ("A-21", FAMILY, "玩手机超过40分钟就提醒我", {"subject": "用户"}),
    ("A-22", OLD, "老张咳嗽就推送", {"subject": "奶奶"}),
    ("A-71", FLAT, "阿杰咳嗽就推送", {"subject": "阿杰"}),
    ("A-20", FAMILY, "猫上沙发就推送", {"subject": "猫", "questions": []}),
    # §14, §21: action and channel
    ("H-ACT-05", FAMILY, "客厅没人就关空调", {"action_type": "json", "channel": None}),
    ("H-ACT-06", FAMILY, "有人敲门就告诉我", {"action_type": "desc", "channel": "ask", "questions": ["channel"]}),
    ("H-CHAN-04", FAMILY, "爸爸抽烟就播报别抽了", {"channel": "speaker", "questions": []}),
    ("H-CHAN-04", FAMILY, "爸爸抽烟就推我手机", {"channel": "phone"}),
    ("H-CHAN-04", FAMILY, "爸爸抽烟就在对话里告诉我", {"channel": "chat"}),
    ("H-CHAN-08", FAMILY, "明天9点提醒吃药", {"channel": None, "questions": []}),
    ("A-45", FAMILY, "每天喝8杯水", {"channel": None, "questions": []}),
    ("A-72", FAMILY, "爸爸抽烟就微信告诉我", {"channel": "ask"}),
    ("A-72", OLD, "爷爷摔倒了就打电话给我", {"channel": "ask", "questions": ["channel"]}),
    ("A-13", FAMILY, "妈妈回家就播放欢迎曲", {"channel": "speaker", "on_exit": "none", "action_type": "desc"}),
    ("A-49", LARGE, "儿子写作业就关电视", {"questions": ["device"]}),
    # §16, §17: hold and debounce
    ("H-DUR-03", FAMILY, "儿子玩平板超过20分钟就播报", {"duration_seconds": 1200}),
    ("H-DUR-04", FAMILY, "儿子玩平板超过一个半小时就播报", {"duration_seconds": 5400}),
    ("H-DUR-07", FAMILY, "儿子玩游戏玩了30个小时就提醒我", {"reject": "duration_over_24h"}),
    ("H-DUR-07", OLD, "奶奶连续三天没出房门就通知我", {"reject": "duration_over_24h"}),
    ("H-DUR-08", OLD, "爷爷躺了超过13个小时就推送", {"tips+": "duration_long_restart"}),
    ("H-DUR-08", OLD, "爷爷躺了超过12个小时就推送", {"duration_seconds": 43_200, "tips-": "duration_long_restart"}),
    ("H-DUR-22", FAMILY, "爸爸抽烟就播报", {"duration_seconds": 30, "tips+": "duration_default"}),
    ("H-DUR-20", FAMILY, "爸爸抽烟超过2分钟就播报", {"duration_seconds": 120, "tips-": "duration_default"}),
    ("A-25", ALONE, "我看手机10秒就推送", {"tips+": "duration_deviation"}),
    ("A-51", FAMILY, "儿子摔倒超过30秒就播报", {"duration_seconds": None, "tips+": "safety_duration_dropped"}),
    ("A-41", FAMILY, "妈妈每天走10000步", {"record.target": 10_000, "tips+": "metric_unverifiable"}),
    ("H-EVF-02", FAMILY, "客厅一有人就推送", {"mode": "event", "questions": []}),
    ("A-52", FAMILY, "久坐30分钟就推送", {"tips-": "duration_deviation"}),
    ("H-DEB-08", FAMILY, "爸爸回家就播报 十分钟内别重复", {"exit_debounce_seconds": 600, "tips-": "exit_debounce_default"}),
    ("A-50", FAMILY, "爸爸开始看电视就推送 两小时内只说一次", {"exit_debounce_seconds": 3600, "mild+": "exit_debounce_capped"}),
    # §18: default times
    ("H-FREQ-02", FAMILY, "妈妈每天吃3次药", {"schedule.expr": "0 8,12,18 * * *"}),
    ("H-FREQ-06", FAMILY, "儿子每天喝4杯水", {"schedule.expr": "0 10,13,17,20 * * *"}),
    ("H-FREQ-07", FAMILY, "工作日每天喝8杯水", {"schedule.expr": "0 10,12,14,16,18,20 * * 1-5"}),
    ("H-FREQ-10", FAMILY, "每周提醒我大扫除", {"schedule.expr": "0 9 * * 1", "tips+": "schedule_default"}),
    ("H-FREQ-01", FAMILY, "每周一晚上8点提醒我大扫除", {"tips-": "schedule_default"}),
    # §22–§24: frequency, viewpoint, sources
    ("H-EVF-02", FAMILY, "每次有陌生人出现都推送", {"mode": "event", "questions": []}),
    ("H-EVF-04", FAMILY, "客厅有人就推送", {"mode": None, "questions": ["trigger_frequency"]}),
    ("A-03", FAMILY, "有人进门就推送", {"questions": [], "mode": "state"}),
    ("H-VIEW-02", FAMILY, "儿子在儿童房写作业就推送", {"questions": []}),
    ("H-VIEW-06", FAMILY, "妈妈回家就播报", {"source": ["cam_ent"], "tips+": "viewpoint_default"}),
    ("H-VIEW-07", COUPLE, "妈妈回家就播报", {"source": None, "questions": ["viewpoint"]}),
    ("H-VIEW-07", FAMILY, "儿子进儿童房就播报", {"questions": ["viewpoint"]}),
    ("H-SRC-01", BABY, "宝宝踢被子就播报", {"source": None, "tips+": "source_broadcast"}),
    ("H-SRC-03", FAMILY, "家里有人摔倒就播报", {"source": None, "tips+": "source_broadcast"}),
    ("H-SRC-04", FAMILY, "客厅有人抽烟就播报", {"source": ["cam_lr"], "tips-": "source_broadcast"}),
    ("H-SRC-05", BABY, "客厅有人抽烟就推送", {"source": ["cam_lr1", "cam_lr2"], "tips+": "source_multi"}),
    ("H-SRC-06", FAMILY, "阳台有人抽烟就推送", {"questions": ["camera_name"], "tips-": "source_broadcast"}),
    ("H-CAM-01", FAMILY, "主卧有人抽烟就推送", {"questions": ["camera_name"]}),
    ("H-DEV-04", FAMILY, "妈妈回家就开灯", {"tips+": "device_first_candidate"}),
    ("H-DEV-03", FAMILY, "妈妈回家就开客厅灯", {"tips-": "device_first_candidate", "target_device": "light_lr"}),
    ("H-DEV-03", BABY, "猫上餐桌就用客厅音箱播报", {"tips-": "device_first_candidate", "target_device": "spk_lr"}),
    ("H-MODE-06", FAMILY, "儿子一回家就提醒他写作业", {"mode": "state", "record": None}),
    ("H-MODE-11", FAMILY, "全家都出门了就关客厅灯", {"subject": "画面", "duration_seconds": 300}),
    ("H-SUBJ-07", FAMILY, "外卖放门口了就推送", {"subject": "外卖"}),
    ("H-REC-03", FAMILY, "每周看书累计5小时 达标了推送", {"record.target_minutes": 300, "channel": "phone"}),
    ("H-FREQ-03", FAMILY, "这个月跑步15次就推送", {"record.window": "month", "schedule.expr": "0 10 * * *"}),
    ("A-26", FAMILY, "晚上10点以后儿子看电视就推送", {"mild+": "time_gate", "schedule": None}),
    ("A-28", OLD, "有人摔倒或者喊救命就报警", {"rules": 2, "behavior": "fall", "mode": "event", "tasks#": 1}),
    ("A-28", FAMILY, "儿子玩手机或者看电视超过一小时就播报", {"rules": 2, "duration_seconds": 3600}),
    ("A-28", FAMILY, "妈妈或者爸爸抽烟就播报", {"rules": 2, "subject": ["妈妈", "爸爸"]}),
    ("A-28", FAMILY, "着火或者冒烟就推我手机", {"rules": 2, "subject": "火焰", "duration_seconds": None}),
    ("A-46", FAMILY, "今天早上8点提醒我开会", {"questions": ["time"], "schedule.kind": "at", "schedule.at": None}),
    ("A-46", FAMILY, "今晚12点提醒我收衣服", {"schedule.at": "2026-06-13T00:00:00+08:00"}),
    ("A-46", FAMILY, "每天晚上12点提醒我睡觉", {"schedule.expr": "0 0 * * *"}),
    ("H-TRG-03", FAMILY, "周二和周四晚上8点提醒我练字", {"schedule.expr": "0 20 * * 2,4"}),
    ("H-LIFE-02", FAMILY, "这两天爸爸抽烟就播报", {"expires_at": "2026-06-14T00:00:00+08:00"}),
    ("A-51", OLD, "奶奶摔倒30秒没起来就推送", {"duration_seconds": None, "tips+": "safety_duration_dropped"}),
    ("A-72", FAMILY, "有人按门铃就播报并且推送我手机", {"channels": ["speaker", "phone"]}),
    ("H-DEV-03", FAMILY, "儿子写作业就打开台灯", {"target_device": "lamp_kid"}),
    ("H-MODE-05", OLD, "奶奶进入睡觉状态就在对话里说一声", {"mode": "state", "exit_debounce_seconds": 1800}),
    ("H-CHAN-02", FAMILY, "爸爸咳嗽就给我发通知", {"channel": "ask"}),
    ("A-19", FAMILY, "爸爸到家门口就播报", {"mode": "state", "source": ["cam_ent"], "tips+": "viewpoint_default"}),
    ("H-DUR-22", FAMILY, "儿子坐姿不端正就播报", {"duration_seconds": 45}),
    # §4: what is refused or taken apart
    ("H-IN-02", FAMILY, "客厅有人而且灯开着就提醒我", {"reject": "and_rule"}),
    ("H-IN-02", FAMILY, "儿子一个人在客厅待着超过3分钟就推送", {"reject": None, "rule": True}),
    ("H-IN-02", FAMILY, "爸爸妈妈回家都播报", {"reject": None}),
]  # fmt: skip

UNSURE = [
    "儿子没写作业就告诉我",  # the opposite of what the lexicon knows
    "妈妈不在家就关灯",
    "每天晚上8点有人按门铃就告诉我",  # an event in a time of day
    "明天有人按门铃就告诉我",
    "吃完饭十分钟提醒奶奶吃药",
    "有人摔倒了就报警 并且打开客厅灯",
    "爸爸回家就开灯然后播放音乐",
    "每天8点到20点每两小时提醒我喝水",
    "工作日每两小时提醒我喝水",
    "晚上12点提醒我睡觉",  # tonight at midnight, or tomorrow's
    "明天3点提醒我开会",
    "每月45号提醒我还款",
    "每年2月45号提醒我",
    "除了周末每天8点叫我起床",
    "久坐30分钟提醒爸爸起来走走",
    "妈妈每天泡脚30分钟",
    "忽然之间风起云涌",
    "工作日儿子看电视超过1小时就提醒",  # on some days only
    "起床就拉开窗帘放音乐",
    "玄关有人经过就开灯 两分钟后关",
    "儿子看电视超过1小时就提醒他，超过2小时就关电视",
    "看我一周健身几次",
    "连续一周每天晚上9点提醒我敷面膜",
    "家里没人并且没开电视就关灯",
    "提醒我",
    "就",
]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[0]}-{row[2]}" for row in ROWS])
def test_the_clause_decides(row) -> None:
    _, home, text, wanted = row
    found = flat(text, home)
    assert found["outcome"] != "needs_model"
    for key, value in wanted.items():
        if key == "tips+":
            assert value in found["tips"]
        elif key == "tips-":
            assert value not in found["tips"]
        elif key == "mild+":
            assert value in found["tips_optional"]
        elif key == "tasks#":
            assert len(found["tasks"]) == value
        else:
            assert found.get(key) == value, key


@pytest.mark.parametrize("text", UNSURE)
def test_what_is_not_certain_is_left_to_a_model(text) -> None:
    assert decided(text)["outcome"] == "needs_model"


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("每天早上8点提醒吃药 另外客厅没人就关灯", 2),
        ("明天9点提醒吃药 后天10点提醒复查", 2),
        ("帮我弄俩事儿 一个是久坐45分钟提醒我 一个是每天喝8杯水", 2),
        ("儿子每天做20个俯卧撑 做完夸夸他", 1),
        ("爷爷开始看电视就告诉我 两小时内只说一次", 1),
        ("客厅有人空调开26度 人走了就调到28", 1),
        ("每日三餐 八点十二点六点 提醒妈妈吃药", 1),
        ("客厅没人就关灯。还有，爸爸抽烟就播报；每晚十点提醒我锁门", 3),
        ("你好，客厅没人就关空调。谢谢", 1),
        ("客厅有人就开灯。没人就关灯", 1),
    ],
)
def test_several_tasks_are_taken_apart_and_one_is_not(text, tasks) -> None:
    """H-IN-01."""
    assert len(decided(text, OLD if "爷爷" in text else FAMILY)["tasks"]) == tasks


def test_the_days_that_are_said_once_hold_for_what_is_said_in_the_same_breath() -> None:
    """H-IN-01."""
    both = decided("每天早上8点提醒我吃药，晚上10点提醒我睡觉")["tasks"]
    assert [task["schedule"]["expr"] for task in both] == ["0 8 * * *", "0 22 * * *"]
    last = decided("晚上十点提醒睡觉 早上六点半叫醒 每天")["tasks"]
    assert [task["schedule"]["expr"] for task in last] == ["0 22 * * *", "30 6 * * *"]


def test_a_sentence_about_a_task_beside_a_new_one_is_not_decided_by_half() -> None:
    tasks = homes()[FAMILY].get("tasks") or [{"id": "drink", "description": "妈妈每天喝 8 杯水", "status": "active"}]
    found = decided("客厅没人就关空调。另外把喝水任务删了", tasks=tasks)
    assert found["outcome"] == "needs_model"


def test_a_source_that_is_given_is_used_as_it_is() -> None:
    """H-SRC-01."""
    found = flat("宝宝踢被子就播报", BABY, source=["cam_baby"])
    assert found["source"] == ["cam_baby"]
    assert "source_broadcast" not in found["tips"]


def test_without_a_camera_that_is_asked_first_and_alone() -> None:
    """H-SRC-02, A-57."""
    dark = next(key for key, home in homes().items() if not any(eye["in_use"] for eye in home.get("cameras", ())))
    assert decided("有人按门铃就告诉我", dark)["questions"] == ["camera"]
    assert decided("明天9点提醒吃药", dark)["questions"] == []
