"""Normalisation keeps every offset: a span found in the plain text cuts the same piece out of the original."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.language.text import normalise

EVERYTHING = st.text(st.characters(exclude_categories=[]), max_size=200)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("１５：３０", "15:30"),
        ("（周四）", "(周四)"),
        ("，！；？", ",!;?"),
        ("ＰＭ", "PM"),
        ("明天\u3000下午\u00a03點", "明天 下午 3点"),
        ("明天\t下午", "明天 下午"),
        ("第一行\r第二行\u2028第三行", "第一行\n第二行\n第三行"),
        ("3\u20135點", "3-5点"),  # an en dash
        ("3—5点", "3-5点"),
        ("3−5点", "3-5点"),
        ("3〜5点", "3~5点"),
        ("3～5点", "3~5点"),
        ("15︰30", "15:30"),
        ("兩點鐘開會", "两点钟开会"),
        ("週五", "周五"),
        ("後天", "后天"),
        ("下個禮拜三", "下个礼拜三"),
        ("15號", "15号"),
        ("壹拾伍", "一十五"),
        ("贰佰", "二百"),
        ("二○二六年", "二〇二六年"),
    ],
)
def test_words_about_time_take_their_plain_form(text: str, plain: str):
    assert normalise(text) == plain


@pytest.mark.parametrize(
    "text",
    ["明天下午3点开会", "第一行\n第二行", "。、…", "①②③", "Ⅲ", "㈠", "😀👨‍👩‍👧", "ABCabc", "千万亿"],
)
def test_everything_else_stays_as_it_is(text: str):
    assert normalise(text) == text


@settings(deadline=None)
@given(EVERYTHING)
def test_the_length_never_changes(text: str):
    assert len(normalise(text)) == len(text)


@settings(deadline=None)
@given(EVERYTHING)
def test_a_plain_text_stays_as_it_is(text: str):
    plain = normalise(text)
    assert normalise(plain) == plain


@settings(deadline=None)
@given(EVERYTHING, EVERYTHING)
def test_a_character_is_folded_without_looking_at_its_neighbours(left: str, right: str):
    assert normalise(left + right) == normalise(left) + normalise(right)
