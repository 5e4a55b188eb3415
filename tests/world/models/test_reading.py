from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.world.models.reading import LONGEST, Unreadable, read_object

VALUE = {"title": "交作业", "nodes": [{"day": "12日", "lead": 10}]}
WRITTEN = json.dumps(VALUE, ensure_ascii=False)


@pytest.mark.parametrize(
    "text",
    [
        WRITTEN,
        f"\n  {WRITTEN}\n",
        f"\ufeff{WRITTEN}",
        f"好的：{WRITTEN}",
        f"{WRITTEN}\n以上。",
        f"```json\n{WRITTEN}\n```",
        f"结果如下（见 [1]）：\n```\n{WRITTEN}\n```\n如有问题请告诉我。",
        f"<think>\n是 {{}} 还是 [] 呢？\n</think>\n\n{WRITTEN}",
        f"用户要 {{...}}，那就这样。</think>{WRITTEN}",
        '{"title": "交作业", "nodes": [{"day": "12日", "lead": 10,},],}',
        '{"title": "交作业", "nodes": [{"day": "12日", "lead": 10 , \n } , ] }',
    ],
)
def test_what_leaves_no_doubt_is_read(text):
    assert read_object(text) == VALUE


@pytest.mark.parametrize(
    "value",
    [{"a": "，,]}"}, {"a": 'x",}'}, {"a": "\\"}, {"a": "</think>{"}, {"a": "```"}, {"a": ",\n]"}, {}, {"a": [[], {}]}],
)
def test_nothing_inside_a_string_is_touched(value):
    assert read_object(json.dumps(value)) == value


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "没有 JSON 对象"),
        ("我看不懂。", "没有 JSON 对象"),
        ("[1, 2]", "没有 JSON 对象"),
        ("null", "没有 JSON 对象"),
        ("<think>还没想完 {", "写"),
        (f"[{WRITTEN}]", "不是数组"),
        (f"```json\n[\n{WRITTEN}\n]\n```", "不是数组"),
        (WRITTEN + WRITTEN, "只能有一个对象"),
        (WRITTEN + "}", "只能有一个对象"),
        (f"{WRITTEN}\n或者 {{}}", "只能有一个对象"),
        (f"形如 {{标题}} 的：{WRITTEN}", "写法不对"),
        (WRITTEN[:-1], "没有写完"),
        (WRITTEN[:20], "没有写完"),
        ('{"a": "没有', "没有写完"),
        ('{"a": 1 "b": 2}', "写法不对"),
        ("{'a': 1}", "写法不对"),
        ('{"a": 1, // 注释\n "b": 2}', "写法不对"),
        ('{"a": "一行\n两行"}', "写法不对"),
        ('{"a": True}', "写法不对"),
        ('{"a": 1,, "b": 2}', "写法不对"),
        ('{"a": 1, "a": 2}', "重复的键"),
        ('{"x": {"a": 1, "a": 1}}', "重复的键"),
        ('{"a": NaN}', "NaN"),
        ('{"a": -Infinity}', "NaN"),
        ('{"a": 1e999}', "太大的数字"),
        ('{"a": ' + "9" * 5_000 + "}", "太长的数字"),
        ('{"a": "\\ud800"}', "不能保存"),
        ('{"a": [["\\u0000"]]}', "不能保存"),
        ('{"\\u0000": 1}', "不能保存"),
        ('{"a": ' + "[" * 50_000, "嵌套太深"),
        ('{"a": ' * 30_000, "嵌套太深"),
        ('{"a": "' + "x" * LONGEST + '"}', "超过"),
    ],
)
def test_what_leaves_a_doubt_is_refused_with_what_is_wrong(text, complaint):
    with pytest.raises(Unreadable, match=complaint):
        read_object(text)


@pytest.mark.parametrize("piece", ["{", '{"', '"\\', '{"a":', ",\n", '{"a": "\\"', "</think>", "[", "{,"])
def test_a_hostile_reply_of_full_length_is_read_through_once(piece):
    with pytest.raises(Unreadable):
        read_object((piece * LONGEST)[:LONGEST])


SCALARS = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False)
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
VALUES = st.recursive(
    SCALARS | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)
PROSE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="{}[<"), max_size=30)


@given(st.dictionaries(WORDS, VALUES, max_size=4), PROSE, PROSE, st.sampled_from([None, 2]))
def test_any_object_is_read_back_out_of_any_prose(value, before, after, indent):
    assert read_object(before + json.dumps(value, ensure_ascii=False, indent=indent) + after) == value


@given(st.text(st.sampled_from('{}[]",:\\ \n1aN-.e<>/think`\ud800'), max_size=60))
def test_whatever_is_not_read_is_unreadable_and_nothing_else(text):
    value = {}
    with contextlib.suppress(Unreadable):
        value = read_object(text)

    json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
