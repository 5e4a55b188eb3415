"""Search for texts that are slow to understand, and print the slowest.

Everything that reads text is given long runs, nests and near misses of every word it knows, at the length of a notice
that is read locally (64 characters) and at the longest length that is accepted (20,000). Nothing may take 50 ms. The
parts that the local grammar never gives more than 64 characters are searched at 2,000, so that nobody who uses them
elsewhere is surprised. The exit status tells whether everything stayed below the limit.

    python bench/hostile_text.py [--seed N] [--rounds N] [--seconds N]
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator

from zhixing.kernel.moments import parse_instant
from zhixing.language.cues import find_cue
from zhixing.language.expressions import read_times
from zhixing.language.lexicon import PATTERNS
from zhixing.language.text import normalise
from zhixing.language.tokens import tokens
from zhixing.notices.answers import Answers
from zhixing.notices.batch import understand_lines
from zhixing.notices.grammar import LONGEST_LOCAL, read
from zhixing.notices.model import Answer, Entry, Source, Submission
from zhixing.notices.titles import action_words, title_of
from zhixing.notices.understand import LONGEST_TEXT, understand

LIMIT_MS = 50.0
LONG_PART = 2_000
SHOWN = 48
NOW = parse_instant("2026-10-12T10:00:00+08:00")

WORDS = [
    "一", "十", "百", "两", "半", "零", "1", "9", "12", "2026", "3点", "三点", "三点半", "差一刻", "差", "点", "点钟",
    "时", "分", "刻", "小时", "个半小时", "10分钟", "10分钟后", "过", "再过", "提前", "提前10分钟", "年", "月",
    "10月", "10月15日", "十月", "日", "号", "5号", "周", "下", "下下", "上", "本", "周三", "下周", "下周三", "星期",
    "周一到", "周一、", "明", "明天", "今", "今天", "后", "后天", "大后天", "前", "晚", "早", "晚上", "下午", "凌晨",
    "一会儿", "等", "稍后", "春节", "国庆", "节后", "大年初一", "月底", "上旬", "(", ")", "（", "）", " ", "\u3000",
    "\n", ",", "，", "、", "。", ";", "!", "?", ":", "：", "-", "~", "/", ".", "1:", "1.", "1-", "1/", "12:30", "3pm",
    "p.m.", "A", "a.", "@", "【", "「", "“", "每", "每天", "天天", "如果", "当", "等他", "的时候", "就", "不", "别",
    "没", "改到", "推迟", "取消", "老师说", "小王", "说", "通知", "通知我", "提醒我", "提醒", "帮我", "请", "记得",
    "再", "给我", "叫我", "准时", "到点", "的", "开会", "交", "提交", "截止", "开始报名", "报名", "结束", "谢谢",
    "带", "地点", "学年", "2026-2027学年", "2023级", "预计", "大概", "约", "将于", "已", "统计", "记录", "营业时间",
    "吗", "几点", "一二三四五六七八九十", "〇", "廿", "卅", "二〇二六", "視", "视", "而定", "😀", "\ud800", "\u0301",
    "長", "龥", "x",
]  # fmt: skip
WRAPPERS = [
    "{}",
    "明天下午3点{}",
    "{}明天下午3点开会",
    "明天{}下午3点",
    "提醒我{}",
    "({})",
    "当{}",
    "统计{}",
    "报名{}",
    "3点{}分",
]


def runs(length: int) -> Iterator[str]:
    """Yield one word again and again, alone and inside sentences that are nearly understood."""
    for word in WORDS:
        for wrapper in WRAPPERS:
            inside = word * (length // len(word) + 1)
            yield (
                wrapper.format(inside)[:length]
                if wrapper.startswith("{")
                else wrapper.format(inside[: length - 8])[:length]
            )
    half = length // 2
    for left, right in (("(", ")"), ("（", "）"), ("“", "”"), ("【", "】"), ("[", "]"), ("1(", ")"), ("明天(", ")")):
        yield (left * (half // len(left)) + right * half)[:length]


def pairs(length: int) -> Iterator[str]:
    """Yield every two words in turn: what one pattern begins, another one may have to give up."""
    for first in WORDS:
        for second in WORDS:
            if first != second:
                both = first + second
                yield (both * (length // len(both) + 1))[:length]


def mixtures(length: int, rounds: int, dice: random.Random) -> Iterator[str]:
    """Yield random sentences: many words, few words, and the characters that begin the patterns."""
    beginnings = "".join(begins for _, begins, _ in PATTERNS)
    for turn in range(rounds):
        pool = dice.sample(WORDS, dice.choice((2, 3, 5, len(WORDS)))) if turn % 3 else list(beginnings)
        text = ""
        while len(text) < length:
            text += dice.choice(pool) * dice.choice((1, 1, 1, 2, 7))
        yield text[:length]


def hear(text: str) -> object:
    return understand(Submission(text, Source.DIRECT, NOW, "Asia/Shanghai", None, Entry.SCHEDULE), NOW)


def answer(text: str) -> object:
    answers = Answers([Answer("date", text), Answer("year", text), Answer("tz_gap", text)], NOW.date())
    return answers.day("date"), answers.clock("date"), answers.year(), answers.fold("tz_gap"), answers.instant("tz_gap")


def write(text: str) -> object:
    return title_of(text), action_words(text, normalise(text), [(0, 1)] if text else [])


def milliseconds(reader: Callable[[str], object], text: str) -> float:
    started = time.perf_counter()
    reader(text)
    return (time.perf_counter() - started) * 1000


def slowest(reader: Callable[[str], object], texts: Iterator[str], seconds: float) -> tuple[float, str, int]:
    """Return the worst time found in `seconds`; each is confirmed, so that a busy machine does not count."""
    worst, offender, count = 0.0, "", 0
    stop = time.perf_counter() + seconds
    for text in texts:
        count += 1
        took = milliseconds(reader, text)
        if took > worst:
            took = min(took, milliseconds(reader, text))
            if took > worst:
                worst, offender = took, text
        if time.perf_counter() > stop:
            break
    return worst, offender, count


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--rounds", type=int, default=2000, help="random mixtures of 64 characters")
    options.add_argument("--seconds", type=float, default=60.0, help="the longest that one search takes")
    given = options.parse_args()

    def local() -> Iterator[str]:
        yield from runs(LONGEST_LOCAL)
        yield from pairs(LONGEST_LOCAL)
        yield from mixtures(LONGEST_LOCAL, given.rounds, random.Random(given.seed))

    def long(length: int) -> Iterator[str]:
        yield from runs(length)
        yield from mixtures(length, 20, random.Random(given.seed))

    fields = '"submittedAt": "2026-10-12T10:00:00+08:00", "tz": "Asia/Shanghai"'
    lines = [f'{{"text": "{words * (1_000_000 // len(words))}", {fields}}}' for words in ("\\u4e00", "一", "3点", "[")]
    searches: list[tuple[str, Callable[[str], object], Iterator[str]]] = [
        ("understand", hear, local()),
        ("understand", hear, long(LONGEST_TEXT)),
        ("grammar.read", read, local()),
        ("Answers", answer, local()),
        ("understand_lines", lambda line: list(understand_lines([line])), iter(lines)),
        ("normalise", normalise, long(LONGEST_TEXT)),
        ("title, action", write, long(LONG_PART)),
        ("Answers", answer, long(LONG_PART)),
        ("tokens", tokens, long(LONG_PART)),
        ("read_times", read_times, long(LONG_PART)),
        ("find_cue", find_cue, long(LONG_PART)),
    ]
    late = False
    print(f"{'what':<17}{'length':>9}{'texts':>7}{'slowest':>12}  text")
    for name, reader, texts in searches:
        took, text, count = slowest(reader, texts, given.seconds)
        late = late or took > LIMIT_MS
        mark = "!" if took > LIMIT_MS else " "
        shown = repr(text if len(text) <= 2 * SHOWN else f"{text[:SHOWN]}…{text[-SHOWN:]}")
        print(f"{name:<17}{len(text):>9,}{count:>7,}{took:>9.2f} ms{mark} {shown}", flush=True)
    return 1 if late else 0


if __name__ == "__main__":
    raise SystemExit(main())
