from __future__ import annotations

import json
from itertools import repeat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.graphs.logs import (
    LONGEST_LINE,
    MOST_LINES,
    MOST_UNREAD,
    ErrorLine,
    InfoLine,
    LinkLine,
    Pin,
    RuleLine,
    Unread,
    format_line,
    info_text,
    info_value,
    read_line,
    read_log,
)
from zhixing.kernel.errors import BadInput

AT = 1740960001000
RULE = "1764000050140"

WRITTEN = [
    (f"3|{AT}|l|{RULE}|in1.output|n.input|null", LinkLine(AT, RULE, Pin("in1", "output"), Pin("n", "input"), None)),
    (
        f"3|{AT}|l|{RULE}|in1.output|x.input|true",
        LinkLine(AT, RULE, Pin("in1", "output"), Pin("x", "input"), state=True),
    ),
    (f"3|{AT}|l|{RULE}|a.met|b.stop|false", LinkLine(AT, RULE, Pin("a", "met"), Pin("b", "stop"), state=False)),
    (f"3|{AT}|i|{RULE}|n|1", InfoLine(AT, RULE, "n", "1")),
    (f'3|{AT}|i|{RULE}|n2|{{"n":1}}', InfoLine(AT, RULE, "n2", '{"n":1}')),
    (f"3|{AT}|i|{RULE}|o1|[true]", InfoLine(AT, RULE, "o1", "[true]")),
    (f"3|{AT}|i|{RULE}|o1|success", InfoLine(AT, RULE, "o1", "success")),
    (f"3|{AT}|i|{RULE}|s|", InfoLine(AT, RULE, "s", "")),
    (f"3|{AT}|i|{RULE}|s|a|b|c", InfoLine(AT, RULE, "s", "a|b|c")),
    (f"3|{AT}|e|{RULE}|o1|-9999|user ack timeout", ErrorLine(AT, RULE, "o1", "-9999", "user ack timeout")),
    (f"3|{AT}|e|{RULE}|o1|-1|a|b", ErrorLine(AT, RULE, "o1", "-1", "a|b")),
    (f'3|{AT}|r|{RULE}|{{"enable":true}}', RuleLine(AT, RULE, enable=True)),
    (f'3|{AT}|r|{RULE}|{{"enable":false}}', RuleLine(AT, RULE, enable=False)),
]


@pytest.mark.parametrize(("text", "line"), WRITTEN)
def test_a_line_is_read_and_written_as_the_gateway_does(text, line) -> None:
    assert read_line(text) == line
    assert read_line(f"{text}\r\n") == line
    assert format_line(line) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "prefix"),
        ("hello", "prefix"),
        ("3|1", "prefix"),
        (f"2|{AT}|i|{RULE}|n|1", "prefix"),
        (f"3|noon|i|{RULE}|n|1", "time"),
        (f"3|1.5|i|{RULE}|n|1", "time"),
        (f"3|{'9' * 17}|i|{RULE}|n|1", "time"),
        (f"3|{AT}|x|{RULE}|n|1", "letter"),
        (f"3|{AT}|i|{RULE}|n", "parts"),
        (f"3|{AT}|e|{RULE}|n|1", "parts"),
        (f"3|{AT}|l|{RULE}|a.b|c.d", "parts"),
        (f"3|{AT}|l|{RULE}|a.b|c.d|true|1", "parts"),
        (f'3|{AT}|r|{RULE}|x|{{"enable":true}}', "parts"),
        (f"3|{AT}|i||n|1", "field"),
        (f"3|{AT}|i|{RULE}||1", "field"),
        (f"3|{AT}|e|{RULE}|n||late", "field"),
        (f"3|{AT}|l|{RULE}|a|c.d|true", "pin"),
        (f"3|{AT}|l|{RULE}|a.b|.d|true", "pin"),
        (f"3|{AT}|l|{RULE}|a.b|c.d|1", "value"),
        (f"3|{AT}|r|{RULE}|{{}}", "rule"),
        (f"3|{AT}|i|{RULE}|n|one\ntwo", "break"),
        (f"3|{AT}|i|{RULE}|n|{'1' * LONGEST_LINE}", "long"),
    ],
)
def test_what_is_no_line_of_a_log_is_told(text, reason) -> None:
    unread = read_line(text)
    assert isinstance(unread, Unread)
    assert unread.reason == reason
    assert unread.text() != unread.text("en")


def test_the_wrong_part_is_counted_from_one() -> None:
    for text, part in ((f"3|{AT}|i|{RULE}||1", "5"), (f"3|{AT}|l|{RULE}|a.b|c|true", "6"), (f"3|{AT}|i||n|1", "4")):
        unread = read_line(text)
        assert isinstance(unread, Unread)
        assert f"第 {part} 段" in unread.text()


