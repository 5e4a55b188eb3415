"""A task.md says what it says: a mistake is one line with its field, its line and the way out."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.documents.frontmatter import read_frontmatter
from zhixing.documents.model import Declared, Deliver, Kind, Manual, Once, Overlap, Standing
from zhixing.documents.reading import read_definition, warnings
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import parse_instant
from zhixing.tasks.schedule.cron import Cron
from zhixing.tasks.schedule.model import Missed

REQUIRED = {"title": "晨报", "when": "0 9 * * 1-5", "description": "写晨报", "sessionId": "tg-4711"}


def document(body: str = "# 任务目标", /, **fields: str | None) -> str:
    """Write a file: the required fields, then the others; None leaves one out."""
    values = {key.replace("__", "-"): value for key, value in (REQUIRED | fields).items() if value is not None}
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in values.items()) + f"---\n\n{body}\n"


def complaint(text: str) -> str:
    with pytest.raises(BadInput) as caught:
        read_definition(text)
    return str(caught.value)


def test_the_four_required_fields_are_enough_and_the_rest_is_the_documents_default() -> None:
    """D-2.7."""
    found = read_definition(document())
    assert (found.title, found.description, found.session_id, found.body) == ("晨报", "写晨报", "tg-4711", "# 任务目标")
    assert found.when == Cron.parse("0 9 * * 1-5")
    assert (found.status, found.kind, found.review) == (Standing.ENABLED, Kind.AGENT, False)
    assert (found.missed, found.overlap, found.deliver, found.retries) == (Missed.ONCE, Overlap.SKIP, Deliver.AUTO, 0)
    assert (found.timezone, found.timeout, found.network, found.agent_command, found.expires_at) == (None,) * 5
    assert (found.env, found.paths) == ((), ())


def test_every_optional_field_is_read() -> None:
    found = read_definition(
        document(
            "echo 1",
            when="time:2026-10-12T10:00:00+08:00",
            kind="Script",
            status="PAUSED",
            review="yes",
            timezone="Asia/Tokyo",
            missed="all",
            overlap="replace",
            timeout="1h30m",
            retries="2",
            env="[API_BASE, CITY]",
            network="off",
            paths="[data/in.csv, './reports//out/:rw']",
            agent_command="codex exec -",
            deliver="on-failure",
            expiresAt="2026-12-31T23:59:59+08:00",
        )
    )
    assert isinstance(found.when, Once)
    assert (found.kind, found.status, found.review) == (Kind.SCRIPT, Standing.PAUSED, True)
    assert (found.timezone, found.missed, found.overlap) == ("Asia/Tokyo", Missed.ALL, Overlap.REPLACE)
    assert (found.timeout, found.retries) == (timedelta(minutes=90), 2)
    assert (found.env, found.network) == (("API_BASE", "CITY"), False)
    assert found.paths == (Declared("data/in.csv"), Declared("reports/out", writable=True))
    assert (found.agent_command, found.deliver) == ("codex exec -", Deliver.ON_FAILURE)
    assert found.expires_at == parse_instant("2026-12-31T23:59:59+08:00")


@pytest.mark.parametrize(
    "name", ["timezone", "missed", "timeout", "env", "network", "paths", "status", "kind", "review"]
)
def test_a_field_without_a_value_counts_as_not_written(name: str) -> None:
    assert read_definition(document(**{name: ""})) == read_definition(document())


@pytest.mark.parametrize(
    ("text", "length"),
    [("600", 600), ("90s", 90), ("10m", 600), ("1h", 3_600), ("1H30M", 5_400), ("1h 30m 5s", 5_405), ("24h", 86_400)],
)
def test_a_timeout_is_seconds_or_has_units(text: str, length: int) -> None:
    assert read_definition(document(timeout=text)).timeout == timedelta(seconds=length)


@pytest.mark.parametrize(
    ("text", "names"), [("A, B，A", ("A", "B")), ("A", ("A",)), ("[]", ()), ("\n- A\n- B", ("A", "B"))]
)
def test_variables_are_a_list_or_stand_between_commas(text: str, names: tuple[str, ...]) -> None:
    assert read_definition(document(env=text)).env == names


@pytest.mark.parametrize("text", ["true", "1", "YES", "on"])
def test_a_review_is_asked_for_in_any_usual_word(text: str) -> None:
    assert read_definition(document(review=text)).review
    assert read_definition(document(network=text)).network is True


def test_older_keys_are_read_where_there_is_no_when() -> None:
    once = read_definition(document(when=None, time="2026-10-12T10:00:00+08:00")).when
    assert isinstance(once, Once)
    assert once.text == "2026-10-12T10:00:00+08:00"
    assert read_definition(document(when=None, cron="'@daily'")).when == Cron.parse("@daily")
    assert read_definition(document(when="'@manual'", cron="'@daily'")).when == Manual()


def test_a_script_from_windows_runs_with_plain_line_ends() -> None:
    text = document("set -e\necho 1", kind="script").replace("\n", "\r\n")
    assert read_definition(text).body == "set -e\necho 1"


def test_a_body_keeps_the_indent_of_its_first_line() -> None:
    assert read_definition(document("\n    code\ntext  \n\n")).body == "    code\ntext"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (document(title=None), "缺少「title」：请在开头的两行 --- 之间加一行，如 title:"),
        (document(sessionId=None), "缺少「sessionId」"),
        (document(description=None), "缺少「description」"),
        (document(when=None), "缺少「when」"),
        (document(title=None, titel="a"), "第 5 行写的是「titel」，请改成「title」"),
        (document(sessionId=None, session_id="a"), "第 5 行写的是「session_id」，请改成「sessionId」"),
        (document(sessionId=None, SessionID="a"), "请改成「sessionId」"),
        (document(description=" "), "第 4 行的「description」是空的"),
        (document(title="[a, b]"), "第 2 行的「title」只能写一个值"),
        (document(title='"a\\nb"'), "第 2 行的「title」：要写在一行里"),
        (document(title="字" * 101), "第 2 行的「title」：太长了，最多 100 个字符"),
        (document(description="字" * 2_001), "第 4 行的「description」：太长了"),
        (document(when="0 9 * *"), "第 3 行的「when」：cron 要写五段"),
        (document(when=None, cron="0 9 * *"), "第 5 行的「cron」：cron 要写五段"),
        (document(when=None, cron="0 9 * * *", time="a"), "time 和 cron 只能写一个"),
        (document(status="enable"), "第 6 行的「status」：不能是「enable」，是不是「enabled」"),
        (document(status="running"), "可用：enabled、paused、disabled"),
        (document(kind="scirpt"), "是不是「script」"),
        (document(kind="工作"), "可用：agent、script"),
        (document(review="maybe"), "可用：true、false"),
        (document(missed="one"), "是不是「once」"),
        (document(overlap="parallel"), "可用：skip、queue、replace"),
        (document(deliver="on_failure"), "是不是「on-failure」"),
        (document(network="offf"), "不能是「offf」"),
        (document(timezone="Asia/Shanghia"), "是不是「Asia/Shanghai」"),
        (document(timezone="../etc/passwd"), "不认识的时区"),
        (document(timeout="soon"), "看不懂时长「soon」"),
        (document(timeout="0"), "最长 24 小时"),
        (document(timeout="25h"), "最长 24 小时"),
        (document(timeout="-5"), "看不懂时长"),
        (document(timeout="1.5h"), "看不懂时长"),
        (document(retries="6"), "0 到 5 的整数"),
        (document(retries="two"), "0 到 5 的整数"),
        (document(env="API_KEY=abc123"), "只写环境变量的名字"),
        (document(env="1A"), "不是环境变量的名字"),
        (document(env="API-KEY"), "不是环境变量的名字"),
        (document(paths="/etc/passwd"), "相对于项目文件夹"),
        (document(paths="~/x"), "相对于项目文件夹"),
        (document(paths="C:/x"), "相对于项目文件夹"),
        (document(paths="a/../../b"), "不能有 .."),
        (document(paths="'a\\b'"), "写成「a/b」"),
        (document(paths=".downcity/task"), "任务自己的记录"),
        (document(paths="./.Downcity"), "任务自己的记录"),
        (document(paths="./:rw"), "整个项目"),
        (document(paths="[a, 'a/:rw']"), "写了两次"),
        (document(expiresAt="2026-12-31"), "时区偏移"),
        (document(expiresAt="2026-02-30T00:00:00+08:00"), "第 6 行的「expiresAt」"),
        (document("", kind="script"), "kind 是 script 时正文不能为空"),
        (document(" \n\t\n", kind="script"), "kind 是 script 时正文不能为空"),
    ],
)
def test_a_mistake_is_one_line_with_its_place_and_the_way_out(text: str, said: str) -> None:
    assert said in complaint(text)
    assert "\n" not in complaint(text)


def test_a_value_behind_a_variable_is_not_repeated_in_the_message() -> None:
    assert "abc123" not in complaint(document(env="API_KEY=abc123"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (document(), []),
        (document(tags="[a]", owner="me", x__note="b"), []),
        (document(reviw="true"), [(6, "field_mistyped")]),
        (document(Timeout="5m"), [(6, "field_mistyped")]),
        (document(time__zone="UTC"), [(6, "field_mistyped")]),
        (document(agentCommand="x"), [(6, "field_mistyped")]),
        (document(cron="0 9 * * *"), [(6, "field_legacy")]),
        (document(when=None, cron="0 9 * * *"), []),
        (document("ls", kind="script", review="true"), [(7, "field_only_agent")]),
        (document("ls", kind="script", review="false"), []),
    ],
)
def test_a_field_that_does_nothing_is_remarked_upon_and_stops_nothing(text: str, expected: list[object]) -> None:
    found = warnings(read_frontmatter(text))
    assert [(finding.line, finding.code) for finding in found] == expected
    assert all(finding.text("zh") != finding.text("en") for finding in found)
    read_definition(text)


FIELDS = st.sampled_from(
    ["title", "when", "description", "sessionId", "kind", "status", "env", "paths", "timeout", "expiresAt", "timezone"]
)


@given(st.dictionaries(FIELDS, st.text(max_size=30).map(repr) | st.sampled_from(["", "[a, b]", "*", "@x"])), st.text())
def test_any_file_is_read_or_refused_in_one_line(fields: dict[str, str], body: str) -> None:
    said = ""
    try:
        read_definition(document(body, **fields))
    except BadInput as error:
        said = str(error)
    assert len(said.splitlines()) <= 1
