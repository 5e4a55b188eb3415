"""The lexicon holds together."""

from __future__ import annotations

from zhixing.goals.recognising.inferring import MOST_OPTIONS, kind_of
from zhixing.goals.recognising.model import Element
from zhixing.goals.recognising.phrasing import is_vague
from zhixing.goals.recognising.words import kinds, labels, made_of, replies


def test_every_label_names_an_element_or_what_is_beside_them() -> None:
    assert set(labels().values()) == {*Element, "resources", "aside"}


def test_every_kind_of_work_says_how_its_rounds_end() -> None:
    for kind in kinds():
        for element in Element:
            if element is not Element.GOAL:
                follows = kind.follows[element]
                assert follows.only or follows.otherwise, (kind.name, element)
                assert len(follows.options) < MOST_OPTIONS


def test_no_word_means_two_replies() -> None:
    said = replies()
    lists = [said.unclear, said.confirm, said.deny, said.none, said.all, said.other]
    words = [word for each in lists for word in each]
    assert len(words) == len(set(words))


def test_kinds_of_work_are_told_apart() -> None:
    assert kind_of("修复登录页按钮错位").name == "code"
    assert kind_of("修复打印机").name == "other"
    assert kind_of("生成本月月报").name == "report"
    assert kind_of("整理供应商名单").name == "table"


def test_a_text_is_made_of_words_only_if_nothing_is_left() -> None:
    assert made_of("看 看看！", frozenset({"看", "看看"}))
    assert not made_of("看看登录页", frozenset({"看", "看看"}))
    assert is_vague("看" * 40)
    assert not is_vague("看" * 39 + "页")