NAMES = st.text("abc019_ 灯", min_size=1, max_size=6)
PINS = st.builds(Pin, NAMES, NAMES)
TIMES = st.integers(-(10**12), 10**15)
FREE = st.text(st.characters(exclude_characters="\r\n"))
LINES = (
    st.builds(LinkLine, TIMES, NAMES, PINS, PINS, st.none() | st.booleans())
    | st.builds(InfoLine, TIMES, NAMES, NAMES, FREE)
    | st.builds(ErrorLine, TIMES, NAMES, NAMES, NAMES, FREE)
    | st.builds(RuleLine, TIMES, NAMES, st.booleans())
)


@given(LINES)
@settings(deadline=None)
def test_every_line_reads_back_the_same(line) -> None:
    assert read_line(format_line(line)) == line


@given(
    st.lists(st.sampled_from(["3", "|", "l", "i", "e", "r", "a.b", "n", "true", '{"enable":true}', "."])).map("".join)
)
@settings(deadline=None)
def test_a_text_that_is_read_is_written_the_same(text) -> None:
    line = read_line(text)
    assert isinstance(line, Unread) or format_line(line) == text


@pytest.mark.parametrize(
    "make",
    [
        lambda: Pin("a.b", "c"),
        lambda: Pin("", "c"),
        lambda: Pin("a", ""),
        lambda: InfoLine(AT, "a|b", "n", ""),
        lambda: InfoLine(AT, RULE, "n\n", ""),
        lambda: InfoLine(AT, RULE, "n", "one\ntwo"),
        lambda: ErrorLine(AT, RULE, "n", "", "late"),
        lambda: ErrorLine(AT, RULE, "n", "1", "one\rtwo"),
        lambda: RuleLine(AT, "", enable=True),
    ],
)
def test_a_line_that_could_not_be_read_back_is_refused(make) -> None:
    with pytest.raises(BadInput) as refused:
        make()
    assert "日志" in str(refused.value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (26.0, "26"),
        (1e-7, "1e-7"),
        (True, "true"),
        (None, "null"),
        ("现在26度", "现在26度"),
        ("a|b", "a|b"),
        ("one\ntwo", '"one\\ntwo"'),
        ("灯\u2028灯\x7f", '"灯\\u2028灯\\u007f"'),
        (["a\x85b"], '["a\\u0085b"]'),
        ([True, 26.0, "灯"], '[true,26,"灯"]'),
        ([], "[]"),
        ({"n": 1}, '{"n":1}'),
    ],
)
def test_what_a_node_says_is_written_as_json_but_texts_as_they_are(value, text) -> None:
    assert info_text(value) == text
    assert info_value(text) == value


def test_what_is_no_json_is_a_text() -> None:
    for text in ("success", "", "NaN", "[" * 100_000, "1" * 5000):
        assert info_value(text) == text


@given(st.text())
@settings(deadline=None)
def test_any_text_fits_into_one_line(text) -> None:
    line = InfoLine(AT, RULE, "n", info_text(text))
    assert read_line(format_line(line)) == line
    assert len(info_text(text).splitlines()) <= 1


def test_a_line_names_what_it_updates_in_a_replay() -> None:
    updated = [line.watchpoint for _, line in WRITTEN]
    assert updated[0] == "link:in1.output->n.input"
    assert updated[3] == "node:n"
    assert updated[9] == "node:o1"
    assert updated[11] is None


def test_a_log_is_read_past_what_cannot_be() -> None:
    log = read_log([WRITTEN[0][0], "", "Traceback", "\n", WRITTEN[3][0] + "\n"])
    assert log.lines == (WRITTEN[0][1], WRITTEN[3][1])
    assert [(number, each.line) for number, each in log.unread] == [(3, "Traceback")]
    assert (log.unread_count, log.cut) == (1, False)


def test_a_log_has_bounds() -> None:
    log = read_log(repeat("x"))
    assert log.cut
    assert log.unread_count == MOST_LINES
    assert len(log.unread) == MOST_UNREAD


def test_a_log_that_just_fits_is_whole() -> None:
    log = read_log(repeat(WRITTEN[3][0], MOST_LINES))
    assert len(log.lines) == MOST_LINES
    assert not log.cut


def test_the_parts_after_the_rule_compare_as_json() -> None:
    """Checks of traces compare numbers, arrays and objects by value."""
    line = InfoLine(AT, RULE, "n2", info_text({"n": 1}))
    assert json.loads(format_line(line).split("|", 5)[5]) == {"n": 1}
