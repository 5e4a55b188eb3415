"""What a reader sees of a page."""

from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.world.pages.charsets import decoded
from zhixing.world.pages.readable import LONGEST_TEXT, MOST_LINKS, readable

AT = "https://a.cn/news/today.html"


def text(page: str) -> str:
    return readable(page, AT).text


@pytest.mark.parametrize(
    ("page", "seen"),
    [
        ("<p>一</p><p>二</p>", "一\n二"),
        ("a<br>b<BR/>c", "a\nb\nc"),
        ("<h2>标题</h2>正文", "## 标题\n正文"),
        ("<ul><li>甲<li>乙</ul>", "- 甲\n- 乙"),
        ("<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>", "| 1 | 2\n| 3"),
        ("看<a href='/b?x=1&amp;y=2'>这里</a>。", "看这里 (https://a.cn/b?x=1&y=2)。"),
        ("<a href=other>相对</a>", "相对 (https://a.cn/news/other)"),
        ("<a href='//b.cn/x'>别处</a>", "别处 (https://b.cn/x)"),
        ("<a href='javascript:alert(1)'>x</a>", "x"),
        ("<a href='mailto:a@b'>x</a><a name=y>z</a>", "xz"),
        ("<a href='http://b.cn'></a>x", "x"),
        ("<a href=/c><h3>卡片</h3><p>说明</p></a>后", "### 卡片 (https://a.cn/c)\n说明\n后"),
        ("<script>if (a < b) { '<p>' }</script>后", "后"),
        ("<style>p > a {}</style><svg><text>图</text></svg>后", "后"),
        ("<SCRIPT></scrip></SCRIPT >后", "后"),
        ("<!-- <p>藏 --> 后 <!-- 没完", "后"),
        ("<?xml version='1.0'?><!DOCTYPE html>后", "后"),
        ("a &lt;b&gt; &amp;amp; &#x4e2d;", "a <b> &amp; 中"),
        ("1 < 2 <3 且 a<b", "1 < 2 <3 且 a"),
        ('<p title="a>b">后</p>', "后"),
        ("<p title='\">'>后</p>", "后"),
        ("<img alt='一只猫' src=x>", "一只猫"),
        ("  很   多\n\n空  白 ", "很 多 空 白"),
        ("<p></p><p> </p><li></li>", ""),
        ("</>x</ >y", "xy"),
        ("", ""),
        ("<noscript>请打开脚本</noscript>", "请打开脚本"),
        ("<textarea><p>原样</p></textarea>", "<p>原样</p>"),
        ("<title>没有结束", ""),
        ("<a href=x" + "y" * 600 + ">长</a>", "长"),
    ],
)
def test_a_page_reads_as_a_person_would(page: str, seen: str) -> None:
    assert text(page) == seen


def test_the_title_is_apart() -> None:
    read = readable("<html><head><title> 今日\n新闻 &amp; 天气</title></head><body>正文<title>别的</title></body>", AT)
    assert (read.title, read.text, read.is_whole) == ("今日 新闻 & 天气", "正文", True)


def test_text_and_links_are_bounded() -> None:
    read = readable("<p>字</p>" * LONGEST_TEXT, AT)
    assert len(read.text) <= LONGEST_TEXT
    assert readable("字" * 300_000, AT).is_whole is False
    assert text("<a href=/x>y</a> " * (MOST_LINKS + 50)).count("https://a.cn/x") == MOST_LINKS


@pytest.mark.parametrize(
    "piece",
    [
        *("<!--", "<", "<a ", "<![CDATA[", "<script>", "x=' ", "&", "<!", "</", "<?", "</a ", "&#", '<a a="'),
        *(
            "<a b='\"",
            "<p>",
            "<a href=x>",
            "</a",
            "<title>",
            '="',
            "<a =' ",
            "<li>",
            "<td>",
            "<a href=x>y",
            " ",
            "\x00",
        ),
    ],
)
def test_a_page_that_is_written_to_take_long_does_not(piece: str) -> None:
    # What is quadratic in a megabyte does not end today.
    page = piece * (1_000_000 // len(piece))
    assert len(readable("<a " + page, AT).text) <= LONGEST_TEXT
    assert len(readable(page + ">", AT).text) <= LONGEST_TEXT


@given(st.text(st.sampled_from("<>!-/?='\" \nabp&;#字"), max_size=200))
def test_words_that_only_look_like_tags_are_words(words: str) -> None:
    assert text(html.escape(f"x{words}")) == " ".join(f"x{words}".split())


@given(st.text(st.sampled_from("<>!-/?='\" \nabp&;#x字"), max_size=200))
def test_any_page_can_be_read(page: str) -> None:
    assert len(text(page)) <= 2 * len(page)


@pytest.mark.parametrize(
    ("body", "named", "read"),
    [
        ("中文".encode(), "", "中文"),
        ("中文".encode("gb18030"), "", "中文"),
        ("中文".encode("gbk"), "gb2312", "中文"),
        ("中文".encode("big5"), "Big5", "中文"),
        (b"\xef\xbb\xbf" + "中文".encode(), "gbk", "中文"),
        ("中文".encode("utf-16"), "", "中文"),
        (b'<meta charset="gbk">' + "中文".encode("gbk"), "", '<meta charset="gbk">中文'),
        (b"<meta http-equiv=x content='a; charset=gb2312'>" + "文".encode("gbk"), "",
         "<meta http-equiv=x content='a; charset=gb2312'>文"),
        (b"caf\xe9 \x93x\x94", "iso-8859-1", "café “x”"),
        (b"x\xff", "utf-8", "x\ufffd"),
        (b"abc", "zip", "abc"),
        (b"abc", "unicode_escape", "abc"),
        (b"abc", "iso-8859-12", "abc"),
        (b"abc", "x" * 5_000, "abc"),
    ],
)  # fmt: skip
def test_a_page_is_read_in_the_charset_it_is_written_in(body: bytes, named: str, read: str) -> None:
    assert decoded(body, named, is_page=True) == read
