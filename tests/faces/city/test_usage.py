"""Lines that cannot be run: each is answered with one line that says what would."""

from __future__ import annotations

import json

import pytest

CREATE = ("task", "create", "--title", "t", "--description", "d")


@pytest.mark.parametrize(
    ("argv", "code", "says"),
    [
        (("tsak", "list"), "miloco_command_mistyped", "city task"),
        (("task", "ls"), "miloco_command_mistyped", "city task list"),
        (("task", "crate"), "miloco_command_mistyped", "city task create"),
        (("task", "pause", "t"), "miloco_command_mistyped", "city task disable"),
        (("task", "quux"), "usage_command_unknown", "validate"),
        (("task", "restart"), "city_service", "zhixing serve"),
        (("memory", "search"), "usage_command_unknown", "task"),
        (("--status", "enabled", "task", "list"), "city_option_first", "--status"),
        (("task", "list", "--stauts", "enabled"), "usage_option_mistyped", "--status"),
        (("task", "list", "--all"), "usage_option_unknown", "--status"),
        (("task", "list", "--status"), "usage_value_missing", "--status"),
        (("task", "list", "--json", "false", "--json=maybe"), "choice_unknown", "true"),
        (("task", "list", "--path"), "usage_value_missing", "--path"),
        (("task", "list", "--host", "127.0.0.1"), "city_elsewhere", "--host"),
        (("task", "list", "--port=5314"), "city_elsewhere", "--port"),
        (("task", "list", "--token", "abc"), "city_elsewhere", "--token"),
        (("task", "run", "t", "--delay", "5000"), "city_later", "chat send"),
        (("task", "run", "t", "--time", "2026-10-12T10:00:00+08:00"), "city_later", "--when"),
        (("task", "run"), "usage_argument_missing", "TITLE"),
        (("task", "run", "Daily", "check"), "usage_too_many", "check"),
        (("task", "run", "t", "--queue=maybe"), "usage_no_value", "--queue"),
        (("task", "create", "--title", "t"), "usage_value_missing", "--description"),
        (("task", "create", "--title", "--description", "d"), "usage_value_missing", "--title"),
        (CREATE, "city_session_missing", "DC_SESSION_ID"),
        ((*CREATE, "--session-id", ""), "city_session_empty", "--session-id"),
        ((*CREATE, "--session-id", "s", "--activate", "--status", "paused"), "city_activate", "--activate"),
        ((*CREATE, "--session-id", "s", "--body", "a", "--body-file", "b"), "city_body_twice", "--body-file"),
        ((*CREATE, "--session-id", "s", "--review", "perhaps"), "usage_too_many", "perhaps"),
        ((*CREATE, "--session-id", "s", "--review=perhaps"), "choice_unknown", "true"),
        (("task", "update", "t"), "city_nothing_to_change", "--when"),
        (("task", "update", "t", "--when", "@daily", "--clear-when"), "city_both", "--clear-when"),
        (("task", "update", "t", "--body", "a", "--clear-body"), "city_both", "--clear-body"),
        (("task", "update", "t", "--title", " "), "city_empty", "--title"),
        (("task", "create", "--title=", "--description", "d", "--session-id", "s"), "city_empty", "--title"),
        (("task", "update", "t", "--title", "a", "--title", "b"), "usage_option_twice", "--title"),
        (("chat", "send", "--chat-key", "s"), "city_text", "--stdin"),
        (("chat", "send", "--text", "a", "--stdin", "--chat-key", "s"), "city_text", "--stdin"),
        (("chat", "send", "--text", "a"), "city_chat_missing", "DC_CTX_CHAT_KEY"),
        (("chat", "send", "--text", "a", "--chat-key", "s", "--delay", "1", "--time", "1"), "city_both", "--time"),
        (("chat", "bind", "s"), "city_channels", "city chat bind"),
    ],
)
def test_a_line_that_cannot_be_run_says_what_could(city, argv, code, says):
    """D-6.6: another status beside `--activate` among them."""
    found, line = city.refused(*argv, code=2)
    assert (found, says in line) == (code, True), (found, line)
    assert not city.home.exists()


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("task", "list", "--status", "on"), "choice_unknown"),
        (("task", "create", "--title", "a\nb", "--description", "d", "--session-id", "s"), "city_option"),
        (("task", "create", "--title", "字" * 101, "--description", "d", "--session-id", "s"), "city_option"),
        ((*CREATE, "--session-id", "s", "--kind", "shell"), "choice_unknown"),
        (("task", "next", "t", "--count", "0"), "number_out_of_range"),
        (("task", "next", "t", "--count", "many"), "number_unreadable"),
        (("task", "runs", "t", "--limit", "100000"), "number_out_of_range"),
        (("task", "logs", "x", "--lines", "0"), "number_out_of_range"),
    ],
)
def test_a_value_that_cannot_be_is_refused_before_the_home_is_opened(city, argv, code):
    assert city.refused(*argv)[0] == code
    assert not city.home.exists()


@pytest.mark.parametrize(
    "argv", [(), ("--help",), ("task",), ("task", "--help"), ("chat", "-h"), ("task", "run", "-h")]
)
def test_help_is_lines_for_people(city, argv):
    done = city(*argv)
    assert (done.code, done.err) == (0, "")
    assert any("\u4e00" <= character <= "\u9fff" for character in done.out)
    assert not city.home.exists()


def test_for_people_an_error_goes_to_standard_error(city):
    done = city("task", "ls", "--json", "false")
    assert (done.code, done.out) == (2, "")
    assert "{" not in city("--json", "false", "task", "ls").err


def test_a_home_that_cannot_be_opened_is_one_line(city):
    city.home.write_text("no folder", encoding="utf-8")
    done = city("task", "list")
    assert done.code == 2
    assert json.loads(done.out)["success"] is False


def test_the_version_is_said(city):
    assert city("--version").out.startswith("zhixing ")
    assert set(city("version").data) == {"version"}
